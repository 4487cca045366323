// Command multisig shows a 2-of-3 multisig wallet: its key exchange, a payment to it and one from it, all in one
// process on a private chain. Usually each signer uses a separate service, and the messages travel between them.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

func main() {
	if err := multisig(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const threshold = 2

// signers are the three wallets. Each sends its messages to the two others.
type signers []engine.Wallet

// others returns all messages except number i.
func others(said []string, i int) []string { return slices.Delete(slices.Clone(said), i, i+1) }

// setUp makes the joint wallet and returns its address.
func (s signers) setUp(ctx context.Context) (address string, err error) {
	said := make([]string, len(s))
	for i, w := range s {
		if _, err := rpc.Call(ctx, w, walletrpc.CreateWallet,
			walletrpc.CreateWalletRequest{Language: "English"}); err != nil {
			return "", err
		}
		r, err := rpc.Call(ctx, w, walletrpc.PrepareMultisig,
			walletrpc.PrepareMultisigRequest{EnableMultisigExperimental: true})
		if err != nil {
			return "", err
		}
		said[i] = r.MultisigInfo
	}
	for round := range len(s) - threshold + 2 {
		next := make([]string, len(s))
		for i, w := range s {
			var r walletrpc.MultisigRoundResponse
			if round == 0 {
				r, err = rpc.Call(ctx, w, walletrpc.MakeMultisig,
					walletrpc.MakeMultisigRequest{MultisigInfo: others(said, i), Threshold: threshold})
			} else {
				r, err = rpc.Call(ctx, w, walletrpc.ExchangeMultisigKeys,
					walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: others(said, i)})
			}
			if err != nil {
				return "", err
			}
			next[i], address = r.MultisigInfo, r.Address
		}
		said = next
	}
	return address, nil
}

// share exchanges multisig infos between all signers, which is required before spending.
func (s signers) share(ctx context.Context) error {
	said := make([]string, len(s))
	for i, w := range s {
		if _, err := rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
			return err
		}
		r, err := rpc.Call(ctx, w, walletrpc.ExportMultisigInfo, walletrpc.Empty{})
		if err != nil {
			return err
		}
		said[i] = r.Info
	}
	for i, w := range s {
		req := walletrpc.ImportMultisigInfoRequest{Info: others(said, i), RefreshAfterImport: true}
		if _, err := rpc.Call(ctx, w, walletrpc.ImportMultisigInfo, req); err != nil {
			return err
		}
	}
	return nil
}

// pay has the first signer make a payment and the third check and sign it.
func (s signers) pay(ctx context.Context, to string, amount uint64) (id string, err error) {
	made, err := rpc.Call(ctx, s[0], walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: to}}})
	if err != nil {
		return "", err
	}
	about, err := rpc.Call(ctx, s[2], walletrpc.DescribeTransfer,
		walletrpc.DescribeTransferRequest{MultisigTxSet: made.MultisigTxSet})
	if err != nil {
		return "", err
	}
	for _, r := range about.Summary.Recipients {
		fmt.Printf("to sign: %d atomic units to %s..., fee %d\n", r.Amount, r.Address[:8], about.Summary.Fee)
		if r.Address != to || r.Amount != amount {
			return "", errors.New("the transaction is not the agreed payment")
		}
	}
	signed, err := rpc.Call(ctx, s[2], walletrpc.SignMultisig,
		walletrpc.SignMultisigRequest{TxDataHex: made.MultisigTxSet})
	if err != nil {
		return "", err
	}
	sent, err := rpc.Call(ctx, s[0], walletrpc.SubmitMultisig,
		walletrpc.SubmitMultisigRequest{TxDataHex: signed.TxDataHex})
	if err != nil {
		return "", err
	}
	return sent.TxHashList[0], nil
}

func multisig(ctx context.Context) error {
	now := func() uint64 { return uint64(time.Now().Unix()) }
	chain, err := node.NewRegtest(now, rand.Reader)
	if err != nil {
		return err
	}
	defer chain.Close()
	dir, err := os.MkdirTemp("", "glim-example-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	e, err := engine.New(service.Config{
		Network: xmr.Regtest, Files: native.WalletDir(dir), Random: rand.Reader, Now: now,
		Workers: runtime.GOMAXPROCS(0), Wait: native.Wait,
		Connect: func(service.DaemonConfig) (rpc.Transport, error) { return chain.Registry(), nil },
	}, service.DaemonConfig{Address: "in this process"})
	if err != nil {
		return err
	}
	defer e.Close()

	group := signers{e.Wallet("ada"), e.Wallet("ben"), e.Wallet("cleo")}
	address, err := group.setUp(ctx)
	if err != nil {
		return err
	}
	fmt.Println("address of the joint wallet:", address[:8]+"...")
	if err := chain.Fund(ctx, 20, address); err != nil {
		return err
	}
	if err := group.share(ctx); err != nil {
		return err
	}
	shop := e.Wallet("shop")
	if _, err := rpc.Call(ctx, shop, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Language: "English"}); err != nil {
		return err
	}
	to, err := rpc.Call(ctx, shop, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	if err != nil {
		return err
	}
	id, err := group.pay(ctx, to.Address, 2*xmr.Coin)
	if err != nil {
		return err
	}
	if _, err := chain.Mine(ctx, 1, address); err != nil {
		return err
	}
	for _, w := range append(group, shop) {
		if _, err := rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
			return err
		}
	}
	got, err := rpc.Call(ctx, shop, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: id})
	if err != nil {
		return err
	}
	fmt.Println("the shop received", got.Transfer.Amount, "atomic units")
	balance, err := rpc.Call(ctx, group[1], walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	if err != nil {
		return err
	}
	if got.Transfer.Amount != 2*xmr.Coin || !balance.MultisigImportNeeded {
		return errors.New("expected two coins, and change that needs another exchange of infos")
	}
	return nil
}
