package postgres

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	local "glim/bindings/lws"
	"glim/bindings/peers"
	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/syncer"
	"glim/core/xmr"
)

var testKey = local.Key{1, 2, 3}

// open connects to a database as one process would.
func open(t testing.TB, url string, lease time.Duration) *database {
	t.Helper()
	d, err := connect(t.Context(), url, lease)
	require.NoError(t, err)
	t.Cleanup(d.close)
	require.NoError(t, d.identify(t.Context(), local.NewSealer(testKey, rand.Reader), xmr.Regtest))
	return d
}

// take takes a share and returns its Book.
func take(t testing.TB, d *database, old int64) (*share, *lws.Book) {
	t.Helper()
	s, err := d.join(t.Context(), old)
	require.NoError(t, err)
	t.Cleanup(s.end)
	return s, book(t, &store{share: s, network: xmr.Regtest})
}

func book(t testing.TB, s lws.Store) *lws.Book {
	t.Helper()
	b, err := lws.Open(lws.Options{
		Network: xmr.Regtest, Store: s, Now: func() uint64 { return 1 }, AcceptCreation: true, MaxSubaddresses: 10,
	})
	require.NoError(t, err)
	return b
}

// users returns the keys and addresses of accounts.
func users(t testing.TB, n int) (all []*keys.Keys, at []lws.Address) {
	t.Helper()
	for i := range n {
		k, err := keys.FromSeed([32]byte{byte(1 + i)})
		require.NoError(t, err)
		all, at = append(all, k), append(at, lws.Address{Spend: k.SpendPublic, View: k.ViewPublic})
	}
	return all, at
}

// busyChain is a chain that pays accounts and may spend what they received.
func busyChain(list []*keys.Keys, blocks int) *chaintest.Chain {
	c := chaintest.New("shared", xmr.Regtest)
	c.Grow(5)
	for i := range blocks {
		to := list[i%len(list)]
		made := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: to, Amount: uint64(1 + i)}, {Amount: 1}}})
		if i%3 == 0 {
			c.Add(chaintest.Spec{Spend: []xmr.KeyImage{made[1].Image}, Pay: []chaintest.Payment{{Amount: 1}}})
		}
	}
	return c
}

// upTo returns a source of the first blocks of c.
func upTo(c *chaintest.Chain, height uint64) syncer.Source {
	part := *c
	part.Blocks = c.Blocks[:height]
	return chaintest.NewSource(&part)
}

func scanAll(t testing.TB, b *lws.Book, s syncer.Source) {
	t.Helper()
	for done := false; !done; {
		var err error
		done, err = b.Step(context.Background(), s)
		require.NoError(t, err)
	}
}

// requireSame requires that the database has for each account what one Book finds that scans everything.
func requireSame(t testing.TB, d *database, c *chaintest.Chain, list []*keys.Keys, at []lws.Address) {
	t.Helper()
	whole := book(t, &lws.Memory{})
	_, err := whole.Step(t.Context(), upTo(c, 5))
	require.NoError(t, err)
	for i, a := range at {
		require.NoError(t, whole.Add(a, list[i].ViewSecret()))
	}
	scanAll(t, whole, chaintest.NewSource(c))
	for i, a := range at {
		want, err := whole.Holdings(a, list[i].ViewSecret())
		require.NoError(t, err)
		require.NotEmpty(t, want.Outputs)
		require.NotEmpty(t, want.Spends)
		b, err := d.account(t.Context(), xmr.Regtest, d.who(a))
		require.NoError(t, err)
		is, err := b.Holdings(a, list[i].ViewSecret())
		require.NoError(t, err)
		require.Equal(t, want, is)
	}
}

// expire ends the lease of a share as if its time had passed.
func expire(t testing.TB, d *database, s *share) {
	t.Helper()
	_, err := d.pool.Exec(t.Context(), "UPDATE glim_lws.process SET expires = '-infinity' WHERE epoch = $1", s.epoch)
	require.NoError(t, err)
}

// TestPostgres runs the tests of shares with one server, each in a database of its own.
func TestPostgres(t *testing.T) {
	p := peers.NewPostgres(t)
	for name, test := range map[string]func(t *testing.T, url string){
		"paused": paused, "branches": branches, "division": division, "hostile": hostileRows, "opening": opening,
		"sealed": sealed, "servers": servers, "hooked": hooked,
	} {
		t.Run(name, func(t *testing.T) {
			url, err := p.Create(t.Context(), name)
			require.NoError(t, err)
			test(t, url)
		})
	}
}

