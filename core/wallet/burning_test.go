package wallet_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// paying returns a transaction with the same one-time key whenever it pays the same address.
func paying(k *keys.Keys, secret string, amount uint64) chaintest.Spec {
	return chaintest.Spec{
		Secret: chaintest.NewRandom(secret).Scalar(), Pay: []chaintest.Payment{{To: k, Amount: amount}},
	}
}

func paid(w *wallet.Wallet) (sum uint64) {
	for _, p := range w.Payments() {
		sum += p.Amount
	}
	return sum
}

func kinds(events []wallet.HostEvent) (out []wallet.HostEventKind) {
	for _, e := range events {
		out = append(out, e.Kind)
	}
	return out
}

// TestBurningBug pays the same one-time key several times: only the largest output counts and can be spent.
// Source: src/wallet/wallet2.cpp, process_new_transaction.
func TestBurningBug(t *testing.T) {
	k := owner(t, "burning")
	for _, c := range []struct {
		amounts []uint64
		credits []uint64 // of the payments
		events  []wallet.HostEventKind
	}{
		{[]uint64{5}, []uint64{5}, []wallet.HostEventKind{wallet.MoneyReceived}},
		{
			[]uint64{5, 7}, []uint64{5, 2},
			[]wallet.HostEventKind{wallet.MoneyReceived, wallet.BurntOutput, wallet.MoneyReceived},
		},
		{[]uint64{7, 5}, []uint64{7}, []wallet.HostEventKind{wallet.MoneyReceived, wallet.BurntOutput}},
		{[]uint64{5, 5}, []uint64{5}, []wallet.HostEventKind{wallet.MoneyReceived, wallet.BurntOutput}},
		{[]uint64{0, 5}, []uint64{5}, []wallet.HostEventKind{wallet.MoneyReceived}},
		{[]uint64{5, 0}, []uint64{5}, []wallet.HostEventKind{wallet.MoneyReceived}},
		{
			[]uint64{1, 3, 2, 9}, []uint64{1, 2, 6},
			[]wallet.HostEventKind{
				wallet.MoneyReceived, wallet.BurntOutput, wallet.MoneyReceived, wallet.BurntOutput,
				wallet.BurntOutput, wallet.MoneyReceived,
			},
		},
	} {
		for _, together := range []bool{false, true} {
			for _, batch := range []int{1, 2, 100} {
				t.Run(fmt.Sprint(c.amounts, together, batch), func(t *testing.T) {
					chain := chaintest.New("burning", xmr.Regtest)
					var specs []chaintest.Spec
					for _, a := range c.amounts {
						specs = append(specs, paying(k, "twice", a))
					}
					if together {
						chain.Add(specs...)
					} else {
						for _, s := range specs {
							chain.Add(s)
						}
					}
					chain.Grow(10)
					r := create(t, k, near)
					events := r.follow(chain, batch)
					require.Len(t, r.Outputs(), 1)
					largest := uint64(0)
					for _, a := range c.amounts {
						largest = max(largest, a)
					}
					require.Equal(t, largest, r.Outputs()[0].Amount)
					require.Equal(t, largest, r.AccountBalance(0, true, 0).Total)
					require.Equal(t, largest, paid(r.Wallet))
					require.Len(t, r.Spendable(0, nil, r.Clock(0)), 1)
					var credits []uint64
					for _, p := range r.Payments() {
						credits = append(credits, p.Amount)
					}
					require.Equal(t, c.credits, credits)
					require.Equal(t, c.events, kinds(events))
					same(t, r.Wallet, r.reloaded())
					same(t, r.Wallet, r.compacted().Wallet)
				})
			}
		}
	}
}

// TestBurningSurvivesReorganisation drops the larger output, so that the smaller one counts again.
func TestBurningSurvivesReorganisation(t *testing.T) {
	k := owner(t, "burning")
	chain := chaintest.New("burning", xmr.Regtest)
	chain.Add(paying(k, "twice", 5))
	chain.Add(paying(k, "once", 100))
	chain.Add(paying(k, "twice", 7))
	chain.Add(paying(k, "twice", 6))
	r := create(t, k, near)
	r.follow(chain, 100)
	require.Equal(t, uint64(107), paid(r.Wallet))
	require.Equal(t, 2, r.Burnt())
	for _, w := range []*recorded{r, r.compacted()} {
		w.detach(4)
		require.Equal(t, uint64(107), paid(w.Wallet))
		require.Equal(t, uint64(7), w.Outputs()[0].Amount)
		w.detach(3)
		require.Equal(t, uint64(105), paid(w.Wallet))
		require.Equal(t, uint64(5), w.Outputs()[0].Amount)
		require.Zero(t, w.Burnt())
		o, ok := w.OutputByImage(w.Outputs()[0].Image)
		require.True(t, ok)
		require.Equal(t, uint64(5), o.Amount)
		w.detach(1)
		require.Empty(t, w.Outputs())
		w.follow(chain, 1)
		same(t, w.Wallet, w.reloaded())
		require.Equal(t, uint64(107), paid(w.Wallet))
	}
}

