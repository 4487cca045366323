package malicious_test

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/malicious"
	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// Short names of the responses that the tests forge.
type (
	blocks       = daemonrpc.GetBlocksResponse
	outs         = daemonrpc.GetOutsBinResponse
	distribution = daemonrpc.GetOutputDistributionBinResponse
	fees         = daemonrpc.GetFeeEstimateResponse
	info         = daemonrpc.GetInfoResponse
	submission   = daemonrpc.SendRawTransactionResponse
)

// forgedCase is a forged response and the expected behaviour of the wallet that receives it.
type forgedCase struct {
	fault malicious.Fault
	// refresh and transfer are parts of the errors of these calls; empty for success.
	refresh, transfer string
	shown             bool // the wallet shows false data, as core/SECURITY.md describes; no money is lost
	rescan            bool // the wallet has to rescan the chain afterwards
	set               func(*setup)
	also              func(t *testing.T, s *service.Service) // more checks, after the forged refresh
}

func bendBlocks(name string, change func(r *blocks)) malicious.Fault {
	return malicious.Modify(name, daemonrpc.GetBlocks, func(q daemonrpc.GetBlocksRequest, r *blocks) {
		if q.RequestedInfo != daemonrpc.PoolOnly {
			change(r)
		}
	})
}

func bendPool(name string, change func(r *blocks)) malicious.Fault {
	return malicious.Modify(name, daemonrpc.GetBlocks, func(q daemonrpc.GetBlocksRequest, r *blocks) {
		if q.RequestedInfo == daemonrpc.PoolOnly {
			change(r)
		}
	})
}

func bendFees(name string, change func(r *fees)) malicious.Fault {
	return malicious.Modify(
		name, daemonrpc.GetFeeEstimate, func(_ daemonrpc.GetFeeEstimateRequest, r *fees) { change(r) },
	)
}

func bendInfo(name string, change func(r *info)) malicious.Fault {
	return malicious.Modify(name, daemonrpc.GetInfo, func(_ daemonrpc.PayerOnly, r *info) { change(r) })
}

func bendDistribution(name string, change func(d []uint64) []uint64) malicious.Fault {
	return malicious.Modify(name, daemonrpc.GetOutputDistributionBin, func(
		_ daemonrpc.GetOutputDistributionRequest, r *distribution,
	) {
		d := &r.Distributions[0]
		counts, err := d.Numbers()
		if err != nil {
			panic(err)
		}
		*d = daemonrpc.NewDistributionBin(d.Amount, d.StartHeight, d.Base, change(slices.Clone(counts)), d.Compress)
	})
}

// bendDecoys changes outputs of others in responses of get_outs; bendReal changes the wallet's own outputs.
func (w *world) bendDecoys(name string, change func(i int, o *daemonrpc.OutKeyBin)) malicious.Fault {
	return w.bendOuts(name, false, change)
}

func (w *world) bendReal(name string, change func(i int, o *daemonrpc.OutKeyBin)) malicious.Fault {
	return w.bendOuts(name, true, change)
}

func (w *world) bendOuts(name string, own bool, change func(i int, o *daemonrpc.OutKeyBin)) malicious.Fault {
	return malicious.Modify(name, daemonrpc.GetOutsBin, func(_ daemonrpc.GetOutsBinRequest, r *outs) {
		for i := range r.Outs {
			if w.own[r.Outs[i].Key] == own {
				change(i, &r.Outs[i])
			}
		}
	})
}

// torsioned adds the point of order 2, (0, −1), which takes the key out of the prime-order subgroup.
func torsioned(key xmr.PublicKey) xmr.PublicKey {
	two := [32]byte{0xec, 31: 0x7f}
	for i := 1; i < 31; i++ {
		two[i] = 0xff
	}
	t, err := edwards.DecodePoint(two)
	if err != nil {
		panic(err)
	}
	p, err := edwards.DecodePoint(key)
	if err != nil {
		panic(err)
	}
	return p.Add(p, t).Encode()
}

func invented(i int) xmr.PublicKey {
	return edwards.HashToPoint([32]byte{byte(i), byte(i >> 8), 0xaa}).Encode()
}

// withTxs returns the index of the first block with transactions besides the miner transaction, or -1.
func withTxs(r *blocks) int {
	return slices.IndexFunc(r.Blocks, func(b daemonrpc.BlockEntry) bool { return len(b.Txs) > 0 })
}

