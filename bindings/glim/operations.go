package main

import (
	"context"
	"log/slog"
	"time"

	"glim/bindings/native"
	"glim/core/rpc"
)

// loggedService logs the operations of a service: those that fail at level INFO, the others at level DEBUG. Requests
// and responses are not logged, because they are private.
type loggedService struct {
	native.Service
	log *slog.Logger
}

// Serve passes the request to the service and logs it.
func (s loggedService) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	if !s.log.Enabled(ctx, slog.LevelInfo) {
		return s.Service.Serve(ctx, path, body, o)
	}
	start, name, code := time.Now(), "unknown", rpc.CodeInternal
	before := o.Answered
	o.Answered = func(op *rpc.Operation, c int) {
		if code = c; op != nil {
			name = op.Name
		}
		if before != nil {
			before(op, c)
		}
	}
	answer, err := s.Service.Serve(ctx, path, body, o)
	switch {
	case name == "unknown":
	case code != 0:
		s.log.Info("operation failed", "operation", name, "code", code, "path", path, "took", time.Since(start))
	default:
		s.log.Debug("operation", "operation", name, "path", path, "took", time.Since(start))
	}
	return answer, err
}
