package wallet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// tiers are the keys of one wallet with the keys of Carrot, of each tier.
type tiers struct{ master, all, received *keys.Keys }

func newTiers(t *testing.T, name string) (out tiers) {
	t.Helper()
	made := func(a *carrot.Account, err error) *keys.Keys {
		t.Helper()
		require.NoError(t, err)
		k, err := a.Keys()
		require.NoError(t, err)
		return k
	}
	out.master = made(carrot.NewMasterAccount(carrot.Default, chaintest.NewRandom(name).Bytes32()))
	v, ok := carrot.AccountOf(out.master).ViewAll()
	require.True(t, ok)
	out.all = made(carrot.NewViewAllAccount(carrot.Default, v.BalanceSecret(), v.PartialSpendKey()))
	out.received = made(carrot.NewViewReceivedAccount(
		carrot.Default, v.ViewSecret(), v.AddressSecret(), out.master.SpendPublic))
	return out
}

// TestCarrotWallets: a wallet with the keys of Carrot receives before and after the fork, at all kinds of addresses. Of
// its tiers, view-all sees change and all that is spent, and view-received only what others send.
func TestCarrotWallets(t *testing.T) {
	k := newTiers(t, "tiers")
	sub := keys.Index{Major: 1, Minor: 2}
	c := forkingChain("tiers")
	before := c.Add(
		chaintest.Spec{Pay: []chaintest.Payment{{To: k.master, Amount: 1000}}},
		chaintest.Spec{Pay: []chaintest.Payment{{To: k.master, At: sub, Amount: 2000}}},
	)
	c.Grow(forking)
	c.Mine(chaintest.Spec{Pay: []chaintest.Payment{{To: k.master, Amount: 600}, {Amount: 5}}})
	id := [8]byte{1, 2, 3, 4, 5, 6, 7, 8}
	paid := c.Add(
		chaintest.Spec{Fee: 7, Pay: []chaintest.Payment{{To: k.master, Amount: 10}, {Amount: 1}}},
		chaintest.Spec{Fee: 7, Pay: []chaintest.Payment{{Amount: 1}, {To: k.master, At: sub, Amount: 20}, {Amount: 3}}},
		chaintest.Spec{Fee: 7, PaymentID: &id, Pay: []chaintest.Payment{{To: k.master, Amount: 30}, {Amount: 9}}},
	)
	var spent []xmr.KeyImage
	for _, m := range append(before, paid...) {
		if m.Amount == 2000 || m.Amount == 10 {
			spent = append(spent, m.Image)
		}
	}
	require.Len(t, spent, 2)
	require.NotContains(t, spent, xmr.KeyImage{})
	c.Add(chaintest.Spec{ // spends an output of each kind, with change in front
		Fee: 9, Spend: spent,
		Pay: []chaintest.Payment{{To: k.master, Amount: 1101, Change: true}, {Amount: 900}},
	})

	var full *recorded
	for _, own := range []*keys.Keys{k.master, k.all} {
		r := create(t, own, near)
		r.follow(c, 5)
		require.Equal(t, paidUnspent(c, k.master), unspent(r.Wallet))
		require.Len(t, unspent(r.Wallet), 5)
		require.Len(t, r.Spends(), 1)
		s := r.Spends()[0]
		require.Equal(t, []uint64{2010, 1101, 9}, []uint64{s.AmountIn, s.Change, s.Fee})
		for i := range r.Outputs() {
			o := &r.Outputs()[i]
			require.True(t, o.ImageKnown)
			require.Equal(t, o.Height >= forking, o.Carrot)
			require.Equal(t, o.Amount == 1101, o.EnoteType == wallet.EnoteType(carrot.ChangeEnote))
		}
		require.ErrorIs(t, r.CheckFork(), wallet.ErrCarrotKeys)
		same(t, r.Wallet, r.reloaded())
		same(t, r.Wallet, r.compacted().Wallet)
		if full != nil {
			sameMoney(t, full.Wallet, r.Wallet)
		}
		full = r
	}

	r := create(t, k.received, near)
	r.follow(c, 5)
	require.Empty(t, r.Spends())
	require.Len(t, r.Outputs(), 6, "all but the change")
	for i := range r.Outputs() {
		require.False(t, r.Outputs()[i].ImageKnown)
		require.NotEqual(t, uint64(1101), r.Outputs()[i].Amount)
	}
	same(t, r.Wallet, r.reloaded())
	same(t, r.Wallet, r.compacted().Wallet)

	stranger := create(t, newTiers(t, "another").master, near)
	stranger.follow(c, 5)
	require.Empty(t, stranger.Outputs())
}

