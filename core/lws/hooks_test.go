package lws_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/lws"
	"glim/core/xmr"
)

// hooked is a server with an account and an administrator.
type hooked struct {
	t     *testing.T
	chain *chaintest.Chain
	from  *chaintest.Source
	store *failing
	api   *lws.API
	admin *lws.Admin
	u     user
}

func newHooked(t *testing.T) *hooked {
	h := &hooked{t: t, chain: chaintest.New("hooks", xmr.Regtest), store: &failing{}, u: newUser(t, "hooked")}
	h.chain.Grow(12)
	h.from = chaintest.NewSource(h.chain)
	h.start()
	login(t, h.api.Book, h.u, lws.Lookahead{})
	return h
}

// start opens the store, as after a crash.
func (h *hooked) start() {
	o := options(h.store)
	h.api = &lws.API{
		Book: open(h.t, o), Node: &node{chain: h.chain}, Random: chaintest.NewRandom(h.t.Name()), Now: o.Now,
		CheckURL: func(url string) error {
			if !strings.HasPrefix(url, "http://") {
				return errDisk
			}
			return nil
		},
	}
	h.admin = &lws.Admin{API: h.api, OpenToAll: true}
	catchUp(h.t, h.api.Book, h.from)
}

// add adds a webhook and returns its ID.
func (h *hooked) add(params string) string {
	h.t.Helper()
	return call(h.t, h.admin, "/webhook_add", `{"params":{`+params+`}}`)["event_id"].(string)
}

// address is the account as a field of administrators' requests.
func (h *hooked) address() string { return fmt.Sprintf(`"address":%q`, h.u.text()) }

// calls makes the calls of a URL that wait, and returns their bodies.
func (h *hooked) calls(url string) (out []map[string]any) {
	h.t.Helper()
	for {
		c, ok := h.api.Book.NextCall(url)
		if !ok {
			return out
		}
		require.Equal(h.t, url, c.URL)
		var body map[string]any
		require.NoError(h.t, json.Unmarshal(c.Body, &body))
		out = append(out, body)
		require.NoError(h.t, h.api.Book.Called(c))
		require.NoError(h.t, h.api.Book.Called(c), "a second time")
	}
}

// confirmations are the amounts of payments with their confirmations.
func confirmations(calls []map[string]any) (out []string) {
	for _, c := range calls {
		out = append(out, fmt.Sprint(c["tx_info"].(map[string]any)["amount"], " ", c["confirmations"]))
	}
	return out
}

const (
	shop  = "http://shop.example/paid"
	other = "http://other.example/"
)

