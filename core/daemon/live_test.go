//go:build !js && !wasip1

package daemon_test

import (
	"context"
	"encoding/hex"
	"flag"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/daemon"
	"glim/core/xmr"
)

var record = flag.Bool("record", false, "write the answers of the real daemon to testdata")

type httpTransport struct {
	peers.Client
	last []byte
}

func (h *httpTransport) Post(ctx context.Context, path string, body []byte) (answer []byte, err error) {
	answer, err = h.Binary(ctx, path, body)
	h.last = slices.Clone(answer)
	return answer, err
}

// sent is what transfer returns: a transaction of the real wallet.
type sent struct {
	TxHash xmr.Hash `json:"tx_hash"`
	TxBlob string   `json:"tx_blob"`
}

// realDaemon is a client of a real daemon with 94 blocks and transactions of a real wallet.
type realDaemon struct {
	*daemon.Client
	wire          *httpTransport
	first, second sent // mined in blocks 91 and 92
	pooled        sent // in the pool
	send          func(relay bool) sent

	// set by checkInfo and checkBlocks
	info    daemon.Info
	version daemon.Version
	whole   daemon.Blocks
}

var regtestGenesis = []xmr.Hash{xmr.Regtest.GenesisHash()}

// TestRealDaemon calls every method of the client with a real daemon.
func TestRealDaemon(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	c := newRealDaemon(t, ctx)
	c.checkInfo(t, ctx)
	c.checkBlocks(t, ctx)
	c.checkRanges(t, ctx)
	c.checkTransactions(t, ctx)
	c.checkSend(t, ctx)
}

func newRealDaemon(t *testing.T, ctx context.Context) *realDaemon {
	t.Helper()
	d := peers.NewDaemon(t, peers.Options{})
	w := peers.NewWalletRPC(t, d, peers.Options{})
	wire := &httpTransport{Client: d.Client}
	c := &realDaemon{Client: daemon.New(wire), wire: wire}

	require.NoError(t, w.JSON(ctx, "create_wallet", map[string]any{"filename": "w", "language": "English"}, nil))
	var self struct {
		Address string `json:"address"`
	}
	require.NoError(t, w.JSON(ctx, "get_address", map[string]any{"account_index": 0}, &self))
	require.NoError(t, d.Mine(ctx, 90, self.Address))
	c.send = func(relay bool) (s sent) {
		require.NoError(t, w.JSON(ctx, "refresh", nil, nil))
		require.NoError(t, w.JSON(ctx, "transfer", map[string]any{"get_tx_hex": true, "do_not_relay": !relay,
			"destinations": []any{map[string]any{"amount": uint64(xmr.Coin), "address": self.Address}}}, &s))
		return s
	}
	c.first = c.send(true)
	require.NoError(t, d.Mine(ctx, 1, self.Address))
	c.second = c.send(true)
	require.NoError(t, d.Mine(ctx, 2, self.Address)) // 94 blocks
	c.pooled = c.send(true)
	return c
}

func (c *realDaemon) checkInfo(t *testing.T, ctx context.Context) {
	t.Helper()
	var err error
	c.info, err = c.Info(ctx)
	require.NoError(t, err)
	require.Equal(t, xmr.Regtest, c.info.Network)
	require.EqualValues(t, 94, c.info.Height)
	header, err := c.BlockHeader(ctx, 93)
	require.NoError(t, err)
	require.Equal(t, c.info.Top, header.Hash)
	fork, err := c.HardFork(ctx, 0)
	require.NoError(t, err)
	require.EqualValues(t, 16, fork.Version)
	c.version, err = c.Version(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 3, c.version.Major)
	fees, mask, err := c.FeeEstimate(ctx)
	require.NoError(t, err)
	require.Len(t, fees, 4)
	require.EqualValues(t, 10000, mask)
}

func (c *realDaemon) checkBlocks(t *testing.T, ctx context.Context) {
	t.Helper()
	pruned, err := c.Blocks(ctx, daemon.BlocksRequest{History: regtestGenesis, Pool: daemon.WithPool})
	require.NoError(t, err)
	require.Len(t, pruned.Blocks, 94)
	require.Equal(t, c.info.Top, pruned.Blocks[93].Hash)
	require.Equal(t, c.version.PoolInfo(), pruned.Pool.Known)
	c.whole, err = c.Blocks(ctx, daemon.BlocksRequest{History: regtestGenesis, Whole: true})
	require.NoError(t, err)
	for i, b := range c.whole.Blocks {
		require.Equal(t, b.Hash, pruned.Blocks[i].Hash)
		require.Equal(t, b.MinerTx, pruned.Blocks[i].MinerTx)
		require.Len(t, pruned.Blocks[i].Txs, len(b.Txs))
		for k, x := range b.Txs {
			p := &pruned.Blocks[i].Txs[k]
			require.True(t, x.Proven)
			require.False(t, p.Proven)
			require.Equal(t, x.ID, p.ID)
			require.Equal(t, x.OutputIndices, p.OutputIndices)
			require.NoError(
				t, c.Prove(ctx, []daemon.ShownTx{{ID: p.ID, Tx: p.Transaction}, {ID: p.ID, Tx: p.Transaction}}),
			)
			indices, err := c.OutputIndices(ctx, x.ID)
			require.NoError(t, err)
			require.Equal(t, indices, x.OutputIndices)
			outs, err := c.Outputs(ctx, indices)
			require.NoError(t, err)
			for n, o := range outs {
				require.Equal(t, x.Outputs[n].Key, o.Key)
				require.EqualValues(t, x.RingCT.Commitments[n], o.Commitment)
				require.Equal(t, x.ID, o.TxID)
				require.Equal(t, b.Height, o.Height)
			}
		}
	}
	require.Equal(t, c.first.TxHash, c.whole.Blocks[91].Txs[0].ID)
	require.Equal(t, c.second.TxHash, c.whole.Blocks[92].Txs[0].ID)
}

