//go:build js && wasm

package main

import (
	"context"
	"sync"
)

// gate holds up what goes on without being asked while the page is hidden or there is no network.
type gate struct {
	mu   sync.Mutex
	open chan struct{} // nil when nothing is held up; else closed when the gate opens
}

func (g *gate) pause() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open == nil {
		g.open = make(chan struct{})
	}
}

func (g *gate) resume() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open != nil {
		close(g.open)
		g.open = nil
	}
}

// pass waits until the gate is open. The context's error when it ends first.
func (g *gate) pass(ctx context.Context) error {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	if open == nil {
		return ctx.Err()
	}
	select {
	case <-open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
