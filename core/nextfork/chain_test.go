package nextfork

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/block"
	"glim/core/carrot"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// stream is a deterministic source of random bytes.
type stream struct{ n uint64 }

func (s *stream) Read(p []byte) (int, error) {
	for done := 0; done < len(p); {
		s.n++
		b := sha256.Sum256(binary.LittleEndian.AppendUint64(nil, s.n))
		done += copy(p[done:], b[:])
	}
	return len(p), nil
}

// world is a chain with the next hard fork, and its miner.
type world struct {
	testing.TB
	*chain.Chain
	options chain.Options
	miner   *keys.Keys
	to      address.Address
	now     uint64
	step    uint64 // seconds between blocks
}

// newWorld returns a chain that has versions 17 and 18 from these heights on.
func newWorld(t testing.TB, tree, proof uint64, change ...func(*chain.Options)) *world {
	miner, err := keys.FromSeed([32]byte{7})
	require.NoError(t, err)
	w := &world{TB: t, miner: miner, now: 1_700_000_000, step: xmr.TargetSeconds}
	w.to = address.Address{Network: xmr.Mainnet, Spend: miner.SpendPublic, View: miner.ViewPublic}
	w.options = chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Forks: consensus.RegtestForks(tree, proof), Next: Fork{},
		Now: func() uint64 { return w.now }, Random: new(stream),
	}
	for _, f := range change {
		f(&w.options)
	}
	w.Chain, err = chain.New(w.options)
	require.NoError(t, err)
	return w
}

// template returns a block on prev, or on the top if prev is nil.
func (w *world) template(prev *xmr.Hash) *block.Block {
	w.Helper()
	w.now += w.step
	template, err := w.NewTemplate(w.to, nil, prev)
	require.NoError(w, err)
	return template.Block
}

// mine adds n blocks to a branch that ends in prev, or to the main chain if prev is nil, and returns the last ID.
func (w *world) mine(n int, prev *xmr.Hash) *xmr.Hash {
	w.Helper()
	for range n {
		added, err := w.AddBlock(w.template(prev).Append(nil))
		require.NoError(w, err)
		if prev != nil {
			prev = &added.ID
		}
	}
	return prev
}

// id returns the ID of a block of the main chain.
func (w *world) id(height uint64) (id xmr.Hash) {
	w.View(func(v chain.View) { id = v.Block(height).ID })
	return id
}

func (w *world) height() (height uint64) {
	w.View(func(v chain.View) { height = v.Height() })
	return height
}

// placed is an output of a chain, and the last block in which it is locked.
type placed struct {
	last   uint64
	output chain.TreeOutput
}

// placedOutputs returns all outputs of a chain in their order.
func placedOutputs(w *world) (all []placed) {
	w.View(func(v chain.View) {
		for h := range v.Height() {
			b := v.Block(h)
			txs := []*tx.Transaction{&b.Block.MinerTx}
			for _, t := range b.Txs {
				txs = append(txs, t.Tx)
			}
			for _, t := range txs {
				for i, o := range t.Outputs {
					e := placed{last: h + 9, output: chain.TreeOutput{Key: o.Key, Carrot: t.Carrot != nil}}
					if t.IsCoinbase() {
						e.output.Commitment = edwards.CommitPublic(o.Amount).Encode()
					} else {
						e.output.Commitment = t.RingCT.Commitments[i]
					}
					if t.UnlockTime > 0 {
						e.last = max(e.last, t.UnlockTime-1)
					}
					all = append(all, e)
				}
			}
		}
	})
	return all
}

// roots computes the tree after each block of a chain in the simplest way, from nothing: it sorts all outputs by the
// last block in which they are locked and their place in the chain.
func roots(w *world) []block.Tree {
	all := placedOutputs(w)
	var out []block.Tree
	var list []chain.TreeOutput
	for h := range w.height() {
		low := uint64(0)
		if h > 0 {
			low = h + 9
		}
		for last := low; last <= h+9; last++ {
			for _, e := range all {
				if e.last == last {
					list = append(list, e.output)
				}
			}
		}
		var t block.Tree
		t.Layers, t.Root = Fork{}.NewTree().Grow(list).Root()
		out = append(out, t)
	}
	return out
}

// requireRoots compares the trees that blocks commit to with those computed from nothing.
func (w *world) requireRoots() {
	w.Helper()
	want := roots(w)
	w.View(func(v chain.View) {
		for h := uint64(1); h < v.Height(); h++ {
			b := v.Block(h).Block
			if v.VersionAt(h) < consensus.TreeVersion {
				require.Nil(w, b.Tree, h)
				continue
			}
			require.Equal(w, &want[h-1], b.Tree, h)
		}
		next := v.NextTree()
		if v.VersionAt(v.Height()) < consensus.TreeVersion {
			require.Nil(w, next)
		} else {
			require.Equal(w, &want[v.Height()-1], next)
		}
	})
}

// TestCrossing: a chain crosses both heights of the fork. Its blocks have the versions of the schedule, coinbases that
// the miner finds, and trees of all outputs, with those from before the fork.
func TestCrossing(t *testing.T) {
	w := newWorld(t, 70, 75)
	w.mine(120, nil)
	w.requireRoots()
	view, err := carrot.NewIncoming(carrot.Default, w.miner.ViewSecret(), w.miner.SpendPublic)
	require.NoError(t, err)
	w.View(func(v chain.View) {
		for h := uint64(1); h < v.Height(); h++ {
			b := v.Block(h)
			want := uint8(16)
			if h >= 75 {
				want = 18
			} else if h >= 70 {
				want = 17
			}
			require.Equal(t, want, b.Block.Major)
			require.Equal(t, uint8(18), b.Block.Minor)
			parsed, err := block.Parse(b.Blob)
			require.NoError(t, err)
			require.Equal(t, b.Block, parsed)
			if want < consensus.TreeVersion {
				continue
			}
			_, id, coinbase, err := fcmptx.Default.ParseBlockForWallet(b.Blob)
			require.NoError(t, err)
			require.Equal(t, id, b.ID)
			miner, err := parsed.MinerTx.Hash()
			require.NoError(t, err)
			require.Equal(t, miner, coinbase)
			enotes, err := fcmptx.CoinbaseEnotes(&parsed.MinerTx)
			require.NoError(t, err)
			got, ok := view.ScanCoinbase(&enotes[0])
			require.True(t, ok)
			require.Equal(t, b.Reward(), got.Amount)
		}
		require.Equal(t, uint8(2), v.Block(119).Block.Tree.Layers, "more than 38 outputs")
	})
}

// TestReorganisations: random sequences of blocks, branches and popped blocks on both sides of the fork lead to the
// same trees as building them from nothing, and so does a restart.
func TestReorganisations(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t, 60, 60+seed*5)
		w.mine(50+random.IntN(8), nil)
		for range 12 {
			switch random.IntN(4) {
			case 0:
				w.mine(1+random.IntN(10), nil)
			case 1:
				_, err := w.PopBlocks(uint64(1 + random.IntN(12)))
				require.NoError(t, err)
			default: // a longer branch replaces the last blocks
				back := uint64(1 + random.IntN(12))
				prev := w.id(w.height() - 1 - back)
				w.mine(int(back)+1, &prev)
			}
		}
		w.requireRoots()
	}
}
