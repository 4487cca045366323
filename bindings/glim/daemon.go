package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"glim/bindings/native"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/node"
	"glim/core/rpc"
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
	if cfg.Detach {
		words := newFirstWords()
		if words == nil {
			return detach(append([]string{"daemon"}, args...), cfg.LogFile, stderr)
		}
		stderr, cfg.served = words, words.served
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
Keeps a private chain, in memory or in a folder, and serves what monerod serves about it; or asks another daemon, checks and
remembers what it says, and serves that. Flags are monerod's.
`)
	printFlags(w, daemonFlags)
	printOthers(w, daemonFlags)
}

// seedCaches is how many caches of RandomX are kept, of 256 MiB each; they are made only where blocks take work.
const seedCaches = 1

// runDaemon serves a private chain, or what other daemons know, until ctx ends or a client calls /stop_daemon. What people should see goes to say.
func runDaemon(ctx context.Context, cfg DaemonConfig, say io.Writer) (err error) {
	log, level, endLog, err := cfg.open(say)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, endLog()) }()
	say = cfg.people(say, log)
	cfg.begins(log, "glim daemon")
	for _, w := range cfg.Warnings {
		log.With(category, "global").Warn(w)
	}
	if cfg.MaxConcurrency > 0 {
		runtime.GOMAXPROCS(min(cfg.MaxConcurrency, runtime.GOMAXPROCS(0)))
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// Listening comes first: a port that is taken must cost nothing.
	whole, err := cfg.listen()
	if err != nil {
		return err
	}
	defer func() { _ = closeAll(whole) }() // closed by their server already, unless something failed before
	var restricted []net.Listener
	if cfg.RestrictedPort != 0 {
		if restricted, err = cfg.listenAt(cfg.RestrictedIP, cfg.RestrictedIPv6, cfg.RestrictedPort); err != nil {
			return err
		}
		defer func() { _ = closeAll(restricted) }() // likewise
	}
	metered, err := cfg.listenMetrics()
	if err != nil {
		return err
	}
	counts := newMeters(cfg.Metrics)
	if metered != nil {
		defer func() { _ = metered.Close() }() // likewise
	}
	publisher, err := cfg.publisher(log.With(category, "rpc"), say)
	if err != nil {
		return err
	}
	if publisher != nil {
		defer func() { err = errors.Join(err, publisher.Close()) }()
	}
	if cfg.PIDFile != "" {
		remove, err := writePID(cfg.PIDFile)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, remove()) }()
	}
	onBlock := newNotification(log, "block-notify", cfg.BlockNotify)
	onReorganisation := newNotification(log, "reorg-notify", cfg.ReorgNotify)
	began := time.Now()
	var served atomic.Pointer[native.Server] // at the port where everything may be asked, once there is one
	settings := node.Config{
		Chain: chain.Options{
			Network: cfg.Network, FixedDifficulty: cfg.FixedDifficulty, PoW: consensus.NewPoW(seedCaches), MaxPoolWeight: cfg.MaxPoolWeight,
			Now: func() uint64 { return uint64(time.Now().Unix()) }, Random: rand.Reader,
			Joined: notifyChain(onBlock, onReorganisation),
		},
		Version: version(),
		SetLog:  level.set,
		Wait:    native.Wait, Machine: native.Machine(), Background: cfg.Background,
		HashRate: func(r float64) { fmt.Fprintf(say, "hashrate: %.4f\n", r) },
		Log:      log.With(category, "chain"),
		Micros:   func() uint64 { return uint64(time.Since(began).Microseconds()) },
		Stop:     stop,
		Connections: func() uint64 {
			if s := served.Load(); s != nil {
				open, _ := s.Connections()
				return uint64(open)
			}
			return 0
		},
	}
	if publisher != nil {
		settings.Publisher = publisher
	}
	endStore, err := cfg.store(&settings, log.With(category, "chain"), say)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, endStore()) }()
	n, err := node.New(settings)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	front, err := newFront(cfg, n, log, counts)
	if err != nil {
		return err
	}
	leave, err := cfg.join(ctx, n, log, say)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave()) }()
	if cfg.MineTo != "" {
		if err := n.StartMining(cfg.MineTo, cfg.MiningThreads, cfg.InBackground, cfg.IgnoreBattery); err != nil {
			return fmt.Errorf("--start-mining: %w", err)
		}
	}

	everything := native.ServerConfig{
		Service: told{counts.count(front.Registry()), log.With(category, "rpc")}, Login: cfg.Login, Origins: cfg.Origins, Random: rand.Reader, Log: log.With(category, "rpc"), Limits: cfg.limits(),
		Answered: counts.answered(),
	}
	everything.Limits.Body = maxBody
	forStrangers := everything
	forStrangers.Service, forStrangers.Options = told{counts.count(front.Restricted()), log.With(category, "rpc")}, rpc.Options{Restricted: true}
	if cfg.Gateway {
		g, end, gone := newGateway(cfg, log, counts)
		if gone != nil {
			return gone
		}
		defer func() { err = errors.Join(err, end()) }()
		forStrangers.Service = counts.count(g)
	}
	if cfg.Restricted {
		everything = forStrangers
	}
	var doors []listening
	var servers []*native.Server
	for _, d := range []struct {
		listeners []net.Listener
		server    *native.Server
	}{{whole, native.NewServer(everything)}, {restricted, native.NewServer(forStrangers)}} {
		for _, l := range d.listeners {
			doors = append(doors, listening{l, d.server, cfg.Network.String()})
		}
		servers = append(servers, d.server)
	}
	served.Store(servers[0])
	if metered != nil {
		counts.chain(front.Registry())
		doors = append(doors, counts.door(metered, log, servers...))
	}
	return answer(ctx, doors, "glim daemon", say, cfg.served)
}

// maxBody bounds a request, in bytes. Source: src/cryptonote_config.h, MAX_RPC_CONTENT_LENGTH.
const maxBody = 1 << 20
