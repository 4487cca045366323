package scan_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// odd is a transaction with many public keys and outputs, some of which pay an owner with any of the keys.
type odd struct {
	tx   *tx.Transaction
	paid int // outputs
}

// oddly makes a transaction with keyCount public keys and outs outputs, most of them foreign. Some public keys are
// repeated, invalid, or differ from another only by torsion; extra is the number of additional keys beyond the outputs,
// or missing if negative.
func oddly(t testing.TB, r *chaintest.Random, k *keys.Keys, keyCount, outs, extra int, tagged bool) odd {
	t.Helper()
	torsion, err := edwards.DecodePoint([32]byte{}) // of order four
	require.NoError(t, err)
	var main, additional []xmr.PublicKey
	for i := range keyCount {
		switch p := r.Point(); {
		case i%7 == 3:
			p = main[r.IntN(len(main))]
			fallthrough
		default:
			main = append(main, p)
		case i%11 == 5:
			main = append(main, chaintest.InvalidPoint)
		case i%13 == 6:
			q, err := edwards.DecodePoint(main[0])
			require.NoError(t, err)
			main = append(main, q.Add(q, torsion).Encode())
		}
	}
	for range max(outs+extra, 0) {
		additional = append(additional, r.Point())
	}
	o := odd{tx: &tx.Transaction{Version: 2, Inputs: []tx.Input{{Coinbase: true}}}}
	for i := range outs {
		out := tx.Output{Amount: 1 + uint64(i), Key: r.Point(), Tagged: tagged}
		if r.IntN(4) == 0 {
			from := main[r.IntN(len(main))]
			if i < len(additional) && r.IntN(3) == 0 {
				from = additional[i]
			}
			d, err := edwards.Derive(k.ViewScalar(), from)
			if err != nil {
				d = edwards.Derivation{1}
			}
			out.Key, err = d.PublicKey(uint64(i), k.SpendPublic)
			require.NoError(t, err)
			out.ViewTag = d.ViewTag(uint64(i))
			o.paid++
		}
		o.tx.Outputs = append(o.tx.Outputs, out)
	}
	for _, key := range main {
		o.tx.Extra = tx.AppendPublicKey(o.tx.Extra, key)
	}
	if extra != -outs {
		o.tx.Extra = tx.AppendAdditionalKeys(o.tx.Extra, additional)
	}
	return o
}

// simply searches as the reference does: it tries each public key with each output, the output's additional key
// together with the first one, and counts an output once. An invalid public key counts as one with a neutral
// derivation.
// Source: src/wallet/wallet2.cpp, process_new_transaction; src/cryptonote_basic/cryptonote_format_utils.cpp,
// is_out_to_acc_precomp.
func simply(t testing.TB, k *keys.Keys, x *tx.Transaction) (outputs []int, derivations []edwards.Derivation) {
	t.Helper()
	e, _ := tx.ParseExtra(x.Extra)
	derive := func(key xmr.PublicKey) edwards.Derivation {
		d, err := edwards.Derive(k.ViewScalar(), key)
		if err != nil {
			return edwards.Derivation{1}
		}
		return d
	}
	taken := make([]bool, len(x.Outputs))
	for n, key := range e.PublicKeys {
		shared := derive(key)
		for i := range x.Outputs {
			try := []edwards.Derivation{shared}
			if n == 0 && i < len(e.AdditionalKeys) {
				try = append(try, derive(e.AdditionalKeys[i]))
			}
			for _, d := range try {
				out := &x.Outputs[i]
				if taken[i] || out.Tagged && out.ViewTag != d.ViewTag(uint64(i)) {
					continue
				}
				if spend, err := d.SpendKey(uint64(i), out.Key); err == nil && spend == k.SpendPublic {
					taken[i] = true
					outputs, derivations = append(outputs, i), append(derivations, d)
				}
			}
		}
	}
	return outputs, derivations
}

// runJobs runs all jobs of search on several goroutines, through their serialised form.
func runJobs(
	t *testing.T, k *keys.Keys, search *scan.Search, scanner *scan.Scanner,
	ours func([]scan.Candidate) []scan.Candidate,
) {
	t.Helper()
	var group sync.WaitGroup
	for worker := range 3 {
		s := scanner.Clone()
		group.Go(func() {
			for n := search.Jobs() - 1 - worker; n >= 0; n -= 3 { // in another order
				job := scan.Job{View: k.ViewSecret(), Txs: search.Job(n)}
				there, err := scan.DecodeJob(job.Encode())
				if err != nil {
					t.Error(err)
					return
				}
				result := s.Run(there.Txs)
				got, err := scan.DecodeResult(result.Encode(), job.Txs)
				if err != nil {
					t.Error(err)
					return
				}
				search.Take(n, got, ours)
			}
		})
	}
	group.Wait()
}

