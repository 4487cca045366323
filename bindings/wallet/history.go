package wallet

import (
	"cmp"
	"context"
	"slices"
	"time"

	"glim/core/walletrpc"
)

// State is how far a transfer has come.
type State string

// The states.
const (
	Pending   State = "pending"   // in the daemons' pool, or on its way there: not in a block yet
	Confirmed State = "confirmed" // in a block
	Failed    State = "failed"    // sent by this wallet, and not taken: what it spent can be spent again
)

// Transfer is what one transaction brought to one address, or what it took from the wallet.
type Transfer struct {
	TxID          string
	State         State
	Out           bool      // sent by this wallet
	Coinbase      bool      // a mining reward
	Amount        Amount    // without fee and change
	Fee           Amount    // of what was sent
	Height        uint64    // index of its block, 0 when it is in none
	Confirmations uint64    // blocks from its own to the last, both included
	Locked        bool      // what it brought cannot be spent yet
	Time          time.Time // of its block, or when it was first seen
	Account       uint32
	Index         uint32 // of the address that received; of what was sent, the first that paid
	Address       string
	To            []Destination // that it paid, when this wallet sent it
	PaymentID     string        // 16 or 64 hexadecimal digits; empty for none
	Note          string
}

// Filter chooses transfers; the zero value is for all.
type Filter struct {
	// From and To are the indexes of the first and the last block wanted; To 0 for no end. With either, what is in no
	// block is left out.
	From, To uint64
}

// History returns the wallet's transfers, oldest first, those without a block at the end.
func (w *Wallet) History(ctx context.Context, f Filter) ([]Transfer, error) {
	req := walletrpc.GetTransfersRequest{In: true, Out: true, AllAccounts: true, MaxHeight: 500_000_000}
	if f == (Filter{}) {
		req.Pending, req.Failed, req.Pool = true, true, true
	} else {
		req.FilterByHeight = true
		if f.From > 0 {
			req.MinHeight = f.From - 1 // it says: blocks above this one
		}
		if f.To > 0 {
			req.MaxHeight = f.To
		}
	}
	got, err := ask(ctx, w, "history", walletrpc.GetTransfers, req)
	var all []Transfer
	for _, list := range [][]walletrpc.TransferEntry{got.In, got.Out, got.Pending, got.Failed, got.Pool} {
		for i := range list {
			all = append(all, transfer(&list[i]))
		}
	}
	slices.SortStableFunc(all, func(a, b Transfer) int {
		last := func(t Transfer) uint64 { return t.Height - 1 } // 0 comes last
		return cmp.Or(cmp.Compare(last(a), last(b)), a.Time.Compare(b.Time))
	})
	return all, err
}

// Transfers returns what a transaction did to the wallet: one entry for each address that received, or one for what was
// sent. ErrNotFound when the wallet has no part in it.
func (w *Wallet) Transfers(ctx context.Context, txID string) ([]Transfer, error) {
	accounts, err := w.Accounts(ctx)
	if err != nil {
		return nil, err
	}
	var all []Transfer
	for _, a := range accounts {
		got, err := ask(ctx, w, "transfers", walletrpc.GetTransferByTxID,
			walletrpc.GetTransferByTxIDRequest{TxID: txID, AccountIndex: a.Index})
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for i := range got.Transfers {
			all = append(all, transfer(&got.Transfers[i]))
		}
	}
	if len(all) == 0 {
		return nil, refused("transfers", ErrNotFound, "the wallet has no part in that transaction")
	}
	return all, nil
}

func transfer(e *walletrpc.TransferEntry) Transfer {
	t := Transfer{
		TxID: e.TxID, State: Confirmed, Coinbase: e.Type == "block", Amount: Amount(e.Amount), Fee: Amount(e.Fee),
		Height: e.Height, Confirmations: e.Confirmations, Locked: e.Locked, Time: time.Unix(int64(e.Timestamp), 0),
		Account: e.SubaddrIndex.Major, Index: e.SubaddrIndex.Minor, Address: e.Address,
		PaymentID: paymentID(e.PaymentID), Note: e.Note,
	}
	switch e.Type {
	case "out":
		t.Out = true
	case "pending":
		t.Out, t.State = true, Pending
	case "failed":
		t.Out, t.State = true, Failed
	case "pool":
		t.State = Pending
	}
	for _, d := range e.Destinations {
		t.To = append(t.To, Destination{Address: d.Address, Amount: Amount(d.Amount)})
	}
	return t
}

// noPaymentID stands for a missing payment ID in the contract.
const noPaymentID = "0000000000000000"

func paymentID(text string) string {
	if text == noPaymentID {
		return ""
	}
	return text
}
