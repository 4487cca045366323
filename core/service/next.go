package service

import (
	"context"
	"encoding/hex"
	"slices"

	"glim/core/codec/epee"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// Payments after the next hard fork. Config.Paths makes them; programs without Carrot do not link the following.

// afterFork returns what makes the wallet's transactions after the next hard fork, and nil before it. It returns
// wallet.ErrForked if the wallet cannot make them, and wallet.ErrCarrotKeys.
func (o *openWallet) afterFork() (next session.Paths, err error) {
	var forked bool
	o.View(func(w *wallet.Wallet) { forked, err = w.Forked(), w.CheckFork() })
	if !keys.HasHierarchies || !forked || o.Paths() == nil {
		return nil, err
	}
	k := o.Keys()
	if !k.CanSpend() || k.External() || k.Hierarchy() != nil {
		return nil, err
	}
	return o.Paths(), nil
}

// buildable returns build, which fails with the error of afterFork.
func buildable(build buildFunc) buildFunc {
	return func(o *openWallet, again *retry) ([]builtTx, error) {
		if _, err := o.afterFork(); err != nil {
			return nil, err
		}
		return build(o, again)
	}
}

// weigher returns how the transactions of next are weighed; nil for rings.
func weigher(next session.Paths) txbuild.Weigher {
	if !keys.HasHierarchies || next == nil {
		return nil
	}
	return next.Weight
}

// feeNetwork returns the network whose rules limit the fees of a wallet at a height. A mainnet wallet on a private
// chain pays that chain's higher fees; the wallet recognises a private chain by its own height rather than by the
// daemon's claim, because mainnet is longer.
func feeNetwork(network xmr.Network, height uint64) xmr.Network {
	if network == xmr.Mainnet && height < ringCTHeight {
		return xmr.Regtest
	}
	return network
}

// constructNext makes a finished transaction of the next hard fork.
func (s *builder) constructNext(
	ctx context.Context, o *openWallet, account uint32, plan txbuild.Plan, rate txbuild.Rate, next session.Paths,
) (builtTx, error) {
	var height uint64
	o.View(func(w *wallet.Wallet) { height = w.Height() })
	sent, err := next.Build(ctx, o.View, o.Keys(), session.NextRequest{
		Plan: plan, Account: account, PerByte: rate.Fees.PerByte(rate.Priority),
		Network: feeNetwork(s.network, height),
	})
	if err != nil {
		return builtTx{}, err
	}
	sent.SentAt = s.now()
	return builtTx{sent: sent, weight: sent.Weight, result: &txbuild.Result{ID: sent.TxID, Blob: sent.Blob},
		next: true}, nil
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

// nextSent returns the record of a transaction from what nextMetadata returned, without its mark; ok is false for
// others. Everything that the chain will show is taken from the transaction itself, not from its description. It
// returns wallet.ErrInputs if it spends outputs of others.
func (s *relayer) nextSent(o *openWallet, b []byte) (sent wallet.Sent, err error) {
	next, err := o.afterFork()
	if err != nil {
		return sent, err
	}
	var described wallet.Sent
	if next == nil || epee.Unmarshal(b, &described) != nil {
		return sent, errBadMetadata
	}
	if sent, err = next.Inspect(described.Blob); err != nil {
		return sent, errBadMetadata
	}
	sent.PaymentID, sent.Change, sent.Destinations = described.PaymentID, described.Change, described.Destinations
	sent.Key, sent.AdditionalKeys, sent.SentAt = described.Key, described.AdditionalKeys, s.now()
	o.View(func(w *wallet.Wallet) {
		for _, image := range sent.Spent {
			out, ok := w.OutputByImage(image)
			if !ok {
				err = wallet.ErrInputs
				return
			}
			sent.AmountIn += out.Amount
			sent.Account = out.Address.Major
			if !slices.Contains(sent.Indices, out.Address.Minor) {
				sent.Indices = append(sent.Indices, out.Address.Minor)
			}
		}
	})
	slices.Sort(sent.Indices)
	return sent, err
}

var errBadMetadata = walletrpc.Fail(walletrpc.CodeBadTxMetadata, "")

// newEstimate checks the fees of a daemon. next is not nil after the next hard fork.
func newEstimate(next session.Paths, ceiling fee.Ceiling, fees []uint64, mask uint64) (fee.Estimate, error) {
	if keys.HasHierarchies && next != nil {
		return fee.NewNextEstimate(ceiling, fees, mask)
	}
	return fee.NewEstimate(ceiling, fees, mask)
}
