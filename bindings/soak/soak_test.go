package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// TestSoak is a short run with the usual number of clients.
func TestSoak(t *testing.T) {
	var out strings.Builder
	require.NoError(t,
		run(t.Context(),
			[]string{"-lasting", "4s", "-wallets", "3", "-pause", "1s", "-block", "300ms", "-report", "2s"},
			&out), out.String)
	t.Log(out.String())
	require.Contains(t, out.String(), "nothing lost: 3 wallets")
}

// TestAuditReportsLosses checks that the audit reports missing and wrong data.
func TestAuditReportsLosses(t *testing.T) {
	in, out, key := "in", "out", "k"
	amount, balance, emission := 7, 5, 10
	known := `[{"type":"confirmed","txid":"a"}]`
	said := map[string]func() string{
		"get_transfer_by_txid": func() string {
			in, out = out, in // the audit queries the sender first
			return fmt.Sprintf(`{"transfer":{"type":%q,"amount":%d,"fee":1,"height":3}}`, in, amount)
		},
		"get_tx_key":          func() string { return fmt.Sprintf(`{"tx_key":%q}`, key) },
		"get_block_count":     func() string { return `{"count":4}` },
		"get_coinbase_tx_sum": func() string { return fmt.Sprintf(`{"emission_amount":%d}`, emission) },
		"get_balance":         func() string { return fmt.Sprintf(`{"balance":%d}`, balance) },
		"get_transfers":       func() string { return `{"in":[{"txid":"a","height":3,"amount":7}]}` },
		"refresh":             func() string { return `{}` },
		"get_events": func() string {
			defer func() { known = `[]` }()
			return `{"cursor":1,"events":` + known + `}`
		},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		for method, answer := range said {
			if err == nil && strings.Contains(string(body), `"`+method+`"`) {
				fmt.Fprintf(w, `{"result":%s}`, answer())
			}
		}
	}))
	defer server.Close()
	c := peers.Client{URL: server.URL}
	one, other := &account{Client: c, name: "one"}, &account{Client: c, name: "other"}
	both := []*account{one, other}
	begin := func() *soak {
		s := &soak{state: newState(), daemon: &peers.Daemon{Client: c}}
		require.NoError(t, s.paid("a", payment{one, other, 7, 1, "k"}))
		require.Error(t, s.paid("a", payment{one, other, 7, 1, "k"}), "one transaction for two payments")
		s.confirmed("other", "a")
		in, out, known = "in", "out", `[{"type":"confirmed","txid":"a"}]`
		return s
	}
	find := func(s *soak) error { return s.findPayments(t.Context(), both) }
	require.NoError(t, find(begin()))
	s := begin()
	known = `[]`
	require.ErrorIs(t, find(s), errLost, "an event")
	s = begin()
	amount = 6
	require.ErrorIs(t, find(s), errLost, "an amount")
	amount, key = 7, "other"
	require.ErrorIs(t, find(begin()), errLost, "a key")
	key = "k"
	s = begin()
	delete(said, "get_tx_key")
	require.Error(t, find(s), "an answer")

	lived, err := s.holdings(t.Context(), both)
	require.NoError(t, err)
	require.NoError(t, s.compareWithChain(t.Context(), lived))
	emission = 11
	require.ErrorIs(t, s.compareWithChain(t.Context(), lived), errLost)
	same := func(*account) error { return nil }
	require.NoError(t, s.again(t.Context(), server.URL, both, lived, "", same))
	balance = 4
	require.ErrorIs(t, s.again(t.Context(), server.URL, both, lived, "", same), errLost)
}
