package lws_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/lws"
	"glim/core/rpc"
)

// FuzzServe sends any body to any path. Nothing panics, every error has a status, and none quotes a view key.
func FuzzServe(f *testing.F) {
	a, _, u := rest(f)
	for _, path := range []string{
		"/login", "/get_address_info", "/get_address_txs", "/get_unspent_outs", "/get_random_outs", "/submit_raw_tx",
		"/import_wallet_request", "/get_subaddrs", "/upsert_subaddrs", "/provision_subaddrs", "/accept_requests",
		"/add_account", "/modify_account_status", "/rescan", "/validate", "/list_accounts", "/get_version",
		"/webhook_add", "/webhook_delete", "/webhook_delete_uuid", "/webhook_list",
	} {
		f.Add(path, u.body(`,"create_account":true,"generated_locally":true,"amount":"1","count":2,"amounts":["0"],`+
			`"subaddrs":[{"key":1,"value":[[0,3]]}],"maj_i":1,"n_maj":1,"n_min":2`))
		f.Add(path, `{"params":{"addresses":["`+u.text()+`"],"type":"create","status":"active","height":5}}`)
		f.Add(path, `{"params":{"address":"`+u.text()+`","type":"tx-confirmation","url":"http://shop.example/",`+
			`"confirmations":3,"payment_id":"0102030405060708","event_ids":["00000000000000000000000000000000"]}}`)
	}
	a.CheckURL = func(string) error { return nil }
	admin := &lws.Admin{API: a, OpenToAll: true}
	f.Fuzz(func(t *testing.T, path, body string) {
		for _, s := range []server{a, admin} {
			out, err := s.Serve(context.Background(), path, []byte(body), rpc.Options{})
			var e *lws.Error
			switch {
			case err == nil:
				require.NotEmpty(t, out)
			case errors.Is(err, rpc.ErrNoPath):
			case errors.As(err, &e):
				require.Contains(t, []int{400, 403, 409, 500, 501, 503}, e.Status)
				require.False(t, strings.Contains(body, "view_key") && strings.Contains(err.Error(), "view_key\":"))
			default:
				t.Fatal(err)
			}
		}
	})
}

// FuzzOpen opens a store with any records. A Book that opens can be used.
func FuzzOpen(f *testing.F) {
	store := &lws.Memory{}
	b := open(f, options(store))
	u := newUser(f, "u")
	_ = b.Add(u.Address, u.view)
	require.NoError(f, store.Load(func(key, value []byte) error { f.Add(key, value, key, value); return nil }))
	f.Add([]byte("A\x00\x00\x00\x00\x00\x00\x00\x01"), []byte(`{"ID":1}`), []byte("O"), []byte("{}"))
	f.Add([]byte("A\x00\x00\x00\x00\x00\x00\x00\x01"), []byte(`{"ID":1,"Subaddresses":[{"key":1,"value":[[5,4]]}]}`),
		[]byte("B\x00\x00\x00\x00\x00\x00\x00\x01"), make([]byte, 32))
	f.Add(append([]byte("H"), make([]byte, 16)...), []byte(`{"ID":"00000000000000000000000000000000","Event":1}`),
		append([]byte("G"), make([]byte, 40)...), []byte{})
	f.Add([]byte("C\x00\x00\x00\x00\x00\x00\x00\x01"), []byte(`{"Number":1,"URL":"http://shop.example/"}`),
		[]byte("C\x00\x00\x00\x00\x00\x00\x00\x02"), []byte(`{"Number":2}`))
	f.Fuzz(func(t *testing.T, key1, value1, key2, value2 []byte) {
		if len(key1) == 0 || len(key2) == 0 {
			return
		}
		s := &lws.Memory{}
		require.NoError(t, s.Commit([]lws.Record{{Key: key1, Value: value1}, {Key: key2, Value: value2}}, nil))
		b, err := lws.Open(options(s))
		if err != nil {
			require.True(t, errors.Is(err, lws.ErrRecord) || errors.Is(err, lws.ErrNetwork), err)
			return
		}
		b.Accounts()
		b.Requests(lws.Create)
		ids := []lws.HookID{}
		for _, h := range b.Hooks() {
			ids = append(ids, h.ID)
		}
		urls, _ := b.Calling()
		for _, url := range urls {
			c, ok := b.NextCall(url)
			require.True(t, ok)
			require.NoError(t, b.Called(c))
		}
		require.NoError(t, b.DeleteHooks(ids, nil))
	})
}

// FuzzText reads the types of requests that have texts of their own.
func FuzzText(f *testing.F) {
	for _, s := range []string{`"5"`, `7`, `{"key":1,"value":[[0,5]]}`, "active", "import", `"`, "",
		"tx-spend", "000102030405060708090a0b0c0d0e0f"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var a lws.Amount
		if a.UnmarshalJSON(b) == nil {
			out, err := a.MarshalJSON()
			require.NoError(t, err)
			was, is := strings.Trim(string(b), `"`), strings.Trim(string(out), `"`)
			require.Equal(t, strings.TrimLeft(was, "0"), strings.TrimLeft(is, "0"))
		}
		var s lws.Subaddresses
		_ = s.UnmarshalJSON(b)
		var status lws.Status
		if status.UnmarshalText(b) == nil {
			require.Equal(t, string(b), status.String())
		}
		var event lws.Event
		if event.UnmarshalText(b) == nil {
			require.Equal(t, string(b), event.String())
		}
		var id lws.HookID
		if id.UnmarshalText(b) == nil {
			text, err := id.MarshalText()
			require.NoError(t, err)
			require.Equal(t, strings.ToLower(string(b)), string(text))
		}
		var kind lws.Kind
		if kind.UnmarshalText(b) == nil {
			require.Equal(t, string(b), kind.String())
		}
	})
}
