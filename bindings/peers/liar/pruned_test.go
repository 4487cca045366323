package liar_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/liar"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/tx"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// restored opens the wallet anew, with nothing read. One block in every is proven that need not be.
func (w *world) restored(t *testing.T, every uint16) *service.Service {
	t.Helper()
	s := w.serve(t, t.TempDir(), func(c *setup) { c.Compact.Every = every })
	view := w.keys.ViewSecret()
	spend, ok := w.keys.SpendSecret()
	require.True(t, ok)
	do(t, s, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{Filename: "restored", Address: w.address,
		SpendKey: hex.EncodeToString(spend[:]), ViewKey: hex.EncodeToString(view[:])})
	return s
}

// bendPruned changes the transactions of blocks that come without proofs, and tells get_transactions nothing of it.
func bendPruned(name string, change func(x *tx.Transaction)) liar.Lie {
	return bendBlocks(name, func(r *blocks) {
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
				change(x)
				b.Blob = x.AppendPruned(nil)
			}
		}
	})
}

func bendProof(name string, change func(r *daemonrpc.GetTransactionsResponse)) liar.Lie {
	return liar.Bend(name, daemonrpc.GetTransactions, func(_ daemonrpc.GetTransactionsRequest, r *daemonrpc.GetTransactionsResponse) { change(r) })
}