// forgedTx returns a transaction that is on no chain, with two outputs, one of which pays the wallet.
func (w *world) forgedTx(pays uint64) (id xmr.Hash, pruned []byte) {
	x, _ := chaintest.New("fake", xmr.Regtest).Tx(chaintest.Spec{Fee: 1_000_000_000, Pay: []chaintest.Payment{
		{To: w.keys, Amount: pays}, {Amount: pays}}}, nil)
	return x.ID, x.Tx.AppendPruned(nil)
}

// noConnection is part of the wallet's error for a daemon that gave no usable response.
const noConnection = "no connection to daemon"

const forgedAmount = 1000 * xmr.Coin

// forgeries returns all cases of TestForgedAnswers.
func (w *world) forgeries(t *testing.T) []forgedCase {
	return slices.Concat(
		feeForgeries(), w.ringForgeries(), distributionForgeries(), blockForgeries(), w.chainForgeries(t),
		w.poolForgeries(), w.heightForgeries(), submissionFailures(), malformedResponses(),
	)
}

// feeForgeries returns cases with forged fee estimates.
func feeForgeries() []forgedCase {
	return []forgedCase{
		{fault: bendFees("fees a hundredfold", func(r *fees) {
			for i := range r.Fees {
				r.Fees[i] *= 100
			}
		}), transfer: "rules never ask more than"},
		{
			fault:    bendFees("excessive lowest fee", func(r *fees) { r.Fees = []uint64{math.MaxUint64} }),
			transfer: "four increasing fee levels",
		},
		{
			fault:    bendFees("a fee that marks the sender", func(r *fees) { r.Fees[0] = 1_111_111 }),
			transfer: "more than two significant digits",
		},
		{
			fault: bendFees(
				"a rounding step that marks the sender", func(r *fees) { r.QuantizationMask = 1_000_000 },
			),
			transfer: "rounding step is not the network's",
		},
		{fault: bendFees("fee of zero", func(r *fees) { r.Fees[0] = 0 }), transfer: "a fee of nothing"},
		{fault: bendFees("fees too low to be relayed", func(r *fees) { r.Fees[0] /= 100 }), transfer: "fee"},
	}
}

// ringForgeries returns cases with forged ring members.
func (w *world) ringForgeries() []forgedCase {
	return []forgedCase{
		{
			fault: w.bendDecoys(
				"torsioned decoys", func(_ int, o *daemonrpc.OutKeyBin) { o.Key = torsioned(o.Key) },
			),
			transfer: "not enough outputs to use",
		},
		{
			fault: w.bendDecoys(
				"torsioned commitments", func(_ int, o *daemonrpc.OutKeyBin) { o.Mask = torsioned(o.Mask) },
			),
			transfer: "not enough outputs to use",
		},
		{
			fault: w.bendDecoys(
				"decoys that are not points", func(_ int, o *daemonrpc.OutKeyBin) { o.Key = xmr.PublicKey{2} },
			),
			transfer: "not enough outputs to use",
		},
		{
			fault: w.bendDecoys(
				"decoys at the identity", func(_ int, o *daemonrpc.OutKeyBin) { o.Key = xmr.PublicKey{1} },
			),
			transfer: "not enough outputs to use",
		},
		{
			fault:    w.bendDecoys("locked decoys", func(_ int, o *daemonrpc.OutKeyBin) { o.Unlocked = false }),
			transfer: "not enough outputs to use",
		},
		{
			fault:    w.bendDecoys("repeated decoy", func(_ int, o *daemonrpc.OutKeyBin) { o.Key = invented(1) }),
			transfer: "not enough outputs to use",
		},
		{
			fault: w.bendDecoys(
				"invented decoys", func(i int, o *daemonrpc.OutKeyBin) { o.Key = invented(i) },
			),
			transfer: "rejected", rescan: true,
		},
		{
			fault: w.bendReal(
				"the real output has another key", func(i int, o *daemonrpc.OutKeyBin) { o.Key = invented(i) },
			),
			transfer: "differs from the wallet's own output", rescan: true,
		},
		{
			fault: w.bendReal(
				"the real output has another amount", func(i int, o *daemonrpc.OutKeyBin) { o.Mask = invented(i) },
			),
			transfer: "differs from the wallet's own output", rescan: true,
		},
		{
			fault: w.bendReal(
				"the real output is locked", func(_ int, o *daemonrpc.OutKeyBin) { o.Unlocked = false },
			),
			transfer: "locked",
		},
		{
			fault: malicious.Modify(
				"outputs in another order", daemonrpc.GetOutsBin,
				func(_ daemonrpc.GetOutsBinRequest, r *outs) { slices.Reverse(r.Outs) },
			),
			transfer: "differs from the wallet's own output", rescan: true,
		},
		{
			fault: malicious.Modify(
				"one output missing", daemonrpc.GetOutsBin,
				func(_ daemonrpc.GetOutsBinRequest, r *outs) { r.Outs = r.Outs[1:] },
			),
			transfer: "invalid response",
		},
	}
}

