package upstream

import (
	"context"
	"encoding/hex"
	"strings"

	"glim/core/block"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/fcmptx"
	"glim/core/internal/flight"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/xmr"
)

// Limits for restricted callers (restricted…) and for all (most…). Source: src/rpc/core_rpc_server.cpp,
// RESTRICTED_TRANSACTIONS_COUNT and others.
const (
	restrictedTxs    = 100
	restrictedImages = 5000
	restrictedBlocks = 1000
	restrictedLoose  = 5000

	mostTxs     = 10_000
	mostImages  = 50_000
	askTexts    = 100
	mostTxBytes = 100 << 20
)

// placed is a transaction with its position in the chain or the pool, as reported by the upstream.
type placed struct {
	heldTx
	pool            bool
	doubleSpendSeen bool   // pool only
	relayed         bool   // pool only
	received        uint64 // pool only; POSIX seconds
	height          uint64
	time            uint64 // of the block; POSIX seconds
	indices         []uint64
}

// parseHashes parses the hexadecimal hashes of a request. what names them in the error.
func parseHashes(list []string, what string) ([]xmr.Hash, error) {
	hashes := make([]xmr.Hash, len(list))
	for i, text := range list {
		b, err := hex.DecodeString(text)
		if err != nil {
			return nil, refuse("Failed to parse hex representation of " + what)
		}
		if len(b) != len(hashes[i]) {
			return nil, refuse("Failed, size of data mismatch")
		}
		hashes[i] = xmr.Hash(b)
	}
	return hashes, nil
}

// remembered returns a cached transaction, or nil. whole requires the prunable part.
func (f *Front) remembered(id xmr.Hash, whole bool) *placed {
	if b, i, ok := f.store.tx(id); ok {
		if i == 0 {
			t, err := coinbaseOf(b)
			if err != nil {
				return nil
			}
			return &placed{heldTx: hold(&daemon.Tx{ID: id, Transaction: t}, t.Append(nil), xmr.Hash{}),
				height: b.height, time: b.time, indices: b.indices[0]}
		}
		if t := b.txs[i-1]; t.whole || !whole {
			return &placed{heldTx: t, height: b.height, time: b.time, indices: b.indices[i]}
		}
	}
	if p, ok := get[*placed](f.store, key{kind: ofTx, id: id}); ok && (p.whole || !whole) {
		return p
	}
	return nil
}

// coinbaseOf returns the coinbase of a cached block.
func coinbaseOf(b *held) (*tx.Transaction, error) {
	parsed, err := block.Parse(b.blob)
	if err != nil {
		return nil, err
	}
	return &parsed.MinerTx, nil
}

// lookup returns transactions by ID, from the cache or the upstream; unknown ones are missing from the map. whole
// requires the prunable part.
func (f *Front) lookup(ctx context.Context, m memory, ids []xmr.Hash, whole bool) (map[xmr.Hash]*placed, error) {
	known := map[xmr.Hash]*placed{}
	var missing []xmr.Hash
	name := strings.Builder{}
	for _, id := range ids {
		if p := f.remembered(id, whole); p != nil {
			known[id] = p
			continue
		}
		missing = append(missing, id)
		name.Write(id[:])
	}
	if len(missing) == 0 {
		return known, nil
	}
	extent, prefix := daemon.Pruned, "get_pruned_transactions "
	if whole {
		extent, prefix = daemon.Whole, "get_transactions "
	}
	found, err := flight.Get(ctx, &f.group, prefix+name.String(), func(ctx context.Context) ([]daemon.TxInfo, error) {
		return ask(ctx, f, func(ctx context.Context, c *daemon.Client) ([]daemon.TxInfo, error) {
			found, _, err := c.Transactions(ctx, missing, extent)
			return found, err
		})
	})
	if err != nil {
		return nil, err
	}
	for i := range found {
		t := &found[i]
		blob := t.AppendPruned(nil)
		if !t.IsPruned() {
			blob = t.Append(nil)
		}
		blob = append(blob, t.Proofs...)
		p := &placed{
			heldTx: hold(&t.Tx, blob, t.Prunable),
			pool:   t.InPool, doubleSpendSeen: t.DoubleSpendSeen, relayed: t.Relayed,
			received: t.Received, height: t.Height, time: t.Timestamp, indices: t.OutputIndices,
		}
		known[t.ID] = p
		if !t.InPool && t.Proven {
			m.put(key{kind: ofTx, id: t.ID}, t.Height, p, len(p.blob)+8*len(p.indices))
		}
	}
	return known, nil
}

