package node

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/keccak"
	"glim/core/daemonrpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// restrictedImages limits a restricted request. Source: src/rpc/core_rpc_server.cpp,
// RESTRICTED_SPENT_KEY_IMAGES_COUNT.
const restrictedImages = 5000

// hashesOf parses the hashes of a request, or returns a status if they are invalid or too many for a restricted caller.
func (s service) hashesOf(list []string, what string, most int, tooMany string) ([]xmr.Hash, string) {
	if s.limited && len(list) > most {
		return nil, tooMany
	}
	hashes := make([]xmr.Hash, len(list))
	for i, text := range list {
		b, err := hex.DecodeString(text)
		if err != nil {
			return nil, "Failed to parse hex representation of " + what
		}
		if len(b) != len(hashes[i]) {
			return nil, "Failed, size of data mismatch"
		}
		hashes[i] = xmr.Hash(b)
	}
	return hashes, ""
}

// getTransactions returns transactions of the chain and of the pool, repeated ones repeatedly.
// Source: src/rpc/core_rpc_server.cpp, on_get_transactions.
func (s service) getTransactions(
	_ context.Context, req daemonrpc.GetTransactionsRequest,
) (r daemonrpc.GetTransactionsResponse, err error) {
	ids, refused := s.hashesOf(
		req.TxsHashes,
		"transaction hash",
		restrictedTxs,
		"Too many transactions requested in restricted mode",
	)
	if refused != "" {
		r.Metered = meteredStatus(refused)
		return r, nil
	}
	r.Metered = metered
	s.view(func(v chain.View) {
		size := 0
		for i, id := range ids {
			if size > maxBlocksBytes {
				r = daemonrpc.GetTransactionsResponse{Metered: meteredStatus("Failed, too many transactions requested")}
				return
			}
			e := daemonrpc.TxEntry{TxHash: req.TxsHashes[i]}
			t, pruned, prunable := s.locate(v, id, &e)
			if t == nil {
				r.MissedTx = append(r.MissedTx, id)
				continue
			}
			e.PrunableHash = xmr.Hash{}.String()
			if t.Version > 1 {
				// The hash of nothing for a coinbase, although its ID is computed with zeros.
				e.PrunableHash = xmr.Hash(keccak.Sum256(prunable)).String()
			}
			if req.Split || req.Prune || len(prunable) == 0 {
				e.PrunedAsHex = toHex(pruned)
				if !req.Prune {
					e.PrunableAsHex = toHex(prunable)
				}
			} else {
				e.AsHex = toHex(pruned) + toHex(prunable)
			}
			if req.DecodeAsJSON {
				e.AsJSON = daemonrpc.DescribeTx(t, !req.Prune && len(prunable) > 0)
				r.TxsAsJSON = append(r.TxsAsJSON, e.AsJSON)
			}
			size += 2*len(e.AsHex) + len(e.PrunedAsHex) + len(e.PrunableAsHex) + 2*len(e.AsJSON)
			r.TxsAsHex = append(r.TxsAsHex, e.AsHex)
			r.Txs = append(r.Txs, e)
		}
	})
	return r, nil
}

// locate returns a transaction of the chain or the pool, with the two parts of its bytes, and describes its location in
// e. It returns nil if the caller cannot see it.
func (s service) locate(v chain.View, id xmr.Hash, e *daemonrpc.TxEntry) (t *tx.Transaction, pruned, prunable []byte) {
	parts := func(t *chain.Tx) (*tx.Transaction, []byte, []byte) {
		pruned := t.Pruned()
		return t.Tx, pruned, t.Blob[len(pruned):]
	}
	if at, mined := v.Tx(id); mined {
		b := v.Block(at.Height)
		height, confirmations, time := at.Height, v.Height()-at.Height, b.Block.Timestamp
		e.BlockHeight, e.Confirmations, e.BlockTimestamp = &height, &confirmations, &time
		e.OutputIndices = b.Indices[at.Index]
		if at.Index == 0 {
			return &b.Block.MinerTx, b.Block.MinerTx.AppendPruned(nil), nil
		}
		return parts(b.Txs[at.Index-1])
	}
	p := v.PoolTx(id)
	if p == nil || s.limited && p.DoNotRelay {
		return nil, nil, nil
	}
	relayed, received := p.Relayed, p.Received
	if s.limited {
		received = 0
	}
	e.InPool, e.DoubleSpendSeen, e.Relayed, e.ReceivedTimestamp = true, p.DoubleSpendSeen, &relayed, &received
	return parts(p.Tx)
}

func (s service) isKeyImageSpent(
	_ context.Context, req daemonrpc.IsKeyImageSpentRequest,
) (r daemonrpc.IsKeyImageSpentResponse, err error) {
	images, refused := s.hashesOf(
		req.KeyImages,
		"key image",
		restrictedImages,
		"Too many key images queried in restricted mode",
	)
	if refused != "" {
		r.Metered = meteredStatus(refused)
		return r, nil
	}
	r.Metered = metered
	s.view(func(v chain.View) {
		for _, h := range images {
			r.SpentStatus = append(r.SpentStatus, s.spent(v, xmr.KeyImage(h)))
		}
	})
	return r, nil
}