// TestConfirmations: a payment is reported once for each of its first confirmations, also when blocks are read
// together, in another order of starts, and again after a reorganisation that moved it.
func TestConfirmations(t *testing.T) {
	h := newHooked(t)
	id := h.add(`"type":"tx-confirmation","url":"` + shop + `","token":"order 7","confirmations":3,` + h.address())
	require.Len(t, id, 32)
	h.chain.Add(pay(h.u, 100))
	catchUp(t, h.api.Book, h.from)
	first := h.calls(shop)
	require.Equal(t, []string{"100 1"}, confirmations(first))
	require.Equal(t, "{confirmations number, event text, event_id hex16, payment_id hex8, token text, tx_info {"+
		"amount number, block number, coinbase bool, fee number, id {high number, low number}, index number, "+
		"mixin_count number, pub hex32, rct_mask hex32, recipient {maj_i number, min_i number}, timestamp number, "+
		"tx_hash hex32, tx_prefix_hash hex32, tx_public hex32, unlock_time number}}", kindOf(first[0]))
	require.Equal(t, []any{"order 7", id, "tx-confirmation"},
		[]any{first[0]["token"], first[0]["event_id"], first[0]["event"]})
	info := first[0]["tx_info"].(map[string]any)
	out := holdings(t, h.api.Book, h.u).Outputs[0]
	require.Equal(t, float64(out.Ref.Index), info["id"].(map[string]any)["low"])
	require.Equal(t, fmt.Sprint(out.TxID), info["tx_hash"])
	mask, err := hex.DecodeString(info["rct_mask"].(string))
	require.NoError(t, err)
	m, err := edwards.DecodeScalar([32]byte(mask))
	require.NoError(t, err)
	commitment := edwards.Commit(m, 100).Encode()
	require.Equal(t, out.Rct[:32], commitment[:])

	h.chain.Grow(1)
	h.start()
	require.Equal(t, []string{"100 2"}, confirmations(h.calls(shop)))
	h.chain.Add(pay(h.u, 7))
	h.chain.Grow(4)
	catchUp(t, h.api.Book, h.from)
	require.Equal(t, []string{"100 3", "7 1", "7 2", "7 3"}, confirmations(h.calls(shop)))

	// The branch has the payment of 7 in a later block. Calls about blocks that left the chain are not made.
	h.chain.Add(pay(h.u, 50))
	h.chain.Grow(1)
	catchUp(t, h.api.Book, h.from)
	urls, more := h.api.Book.Calling()
	require.Equal(t, []string{shop}, urls)
	require.NotEmpty(t, more)
	h.chain = h.chain.Fork("hooks branch", h.chain.Height()-2)
	h.chain.Grow(1)
	h.chain.Add(pay(h.u, 50))
	h.chain.Grow(5)
	h.from.Switch(h.chain)
	h.start()
	require.Equal(t, []string{"50 1", "50 2", "50 3"}, confirmations(h.calls(shop)))

	// A scan of the past reports what it finds, with the numbers of confirmations.
	_, err = h.api.Book.Rescan(1, []lws.Address{h.u.Address})
	require.NoError(t, err)
	catchUp(t, h.api.Book, h.from)
	require.Equal(t, []string{"100 1", "100 2", "100 3", "7 1", "7 2", "7 3", "50 1", "50 2", "50 3"},
		confirmations(h.calls(shop)))
	require.Empty(t, h.calls(other))
}

// TestPaymentIDs: a webhook with a payment ID reports payments with it, and one without reports all.
func TestPaymentIDs(t *testing.T) {
	h := newHooked(t)
	h.add(`"type":"tx-confirmation","url":"` + shop + `","payment_id":"0102030405060708",` + h.address())
	h.add(`"type":"tx-confirmation","url":"` + other + `","confirmations":0,` + h.address())
	id, wrong := [8]byte{1, 2, 3, 4, 5, 6, 7, 8}, [8]byte{9}
	with := func(id *[8]byte, amount uint64) chaintest.Spec {
		s := pay(h.u, amount)
		s.PaymentID = id
		return s
	}
	h.chain.Add(with(&id, 1), with(&wrong, 2), pay(h.u, 3))
	h.chain.Grow(2)
	catchUp(t, h.api.Book, h.from)
	calls := h.calls(shop)
	require.Equal(t, []string{"1 1"}, confirmations(calls))
	require.Equal(t, "0102030405060708", calls[0]["payment_id"])
	require.Equal(t, "0102030405060708", calls[0]["tx_info"].(map[string]any)["payment_id"])
	require.Equal(t, []string{"1 1", "2 1", "3 1"}, confirmations(h.calls(other)))
}

// TestSpends: a ring that contains an output of the account is reported once.
func TestSpends(t *testing.T) {
	h := newHooked(t)
	id := h.add(`"type":"tx-spend","url":"` + shop + `",` + h.address())
	made := h.chain.Add(pay(h.u, 100))
	h.chain.Grow(10)
	h.chain.Add(chaintest.Spec{
		Spend: []xmr.KeyImage{made[1].Image}, Pay: []chaintest.Payment{{Amount: 1}, {Amount: 2}},
	})
	h.chain.Grow(2)
	catchUp(t, h.api.Book, h.from)
	calls := h.calls(shop)
	require.Len(t, calls, 1)
	const ref = "{high number, low number}"
	require.Equal(t, "{event text, event_id hex16, token decimal, tx_info {input {height number, image hex32, "+
		"mixin_count number, sender {maj_i number, min_i number}, source "+ref+", timestamp number, tx_hash hex32, "+
		"unlock_time number}, source {amount number, id "+ref+", index number, mixin number, tx_public hex32}}}",
		kindOf(calls[0]))
	require.Equal(t, id, calls[0]["event_id"])
	tx := calls[0]["tx_info"].(map[string]any)
	require.Equal(t, fmt.Sprint(made[1].Image), tx["input"].(map[string]any)["image"])
	require.Equal(t, 100.0, tx["source"].(map[string]any)["amount"])
}