// distributionForgeries returns cases with a forged distribution of outputs.
func distributionForgeries() []forgedCase {
	return []forgedCase{
		{
			fault: bendDistribution(
				"a falling distribution", func(d []uint64) []uint64 { d[len(d)/2] = 0; return d },
			),
			transfer: "invalid response",
		},
		{
			fault:    bendDistribution("a short distribution", func(d []uint64) []uint64 { return d[:len(d)-1] }),
			transfer: "invalid response",
		},
		{fault: bendDistribution("all outputs at the start", func(d []uint64) []uint64 {
			for i := range d {
				d[i] = d[len(d)-1]
			}
			return d
		}), transfer: "moves one of the wallet's outputs to another block"},
		{fault: bendDistribution("all outputs in the last block", func(d []uint64) []uint64 {
			clear(d[:len(d)-1])
			return d
		}), transfer: "moves one of the wallet's outputs to another block"},
		{
			fault:    bendDistribution("no outputs", func(d []uint64) []uint64 { clear(d); return d }),
			transfer: "invalid response",
		},
		{
			fault: bendDistribution(
				"outputs that do not exist",
				func(d []uint64) []uint64 { d[len(d)-12] += 1_000_000; d[len(d)-1] += 1_000_000; return d },
			),
			transfer: "invalid response",
		},
	}
}

// blockForgeries returns cases with blocks that are changed, missing or out of place.
func blockForgeries() []forgedCase {
	return []forgedCase{
		{fault: bendBlocks("a block of another chain", func(r *blocks) {
			b := slices.Clone(r.Blocks[1].Block)
			b[5] ^= 1 // its time
			r.Blocks[1].Block = b
		}), refresh: "invalid response"},
		{fault: bendBlocks("a transaction left out", func(r *blocks) {
			if i := withTxs(r); i >= 0 {
				r.Blocks[i].Txs = nil
			}
		}), refresh: "invalid response"},
		{fault: bendBlocks("a block left out", func(r *blocks) {
			r.Blocks, r.OutputIndices = slices.Delete(r.Blocks, 1, 2), slices.Delete(r.OutputIndices, 1, 2)
		}), refresh: "invalid response"},
		{
			fault: bendBlocks(
				"global indices out of range", func(r *blocks) { r.OutputIndices[1].Indices[0].Indices[0] = 1 << 60 },
			),
			refresh: "invalid response",
		},
		{fault: bendBlocks("global indices of other outputs", func(r *blocks) {
			for i := range r.OutputIndices {
				for k := range r.OutputIndices[i].Indices {
					for n := range r.OutputIndices[i].Indices[k].Indices {
						r.OutputIndices[i].Indices[k].Indices[n] += 3
					}
				}
			}
		}), transfer: "has fewer outputs up to block", rescan: true},
	}
}

// chainForgeries returns cases with a chain that is withheld, different or contains a forged payment.
func (w *world) chainForgeries(t *testing.T) []forgedCase {
	fork := newChain(t)
	mine(t, fork, 100, w.address)
	notShown := func(t *testing.T, s *service.Service) { require.LessOrEqual(t, balance(t, s), w.before) }
	return []forgedCase{
		{fault: bendBlocks("repeated blocks", func(r *blocks) {
			r.CurrentHeight += 10
			r.Blocks, r.OutputIndices = r.Blocks[:1], r.OutputIndices[:1]
		}), also: notShown},
		{fault: bendBlocks("blocks that do not connect", func(r *blocks) {
			r.Blocks, r.OutputIndices = r.Blocks[1:], r.OutputIndices[1:]
			r.StartHeight++
		}), refresh: "invalid response"},
		{
			fault: malicious.Combine("blocks withheld", bendInfo(
				"", func(r *info) { r.Height, r.TargetHeight = w.read, 0 },
			), bendBlocks("", func(r *blocks) {
				r.CurrentHeight, r.Blocks, r.OutputIndices = w.read, r.Blocks[:1], r.OutputIndices[:1]
				r.TopBlockHash = xmr.Hash{} // as releases 0.18
			})),
			shown: true, also: notShown,
		},
		{
			fault: malicious.Fork("a different chain", fork.Registry()), shown: true, transfer: "rejected",
			also: func(t *testing.T, s *service.Service) {
				require.NotEqual(t, w.balance, balance(t, s))
			},
		},
		{fault: bendBlocks("forged confirmed payment", func(r *blocks) {
			if i := withTxs(r); i >= 0 {
				_, r.Blocks[i].Txs[0].Blob = w.forgedTx(forgedAmount)
			}
		}), refresh: "invalid response", also: notShown},
	}
}

