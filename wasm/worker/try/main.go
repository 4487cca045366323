// Command try runs the worker in Cloudflare's own runtime, in front of real daemons, and tests a gateway's duties:
// wallets of glim and of the reference sync and send through it, while a daemon forges responses, stalls and fails, and
// the chain is reorganised. scripts/worker builds the worker. With --all it runs all tests and prints measurements;
// otherwise it runs only the regular tests.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"glim/bindings/peers"
)

// timeLimit guards against hanging; a run takes about a minute.
const timeLimit = 10 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	err := run(ctx)
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		if !errors.Is(err, peers.ErrMissing) || os.Getenv("CI") != "" {
			os.Exit(1)
		}
	}
}

func run(ctx context.Context) (err error) {
	all := len(os.Args) == 3 && os.Args[2] == "--all"
	if len(os.Args) < 2 || len(os.Args) > 3 || len(os.Args) == 3 && !all && os.Args[2] != "" {
		return errors.New("usage: try FOLDER [--all], where the worker was built")
	}
	if _, err := peers.Find(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "glim-worker-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s := &story{ctx: ctx, dir: dir, build: os.Args[1], all: all}
	defer s.end()
	if s.daemon, err = peers.StartDaemon(ctx, peers.Options{Dir: filepath.Join(dir, "daemon")}); err != nil {
		return err
	}
	for _, chapter := range []struct {
		name string
		long bool // not one of the regular tests
		f    func() error
	}{
		{"begin", false, s.begin},
		{"the document's check", false, s.check},
		{"glim syncs while an upstream sends invalid data", false, s.synchronise},
		{"glim sends", false, s.send},
		{"the reference's wallet", true, s.reference},
		{"an upstream sends invalid data", true, s.forge},
		{"an upstream stalls", true, s.stall},
		{"an upstream dies", true, s.die},
		{"the chain is reorganised", true, s.reorganise},
		{"measurements", true, s.measure},
		{"budget", false, s.budget}, {"another place, and too many requests", false, s.elsewhere},
	} {
		if chapter.long && !all {
			continue
		}
		begun := time.Now()
		err := chapter.f()
		fmt.Printf("worker: %s, %.0f s\n", chapter.name, time.Since(begun).Seconds())
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", chapter.name, err, s.reports.String())
		}
	}
	return nil
}
