package daemon_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/fee"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// entry returns a recorded transaction in the form in which get_transactions returns it.
func entry(t *testing.T) (xmr.Hash, *tx.Transaction, daemonrpc.TxEntry) {
	t.Helper()
	r := answer(t, "blocks-whole.bin")
	x, id, err := tx.ParseWithHash(r.Blocks[3].Txs[0].Blob)
	require.NoError(t, err)
	height := uint64(91)
	return id, x, daemonrpc.TxEntry{TxHash: id.String(), PrunedAsHex: hex.EncodeToString(x.AppendPruned(nil)),
		PrunableHash: x.PrunableHash().String(), BlockHeight: &height, OutputIndices: []uint64{5, 6}}
}

func TestInvalidTransactions(t *testing.T) {
	id, x, good := entry(t)
	absurd := uint64(1 << 40)
	pool, none := true, []uint64(nil)
	for name, c := range map[string]struct {
		invalid bool
		change  func(*daemonrpc.GetTransactionsResponse)
	}{
		"valid": {false, func(*daemonrpc.GetTransactionsResponse) {}},
		"valid, ID in capitals": {
			false,
			func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].TxHash = strings.ToUpper(r.Txs[0].TxHash) },
		},
		"valid, whole": {false, func(r *daemonrpc.GetTransactionsResponse) {
			r.Txs[0].PrunedAsHex, r.Txs[0].PrunableHash, r.Txs[0].AsHex = "", "", hex.EncodeToString(x.Append(nil))
		}},
		"valid, split": {false, func(r *daemonrpc.GetTransactionsResponse) {
			r.Txs[0].PrunableAsHex = hex.EncodeToString(x.AppendPrunable(nil))
		}},
		"valid, in pool": {false, func(r *daemonrpc.GetTransactionsResponse) {
			r.Txs[0].InPool, r.Txs[0].Relayed, r.Txs[0].BlockHeight, r.Txs[0].OutputIndices = true, &pool, nil, none
		}},
		"another ID": {
			true,
			func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].TxHash = xmr.Hash{9}.String() },
		},
		"twice":             {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs = append(r.Txs, r.Txs[0]) }},
		"found and missing": {true, func(r *daemonrpc.GetTransactionsResponse) { r.MissedTx = []xmr.Hash{id} }},
		"empty":             {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs = nil }},
		"another ID missing": {
			true,
			func(r *daemonrpc.GetTransactionsResponse) { r.Txs, r.MissedTx = nil, []xmr.Hash{{9}} },
		},
		"zero prunable hash": {
			true,
			func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunableHash = xmr.Hash{}.String() },
		},
		"other prunable hash": {
			true,
			func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunableHash = xmr.Hash{9}.String() },
		},
		"no prunable hash":       {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunableHash = "" }},
		"not hexadecimal":        {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunedAsHex += "x" }},
		"trailing bytes":         {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunedAsHex += "00" }},
		"neither block nor pool": {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].BlockHeight = nil }},
		"height out of range":    {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].BlockHeight = &absurd }},
		"too few indices":        {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].OutputIndices = none }},
		"proofs of another tx":   {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunableAsHex = "00" }},
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(
				daemonrpc.GetTransactions,
				func(daemonrpc.GetTransactionsRequest) daemonrpc.GetTransactionsResponse {
					r := daemonrpc.GetTransactionsResponse{Metered: ok(), Txs: []daemonrpc.TxEntry{good}}
					c.change(&r)
					return r
				},
			)
			found, missing, err := client.Transactions(t.Context(), []xmr.Hash{id, id}, daemon.Pruned)
			if c.invalid {
				require.ErrorIs(t, err, daemon.ErrInvalidResponse)
				return
			}
			require.NoError(t, err)
			require.Empty(t, missing)
			require.True(t, found[0].Proven)
		})
	}
}

