// Command dropin drives glim and the reference with public clients of monero-wallet-rpc, as they are published, and compares
// what the clients make of the answers.
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

// timeLimit guards against hanging; a run takes about a minute.
const timeLimit = 10 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	err := run(ctx)
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

func run(ctx context.Context) (err error) {
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
	secret, _ := k.SpendSecret()
	words, err := mnemonic.Encode(secret, mnemonic.English())
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
	theirs := make(chan []line, 1)
	failed := make(chan error, 1)
	go func() {
		lines, err := drive(ctx, filepath.Join(dir, "theirs"), chain, nil, words)
		theirs <- lines
		failed <- err
	}()
	ours, err := drive(ctx, filepath.Join(dir, "ours"), chain, []string{glim, "wallet-rpc"}, words)
	want := <-theirs
	if err := errors.Join(err, <-failed); err != nil {
		return err
	}
	refused, err := compare(want, ours, intended)
	if err == nil {
		fmt.Printf("dropin: %d steps of published clients, %d of them refused, the same with glim and with the reference\n", len(want), refused)
	}
	return err
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

// drive runs the clients against one service, with a daemon that has a copy of the chain, and returns what they wrote.
func drive(ctx context.Context, dir, chain string, command []string, words string) (lines []line, err error) {
	if err := os.CopyFS(dir, os.DirFS(chain)); err != nil {
		return nil, err
	}
	d, err := peers.StartDaemon(ctx, peers.Options{Dir: dir, KeepChain: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Stop()) }()
	w, err := peers.StartWalletRPC(ctx, d, peers.Options{Dir: filepath.Join(dir, "service"), Command: command})
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Kill() }()
	// Whoever reads the chain first tells how much there was: that is to be the client.
	if err := w.JSON(ctx, "auto_refresh", map[string]any{"enable": false}, nil); err != nil {
		return nil, err
	}
	client := exec.CommandContext(ctx, "node", "client.js", w.URL, d.URL, words)
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

// compare reports where the clients could tell the two services apart, but for the steps of known, and how many were refused.
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

// intended are the steps at which glim differs on purpose.
var intended = map[string]string{
	"address book":                 paymentID,
	"edit the address book":        paymentID,
	"delete from the address book": paymentID,
}

const paymentID = "the published interface has a payment ID in each entry"
