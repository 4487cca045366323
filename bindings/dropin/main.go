// Command dropin drives glim and the reference with published clients of monero-wallet-rpc, unchanged, and compares the
// results that the clients return. With the argument lws, it drives the light-wallet server with a published client.
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
	"slices"
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
	play := run
	if slices.Equal(os.Args[1:], []string{"lws"}) {
		play = func(ctx context.Context, _ []string) error { return driveLightWallet(ctx) }
	}
	err := play(ctx, os.Args[1:])
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "dropin:", err)
		if !errors.Is(err, peers.ErrMissing) || os.Getenv("CI") != "" {
			os.Exit(1)
		}
	}
}

// line is the result of one step of a client.
type line struct {
	Step    string          `json:"step"`
	Answer  json.RawMessage `json:"answer,omitempty"`
	Refused json.RawMessage `json:"refused,omitempty"`
}

// parties are the programs that a client uses.
type parties struct {
	service, payer *peers.WalletRPC // the payer is only for clients that sell
	daemon         *peers.Daemon
	dir            string   // of the client
	walletCommand  []string // starts a wallet service, before its flags
	daemonCommand  []string // starts a daemon
	words          string   // of the funded wallet
}

// clients are the clients by name, with their command lines. For clients that do not make it themselves, the service
// has the wallet of words open, "main" with the password "pw".
var clients = map[string]struct {
	opened  bool // the wallet is open
	sells   bool // the payer has it open, and the service has an empty one
	command func(p parties) []string
}{
	"npm": {command: func(p parties) []string {
		commands, _ := json.Marshal([][]string{p.walletCommand, p.daemonCommand}) // strings always encode
		return []string{"node", "client.js", p.service.URL, p.daemon.URL, p.words, string(commands), p.dir}
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

// inGo returns the command line of a client of the module in clients. The environment variable CLIENTS has the path of
// its program.
func inGo(name string) func(p parties) []string {
	return func(p parties) []string { return []string{os.Getenv("CLIENTS"), name, p.service.URL, p.daemon.URL} }
}

// run runs the named clients one after another, each with glim and the reference at the same time.
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
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", glim,
		"glim/bindings/glim").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	for _, name := range names {
		if _, known := clients[name]; !known {
			return fmt.Errorf("unknown client: %s", name)
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
		fmt.Printf("dropin: %s: %d steps, %d of them errors, equal with glim and the reference, in %v\n",
			name, len(want), refused, time.Since(began).Round(time.Second))
	}
	return nil
}

// grow makes the initial chain: spendable and locked outputs for the wallet of k.
func grow(ctx context.Context, dir string, k *keys.Keys) (err error) {
	d, err := peers.StartDaemon(ctx, peers.Options{Dir: dir, KeepChain: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Stop()) }()
	of := func(k *keys.Keys) string {
		return address.Address{
			Network: xmr.Mainnet, Kind: address.Standard, Spend: k.SpendPublic, View: k.ViewPublic,
		}.String()
	}
	other, err := keys.FromSeed([32]byte{1})
	if err != nil {
		return err
	}
	for _, part := range []struct {
		n  int
		to string
	}{{20, of(other)}, {8, of(k)}, {62, of(other)}, {2, of(k)}} {
		if err := d.Mine(ctx, part.n, part.to); err != nil {
			return err
		}
	}
	return nil
}

// drive runs a client with one service, whose daemon has a copy of the chain, and returns its output.
func drive(ctx context.Context, name, dir, chain, glim string, command []string) (lines []line, err error) {
	if err := os.CopyFS(dir, os.DirFS(chain)); err != nil {
		return nil, err
	}
	p := parties{dir: dir, walletCommand: command, daemonCommand: []string{glim, "daemon"}}
	if len(command) == 0 {
		programs, err := peers.Find()
		if err != nil {
			return nil, err
		}
		p.walletCommand, p.daemonCommand = []string{programs.WalletRPC}, []string{programs.Daemon}
	}
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
		// The first refresh returns the number of new blocks, so the client must make it.
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
		// The merchant's programs rely on the service to refresh.
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

// seed returns the words of wallet number n; wallet 42 is funded.
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

// lineLimit limits the length of a line, in bytes.
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

// compare reports the steps, except for those of known, in which the results differ, and returns the number of errors.
func compare(want, got []line, known map[string]string) (refused int, err error) {
	if len(want) != len(got) {
		return 0, fmt.Errorf("%d steps with the reference, %d with glim", len(want), len(got))
	}
	var differences []error
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
			differences = append(differences, fmt.Errorf("%s: there is no longer a difference", w.Step))
		case !differs && !same(w, g):
			differences = append(differences,
				fmt.Errorf("%s:\n  the reference: %s%s\n  glim:          %s%s", w.Step, w.Answer, w.Refused, g.Answer,
					g.Refused))
		}
	}
	for step := range known {
		if !met[step] {
			differences = append(differences, fmt.Errorf("%s: no such step", step))
		}
	}
	return refused, errors.Join(differences...)
}

func same(w, g line) bool {
	return w.Step == g.Step && bytes.Equal(w.Answer, g.Answer) && bytes.Equal(w.Refused, g.Refused)
}

// intended lists the steps of each client in which glim differs on purpose, with the reason.
var intended = map[string]map[string]string{}
