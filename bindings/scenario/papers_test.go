package scenario

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/keys"
)

// What is wrong with files, names and passwords is said alike, and what is made of seeds and keys is the same. What the
// reference refuses late, after seconds of work, is among the recorded refusals.
func TestFilesEqual(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	mine(t, d, 3, at(t, nobody, 0, 0))
	p := newPair(t, d)
	for _, params := range []object{{"filename": "a/b", "language": "English"}, {"filename": "w", "language": "Klingon"}, {"filename": "w"}, {"filename": "/etc/w", "language": "English"}} {
		p.same("create_wallet", params)
	}
	for _, params := range []object{{"filename": "a/b"}, {"filename": "../x"}} {
		p.same("open_wallet", params)
	}
	for _, method := range []string{"close_wallet", "stop_wallet", "store", "change_wallet_password"} {
		p.same(method, nil)
	}
	p.same("create_wallet", object{"filename": "w", "password": "p ü", "language": "English"})
	p.same("get_height", nil)
	p.same("create_wallet", object{"filename": "w.keys", "language": "English"})
	p.same("store", nil)
	for _, params := range []object{nil, {"old_password": "x", "new_password": "y"}, {"old_password": "p ü", "new_password": "q"}, {"old_password": "p ü"}, {"old_password": "q", "new_password": "r"}} {
		p.same("change_wallet_password", params)
	}
	p.same("close_wallet", object{"autosave_current": false})
	p.same("get_height", nil)
	p.same("open_wallet", object{"filename": "w.keys", "password": "r"}) // of which w is the wallet
	p.same("get_height", nil)
	p.same("refresh", nil)
	p.same("get_height", nil) // nothing older than the wallet has to be read

	// Seeds.
	words := seed(t, alice)
	for _, params := range []object{{"seed": ""}, {"seed": words, "filename": "a/b"}, {"seed": words, "filename": "w"}, {"seed": "one two", "filename": "s"},
		{"seed": strings.Replace(words, " ", " x", 1), "filename": "s"}} {
		p.same("restore_deterministic_wallet", params)
	}
	p.same("restore_deterministic_wallet", object{"seed": words, "seed_offset": "pass", "restore_height": 2, "language": "Deutsch", "filename": "one"})
	p.same("query_key", object{"key_type": "mnemonic"})
	p.same("get_address", nil)

	// Keys.
	k, err := keys.FromSeed([32]byte{alice, 1, 2, 3, 5, 8, 13, 21})
	require.NoError(t, err)
	secret, ok := k.SpendSecret()
	require.True(t, ok)
	view := k.ViewSecret()
	viewKey, spendKey, address := hex.EncodeToString(view[:]), hex.EncodeToString(secret[:]), at(t, alice, 0, 0)
	for _, params := range []object{{"viewkey": viewKey}, {"address": address}, {"viewkey": viewKey, "address": address, "filename": "a/b"}, {"viewkey": viewKey, "address": address, "filename": "w"}} {
		p.same("generate_from_keys", params)
	}
	p.same("generate_from_keys", object{"viewkey": viewKey, "spendkey": spendKey, "address": address, "filename": "german", "language": "German", "restore_height": 1})
	for _, kind := range []string{"mnemonic", "view_key", "spend_key"} {
		p.same("query_key", object{"key_type": kind})
	}
	p.same("generate_from_keys", object{"viewkey": viewKey, "address": address, "filename": "watch"})
	for _, kind := range []string{"mnemonic", "view_key", "spend_key"} {
		p.same("query_key", object{"key_type": kind})
	}
	// The reference makes wallets of keys that do not belong to the address: they never see anything.
	mismatch := object{"viewkey": spendKey, "address": address, "filename": "wrong"}
	do(t, p.reference, "generate_from_keys", mismatch)
	require.Equal(t, peers.Error{Code: -1, Message: "failed to generate new wallet: view key does not match standard address"}, refusal(t, p.ours, "generate_from_keys", mismatch))
	p.same("stop_wallet", nil)
}

