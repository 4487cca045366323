package malicious_test

import (
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/malicious"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/service"
	"glim/core/walletrpc"
)

// warnings is a log that keeps the warnings.
type warnings struct {
	service.DiscardLog
	mu   sync.Mutex
	list []string
}

func (l *warnings) Warn(message string, _ ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, message)
}

func (l *warnings) take() (list []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list, l.list = l.list, nil
	return list
}

// TestSecondDaemon checks that with a second daemon the wallet pays only on a chain that both daemons have, and at most
// twice the second daemon's fee, and that it warns of data that only one daemon confirms. An unreachable or
// malfunctioning second daemon does not prevent payments.
func TestSecondDaemon(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := malicious.New(w.truth)
	server := httptest.NewServer(second)
	t.Cleanup(server.Close)
	w.mine(10, node.UnspendableAddress())
	for _, c := range w.secondDaemonCases(t) {
		t.Run(c.name, func(t *testing.T) { w.checkSecondDaemon(t, c, second, server.URL) })
	}
	s, _ := w.victim(t, func(config *setup) {
		config.Witness = service.DaemonConfig{Address: server.URL}
	})
	_, err := pay(s, node.UnspendableAddress())
	require.NoError(t, err, "a wallet that is only behind must continue to scan")
	require.Equal(t, w.read+15, do(t, s, walletrpc.GetHeight, walletrpc.Empty{}).Height)
}

// secondDaemonCase is a pair of faults and the expected behaviour of the wallet.
type secondDaemonCase struct {
	name              string
	first, second     malicious.Fault
	refresh, transfer string   // parts of the errors of these calls; empty for success
	warns             []string // first by refresh, then by transfer
}

func (w *world) secondDaemonCases(t *testing.T) []secondDaemonCase {
	fork := newChain(t)
	mine(t, fork, 200, w.address)
	withheld := malicious.Combine("blocks withheld", bendInfo(
		"", func(r *info) { r.Height, r.TargetHeight = w.read, 0 },
	), bendBlocks("", func(r *blocks) {
		r.CurrentHeight, r.Blocks, r.OutputIndices = w.read, r.Blocks[:1], r.OutputIndices[:1]
		r.TopBlockHash = [32]byte{} // as releases 0.18
	}))
	cheap := bendFees("much lower fees", func(r *fees) {
		for i := range r.Fees {
			r.Fees[i] /= 10
		}
	})
	const back = "the daemon may withhold blocks, and payments in them"
	const none = "the second daemon does not answer, so nothing was compared"
	return []secondDaemonCase{
		{name: "both are honest"},
		{name: "the first withholds blocks", first: withheld, transfer: "disagree: one has",
			warns: []string{back}},
		{
			name: "the first has another chain", first: malicious.Fork("fork", fork.Registry()),
			refresh: "their blocks", transfer: "their blocks",
		},
		{name: "the first demands a much higher fee", second: cheap, transfer: "atomic units per byte"},
		{name: "the second demands a much higher fee", first: cheap, transfer: "fee"},
		{name: "the second is behind", second: bendInfo("behind", func(r *info) { r.Height = 20 })},
		{
			name:     "the second has another chain",
			second:   malicious.Fork("fork", fork.Registry()),
			refresh:  "their blocks",
			transfer: "their blocks",
			warns:    []string{back, back},
		},
		{
			name:   "the second is on another network",
			second: bendInfo("mainnet", func(r *info) { r.NetType = "mainnet" }),
			warns:  []string{none, none},
		},
		{
			name:   "the second sends malformed responses",
			second: malicious.ModifyBytes("nonsense", "", func([]byte) []byte { return []byte("?") }),
			warns:  []string{none, none, none},
		},
		{
			name:   "the second closes connections",
			second: malicious.HangUp("hangs up", ""),
			warns:  []string{none, none, none},
		},
		{
			name: "the second reports no fee",
			second: malicious.ModifyBytes(
				"no fees", daemonrpc.GetFeeEstimate.Name, func([]byte) []byte { return []byte("{}") },
			),
			warns: []string{none},
		},
		{
			name: "the first forges a confirmed payment",
			first: bendBlocks("payment", func(r *blocks) {
				if i := withTxs(r); i >= 0 {
					_, r.Blocks[i].Txs[0].Blob = w.forgedTx(forgedAmount)
				}
			}),
			refresh: "differs from the one shown before", transfer: "differs from the one shown before",
		},
	}
}

func (w *world) checkSecondDaemon(t *testing.T, c secondDaemonCase, second *malicious.Daemon, url string) {
	log := &warnings{}
	s, _ := w.victim(t, func(config *setup) {
		config.Witness, config.Log = service.DaemonConfig{Address: url}, log
		config.Compact.ProveEvery = 1
	})
	w.proxy.Inject(c.first)
	second.Inject(c.second)
	requireError(t, c.refresh, refresh(s), "refresh")
	_, err := pay(s, node.UnspendableAddress())
	requireError(t, c.transfer, err, "transfer")
	require.Equal(t, c.warns, log.take())
	require.NotZero(t, second.Requests("get_info"))
	pool := w.emptyPool(t)
	require.Equal(t, err == nil, len(pool) == 1)

	w.proxy.Inject(malicious.Fault{})
	second.Inject(malicious.Fault{})
	if c.first.Name == "fork" { // a longer fork than a reorganization may replace
		require.ErrorContains(t, refresh(s), "rescan_blockchain")
		do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
	}
	require.NoError(t, refresh(s))
	_, err = pay(s, node.UnspendableAddress())
	require.NoError(t, err)
	require.Len(t, w.emptyPool(t), 1)
}
