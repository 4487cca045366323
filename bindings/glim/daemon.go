package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"glim/bindings/internal/zmq"
	"glim/bindings/native"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/nextfork"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/upstream"
)

func daemonCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cfg, err := parseDaemon(args, os.Getenv, os.ReadFile)
	switch {
	case err != nil:
		return misused(stderr, "daemon", daemonUsage, err)
	case cfg.help:
		daemonHelp(stdout)
		return 0
	case cfg.version:
		fmt.Fprintln(stdout, version())
		return 0
	case cfg.osVersion:
		fmt.Fprintln(stdout, "OS:", runtime.GOOS, runtime.GOARCH)
		return 0
	}
	cfg.started = cfg.newStartLines(stdout)
	if cfg.Detach {
		startup := newStartupOutput()
		if startup == nil {
			return detach(append([]string{"daemon"}, args...), cfg.LogFile, stderr)
		}
		stderr, cfg.served = startup, startup.served
	}
	if err := runDaemon(ctx, cfg, stderr); err != nil {
		cfg.failed(stderr, "glim daemon", err)
		return 1
	}
	return 0
}

const daemonUsage = `
Usage: glim daemon --regtest [flags]
       glim daemon [--stagenet | --testnet] --bootstrap-daemon-address HOST:PORT [flags]
`

func daemonHelp(w io.Writer) {
	fmt.Fprint(w, daemonUsage, `
Runs a private chain, in memory or in a folder, and serves it over RPC; or serves the RPC of other daemons, with their
answers checked and cached. Flags are those of monerod.
`)
	printFlags(w, daemonFlags)
	printOthers(w, daemonFlags)
}

// seedCaches is the number of RandomX caches kept, 256 MiB each, as in the reference: where the seed changes, blocks
// and branches of both sides are verified in turn. They are made only if blocks need proof of work.
const seedCaches = 2

// daemonProcess is the state of `glim daemon` while it runs.
type daemonProcess struct {
	cfg    DaemonConfig
	log    *slog.Logger
	levels *logSwitch
	out    io.Writer // for messages to the operator
	meters *meters
	stop   context.CancelFunc

	public, restricted []net.Listener
	metrics            net.Listener                  // nil without metrics
	served             atomic.Pointer[native.Server] // the server of the full RPC, once it runs
	publisher          *zmq.Publisher                // nil if nothing is published
	messages           net.Listener                  // nil if RPC is not served over ZeroMQ

	cleanup []func() error // called in reverse order
}

// runDaemon serves a private chain, or the data of other daemons, until ctx ends or a client calls /stop_daemon.
// Messages to the operator go to out.
func runDaemon(ctx context.Context, cfg DaemonConfig, out io.Writer) (err error) {
	d := &daemonProcess{cfg: cfg, meters: newMeters(cfg.Metrics)}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := d.openLog(out); err != nil {
		return err
	}
	if cfg.MaxConcurrency > 0 {
		runtime.GOMAXPROCS(min(cfg.MaxConcurrency, runtime.GOMAXPROCS(0)))
	}
	ctx, d.stop = context.WithCancel(ctx)
	defer d.stop()
	// Listen first: if a port is in use, nothing else must have happened.
	if err := d.listen(); err != nil {
		return err
	}
	if cfg.PIDFile != "" {
		remove, err := writePID(cfg.PIDFile)
		if err != nil {
			return err
		}
		d.onClose(remove)
	}
	front, err := d.startNode(ctx)
	if err != nil {
		return err
	}
	endpoints, err := d.endpoints(front)
	if err != nil {
		return err
	}
	lines := []string{"core RPC server started ok"}
	if cfg.RestrictedPort != 0 {
		lines = append(lines, "restricted RPC server started ok")
	}
	defer cfg.started.serves('I', lines...)()
	return serveEndpoints(ctx, endpoints, "glim daemon", d.out, cfg.served)
}

func (d *daemonProcess) onClose(f func() error) { d.cleanup = append(d.cleanup, f) }

func (d *daemonProcess) close() (err error) {
	for _, f := range slices.Backward(d.cleanup) {
		err = errors.Join(err, f())
	}
	return err
}

func (d *daemonProcess) openLog(out io.Writer) error {
	log, levels, closeLog, err := d.cfg.open(out)
	if err != nil {
		return err
	}
	d.onClose(closeLog)
	d.log, d.levels, d.out = log, levels, d.cfg.messages(out, log)
	d.cfg.logStart(log, "glim daemon")
	for _, w := range d.cfg.Warnings {
		log.With(category, "global").Warn(w)
	}
	return nil
}

// listen opens all sockets but those for peers.
func (d *daemonProcess) listen() (err error) {
	cfg := d.cfg
	if d.public, err = cfg.listen(); err != nil {
		return err
	}
	// The servers close their listeners, unless something fails before they start; hence errors are ignored.
	d.onClose(func() error { _ = closeAll(d.public); return nil })
	if cfg.RestrictedPort != 0 {
		d.restricted, err = cfg.listenAt(cfg.RestrictedIP, cfg.RestrictedIPv6, cfg.RestrictedPort)
		if err != nil {
			return err
		}
		d.onClose(func() error { _ = closeAll(d.restricted); return nil })
	}
	cfg.started.listens(slices.Concat(d.public, d.restricted))
	if d.metrics, err = cfg.listenMetrics(); err != nil {
		return err
	}
	if d.metrics != nil {
		d.onClose(func() error { _ = d.metrics.Close(); return nil })
	}
	if d.publisher, err = cfg.publisher(d.log.With(category, "rpc"), d.out); err != nil {
		return err
	}
	if d.publisher != nil {
		d.onClose(d.publisher.Close)
	}
	if d.messages, err = cfg.Messages.listen(); err != nil {
		return err
	}
	if d.messages != nil {
		d.onClose(func() error { _ = d.messages.Close(); return nil })
	}
	return nil
}

