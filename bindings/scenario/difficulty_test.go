package scenario

import (
	"crypto/rand"
	"encoding/hex"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// prospector finds nonces with hashes of monerod, which are fast.
type prospector struct {
	t *testing.T
	d *peers.Daemon
	c *chain.Chain
}

// good reports whether the hash of a block satisfies a difficulty.
func (p prospector) good(b *block.Block, height uint64, d consensus.Difficulty) bool {
	p.t.Helper()
	blob, err := b.HashingBlob()
	require.NoError(p.t, err)
	// The seed of a short chain is its genesis block.
	got := call[string](p.t, p.d, "calc_pow", object{"major_version": 16, "height": height,
		"block_blob": hex.EncodeToString(blob), "seed_hash": xmr.Regtest.GenesisHash().String()})
	hash, err := xmr.ParseHash(got)
	require.NoError(p.t, err)
	return consensus.CheckWork(hash, d)
}

// mine returns a block on prev, or on the top, with a timestamp and a valid nonce.
func (p prospector) mine(prev *xmr.Hash, at uint64) *block.Block {
	p.t.Helper()
	made := p.template(prev)
	for made.Block.Timestamp = at; !p.good(made.Block, made.Height, made.Difficulty); made.Block.Nonce++ {
	}
	return made.Block
}

func (p prospector) template(prev *xmr.Hash) *chain.Template {
	p.t.Helper()
	to, err := address.Parse(at(p.t, nobody, 0, 0))
	require.NoError(p.t, err)
	made, err := p.c.NewTemplate(to, nil, prev)
	require.NoError(p.t, err)
	return made
}

// TestDifficultyFollowsTheTimes grows a chain without a fixed difficulty, with blocks that are too fast, too slow,
// simultaneous and before their predecessors. Both daemons require the same difficulty of every block, also on a
// branch, and select the same main chain, which may be the shorter one with more work.
func TestDifficultyFollowsTheTimes(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	d := peers.NewDaemon(t, peers.Options{Dynamic: true})
	c, err := chain.New(chain.Options{
		Network: xmr.Regtest, PoW: consensus.NewPoW(1), Random: rand.Reader, Now: func() uint64 {
			return uint64(time.Now().Unix())
		},
	})
	require.NoError(t, err)
	p := prospector{t, d, c}
	now := uint64(time.Now().Unix()) - 86400
	seen := map[string]bool{}
	for _, wait := range []int{
		0, 60, 40, 130, 90, 300, 0, 50, -30, 200, 120, -90, 400, 130, 80, 110, 10, 35, 600, 900, 800, 700,
	} {
		now = uint64(int(now) + wait)
		b := p.mine(nil, now)
		require.True(t, submit(t, d, b))
		_, err := c.AddBlock(b.Append(nil))
		require.NoError(t, err)
		info := call[daemonrpc.GetInfoResponse](t, d, "get_info", nil)
		c.View(func(v chain.View) { require.Equal(t, info.WideDifficulty, v.NextDifficulty().String()) })
		seen[info.WideDifficulty] = true
	}
	require.Greater(t, len(seen), 3)
	sameChain(t, d, c, 0)

	// Both refuse a block with too little work.
	b := p.template(nil)
	for b.Block.Timestamp = now; p.good(b.Block, b.Height, b.Difficulty); b.Block.Nonce++ {
	}
	require.False(t, submit(t, d, b.Block))
	_, err = c.AddBlock(b.Block.Append(nil))
	require.ErrorIs(t, err, consensus.ErrWork)

	// A branch of fast blocks: fewer blocks have more work.
	var prev xmr.Hash
	var height uint64
	c.View(func(v chain.View) {
		height = v.Height()
		b := v.Block(height - 5)
		prev, now = b.ID, b.Block.Timestamp
	})
	for n := 1; ; n++ {
		now++
		b := p.mine(&prev, now)
		prev, err = b.Hash()
		require.NoError(t, err)
		taken := submit(t, d, b)
		added, err := c.AddBlock(b.Append(nil))
		require.NoError(t, err)
		require.Equal(t, taken, added.Main)
		if taken {
			require.Less(t, n, 4)
			break
		}
		chains := call[daemonrpc.GetAlternateChainsResponse](t, d, "get_alternate_chains", nil).Chains
		require.Len(t, chains, 1)
		c.View(func(v chain.View) {
			top := v.Branches()[0][n-1]
			require.Equal(t, chains[0].BlockHash, top.ID.String())
			require.Equal(t, chains[0].WideDifficulty, top.Cumulative.String())
		})
	}
	sameChain(t, d, c, 0)
}
