package service

import (
	"context"
	"errors"
	"sync"

	"glim/core/signer"
)

// shared holds the wallets and connections that several services use together.
type shared struct {
	files sync.Mutex // serialises opening and closing, because deriving a key takes much memory

	once sync.Once
	own  *signer.Server // keeps the spend keys of sealed wallets if there is no vault; set by once

	mu      sync.Mutex // guards the fields below
	links   []*connection
	wallets map[string]*openWallet // open wallets from Config.Files, by name
}

// hold counts a user of the wallet. A named wallet can then be used by other services.
func (s *shared) hold(o *openWallet, named bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o.users++; named {
		s.wallets[o.name] = o
	}
}

// held returns the open wallet of that name, or nil if it is not open, and counts the caller as a user until it calls
// release. It returns session.ErrPassword if password is not the wallet's.
func (s *shared) held(ctx context.Context, name, password string) (*openWallet, error) {
	s.mu.Lock()
	o := s.wallets[name]
	s.mu.Unlock()
	if o == nil {
		return nil, nil
	}
	if err := o.CheckPassword(ctx, []byte(password)); err != nil {
		return nil, err
	}
	s.hold(o, false)
	return o, nil
}

// release closes a wallet that has no other users. The caller holds files.
func (s *shared) release(o *openWallet) error {
	s.mu.Lock()
	o.users--
	last := o.users == 0
	if last && s.wallets[o.name] == o {
		delete(s.wallets, o.name)
	}
	s.mu.Unlock()
	if !last {
		return nil
	}
	o.cancel()
	return errors.Join(o.Close(), o.storage.Close())
}

// connect returns a connection to d, which the caller uses until it calls disconnect.
func (s *shared) connect(by *dialer, d DaemonConfig) (*connection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.links {
		if l.config.same(&d) {
			l.use(+1)
			return l, nil
		}
	}
	l, err := by.dial(d)
	if err != nil {
		return nil, err
	}
	l.use(+1)
	s.links = append(s.links, l)
	return l, nil
}

// disconnect removes one user of l. Without users its transport is closed; calls in progress still finish.
func (s *shared) disconnect(l *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.use(-1); l.users > 0 {
		return
	}
	for i := range s.links {
		if s.links[i] == l {
			s.links = append(s.links[:i], s.links[i+1:]...)
			break
		}
	}
	if c, ok := l.transport.(interface{ Close() }); ok {
		c.Close() // closes idle connections
	}
	l.sender.close()
}

// interrupt cancels running refreshes; they continue where they were when the wallet is opened again.
func (s *shared) interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.wallets {
		o.cancel()
	}
}
