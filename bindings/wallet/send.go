package wallet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"glim/core/walletrpc"
)

// Destination is an address and the amount that it gets.
type Destination struct {
	Address string // of Config.Network; in a Payment also an OpenAlias name, such as donate.getmonero.org
	Amount  Amount
}

// Priority decides how high the fee of a payment is. Miners prefer transactions with higher fees.
type Priority uint32

// The priorities.
const (
	DefaultPriority Priority = iota // Unimportant, or Normal if there is a backlog of transactions
	Unimportant
	Normal
	Elevated
	Urgent
)

// Payment describes a payment to Send.
type Payment struct {
	To      []Destination
	Account uint32 // the account that pays
	// All sends everything that the account can spend. To then has exactly one destination, with Amount 0.
	All bool
	// FeeFromAmounts subtracts the fee from the amounts, in equal parts, instead of adding it to them.
	FeeFromAmounts bool
	// KeyImages, if not empty, are those of the only outputs that the payment may spend, in hexadecimal; with All they
	// are all spent. incoming_transfers of the wallet RPC contract lists them. Send fails with ErrPayment for one
	// that is not a key image of the account, or is spent or frozen, and with ErrMoneyLocked for one that is locked.
	KeyImages []string
	// ChangeOutputs, if more than 1, is the largest number of outputs into which the change of a transaction is
	// divided, at most 15. Change cannot be spent for ten blocks, and one output pays one payment at a time: several
	// parts let later payments follow each other quickly. There are fewer if a part would be small in relation to fees,
	// or the transaction has no room. With All there is no change.
	ChangeOutputs int
	// AllowLinks allows the payment to link accounts that set_separate_accounts of the wallet RPC contract keeps apart.
	// Send fails with ErrPayment for such a payment otherwise.
	AllowLinks bool
	Priority   Priority
	// Key, if not empty, is your own name for the payment, such as an order number. It makes retries safe: repeat Send
	// with the same Key and the same To, and Confirm, until Confirm succeeds. The payment is made only once, even if
	// calls have failed or the program was killed in between. View-only wallets do not support keys.
	Key string
}

// Preview is a payment that has been prepared but not sent. Confirm sends it. A preview that is discarded or never
// confirmed has no effect, and it reserves no money: two previews may spend the same outputs until one of them is
// confirmed.
type Preview struct {
	To     []Destination // with the amounts that arrive, and addresses in place of names
	Names  []Recipient   // what the names in Payment.To stand for; show them before Confirm
	Amount Amount        // what all destinations get together
	Fee    Amount        // the network fee of all transactions, in addition to Amount
	// Transactions holds transaction IDs; usually one, more if the payment spends many outputs. It is empty if other
	// parties must sign.
	Transactions []string
	// Begun reports that a payment with the same Key has been confirmed before. Transactions are then those of that
	// payment, or replacements of failed ones, and Confirm makes sure that the daemon has them.
	Begun bool
	// Unsigned is set if other parties must sign, because the wallet is view-only or multisig. It is the
	// unsigned_txset or multisig_txset of the wallet RPC contract, in hexadecimal. Confirm then fails with
	// ErrUnsigned.
	Unsigned string

	draft *draft // a pointer, so that package fmt does not print its contents
}

// draft holds a preview's transactions, with their secret keys.
type draft struct {
	w       *Wallet
	payment Payment
	turn    chan struct{} // held by the call that sends
	links   walletrpc.DescribeLinksRequest

	mu        sync.Mutex // guards the fields below
	list      []draftTx
	begun     bool // a transaction may have been sent
	discarded bool
}

type draftTx struct {
	id       string
	metadata string // empty if the wallet has recorded the transaction before, under the payment's key
	sent     bool
}

// Format prints the amount and the fee, for every verb.
func (p *Preview) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "preview of "+p.Amount.String()+" XMR with a fee of "+p.Fee.String()+" XMR")
}

