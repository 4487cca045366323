package liar_test

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/liar"
	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// Names of answers that lies change.
type (
	blocks  = daemonrpc.GetBlocksResponse
	outs    = daemonrpc.GetOutsBinResponse
	spread  = daemonrpc.GetOutputDistributionBinResponse
	fees    = daemonrpc.GetFeeEstimateResponse
	info    = daemonrpc.GetInfoResponse
	sending = daemonrpc.SendRawTransactionResponse
)

// told is a lie, and what is wanted of a wallet that is told it.
type told struct {
	lie liar.Lie
	// refresh and transfer are what the errors of these say; empty for success.
	refresh, transfer string
	believed          bool // the wallet shows what is not so, as core/SECURITY.md says; nothing is lost by it
	rescan            bool // the wallet has to read the chain again afterwards
	set               func(*setup)
	also              func(t *testing.T, s *service.Service) // looks at the wallet that was told
}

func bendBlocks(name string, change func(r *blocks)) liar.Lie {
	return liar.Bend(name, daemonrpc.GetBlocks, func(q daemonrpc.GetBlocksRequest, r *blocks) {
		if q.RequestedInfo != daemonrpc.PoolOnly {
			change(r)
		}
	})
}

func bendPool(name string, change func(r *blocks)) liar.Lie {
	return liar.Bend(name, daemonrpc.GetBlocks, func(q daemonrpc.GetBlocksRequest, r *blocks) {
		if q.RequestedInfo == daemonrpc.PoolOnly {
			change(r)
		}
	})
}

func bendFees(name string, change func(r *fees)) liar.Lie {
	return liar.Bend(name, daemonrpc.GetFeeEstimate, func(_ daemonrpc.GetFeeEstimateRequest, r *fees) { change(r) })
}

func bendInfo(name string, change func(r *info)) liar.Lie {
	return liar.Bend(name, daemonrpc.GetInfo, func(_ daemonrpc.PayerOnly, r *info) { change(r) })
}

func bendSpread(name string, change func(d []uint64) []uint64) liar.Lie {
	return liar.Bend(name, daemonrpc.GetOutputDistributionBin, func(_ daemonrpc.GetOutputDistributionRequest, r *spread) {
		d := &r.Distributions[0]
		counts, err := d.Numbers()
		if err != nil {
			panic(err)
		}
		*d = daemonrpc.NewDistributionBin(d.Amount, d.StartHeight, d.Base, change(slices.Clone(counts)), d.Compress)
	})
}

// bendDecoys changes what is said of outputs that are not the wallet's own; bendReal those that are.
func (w *world) bendDecoys(name string, change func(i int, o *daemonrpc.OutKeyBin)) liar.Lie {
	return w.bendOuts(name, false, change)
}

func (w *world) bendReal(name string, change func(i int, o *daemonrpc.OutKeyBin)) liar.Lie {
	return w.bendOuts(name, true, change)
}

func (w *world) bendOuts(name string, own bool, change func(i int, o *daemonrpc.OutKeyBin)) liar.Lie {
	return liar.Bend(name, daemonrpc.GetOutsBin, func(_ daemonrpc.GetOutsBinRequest, r *outs) {
		for i := range r.Outs {
			if w.own[r.Outs[i].Key] == own {
				change(i, &r.Outs[i])
			}
		}
	})
}

// torsioned adds the point of order 2, (0, −1), which no key that a wallet makes has a part of.
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

// withTxs returns the index of the first block that has transactions of its own, or -1.
func withTxs(r *blocks) int {
	return slices.IndexFunc(r.Blocks, func(b daemonrpc.BlockEntry) bool { return len(b.Txs) > 0 })
}

// fake returns a transaction that nobody made, of two outputs, one of which pays the wallet.
func (w *world) fake(pays uint64) (id xmr.Hash, pruned []byte) {
	made, _ := chaintest.New("fake", xmr.Regtest).Tx(chaintest.Spec{Fee: 1_000_000_000, Pay: []chaintest.Payment{
		{To: w.keys, Amount: pays}, {Amount: pays}}}, nil)
	return made.ID, made.Tx.AppendPruned(nil)
}

// away is what a wallet says of a daemon that gave no answer it could take.
const away = "no connection to daemon"

const richer = 1000 * xmr.Coin

