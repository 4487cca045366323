package scan_test

import (
	"fmt"
	"slices"
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

// got returns the amounts by output that x pays to addresses 0 to 9 of accounts 0 to 3.
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

// runCase is a transaction and the amounts that Run finds in it, by output.
type runCase struct {
	name string
	spec chaintest.Spec
	want map[int]uint64
}

func at(major, minor uint32) keys.Index { return keys.Index{Major: major, Minor: minor} }

// paymentsTo returns a function that makes payments to k.
func paymentsTo(k *keys.Keys) func(i keys.Index, amount uint64) chaintest.Payment {
	return func(i keys.Index, amount uint64) chaintest.Payment {
		return chaintest.Payment{To: k, At: i, Amount: amount}
	}
}

// paymentCases differ in their outputs.
func paymentCases(k, other *keys.Keys) []runCase {
	to := paymentsTo(k)
	return []runCase{
		{
			"a primary address",
			chaintest.Spec{Pay: []chaintest.Payment{to(at(0, 0), 5), {Amount: 9}, to(at(0, 0), 7)}},
			map[int]uint64{0: 5, 2: 7},
		},
		{
			"a subaddress, with change",
			chaintest.Spec{Pay: []chaintest.Payment{to(at(1, 3), 5), to(at(0, 0), 7)}},
			map[int]uint64{0: 5, 1: 7},
		},
		{"several, one key each", chaintest.Spec{
			Additional: true,
			Pay: []chaintest.Payment{
				to(at(1, 3), 5), to(at(2, 0), 6), {Amount: 1}, to(at(0, 0), 7), to(at(0, 9), 8),
			},
		}, map[int]uint64{0: 5, 1: 6, 3: 7, 4: 8}},
		{"another wallet's", chaintest.Spec{Pay: []chaintest.Payment{{To: other, Amount: 5}}}, map[int]uint64{}},
		{
			"old, without tags",
			chaintest.Spec{NoViewTags: true, Pay: []chaintest.Payment{to(at(0, 0), 5), {Amount: 1}}},
			map[int]uint64{0: 5},
		},
		{
			"amounts in the clear",
			chaintest.Spec{Version: 1, NoViewTags: true, Pay: []chaintest.Payment{to(at(0, 0), 5), to(at(0, 0), 50)}},
			map[int]uint64{0: 5, 1: 50},
		},
		{"nothing", chaintest.Spec{Pay: []chaintest.Payment{to(at(0, 0), 0)}}, map[int]uint64{}},
		{
			"an amount its commitment does not open to",
			chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5, Flaw: chaintest.WrongAmount}, to(at(0, 0), 2)}},
			map[int]uint64{1: 2},
		},
		{
			"another tag",
			chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5, Flaw: chaintest.WrongViewTag}, to(at(0, 0), 2)}},
			map[int]uint64{1: 2},
		},
		{
			"a key that is no point",
			chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5, Flaw: chaintest.InvalidKey}, to(at(0, 0), 2)}},
			map[int]uint64{1: 2},
		},
		{
			"the same without tags",
			chaintest.Spec{
				NoViewTags: true,
				Pay:        []chaintest.Payment{{To: k, Amount: 5, Flaw: chaintest.InvalidKey}, to(at(0, 0), 2)},
			},
			map[int]uint64{1: 2},
		},
	}
}

// extraCases differ in their public keys.
func extraCases(k *keys.Keys) []runCase {
	to := paymentsTo(k)
	r := chaintest.NewRandom("keys")
	point := xmr.PublicKey(r.Point())
	secret := r.Scalar()
	named := xmr.PublicKey(new(edwards.Point).ScalarBaseMult(secret).Encode())
	return []runCase{
		{"the public key many times", chaintest.Spec{
			Secret:          secret,
			RepeatPublicKey: true,
			KeysAfter:       []xmr.PublicKey{point, named, named},
			Pay:             []chaintest.Payment{to(at(0, 0), 5)},
		}, map[int]uint64{0: 5}},
		{
			"the public key twice",
			chaintest.Spec{RepeatPublicKey: true, Pay: []chaintest.Payment{to(at(0, 0), 5), to(at(0, 0), 6)}},
			map[int]uint64{0: 5, 1: 6},
		},
		{
			"another public key before",
			chaintest.Spec{KeysBefore: []xmr.PublicKey{point}, Pay: []chaintest.Payment{to(at(0, 0), 5)}},
			map[int]uint64{0: 5},
		},
		{
			"another public key behind",
			chaintest.Spec{KeysAfter: []xmr.PublicKey{point}, Pay: []chaintest.Payment{to(at(0, 0), 5)}},
			map[int]uint64{0: 5},
		},
		{
			"public keys that are not points",
			chaintest.Spec{
				KeysBefore: []xmr.PublicKey{chaintest.InvalidPoint, chaintest.InvalidPoint},
				KeysAfter:  []xmr.PublicKey{chaintest.InvalidPoint},
				Pay:        []chaintest.Payment{to(at(0, 0), 5)},
			},
			map[int]uint64{0: 5},
		},
		{
			"several, with other public keys around",
			chaintest.Spec{
				Additional: true, RepeatPublicKey: true,
				KeysBefore: []xmr.PublicKey{point, chaintest.InvalidPoint},
				KeysAfter:  []xmr.PublicKey{point},
				Pay:        []chaintest.Payment{to(at(1, 3), 5), to(at(0, 0), 6)},
			},
			map[int]uint64{0: 5, 1: 6},
		},
		{
			"no public key",
			chaintest.Spec{NoPublicKey: true, Pay: []chaintest.Payment{to(at(0, 0), 5)}},
			map[int]uint64{},
		},
		{
			"one key each, but none for all",
			chaintest.Spec{NoPublicKey: true, Additional: true, Pay: []chaintest.Payment{to(at(1, 0), 5)}},
			map[int]uint64{},
		},
		{
			"garbage behind the key",
			chaintest.Spec{ExtraSuffix: []byte{0xff, 0xff}, Pay: []chaintest.Payment{to(at(0, 0), 5)}},
			map[int]uint64{0: 5},
		},
		{
			"garbage before the key",
			chaintest.Spec{ExtraPrefix: []byte{0xff, 0xff}, Pay: []chaintest.Payment{to(at(0, 0), 5)}},
			map[int]uint64{},
		},
		{"no outputs", chaintest.Spec{}, map[int]uint64{}},
	}
}

