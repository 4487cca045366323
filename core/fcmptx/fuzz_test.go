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
	f.Add(Beta.Append(nil, &r.block(f, payer, 0).Coinbase))
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
		if list, err := x.CoinbaseEnotes(); err == nil && len(list) > 0 {
			payee.ScanCoinbase(&list[0])
		}
	})
}

// FuzzParseBlock checks that parsed bytes are reproduced exactly and have an ID.
func FuzzParseBlock(f *testing.F) {
	r := newRandom(32)
	for n := range 3 {
		f.Add(Beta.AppendBlock(nil, r.block(f, r.wallet(f), n)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		blk, err := Beta.ParseBlock(b)
		if err != nil {
			return
		}
		if !bytes.Equal(Beta.AppendBlock(nil, blk), b) {
			t.Fatal("written differently")
		}
		if _, err := Beta.BlockHash(blk); err != nil {
			t.Fatal(err)
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
	f.Add(Beta.AppendBlock(nil, r.block(f, payer, 1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, id, err := Beta.ParseForWallet(b); err == nil {
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
		if _, id, _, err := Beta.ParseBlockForWallet(b); err == nil {
			blk, err := Beta.ParseBlock(b)
			if want, hashErr := Beta.BlockHash(blk); err != nil || hashErr != nil || want != id {
				t.Fatal("another ID of the block")
			}
		}
	})
}