func (c *realDaemon) checkRanges(t *testing.T, ctx context.Context) {
	t.Helper()
	for _, q := range []daemon.BlocksRequest{{Start: 88}, {Start: 88, Whole: true}} {
		b, err := c.Blocks(ctx, q)
		require.NoError(t, err)
		require.Len(t, b.Blocks, 6)
		if *record {
			name := "testdata/blocks-pruned.bin"
			if q.Whole {
				name = "testdata/blocks-whole.bin"
			}
			require.NoError(t, os.WriteFile(name, c.wire.last, 0o644))
		}
	}
	none, err := c.Blocks(ctx, daemon.BlocksRequest{History: append([]xmr.Hash{c.info.Top}, regtestGenesis...)})
	require.NoError(t, err)
	require.Empty(t, none.Blocks)
	require.EqualValues(t, 94, none.Current)
	next, err := c.Blocks(ctx, daemon.BlocksRequest{
		History: append([]xmr.Hash{c.whole.Blocks[92].Hash}, regtestGenesis...),
	})
	require.NoError(t, err)
	require.EqualValues(t, 92, next.Start)
	require.Len(t, next.Blocks, 2)
	_, err = c.Blocks(ctx, daemon.BlocksRequest{Start: 5000})
	require.ErrorIs(t, err, daemon.ErrRefused)

	hashes, err := c.Hashes(ctx, regtestGenesis)
	require.NoError(t, err)
	require.Len(t, hashes.IDs, 94)
	require.Equal(t, c.info.Top, hashes.IDs[93])

	start, cumulative, err := c.Distribution(ctx, 0, 0)
	require.NoError(t, err)
	require.Len(t, cumulative, 94-int(start))
	from, part, err := c.Distribution(ctx, 50, 60)
	require.NoError(t, err)
	require.EqualValues(t, 50, from)
	require.Equal(t, cumulative[50-start:61-start], part)
}

func (c *realDaemon) checkTransactions(t *testing.T, ctx context.Context) {
	t.Helper()
	unknown := xmr.Hash{5}
	coinbase := c.whole.Blocks[0].MinerTx.ID
	for _, extent := range []daemon.Extent{daemon.Pruned, daemon.Whole} {
		found, missing, err := c.Transactions(
			ctx, []xmr.Hash{unknown, c.pooled.TxHash, c.first.TxHash, coinbase, c.first.TxHash}, extent,
		)
		require.NoError(t, err)
		require.Equal(t, []xmr.Hash{unknown}, missing)
		require.Len(t, found, 3)
		for _, f := range found {
			require.True(t, f.Proven, f.ID)
		}
		require.True(t, found[0].InPool)
		require.EqualValues(t, 91, found[1].Height)
		require.EqualValues(t, 3, found[1].Confirmations)
		require.Equal(t, extent == daemon.Pruned, found[1].IsPruned())
		require.Zero(t, found[2].Height)
	}
	ids, added, err := c.Pool(ctx, nil)
	require.NoError(t, err)
	require.Equal(t, []xmr.Hash{c.pooled.TxHash}, ids)
	require.True(t, added[0].Proven)
	_, added, err = c.Pool(ctx, func(xmr.Hash) bool { return true })
	require.NoError(t, err)
	require.Empty(t, added)
	spent, err := c.KeyImagesSpent(ctx, []xmr.KeyImage{
		c.whole.Blocks[91].Txs[0].Inputs[0].KeyImage, {7}, found(t, c.Client, c.pooled.TxHash).Inputs[0].KeyImage})
	require.NoError(t, err)
	require.Equal(t, []daemon.SpentStatus{daemon.SpentInChain, daemon.Unspent, daemon.SpentInPool}, spent)
}

func (c *realDaemon) checkSend(t *testing.T, ctx context.Context) {
	t.Helper()
	// The daemon accepts a new transaction. It rejects one that spends the inputs of a mined transaction.
	blob, err := hex.DecodeString(c.send(false).TxBlob)
	require.NoError(t, err)
	require.NoError(t, c.Send(ctx, blob))
	rival := *c.whole.Blocks[91].Txs[0].Transaction
	rival.Extra = slices.Clone(rival.Extra)
	rival.Extra[1] ^= 1
	err = c.Send(ctx, rival.Append(nil))
	var rejected *daemon.Rejected
	require.ErrorAs(t, err, &rejected)
	require.True(t, rejected.Has(daemon.DoubleSpend), err)
	require.ErrorIs(t, c.Send(ctx, []byte{0}), daemon.ErrRejected)
}

func found(t *testing.T, c *daemon.Client, id xmr.Hash) daemon.TxInfo {
	t.Helper()
	f, _, err := c.Transactions(t.Context(), []xmr.Hash{id}, daemon.Pruned)
	require.NoError(t, err)
	require.Len(t, f, 1)
	return f[0]
}
