package scan_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

func owner(t testing.TB, name string) *keys.Keys {
	t.Helper()
	k, err := keys.FromSeed(chaintest.NewRandom(name).Bytes32())
	require.NoError(t, err)
	return k
}

// got is what a transaction holds for addresses 0 to 9 of accounts 0 to 3: output to amount.
func got(t testing.TB, k *keys.Keys, x *tx.Transaction) map[int]uint64 {
	t.Helper()
	addresses := map[xmr.PublicKey]keys.Index{}
	for major := range uint32(4) {
		for minor, key := range k.SpendKeys(major, 0, 10) {
			addresses[key] = keys.Index{Major: major, Minor: uint32(minor)}
		}
	}
	r, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: []scan.Tx{{Tx: x}}})
	require.NoError(t, err)
	out := map[int]uint64{}
	for _, f := range r.Found {
		require.Zero(t, f.Tx)
		for _, c := range f.Candidates {
			if _, ours := addresses[c.SpendKey]; !ours {
				continue
			}
			if amount, mask, ok := scan.Amount(x, c.Output, c.Derivation); ok {
				_, twice := out[c.Output]
				require.False(t, twice, "an output found twice")
				out[c.Output] = amount
				if x.Outputs[c.Output].Amount == 0 {
					m, err := edwards.DecodeScalar(mask)
					require.NoError(t, err)
					require.Equal(t, x.RingCT.Commitments[c.Output], edwards.Commit(m, amount).Encode())
				}
			}
		}
	}
	return out
}

