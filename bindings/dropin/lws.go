package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"glim/bindings/internal/phone"
	"glim/bindings/lws"
	"glim/bindings/wallet/regtest"
	"glim/core/keys"
	"glim/core/xmr"
)

// lightWallet is a wallet that reaches a light-wallet server through a published client.
type lightWallet struct {
	phone.Wallet
	ctx   context.Context
	calls *json.Encoder
	lines *bufio.Scanner
	url   string
	steps int
}

// call calls a method of the client. refused is the message of its error.
func (w *lightWallet) call(method string, args []any, answer any) (refused string, err error) {
	w.steps++
	if err := w.calls.Encode(map[string]any{"method": method, "args": args}); err != nil {
		return "", err
	}
	if !w.lines.Scan() {
		return "", errors.Join(w.lines.Err(), w.ctx.Err(), errors.New("the client ended"))
	}
	var out struct {
		Answer  json.RawMessage `json:"answer"`
		Refused string          `json:"refused"`
	}
	if err := json.Unmarshal(w.lines.Bytes(), &out); err != nil {
		return "", err
	}
	if out.Refused != "" || answer == nil {
		return out.Refused, nil
	}
	return "", json.Unmarshal(out.Answer, answer)
}

// ask calls a method with the account's keys, which must succeed.
func (w *lightWallet) ask(method string, answer any, more ...any) error {
	view := w.Keys.ViewSecret()
	args := append([]any{fmt.Sprintf("%x", view[:]), w.Address(keys.Index{}).String()}, more...)
	refused, err := w.call(method, args, answer)
	if err == nil && refused != "" {
		err = fmt.Errorf("%s: %s", method, refused)
	}
	return err
}

// account is what the client returns about an account.
type account struct {
	Received string        `json:"total_received"`
	Sent     string        `json:"total_sent"`
	Scanned  uint64        `json:"scanned_block_height"`
	Spends   []phone.Spend `json:"spent_outputs"`
}

