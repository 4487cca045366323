package wallet_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// sums requires that the ledger equals plain sums, for every account and address and at several times.
func sums(t testing.TB, w *wallet.Wallet, now uint64, why ...any) {
	t.Helper()
	require.Equal(t, w.Recounted(), w.Ledger(), why...)
	spends := slices.Clone(w.Spends())
	slices.SortFunc(spends, func(a, b *wallet.Spend) int {
		if a.Height != b.Height {
			return int(a.Height) - int(b.Height)
		}
		return slices.Compare(a.TxID[:], b.TxID[:])
	})
	require.Equal(t, spends, w.Spends(), why...)
	for _, at := range []uint64{now, now - min(now, 30_000), now + 30_000} {
		for major := range w.Accounts() + 1 {
			for _, strict := range []bool{false, true} {
				plain := w.Plain(major, strict, at)
				var listed []wallet.AddressBalance
				var sum wallet.Balance
				for _, minor := range slices.Sorted(maps.Keys(plain)) {
					listed = append(listed, plain[minor])
					sum.Add(plain[minor].Balance)
				}
				require.Equal(t, listed, w.AddressBalances(major, nil, strict, at), why...)
				require.Equal(t, sum, w.AccountBalance(major, strict, at), why...)
				n, _ := w.Addresses(major)
				for minor := range n + 2 {
					one := w.AddressBalances(major, []uint32{minor}, strict, at)
					want := plain[minor]
					want.Minor, want.Unspent = minor, w.PlainUnspent(keys.Index{Major: major, Minor: minor})
					require.Equal(t, []wallet.AddressBalance{want}, one, why...)
					used := slices.ContainsFunc(w.Outputs(), func(o wallet.OwnedOutput) bool {
						return o.Address == keys.Index{Major: major, Minor: minor}
					})
					require.Equal(t, used, w.IsUsed(keys.Index{Major: major, Minor: minor}), why...)
				}
			}
		}
	}
}

// TestLedgerEqualsSums makes random changes and compares the ledger with plain sums after each.
func TestLedgerEqualsSums(t *testing.T) {
	for seed := range 8 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := chaintest.NewRandom(fmt.Sprint("ledger ", seed))
			k := owner(t, "ledger")
			if seed%4 == 3 {
				k = viewOnly(t, k)
			}
			r := create(t, k, near)
			l := &chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 4, Burn: seed%2 == 1}
			c := chaintest.New(fmt.Sprint("ledger ", seed), xmr.Regtest)
			now := uint64(chaintest.StartTime)
			most := 0
			for i := range 150 {
				randomChange(r, rnd, &c, l, &now)
				if seed%4 == 3 && i%5 == 0 && len(r.Outputs()) > 0 {
					// The full wallet provides key images: new ones, proved ones, and one that belonged to another
					// output.
					o := &r.Outputs()[rnd.IntN(len(r.Outputs()))]
					known := wallet.KnownImage{Key: o.Key, Image: rnd.Bytes32(), Proved: rnd.OneIn(3)}
					if rnd.OneIn(3) {
						known.Image = r.Outputs()[rnd.IntN(len(r.Outputs()))].Image
					}
					if change, err := r.DecideImages([]wallet.KnownImage{known}); err == nil {
						r.change(change)
					}
				}
				sums(t, r.Wallet, now, "change ", i)
				most = max(most, len(r.Outputs()))
			}
			require.NotZero(t, most, "the sums are not empty")
		})
	}
}

// TestReturnedSlicesDoNotChange keeps returned slices while the wallet changes in every way.
func TestReturnedSlicesDoNotChange(t *testing.T) {
	rnd := chaintest.NewRandom("handed out")
	k := owner(t, "handed out")
	r := create(t, k, near)
	l := &chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 4, Burn: true}
	c := chaintest.New("handed out", xmr.Regtest)
	now := uint64(chaintest.StartTime)
	type lists struct {
		outputs  []wallet.OwnedOutput
		payments []wallet.Payment
		spends   []*wallet.Spend
	}
	copied := func(l lists) string {
		text := fmt.Sprint(l.outputs, l.payments)
		for _, s := range l.spends {
			text += fmt.Sprint(*s)
		}
		return text
	}
	var kept []lists
	var before []string
	for range 120 {
		kept = append(kept, lists{r.Outputs(), r.Payments(), r.Spends()})
		before = append(before, copied(kept[len(kept)-1]))
		randomChange(r, rnd, &c, l, &now)
	}
	for i := range kept {
		require.Equal(t, before[i], copied(kept[i]), i)
	}
}

// TestSumsNeverWrap checks that sums of amounts from a malicious daemon saturate, and are correct again after the
// amounts are removed.
func TestSumsNeverWrap(t *testing.T) {
	r := create(t, owner(t, "wrap"), near)
	var c wallet.ChangeSet
	for i := range 3 {
		id := xmr.Hash{byte(i + 1)}
		c.Chain.Outputs = append(c.Chain.Outputs, wallet.OwnedOutput{
			TxID: id, Key: xmr.PublicKey(id), Image: xmr.KeyImage(id), ImageKnown: true,
			Amount: math.MaxUint64 - 5, Height: 1, Address: keys.Index{Minor: uint32(i % 2)},
		})
	}
	c.Chain.Blocks = []wallet.BlockID{{Height: 1}, {Height: 30}}
	r.change(c)
	sums(t, r.Wallet, 0)
	require.Equal(t, wallet.Balance{Total: math.MaxUint64, Unlocked: math.MaxUint64}, balance(r, false, 0))
	for i := range 2 {
		r.change(wallet.ChangeSet{Chain: wallet.ChainChange{
			Spends: []wallet.Spend{{TxID: xmr.Hash{9, byte(i)}, Height: 2, Images: []xmr.KeyImage{{byte(i + 1)}}}},
		}})
		sums(t, r.Wallet, 0)
	}
	require.Equal(t, wallet.Balance{Total: math.MaxUint64 - 5, Unlocked: math.MaxUint64 - 5}, balance(r, false, 0))
}
