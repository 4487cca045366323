//go:build !nocarrot

package scan

import (
	"glim/core/carrot"
	"glim/core/fcmptx"
	"glim/core/internal/codec/wire"
	"glim/core/tx"
	"glim/core/xmr"
)

// sharer computes the exchanges of a Scanner.
type sharer = carrot.Sharer

// runCarrot is the part of Run for the n transactions of the next hard fork among txs: one exchange for each ephemeral
// key, all computed together, then the view tags. Transactions with two outputs have one ephemeral key for both.
// Source: carrot.md, 8.1, in the order of its steps.
func (r *Scanner) runCarrot(txs []Tx, n int) []Found {
	if r.sharer == nil {
		r.sharer = carrot.NewSharer(r.view)
	}
	keys, ends := make([][32]byte, 0, n), make([]int, 0, n)
	for i := range txs {
		if t := txs[i].Tx; t.Carrot != nil {
			keys = fcmptx.AppendEphemeral(keys, t)
			ends = append(ends, len(keys))
		}
	}
	shared := r.sharer.Shared(keys)
	defer clear(shared)
	var out []Found
	next, start := 0, 0
	for i := range txs {
		t := txs[i].Tx
		if t.Carrot == nil {
			continue
		}
		end := ends[next]
		if list := tagged(t, keys[start:end], shared[start:end]); len(list) > 0 {
			out = append(out, Found{Tx: i, Candidates: list})
		}
		next, start = next+1, end
	}
	return out
}

// tagged returns the outputs of t that have the view tags of payments.
func tagged(t *tx.Transaction, keys [][32]byte, shared []carrot.Shared) (list []Candidate) {
	if len(keys) == 0 {
		return nil
	}
	coinbase := t.IsCoinbase()
	for o := range t.Outputs {
		key := min(o, len(keys)-1)
		var found bool
		if coinbase {
			e := fcmptx.CoinbaseEnoteAt(t, keys, o)
			found = e.Tagged(&shared[key])
		} else {
			e := fcmptx.EnoteAt(t, keys, o)
			found = e.Tagged(&shared[key])
		}
		if found {
			list = append(list, Candidate{Key: key, Output: o, Derivation: [32]byte(shared[key])})
		}
	}
	return list
}

// Open returns what candidate c of t, a transaction of the next hard fork, contains for the wallet with view key v; or
// false if it was not made for that wallet. The caller checks that Spend is one of the wallet's addresses.
func Open(v *carrot.Incoming, t *tx.Transaction, c *Candidate) (carrot.Received, bool) {
	keys := fcmptx.AppendEphemeral(nil, t)
	if len(keys) == 0 || c.Output >= len(t.Outputs) {
		return carrot.Received{}, false
	}
	if t.IsCoinbase() {
		e := fcmptx.CoinbaseEnoteAt(t, keys, c.Output)
		return v.ScanCoinbaseShared(&e, carrot.Shared(c.Derivation))
	}
	e := fcmptx.EnoteAt(t, keys, c.Output)
	extra, _ := tx.ParseExtra(t.Extra)
	return v.ScanShared(&e, extra.EncryptedPaymentID, carrot.Shared(c.Derivation))
}

// appendCarrot adds what runCarrot needs of a transaction of the next hard fork to an encoded job: the kind and content
// of the first input, ephemeral keys, and keys and view tags of the outputs.
func appendCarrot(b []byte, t *tx.Transaction) []byte {
	keys := fcmptx.AppendEphemeral(nil, t)
	if len(keys) == 0 { // then nothing can be found
		return append(b, 0, 0)
	}
	b = wire.AppendKeys(b, keys)
	b = wire.AppendVarint(b, uint64(len(t.Outputs)))
	for o := range t.Outputs {
		b = append(append(b, t.Outputs[o].Key[:]...), t.Carrot[o].ViewTag[:]...)
	}
	if t.IsCoinbase() {
		return wire.AppendVarint(append(b, 1), t.Inputs[0].Height)
	}
	return append(append(b, 0), t.Inputs[0].KeyImage[:]...)
}

// decodeCarrot reads what appendCarrot wrote.
func decodeCarrot(r *wire.Reader, t *tx.Transaction) {
	keys := wire.ReadKeys[xmr.PublicKey](r, fcmptx.Default.MaxMinerOutputs)
	switch len(keys) {
	case 0:
	case 1:
		t.Extra = tx.AppendPublicKey(nil, keys[0])
	default:
		t.Extra = tx.AppendAdditionalKeys(nil, keys)
	}
	n := r.Count(fcmptx.Default.MaxMinerOutputs, 35)
	t.Outputs, t.Carrot = make([]tx.Output, n), make([]tx.Carrot, n)
	for o := range t.Outputs {
		t.Outputs[o].Key = r.Bytes32()
		copy(t.Carrot[o].ViewTag[:], r.Bytes(3))
	}
	if n == 0 && len(keys) == 0 {
		return
	}
	t.Inputs = make([]tx.Input, 1)
	switch r.Byte() {
	case 0:
		t.Inputs[0].KeyImage = r.Bytes32()
	case 1:
		t.Inputs[0].Coinbase, t.Inputs[0].Height = true, r.Varint()
	default:
		r.Fail(ErrWire)
	}
	if len(keys) == 0 || len(fcmptx.AppendEphemeral(nil, t)) != len(keys) {
		r.Fail(ErrWire) // appendCarrot does not write it
	}
}