// A transaction that the daemon later omits or returns with other contents is not proven.
func TestProve(t *testing.T) {
	id, _, good := entry(t)
	shown, err := blocksWith(t, daemon.BlocksRequest{Start: firstHeight}, func(*daemonrpc.GetBlocksResponse) {})
	require.NoError(t, err)
	claim := shown.Blocks[3].Txs[0]
	require.Equal(t, id, claim.ID)
	c := serve(daemonrpc.GetTransactions, func(daemonrpc.GetTransactionsRequest) daemonrpc.GetTransactionsResponse {
		return daemonrpc.GetTransactionsResponse{Metered: ok(), Txs: []daemonrpc.TxEntry{good}}
	})
	as := func(x *tx.Transaction) []daemon.ShownTx { return []daemon.ShownTx{{ID: id, Tx: x}} }
	require.NoError(t, c.Prove(t.Context(), as(claim.Transaction)))

	for name, change := range map[string]func(*tx.Transaction){
		"an output":      func(x *tx.Transaction) { x.Outputs[0].Key[0] ^= 1 },
		"a view tag":     func(x *tx.Transaction) { x.Outputs[1].ViewTag ^= 1 },
		"a spend":        func(x *tx.Transaction) { x.Inputs[0].KeyImage[31] ^= 1 },
		"an amount":      func(x *tx.Transaction) { x.RingCT.Ecdh[0].Amount[0] ^= 1 },
		"a commitment":   func(x *tx.Transaction) { x.RingCT.Commitments[0][0] ^= 1 },
		"a fee":          func(x *tx.Transaction) { x.RingCT.Fee++ },
		"a key":          func(x *tx.Transaction) { x.Extra[3] ^= 1 },
		"a lock":         func(x *tx.Transaction) { x.UnlockTime++ },
		"an output less": func(x *tx.Transaction) { x.Outputs = x.Outputs[1:] },
	} {
		other, err := tx.ParsePruned(claim.AppendPruned(nil))
		require.NoError(t, err)
		require.NoError(t, c.Prove(t.Context(), as(other)), name)
		change(other)
		require.ErrorIs(t, c.Prove(t.Context(), as(other)), daemon.ErrInvalidResponse, name)
	}

	gone := serve(daemonrpc.GetTransactions, func(daemonrpc.GetTransactionsRequest) daemonrpc.GetTransactionsResponse {
		return daemonrpc.GetTransactionsResponse{Metered: ok(), MissedTx: []xmr.Hash{id}}
	})
	require.ErrorIs(t, gone.Prove(t.Context(), as(claim.Transaction)), daemon.ErrInvalidResponse)
	require.NoError(t, gone.Prove(t.Context(), nil), "no transactions to prove")
}

func TestInvalidOutputs(t *testing.T) {
	_, x, _ := entry(t)
	key, mask := x.Outputs[0].Key, xmr.PublicKey(x.RingCT.Commitments[0])
	overlong := slices.Repeat([]byte{0xff}, 32) // y ≥ p
	overlong[0], overlong[31] = 0xee, 0x7f
	for name, c := range map[string]struct {
		invalid bool
		change  func(*daemonrpc.GetOutsBinResponse)
	}{
		"valid": {false, func(*daemonrpc.GetOutsBinResponse) {}},
		"fewer": {true, func(r *daemonrpc.GetOutsBinResponse) { r.Outs = r.Outs[1:] }},
		"more":  {true, func(r *daemonrpc.GetOutsBinResponse) { r.Outs = append(r.Outs, r.Outs[0]) }},
		// Keys of miner rewards are not checked.
		"key not a point": {false, func(r *daemonrpc.GetOutsBinResponse) { r.Outs[0].Key = xmr.PublicKey{2} }},
		"mask not canonical": {
			true,
			func(r *daemonrpc.GetOutsBinResponse) { r.Outs[1].Mask = xmr.PublicKey(overlong) },
		},
		"mask not a point":    {true, func(r *daemonrpc.GetOutsBinResponse) { r.Outs[0].Mask = xmr.PublicKey{2} }},
		"height out of range": {true, func(r *daemonrpc.GetOutsBinResponse) { r.Outs[0].Height = 1 << 40 }},
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(daemonrpc.GetOutsBin, func(q daemonrpc.GetOutsBinRequest) daemonrpc.GetOutsBinResponse {
				r := daemonrpc.GetOutsBinResponse{Metered: ok()}
				for range q.Outputs {
					r.Outs = append(r.Outs, daemonrpc.OutKeyBin{Key: key, Mask: mask, Unlocked: true, Height: 7})
				}
				c.change(&r)
				return r
			})
			outs, err := client.Outputs(t.Context(), []uint64{4, 9})
			if c.invalid {
				require.ErrorIs(t, err, daemon.ErrInvalidResponse)
				return
			}
			require.NoError(t, err)
			require.Equal(
				t, daemon.RingMember{Index: 9, Key: key, Commitment: mask, Unlocked: true, Height: 7}, outs[1],
			)
		})
	}
	indices := serve(
		daemonrpc.GetOutputIndices,
		func(daemonrpc.GetOutputIndicesRequest) daemonrpc.GetOutputIndicesResponse {
			return daemonrpc.GetOutputIndicesResponse{Metered: ok(), OIndexes: []uint64{1 << 60}}
		},
	)
	_, err := indices.OutputIndices(t.Context(), xmr.Hash{})
	require.ErrorIs(t, err, daemon.ErrInvalidResponse)
}

