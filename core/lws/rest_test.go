package lws_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/daemon"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/rpc"
	"glim/core/xmr"
)

// node is a daemon on a chain.
type node struct {
	chain *chaintest.Chain
	sent  [][]byte
	fails error
	asked int
}

func (n *node) FeeEstimate(context.Context) ([]uint64, uint64, error) {
	n.asked++
	return []uint64{20_000, 80_000}, 10_000, n.fails
}

func (n *node) Distribution(context.Context, uint64, uint64) (uint64, []uint64, error) {
	var out []uint64
	total := uint64(0)
	for _, b := range n.chain.Blocks {
		for _, t := range b.Txs {
			total += uint64(len(t.Tx.Outputs))
		}
		out = append(out, total)
	}
	return 0, out, n.fails
}

func (n *node) Outputs(_ context.Context, indices []uint64) (out []daemon.RingMember, err error) {
	for _, i := range indices {
		k := new(edwards.Point).ScalarBaseMult(edwards.ScalarFromUint64(i + 1)).Encode()
		out = append(out, daemon.RingMember{Index: i, Key: k, Commitment: k, Unlocked: i%7 != 0})
	}
	return out, n.fails
}

func (n *node) Send(_ context.Context, blob []byte) error {
	n.sent = append(n.sent, blob)
	return n.fails
}

func (n *node) Info(context.Context) (daemon.Info, error) {
	return daemon.Info{Height: 10, TargetHeight: 20}, n.fails
}

func api(t testing.TB, c *chaintest.Chain, change func(*lws.Options)) (*lws.API, *node) {
	t.Helper()
	o := options(nil)
	if change != nil {
		change(&o)
	}
	n := &node{chain: c}
	now := uint64(1_700_000_000)
	a := &lws.API{
		Book: open(t, o), Node: n, Random: chaintest.NewRandom("decoys"), Now: func() uint64 { return now },
		Version: "1.0",
	}
	catchUp(t, a.Book, chaintest.NewSource(c))
	return a, n
}

func (u user) text() string {
	return address.At(xmr.Regtest, keys.Index{}, u.SpendPublic, u.ViewPublic).String()
}

// body returns a request of u with more fields, each with a comma before it.
func (u user) body(more string) string {
	return fmt.Sprintf(`{"address":%q,"view_key":"%x"%s}`, u.text(), u.view[:], more)
}

type server interface {
	Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error)
}

func call(t testing.TB, a server, path, body string) (out map[string]any) {
	t.Helper()
	b, err := a.Serve(context.Background(), path, []byte(body), rpc.Options{})
	require.NoError(t, err, path)
	require.NoError(t, json.Unmarshal(b, &out))
	return out
}

func status(a server, path, body string) int {
	_, err := a.Serve(context.Background(), path, []byte(body), rpc.Options{})
	var e *lws.Error
	switch {
	case err == nil:
		return 200
	case errors.Is(err, rpc.ErrNoPath):
		return 404
	case errors.As(err, &e):
		return e.HTTPStatus()
	}
	return 0
}

// kindOf describes the type of a JSON value: of strings, whether they are hexadecimal, decimal or a date.
func kindOf(v any) string {
	switch v := v.(type) {
	case float64:
		return "number"
	case bool:
		return "bool"
	case []any:
		if len(v) == 0 {
			return "[]"
		}
		return "[" + kindOf(v[0]) + "]"
	case map[string]any:
		var fields []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, k+" "+kindOf(v[k]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case string:
		_, notHex := hex.DecodeString(v)
		switch {
		case len(v) >= 16 && len(v)%16 == 0 && notHex == nil:
			return fmt.Sprint("hex", len(v)/2)
		case strings.Trim(v, "0123456789") == "":
			return "decimal"
		case len(v) == 20 && v[10] == 'T' && v[19] == 'Z':
			return "date"
		}
		return "text"
	}
	return "null"
}

// rest is a chain with an account that received outputs and may have spent one of them.
func rest(t testing.TB) (*lws.API, *node, user) {
	c := chaintest.New("rest", xmr.Regtest)
	c.Grow(20)
	a, n := api(t, c, nil)
	u := newUser(t, "rest")
	login(t, a.Book, u, lws.Lookahead{Major: 1, Minor: 4})
	id := [8]byte{9}
	made := c.Mine(chaintest.Spec{Pay: []chaintest.Payment{{To: u.Keys, Amount: 600}}}, chaintest.Spec{
		Pay: []chaintest.Payment{{To: u.Keys, Amount: 40}, {Amount: 1}}, PaymentID: &id, Fee: 11,
	})
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: u.Keys, At: keys.Index{Minor: 3}, Amount: 5}, {Amount: 1}}})
	c.Grow(11)
	c.Add(chaintest.Spec{
		Spend: []xmr.KeyImage{made[1].Image}, Pay: []chaintest.Payment{{To: u.Keys, Amount: 30}, {Amount: 9}}, Fee: 1,
	})
	catchUp(t, a.Book, chaintest.NewSource(c))
	return a, n, u
}

