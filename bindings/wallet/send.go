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

// Destination is money for an address.
type Destination struct {
	Address string
	Amount  Amount
}

// Priority is how much a payment pays for coming into a block soon.
type Priority uint32

// The priorities.
const (
	DefaultPriority Priority = iota // the lowest, or the next one when the network is busy
	Unimportant
	Normal
	Elevated
	Urgent
)

// Payment says what is to be sent.
type Payment struct {
	To      []Destination
	Account uint32 // that pays
	// All sends everything that the account can spend to the only destination, whose Amount is 0.
	All bool
	// FeeFromAmounts takes the fee out of the amounts, of all destinations alike, in the place of adding it.
	FeeFromAmounts bool
	Priority       Priority
	// Key is your own name for the payment, such as the number of an order, and makes it happen once: Send it with the
	// same Key and the same To, and Confirm, until Confirm has succeeded once. It never pays twice, whatever became of
	// the calls before and of the program. Empty for none. A view-only wallet takes none.
	Key string
}

// Preview is a payment that is made and not sent. Confirm sends it, Discard does not; one that is forgotten, with its
// wallet closed or the program killed, has sent nothing and holds no money back: until one of two previews is
// confirmed, both may spend the same outputs.
type Preview struct {
	To           []Destination // with the amounts that arrive
	Amount       Amount        // to all destinations
	Fee          Amount        // of the network, for all transactions; on top of Amount
	Transactions []string      // IDs: most payments take one, those that spend many outputs take several
	// Begun says that under its Key the payment was confirmed before. The transactions are those of then, or what
	// replaces one that failed. Confirm makes sure that the daemon has them.
	Begun bool
	// Unsigned is the set for those who sign, in hexadecimal digits, from a wallet that is view-only or one of several
	// signers': unsigned_txset or multisig_txset of the wallet RPC contract. Confirm fails then.
	Unsigned string

	draft *draft // behind a pointer, so that package fmt does not show what is in it
}

// draft is a preview's transactions, with their secret keys.
type draft struct {
	w       *Wallet
	payment Payment
	turn    chan struct{} // held while it is sent

	mu        sync.Mutex // guards what follows
	list      []drafted
	begun     bool // something may have been sent
	discarded bool
}

type drafted struct {
	id, metadata string // recorded already, under the payment's key, when there is no metadata
	sent         bool
}

// Format writes amount and fee, whatever the verb.
func (p *Preview) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "preview of "+p.Amount.String()+" XMR with a fee of "+p.Fee.String()+" XMR")
}

// Send makes the transactions of a payment, shows them and sends nothing: see Preview. Errors: ErrNotEnoughMoney,
// ErrMoneyLocked, ErrAddress, ErrPayment, ErrDaemon, ErrKeyUsed, ErrNotFinal, ErrNotFound for an account that is not
// there, ErrClosed.
func (w *Wallet) Send(ctx context.Context, p Payment) (*Preview, error) {
	switch {
	case p.All && (len(p.To) != 1 || p.To[0].Amount != 0):
		return nil, refused("send", ErrPayment, "All goes to one destination, whose Amount is 0")
	case p.Priority > Urgent:
		return nil, refused("send", ErrPayment, "there is no such priority")
	}
	p.To = slices.Clone(p.To)
	got, err := w.pay(ctx, "send", &p, true)
	if err != nil {
		return nil, err
	}
	return w.preview(p, got), nil
}

