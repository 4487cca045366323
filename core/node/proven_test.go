package node

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/chaintest"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/fcmptx"
	"glim/core/nextfork"
	"glim/core/xmr"
)

// judge is a Fork that accepts the membership proofs of chaintest.Proven.
type judge struct{ nextfork.Fork }

func (judge) CheckMemberships(_ io.Reader, list []chain.Spent) error {
	for _, s := range list {
		if !bytes.HasPrefix(s.Tx.Membership.Proof, s.Tree.Root[:]) {
			return consensus.ErrInput
		}
	}
	return nil
}

// TestProvenTransactions: a daemon accepts a transaction with membership proofs, and returns it from the pool and from
// a block, whole and pruned. It refuses others with the flags of the beta.
func TestProvenTransactions(t *testing.T) {
	c := &clock{1_700_000_000}
	made, err := New(Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: c.read, Random: &zeros{},
		Forks: consensus.RegtestForks(20, 30), Next: judge{},
	}})
	require.NoError(t, err)
	n := &Regtest{made}
	ctx := context.Background()
	_, err = n.Mine(ctx, 70, UnspendableAddress())
	require.NoError(t, err)
	r := n.Registry()
	send := func(x *fcmptx.Transaction) daemonrpc.SendRawTransactionResponse {
		text := hex.EncodeToString(fcmptx.Default.Append(nil, x))
		request := daemonrpc.SendRawTransactionRequest{TxAsHex: text, DoSanityChecks: true}
		return ask(t, r, daemonrpc.SendRawTransaction, request)
	}
	var tree block.Tree
	n.chain.View(func(v chain.View) { tree = *v.Block(62).Block.Tree })
	spend := func() *fcmptx.Transaction { return chaintest.Proven(1, 2, 70, tree) }
	for reason, change := range map[string]func(*fcmptx.Transaction){
		"invalid input":              func(x *fcmptx.Transaction) { x.Proofs.Blob[0] ^= 1 },
		"invalid output":             func(x *fcmptx.Transaction) { x.Outputs[1] = x.Outputs[0] },
		"too big":                    func(x *fcmptx.Transaction) { shorten(x) },
		"fee too low":                func(x *fcmptx.Transaction) { x.Fee = 1 },
		"tx-extra too big":           func(x *fcmptx.Transaction) { x.Extra = make([]byte, 1061) },
		"tx unlock time is not zero": func(x *fcmptx.Transaction) { x.UnlockTime = 1 },
		"overspend": func(x *fcmptx.Transaction) {
			x.Inputs[0].Amount, x.Inputs[1].Amount = 1<<63, 1<<63
		},
		"": func(x *fcmptx.Transaction) { x.Proofs.Layers = 13 },
	} {
		x := spend()
		change(x)
		got := send(x)
		require.Equal(t, daemonrpc.StatusFailed, got.Status, reason)
		require.Equal(t, reason, got.Reason)
	}
	x := spend()
	x.Proofs.ReferenceBlock = 71
	got := send(x)
	require.True(t, got.InvalidInput)

	x = spend()
	require.Equal(t, daemonrpc.StatusOK, send(x).Status)
	again := spend()
	again.Proofs.ReferenceBlock = 69
	require.Equal(t, "double spend", send(again).Reason)

	id, err := fcmptx.Default.Hash(x)
	require.NoError(t, err)
	whole := fcmptx.Default.Append(nil, x)
	prunable := x.PrunableHash().String()
	x.Proofs = nil
	pruned := fcmptx.Default.Append(nil, x)
	for range 2 {
		for _, request := range []daemonrpc.GetTransactionsRequest{
			{}, {Prune: true}, {Split: true, DecodeAsJSON: true},
		} {
			request.TxsHashes = []string{id.String()}
			list := ask(t, r, daemonrpc.GetTransactions, request).Txs
			require.Len(t, list, 1)
			e := list[0]
			require.Equal(t, prunable, e.PrunableHash)
			if !request.Prune && !request.Split {
				require.Equal(t, hex.EncodeToString(whole), e.AsHex)
				continue
			}
			require.Equal(t, hex.EncodeToString(pruned), e.PrunedAsHex)
			if request.Split {
				require.Equal(t, hex.EncodeToString(whole[len(pruned):]), e.PrunableAsHex)
				require.True(t, json.Valid([]byte(e.AsJSON)))
			}
		}
		if n.Height() == 71 {
			require.Len(t, ask(t, r, daemonrpc.GetTransactionPool, daemonrpc.PayerOnly{}).Transactions, 1)
			_, err = n.Mine(ctx, 1, UnspendableAddress())
			require.NoError(t, err)
		}
	}
	images := daemonrpc.IsKeyImageSpentRequest{KeyImages: []string{x.Inputs[1].KeyImage.String()}}
	require.Equal(t, []int32{1}, ask(t, r, daemonrpc.IsKeyImageSpent, images).SpentStatus)
}

// shorten removes the second output.
func shorten(x *fcmptx.Transaction) {
	x.Outputs, x.Amounts, x.Commitments = x.Outputs[:1], x.Amounts[:1], x.Commitments[:1]
	x.Proofs.Range.L, x.Proofs.Range.R = x.Proofs.Range.L[:6], x.Proofs.Range.R[:6]
}