// paused: a process whose parts were taken while it was paused cannot write, and everything is complete afterwards.
func paused(t *testing.T, url string) {
	list, at := users(t, 8)
	c := busyChain(list, 40)
	d := open(t, url, time.Hour)
	slow, first := take(t, d, 0)
	require.Len(t, slow.parts, parts)
	scanAll(t, first, upTo(c, 5))
	for i, a := range at {
		require.NoError(t, first.Add(a, list[i].ViewSecret()))
	}
	scanAll(t, first, upTo(c, 20))

	expire(t, d, slow)
	fast, second := take(t, open(t, url, time.Hour), 0)
	require.Len(t, fast.parts, parts)
	scanAll(t, second, upTo(c, 30))

	// The first process wakes up: it reads blocks, gets a request, and creates an account.
	_, err := first.Step(t.Context(), upTo(c, 40))
	require.ErrorIs(t, err, errLost)
	_, err = first.SetStatus(lws.Hidden, at)
	require.ErrorIs(t, err, errLost)
	require.Error(t, slow.ctx.Err())
	again := &store{share: &share{d: d, epoch: slow.epoch, parts: slow.parts}, network: xmr.Regtest}
	again.share.ctx, again.share.cancel = context.WithCancelCause(t.Context())
	key := lws.BlockRecord(7, xmr.Hash{9})
	require.ErrorIs(t, again.Commit([]lws.Record{key}, nil), errLost)
	require.ErrorIs(t, again.Load(func(_, _ []byte) error { return nil }), errLost)

	scanAll(t, second, chaintest.NewSource(c))
	requireSame(t, d, c, list, at)
	rest, third := take(t, d, fast.epoch) // the same after loading
	require.Len(t, rest.parts, parts)
	scanAll(t, third, chaintest.NewSource(c))
	requireSame(t, d, c, list, at)
	for i, a := range at {
		h, err := third.Holdings(a, list[i].ViewSecret())
		require.NoError(t, err)
		require.NotEmpty(t, h.Outputs)
	}
}

// branches: shares that were on different branches of the chain are joined, and the accounts of both are right.
func branches(t *testing.T, url string) {
	list, at := users(t, 8)
	c := busyChain(list, 40)
	other := c.Fork("other", 30)
	for range 6 {
		other.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: list[0], Amount: 77}}})
	}
	d, e := open(t, url, time.Hour), open(t, url, time.Hour)
	a, bookA := take(t, d, 0)
	scanAll(t, bookA, upTo(c, 5))
	for i := range at {
		require.NoError(t, bookA.Add(at[i], list[i].ViewSecret()))
	}
	b, _ := take(t, e, 0)
	require.Empty(t, b.parts)
	a, bookA = take(t, d, a.epoch)
	require.Len(t, a.parts, parts/2)
	b, bookB := take(t, e, b.epoch)
	require.Len(t, b.parts, parts/2)
	scanAll(t, bookA, chaintest.NewSource(other))
	scanAll(t, bookB, upTo(c, 25))
	expire(t, d, b)
	a, bookA = take(t, d, a.epoch)
	require.Len(t, a.parts, parts)
	scanAll(t, bookA, chaintest.NewSource(c))
	requireSame(t, d, c, list, at)
}

// division: the parts are divided evenly among the processes that live.
func division(t *testing.T, url string) {
	d := open(t, url, time.Hour)
	var all []*share
	for range 3 {
		s, _ := take(t, d, 0)
		all = append(all, s)
	}
	for range 2 { // those that have too much free it, and the others take it
		for i := range all {
			stays, err := d.renew(t.Context(), all[i].epoch, len(all[i].parts))
			require.NoError(t, err)
			if !stays {
				all[i], _ = take(t, d, all[i].epoch)
			}
		}
	}
	seen := map[int32]bool{}
	for _, s := range all {
		require.LessOrEqual(t, len(s.parts), fair(3))
		for _, part := range s.parts {
			require.False(t, seen[part])
			seen[part] = true
		}
		stays, err := d.renew(t.Context(), s.epoch, len(s.parts))
		require.NoError(t, err)
		require.True(t, stays)
	}
	require.Len(t, seen, parts)
	require.NoError(t, d.leave(t.Context(), all[0].epoch))
	stays, err := d.renew(t.Context(), all[1].epoch, len(all[1].parts))
	require.NoError(t, err)
	require.False(t, stays, "the parts of the process that left are taken")
	stays, err = d.renew(t.Context(), all[0].epoch, len(all[0].parts))
	require.NoError(t, err)
	require.False(t, stays)
}
