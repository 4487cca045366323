package manykeys_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/manykeys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// wallet is an account with what the oracle needs.
type wallet struct {
	*keys.Keys
	addresses map[xmr.PublicKey]keys.Index
}

// wallets returns n wallets whose subaddresses differ in number, and a set with them. IDs begin with 100.
func wallets(t testing.TB, n int) ([]wallet, *manykeys.Set) {
	t.Helper()
	s := new(manykeys.Set)
	list := make([]wallet, n)
	for i := range list {
		k, err := keys.FromSeed(chaintest.NewRandom(fmt.Sprint("wallet", i)).Bytes32())
		require.NoError(t, err)
		w := wallet{k, map[xmr.PublicKey]keys.Index{k.SpendPublic: {}}}
		id := manykeys.ID(100 + i)
		require.NoError(t, s.Add(id, k.ViewSecret(), k.SpendPublic))
		for major := range uint32(i % 3) {
			for minor, key := range k.SpendKeys(major, 0, 4) {
				w.addresses[key] = keys.Index{Major: major, Minor: uint32(minor)}
			}
			if major == 0 {
				require.NoError(t, s.AddSubaddresses(id, 0, 0, 4))
			} else {
				require.NoError(t, s.AddSpendKeys(id, w.addresses))
			}
		}
		list[i] = w
	}
	return list, s
}

// oracle returns what package scan finds for each wallet on its own.
func oracle(t testing.TB, list []wallet, txs []*tx.Transaction) (all []manykeys.Match) {
	t.Helper()
	for n, x := range txs {
		for i, w := range list {
			ours := func(key xmr.PublicKey) bool { _, ok := w.addresses[key]; return ok }
			found, err := scan.Find(w.ViewSecret(), x, ours)
			require.NoError(t, err)
			for _, c := range found {
				m := manykeys.Match{
					Account: manykeys.ID(100 + i), Tx: n, Candidate: c, Index: w.addresses[c.SpendKey],
				}
				m.Amount, m.Mask, m.Opens = scan.Amount(x, c.Output, c.Derivation)
				main, _ := tx.AppendKeys(nil, nil, x.Extra)
				m.Main, _ = edwards.Derive(w.ViewScalar(), main[len(main)-1])
				all = append(all, m)
			}
		}
	}
	return all
}

// variety returns n random transactions that pay wallets and others: every type of RingCT, coinbases, amounts in the
// clear, with and without view tags, public keys of all kinds, additional ones, payment IDs, and faulty outputs.
func variety(t testing.TB, list []wallet, n int) (txs []*tx.Transaction) {
	t.Helper()
	r := chaintest.NewRandom("variety")
	c := chaintest.New("variety", xmr.Regtest)
	torsion, err := edwards.DecodePoint([32]byte{}) // of order four
	require.NoError(t, err)
	for i := range n {
		secret := r.Scalar()
		public := new(edwards.Point).ScalarBaseMult(secret)
		s := chaintest.Spec{
			Kind:       tx.RingCTFull + tx.RingCTType(i)%(tx.RingCTBulletproofPlus-tx.RingCTFull+1),
			NoViewTags: r.OneIn(3), Additional: r.OneIn(3), RepeatPublicKey: r.OneIn(4), NoPublicKey: r.OneIn(20),
			Secret: secret,
		}
		if r.OneIn(6) {
			s.Version = 1
		}
		odd := []xmr.PublicKey{
			r.Point(), chaintest.InvalidPoint, public.Encode(), new(edwards.Point).Add(public, torsion).Encode(), {1},
		}
		for range r.IntN(3) {
			s.KeysBefore = append(s.KeysBefore, odd[r.IntN(len(odd))])
			s.KeysAfter = append(s.KeysAfter, odd[r.IntN(len(odd))])
		}
		if r.OneIn(4) {
			s.PaymentID = &[8]byte{byte(i), 1}
		}
		if r.OneIn(8) {
			s.ExtraSuffix = []byte{0xff, 0xff}
		}
		for range 1 + r.IntN(5) {
			p := chaintest.Payment{Amount: r.Uint64() % 1000}
			if w := list[r.IntN(len(list))]; !r.OneIn(3) {
				p.To, p.At = w.Keys, keys.Index{Major: uint32(r.IntN(2)), Minor: uint32(r.IntN(5))}
			}
			if r.OneIn(8) {
				p.Flaw = chaintest.Flaw(1 + r.IntN(3))
			}
			s.Pay = append(s.Pay, p)
		}
		var height *uint64
		if s.PaymentID == nil && r.OneIn(8) {
			height = new(uint64)
			*height = uint64(i)
			s.Version = 0
		}
		x, _ := c.Tx(s, height)
		txs = append(txs, x.Tx)
	}
	return txs
}

