// Command soak runs many clients against one wallet service for a long time, on a chain that grows and is reorganised,
// and then checks that nothing was lost.
//
// The private chain is in this process. The service is glim wallet-rpc in another process, whose memory is printed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	s := &soak{out: out, state: newState()}
	flags.IntVar(&s.clients, "clients", 64, "number of concurrent clients")
	flags.IntVar(&s.wallets, "wallets", 8, "number of wallets that they share")
	flags.DurationVar(&s.lasting, "lasting", time.Hour, "duration of the run")
	flags.DurationVar(&s.pause, "pause", 2*time.Second, "mean pause of a client between requests")
	flags.DurationVar(&s.block, "block", 4*time.Second,
		"mean time between blocks; every sixth time a reorganisation follows")
	flags.DurationVar(&s.every, "report", time.Minute, "interval of the memory reports")
	flags.StringVar(&s.glim, "glim", "", "use this glim command; if empty, build it from this source")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if s.wallets < 2 || s.clients < s.wallets || s.lasting <= 0 || s.pause <= 0 || s.block <= 0 || s.every <= 0 {
		return errors.New("need at least two wallets, as many clients, and durations above 0")
	}
	dir, err := os.MkdirTemp("", "glim-soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s.dir = dir
	if s.glim == "" {
		s.glim = filepath.Join(dir, "glim")
		cmd := exec.CommandContext(ctx, "go", "build", "-o", s.glim, "glim/bindings/glim")
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("building glim: %w", err)
		}
	}
	return s.run(ctx)
}
