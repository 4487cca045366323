package wallet

import (
	"cmp"
	"context"
	"slices"
	"time"

	"glim/core/walletrpc"
)

// State is the state of a transfer.
type State string

// The states.
const (
	Pending   State = "pending"   // not in a block yet: in the transaction pool, or sent to the daemon
	Confirmed State = "confirmed" // in a block
	Failed    State = "failed"    // sent by this wallet and not accepted; its inputs can be spent again
)

// Transfer is what one address has received with one transaction, or what the wallet has sent with it.
type Transfer struct {
	TxID          string
	State         State
	Out           bool      // sent by this wallet; otherwise received
	Coinbase      bool      // a mining reward
	Amount        Amount    // without fee and change
	Fee           Amount    // the fee, if sent
	Height        uint64    // index of its block; 0 if it is not in a block
	Confirmations uint64    // number of blocks from its own to the last, both included
	Locked        bool      // whether the received money cannot be spent yet
	Time          time.Time // of its block, or when the wallet first saw it
	Account       uint32
	Index         uint32 // address index: if received, of the receiving address; if sent, of the first that paid
	Address       string
	To            []Destination // the destinations, if sent
	PaymentID     string        // 16 or 64 hexadecimal digits, or empty
	Note          string
}

// Filter selects transfers for History. The zero value selects all.
type Filter struct {
	// From and To are the indices of the first and the last block; To 0 means the chain's last block. If either is set,
	// transfers that are not in a block are left out.
	From, To uint64
}

// History returns the wallet's transfers, the oldest first and those that are not in a block last.
func (w *Wallet) History(ctx context.Context, f Filter) ([]Transfer, error) {
	req := walletrpc.GetTransfersRequest{In: true, Out: true, AllAccounts: true, MaxHeight: 500_000_000}
	if f == (Filter{}) {
		req.Pending, req.Failed, req.Pool = true, true, true
	} else {
		req.FilterByHeight = true
		if f.From > 0 {
			req.MinHeight = f.From - 1 // MinHeight itself is excluded
		}
		if f.To > 0 {
			req.MaxHeight = f.To
		}
	}
	got, err := callOpen(ctx, w, "history", walletrpc.GetTransfers, req)
	var all []Transfer
	for _, list := range [][]walletrpc.TransferEntry{got.In, got.Out, got.Pending, got.Failed, got.Pool} {
		for i := range list {
			all = append(all, transfer(&list[i]))
		}
	}
	slices.SortStableFunc(all, func(a, b Transfer) int {
		order := func(t Transfer) uint64 { return t.Height - 1 } // height 0 wraps around and sorts last
		return cmp.Or(cmp.Compare(order(a), order(b)), a.Time.Compare(b.Time))
	})
	return all, err
}

// Transfers returns the wallet's transfers of one transaction: one for each receiving address, or one if the wallet has
// sent it. It fails with ErrNotFound if the transaction does not concern the wallet.
func (w *Wallet) Transfers(ctx context.Context, txID string) ([]Transfer, error) {
	accounts, err := w.Accounts(ctx)
	if err != nil {
		return nil, err
	}
	var all []Transfer
	for _, a := range accounts {
		got, err := callOpen(ctx, w, "transfers", walletrpc.GetTransferByTxID,
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
		return nil, refused("transfers", ErrNotFound, "the transaction does not concern the wallet")
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

// noPaymentID is what the wallet RPC contract reports if there is no payment ID.
const noPaymentID = "0000000000000000"

func paymentID(text string) string {
	if text == noPaymentID {
		return ""
	}
	return text
}