func (w *world) lies(t *testing.T) []told {
	fork := newChain(t)
	mine(t, fork, 100, w.address)
	notShown := func(t *testing.T, s *service.Service) { require.LessOrEqual(t, balance(t, s), w.before) }
	asTrue := func(t *testing.T, s *service.Service) { require.Equal(t, w.balance, balance(t, s)) }
	unlocked := func(t *testing.T, s *service.Service) {
		require.Equal(t, w.unlocked, do(t, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).UnlockedBalance)
	}
	hurried := func(operation string) func(*setup) { return func(c *setup) { c.hurried = operation } }
	return []told{
		// Fees.
		{lie: bendFees("fees a hundredfold", func(r *fees) {
			for i := range r.Fees {
				r.Fees[i] *= 100
			}
		}), transfer: "rules never ask more than"},
		{lie: bendFees("the lowest fee beyond reason", func(r *fees) { r.Fees = []uint64{math.MaxUint64} }), transfer: "four rising fee levels"},
		{lie: bendFees("a fee that marks the sender", func(r *fees) { r.Fees[0] = 1_111_111 }), transfer: "more than two significant digits"},
		{lie: bendFees("a rounding step that marks the sender", func(r *fees) { r.QuantizationMask = 1_000_000 }), transfer: "rounding step is not the network's"},
		{lie: bendFees("no fee at all", func(r *fees) { r.Fees[0] = 0 }), transfer: "a fee of nothing"},
		{lie: bendFees("fees too low to be relayed", func(r *fees) { r.Fees[0] /= 100 }), transfer: "fee"},

		// Rings.
		{lie: w.bendDecoys("torsioned decoys", func(_ int, o *daemonrpc.OutKeyBin) { o.Key = torsioned(o.Key) }), transfer: "not enough outputs to use"},
		{lie: w.bendDecoys("torsioned commitments", func(_ int, o *daemonrpc.OutKeyBin) { o.Mask = torsioned(o.Mask) }), transfer: "not enough outputs to use"},
		{lie: w.bendDecoys("decoys that are no point", func(_ int, o *daemonrpc.OutKeyBin) { o.Key = xmr.PublicKey{2} }), transfer: "not enough outputs to use"},
		{lie: w.bendDecoys("decoys at the identity", func(_ int, o *daemonrpc.OutKeyBin) { o.Key = xmr.PublicKey{1} }), transfer: "not enough outputs to use"},
		{lie: w.bendDecoys("locked decoys", func(_ int, o *daemonrpc.OutKeyBin) { o.Unlocked = false }), transfer: "not enough outputs to use"},
		{lie: w.bendDecoys("one decoy many times", func(_ int, o *daemonrpc.OutKeyBin) { o.Key = invented(1) }), transfer: "not enough outputs to use"},
		{lie: w.bendDecoys("decoys that nobody made", func(i int, o *daemonrpc.OutKeyBin) { o.Key = invented(i) }), transfer: "rejected", rescan: true},
		{lie: w.bendReal("the real output has another key", func(i int, o *daemonrpc.OutKeyBin) { o.Key = invented(i) }), transfer: "differs from the wallet's own output", rescan: true},
		{lie: w.bendReal("the real output has another amount", func(i int, o *daemonrpc.OutKeyBin) { o.Mask = invented(i) }), transfer: "differs from the wallet's own output", rescan: true},
		{lie: w.bendReal("the real output is locked", func(_ int, o *daemonrpc.OutKeyBin) { o.Unlocked = false }), transfer: "locked"},
		{lie: liar.Bend("outputs in another order", daemonrpc.GetOutsBin, func(_ daemonrpc.GetOutsBinRequest, r *outs) { slices.Reverse(r.Outs) }),
			transfer: "differs from the wallet's own output", rescan: true},
		{lie: liar.Bend("an output too few", daemonrpc.GetOutsBin, func(_ daemonrpc.GetOutsBinRequest, r *outs) { r.Outs = r.Outs[1:] }), transfer: "answer is not true"},

		// The distribution of outputs.
		{lie: bendSpread("a falling distribution", func(d []uint64) []uint64 { d[len(d)/2] = 0; return d }), transfer: "answer is not true"},
		{lie: bendSpread("a short distribution", func(d []uint64) []uint64 { return d[:len(d)-1] }), transfer: "answer is not true"},
		{lie: bendSpread("all outputs are old", func(d []uint64) []uint64 {
			for i := range d {
				d[i] = d[len(d)-1]
			}
			return d
		}), transfer: "puts one of the wallet's outputs into another block"},
		{lie: bendSpread("all outputs are young", func(d []uint64) []uint64 {
			clear(d[:len(d)-1])
			return d
		}), transfer: "puts one of the wallet's outputs into another block"},
		{lie: bendSpread("no outputs", func(d []uint64) []uint64 { clear(d); return d }), transfer: "answer is not true"},
		{lie: bendSpread("outputs that do not exist", func(d []uint64) []uint64 { d[len(d)-12] += 1_000_000; d[len(d)-1] += 1_000_000; return d }), transfer: "answer is not true"},

		// Blocks.
		{lie: bendBlocks("a block of another chain", func(r *blocks) {
			b := slices.Clone(r.Blocks[1].Block)
			b[5] ^= 1 // its time
			r.Blocks[1].Block = b
		}), refresh: "answer is not true"},
		{lie: bendBlocks("a transaction left out", func(r *blocks) {
			if i := withTxs(r); i >= 0 {
				r.Blocks[i].Txs = nil
			}
		}), refresh: "answer is not true"},
		{lie: bendBlocks("a block left out", func(r *blocks) {
			r.Blocks, r.OutputIndices = slices.Delete(r.Blocks, 1, 2), slices.Delete(r.OutputIndices, 1, 2)
		}), refresh: "answer is not true"},
		{lie: bendBlocks("absurd indices", func(r *blocks) { r.OutputIndices[1].Indices[0].Indices[0] = 1 << 60 }), refresh: "answer is not true"},
		{lie: bendBlocks("indices of other outputs", func(r *blocks) {
			for i := range r.OutputIndices {
				for k := range r.OutputIndices[i].Indices {
					for n := range r.OutputIndices[i].Indices[k].Indices {
						r.OutputIndices[i].Indices[k].Indices[n] += 3
					}
				}
			}
		}), transfer: "has not as many up to block", rescan: true},
		{lie: bendBlocks("the same blocks again", func(r *blocks) {
			r.CurrentHeight += 10
			r.Blocks, r.OutputIndices = r.Blocks[:1], r.OutputIndices[:1]
		}), also: notShown},
		{lie: bendBlocks("blocks of no chain the wallet knows", func(r *blocks) {
			r.Blocks, r.OutputIndices = r.Blocks[1:], r.OutputIndices[1:]
			r.StartHeight++
		}), refresh: "answer is not true"},
		{lie: liar.Both("blocks withheld", bendInfo("", func(r *info) { r.Height, r.TargetHeight = w.read, 0 }), bendBlocks("", func(r *blocks) {
			r.CurrentHeight, r.Blocks, r.OutputIndices = w.read, r.Blocks[:1], r.OutputIndices[:1]
		})), believed: true, also: notShown},
		{lie: liar.Elsewhere("a chain of its own", fork.Registry()), believed: true, transfer: "rejected", also: func(t *testing.T, s *service.Service) {
			require.NotEqual(t, w.balance, balance(t, s))
		}},
		{lie: bendBlocks("a payment nobody made, with confirmations", func(r *blocks) {
			if i := withTxs(r); i >= 0 {
				_, r.Blocks[i].Txs[0].Blob = w.fake(richer)
			}
		}), refresh: "answer is not true", also: notShown},

		// The pool.
		{lie: bendPool("a payment on its way that nobody sent", func(r *blocks) {
			id, pruned := w.fake(richer)
			r.PoolInfoExtent, r.DaemonTime = daemonrpc.PoolInfoFull, 7
			r.AddedPoolTxs = []daemonrpc.PoolTxInfo{{TxHash: id, TxBlob: pruned}}
		}), believed: true, also: func(t *testing.T, s *service.Service) {
			unlocked(t, s)
			require.Len(t, do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pool: true}).Pool, 1)
		}},
		{lie: bendPool("a false alarm of double spending", func(r *blocks) {
			id, pruned := w.fake(richer)
			r.PoolInfoExtent, r.DaemonTime = daemonrpc.PoolInfoFull, 7
			r.AddedPoolTxs = []daemonrpc.PoolTxInfo{{TxHash: id, TxBlob: pruned, DoubleSpendSeen: true}}
		}), believed: true, also: unlocked},
		{lie: bendPool("a pool of nonsense", func(r *blocks) {
			r.PoolInfoExtent = daemonrpc.PoolInfoFull
			r.AddedPoolTxs = []daemonrpc.PoolTxInfo{{TxHash: xmr.Hash{1}, TxBlob: []byte{1, 2, 3}}}
		}), refresh: "answer is not true"},

		// Heights.
		{lie: bendInfo("an endless chain", func(r *info) { r.Height = 1 << 40 }), refresh: "answer is not true"},
		{lie: bendInfo("a thousand blocks that do not come", func(r *info) { r.Height += 1000 }), also: asTrue},
		{lie: bendBlocks("a longer chain that does not come", func(r *blocks) { r.CurrentHeight += 1000 }), also: asTrue},
		{lie: bendInfo("a shorter chain", func(r *info) { r.Height, r.TargetHeight = 20, 20 }), also: asTrue},
		{lie: bendInfo("another network", func(r *info) { r.NetType = "mainnet" }), refresh: "the daemon is on mainnet"},

		// Taking and not taking transactions.
		{lie: liar.Bend("it refuses what is sent", daemonrpc.SendRawTransaction, func(_ daemonrpc.SendRawTransactionRequest, r *sending) {
			r.Status, r.Reason, r.InvalidInput = "Failed", "bad ring", true
		}), transfer: "rejected"},
		{lie: liar.HangUp("it hangs up when it has what is sent", "send_raw_transaction"), transfer: away},

		// Answers that are none.
		{lie: liar.Bytes("half of an answer", "get_info", func(b []byte) []byte { return b[:len(b)/2] }), refresh: "answer is not true"},
		{lie: liar.Bytes("half of the blocks", "get_blocks.bin", func(b []byte) []byte { return b[:len(b)/2] }), refresh: "answer is not true"},
		{lie: liar.Bytes("nothing", "get_blocks.bin", func([]byte) []byte { return nil }), refresh: "answer is not true"},
		{lie: liar.Bytes("a web page", "", func([]byte) []byte { return []byte("<html>not here</html>") }), refresh: "answer is not true", transfer: "answer is not true"},
		{lie: liar.Bytes("brackets without end", "get_info", func([]byte) []byte { return bytes.Repeat([]byte{'['}, largest/2) }), refresh: "answer is not true"},
		{lie: liar.Bytes("a list of all numbers", "get_blocks.bin", func(b []byte) []byte {
			return append(b[:9:9], 4, 6, 'b', 'l', 'o', 'c', 'k', 's', 0x8c, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
		}), refresh: "answer is not true"},
		{lie: liar.Bytes("more than anybody asked for", "get_blocks.bin", func(b []byte) []byte { return append(b, make([]byte, largest)...) }), refresh: away},
		{lie: liar.Bytes("a number in the place of a text", "get_info", func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"fakechain"`), []byte(`7`), 1)
		}), refresh: "answer is not true"},
		{lie: liar.Unknown("no such operation", "get_outs.bin"), transfer: away},
		{lie: liar.Stall("no answer to a question about it", "get_info"), refresh: away, set: hurried("get_info")},
		{lie: liar.Stall("no answer to a question for decoys", "get_outs.bin"), transfer: away, set: hurried("get_outs.bin")},
		{lie: liar.Bytes("busy for ever", "get_blocks.bin", func(b []byte) []byte {
			return bytes.Replace(b, []byte("\x06status\x0a\x08OK"), []byte("\x06status\x0a\x10BUSY"), 1)
		}), refresh: "busy"},
	}
}

// TestLiesOfADaemon tells a wallet every lie while it reads the chain and pays. What is a lie for certain is refused, with an error that
// says what to do; what cannot be known to be one is shown and costs nothing: with an honest daemon the wallet is what it would have been.
func TestLiesOfADaemon(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	names := map[string]bool{}
	for _, c := range w.lies(t) {
		require.False(t, names[c.lie.Name], "two lies are called %q", c.lie.Name)
		names[c.lie.Name] = true
		t.Run(c.lie.Name, func(t *testing.T) { w.endure(t, c) })
	}
}

// as wants an error that says so, or none.
func as(t *testing.T, says string, err error, when string) {
	t.Helper()
	if says == "" {
		require.NoError(t, err, when)
		return
	}
	require.ErrorContains(t, err, says, when)
	var e *rpc.Error
	require.ErrorAs(t, err, &e, when)
	text, err := json.Marshal(e)
	require.NoError(t, err)
	require.False(t, strings.Contains(e.Message, "panic") || e.Code == rpc.CodeInternal, string(text))
}

func (w *world) endure(t *testing.T, c told) {
	s, dir := w.victim(t, c.set)
	w.liar.Tell(c.lie)
	as(t, c.refresh, refresh(s), "refresh")
	if c.also != nil {
		c.also(t, s)
	}
	if !c.believed {
		require.LessOrEqual(t, balance(t, s), max(w.balance, w.before), "no lie shows money that is none")
	}
	sent, err := pay(s, node.Nobody())
	as(t, c.transfer, err, "transfer")
	require.NotZero(t, w.liar.Told(), "it lied")
	pool := w.emptyPool(t)
	if err == nil {
		require.Len(t, pool, 1)
		require.LessOrEqual(t, sent.Fee, w.fee, "no lie makes a payment dearer")
	}
	require.NoError(t, s.Close())

	// The same wallet, with the truth.
	w.liar.Tell(liar.Lie{})
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
	again, err := pay(s, node.Nobody())
	require.NoError(t, err)
	require.LessOrEqual(t, again.Fee, w.fee)
	require.Len(t, w.emptyPool(t), 1)
}
