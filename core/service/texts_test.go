package service

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// refusal calls an operation that must fail, and returns the error.
func refusal(t *testing.T, s *Service, method, params string) rpc.Error {
	t.Helper()
	answer, err := s.Serve(context.Background(), "/json_rpc",
		[]byte(`{"jsonrpc":"2.0","id":0,"method":"`+method+`","params":`+params+`}`), rpc.Options{})
	require.NoError(t, err)
	var r struct{ Error rpc.Error }
	require.NoError(t, json.Unmarshal(answer, &r), method)
	require.NotZero(t, r.Error.Code, "%s: %.200s", method, answer)
	return r.Error
}

// TestTextsAreBounded checks that the texts a wallet stores have limits, which the errors state. A text of exactly that
// length is accepted.
func TestTextsAreBounded(t *testing.T) {
	s := bigWallet(t, 3, 0)
	ask(t, s, "create_account", `{}`, nil)
	var own walletrpc.GetAddressResponse
	ask(t, s, "get_address", `{"account_index":0}`, &own)
	id := strings.Repeat("ab", 32)
	ask(t, s, "add_address_book", `{"address":"`+own.Address+`","description":"short"}`, nil)
	ask(t, s, "tag_accounts", `{"tag":"t","accounts":[0,1]}`, nil)
	for _, c := range []struct {
		method, params string // with %s for the text
		most           int
	}{
		{"create_account", `{"label":"%s"}`, wallet.MaxName},
		{"create_address", `{"account_index":0,"label":"%s"}`, wallet.MaxName},
		{"label_account", `{"account_index":0,"label":"%s"}`, wallet.MaxName},
		{"label_address", `{"index":{"major":0,"minor":0},"label":"%s"}`, wallet.MaxName},
		{"set_account_tag_description", `{"tag":"t","description":"%s"}`, wallet.MaxText},
		{"tag_accounts", `{"tag":"%s","accounts":[0,1]}`, wallet.MaxName},
		{"set_tx_notes", `{"txids":["` + id + `"],"notes":["%s"]}`, wallet.MaxText},
		{"set_attribute", `{"key":"%s","value":"v"}`, wallet.MaxName},
		{"set_attribute", `{"key":"k","value":"%s"}`, wallet.MaxValue},
		{"add_address_book", `{"address":"` + own.Address + `","description":"%s"}`, wallet.MaxText},
		{"edit_address_book", `{"index":0,"set_description":true,"description":"%s"}`, wallet.MaxText},
	} {
		refused := refusal(t, s, c.method, fmt.Sprintf(c.params, strings.Repeat("x", c.most+1)))
		require.Equal(t, walletrpc.CodeUnknown, refused.Code)
		require.Contains(t, refused.Message, fmt.Sprintf("may have %d bytes, and this one has %d", c.most, c.most+1),
			c.method)
		ask(t, s, c.method, fmt.Sprintf(c.params, strings.Repeat("x", c.most)), nil)
	}
	longKey := strings.Repeat("x", 1+wallet.MaxName)
	refused := refusal(t, s, "transfer",
		`{"destinations":[{"amount":1,"address":"`+own.Address+`"}],"idempotency_key":"`+longKey+`"}`)
	require.Contains(t, refused.Message, "an idempotency_key may have 4096 bytes")

	// An error that repeats the request shows only its beginning.
	long := refusal(t, s, "get_payments", `{"payment_id":"`+strings.Repeat("ab", 1<<20)+`"}`)
	require.Equal(t, walletrpc.CodeWrongPaymentID, long.Code)
	require.Less(t, len(long.Message), 5000)
	require.True(t, strings.HasPrefix(long.Message, "Payment ID has invalid size: abab"))
	require.True(t, strings.HasSuffix(long.Message, "..."))
}