// Send prepares the transactions of a payment and returns a preview of them. It sends nothing; Preview.Confirm does.
//
// Names in p.To are looked up once, here: what the preview shows is what Confirm pays. A name without valid DNSSEC
// signatures is never paid.
//
// Kinds of failure: ErrNotEnoughMoney, ErrMoneyLocked, ErrAddress, ErrAlias, ErrAliasUntrusted, ErrPayment, ErrDaemon,
// ErrKeyUsed, ErrNotFinal, ErrClosed, and ErrNotFound if the account does not exist.
func (w *Wallet) Send(ctx context.Context, p Payment) (*Preview, error) {
	switch {
	case p.All && (len(p.To) != 1 || p.To[0].Amount != 0):
		return nil, refused("send", ErrPayment, "All needs exactly one destination, with Amount 0")
	case p.Priority > Urgent:
		return nil, refused("send", ErrPayment, "there is no such priority")
	case p.ChangeOutputs < 0:
		return nil, refused("send", ErrPayment, "the number of outputs of change is negative")
	}
	p.To, p.KeyImages = slices.Clone(p.To), slices.Clone(p.KeyImages)
	names, err := w.m.lookUpAll(ctx, "send", p.To)
	if err != nil {
		return nil, err
	}
	got, err := w.pay(ctx, "send", &p, true)
	if err != nil {
		return nil, err
	}
	v := w.preview(p, got)
	v.Names = names
	return v, nil
}

// pay makes the transactions of a payment. With keep it returns them with their metadata; otherwise it sends them.
func (w *Wallet) pay(ctx context.Context, op string, p *Payment, keep bool) (walletrpc.SplitResponse, error) {
	var to []walletrpc.Destination
	var feePayers []uint32 // indices of the destinations that share the fee
	for i, d := range p.To {
		to = append(to, walletrpc.Destination{Address: d.Address, Amount: uint64(d.Amount)})
		feePayers = append(feePayers, uint32(i))
	}
	switch {
	case p.All:
		return callOpen(ctx, w, op, walletrpc.SweepAll, walletrpc.SweepAllRequest{
			Address: to[0].Address, AccountIndex: p.Account, SubaddrIndicesAll: true, Outputs: 1,
			KeyImages: p.KeyImages, AllowLinks: p.AllowLinks,
			Priority: uint32(p.Priority), IdempotencyKey: p.Key, DoNotRelay: keep, GetTxMetadata: keep})
	case p.FeeFromAmounts:
		one, err := callOpen(ctx, w, op, walletrpc.Transfer, walletrpc.TransferRequest{
			Destinations: to, AccountIndex: p.Account, SubtractFeeFromOutputs: feePayers,
			KeyImages: p.KeyImages, ChangeOutputs: uint64(p.ChangeOutputs), AllowLinks: p.AllowLinks,
			Priority: uint32(p.Priority), IdempotencyKey: p.Key, DoNotRelay: keep, GetTxMetadata: keep})
		return asSplit(one), err
	}
	return callOpen(ctx, w, op, walletrpc.TransferSplit, walletrpc.TransferSplitRequest{
		Destinations: to, AccountIndex: p.Account, KeyImages: p.KeyImages,
		ChangeOutputs: uint64(p.ChangeOutputs), AllowLinks: p.AllowLinks,
		Priority: uint32(p.Priority), IdempotencyKey: p.Key, DoNotRelay: keep, GetTxMetadata: keep})
}

// asSplit converts the response for one transaction to that for several.
func asSplit(t walletrpc.TransferResponse) (s walletrpc.SplitResponse) {
	s = walletrpc.SplitResponse{
		AmountList: []uint64{t.Amount}, FeeList: []uint64{t.Fee},
		AmountsByDestList: []walletrpc.AmountsList{t.AmountsByDest},
		UnsignedTxSet:     t.UnsignedTxSet, MultisigTxSet: t.MultisigTxSet,
	}
	if t.TxHash != "" {
		s.TxHashList, s.TxMetadataList = []string{t.TxHash}, []string{t.TxMetadata}
	}
	return s
}

func (w *Wallet) preview(p Payment, got walletrpc.SplitResponse) *Preview {
	v := &Preview{To: slices.Clone(p.To), Unsigned: got.UnsignedTxSet + got.MultisigTxSet}
	for i := range got.AmountList {
		v.Amount += Amount(got.AmountList[i])
		v.Fee += Amount(got.FeeList[i])
	}
	switch {
	case p.All:
		v.To[0].Amount = v.Amount
	case p.FeeFromAmounts && len(got.AmountsByDestList) == 1 && len(got.AmountsByDestList[0].Amounts) == len(v.To):
		for i, amount := range got.AmountsByDestList[0].Amounts {
			v.To[i].Amount = Amount(amount)
		}
	}
	d := &draft{w: w, payment: p, turn: make(chan struct{}, 1)}
	d.links.UnsignedTxSet, d.links.MultisigTxSet = got.UnsignedTxSet, got.MultisigTxSet
	if v.Unsigned != "" { // the hashes are those of drafts
		got.TxHashList = nil
	}
	for i, id := range got.TxHashList {
		one := draftTx{id: id}
		if i < len(got.TxMetadataList) {
			one.metadata = got.TxMetadataList[i]
		}
		if one.metadata != "" {
			d.links.TxMetadataList = append(d.links.TxMetadataList, one.metadata)
		}
		v.Begun = v.Begun || one.metadata == ""
		d.list = append(d.list, one)
		v.Transactions = append(v.Transactions, id)
	}
	d.begun = v.Begun
	v.draft = d
	return v
}