func TestInvalidDistribution(t *testing.T) {
	for name, c := range map[string]struct {
		invalid bool
		d       []daemonrpc.DistributionBin
	}{
		"valid": {
			false,
			[]daemonrpc.DistributionBin{{StartHeight: 10, Base: 4, Distribution: []uint64{4, 5, 5, 9}}},
		},
		"valid, from later": {false, []daemonrpc.DistributionBin{{StartHeight: 12, Distribution: []uint64{1, 2}}}},
		"valid, packed": {
			false,
			[]daemonrpc.DistributionBin{{
				StartHeight: 12, Compress: true, CompressedData: daemonrpc.CompressNumbers([]uint64{1, 2}),
			}},
		},
		"falling": {true, []daemonrpc.DistributionBin{{StartHeight: 10, Distribution: []uint64{4, 5, 4, 9}}}},
		"below base": {
			true,
			[]daemonrpc.DistributionBin{{StartHeight: 10, Base: 5, Distribution: []uint64{4, 5, 5, 9}}},
		},
		"too short":   {true, []daemonrpc.DistributionBin{{StartHeight: 10, Distribution: []uint64{4, 5, 5}}}},
		"too long":    {true, []daemonrpc.DistributionBin{{StartHeight: 10, Distribution: []uint64{4, 5, 5, 6, 7}}}},
		"from before": {true, []daemonrpc.DistributionBin{{StartHeight: 9, Distribution: []uint64{4, 5, 5, 6, 7}}}},
		"from after":  {true, []daemonrpc.DistributionBin{{StartHeight: 14}}},
		"another amount": {
			true,
			[]daemonrpc.DistributionBin{{Amount: 1, StartHeight: 10, Distribution: []uint64{4, 5, 5, 9}}},
		},
		"two":  {true, []daemonrpc.DistributionBin{{}, {}}},
		"none": {true, nil},
		"value out of range": {
			true,
			[]daemonrpc.DistributionBin{{StartHeight: 12, Distribution: []uint64{1, 1 << 60}}},
		},
		"truncated": {
			true,
			[]daemonrpc.DistributionBin{{StartHeight: 12, Compress: true, CompressedData: []byte{1, 0x80}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := rpc.NewRegistry()
			handle(
				r, daemonrpc.GetOutputDistributionBin,
				func(daemonrpc.GetOutputDistributionRequest) daemonrpc.GetOutputDistributionBinResponse {
					return daemonrpc.GetOutputDistributionBinResponse{Metered: ok(), Distributions: c.d}
				},
			)
			handle(r, daemonrpc.GetHeight, func(daemonrpc.None) daemonrpc.GetHeightResponse {
				return daemonrpc.GetHeightResponse{Common: ok().Common, Height: 14}
			})
			for _, to := range []uint64{13, 0} {
				_, _, err := daemon.New(r).Distribution(t.Context(), 10, to)
				if c.invalid {
					require.ErrorIs(t, err, daemon.ErrInvalidResponse)
				} else {
					require.NoError(t, err)
				}
			}
		})
	}
}

func TestInvalidSmallAnswers(t *testing.T) {
	ctx := t.Context()
	requireInvalid := func(err error) { t.Helper(); require.ErrorIs(t, err, daemon.ErrInvalidResponse) }

	good := daemonrpc.GetInfoResponse{Metered: ok(), Height: 5, NetType: "stagenet", TopBlockHash: xmr.Hash{1}.String()}
	info := func(change func(*daemonrpc.GetInfoResponse)) error {
		_, err := serve(daemonrpc.GetInfo, func(daemonrpc.PayerOnly) daemonrpc.GetInfoResponse {
			r := good
			change(&r)
			return r
		}).Info(ctx)
		return err
	}
	require.NoError(t, info(func(*daemonrpc.GetInfoResponse) {}))
	requireInvalid(info(func(r *daemonrpc.GetInfoResponse) { r.Height = 0 }))
	requireInvalid(info(func(r *daemonrpc.GetInfoResponse) { r.TargetHeight = 1 << 60 }))
	requireInvalid(info(func(r *daemonrpc.GetInfoResponse) { r.NetType = "moon" }))
	requireInvalid(info(func(r *daemonrpc.GetInfoResponse) { r.TopBlockHash = "12" }))

	hashes := func(start, current uint64, ids ...xmr.Hash) error {
		_, err := serve(daemonrpc.GetHashes, func(daemonrpc.GetHashesRequest) daemonrpc.GetHashesResponse {
			return daemonrpc.GetHashesResponse{Metered: ok(), StartHeight: start, CurrentHeight: current, BlockIDs: ids}
		}).Hashes(ctx, []xmr.Hash{{8}, {9}})
		return err
	}
	require.NoError(t, hashes(3, 5, xmr.Hash{9}, xmr.Hash{10}))
	requireInvalid(hashes(3, 5))
	requireInvalid(hashes(3, 5, xmr.Hash{7}))
	requireInvalid(hashes(3, 4, xmr.Hash{9}, xmr.Hash{10}))
	requireInvalid(hashes(1<<64-1, 5, xmr.Hash{9}))
	requireInvalid(hashes(0, 1<<20, slices.Repeat([]xmr.Hash{{9}}, 25001)...))

	fee := func(mask uint64, fees ...uint64) error {
		_, _, err := serve(
			daemonrpc.GetFeeEstimate,
			func(daemonrpc.GetFeeEstimateRequest) daemonrpc.GetFeeEstimateResponse {
				return daemonrpc.GetFeeEstimateResponse{Metered: ok(), Fee: 3, Fees: fees, QuantizationMask: mask}
			},
		).FeeEstimate(ctx)
		return err
	}
	require.NoError(t, fee(1))
	requireInvalid(fee(0, 1))
	requireInvalid(fee(1, 1, 0))
	requireInvalid(fee(1, slices.Repeat([]uint64{1}, 17)...))

	spent := func(statuses ...int32) error {
		_, err := serve(
			daemonrpc.IsKeyImageSpent,
			func(daemonrpc.IsKeyImageSpentRequest) daemonrpc.IsKeyImageSpentResponse {
				return daemonrpc.IsKeyImageSpentResponse{Metered: ok(), SpentStatus: statuses}
			},
		).KeyImagesSpent(ctx, []xmr.KeyImage{{1}, {2}})
		return err
	}
	require.NoError(t, spent(0, 2))
	requireInvalid(spent(0))
	requireInvalid(spent(0, 1, 2))
	requireInvalid(spent(0, 3))
	requireInvalid(spent(0, -1))

	_, err := serve(
		daemonrpc.GetBlockHeaderByHeight,
		func(daemonrpc.GetBlockHeaderByHeightRequest) daemonrpc.BlockHeaderResponse {
			return daemonrpc.BlockHeaderResponse{Metered: ok(), BlockHeader: daemonrpc.BlockHeader{Height: 6}}
		},
	).BlockHeader(ctx, 5)
	requireInvalid(err)
	_, err = serve(daemonrpc.HardForkInfo, func(daemonrpc.HardForkInfoRequest) daemonrpc.HardForkInfoResponse {
		return daemonrpc.HardForkInfoResponse{Metered: ok(), Version: 16}
	}).HardFork(ctx, 15)
	requireInvalid(err)
}

func TestInvalidDemand(t *testing.T) {
	for _, n := range []int{0, fee.RecentBlocks - 1, fee.RecentBlocks, fee.RecentBlocks + 1} {
		r := rpc.NewRegistry()
		handle(r, daemonrpc.GetInfo, func(daemonrpc.PayerOnly) daemonrpc.GetInfoResponse {
			return daemonrpc.GetInfoResponse{
				Metered: ok(), Height: 5000, NetType: "mainnet", TopBlockHash: xmr.Hash{1}.String(),
			}
		})
		handle(r, daemonrpc.GetTxPoolBacklog, func(daemonrpc.PayerOnly) daemonrpc.GetTxPoolBacklogResponse {
			return daemonrpc.GetTxPoolBacklogResponse{
				Metered: ok(), Backlog: daemonrpc.PackBacklog([]daemonrpc.BacklogEntry{{Weight: 255, Fee: 9}}),
			}
		})
		handle(
			r, daemonrpc.GetBlockHeadersRange,
			func(daemonrpc.GetBlockHeadersRangeRequest) daemonrpc.GetBlockHeadersRangeResponse {
				return daemonrpc.GetBlockHeadersRangeResponse{Metered: ok(), Headers: make([]daemonrpc.BlockHeader, n)}
			},
		)
		d, err := daemon.New(r).Demand(t.Context())
		if n != fee.RecentBlocks {
			require.ErrorIs(t, err, daemon.ErrInvalidResponse)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []fee.PoolEntry{{Weight: 255, Fee: 9}}, d.Pool)
	}
}
