// Command bench measures glim's wallet service beside monero-wallet-rpc, with the same seed on the same chain.
//
// The chain is made from fixed seeds, which takes seconds, and kept in the folder that GLIM_BENCH_DIR names (.work/bench). What is
// printed says which floors hold; a floor that the median misses makes the command fail.
//
// With -load it measures answers instead: to many clients at once while the chain is read, and of wallets that hold much.
// With -hostile it measures how much memory hostile input costs the commands, beside the bytes of that input.
// With -network it measures how fast daemons learn a chain from a peer. With -daemon it measures glim's daemon beside monerod, on a chain made for it; with -multisig what a key exchange and
// signing cost one signer of a multisig wallet.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"time"

	"glim/bindings/peers"
	"glim/core/crypto/edwards"
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
	transfers := flags.Int("transfers", 25, "how many transfers each service builds of a kind; less of those that take long")
	binary := flags.String("glim", "", "measure this glim command; empty builds it from the source here")
	chainOnly := flags.Bool("chain", false, "make the chain and stop there")
	var l load
	loaded := flags.Bool("load", false, "measure answers under load and of large wallets instead")
	flags.IntVar(&l.clients, "clients", 64, "with -load: how many ask at once")
	flags.DurationVar(&l.pause, "pause", 100*time.Millisecond, "with -load: how long each waits before it asks again")
	flags.DurationVar(&l.lasting, "lasting", 10*time.Second, "with -load: how long they do, each round")
	flags.IntVar(&l.addresses, "addresses", 2000, "with -load: how many addresses the wallets of both have; the reference takes minutes for some thousands")
	flags.IntVar(&l.aloneAddresses, "addresses-alone", 100_000, "with -load: how many the wallet has that glim alone holds")
	flags.IntVar(&l.transfers, "transfers-alone", 50_000, "with -load: how many transfers are in it")
	blocks := flags.Int("blocks", 1500, "with -load: how many blocks the chain has at least")
	payments := flags.Int("payments", 6000, "with -load: how many payments are on it at least")
	daemons := flags.Bool("daemon", false, "measure the daemons instead")
	learning := flags.Bool("network", false, "measure how fast the daemons learn a chain from a peer instead")
	together := flags.Bool("multisig", false, "measure the key exchange and signing of multisig wallets instead")
	duel := duel{crowd: 8, hashes: 20, empty: 50, out: out}
	hostile := flags.Bool("hostile", false, "measure how much memory hostile input costs instead")
	megabytes := flags.Int("size", 8, "with -hostile: the size of an input, MiB")
	matching := flags.String("inputs", "", "with -hostile: try only the inputs whose names match this expression")
	flags.DurationVar(&duel.lasting, "asking", time.Second, "with -daemon: how long each question is asked, each round")
	only := flags.String("questions", "", "with -daemon: measure only the questions whose names match this expression, and nothing besides")
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
	if *loaded {
		if l.clients < 1 || l.addresses < 100 || l.aloneAddresses < 100 || l.transfers < 10 || *blocks < 320 || *payments < 0 || l.lasting <= 0 || l.pause < 0 {
			return errors.New("-load needs clients, 100 addresses, 10 transfers, 320 blocks and some time")
		}
		if l.glim, err = buildGlim(ctx, *binary, filepath.Join(dir, "glim")); err != nil {
			return err
		}
		l.rounds, l.out = *rounds, out
		return startLoad(ctx, &l, dir, *blocks, *payments, *chainOnly)
	}
	if *together {
		if *binary, err = buildGlim(ctx, *binary, filepath.Join(dir, "glim")); err != nil {
			return err
		}
		s := setups{rounds: *rounds, glim: *binary, dir: filepath.Join(dir, "multisig"), out: out}
		if err := os.RemoveAll(s.dir); err != nil {
			return err
		}
		return s.run(ctx)
	}
	if *learning {
		if *binary, err = buildGlim(ctx, *binary, filepath.Join(dir, "glim")); err != nil {
			return err
		}
		v := voyage{rounds: *rounds, glim: *binary, dir: filepath.Join(dir, "network"), out: out}
		return v.run(ctx, fixtureSize{ripe: 200, splits: 60, bulk: 400})
	}
	if *hostile {
		if *megabytes < 1 {
			return errors.New("-size is 1 or more")
		}
		s := siege{dir: filepath.Join(dir, "hostile"), size: *megabytes << 20, most: hostileFactor, out: out}
		if s.only, err = regexp.Compile(*matching); err != nil {
			return fmt.Errorf("-inputs: %w", err)
		}
		if s.glim, err = buildGlim(ctx, *binary, filepath.Join(dir, "glim")); err != nil {
			return err
		}
		return startSiege(ctx, &s)
	}
	if *daemons {
		if *only != "" {
			if duel.only, err = regexp.Compile(*only); err != nil {
				return fmt.Errorf("-questions: %w", err)
			}
		}
		if *binary, err = buildGlim(ctx, *binary, filepath.Join(dir, "glim")); err != nil {
			return err
		}
		return startDuel(ctx, &duel, duelSize(*rounds), *binary, dir)
	}
	return startContest(ctx, standardRecipe, *binary, dir, *rounds, *transfers, *chainOnly, out)
}

// startContest has the services read the chain of r from a daemon of ours.
func startContest(ctx context.Context, r recipe, binary, dir string, rounds, transfers int, only bool, out io.Writer) error {
	made, err := forge(r, dir, out)
	if err != nil || only {
		return err
	}
	c := contest{dir: filepath.Join(dir, "wallets"), chain: made, rounds: rounds, transfers: transfers, out: out}
	if c.glim, err = versions(ctx, binary, dir); err != nil {
		return err
	}
	c.daemon, err = peers.StartDaemon(ctx, peers.Options{Dir: made.Dir, KeepChain: true, Command: []string{c.glim[0].path, "daemon"}})
	if err != nil {
		return err
	}
	defer func() { _ = c.daemon.Stop() }() // a daemon that has to be killed keeps its chain too
	return c.run(ctx)
}

// version is a command to measure.
type version struct{ name, folder, path string }

// portable is the version without vectors.
const portable = "portable"

// versions returns binary alone, or glim built into dir: first as it is, then as it is for lesser processors, as far as this one is better.
func versions(ctx context.Context, binary, dir string) (all []version, err error) {
	const edwardsWithout, keccakWithout = "-X glim/core/crypto/edwards.without=AVX512", "-X glim/core/crypto/keccak.without=AVX512"
	best := cmp.Or(edwards.Vectors(), portable)
	all = []version{{name: best, folder: "glim", path: binary}}
	options := [][]string{nil}
	if binary == "" && best != portable && best != "AVX2" {
		all, options = append(all, version{name: "AVX2", folder: "glim-avx2"}), append(options, []string{"-ldflags", edwardsWithout + " " + keccakWithout})
	}
	if binary == "" && best != portable {
		all, options = append(all, version{name: portable, folder: "glim-portable"}), append(options, []string{"-tags", "purego"})
	}
	for i := range all {
		if all[i].path, err = buildGlim(ctx, all[i].path, filepath.Join(dir, all[i].folder), options[i]...); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// buildGlim returns the path of the command to measure: binary, or what it builds at a path, with options for go build.
func buildGlim(ctx context.Context, binary, at string, options ...string) (string, error) {
	if binary == "" {
		binary = at
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return "", err
		}
		build := exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-o", at}, options, []string{"glim/bindings/glim"})...)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return "", fmt.Errorf("building glim: %w", err)
		}
	}
	return filepath.Abs(binary)
}
