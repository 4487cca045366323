package service

import (
	"context"
	"errors"

	"glim/core/daemon"
	"glim/core/rpc"
	"glim/core/smallfmt"
	"glim/core/walletrpc"
)

// sender hands transactions over to a daemon, and asks it for nothing else.
type sender struct {
	client    *daemon.Client
	transport rpc.Transport // nil if it is the transport for reading
	name      string        // address of the daemon for errors; empty if it is the daemon that is read
}

// newSender returns how transactions are handed over while blocks are read from daemon d by reader. to is
// Config.Sending.
func newSender(
	connect func(DaemonConfig) (rpc.Transport, error), to, d DaemonConfig, reader *daemon.Client,
) (sender, error) {
	switch {
	case d.Address == "" || to.Address == "" && to.Proxy == "":
		return sender{client: reader}, nil
	case to.Address == "":
		through := to.Proxy
		to = d
		to.Proxy = through
	case to.Proxy == "":
		to.Proxy = d.Proxy // no connection bypasses a proxy
	}
	t, err := connect(to)
	if err != nil {
		return sender{}, err
	}
	return sender{daemon.New(t), t, to.Address}, nil
}

// send hands a transaction over. It returns the errors of daemon.Client.Send; they name the daemon if it is not the one
// that is read. There is no second attempt with another daemon.
func (s *sender) send(ctx context.Context, blob []byte) error {
	err := s.client.Send(ctx, blob)
	if err == nil || s.name == "" {
		return err
	}
	const to = "the daemon that transactions are sent to"
	switch {
	case errors.Is(err, daemon.ErrUnreachable):
		return &codedError{
			walletrpc.Fail(walletrpc.CodeNoDaemonConnection, "no connection to "+to+", %s", s.name), err}
	case errors.Is(err, daemon.ErrBusy):
		return &codedError{
			walletrpc.Fail(walletrpc.CodeDaemonBusy, to+", %s, is busy. Please try again later.", s.name), err}
	}
	return smallfmt.Errorf(to+", %s: %w", s.name, err)
}

// close closes idle connections.
func (s *sender) close() {
	if c, ok := s.transport.(interface{ Close() }); ok {
		c.Close()
	}
}
