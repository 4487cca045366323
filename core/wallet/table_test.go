package wallet_test

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/wallet"
)

// covers implements the rule of the lookahead, which counts accounts from the last one, and addresses from the last one
// of each account.
// Source: src/wallet/wallet2.cpp, expand_subaddresses.
func covers(w *wallet.Wallet, i keys.Index) bool {
	l := w.Lookahead()
	if uint64(i.Major) >= uint64(w.Accounts())-1+uint64(l.Major) {
		return false
	}
	last := uint64(0)
	if n, err := w.Addresses(i.Major); err == nil {
		last = uint64(n) - 1
	}
	return uint64(i.Minor) < last+uint64(l.Minor)
}

// checkTable compares the complete table with the rule, and its keys with Keys.Address.
func checkTable(t *testing.T, w *wallet.Wallet) {
	t.Helper()
	table := w.TableOf()
	for major := range w.Accounts() + w.Lookahead().Major + 1 {
		n, _ := w.Addresses(major)
		for minor := range n + w.Lookahead().Minor + 1 {
			i := keys.Index{Major: major, Minor: minor}
			spend, _ := w.Keys().Address(i)
			got, ok := w.IndexOf(spend)
			require.Equal(t, covers(w, i), ok, "%v", i)
			if ok {
				require.Equal(t, i, got)
				delete(table, spend)
			}
		}
	}
	require.Empty(t, table, "only those")
}

func TestTableCoversTheLookahead(t *testing.T) {
	k := owner(t, "table")
	for _, l := range []wallet.Lookahead{{Major: 1, Minor: 1}, near, {Major: 3, Minor: 1}, {Major: 1, Minor: 20}} {
		r := create(t, k, l)
		checkTable(t, r.Wallet)
		c, _, err := r.DecideAddresses(0, 7, "")
		require.NoError(t, err)
		r.change(c)
		checkTable(t, r.Wallet)
		c, major := r.DecideAccount("")
		require.Equal(t, uint32(1), major)
		r.change(c)
		checkTable(t, r.Wallet)
		c, _, err = r.DecideAddresses(1, 2, "")
		require.NoError(t, err)
		r.change(c)
		checkTable(t, r.Wallet)
		r.change(wallet.ChangeSet{
			Chain: wallet.ChainChange{Used: []keys.Index{{Major: 1 + l.Major - 1, Minor: l.Minor - 1}}},
		})
		checkTable(t, r.Wallet)
		checkTable(t, r.reloaded())
		checkTable(t, r.compacted().Wallet)
	}
}

// TestLookaheadGrows increases the lookahead of an existing wallet.
func TestLookaheadGrows(t *testing.T) {
	r := create(t, owner(t, "table"), wallet.Lookahead{Major: 1, Minor: 2})
	r.change(wallet.ChangeSet{User: wallet.UserChange{Lookahead: &wallet.Lookahead{Major: 3, Minor: 5}}})
	checkTable(t, r.Wallet)
	same(t, r.Wallet, r.reloaded())
	same(t, r.Wallet, r.compacted().Wallet)
}

// TestUsedAddressesExist checks that a payment creates every account and address before its own, with the labels of
// the reference.
// Source: src/wallet/wallet2.cpp, expand_subaddresses.
func TestUsedAddressesExist(t *testing.T) {
	r := create(t, owner(t, "table"), near)
	r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Used: []keys.Index{{Major: 2, Minor: 3}}}})
	require.Equal(t, uint32(3), r.Accounts())
	for major, n := range []uint32{1, 1, 4} {
		got, err := r.Addresses(uint32(major))
		require.NoError(t, err)
		require.Equal(t, n, got)
	}
	require.Equal(t, "Primary account", r.Label(keys.Index{}))
	require.Equal(t, "Untitled account", r.Label(keys.Index{Major: 1}))
	require.Equal(t, "Untitled account", r.Label(keys.Index{Major: 2}))
	require.Empty(t, r.Label(keys.Index{Major: 2, Minor: 3}))
	_, err := r.Addresses(3)
	require.ErrorIs(t, err, wallet.ErrAccount)
	_, _, err = r.DecideAddresses(3, 1, "")
	require.ErrorIs(t, err, wallet.ErrAccount)
	_, err = r.DecideLabel(keys.Index{Major: 3}, "")
	require.ErrorIs(t, err, wallet.ErrAccount)
	_, err = r.DecideLabel(keys.Index{Major: 2, Minor: 4}, "")
	require.ErrorIs(t, err, wallet.ErrAddress)
	_, err = r.DecideLabel(keys.Index{Major: math.MaxUint32, Minor: math.MaxUint32}, "")
	require.ErrorIs(t, err, wallet.ErrAccount)
	require.Empty(t, r.Label(keys.Index{Major: math.MaxUint32, Minor: math.MaxUint32}))
}

// TestAddressKinds checks the kinds of the primary address and of subaddresses.
func TestAddressKinds(t *testing.T) {
	r := create(t, owner(t, "table"), near)
	seen := map[string]bool{}
	for major := range uint32(3) {
		for minor := range uint32(3) {
			a := r.Address(keys.Index{Major: major, Minor: minor})
			require.Equal(t, major == 0 && minor == 0, a.String()[0] == '4')
			require.False(t, seen[a.String()])
			seen[a.String()] = true
		}
	}
	_, ok := r.IndexOf(chaintest.InvalidPoint)
	require.False(t, ok)
}

// TestReadersFillTheTable lets concurrent readers complete the address table while Prepare runs.
func TestReadersFillTheTable(t *testing.T) {
	k := owner(t, "late")
	l := wallet.Lookahead{Major: 20, Minor: 30}
	first, err := wallet.EncodeIdentity(origin(k), l)
	require.NoError(t, err)
	w, err := wallet.Replay([][]byte{first})
	require.NoError(t, err)
	breaks := 0
	prepare := w.Prepare(func() { breaks++ })
	want := wallet.New(origin(k), l).TableOf()
	var group sync.WaitGroup
	group.Go(prepare)
	for major := range uint32(20) {
		group.Go(func() {
			i := keys.Index{Major: major, Minor: 29}
			at, ok := w.IndexOf(k.SpendKey(i))
			if !ok || at != i {
				t.Error(i)
			}
		})
	}
	group.Wait()
	require.Equal(t, want, w.TableOf())
	require.Less(t, breaks, 20)
}

// TestLookaheadIsBounded checks that no lookahead from a file exceeds the limit, and that many addresses in few
// accounts are kept.
func TestLookaheadIsBounded(t *testing.T) {
	for asked, want := range map[wallet.Lookahead]wallet.Lookahead{
		{}:                      {},
		{Major: 50, Minor: 200}: {Major: 50, Minor: 200},
		{Major: 1e6, Minor: 1}:  {Major: 1e6, Minor: 1},
		{Major: 50, Minor: 2e5}: {Major: 5, Minor: 2e5},
		{Major: math.MaxUint32, Minor: math.MaxUint32}: {Major: 1, Minor: 1e6},
		{Major: math.MaxUint32}:                        {Major: 1e6},
		{Minor: math.MaxUint32}:                        {Minor: 1e6},
	} {
		require.Equal(t, want, asked.Possible())
		_, err := wallet.EncodeIdentity(wallet.Identity{Keys: owner(t, "possible")}, asked.Possible())
		require.NoError(t, err)
	}
}
