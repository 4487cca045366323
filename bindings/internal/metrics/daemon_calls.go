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

// DaemonCalls counts the requests sent to daemons, by the name given to each daemon. The zero value is ready to use.
type DaemonCalls struct {
	mu      sync.Mutex
	daemons map[string]*daemonCalls
}

// daemonCalls are the counts of one daemon; guarded by DaemonCalls.mu.
type daemonCalls struct {
	answered, failed uint64
	up               bool
	lastAnswer       time.Time
	received         uint64 // bytes
	took             durations
}

// Count returns t with its requests counted under a name. The name is shown on the page, so it should not be an
// address.
func (d *DaemonCalls) Count(name string, t rpc.Transport) rpc.Transport {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.daemons == nil {
		d.daemons = map[string]*daemonCalls{}
	}
	if d.daemons[name] == nil {
		d.daemons[name] = &daemonCalls{}
	}
	return &countedTransport{t, d, d.daemons[name]}
}

type countedTransport struct {
	rpc.Transport
	all    *DaemonCalls
	counts *daemonCalls
}

// Post sends the request through the transport and counts it.
func (t *countedTransport) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	start := time.Now()
	answer, err := t.Transport.Post(ctx, path, body)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return answer, err // the caller gave up, which says nothing about the daemon
	}
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	c := t.counts
	if c.up = err == nil; c.up {
		c.answered++
		c.lastAnswer = time.Now()
		c.received += uint64(len(answer))
	} else {
		c.failed++
	}
	c.took.add(time.Since(start))
	return answer, err
}

// Close closes the transport's idle connections.
func (t *countedTransport) Close() {
	if c, ok := t.Transport.(interface{ Close() }); ok {
		c.Close()
	}
}

// Write is a source of a Page.
func (d *DaemonCalls) Write(w *Writer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	names := slices.Sorted(maps.Keys(d.daemons))
	each := func(name, kind, help string, write func(label string, c *daemonCalls)) {
		w.Family(name, kind, help)
		for _, n := range names {
			write(n, d.daemons[n])
		}
	}
	const upHelp = "Whether the last request to the daemon succeeded; absent before the first request."
	each("glim_daemon_up", Gauge, upHelp, func(n string, c *daemonCalls) {
		if c.answered+c.failed > 0 {
			w.Sample(Bool(c.up), "daemon", n)
		}
	})
	const lastHelp = "Time of the daemon's last answer; 0 before the first."
	each("glim_daemon_last_answer_timestamp_seconds", Gauge, lastHelp, func(n string, c *daemonCalls) {
		at := 0.0
		if !c.lastAnswer.IsZero() {
			at = float64(c.lastAnswer.UnixMilli()) / 1000
		}
		w.Sample(at, "daemon", n)
	})
	each("glim_daemon_requests_total", Counter, "Requests to daemons, by result.", func(n string, c *daemonCalls) {
		w.Sample(float64(c.answered), "daemon", n, "result", "answered")
		w.Sample(float64(c.failed), "daemon", n, "result", "failed")
	})
	each("glim_daemon_received_bytes_total", Counter, "Bytes of daemons' answers.", func(n string, c *daemonCalls) {
		w.Sample(float64(c.received), "daemon", n)
	})
	const tookHelp = "Duration of requests to daemons."
	each("glim_daemon_request_duration_seconds", Histogram, tookHelp, func(n string, c *daemonCalls) {
		c.took.write(w, "daemon", n)
	})
}
