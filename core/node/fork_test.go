package node

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/compact"
	"glim/core/nextfork"
	"glim/core/xmr"
)

// crossing is a private chain with version 17 from block 20 and version 18 from block 30 on.
func crossing(t *testing.T) *Regtest {
	c := &clock{1_700_000_000}
	n, err := New(Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: c.read, Random: &zeros{},
		Forks: consensus.RegtestForks(20, 30), Next: nextfork.Fork{},
	}})
	require.NoError(t, err)
	return &Regtest{n}
}

// TestFork: a private chain crosses the next hard fork, and answers tell what it is at each side.
func TestFork(t *testing.T) {
	n := crossing(t)
	r := n.Registry()
	ctx := context.Background()
	for _, c := range []struct {
		height, limit uint64
		version       uint8
		levels        int
	}{
		{1, 600_000, 16, 4}, {19, 600_000, 16, 4}, {20, 1_250_000, 17, 5}, {29, 1_250_000, 17, 5},
		{30, 1_250_000, 18, 5},
	} {
		if blocks := int(c.height - n.Height()); blocks > 0 {
			_, err := n.Mine(ctx, blocks, UnspendableAddress())
			require.NoError(t, err)
		}
		require.Equal(t, []daemonrpc.HardForkEntry{
			{HFVersion: 1, Height: 0}, {HFVersion: 16, Height: 1}, {HFVersion: 17, Height: 20},
			{HFVersion: 18, Height: 30},
		}, ask(t, r, daemonrpc.GetVersion, daemonrpc.None{}).HardForks)
		for asked, earliest := range map[uint8]uint64{0: 30, 16: 1, 17: 20, 18: 30} {
			info := ask(t, r, daemonrpc.HardForkInfo, daemonrpc.HardForkInfoRequest{Version: asked})
			require.Equal(t, c.version, info.Version)
			require.Equal(t, earliest, info.EarliestHeight)
			require.Equal(t, c.height >= earliest, info.Enabled, "%d at %d", asked, c.height)
			require.EqualValues(t, 18, info.Voting)
			require.EqualValues(t, c.height-1, info.Votes-btoi(asked == 1), "all but the genesis block vote for 18")
		}
		require.Equal(t, c.limit, ask(t, r, daemonrpc.GetInfo, daemonrpc.PayerOnly{}).BlockWeightLimit)
		require.Len(t, ask(t, r, daemonrpc.GetFeeEstimate, daemonrpc.GetFeeEstimateRequest{}).Fees, c.levels)
		data := ask(t, r, daemonrpc.GetMinerData, daemonrpc.None{})
		require.Equal(t, c.version, data.MajorVersion)
		if c.version == 16 {
			require.Nil(t, data.TreeLayers)
			require.Empty(t, data.TreeRoot)
		} else {
			require.Zero(t, *data.TreeLayers, "the first reward unlocks with block 61")
			require.Len(t, data.TreeRoot, 64)
		}
	}
}

