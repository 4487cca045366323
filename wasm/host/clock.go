//go:build js && wasm

package host

import (
	"context"
	"time"
)

// Now returns POSIX seconds.
func Now() uint64 { return uint64(time.Now().Unix()) }

// Wait returns nil after d, or the context's error if the context ends first.
func Wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
