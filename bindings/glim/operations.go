package main

import (
	"context"
	"log/slog"
	"time"

	"glim/bindings/native"
	"glim/core/rpc"
)

// told is a service whose operations the log has: those that were refused or failed from the level INFO on, all of them with DEBUG. What was asked
// and answered is not there, for it may be anybody's business or nobody's.
type told struct {
	native.Service
	log *slog.Logger
}

// Serve answers as the service does.
func (s told) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
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
