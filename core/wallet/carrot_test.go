package wallet_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/xmr"
)

// forking is the index of the first block of the next hard fork in the chains of these tests.
const forking = 12

// forkingChain returns a chain that crosses the fork.
func forkingChain(seed string) *chaintest.Chain {
	c := chaintest.New(seed, xmr.Regtest)
	c.CarrotFrom = forking
	return c
}

// unspent returns what w has not spent, as the amount by output key.
func unspent(w *wallet.Wallet) map[xmr.PublicKey]uint64 {
	out := map[xmr.PublicKey]uint64{}
	for i := range w.Outputs() {
		if o := &w.Outputs()[i]; !w.IsSpent(o, true) {
			out[o.Key] = o.Amount
		}
	}
	return out
}

// paidUnspent returns the same for the owner, as the chain was made.
func paidUnspent(c *chaintest.Chain, owner *keys.Keys) map[xmr.PublicKey]uint64 {
	out := map[xmr.PublicKey]uint64{}
	for _, m := range c.Unspent(owner) {
		if m.Amount > 0 {
			out[m.Key] = m.Amount
		}
	}
	return out
}

// TestAcrossTheFork pays a wallet with today's keys before and after the fork, at every kind of address and in a
// coinbase, and spends outputs of both kinds in transactions of the fork. Another wallet finds nothing of it.
func TestAcrossTheFork(t *testing.T) {
	k, stranger := owner(t, "across"), owner(t, "stranger")
	sub := keys.Index{Major: 1, Minor: 2}
	c := forkingChain("across")
	before := c.Add(chaintest.Spec{
		Additional: true, Pay: []chaintest.Payment{{To: k, Amount: 1000}, {To: k, At: sub, Amount: 2000}},
	})
	for c.Height() < forking {
		c.Add()
	}
	c.Mine(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 600}, {Amount: 5}}})
	id := [8]byte{1, 2, 3, 4, 5, 6, 7, 8}
	paid := c.Add(
		chaintest.Spec{Fee: 7, Pay: []chaintest.Payment{{To: k, Amount: 10}, {Amount: 1}}},
		chaintest.Spec{Fee: 7, Pay: []chaintest.Payment{{Amount: 1}, {To: k, At: sub, Amount: 20}, {Amount: 3}}},
		chaintest.Spec{Fee: 7, PaymentID: &id, Pay: []chaintest.Payment{{To: k, Amount: 30}, {Amount: 9}}},
	)
	c.Add(chaintest.Spec{ // spends an output of each kind, with change
		Fee: 9, Spend: []xmr.KeyImage{before[1].Image, paid[1].Image},
		Pay: []chaintest.Payment{{Amount: 900}, {To: k, Amount: 101, Change: true}},
	})
	r := create(t, k, near)
	r.follow(c, 5)
	require.Equal(t, paidUnspent(c, k), unspent(r.Wallet))
	require.Len(t, unspent(r.Wallet), 5)

	spends := r.Spends()
	require.Len(t, spends, 1)
	require.Equal(t, uint64(1010), spends[0].AmountIn)
	require.Equal(t, uint64(101), spends[0].Change)
	require.Equal(t, uint64(9), spends[0].Fee)

	var ids, coinbases int
	for _, p := range r.Payments() {
		if p.PaymentID != (xmr.Hash{}) {
			ids++
			require.Equal(t, id[:], p.PaymentID[:8])
			require.Equal(t, uint64(30), p.Amount)
		}
		if p.Coinbase {
			coinbases++
			require.Equal(t, p.Height+xmr.CoinbaseUnlock, p.UnlockTime)
		}
	}
	require.Equal(t, 1, ids)
	require.Equal(t, 1, coinbases)
	for i := range r.Outputs() {
		o := &r.Outputs()[i]
		require.Equal(t, o.Height >= forking, o.Carrot)
		require.Equal(t, o.Amount == 101, o.EnoteType == wallet.EnoteType(carrot.ChangeEnote))
		if o.Amount == 20 {
			require.Equal(t, sub, o.Address)
		}
	}
	same(t, r.Wallet, r.reloaded())
	same(t, r.Wallet, r.compacted().Wallet)

	other := create(t, stranger, near)
	other.follow(c, 5)
	require.Empty(t, other.Outputs())

	// The blocks in one pass have the same result as one by one.
	whole := create(t, k, near)
	whole.follow(c, int(c.Height()))
	sameMoney(t, r.Wallet, whole.Wallet)
}

