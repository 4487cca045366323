//go:build unix

// Command monerots runs monero-ts's own tests of its RPC clients with glim and with the reference, and reports the
// tests that the reference passes and glim fails.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"glim/bindings/peers"
)

func main() {
	o := options{}
	flag.StringVar(&o.suites, "suites", "wallet,daemon", "the suites to run")
	flag.StringVar(&o.parties, "parties", "reference,glim", "the programs to run them with")
	flag.StringVar(&o.only, "only", "", "run only tests whose name matches this regular expression")
	flag.StringVar(&o.keep, "keep", "", "keep logs and results in this folder")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: monerots [flags] SOURCE, a checkout of github.com/woodser/monero-ts")
		os.Exit(2)
	}
	o.source = flag.Arg(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	missing, err := run(ctx, o, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "monero-ts:", err)
		os.Exit(2)
	}
	if missing > 0 {
		os.Exit(1)
	}
}

type options struct{ source, suites, parties, only, keep string }

// testLimit ends a test that waits for something that does not happen.
const testLimit = 10 * time.Minute

// retries is how often a failed test is repeated. Some tests depend on chance: one submits a block without searching
// for a nonce and expects that it is refused, and others expect notices within a time.
const retries = 1

// suites are the test classes by name. Each is run with both programs of one kind in a role, and with the reference in
// the other role.
var suites = map[string]string{"wallet": "TestMoneroWalletRpc", "daemon": "TestMoneroDaemonRpc"}

// run runs the suites and prints a report to out. It returns the number of tests that only the reference passes.
func run(ctx context.Context, o options, out io.Writer) (missing int, err error) {
	programs, err := peers.Find()
	if err != nil {
		return 0, err
	}
	work, err := filepath.Abs(filepath.Join(".work", "monero-ts"))
	if err != nil {
		return 0, err
	}
	if err := prepare(ctx, o.source, work); err != nil {
		return 0, err
	}
	dir := o.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "glim-monero-ts-"); err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return 0, err
	}
	glim := filepath.Join(dir, "glim")
	if err := command(ctx, ".", "go", "build", "-o", glim, "./bindings/glim"); err != nil {
		return 0, err
	}
	for name := range strings.SplitSeq(o.suites, ",") {
		if suites[name] == "" {
			return missing, fmt.Errorf("no suite is called %q", name)
		}
		results := map[string][]result{}
		for p := range strings.SplitSeq(o.parties, ",") {
			r := rig{
				dir: filepath.Join(dir, name+"-"+p), work: work, tests: suites[name], only: o.only,
				wallet: []string{programs.WalletRPC}, daemon: []string{programs.Daemon},
			}
			switch {
			case p == "reference":
			case p != "glim":
				return missing, fmt.Errorf("no party is called %q", p)
			case name == "wallet":
				r.wallet = []string{glim, "wallet-rpc"}
			default:
				r.daemon = []string{glim, "daemon"}
			}
			began := time.Now()
			if results[p], err = r.run(ctx); err != nil {
				return missing, fmt.Errorf("%s with %s: %w", name, p, err)
			}
			fmt.Fprintf(out, "monero-ts: %s with %s: %d of %d tests passed, in %v\n", name, p, passes(results[p]),
				len(results[p]), time.Since(began).Round(time.Second))
		}
		missing += report(out, name, results["reference"], results["glim"])
	}
	return missing, nil
}

// result is the result of a test.
type result struct {
	Test   string
	Passed bool
	Error  string
	Stack  string
}

func passes(all []result) (n int) {
	for _, r := range all {
		if r.Passed {
			n++
		}
	}
	return n
}

