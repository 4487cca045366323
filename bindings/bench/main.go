// Command bench compares the performance of glim's wallet service with monero-wallet-rpc, with the same seed on the
// same chain. Other flags select other measurements.
//
// The chain is made from fixed seeds, which takes seconds, and stored in the folder that GLIM_BENCH_DIR names
// (.work/bench). The output says which limits hold; the command fails if a median exceeds one.
//
// - -load measures response times: with many clients while the chain is read, and of large wallets.
// - -hostile measures how much memory hostile input costs the commands, relative to its size.
// - -network measures how fast daemons learn a chain from a peer.
// - -daemon compares glim's daemon with monerod, on a chain made for it.
// - -multisig measures what key exchange and signing cost one signer of a multisig wallet.
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

// errLimit reports that a limit is exceeded; the output says which.
var errLimit = errors.New("a limit is exceeded")

// settings are the values of the flags.
type settings struct {
	rounds, transfers int
	binary, dir       string
	chainOnly         bool
	loaded            bool
	load              load
	blocks, payments  int
	daemons           bool
	daemonRun         daemonRun
	requests          string
	network, multisig bool
	hostile           bool
	megabytes         int
	inputs            string
	out               io.Writer
}

// parse reads the flags.
func (s *settings) parse(args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&s.rounds, "rounds", 5, "how often each service restores and refreshes")
	flags.IntVar(&s.transfers, "transfers", 25,
		"how many transfers of each kind each service makes; fewer of slow ones")
	flags.StringVar(&s.binary, "glim", "", "measure this glim command; if empty, build it from this source")
	flags.BoolVar(&s.chainOnly, "chain", false, "make the chain and stop")
	flags.BoolVar(&s.loaded, "load", false, "measure response times under load and of large wallets")
	flags.IntVar(&s.load.clients, "clients", 64, "with -load: number of concurrent clients")
	flags.DurationVar(&s.load.pause, "pause", 100*time.Millisecond, "with -load: pause of each client between requests")
	flags.DurationVar(&s.load.lasting, "lasting", 10*time.Second,
		"with -load: how long the clients send requests, each round")
	flags.IntVar(&s.load.addresses, "addresses", 2000,
		"with -load: number of addresses of both wallets; the reference needs minutes for some thousands")
	flags.IntVar(&s.load.aloneAddresses, "addresses-alone", 100_000,
		"with -load: number of addresses of the wallet that only glim holds")
	flags.IntVar(&s.load.transfers, "transfers-alone", 50_000, "with -load: number of transfers of that wallet")
	flags.IntVar(&s.blocks, "blocks", 1500, "with -load: minimum number of blocks on the chain")
	flags.IntVar(&s.payments, "payments", 6000, "with -load: minimum number of payments on the chain")
	flags.BoolVar(&s.daemons, "daemon", false, "measure the daemons")
	flags.DurationVar(&s.daemonRun.lasting, "asking", time.Second,
		"with -daemon: how long each request is repeated, each round")
	flags.StringVar(&s.requests, "questions", "",
		"with -daemon: measure only the requests whose names match this expression, and nothing else")
	flags.BoolVar(&s.network, "network", false, "measure how fast the daemons learn a chain from a peer")
	flags.BoolVar(&s.multisig, "multisig", false, "measure key exchange and signing of multisig wallets")
	flags.BoolVar(&s.hostile, "hostile", false, "measure how much memory hostile input costs")
	flags.IntVar(&s.megabytes, "size", 8, "with -hostile: the size of an input, MiB")
	flags.StringVar(&s.inputs, "inputs", "", "with -hostile: try only the inputs whose names match this expression")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.rounds < 1 || s.transfers < 1 {
		return errors.New("at least one round and one transfer")
	}
	s.dir = os.Getenv("GLIM_BENCH_DIR")
	if s.dir == "" {
		s.dir = filepath.Join(".work", "bench")
	}
	var err error
	s.dir, err = filepath.Abs(s.dir)
	return err
}

