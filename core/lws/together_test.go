package lws_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/syncer"
	"glim/core/xmr"
)

// TestTogether: accounts that are scanned together receive what they receive when each is scanned separately, among
// them one that joins later, and one that is hidden meanwhile.
func TestTogether(t *testing.T) {
	c := chaintest.New("together", xmr.Regtest)
	c.Grow(30)
	s := chaintest.NewSource(c)
	apart, together := options(nil), options(nil)
	apart.Scanner = &lws.PerAccount{}
	together.Scanner = lws.NewTogether(syncer.Workers{Count: 2})
	books := []*lws.Book{open(t, apart), open(t, together)}
	var users []user
	join := func(n int) {
		for range n {
			u := newUser(t, fmt.Sprint("user ", len(users)))
			users = append(users, u)
			for _, b := range books {
				login(t, b, u, lws.Lookahead{Major: 2, Minor: 3})
			}
		}
	}
	settle := func() {
		for _, b := range books {
			catchUp(t, b, s)
		}
	}
	round := func() {
		for i, u := range users {
			next := users[(i+1)%len(users)]
			c.Mine(pay(u, uint64(100+i)), chaintest.Spec{Additional: true, Pay: []chaintest.Payment{
				{To: next.Keys, At: keys.Index{Major: 1, Minor: uint32(i % 4)}, Amount: 40}, {To: u.Keys, Amount: 60},
			}})
		}
		many := chaintest.Spec{Pay: make([]chaintest.Payment, 300), Additional: true} // wide: 9 kB of public keys
		for i := range many.Pay {
			many.Pay[i] = chaintest.Payment{To: users[i%len(users)].Keys, Amount: uint64(1 + i)}
		}
		c.Mine(many)
		c.Grow(2)
		settle()
	}
	settle()
	join(14)
	round()
	join(3)
	round()
	for _, b := range books {
		_, err := b.SetStatus(lws.Hidden, []lws.Address{users[3].Address})
		require.NoError(t, err)
	}
	round()
	for i, u := range users {
		if i == 3 {
			continue
		}
		want := holdings(t, books[0], u)
		require.GreaterOrEqual(t, len(want.Outputs), 3, i)
		require.Equal(t, want, holdings(t, books[1], u), i)
	}
}

// nowhere is a Store that keeps nothing.
type nowhere struct{}

func (nowhere) Load(func(key, value []byte) error) error     { return nil }
func (nowhere) Commit(put []lws.Record, drop [][]byte) error { return nil }

// TestAccountMemory: an account that received nothing takes at most 1 KiB of memory.
func TestAccountMemory(t *testing.T) {
	const n = 2000
	c := chaintest.New("memory", xmr.Regtest)
	c.Grow(3)
	users := make([]user, n)
	for i := range users {
		users[i] = newUser(t, fmt.Sprint("idle ", i))
	}
	used := func() float64 {
		runtime.GC()
		runtime.GC() // also what pools keep for reuse
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	fill := func(users []user) *lws.Book {
		o := options(nowhere{})
		o.MaxSubaddresses, o.Scanner = 0, lws.NewTogether(syncer.Workers{Count: 2})
		b, s := open(t, o), chaintest.NewSource(c)
		catchUp(t, b, s)
		for _, u := range users {
			login(t, b, u, lws.Lookahead{})
		}
		c.Grow(2)
		catchUp(t, b, s)
		return b
	}
	fill(users) // allocates what all Books share, such as tables of constants
	before := used()
	b := fill(users)
	each := (used() - before) / n
	t.Logf("%.0f bytes for each account", each)
	require.Less(t, each, 1024.0, "bytes for each account")
	runtime.KeepAlive(b)
	runtime.KeepAlive(users)
}
