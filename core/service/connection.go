package service

import (
	"context"
	"sync/atomic"

	"glim/core/daemon"
	"glim/core/rpc"
	"glim/core/smallfmt"
	"glim/core/syncer"
	"glim/core/xmr"
)

// connection is a connection to one daemon. All wallets that use the daemon share it, so that each request is sent only
// once. It is their syncer.Source.
type connection struct {
	*stream
	full      *stream // reads full blocks
	config    DaemonConfig
	transport rpc.Transport
	client    *daemon.Client
	witness   *daemon.Client // the second daemon; may be nil
	sender    sender
	pool      *poolTracker
	users     int // guarded by shared.mu

	distribution *distribution
}

// dial returns a new connection to the daemon d.
func (c *dialer) dial(d DaemonConfig) (*connection, error) {
	var t rpc.Transport = noDaemon{}
	if d.Address != "" {
		if c.connect == nil {
			return nil, &ConfigError{"Connect"}
		}
		var err error
		if t, err = c.connect(d); err != nil {
			return nil, err
		}
	}
	client := daemon.New(t)
	from := source{client: client, network: c.network, workers: c.workers, log: c.log,
		cover: uint64(c.compact.ProveEvery)}
	if from.cover == 0 {
		from.cover = DefaultProveEvery
	}
	spread := &distribution{client: client, step: distributionStep}
	from.saw, from.pace = spread.observe, &pace{now: c.now}
	from.compact, from.hashes = compactReader{client, from.workers, from.pace}, new(atomic.Bool)
	l := &connection{config: d, transport: t, client: client, pool: newPool(client, c.now), distribution: spread}
	if w := c.witness; w.Address != "" && d.Address != "" {
		if w.Proxy == "" {
			w.Proxy = d.Proxy // no connection bypasses a proxy
		}
		second, err := c.connect(w)
		if err != nil {
			return nil, err
		}
		l.witness = daemon.New(second)
	}
	var err error
	if l.sender, err = newSender(c.connect, c.sending, d, client); err != nil {
		return nil, err
	}
	l.full = newStream(from)
	if !c.compact.Off && d.Address != "" {
		from.lean = &compactSupport{}
	}
	l.stream = newStream(from)
	return l, nil
}

func (l *connection) use(n int) {
	l.users += n
	l.share(l.users > 1)
	l.full.share(l.users > 1)
}

// Pool returns the contents of the pool.
func (l *connection) Pool(ctx context.Context, known func(*syncer.PoolEpoch, xmr.Hash) bool) (syncer.Pool, error) {
	return l.pool.poll(ctx, known)
}

// fullConnection is a connection for wallets that need the rings of transactions, which compact blocks omit.
type fullConnection struct {
	*stream
	link *connection
}

// WithRings returns a source of complete transactions.
func (l *connection) WithRings() syncer.Source { return fullConnection{l.full, l} }

// Pool returns the contents of the pool.
func (r fullConnection) Pool(ctx context.Context, known func(*syncer.PoolEpoch, xmr.Hash) bool) (syncer.Pool, error) {
	return r.link.Pool(ctx, known)
}

// noDaemon is the transport of a connection without a daemon.
type noDaemon struct{}

func (noDaemon) Post(context.Context, string, []byte) ([]byte, error) {
	return nil, smallfmt.Errorf("%w: no daemon is set", daemon.ErrUnreachable)
}

// dialer makes connections to daemons.
type dialer struct {
	connect func(DaemonConfig) (rpc.Transport, error) // Config.Connect; may be nil
	network xmr.Network
	workers syncer.Workers
	compact CompactBlocks
	witness DaemonConfig // the second daemon; none without an address
	sending DaemonConfig // Config.Sending
	now     func() uint64
	log     Log
}