// TestSearchFindsWhatTheReferenceFinds scans transactions of many keys and outputs in parts, on several goroutines and
// with serialised jobs: outputs are found with the same keys in the same order.
func TestSearchFindsWhatTheReferenceFinds(t *testing.T) {
	k := owner(t, "wide")
	r := chaintest.NewRandom("wide")
	var txs []*tx.Transaction
	paid := 0
	for _, c := range []struct {
		keys, outs, extra int
		tagged            bool
	}{
		{1, 3, 0, true}, {3, 2, 0, true}, {3, 2, -2, false}, {4, 5, -2, true}, {5, 4, 3, false}, {20, 1, -1, true},
		{1, 40, -40, false},
		{300, 3, -3, true}, {90, 70, 0, false}, {40, 150, -20, false}, {70, 60, 10, true}, {2, 4100, -4000, true},
		{3, 4097, 0, true},
	} {
		x := oddly(t, r, k, c.keys, c.outs, c.extra, c.tagged)
		txs, paid = append(txs, x.tx), paid+x.paid
	}
	// no outputs, no keys
	txs = append(txs, &tx.Transaction{Extra: txs[3].Extra}, &tx.Transaction{Outputs: txs[3].Outputs})

	scanner, err := scan.NewScanner(k.ViewSecret())
	require.NoError(t, err)
	search := scan.NewSearch(txs)
	require.Greater(t, search.Jobs(), 8)
	ours := func(list []scan.Candidate) []scan.Candidate {
		return scan.Ours(list, func(spend xmr.PublicKey) bool { return spend == k.SpendPublic })
	}
	runJobs(t, k, search, scanner, ours)

	total := 0
	for i, f := range search.Found(scanner) {
		outputs, derivations := simply(t, k, txs[i])
		whole, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: []scan.Tx{{Tx: txs[i]}}})
		require.NoError(t, err)
		one, err := scan.Find(k.ViewSecret(), txs[i], func(spend xmr.PublicKey) bool { return spend == k.SpendPublic })
		require.NoError(t, err)
		if f == nil {
			require.Empty(t, outputs, i)
			require.Empty(t, one)
			continue
		}
		total += len(outputs)
		require.Equal(t, f.Candidates, one)
		require.Equal(t, f.Main, whole.Found[0].Main)
		for name, list := range map[string][]scan.Candidate{
			"in parts": f.Candidates,
			"at once":  ours(slices.Clone(whole.Found[0].Candidates)),
		} {
			var found []int
			var by []edwards.Derivation
			for _, c := range list {
				if !slices.Contains(found, c.Output) {
					found, by = append(found, c.Output), append(by, c.Derivation)
				}
			}
			require.Equal(t, outputs, found, "%s, transaction %d", name, i)
			require.Equal(t, derivations, by, "%s, transaction %d", name, i)
		}
	}
	require.Equal(t, paid, total)
}

// TestInvalidPublicKey: as in the reference, an invalid public key gives a neutral shared secret, with which outputs
// can be received. It decrypts no payment ID.
func TestInvalidPublicKey(t *testing.T) {
	k := owner(t, "no point")
	key, err := edwards.Derivation{1}.PublicKey(0, k.SpendPublic)
	require.NoError(t, err)
	x := &tx.Transaction{
		Version: 2,
		Outputs: []tx.Output{{Amount: 7, Key: key}},
		Extra:   tx.AppendPublicKey(nil, chaintest.InvalidPoint),
	}
	require.Equal(t, map[int]uint64{0: 7}, got(t, k, x))
	r, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: []scan.Tx{{Tx: x}}})
	require.NoError(t, err)
	require.Zero(t, r.Found[0].Main)
}

// TestSearchMemory: with a transaction that has a public key for every output, jobs, results and candidates have a
// bounded size, and foreign candidates are not kept.
func TestSearchMemory(t *testing.T) {
	k := owner(t, "little")
	for _, c := range []struct {
		keys, outs int
		tagged     bool
	}{{80, 250, false}, {300, 900, true}, {1500, 2, false}, {3, 4500, false}} {
		x := &tx.Transaction{Version: 2}
		r := chaintest.NewRandom("little")
		for range c.keys {
			x.Extra = tx.AppendPublicKey(x.Extra, r.Point())
		}
		point := r.Point()
		for i := range c.outs {
			x.Outputs = append(x.Outputs, tx.Output{Amount: 1, Key: point, Tagged: c.tagged, ViewTag: byte(i)})
		}
		require.True(t, scan.Wide(x))
		scanner, err := scan.NewScanner(k.ViewSecret())
		require.NoError(t, err)
		search := scan.NewSearch([]*tx.Transaction{x})
		for n := range search.Jobs() {
			job := scan.Job{View: k.ViewSecret(), Txs: search.Job(n)}
			require.Less(t, len(job.Encode()), 300<<10)
			result := scanner.Run(job.Txs)
			require.Less(t, len(result.Encode()), 600<<10)
			search.Take(n, result, func(list []scan.Candidate) []scan.Candidate {
				require.LessOrEqual(t, len(list), 4096*2)
				return nil
			})
		}
		require.Nil(t, search.Found(scanner)[0])
	}
}

// TestWide: most transactions are scanned in one part.
func TestWide(t *testing.T) {
	r := chaintest.NewRandom("what is wide")
	made := func(keyCount, outs, garbage int) *tx.Transaction {
		x := &tx.Transaction{Outputs: make([]tx.Output, outs)}
		for range keyCount {
			x.Extra = tx.AppendPublicKey(x.Extra, r.Point())
		}
		x.Extra = append(x.Extra, make([]byte, garbage)...)
		return x
	}
	for _, x := range []*tx.Transaction{
		made(1, 2, 0), made(2, 16, 0), made(1, 4096, 0), made(1, 2, 200), made(300, 0, 0),
	} {
		require.False(t, scan.Wide(x))
	}
	for _, x := range []*tx.Transaction{made(3, 1, 0), made(1, 4097, 0), made(1, 1, 1<<16)} {
		require.True(t, scan.Wide(x))
	}
}