func run(ctx context.Context, args []string, out io.Writer) error {
	s := settings{out: out, daemonRun: daemonRun{crowd: 8, hashes: 20, empty: 50, out: out}}
	if err := s.parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !s.loaded && !s.daemons && !s.network && !s.multisig && !s.hostile {
		return measureWallets(ctx, standardRecipe, s.binary, s.dir, s.rounds, s.transfers, s.chainOnly, out)
	}
	if err := s.check(); err != nil {
		return err
	}
	var err error
	if s.binary, err = buildGlim(ctx, s.binary, filepath.Join(s.dir, "glim")); err != nil {
		return err
	}
	switch {
	case s.loaded:
		s.load.glim, s.load.rounds, s.load.out = s.binary, s.rounds, out
		return startLoad(ctx, &s.load, s.dir, s.blocks, s.payments, s.chainOnly)
	case s.multisig:
		m := setups{rounds: s.rounds, glim: s.binary, dir: filepath.Join(s.dir, "multisig"), out: out}
		if err := os.RemoveAll(m.dir); err != nil {
			return err
		}
		return m.run(ctx)
	case s.network:
		n := networkRun{rounds: s.rounds, glim: s.binary, dir: filepath.Join(s.dir, "network"), out: out}
		return n.run(ctx, fixtureSize{mature: 200, splits: 60, bulk: 400})
	case s.hostile:
		h := hostileRun{
			glim: s.binary, dir: filepath.Join(s.dir, "hostile"), size: s.megabytes << 20, most: hostileFactor,
			out: out,
		}
		if h.only, err = regexp.Compile(s.inputs); err != nil {
			return fmt.Errorf("-inputs: %w", err)
		}
		return measureHostile(ctx, &h)
	}
	if s.requests != "" {
		if s.daemonRun.only, err = regexp.Compile(s.requests); err != nil {
			return fmt.Errorf("-questions: %w", err)
		}
	}
	return measureDaemons(ctx, &s.daemonRun, daemonChainSize(s.rounds), s.binary, s.dir)
}

// check reports values that make no sense for the selected measurement.
func (s *settings) check() error {
	l := &s.load
	few := l.clients < 1 || l.addresses < 100 || l.aloneAddresses < 100 || l.transfers < 10
	if s.loaded && (few || s.blocks < 320 || s.payments < 0 || l.lasting <= 0 || l.pause < 0) {
		return errors.New("-load needs clients, 100 addresses, 10 transfers, 320 blocks and some time")
	}
	if s.hostile && s.megabytes < 1 {
		return errors.New("-size is 1 or more")
	}
	return nil
}

// measureWallets compares wallet services that read the chain of r from a daemon of ours.
func measureWallets(ctx context.Context, r recipe, binary, dir string, rounds, transfers int, only bool,
	out io.Writer) error {
	made, err := forge(r, dir, out)
	if err != nil || only {
		return err
	}
	c := walletRun{dir: filepath.Join(dir, "wallets"), chain: made, rounds: rounds, transfers: transfers, out: out}
	if c.glim, err = versions(ctx, binary, dir); err != nil {
		return err
	}
	c.daemon, err = peers.StartDaemon(ctx, peers.Options{
		Dir: made.Dir, KeepChain: true, Command: []string{c.glim[0].path, "daemon"},
	})
	if err != nil {
		return err
	}
	defer func() { _ = c.daemon.Stop() }() // a daemon that must be killed keeps its chain, too
	return c.run(ctx)
}

// version is a command to measure.
type version struct{ name, folder, path string }

// portable is the version without vector instructions.
const portable = "portable"

// versions returns binary alone, or glim built in dir: first the usual version, then those for processors with fewer
// vector instructions than this one.
func versions(ctx context.Context, binary, dir string) (all []version, err error) {
	const edwardsWithout, keccakWithout = "-X glim/core/crypto/edwards.without=AVX512",
		"-X glim/core/crypto/keccak.without=AVX512"
	best := cmp.Or(edwards.Vectors(), portable)
	all = []version{{name: best, folder: "glim", path: binary}}
	options := [][]string{nil}
	if binary == "" && best != portable && best != "AVX2" {
		all, options = append(all, version{name: "AVX2", folder: "glim-avx2"}),
			append(options, []string{"-ldflags", edwardsWithout + " " + keccakWithout})
	}
	if binary == "" && best != portable {
		all, options = append(all, version{name: portable, folder: "glim-portable"}),
			append(options, []string{"-tags", "purego"})
	}
	for i := range all {
		if all[i].path, err = buildGlim(ctx, all[i].path, filepath.Join(dir, all[i].folder),
			options[i]...); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// buildGlim returns the path of the command to measure: binary or, if that is empty, a command that it builds at the
// path at with options for go build.
func buildGlim(ctx context.Context, binary, at string, options ...string) (string, error) {
	if binary == "" {
		binary = at
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return "", err
		}
		cmd := exec.CommandContext(ctx, "go",
			slices.Concat([]string{"build", "-o", at}, options, []string{"glim/bindings/glim"})...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("building glim: %w", err)
		}
	}
	return filepath.Abs(binary)
}
