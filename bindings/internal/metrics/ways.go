package metrics

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"glim/core/rpc"
)

// Ways counts what was asked of daemons, by the name each was given. The zero value is ready.
type Ways struct {
	mu   sync.Mutex
	ways map[string]*way
}

// way is what is known of one daemon; guarded by Ways.mu.
type way struct {
	answered, failed uint64
	up               bool
	last             time.Time // it answered
	received         uint64    // bytes
	took             durations
}

// Count returns t with what is asked of it counted under a name, which a page shows: it is not an address.
func (ws *Ways) Count(name string, t rpc.Transport) rpc.Transport {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.ways == nil {
		ws.ways = map[string]*way{}
	}
	if ws.ways[name] == nil {
		ws.ways[name] = &way{}
	}
	return &countedWay{t, ws, ws.ways[name]}
}

type countedWay struct {
	rpc.Transport
	all *Ways
	way *way
}

// Post asks as the transport does.
func (c *countedWay) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	start := time.Now()
	answer, err := c.Transport.Post(ctx, path, body)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return answer, err // given up by who asked: that says nothing of the daemon
	}
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	w := c.way
	if w.up = err == nil; w.up {
		w.answered++
		w.last = time.Now()
		w.received += uint64(len(answer))
	} else {
		w.failed++
	}
	w.took.add(time.Since(start))
	return answer, err
}

// Close lets go of connections nobody uses.
func (c *countedWay) Close() {
	if t, ok := c.Transport.(interface{ Close() }); ok {
		t.Close()
	}
}

// Write is a source of a Page.
func (ws *Ways) Write(w *Writer) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	names := slices.Sorted(maps.Keys(ws.ways))
	each := func(name, kind, help string, write func(label string, y *way)) {
		w.Family(name, kind, help)
		for _, n := range names {
			write(n, ws.ways[n])
		}
	}
	each("glim_daemon_up", Gauge, "Whether the daemon answered what it was asked last; not there before it was asked anything.", func(n string, y *way) {
		if y.answered+y.failed > 0 {
			w.Sample(Bool(y.up), "daemon", n)
		}
	})
	each("glim_daemon_last_answer_timestamp_seconds", Gauge, "When the daemon answered last; 0 for never.", func(n string, y *way) {
		at := 0.0
		if !y.last.IsZero() {
			at = float64(y.last.UnixMilli()) / 1000
		}
		w.Sample(at, "daemon", n)
	})
	each("glim_daemon_requests_total", Counter, "What daemons were asked, by whether they answered.", func(n string, y *way) {
		w.Sample(float64(y.answered), "daemon", n, "result", "answered")
		w.Sample(float64(y.failed), "daemon", n, "result", "failed")
	})
	each("glim_daemon_received_bytes_total", Counter, "Bytes of their answers.", func(n string, y *way) { w.Sample(float64(y.received), "daemon", n) })
	each("glim_daemon_request_duration_seconds", Histogram, "How long they took.", func(n string, y *way) { y.took.write(w, "daemon", n) })
}