// TestShapes compares the fields of responses and their types with those of monero-lws.
// Source: monero-lws, src/rpc/light_wallet.cpp and tests/unit/rest.test.cpp; monero-project/meta,
// api/lightwallet_rest.md.
func TestShapes(t *testing.T) {
	a, _, u := rest(t)
	const scanned = "scanned_block_height number, scanned_height number"
	const progress = scanned + ", start_height number"
	const spend = "[{amount decimal, key_image hex32, mixin number, out_index number, " +
		"sender {maj_i number, min_i number}, tx_pub_key hex32}]"
	const at = "{maj_i number, min_i number}"
	for _, x := range []struct{ path, more, want string }{
		{"/login", `,"create_account":false,"generated_locally":false`,
			"{generated_locally bool, lookahead " + at + ", new_address bool, start_height number}"},
		{"/get_address_info", "", "{blockchain_height number, locked_funds decimal, lookahead " + at + ", " + scanned +
			", spent_outputs " + spend + ", start_height number, total_received decimal, total_sent decimal, " +
			"transaction_height number}"},
		{"/get_unspent_outs", `,"amount":"1"`, "{amount decimal, fee_mask number, fees [number], outputs [{" +
			"amount decimal, global_index number, height number, index number, public_key hex32, rct hex96, " +
			"recipient " + at + ", timestamp date, tx_hash hex32, tx_id number, tx_prefix_hash hex32, " +
			"tx_pub_key hex32}], per_byte_fee number}"},
		{"/get_random_outs", `,"count":11,"amounts":["0"]`, "{amount_outs [{amount decimal, outputs [{" +
			"global_index decimal, public_key hex32, rct hex96}]}]}"},
		{"/import_wallet_request", "", "{import_fee decimal, lookahead " + at + ", new_request bool, " +
			"request_fulfilled bool, status text}"},
		{"/get_subaddrs", "", "{all_subaddrs [{key number, value [[number]]}]}"},
		{"/upsert_subaddrs", `,"subaddrs":[{"key":3,"value":[[1,2],[5,9]]}]`,
			"{all_subaddrs [{key number, value [[number]]}], new_subaddrs [{key number, value [[number]]}]}"},
		{"/provision_subaddrs", `,"maj_i":7,"n_maj":1,"n_min":10,"get_all":false`,
			"{new_subaddrs [{key number, value [[number]]}]}"},
		{"/get_version", "", "{api number, blockchain_height number, git_branch_name decimal, " +
			"last_git_commit_date decimal, last_git_commit_hash decimal, max_subaddresses number, " +
			"monero_version_full text, network_type text, server_type text, server_version text, testnet bool}"},
		{"/daemon_status", "", "{height number, incoming_connections_count number, network text, " +
			"outgoing_connections_count number, state text, target_height number}"},
	} {
		require.Equal(t, x.want, kindOf(call(t, a, x.path, u.body(x.more))), x.path)
	}

	a, _, u = rest(t)
	txs := call(t, a, "/get_address_txs", u.body(""))
	const tx = "coinbase bool, fee decimal, hash hex32, height number, id number, mempool bool, mixin number, "
	const more = "recipient " + at + ", "
	const sums = "timestamp date, total_received decimal, total_sent decimal, unlock_time number}"
	list := txs["transactions"].([]any)
	require.Len(t, list, 4)
	require.Equal(t, "{"+tx+more+sums, kindOf(list[0]))
	require.Equal(t, "{"+tx+"payment_id hex8, "+more+sums, kindOf(list[1]))
	require.Equal(t, "{"+tx+more+"spent_outputs "+spend+", "+sums, kindOf(list[3]))
	delete(txs, "transactions")
	require.Equal(t, "{blockchain_height number, lookahead "+at+", "+progress+
		", total_received decimal, transaction_height number}", kindOf(txs))
	last := list[3].(map[string]any)
	require.Equal(t, "30", last["total_received"])
	require.Equal(t, "40", last["total_sent"])
	require.Equal(t, true, list[0].(map[string]any)["coinbase"])
	require.Equal(t, "0900000000000000", list[1].(map[string]any)["payment_id"])

	info := call(t, a, "/get_address_info", u.body(""))
	require.Equal(t, "675", info["total_received"])
	require.Equal(t, "40", info["total_sent"])
	require.Equal(t, "630", info["locked_funds"], "the coinbase and the newest output")

	unspent := call(t, a, "/get_unspent_outs", u.body(`,"amount":"675"`))
	outputs := unspent["outputs"].([]any)
	require.Len(t, outputs, 4)
	require.Equal(t, "[hex32]", kindOf(outputs[1].(map[string]any)["spend_key_images"]))
	require.Equal(t, strings.Repeat("0", 64)+"01"+strings.Repeat("0", 126), outputs[0].(map[string]any)["rct"])
	require.Equal(t, 20_000.0, unspent["per_byte_fee"])

	empty := newUser(t, "empty")
	login(t, a.Book, empty, lws.Lookahead{})
	require.Equal(t, "{blockchain_height number, locked_funds decimal, "+progress+
		", total_received decimal, total_sent decimal, transaction_height number}",
		kindOf(call(t, a, "/get_address_info", empty.body(""))))
	require.Equal(t, "{amount decimal, fee_mask number, fees [number], per_byte_fee number}",
		kindOf(call(t, a, "/get_unspent_outs", empty.body(`,"amount":"0"`))))
}

