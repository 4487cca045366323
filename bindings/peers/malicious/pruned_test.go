package malicious_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/malicious"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/tx"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// restored restores the wallet into a new file. One in every blocks is verified although nothing requires it.
func (w *world) restored(t *testing.T, every uint16) *service.Service {
	t.Helper()
	s := w.serve(t, t.TempDir(), func(c *setup) { c.Compact.ProveEvery = every })
	view := w.keys.ViewSecret()
	spend, ok := w.keys.SpendSecret()
	require.True(t, ok)
	do(t, s, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{Filename: "restored", Address: w.address,
		SpendKey: hex.EncodeToString(spend[:]), ViewKey: hex.EncodeToString(view[:])})
	return s
}

// bendPruned changes the pruned transactions of get_blocks.bin, while get_transactions stays honest.
func bendPruned(name string, change func(x *tx.Transaction)) malicious.Fault {
	return bendBlocks(name, func(r *blocks) {
		changePruned(r, func(x *tx.Transaction, _ *daemonrpc.TxBlob) { change(x) })
	})
}

// changePruned applies change to each pruned transaction of an answer and to its entry.
func changePruned(r *blocks, change func(x *tx.Transaction, b *daemonrpc.TxBlob)) {
	for i := range r.Blocks {
		for k := range r.Blocks[i].Txs {
			b := &r.Blocks[i].Txs[k]
			if b.Whole() {
				continue
			}
			x, err := tx.ParsePruned(b.Blob)
			if err != nil {
				panic(err)
			}
			change(x, b)
			b.Blob = x.AppendPruned(nil)
		}
	}
}

// hidePayments makes a scanner skip the outputs of a transaction.
func hidePayments(x *tx.Transaction) {
	for i := range x.Outputs {
		x.Outputs[i].ViewTag ^= 1
	}
}

// inventPayment replaces a transaction by one that pays the wallet.
func (w *world) inventPayment(x *tx.Transaction) {
	_, b := w.forgedTx(forgedAmount)
	fake, err := tx.ParsePruned(b)
	if err != nil {
		panic(err)
	}
	*x = *fake
}

func bendProof(name string, change func(r *daemonrpc.GetTransactionsResponse)) malicious.Fault {
	return malicious.Modify(
		name, daemonrpc.GetTransactions,
		func(_ daemonrpc.GetTransactionsRequest, r *daemonrpc.GetTransactionsResponse) { change(r) },
	)
}

// TestForgedPrunedTransactions checks that the wallet verifies pruned transactions by their IDs before it shows them. A
// daemon can hide the wallet's transactions in blocks without other reasons for verification, unless the wallet selects
// the block at random; it can do nothing else.
func TestForgedPrunedTransactions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mine(12, node.UnspendableAddress()) // the wallet requests the last ten blocks unpruned
	for _, c := range w.prunedCases(t) {
		t.Run(c.name, func(t *testing.T) {
			s := w.restored(t, c.every)
			w.proxy.Inject(c.fault)
			requireError(t, c.refresh, refresh(s), "refresh")
			require.NotZero(t, w.proxy.Faults(), "no response was forged")
			if c.hides {
				require.Equal(t, w.balance-amount, balance(t, s))
			} else {
				require.Zero(t, balance(t, s), "the forged response must be discarded")
			}
			w.proxy.Inject(malicious.Fault{})
			do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
			require.Equal(t, w.balance, balance(t, s))
		})
	}
	w.checkNewestBlocksUnpruned(t)
}

// never is an interval of random verification that never selects a block.
const never = math.MaxUint16

// prunedCase is a forgery of pruned transactions.
type prunedCase struct {
	name    string
	fault   malicious.Fault
	every   uint16 // one in so many blocks is verified at random
	refresh string // part of the error of refresh
	hides   bool   // the wallet misses a payment
}

func (w *world) prunedCases(t *testing.T) []prunedCase {
	invented, hidden := bendPruned("", w.inventPayment), bendPruned("", hidePayments)
	return []prunedCase{
		{name: "forged payment", fault: invented, every: never, refresh: "differs from the one shown before"},
		{
			name: "forged payment, transaction missing", every: never, refresh: "is missing",
			fault: malicious.Combine("", invented,
				bendProof("", func(r *daemonrpc.GetTransactionsResponse) {
					for _, x := range r.Txs {
						id, err := xmr.ParseHash(x.TxHash)
						require.NoError(t, err)
						r.MissedTx = append(r.MissedTx, id)
					}
					r.Txs = nil
				})),
		},
		{
			name: "forged payment, other transaction", every: never, refresh: "invalid response",
			fault: malicious.Combine("", invented,
				bendProof("", func(r *daemonrpc.GetTransactionsResponse) {
					_, b := w.forgedTx(forgedAmount)
					for i := range r.Txs {
						r.Txs[i].PrunedAsHex = hex.EncodeToString(b)
					}
				})),
		},
		{
			name: "forged payment, other prunable hash", every: never, refresh: "invalid response",
			fault: malicious.Combine("", invented,
				bendProof("", func(r *daemonrpc.GetTransactionsResponse) {
					for i := range r.Txs {
						r.Txs[i].PrunableHash = xmr.Hash{1}.String()
					}
				})),
		},
		{
			name: "forged fee", fault: bendPruned("", func(x *tx.Transaction) { x.RingCT.Fee++ }), every: never,
			refresh: "differs from the one shown before",
		},
		{
			name: "forged unlock time", fault: bendPruned("", func(x *tx.Transaction) { x.UnlockTime = 1 << 28 }),
			every: never, refresh: "differs from the one shown before",
		},
		{name: "hidden payment, block selected", fault: hidden, every: 1, refresh: "differs from the one shown before"},
		{name: "hidden payment, block not selected", fault: hidden, every: never, hides: true},
	}
}

