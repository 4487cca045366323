package walletpaths

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/carrot"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/nextfork"
	"glim/core/session"
	"glim/core/syncer"
	"glim/core/treecache"
	"glim/core/wallet"
	"glim/core/xmr"
)

// fork is the height of the first block of the next hard fork on the chains of tests.
const fork = 70

var _ session.Paths = (*Paths)(nil)

// world is a chain that crosses the fork, a source of its blocks, and a wallet that follows it.
type world struct {
	testing.TB
	*chain.Chain
	keys *keys.Keys
	to   address.Address // whom blocks pay
	now  uint64

	asked   int // number of requests for full blocks
	sent    int // number of full blocks in the answers
	compact int // number of compact blocks in the answers
	alter   func(b *syncer.Block)

	file  *journal.Memory
	store memory
	*session.Session
	paths *Paths
}

// memory is a Store.
type memory struct {
	mu      sync.Mutex
	content []byte
	saves   int
	err     error
}

func (m *memory) Load() ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.content == nil {
		return nil, errors.New("nothing is stored")
	}
	return slices.Clone(m.content), nil
}

func (m *memory) Save(b []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return m.err
	}
	m.content, m.saves = slices.Clone(b), m.saves+1
	return nil
}

func newWorld(t testing.TB) *world {
	k, err := keys.FromSeed([32]byte{7})
	require.NoError(t, err)
	w := &world{TB: t, keys: k, now: 1_700_000_000}
	w.to = address.Address{Network: xmr.Mainnet, Spend: k.SpendPublic, View: k.ViewPublic}
	w.Chain, err = chain.New(chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Forks: consensus.RegtestForks(fork, fork+5), Next: nextfork.Fork{},
		Now: func() uint64 { return w.now }, Random: rand.Reader,
	})
	require.NoError(t, err)
	return w
}

// nobody receives rewards that belong to no wallet.
func nobody() address.Address {
	return address.Address{Network: xmr.Mainnet, Spend: xmr.PublicKey(new(edwards.Point).ScalarBaseMult(
		edwards.ScalarFromUint64(3)).Encode()), View: edwards.Base().Encode()}
}

// mine adds n blocks to the branch that ends in prev, or to the main chain.
func (w *world) mine(n int, prev *xmr.Hash) {
	w.Helper()
	for range n {
		w.now += xmr.TargetSeconds
		template, err := w.NewTemplate(w.to, nil, prev)
		require.NoError(w, err)
		got, err := w.AddBlock(template.Block.Append(nil))
		require.NoError(w, err)
		if prev != nil {
			prev = &got.ID
		}
	}
}

// branch replaces the blocks from index height on by n others.
func (w *world) branch(height uint64, n int) {
	w.Helper()
	var prev xmr.Hash
	w.Chain.View(func(v chain.View) { prev = v.Block(height - 1).ID })
	w.mine(n, &prev)
	w.Chain.View(func(v chain.View) { require.Equal(w, height+uint64(n), v.Height()) })
}

// open opens the wallet. It creates a missing wallet first.
func (w *world) open(k *keys.Keys) {
	w.Helper()
	host := session.Host{
		Random: rand.Reader, Now: func() uint64 { return w.now }, Workers: 1,
		Paths: func(k *keys.Keys) session.Paths {
			w.paths = New(carrot.Default, k, &w.store, rand.Reader)
			return w.paths
		},
	}
	var err error
	if w.file == nil {
		w.file = journal.NewMemory()
		identity := wallet.Identity{Network: xmr.Mainnet, Keys: k, Language: "English", RestoreHeight: 1}
		w.Session, err = session.Create(
			w.file, []byte("p"), journal.WeakestKDF(), identity, wallet.Lookahead{Major: 2, Minor: 4}, host)
	} else {
		w.Session, err = session.Open(w.file, []byte("p"), host)
	}
	require.NoError(w, err)
}