// TestNewAccounts: a new account is reported once, whether or not it needs approval.
func TestNewAccounts(t *testing.T) {
	h := newHooked(t)
	h.add(`"type":"new-account","url":"` + shop + `","token":"new"`)
	u := newUser(t, "new")
	login(t, h.api.Book, u, lws.Lookahead{})
	calls := h.calls(shop)
	require.Len(t, calls, 1)
	require.Equal(t, "{address text, event text, event_id hex16, token text}", kindOf(calls[0]))
	require.Equal(t, u.text(), calls[0]["address"])
	require.Equal(t, "new-account", calls[0]["event"])

	o := options(h.store)
	o.AcceptCreation = false
	h.api.Book = open(t, o)
	catchUp(t, h.api.Book, h.from)
	v := newUser(t, "newer")
	login(t, h.api.Book, v, lws.Lookahead{})
	_, _, _, err := h.api.Book.Login(v.Address, v.view, true, true, lws.Lookahead{})
	require.ErrorIs(t, err, lws.ErrDuplicate)
	_, err = h.api.Book.Decide(lws.Create, []lws.Address{v.Address}, true)
	require.NoError(t, err)
	require.Len(t, h.calls(shop), 1)
}

// TestHookRequests checks the answers to administrators' requests and refused ones.
func TestHookRequests(t *testing.T) {
	h := newHooked(t)
	const value = "{confirmations number, event_id hex16, payment_id hex8, token text, url text}"
	paid := `"type":"tx-confirmation","url":"` + shop + `","token":"x y",` + h.address()
	made := call(t, h.admin, "/webhook_add", `{"params":{`+paid+`}}`)
	require.Equal(t, value, kindOf(made))
	require.Equal(t, 1.0, made["confirmations"])
	require.Equal(t, "0000000000000000", made["payment_id"])
	second := h.add(paid)
	third := h.add(`"type":"new-account","url":"` + other + `"`)
	list := call(t, h.admin, "/webhook_list", "{}")
	require.Equal(t, "{webhooks [{key {type text, user number}, value ["+value+"]}]}", kindOf(list))
	groups := list["webhooks"].([]any)
	require.Len(t, groups, 2)
	require.Len(t, groups[0].(map[string]any)["value"], 2)
	require.Equal(t, map[string]any{"type": "new-account", "user": 4294967295.0}, groups[1].(map[string]any)["key"])

	// Deleted webhooks make no call, and those that wait are removed.
	h.chain.Add(pay(h.u, 5))
	catchUp(t, h.api.Book, h.from)
	remove := `{"params":{"event_ids":["` + second + `","` + strings.Repeat("0", 32) + `"]}}`
	require.Empty(t, call(t, h.admin, "/webhook_delete_uuid", remove))
	require.Equal(t, []string{"5 1"}, confirmations(h.calls(shop)))
	h.start()
	h.chain.Add(pay(h.u, 6))
	catchUp(t, h.api.Book, h.from)
	require.Empty(t, call(t, h.admin, "/webhook_delete", `{"params":{"addresses":["`+h.u.text()+`"]}}`))
	require.Empty(t, h.calls(shop))
	require.Len(t, h.api.Book.Hooks(), 1)
	require.Empty(t, call(t, h.admin, "/webhook_delete_uuid", `{"params":{"event_ids":["`+third+`"]}}`))
	require.Equal(t, []any{}, call(t, h.admin, "/webhook_list", "{}")["webhooks"])

	for params, want := range map[string]int{
		`"url":"` + shop + `"`:                                                                  400,
		`"type":"tx-confirmation","url":"` + shop + `"`:                                         400,
		`"type":"tx-confirmation","url":"zmq",` + h.address():                                   400,
		`"type":"new-account","url":"` + shop + `",` + h.address():                              400,
		`"type":"mined","url":"` + shop + `"`:                                                   400,
		paid + `,"payment_id":"00"`:                                                             400,
		paid + `,"payment_id":"x"`:                                                              400,
		paid + `,"confirmations":1001`:                                                          400,
		paid + `,"confirmations":-1`:                                                            400,
		`"type":"new-account","url":"http://` + strings.Repeat("x", 2048) + `"`:                 400,
		`"type":"new-account","url":"` + shop + `","token":"` + strings.Repeat("x", 1025) + `"`: 400,
		`"type":"tx-spend","url":"` + shop + `","address":"` + newUser(t, "no").text() + `"`:    400,
	} {
		require.Equal(t, want, status(h.admin, "/webhook_add", `{"params":{`+params+`}}`), params)
	}
	require.Equal(t, 400, status(h.admin, "/webhook_delete_uuid", `{"params":{"event_ids":["00"]}}`))
	require.Equal(t, 400, status(h.admin, "/webhook_delete_uuid", `{"params":{}}`))
	require.Equal(t, 400, status(h.admin, "/webhook_delete", `{"params":{}}`))
	h.api.CheckURL = nil
	require.Equal(t, 501, status(h.admin, "/webhook_add", `{"params":{`+paid+`}}`))
	h.admin.OpenToAll = false
	for _, path := range []string{"/webhook_add", "/webhook_delete", "/webhook_delete_uuid", "/webhook_list"} {
		require.Equal(t, 403, status(h.admin, path, `{"params":{}}`), path)
	}
}

