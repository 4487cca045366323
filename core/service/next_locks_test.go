package service

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// blockStore is a chain.Store in memory.
type blockStore map[string][]byte

func (m blockStore) Load(visit func(key, value []byte) error) error {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if err := visit([]byte(k), m[k]); err != nil {
			return err
		}
	}
	return nil
}

func (m blockStore) Commit(put []chain.Record, drop [][]byte) error {
	for _, r := range put {
		m[string(r.Key)] = slices.Clone(r.Value)
	}
	for _, k := range drop {
		delete(m, string(k))
	}
	return nil
}

// lockedWorld is a chain that passes the fork at block 126, whose store contains payments with unlock times.
type lockedWorld struct {
	testChain
	store blockStore
	node  *switched
	a     party
}

const lockedFork = 126

// switched is a transport to the node that has the chain.
type switched struct{ node rpc.Transport }

func (s *switched) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return s.node.Post(ctx, path, body)
}

func newLockedWorld(t *testing.T) *lockedWorld {
	t.Helper()
	w := &lockedWorld{store: blockStore{}, node: new(switched)}
	w.testChain = newCrossingAt(t, lockedFork, w.store)
	w.node.node, w.transport = w.transport, w.node
	w.a = w.party("a")
	_, err := w.chain.Mine(t.Context(), 20, w.a.at)
	require.NoError(t, err)
	_, err = w.chain.Mine(t.Context(), 100, node.UnspendableAddress())
	require.NoError(t, err)
	w.mine(1, w.a.Service)
	return w
}

// pay mines a payment of the wallet to itself with an unlock time, which wallets do not make. Its signature is not
// valid, but the store is trusted, and wallets do not verify signatures. It returns the ID.
func (w *lockedWorld) pay(amount, unlock uint64) string {
	t := w.t
	t.Helper()
	made := do(t, w.a.Service, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Address: w.a.at, Amount: amount}}, DoNotRelay: true, GetTxHex: true})
	blob, err := hex.DecodeString(made.TxBlob)
	require.NoError(t, err)
	x, err := tx.Parse(blob)
	require.NoError(t, err)
	x.UnlockTime = unlock
	blob = x.Append(nil)
	_, id, err := tx.ParseWithHash(blob)
	require.NoError(t, err)
	to, err := address.Parse(node.UnspendableAddress())
	require.NoError(t, err)
	template, err := w.chain.Chain().NewTemplate(to, nil, nil)
	require.NoError(t, err)
	b := template.Block
	require.Empty(t, b.TxHashes)
	b.TxHashes = []xmr.Hash{id}
	b.MinerTx.Outputs[0].Amount += x.RingCT.Fee
	record := (&chain.Block{
		Block: b, Blob: b.Append(nil), Txs: []*chain.Tx{{Blob: blob}}, Height: w.chain.Height(),
		Difficulty: consensus.Difficulty{Lo: 1},
	}).Record()
	require.NoError(t, w.store.Commit([]chain.Record{record}, nil))
	again := newCrossingAt(t, lockedFork, w.store)
	w.chain, w.node.node = again.chain, again.transport
	do(t, w.a.Service, walletrpc.Refresh, walletrpc.RefreshRequest{})
	return id.String()
}

// TestDatesAfterTheFork: after the fork, unlock times that are dates are converted to blocks, in balances, the choice
// of outputs and its errors, as in the tree of all outputs: what is unlocked can be paid, and nothing else.
func TestDatesAfterTheFork(t *testing.T) {
	w := newLockedWorld(t)
	// The second date has passed, but means block 2,689,609 after the fork.
	early, late := w.pay(1e12, 1_000_000_000), w.pay(2e12, 1656629118)
	height := w.chain.Height()
	require.Less(t, height, uint64(lockedFork))
	w.mine(int(lockedFork-height), w.a.Service)
	locked := func() (sum uint64, images map[string][]string) {
		images = map[string][]string{}
		for _, o := range do(t, w.a.Service, walletrpc.IncomingTransfers,
			walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers {
			if images[o.TxHash] = append(images[o.TxHash], o.KeyImage); o.TxHash == late {
				require.False(t, o.Unlocked && w.chain.Height() > lockedFork)
				sum += o.Amount
			}
		}
		return sum, images
	}
	w.mine(12, w.a.Service)
	sum, images := locked()
	require.GreaterOrEqual(t, sum, uint64(2e12), "with change, which has the same unlock time")
	b := do(t, w.a.Service, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	require.Equal(t, b.Balance-sum, b.UnlockedBalance)
	require.Equal(t, 2_689_609-w.chain.Height(), b.BlocksToUnlock)
	require.Zero(t, b.TimeToUnlock)
	to := []walletrpc.Destination{{Address: w.a.at, Amount: 5e11}}
	chosen := refused(t, w.a.Service, walletrpc.Transfer,
		walletrpc.TransferRequest{Destinations: to, KeyImages: images[late][:1]})
	require.Equal(t, walletrpc.CodeNotEnoughUnlockedMoney, chosen.Code)
	require.True(t, strings.Contains(chosen.Message, "is locked for 26"), chosen.Message)

	// Both outputs with the early date have paths, and everything that is unlocked is swept.
	require.Len(t, images[early], 2)
	swept := do(t, w.a.Service, walletrpc.SweepAll,
		walletrpc.SweepAllRequest{Address: node.UnspendableAddress(), Outputs: 1})
	require.Len(t, swept.TxHashList, 1)
	for _, image := range images[early] {
		require.Contains(t, swept.SpentKeyImagesList[0].KeyImages, image)
	}
	w.mine(1, w.a.Service)
	total, unlocked := w.a.balance()
	require.Equal(t, sum, total)
	require.Zero(t, unlocked)
	require.Equal(t, walletrpc.CodeNotEnoughUnlockedMoney, refused(t, w.a.Service, walletrpc.Transfer,
		walletrpc.TransferRequest{Destinations: to}).Code)
}
