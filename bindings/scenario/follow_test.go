package scenario

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/block"
	"glim/core/chain"
	"glim/core/codec/epee"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/xmr"
)

// newChain returns a chain of ours with the rules of newMonerod, at its genesis block.
func newChain(t *testing.T) *chain.Chain {
	t.Helper()
	c, err := chain.New(chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Random: rand.Reader, Now: func() uint64 {
			return uint64(time.Now().Unix())
		},
	})
	require.NoError(t, err)
	return c
}

// fetchTxs returns complete transactions of the daemon.
func fetchTxs(t *testing.T, d *peers.Daemon, ids []xmr.Hash) [][]byte {
	t.Helper()
	if len(ids) == 0 {
		return nil
	}
	var answer daemonrpc.GetTransactionsResponse
	require.NoError(t, d.Path(deadline(t), "/get_transactions", object{"txs_hashes": ids}, &answer))
	require.Len(t, answer.Txs, len(ids))
	var blobs [][]byte
	for _, e := range answer.Txs {
		blobs = append(blobs, unhex(t, e.AsHex))
	}
	return blobs
}

// fetchBlock returns a block of the daemon's main chain with its transactions.
func fetchBlock(t *testing.T, d *peers.Daemon, height uint64) (blob []byte, txs [][]byte) {
	t.Helper()
	b := call[daemonrpc.GetBlockResponse](t, d, "get_block", object{"height": height})
	return unhex(t, b.Blob), fetchTxs(t, d, b.TxHashes)
}

// feed adds the daemon's blocks from index from on to ours.
func feed(t *testing.T, d *peers.Daemon, c *chain.Chain, from uint64) {
	t.Helper()
	height, _ := chainTop(t, d)
	for h := from; h < height; h++ {
		blob, txs := fetchBlock(t, d, h)
		_, err := c.AddBlock(blob, txs...)
		require.NoError(t, err, h)
	}
}

// sameChain compares every block from index from on, and totals of the chain.
func sameChain(t *testing.T, d *peers.Daemon, c *chain.Chain, from uint64) {
	t.Helper()
	height, top := chainTop(t, d)
	c.View(func(v chain.View) {
		require.Equal(t, height, v.Height())
		require.Equal(t, top, v.Top().ID.String())
		headers := call[daemonrpc.GetBlockHeadersRangeResponse](t, d, "get_block_headers_range",
			object{"start_height": from, "end_height": height - 1}).Headers
		for _, h := range headers {
			b := v.Block(h.Height)
			require.Equal(t, h.Hash, b.ID.String())
			require.Equal(t, h.MinerTxHash, b.CoinbaseID.String())
			require.Equal(t, h.BlockWeight, b.Weight, h.Height)
			require.Equal(t, h.LongTermWeight, b.LongTerm, h.Height)
			require.Equal(t, h.Reward, b.Reward())
			require.Equal(t, h.WideDifficulty, b.Difficulty.String())
			require.Equal(t, h.WideCumulativeDifficulty, b.Cumulative.String())
			require.EqualValues(t, h.NumTxes, len(b.Txs))
		}
		sum := call[daemonrpc.GetCoinbaseTxSumResponse](t, d, "get_coinbase_tx_sum",
			object{"height": 0, "count": height})
		require.Equal(t, sum.EmissionAmount, v.Top().Coins)
		info := call[daemonrpc.GetInfoResponse](t, d, "get_info", nil)
		require.Equal(t, info.BlockWeightLimit, v.Limits().Limit)
		require.Equal(t, info.BlockWeightMedian, v.Limits().Median)
		require.Equal(t, info.WideDifficulty, v.NextDifficulty().String())
		require.Equal(t, info.TxCount, v.TxCount()-v.Height())
		for _, grace := range []uint64{0, 1, 10, 60, 99} {
			levels, err := v.Fees(grace)
			require.NoError(t, err)
			estimate := call[daemonrpc.GetFeeEstimateResponse](t, d, "get_fee_estimate", object{"grace_blocks": grace})
			require.Equal(t, estimate.Fees, levels, grace)
		}
	})
}