// TestStatuses checks the HTTP statuses of refused requests.
func TestStatuses(t *testing.T) {
	a, n, u := rest(t)
	stranger, other := newUser(t, "stranger"), newUser(t, "other")
	wrong := fmt.Sprintf(`{"address":%q,"view_key":"%x","amount":"0","subaddrs":[],"maj_i":1,"create_account":true,
		"generated_locally":true}`, u.text(), other.view[:])
	for _, path := range []string{
		"/login", "/get_address_info", "/get_address_txs", "/get_unspent_outs", "/get_subaddrs", "/upsert_subaddrs",
		"/import_wallet_request",
	} {
		require.Equal(t, 403, status(a, path, wrong), path)
		require.Equal(t, 400, status(a, path, ""), path)
		require.Equal(t, 400, status(a, path, "{}"), path)
		require.Equal(t, 400, status(a, path, u.body("")+"x"), path)
		require.Equal(t, 400, status(a, path, strings.Replace(wrong, "view_key\":\"", "view_key\":\"0", 1)), path)
		require.Equal(t, 400, status(a, path, u.body(`,"x":"`+strings.Repeat("x", 20<<10)+`"`)), path)
		if path != "/login" {
			require.Equal(t, 403, status(a, path, stranger.body(`,"amount":"0","subaddrs":[],"maj_i":1`)), path)
		}
	}
	sub, view := u.Keys.Address(keys.Index{Minor: 1})
	for _, x := range []struct {
		path, body string
		want       int
	}{
		{"/nothing", "{}", 404},
		{"/get_txt_records", "{}", 501},
		{"/login", stranger.body(`,"create_account":false,"generated_locally":false`), 403},
		{"/login", stranger.body(`,"create_account":true,"generated_locally":true,` +
			`"lookahead":{"maj_i":10,"min_i":101}`), 409},
		{"/get_address_info", fmt.Sprintf(`{"address":%q,"view_key":"%x"}`,
			address.At(xmr.Regtest, keys.Index{Minor: 1}, sub, view), u.view[:]), 400},
		{"/get_unspent_outs", u.body(`,"amount":"676"`), 400},
		{"/get_unspent_outs", u.body(`,"amount":"-1"`), 400},
		{"/get_unspent_outs", u.body(`,"amount":"18446744073709551616"`), 400},
		{"/get_random_outs", `{"count":21,"amounts":["0"]}`, 400},
		{"/get_random_outs", `{"count":11,"amounts":["1000000"]}`, 501},
		{"/get_random_outs", `{"count":11,"amounts":[` + strings.Repeat(`"0",`, 150) + `"0"]}`, 400},
		{"/submit_raw_tx", `{"tx":"zz"}`, 400},
		{"/submit_raw_tx", `{"tx":"00"}`, 400},
		{"/upsert_subaddrs", u.body(`,"subaddrs":[{"key":0,"value":[[2,1]]}]`), 400},
		{"/upsert_subaddrs", u.body(`,"subaddrs":[{"key":0,"value":[[0,5],[6,7]]}]`), 400},
		{"/upsert_subaddrs", u.body(`,"subaddrs":[{"key":0,"value":[[0,4294967295]]}]`), 400},
		{"/upsert_subaddrs", u.body(`,"subaddrs":[{"key":0,"value":[[0,4294967294]]}]`), 409},
		{"/provision_subaddrs", u.body(""), 400},
		{"/provision_subaddrs", u.body(`,"maj_i":1`), 409},
		{"/provision_subaddrs", u.body(`,"maj_i":4294967295,"n_maj":2,"n_min":2`), 400},
	} {
		require.Equal(t, x.want, status(a, x.path, x.body), x.path+x.body)
	}

	n.fails = daemon.ErrUnreachable
	a.Now = func() uint64 { return 1_700_000_100 }
	require.Equal(t, 503, status(a, "/get_unspent_outs", u.body(`,"amount":"0"`)))
	require.Equal(t, 503, status(a, "/get_random_outs", `{"count":11,"amounts":["0"]}`))
	require.Equal(t, "unavailable", call(t, a, "/daemon_status", "")["state"])
	require.True(t, lws.NeedsPost("/login"))
	require.True(t, lws.NeedsPost("/rescan"))
	require.False(t, lws.NeedsPost("/get_version"))
}

