package service

import (
	"context"
	"crypto/rand"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/xmr"
)

// evenChain returns a chain in which accounts 0 and 1 of owner receive and spend equal amounts in every block, and a
// branch that lacks its second half.
func evenChain(owner *keys.Keys, blocks int) (c, branch *chaintest.Chain) {
	c = chaintest.New("even", xmr.Regtest)
	var unspent [2][]xmr.KeyImage
	add := func(c *chaintest.Chain, spend bool) {
		var specs []chaintest.Spec
		for account := range uint32(2) {
			at := keys.Index{Major: account, Minor: uint32(c.Height()) % 4}
			specs = append(specs, chaintest.Spec{Pay: []chaintest.Payment{{To: owner, At: at, Amount: 3 + c.Height()}}})
			if spend {
				specs = append(specs,
					chaintest.Spec{Spend: unspent[account][:1], Pay: []chaintest.Payment{{Amount: 1}}})
				unspent[account] = unspent[account][1:]
			}
		}
		for _, m := range c.Add(specs...) {
			if m.Owner != nil {
				unspent[m.At.Major] = append(unspent[m.At.Major], m.Image)
			}
		}
	}
	for n := range blocks {
		add(c, n%3 == 2)
	}
	branch = c.Fork("even branch", uint64(blocks)/2)
	for range blocks {
		add(branch, false)
	}
	return c, branch
}

// money is the balance of an account.
type money struct {
	Balance  uint64 `json:"balance"`
	Unlocked uint64 `json:"unlocked_balance"`
}

// unevenBalance describes how get_balance shows half a change; it is empty if both accounts are alike.
func unevenBalance(t *testing.T, s *Service) string {
	var r struct {
		money
		Per []struct {
			money
			Account uint32 `json:"account_index"`
		} `json:"per_subaddress"`
	}
	ask(t, s, "get_balance", `{"account_index":0,"all_accounts":true}`, &r)
	var of [2]money
	for _, p := range r.Per {
		of[p.Account].Balance += p.Balance
		of[p.Account].Unlocked += p.Unlocked
	}
	if of[0] != of[1] || r.Balance != 2*of[0].Balance || r.Unlocked != 2*of[0].Unlocked {
		return fmt.Sprint(of, r.money)
	}
	return ""
}

// unevenAccounts describes how get_accounts shows half a change; it is empty if both accounts are alike.
func unevenAccounts(t *testing.T, s *Service) string {
	var r struct {
		Accounts []money `json:"subaddress_accounts"`
		Total    uint64  `json:"total_balance"`
		Unlocked uint64  `json:"total_unlocked_balance"`
	}
	ask(t, s, "get_accounts", `{}`, &r)
	if a := r.Accounts; len(a) != 2 || a[0] != a[1] || r.Total != 2*a[0].Balance || r.Unlocked != 2*a[0].Unlocked {
		return fmt.Sprint(r)
	}
	return ""
}

// unevenTransfers describes how get_transfers shows half a change; it is empty if both accounts are alike.
func unevenTransfers(t *testing.T, s *Service) string {
	type list []struct {
		Amount uint64 `json:"amount"`
		Height uint64 `json:"height"`
		At     struct {
			Major uint32 `json:"major"`
		} `json:"subaddr_index"`
	}
	var r struct{ In, Out list }
	ask(t, s, "get_transfers", `{"in":true,"out":true,"all_accounts":true}`, &r)
	for _, l := range []list{r.In, r.Out} {
		var sum [2]uint64
		last := ^uint64(0)
		for _, e := range l {
			sum[e.At.Major] += e.Amount
			if e.Height > last {
				return "not in order"
			}
			last = e.Height
		}
		if sum[0] != sum[1] {
			return fmt.Sprint(sum)
		}
	}
	return ""
}

// unevenOutputs describes how incoming_transfers shows half a change; it is empty if both accounts are alike.
func unevenOutputs(t *testing.T, s *Service) string {
	var r struct {
		Transfers []struct {
			Amount uint64 `json:"amount"`
			Height uint64 `json:"block_height"`
		} `json:"transfers"`
	}
	ask(t, s, "incoming_transfers", `{"transfer_type":"all","account_index":1}`, &r)
	for n, e := range r.Transfers {
		if e.Height != uint64(n+1) || e.Amount != 3+e.Height {
			return fmt.Sprint(n, e)
		}
	}
	return ""
}

// unevenPayments describes how get_payments shows half a change; it is empty if both accounts are alike.
func unevenPayments(t *testing.T, s *Service) string {
	var r struct {
		Payments []struct {
			Amount uint64 `json:"amount"`
			Height uint64 `json:"block_height"`
		} `json:"payments"`
	}
	ask(t, s, "get_bulk_payments", `{"payment_ids":["0000000000000000"],"min_block_height":0}`, &r)
	for n, e := range r.Payments {
		if e.Height != uint64((len(r.Payments)-1-n)/2+1) || e.Amount != 3+e.Height {
			return fmt.Sprint(n, e)
		}
	}
	if len(r.Payments)%2 != 0 {
		return fmt.Sprint(len(r.Payments), " payments")
	}
	return ""
}

