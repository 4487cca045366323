package wallet_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/wallet"
	"glim/bindings/wallet/regtest"
	"glim/core/rpc"
)

// TestForgottenPreviews: previews that nobody confirms or discards hold back no coin, neither while the wallet is open,
// nor after it was closed, nor in another process.
func TestForgottenPreviews(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	c := config(t, chain)
	m := newManager(t, c)
	w := rich(t, m, chain, "one")
	home, b := addressOf(t, w), balance(t, w)
	everything := wallet.Payment{To: []wallet.Destination{{Address: home}}, All: true}
	for range 2 {
		for _, key := range []string{"", "order 1"} {
			p := everything
			p.Key = key
			for range 3 {
				preview, err := w.Send(ctx, p)
				require.NoError(t, err)
				require.Equal(t, b.Total, preview.Amount+preview.Fee, "all of it can be spent")
			}
		}
		require.Equal(t, b, balance(t, w))
		require.NoError(t, m.Close())
		m = newManager(t, c)
		var err error
		w, err = m.Open(ctx, "one", "secret")
		require.NoError(t, err)
		require.Equal(t, b, balance(t, w))
	}
	history, err := w.History(ctx, wallet.Filter{})
	require.NoError(t, err)
	require.Len(t, history, 20, "previews are no part of it")
	p, err := w.Send(ctx, everything)
	require.NoError(t, err)
	_, err = p.Confirm(ctx)
	require.NoError(t, err)
	require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
	require.Equal(t, wallet.Balance{Total: p.Amount, Unlocked: p.Amount}, balance(t, w))
}

