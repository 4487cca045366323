package scenario

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/xmr"
)

// These tests are about operations and members that monerod has after the releases 0.18.

// newPaidNode returns a node of ours and the ID of a payment in its pool.
func newPaidNode(t *testing.T) (*node.Regtest, xmr.Hash) {
	t.Helper()
	n := newNode(t)
	require.NoError(t, n.Fund(deadline(t), 25, at(t, alice, 0, 0)))
	w := newGlimOn(t, n.Registry())
	restore(t, w, "alice", alice)
	refresh(t, w)
	id, err := xmr.ParseHash(call[struct {
		TxHash string `json:"tx_hash"`
	}](t, w, "transfer", object{"destinations": []destination{{at(t, bob, 0, 0), coin}}}).TxHash)
	require.NoError(t, err)
	return n, id
}

// TestPopWithoutTransactions: pop_blocks returns transactions to the pool unless keep_txs is false.
func TestPopWithoutTransactions(t *testing.T) {
	t.Parallel()
	for body, keep := range map[string]bool{`{"nblocks":1}`: true, `{"nblocks":1,"keep_txs":false}`: false} {
		n, id := newPaidNode(t)
		_, err := n.Mine(deadline(t), 1, at(t, nobody, 0, 0))
		require.NoError(t, err)
		height := n.Height()
		answer, err := n.Registry().Post(deadline(t), "/pop_blocks", []byte(body))
		require.NoError(t, err)
		require.Contains(t, string(answer), `"OK"`)
		require.Equal(t, height-1, n.Height())
		n.Chain().View(func(v chain.View) {
			_, mined := v.Tx(id)
			require.False(t, mined)
			require.Equal(t, keep, v.PoolTx(id) != nil)
		})
	}
}

// TestTemplateWeight: a block template states its weight.
func TestTemplateWeight(t *testing.T) {
	t.Parallel()
	n, id := newPaidNode(t)
	r, err := rpc.Call(deadline(t), n.Registry(), daemonrpc.GetBlockTemplate,
		daemonrpc.GetBlockTemplateRequest{WalletAddress: at(t, nobody, 0, 0), ReserveSize: 8})
	require.NoError(t, err)
	b, err := block.Parse(unhex(t, r.BlockTemplateBlob))
	require.NoError(t, err)
	require.Equal(t, []xmr.Hash{id}, b.TxHashes)
	n.Chain().View(func(v chain.View) {
		require.Equal(t, b.MinerTx.Weight()+v.PoolTx(id).Weight, r.CumulativeWeight)
	})
}

// TestTransactionIDsByTemplate: get_txids_loose returns the transactions of the chain and the pool that match.
func TestTransactionIDsByTemplate(t *testing.T) {
	t.Parallel()
	n, waiting := newPaidNode(t)
	var mined []xmr.Hash
	n.Chain().View(func(v chain.View) { mined = v.TxIDs(func(xmr.Hash) bool { return true }) })
	slices.SortFunc(mined, reversed)
	for _, id := range append(mined[:20:20], waiting) {
		for _, bits := range []uint32{0, 1, 3, 7, 8, 9, 64, 65, 200, 255, 256} {
			template := daemonrpc.LooseTemplate(id, bits)
			var want []xmr.Hash
			for _, other := range append(mined[:len(mined):len(mined)], waiting) {
				if daemonrpc.LooseTemplate(other, bits) == template {
					want = append(want, other)
				}
			}
			r, err := rpc.Call(deadline(t), n.Restricted(), daemonrpc.GetTxIDsLoose, daemonrpc.GetTxIDsLooseRequest{
				TxIDTemplate: template.String(), NumMatchingBits: bits})
			require.NoError(t, err)
			require.Equal(t, want, r.TxIDs)
		}
	}
	// Examples of the reference. Source: tests/functional_tests/k_anonymity.py, master of August 2026.
	one := xmr.Hash{31: 0b1010_0000}
	require.Equal(t, xmr.Hash{31: 0b1000_0000}, daemonrpc.LooseTemplate(one, 2))
	require.Equal(t, xmr.Hash{30: 0xfe, 31: 0xff}, daemonrpc.LooseTemplate(xmr.Hash{0xff, 30: 0xff, 31: 0xff}, 15))
	for want, req := range map[string]daemonrpc.GetTxIDsLooseRequest{
		"256 bits": {TxIDTemplate: waiting.String(), NumMatchingBits: 257},
		"decode":   {TxIDTemplate: "xyz", NumMatchingBits: 1},
		"zeroed":   {TxIDTemplate: xmr.Hash{1, 31: 0x80}.String(), NumMatchingBits: 8},
	} {
		_, err := rpc.Call(deadline(t), n.Registry(), daemonrpc.GetTxIDsLoose, req)
		var e *rpc.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, daemonrpc.CodeWrongParam, e.Code)
		require.Contains(t, e.Message, want)
	}
}

// reversed compares IDs as little-endian numbers.
func reversed(a, b xmr.Hash) int {
	slices.Reverse(a[:])
	slices.Reverse(b[:])
	return bytes.Compare(a[:], b[:])
}