func (d *daemonProcess) nodeConfig() node.Config {
	onBlock := newNotification(d.log, "block-notify", d.cfg.BlockNotify)
	onReorg := newNotification(d.log, "reorg-notify", d.cfg.ReorgNotify)
	started := time.Now()
	pow, pows := nextfork.Work.NewPoWs(seedCaches)
	c := node.Config{
		Chain: chain.Options{
			Network:         d.cfg.Network,
			FixedDifficulty: d.cfg.FixedDifficulty,
			SeedEpochBlocks: d.cfg.SeedEpochBlocks,
			SeedEpochLag:    d.cfg.SeedEpochLag,
			PoW:             pow,
			PoWs:            pows,
			MaxPoolWeight:   d.cfg.MaxPoolWeight,
			Now:             func() uint64 { return uint64(time.Now().Unix()) },
			Random:          rand.Reader,
			OnBlockAdded:    notifyChain(onBlock, onReorg),
		},
		Version:    version(),
		SetLog:     d.levels.set,
		Wait:       native.Wait,
		Machine:    native.Machine(),
		Background: d.cfg.Background,
		HashRate:   func(r float64) { fmt.Fprintf(d.out, "hashrate: %.4f\n", r) },
		Log:        d.log.With(category, "chain"),
		Micros:     func() uint64 { return uint64(time.Since(started).Microseconds()) },
		Stop:       d.stop,
		Connections: func() uint64 {
			if s := d.served.Load(); s != nil {
				open, _ := s.Connections()
				return uint64(open)
			}
			return 0
		},
	}
	if d.publisher != nil {
		c.Publisher = d.publisher
	}
	if at := d.cfg.ForkHeight; at > 0 {
		c.Chain.Forks, c.Chain.Next = consensus.RegtestForks(at, at+d.cfg.ForkGrace), nextfork.Fork{}
	}
	return c
}

// startNode opens the chain, joins the network of peers and starts mining, as configured. It returns the chain with the
// other daemons behind it.
func (d *daemonProcess) startNode(ctx context.Context) (*upstream.Front, error) {
	config := d.nodeConfig()
	closeStore, err := d.cfg.store(&config, d.log.With(category, "chain"), d.out)
	if err != nil {
		return nil, err
	}
	d.onClose(closeStore)
	n, err := node.New(config)
	if err != nil {
		return nil, err
	}
	d.onClose(n.Close)
	d.answerMessages(ctx, n)
	front, err := newFront(d.cfg, n, d.log, d.meters)
	if err != nil {
		return nil, err
	}
	leave, err := d.cfg.joinPeers(ctx, n, d.log, d.out)
	if err != nil {
		return nil, err
	}
	d.onClose(leave)
	if d.cfg.MineTo != "" {
		err := n.StartMining(d.cfg.MineTo, d.cfg.MiningThreads, d.cfg.InBackground, d.cfg.IgnoreBattery)
		if err != nil {
			return nil, fmt.Errorf("--start-mining: %w", err)
		}
	}
	return front, nil
}

// endpoints returns the servers of full RPC, restricted RPC and metrics with their listeners.
func (d *daemonProcess) endpoints(front *upstream.Front) ([]endpoint, error) {
	log := d.log.With(category, "rpc")
	full := native.ServerConfig{
		Service:  loggedService{d.meters.count(front.Registry()), log},
		Login:    d.cfg.Login,
		Origins:  d.cfg.Origins,
		Random:   rand.Reader,
		Log:      log,
		Limits:   d.cfg.limits(),
		Answered: d.meters.answered(),
	}
	full.Limits.Body = maxBody
	restricted := full
	restricted.Service = loggedService{d.meters.count(front.Restricted()), log}
	restricted.Options = rpc.Options{Restricted: true}
	if d.cfg.Gateway {
		g, closeGateway, err := newGateway(d.cfg, d.log, d.meters)
		if err != nil {
			return nil, err
		}
		d.onClose(closeGateway)
		restricted.Service = d.meters.count(g)
	}
	if d.cfg.Restricted {
		full = restricted
	}
	var all []endpoint
	var servers []*native.Server
	for _, s := range []struct {
		listeners []net.Listener
		server    *native.Server
	}{
		{d.public, native.NewServer(full)},
		{d.restricted, native.NewServer(restricted)},
	} {
		for _, l := range s.listeners {
			all = append(all, endpoint{l, s.server, d.cfg.Network.String()})
		}
		servers = append(servers, s.server)
	}
	d.served.Store(servers[0])
	if d.metrics != nil {
		d.meters.chain(front.Registry())
		all = append(all, d.meters.endpoint(d.metrics, d.log, servers...))
	}
	return all, nil
}

// maxBody limits the body of a request, in bytes. Source: src/cryptonote_config.h, MAX_RPC_CONTENT_LENGTH.
const maxBody = 1 << 20
