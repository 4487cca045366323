// Command network connects two daemons as peers, each with its own chain. A wallet pays at one, the wallet of a shop
// sees the payment at the other, and the block that is mined there reaches the first. `glim daemon` does the same with
// flags: --p2p-bind-port accepts peers, --add-exclusive-node connects to one.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime"
	"time"

	"glim/bindings/engine"
	"glim/bindings/native"
	sockets "glim/bindings/native/p2p"
	"glim/core/node"
	"glim/core/p2p"
	"glim/core/p2p/netaddr"
	"glim/core/peering"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	if err := network(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func now() uint64 { return uint64(time.Now().Unix()) }

// daemon is a chain with a peer-to-peer network.
type daemon struct {
	*node.Regtest
	network *sockets.Network
	at      string // its address for peers
}

func (d *daemon) close() error { return errors.Join(d.network.Close(), d.Close()) }

// newDaemon starts a daemon that accepts peers and connects to the given ones.
func newDaemon(peers ...string) (*daemon, error) {
	chain, err := node.NewRegtest(now, rand.Reader)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	settings := p2p.Config{
		Network: xmr.Regtest, Chain: p2p.FromChain(chain.Chain()), Random: rand.Reader, Out: -1, In: -1,
	}
	for _, p := range peers {
		a, err := netaddr.Parse(p, 0)
		if err != nil {
			return nil, err
		}
		settings.Exclusive = append(settings.Exclusive, a)
	}
	machine, err := p2p.New(settings)
	if err != nil {
		return nil, err
	}
	limits := node.DefaultPeerLimits()
	running := sockets.Start(sockets.Config{Machine: machine, Listeners: []net.Listener{l},
		Down: limits.Down * peering.KB, Up: limits.Up * peering.KB,
		Log: slog.New(slog.DiscardHandler)})
	chain.Join(peering.NewNetwork(running), limits)
	return &daemon{chain, running, l.Addr().String()}, nil
}

func network(ctx context.Context) (err error) {
	here, err := newDaemon()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, here.close()) }()
	payer, end, err := newWallet(ctx, here)
	if err != nil {
		return err
	}
	defer end()
	if err := here.Fund(ctx, 20, payer.address); err != nil {
		return err
	}

	there, err := newDaemon(here.at)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, there.close()) }()
	shop, end, err := newWallet(ctx, there)
	if err != nil {
		return err
	}
	defer end()
	if err := until(ctx, func() bool { return there.Height() == here.Height() }); err != nil {
		return err
	}
	fmt.Printf("the second daemon has received %d blocks from the first\n", there.Height())

	if _, err := payer.transfers(ctx); err != nil {
		return err
	}
	if _, err := rpc.Call(ctx, payer, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: 3 * xmr.Coin / 2, Address: shop.address}}}); err != nil {
		return err
	}
	fmt.Println("paid at the first daemon")
	// It reaches others after a random delay, which hides its origin.
	if err := until(ctx, func() bool {
		t, err := shop.transfers(ctx)
		return err == nil && len(t.Pool) == 1
	}); err != nil {
		return err
	}
	fmt.Println("in the pool of the second daemon")

	if _, err := there.Mine(ctx, 1, node.UnspendableAddress()); err != nil {
		return err
	}
	if err := until(ctx, func() bool { return here.Height() == there.Height() }); err != nil {
		return err
	}
	t, err := payer.transfers(ctx)
	if err != nil {
		return err
	}
	if len(t.Out) != 1 {
		return fmt.Errorf("%d payments in blocks at the first daemon, expected one", len(t.Out))
	}
	fmt.Println("in a block of the second daemon, which the first has received")
	return nil
}

// until waits for another daemon.
func until(ctx context.Context, done func() bool) error {
	for !done() {
		if err := native.Wait(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// wallet is a wallet on one of the daemons.
type wallet struct {
	engine.Wallet
	address string
}

func newWallet(ctx context.Context, d *daemon) (w wallet, end func(), err error) {
	dir, err := os.MkdirTemp("", "glim-example-")
	if err != nil {
		return w, nil, err
	}
	e, err := engine.New(service.Config{
		Network: xmr.Regtest, Files: native.WalletDir(dir), Random: rand.Reader, Now: now,
		Workers: runtime.GOMAXPROCS(0), Wait: native.Wait,
		Connect: func(service.DaemonConfig) (rpc.Transport, error) { return d.Registry(), nil },
	}, service.DaemonConfig{Address: "in this process"})
	if err != nil {
		return w, nil, errors.Join(err, os.RemoveAll(dir))
	}
	end = func() {
		_ = e.Close()
		_ = os.RemoveAll(dir)
	}
	w.Wallet = e.Wallet("wallet")
	if _, err = rpc.Call(ctx, w, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Language: "English"}); err == nil {
		var a walletrpc.GetAddressResponse
		a, err = rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
		w.address = a.Address
	}
	if err != nil {
		end()
	}
	return w, end, err
}

// transfers refreshes the wallet and returns its transfers.
func (w wallet) transfers(ctx context.Context) (t walletrpc.GetTransfersResponse, err error) {
	if _, err := rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return t, err
	}
	return rpc.Call(ctx, w, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{In: true, Out: true, Pool: true})
}
