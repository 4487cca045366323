package manykeys_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/manykeys"
	"glim/core/tx"
	"glim/core/xmr"
)

func TestAccounts(t *testing.T) {
	list, s := wallets(t, 3)
	view, spend := list[0].ViewSecret(), list[0].SpendPublic
	require.ErrorIs(t, s.Add(100, view, spend), manykeys.ErrExists)
	require.ErrorIs(t, s.Add(1, keys.Secret{31: 0xff}, spend), keys.ErrKey)
	require.ErrorIs(t, s.Add(1, keys.Secret{}, spend), keys.ErrKey)
	require.ErrorIs(t, s.Add(1, view, chaintest.InvalidPoint), edwards.ErrPoint)
	require.ErrorIs(t, s.Remove(1), manykeys.ErrUnknown)
	require.ErrorIs(t, s.AddSubaddresses(1, 0, 0, 1), manykeys.ErrUnknown)
	require.ErrorIs(t, s.AddSpendKeys(1, nil), manykeys.ErrUnknown)
	require.Equal(t, 3, s.Len())

	x, _ := chaintest.New("accounts", xmr.Regtest).Tx(chaintest.Spec{Additional: true, Pay: []chaintest.Payment{
		{To: list[0].Keys, Amount: 5}, {To: list[0].Keys, At: keys.Index{Major: 7, Minor: 9}, Amount: 6},
		{To: list[1].Keys, Amount: 7},
	}}, nil)
	found := func() (amounts []uint64) {
		t.Helper()
		got, err := s.Scan(t.Context(), []*tx.Transaction{x.Tx})
		require.NoError(t, err)
		for _, m := range got {
			amounts = append(amounts, m.Amount)
		}
		return amounts
	}
	require.Equal(t, []uint64{5, 7}, found())
	require.NoError(t, s.AddSubaddresses(100, 7, 9, 10))
	require.Equal(t, []uint64{5, 6, 7}, found())
	require.NoError(t, s.Remove(100))
	require.Equal(t, []uint64{7}, found())
	require.NoError(t, s.Add(100, view, spend)) // without its subaddresses
	require.Equal(t, []uint64{5, 7}, found())
	for id := range manykeys.ID(3) {
		require.NoError(t, s.Remove(100+id))
	}
	require.Empty(t, found())
	got, err := s.Scan(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, got)
}

// TestNothingSecretPrints formats a set in every way.
func TestNothingSecretPrints(t *testing.T) {
	_, s := wallets(t, 2)
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Equal(t, "2 accounts", fmt.Sprintf(format, s))
	}
}

// TestChangesDuringScans: accounts and subaddresses come and go while several goroutines scan. An account that stays is
// found by every scan.
func TestChangesDuringScans(t *testing.T) {
	list, s := wallets(t, 4)
	x, _ := chaintest.New("changes", xmr.Regtest).Tx(
		chaintest.Spec{Pay: []chaintest.Payment{{To: list[0].Keys, Amount: 5}, {To: list[1].Keys, Amount: 6}}}, nil)
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			for range 20 {
				got, err := s.Scan(t.Context(), []*tx.Transaction{x.Tx, x.Tx})
				if err != nil || len(got) < 2 || got[0].Account != 100 || got[0].Amount != 5 {
					t.Errorf("%v, %d matches", err, len(got))
					return
				}
			}
		})
	}
	for range 20 {
		if err := s.Remove(101); err != nil {
			t.Error(err)
		}
		if err := s.Add(101, list[1].ViewSecret(), list[1].SpendPublic); err != nil {
			t.Error(err)
		}
		if err := s.AddSubaddresses(100, 1, 0, 2); err != nil {
			t.Error(err)
		}
	}
	group.Wait()
}

// TestAccountMemory: an account without subaddresses takes less than 1 KiB, with what scans use of it.
func TestAccountMemory(t *testing.T) {
	const n = 5000
	r := chaintest.NewRandom("memory")
	spend := r.Point()
	used := func() uint64 {
		runtime.GC()
		runtime.GC() // also what pools keep for reuse
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := used()
	s := new(manykeys.Set)
	for i := range n {
		require.NoError(t, s.Add(manykeys.ID(i), edwards.EncodeScalar(edwards.ReduceScalar(r.Bytes32())), spend))
	}
	_, err := s.Scan(t.Context(), []*tx.Transaction{{}})
	require.NoError(t, err)
	each := (float64(used()) - float64(before)) / n
	require.Less(t, each, 1024.0, "bytes for each account")
	t.Logf("%.0f bytes for each account", each)
	runtime.KeepAlive(s)
}
