package node

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/chaintest"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/fcmptx"
	"glim/core/xmr"
)

// subscriber keeps what a daemon publishes, by topic.
type subscriber struct {
	mu  sync.Mutex
	all map[string][][]byte
}

func (s *subscriber) HasSubscribers(string) bool { return true }

func (s *subscriber) Publish(topic string, text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[topic] = append(s.all[topic], text)
}

func (s *subscriber) of(topic string) [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[topic]
}

// TestPublishedAcrossTheFork: what a daemon publishes of blocks and transactions of the next hard fork describes them:
// read back, they have the same bytes but for proofs, and blocks name the tree. A transaction in JSON, which has no
// membership proof, is refused with a reason.
func TestPublishedAcrossTheFork(t *testing.T) {
	c, s := &clock{1_700_000_000}, &subscriber{all: map[string][][]byte{}}
	made, err := New(Config{Publisher: s, Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: c.read, Random: &zeros{},
		Forks: consensus.RegtestForks(20, 30), Next: judge{},
	}})
	require.NoError(t, err)
	n := &Regtest{made}
	ids, err := n.Mine(context.Background(), 70, UnspendableAddress())
	require.NoError(t, err)

	full, minimal := s.of(topicFullChain), s.of(topicChain)
	require.Len(t, full, 70)
	require.Len(t, minimal, 70)
	for i := range full {
		var blocks []struct {
			Version uint8           `json:"major_version"`
			Layers  *uint8          `json:"fcmp_pp_n_tree_layers"`
			Root    string          `json:"fcmp_pp_tree_root"`
			Miner   json.RawMessage `json:"miner_tx"`
		}
		require.NoError(t, json.Unmarshal(full[i], &blocks))
		require.Len(t, blocks, 1)
		got, err := daemonrpc.ParsePublished(blocks[0].Miner)
		require.NoError(t, err)
		var want *block.Block
		n.chain.View(func(v chain.View) { want = v.Block(uint64(i + 1)).Block })
		require.Equal(t, want.MinerTx.AppendPruned(nil), got.AppendPruned(nil))
		require.Equal(t, want.Major, blocks[0].Version)
		require.Equal(t, i+1 >= 20, got.Carrot != nil)
		if want.Tree == nil {
			require.Nil(t, blocks[0].Layers)
		} else {
			require.Equal(t, want.Tree.Layers, *blocks[0].Layers)
			require.Equal(t, hex.EncodeToString(want.Tree.Root[:]), blocks[0].Root)
		}
		var short struct {
			Height uint64     `json:"first_height"`
			IDs    []xmr.Hash `json:"ids"`
		}
		require.NoError(t, json.Unmarshal(minimal[i], &short))
		require.Equal(t, []xmr.Hash{ids[i]}, short.IDs)
		require.Equal(t, uint64(i+1), short.Height)
	}

	var tree block.Tree
	n.chain.View(func(v chain.View) { tree = *v.Block(62).Block.Tree })
	x := chaintest.Proven(1, 2, 70, tree)
	id, err := fcmptx.Default.Hash(x)
	require.NoError(t, err)
	blob := fcmptx.Default.Append(nil, x)
	sent := ask(t, n.Registry(), daemonrpc.SendRawTransaction,
		daemonrpc.SendRawTransactionRequest{TxAsHex: hex.EncodeToString(blob), DoSanityChecks: true})
	require.Equal(t, daemonrpc.StatusOK, sent.Status)
	var txs []json.RawMessage
	require.Len(t, s.of(topicFullPool), 1)
	require.NoError(t, json.Unmarshal(s.of(topicFullPool)[0], &txs))
	require.Len(t, txs, 1)
	require.Contains(t, string(txs[0]), `"key_offsets":[]`)
	got, err := daemonrpc.ParsePublished(txs[0])
	require.NoError(t, err)
	require.Equal(t, x.ForWallet().AppendPruned(nil), got.AppendPruned(nil))
	var summaries []daemonrpc.PublishedTx
	require.NoError(t, json.Unmarshal(s.of(topicMinimalPool)[0], &summaries))
	require.Len(t, summaries, 1)
	require.Equal(t, id, summaries[0].ID)
	require.Equal(t, x.Fee, summaries[0].Fee)
	require.Equal(t, uint64(len(blob)), summaries[0].BlobSize)

	request, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": "0", "method": "send_raw_tx", "params": map[string]any{"tx": txs[0], "relay": true},
	})
	require.NoError(t, err)
	answer := string(n.Answer(context.Background(), request, false))
	require.Contains(t, answer, "error")
	require.Contains(t, answer, "membership proofs")

	// Mined, it is published as a hash of its block.
	_, err = n.Mine(context.Background(), 1, UnspendableAddress())
	require.NoError(t, err)
	require.Contains(t, string(s.of(topicFullChain)[70]), `"tx_hashes":["`+id.String()+`"]`)
}
