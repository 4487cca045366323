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

// sums demands that the ledger says what plain sums say, of every account and address and at several times.
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
					used := slices.ContainsFunc(w.Outputs(), func(o wallet.Output) bool { return o.Address == keys.Index{Major: major, Minor: minor} })
					require.Equal(t, used, w.IsUsed(keys.Index{Major: major, Minor: minor}), why...)
				}
			}
		}
	}
}

// TestLedgerEqualsSums makes changes at random and after each compares what is kept with what plain sums say.
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
			l := &chaintest.Life{Owner: k, Accounts: 2, Minors: 4, Burn: seed%2 == 1}
			c := chaintest.New(fmt.Sprint("ledger ", seed), xmr.Regtest)
			now := uint64(chaintest.StartTime)
			most := 0
			for i := range 150 {
				randomChange(r, rnd, &c, l, &now)
				if seed%4 == 3 && i%5 == 0 && len(r.Outputs()) > 0 {
					// The other half tells key images: new ones, better ones, and one that was another output's.
					o := &r.Outputs()[rnd.IntN(len(r.Outputs()))]
					told := wallet.KnownImage{Key: o.Key, Image: rnd.Bytes32(), Proved: rnd.OneIn(3)}
					if rnd.OneIn(3) {
						told.Image = r.Outputs()[rnd.IntN(len(r.Outputs()))].Image
					}
					if change, err := r.DecideImages([]wallet.KnownImage{told}); err == nil {
						r.change(change)
					}
				}
				sums(t, r.Wallet, now, "change ", i)
				most = max(most, len(r.Outputs()))
			}
			require.NotZero(t, most, "there was something to add up")
		})
	}
}

// TestHandedOutStays keeps what it was handed while the wallet changes in every way.
func TestHandedOutStays(t *testing.T) {
	rnd := chaintest.NewRandom("handed out")
	k := owner(t, "handed out")
	r := create(t, k, near)
	l := &chaintest.Life{Owner: k, Accounts: 2, Minors: 4, Burn: true}
	c := chaintest.New("handed out", xmr.Regtest)
	now := uint64(chaintest.StartTime)
	type lists struct {
		outputs  []wallet.Output
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

// TestSumsNeverWrap: what a daemon that lies says may exceed what a number holds. The largest number is shown then, and what
// is taken away again leaves the truth.
func TestSumsNeverWrap(t *testing.T) {
	r := create(t, owner(t, "wrap"), near)
	var c wallet.ChangeSet
	for i := range 3 {
		id := xmr.Hash{byte(i + 1)}
		c.Chain.Outputs = append(c.Chain.Outputs, wallet.Output{TxID: id, Key: xmr.PublicKey(id), Image: xmr.KeyImage(id), ImageKnown: true,
			Amount: math.MaxUint64 - 5, Height: 1, Address: keys.Index{Minor: uint32(i % 2)}})
	}
	c.Chain.Blocks = []wallet.BlockID{{Height: 1}, {Height: 30}}
	r.change(c)
	sums(t, r.Wallet, 0)
	require.Equal(t, wallet.Balance{Total: math.MaxUint64, Unlocked: math.MaxUint64}, balance(r, false, 0))
	for i := range 2 {
		r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Spends: []wallet.Spend{{TxID: xmr.Hash{9, byte(i)}, Height: 2, Images: []xmr.KeyImage{{byte(i + 1)}}}}}})
		sums(t, r.Wallet, 0)
	}
	require.Equal(t, wallet.Balance{Total: math.MaxUint64 - 5, Unlocked: math.MaxUint64 - 5}, balance(r, false, 0))
}
