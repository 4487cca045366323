package fcmptx

import (
	"bytes"
	"testing"
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
