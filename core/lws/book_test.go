package lws_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/syncer"
	"glim/core/xmr"
)

// user is a wallet whose account is on the server.
type user struct {
	*keys.Keys
	lws.Address
	view keys.Secret
}

func newUser(t testing.TB, name string) user {
	t.Helper()
	k, err := keys.FromSeed(chaintest.NewRandom(name).Bytes32())
	require.NoError(t, err)
	return user{k, lws.Address{Spend: k.SpendPublic, View: k.ViewPublic}, k.ViewSecret()}
}

func options(store lws.Store) lws.Options {
	return lws.Options{
		Network: xmr.Regtest, Store: store, Now: func() uint64 { return 1_700_000_000 }, MaxSubaddresses: 1000,
		AcceptCreation: true, AcceptImport: true,
	}
}

func open(t testing.TB, o lws.Options) *lws.Book {
	t.Helper()
	b, err := lws.Open(o)
	require.NoError(t, err)
	return b
}

// catchUp scans until all accounts are at the top.
func catchUp(t testing.TB, b *lws.Book, s syncer.Source) {
	t.Helper()
	for range 1000 {
		done, err := b.Step(context.Background(), s)
		require.NoError(t, err)
		if done {
			return
		}
	}
	t.Fatal("the scan does not end")
}

func login(t testing.TB, b *lws.Book, u user, l lws.Lookahead) {
	t.Helper()
	created, _, _, err := b.Login(u.Address, u.view, true, true, l)
	require.NoError(t, err)
	require.True(t, created)
}

func holdings(t testing.TB, b *lws.Book, u user) lws.Holdings {
	t.Helper()
	h, err := b.Holdings(u.Address, u.view)
	require.NoError(t, err)
	return h
}

func amounts(h lws.Holdings) (out []uint64) {
	for _, o := range h.Outputs {
		out = append(out, o.Amount)
	}
	return out
}

func pay(u user, amount uint64) chaintest.Spec {
	return chaintest.Spec{Pay: []chaintest.Payment{{To: u.Keys, Amount: amount}, {Amount: 5}}, Fee: 7}
}

// TestAccounts: several accounts on one chain each see their own outputs and the rings that contain them.
func TestAccounts(t *testing.T) {
	c := chaintest.New("accounts", xmr.Regtest)
	c.Grow(30)
	s := chaintest.NewSource(c)
	b := open(t, options(nil))
	catchUp(t, b, s)
	alice, bob, eve := newUser(t, "alice"), newUser(t, "bob"), newUser(t, "eve")
	for _, u := range []user{alice, bob, eve} {
		login(t, b, u, lws.Lookahead{Major: 2, Minor: 3})
	}
	made := c.Add(pay(alice, 100), chaintest.Spec{Pay: []chaintest.Payment{
		{To: bob.Keys, At: keys.Index{Major: 1, Minor: 2}, Amount: 40}, {To: alice.Keys, Amount: 60},
	}, Additional: true})
	id := [8]byte{1, 2, 3}
	c.Mine(chaintest.Spec{Pay: []chaintest.Payment{{To: alice.Keys, Amount: 600}}},
		chaintest.Spec{Pay: []chaintest.Payment{{To: bob.Keys, Amount: 9}, {Amount: 1}}, PaymentID: &id})
	c.Grow(2)
	c.Add(chaintest.Spec{Spend: []xmr.KeyImage{made[1].Image}, Pay: []chaintest.Payment{{Amount: 1}, {Amount: 2}}})
	catchUp(t, b, s)

	a := holdings(t, b, alice)
	require.Equal(t, []uint64{100, 60, 600}, amounts(a))
	require.Equal(t, c.Height()-1, a.Scanned)
	require.Equal(t, uint64(31), a.Start)
	require.Len(t, a.Spends, 1)
	require.Equal(t, made[1].Image, a.Spends[0].Image)
	require.Equal(t, a.Outputs[0].Ref, a.Spends[0].Source)
	require.Equal(t, uint32(15), a.Spends[0].Mixin)
	require.True(t, a.Outputs[2].Coinbase)
	require.Equal(t, uint64(7), a.Outputs[0].Fee)
	require.Equal(t, c.Blocks[31].Txs[1].Tx.PrefixHash(), a.Outputs[0].Prefix)

	h := holdings(t, b, bob)
	require.Equal(t, []uint64{40, 9}, amounts(h))
	require.Equal(t, keys.Index{Major: 1, Minor: 2}, h.Outputs[0].At)
	require.Equal(t, id[:], h.Outputs[1].PaymentID)
	require.Empty(t, h.Spends)
	require.Empty(t, holdings(t, b, eve).Outputs)

	// The transaction public key and the index give the output's key, so that an owner can spend it.
	for _, u := range []user{alice, bob} {
		for _, o := range holdings(t, b, u).Outputs {
			requireSpendable(t, u, o)
		}
	}

	require.Empty(t, holdings(t, b, eve).Spends)
	_, err := b.Holdings(alice.Address, bob.view)
	require.ErrorIs(t, err, lws.ErrForbidden)
	stranger := newUser(t, "stranger")
	_, err = b.Holdings(stranger.Address, stranger.view)
	require.ErrorIs(t, err, lws.ErrForbidden)
}