// getTransactions returns transactions of the chain and the pool. Source: src/rpc/core_rpc_server.cpp,
// on_get_transactions.
func (s service) getTransactions(
	ctx context.Context, req daemonrpc.GetTransactionsRequest,
) (r daemonrpc.GetTransactionsResponse, err error) {
	if len(req.TxsHashes) > mostTxs || s.limited && len(req.TxsHashes) > restrictedTxs {
		return r, refuse("Too many transactions requested in restricted mode")
	}
	ids, err := parseHashes(req.TxsHashes, "transaction hash")
	if err != nil {
		return r, err
	}
	m, err := s.memory(ctx)
	if err != nil {
		return r, err
	}
	known, err := s.lookup(ctx, m, ids, !req.Prune)
	if err != nil {
		return r, err
	}
	r.Metered = metered
	size := 0
	var undescribed []int // positions in r.Txs
	for i, id := range ids {
		p := known[id]
		if p == nil {
			r.MissedTx = append(r.MissedTx, id)
			continue
		}
		e := s.txEntry(p, req.TxsHashes[i], m.tip.height)
		pruned, prunable := p.blob[:p.pruned], p.blob[p.pruned:]
		if req.Split || req.Prune || len(prunable) == 0 {
			e.PrunedAsHex = hex.EncodeToString(pruned)
			if !req.Prune {
				e.PrunableAsHex = hex.EncodeToString(prunable)
			}
		} else {
			e.AsHex = hex.EncodeToString(p.blob)
		}
		if req.DecodeAsJSON {
			text, ok := describe(p, !req.Prune)
			if !ok {
				undescribed = append(undescribed, len(r.Txs))
			}
			e.AsJSON = text
		}
		size += 2*len(e.AsHex) + len(e.PrunedAsHex) + len(e.PrunableAsHex) + 2*len(e.AsJSON)
		if size > mostTxBytes {
			return daemonrpc.GetTransactionsResponse{}, refuse("Failed, too many transactions requested")
		}
		r.TxsAsHex = append(r.TxsAsHex, e.AsHex)
		r.Txs = append(r.Txs, e)
	}
	if err := s.texts(ctx, r.Txs, undescribed, req.Prune); err != nil {
		return daemonrpc.GetTransactionsResponse{}, err
	}
	if req.DecodeAsJSON {
		for i := range r.Txs {
			r.TxsAsJSON = append(r.TxsAsJSON, r.Txs[i].AsJSON)
		}
	}
	return r, nil
}

// txEntry returns the entry of a transaction without its data. chain is the number of blocks.
func (s service) txEntry(p *placed, name string, chain uint64) daemonrpc.TxEntry {
	e := daemonrpc.TxEntry{
		TxHash: name, PrunableHash: p.prunable.String(), DoubleSpendSeen: p.doubleSpendSeen, InPool: p.pool,
	}
	if p.pool {
		relayed, received := p.relayed, p.received
		if s.limited {
			received = 0
		}
		e.Relayed, e.ReceivedTimestamp = &relayed, &received
		return e
	}
	height, time, confirmations := p.height, p.time, max(chain, p.height+1)-p.height
	e.BlockHeight, e.BlockTimestamp, e.Confirmations, e.OutputIndices = &height, &time, &confirmations, p.indices
	return e
}

// describe returns the JSON of a transaction, made from its bytes. It returns false if it does not support the kind of
// transaction.
func describe(p *placed, whole bool) (string, bool) {
	var t *tx.Transaction
	var err error
	if p.whole {
		t, _, err = fcmptx.Default.ParseAny(p.blob)
	} else {
		t, err = fcmptx.Default.ParsePrunedAny(p.blob)
	}
	if err != nil {
		return "", false
	}
	return daemonrpc.TxJSON(t, whole)
}

