// Command restore restores a wallet from its seed words, and accounts of a hardware wallet from theirs.
package main

import (
	"context"
	"fmt"

	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/examples/internal/stage"
)

func main() { stage.Run(restore) }

func restore(ctx context.Context, s *stage.Stage) error {
	wallets, err := s.WalletService(ctx)
	if err != nil {
		return err
	}
	if err := s.Confirm(ctx, 30); err != nil { // the chain is older than the wallet, as usual
		return err
	}

	// Back up the seed words of a wallet, and its restore height, which saves reading earlier blocks.
	_, err = rpc.Call(ctx, wallets, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{
		Filename: "lost", Password: "secret", Language: "English"})
	if err != nil {
		return err
	}
	if _, err := rpc.Call(ctx, wallets, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return err
	}
	words, err := rpc.Call(ctx, wallets, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"})
	if err != nil {
		return err
	}
	const began = 31 // number of blocks when the wallet was created; a lower number only costs time

	a, err := rpc.Call(ctx, wallets, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	if err != nil {
		return err
	}
	if err := s.Daemon.Mine(ctx, 2, a.Address); err != nil {
		return err
	}
	before, err := refreshed(ctx, wallets)
	if err != nil {
		return err
	}

	// The computer is lost, but not the words.
	made, err := rpc.Call(ctx, wallets, walletrpc.RestoreDeterministicWallet,
		walletrpc.RestoreDeterministicWalletRequest{
			Filename: "found", Password: "other", Seed: words.Key, RestoreHeight: began})
	if err != nil {
		return err
	}
	after, err := refreshed(ctx, wallets)
	if err != nil {
		return err
	}
	fmt.Printf("address before %s\naddress after  %s\nbalance before %s\nbalance after  %s\n",
		a.Address, made.Address, stage.Money(before), stage.Money(after))
	if made.Address != a.Address || before == 0 || after != before {
		return fmt.Errorf("the restored wallet differs")
	}
	return restoreDevice(ctx, wallets)
}

// restoreDevice restores the first two accounts of a Trezor. The words are those of Trezor's own tests: never use them
// for money.
func restoreDevice(ctx context.Context, wallets rpc.Transport) error {
	const words = "alcohol woman abuse must during monitor noble actual mixed trade anger aisle"
	for account := range uint32(2) {
		made, err := rpc.Call(ctx, wallets, walletrpc.RestoreDeterministicWallet,
			walletrpc.RestoreDeterministicWalletRequest{Filename: fmt.Sprint("device ", account), Password: "secret",
				Seed: words, SeedType: walletrpc.SeedTrezor, Account: account})
		if err != nil {
			return err
		}
		fmt.Printf("account %d of the device: %s\n", account, made.Address)
	}
	return nil
}

// refreshed refreshes the wallet and returns the balance.
func refreshed(ctx context.Context, wallets rpc.Transport) (uint64, error) {
	if _, err := rpc.Call(ctx, wallets, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return 0, err
	}
	b, err := rpc.Call(ctx, wallets, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	return b.Balance, err
}