// TestCarrotKeys computes the secret keys of outputs from what the wallet stores, which spending will need.
func TestCarrotKeys(t *testing.T) {
	k := owner(t, "opening")
	c := forkingChain("opening")
	c.Grow(forking)
	c.Mine(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 600}}})
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{
		{To: k, Amount: 10}, {To: k, At: keys.Index{Minor: 1}, Amount: 11}, {To: k, Amount: 12, Change: true},
	}})
	r := create(t, k, near)
	r.follow(c, 3)
	w := r.compacted()
	require.Len(t, w.Outputs(), 4)
	generator, err := edwards.DecodePoint(carrot.Default.T)
	require.NoError(t, err)
	for i := range w.Outputs() {
		o := &w.Outputs()[i]
		x, _, ok := k.AddressSecrets(o.Address)
		require.True(t, ok)
		g, y, err := o.CarrotExtensions(k.SpendKey(o.Address))
		require.NoError(t, err)
		p := new(edwards.Point).ScalarBaseMult(x.Add(x, g))
		p.Add(p, new(edwards.Point).ScalarMult(y, generator))
		require.Equal(t, o.Key, xmr.PublicKey(p.Encode()))
		require.Equal(t, o.Image, carrot.Default.KeyImage(carrot.CarrotOutput, o.Key, x))
	}
}

// TestNotCredited receives nothing from outputs with a wrong amount, view tag, key or anchor. The ephemeral key of the
// last was not made for the address, as in a Janus attack.
func TestNotCredited(t *testing.T) {
	k := owner(t, "flaws")
	flaws := []chaintest.Flaw{
		chaintest.WrongAmount, chaintest.WrongViewTag, chaintest.InvalidKey, chaintest.WrongAnchor,
	}
	for _, flaw := range flaws {
		c := forkingChain(fmt.Sprint("flaw", flaw))
		c.Grow(forking)
		c.Mine(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 600, Flaw: flaw}}})
		c.Add(chaintest.Spec{Pay: []chaintest.Payment{
			{To: k, Amount: 10, Flaw: flaw}, {To: k, At: keys.Index{Minor: 3}, Amount: 11, Flaw: flaw},
			{To: k, Amount: 12, Change: true, Flaw: flaw}, {To: k, Amount: 0},
		}})
		r := create(t, k, near)
		require.Empty(t, r.follow(c, 3))
		require.Empty(t, r.Outputs(), flaw)
	}
}

// TestRepeatedEnote credits an enote once, whether it is repeated within its transaction or in another one, and with
// the same or another first key image.
func TestRepeatedEnote(t *testing.T) {
	k := owner(t, "repeated")
	c := forkingChain("repeated")
	c.Grow(forking)
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 10}, {Amount: 1}}})
	c.Grow(1)
	original := c.Blocks[forking+1].Txs[1]
	again := func(id byte, image xmr.KeyImage) {
		t := *original.Tx
		t.Inputs = append(t.Inputs[:0:0], t.Inputs...)
		t.Inputs[0].KeyImage = image
		c.Include(syncer.Tx{ID: xmr.Hash{id}, Tx: &t})
	}
	twice := *original.Tx // both of its outputs have the ephemeral key of the first
	ephemeral := fcmptx.AppendEphemeral(nil, original.Tx)
	twice.Extra = tx.AppendPublicKey(nil, ephemeral[0])
	twice.Outputs = append(twice.Outputs[:0:0], twice.Outputs[0], twice.Outputs[0])
	twice.Carrot = append(twice.Carrot[:0:0], twice.Carrot[0], twice.Carrot[0])
	twice.RingCT.Ecdh = append(twice.RingCT.Ecdh[:0:0], twice.RingCT.Ecdh[0], twice.RingCT.Ecdh[0])
	twice.RingCT.Commitments = append(
		twice.RingCT.Commitments[:0:0], twice.RingCT.Commitments[0], twice.RingCT.Commitments[0])
	c.Include(syncer.Tx{ID: xmr.Hash{9}, Tx: &twice})
	again(1, original.Tx.Inputs[0].KeyImage)
	again(2, xmr.KeyImage(chaintest.NewRandom("image").Point()))

	r := create(t, k, near)
	events := kinds(r.follow(c, 50))
	require.Equal(t, []wallet.HostEventKind{
		wallet.MoneyReceived, wallet.BurntOutput, wallet.BurntOutput, wallet.BurntOutput,
	}, events)
	require.Len(t, r.Outputs(), 1)
	require.Equal(t, uint64(10), paid(r.Wallet))
	require.Equal(t, uint64(10), r.AccountBalance(0, true, chaintest.StartTime+1_000_000).Total)
	same(t, r.Wallet, r.compacted().Wallet)
}

