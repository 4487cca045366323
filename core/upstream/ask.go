package upstream

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/flight"
	"glim/core/rpc"
)

// server is a daemon with what is known of its health. All but the first three are guarded by Front.mu.
type server struct {
	address   string
	transport rpc.Transport
	client    *daemon.Client

	well    bool   // it answered last time, and is on our network
	rest    uint64 // it is left in peace until then, in POSIX seconds
	probing bool
}

// How long a daemon that failed is not asked while another is well, in seconds.
const (
	restAfterFailure = 30
	restAfterLie     = 600
)

// ErrAway: no upstream answers, or none truthfully.
var ErrAway = errors.New("upstream: no upstream gives an answer")

// order returns the daemons in the order they are to be asked: those that are well, then the others. Those before the first that is
// well are looked at when their rest is over, so that the first is asked again as soon as it can be.
func (f *Front) order() []*server {
	now := f.c.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	var list, others []*server
	first := slices.IndexFunc(f.servers, func(s *server) bool { return s.well })
	for i, s := range f.servers {
		if s.well {
			list = append(list, s)
			continue
		}
		others = append(others, s)
		if i < first && now >= s.rest && !s.probing {
			s.probing = true
			go f.probe(s)
		}
	}
	return append(list, others...)
}

func (f *Front) probe(s *server) {
	err := f.examine(context.Background(), s)
	f.mu.Lock()
	s.probing = false
	f.mu.Unlock()
	if err != nil {
		f.failed(s, err)
	} else {
		f.log.Info("upstream is well again", "address", s.address)
	}
}

// ask asks the daemons in turn until one answers. A refusal is an answer. Errors: *daemon.Refused; ErrAway; daemon.ErrBusy when one
// said so; the context's own.
func ask[T any](ctx context.Context, f *Front, question func(context.Context, *daemon.Client) (T, error)) (T, error) {
	var none T
	failure := ErrAway
	for _, s := range f.order() {
		err := f.examine(ctx, s)
		if err == nil {
			var v T
			if v, err = question(ctx, s.client); err == nil {
				return v, nil
			}
		}
		switch {
		case ctx.Err() != nil:
			return none, ctx.Err()
		case errors.Is(err, daemon.ErrRefused) && !wantsMoney(err), errors.Is(err, daemon.ErrHistory):
			return none, err
		case errors.Is(err, daemon.ErrBusy):
			failure = err
		}
		f.failed(s, err)
	}
	return none, failure
}

// wantsMoney reports whether a daemon answers only those who pay, which nobody here does.
func wantsMoney(err error) bool {
	var refused *daemon.Refused
	return errors.As(err, &refused) && (refused.Status == daemonrpc.StatusPaymentRequired || refused.Code == daemonrpc.CodePaymentRequired ||
		refused.Code == daemonrpc.CodeInvalidClient)
}

// examine finds out once whether a daemon can be asked at all: whether it answers, is on our network and has what the network has.
func (f *Front) examine(ctx context.Context, s *server) error {
	f.mu.Lock()
	well := s.well
	f.used = true
	f.mu.Unlock()
	if well {
		return nil
	}
	_, err := flight.Get(ctx, &f.group, "examine "+s.address, func(ctx context.Context) (struct{}, error) {
		info, err := s.client.Info(ctx)
		switch {
		case err != nil:
			return struct{}{}, err
		case info.Network != f.c.Network:
			return struct{}{}, fmt.Errorf("%w: it is on %v, not on %v", daemon.ErrDaemonLied, info.Network, f.c.Network)
		case info.TargetHeight > info.Height:
			return struct{}{}, fmt.Errorf("%w: it has %d blocks of %d", daemon.ErrBusy, info.Height, info.TargetHeight)
		}
		first, err := s.client.Header(ctx, 0)
		if err == nil && first.Hash != f.c.Network.GenesisHash() {
			err = fmt.Errorf("%w: its first block is another network's", daemon.ErrDaemonLied)
		}
		return struct{}{}, err
	})
	if err == nil {
		f.mu.Lock()
		s.well = true
		f.mu.Unlock()
	}
	return err
}

// failed notes that a daemon gave no answer that can be used.
func (f *Front) failed(s *server, err error) {
	rest := uint64(restAfterFailure)
	if errors.Is(err, daemon.ErrDaemonLied) {
		rest = restAfterLie
	}
	f.log.Warn("upstream failed", "address", s.address, "err", err)
	now := f.c.Now()
	f.store.doubt()
	f.mu.Lock()
	defer f.mu.Unlock()
	s.well, s.rest = false, now+rest
	f.tip.at = 0 // the next may have another chain
}

// lie returns a daemon.ErrDaemonLied that says what is wrong.
func lie(format string, args ...any) error {
	return fmt.Errorf("%w: %w", daemon.ErrDaemonLied, fmt.Errorf(format, args...))
}
