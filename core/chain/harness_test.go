package chain

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// stream is a deterministic source of random bytes.
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

// testChain is a chain with a miner whose rewards can be spent.
type testChain struct {
	t      testing.TB
	chain  *Chain
	owner  *keys.Keys
	to     address.Address
	now    uint64
	random *stream
}

func newTestChain(t testing.TB, change ...func(*Options)) *testChain {
	t.Helper()
	owner, err := keys.FromSeed([32]byte{7})
	require.NoError(t, err)
	l := &testChain{t: t, owner: owner, now: 1_700_000_000, random: &stream{seed: 1}}
	l.to = address.Address{Network: xmr.Mainnet, Spend: owner.SpendPublic, View: owner.ViewPublic}
	o := Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: func() uint64 { return l.now }, Random: l.random}
	for _, f := range change {
		f(&o)
	}
	l.chain, err = New(o)
	require.NoError(t, err)
	return l
}

// block returns a new block on prev, or on the top if prev is nil.
func (l *testChain) block(prev *xmr.Hash) []byte {
	l.t.Helper()
	l.now += xmr.TargetSeconds
	template, err := l.chain.NewTemplate(l.to, nil, prev)
	require.NoError(l.t, err)
	return template.Block.Append(nil)
}

func (l *testChain) add(blob []byte) Added {
	l.t.Helper()
	added, err := l.chain.AddBlock(blob)
	require.NoError(l.t, err)
	return added
}

// mine adds n blocks to the main chain.
func (l *testChain) mine(n int) {
	l.t.Helper()
	for range n {
		require.True(l.t, l.add(l.block(nil)).Main)
	}
}

// mineOn adds n blocks on block prev and returns the ID of the last one.
func (l *testChain) mineOn(prev xmr.Hash, n int) xmr.Hash {
	l.t.Helper()
	for range n {
		prev = l.add(l.block(&prev)).ID
	}
	return prev
}

// input returns the reward of a block as an input.
func (l *testChain) input(height uint64) txbuild.Input {
	l.t.Helper()
	b := l.chain.blocks[height]
	coinbase := &b.Block.MinerTx
	extra, _ := tx.ParseExtra(coinbase.Extra)
	derivation, err := edwards.Derive(l.owner.ViewScalar(), extra.PublicKeys[0])
	require.NoError(l.t, err)
	return txbuild.Input{
		TxID: b.CoinbaseID, GlobalIndex: b.Indices[0][0], Amount: coinbase.Outputs[0].Amount, Mask: [32]byte{1},
		Key: coinbase.Outputs[0].Key, Derivation: derivation, Height: height, RingCT: true,
	}
}

// ring returns a ring of in and the outputs around it, which start at global index first.
func (l *testChain) ring(in txbuild.Input, first uint64) decoy.Ring {
	r := decoy.Ring{Real: int(in.GlobalIndex - first)}
	for i := range uint64(xmr.RingSize) {
		o := l.chain.outputs[0][first+i]
		r.Members = append(r.Members, decoy.Member{Index: first + i, Key: o.Key, Commitment: o.Commitment})
	}
	return r
}

// pay returns a transaction that spends the rewards of blocks and pays amount; the rest is change. The rings contain
// the spent output and up to 15 before it.
func (l *testChain) pay(p fee.Priority, amount uint64, heights ...uint64) []byte {
	l.t.Helper()
	recipient, err := keys.FromSeed([32]byte{9})
	require.NoError(l.t, err)
	to := address.Address{Network: xmr.Mainnet, Spend: recipient.SpendPublic, View: recipient.ViewPublic}
	plan := txbuild.Plan{Destinations: []txbuild.Destination{{Address: to, Amount: amount}}, Change: l.to}
	var rings []decoy.Ring
	for _, h := range heights {
		in := l.input(h)
		plan.Inputs = append(plan.Inputs, in)
		rings = append(rings, l.ring(in, max(in.GlobalIndex, 15)-15))
	}
	var levels []uint64
	l.chain.View(func(v View) { levels, err = v.Fees(10) })
	require.NoError(l.t, err)
	estimate, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), levels, fee.Quantum)
	require.NoError(l.t, err)
	r, err := txbuild.Construct(l.random, l.owner, plan, rings, txbuild.Rate{Fees: estimate, Priority: p})
	require.NoError(l.t, err)
	return r.Blob
}

// send adds a transaction of pay to the pool.
func (l *testChain) send(p fee.Priority, heights ...uint64) xmr.Hash {
	l.t.Helper()
	id, err := l.chain.AddTx(l.pay(p, 1e12, heights...), false)
	require.NoError(l.t, err)
	return id
}

// snapshot is the state of a chain without the pool.
type snapshot struct {
	Blocks  []*Block
	ByID    map[xmr.Hash]uint64
	Txs     map[xmr.Hash]TxLocation
	Images  map[xmr.KeyImage]struct{}
	Outputs map[uint64][]Output
	Long    consensus.Window
	Limits  consensus.Limits
}

func snap(c *Chain) snapshot {
	s := snapshot{
		Blocks: append([]*Block(nil), c.blocks...), ByID: map[xmr.Hash]uint64{}, Txs: map[xmr.Hash]TxLocation{},
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
