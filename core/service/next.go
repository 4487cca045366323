//go:build !nocarrot

package service

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"slices"

	"glim/core/carrot"
	"glim/core/codec/epee"
	"glim/core/fcmpbuild"
	"glim/core/fee"
	"glim/core/session"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/xmr"
)

// afterFork returns what makes the wallet's transactions after the next hard fork, for view-only wallets with a cold
// signer, and nil before it. It returns wallet.ErrForked if the wallet cannot make them, and wallet.ErrCarrotKeys.
func (o *openWallet) afterFork() (next session.Paths, err error) {
	var forked bool
	o.View(func(w *wallet.Wallet) { forked, err = w.Forked(), w.CheckFork() })
	if !forked || o.Paths() == nil {
		return nil, err
	}
	if !carrot.CanSpend(o.Keys()) && !o.hasColdSigner() {
		return nil, err
	}
	return o.Paths(), nil
}

// hasColdSigner reports whether the wallet is view-only, and sees enough to prepare transactions.
func (o *openWallet) hasColdSigner() bool {
	if o.group() != nil || o.Keys().CanSpend() {
		return false
	}
	_, err := fcmpbuild.ViewerOf(o.Keys())
	return err == nil
}

// signs reports whether the wallet itself signs its transactions.
func (o *openWallet) signs() bool {
	next, _ := o.afterFork()
	return o.Keys().CanSpend() || next != nil && carrot.CanSpend(o.Keys())
}

// weigher returns how transactions of the next hard fork are weighed; nil for those with rings.
func (a *prefetchedOutputs) weigher() txbuild.Weigher {
	if a.next == nil {
		return nil
	}
	return a.next.Weight
}

// nextCeiling returns the fee ceiling of transactions of the next hard fork if the wallet makes such, or now.
func nextCeiling(o *openWallet, network xmr.Network, now fee.Ceiling) fee.Ceiling {
	if next, _ := o.afterFork(); next != nil {
		return next.Ceiling(feeNetwork(network, o.height()))
	}
	return now
}

func (o *openWallet) height() (height uint64) {
	o.View(func(w *wallet.Wallet) { height = w.Height() })
	return height
}

// constructNext makes a finished transaction of the next hard fork, or one for a cold signer. now is in POSIX seconds.
func constructNext(
	ctx context.Context, o *openWallet, network xmr.Network, now uint64, account uint32, plan txbuild.Plan,
	rate txbuild.Rate, next session.Paths,
) (builtTx, error) {
	request := session.NextRequest{
		Plan: plan, Account: account, PerByte: rate.Fees.PerByte(rate.Priority),
		Network: feeNetwork(network, o.height()), Progress: o.SetProving,
	}
	defer o.SetProving(0)
	if !carrot.CanSpend(o.Keys()) {
		cold, sent, err := next.Prepare(o.View, o.Keys(), request)
		return builtTx{sent: sent, weight: sent.Weight, cold: cold, next: true}, err
	}
	sent, err := next.Build(ctx, o.View, o.Keys(), request)
	if err != nil {
		return builtTx{}, err
	}
	sent.SentAt = now
	return builtTx{
		sent: sent, weight: sent.Weight, result: &txbuild.Result{ID: sent.TxID, Blob: sent.Blob}, next: true,
	}, nil
}

// The metadata of a transaction of the next hard fork, for relay_tx: nextMark, and its record in epee's encoding. The
// reference has no format for them yet.
const nextMark = "glim transaction\x01"

func nextMetadata(sent *wallet.Sent) (string, error) {
	b, err := epee.Append([]byte(nextMark), sent)
	if err != nil {
		return "", err
	}
	defer clear(b) // it has the secrets of ephemeral keys
	return hex.EncodeToString(b), nil
}

// isNext reports whether metadata is that of a transaction of the next hard fork.
func isNext(b []byte) bool { return bytes.HasPrefix(b, []byte(nextMark)) }

// errTooEarly reports a transaction of the next hard fork before it.
var errTooEarly = errors.New("the transaction is of the next hard fork, which the chain has not reached")

// nextSent returns the record of a transaction from its metadata, at now in POSIX seconds; described is false if the
// metadata is invalid. What the chain will show is taken from the transaction itself, not from its description. It
// returns errTooEarly, wallet.ErrInputs if it spends an output that is not the wallet's, and the errors of afterFork.
func nextSent(o *openWallet, metadata []byte, now uint64) (sent wallet.Sent, described bool, err error) {
	next, err := o.afterFork()
	if err == nil && next == nil {
		err = errTooEarly
	}
	if err != nil {
		return sent, true, err
	}
	var text wallet.Sent
	if epee.Unmarshal(metadata[len(nextMark):], &text) != nil {
		return sent, false, nil
	}
	if sent, err = next.Inspect(text.Blob); err != nil {
		return sent, false, nil
	}
	sent.PaymentID, sent.Change, sent.Destinations = text.PaymentID, text.Change, text.Destinations
	sent.Key, sent.AdditionalKeys, sent.SentAt = text.Key, text.AdditionalKeys, now
	o.View(func(w *wallet.Wallet) {
		for _, image := range sent.Spent {
			if err = countInput(w, &sent, image); err != nil {
				return
			}
		}
	})
	slices.Sort(sent.Indices)
	return sent, true, err
}