func btoi(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// TestForkTemplates: blocks of the fork are made from templates elsewhere, and described like those of the beta.
func TestForkTemplates(t *testing.T) {
	n := crossing(t)
	r := n.Registry()
	_, err := n.Mine(context.Background(), 70, UnspendableAddress())
	require.NoError(t, err)
	template := ask(t, r, daemonrpc.GetBlockTemplate,
		daemonrpc.GetBlockTemplateRequest{WalletAddress: UnspendableAddress(), ReserveSize: 8})
	blob, err := hex.DecodeString(template.BlockTemplateBlob)
	require.NoError(t, err)
	copy(blob[template.ReservedOffset:], "reserved")
	b, err := block.Parse(blob)
	require.NoError(t, err)
	require.Contains(t, string(b.MinerTx.Extra), "\x02\x08reserved")
	require.EqualValues(t, 1, b.Tree.Layers)
	hashing, err := b.HashingBlob()
	require.NoError(t, err)
	require.Len(t, hashing, len(template.BlockHashingBlob)/2)
	require.Equal(t, byte(1), hashing[len(hashing)-1], "the layers and the root are not counted")

	b.Tree.Root[0] ^= 1
	e := refused(t, r, daemonrpc.SubmitBlock, []string{hex.EncodeToString(b.Append(nil))})
	require.Equal(t, daemonrpc.CodeBlockNotAccepted, e.Code)
	b.Tree.Root[0] ^= 1
	id := ask(t, r, daemonrpc.SubmitBlock, []string{hex.EncodeToString(blob)}).BlockID
	got := ask(t, r, daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Hash: id})
	require.Equal(t, hex.EncodeToString(blob), got.Blob)

	var described struct {
		Layers uint8  `json:"fcmp_pp_n_tree_layers"`
		Root   string `json:"fcmp_pp_tree_root"`
		Miner  struct {
			Vout []struct {
				Target map[string]map[string]string
			} `json:"vout"`
		} `json:"miner_tx"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.JSON), &described))
	require.EqualValues(t, 1, described.Layers)
	require.Equal(t, hex.EncodeToString(b.Tree.Root[:]), described.Root)
	require.Equal(t, map[string]map[string]string{"carrot_v1": {
		"key":                    b.MinerTx.Outputs[0].Key.String(),
		"view_tag":               hex.EncodeToString(b.MinerTx.Carrot[0].ViewTag[:]),
		"encrypted_janus_anchor": hex.EncodeToString(b.MinerTx.Carrot[0].Anchor[:]),
	}}, described.Miner.Vout[0].Target)
}

// TestForkReorganisation: branches replace blocks on both sides of the fork and across it, and the chain grows on.
func TestForkReorganisation(t *testing.T) {
	n := crossing(t)
	ctx := context.Background()
	_, err := n.Mine(ctx, 72, UnspendableAddress())
	require.NoError(t, err)
	for _, back := range []int{1, 5, 60, 2, 45} {
		before := n.Height()
		ids, err := n.Reorganise(ctx, back, UnspendableAddress())
		require.NoError(t, err)
		require.Len(t, ids, back+1)
		require.Equal(t, before+1, n.Height())
	}
	n.chain.View(func(v chain.View) {
		for h := uint64(1); h < v.Height(); h++ {
			b := v.Block(h).Block
			require.Equal(t, v.VersionAt(h), b.Major)
			require.Equal(t, h >= 20, b.Tree != nil)
		}
		require.EqualValues(t, 1, v.NextTree().Layers)
	})
}

// TestCompactCrossing: compact blocks say of the next hard fork what its blocks say. A client that reads only version 1
// is refused all that contains a block of the fork: fewer blocks would look to it like the end of the chain.
func TestCompactCrossing(t *testing.T) {
	n := crossing(t)
	_, err := n.Mine(t.Context(), 35, UnspendableAddress())
	require.NoError(t, err)
	c := daemon.New(n.Registry())
	for _, q := range []daemon.BlocksRequest{{Start: 1}, {Start: 15, Max: 10}, {Start: 25}} {
		raw, err := c.RawCompact(t.Context(), q)
		require.NoError(t, err)
		got, err := raw.Decode()
		require.NoError(t, err)
		want, err := c.Blocks(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, want.Blocks, got)
	}
	for start, blocks := range map[uint64]int{1: 10, 10: 10, 11: 0, 19: 0, 20: 0, 34: 0} {
		r := ask(t, n.Registry(), daemonrpc.GetCompactBlocks, daemonrpc.GetCompactBlocksRequest{
			Version: compact.MinVersion, StartHeight: start, MaxBlockCount: 10,
		})
		require.Len(t, r.Blocks, blocks, "from %d", start)
		if blocks == 0 {
			require.Equal(t, compact.TooOld, r.Status)
			continue
		}
		require.Equal(t, daemonrpc.StatusOK, r.Status)
		require.EqualValues(t, compact.MinVersion, r.Version)
	}
}