// TestPrunedLies: what a daemon alone says in transactions without proofs is proven by their IDs before it is believed. It can hide what is the
// wallet's in blocks that are not proven for another reason, as long as it is not asked for them by chance, and nothing else.
func TestPrunedLies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mine(12, node.Nobody()) // the last ten blocks come in full
	invented := bendPruned("", func(x *tx.Transaction) {
		_, b := w.fake(richer)
		fake, err := tx.ParsePruned(b)
		if err != nil {
			panic(err)
		}
		*x = *fake
	})
	hidden := bendPruned("", func(x *tx.Transaction) {
		for i := range x.Outputs {
			x.Outputs[i].ViewTag ^= 1
		}
	})
	const never = math.MaxUint16
	for _, c := range []struct {
		name    string
		lie     liar.Lie
		every   uint16
		refresh string
		hides   bool
	}{
		{name: "a payment nobody made", lie: invented, every: never, refresh: "shown before, is another"},
		{name: "a payment nobody made, and no proof", every: never, refresh: "is missing", lie: liar.Both("", invented,
			bendProof("", func(r *daemonrpc.GetTransactionsResponse) {
				for _, x := range r.Txs {
					id, err := xmr.ParseHash(x.TxHash)
					require.NoError(t, err)
					r.MissedTx = append(r.MissedTx, id)
				}
				r.Txs = nil
			}))},
		{name: "a payment nobody made, and a proof that is none", every: never, refresh: "answer is not true", lie: liar.Both("", invented,
			bendProof("", func(r *daemonrpc.GetTransactionsResponse) {
				_, b := w.fake(richer)
				for i := range r.Txs {
					r.Txs[i].PrunedAsHex = hex.EncodeToString(b)
				}
			}))},
		{name: "a payment nobody made, and the hash of other proofs", every: never, refresh: "answer is not true", lie: liar.Both("", invented,
			bendProof("", func(r *daemonrpc.GetTransactionsResponse) {
				for i := range r.Txs {
					r.Txs[i].PrunableHash = xmr.Hash{1}.String()
				}
			}))},
		{name: "another fee", lie: bendPruned("", func(x *tx.Transaction) { x.RingCT.Fee++ }), every: never, refresh: "shown before, is another"},
		{name: "a lock of years", lie: bendPruned("", func(x *tx.Transaction) { x.UnlockTime = 1 << 28 }), every: never, refresh: "shown before, is another"},
		{name: "a payment hidden, found by chance", lie: hidden, every: 1, refresh: "shown before, is another"},
		{name: "a payment hidden, not found", lie: hidden, every: never, hides: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := w.restored(t, c.every)
			w.liar.Tell(c.lie)
			as(t, c.refresh, refresh(s), "refresh")
			require.NotZero(t, w.liar.Told(), "it lied")
			if c.hides {
				require.Equal(t, w.balance-amount, balance(t, s))
			} else {
				require.Zero(t, balance(t, s), "nothing of the answer is believed")
			}
			w.liar.Tell(liar.Lie{})
			do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
			require.Equal(t, w.balance, balance(t, s))
		})
	}

	// The newest blocks are wanted in full. Nobody is asked for a proof of them, and pruned ones are refused, also when nothing in them is shown.
	payer := w.restored(t, never)
	require.NoError(t, refresh(payer))
	_, err := pay(payer, node.Nobody())
	require.NoError(t, err)
	w.mine(1, node.Nobody())
	w.liar.Tell(liar.Lie{})
	require.NoError(t, refresh(payer))
	require.Zero(t, w.liar.Asked(daemonrpc.GetTransactions.Name))
	_, err = pay(payer, node.Nobody())
	require.NoError(t, err)
	w.mine(1, node.Nobody())
	w.liar.Tell(bendBlocks("pruned", func(r *blocks) {
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
	as(t, "is pruned, and was not to be", refresh(payer), "refresh")
}

// asked is a way to a daemon that notes which transactions were asked for together.
type asked struct {
	rpc.Transport
	mu   sync.Mutex
	list [][]string
}

func (a *asked) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if liar.Operation(path, body) == daemonrpc.GetTransactions.Name {
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

// TestProvingTellsLittle: a daemon that is asked for proofs learns blocks, never transactions: whole ones, in their order, with others' among them, and
// the same again when a wallet reads the chain again, so that comparing leaves nothing over.
func TestProvingTellsLittle(t *testing.T) {
	t.Parallel()
	chain := newChain(t)
	way := &asked{Transport: chain.Registry()}
	w := newWorldOf(t, way, func(n int, to string) { mine(t, chain, n, to) })
	// Blocks of a few payments each. Two pay the wallet.
	payer := w.serve(t, t.TempDir(), nil)
	do(t, payer, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "payer", Language: "English"})
	w.mine(40, do(t, payer, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address)
	w.mine(62, node.Nobody())
	do(t, payer, walletrpc.Refresh, walletrpc.RefreshRequest{})
	const blocks, each = 8, 2
	for n := range blocks {
		for k := range each {
			to := node.Nobody()
			if n%4 == 2 && k == 1 {
				to = w.address
			}
			_, err := pay(payer, to)
			require.NoError(t, err)
		}
		w.mine(1, node.Nobody())
	}
	w.mine(12, node.Nobody())

	of := map[string][]string{} // transactions of the block of each
	paid := 0
	read := func(every uint16) [][]string {
		s := w.restored(t, every)
		way.list = nil
		require.NoError(t, refresh(s))
		ids := slices.Clone(way.list)
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
			of[id.String()] = nil
			for _, other := range b.TxHashes {
				of[id.String()] = append(of[id.String()], other.String())
			}
		}
	}
	require.Len(t, of, blocks*each+1)
	whole := func(list [][]string) (n int) {
		for _, ids := range list {
			for len(ids) > 0 {
				block := of[ids[0]]
				require.NotEmpty(t, block)
				require.Equal(t, block, ids[:min(len(block), len(ids))], "a whole block, in its order")
				ids = ids[len(block):]
				n++
			}
		}
		return n
	}
	alone := read(math.MaxUint16)
	require.Equal(t, 3, paid)
	require.GreaterOrEqual(t, whole(alone), 3)
	half := read(2)
	require.Equal(t, half, read(2), "the same blocks again")
	require.GreaterOrEqual(t, whole(half), whole(alone))
	require.Equal(t, blocks+1, whole(read(1)))
}
