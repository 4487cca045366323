package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/wallet"
	"glim/bindings/wallet/regtest"
	"glim/core/rpc"
)

// TestUnconfirmedPreviewsReserveNothing makes previews without confirming or discarding them, in one process and again
// after closing and opening the wallet: all money stays spendable.
func TestUnconfirmedPreviewsReserveNothing(t *testing.T) {
	t.Parallel()
	ctx, chain, c, m := setUp(t)
	w := funded(t, m, chain, "one")
	home, b := addressOf(t, w), balance(t, w)
	everything := wallet.Payment{To: []wallet.Destination{{Address: home}}, All: true}
	for range 2 {
		for _, key := range []string{"", "order 1"} {
			p := everything
			p.Key = key
			for range 3 {
				preview, err := w.Send(ctx, p)
				require.NoError(t, err)
				require.Equal(t, b.Total, preview.Amount+preview.Fee, "all money can be spent")
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
	require.Len(t, history, 20, "previews are not in the history")
	p, err := w.Send(ctx, everything)
	require.NoError(t, err)
	_, err = p.Confirm(ctx)
	require.NoError(t, err)
	require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
	require.Equal(t, wallet.Balance{Total: p.Amount, Unlocked: p.Amount}, balance(t, w))
}

// TestConfirmOnce confirms and discards a preview from several goroutines at the same time: it is sent at most once.
func TestConfirmOnce(t *testing.T) {
	t.Parallel()
	ctx, chain, _, m := setUp(t)
	w := funded(t, m, chain, "one")
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
						t.Errorf("confirmed %v, want %v", ids, p.Transactions)
					}
					confirmed.Add(1)
				case !errors.Is(err, wallet.ErrDiscarded):
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.NotEqual(t, confirmed.Load() > 0, discarded.Load() > 0, "either confirmed or discarded")
		if p.Confirmed() {
			paid += wallet.XMR
			total -= wallet.XMR + p.Fee
		}
		require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
		require.Equal(t, paid, balance(t, shop).Unlocked)
		require.Equal(t, total, balance(t, w).Unlocked)
	}
}

// flaky is a connection that fails when a transaction is sent, before or after the daemon has accepted it.
type flaky struct {
	rpc.Transport
	mode   atomic.Int32
	cancel context.CancelFunc // ends the context of a call in mode responseLate
}

const (
	reliable     = iota
	requestLost  // the daemon does not get the transaction
	responseLost // the daemon accepts the transaction, and the response is lost
	responseLate // the daemon accepts the transaction, and the response arrives after the call's context has ended
)

func (d *flaky) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	mode := d.mode.Load()
	if !strings.Contains(path, "send") {
		mode = reliable
	}
	if mode == requestLost {
		return nil, errors.New("the connection was lost")
	}
	response, err := d.Transport.Post(ctx, path, body)
	if mode == responseLate {
		d.cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if mode == responseLost {
		return nil, errors.New("the connection was lost")
	}
	return response, err
}

// TestConfirmRetries lets Confirm fail and calls it again, both if the daemon has accepted the transaction and if not.
// With a key, the retry may also come from another preview after a restart. The payment is made once.
func TestConfirmRetries(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	c := config(t, chain)
	connection := &flaky{Transport: chain}
	c.Transport = connection
	r := &retries{ctx: ctx, chain: chain, config: c, connection: connection, m: newManager(t, c)}
	r.payer = funded(t, r.m, chain, "one")
	var err error
	r.shop, err = r.m.Create(ctx, "shop", "")
	require.NoError(t, err)
	r.to = []wallet.Destination{{Address: addressOf(t, r.shop), Amount: wallet.XMR}}
	r.total = balance(t, r.payer).Total
	modes := []int32{requestLost, responseLost, responseLate}
	for _, mined := range []bool{false, true} {
		for n, mode := range modes {
			order := wallet.Payment{To: r.to}
			r.pay(t, order, mode, mined, false)
			order.Key = fmt.Sprintf("order %d, mined %t", n, mined)
			r.requireMade(t, order, r.pay(t, order, mode, mined, false))
			order.Key += ", after a restart"
			r.requireMade(t, order, r.pay(t, order, mode, mined, true))
		}
	}
}

// retries are the payments of TestConfirmRetries.
type retries struct {
	ctx         context.Context
	chain       *regtest.Chain
	config      wallet.Config
	connection  *flaky
	m           *wallet.Manager
	payer, shop *wallet.Wallet
	to          []wallet.Destination
	total, paid wallet.Amount // balances of payer and shop
}

// pay lets the first Confirm of an order fail and the second succeed, and checks both balances. mined adds a block in
// between; restart also opens the wallets again. It returns the preview that was confirmed.
func (r *retries) pay(t *testing.T, order wallet.Payment, mode int32, mined, restart bool) *wallet.Preview {
	t.Helper()
	p, err := r.payer.Send(r.ctx, order)
	require.NoError(t, err)
	r.fail(t, p, mode)
	if mined {
		require.NoError(t, r.chain.Mine(r.ctx, 1, ""))
		require.NoError(t, r.payer.Sync(r.ctx, nil))
	}
	if restart {
		p = r.sendAgain(t, order)
		require.True(t, p.Begun || mode == requestLost, "the accepted transaction is found")
	}
	for range 2 {
		ids, err := p.Confirm(r.ctx)
		require.NoError(t, err)
		require.Equal(t, p.Transactions, ids)
	}
	require.True(t, p.Confirmed())
	r.paid += wallet.XMR
	r.total -= wallet.XMR + p.Fee
	require.NoError(t, r.chain.Mine(r.ctx, regtest.Confirmations, ""))
	require.Equal(t, r.paid, balance(t, r.shop).Unlocked)
	require.Equal(t, r.total, balance(t, r.payer).Unlocked)
	return p
}

// fail calls Confirm while the connection fails.
func (r *retries) fail(t *testing.T, p *wallet.Preview, mode int32) {
	t.Helper()
	r.connection.mode.Store(mode)
	ctx, cancel := context.WithCancel(r.ctx)
	r.connection.cancel = cancel
	_, err := p.Confirm(ctx)
	cancel()
	if mode == responseLate {
		require.ErrorIs(t, err, context.Canceled)
	} else {
		require.ErrorIs(t, err, wallet.ErrDaemon)
	}
	require.ErrorIs(t, p.Discard(), wallet.ErrConfirmed, "the transaction may have been sent")
	r.connection.mode.Store(reliable)
}

// sendAgain opens the wallets again, as a new process would, and returns a new preview of the order.
func (r *retries) sendAgain(t *testing.T, order wallet.Payment) *wallet.Preview {
	t.Helper()
	require.NoError(t, r.m.Close())
	r.m = newManager(t, r.config)
	var err error
	r.payer, err = r.m.Open(r.ctx, "one", "secret")
	require.NoError(t, err)
	r.shop, err = r.m.Open(r.ctx, "shop", "")
	require.NoError(t, err)
	require.NoError(t, r.payer.Sync(r.ctx, nil))
	p, err := r.payer.Send(r.ctx, order)
	if errors.Is(err, wallet.ErrMoneyLocked) || errors.Is(err, wallet.ErrNotFinal) {
		require.NoError(t, r.chain.Mine(r.ctx, regtest.Confirmations, ""))
		require.NoError(t, r.payer.Sync(r.ctx, nil))
		p, err = r.payer.Send(r.ctx, order)
	}
	require.NoError(t, err)
	return p
}

// requireMade sends an order again that was confirmed as p: the preview is the one of p, and no other payment may use
// its key.
func (r *retries) requireMade(t *testing.T, order wallet.Payment, p *wallet.Preview) {
	t.Helper()
	again, err := r.payer.Send(r.ctx, order)
	require.NoError(t, err)
	require.True(t, again.Begun, "the payment with this key was made")
	require.Equal(t, p.Transactions, again.Transactions)
	require.Equal(t, p.Fee, again.Fee)
	require.ErrorIs(t, again.Discard(), wallet.ErrConfirmed)
	other := order
	other.To = []wallet.Destination{{Address: r.to[0].Address, Amount: 2 * wallet.XMR}}
	_, err = r.payer.Send(r.ctx, other)
	require.ErrorIs(t, err, wallet.ErrKeyUsed)
}

// TestPaymentOfSeveralTransactions confirms a payment whose inputs need several transactions.
func TestPaymentOfSeveralTransactions(t *testing.T) {
	t.Parallel()
	ctx, chain, _, m := setUp(t)
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
