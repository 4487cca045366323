package service

import (
	"context"

	"glim/core/daemon"
	"glim/core/rpc"
	"glim/core/say"
	"glim/core/walletrpc"
)

// link is the way to one daemon, used by all wallets that name it: for them it is asked once. It is their syncer.Source.
type link struct {
	*stream
	full      *stream // the same with blocks in full
	config    DaemonConfig
	transport rpc.Transport
	client    *daemon.Client
	witness   *daemon.Client // the second daemon; nil for none
	pool      *poolTracker
	users     int // guarded by shared.mu

	distribution *distribution
}

func newLink(c *Config, d DaemonConfig) (*link, error) {
	var t rpc.Transport = nowhere{}
	if d.Address != "" {
		if c.Connect == nil {
			return nil, &ConfigError{"Connect"}
		}
		var err error
		if t, err = c.Connect(d); err != nil {
			return nil, err
		}
	}
	client := daemon.New(t)
	from := source{client: client, network: c.Network, crew: c.crew(), log: c.Log, cover: uint64(c.Compact.Every)}
	if from.cover == 0 {
		from.cover = DefaultEvery
	}
	spread := &distribution{client: client, step: distributionStep}
	from.saw, from.pace = spread.saw, &pace{now: c.Now}
	l := &link{config: d, transport: t, client: client, pool: newPool(client, c.Now), distribution: spread}
	if w := c.Witness; w.Address != "" && d.Address != "" {
		if w.Proxy == "" {
			w.Proxy = d.Proxy // nothing goes around a proxy
		}
		second, err := c.Connect(w)
		if err != nil {
			return nil, err
		}
		l.witness = daemon.New(second)
	}
	l.full = newStream(from)
	if !c.Compact.Off && d.Address != "" {
		from.lean = &lean{}
	}
	l.stream = newStream(from)
	return l, nil
}

// link returns the way to d, which is the caller's until unlink.
func (s *shared) link(c *Config, d DaemonConfig) (*link, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.links {
		if l.config.same(&d) {
			l.use(+1)
			return l, nil
		}
	}
	l, err := newLink(c, d)
	if err != nil {
		return nil, err
	}
	l.use(+1)
	s.links = append(s.links, l)
	return l, nil
}

// home returns the way to the daemon that every wallet starts with, which is the caller's until unlink. When it cannot be
// made any more, because a certificate is gone for example, it is a way to no daemon, never to another one.
func (s *Service) home() *link {
	l, err := s.link(&s.config, s.initial)
	if err == nil {
		return l
	}
	s.config.Log.Warn("the daemon cannot be used; set_daemon chooses one", "daemon", s.initial.Address, "error", err)
	l, _ = s.link(&s.config, DaemonConfig{}) // which needs no connection, so that nothing can fail
	return l
}

// useDaemon switches to the daemon d for as long as o is open.
func (s *Service) useDaemon(o *open, d DaemonConfig) error {
	next, err := s.link(&s.config, d)
	if err != nil {
		return err
	}
	s.mu.Lock()
	last := s.way
	still := s.open == o
	if still {
		s.way, s.chosen = next, !d.same(&s.initial)
	}
	s.mu.Unlock()
	if !still {
		s.unlink(next)
		return walletrpc.Fail(walletrpc.CodeNotOpen, "")
	}
	s.unlink(last)
	next.pool.restart() // another daemon may answer at an address that is set once more
	o.DropPool()
	return nil
}

// unlink says that a user of l is gone. With the last of them goes its transport; calls under way still end well.
func (s *shared) unlink(l *link) {
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
		c.Close() // it lets go of connections nobody uses
	}
}

func (l *link) use(n int) {
	l.users += n
	l.share(l.users > 1)
	l.full.share(l.users > 1)
}

// nowhere is the transport to no daemon.
type nowhere struct{}

func (nowhere) Post(context.Context, string, []byte) ([]byte, error) {
	return nil, say.Errorf("%w: no daemon is set", daemon.ErrUnreachable)
}