func TestRun(t *testing.T) {
	k := owner(t, "scan")
	other := owner(t, "other")
	at := func(major, minor uint32) keys.Index { return keys.Index{Major: major, Minor: minor} }
	to := func(i keys.Index, amount uint64) chaintest.Payment {
		return chaintest.Payment{To: k, At: i, Amount: amount}
	}
	r := chaintest.NewRandom("keys")
	point := xmr.PublicKey(r.Point())
	secret := r.Scalar()
	named := xmr.PublicKey(new(edwards.Point).ScalarBaseMult(secret).Encode())
	for _, c := range []struct {
		name string
		spec chaintest.Spec
		want map[int]uint64
	}{
		{"a primary address", chaintest.Spec{Pay: []chaintest.Payment{to(at(0, 0), 5), {Amount: 9}, to(at(0, 0), 7)}}, map[int]uint64{0: 5, 2: 7}},
		{"a subaddress, with change", chaintest.Spec{Pay: []chaintest.Payment{to(at(1, 3), 5), to(at(0, 0), 7)}}, map[int]uint64{0: 5, 1: 7}},
		{"several, one key each", chaintest.Spec{Additional: true, Pay: []chaintest.Payment{to(at(1, 3), 5), to(at(2, 0), 6), {Amount: 1}, to(at(0, 0), 7), to(at(0, 9), 8)}},
			map[int]uint64{0: 5, 1: 6, 3: 7, 4: 8}},
		{"somebody else's", chaintest.Spec{Pay: []chaintest.Payment{{To: other, Amount: 5}}}, map[int]uint64{}},
		{"old, without tags", chaintest.Spec{Untagged: true, Pay: []chaintest.Payment{to(at(0, 0), 5), {Amount: 1}}}, map[int]uint64{0: 5}},
		{"amounts in the clear", chaintest.Spec{Version: 1, Untagged: true, Pay: []chaintest.Payment{to(at(0, 0), 5), to(at(0, 0), 50)}}, map[int]uint64{0: 5, 1: 50}},
		{"nothing", chaintest.Spec{Pay: []chaintest.Payment{to(at(0, 0), 0)}}, map[int]uint64{}},
		{"an amount its commitment does not open to", chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5, Flaw: chaintest.WrongAmount}, to(at(0, 0), 2)}}, map[int]uint64{1: 2}},
		{"another tag", chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5, Flaw: chaintest.WrongTag}, to(at(0, 0), 2)}}, map[int]uint64{1: 2}},
		{"a key that is no point", chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5, Flaw: chaintest.NoKey}, to(at(0, 0), 2)}}, map[int]uint64{1: 2}},
		{"the same without tags", chaintest.Spec{Untagged: true, Pay: []chaintest.Payment{{To: k, Amount: 5, Flaw: chaintest.NoKey}, to(at(0, 0), 2)}}, map[int]uint64{1: 2}},
		{"the public key many times", chaintest.Spec{Secret: secret, KeyTwice: true, KeysAfter: []xmr.PublicKey{point, named, named}, Pay: []chaintest.Payment{to(at(0, 0), 5)}},
			map[int]uint64{0: 5}},
		{"the public key twice", chaintest.Spec{KeyTwice: true, Pay: []chaintest.Payment{to(at(0, 0), 5), to(at(0, 0), 6)}}, map[int]uint64{0: 5, 1: 6}},
		{"another public key before", chaintest.Spec{KeysBefore: []xmr.PublicKey{point}, Pay: []chaintest.Payment{to(at(0, 0), 5)}}, map[int]uint64{0: 5}},
		{"another public key behind", chaintest.Spec{KeysAfter: []xmr.PublicKey{point}, Pay: []chaintest.Payment{to(at(0, 0), 5)}}, map[int]uint64{0: 5}},
		{"public keys that are no points", chaintest.Spec{KeysBefore: []xmr.PublicKey{chaintest.NoPoint, chaintest.NoPoint}, KeysAfter: []xmr.PublicKey{chaintest.NoPoint},
			Pay: []chaintest.Payment{to(at(0, 0), 5)}}, map[int]uint64{0: 5}},
		{"several, with other public keys around", chaintest.Spec{Additional: true, KeyTwice: true, KeysBefore: []xmr.PublicKey{point, chaintest.NoPoint}, KeysAfter: []xmr.PublicKey{point},
			Pay: []chaintest.Payment{to(at(1, 3), 5), to(at(0, 0), 6)}}, map[int]uint64{0: 5, 1: 6}},
		{"no public key", chaintest.Spec{NoPublicKey: true, Pay: []chaintest.Payment{to(at(0, 0), 5)}}, map[int]uint64{}},
		{"one key each, but none for all", chaintest.Spec{NoPublicKey: true, Additional: true, Pay: []chaintest.Payment{to(at(1, 0), 5)}}, map[int]uint64{}},
		{"garbage behind the key", chaintest.Spec{GarbageLast: []byte{0xff, 0xff}, Pay: []chaintest.Payment{to(at(0, 0), 5)}}, map[int]uint64{0: 5}},
		{"garbage before the key", chaintest.Spec{GarbageFirst: []byte{0xff, 0xff}, Pay: []chaintest.Payment{to(at(0, 0), 5)}}, map[int]uint64{}},
		{"no outputs", chaintest.Spec{}, map[int]uint64{}},
	} {
		for kind := tx.RingCTFull; kind <= tx.RingCTBulletproofPlus; kind++ {
			t.Run(fmt.Sprint(c.name, kind), func(t *testing.T) {
				c.spec.Kind = kind
				x, _ := chaintest.New(c.name, xmr.Regtest).Tx(c.spec, nil)
				require.Equal(t, c.want, got(t, k, x.Tx))
			})
		}
	}
}

// TestCoinbase shows its amounts, whatever its version.
func TestCoinbase(t *testing.T) {
	k := owner(t, "scan")
	height := uint64(7)
	x, _ := chaintest.New("coinbase", xmr.Regtest).Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5}, {Amount: 1}, {To: k, At: keys.Index{}, Amount: 6}}}, &height)
	require.Equal(t, map[int]uint64{0: 5, 2: 6}, got(t, k, x.Tx))
}

// TestPaymentID opens with the derivation of the last public key.
func TestPaymentID(t *testing.T) {
	k := owner(t, "scan")
	id := [8]byte{1, 2, 3, 4, 5, 6, 7, 8}
	for _, c := range []struct {
		spec  chaintest.Spec
		opens bool
	}{
		{chaintest.Spec{}, true},
		{chaintest.Spec{KeysBefore: []xmr.PublicKey{chaintest.NewRandom("x").Point()}}, true},
		{chaintest.Spec{KeyTwice: true}, true},
		{chaintest.Spec{KeysAfter: []xmr.PublicKey{chaintest.NewRandom("x").Point()}}, false},
	} {
		c.spec.PaymentID = &id
		c.spec.Pay = []chaintest.Payment{{To: k, Amount: 5}}
		x, _ := chaintest.New("id", xmr.Regtest).Tx(c.spec, nil)
		r, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: []scan.Tx{{Tx: x.Tx}}})
		require.NoError(t, err)
		require.Len(t, r.Found, 1)
		extra, ok := tx.ParseExtra(x.Tx.Extra)
		require.True(t, ok)
		require.Equal(t, c.opens, keys.SealPaymentID(r.Found[0].Main, *extra.EncryptedPaymentID) == id)
	}
}