// spent returns the status of a key image. Restricted callers do not see unrelayed transactions.
func (s service) spent(v chain.View, image xmr.KeyImage) int32 {
	if v.Spent(image) {
		return daemonrpc.KeyImageSpentInChain
	}
	for _, id := range v.PoolSpends(image) {
		if !s.limited || !v.PoolTx(id).DoNotRelay {
			return daemonrpc.KeyImageSpentInPool
		}
	}
	return daemonrpc.KeyImageUnspent
}

// sendRawTransaction adds a transaction to the pool and relays it.
// Source: src/rpc/core_rpc_server.cpp, on_send_raw_tx.
func (s service) sendRawTransaction(
	_ context.Context, req daemonrpc.SendRawTransactionRequest,
) (r daemonrpc.SendRawTransactionResponse, err error) {
	r.Metered = meteredStatus(daemonrpc.StatusFailed)
	blob, err := hex.DecodeString(req.TxAsHex)
	if err != nil {
		return r, nil
	}
	if req.DoSanityChecks && !s.sane(blob) {
		r.Reason, r.SanityCheckFailed = "Sanity check failed", true
		return r, nil
	}
	id, err := s.chain.AddTx(blob, req.DoNotRelay)
	if err == nil && !req.DoNotRelay {
		s.passOn(id)
	}
	if err == nil || errors.Is(err, chain.ErrMined) || errors.Is(err, chain.ErrInPool) {
		r.Metered = metered
		if req.DoNotRelay || err != nil {
			r.Reason, r.NotRelayed = "Not relayed", true
		}
		return r, nil
	}
	if errors.Is(err, chain.ErrNotStored) {
		return r, errNotStored
	}
	var reasons []string
	flag := func(set *bool, text string, kinds ...error) {
		for _, kind := range kinds {
			*set = *set || errors.Is(err, kind)
		}
		if *set {
			reasons = append(reasons, text)
		}
	}
	flag(&r.LowMixin, "bad ring size", consensus.ErrRingSize)
	flag(&r.DoubleSpend, "double spend", consensus.ErrDoubleSpend)
	flag(&r.InvalidInput, "invalid input", consensus.ErrInput, consensus.ErrBadInput,
		consensus.ErrRingSize, consensus.ErrTooFewOutputs)
	flag(&r.InvalidOutput, "invalid output", consensus.ErrOutput)
	flag(&r.TooBig, "too big", consensus.ErrTooBig)
	flag(&r.Overspend, "overspend", consensus.ErrOverspend)
	flag(&r.FeeTooLow, "fee too low", consensus.ErrFeeTooLow)
	flag(&r.TooFewOutputs, "too few outputs", consensus.ErrTooFewOutputs)
	flag(&r.TxExtraTooBig, "tx-extra too big", consensus.ErrExtraTooBig)
	flag(&r.NonzeroUnlockTime, "tx unlock time is not zero", consensus.ErrUnlockTime)
	r.Reason = strings.Join(reasons, ", ")
	return r, nil
}

// With fewer outputs, or fewer ring members, the check is skipped.
const (
	saneOutputs = 10000
	saneMembers = 10
)

// sane reports whether a transaction's ring members are as diverse and recent as those of a normal wallet.
// Source: src/cryptonote_core/tx_sanity_check.cpp.
func (s service) sane(blob []byte) bool {
	t, err := tx.Parse(blob)
	if errors.Is(err, tx.ErrOutput) {
		return true // perhaps a transaction of the next hard fork, which has no ring members
	}
	if err != nil || t.IsCoinbase() {
		return false
	}
	available := uint64(0)
	s.view(func(v chain.View) {
		list := v.Outputs(0)
		for len(list) > 0 && list[len(list)-1].Height+xmr.SpendableAge > v.Height() {
			list = list[:len(list)-1]
		}
		available = uint64(len(list))
	})
	seen := map[uint64]bool{}
	var distinct []uint64
	members := 0
	for i := range t.Inputs {
		offsets := tx.AbsoluteOffsets(t.Inputs[i].KeyOffsets)
		if t.Inputs[i].Amount != 0 {
			continue
		}
		members += len(offsets)
		for _, o := range offsets {
			if !seen[o] {
				seen[o] = true
				distinct = append(distinct, o)
			}
		}
	}
	if members <= saneMembers || available < saneOutputs {
		return true
	}
	return len(distinct) >= members*8/10 && consensus.Median(distinct) >= available*6/10
}

// relayTx relays transactions of the pool.
// Source: src/rpc/core_rpc_server.cpp, on_relay_tx.
func (s service) relayTx(_ context.Context, req daemonrpc.RelayTxRequest) (r daemonrpc.PlainMetered, err error) {
	var problems []string
	for _, text := range req.TxIDs {
		id, err := parseHash(text)
		if err != nil {
			problems = append(problems, "invalid transaction id: "+text)
		} else if known, err := s.chain.SetRelayed(id); err != nil {
			return r, err
		} else if !known {
			problems = append(problems, "transaction not found in pool: "+text)
		} else {
			s.passOn(id)
		}
	}
	if problems != nil {
		return r, fail(daemonrpc.CodeInternal, strings.Join(problems, ", "))
	}
	r.Metered = metered
	return r, nil
}
