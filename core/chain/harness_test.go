package chain

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/build"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// stream is a source of bytes that follow from a seed.
type stream struct {
	seed byte
	n    uint64
}

func (s *stream) Read(p []byte) (int, error) {
	for done := 0; done < len(p); {
		s.n++
		b := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte{s.seed}, s.n))
		done += copy(p[done:], b[:])
	}
	return len(p), nil
}

// life is a chain whose miner is known, so that its rewards can be spent.
type life struct {
	t      testing.TB
	chain  *Chain
	owner  *keys.Keys
	to     address.Address
	now    uint64
	random *stream
}

func newLife(t testing.TB, change ...func(*Options)) *life {
	t.Helper()
	owner, err := keys.FromSeed([32]byte{7})
	require.NoError(t, err)
	l := &life{t: t, owner: owner, now: 1_700_000_000, random: &stream{seed: 1}}
	l.to = address.Address{Network: xmr.Mainnet, Spend: owner.SpendPublic, View: owner.ViewPublic}
	o := Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: func() uint64 { return l.now }, Random: l.random}
	for _, f := range change {
		f(&o)
	}
	l.chain, err = New(o)
	require.NoError(t, err)
	return l
}

// block returns a block on prev, or on the top.
func (l *life) block(prev *xmr.Hash) []byte {
	l.t.Helper()
	l.now += xmr.TargetSeconds
	template, err := l.chain.NewTemplate(l.to, nil, prev)
	require.NoError(l.t, err)
	return template.Block.Append(nil)
}

func (l *life) add(blob []byte) Added {
	l.t.Helper()
	added, err := l.chain.AddBlock(blob)
	require.NoError(l.t, err)
	return added
}

// mine adds n blocks on the top.
func (l *life) mine(n int) {
	l.t.Helper()
	for range n {
		require.True(l.t, l.add(l.block(nil)).Main)
	}
}

// mineOn adds n blocks on a block and returns the last one's ID.
func (l *life) mineOn(prev xmr.Hash, n int) xmr.Hash {
	l.t.Helper()
	for range n {
		prev = l.add(l.block(&prev)).ID
	}
	return prev
}

// input returns the reward of a block, ready to be spent.
func (l *life) input(height uint64) build.Input {
	l.t.Helper()
	b := l.chain.blocks[height]
	coinbase := &b.Block.MinerTx
	extra, _ := tx.ParseExtra(coinbase.Extra)
	derivation, err := edwards.Derive(l.owner.ViewScalar(), extra.PublicKeys[0])
	require.NoError(l.t, err)
	return build.Input{
		TxID: b.CoinbaseID, Global: b.Indices[0][0], Amount: coinbase.Outputs[0].Amount, Mask: [32]byte{1},
		Key: coinbase.Outputs[0].Key, Derivation: derivation, Height: height, RingCT: true,
	}
}

// ring returns the ring of the outputs from index first on, among which is in.
func (l *life) ring(in build.Input, first uint64) decoy.Ring {
	r := decoy.Ring{Real: int(in.Global - first)}
	for i := range uint64(xmr.RingSize) {
		o := l.chain.outputs[0][first+i]
		r.Members = append(r.Members, decoy.Member{Index: first + i, Key: o.Key, Commitment: o.Commitment})
	}
	return r
}

// pay returns a transaction that spends the rewards of blocks and pays amount, the rest being change. Rings begin at
// the block spent, or at 16 before it.
func (l *life) pay(p fee.Priority, amount uint64, heights ...uint64) []byte {
	l.t.Helper()
	stranger, err := keys.FromSeed([32]byte{9})
	require.NoError(l.t, err)
	plan := build.Plan{
		Destinations: []build.Destination{{Address: address.Address{Network: xmr.Mainnet, Spend: stranger.SpendPublic, View: stranger.ViewPublic}, Amount: amount}},
		Change:       l.to,
	}
	var rings []decoy.Ring
	for _, h := range heights {
		in := l.input(h)
		plan.Inputs = append(plan.Inputs, in)
		rings = append(rings, l.ring(in, max(in.Global, 15)-15))
	}
	var levels fee.Levels
	l.chain.View(func(v View) { levels, err = v.Fees(10) })
	require.NoError(l.t, err)
	estimate, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), levels[:], fee.Quantum)
	require.NoError(l.t, err)
	r, err := build.Construct(l.random, l.owner, plan, rings, build.Rate{Fees: estimate, Priority: p})
	require.NoError(l.t, err)
	return r.Blob
}

// send puts such a transaction into the pool.
func (l *life) send(p fee.Priority, heights ...uint64) xmr.Hash {
	l.t.Helper()
	id, err := l.chain.AddTx(l.pay(p, 1e12, heights...), false)
	require.NoError(l.t, err)
	return id
}

// snapshot is everything a chain is but its pool.
type snapshot struct {
	Blocks  []*Block
	ByID    map[xmr.Hash]uint64
	Txs     map[xmr.Hash]Place
	Images  map[xmr.KeyImage]struct{}
	Outputs map[uint64][]Output
	Long    consensus.Window
	Limits  consensus.Limits
}

func snap(c *Chain) snapshot {
	s := snapshot{
		Blocks: append([]*Block(nil), c.blocks...), ByID: map[xmr.Hash]uint64{}, Txs: map[xmr.Hash]Place{},
		Images: map[xmr.KeyImage]struct{}{}, Outputs: map[uint64][]Output{}, Long: *c.long.Clone(), Limits: c.limits,
	}
	for k, v := range c.byID {
		s.ByID[k] = v
	}
	for k, v := range c.txs {
		s.Txs[k] = v
	}
	for k, v := range c.images {
		s.Images[k] = v
	}
	for k, v := range c.outputs {
		s.Outputs[k] = append([]Output(nil), v...)
	}
	return s
}