// TestRandomHistoriesAcrossTheFork grows random chains across the fork, with reorganisations before and after it, and
// compares what several wallets have with what was paid.
func TestRandomHistoriesAcrossTheFork(t *testing.T) {
	for seed := range 6 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			name := fmt.Sprint("histories ", seed)
			rnd, c := chaintest.NewRandom(name), forkingChain(name)
			owners := []*keys.Keys{owner(t, "one"), owner(t, "two")}
			var wallets []*recorded
			for _, k := range owners {
				wallets = append(wallets, create(t, k, near))
			}
			view := create(t, viewOnly(t, owners[0]), near)
			for range 12 {
				if c.Height() > 4 && rnd.OneIn(3) {
					at := c.Height() - 1 - rnd.Uint64()%min(6, c.Height()-2)
					c = c.Fork(fmt.Sprint(rnd.Uint64()), at)
					for _, r := range append(wallets, view) {
						r.detach(min(at, r.Height()))
					}
				}
				for _, k := range owners {
					c.GrowWith(&chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 4}, 1+rnd.IntN(3))
				}
				for i, r := range wallets {
					r.follow(c, 1+rnd.IntN(6))
					require.Equal(t, paidUnspent(c, owners[i]), unspent(r.Wallet))
					for _, o := range r.Outputs() {
						require.Equal(t, o.Height >= forking, o.Carrot)
					}
				}
				view.follow(c, 1+rnd.IntN(6))
			}
			require.Greater(t, c.Height(), uint64(forking))
			for _, r := range wallets {
				same(t, r.Wallet, r.reloaded())
				same(t, r.Wallet, r.compacted().Wallet)
			}

			// A view-only wallet has the same outputs, and once it has the key images, the same balance.
			require.Len(t, view.Outputs(), len(wallets[0].Outputs()))
			var images []wallet.KnownImage
			for _, o := range wallets[0].Outputs() {
				images = append(images, wallet.KnownImage{Key: o.Key, Image: o.Image})
			}
			view.change(view.decided(view.DecideImages(images)))
			view.change(view.DecideRescan(0, chaintest.StartTime))
			view.follow(c, 7)
			require.Equal(t, unspent(wallets[0].Wallet), unspent(view.Wallet))
		})
	}
}

// TestCarrotInThePool shows payments of the fork before they are mined, and spends of Carrot outputs.
func TestCarrotInThePool(t *testing.T) {
	k := owner(t, "pool")
	c := forkingChain("pool")
	c.Grow(forking)
	made := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 10}, {Amount: 1}}})
	r := create(t, k, near)
	r.follow(c, 5)
	in, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: k, At: keys.Index{Minor: 1}, Amount: 25}}}, nil)
	out, _ := c.Tx(chaintest.Spec{
		Fee: 1, Spend: []xmr.KeyImage{made[1].Image}, Pay: []chaintest.Payment{{Amount: 9}},
	}, nil)
	r.setPool(chaintest.StartTime, in, out)
	require.Len(t, r.Pool(), 2)
	for _, p := range r.Pool() {
		if p.TxID == in.ID {
			require.Equal(t, uint64(25), p.Payments[0].Amount)
			require.Equal(t, keys.Index{Minor: 1}, p.Payments[0].Address)
		} else {
			require.Equal(t, uint64(10), p.Spend.AmountIn)
		}
	}
}

// TestBackgroundAcrossTheFork: a transaction of the fork does not show what it may spend, so after background syncing
// the wallet reads its blocks again, and misses nothing.
func TestBackgroundAcrossTheFork(t *testing.T) {
	k := owner(t, "background fork")
	c := forkingChain("background fork")
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 500}}})
	r := create(t, k, near)
	r.follow(c, 5)
	a := backgroundOf(t, r, true)
	late := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 900}}})
	c.Grow(forking)
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 10}, {Amount: 1}}})
	c.Add(chaintest.Spec{Spend: []xmr.KeyImage{late[1].Image}, Pay: []chaintest.Payment{{Amount: 800}}})
	a.follow(c, 4)
	require.Len(t, a.Outputs(), 3)
	same(t, a.Wallet, a.compacted().Wallet)

	takeBack(t, r, a)
	r.follow(c, 4)
	require.Equal(t, paidUnspent(c, k), unspent(r.Wallet))
	require.Len(t, unspent(r.Wallet), 2)
}

// TestCarrotRecords refuses altered records of Carrot outputs.
func TestCarrotRecords(t *testing.T) {
	c := found()
	c.Chain.Outputs[1].Carrot, c.Chain.Outputs[1].EnoteType = true, wallet.EnoteType(carrot.ChangeEnote)
	b, err := c.Encode()
	require.NoError(t, err)
	got, err := wallet.DecodeChange(b)
	require.NoError(t, err)
	require.Equal(t, c, got)
	for n := range b {
		_, err := wallet.DecodeChange(b[:n])
		require.ErrorIs(t, err, wallet.ErrRecord)
	}
	for at, value := range map[int]byte{1: 0, 2: 2, 3: 2} { // number of entries, position, type
		altered := append([]byte(nil), b...)
		altered[at] = value
		_, err := wallet.DecodeChange(altered)
		require.ErrorIs(t, err, wallet.ErrRecord, at)
	}
	_, err = wallet.DecodeChange(append([]byte{'k', 1, 0, 0}, b...))
	require.ErrorIs(t, err, wallet.ErrRecord, "twice")
}