// TestFeesAreCached: requests of clients do not become as many requests to the daemon.
func TestFeesAreCached(t *testing.T) {
	a, n, u := rest(t)
	for range 5 {
		call(t, a, "/get_unspent_outs", u.body(`,"amount":"0"`))
	}
	require.Equal(t, 1, n.asked)
}

// TestRandomOutputs: decoys are distinct, can be spent, and come in the requested number.
func TestRandomOutputs(t *testing.T) {
	a, _, _ := rest(t)
	out := call(t, a, "/get_random_outs", `{"count":11,"amounts":["0",0]}`)["amount_outs"].([]any)
	require.Len(t, out, 2)
	for _, ring := range out {
		seen := map[string]bool{}
		for _, o := range ring.(map[string]any)["outputs"].([]any) {
			seen[o.(map[string]any)["global_index"].(string)] = true
		}
		require.Len(t, seen, 11)
	}
	short := chaintest.New("short", xmr.Regtest)
	short.Grow(12)
	a, _ = api(t, short, nil)
	require.Equal(t, "{amount_outs [{amount decimal}]}",
		kindOf(call(t, a, "/get_random_outs", `{"count":11,"amounts":["0"]}`)))
}

// TestApproval: without automatic acceptance the operator decides about accounts and scans from earlier blocks.
func TestApproval(t *testing.T) {
	c := chaintest.New("approval", xmr.Regtest)
	c.Grow(5)
	u, v, w := newUser(t, "u"), newUser(t, "v"), newUser(t, "w")
	c.Add(pay(u, 70))
	c.Grow(3)
	a, _ := api(t, c, func(o *lws.Options) { o.AcceptCreation, o.AcceptImport, o.MaxRequests = false, false, 2 })
	s := chaintest.NewSource(c)
	auth := keys.Secret{7}
	admin := &lws.Admin{API: a, Key: auth}
	ask := func(path, params string) map[string]any {
		return call(t, admin, path, fmt.Sprintf(`{"auth":"%x","params":%s}`, auth[:], params))
	}
	const create = `,"create_account":true,"generated_locally":false,"lookahead":{"maj_i":1,"min_i":2}`
	require.Equal(t, true, call(t, a, "/login", u.body(create))["new_address"])
	require.Equal(t, 403, status(a, "/login", u.body(create)))
	require.Equal(t, 403, status(a, "/get_address_info", u.body("")))
	require.Equal(t, true, call(t, a, "/login", v.body(create))["new_address"])
	require.Equal(t, 503, status(a, "/login", w.body(create)), "the queue is full")

	require.Equal(t, "{create [{address text, lookahead {maj_i number, min_i number}, start_height number}]}",
		kindOf(call(t, admin, "/list_requests", fmt.Sprintf(`{"auth":"%x"}`, auth[:]))))
	list := func(us ...user) string {
		var all []string
		for _, u := range us {
			all = append(all, u.text())
		}
		b, err := json.Marshal(all)
		require.NoError(t, err)
		return string(b)
	}
	accepted := ask("/accept_requests", `{"type":"create","addresses":`+list(u, w)+`}`)
	require.Equal(t, []any{u.text()}, accepted["updated"])
	require.Equal(t, []any{v.text()}, ask("/reject_requests", `{"type":"create","addresses":`+list(v)+`}`)["updated"])
	require.Equal(t, 403, status(a, "/get_address_info", v.body("")))
	catchUp(t, a.Book, s)
	require.Equal(t, "0", call(t, a, "/get_address_info", u.body(""))["total_received"])

	from := u.body(`,"from_height":1`)
	require.Equal(t, "Accepted, waiting for approval", call(t, a, "/import_wallet_request", from)["status"])
	require.Equal(t, "Waiting for Approval", call(t, a, "/import_wallet_request", from)["status"])
	ask("/accept_requests", `{"type":"import","addresses":`+list(u)+`}`)
	require.Equal(t, 1.0, call(t, a, "/get_address_info", u.body(""))["scanned_height"])
	catchUp(t, a.Book, s)
	require.Equal(t, "70", call(t, a, "/get_address_info", u.body(""))["total_received"])

	ask("/add_account", fmt.Sprintf(`{"address":%q,"key":"%x"}`, w.text(), w.view[:]))
	require.Equal(t, 500, status(admin, "/add_account",
		fmt.Sprintf(`{"auth":"%x","params":{"address":%q,"key":"%x"}}`, auth[:], w.text(), w.view[:])))
	ask("/modify_account_status", `{"status":"hidden","addresses":`+list(w)+`}`)
	require.Equal(t, 403, status(a, "/login", w.body(create)))
	ask("/modify_account_status", `{"status":"inactive","addresses":`+list(u)+`}`)
	c.Add(pay(u, 5))
	catchUp(t, a.Book, s)
	require.Equal(t, "70", call(t, a, "/get_address_info", u.body(""))["total_received"])
	require.Equal(t, "{hidden [{access_time number, address text, scan_height number}], "+
		"inactive [{access_time number, address text, scan_height number}]}",
		kindOf(call(t, admin, "/list_accounts", fmt.Sprintf(`{"auth":"%x"}`, auth[:]))))
	ask("/modify_account_status", `{"status":"active","addresses":`+list(u, w)+`}`)
	catchUp(t, a.Book, s)
	require.Equal(t, "75", call(t, a, "/get_address_info", u.body(""))["total_received"])
	ask("/rescan", `{"height":7,"addresses":`+list(u)+`}`)
	catchUp(t, a.Book, s)
	require.Equal(t, "75", call(t, a, "/get_address_info", u.body(""))["total_received"])

	const parts = `{"spend_public_hex":"%s","view_public_hex":"%s","view_key_hex":"%x"}`
	require.Equal(t, "{address text}",
		kindOf(ask("/validate", fmt.Sprintf(parts, u.SpendPublic, u.ViewPublic, u.view[:]))))
	require.Equal(t, "{error {details text, field text}}",
		kindOf(ask("/validate", fmt.Sprintf(parts, u.SpendPublic, u.ViewPublic, w.view[:]))))

	require.Equal(t, 403, status(admin, "/list_accounts", "{}"))
	require.Equal(t, 403, status(admin, "/list_accounts", fmt.Sprintf(`{"auth":"%x"}`, w.view[:])))
	require.Equal(t, 400, status(admin, "/rescan", fmt.Sprintf(`{"auth":"%x"}`, auth[:])))
	require.Equal(t, 404, status(admin, "/login", "{}"))
	admin.OpenToAll = true
	require.Equal(t, 200, status(admin, "/list_accounts", "{}"))
}

// TestAccountsAreLimited: above the limit, accounts need approval in spite of automatic acceptance.
func TestAccountsAreLimited(t *testing.T) {
	c := chaintest.New("limited", xmr.Regtest)
	c.Grow(5)
	a, _ := api(t, c, func(o *lws.Options) { o.MaxAccounts = 1 })
	const create = `,"create_account":true,"generated_locally":true`
	u, v := newUser(t, "u"), newUser(t, "v")
	call(t, a, "/login", u.body(create))
	call(t, a, "/login", v.body(create))
	require.Equal(t, 200, status(a, "/get_address_info", u.body("")))
	require.Equal(t, 403, status(a, "/get_address_info", v.body("")))
	require.Len(t, a.Book.Requests(lws.Create), 1)
}
