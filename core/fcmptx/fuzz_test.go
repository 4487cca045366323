package fcmptx

import (
	"bytes"
	"testing"

	"glim/core/xmr"
)

// FuzzParse checks that parsed bytes are reproduced exactly, whole and pruned, and that both computations of the ID
// agree.
func FuzzParse(f *testing.F) {
	r := newRandom(30)
	payer, payee := r.wallet(f), r.wallet(f)
	f.Add(Beta.Append(nil, r.transaction(f, payer, payee, 1, 2, 1)))
	f.Add(Beta.Append(nil, r.transaction(f, payer, payee, 2, 3, 7)))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := Beta.Parse(b)
		if err != nil {
			return
		}
		if !bytes.Equal(Beta.Append(nil, x), b) {
			t.Fatal("written differently")
		}
		id, err := Beta.Hash(x)
		if err != nil || id != Beta.PrunedHash(x, x.PrunableHash()) {
			t.Fatal("two IDs", err)
		}
		if _, again, err := Beta.ParseAny(b); err != nil || again != id {
			t.Fatal("another ID", err)
		}
		x.Proofs = nil
		if _, err := Beta.ParsePruned(Beta.Append(nil, x)); err != nil {
			t.Fatal("pruned form", err)
		}
	})
}

// FuzzParsePruned checks that parsed bytes are reproduced exactly, and scans what they contain.
func FuzzParsePruned(f *testing.F) {
	r := newRandom(31)
	payer, payee := r.wallet(f), r.wallet(f)
	for _, outputs := range []int{2, 5} {
		x := r.transaction(f, payer, payee, 2, outputs, 1)
		x.Proofs = nil
		f.Add(Beta.Append(nil, x))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := Beta.ParsePruned(b)
		if err != nil {
			return
		}
		if !bytes.Equal(Beta.Append(nil, x), b) {
			t.Fatal("written differently")
		}
		if list, id, err := x.Enotes(); err == nil && len(list) > 0 {
			payee.ScanAll(&list[0], id)
		}
	})
}

// FuzzParseBlock checks that parsed bytes are reproduced exactly and have the returned IDs, and scans the coinbase.
func FuzzParseBlock(f *testing.F) {
	r := newRandom(32)
	miner := r.wallet(f)
	for n := range 3 {
		f.Add(r.block(f, miner, n).Append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		blk, id, coinbase, err := Beta.ParseBlockForWallet(b)
		if err != nil {
			return
		}
		if !bytes.Equal(blk.Append(nil), b) {
			t.Fatal("written differently")
		}
		if want, err := blk.Hash(); err != nil || want != id {
			t.Fatal("another ID", err)
		}
		if _, want, err := Beta.ParseForWallet(blk.MinerTx.Append(nil)); err != nil || want != coinbase {
			t.Fatal("another ID of the coinbase", err)
		}
		if list, err := CoinbaseEnotes(&blk.MinerTx); err == nil && len(list) > 0 {
			miner.ScanCoinbase(&list[0])
		}
	})
}

// FuzzForWallet checks that what wallets get of any bytes has an output for each in them, and that all functions
// return the same IDs.
func FuzzForWallet(f *testing.F) {
	r := newRandom(33)
	payer, payee := r.wallet(f), r.wallet(f)
	x := r.transaction(f, payer, payee, 2, 3, 1)
	f.Add(Beta.Append(nil, x))
	x.Proofs = nil
	f.Add(Beta.Append(nil, x))
	f.Add(r.block(f, payer, 1).MinerTx.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, id, err := Beta.ParseForWallet(b); err == nil && got.IsCoinbase() {
			if want, err := got.Hash(); err != nil || want != id || !bytes.Equal(got.Append(nil), b) {
				t.Fatal("another coinbase", err)
			}
		} else if err == nil {
			x, err := Beta.Parse(b)
			if err != nil || len(got.Outputs) != len(x.Outputs) || len(got.Carrot) != len(x.Outputs) {
				t.Fatal("other outputs", err)
			}
			if want, err := Beta.Hash(x); err != nil || want != id {
				t.Fatal("another ID", err)
			}
		}
		if got, _, err := Beta.ParsePrunedForWallet(b, xmr.Hash{}); err == nil {
			if old, err := Beta.ParsePrunedAny(b); err == nil && len(old.Outputs) != len(got.Outputs) {
				t.Fatal("other outputs of the pruned form")
			}
		}
	})
}