// report prints the tests that failed with glim, those that the reference passes first. It returns the number of those.
func report(out io.Writer, suite string, reference, glim []result) (missing int) {
	passed := map[string]bool{}
	for _, r := range reference {
		passed[r.Test] = r.Passed
	}
	seen := map[string]bool{}
	var both bytes.Buffer
	for _, r := range glim {
		seen[r.Test] = true
		first, _, _ := strings.Cut(r.Error, "\n")
		switch {
		case r.Passed:
		case len(reference) == 0:
			fmt.Fprintf(out, "%s: fails: %s: %s\n", suite, r.Test, first)
		case passed[r.Test]:
			missing++
			fmt.Fprintf(out, "%s: only the reference passes: %s: %s\n", suite, r.Test, first)
		default:
			fmt.Fprintf(&both, "%s: fails with both: %s: %s\n", suite, r.Test, first)
		}
	}
	for _, r := range reference {
		if r.Passed && !seen[r.Test] && len(glim) > 0 {
			missing++
			fmt.Fprintf(out, "%s: only the reference passes: %s: not run with glim\n", suite, r.Test)
		}
	}
	_, _ = both.WriteTo(out)
	return missing
}

// readResults reads the lines that suite.js writes.
func readResults(file string) (all []result, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		var r result
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// prepare copies the suite from source to work, installs the packages of its lock file and compiles it.
func prepare(ctx context.Context, source, work string) error {
	for _, name := range []string{"package.json", "package-lock.json", ".babelrc", "src", "dist/index.js"} {
		if _, err := os.Stat(filepath.Join(source, name)); err != nil {
			return fmt.Errorf("SOURCE is not a checkout of monero-ts: %w", err)
		}
	}
	lock, err := os.ReadFile(filepath.Join(source, "package-lock.json"))
	if err != nil {
		return err
	}
	installed, _ := os.ReadFile(filepath.Join(work, "installed")) // missing at first
	if !bytes.Equal(lock, installed) {
		if err := os.RemoveAll(work); err != nil {
			return err
		}
	}
	for _, name := range []string{"src", "dist"} {
		if err := os.RemoveAll(filepath.Join(work, name)); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(work, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"src", "dist"} {
		if err := os.CopyFS(filepath.Join(work, name), os.DirFS(filepath.Join(source, name))); err != nil {
			return err
		}
	}
	for _, name := range []string{"package.json", "package-lock.json", ".babelrc"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(work, name), text, 0o600); err != nil {
			return err
		}
	}
	if !bytes.Equal(lock, installed) {
		if err := command(ctx, work, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund",
			"--loglevel=error"); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(work, "installed"), lock, 0o600); err != nil {
			return err
		}
	}
	return command(ctx, work, filepath.Join("node_modules", ".bin", "babel"), "./src", "--extensions", ".js,.ts",
		"--out-dir", "./dist/src")
}

// command runs a program and returns its output with an error.
func command(ctx context.Context, dir, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, out)
	}
	return nil
}

// suiteConfig is the argument of suite.js.
type suiteConfig struct {
	Suite     string `json:"suite"`     // folder of the compiled suite
	Tests     string `json:"tests"`     // name of the test class
	Address   string `json:"address"`   // primary address of the suite's wallet
	Miner     string `json:"miner"`     // address for mining
	Daemon    string `json:"daemon"`    // URL
	Wallet    string `json:"wallet"`    // URL
	FirstPort int    `json:"firstPort"` // the services that the suite starts have the ports after this one
	Programs  string `json:"programs"`  // folder with monerod and monero-wallet-rpc
	Wallets   string `json:"wallets"`   // folder of wallets
	Results   string `json:"results"`
	Limit     int64  `json:"limit"`   // milliseconds
	Retries   int    `json:"retries"` // of tests that fail
	Only      string `json:"only,omitempty"`
}

// script runs node with suite.js, whose output goes to a file in the rig's folder.
func (r rig) script(ctx context.Context, c suiteConfig) error {
	c.Suite, c.Tests, c.Only = r.work, r.tests, r.only
	c.Limit, c.Retries = testLimit.Milliseconds(), retries
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(r.dir, "suite.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	program, err := filepath.Abs(filepath.Join("scripts", "monerots", "suite.js"))
	if err != nil {
		return err
	}
	node := exec.CommandContext(ctx, "node", program, string(text))
	node.Dir, node.Stdout, node.Stderr = r.dir, log, log
	node.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := node.Start(); err != nil {
		return err
	}
	group := -node.Process.Pid
	node.Cancel = func() error { return syscall.Kill(group, syscall.SIGKILL) }
	err = node.Wait()
	_ = syscall.Kill(group, syscall.SIGKILL) // services that the suite has left running
	return errors.Join(err, ctx.Err())
}
