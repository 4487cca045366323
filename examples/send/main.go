// Command send pays from one wallet to another and follows the payment until it is confirmed.
//
// This is the client style: the wallets are in a running `glim wallet-rpc`, which rpc.Call calls over HTTP.
package main

import (
	"context"
	"errors"
	"fmt"

	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
	"glim/examples/internal/stage"
)

func main() { stage.Run(send) }

func send(ctx context.Context, s *stage.Stage) error {
	// To use a running service: native.NewTransport(native.TransportOptions{Address: …, Login: …}).
	wallets, err := s.WalletService(ctx)
	if err != nil {
		return err
	}
	bob, err := stage.CreateWallet(ctx, wallets, "bob")
	if err != nil {
		return err
	}
	// this path has one wallet open at a time, which is now hers
	alice, err := stage.CreateWallet(ctx, wallets, "alice")
	if err != nil {
		return err
	}
	if err := s.Fund(ctx, alice); err != nil {
		return err
	}
	if _, err := rpc.Call(ctx, wallets, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return err
	}
	before, err := rpc.Call(ctx, wallets, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	if err != nil {
		return err
	}

	// Errors of the service have codes. This request fails because the amount exceeds the balance.
	_, err = transfer(ctx, wallets, bob, before.Balance+1, false)
	var refusal *rpc.Error
	if !errors.As(err, &refusal) || refusal.Code != walletrpc.CodeNotEnoughMoney {
		return fmt.Errorf("paying too much: %v", err)
	}
	fmt.Println("more than the balance:", refusal.Message)

	// Make the transaction without relaying it to show the fee first.
	const amount = 15 * xmr.Coin / 10
	draft, err := transfer(ctx, wallets, bob, amount, true)
	if err != nil {
		return err
	}
	fmt.Printf("paying %s would cost a fee of %s\n", stage.Money(draft.Amount), stage.Money(draft.Fee))

	// relay_tx relays exactly this transaction.
	sent, err := rpc.Call(ctx, wallets, walletrpc.RelayTx, walletrpc.RelayTxRequest{Hex: draft.TxMetadata})
	if err != nil {
		return err
	}
	after, err := rpc.Call(ctx, wallets, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	if err != nil {
		return err
	}
	fmt.Printf("sent %s\nbefore %s\nafter  %s\n", sent.TxHash, stage.Money(before.Balance), stage.Money(after.Balance))
	if before.Balance != after.Balance+amount+draft.Fee {
		return fmt.Errorf("the balance does not add up")
	}

	// Ten blocks later Bob can spend the payment.
	if err := s.Confirm(ctx, xmr.SpendableAge); err != nil {
		return err
	}
	_, err = rpc.Call(ctx, wallets, walletrpc.OpenWallet,
		walletrpc.OpenWalletRequest{Filename: "bob", Password: "secret"})
	if err != nil {
		return err
	}
	if _, err := rpc.Call(ctx, wallets, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return err
	}
	got, err := rpc.Call(ctx, wallets, walletrpc.GetTransferByTxID,
		walletrpc.GetTransferByTxIDRequest{TxID: sent.TxHash})
	if err != nil {
		return err
	}
	fmt.Printf("Bob has %s with %d confirmations\n", stage.Money(got.Transfer.Amount), got.Transfer.Confirmations)
	if got.Transfer.Amount != amount || got.Transfer.Confirmations != xmr.SpendableAge {
		return fmt.Errorf("the payment did not arrive as sent")
	}
	return nil
}

func transfer(ctx context.Context, wallets rpc.Transport, to string, amount uint64,
	draft bool) (walletrpc.TransferResponse, error) {
	return rpc.Call(ctx, wallets, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: to}}, DoNotRelay: draft, GetTxMetadata: draft})
}