// TestEqualsScan: for every account, a set finds exactly what package scan finds for its wallet.
func TestEqualsScan(t *testing.T) {
	list, s := wallets(t, 21)
	txs := variety(t, list, 90)
	want := oracle(t, list, txs)
	subaddresses, opened := 0, 0
	for _, m := range want {
		if m.Index != (keys.Index{}) {
			subaddresses++
		}
		if m.Opens {
			opened++
		}
	}
	require.Greater(t, subaddresses, 10)
	require.Greater(t, opened, 30)
	for _, workers := range []int{0, 1, 5} {
		s.Workers = workers
		got, err := s.Scan(t.Context(), txs)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	// Parts of the transactions have the same results.
	var parts []manykeys.Match
	for i := range txs {
		got, err := s.Scan(t.Context(), txs[i:i+1])
		require.NoError(t, err)
		for _, m := range got {
			m.Tx = i
			parts = append(parts, m)
		}
	}
	require.Equal(t, want, parts)
}

// TestManyAccounts divides the accounts of one transaction into parts, and uses tables of every size.
func TestManyAccounts(t *testing.T) {
	for _, n := range []int{1, 7, 40, 1100} {
		s := new(manykeys.Set)
		s.Workers = 3
		r := chaintest.NewRandom("many accounts")
		var spec chaintest.Spec
		want := map[manykeys.ID]int{}
		for i := range n {
			k, err := keys.FromSeed(r.Bytes32())
			require.NoError(t, err)
			require.NoError(t, s.Add(manykeys.ID(n-i), k.ViewSecret(), k.SpendPublic))
			if i%150 == 0 || i == n-1 {
				want[manykeys.ID(n-i)] = len(spec.Pay)
				spec.Pay = append(spec.Pay, chaintest.Payment{To: k, Amount: uint64(1 + i)})
			}
		}
		require.Equal(t, n, s.Len())
		x, _ := chaintest.New("many accounts", xmr.Regtest).Tx(spec, nil)
		got, err := s.Scan(t.Context(), []*tx.Transaction{x.Tx})
		require.NoError(t, err)
		require.Len(t, got, len(want))
		require.True(t, slices.IsSortedFunc(got, func(a, b manykeys.Match) int {
			return cmp.Compare(a.Account, b.Account)
		}))
		for _, m := range got {
			require.Equal(t, want[m.Account], m.Output)
			require.Equal(t, spec.Pay[m.Output].Amount, m.Amount)
			require.True(t, m.Opens)
		}
	}
}

// TestPaymentID decrypts a payment ID with Main.
func TestPaymentID(t *testing.T) {
	list, s := wallets(t, 3)
	id := [8]byte{1, 2, 3}
	x, _ := chaintest.New("id", xmr.Regtest).Tx(chaintest.Spec{
		PaymentID:  &id,
		KeysBefore: []xmr.PublicKey{chaintest.NewRandom("before").Point()},
		Pay:        []chaintest.Payment{{To: list[1].Keys, Amount: 5}},
	}, nil)
	got, err := s.Scan(t.Context(), []*tx.Transaction{x.Tx})
	require.NoError(t, err)
	require.Len(t, got, 1)
	extra, ok := tx.ParseExtra(x.Tx.Extra)
	require.True(t, ok)
	require.Equal(t, id, keys.DecryptPaymentID(got[0].Main, *extra.EncryptedPaymentID))
}

// TestCanceled: a scan returns the error of its context, before and while it works.
func TestCanceled(t *testing.T) {
	_, s := wallets(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Scan(ctx, []*tx.Transaction{{}})
	require.Equal(t, context.Canceled, err)
	_, err = new(manykeys.Set).Scan(ctx, nil)
	require.Equal(t, context.Canceled, err)

	// So many public keys that the scan does not end by itself.
	r := chaintest.NewRandom("endless")
	x := &tx.Transaction{Version: 2, Outputs: []tx.Output{{Key: r.Point(), Tagged: true}}}
	for range 200_000 {
		x.Extra = tx.AppendPublicKey(x.Extra, r.Bytes32())
	}
	ctx, cancel = context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := s.Scan(ctx, []*tx.Transaction{x})
		ended <- err
	}()
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
}

// FuzzScan scans any transaction that parses, and compares with package scan.
func FuzzScan(f *testing.F) {
	list, s := wallets(f, 3)
	for _, x := range variety(f, list, 20) {
		f.Add(x.AppendPruned(nil), true)
	}
	f.Fuzz(func(t *testing.T, b []byte, pruned bool) {
		parse := tx.Parse
		if pruned {
			parse = tx.ParsePruned
		}
		x, err := parse(b)
		if err != nil || x.Carrot != nil || scan.Wide(x) && len(b) > 5000 {
			return
		}
		txs := []*tx.Transaction{x}
		got, err := s.Scan(t.Context(), txs)
		require.NoError(t, err)
		require.Equal(t, oracle(t, list, txs), got)
	})
}