// TestBurntAfterSpent sends a larger amount to a key whose output was already spent: it cannot be spent.
func TestBurntAfterSpent(t *testing.T) {
	k := owner(t, "burning")
	for _, batch := range []int{1, 100} {
		chain := chaintest.New("burning", xmr.Regtest)
		made := chain.Add(paying(k, "twice", 5))
		image := made[1].Image
		chain.Add(chaintest.Spec{Spend: []xmr.KeyImage{image}, Fee: 1, Pay: []chaintest.Payment{{Amount: 4}}})
		chain.Add(paying(k, "twice", 9))
		r := create(t, k, near)
		events := r.follow(chain, batch)
		require.Equal(t, []wallet.HostEventKind{wallet.MoneyReceived, wallet.MoneySpent, wallet.BurntOutput},
			kinds(events))
		require.Zero(t, r.AccountBalance(0, true, 0).Total)
		require.Equal(t, uint64(5), paid(r.Wallet))
		require.Equal(t, uint64(5), r.Spends()[0].AmountIn)
		same(t, r.Wallet, r.reloaded())
		same(t, r.Wallet, r.compacted().Wallet)

		// Without the spend, the larger output counts.
		other := chain.Fork("other", 2)
		other.Add()
		other.Add(paying(k, "twice", 9))
		r.detach(2)
		r.follow(other, batch)
		require.Equal(t, uint64(9), r.AccountBalance(0, true, 0).Total)
		require.Equal(t, uint64(9), paid(r.Wallet))
	}
}

// TestBurntInBlockOfSpend puts the larger output and the spend into one block, in either order: outputs, payments and
// events are consistent.
func TestBurntInBlockOfSpend(t *testing.T) {
	k := owner(t, "burning")
	for _, spendFirst := range []bool{false, true} {
		for _, batch := range []int{1, 100} {
			t.Run(fmt.Sprint(spendFirst, batch), func(t *testing.T) {
				chain := chaintest.New("burning", xmr.Regtest)
				image := chain.Add(paying(k, "twice", 5))[1].Image
				spend := chaintest.Spec{Spend: []xmr.KeyImage{image}, Fee: 1, Pay: []chaintest.Payment{{Amount: 4}}}
				if spendFirst {
					chain.Add(spend, paying(k, "twice", 9))
				} else {
					chain.Add(paying(k, "twice", 9), spend)
				}
				r := create(t, k, near)
				received := uint64(0)
				for _, e := range r.follow(chain, batch) {
					if e.Kind == wallet.MoneyReceived {
						received += e.Amount
					}
				}
				require.Len(t, r.Outputs(), 1)
				require.Zero(t, r.AccountBalance(0, true, 0).Total)
				require.Equal(t, r.Outputs()[0].Amount, paid(r.Wallet), "payments and outputs agree")
				require.Equal(t, r.Outputs()[0].Amount, received, "events and outputs agree")
				require.Equal(t, r.Outputs()[0].Amount, r.Spends()[0].AmountIn)
				same(t, r.Wallet, r.compacted().Wallet)
			})
		}
	}
}

// TestOneKeyTwiceInOneTransaction has an output key that belongs to the wallet at only one of two output indices.
func TestOneKeyTwiceInOneTransaction(t *testing.T) {
	k := owner(t, "burning")
	scratch := chaintest.New("burning", xmr.Regtest)
	key := scratch.Add(paying(k, "twice", 5))[1].Key
	for _, at := range []int{0, 1} {
		s := paying(k, "twice", 5)
		// Output 0 has the key derived for output 0, and output 1 has the same key.
		s.Pay = append(s.Pay, chaintest.Payment{To: k, Amount: 8, Key: &key})
		if at == 1 { // the wrong index first: no output belongs to the wallet
			s.Pay[0], s.Pay[1] = s.Pay[1], s.Pay[0]
		}
		chain := chaintest.New("burning", xmr.Regtest)
		chain.Add(s)
		r := create(t, k, near)
		r.follow(chain, 1)
		require.LessOrEqual(t, len(r.Outputs()), 2)
		for i := range r.Outputs() {
			o := &r.Outputs()[i]
			got, ok := r.OutputByImage(o.Image)
			require.True(t, ok)
			require.Equal(t, o.Key, got.Key)
		}
		total := r.AccountBalance(0, true, 0).Total
		require.Equal(t, total, paid(r.Wallet))
		if at == 0 {
			require.Equal(t, uint64(5), total)
		}
	}
}

// TestBurntInThePool checks that a pool transaction to a spent one-time key adds nothing, whatever its amount, and
// one to an unspent key adds the difference.
func TestBurntInThePool(t *testing.T) {
	k := owner(t, "burning")
	c := chaintest.New("burnt pool", xmr.Regtest)
	made := c.Add(paying(k, "twice", 5))
	c.Grow(10)
	r := create(t, k, near)
	r.follow(c, 100)
	more, _ := c.Tx(paying(k, "twice", 9), nil)
	require.Equal(t, []wallet.HostEventKind{wallet.MoneyInPool}, kinds(r.setPool(0, more)))
	require.EqualValues(t, 9, r.AccountBalance(0, false, 0).Total)
	c.Add(chaintest.Spec{Spend: []xmr.KeyImage{made[1].Image}, Pay: []chaintest.Payment{{Amount: 4}}})
	r.follow(c, 100)
	r.setPool(0, more)
	require.Empty(t, r.Pool())
	require.Zero(t, r.AccountBalance(0, false, 0).Total)
}
