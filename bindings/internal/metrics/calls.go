package metrics

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"glim/core/rpc"
)

// Calls counts the requests to a service by operation and error code. The zero value is ready to use.
type Calls struct {
	mu      sync.Mutex
	running int
	codes   map[call]uint64
	took    map[string]*durations // by operation
}

type call struct {
	operation string
	code      int
}

// service is native.Service, which cannot be imported here.
type service interface {
	Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error)
}

type counted struct {
	service
	calls *Calls
}

// Count returns s with its requests counted. Requests without a known operation count as "unknown", so that clients
// cannot create labels.
func (c *Calls) Count(s service) service { return &counted{s, c} }

// Serve passes the request to the service and counts it.
func (s *counted) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	start := time.Now()
	s.calls.begin()
	what, known := call{operation: "unknown", code: rpc.CodeInternal}, false
	before := o.Answered
	o.Answered = func(op *rpc.Operation, code int) {
		if what.code, known = code, true; op != nil {
			what.operation = op.Name
		}
		if before != nil {
			before(op, code)
		}
	}
	defer func() { s.calls.end(what, time.Since(start)) }() // also after a panic
	answer, err := s.service.Serve(ctx, path, body, o)
	if !known { // the service has no operations for that path
		switch {
		case err == nil:
			what.code = 0
		case errors.Is(err, rpc.ErrNoPath):
			what.code = rpc.CodeMethodNotFound
		case errors.Is(err, rpc.ErrRequest):
			what.code = rpc.CodeParse
		}
	}
	return answer, err
}

func (c *Calls) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running++
}

func (c *Calls) end(what call, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
	if c.codes == nil {
		c.codes, c.took = map[call]uint64{}, map[string]*durations{}
	}
	c.codes[what]++
	if c.took[what.operation] == nil {
		c.took[what.operation] = &durations{}
	}
	c.took[what.operation].add(took)
}

// Write is a source of a Page.
func (c *Calls) Write(w *Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Value("glim_rpc_requests_in_progress", Gauge, "Requests in progress.", float64(c.running))
	w.Family("glim_rpc_requests_total", Counter, "Requests by operation and error code; 0 is success.")
	for _, k := range slices.SortedFunc(maps.Keys(c.codes), func(a, b call) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.code, b.code))
	}) {
		w.Sample(float64(c.codes[k]), "operation", k.operation, "code", strconv.Itoa(k.code))
	}
	w.Family("glim_rpc_request_duration_seconds", Histogram, "Duration of requests by operation.")
	for _, name := range slices.Sorted(maps.Keys(c.took)) {
		c.took[name].write(w, "operation", name)
	}
}
