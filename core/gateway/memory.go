package gateway

import (
	"container/list"
	"context"
	"encoding/binary"
	"sync"

	"glim/core/crypto/keccak"
	"glim/core/xmr"
)

// memory is a least-recently-used cache of values that expire.
type memory struct {
	mu    sync.Mutex
	items map[string]*list.Element
	order *list.List // of *memo, most recently used first
	size  int
}

// memo is a cached value.
type memo struct {
	name  string
	until uint64 // time of expiry, in POSIX seconds
	value []byte
}

// Limits of memory.
const (
	maxMemos    = 1 << 14
	maxMemoSize = 12 << 20 // bytes of a value
	maxMemoSum  = 16 << 20 // bytes of all names and values
	maxMemoKey  = 512      // bytes of a request whose response is shared
)

func newMemory() memory { return memory{items: map[string]*list.Element{}, order: list.New()} }

func (m *memory) get(name string, now uint64) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.items[name]
	if !ok {
		return nil, false
	}
	kept := e.Value.(*memo)
	if now >= kept.until {
		m.drop(e)
		return nil, false
	}
	m.order.MoveToFront(e)
	return kept.value, true
}

func (m *memory) put(name string, value []byte, until uint64) {
	if len(value) > maxMemoSize {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.items[name]; ok {
		m.drop(e)
	}
	m.items[name] = m.order.PushFront(&memo{name, until, value})
	m.size += len(name) + len(value)
	for len(m.items) > maxMemos || m.size > maxMemoSum {
		m.drop(m.order.Back())
	}
}

func (m *memory) drop(e *list.Element) {
	kept := m.order.Remove(e).(*memo)
	delete(m.items, kept.name)
	m.size -= len(kept.name) + len(kept.value)
}

// recall returns a value that keep stored, from memory or the host's cache.
func (g *Gateway) recall(ctx context.Context, name string) ([]byte, bool) {
	now := g.c.Now()
	if v, ok := g.memory.get(name, now); ok {
		return v, true
	}
	if g.c.Cache == nil {
		return nil, false
	}
	v, ok := g.c.Cache.Get(ctx, name)
	if !ok || len(v) < 8 {
		return nil, false
	}
	until := binary.LittleEndian.Uint64(v)
	if now >= until || until > now+maxKeep {
		return nil, false
	}
	g.memory.put(name, v[8:], until)
	return v[8:], true
}

// maxKeep is the longest time to expiry of a value, in seconds.
const maxKeep = 86400

// keep stores a value in memory and in the host's cache for a number of seconds, at most maxKeep. The time of expiry is
// stored with the value, because caches may keep it longer.
func (g *Gateway) keep(ctx context.Context, name string, value []byte, seconds uint64) {
	until := g.c.Now() + seconds
	g.memory.put(name, value, until)
	if g.c.Cache != nil && len(value) <= maxMemoSize {
		g.c.Cache.Put(ctx, name, append(binary.LittleEndian.AppendUint64(nil, until), value...), seconds)
	}
}

// digest returns a hash of the parts in hexadecimal.
func digest(parts ...string) string {
	var all []byte
	for _, p := range parts {
		all = append(binary.LittleEndian.AppendUint64(all, uint64(len(p))), p...)
	}
	return xmr.Hash(keccak.Sum256(all)).String()
}

// turns serialises callers with the same task, so that all except the first find its result in a cache.
type turns struct {
	mu   sync.Mutex
	busy map[string]chan struct{}
}

// take waits until no other caller holds the turn of a name; done releases it. It returns the error of the context.
func (t *turns) take(ctx context.Context, name string) (done func(), err error) {
	for {
		t.mu.Lock()
		busy := t.busy[name]
		if busy == nil {
			mine := make(chan struct{})
			t.busy[name] = mine
			t.mu.Unlock()
			return func() {
				t.mu.Lock()
				delete(t.busy, name)
				t.mu.Unlock()
				close(mine)
			}, nil
		}
		t.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
