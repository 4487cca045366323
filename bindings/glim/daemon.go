package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"glim/bindings/native"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/xmr"
)

func daemonCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cfg, err := parseDaemon(args, os.Getenv)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "glim daemon: %v\n", err)
		if errors.Is(err, errUsage) {
			daemonHelp(stderr)
		}
		return 2
	case cfg.help:
		daemonHelp(stdout)
		return 0
	case cfg.version:
		fmt.Fprintln(stdout, version())
		return 0
	}
	if err := runDaemon(ctx, cfg, stderr); err != nil {
		fmt.Fprintf(stderr, "glim daemon: %v\n", err)
		return 1
	}
	return 0
}

func daemonHelp(w io.Writer) {
	fmt.Fprint(w, `
Usage: glim daemon --regtest [flags]

Keeps a private chain, in memory, and serves what monerod serves about it. Flags are monerod's.
`)
	printFlags(w, daemonFlags)
}

// seedCaches is how many caches of RandomX are kept, of 256 MiB each; they are made only where blocks take work.
const seedCaches = 1

// runDaemon serves a private chain until ctx ends or a client calls /stop_daemon. What people should see goes to say.
func runDaemon(ctx context.Context, cfg DaemonConfig, say io.Writer) (err error) {
	log, setLog, endLog, err := openLog(cfg.LogFile, cfg.LogLevel, say)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, endLog()) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	n, err := node.New(node.Config{
		Chain: chain.Options{
			Network: xmr.Regtest, FixedDifficulty: cfg.FixedDifficulty, PoW: consensus.NewPoW(seedCaches),
			Now: func() uint64 { return uint64(time.Now().Unix()) }, Random: rand.Reader,
		},
		Version: version(),
		SetLog:  setLog,
		Stop:    stop,
	})
	if err != nil {
		return err
	}
	defer n.Close()

	everything := native.ServerConfig{
		Service: n.Registry(), Login: cfg.Login, Origins: cfg.Origins, Random: rand.Reader, Log: log,
	}
	forStrangers := everything
	forStrangers.Service, forStrangers.Options = n.Restricted(), rpc.Options{Restricted: true}
	if cfg.Restricted {
		everything = forStrangers
	}
	var doors []listening
	open := func(ip string, port uint16, c native.ServerConfig) error {
		l, err := net.Listen("tcp", net.JoinHostPort(strings.Trim(ip, "[]"), strconv.Itoa(int(port))))
		if err == nil {
			doors = append(doors, listening{l, native.NewServer(c)})
		}
		return err
	}
	defer func() {
		for _, d := range doors {
			_ = d.Close() // closed by its server already, unless something failed before
		}
	}()
	if err := open(cfg.BindIP, cfg.BindPort, everything); err != nil {
		return err
	}
	if cfg.RestrictedPort != 0 {
		if err := open(cfg.RestrictedIP, cfg.RestrictedPort, forStrangers); err != nil {
			return err
		}
	}
	return answer(ctx, doors, "glim daemon", xmr.Regtest, say)
}