// sameOutputs compares the global output indices of transactions, and the outputs with all RingCT indices.
func sameOutputs(t *testing.T, d *peers.Daemon, c *chain.Chain) {
	t.Helper()
	binary := func(path string, req, resp any) {
		t.Helper()
		body, err := epee.Marshal(req)
		require.NoError(t, err)
		answer, err := d.Binary(deadline(t), path, body)
		require.NoError(t, err)
		require.NoError(t, epee.Unmarshal(answer, resp))
	}
	c.View(func(v chain.View) {
		for h := range v.Height() {
			b := v.Block(h)
			for i, x := range b.Txs {
				var got daemonrpc.GetOutputIndicesResponse
				binary("/get_o_indexes.bin", &daemonrpc.GetOutputIndicesRequest{TxID: x.ID}, &got)
				require.Equal(t, got.OIndexes, b.Indices[i+1])
			}
		}
		req := daemonrpc.GetOutsBinRequest{GetTxID: true}
		for i := range v.Outputs(0) {
			req.Outputs = append(req.Outputs, daemonrpc.OutputRef{Index: uint64(i)})
		}
		var got daemonrpc.GetOutsBinResponse
		binary("/get_outs.bin", &req, &got)
		require.Len(t, got.Outs, len(v.Outputs(0)))
		for i, o := range v.Outputs(0) {
			require.Equal(t, got.Outs[i], daemonrpc.OutKeyBin{
				Key: o.Key, Mask: xmr.PublicKey(o.Commitment), Unlocked: v.Unlocked(o.Unlock), Height: o.Height,
				TxID: o.TxID,
			}, i)
		}
	})
}

// template returns a block template to be changed.
func template(t *testing.T, c *chain.Chain) *block.Block {
	t.Helper()
	to, err := address.Parse(at(t, nobody, 0, 0))
	require.NoError(t, err)
	made, err := c.NewTemplate(to, nil, nil)
	require.NoError(t, err)
	return made.Block
}

// submit submits a block to the daemon and reports whether it became the top of the chain.
func submit(t *testing.T, d *peers.Daemon, b *block.Block) bool {
	t.Helper()
	err := d.JSON(deadline(t), "submit_block", []string{hex.EncodeToString(b.Append(nil))}, nil)
	var refused *peers.Error
	if err != nil {
		require.ErrorAs(t, err, &refused)
		return false
	}
	id, err := b.Hash()
	require.NoError(t, err)
	_, top := chainTop(t, d)
	return top == id.String()
}

// TestHeavyBlocks submits blocks of all weights, with padded coinbases, to both: medians, penalties and long-term
// weights are equal, and both refuse a reward that is one unit too large or too small. Heavier blocks do not fit into a
// request to the reference.
func TestHeavyBlocks(t *testing.T) {
	t.Parallel()
	d := newMonerod(t)
	c := newChain(t)
	weights := []uint64{100, 299_999, 300_000, 300_001, 450_000, 515_000, 250_000}
	for range 30 {
		weights = append(weights, 380_000)
	}
	weights = append(weights, 400_000, 500_000, 100)
	for i, weight := range weights {
		b := template(t, c)
		var limits consensus.Limits
		var coins uint64
		c.View(func(v chain.View) { limits, coins = v.Limits(), v.Top().Coins })
		pad(t, b, weight, limits, coins)
		if i%10 == 5 || i > len(weights)-4 {
			for _, amount := range []uint64{b.MinerTx.Outputs[0].Amount + 1, b.MinerTx.Outputs[0].Amount - 1} {
				other := *b
				other.MinerTx.Outputs = slices.Clone(b.MinerTx.Outputs)
				other.MinerTx.Outputs[0].Amount = amount
				require.False(t, submit(t, d, &other))
				_, err := c.AddBlock(other.Append(nil))
				require.ErrorIs(t, err, consensus.ErrReward)
			}
		}
		require.True(t, submit(t, d, b), weight)
		added, err := c.AddBlock(b.Append(nil))
		require.NoError(t, err)
		require.True(t, added.Main)
		for _, grace := range []uint64{0, 10, 99}[:1+i%6/5*2] {
			fees := call[daemonrpc.GetFeeEstimateResponse](t, d, "get_fee_estimate", object{"grace_blocks": grace}).Fees
			c.View(func(v chain.View) {
				levels, err := v.Fees(grace)
				require.NoError(t, err)
				require.Equal(t, fees, levels, "%d, %d", i, grace)
			})
		}
	}
	sameChain(t, d, c, 0)
	var limits consensus.Limits
	c.View(func(v chain.View) { limits = v.Limits() })
	require.EqualValues(t, 380_000, limits.Median)
}