// TestCarrotWalletsInThePool shows change and spends before they are mined.
func TestCarrotWalletsInThePool(t *testing.T) {
	k := newTiers(t, "tier pool")
	c := forkingChain("tier pool")
	c.Grow(forking)
	made := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k.master, Amount: 10}, {Amount: 1}}})
	r := create(t, k.all, near)
	r.follow(c, 5)
	out, _ := c.Tx(chaintest.Spec{
		Fee: 1, Spend: []xmr.KeyImage{made[1].Image},
		Pay: []chaintest.Payment{{Amount: 5}, {To: k.master, At: keys.Index{Minor: 1}, Amount: 4, Change: true}},
	}, nil)
	r.setPool(chaintest.StartTime, []syncer.Tx{out}...)
	require.Len(t, r.Pool(), 1)
	require.Equal(t, uint64(10), r.Pool()[0].Spend.AmountIn)
	require.Equal(t, uint64(4), r.Pool()[0].Spend.Change)
}

// TestCarrotWalletsAndReorganisations compares the tiers with what a random chain pays, with reorganisations across the
// fork.
func TestCarrotWalletsAndReorganisations(t *testing.T) {
	k := newTiers(t, "tier history")
	c := forkingChain("tier history")
	c.Grow(forking - 3)
	all := create(t, k.all, near)
	all.follow(c, 4)
	for step := range 6 {
		if step%2 == 1 {
			at := c.Height() - 4
			c = c.Fork(string(rune('a'+step)), at)
			all.detach(min(at, all.Height()))
		}
		c.GrowWith(&chaintest.Activity{Owner: k.master, Accounts: 2, Subaddresses: 4}, 6)
		all.follow(c, 1+step)
		require.Equal(t, paidUnspent(c, k.master), unspent(all.Wallet))
	}
	require.NotEmpty(t, all.Spends())
	require.True(t, wallet.HasCarrot(all.Outputs()))
	same(t, all.Wallet, all.compacted().Wallet)
}

// TestCarrotIdentities: every tier is stored and restored, and no altered record becomes another wallet.
func TestCarrotIdentities(t *testing.T) {
	k := newTiers(t, "identities")
	for _, own := range []*keys.Keys{k.master, k.all, k.received} {
		b, err := wallet.EncodeIdentity(origin(own), near)
		require.NoError(t, err)
		o, _, err := wallet.DecodeIdentity(b)
		require.NoError(t, err)
		require.Equal(t, carrot.AccountOf(own).Tier(), carrot.AccountOf(o.Keys).Tier())
		require.Equal(t, carrot.AccountOf(own).Encode(), carrot.AccountOf(o.Keys).Encode())
		require.Equal(t, own.SpendKeys(2, 0, 3), o.Keys.SpendKeys(2, 0, 3))
		for n := range 2 + int(b[1]) {
			altered := append([]byte(nil), b...)
			altered[n] ^= 1
			o, _, err := wallet.DecodeIdentity(altered)
			if err != nil {
				continue
			}
			// Only the generate-address secret and bits beyond a scalar's modulus are not tied to the other keys.
			require.Equal(t, own.SpendPublic, o.Keys.SpendPublic)
			require.Equal(t, own.ViewPublic, o.Keys.ViewPublic)
			require.Equal(t, carrot.TierViewReceived, carrot.AccountOf(o.Keys).Tier())
		}
		for n := range b {
			_, _, err := wallet.DecodeIdentity(b[:n])
			require.ErrorIs(t, err, wallet.ErrRecord)
		}
	}

	// An account is not combined with an identity of another kind, even if both have the same public keys.
	external, err := keys.NewExternal(k.master.ViewSecret(), k.master.SpendPublic, false)
	require.NoError(t, err)
	watching, err := keys.ViewOnly(k.master.ViewSecret(), k.master.SpendPublic)
	require.NoError(t, err)
	background := origin(watching)
	background.Background = true
	account := carrot.AccountOf(k.master).Encode()
	for kind, o := range map[string]wallet.Identity{
		"a spend key of today": origin(owner(t, "identities")), "an external signer": origin(external),
		"background sync": background,
	} {
		b, err := wallet.EncodeIdentity(o, near)
		require.NoError(t, err)
		_, _, err = wallet.DecodeIdentity(append(append([]byte{'h', byte(len(account))}, account...), b...))
		require.ErrorIs(t, err, wallet.ErrRecord, kind)
	}
}