// Confirmed reports whether Confirm has succeeded.
func (p *Preview) Confirmed() bool {
	d := p.draft
	if d == nil || len(d.list) == 0 {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return !slices.ContainsFunc(d.list, func(one draftTx) bool { return !one.sent })
}

// Confirm sends the transactions of the preview, exactly as previewed, and returns their IDs. The wallet records each
// one before it is sent. If Confirm fails or ctx ends, a transaction may have reached the daemon nevertheless. Call
// Confirm again: it sends the same transactions and pays only once. If the preview is already confirmed, Confirm
// returns the IDs and sends nothing. If a Begun payment has a failed transaction, Confirm sends a replacement, which
// spends the same money.
//
// Kinds of failure: ErrDiscarded, ErrUnsigned, ErrRejected, ErrDaemon, ErrClosed, and ErrSpent if another payment has
// spent the money; then call Send again.
func (p *Preview) Confirm(ctx context.Context) (txIDs []string, err error) {
	d := p.draft
	switch {
	case d == nil:
		return nil, refused("confirm", ErrPayment, "the preview was not returned by Send")
	case len(d.list) == 0:
		return nil, refused("confirm", ErrUnsigned, "")
	}
	if err := d.enter(ctx); err != nil {
		return nil, err
	}
	defer func() { <-d.turn }()
	retry, discarded := d.begin()
	if discarded {
		return nil, refused("confirm", ErrDiscarded, "")
	}
	recorded := false
	for i := range d.list {
		one := &d.list[i] // only the call that holds turn writes to it
		if one.sent {
			continue
		}
		if one.metadata == "" {
			recorded = true
			continue
		}
		if retry {
			accepted, err := d.w.accepted(ctx, one.id, d.payment.Account)
			if err != nil {
				return nil, err
			}
			if accepted {
				d.done(one)
				continue
			}
		}
		if _, err := callOpen(ctx, d.w, "confirm", walletrpc.RelayTx,
			walletrpc.RelayTxRequest{Hex: one.metadata}); err != nil {
			return nil, err
		}
		d.done(one)
	}
	txIDs = slices.Clone(p.Transactions)
	if recorded {
		got, err := d.w.pay(ctx, "confirm", &d.payment, false)
		if err != nil {
			return nil, err
		}
		txIDs = got.TxHashList
		for i := range d.list {
			d.done(&d.list[i])
		}
	}
	return txIDs, nil
}

// enter waits until no other call sends this draft.
func (d *draft) enter(ctx context.Context) error {
	select {
	case d.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return failed("confirm", ctx.Err(), nil)
	case <-d.w.tasks.life.Done():
		return refused("confirm", ErrClosed, "")
	}
}

// begin notes that sending begins, unless the preview is discarded. retry reports that it has begun before.
func (d *draft) begin() (retry, discarded bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.discarded {
		return false, true
	}
	retry, d.begun = d.begun, true
	return retry, false
}

func (d *draft) done(one *draftTx) {
	d.mu.Lock()
	one.sent, one.metadata = true, ""
	d.mu.Unlock()
}

// accepted reports whether a transaction that the wallet has sent is in a block or in the transaction pool.
func (w *Wallet) accepted(ctx context.Context, id string, account uint32) (bool, error) {
	got, err := callOpen(ctx, w, "confirm", walletrpc.GetTransferByTxID,
		walletrpc.GetTransferByTxIDRequest{TxID: id, AccountIndex: account})
	if isNotFound(err) {
		return false, nil
	}
	for i := range got.Transfers {
		if t := transfer(&got.Transfers[i]); t.Out && t.State != Failed {
			return true, err
		}
	}
	return false, err
}

func isNotFound(err error) bool { return errors.Is(err, ErrNotFound) }

// Discard makes Confirm fail with ErrDiscarded from now on. Discarding a preview twice is allowed. Discard fails with
// ErrConfirmed if Confirm has started to send, even if it has failed.
func (p *Preview) Discard() error {
	d := p.draft
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.begun {
		return refused("discard", ErrConfirmed, "")
	}
	d.discarded = true
	for i := range d.list {
		d.list[i].metadata = ""
	}
	return nil
}
