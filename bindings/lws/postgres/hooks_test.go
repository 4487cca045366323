package postgres

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	local "glim/bindings/lws"
	"glim/bindings/wallet/regtest"
	"glim/core/address"
	"glim/core/lws"
	"glim/core/xmr"
)

// receiver is a web service that webhooks call. It counts the calls by what they say.
type receiver struct {
	url string

	mu      sync.Mutex
	got     map[string]int
	refuses bool
	refused int
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{got: map[string]int{}}
	s := httptest.NewServer(r)
	t.Cleanup(s.Close)
	r.url = s.URL
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	var call struct {
		Event, Address string
		Confirmations  int
		Tx             struct {
			Hash  string `json:"tx_hash"`
			Index int
		} `json:"tx_info"`
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuses || err != nil || json.Unmarshal(body, &call) != nil {
		r.refused++
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	r.got[fmt.Sprint(call.Event, call.Address, call.Tx.Hash, call.Tx.Index, " ", call.Confirmations)]++
}

func (r *receiver) refuse(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refuses, r.refused = on, 0
}

// calls returns how many different calls with a text there were.
func (r *receiver) calls(text string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for call := range r.got {
		if strings.Contains(call, text) {
			n++
		}
	}
	return n
}

// hooked: webhooks that are added and deleted at any server report the accounts of all, and no call is lost with a
// server.
func hooked(t *testing.T, url string) {
	chain, err := regtest.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	require.NoError(t, chain.Mine(t.Context(), 3, ""))
	folder := t.TempDir()
	cfg := Config{Config: local.Config{
		Network: xmr.Regtest, Folder: folder, Daemon: chain, Poll: 20 * time.Millisecond, AcceptCreation: true,
		Random: rand.Reader, Version: "test", Calls: local.Calls{First: time.Millisecond, Last: 50 * time.Millisecond},
	}, URL: url, Lease: 5 * time.Second}
	all := []running{start(t, cfg), start(t, cfg)}
	until(t, "the division", func() bool {
		for _, s := range all {
			if h := s.held(); !h.fresh() || len(h.parts) != parts/2 || s.Top() == 0 {
				return false
			}
		}
		return true
	})
	r := newReceiver(t)
	add := func(s running, params string) (id string) {
		var added map[string]any
		require.NoError(t, json.Unmarshal([]byte(administrate(t, s.Server, folder, "/webhook_add",
			fmt.Sprintf(`{"url":%q,%s}`, r.url, params))), &added))
		return added["event_id"].(string)
	}
	// known waits until the servers have the webhooks for new accounts.
	known := func(n int) {
		until(t, "the webhooks for new accounts", func() bool {
			for _, s := range all {
				got := 0
				for _, h := range s.held().service.Book.Hooks() {
					if h.Event == lws.NewAccount {
						got++
					}
				}
				if got != n {
					return false
				}
			}
			return true
		})
	}
	id := add(all[0], `"type":"new-account"`)
	known(1)
	list, at := users(t, 6)
	var texts []string
	for i, k := range list {
		body, status := ask(t, wallets{all[i%2].Server}, k, "/login", `,"create_account":true,"generated_locally":true`)
		require.Equal(t, 200, status, body)
		text := address.Address{Network: xmr.Regtest, Spend: at[i].Spend, View: at[i].View}.String()
		texts = append(texts, text)
		add(all[(i/2)%2], fmt.Sprintf(`"type":"tx-confirmation","confirmations":2,"address":%q`, text))
	}
	until(t, "the accounts", func() bool { return r.calls("new-account") == len(list) })
	var hooks struct{ Webhooks []any }
	require.NoError(t, json.Unmarshal([]byte(administrate(t, all[1].Server, folder, "/webhook_list", "{}")), &hooks))
	require.Len(t, hooks.Webhooks, len(list)+1)
	for _, text := range texts {
		require.NoError(t, chain.Mine(t.Context(), 1, text))
	}
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	until(t, "the payments", func() bool {
		return r.calls("tx-confirmation") == 2*len(list) && r.calls(" 1") == len(list) && r.calls(" 2") == len(list)
	})

	// One server stops without a word while the receiver refuses its calls. The other one makes them.
	r.refuse(true)
	for _, text := range texts {
		require.NoError(t, chain.Mine(t.Context(), 1, text))
	}
	until(t, "refused calls", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.refused > 3
	})
	gone := all[0]
	gone.stop()
	gone.held().end()
	gone.d.close()
	all = all[1:]
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	r.refuse(false)
	until(t, "the calls of both", func() bool {
		return r.calls(" 1") == 2*len(list) && r.calls(" 2") == 2*len(list)
	})

	until(t, "the deletion", func() bool {
		administrate(t, all[0].Server, folder, "/webhook_delete_uuid", fmt.Sprintf(`{"event_ids":[%q]}`, id))
		quoted, err := json.Marshal(texts)
		require.NoError(t, err)
		administrate(t, all[0].Server, folder, "/webhook_delete", fmt.Sprintf(`{"addresses":%s}`, quoted))
		answer := administrate(t, all[0].Server, folder, "/webhook_list", "{}")
		return answer == `{"webhooks":[]}`
	})
	known(0)
	all[0].stop()
	require.NoError(t, all[0].Close())
}
