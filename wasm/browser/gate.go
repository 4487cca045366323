//go:build js && wasm

package main

import (
	"context"
	"sync"
)

// gate holds up what goes on without being asked while the page is hidden or there is no network. Who asks for something is not
// held up, nor is anything else while somebody waits for an answer.
type gate struct {
	mu     sync.Mutex
	shut   bool
	asking int           // calls under way
	news   chan struct{} // closed when either changes; nil when nobody waits
}

func (g *gate) pause()  { g.change(func() { g.shut = true }) }
func (g *gate) resume() { g.change(func() { g.shut = false }) }

// ask opens the gate for as long as a call takes, which done ends.
func (g *gate) ask() (done func()) {
	g.change(func() { g.asking++ })
	return func() { g.change(func() { g.asking-- }) }
}

func (g *gate) change(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f()
	if g.news != nil {
		close(g.news)
		g.news = nil
	}
}

// pass waits until the gate is open. The context's error when it ends first.
func (g *gate) pass(ctx context.Context) error {
	for {
		g.mu.Lock()
		if !g.shut || g.asking > 0 {
			g.mu.Unlock()
			return ctx.Err()
		}
		if g.news == nil {
			g.news = make(chan struct{})
		}
		news := g.news
		g.mu.Unlock()
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
