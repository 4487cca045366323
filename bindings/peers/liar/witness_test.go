package liar_test

import (
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/liar"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/service"
	"glim/core/walletrpc"
)

// warnings keeps what is worth a warning.
type warnings struct {
	service.Silence
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

// TestSecondDaemon: with a second daemon a wallet pays only on a chain that both know, and no more than twice what the second asks; what
// one daemon alone could make it believe is told. A second daemon that is away or talks nonsense is in nobody's way.
func TestSecondDaemon(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := liar.New(w.truth)
	server := httptest.NewServer(second)
	t.Cleanup(server.Close)
	fork := newChain(t)
	mine(t, fork, 200, w.address)
	withheld := liar.Both("blocks withheld", bendInfo("", func(r *info) { r.Height, r.TargetHeight = w.read, 0 }), bendBlocks("", func(r *blocks) {
		r.CurrentHeight, r.Blocks, r.OutputIndices = w.read, r.Blocks[:1], r.OutputIndices[:1]
	}))
	cheap := bendFees("cheaper by far", func(r *fees) {
		for i := range r.Fees {
			r.Fees[i] /= 10
		}
	})
	const back = "the daemon may keep blocks back, and payments in them"
	const none = "no second daemon to compare with"
	w.mine(10, node.Nobody())
	for _, c := range []struct {
		name              string
		first, second     liar.Lie
		refresh, transfer string
		warns             []string // first by refresh, then by transfer
	}{
		{name: "both tell the truth"},
		{name: "the first keeps blocks back", first: withheld, transfer: "disagree: one gave",
			warns: []string{back}},
		{name: "the first has a chain of its own", first: liar.Elsewhere("fork", fork.Registry()), refresh: "they have different blocks", transfer: "they have different blocks"},
		{name: "the first is dearer by far", second: cheap, transfer: "atomic units a byte"},
		{name: "the second is dearer by far", first: cheap, transfer: "fee"},
		{name: "the second is behind", second: bendInfo("behind", func(r *info) { r.Height = 20 })},
		{name: "the second has another chain", second: liar.Elsewhere("fork", fork.Registry()), refresh: "they have different blocks", transfer: "they have different blocks",
			warns: []string{back, back}},
		{name: "the second is another network's", second: bendInfo("mainnet", func(r *info) { r.NetType = "mainnet" }), warns: []string{none, none}},
		{name: "the second talks nonsense", second: liar.Bytes("nonsense", "", func([]byte) []byte { return []byte("?") }), warns: []string{none, none, none}},
		{name: "the second hangs up", second: liar.HangUp("hangs up", ""), warns: []string{none, none, none}},
		{name: "the second has no fees", second: liar.Bytes("no fees", daemonrpc.GetFeeEstimate.Name, func([]byte) []byte { return []byte("{}") }), warns: []string{none}},
		{name: "the first shows a payment nobody made, with confirmations", first: bendBlocks("payment", func(r *blocks) {
			if i := withTxs(r); i >= 0 {
				_, r.Blocks[i].Txs[0].Blob = w.fake(richer)
			}
		}), refresh: "shown before, is another", transfer: "shown before, is another"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := &warnings{}
			s, _ := w.victim(t, func(config *setup) {
				config.Witness, config.Log = service.DaemonConfig{Address: server.URL}, log
				config.Compact.Every = 1
			})
			w.liar.Tell(c.first)
			second.Tell(c.second)
			as(t, c.refresh, refresh(s), "refresh")
			_, err := pay(s, node.Nobody())
			as(t, c.transfer, err, "transfer")
			require.Equal(t, c.warns, log.take())
			require.NotZero(t, second.Asked("get_info"))
			pool := w.emptyPool(t)
			require.Equal(t, err == nil, len(pool) == 1)

			w.liar.Tell(liar.Lie{})
			second.Tell(liar.Lie{})
			if c.first.Name == "fork" { // longer than what a reorganisation may drop
				require.ErrorContains(t, refresh(s), "rescan_blockchain")
				do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
			}
			require.NoError(t, refresh(s))
			_, err = pay(s, node.Nobody())
			require.NoError(t, err)
			require.Len(t, w.emptyPool(t), 1)
		})
	}
	s, _ := w.victim(t, func(config *setup) {
		config.Witness = service.DaemonConfig{Address: server.URL}
	})
	_, err := pay(s, node.Nobody())
	require.NoError(t, err, "a wallet that is merely behind reads on")
	require.Equal(t, w.read+15, do(t, s, walletrpc.GetHeight, walletrpc.Empty{}).Height)
}