// TestReadersSeeWholeChanges lets 64 clients query a wallet while blocks arrive and are reorganised away repeatedly.
// No response may show half a change or contradict itself, and every client must make progress.
func TestReadersSeeWholeChanges(t *testing.T) {
	s, err := New(Config{
		Network: xmr.Regtest, Files: newFolder(), Random: rand.Reader,
		Now:     func() uint64 { return chaintest.StartTime },
		Workers: 2, KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 2, Minor: 4},
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(DaemonConfig) (rpc.Transport, error) { return noDaemon{}, nil },
	}, DaemonConfig{})
	require.NoError(t, err)
	ask(t, s, "create_wallet", `{"filename":"load","password":"","language":"English"}`, nil)
	ask(t, s, "create_account", `{}`, nil)
	o, err := s.current()
	require.NoError(t, err)
	chain, branch := evenChain(o.Keys(), 36)

	asked := []struct {
		name  string
		check func(t *testing.T, s *Service) string // describes what is wrong
	}{
		{"get_balance", unevenBalance},
		{"get_accounts", unevenAccounts},
		{"get_transfers", unevenTransfers},
		{"incoming_transfers", unevenOutputs},
		{"get_payments", unevenPayments},
	}
	var answers [64]atomic.Int64
	stop := make(chan struct{})
	var clients sync.WaitGroup
	for n := range answers {
		clients.Go(func() {
			for i := n; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				a := &asked[i%len(asked)]
				if wrong := a.check(t, s); wrong != "" {
					t.Errorf("%s: %s", a.name, wrong)
					return
				}
				answers[n].Add(1)
			}
		})
	}
	src := chaintest.NewSource(chain)
	src.Batch = 6
	for round := range 3 {
		src.Switch([]*chaintest.Chain{chain, branch}[round%2])
		_, err := o.Refresh(context.Background(), src, 0)
		require.NoError(t, err)
		ask(t, s, "create_address", `{"account_index":0,"count":20}`, nil)
	}
	// Each client must also get a response after the last change.
	var before [len(answers)]int64
	for n := range answers {
		before[n] = answers[n].Load()
	}
	require.Eventually(t, func() bool {
		for n := range answers {
			if answers[n].Load() < before[n]+2 && !t.Failed() {
				return false
			}
		}
		return true
	}, 5*time.Minute, 10*time.Millisecond)
	close(stop)
	clients.Wait()
	o.View(func(w *wallet.Wallet) { require.Equal(t, chain.Height(), w.Height()) })
}

// TestRequestsAreBounded checks that requests with excessive lists are refused, and so are responses that repetition
// would make too long.
func TestRequestsAreBounded(t *testing.T) {
	s := bigWallet(t, 3, 1000)
	refused := func(method, params string) {
		t.Helper()
		answer, err := s.Serve(context.Background(), "/json_rpc",
			[]byte(`{"jsonrpc":"2.0","id":0,"method":"`+method+`","params":`+params+`}`), rpc.Options{})
		require.NoError(t, err)
		require.Contains(t, string(answer[:min(len(answer), 200)]), `"error"`, method)
	}
	long := upTo(maxListed + 1)
	refused("get_balance", `{"account_index":0,"address_indices":`+long+`}`)
	refused("get_address", `{"account_index":0,"address_index":`+long+`}`)
	refused("get_transfers", `{"in":true,"subaddr_indices":`+long+`}`)
	refused("incoming_transfers", `{"transfer_type":"all","account_index":0,"subaddr_indices":`+long+`}`)
	refused("get_accounts", fmt.Sprintf(`{"regexp":true,"tag":"%01025d"}`, 0))
	id := `"0700000000000000"` // of one payment
	ask(t, s, "get_bulk_payments", `{"payment_ids":[`+strings.Repeat(id+",", 99)+id+`],"min_block_height":0}`, nil)
	refused("get_bulk_payments", `{"payment_ids":[`+strings.Repeat(id+",", maxListed)+id+`],"min_block_height":0}`)
	none := `{"jsonrpc":"2.0","id":0,"method":"get_bulk_payments","params":{"payment_ids":[` +
		strings.Repeat(`"ffff000000000000",`, maxListed-1) + `"ffff000000000000"]}}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := s.Serve(context.Background(), "/json_rpc", []byte(none), rpc.Options{})
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4*len(none)), "a repeated ID needs no more memory")

	// Repeated items count once, and unknown ones are ignored.
	var r struct {
		Per []struct {
			Index uint32 `json:"address_index"`
		} `json:"per_subaddress"`
	}
	ask(t, s, "get_balance", `{"account_index":0,"address_indices":[2,2,4000000000,0,2]}`, &r)
	require.Len(t, r.Per, 3)
	require.Equal(t, uint32(4_000_000_000), r.Per[2].Index)
}
