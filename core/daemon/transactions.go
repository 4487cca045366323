package daemon

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"glim/core/daemonrpc"
	"glim/core/internal/compact"
	"glim/core/say"
	"glim/core/tx"
	"glim/core/xmr"
)

// Extent says how much of transactions is asked for.
type Extent uint8

// The extents.
const (
	Pruned Extent = iota // without signatures and proofs
	Whole                // with them, as far as the daemon has them
)

// TxInfo is a transaction with what a daemon says about its place. The place is unproven: a lying daemon can show a
// transaction as mined, or at another height, or leave it out.
type TxInfo struct {
	Tx
	InPool          bool
	DoubleSpendSeen bool   // pool only
	Relayed         bool   // pool only
	Received        uint64 // pool only; seconds since 1970, 0 where the daemon keeps it to itself
	Height          uint64 // mined only: index of the block
	Timestamp       uint64 // mined only: of the block
	Confirmations   uint64 // mined only: blocks from its own to the top
	// Prunable is the hash of the part that was left out; zero when nothing was, or nothing is known of it.
	Prunable xmr.Hash
}

// Transactions asks for transactions of the chain and the pool. Every one found is Proven, but for version 1 from a
// daemon that has pruned it. missing are those the daemon does not have. Both are in the order of ids, each ID once.
func (c *Client) Transactions(ctx context.Context, ids []xmr.Hash, extent Extent) (found []TxInfo, missing []xmr.Hash, err error) {
	seen := map[xmr.Hash]bool{}
	var unique []xmr.Hash
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			unique = append(unique, id)
		}
	}
	for len(unique) > 0 {
		n := min(len(unique), askTxs)
		f, m, err := c.transactions(ctx, unique[:n], extent)
		if err != nil {
			return nil, nil, err
		}
		found, missing, unique = append(found, f...), append(missing, m...), unique[n:]
	}
	return found, missing, nil
}

func (c *Client) transactions(ctx context.Context, ids []xmr.Hash, extent Extent) (found []TxInfo, missing []xmr.Hash, err error) {
	q := daemonrpc.GetTransactionsRequest{Split: true, Prune: extent == Pruned}
	for _, id := range ids {
		q.TxsHashes = append(q.TxsHashes, id.String())
	}
	r, err := call(ctx, c, daemonrpc.GetTransactions, q)
	if err != nil {
		return nil, nil, err
	}
	// The two lists must be ids, shared out between them in order.
	if len(r.Txs)+len(r.MissedTx) != len(ids) {
		return nil, nil, lie("%d transactions found and %d missed for %d", len(r.Txs), len(r.MissedTx), len(ids))
	}
	txs, missed := r.Txs, r.MissedTx
	for i, id := range ids {
		switch {
		case len(txs) > 0 && strings.EqualFold(txs[0].TxHash, q.TxsHashes[i]):
			t, err := decodeEntry(id, &txs[0])
			if err != nil {
				return nil, nil, err
			}
			found, txs = append(found, t), txs[1:]
		case len(missed) > 0 && missed[0] == id:
			missing, missed = append(missing, id), missed[1:]
		default:
			return nil, nil, lie("transaction %s neither found nor missed", id)
		}
	}
	return found, missing, nil
}

