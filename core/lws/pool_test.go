package lws_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/lws"
	"glim/core/syncer"
	"glim/core/xmr"
)

// poolOf returns the transactions of /get_address_txs that are in the pool.
func poolOf(t *testing.T, a *lws.API, u user) (out []map[string]any) {
	t.Helper()
	list, _ := call(t, a, "/get_address_txs", u.body(""))["transactions"].([]any)
	for _, v := range list {
		if x := v.(map[string]any); x["mempool"] == true {
			out = append(out, x)
		}
	}
	return out
}

// TestPool: transactions of the pool are reported to the accounts that they pay and may have been paid by, also to an
// account that is new, until they leave it or a block has them.
func TestPool(t *testing.T) {
	c := chaintest.New("pool", xmr.Regtest)
	c.Grow(20)
	store := &lws.Memory{}
	a, _ := api(t, c, func(o *lws.Options) { o.Store = store })
	s := chaintest.NewSource(c)
	u := newUser(t, "pool")
	login(t, a.Book, u, lws.Lookahead{})
	made := c.Add(pay(u, 40))
	c.Grow(12)
	catchUp(t, a.Book, s)

	spend, _ := c.Tx(chaintest.Spec{
		Spend: []xmr.KeyImage{made[1].Image}, Pay: []chaintest.Payment{{To: u.Keys, Amount: 30}, {Amount: 9}}, Fee: 1,
	}, nil)
	late := newUser(t, "pool late")
	both, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: u.Keys, Amount: 5}, {To: late.Keys, Amount: 6}}}, nil)
	conflict, _ := c.Tx(pay(u, 1000), nil)
	conflict.DoubleSpendSeen = true
	s.SetPool(spend, conflict, both)
	catchUp(t, a.Book, s)
	login(t, a.Book, late, lws.Lookahead{})
	catchUp(t, a.Book, s)

	list := poolOf(t, a, u)
	require.Len(t, list, 2)
	require.Equal(t, "{coinbase bool, fee decimal, hash hex32, id number, mempool bool, mixin number, recipient "+
		"{maj_i number, min_i number}, spent_outputs [{amount decimal, key_image hex32, mixin number, "+
		"out_index number, sender {maj_i number, min_i number}, tx_pub_key hex32}], total_received decimal, "+
		"total_sent decimal, unlock_time number}", kindOf(list[0]))
	require.Equal(t, []any{spend.ID.String(), "30", "40", "5"},
		[]any{list[0]["hash"], list[0]["total_received"], list[0]["total_sent"], list[1]["total_received"]})
	info := call(t, a, "/get_address_info", u.body(""))
	require.Equal(t, []any{"75", "35", "40"}, []any{info["total_received"], info["locked_funds"], info["total_sent"]})
	require.Len(t, poolOf(t, a, late), 1)
	unspent := call(t, a, "/get_unspent_outs", u.body(`,"amount":"0"`))["outputs"].([]any)
	require.Len(t, unspent, 1, "only outputs of blocks")
	require.Equal(t, []any{made[1].Image.String()}, unspent[0].(map[string]any)["spend_key_images"])

	// A Book that only has the accounts shows the same.
	other := open(t, options(store))
	for range 2 { // the second time from what is remembered
		require.NoError(t, a.Book.ShowPool(context.Background(), other))
		for _, u := range []user{u, late} {
			require.Equal(t, holdings(t, a.Book, u).Pool, holdings(t, other, u).Pool)
		}
		other = open(t, options(store))
	}

	c.Include(spend) // while the daemon's pool still has it
	catchUp(t, a.Book, s)
	require.Len(t, poolOf(t, a, u), 1)
	require.Equal(t, []uint64{40, 30}, amounts(holdings(t, a.Book, u)))
	s.SetPool()
	catchUp(t, a.Book, s)
	require.Len(t, poolOf(t, a, late), 1, "the block that may have it was not read yet")
	catchUp(t, a.Book, s)
	require.Empty(t, poolOf(t, a, u))
	require.Empty(t, poolOf(t, a, late))
	require.NoError(t, a.Book.ShowPool(context.Background(), other))
	require.Empty(t, holdings(t, other, late).Pool)
}

// TestPoolIsBounded: many transactions are read and scanned in slices between which blocks are read, and none twice.
func TestPoolIsBounded(t *testing.T) {
	c := chaintest.New("full pool", xmr.Regtest)
	c.Grow(3)
	s := chaintest.NewSource(c)
	b := open(t, options(nil))
	u := newUser(t, "full pool")
	catchUp(t, b, s)
	login(t, b, u, lws.Lookahead{})
	catchUp(t, b, s)
	const slice = 100
	var txs []syncer.Tx
	for range 2*slice + 1 {
		made, _ := c.Tx(pay(u, 1), nil)
		txs = append(txs, made)
	}
	s.SetPool(txs...)
	for i, want := range []int{slice, 2 * slice, 2*slice + 1, 2*slice + 1} {
		done, err := b.Step(context.Background(), s)
		require.NoError(t, err)
		require.Equal(t, i >= 2, done)
		require.Len(t, holdings(t, b, u).Pool.Outputs, want)
	}
}

// TestPoolDuplicateKeys: a payment of the pool with the key of an output that the account has does not count, because
// only one of them can be spent.
func TestPoolDuplicateKeys(t *testing.T) {
	h := newHooked(t)
	h.add(`"type":"tx-confirmation","url":"` + shop + `",` + h.address())
	secret := h.chain.Random.Scalar()
	spec := func(amount uint64) chaintest.Spec {
		s := pay(h.u, amount)
		s.Secret = secret
		return s
	}
	h.chain.Add(spec(10))
	catchUp(t, h.api.Book, h.from)
	require.Equal(t, []string{"10 1"}, confirmations(h.calls(shop)))
	again, _ := h.chain.Tx(spec(50), nil)
	h.from.SetPool(again)
	catchUp(t, h.api.Book, h.from)
	require.Empty(t, poolOf(t, h.api, h.u))
	require.Empty(t, h.calls(shop))
}

// TestPoolCalls: a payment in the pool is reported once, with 0 confirmations, and then in blocks.
func TestPoolCalls(t *testing.T) {
	h := newHooked(t)
	h.add(`"type":"tx-confirmation","url":"` + shop + `","confirmations":2,` + h.address())
	paid, _ := h.chain.Tx(pay(h.u, 100), nil)
	h.from.SetPool(paid)
	more := []lws.Subaddresses{{Major: 1, Ranges: []lws.Range{{1, 5}}}}
	for range 3 {
		catchUp(t, h.api.Book, h.from)
		_, _, err := h.api.Book.Upsert(h.u.Address, h.u.view, more)
		require.NoError(t, err)
	}
	calls := h.calls(shop)
	require.Equal(t, []string{"100 0"}, confirmations(calls))
	require.Equal(t, "{amount number, coinbase bool, fee number, index number, mixin_count number, pub hex32, "+
		"rct_mask hex32, recipient {maj_i number, min_i number}, timestamp number, tx_hash hex32, "+
		"tx_prefix_hash hex32, tx_public hex32, unlock_time number}", kindOf(calls[0]["tx_info"]))
	h.chain.Include(paid)
	h.chain.Grow(3)
	catchUp(t, h.api.Book, h.from)
	h.from.SetPool()
	catchUp(t, h.api.Book, h.from)
	require.Equal(t, []string{"100 1", "100 2"}, confirmations(h.calls(shop)))
}
