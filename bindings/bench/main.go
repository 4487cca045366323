// Command bench measures glim's wallet service beside monero-wallet-rpc, with the same seed on the same chain.
//
// The chain is made once, from fixed seeds, and kept in the folder that GLIM_BENCH_DIR names (.work/bench). What is
// printed says which floors hold; a floor that the median misses makes the command fail.
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

	"glim/bindings/peers"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// errFloor reports that a floor does not hold; the output says which.
var errFloor = errors.New("a floor is missed")

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	rounds := flags.Int("rounds", 5, "how often each service restores and refreshes")
	transfers := flags.Int("transfers", 25, "how many transfers each service builds")
	binary := flags.String("glim", "", "measure this glim command; empty builds it from the source here")
	only := flags.Bool("chain", false, "make the chain and stop there")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if *rounds < 1 || *transfers < 1 {
		return errors.New("at least one round and one transfer")
	}
	dir := os.Getenv("GLIM_BENCH_DIR")
	if dir == "" {
		dir = filepath.Join(".work", "bench")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	d, err := peers.StartDaemon(ctx, peers.Options{Dir: dir, KeepChain: true})
	if err != nil {
		return err
	}
	defer func() { _ = d.Stop() }() // a daemon that has to be killed keeps its chain too
	made, err := makeChain(ctx, d, dir, out)
	if err != nil || *only {
		return err
	}
	if *binary == "" {
		*binary = filepath.Join(dir, "glim")
		build := exec.CommandContext(ctx, "go", "build", "-o", *binary, "glim/bindings/glim")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building glim: %w", err)
		}
	}
	if *binary, err = filepath.Abs(*binary); err != nil {
		return err
	}
	c := contest{daemon: d, dir: filepath.Join(dir, "wallets"), glim: *binary, chain: made, rounds: *rounds, transfers: *transfers, out: out}
	if err := os.RemoveAll(c.dir); err != nil {
		return err
	}
	return c.run(ctx)
}
