package tx

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"glim/core/xmr"
)

func seeds(f *testing.F, write func(x *Transaction) []byte) {
	for _, c := range fixtures {
		x, err := Parse(fixture(f, c.id))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(write(x))
	}
	r := rand.New(rand.NewPCG(9, 10))
	f.Add(write(synthesize(r, shape{version: 1, inputs: 2, outputs: 2, ring: 3})))
	for kind := RingCTNull; kind <= RingCTBulletproofPlus; kind++ {
		f.Add(write(synthesize(r, shape{2, kind, 2, 1, 3, kind > RingCTCLSAG})))
	}
}

// FuzzParse checks that parsed bytes are reproduced exactly, and that both computations of the ID agree.
func FuzzParse(f *testing.F) {
	seeds(f, func(x *Transaction) []byte { return x.Append(nil) })
	f.Fuzz(func(t *testing.T, b []byte) {
		x, id, err := ParseWithHash(b)
		if err != nil {
			return
		}
		if !bytes.Equal(x.Append(nil), b) {
			t.Fatal("written differently")
		}
		if again, err := x.Hash(); err != nil || again != id {
			t.Fatal("two IDs", err)
		}
		if x.Weight() < uint64(len(b)) {
			t.Fatal("lighter than its size")
		}
		if p, err := ParsePruned(x.AppendPruned(nil)); err != nil || p.PrefixHash() != x.PrefixHash() {
			t.Fatal("pruned form", err)
		}
		_, _ = x.Fee()
	})
}

// FuzzParsePruned checks that parsed bytes are reproduced exactly, and that both computations of the ID agree.
func FuzzParsePruned(f *testing.F) {
	seeds(f, func(x *Transaction) []byte { return x.AppendPruned(nil) })
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ParsePruned(b)
		if err != nil {
			return
		}
		if !bytes.Equal(x.AppendPruned(nil), b) {
			t.Fatal("written differently")
		}
		arena := new(Arena)
		for range 3 {
			if again, err := arena.ParsePruned(b); err != nil || !bytes.Equal(again.AppendPruned(nil), b) {
				t.Fatal("another one in shared memory", err)
			}
		}
		prunable := xmr.Hash{1}
		_, id, err := ParsePrunedWithHash(b, prunable)
		if id != x.PrunedHash(prunable) || id.IsZero() != (err != nil) {
			t.Fatal("two IDs", err)
		}
		_, _ = x.PrunedWeight()
	})
}

// FuzzParseCoinbase checks that parsed bytes are reproduced exactly, and that Parse reads the same, unless outputs are
// those of Carrot.
func FuzzParseCoinbase(f *testing.F) {
	seeds(f, func(x *Transaction) []byte { return x.Append(nil) })
	next := &Transaction{
		Version: 2, Inputs: []Input{{Coinbase: true, Height: 5}}, Outputs: []Output{{Amount: 1}, {Amount: 2}},
		Carrot: []Carrot{{ViewTag: [3]byte{1}}, {Anchor: [16]byte{2}}},
	}
	f.Add(next.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ParseCoinbase(b)
		if err != nil {
			return
		}
		if !bytes.Equal(x.Append(nil), b) {
			t.Fatal("written differently")
		}
		id, err := x.Hash()
		if err != nil {
			t.Fatal(err)
		}
		switch same, parsed, err := ParseWithHash(b); {
		case x.Carrot != nil && (!errors.Is(err, ErrOutput) || !x.IsCoinbase()):
			t.Fatal("Carrot outside of a coinbase of the next hard fork", err)
		case x.Carrot == nil && (err != nil || parsed != id || len(same.Outputs) != len(x.Outputs)):
			t.Fatal("another transaction", err)
		}
	})
}

// FuzzParseExtra checks that sorting keeps every byte, has nothing to do a second time, and changes nothing that a
// reader sees but the order.
func FuzzParseExtra(f *testing.F) {
	for _, c := range fixtures {
		x, err := Parse(fixture(f, c.id))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(x.Extra)
	}
	f.Add(AppendMergeMining([]byte{0xde, 2, 1, 2}, MergeMining{Depth: 3}))
	f.Add(append(AppendPaymentID(nil, xmr.Hash{1}), 0, 0, 0))
	f.Add(slices.Concat(AppendAdditionalKeys(nil, []xmr.PublicKey{{1}, {2}}), AppendPublicKey(nil, xmr.PublicKey{3}),
		AppendAdditionalKeys(nil, []xmr.PublicKey{{4}}), AppendPublicKey(nil, xmr.PublicKey{5}), []byte{1, 2}))
	f.Add(slices.Concat(AppendAdditionalKeys(nil, nil), AppendAdditionalKeys(nil, []xmr.PublicKey{{4}})))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, _ := ParseExtra(b)
		same := func(got [][32]byte, want []xmr.PublicKey) bool {
			return slices.EqualFunc(got, want, func(a [32]byte, b xmr.PublicKey) bool { return a == b })
		}
		if main, additional := AppendKeys(nil, nil, b); !same(main, e.PublicKeys) ||
			!same(additional, e.AdditionalKeys) {
			t.Fatal("the keys alone are others")
		}
	})
}