func decodeEntry(id xmr.Hash, e *daemonrpc.TxEntry) (TxInfo, error) {
	text, whole := e.AsHex, true
	var prunable xmr.Hash
	if text == "" {
		text = e.PrunedAsHex + e.PrunableAsHex
		whole = e.PrunableAsHex != ""
		if !whole {
			var err error
			if prunable, err = xmr.ParseHash(e.PrunableHash); err != nil {
				return TxInfo{}, lie("prunable hash of %s: %w", id, err)
			}
		}
	}
	blob, err := say.Unhex(text)
	if err != nil {
		return TxInfo{}, lie("transaction %s is not hexadecimal", id)
	}
	var out TxInfo
	if out.Tx, err = decodeTx(nil, id, blob, whole, prunable); err != nil {
		return TxInfo{}, err
	}
	if !out.Proven { // a coinbase has nothing to prune, so its ID needs no other hash
		is := out.PrunedHash(prunable)
		if is != id && !(is.IsZero() && out.Version == 1) {
			return TxInfo{}, lie("the bytes of %s are another transaction's", id)
		}
		out.Proven = is == id
	}
	if !whole {
		out.Prunable = prunable
	}
	out.InPool, out.DoubleSpendSeen = e.InPool, e.DoubleSpendSeen
	if e.InPool {
		out.Relayed, out.Received = deref(e.Relayed), deref(e.ReceivedTimestamp)
		if out.IsCoinbase() {
			return TxInfo{}, lie("a coinbase in the pool")
		}
		return out, nil
	}
	if e.BlockHeight == nil || *e.BlockHeight >= maxHeight {
		return TxInfo{}, lie("transaction %s is in no block", id)
	}
	out.Height, out.Timestamp, out.Confirmations = *e.BlockHeight, deref(e.BlockTimestamp), deref(e.Confirmations)
	return out, out.setIndices(e.OutputIndices)
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Shown is a transaction as a block showed it.
type Shown struct {
	ID      xmr.Hash
	Block   xmr.Hash // ID of the block
	Tx      *tx.Transaction
	Compact bool // the block was a compact one
}

// Prove asks for transactions by their IDs, with what it takes to compute these, and compares them with what was shown. They say what was shown
// in the place of an ID, and nothing of whom it pays. Errors: ErrDaemonLied when the daemon has other bytes, or none, or
// cannot prove them. Where they are, and the indices of their outputs, is not looked at: both may have changed meanwhile.
// Version 1 has its signatures among what is hashed; nobody prunes those. Source: src/blockchain_db/lmdb/db_lmdb.cpp, prune_worker.
func (c *Client) Prove(ctx context.Context, shown []Shown) error {
	var ids [2][]xmr.Hash // by Extent
	for i := range shown {
		extent := Pruned
		if shown[i].Tx.Version == 1 {
			extent = Whole
		}
		ids[extent] = append(ids[extent], shown[i].ID)
	}
	proven := map[xmr.Hash]*TxInfo{}
	for extent := range ids {
		found, missing, err := c.Transactions(ctx, ids[extent], Extent(extent))
		if err != nil {
			return err
		}
		if len(missing) > 0 {
			return lie("transaction %s, shown before, is missing", missing[0])
		}
		for i := range found {
			proven[found[i].ID] = &found[i]
		}
	}
	for i := range shown {
		s := &shown[i]
		p := proven[s.ID]
		same := false
		if s.Compact {
			same = compact.Same(s.Block, s.Tx, p.Transaction)
		} else {
			same = bytes.Equal(s.Tx.AppendPruned(nil), p.AppendPruned(nil))
		}
		switch {
		case !p.Proven:
			return lie("transaction %s cannot be proven", s.ID)
		case !same:
			return lie("transaction %s, shown before, is another", s.ID)
		}
	}
	return nil
}

// SpentStatus says where a daemon has seen a key image.
type SpentStatus uint8

// The statuses.
const (
	Unspent      SpentStatus = daemonrpc.KeyImageUnspent
	SpentInChain SpentStatus = daemonrpc.KeyImageSpentInChain
	SpentInPool  SpentStatus = daemonrpc.KeyImageSpentInPool
)

// KeyImagesSpent asks which key images the daemon has seen, in the order of images. It tells the daemon that they
// belong together, and nothing of the answer is proven: a lying daemon can hide that outputs are spent.
func (c *Client) KeyImagesSpent(ctx context.Context, images []xmr.KeyImage) ([]SpentStatus, error) {
	var out []SpentStatus
	for len(images) > 0 {
		n := min(len(images), askKeyImages)
		q := daemonrpc.IsKeyImageSpentRequest{KeyImages: make([]string, n)}
		for i, k := range images[:n] {
			q.KeyImages[i] = k.String()
		}
		r, err := call(ctx, c, daemonrpc.IsKeyImageSpent, q)
		if err != nil {
			return nil, err
		}
		if len(r.SpentStatus) != n {
			return nil, lie("%d statuses for %d key images", len(r.SpentStatus), n)
		}
		for _, s := range r.SpentStatus {
			if s < 0 || s > daemonrpc.KeyImageSpentInPool {
				return nil, lie("key image status %d", s)
			}
			out = append(out, SpentStatus(s))
		}
		images = images[n:]
	}
	return out, nil
}

// Reason is why a daemon did not take a transaction.
type Reason string

// The reasons, in words for people.
const (
	DoubleSpend       Reason = "one of its inputs is already spent"
	FeeTooLow         Reason = "its fee is too low"
	LowRing           Reason = "its rings have too few members"
	InvalidInput      Reason = "one of its inputs is invalid"
	InvalidOutput     Reason = "one of its outputs is invalid"
	TooBig            Reason = "it is too large"
	Overspend         Reason = "it spends more than it has"
	TooFewOutputs     Reason = "it has too few outputs"
	SanityCheckFailed Reason = "its ring members look unusual"
	ExtraTooBig       Reason = "its extra field is too large"
	NonzeroUnlockTime Reason = "it has an unlock time"
	NotRingCT         Reason = "it is not RingCT"
)

// Rejected says why a daemon did not take a transaction. A lying daemon can say so and pass it on all the same: another
// attempt must spend the same inputs, so that at most one is ever mined.
type Rejected struct {
	Reasons []Reason
	Text    string // the daemon's own words
}

// Error returns the reasons.
func (r *Rejected) Error() string {
	words := make([]string, len(r.Reasons))
	for i, reason := range r.Reasons {
		words[i] = string(reason)
	}
	if len(words) == 0 {
		words = []string{"no reason given"}
	}
	s := ErrRejected.Error() + ": " + strings.Join(words, ", ")
	if r.Text != "" {
		s += say.Sprintf(" (%q)", r.Text)
	}
	return s
}

// Is reports whether target is ErrRejected.
func (r *Rejected) Is(target error) bool { return target == ErrRejected }

// Has reports whether reason is among the reasons.
func (r *Rejected) Has(reason Reason) bool {
	for _, x := range r.Reasons {
		if x == reason {
			return true
		}
	}
	return false
}

// Send hands a signed transaction over for the network. Errors: *Rejected when the daemon says it did not take it.
// After any other error it may have.
func (c *Client) Send(ctx context.Context, blob []byte) error {
	r, err := call(ctx, c, daemonrpc.SendRawTransaction, daemonrpc.SendRawTransactionRequest{
		TxAsHex: hex.EncodeToString(blob), DoSanityChecks: true})
	var refused *Refused
	if !errors.As(err, &refused) || refused.Code != 0 {
		return err
	}
	out := &Rejected{Text: say.Short(r.Reason)}
	for _, flag := range []struct {
		set    bool
		reason Reason
	}{
		{r.DoubleSpend, DoubleSpend}, {r.FeeTooLow, FeeTooLow}, {r.LowMixin, LowRing}, {r.InvalidInput, InvalidInput},
		{r.InvalidOutput, InvalidOutput}, {r.TooBig, TooBig}, {r.Overspend, Overspend}, {r.TooFewOutputs, TooFewOutputs},
		{r.SanityCheckFailed, SanityCheckFailed}, {r.TxExtraTooBig, ExtraTooBig},
		{r.NonzeroUnlockTime, NonzeroUnlockTime}, {r.NotRCT, NotRingCT},
	} {
		if flag.set {
			out.Reasons = append(out.Reasons, flag.reason)
		}
	}
	if out.Text == "" && r.Status != daemonrpc.StatusFailed {
		out.Text = say.Short(r.Status)
	}
	return out
}