// pay asks for a payment: for its transactions when they are to be kept, and otherwise that they be sent.
func (w *Wallet) pay(ctx context.Context, op string, p *Payment, keep bool) (walletrpc.SplitResponse, error) {
	var to []walletrpc.Destination
	var payers []uint32
	for i, d := range p.To {
		to = append(to, walletrpc.Destination{Address: d.Address, Amount: uint64(d.Amount)})
		payers = append(payers, uint32(i))
	}
	switch {
	case p.All:
		return ask(ctx, w, op, walletrpc.SweepAll, walletrpc.SweepAllRequest{
			Address: to[0].Address, AccountIndex: p.Account, SubaddrIndicesAll: true, Outputs: 1,
			Priority: uint32(p.Priority), IdempotencyKey: p.Key, DoNotRelay: keep, GetTxMetadata: keep})
	case p.FeeFromAmounts:
		one, err := ask(ctx, w, op, walletrpc.Transfer, walletrpc.TransferRequest{
			Destinations: to, AccountIndex: p.Account, SubtractFeeFromOutputs: payers,
			Priority: uint32(p.Priority), IdempotencyKey: p.Key, DoNotRelay: keep, GetTxMetadata: keep})
		return several(one), err
	}
	return ask(ctx, w, op, walletrpc.TransferSplit, walletrpc.TransferSplitRequest{
		Destinations: to, AccountIndex: p.Account,
		Priority: uint32(p.Priority), IdempotencyKey: p.Key, DoNotRelay: keep, GetTxMetadata: keep})
}

// several is one transaction in the shape of several.
func several(t walletrpc.TransferResponse) (s walletrpc.SplitResponse) {
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
	for i, id := range got.TxHashList {
		one := drafted{id: id}
		if i < len(got.TxMetadataList) {
			one.metadata = got.TxMetadataList[i]
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
	return !slices.ContainsFunc(d.list, func(one drafted) bool { return !one.sent })
}

// Confirm sends the transactions of the preview, byte for byte what was shown, and returns their IDs. Each is recorded
// in the wallet before it leaves. When Confirm fails or ctx ends on the way, a transaction may have reached the daemon
// all the same: Confirm again sends the same ones, and pays once. A preview that is confirmed already returns the IDs
// and sends nothing. Where a payment was begun before, see Begun, one of its transactions may have failed meanwhile,
// and another that spends the same money is sent in its place. Errors: ErrDiscarded, ErrUnsigned; ErrSpent when another
// payment took the money: Send anew; ErrRejected, ErrDaemon, ErrClosed.
func (p *Preview) Confirm(ctx context.Context) (txIDs []string, err error) {
	d := p.draft
	switch {
	case d == nil:
		return nil, refused("confirm", ErrPayment, "the preview is not one of Send's")
	case len(d.list) == 0:
		return nil, refused("confirm", ErrUnsigned, "")
	}
	if err := d.enter(ctx); err != nil {
		return nil, err
	}
	defer func() { <-d.turn }()
	again, discarded := d.begin()
	if discarded {
		return nil, refused("confirm", ErrDiscarded, "")
	}
	recorded := false
	for i := range d.list {
		one := &d.list[i] // only the call whose turn it is writes to it
		if one.sent {
			continue
		}
		if one.metadata == "" {
			recorded = true
			continue
		}
		if again {
			stands, err := d.w.stands(ctx, one.id, d.payment.Account)
			if err != nil {
				return nil, err
			}
			if stands {
				d.done(one)
				continue
			}
		}
		if _, err := ask(ctx, d.w, "confirm", walletrpc.RelayTx,
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

// enter waits for the turn to send.
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

// begin says that sending begins, unless the preview is discarded. again reports that it was begun before.
func (d *draft) begin() (again, discarded bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.discarded {
		return false, true
	}
	again, d.begun = d.begun, true
	return again, false
}

func (d *draft) done(one *drafted) {
	d.mu.Lock()
	one.sent, one.metadata = true, ""
	d.mu.Unlock()
}

// stands reports whether a transaction that the wallet sent is in a block or on its way there.
func (w *Wallet) stands(ctx context.Context, id string, account uint32) (bool, error) {
	got, err := ask(ctx, w, "confirm", walletrpc.GetTransferByTxID,
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

// Discard gives the preview up: Confirm fails with ErrDiscarded from then on. Discarding twice is harmless.
// ErrConfirmed when sending has begun, whatever came of it.
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