// TestDuplicateKeys: of several outputs with one key, of which only one can be spent, the largest counts.
func TestDuplicateKeys(t *testing.T) {
	c := chaintest.New("duplicates", xmr.Regtest)
	c.Grow(3)
	s := chaintest.NewSource(c)
	b := open(t, options(nil))
	catchUp(t, b, s)
	u := newUser(t, "u")
	login(t, b, u, lws.Lookahead{})
	secret := chaintest.NewRandom("r").Scalar()
	for _, amount := range []uint64{5, 9, 2} {
		c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: u.Keys, Amount: amount}, {Amount: 1}}, Secret: secret})
	}
	catchUp(t, b, s)
	require.Equal(t, []uint64{9}, amounts(holdings(t, b, u)))
}

// TestOnlyGenesis: accounts can be created on a chain that has only the genesis block, and follow it from there.
func TestOnlyGenesis(t *testing.T) {
	c := chaintest.New("genesis", xmr.Regtest)
	s := chaintest.NewSource(c)
	b := open(t, options(nil))
	u := newUser(t, "first")
	_, _, _, err := b.Login(u.Address, u.view, true, true, lws.Lookahead{})
	require.ErrorIs(t, err, lws.ErrDaemon, "before the first block is read")
	catchUp(t, b, s)
	login(t, b, u, lws.Lookahead{})
	c.Add(pay(u, 3))
	catchUp(t, b, s)
	require.Equal(t, []uint64{3}, amounts(holdings(t, b, u)))
}

// TestLookahead: payments to addresses beyond the first ones extend what is watched, also within one batch of blocks.
func TestLookahead(t *testing.T) {
	c := chaintest.New("lookahead", xmr.Regtest)
	c.Grow(3)
	s := chaintest.NewSource(c)
	b := open(t, options(nil))
	catchUp(t, b, s)
	u := newUser(t, "far")
	login(t, b, u, lws.Lookahead{Major: 1, Minor: 3})
	for i := uint32(0); i < 10; i++ {
		c.Add(chaintest.Spec{Pay: []chaintest.Payment{
			{To: u.Keys, At: keys.Index{Minor: 2 + 2*i}, Amount: uint64(1 + i)}, {Amount: 1},
		}})
	}
	catchUp(t, b, s)
	require.Equal(t, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, amounts(holdings(t, b, u)))
	list, err := b.Addresses(u.Address, u.view)
	require.NoError(t, err)
	require.Equal(t, []lws.Subaddresses{{Ranges: []lws.Range{{0, 22}}}}, list)

	// The limit stops the extension, and the answer says so.
	o := options(nil)
	o.MaxSubaddresses = 8
	b = open(t, o)
	catchUp(t, b, chaintest.NewSource(c.Fork("short", 4)))
	login(t, b, u, lws.Lookahead{Major: 1, Minor: 3})
	catchUp(t, b, s)
	h := holdings(t, b, u)
	require.Equal(t, []uint64{1, 2, 3}, amounts(h))
	require.Equal(t, uint64(6), h.LookaheadFail)
}

// TestReorganisation: what was in blocks that leave the chain is gone, and returns with them.
func TestReorganisation(t *testing.T) {
	c := chaintest.New("reorganisation", xmr.Regtest)
	c.Grow(10)
	s := chaintest.NewSource(c)
	store := &lws.Memory{}
	b := open(t, options(store))
	catchUp(t, b, s)
	u := newUser(t, "u")
	login(t, b, u, lws.Lookahead{})
	made := c.Add(pay(u, 1))
	c.Add(pay(u, 2), chaintest.Spec{Spend: []xmr.KeyImage{made[1].Image}, Pay: []chaintest.Payment{{Amount: 1}}})
	catchUp(t, b, s)
	require.Equal(t, []uint64{1, 2}, amounts(holdings(t, b, u)))
	require.Len(t, holdings(t, b, u).Spends, 1)

	f := c.Fork("branch", 12)
	f.Add(pay(u, 3))
	f.Grow(3)
	s.Switch(f)
	catchUp(t, b, s)
	require.Equal(t, []uint64{1, 3}, amounts(holdings(t, b, u)))
	require.Empty(t, holdings(t, b, u).Spends)

	for range 6 {
		c.Grow(1)
	}
	s.Switch(c)
	catchUp(t, b, s)
	require.Equal(t, []uint64{1, 2}, amounts(holdings(t, b, u)))
	require.Len(t, holdings(t, b, u).Spends, 1)
	require.Equal(t, holdings(t, b, u), holdings(t, open2(t, store, s), u))

	other := chaintest.New("another chain", xmr.Regtest)
	other.Grow(200)
	s.Switch(other)
	b = open(t, options(nil))
	long := chaintest.New("long", xmr.Regtest)
	long.Grow(150)
	catchUp(t, b, chaintest.NewSource(long))
	_, err := b.Step(context.Background(), s)
	require.ErrorIs(t, err, lws.ErrDeep)
}

