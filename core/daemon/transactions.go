package daemon

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"glim/core/daemonrpc"
	"glim/core/internal/compact"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/xmr"
)

// Extent selects how much of transactions to request.
type Extent uint8

// The extents.
const (
	Pruned Extent = iota // without signatures and proofs
	Whole                // with them, unless the daemon has pruned them
)

// TxInfo is a transaction with its position as reported by a daemon. The position is unproven: a malicious daemon can
// report a transaction as mined or at another height, or omit it.
type TxInfo struct {
	Tx
	InPool          bool
	DoubleSpendSeen bool   // pool only
	Relayed         bool   // pool only
	Received        uint64 // pool only; seconds since 1970, 0 if the daemon does not report it
	Height          uint64 // mined only: index of the block
	Timestamp       uint64 // mined only: of the block, in seconds since 1970
	Confirmations   uint64 // mined only: number of blocks from its own to the top
	// Prunable is the hash of the omitted part. It is zero if the transaction is complete or the hash is unknown.
	Prunable xmr.Hash
}

// Transactions requests transactions of the chain and the pool. Those found are Proven, except version 1 transactions
// from a daemon that has pruned them. missing lists those that the daemon does not have. Both results are in the order
// of ids, without duplicates.
func (c *Client) Transactions(
	ctx context.Context, ids []xmr.Hash, extent Extent,
) (found []TxInfo, missing []xmr.Hash, err error) {
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

func (c *Client) transactions(
	ctx context.Context, ids []xmr.Hash, extent Extent,
) (found []TxInfo, missing []xmr.Hash, err error) {
	q := daemonrpc.GetTransactionsRequest{Split: true, Prune: extent == Pruned}
	for _, id := range ids {
		q.TxsHashes = append(q.TxsHashes, id.String())
	}
	r, err := call(ctx, c, daemonrpc.GetTransactions, q)
	if err != nil {
		return nil, nil, err
	}
	// Each ID must be in one of the two lists, in the order of ids.
	if len(r.Txs)+len(r.MissedTx) != len(ids) {
		return nil, nil, invalid("%d transactions found and %d missed for %d", len(r.Txs), len(r.MissedTx), len(ids))
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
			return nil, nil, invalid("transaction %s neither found nor missed", id)
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
				return TxInfo{}, invalid("prunable hash of %s: %w", id, err)
			}
		}
	}
	blob, err := smallfmt.Unhex(text)
	if err != nil {
		return TxInfo{}, invalid("transaction %s is not hexadecimal", id)
	}
	var out TxInfo
	if out.Tx, err = decodeTx(nil, id, blob, whole, prunable); err != nil {
		return TxInfo{}, err
	}
	if !out.Proven { // a coinbase has no prunable part, so its ID needs no other hash
		is := out.PrunedHash(prunable)
		if is != id && !(is.IsZero() && out.Version == 1) {
			return TxInfo{}, invalid("the bytes are not those of transaction %s", id)
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
			return TxInfo{}, invalid("a coinbase in the pool")
		}
		return out, nil
	}
	if e.BlockHeight == nil || *e.BlockHeight >= maxHeight {
		return TxInfo{}, invalid("transaction %s is in no block", id)
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

// ShownTx is a transaction as received in a block.
type ShownTx struct {
	ID      xmr.Hash
	Block   xmr.Hash // ID of the block
	Tx      *tx.Transaction
	Compact bool // whether the block was a compact one
}

// Prove requests transactions by their IDs, with the data needed to compute the IDs, and compares them with shown. It
// returns ErrInvalidResponse if the daemon has other bytes, lacks a transaction, or cannot prove it. It ignores the
// positions of the transactions and their output indices, because both may have changed meanwhile. The daemon learns
// the IDs: to hide which transactions concern a wallet, pass those of complete blocks.
//
// The ID of a version 1 transaction covers its signatures, so these are requested complete; no daemon prunes them.
// Source: src/blockchain_db/lmdb/db_lmdb.cpp, prune_worker.
func (c *Client) Prove(ctx context.Context, shown []ShownTx) error {
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
			return invalid("transaction %s, shown before, is missing", missing[0])
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
			same = compact.MatchesTransaction(s.Block, s.Tx, p.Transaction)
		} else {
			same = bytes.Equal(s.Tx.AppendPruned(nil), p.AppendPruned(nil))
		}
		switch {
		case !p.Proven:
			return invalid("transaction %s cannot be proven", s.ID)
		case !same:
			return invalid("transaction %s differs from the one shown before", s.ID)
		}
	}
	return nil
}

// SpentStatus reports whether and where a daemon has seen a key image.
type SpentStatus uint8

// The statuses.
const (
	Unspent      SpentStatus = daemonrpc.KeyImageUnspent
	SpentInChain SpentStatus = daemonrpc.KeyImageSpentInChain
	SpentInPool  SpentStatus = daemonrpc.KeyImageSpentInPool
)

// KeyImagesSpent requests the status of key images and returns it in their order. The request reveals that the key
// images belong together. The answer is unproven: a malicious daemon can hide that outputs are spent.
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
			return nil, invalid("%d statuses for %d key images", len(r.SpentStatus), n)
		}
		for _, s := range r.SpentStatus {
			if s < 0 || s > daemonrpc.KeyImageSpentInPool {
				return nil, invalid("key image status %d", s)
			}
			out = append(out, SpentStatus(s))
		}
		images = images[n:]
	}
	return out, nil
}

// Reason is why a daemon rejected a transaction.
type Reason string

// The reasons, worded for users.
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

// Rejected reports that a daemon rejected a transaction. A malicious daemon can relay it all the same. So another
// attempt must spend the same inputs; then at most one of the transactions is ever mined.
type Rejected struct {
	Reasons []Reason
	Text    string // the daemon's message, shortened
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
		s += smallfmt.Sprintf(" (%q)", r.Text)
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

// Send submits a signed transaction to the network. It returns *Rejected if the daemon reports that it rejected the
// transaction. After any other error the daemon may have accepted it.
func (c *Client) Send(ctx context.Context, blob []byte) error {
	r, err := call(ctx, c, daemonrpc.SendRawTransaction, daemonrpc.SendRawTransactionRequest{
		TxAsHex: hex.EncodeToString(blob), DoSanityChecks: true})
	var refused *Refused
	if !errors.As(err, &refused) || refused.Code != 0 {
		return err
	}
	out := &Rejected{Text: smallfmt.Short(r.Reason)}
	for _, flag := range []struct {
		set    bool
		reason Reason
	}{
		{r.DoubleSpend, DoubleSpend}, {r.FeeTooLow, FeeTooLow}, {r.LowMixin, LowRing}, {r.InvalidInput, InvalidInput},
		{
			r.InvalidOutput, InvalidOutput,
		}, {r.TooBig, TooBig}, {r.Overspend, Overspend}, {r.TooFewOutputs, TooFewOutputs},
		{r.SanityCheckFailed, SanityCheckFailed}, {r.TxExtraTooBig, ExtraTooBig},
		{r.NonzeroUnlockTime, NonzeroUnlockTime}, {r.NotRCT, NotRingCT},
	} {
		if flag.set {
			out.Reasons = append(out.Reasons, flag.reason)
		}
	}
	if out.Text == "" && r.Status != daemonrpc.StatusFailed {
		out.Text = smallfmt.Short(r.Status)
	}
	return out
}
