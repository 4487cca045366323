package lws_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/lws"
	"glim/bindings/wallet/regtest"
	"glim/core/keys"
)

// report is the body of a call.
type report struct {
	Event         string `json:"event"`
	Token         string `json:"token"`
	ID            string `json:"event_id"`
	Address       string `json:"address"`
	Confirmations int    `json:"confirmations"`
	Tx            struct {
		Amount uint64 `json:"amount"`
		Block  uint64 `json:"block"`
		Hash   string `json:"tx_hash"`
		Source struct {
			Amount uint64 `json:"amount"`
		} `json:"source"`
	} `json:"tx_info"`
}

// receiver is a web service that webhooks call.
type receiver struct {
	t   *testing.T
	url string

	mu      sync.Mutex
	got     []report
	pending int // payments that were reported without confirmations
	refused int
	refuses bool
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{t: t}
	s := httptest.NewServer(r)
	t.Cleanup(s.Close)
	r.url = s.URL
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	var one report
	if r.refuses || err != nil || req.Header.Get("Content-Type") != "application/json" ||
		json.Unmarshal(body, &one) != nil {
		r.refused++
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if one.Event == "tx-confirmation" && one.Confirmations == 0 {
		r.pending++ // as often as the server reads the pool before a block has the payment
		return
	}
	r.got = append(r.got, one)
}

func (r *receiver) refuse(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refuses = on
}

func (r *receiver) refusals() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refused
}

// wait returns the reports once there are n, and removes them.
func (r *receiver) wait(n int) (got []report) {
	r.t.Helper()
	eventually(r.t, fmt.Sprint(n, " calls"), func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.got) < n {
			return false
		}
		got, r.got = r.got, nil
		return true
	})
	require.Len(r.t, got, n)
	return got
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); !ok(); time.Sleep(10 * time.Millisecond) {
		require.True(t, time.Now().Before(deadline), what)
	}
}

func (s served) administer(t *testing.T, path, params string) (out map[string]any) {
	t.Helper()
	status, b := post(t, s.admin+path, `{"params":`+params+`}`)
	require.Equal(t, 200, status, string(b))
	require.NoError(t, json.Unmarshal(b, &out))
	return out
}

// fast configures a server whose administrators need no secret, and that repeats calls soon.
func fast(c *lws.Config) {
	c.NoAdminAuth = true
	c.Calls = lws.Calls{First: time.Millisecond, Last: 20 * time.Millisecond}
}

