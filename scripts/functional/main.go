//go:build unix

// Command functional runs the functional tests of a Monero release, unmodified, with glim as wallet service, as daemon
// and as both. The other programs are the reference's.
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
	"slices"
	"strings"
	"syscall"
	"time"

	"glim/bindings/peers"
)

func main() {
	var o options
	flag.StringVar(&o.modes, "modes", "wallet,daemon,both",
		"what glim is, a comma-separated list of wallet, daemon, both and reference, which is nothing")
	flag.StringVar(&o.only, "only", "", "run only these tests, comma-separated")
	flag.StringVar(&o.keep, "keep", "", "keep output, logs and chains in this folder, which must not exist")
	flag.StringVar(&o.python, "python", "python3", "the Python that runs the tests")
	flag.DurationVar(&o.limit, "limit", time.Hour, "stop a test after this time")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: functional [flags] SOURCE, a checkout of the tag v0.18.5.1 of Monero")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	o.source = flag.Arg(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	failed, err := run(ctx, o, os.Stdout)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "functional:", err)
		os.Exit(2)
	case failed > 0:
		os.Exit(1)
	}
}

type options struct {
	source, modes, only, keep, python string
	limit                             time.Duration
}

// leftOut are the tests that are not run, with the reason.
var leftOut = map[string]string{
	"rpc_payment": "it needs a program of the reference's build, make_test_signature, and glim has no payments for RPC",
}

// run runs the tests in each mode and prints the results to out. It returns the number of tests that failed.
func run(ctx context.Context, o options, out io.Writer) (failed int, err error) {
	python, err := findPython(ctx, o.python)
	if err != nil {
		return 0, err
	}
	reference, err := peers.Find()
	if err != nil {
		return 0, err
	}
	dir, remove, err := workFolder(o.keep)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	s, err := copySuite(o.source, filepath.Join(dir, "source"))
	if err != nil {
		return 0, err
	}
	s.python, s.limit, s.ports = python, o.limit, fixedPorts
	tests, err := selected(s.tests, o.only, out)
	if err != nil {
		return 0, err
	}
	glim := filepath.Join(dir, "glim")
	build := exec.CommandContext(ctx, "go", "build", "-o", glim, "glim/bindings/glim")
	if text, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build: %w\n%s", err, text)
	}
	var all []result
	for mode := range strings.SplitSeq(o.modes, ",") {
		p, err := programsOf(mode, reference, glim)
		if err != nil {
			return 0, err
		}
		for _, name := range tests {
			r, err := s.run(ctx, filepath.Join(dir, mode+"-"+name), name, p)
			if err != nil {
				return 0, err
			}
			r.mode = mode
			fmt.Fprintln(out, r.line())
			all = append(all, r)
		}
	}
	fmt.Fprintf(out, "\n%s", table(tests, strings.Split(o.modes, ","), all))
	for _, r := range all {
		if !r.passed {
			failed++
		}
	}
	return failed, nil
}

// selected returns the names of the tests to run, and prints which others are left out and why.
func selected(all []string, only string, out io.Writer) (tests []string, err error) {
	for _, name := range all {
		switch why, not := leftOut[name]; {
		case only != "" && !slices.Contains(strings.Split(only, ","), name):
		case not:
			fmt.Fprintf(out, "%s is left out: %s\n", name, why)
		default:
			tests = append(tests, name)
			if e, edited := edits[name]; edited {
				fmt.Fprintf(out, "%s is run without %s\n", name, e.without)
			}
		}
	}
	if len(tests) == 0 {
		return nil, fmt.Errorf("no test matches %q; there are %s", only, strings.Join(all, ", "))
	}
	return tests, nil
}

// programs are the commands that are run as monerod and monero-wallet-rpc.
type programs struct{ daemon, wallet []string }

// programsOf returns the programs for a mode: glim in the role that it names, and the reference in the other one.
func programsOf(mode string, reference peers.Programs, glim string) (programs, error) {
	p := programs{daemon: []string{reference.Daemon}, wallet: []string{reference.WalletRPC}}
	switch mode {
	case "reference":
		return p, nil
	case "wallet", "daemon", "both":
		if mode != "wallet" {
			p.daemon = []string{glim, "daemon"}
		}
		if mode != "daemon" {
			p.wallet = []string{glim, "wallet-rpc"}
		}
		return p, nil
	}
	return p, fmt.Errorf("-modes: %q; please give wallet, daemon, both or reference", mode)
}

// workFolder returns a folder for all files, and a function that removes it unless it is to be kept.
func workFolder(keep string) (dir string, remove func() error, err error) {
	if keep == "" {
		dir, err = os.MkdirTemp("", "glim-functional-")
		return dir, func() error { return os.RemoveAll(dir) }, err
	}
	if dir, err = filepath.Abs(keep); err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	return dir, func() error { return nil }, err
}

// table returns the results with a line for each test and a column for each mode.
func table(tests, modes []string, all []result) string {
	var b strings.Builder
	passed := map[string]int{}
	row := func(name string, cell func(mode string) string) {
		fmt.Fprintf(&b, "%-24s", name)
		for _, m := range modes {
			fmt.Fprintf(&b, " %10s", cell(m))
		}
		b.WriteByte('\n')
	}
	row("", func(mode string) string { return mode })
	for _, name := range tests {
		row(name, func(mode string) string {
			for _, r := range all {
				if r.name == name && r.mode == mode {
					if !r.passed {
						return "FAIL"
					}
					passed[mode]++
					return "pass"
				}
			}
			return ""
		})
	}
	row("passed", func(mode string) string { return fmt.Sprintf("%d of %d", passed[mode], len(tests)) })
	return b.String()
}