// TestManyTogether compares a job of many transactions with one job each, across the borders of its batches.
func TestManyTogether(t *testing.T) {
	k := owner(t, "scan")
	c := chaintest.New("many", xmr.Regtest)
	c.Live(&chaintest.Life{Owner: k, Accounts: 2, Minors: 4, Burn: true}, 150)
	var txs []scan.Tx
	for _, b := range c.Blocks {
		for _, x := range b.Txs {
			txs = append(txs, scan.Tx{ID: x.ID, Tx: x.Tx})
		}
	}
	require.Greater(t, len(txs), 256)
	all, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: txs})
	require.NoError(t, err)
	var single scan.Result
	for i := range txs {
		one, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: txs[i : i+1]})
		require.NoError(t, err)
		for _, f := range one.Found {
			f.Tx = i
			single.Found = append(single.Found, f)
		}
	}
	require.Equal(t, single, all)

	// One scanner and its clone remember nothing from run to run.
	first, err := scan.NewScanner(k.ViewSecret())
	require.NoError(t, err)
	for _, s := range []*scan.Scanner{first, first, first.Clone()} {
		require.Equal(t, all, s.Run(txs))
		require.Empty(t, s.Run(nil).Found)
	}

	empty, err := scan.Run(scan.Job{View: k.ViewSecret()})
	require.NoError(t, err)
	require.Empty(t, empty.Found)
	_, err = scan.Run(scan.Job{View: keys.Secret{31: 0xff}})
	require.ErrorIs(t, err, keys.ErrKey)
}

// FuzzRun looks through any transaction that parses, pruned or whole, and opens whatever it finds.
func FuzzRun(f *testing.F) {
	k := owner(f, "scan")
	c := chaintest.New("fuzz", xmr.Regtest)
	c.Live(&chaintest.Life{Owner: k, Accounts: 1, Minors: 2}, 20)
	for _, b := range c.Blocks {
		for _, x := range b.Txs {
			f.Add(x.Tx.AppendPruned(nil), true)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, pruned bool) {
		parse := tx.Parse
		if pruned {
			parse = tx.ParsePruned
		}
		x, err := parse(b)
		if err != nil {
			return
		}
		r, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: []scan.Tx{{Tx: x}, {Tx: x}}})
		require.NoError(t, err)
		for _, found := range r.Found {
			for _, c := range found.Candidates {
				require.Less(t, c.Output, len(x.Outputs))
				scan.Amount(x, c.Output, c.Derivation)
			}
		}
	})
}

// TestScanAllocations guards the usual case: somebody else's transactions cost a few allocations each.
func TestScanAllocations(t *testing.T) {
	job := unpaid(t, 200)
	per := testing.AllocsPerRun(3, func() {
		if _, err := scan.Run(job); err != nil {
			t.Error(err)
		}
	}) / 200
	require.Less(t, per, 40.0, "allocations a transaction")
}

func unpaid(t testing.TB, n int) scan.Job {
	t.Helper()
	c := chaintest.New("strangers", xmr.Regtest)
	job := scan.Job{View: owner(t, "scan").ViewSecret()}
	for range n {
		x, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{Amount: 1}, {Amount: 2}}}, nil)
		job.Txs = append(job.Txs, scan.Tx{ID: x.ID, Tx: x.Tx})
	}
	return job
}

// TestStrangersCostNothing guards the hot path: what looks through transactions of others takes memory for the batch, none for each.
func TestStrangersCostNothing(t *testing.T) {
	job := strangers(512, true)
	scanner, err := scan.NewScanner(job.View)
	require.NoError(t, err)
	require.Less(t, testing.AllocsPerRun(5, func() { scanner.Run(job.Txs) }), 40.0)
}