// With a daemon that can do everything, with one that is not trusted and with none, operations that need it answer alike.
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
	for _, params := range []object{nil, {"txids": []string{id}}, {"txids": []string{"x"}}, {"txids": []string{strings.Repeat("ab", 32)}}, {"txids": []string{id, id}}} {
		p.same("scan_tx", params)
	}
	p.same("get_balance", nil)
	p.mining(d)
	for _, params := range []object{{"address": d.URL, "ssl_support": "x"}, {"address": d.URL, "ssl_support": "enabled"}, {"address": d.URL, "trusted": false, "ssl_support": "disabled"}} {
		p.same("set_daemon", params)
	}
	untrusted := peers.Error{Code: -1, Message: "This command requires a trusted daemon."}
	p.same("start_mining", nil)
	require.Equal(t, untrusted, refusal(t, p.ours, "rescan_spent", nil), laterReason)
	do(t, p.reference, "set_daemon", object{"address": "no such thing", "ssl_support": "disabled"})
	require.Equal(t, -38, refusal(t, p.ours, "set_daemon", object{"address": "no such thing", "ssl_support": "disabled"}).Code)
	p.same("import_key_images", object{"signed_key_images": []object{}})
	p.same("set_daemon", object{"address": d.URL, "trusted": true, "ssl_support": "disabled"})

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
		{"get_balance", nil}, {"get_transfers", object{"out": true, "pending": true, "failed": true}}, {"store", nil}, {"get_height", nil},
		{"get_tx_proof", object{"txid": id, "address": at(t, alice, 0, 0)}},
		{"get_spend_proof", object{"txid": id}},
	} {
		p.same(q.method, q.params)
	}
	// Where the daemon is missed, we say so each time. The reference says it in several ways, or nothing.
	to := at(t, bob, 0, 0)
	height, nothing := peers.Error{Code: -4, Message: "Failed to get height"}, peers.Error{}
	for _, q := range []struct {
		method string
		params object
		theirs peers.Error
	}{
		{"transfer", object{"destinations": []destination{{to, coin}}}, height}, {"transfer_split", object{"destinations": []destination{{to, coin}}}, height},
		{"sweep_all", object{"address": to}, height}, {"sweep_single", object{"address": to, "key_image": image}, height},
		{"scan_tx", object{"txids": []string{id}}, peers.Error{Code: -1, Message: "Failed to get transaction from daemon"}},
		{"get_transfers", object{"pool": true}, nothing}, {"get_transfer_by_txid", object{"txid": strings.Repeat("ab", 32)}, nothing},
	} {
		require.Equal(t, q.theirs, refusal(t, p.reference, q.method, q.params), q.method)
		require.Equal(t, peers.Error{Code: -38, Message: "no connection to daemon"}, refusal(t, p.ours, q.method, q.params), q.method)
	}
	// What needs no daemon goes on without, and what cannot be had again is not thrown away.
	require.Equal(t, height, refusal(t, p.reference, "sweep_dust", nil))
	do(t, p.ours, "sweep_dust", nil)
	estimate := object{"n_inputs": 1, "n_outputs": 2}
	require.Equal(t, -1, refusal(t, p.reference, "estimate_tx_size_and_weight", estimate).Code)
	do(t, p.ours, "estimate_tx_size_and_weight", estimate)
	// A reserve proof needs the transactions, which the reference keeps.
	require.Equal(t, peers.Error{Code: -1, Message: "Failed to get transaction from daemon"}, refusal(t, p.ours, "get_reserve_proof", object{"all": true}))
	require.Equal(t, nothing, refusal(t, p.reference, "get_transfer_by_txid", object{"txid": id}))
	do(t, p.ours, "get_transfer_by_txid", object{"txid": id})
	before := ledger(t, p.ours)
	p.same("rescan_blockchain", nil)
	require.Equal(t, before, ledger(t, p.ours))
	require.Zero(t, ledger(t, p.reference).Balance)
}

// mining asks a daemon that only says it mines: a real one would take minutes to begin, and lengthen the chain.
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
		for _, params := range []object{nil, {"threads_count": 0}, {"threads_count": 1}, {"threads_count": 2, "do_background_mining": true, "ignore_battery": true}, {"threads_count": 1 << 40}} {
			p.same("start_mining", params)
		}
		p.same("stop_mining", nil)
	}
	p.same("set_daemon", object{"address": d.URL, "trusted": true, "ssl_support": "disabled"})
}
