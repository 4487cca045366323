package service

import (
	"context"
	"errors"
	"slices"
	"strings"

	"glim/core/build"
	"glim/core/daemon"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// purpose is what a request asks for, to compare it with what was paid under its name before.
type purpose struct {
	sweep    bool // to the only destination, whatever there is
	account  uint32
	image    string // of the output that sweep_single names, in place of an account
	to       []walletrpc.Destination
	subtract bool // the destinations pay the fee
}

// retry is what another attempt at one part of a payment keeps to.
type retry struct {
	attempts []*wallet.Sent // made before: the new one spends an output of each
	others   []*wallet.Sent // attempts at other parts: their outputs stay theirs
	whole    bool           // the payment has no other part
}

// builder makes the transactions of a request, or another attempt at one of them, without recording them.
type builder func(o *open, again *retry) ([]made, error)

// ErrOtherPurpose reports an idempotency_key that was given to another payment.
var ErrOtherPurpose = walletrpc.Fail(walletrpc.CodeGenericTransfer, "idempotency_key: under this key another payment was made, "+
	"to other recipients, of other amounts or from another account, or only a part of this one: see get_transfers. Nothing was sent; another payment needs a key of its own")

var errNameless = refuse("idempotency_key: a view-only wallet does not keep what it gives out to be signed, and cannot tell whether it was paid; " +
	"ask without a key, and submit one signed set only")

// repeat answers a request whose name is known. For each transaction of the payment it returns the one that counts; where all attempts
// failed it hands over the last one again, or makes another that no chain can hold beside any of them. It returns nothing when nothing
// was tried under the name.
func (s *Service) repeat(ctx context.Context, o *open, w wish, p purpose, build builder) ([]made, error) {
	var parts []wallet.Part
	o.View(func(v *wallet.Wallet) { parts = v.Payment(w.request) })
	if len(parts) == 0 {
		return nil, nil
	}
	if !p.is(parts) {
		return nil, ErrOtherPurpose
	}
	if !w.keep && slices.ContainsFunc(parts, o.doubtful) {
		if err := o.RefreshPool(ctx, s.source()); err != nil {
			return nil, err
		}
		o.View(func(v *wallet.Wallet) { parts = v.Payment(w.request) })
	}
	all := make([]made, len(parts))
	for i := range parts {
		var err error
		if stands := parts[i].Stands; stands != nil {
			if !w.keep && o.doubtful(parts[i]) {
				err = s.handAgain(ctx, o, stands)
			}
			if err == nil {
				all[i], err = s.asMade(ctx, stands, w.blob)
			}
		} else {
			all[i], err = s.tryAgain(ctx, o, w, parts, i, build)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// doubtful reports whether nobody knows that a daemon has a part of a payment: it was recorded before the wallet was opened, and no daemon has shown
// it since. A kill may have come before it was handed over.
func (o *open) doubtful(p wallet.Part) bool {
	if !p.Unseen || len(p.Stands.Blob) == 0 {
		return false
	}
	_, taken := o.handed.Load(p.Stands.TxID)
	return !taken
}

// handAgain hands over a transaction that is doubtful, before it is answered that it is sent. A daemon that has it takes it as well. Errors: the
// daemon's.
func (s *Service) handAgain(ctx context.Context, o *open, one *wallet.Sent) error {
	err := s.daemon().Send(ctx, one.Blob)
	switch r := (*daemon.Rejected)(nil); {
	case err == nil:
		o.handed.Store(one.TxID, nil)
		return nil
	case !errors.As(err, &r):
		return err
	case r.Has(daemon.DoubleSpend):
		return nil // it may be the one that spent them, in a block not read yet
	}
	return errors.Join(err, o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return w.DecideRefused(one.TxID, err.Error()), nil, nil
	}))
}

// tryAgain makes part i of a payment anew, of which no attempt counts.
func (s *Service) tryAgain(ctx context.Context, o *open, w wish, parts []wallet.Part, i int, build builder) (m made, err error) {
	again := &retry{attempts: parts[i].Attempts, whole: len(parts) == 1}
	for j := range parts {
		if j != i {
			again.others = append(again.others, parts[j].Attempts...)
		}
	}
	if last := again.last(); last != nil && !w.keep {
		sent := *last
		sent.State, sent.SentAt = wallet.SendPending, s.config.Now()
		err := s.send(ctx, o, sent)
		if err == nil {
			return s.asMade(ctx, &sent, false)
		}
		if !errors.Is(err, wallet.ErrInputs) && !refusedForGood(err) {
			return m, err
		}
	}
	if err := s.mayPay(ctx, o); err != nil {
		return m, err
	}
	all, err := build(o, again)
	if err != nil {
		return m, err
	}
	if len(all) != 1 {
		return m, walletrpc.Fail(walletrpc.CodeTxTooLarge, "idempotency_key: what replaces a transaction would not fit into one; nothing was sent")
	}
	all[0].sent.Request, all[0].sent.Part = w.request, parts[i].Number()
	return all[0], s.deliver(ctx, o, w, all)
}

// last returns the last attempt whose bytes are kept, or nil.
func (r *retry) last() *wallet.Sent {
	for _, a := range slices.Backward(r.attempts) {
		if len(a.Blob) > 0 {
			return a
		}
	}
	return nil
}

// deliver finishes what a request made: it writes the metadata that was asked for, then records the transactions and hands them over,
// unless they are to be kept. Those with a name are remembered either way.
func (s *Service) deliver(ctx context.Context, o *open, w wish, all []made) (err error) {
	sent := make([]wallet.Sent, len(all))
	for i := range all {
		if w.metadata {
			if all[i].metadata, err = s.metadata(o, &all[i]); err != nil {
				return err
			}
		}
		sent[i] = all[i].sent
	}
	switch {
	case w.keep && w.request != "":
		return o.Change(func(v *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			c, err := v.DecideDrafts(sent)
			return c, nil, err
		})
	case w.keep:
		return nil
	case w.request != "":
		return s.send(ctx, o, sent...)
	}
	for i := range sent {
		if err := s.send(ctx, o, sent[i]); err != nil {
			if i > 0 {
				s.config.Log.Warn("a payment in several transactions was sent in part", "sent", i, "of", len(sent))
			}
			return err
		}
	}
	return nil
}

// is reports whether parts are a payment for purpose p, and whole.
func (p *purpose) is(parts []wallet.Part) bool {
	wanted, paid := map[string]uint64{}, map[string]uint64{}
	put := func(sums map[string]uint64, address string, amount uint64) (ok bool) {
		sum, err := xmr.Sum(sums[address], amount)
		sums[address] = sum
		return err == nil
	}
	for _, d := range p.to {
		if !put(wanted, d.Address, d.Amount) {
			return false
		}
	}
	fees := uint64(0)
	for i := range parts {
		one := parts[i].Stands
		if one == nil {
			one = parts[i].Attempts[0]
		}
		if parts[i].Number() != uint32(i) || p.image == "" && one.Account != p.account {
			return false
		}
		if p.image != "" && !slices.ContainsFunc(one.Images(), func(i xmr.KeyImage) bool { return i.String() == strings.ToLower(p.image) }) {
			return false
		}
		fees += one.Fee
		for _, d := range one.Destinations {
			if !put(paid, d.Address, d.Amount) {
				return false
			}
		}
	}
	if len(wanted) != len(paid) {
		return false
	}
	lack := uint64(0) // what the destinations got less
	for address, amount := range wanted {
		got, ok := paid[address]
		if !ok || !p.sweep && (got > amount || got < amount && !p.subtract) {
			return false
		}
		lack += amount - got
	}
	return p.sweep || !p.subtract || lack == fees
}

// destinations returns what the part pays, as a request would say it; nil when the request says it as well.
func (r *retry) destinations() (list []walletrpc.Destination) {
	if r.whole {
		return nil
	}
	for _, d := range r.attempts[0].Destinations {
		list = append(list, walletrpc.Destination{Address: d.Address, Amount: d.Amount})
	}
	return list
}

// inputs returns what of available a transaction may spend, and which of that it has to.
func (r *retry) inputs(w *wallet.Wallet, available []build.Input) ([]build.Input, []int, error) {
	free := slices.DeleteFunc(available, func(in build.Input) bool { return spentBy(w, r.others, in) })
	must, err := w.Against(r.attempts, free)
	return free, must, err
}

// swept returns what another attempt at sweeping may spend: what the first ones did.
func (r *retry) swept(w *wallet.Wallet, now uint64) ([]build.Input, error) {
	own := slices.DeleteFunc(w.Spendable(r.attempts[0].Account, nil, w.Clock(now)), func(in build.Input) bool { return !spentBy(w, r.attempts, in) })
	_, err := w.Against(r.attempts, own)
	return own, err
}

// spentBy reports whether one of attempts spends in.
func spentBy(w *wallet.Wallet, attempts []*wallet.Sent, in build.Input) bool {
	o, ok := w.OutputByKey(in.Key)
	return ok && o.ImageKnown && slices.ContainsFunc(attempts, func(a *wallet.Sent) bool { return slices.Contains(a.Images(), o.Image) })
}

// refusedForGood reports that a transaction will not be mined. That its outputs are spent says nothing of the kind: it may be
// the one that spent them.
func refusedForGood(err error) bool {
	var r *daemon.Rejected
	return errors.As(err, &r) && !r.Has(daemon.DoubleSpend)
}

// asMade reads a recorded transaction as it was answered when it was made; metadata is left out, for there is nothing left to relay.
// Where the bytes are wished for, the daemon is asked for those of a transaction deep in the chain.
func (s *Service) asMade(ctx context.Context, one *wallet.Sent, blob bool) (m made, err error) {
	m = made{sent: *one, weight: one.Weight, result: &build.Result{ID: one.TxID, Blob: one.Blob}}
	if len(one.Blob) == 0 && blob {
		if m.result.Blob, err = s.mined(ctx, one.TxID); err != nil {
			return m, err
		}
	}
	if m.weight == 0 && len(m.result.Blob) > 0 {
		t, err := tx.Parse(m.result.Blob)
		if err != nil {
			return m, err
		}
		m.weight = t.Weight()
	}
	return m, nil
}

// mined asks the daemon for the bytes of a transaction, and returns none where it has pruned them.
func (s *Service) mined(ctx context.Context, id xmr.Hash) ([]byte, error) {
	found, missing, err := s.daemon().Transactions(ctx, []xmr.Hash{id}, daemon.Whole)
	if err != nil || len(missing) > 0 || !found[0].Prunable.IsZero() {
		return nil, err
	}
	return found[0].Append(nil), nil
}