// open2 opens a store again and lets the Book learn the top.
func open2(t *testing.T, store lws.Store, s syncer.Source) *lws.Book {
	b := open(t, options(store))
	catchUp(t, b, s)
	return b
}

// failing is a store whose commits fail at a chosen number.
type failing struct {
	lws.Memory
	commits, failAt int
}

var errDisk = errors.New("disk full")

func (f *failing) Commit(put []lws.Record, drop [][]byte) error {
	if f.commits++; f.commits == f.failAt {
		return errDisk
	}
	return f.Memory.Commit(put, drop)
}

// TestCrashAtAnyCommit stops the server at each commit, opens the store again, and continues: nothing is lost or
// counted twice. The chain grows, branches, and pays accounts that come at different times.
func TestCrashAtAnyCommit(t *testing.T) {
	users := []user{newUser(t, "1"), newUser(t, "2"), newUser(t, "3")}
	c := chaintest.New("crash", xmr.Regtest)
	c.Grow(5)
	var made []chaintest.MadeOutput
	for i := range 12 {
		u := users[i%3]
		specs := []chaintest.Spec{{Pay: []chaintest.Payment{
			{To: u.Keys, At: keys.Index{Minor: uint32(i % 2)}, Amount: uint64(i + 1)}, {Amount: 3},
		}}}
		if i%4 == 3 {
			specs = append(specs, chaintest.Spec{
				Spend: []xmr.KeyImage{made[i-1].Image}, Pay: []chaintest.Payment{{Amount: 9}},
			})
		}
		made = append(made, c.Add(specs...)[1])
	}
	branch := c.Fork("crash branch", 13)
	branch.Add(pay(users[0], 50), pay(users[1], 60))
	branch.Grow(8)
	l := lws.Lookahead{Major: 1, Minor: 2}

	// run plays all events with a store, and returns at the first error.
	run := func(b *lws.Book) error {
		source := func(c *chaintest.Chain, height uint64) *chaintest.Source {
			part := *c
			part.Blocks = c.Blocks[:height]
			s := chaintest.NewSource(&part)
			s.Batch = 4
			return s
		}
		all := func(s *chaintest.Source) error {
			for {
				if done, err := b.Step(context.Background(), s); done || err != nil {
					return err
				}
			}
		}
		for n, u := range users {
			if err := all(source(c, uint64(6+3*n))); err != nil {
				return err
			}
			if _, _, _, err := b.Login(u.Address, u.view, true, false, l); err != nil {
				return err
			}
		}
		if _, err := b.Import(users[2].Address, users[2].view, 1, l); err != nil {
			return err
		}
		if _, err := b.Rescan(7, []lws.Address{users[1].Address}); err != nil {
			return err
		}
		if err := all(source(c, c.Height())); err != nil {
			return err
		}
		return all(source(branch, branch.Height()))
	}
	whole := &failing{}
	b := open(t, options(whole))
	require.NoError(t, run(b))
	want := map[string]lws.Holdings{}
	for i, u := range users {
		want[fmt.Sprint(i)] = holdings(t, b, u)
		require.NotEmpty(t, want[fmt.Sprint(i)].Outputs)
	}
	require.NotEmpty(t, want["2"].Spends)
	commits := whole.commits
	require.Greater(t, commits, 12)
	for at := 2; at <= commits; at++ {
		f := &failing{failAt: at}
		b := open(t, options(f))
		require.ErrorIs(t, run(b), errDisk, at)
		b = open(t, options(f)) // as after a crash
		again := run(b)
		require.NoError(t, again, at)
		_, err := b.Rescan(6, []lws.Address{users[0].Address, users[1].Address})
		require.NoError(t, err)
		s := chaintest.NewSource(branch)
		catchUp(t, b, s)
		stored := open2(t, f, s)
		for i, u := range users {
			is := holdings(t, b, u)
			require.Equal(t, total(want[fmt.Sprint(i)], is.Start), total(is, is.Start), "commit %d, account %d", at, i)
			require.Equal(t, is, holdings(t, stored, u), "commit %d, account %d, stored", at, i)
		}
	}
}

// total describes holdings from a block on.
func total(h lws.Holdings, from uint64) string {
	s := ""
	for _, o := range h.Outputs {
		if o.Height >= from {
			s += fmt.Sprintln(o.Height, o.TxID, o.Index, o.Amount, o.At, o.Ref)
		}
	}
	for _, x := range h.Spends {
		if x.Height >= from {
			s += fmt.Sprintln(x.Height, x.TxID, x.Input, x.Source)
		}
	}
	return s
}