// poolForgeries returns cases with forged pool contents.
func (w *world) poolForgeries() []forgedCase {
	unlocked := func(t *testing.T, s *service.Service) {
		require.Equal(t, w.unlocked, do(t, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).UnlockedBalance)
	}
	return []forgedCase{
		{fault: bendPool("forged pool payment", func(r *blocks) {
			id, pruned := w.forgedTx(forgedAmount)
			r.PoolInfoExtent, r.DaemonTime = daemonrpc.PoolInfoFull, 7
			r.AddedPoolTxs = []daemonrpc.PoolTxInfo{{TxHash: id, TxBlob: pruned}}
		}), shown: true, also: func(t *testing.T, s *service.Service) {
			unlocked(t, s)
			require.Len(t, do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pool: true}).Pool, 1)
		}},
		{fault: bendPool("forged double-spend mark", func(r *blocks) {
			id, pruned := w.forgedTx(forgedAmount)
			r.PoolInfoExtent, r.DaemonTime = daemonrpc.PoolInfoFull, 7
			r.AddedPoolTxs = []daemonrpc.PoolTxInfo{{TxHash: id, TxBlob: pruned, DoubleSpendSeen: true}}
		}), shown: true, also: unlocked},
		{fault: bendPool("malformed pool transaction", func(r *blocks) {
			r.PoolInfoExtent = daemonrpc.PoolInfoFull
			r.AddedPoolTxs = []daemonrpc.PoolTxInfo{{TxHash: xmr.Hash{1}, TxBlob: []byte{1, 2, 3}}}
		}), refresh: "invalid response"},
	}
}

// heightForgeries returns cases with a forged height or network.
func (w *world) heightForgeries() []forgedCase {
	complete := func(t *testing.T, s *service.Service) { require.Equal(t, w.balance, balance(t, s)) }
	return []forgedCase{
		{fault: bendInfo("height out of range", func(r *info) { r.Height = 1 << 40 }), refresh: "invalid response"},
		{fault: bendInfo("height a thousand blocks too large", func(r *info) { r.Height += 1000 }), also: complete},
		{
			fault: bendBlocks("chain height of blocks too large", func(r *blocks) { r.CurrentHeight += 1000 }),
			also:  complete,
		},
		{fault: bendInfo("height too small", func(r *info) { r.Height, r.TargetHeight = 20, 20 }), also: complete},
		{
			fault:   bendInfo("another network", func(r *info) { r.NetType = "mainnet" }),
			refresh: "the daemon is on mainnet",
		},
	}
}

// submissionFailures returns cases in which the daemon fails to relay transactions.
func submissionFailures() []forgedCase {
	return []forgedCase{
		{
			fault: malicious.Modify("submission rejected", daemonrpc.SendRawTransaction, func(
				_ daemonrpc.SendRawTransactionRequest, r *submission,
			) {
				r.Status, r.Reason, r.InvalidInput = "Failed", "bad ring", true
			}),
			transfer: "rejected",
		},
		{fault: malicious.HangUp("connection closed after submission", "send_raw_transaction"), transfer: noConnection},
	}
}