// texts fills in the JSON of old transactions that describe does not support. The upstream provides it, unchecked.
func (f *Front) texts(ctx context.Context, entries []daemonrpc.TxEntry, which []int, prune bool) error {
	for len(which) > 0 {
		some := which[:min(len(which), askTexts)]
		which = which[len(some):]
		req := daemonrpc.GetTransactionsRequest{DecodeAsJSON: true, Prune: prune, Split: true}
		for _, i := range some {
			req.TxsHashes = append(req.TxsHashes, entries[i].TxHash)
		}
		r, err := ask(ctx, f, func(ctx context.Context, c *daemon.Client) (daemonrpc.GetTransactionsResponse, error) {
			r, err := question(ctx, c, daemonrpc.GetTransactions, req)
			if err == nil && len(r.Txs) != len(some) {
				err = invalid("%d descriptions of %d transactions", len(r.Txs), len(some))
			}
			return r, err
		})
		if err != nil {
			return err
		}
		for k, i := range some {
			entries[i].AsJSON = r.Txs[k].AsJSON
		}
	}
	return nil
}

// isKeyImageSpent caches nothing: an unspent key image may be spent at any time, and a cache could reveal to other
// clients which key images were requested.
func (s service) isKeyImageSpent(
	ctx context.Context, req daemonrpc.IsKeyImageSpentRequest,
) (r daemonrpc.IsKeyImageSpentResponse, err error) {
	if len(req.KeyImages) > mostImages || s.limited && len(req.KeyImages) > restrictedImages {
		return r, refuse("Too many key images queried in restricted mode")
	}
	hashes, err := parseHashes(req.KeyImages, "key image")
	if err != nil {
		return r, err
	}
	images := make([]xmr.KeyImage, len(hashes))
	for i, h := range hashes {
		images[i] = xmr.KeyImage(h)
	}
	list, err := ask(ctx, s.Front, func(ctx context.Context, c *daemon.Client) ([]daemon.SpentStatus, error) {
		return c.KeyImagesSpent(ctx, images)
	})
	if err != nil {
		return r, err
	}
	r.Metered = metered
	for _, one := range list {
		r.SpentStatus = append(r.SpentStatus, int32(one))
	}
	return r, nil
}

// sendRawTransaction relays a well-formed transaction. It is safe to send it again to the next upstream.
// Source: src/rpc/core_rpc_server.cpp, on_send_raw_tx.
func (s service) sendRawTransaction(
	ctx context.Context, req daemonrpc.SendRawTransactionRequest,
) (r daemonrpc.SendRawTransactionResponse, err error) {
	r.Metered = metered
	r.SetStatus(daemonrpc.StatusFailed)
	blob, err := hex.DecodeString(req.TxAsHex)
	if err != nil {
		return r, nil
	}
	if len(blob) > maxTxSize {
		r.TooBig, r.Reason = true, "too big"
		return r, nil
	}
	t, _, err := fcmptx.Default.ParseAny(blob)
	if err != nil || t.IsCoinbase() {
		r.Reason = "not a transaction that can be sent"
		return r, nil
	}
	req.Payer = daemonrpc.Payer{}
	return ask(ctx, s.Front, func(ctx context.Context, c *daemon.Client) (daemonrpc.SendRawTransactionResponse, error) {
		r, err := daemon.Ask(ctx, c, daemonrpc.SendRawTransaction, req)
		if err == nil && r.Status == daemonrpc.StatusBusy {
			err = daemon.ErrBusy
		}
		return r, err
	})
}

// maxTxSize is the size limit of a transaction in bytes. Source: src/cryptonote_config.h, CRYPTONOTE_MAX_TX_SIZE.
const maxTxSize = 1_000_000

// getTxIDsLoose returns the upstream's answer, after a check that all IDs match the template. Whether the list is
// complete, and whether the transactions exist, cannot be checked.
func (s service) getTxIDsLoose(
	ctx context.Context, req daemonrpc.GetTxIDsLooseRequest,
) (daemonrpc.GetTxIDsLooseResponse, error) {
	r, err := pass(ctx, s.Front, daemonrpc.GetTxIDsLoose, req, func(r *daemonrpc.GetTxIDsLooseResponse) error {
		for _, id := range r.TxIDs {
			if daemonrpc.LooseTemplate(id, req.NumMatchingBits).String() != strings.ToLower(req.TxIDTemplate) {
				return invalid("transaction %s does not match %s", id, smallfmt.Short(req.TxIDTemplate))
			}
		}
		return nil
	})
	if err == nil && s.limited && len(r.TxIDs) > restrictedLoose {
		return daemonrpc.GetTxIDsLooseResponse{},
			fail(daemonrpc.CodeWrongParam, "Trying to search with too few matching bits")
	}
	return r, err
}
