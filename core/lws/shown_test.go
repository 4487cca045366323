package lws_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/lws"
	"glim/core/xmr"
)

// TestRequestsDuringChanges: what a request reads while blocks come and go is of one moment: the payments up to the
// block that it says was scanned, and no other.
func TestRequestsDuringChanges(t *testing.T) {
	c := chaintest.New("moments", xmr.Regtest)
	c.Grow(20)
	s := chaintest.NewSource(c)
	b := open(t, options(nil))
	catchUp(t, b, s)
	u := newUser(t, "moments")
	login(t, b, u, lws.Lookahead{})
	c.Grow(3)
	catchUp(t, b, s)
	first := c.Height()
	var stop atomic.Bool
	var reading sync.WaitGroup
	for range 2 {
		reading.Go(func() {
			for !stop.Load() {
				h, err := b.Holdings(u.Address, u.view)
				if err != nil || uint64(len(h.Outputs))+first != max(h.Scanned+1, first) {
					t.Errorf("%v: %d payments up to block %d", err, len(h.Outputs), h.Scanned)
					return
				}
			}
		})
	}
	for round := range 15 {
		c.Add(pay(u, 1))
		c.Add(pay(u, 2))
		catchUp(t, b, s)
		if round%3 == 2 {
			c = c.Fork(t.Name()+string(rune('a'+round)), c.Height()-3)
			for range 4 {
				c.Add(pay(u, 3))
			}
			s.Switch(c)
			catchUp(t, b, s)
		}
	}
	stop.Store(true)
	reading.Wait()
	require.NotEmpty(t, holdings(t, b, u).Outputs)
}

// locked is a Scanner whose Watch blocks while a channel is open.
type locked struct {
	lws.Scanner
	watching, release chan struct{}
}

func (l *locked) Watch(id uint64, list []lws.Watched) {
	if len(list) > 1 {
		close(l.watching)
		<-l.release
	}
	l.Scanner.Watch(id, list)
}

// TestRequestsDoNotWait: owners read their accounts while a change holds the lock of the Book.
func TestRequestsDoNotWait(t *testing.T) {
	c := chaintest.New("locked", xmr.Regtest)
	c.Grow(3)
	l := &locked{&lws.PerAccount{}, make(chan struct{}), make(chan struct{})}
	o := options(nil)
	o.Scanner = l
	b := open(t, o)
	catchUp(t, b, chaintest.NewSource(c))
	u := newUser(t, "locked")
	login(t, b, u, lws.Lookahead{})
	upserted := make(chan error, 1)
	go func() {
		_, _, err := b.Upsert(u.Address, u.view, []lws.Subaddresses{{Major: 1, Ranges: []lws.Range{{0, 9}}}})
		upserted <- err
	}()
	<-l.watching
	require.Equal(t, c.Height()-1, holdings(t, b, u).Top)
	require.Equal(t, c.Height()-1, b.Top())
	_, err := b.Addresses(u.Address, u.view)
	require.NoError(t, err)
	close(l.release)
	require.NoError(t, <-upserted)
}
