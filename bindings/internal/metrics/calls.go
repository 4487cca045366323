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

// Calls counts the requests of a service by operation and code. The zero value is ready.
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

// service is what Calls counts the requests of: what native.Service says.
type service interface {
	Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error)
}

type counted struct {
	service
	calls *Calls
}

// Count returns s with its requests counted. Those that name no operation are "unknown": what a client makes up is no label.
func (c *Calls) Count(s service) service { return &counted{s, c} }

// Serve answers as the service does.
func (s *counted) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	start := time.Now()
	s.calls.begin()
	what, told := call{operation: "unknown", code: rpc.CodeInternal}, false
	before := o.Answered
	o.Answered = func(op *rpc.Operation, code int) {
		if what.code, told = code, true; op != nil {
			what.operation = op.Name
		}
		if before != nil {
			before(op, code)
		}
	}
	defer func() { s.calls.end(what, time.Since(start)) }() // after a panic, too
	answer, err := s.service.Serve(ctx, path, body, o)
	if !told { // it has no list of operations, or none for that path
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
	w.Value("glim_rpc_requests_in_progress", Gauge, "Requests that are being answered.", float64(c.running))
	w.Family("glim_rpc_requests_total", Counter, "Requests answered, by operation and code; 0 is success.")
	for _, k := range slices.SortedFunc(maps.Keys(c.codes), func(a, b call) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.code, b.code))
	}) {
		w.Sample(float64(c.codes[k]), "operation", k.operation, "code", strconv.Itoa(k.code))
	}
	w.Family("glim_rpc_request_duration_seconds", Histogram, "How long answers took, by operation.")
	for _, name := range slices.Sorted(maps.Keys(c.took)) {
		c.took[name].write(w, "operation", name)
	}
}
