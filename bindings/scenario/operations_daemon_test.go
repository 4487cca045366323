package scenario

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// TestDaemonOperationsEqual: operations that need a daemon give the same answers with a complete daemon, with an
// untrusted one and without one.
func TestDaemonOperationsEqual(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	p := newPair(t, d)
	for _, c := range p.both() {
		restore(t, c, "alice", alice)
	}
	p.same("refresh", nil)
	p.same("refresh", nil)
	p.same("refresh", object{"start_height": 50})
	for _, params := range []object{{"enable": false}, {"enable": false, "period": 5}} {
		p.same("auto_refresh", params)
	}
	p.same("rescan_spent", nil)
	p.same("rescan_blockchain", nil)
	p.same("rescan_blockchain", object{"hard": true})
	p.same("get_balance", nil)
	id := call[struct {
		In []struct {
			TxID string `json:"txid"`
		} `json:"in"`
	}](t, p.ours, "get_transfers", object{"in": true}).In[0].TxID
	for _, params := range []object{
		nil, {"txids": []string{id}}, {"txids": []string{"x"}}, {"txids": []string{strings.Repeat("ab", 32)}},
		{"txids": []string{id, id}},
	} {
		p.same("scan_tx", params)
	}
	p.same("get_balance", nil)
	p.mining(d)
	for _, params := range []object{
		{"address": d.URL, "ssl_support": "x"},
		{"address": d.URL, "ssl_support": "enabled"},
		{"address": d.URL, "trusted": false, "ssl_support": "disabled"},
	} {
		p.same("set_daemon", params)
	}
	untrusted := peers.Error{Code: -1, Message: "This command requires a trusted daemon."}
	p.same("start_mining", nil)
	require.Equal(t, untrusted, refusal(t, p.ours, "rescan_spent", nil), laterReason)
	do(t, p.reference, "set_daemon", object{"address": "no such thing", "ssl_support": "disabled"})
	require.Equal(t, -38,
		refusal(t, p.ours, "set_daemon", object{"address": "no such thing", "ssl_support": "disabled"}).Code)
	p.same("import_key_images", object{"signed_key_images": []object{}})
	p.same("set_daemon", object{"address": d.URL, "trusted": true, "ssl_support": "disabled"})
	withoutDaemon(t, p, d, id)
}

// withoutDaemon stops the daemon and compares what both wallets answer then. id is a transaction of theirs.
func withoutDaemon(t *testing.T, p *pair, d *peers.Daemon, id string) {
	t.Helper()
	image := call[struct {
		Transfers []struct {
			KeyImage string `json:"key_image"`
		}
	}](t, p.ours, "incoming_transfers", object{"transfer_type": "available"}).Transfers[0].KeyImage
	require.NoError(t, d.Kill())
	for _, q := range []struct {
		method string
		params object
	}{
		{"refresh", nil}, {"rescan_spent", nil}, {"start_mining", object{"threads_count": 1}}, {"stop_mining", nil},
		{"get_balance", nil},
		{"get_transfers", object{"out": true, "pending": true, "failed": true}},
		{"store", nil},
		{"get_height", nil},
		{"get_tx_proof", object{"txid": id, "address": at(t, alice, 0, 0)}},
		{"get_spend_proof", object{"txid": id}},
	} {
		p.same(q.method, q.params)
	}
	// We always report the missing daemon. The reference reports it in several ways, or not at all.
	to := at(t, bob, 0, 0)
	height, nothing := peers.Error{Code: -4, Message: "Failed to get height"}, peers.Error{}
	for _, q := range []struct {
		method string
		params object
		theirs peers.Error
	}{
		{"transfer", object{"destinations": []destination{{to, coin}}}, height},
		{"transfer_split", object{"destinations": []destination{{to, coin}}}, height},
		{"sweep_all", object{"address": to}, height},
		{"sweep_single", object{"address": to, "key_image": image}, height},
		{
			"scan_tx", object{"txids": []string{id}},
			peers.Error{Code: -1, Message: "Failed to get transaction from daemon"},
		},
		{"get_transfers", object{"pool": true}, nothing},
		{"get_transfer_by_txid", object{"txid": strings.Repeat("ab", 32)}, nothing},
	} {
		require.Equal(t, q.theirs, refusal(t, p.reference, q.method, q.params), q.method)
		require.Equal(t, peers.Error{Code: -38, Message: "no connection to daemon"},
			refusal(t, p.ours, q.method, q.params), q.method)
	}
	// Operations that need no daemon still work, and data that cannot be fetched again is not discarded.
	require.Equal(t, height, refusal(t, p.reference, "sweep_dust", nil))
	do(t, p.ours, "sweep_dust", nil)
	estimate := object{"n_inputs": 1, "n_outputs": 2}
	require.Equal(t, -1, refusal(t, p.reference, "estimate_tx_size_and_weight", estimate).Code)
	do(t, p.ours, "estimate_tx_size_and_weight", estimate)
	// A reserve proof needs the transactions, which the reference keeps.
	require.Equal(t, peers.Error{Code: -1, Message: "Failed to get transaction from daemon"},
		refusal(t, p.ours, "get_reserve_proof", object{"all": true}))
	require.Equal(t, nothing, refusal(t, p.reference, "get_transfer_by_txid", object{"txid": id}))
	do(t, p.ours, "get_transfer_by_txid", object{"txid": id})
	before := ledger(t, p.ours)
	p.same("rescan_blockchain", nil)
	require.Equal(t, before, ledger(t, p.ours))
	require.Zero(t, ledger(t, p.reference).Balance)
}

// mining uses a fake daemon that only claims to mine: a real one takes minutes to start, and extends the chain.
func (p *pair) mining(d *peers.Daemon) {
	p.t.Helper()
	var status atomic.Value
	miner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"status":%q,"untrusted":false}`, status.Load())
	}))
	defer miner.Close()
	p.same("set_daemon", object{"address": miner.URL, "trusted": true, "ssl_support": "disabled"})
	for _, says := range []string{"OK", "Already mining", "BUSY"} {
		status.Store(says)
		for _, params := range []object{
			nil, {"threads_count": 0}, {"threads_count": 1},
			{"threads_count": 2, "do_background_mining": true, "ignore_battery": true}, {"threads_count": 1 << 40},
		} {
			p.same("start_mining", params)
		}
		p.same("stop_mining", nil)
	}
	p.same("set_daemon", object{"address": d.URL, "trusted": true, "ssl_support": "disabled"})
}
