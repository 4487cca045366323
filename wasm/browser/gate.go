//go:build js && wasm

package main

import (
	"context"
	"sync"
)

// gate holds up background work while the page is hidden or offline. It does not hold up calls, and lets everything
// pass while a call is pending.
type gate struct {
	mu     sync.Mutex
	shut   bool
	asking int           // pending calls
	news   chan struct{} // closed when either changes; nil if nothing waits
}

func (g *gate) pause()  { g.change(func() { g.shut = true }) }
func (g *gate) resume() { g.change(func() { g.shut = false }) }

// ask opens the gate for the duration of a call, which ends with done.
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

// pass waits until the gate is open, or returns the context's error if it ends first.
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
