// Command front runs a daemon in front of two others: a malicious one that forges blocks, and an honest one. A wallet
// reads the chain through it and receives a payment; no forged block reaches the wallet. Everything is in one process
// here; usually the two daemons are remote and connected over HTTP.
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

// malicious is a daemon that alters the blocks that it sends.
type malicious struct {
	rpc.Transport
	asked int
}

func (m *malicious) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	answer, err := m.Transport.Post(ctx, path, body)
	if err == nil && path == "/get_blocks.bin" {
		m.asked++
		answer = bytes.Replace(answer, []byte{16, 16}, []byte{16, 17}, 1) // the versions at the start of a block
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

	// The local chain is empty, and there are two daemons with blocks.
	here, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: now, Random: rand.Reader,
	}})
	if err != nil {
		return err
	}
	defer here.Close()
	bad := &malicious{Transport: far.Registry()}
	f, err := upstream.New(upstream.Config{
		Network: xmr.Regtest, Local: here, Always: true, Now: now,
		// Usually this is an HTTP client: native.NewTransport.
		Connect: func(s upstream.Server) (rpc.Transport, error) {
			if s.Address == "malicious:18081" {
				return bad, nil
			}
			return far.Registry(), nil
		},
	})
	if err != nil {
		return err
	}
	if err := f.Name(upstream.Server{Address: "malicious:18081,honest:18081"}); err != nil {
		return err
	}

	dir, err := os.MkdirTemp("", "glim-example-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	e, err := engine.New(service.Config{
		Network: xmr.Regtest, Files: native.WalletDir(dir), Random: rand.Reader, Now: now,
		Workers: runtime.GOMAXPROCS(0), Wait: native.Wait,
		Connect: func(service.DaemonConfig) (rpc.Transport, error) { return f.Registry(), nil },
	}, service.DaemonConfig{Address: "in this process"})
	if err != nil {
		return err
	}
	defer e.Close()
	w := e.Wallet("shop")
	if _, err := rpc.Call(ctx, w, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Language: "English"}); err != nil {
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
	fmt.Printf("%s XMR from %d blocks of %s, untrusted: %v; requests for blocks to the malicious daemon: %d\n",
		xmr.FormatAmount(b.Balance), info.Height, info.BootstrapDaemonAddress, info.Untrusted, bad.asked)
	switch {
	case b.Balance == 0, info.BootstrapDaemonAddress != "honest:18081", !info.Untrusted, bad.asked != 1:
		return fmt.Errorf("expected the payment, from the honest daemon, after one forged answer")
	}
	return nil
}
