package service

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"slices"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/daemon"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// metadata encodes a transaction for relay_tx.
// Source: src/wallet/wallet_rpc_server.cpp, ptx_to_string.
func metadata(random io.Reader, o *openWallet, m *builtTx) (string, error) {
	if keys.HasHierarchies && m.next {
		return nextMetadata(&m.sent)
	}
	var change address.Address
	o.View(func(w *wallet.Wallet) { change = w.Address(keys.Index{Major: m.sent.Account}) })
	p, err := coldset.NewPendingTx(random, o.Keys(), m.result, change, o.positions())
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(p.Append(nil)), nil
}

// payer makes, records and relays the transactions of a payment, and does so only once per idempotency key.
type payer struct {
	active    *active
	refresher *refresher
	relayer   *relayer
	random    io.Reader
	now       func() uint64
	log       Log
}

// ErrIdempotencyKeyReused reports an idempotency_key that another payment has used.
var ErrIdempotencyKeyReused = walletrpc.Fail(walletrpc.CodeGenericTransfer, "idempotency_key: "+
	"this key was used for another payment, with other recipients, amounts or account, or for only a part of "+
	"this one: see get_transfers. Nothing was sent; use a new key for another payment")

var errKeyViewOnly = refuse("idempotency_key: a view-only wallet does not keep unsigned transactions, so it " +
	"cannot know whether one was sent; repeat the request without a key, and submit only one signed set")

// maybeUnsent reports whether a part of a payment may never have reached a daemon: it was recorded before the wallet
// was opened, perhaps just before a kill, and no daemon has reported it since.
func (o *openWallet) maybeUnsent(p wallet.Part) bool {
	if !p.Unseen || len(p.Stands.Blob) == 0 {
		return false
	}
	_, taken := o.relayed.Load(p.Stands.TxID)
	return !taken
}

// refusedForGood reports whether a rejected transaction will never be mined. A double spend does not mean that: the
// transaction itself may have spent the outputs.
func refusedForGood(err error) bool {
	var r *daemon.Rejected
	return errors.As(err, &r) && !r.Has(daemon.DoubleSpend)
}

