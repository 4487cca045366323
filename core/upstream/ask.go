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

// server is an upstream and its state. Front.mu guards all fields except the first three.
type server struct {
	address   string
	transport rpc.Transport
	client    *daemon.Client

	well    bool   // it passed examine and has not failed since
	rest    uint64 // end of the pause after a failure, in POSIX seconds
	probing bool
}

// Pauses after a failure and after an invalid response, in seconds. A daemon receives no requests during its pause
// while another one works.
const (
	restAfterFailure = 30
	restAfterForgery = 600
)

// ErrAway reports that no upstream returned a valid response.
var ErrAway = errors.New("upstream: no upstream daemon answers")

// order returns the upstreams in the order in which to try them: working ones, then the others. Failed ones that are
// configured before the first working one are examined in the background when their pause ends, so that the configured
// order is restored as soon as possible.
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
		f.log.Info("the upstream daemon works again", "address", s.address)
	}
}

// ask sends the request to the upstreams in turn until one responds. A refusal counts as a response. It returns
// *daemon.Refused, daemon.ErrHistory, ErrAway, daemon.ErrBusy if an upstream reported it, or the error of the context.
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

// wantsMoney reports whether a daemon demands payment, which is not supported.
func wantsMoney(err error) bool {
	var refused *daemon.Refused
	return errors.As(err, &refused) &&
		(refused.Status == daemonrpc.StatusPaymentRequired || refused.Code == daemonrpc.CodePaymentRequired ||
			refused.Code == daemonrpc.CodeInvalidClient)
}

// examine checks whether an upstream can be used: that it responds, is on the configured network and is synchronised.
// The result stands until the upstream fails.
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
			return struct{}{}, fmt.Errorf(
				"%w: it is on %v, not on %v", daemon.ErrInvalidResponse, info.Network, f.c.Network,
			)
		case info.TargetHeight > info.Height:
			return struct{}{}, fmt.Errorf("%w: it has %d blocks of %d", daemon.ErrBusy, info.Height, info.TargetHeight)
		}
		first, err := s.client.BlockHeader(ctx, 0)
		if err == nil && first.Hash != f.c.Network.GenesisHash() {
			err = fmt.Errorf("%w: its first block is another network's", daemon.ErrInvalidResponse)
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

// failed records that an upstream returned no usable response, and starts its pause.
func (f *Front) failed(s *server, err error) {
	rest := uint64(restAfterFailure)
	if errors.Is(err, daemon.ErrInvalidResponse) {
		rest = restAfterForgery
	}
	f.log.Warn("upstream failed", "address", s.address, "err", err)
	now := f.c.Now()
	f.store.doubt()
	f.mu.Lock()
	defer f.mu.Unlock()
	s.well, s.rest = false, now+rest
	f.tip.at = 0 // the next upstream may have another chain
}

// invalid returns an error with a reason that wraps daemon.ErrInvalidResponse.
func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %w", daemon.ErrInvalidResponse, fmt.Errorf(format, args...))
}
