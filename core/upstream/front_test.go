package upstream_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/upstream"
	"glim/core/xmr"
)

// TestInfo: get_info names the upstream, except to restricted clients.
func TestInfo(t *testing.T) {
	w := newWorld(t)
	w.first.mine(t, 20)
	r := ask(t, w.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.True(t, r.Untrusted)
	require.True(t, r.WasBootstrapEverUsed)
	require.Equal(t, "first:1", r.BootstrapDaemonAddress)
	require.EqualValues(t, 1, r.HeightWithoutBootstrap)
	require.EqualValues(t, 21, r.Height)
	s := ask(t, w.Restricted(), daemonrpc.GetInfoPath, daemonrpc.PayerOnly{})
	require.True(t, s.Untrusted)
	require.True(t, s.Restricted)
	require.Empty(t, s.BootstrapDaemonAddress)
	require.Empty(t, s.Version)
	require.Zero(t, s.HeightWithoutBootstrap)
	require.EqualValues(t, 21, s.Height)
}

// TestDenied: operations that need a local chain or would stop the upstream are refused. The local daemon handles the
// operations about itself.
func TestDenied(t *testing.T) {
	w := newWorld(t)
	w.first.mine(t, 20)
	w.first.questions()
	for _, name := range []string{
		"get_block_template", "get_miner_data", "submit_block", "generateblocks",
		"prune_blockchain", "relay_tx", "flush_txpool",
		"get_coinbase_tx_sum", "get_alternate_chains",
	} {
		answer, err := w.Registry().Post(t.Context(), "/json_rpc", []byte(`{"method":"`+name+`"}`))
		require.NoError(t, err)
		require.Contains(t, string(answer), "-20", name)
	}
	for _, path := range []string{"/start_mining", "/pop_blocks", "/get_alt_blocks_hashes"} {
		answer, err := w.Registry().Post(t.Context(), path, nil)
		require.NoError(t, err)
		require.Contains(t, string(answer), "unsupported", path)
	}
	require.Equal(t, "OK", ask(t, w.Registry(), daemonrpc.SetLogLevel, daemonrpc.SetLogLevelRequest{Level: 1}).Status)
	require.Equal(t, "OK", ask(t, w.Registry(), daemonrpc.GetLimit, daemonrpc.None{}).Status)
	require.False(t, ask(t, w.Registry(), daemonrpc.MiningStatus, daemonrpc.None{}).Active)
	require.Empty(t, w.first.asked, "the upstream was asked")

	// Either the front or the local daemon handles every operation.
	for _, op := range daemonrpc.Operations() {
		if strings.HasPrefix(op.Name, "rpc_access") {
			continue
		}
		path, body := "/"+op.Name, []byte(nil)
		if op.Wire == rpc.JSONRPC {
			path, body = "/json_rpc", []byte(`{"method":"`+op.Name+`"}`)
		} else if op.Wire == rpc.Binary {
			var err error
			body, err = epee.Marshal(&struct{}{})
			require.NoError(t, err)
		}
		if op.Name == "set_bootstrap_daemon" || op.Name == "stop_daemon" {
			continue
		}
		answer, err := w.Registry().Post(t.Context(), path, body)
		require.NoError(t, err, op.Name)
		require.NotContains(t, string(answer), "Method not found", op.Name)
	}
}

// TestRestrictedRequestsAreLimited: restricted requests above each limit are refused without a request to the upstream.
func TestRestrictedRequestsAreLimited(t *testing.T) {
	w := newWorld(t)
	w.first.mine(t, 1010)
	r := w.Restricted()
	var many []string
	for range 5001 {
		many = append(many, xmr.Hash{1}.String())
	}
	ask(t, r, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	w.first.questions()
	require.Contains(
		t, ask(t, r, daemonrpc.GetTransactions, daemonrpc.GetTransactionsRequest{TxsHashes: many[:101]}).Status,
		"Too many transactions",
	)
	require.Contains(
		t, ask(t, r, daemonrpc.IsKeyImageSpent, daemonrpc.IsKeyImageSpentRequest{KeyImages: many}).Status,
		"Too many key images",
	)
	refs := make([]daemonrpc.OutputRef, 5001)
	require.Equal(
		t, "Too many outs requested",
		ask(t, r, daemonrpc.GetOutsBin, daemonrpc.GetOutsBinRequest{Outputs: refs}).Status,
	)
	require.Equal(
		t, "Too many outs requested", ask(t, r, daemonrpc.GetOuts, daemonrpc.GetOutsRequest{Outputs: refs}).Status,
	)
	require.Contains(
		t,
		ask(
			t, r, daemonrpc.GetBlocksByHeight, daemonrpc.GetBlocksByHeightRequest{Heights: make([]uint64, 1001)},
		).Status,
		"Too many blocks",
	)
	require.Equal(
		t, daemonrpc.CodeRestricted,
		refused(t, r, daemonrpc.GetBlockHeadersRange, daemonrpc.GetBlockHeadersRangeRequest{EndHeight: 1001}).Code,
	)
	require.Equal(
		t, daemonrpc.CodeRestricted,
		refused(t, r, daemonrpc.GetBlockHeaderByHash, daemonrpc.GetBlockHeaderByHashRequest{Hashes: many[:1001]}).Code,
	)
	require.Equal(
		t, daemonrpc.CodeRestricted,
		refused(
			t, r, daemonrpc.GetOutputDistribution, daemonrpc.GetOutputDistributionRequest{Amounts: []uint64{5}},
		).Code,
	)
	require.Contains(
		t,
		ask(
			t, r, daemonrpc.GetOutputDistributionBin,
			daemonrpc.GetOutputDistributionRequest{Amounts: []uint64{5}, Binary: true},
		).Status,
		"Restricted RPC",
	)
	require.Contains(
		t, ask(t, r, daemonrpc.GetOutputHistogram, daemonrpc.GetOutputHistogramRequest{}).Status, "Restricted RPC",
	)
	require.Contains(
		t,
		ask(
			t, r, daemonrpc.GetOutputHistogram,
			daemonrpc.GetOutputHistogramRequest{Amounts: []uint64{0}, RecentCutoff: 5},
		).Status,
		"too old",
	)
	require.Zero(
		t,
		w.first.questions(
			"get_transactions", "is_key_image_spent", "get_outs.bin", "get_blocks_by_height.bin",
			"get_output_histogram",
		),
	)
	_, err := r.Serve(t.Context(), "/set_bootstrap_daemon", nil, rpc.Options{Restricted: true})
	require.ErrorIs(t, err, rpc.ErrNoPath)
}

// TestLocalChain: the upstream serves requests about the chain until the local chain has caught up. Then the local
// daemon serves them, until upstreams are set again.
func TestLocalChain(t *testing.T) {
	w := newWorld(t, func(c *upstream.Config) { c.Always = false })
	w.first.set(func(o *origin) { o.away = true })
	w.second.set(func(o *origin) { o.away = true })
	height := func() uint64 { return ask(t, w.Registry(), daemonrpc.GetHeight, daemonrpc.None{}).Height }
	require.EqualValues(t, 1, height(), "nobody to ask")
	w.first.set(func(o *origin) { o.away = false })
	w.first.mine(t, 30)
	w.clock.add(31)
	require.EqualValues(t, 31, height())
	require.True(t, ask(t, w.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{}).Untrusted)
	require.Equal(
		t, daemonrpc.CodeUnsupportedBootstrap, refused(t, w.Registry(), daemonrpc.SubmitBlock, []string{"00"}).Code,
	)

	// Operations that change the local chain are not sent to the upstream.
	made := ask(
		t, w.Registry(), daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 25, WalletAddress: stranger(t)},
	)
	require.Len(t, made.Blocks, 25)
	require.EqualValues(t, 31, height())
	w.clock.add(31)
	require.EqualValues(t, 26, height(), "not behind by more than ten")
	info := ask(t, w.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.False(t, info.Untrusted)
	require.True(t, info.WasBootstrapEverUsed)
	require.Equal(t, "first:1", info.BootstrapDaemonAddress)
	w.first.mine(t, 100)
	w.clock.add(31)
	require.EqualValues(t, 26, height(), "there is no way back")

	set := func(address string) string {
		return ask(
			t, w.Registry(), daemonrpc.SetBootstrapDaemon, daemonrpc.SetBootstrapDaemonRequest{Address: address},
		).Status
	}
	require.Equal(t, "OK", set("first:1"))
	require.EqualValues(t, 131, height(), "but by naming it again")
	require.Contains(t, set("auto"), "Failed to set bootstrap daemon: ")
	require.Equal(t, "Failed to set bootstrap daemon", set("nowhere:1"))
	w.connected = 0
	require.Contains(t, set(strings.Repeat("first:1,", 100_000)), "at most 64 daemons")
	require.LessOrEqual(t, w.connected, upstream.MaxServers, "each takes memory")
	require.EqualValues(t, 131, height())
	require.Equal(t, "OK", set(""))
	require.EqualValues(t, 26, height())
	require.Empty(t, ask(t, w.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{}).BootstrapDaemonAddress)
}