// spend makes transactions. Unless the options disable it, spend also records and relays them. Payments are serialised
// so that no two choose the same outputs.
func (s *payer) spend(ctx context.Context, w sendOptions, p paymentTerms, build buildFunc) (builtBatch, error) {
	var b builtBatch
	o, err := s.active.current()
	if err != nil {
		return b, err
	}
	group, err := signersGroup(o)
	if err != nil {
		return b, err
	}
	if group != nil && w.request != "" {
		return b, refuse("idempotency_key: a multisig wallet does not keep transactions before all signers have signed")
	}
	if err := wallet.CheckText("an idempotency_key", w.request, wallet.MaxName); err != nil {
		return b, err
	}
	if !o.signs() && w.request != "" {
		return b, errKeyViewOnly
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	build = separately(beforeFork(build), &p, s.relayer.network)
	if b.all, err = s.repeat(ctx, o, w, p, build); err != nil || len(b.all) > 0 {
		return b, withCode(walletrpc.CodeGenericTransfer, err)
	}
	if err := checkFork(o); err != nil {
		return b, withCode(walletrpc.CodeGenericTransfer, err)
	}
	if err := s.refresher.mayPay(ctx, o); err != nil {
		return b, withCode(walletrpc.CodeGenericTransfer, err)
	}
	all, err := build(o, nil)
	if err != nil {
		return b, withCode(walletrpc.CodeGenericTransfer, err)
	}
	for i := range all {
		all[i].sent.Request, all[i].sent.Part = w.request, uint32(i)
	}
	b.all = all
	if group != nil {
		b.shared, err = sharedSet(s.random, o, group, all)
		return b, err
	}
	if !o.signs() {
		b.unsigned, err = unsignedSet(s.random, o, all)
		return b, err
	}
	return b, withCode(walletrpc.CodeGenericTransfer, s.deliver(ctx, o, w, all))
}

// repeat handles a request whose idempotency key was used before. For each transaction of the payment it returns the
// valid attempt. If all attempts failed, it sends the last one again, or makes another one that conflicts with each of
// them. If the key is new, it returns nil.
func (s *payer) repeat(
	ctx context.Context, o *openWallet, w sendOptions, p paymentTerms, build buildFunc,
) ([]builtTx, error) {
	var parts []wallet.Part
	o.View(func(v *wallet.Wallet) { parts = v.Payment(w.request) })
	if len(parts) == 0 {
		return nil, nil
	}
	if !p.matches(parts) {
		return nil, ErrIdempotencyKeyReused
	}
	if !w.keep && slices.ContainsFunc(parts, o.maybeUnsent) {
		if err := o.RefreshPool(ctx, s.active.connection()); err != nil {
			return nil, err
		}
		o.View(func(v *wallet.Wallet) { parts = v.Payment(w.request) })
	}
	all := make([]builtTx, len(parts))
	for i := range parts {
		var err error
		if stands := parts[i].Stands; stands != nil {
			if !w.keep && o.maybeUnsent(parts[i]) {
				err = s.relayAgain(ctx, o, stands)
			}
			if err == nil {
				all[i], err = s.rebuilt(ctx, stands, w.blob)
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

// relayAgain sends a transaction that may be unsent before it is reported as sent. A daemon that already has it
// accepts it again. It returns the daemon's errors.
func (s *payer) relayAgain(ctx context.Context, o *openWallet, one *wallet.Sent) error {
	err := s.active.connection().sender.send(ctx, one.Blob)
	switch r := (*daemon.Rejected)(nil); {
	case err == nil:
		o.relayed.Store(one.TxID, nil)
		return nil
	case !errors.As(err, &r):
		return err
	case r.Has(daemon.DoubleSpend):
		return nil // it may itself be in a block not read yet
	}
	return errors.Join(err, o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return w.DecideRefused(one.TxID, err.Error()), nil, nil
	}))
}

// tryAgain makes another attempt at part i of a payment, of which no attempt is valid.
func (s *payer) tryAgain(
	ctx context.Context, o *openWallet, w sendOptions, parts []wallet.Part, i int, build buildFunc,
) (m builtTx, err error) {
	again := &retry{attempts: parts[i].Attempts, whole: len(parts) == 1}
	for j := range parts {
		if j != i {
			again.others = append(again.others, parts[j].Attempts...)
		}
	}
	if last := again.last(); last != nil && !w.keep {
		sent := *last
		sent.State, sent.SentAt = wallet.SendPending, s.now()
		err := s.relayer.send(ctx, o, sent)
		if err == nil {
			return s.rebuilt(ctx, &sent, false)
		}
		if !errors.Is(err, wallet.ErrInputs) && !refusedForGood(err) {
			return m, err
		}
	}
	if err := s.refresher.mayPay(ctx, o); err != nil {
		return m, err
	}
	all, err := build(o, again)
	if err != nil {
		return m, err
	}
	if len(all) != 1 {
		return m, walletrpc.Fail(walletrpc.CodeTxTooLarge, "idempotency_key: the "+
			"replacement would not fit into one transaction; nothing was sent")
	}
	all[0].sent.Request, all[0].sent.Part = w.request, parts[i].Number()
	return all[0], s.deliver(ctx, o, w, all)
}

// deliver completes a request: it encodes requested metadata, then records and relays the transactions unless they
// are to be kept. Those with an idempotency key are recorded in either case.
func (s *payer) deliver(ctx context.Context, o *openWallet, w sendOptions, all []builtTx) (err error) {
	sent := make([]wallet.Sent, len(all))
	for i := range all {
		if w.metadata {
			if all[i].metadata, err = metadata(s.random, o, &all[i]); err != nil {
				return err
			}
		}
		sent[i] = all[i].sent
	}
	switch {
	case w.keep && w.request != "":
		return o.Change(func(v *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			c, err := v.DecideDrafts(sent)
			return c, nil, err
		})
	case w.keep:
		return nil
	case w.request != "":
		return s.relayer.send(ctx, o, sent...)
	}
	for i := range sent {
		if err := s.relayer.send(ctx, o, sent[i]); err != nil {
			if i > 0 {
				s.log.Warn("a payment in several transactions was sent in part", "sent", i, "of", len(sent))
			}
			return err
		}
	}
	return nil
}

// rebuilt returns a recorded transaction as it was when it was made, without metadata, because it need not be relayed.
// If blob is set and the wallet no longer stores the transaction's bytes, it fetches them from the daemon.
func (s *payer) rebuilt(ctx context.Context, one *wallet.Sent, blob bool) (m builtTx, err error) {
	m = builtTx{sent: *one, weight: one.Weight, result: &txbuild.Result{ID: one.TxID, Blob: one.Blob}}
	if len(one.Blob) == 0 && blob {
		if m.result.Blob, err = s.fetchMined(ctx, one.TxID); err != nil {
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

// fetchMined fetches the bytes of a transaction. It returns nothing if the daemon has pruned them, and for transactions
// of the next hard fork, whose proofs are not kept.
func (s *payer) fetchMined(ctx context.Context, id xmr.Hash) ([]byte, error) {
	found, missing, err := s.active.client().Transactions(ctx, []xmr.Hash{id}, daemon.Whole)
	if err != nil || len(missing) > 0 || !found[0].Prunable.IsZero() ||
		keys.HasHierarchies && found[0].Carrot != nil {
		return nil, err
	}
	return found[0].Append(nil), nil
}

// checkFork returns wallet.ErrForked once the wallet's chain has passed the next hard fork, unless the wallet can make
// transactions of it.
func checkFork(o *openWallet) (err error) {
	if keys.HasHierarchies {
		_, err = o.afterFork()
		return err
	}
	o.View(func(w *wallet.Wallet) { err = w.CheckFork() })
	return err
}

// beforeFork returns build, which fails with the error of checkFork.
func beforeFork(build buildFunc) buildFunc {
	return func(o *openWallet, again *retry) ([]builtTx, error) {
		if err := checkFork(o); err != nil {
			return nil, err
		}
		return build(o, again)
	}
}