// refresh refreshes the wallet, and returns the numbers of requests for full blocks, and of such blocks.
func (w *world) refresh(from syncer.Source) (asked, sent int) {
	w.Helper()
	askedBefore, sentBefore := w.asked, w.sent
	_, err := w.Session.Refresh(w.Context(), from, 0)
	require.NoError(w, err)
	return w.asked - askedBefore, w.sent - sentBefore
}

// rescan is rescan_bc.
func (w *world) rescan() error {
	return w.Session.ChangeForgetting(func(s *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return s.DecideRescanByOwner(), nil, nil
	})
}

// requirePaths requires that the tree is that of the chain, with the paths of all outputs of the wallet that may be
// spent.
func (w *world) requirePaths() {
	w.Helper()
	require.NoError(w, w.paths.Use(w.Session.View, func(c *treecache.Cache) error {
		reference, ok := c.Reference()
		require.True(w, ok)
		w.Chain.View(func(v chain.View) {
			require.Equal(w, v.Height()-1, reference)
			if tree := v.Block(reference).Block.Tree; tree != nil {
				require.Equal(w, v.NextTree().Root, c.Next().Hash)
			}
		})
		root, err := c.Root(reference)
		require.NoError(w, err)
		spendable := 0
		w.Session.View(func(state *wallet.Wallet) {
			for i := range state.Outputs() {
				o := &state.Outputs()[i]
				out, err := outputOf(o)
				require.NoError(w, err)
				path, err := c.Path(reference, out)
				if consensus.LastLocked(o.UnlockTime, o.Height) > reference {
					require.ErrorIs(w, err, treecache.ErrLocked)
					continue
				}
				require.NoError(w, err)
				leads, err := path.Root()
				require.NoError(w, err)
				require.Equal(w, root, leads)
				spendable++
			}
		})
		require.NotZero(w, spendable)
		return nil
	}))
}

// full is the source of full blocks.
type full struct{ *world }

func (f full) Height(context.Context) (height uint64, err error) {
	f.Chain.View(func(v chain.View) { height = v.Height() })
	return height, nil
}

func (f full) Pool(context.Context, func(*syncer.PoolEpoch, xmr.Hash) bool) (syncer.Pool, error) {
	return syncer.Pool{}, nil
}

func (f full) Blocks(_ context.Context, q syncer.Request) (syncer.Batch, error) {
	b := f.read(q)
	f.asked, f.sent = f.asked+1, f.sent+len(b.Blocks)
	if f.alter != nil {
		for i := range b.Blocks {
			f.alter(&b.Blocks[i])
		}
	}
	return b, nil
}

// lean is the source of compact blocks.
type lean struct{ full }

func (l lean) WithRings() syncer.Source { return l.full }

func (l lean) Blocks(_ context.Context, q syncer.Request) (syncer.Batch, error) {
	b := l.read(q)
	l.compact += len(b.Blocks)
	for i := range b.Blocks {
		b.Blocks[i].Tree = nil
		for k := range b.Blocks[i].Txs {
			b.Blocks[i].Txs[k].Compact = true
		}
	}
	return b, nil
}

// read returns at most 25 blocks, as a daemon does.
func (w *world) read(q syncer.Request) (out syncer.Batch) {
	w.Chain.View(func(v chain.View) {
		out.Height = v.Height()
		first := q.Start
		if first == 0 {
			for first = v.Height() - 1; first > 0 && !slices.Contains(q.History, v.Block(first).ID); {
				first--
			}
		}
		for h := first; h < min(first+25, v.Height()); h++ {
			b := v.Block(h)
			block := syncer.Block{
				Height: h, Hash: b.ID, Prev: b.Block.Prev, Version: b.Block.Major, Timestamp: b.Block.Timestamp,
				Tree: b.Block.Tree,
				Txs:  []syncer.Tx{{ID: b.CoinbaseID, Tx: &b.Block.MinerTx, Indices: b.Indices[0], Proven: true}},
			}
			for i, t := range b.Txs {
				block.Txs = append(block.Txs, syncer.Tx{ID: t.ID, Tx: t.Tx, Indices: b.Indices[i+1], Proven: true})
			}
			out.Blocks = append(out.Blocks, block)
		}
	})
	return out
}
