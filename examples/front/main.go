// Command front stands before two daemons: one that lies about its blocks, and an honest one. A wallet reads the chain through it and is paid, and
// nothing the first one made up reaches it. All of it is in one process; elsewhere the two are far away and reached over HTTP.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"runtime"
	"time"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/upstream"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

func main() {
	if err := front(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// liar is a daemon that spoils the blocks it sends.
type liar struct {
	rpc.Transport
	asked int
}

func (l *liar) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	answer, err := l.Transport.Post(ctx, path, body)
	if err == nil && path == "/get_blocks.bin" {
		l.asked++
		answer = bytes.Replace(answer, []byte{16, 16}, []byte{16, 17}, 1) // the versions a block begins with
	}
	return answer, err
}

func front(ctx context.Context) error {
	now := func() uint64 { return uint64(time.Now().Unix()) }
	far, err := node.NewRegtest(now, rand.Reader)
	if err != nil {
		return err
	}
	defer far.Close()

	// Here there is a chain with nothing in it, and the way to two daemons that have more.
	here, err := node.New(node.Config{Chain: chain.Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: now, Random: rand.Reader}})
	if err != nil {
		return err
	}
	defer here.Close()
	bad := &liar{Transport: far.Registry()}
	f, err := upstream.New(upstream.Config{
		Network: xmr.Regtest, Local: here, Always: true, Now: now,
		// Elsewhere this is an HTTP client: native.NewTransport.
		Connect: func(s upstream.Server) (rpc.Transport, error) {
			if s.Address == "liar:18081" {
				return bad, nil
			}
			return far.Registry(), nil
		},
	})
	if err != nil {
		return err
	}
	if err := f.Name(upstream.Server{Address: "liar:18081,honest:18081"}); err != nil {
		return err
	}

	dir, err := os.MkdirTemp("", "glim-example-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	e, err := engine.New(service.Config{
		Network: xmr.Regtest, Files: native.WalletDir(dir), Random: rand.Reader, Now: now, Workers: runtime.GOMAXPROCS(0), Wait: native.Wait,
		Connect: func(service.DaemonConfig) (rpc.Transport, error) { return f.Registry(), nil },
	}, service.DaemonConfig{Address: "in this process"})
	if err != nil {
		return err
	}
	defer e.Close()
	w := e.Wallet("shop")
	if _, err := rpc.Call(ctx, w, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Language: "English"}); err != nil {
		return err
	}
	a, err := rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	if err != nil {
		return err
	}
	if err := far.Fund(ctx, 3, a.Address); err != nil {
		return err
	}
	if _, err := rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return err
	}
	b, err := rpc.Call(ctx, w, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	if err != nil {
		return err
	}
	info, err := rpc.Call(ctx, f.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	if err != nil {
		return err
	}
	fmt.Printf("%s XMR, read of %d blocks that %s has, untrusted: %v; the liar was asked for blocks %d time(s)\n",
		xmr.FormatAmount(b.Balance), info.Height, info.BootstrapDaemonAddress, info.Untrusted, bad.asked)
	switch {
	case b.Balance == 0, info.BootstrapDaemonAddress != "honest:18081", !info.Untrusted, bad.asked != 1:
		return fmt.Errorf("expected the money, from the honest daemon, after one lie")
	}
	return nil
}
