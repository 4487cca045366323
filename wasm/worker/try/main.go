// Command try runs the worker in Cloudflare's own runtime, in front of real daemons, and lives through what a gateway has to: wallets of
// glim and of the reference synchronise and send through it, a daemon lies, stalls and dies, the chain takes another way. scripts/worker
// builds what it runs. The figures at the end are printed, and nothing depends on them.
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
	if len(os.Args) != 2 {
		return errors.New("usage: try FOLDER, where the worker was built")
	}
	if _, err := peers.Find(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "glim-worker-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s := &story{ctx: ctx, dir: dir, build: os.Args[1]}
	defer s.end()
	if s.daemon, err = peers.StartDaemon(ctx, peers.Options{Dir: filepath.Join(dir, "daemon")}); err != nil {
		return err
	}
	for _, chapter := range []struct {
		name string
		f    func() error
	}{
		{"begin", s.begin}, {"glim synchronises", s.synchronise}, {"glim sends", s.send}, {"the reference's wallet", s.reference},
		{"an upstream lies", s.lie}, {"an upstream stalls", s.stall}, {"an upstream dies", s.die}, {"the chain takes another way", s.reorganise},
		{"figures", s.measure},
	} {
		begun := time.Now()
		err := chapter.f()
		fmt.Printf("worker: %s, %.0f s\n", chapter.name, time.Since(begun).Seconds())
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", chapter.name, err, s.reports.String())
		}
	}
	return nil
}
