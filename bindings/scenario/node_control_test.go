package scenario

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// TestDaemonControlEqual: both programs give the same answers to operations that control a daemon, and to those of
// payments for RPC.
func TestDaemonControlEqual(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	path, err := build()
	require.NoError(t, err)
	flags := []string{
		"--bg-mining-idle-threshold", "95", "--bg-mining-min-idle-interval", "3600", "--bg-mining-miner-target", "30",
	}
	theirs := peers.NewDaemon(t, peers.Options{FixedDifficulty: 1 << 40, Args: flags})
	ours := peers.NewDaemon(t, peers.Options{FixedDifficulty: 1 << 40, Args: flags, Command: []string{path, "daemon"}})
	w := daemonPair{T: t, reference: theirs, ours: ours}

	// Mining does not start: it waits until the machine has been idle for an hour.
	mining := object{
		"miner_address": at(t, alice, 0, 0), "threads_count": 2, "do_background_mining": true, "ignore_battery": true,
	}
	w.path("/mining_status", nil)
	w.path("/start_mining", mining)
	w.path("/start_mining", mining)
	w.path("/mining_status", nil)
	w.path("/set_log_hash_rate", object{"visible": true})
	w.path("/set_log_hash_rate", object{"visible": false})
	w.path("/stop_mining", nil)
	w.path("/mining_status", nil)
	w.path("/stop_mining", nil)
	w.path("/set_log_hash_rate", object{"visible": true})

	for level := range 6 {
		w.path("/set_log_level", object{"level": level - 1})
		w.path("/set_log_categories", object{"categories": "+"})
	}
	for _, list := range []string{
		"1", "*:ERROR", "+miner:INFO,net:FATAL", "-miner:INFO", "+", "0,net:FATAL", "9", "", "+*:WARNING",
		"what is this", "0",
	} {
		w.path("/set_log_categories", object{"categories": list})
	}

	for _, params := range []any{
		nil, object{"client": ""}, object{"client": "none"},
		object{"client": "00", "nonce": 1, "cookie": 2, "payment": 3, "paying_for": "x"},
	} {
		for _, method := range []string{
			"rpc_access_info", "rpc_access_submit_nonce", "rpc_access_pay", "rpc_access_data", "rpc_access_account",
		} {
			w.json(method, params)
		}
	}
	w.json("rpc_access_tracking", object{"clear": true})
	w.json("rpc_access_tracking", nil, "time")
	w.json("rpc_access_tracking", object{"clear": false}, "time")
	w.json("rpc_access_account", object{"client": 5})
}
