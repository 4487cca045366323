package gateway

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/address"
	"glim/core/codec/epee"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/internal/compact"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// heard is a connection to a gateway that records requests for compact blocks.
type heard struct {
	rpc.Transport
	mu        sync.Mutex
	questions []daemonrpc.GetCompactBlocksRequest
}

func (h *heard) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if path == "/"+compactPath {
		var q daemonrpc.GetCompactBlocksRequest
		if err := epee.Unmarshal(body, &q); err != nil {
			return nil, err
		}
		h.mu.Lock()
		h.questions = append(h.questions, q)
		h.mu.Unlock()
	}
	return h.Transport.Post(ctx, path, body)
}

func (h *heard) all() []daemonrpc.GetCompactBlocksRequest {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.questions
	h.questions = nil
	return list
}

// restored returns a wallet that is restored from a height, in a separate engine.
func restored(t *testing.T, w *world, k *keys.Keys, to rpc.Transport, from uint64) engine.Wallet {
	t.Helper()
	deep := uint64(1000) // more than the test reorganises
	e, err := engine.New(service.Config{
		MaxReorgDepth: &deep,
		Network:       xmr.Regtest,
		Files:         native.WalletDir(t.TempDir()),
		KDF:           journal.WeakestKDF(),
		Random:        rand.Reader,
		Now:           w.config.Now,
		Workers:       1,
		Wait:          native.Wait,
		Lookahead:     wallet.Lookahead{Major: 1, Minor: 2},
		Connect:       func(service.DaemonConfig) (rpc.Transport, error) { return to, nil },
	}, service.DaemonConfig{Address: "in.process:1"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.Close() })
	v := e.Wallet("w")
	view := k.ViewSecret()
	spend, _ := k.SpendSecret()
	_, err = rpc.Call(t.Context(), v, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Filename: "w", Address: addressOf(
			k,
		), SpendKey: fmt.Sprintf("%x", spend[:]), ViewKey: fmt.Sprintf("%x", view[:]), RestoreHeight: from})
	require.NoError(t, err)
	return v
}

func keysOf(n byte) (*keys.Keys, error) { return keys.FromSeed([32]byte{n, 7}) }

func addressOf(k *keys.Keys) string {
	return address.Address{
		Network: xmr.Mainnet, Kind: address.Standard, Spend: k.SpendPublic, View: k.ViewPublic,
	}.String()
}

func snapshot(t *testing.T, v engine.Wallet) string {
	t.Helper()
	_, err := rpc.Call(t.Context(), v, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.NoError(t, err)
	h, err := rpc.Call(t.Context(), v, walletrpc.GetHeight, walletrpc.Empty{})
	require.NoError(t, err)
	in, err := rpc.Call(
		t.Context(), v, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"},
	)
	require.NoError(t, err)
	return fmt.Sprint(h.Height, in)
}

// TestWalletsAskAlike: wallets request old blocks in complete segments, in identical requests that contain none of
// their block IDs. They find all their outputs, also after reorganisations near the top and deeper than Config.Depth.
func TestWalletsAskAlike(t *testing.T) {
	w := newWorld(t)
	k, err := keysOf(7)
	require.NoError(t, err)
	mine := func(n int, to string) {
		_, err := w.peers[0].Mine(t.Context(), n, to)
		require.NoError(t, err)
	}
	mine(180, node.UnspendableAddress())
	mine(15, addressOf(k))
	mine(230, node.UnspendableAddress())
	mine(3, addressOf(k))
	w.spread(t)

	direct := restored(t, w, k, w.peers[0].Registry(), 0)
	way := &heard{Transport: w.Gateway}
	var wallets []engine.Wallet
	first := map[string]int{}
	starts := []uint64{0, 101, 142, 180, 199}
	for i := range 20 {
		v := restored(t, w, k, way, starts[i%len(starts)])
		wallets = append(wallets, v)
		if at := starts[i%len(starts)]; at <= 180 {
			require.Equal(t, snapshot(t, direct), snapshot(t, v))
		} else {
			snapshot(t, v)
		}
		for n, q := range way.all() {
			if q.StartHeight == 0 {
				require.Equal(t, []xmr.Hash{xmr.Regtest.GenesisHash()}, q.BlockIDs, "whose chain begins")
			} else {
				require.Empty(t, q.BlockIDs)
				require.Zero(t, q.StartHeight%(compact.Segment/10))
			}
			if n == 0 {
				b, err := epee.Marshal(&q)
				require.NoError(t, err)
				first[string(b)]++
			}
		}
	}
	require.Len(t, first, 2, "from 0 and from 100 on")
	require.LessOrEqual(
		t, w.peers[0].questions("get_blocks.bin"), 7, "as many as there are segments, the end, the pool",
	)

	// For a new block, every wallet sends one request, and all of these are identical.
	mine(1, addressOf(k))
	w.spread(t)
	w.wait(tipSeconds)
	for _, v := range wallets[:4] {
		snapshot(t, v)
		require.Equal(t, []daemonrpc.GetCompactBlocksRequest{{Version: compact.Version, StartHeight: 429}}, way.all())
	}
	require.Equal(t, 2, w.peers[0].questions("get_blocks.bin"), "the block, and the pool")
	snapshot(t, wallets[0])
	require.Empty(t, way.all(), "nothing is new")
	before := snapshot(t, direct)
	for _, blocks := range []int{3, 60, 240} {
		_, err := w.peers[0].Reorganise(t.Context(), blocks, node.UnspendableAddress())
		require.NoError(t, err)
		w.spread(t)
		w.later()
		after := snapshot(t, direct)
		require.NotEqual(t, before, after)
		before = after
		for _, v := range wallets[:4] {
			require.Equal(t, after, snapshot(t, v), "%d blocks", blocks)
		}
	}
}

// TestCompactCrossing makes compact blocks of a chain that crosses the next hard fork, in segments and near the top. A
// client that reads only version 1 is refused what contains a block of the fork.
func TestCompactCrossing(t *testing.T) {
	w := newWorldWith(t, consensus.RegtestForks(150, 160))
	_, err := w.peers[0].Mine(t.Context(), 250, node.UnspendableAddress())
	require.NoError(t, err)
	w.spread(t)
	ask := func(to rpc.Transport, version uint8, start uint64) daemonrpc.GetCompactBlocksResponse {
		t.Helper()
		r, err := rpc.Call(t.Context(), to, daemonrpc.GetCompactBlocks,
			daemonrpc.GetCompactBlocksRequest{Version: version, StartHeight: start, MaxBlockCount: 100})
		require.NoError(t, err)
		return r
	}
	for _, start := range []uint64{100, 120, 200, 245} {
		want, got := ask(w.peers[0].Registry(), compact.Version, start), ask(w.Gateway, compact.Version, start)
		require.NotEmpty(t, got.Blocks)
		require.Equal(t, want.Blocks[:len(got.Blocks)], got.Blocks)
	}
	require.Len(t, ask(w.Gateway, compact.MinVersion, 20).Blocks, 80)
	require.Equal(t, compact.TooOld, ask(w.Gateway, compact.MinVersion, 120).Status)
	require.Equal(t, compact.TooOld, ask(w.Gateway, compact.MinVersion, 200).Status)
}
