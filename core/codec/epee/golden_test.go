package epee

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type hash [32]byte

type status struct {
	Status    string `json:"status"`
	Untrusted bool   `json:"untrusted"`
	Credits   uint64 `json:"credits"`
	TopHash   string `json:"top_hash"`
}

type txBlob struct {
	Blob          []byte `json:"blob"`
	PrunableHash  hash   `json:"prunable_hash"`
	cameAsAString bool
}

func (t *txBlob) UnmarshalEpeeString(b []byte) error {
	t.Blob, t.cameAsAString = b, true
	return nil
}

func (t txBlob) MarshalEpeeString() ([]byte, bool) { return t.Blob, t.cameAsAString }

type blockEntry struct {
	Pruned bool     `json:"pruned" epee:"omitempty" default:"false"`
	Block  []byte   `json:"block"`
	Weight uint64   `json:"block_weight" epee:"omitempty"`
	Txs    []txBlob `json:"txs"`
}

type txIndices struct {
	Indices []uint64 `json:"indices"`
}

type blockIndices struct {
	Indices []txIndices `json:"indices"`
}

type getBlocksRequest struct {
	BlockIDs    []hash `json:"block_ids" epee:"blob"`
	NoMinerTx   bool   `json:"no_miner_tx"`
	Prune       bool   `json:"prune"`
	StartHeight uint64 `json:"start_height"`
}

type getBlocksResponse struct {
	status
	Blocks         []blockEntry   `json:"blocks"`
	StartHeight    uint64         `json:"start_height"`
	CurrentHeight  uint64         `json:"current_height"`
	OutputIndices  []blockIndices `json:"output_indices"`
	DaemonTime     uint64         `json:"daemon_time" epee:"omitempty"`
	PoolInfoExtent uint8          `json:"pool_info_extent" epee:"omitempty"`
}

type getIndexesRequest struct {
	TxID hash `json:"txid"`
}

type getIndexesResponse struct {
	status
	Indexes []uint64 `json:"o_indexes"`
}

type getOutsRequest struct {
	GetTxID bool `json:"get_txid"`
	Outputs []struct {
		Amount uint64 `json:"amount"`
		Index  uint64 `json:"index"`
	} `json:"outputs"`
}

type getOutsResponse struct {
	status
	Outs []struct {
		Key      hash   `json:"key"`
		Mask     hash   `json:"mask"`
		Unlocked bool   `json:"unlocked"`
		Height   uint64 `json:"height"`
		TxID     hash   `json:"txid"`
	} `json:"outs"`
}

type getHashesRequest struct {
	BlockIDs    []hash `json:"block_ids" epee:"blob"`
	StartHeight uint64 `json:"start_height"`
}

type getHashesResponse struct {
	status
	BlockIDs      []hash `json:"m_block_ids" epee:"blob"`
	StartHeight   uint64 `json:"start_height"`
	CurrentHeight uint64 `json:"current_height"`
}

type distributionRequest struct {
	Amounts    []uint64 `json:"amounts"`
	Binary     bool     `json:"binary"`
	Compress   bool     `json:"compress"`
	Cumulative bool     `json:"cumulative"`
	FromHeight uint64   `json:"from_height"`
}

type distributionResponse struct {
	status
	Distributions []struct {
		Amount       uint64   `json:"amount"`
		StartHeight  uint64   `json:"start_height"`
		Binary       bool     `json:"binary"`
		Compress     bool     `json:"compress"`
		Distribution []uint64 `json:"distribution" epee:"blob"`
		Base         uint64   `json:"base"`
	} `json:"distributions"`
}

// golden returns the two messages of a testdata file.
func golden(t testing.TB, name string) (request, response []byte) {
	text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		raw, err := hex.DecodeString(value)
		switch key {
		case "request":
			require.NoError(t, err)
			request = raw
		case "response":
			require.NoError(t, err)
			response = raw
		}
	}
	require.NotEmpty(t, request)
	require.NotEmpty(t, response)
	return request, response
}

// TestGoldenMessages decodes messages of the reference and encodes them again: the bytes are the same.
func TestGoldenMessages(t *testing.T) {
	for _, c := range []struct {
		name              string
		request, response any
	}{
		{"get_blocks_pruned0", new(getBlocksRequest), new(getBlocksResponse)},
		{"get_blocks_pruned1", new(getBlocksRequest), new(getBlocksResponse)},
		{"get_o_indexes", new(getIndexesRequest), new(getIndexesResponse)},
		{"get_outs", new(getOutsRequest), new(getOutsResponse)},
		{"get_hashes", new(getHashesRequest), new(getHashesResponse)},
		{"get_output_distribution", new(distributionRequest), new(distributionResponse)},
	} {
		t.Run(c.name, func(t *testing.T) {
			request, response := golden(t, c.name)
			for _, m := range []struct {
				raw []byte
				v   any
			}{{request, c.request}, {response, c.response}} {
				require.NoError(t, Unmarshal(m.raw, m.v))
				again, err := Marshal(m.v)
				require.NoError(t, err)
				require.Equal(t, hex.EncodeToString(m.raw), hex.EncodeToString(again))
				require.NoError(t, Unmarshal(m.raw, new(struct{})), "skipping must accept what decoding accepts")
			}
		})
	}
}

func TestGoldenContent(t *testing.T) {
	_, raw := golden(t, "get_blocks_pruned1")
	var pruned getBlocksResponse
	require.NoError(t, Unmarshal(raw, &pruned))
	_, raw = golden(t, "get_blocks_pruned0")
	var full getBlocksResponse
	require.NoError(t, Unmarshal(raw, &full))

	require.Equal(t, "OK", full.Status)
	require.Equal(t, uint64(83), full.CurrentHeight)
	require.Len(t, full.Blocks, 3)
	require.Len(t, full.OutputIndices, 3)
	require.Equal(t, full.OutputIndices, pruned.OutputIndices)
	require.Equal(t, []uint64{79}, full.OutputIndices[0].Indices[0].Indices)
	for i := range full.Blocks {
		require.Equal(t, full.Blocks[i].Block, pruned.Blocks[i].Block)
		require.Len(t, pruned.Blocks[i].Txs, len(full.Blocks[i].Txs))
		require.True(t, pruned.Blocks[i].Pruned)
		require.False(t, full.Blocks[i].Pruned)
		for j, tx := range full.Blocks[i].Txs {
			require.True(t, tx.cameAsAString)
			require.False(t, pruned.Blocks[i].Txs[j].cameAsAString)
			require.Greater(t, len(tx.Blob), len(pruned.Blocks[i].Txs[j].Blob))
			require.Equal(t, pruned.Blocks[i].Txs[j].Blob, tx.Blob[:len(pruned.Blocks[i].Txs[j].Blob)])
		}
	}
	require.Len(t, full.Blocks[1].Txs, 2)
}
