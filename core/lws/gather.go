package lws

import (
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// gather makes outputs and spends of hits, which are in the order of at, all transactions of the scanned blocks.
func (p *plan) gather(hits []Hit, at []place) {
	fresh := map[Ref][]uint64{} // accounts that received an output in these blocks
	for n := range at {
		p.spends(&at[n], fresh)
		for len(hits) > 0 && hits[0].Tx == n {
			h := &hits[0]
			if o, ok := output(h, &at[n]); ok {
				j := p.jobs[h.Account]
				j.outputs = append(j.outputs, o)
				fresh[o.Ref] = append(fresh[o.Ref], h.Account)
			}
			hits = hits[1:]
		}
	}
	for _, j := range p.jobs {
		slices.SortStableFunc(j.outputs, func(a, b Output) int {
			if a.Height != b.Height || a.Position != b.Position {
				return 0 // in order already
			}
			return a.Index - b.Index
		})
	}
}

// spends adds the rings of a transaction that contain outputs of accounts.
func (p *plan) spends(at *place, fresh map[Ref][]uint64) {
	at.members(func(ref Ref, s Spend) {
		p.book.mu.RLock()
		owners := slices.Clone(p.book.owners[ref])
		p.book.mu.RUnlock()
		for _, id := range slices.Concat(owners, fresh[ref]) {
			if j := p.jobs[id]; j != nil {
				j.spends = append(j.spends, s)
			}
		}
	})
}

func mixin(in *tx.Input) uint32 { return uint32(max(len(in.KeyOffsets), 1) - 1) }

func fee(t *tx.Transaction) uint64 {
	f, err := t.Fee()
	if err != nil {
		return 0 // consensus refuses such a transaction
	}
	return f
}

func longPaymentID(t *tx.Transaction) []byte {
	if e, _ := tx.ParseExtra(t.Extra); e.PaymentID != nil {
		return slices.Clone(e.PaymentID[:])
	}
	return nil
}

// output returns what a hit means. ok is false if the daemon sent no index of the output.
func output(h *Hit, at *place) (o Output, ok bool) {
	t := at.tx.Tx
	if h.Output >= len(at.tx.Indices) {
		return Output{}, false
	}
	out := &t.Outputs[h.Output]
	o = Output{
		Height: at.block.Height, Timestamp: at.block.Timestamp, Position: at.n, TxID: at.tx.ID,
		Prefix: t.PrefixHash(), Index: h.Output, Ref: Ref{Index: at.tx.Indices[h.Output]}, Amount: h.Amount,
		Key: out.Key, TxKey: h.TxKey, Coinbase: t.IsCoinbase(), UnlockTime: t.UnlockTime, Fee: fee(t),
		PaymentID: paymentID(h, t), At: h.At, Carrot: t.Carrot != nil,
	}
	if n := len(t.Inputs); n > 0 && !o.Coinbase {
		o.Mixin = mixin(&t.Inputs[n-1])
	}
	switch {
	case t.Version < 2:
		o.Ref.Amount = out.Amount
	case o.Coinbase:
		o.Rct = make([]byte, 96)
		o.Rct[32] = 1
	case o.Carrot:
		o.Rct = plain(h)
	default:
		o.Rct = conceal(h)
	}
	return o, true
}

// paymentID returns the payment ID of a transaction: an unencrypted one, or the encrypted one as the payee reads it.
func paymentID(h *Hit, t *tx.Transaction) []byte {
	e, _ := tx.ParseExtra(t.Extra)
	switch {
	case t.Carrot != nil:
		if h.PaymentID == [8]byte{} {
			return nil
		}
		return slices.Clone(h.PaymentID[:])
	case e.PaymentID != nil:
		return slices.Clone(e.PaymentID[:])
	case e.EncryptedPaymentID != nil:
		id := keys.DecryptPaymentID(h.Shared, *e.EncryptedPaymentID)
		return id[:]
	}
	return nil
}

// plain returns the commitment, the mask and the amount of an output of the next hard fork, 32 bytes each: the secret
// that would encrypt them in the form from before Bulletproofs does not exist.
func plain(h *Hit) []byte {
	mask, err := edwards.DecodeScalar(h.Mask)
	if err != nil {
		panic("unreachable: masks are scalars")
	}
	commitment := edwards.Commit(mask, h.Amount).Encode()
	return slices.Concat(commitment[:], h.Mask[:], edwards.ScalarFromUint64(h.Amount).Bytes())
}

// conceal returns the commitment, the encrypted mask and the encrypted amount of an output, in the form from before
// Bulletproofs: both are scalars, to which hashes of the shared secret are added.
// Source: src/ringct/rctOps.cpp, ecdhEncode.
func conceal(h *Hit) []byte {
	mask, err := edwards.DecodeScalar(h.Mask)
	if err != nil {
		panic("unreachable: masks are scalars")
	}
	first := edwards.HashToScalar(h.Shared.Scalar(uint64(h.Output)).Bytes())
	second := edwards.HashToScalar(first.Bytes())
	commitment := edwards.Commit(mask, h.Amount).Encode()
	sealedMask := edwards.EncodeScalar(first.Add(first, mask))
	sealedAmount := edwards.EncodeScalar(second.Add(second, edwards.ScalarFromUint64(h.Amount)))
	return slices.Concat(commitment[:], sealedMask[:], sealedAmount[:])
}

// counted returns the outputs of an account that count: of several with one key, only one can be spent, and the
// largest counts.
func counted(outputs []Output) []Output {
	best := make(map[xmr.PublicKey]int, len(outputs)) // index of the largest
	double := false
	for i := range outputs {
		at, seen := best[outputs[i].Key]
		double = double || seen
		if !seen || outputs[i].Amount > outputs[at].Amount {
			best[outputs[i].Key] = i
		}
	}
	if !double {
		return outputs
	}
	var out []Output
	for i := range outputs {
		if best[outputs[i].Key] == i {
			out = append(out, outputs[i])
		}
	}
	return out
}