func TestRun(t *testing.T) {
	k := owner(t, "scan")
	for _, c := range slices.Concat(paymentCases(k, owner(t, "other")), extraCases(k)) {
		for kind := tx.RingCTFull; kind <= tx.RingCTBulletproofPlus; kind++ {
			t.Run(fmt.Sprint(c.name, kind), func(t *testing.T) {
				c.spec.Kind = kind
				x, _ := chaintest.New(c.name, xmr.Regtest).Tx(c.spec, nil)
				require.Equal(t, c.want, got(t, k, x.Tx))
			})
		}
	}
}

// TestCoinbase: a coinbase has visible amounts in every version.
func TestCoinbase(t *testing.T) {
	k := owner(t, "scan")
	height := uint64(7)
	x, _ := chaintest.New("coinbase", xmr.Regtest).Tx(
		chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5}, {Amount: 1}, {To: k, At: keys.Index{}, Amount: 6}}},
		&height,
	)
	require.Equal(t, map[int]uint64{0: 5, 2: 6}, got(t, k, x.Tx))
}

// TestPaymentID decrypts with the derivation of the last public key.
func TestPaymentID(t *testing.T) {
	k := owner(t, "scan")
	id := [8]byte{1, 2, 3, 4, 5, 6, 7, 8}
	for _, c := range []struct {
		spec  chaintest.Spec
		opens bool
	}{
		{chaintest.Spec{}, true},
		{chaintest.Spec{KeysBefore: []xmr.PublicKey{chaintest.NewRandom("x").Point()}}, true},
		{chaintest.Spec{RepeatPublicKey: true}, true},
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
		require.Equal(t, c.opens, keys.DecryptPaymentID(r.Found[0].Main, *extra.EncryptedPaymentID) == id)
	}
}

// TestBatchesEqualSingleRuns compares a job of many transactions with one job each, across batch boundaries.
func TestBatchesEqualSingleRuns(t *testing.T) {
	k := owner(t, "scan")
	c := chaintest.New("many", xmr.Regtest)
	c.GrowWith(&chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 4, Burn: true}, 150)
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

	// A scanner and its clone keep no state between runs.
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

// FuzzRun scans any transaction that parses, pruned or complete, and decrypts the candidates.
func FuzzRun(f *testing.F) {
	k := owner(f, "scan")
	c := chaintest.New("fuzz", xmr.Regtest)
	c.GrowWith(&chaintest.Activity{Owner: k, Accounts: 1, Subaddresses: 2}, 20)
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

// TestScanAllocations limits the allocations for foreign transactions to a few each.
func TestScanAllocations(t *testing.T) {
	job := unpaid(t, 200)
	per := testing.AllocsPerRun(3, func() {
		if _, err := scan.Run(job); err != nil {
			t.Error(err)
		}
	}) / 200
	require.Less(t, per, 40.0, "allocations for each transaction")
}

func unpaid(t testing.TB, n int) scan.Job {
	t.Helper()
	c := chaintest.New("foreign transactions", xmr.Regtest)
	job := scan.Job{View: owner(t, "scan").ViewSecret()}
	for range n {
		x, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{Amount: 1}, {Amount: 2}}}, nil)
		job.Txs = append(job.Txs, scan.Tx{ID: x.ID, Tx: x.Tx})
	}
	return job
}

// TestForeignTransactionAllocations: scanning foreign transactions allocates per batch, not per transaction.
func TestForeignTransactionAllocations(t *testing.T) {
	job := foreignTxs(512, true)
	scanner, err := scan.NewScanner(job.View)
	require.NoError(t, err)
	require.Less(t, testing.AllocsPerRun(5, func() { scanner.Run(job.Txs) }), 40.0)
}