// TestWebhooks: payments, rings and accounts are reported with rising confirmations, also after a reorganisation and a
// restart, and receivers that fail do not delay others.
func TestWebhooks(t *testing.T) {
	chain, err := regtest.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	folder := filepath.Join(t.TempDir(), "db")
	s := serve(t, folder, chain, fast)
	fine, dead := newReceiver(t), newReceiver(t)
	dead.refuse(true)
	moved := httptest.NewServer(http.RedirectHandler(fine.url, http.StatusTemporaryRedirect))
	t.Cleanup(moved.Close)

	alice, bob := newPhone(t, s.url, 1), newPhone(t, s.url, 2)
	for _, url := range []string{dead.url, fine.url, moved.URL} {
		s.administer(t, "/webhook_add", fmt.Sprintf(`{"type":"new-account","url":%q,"token":"who"}`, url))
	}
	const create = `,"create_account":true,"generated_locally":true`
	for _, p := range []phone{alice, bob} {
		require.Equal(t, 200, p.ask("/login", create, nil))
	}
	accounts := fine.wait(2)
	require.Equal(t, "new-account who "+alice.address(keys.Index{}).String(),
		fmt.Sprint(accounts[0].Event, " ", accounts[0].Token, " ", accounts[0].Address))
	require.NoError(t, chain.Fund(t.Context(), 30, alice.address(keys.Index{}).String()))
	alice.until("the rewards", func(i info) bool { return i.Received != "0" && i.Scanned == chain.Height()-1 })

	const hook = `{"type":%q,"url":%q,"token":"t","confirmations":3,"address":%q}`
	for _, url := range []string{dead.url, fine.url} {
		s.administer(t, "/webhook_add", fmt.Sprintf(hook, "tx-confirmation", url, bob.address(keys.Index{})))
	}
	spent := s.administer(t, "/webhook_add", fmt.Sprintf(hook, "tx-spend", fine.url, alice.address(keys.Index{})))
	status, answer := post(t, s.url+"/submit_raw_tx",
		fmt.Sprintf(`{"tx":"%x"}`, alice.pay(bob.address(keys.Index{}), 1_000_000_000_000)))
	require.Equal(t, 200, status, string(answer))
	eventually(t, "the pending payment", func() bool {
		fine.mu.Lock()
		defer fine.mu.Unlock()
		return fine.pending > 0
	})
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	bob.until("the payment", func(i info) bool { return i.Received == "1000000000000" })
	require.Equal(t, 200, alice.ask("/get_address_info", "", nil))
	var spends int
	alice.until("the ring", func(i info) bool { spends = len(i.Spends); return spends > 0 })
	got := fine.wait(1 + spends)
	confirmed := func(reports []report, want int) (hash string, block uint64) {
		t.Helper()
		n := 0
		for _, r := range reports {
			switch r.Event {
			case "tx-confirmation":
				n++
				require.Equal(t, want, r.Confirmations)
				require.Equal(t, uint64(1_000_000_000_000), r.Tx.Amount)
				hash, block = r.Tx.Hash, r.Tx.Block
			case "tx-spend":
				require.Equal(t, spent["event_id"], r.ID)
				require.NotZero(t, r.Tx.Source.Amount)
			}
		}
		require.Equal(t, 1, n)
		return hash, block
	}
	hash, block := confirmed(got, 1)
	s.administer(t, "/webhook_delete_uuid", fmt.Sprintf(`{"event_ids":[%q]}`, spent["event_id"]))

	// The block of the payment leaves the chain. The transaction is pending again, and reported from another block.
	require.NoError(t, chain.Reorganise(t.Context(), 1))
	bob.until("the other branch", func(i info) bool { return i.Scanned == chain.Height()-1 })
	before := fine.wait(0)
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	again, after := block, hash
	bob.until("the payment again", func(i info) bool { return i.Received == "1000000000000" })
	after, again = confirmed(append(before, fine.wait(1)...), 1)
	require.Equal(t, hash, after)
	require.Greater(t, again, block)

	// While the receiver refuses calls and the server stops and starts, the calls wait, in their order.
	fine.refuse(true)
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	eventually(t, "a refused call", func() bool { return fine.refusals() > 0 })
	s.stop()
	require.NoError(t, chain.Mine(t.Context(), 3, ""))
	s = serve(t, folder, chain, fast)
	fine.refuse(false)
	got = fine.wait(2)
	require.Equal(t, []int{2, 3}, []int{got[0].Confirmations, got[1].Confirmations})
	require.NotZero(t, dead.refusals())

	// The administrator deletes what nobody receives.
	list := s.administer(t, "/webhook_list", "{}")["webhooks"].([]any)
	require.Len(t, list, 2)
	s.administer(t, "/webhook_delete", fmt.Sprintf(`{"addresses":[%q]}`, bob.address(keys.Index{})))
	require.Len(t, s.administer(t, "/webhook_list", "{}")["webhooks"], 1)
	for _, bad := range []string{"zmq", "ftp://127.0.0.1/", "http://user:password@127.0.0.1/", "http://"} {
		status, b := post(t, s.admin+"/webhook_add", fmt.Sprintf(`{"params":{"type":"new-account","url":%q}}`, bad))
		require.Equal(t, 400, status, bad)
		require.NotContains(t, string(b), "password")
	}
}

// TestCallsWait: no call is made while another process may make it, and all are made afterwards.
func TestCallsWait(t *testing.T) {
	chain, err := regtest.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	r := newReceiver(t)
	var asked atomic.Int32
	s := serve(t, t.TempDir(), chain, func(c *lws.Config) {
		fast(c)
		c.MayCall = func() bool { return asked.Add(1) > 5 }
	})
	s.administer(t, "/webhook_add", fmt.Sprintf(`{"type":"new-account","url":%q}`, r.url))
	require.Equal(t, 200, newPhone(t, s.url, 1).ask("/login", `,"create_account":true,"generated_locally":true`, nil))
	r.wait(1)
	require.Greater(t, asked.Load(), int32(5), "no call was made before the sixth attempt")
}

// TestDeadReceiver: calls that no receiver accepts are tried at growing intervals, and then given up.
func TestDeadReceiver(t *testing.T) {
	chain, err := regtest.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	dead := newReceiver(t)
	dead.refuse(true)
	folder := t.TempDir()
	s := serve(t, folder, chain, func(c *lws.Config) {
		fast(c)
		c.Calls.Last = time.Hour
	})
	s.administer(t, "/webhook_add", fmt.Sprintf(`{"type":"new-account","url":%q}`, dead.url))
	require.Equal(t, 200, newPhone(t, s.url, 1).ask("/login", `,"create_account":true,"generated_locally":true`, nil))
	eventually(t, "attempts", func() bool { return dead.refusals() > 5 })
	s.stop()
	attempts := dead.refusals()
	require.Less(t, attempts, 30, "the intervals grow")

	s = serve(t, folder, chain, func(c *lws.Config) {
		fast(c)
		c.Calls.GiveUp = time.Nanosecond
	})
	dead.refuse(false)
	require.Equal(t, 200, newPhone(t, s.url, 2).ask("/login", `,"create_account":true,"generated_locally":true`, nil))
	s.stop()
	require.Equal(t, attempts, dead.refusals())
	require.Empty(t, dead.wait(0))
}