// TestCallsSurviveACrash stops the server at each commit: each confirmation is reported, and never before the block is
// stored.
func TestCallsSurviveACrash(t *testing.T) {
	run := func(h *hooked) error {
		for range 100 {
			if done, err := h.api.Book.Step(t.Context(), h.from); done || err != nil {
				return err
			}
		}
		return nil
	}
	whole := newHooked(t)
	prepare := func(h *hooked) {
		h.add(`"type":"tx-confirmation","url":"` + shop + `","confirmations":2,` + h.address())
		h.chain.Add(pay(h.u, 1))
		h.chain.Grow(1)
		h.chain.Add(pay(h.u, 2))
		h.chain.Grow(3)
		h.from.Batch = 2
	}
	prepare(whole)
	before := whole.store.commits
	require.NoError(t, run(whole))
	want := []string{"1 1", "1 2", "2 1", "2 2"}
	require.Equal(t, want, confirmations(whole.calls(shop)))
	for at := 1; at <= whole.store.commits-before; at++ {
		h := newHooked(t)
		prepare(h)
		h.store.failAt = h.store.commits + at
		var got []string
		err := run(h)
		for err == nil { // the failing commit is that after a call
			c, ok := h.api.Book.NextCall(shop)
			require.True(t, ok)
			err = h.api.Book.Called(c)
			got = append(got, "")
		}
		require.ErrorIs(t, err, errDisk)
		made := len(got) - min(len(got), 1) // the last one comes again
		h.start()
		require.Equal(t, want[made:], confirmations(h.calls(shop)), at)
	}
}

// TestCallsAreLimited: above the limits, the oldest calls are given up.
func TestCallsAreLimited(t *testing.T) {
	h := newHooked(t)
	h.api.Book.LimitCalls(5, 8)
	paid := `"type":"tx-confirmation","confirmations":9,` + h.address() + `,"url":`
	h.add(paid + `"` + shop + `"`)
	h.add(paid + `"` + other + `"`)
	h.chain.Add(pay(h.u, 1))
	h.from.Batch = 3
	h.chain.Grow(11)
	catchUp(t, h.api.Book, h.from)
	all := append(confirmations(h.calls(other)), confirmations(h.calls(shop))...)
	require.Len(t, all, 8)
	for _, newest := range []string{"1 7", "1 8", "1 9"} {
		require.Contains(t, all[:4], newest)
		require.Contains(t, all[4:], newest)
	}

	// They are limited in one scan, too, and after a restart.
	h.api.Book.LimitCalls(4, 4)
	_, err := h.api.Book.Rescan(1, []lws.Address{h.u.Address})
	require.NoError(t, err)
	h.from.Batch = 100
	catchUp(t, h.api.Book, h.from)
	h.start()
	all = append(confirmations(h.calls(other)), confirmations(h.calls(shop))...)
	require.Equal(t, 4, len(all), all)
}