// TestStoredTextsOverTheLimits checks that a wallet with stored texts over the limits still opens and returns them.
// Requests that would repeat them too often are refused within bounded memory.
func TestStoredTextsOverTheLimits(t *testing.T) {
	s := bigWallet(t, 3, 0)
	var own walletrpc.GetAddressResponse
	ask(t, s, "get_address", `{"account_index":0}`, &own)
	long := strings.Repeat("long", 1<<19) // 2 MiB
	o, err := s.current()
	require.NoError(t, err)
	id := strings.Repeat("07", 32)
	ask(t, s, "set_tx_notes", `{"txids":["`+id+`"],"notes":["n"]}`, nil)
	for range 200 {
		ask(t, s, "create_account", `{}`, nil)
	}
	require.NoError(t, o.Change(func(w *wallet.Wallet) (c wallet.ChangeSet, _ []wallet.HostEvent, err error) {
		note, err := parseTxID(id)
		c.User = wallet.UserChange{
			Book:   []wallet.BookChange{{Entry: wallet.BookEntry{Address: own.Address, Description: long}}},
			Notes:  []wallet.Note{{TxID: note, Text: long}},
			Labels: []wallet.Label{{Text: long}},
			Attrs:  []wallet.Attribute{{Key: "k", Value: long}},
		}
		return c, nil, err
	}))
	require.NoError(t, o.Change(func(w *wallet.Wallet) (c wallet.ChangeSet, _ []wallet.HostEvent, err error) {
		for a := range w.Accounts() {
			c.User.Tags = append(c.User.Tags, wallet.TagChange{Account: a, Tag: long[:20<<10]})
		}
		return c, nil, nil
	}))
	ask(t, s, "close_wallet", `{}`, nil)
	ask(t, s, "open_wallet", `{"filename":"big"}`, nil)

	var value walletrpc.GetAttributeResponse
	ask(t, s, "get_attribute", `{"key":"k"}`, &value)
	require.Equal(t, long, value.Value)
	ask(t, s, "edit_address_book", `{"index":0,"set_address":true,"address":"`+own.Address+`"}`, nil)
	var book walletrpc.GetAddressBookResponse
	ask(t, s, "get_address_book", `{"entries":[0,0]}`, &book)
	require.Len(t, book.Entries, 2)
	require.Equal(t, long, book.Entries[1].Description)
	require.Contains(t, refusal(t, s, "edit_address_book",
		`{"index":0,"set_description":true,"description":"`+long[:1<<20]+`"}`).Message, "may have 65536 bytes")

	many := func(one string, n int) string { return "[" + strings.Repeat(one+",", n-1) + one + "]" }
	for method, params := range map[string]string{
		"get_address_book": `{"entries":` + many("0", 130_000) + `}`,
		"get_tx_notes":     `{"txids":` + many(`"`+id+`"`, 10_000) + `}`,
		"get_address":      `{"account_index":0,"address_index":` + many("0", 10_000) + `}`,
	} {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		require.Contains(t, refusal(t, s, method, params).Message, "The answer is larger than 268435456 bytes", method)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20), method)
	}
	// Tags over the limit are still listed with every account.
	var accounts walletrpc.GetAccountsResponse
	ask(t, s, "get_accounts", `{}`, &accounts)
	require.Len(t, accounts.SubaddressAccounts, 201)
	require.Contains(t, refusal(t, s, "tag_accounts",
		`{"accounts":`+many("0", 10)+`,"tag":"`+long[:1<<20]+`"}`).Message, "may have 4096 bytes")
}

// TestTagOfManyAccounts checks that the tags of one change have a common limit, and that an account listed twice is
// tagged once.
func TestTagOfManyAccounts(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	w := wallet.New(wallet.Identity{Keys: k}, wallet.Lookahead{Major: 1, Minor: 1})
	w.Commit(wallet.ChangeSet{User: wallet.UserChange{Labels: []wallet.Label{{Index: keys.Index{Major: 4999}}}}})
	tag := strings.Repeat("t", wallet.MaxName)
	all := make([]uint32, 5000)
	for i := range all {
		all[i] = uint32(i)
	}
	_, err = w.DecideTags(all, tag)
	require.ErrorIs(t, err, wallet.ErrLabel)
	c, err := w.DecideTags(append(all[:10:10], all[:10]...), tag)
	require.NoError(t, err)
	require.Len(t, c.User.Tags, 10)
}