// until asks for the account until it satisfies ok.
func (w *lightWallet) until(what string, ok func(account) bool) (a account, err error) {
	for {
		a = account{}
		if err := w.ask("getAddressInfo", &a); err != nil {
			return a, err
		}
		if ok(a) {
			return a, nil
		}
		select {
		case <-w.ctx.Done():
			return a, fmt.Errorf("%s: %w", what, w.ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// payCoinbase pays from a reward, which the client does not ask for, because it has no decoys.
func (w *lightWallet) payCoinbase(to phone.Wallet, amount uint64) error {
	post := func(path string, fields map[string]any) (body []byte, err error) {
		text, err := json.Marshal(fields)
		if err != nil {
			return nil, err
		}
		r, err := http.NewRequestWithContext(w.ctx, http.MethodPost, w.url+path, bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		return io.ReadAll(resp.Body)
	}
	view := w.Keys.ViewSecret()
	unspent, err := post("/get_unspent_outs", map[string]any{
		"address": w.Address(keys.Index{}).String(), "view_key": fmt.Sprintf("%x", view[:]), "amount": "0",
	})
	if err != nil {
		return err
	}
	random, err := post("/get_random_outs", map[string]any{"count": 20, "amounts": []string{"0"}})
	if err != nil {
		return err
	}
	blob, err := w.Pay(unspent, random, to.Address(keys.Index{}), amount)
	if err != nil {
		return err
	}
	_, err = post("/submit_raw_tx", map[string]any{"tx": fmt.Sprintf("%x", blob)})
	return err
}

// pay pays with a transaction made from the client's answers.
func (w *lightWallet) pay(to phone.Wallet, amount uint64) error {
	var unspent, random, sent json.RawMessage
	if err := w.ask("unspentOutputs", &unspent); err != nil {
		return err
	}
	if _, err := w.call("randomOutputs", []any{3}, &random); err != nil {
		return err
	}
	blob, err := w.Pay(unspent, random, to.Address(keys.Index{}), amount)
	if err != nil {
		return err
	}
	refused, err := w.call("submitRawTx", []any{fmt.Sprintf("%x", blob)}, &sent)
	if err == nil && (refused != "" || string(sent) != `{"status":"OK"}`) {
		err = fmt.Errorf("submitRawTx: %s%s", sent, refused)
	}
	return err
}

// driveLightWallet serves a private chain with the light-wallet server and drives it with a published client.
func driveLightWallet(ctx context.Context) (err error) {
	began := time.Now()
	dir, err := os.MkdirTemp("", "glim-dropin-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	chain, err := regtest.New()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, chain.Close()) }()
	if err := chain.Mine(ctx, 1, ""); err != nil {
		return err
	}
	service, err := lws.Open(lws.Config{
		Network: xmr.Regtest, Folder: filepath.Join(dir, "lws"), Daemon: chain, Poll: 20 * time.Millisecond,
		AcceptCreation: true, Random: rand.Reader, Version: "dropin",
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	running, stop := context.WithCancel(ctx)
	ran := make(chan struct{})
	go func() { defer close(ran); service.Run(running) }()
	defer func() { stop(); <-ran }()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := service.Server("")
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() { err = errors.Join(err, server.Shutdown(context.Background()), <-served) }()

	url := "http://" + listener.Addr().String()
	client := exec.CommandContext(ctx, "node", "lws.js", url)
	client.Dir, client.Stderr = filepath.Join("bindings", "dropin"), os.Stderr
	in, err := client.StdinPipe()
	if err != nil {
		return err
	}
	out, err := client.StdoutPipe()
	if err != nil {
		return err
	}
	if err := client.Start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close(), client.Wait()) }()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, lineLimit)
	alice := &lightWallet{ctx: ctx, calls: json.NewEncoder(in), lines: lines, url: url}
	if err := alice.play(chain); err != nil {
		return fmt.Errorf("@mymonero/mymonero-lws-client: %w", err)
	}
	fmt.Printf("dropin: @mymonero/mymonero-lws-client: %d calls of glim lws, in %v\n", alice.steps,
		time.Since(began).Round(time.Second))
	return nil
}

// play receives, pays, and recognises what was spent, with a miner whose account another client of the server uses.
func (w *lightWallet) play(chain *regtest.Chain) error {
	k, errK := keys.FromSeed([32]byte{1})
	m, errM := keys.FromSeed([32]byte{2})
	if err := errors.Join(errK, errM); err != nil {
		return err
	}
	w.Keys = k
	miner := *w
	miner.Keys = m
	if err := w.refusals(m); err != nil {
		return err
	}
	for _, one := range []*lightWallet{&miner, w} {
		var made struct {
			New bool `json:"isNewAddress"`
		}
		for !made.New { // before the first block is read, the server answers 503
			view := one.Keys.ViewSecret()
			login := []any{fmt.Sprintf("%x", view[:]), one.Address(keys.Index{}).String(), true}
			refused, err := one.call("login", login, &made)
			if err := errors.Join(err, w.ctx.Err()); err != nil {
				return err
			}
			if refused != "" {
				time.Sleep(20 * time.Millisecond)
			}
		}
		var again struct {
			New   bool    `json:"isNewAddress"`
			Start *uint64 `json:"startHeight"`
		}
		if err := one.ask("login", &again, false); err != nil {
			return err
		}
		if again.New || again.Start == nil || *again.Start < 1 {
			return fmt.Errorf("a second login: %+v", again)
		}
	}

	// The client asks for outputs of transactions with decoys only, so the rewards go to a miner, who pays.
	if err := chain.Fund(w.ctx, 40, miner.Address(keys.Index{}).String()); err != nil {
		return err
	}
	atTop := func(a account) bool { return a.Scanned == chain.Height()-1 }
	if _, err := miner.until("the rewards", atTop); err != nil {
		return err
	}
	if err := miner.payCoinbase(w.Wallet, 3_000_000_000_000); err != nil {
		return err
	}
	if err := chain.Mine(w.ctx, regtest.Confirmations+1, ""); err != nil {
		return err
	}
	paid := func(a account) bool { return a.Received == "3000000000000" && atTop(a) }
	if _, err := w.until("the payment", paid); err != nil {
		return err
	}
	if err := w.pay(miner.Wallet, 1_000_000_000_000); err != nil {
		return err
	}
	if err := chain.Mine(w.ctx, 1, ""); err != nil {
		return err
	}
	a, err := w.until("the spend", func(a account) bool { return a.Received != "3000000000000" && atTop(a) })
	if err != nil {
		return err
	}
	var failed error
	if !slices.ContainsFunc(a.Spends, func(s phone.Spend) bool {
		spent, err := w.Spent(s)
		failed = errors.Join(failed, err)
		return spent
	}) {
		return errors.Join(failed, errors.New("the client does not see what was spent"))
	}
	var list struct {
		Transactions []struct {
			Hash     string `json:"hash"`
			Received string `json:"total_received"`
		} `json:"transactions"`
	}
	if err := w.ask("getAddressTxs", &list); err != nil {
		return err
	}
	if len(list.Transactions) != 2 || list.Transactions[0].Received != "3000000000000" {
		return fmt.Errorf("getAddressTxs: %+v", list)
	}
	return nil
}

// refusals checks the errors that the client tells apart.
func (w *lightWallet) refusals(stranger *keys.Keys) error {
	view, address := stranger.ViewSecret(), w.Address(keys.Index{}).String()
	wrong := []any{fmt.Sprintf("%x", view[:]), address}
	for _, x := range []struct {
		method, want string
		args         []any
	}{
		{"login", "account does not exist", wrong},
		{"getAddressTxs", "account does not exist", wrong},
		{"unspentOutputs", "account does not exist", wrong},
		{"getAddressInfo", "Request failed with status code 403", wrong},
		{"submitRawTx", "Request failed with status code 400", []any{"00"}},
		{"exchangeRates", "Request failed with status code 404", []any{}},
	} {
		refused, err := w.call(x.method, x.args, nil)
		if err == nil && refused != x.want {
			err = fmt.Errorf("%s: %q instead of %q", x.method, refused, x.want)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