// checkNewestBlocksUnpruned checks that the wallet requests the newest blocks unpruned, without get_transactions, and
// refuses them pruned, also if they contain nothing of the wallet.
func (w *world) checkNewestBlocksUnpruned(t *testing.T) {
	payer := w.restored(t, never)
	require.NoError(t, refresh(payer))
	_, err := pay(payer, node.UnspendableAddress())
	require.NoError(t, err)
	w.mine(1, node.UnspendableAddress())
	w.proxy.Inject(malicious.Fault{})
	require.NoError(t, refresh(payer))
	require.Zero(t, w.proxy.Requests(daemonrpc.GetTransactions.Name))
	_, err = pay(payer, node.UnspendableAddress())
	require.NoError(t, err)
	w.mine(1, node.UnspendableAddress())
	w.proxy.Inject(bendBlocks("pruned", func(r *blocks) {
		for i := range r.Blocks {
			for k := range r.Blocks[i].Txs {
				x, err := tx.Parse(r.Blocks[i].Txs[k].Blob)
				if err != nil {
					panic(err)
				}
				for o := range x.Outputs {
					x.Outputs[o].ViewTag ^= 1
				}
				r.Blocks[i].Pruned = true
				r.Blocks[i].Txs[k] = daemonrpc.TxBlob{Blob: x.AppendPruned(nil)}
			}
		}
	}))
	requireError(t, "is pruned although full transactions were requested", refresh(payer), "refresh")
}

// recorder is a transport that records the transaction IDs of each get_transactions request.
type recorder struct {
	rpc.Transport
	mu   sync.Mutex
	list [][]string
}

func (a *recorder) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if malicious.Operation(path, body) == daemonrpc.GetTransactions.Name {
		var q daemonrpc.GetTransactionsRequest
		if err := json.Unmarshal(body, &q); err != nil {
			return nil, err
		}
		a.mu.Lock()
		a.list = append(a.list, q.TxsHashes)
		a.mu.Unlock()
	}
	return a.Transport.Post(ctx, path, body)
}

// TestProvingRevealsLittle checks that get_transactions requests reveal blocks but no single transactions to the
// daemon: they contain all transactions of a block in their order, decoy blocks, and the same blocks when the wallet
// scans again, so that comparing requests reveals nothing.
func TestProvingRevealsLittle(t *testing.T) {
	t.Parallel()
	chain := newChain(t)
	recorded := &recorder{Transport: withoutHashes(chain.Registry())}
	w := newWorldOf(t, recorded, func(n int, to string) { mine(t, chain, n, to) })
	// Two of the payments in these blocks pay the wallet.
	payer := w.serve(t, t.TempDir(), nil)
	do(t, payer, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "payer", Language: "English"})
	w.mine(40, do(t, payer, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address)
	w.mine(62, node.UnspendableAddress())
	do(t, payer, walletrpc.Refresh, walletrpc.RefreshRequest{})
	const blocks, each = 8, 2
	for n := range blocks {
		for k := range each {
			to := node.UnspendableAddress()
			if n%4 == 2 && k == 1 {
				to = w.address
			}
			_, err := pay(payer, to)
			require.NoError(t, err)
		}
		w.mine(1, node.UnspendableAddress())
	}
	w.mine(12, node.UnspendableAddress())

	blockOf := map[string][]string{} // by transaction ID: all transactions of its block
	paid := 0
	read := func(every uint16) [][]string {
		s := w.restored(t, every)
		recorded.list = nil
		require.NoError(t, refresh(s))
		ids := slices.Clone(recorded.list)
		paid = 0
		for _, in := range do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{In: true}).In {
			if in.Type == "in" {
				paid++
			}
		}
		return ids
	}
	for h := range uint64(300) {
		b, err := rpc.Call(t.Context(), w.truth, daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Height: h})
		if err != nil {
			break
		}
		for _, id := range b.TxHashes {
			blockOf[id.String()] = nil
			for _, other := range b.TxHashes {
				blockOf[id.String()] = append(blockOf[id.String()], other.String())
			}
		}
	}
	require.Len(t, blockOf, blocks*each+1)
	countBlocks := func(list [][]string) (n int) {
		for _, ids := range list {
			for len(ids) > 0 {
				block := blockOf[ids[0]]
				require.NotEmpty(t, block)
				require.Equal(t, block, ids[:min(len(block), len(ids))], "all transactions of a block, in their order")
				ids = ids[len(block):]
				n++
			}
		}
		return n
	}
	alone := read(math.MaxUint16)
	require.Equal(t, 3, paid)
	require.GreaterOrEqual(t, countBlocks(alone), 3)
	half := read(2)
	require.Equal(t, half, read(2), "requests must be equal")
	require.GreaterOrEqual(t, countBlocks(half), countBlocks(alone))
	require.Equal(t, blocks+1, countBlocks(read(1)))
}
