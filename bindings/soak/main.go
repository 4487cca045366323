// Command soak lets many clients live with one wallet service for a long time, on a chain that grows and is reorganised, and then
// counts: nothing may be lost.
//
// The chain is a private one of this process; the service is glim wallet-rpc in a process of its own, whose memory is printed.
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
	flags.IntVar(&s.clients, "clients", 64, "how many clients ask at once")
	flags.IntVar(&s.wallets, "wallets", 8, "how many wallets they share")
	flags.DurationVar(&s.lasting, "lasting", time.Hour, "how long")
	flags.DurationVar(&s.pause, "pause", 2*time.Second, "how long a client waits between two questions")
	flags.DurationVar(&s.block, "block", 4*time.Second, "how long it takes to the next block; every sixth time it is a reorganisation")
	flags.DurationVar(&s.every, "report", time.Minute, "how often memory is printed")
	flags.StringVar(&s.glim, "glim", "", "use this glim command; empty builds it from the source here")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if s.wallets < 2 || s.clients < s.wallets || s.lasting <= 0 || s.pause <= 0 || s.block <= 0 || s.every <= 0 {
		return errors.New("two wallets, as many clients, and times above 0")
	}
	dir, err := os.MkdirTemp("", "glim-soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s.dir = dir
	if s.glim == "" {
		s.glim = filepath.Join(dir, "glim")
		build := exec.CommandContext(ctx, "go", "build", "-o", s.glim, "glim/bindings/glim")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building glim: %w", err)
		}
	}
	return s.run(ctx)
}