// malformedResponses returns cases without a well-formed response.
func malformedResponses() []forgedCase {
	hurried := func(operation string) func(*setup) { return func(c *setup) { c.hurried = operation } }
	return []forgedCase{
		{
			fault: malicious.ModifyBytes(
				"truncated JSON response", "get_info", func(b []byte) []byte { return b[:len(b)/2] },
			),
			refresh: "invalid response",
		},
		{
			fault: malicious.ModifyBytes(
				"truncated blocks", "get_blocks.bin", func(b []byte) []byte { return b[:len(b)/2] },
			),
			refresh: "invalid response",
		},
		{
			fault:   malicious.ModifyBytes("empty response", "get_blocks.bin", func([]byte) []byte { return nil }),
			refresh: "invalid response",
		},
		{
			fault: malicious.ModifyBytes(
				"HTML response", "", func([]byte) []byte { return []byte("<html>not here</html>") },
			),
			refresh: "invalid response", transfer: "invalid response",
		},
		{
			fault: malicious.ModifyBytes(
				"unclosed brackets", "get_info", func([]byte) []byte { return bytes.Repeat([]byte{'['}, largest/2) },
			),
			refresh: "invalid response",
		},
		{fault: malicious.ModifyBytes("list length out of range", "get_blocks.bin", func(b []byte) []byte {
			return append(
				b[:9:9], 4, 6, 'b', 'l', 'o', 'c', 'k', 's', 0x8c, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
			)
		}), refresh: "invalid response"},
		{
			fault: malicious.ModifyBytes(
				"oversized response", "get_blocks.bin",
				func(b []byte) []byte { return append(b, make([]byte, largest)...) },
			),
			refresh: noConnection,
		},
		{fault: malicious.ModifyBytes("number instead of a string", "get_info", func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"fakechain"`), []byte(`7`), 1)
		}), refresh: "invalid response"},
		{fault: malicious.NotFound("operation not found", "get_outs.bin"), transfer: noConnection},
		{fault: malicious.Stall("get_info stalls", "get_info"), refresh: noConnection, set: hurried("get_info")},
		{
			fault: malicious.Stall("get_outs stalls", "get_outs.bin"), transfer: noConnection,
			set: hurried("get_outs.bin"),
		},
		{fault: malicious.ModifyBytes("permanently busy", "get_blocks.bin", func(b []byte) []byte {
			return bytes.Replace(b, []byte("\x06status\x0a\x08OK"), []byte("\x06status\x0a\x10BUSY"), 1)
		}), refresh: "busy"},
	}
}

// TestForgedAnswers sends every forged response to a wallet that scans the chain and pays. The wallet refuses responses
// that are provably false, with an error that states the remedy. It shows false data that it cannot detect, without any
// loss: with an honest daemon the wallet recovers completely.
func TestForgedAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	names := map[string]bool{}
	for _, c := range w.forgeries(t) {
		require.False(t, names[c.fault.Name], "two cases are named %q", c.fault.Name)
		names[c.fault.Name] = true
		t.Run(c.fault.Name, func(t *testing.T) { w.checkForged(t, c) })
	}
}

// requireError requires an error that contains a text and is not an internal one; success if the text is empty.
func requireError(t *testing.T, contains string, err error, when string) {
	t.Helper()
	if contains == "" {
		require.NoError(t, err, when)
		return
	}
	require.ErrorContains(t, err, contains, when)
	var e *rpc.Error
	require.ErrorAs(t, err, &e, when)
	text, err := json.Marshal(e)
	require.NoError(t, err)
	require.False(t, strings.Contains(e.Message, "panic") || e.Code == rpc.CodeInternal, string(text))
}

func (w *world) checkForged(t *testing.T, c forgedCase) {
	s, dir := w.victim(t, c.set)
	w.proxy.Inject(c.fault)
	requireError(t, c.refresh, refresh(s), "refresh")
	if c.also != nil {
		c.also(t, s)
	}
	if !c.shown {
		require.LessOrEqual(t, balance(t, s), max(w.balance, w.before), "a forged response must not raise the balance")
	}
	sent, err := pay(s, node.UnspendableAddress())
	requireError(t, c.transfer, err, "transfer")
	require.NotZero(t, w.proxy.Faults(), "no response was forged")
	pool := w.emptyPool(t)
	if err == nil {
		require.Len(t, pool, 1)
		require.LessOrEqual(t, sent.Fee, w.fee, "a forged response must not raise the fee")
	}
	require.NoError(t, s.Close())

	// The same wallet, with an honest daemon.
	w.proxy.Inject(malicious.Fault{})
	s = w.serve(t, dir, nil)
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	require.NoError(t, refresh(s))
	if c.rescan {
		do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
	}
	want := w.balance
	if err == nil {
		want -= amount + sent.Fee
	}
	require.Equal(t, want, balance(t, s))
	again, err := pay(s, node.UnspendableAddress())
	require.NoError(t, err)
	require.LessOrEqual(t, again.Fee, w.fee)
	require.Len(t, w.emptyPool(t), 1)
}
