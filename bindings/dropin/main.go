// Command dropin drives glim and the reference with public clients of monero-wallet-rpc, as they are published, and
// compares what the clients make of the answers.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/xmr"
)

// timeLimit guards against hanging; a client takes half a minute to a minute.
const timeLimit = 20 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	err := run(ctx, os.Args[1:])
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "dropin:", err)
		if !errors.Is(err, peers.ErrMissing) || os.Getenv("CI") != "" {
			os.Exit(1)
		}
	}
}

// line is what the clients made of one answer.
type line struct {
	Step    string          `json:"step"`
	Answer  json.RawMessage `json:"answer,omitempty"`
	Refused json.RawMessage `json:"refused,omitempty"`
}

// parties are what a client is driven with.
type parties struct {
	service, payer *peers.WalletRPC // the payer is for those that sell
	daemon         *peers.Daemon
	dir            string // the client's own
	words          string // of the wallet that has money
}

// clients are the programs that can be named, with their command lines. The service has the wallet of words open,
// "main" under the password "pw", for those that do not make it themselves.
var clients = map[string]struct {
	opened  bool // the wallet is open
	sells   bool // the payer has it open, and the service an empty one
	command func(p parties) []string
}{
	"npm": {command: func(p parties) []string {
		return []string{"node", "client.js", p.service.URL, p.daemon.URL, p.words}
	}},
	"monero-python": {opened: true, command: func(p parties) []string {
		return []string{"python3", "client.py", p.service.URL, p.daemon.URL}
	}},
	"go-monero":            {opened: true, command: inGo("go-monero")},
	"go-monero-rpc-client": {opened: true, command: inGo("go-monero-rpc-client")},
	"moneropay": {sells: true, command: func(p parties) []string {
		return append(inGo("moneropay")(p), p.payer.URL, os.Getenv("MONEROPAY"), p.dir)
	}},
}

// inGo returns the command line of a client of the module in clients, which the variable CLIENTS names when it is
// built.
func inGo(name string) func(p parties) []string {
	return func(p parties) []string { return []string{os.Getenv("CLIENTS"), name, p.service.URL, p.daemon.URL} }
}