// TestConfirmOnce: a preview is sent once, whoever confirms or discards it at the same time.
func TestConfirmOnce(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	m := newManager(t, config(t, chain))
	w := rich(t, m, chain, "one")
	total := balance(t, w).Total
	shop, err := m.Create(ctx, "shop", "")
	require.NoError(t, err)
	to := []wallet.Destination{{Address: addressOf(t, shop), Amount: wallet.XMR}}
	paid := wallet.Amount(0)
	for range 8 {
		p, err := w.Send(ctx, wallet.Payment{To: to})
		require.NoError(t, err)
		var confirmed, discarded atomic.Int64
		var group sync.WaitGroup
		for i := range 6 {
			group.Go(func() {
				if i%3 == 0 {
					switch err := p.Discard(); {
					case err == nil:
						discarded.Add(1)
					case !errors.Is(err, wallet.ErrConfirmed):
						t.Error(err)
					}
					return
				}
				switch ids, err := p.Confirm(ctx); {
				case err == nil:
					if len(ids) != 1 || ids[0] != p.Transactions[0] {
						t.Errorf("%v, not %v", ids, p.Transactions)
					}
					confirmed.Add(1)
				case !errors.Is(err, wallet.ErrDiscarded):
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.NotEqual(t, confirmed.Load() > 0, discarded.Load() > 0, "one of both")
		if p.Confirmed() {
			paid += wallet.XMR
			total -= wallet.XMR + p.Fee
		}
		require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
		require.Equal(t, paid, balance(t, shop).Unlocked)
		require.Equal(t, total, balance(t, w).Unlocked)
	}
}

// weak is a daemon that takes transactions and fails to say so, or fails before it takes them.
type weak struct {
	rpc.Transport
	mode   atomic.Int32
	cancel context.CancelFunc // of the call that waits for a slow one
}

const (
	well = iota
	deaf // takes nothing
	mute // takes and does not say so
	slow // takes and says so when nobody waits any more
)

func (d *weak) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	mode := d.mode.Load()
	if !strings.Contains(path, "send") {
		mode = well
	}
	if mode == deaf {
		return nil, errors.New("the line is cut")
	}
	answer, err := d.Transport.Post(ctx, path, body)
	if mode == slow {
		d.cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if mode == mute {
		return nil, errors.New("the line is cut")
	}
	return answer, err
}

// TestConfirmAgain: a Confirm that failed is called again, whether the daemon had taken the transaction or not, and
// with a Key by another preview in another process, too. The payment is made once.
func TestConfirmAgain(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	c := config(t, chain)
	line := &weak{Transport: chain}
	c.Transport = line
	m := newManager(t, c)
	w := rich(t, m, chain, "one")
	shop, err := m.Create(ctx, "shop", "")
	require.NoError(t, err)
	to := []wallet.Destination{{Address: addressOf(t, shop), Amount: wallet.XMR}}
	total, paid := balance(t, w).Total, wallet.Amount(0)
	for n, mode := range []int32{deaf, mute, slow, deaf, mute, slow, deaf, mute, slow} {
		for _, mined := range []bool{false, true} {
			key := ""
			if n >= 3 {
				key = strings.Repeat("k", 2*n+1)
				if mined {
					key += "m"
				}
			}
			order := wallet.Payment{To: to, Key: key}
			p, err := w.Send(ctx, order)
			require.NoError(t, err)
			line.mode.Store(mode)
			waiting, cancel := context.WithCancel(ctx)
			line.cancel = cancel
			_, err = p.Confirm(waiting)
			cancel()
			if mode == slow {
				require.ErrorIs(t, err, context.Canceled)
			} else {
				require.ErrorIs(t, err, wallet.ErrDaemon)
			}
			require.ErrorIs(t, p.Discard(), wallet.ErrConfirmed, "it may be on its way")
			line.mode.Store(well)
			if mined {
				require.NoError(t, chain.Mine(ctx, 1, ""))
				require.NoError(t, w.Sync(ctx, nil))
			}
			if n >= 6 { // the program is started again
				require.NoError(t, m.Close())
				m = newManager(t, c)
				w, err = m.Open(ctx, "one", "secret")
				require.NoError(t, err)
				shop, err = m.Open(ctx, "shop", "")
				require.NoError(t, err)
				require.NoError(t, w.Sync(ctx, nil))
				if p, err = w.Send(ctx, order); errors.Is(err, wallet.ErrMoneyLocked) ||
					errors.Is(err, wallet.ErrNotFinal) {
					require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
					require.NoError(t, w.Sync(ctx, nil))
					p, err = w.Send(ctx, order)
				}
				require.NoError(t, err)
				require.True(t, p.Begun || mode == deaf, "what was taken is shown")
			}
			for range 2 {
				ids, err := p.Confirm(ctx)
				require.NoError(t, err, "%d %v", n, mined)
				require.Equal(t, p.Transactions, ids)
			}
			require.True(t, p.Confirmed())
			paid += wallet.XMR
			total -= wallet.XMR + p.Fee
			require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
			require.Equal(t, paid, balance(t, shop).Unlocked, "%d %v", n, mined)
			require.Equal(t, total, balance(t, w).Unlocked)
			if key == "" {
				continue
			}
			again, err := w.Send(ctx, order)
			require.NoError(t, err)
			require.True(t, again.Begun, "under its key it is sent")
			require.Equal(t, p.Transactions, again.Transactions)
			require.Equal(t, p.Fee, again.Fee)
			require.ErrorIs(t, again.Discard(), wallet.ErrConfirmed)
			other := order
			other.To = []wallet.Destination{{Address: to[0].Address, Amount: 2 * wallet.XMR}}
			_, err = w.Send(ctx, other)
			require.ErrorIs(t, err, wallet.ErrKeyUsed)
		}
	}
}

// TestManyOutputs: a payment that takes several transactions is confirmed as a whole, and one that fails in the middle
// goes on where it was.
func TestManyOutputs(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	c := config(t, chain)
	m := newManager(t, c)
	w, err := m.Create(ctx, "one", "")
	require.NoError(t, err)
	require.NoError(t, chain.Fund(ctx, 200, addressOf(t, w)))
	shop, err := m.Create(ctx, "shop", "")
	require.NoError(t, err)
	b := balance(t, w)
	p, err := w.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: addressOf(t, shop)}}, All: true,
		Key: "all of it"})
	require.NoError(t, err)
	require.Greater(t, len(p.Transactions), 1)
	require.Equal(t, b.Total, p.Amount+p.Fee)
	_, err = p.Confirm(ctx)
	require.NoError(t, err)
	require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
	require.Equal(t, p.Amount, balance(t, shop).Unlocked)
	require.Zero(t, balance(t, w).Total)
}