// pad pads a block without transactions to a weight, and sets the reward for that weight.
func pad(t *testing.T, b *block.Block, weight uint64, limits consensus.Limits, coins uint64) {
	t.Helper()
	reward, err := consensus.Reward(limits.Median, weight, coins)
	require.NoError(t, err)
	b.MinerTx.Outputs[0].Amount = reward
	b.MinerTx.Extra = bytes.Clone(b.MinerTx.Extra[:33])
	for b.MinerTx.Weight() < weight {
		b.MinerTx.Extra = append(b.MinerTx.Extra, make([]byte, max(int(weight-b.MinerTx.Weight())-2, 1))...)
	}
	for b.MinerTx.Weight() > weight {
		b.MinerTx.Extra = b.MinerTx.Extra[:len(b.MinerTx.Extra)-1]
	}
	require.Equal(t, weight, b.MinerTx.Weight())
}

// TestProofOfWorkIsVerified mines with a real difficulty: both accept the blocks of the other, refuse blocks without
// enough work, and compute the same hashes.
func TestProofOfWorkIsVerified(t *testing.T) {
	t.Parallel()
	const difficulty = 3
	d := peers.NewDaemon(t, peers.Options{FixedDifficulty: difficulty})
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: difficulty, PoW: consensus.NewPoW(1), Random: rand.Reader,
		Now: func() uint64 { return uint64(time.Now().Unix()) },
	}})
	require.NoError(t, err)
	ours := answering{n.Registry()}
	mine(t, d, 2, at(t, nobody, 0, 0))
	feed(t, d, n.Chain(), 1)
	do(t, ours, "generateblocks", object{"amount_of_blocks": 2, "wallet_address": at(t, nobody, 0, 0)})
	for _, h := range []uint64{3, 4} {
		b := call[daemonrpc.GetBlockResponse](t, ours, "get_block", object{"height": h})
		do(t, d, "submit_block", []string{b.Blob})
	}
	sameChain(t, d, n.Chain(), 0)
	ask := object{"height": 4, "fill_pow_hash": true}
	want := call[daemonrpc.BlockHeaderResponse](t, d, "get_block_header_by_height", ask).BlockHeader
	require.Equal(t, want, call[daemonrpc.BlockHeaderResponse](t, ours, "get_block_header_by_height", ask).BlockHeader)

	// Consecutive nonces: both agree which are valid.
	b := template(t, n.Chain())
	taken, refused := 0, 0
	for ; taken == 0 || refused == 0; b.Nonce++ {
		good := submit(t, d, b)
		_, err := n.Chain().AddBlock(b.Append(nil))
		if good {
			require.NoError(t, err)
			taken++
			b = template(t, n.Chain())
		} else {
			require.ErrorIs(t, err, consensus.ErrWork)
			refused++
		}
	}
	sameChain(t, d, n.Chain(), 0)
	blob := hex.EncodeToString(bytes.Repeat([]byte{7}, 76))
	for _, major := range []int{12, 16} {
		params := object{"major_version": major, "height": 2, "block_blob": blob, "seed_hash": want.Hash}
		var theirs string
		until(t, func() bool { // the connection may have been closed while we hashed
			err := d.JSON(deadline(t), "calc_pow", params, &theirs)
			require.True(t, err == nil || errors.Is(err, io.EOF), "%v", err)
			return err == nil
		})
		require.Equal(t, theirs, call[string](t, ours, "calc_pow", params), major)
	}
}