// run drives the clients that names lists, one after the other, glim and the reference at once.
func run(ctx context.Context, names []string) (err error) {
	if _, err := peers.Find(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "glim-dropin-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	k, err := keys.FromSeed([32]byte{42, 4, 2})
	if err != nil {
		return err
	}
	chain := filepath.Join(dir, "chain")
	if err := grow(ctx, chain, k); err != nil {
		return err
	}
	glim := filepath.Join(dir, "glim")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", glim, "glim/bindings/glim").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	for _, name := range names {
		if _, known := clients[name]; !known {
			return fmt.Errorf("no client is called %s", name)
		}
		began := time.Now()
		theirs := make(chan []line, 1)
		failed := make(chan error, 1)
		go func() {
			lines, err := drive(ctx, name, filepath.Join(dir, name, "theirs"), chain, glim, nil)
			theirs <- lines
			failed <- err
		}()
		ours, err := drive(ctx, name, filepath.Join(dir, name, "ours"), chain, glim, []string{glim, "wallet-rpc"})
		want := <-theirs
		if err := errors.Join(err, <-failed); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		refused, err := compare(want, ours, intended[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Printf("dropin: %s: %d steps, %d of them refused, the same with glim and with the reference, in %v\n",
			name, len(want), refused, time.Since(began).Round(time.Second))
	}
	return nil
}

// grow makes the chain both sides begin with: money for the wallet of k that can be spent, and some that cannot yet.
func grow(ctx context.Context, dir string, k *keys.Keys) (err error) {
	d, err := peers.StartDaemon(ctx, peers.Options{Dir: dir, KeepChain: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Stop()) }()
	of := func(k *keys.Keys) string {
		return address.Address{Network: xmr.Mainnet, Kind: address.Standard, Spend: k.SpendPublic, View: k.ViewPublic}.String()
	}
	nobody, err := keys.FromSeed([32]byte{1})
	if err != nil {
		return err
	}
	for _, part := range []struct {
		n  int
		to string
	}{{20, of(nobody)}, {8, of(k)}, {62, of(nobody)}, {2, of(k)}} {
		if err := d.Mine(ctx, part.n, part.to); err != nil {
			return err
		}
	}
	return nil
}

// drive runs a client against one service, with a daemon that has a copy of the chain, and returns what it wrote.
func drive(ctx context.Context, name, dir, chain, glim string, command []string) (lines []line, err error) {
	if err := os.CopyFS(dir, os.DirFS(chain)); err != nil {
		return nil, err
	}
	p := parties{dir: dir}
	if p.words, err = seed(42); err != nil {
		return nil, err
	}
	if p.daemon, err = peers.StartDaemon(ctx, peers.Options{Dir: dir, KeepChain: true}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.daemon.Stop()) }()
	serve := func(dir string, command []string) (*peers.WalletRPC, error) {
		w, err := peers.StartWalletRPC(ctx, p.daemon, peers.Options{Dir: dir, Command: command})
		if err != nil {
			return nil, err
		}
		// Whoever reads the chain first tells how much there was: that is to be the client.
		return w, w.JSON(ctx, "auto_refresh", map[string]any{"enable": false}, nil)
	}
	if p.service, err = serve(filepath.Join(dir, "service"), command); err != nil {
		return nil, err
	}
	defer func() { _ = p.service.Kill() }()
	c := clients[name]
	if c.opened {
		if err := restore(ctx, p.service, p.words); err != nil {
			return nil, err
		}
	}
	if c.sells {
		if p.payer, err = serve(filepath.Join(dir, "payer"), []string{glim, "wallet-rpc"}); err != nil {
			return nil, err
		}
		defer func() { _ = p.payer.Kill() }()
		merchant, err := seed(43)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(restore(ctx, p.payer, p.words), restore(ctx, p.service, merchant)); err != nil {
			return nil, err
		}
		// The merchant's programs leave reading the chain to the service.
		if err := p.service.JSON(ctx, "auto_refresh", map[string]any{"enable": true, "period": 1}, nil); err != nil {
			return nil, err
		}
	}
	words := c.command(p)
	client := exec.CommandContext(ctx, words[0], words[1:]...)
	client.Dir = filepath.Join("bindings", "dropin")
	client.Stderr = os.Stderr
	out, err := client.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := client.Start(); err != nil {
		return nil, err
	}
	lines, err = read(out, len(command) > 0 && os.Getenv("DROPIN_VERBOSE") != "")
	return lines, errors.Join(err, client.Wait())
}

// seed returns the words of a wallet known by a number; that of 42 has money.
func seed(n byte) (string, error) {
	k, err := keys.FromSeed([32]byte{n, 4, 2})
	if err != nil {
		return "", err
	}
	secret, _ := k.SpendSecret()
	return mnemonic.Encode(secret, mnemonic.English())
}

func restore(ctx context.Context, w *peers.WalletRPC, words string) error {
	return w.JSON(ctx, "restore_deterministic_wallet",
		map[string]any{"filename": "main", "password": "pw", "seed": words, "restore_height": 0}, nil)
}

// lineLimit bounds a line, in bytes.
const lineLimit = 16 << 20

func read(r io.Reader, show bool) (lines []line, err error) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, lineLimit)
	for s.Scan() {
		if show {
			fmt.Println(s.Text())
		}
		var l line
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			return lines, err
		}
		lines = append(lines, l)
	}
	return lines, s.Err()
}

// compare reports where the clients could tell the two services apart, but for the steps of known, and how many were
// refused.
func compare(want, got []line, known map[string]string) (refused int, err error) {
	if len(want) != len(got) {
		return 0, fmt.Errorf("%d steps with the reference, %d with glim", len(want), len(got))
	}
	var apart []error
	met := map[string]bool{}
	for i, w := range want {
		g := got[i]
		if w.Refused != nil {
			refused++
		}
		_, differs := known[w.Step]
		met[w.Step] = true
		switch {
		case differs && same(w, g):
			apart = append(apart, fmt.Errorf("%s: no difference any more", w.Step))
		case !differs && !same(w, g):
			apart = append(apart, fmt.Errorf("%s:\n  the reference: %s%s\n  glim:          %s%s", w.Step, w.Answer, w.Refused, g.Answer, g.Refused))
		}
	}
	for step := range known {
		if !met[step] {
			apart = append(apart, fmt.Errorf("%s: no such step", step))
		}
	}
	return refused, errors.Join(apart...)
}

func same(w, g line) bool {
	return w.Step == g.Step && bytes.Equal(w.Answer, g.Answer) && bytes.Equal(w.Refused, g.Refused)
}

// intended are the steps of each client at which glim differs on purpose.
var intended = map[string]map[string]string{
	"npm": {
		"address book":                 paymentID,
		"edit the address book":        paymentID,
		"delete from the address book": paymentID,
	},
}

const paymentID = "the published interface has a payment ID in each entry"
