package chain

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/fee"
	"glim/core/xmr"
)

// memory is a store that can fail, either before or after it has stored everything.
type memory struct {
	records map[string]string
	commits int
	fails   error
	late    bool // it fails after it has stored everything
}

func (m *memory) Load(visit func(key, value []byte) error) error {
	for _, key := range slices.Sorted(maps.Keys(m.records)) {
		k, v := []byte(key), []byte(m.records[key])
		err := visit(k, v)
		clear(k) // the chain must not keep them
		clear(v)
		if err != nil {
			return err
		}
	}
	return m.fails
}

func (m *memory) Commit(put []Record, drop [][]byte) error {
	if m.fails != nil && !m.late {
		return m.fails
	}
	if m.records == nil {
		m.records = map[string]string{}
	}
	m.commits++
	for _, r := range put {
		m.records[string(r.Key)] = string(r.Value)
	}
	for _, key := range drop {
		delete(m.records, string(key))
	}
	return m.fails
}

func (m *memory) copy() *memory { return &memory{records: maps.Clone(m.records)} }

// open returns the chain of a store.
func open(t testing.TB, m *memory) *testChain {
	t.Helper()
	return newTestChain(t, func(o *Options) { o.Store = m })
}

// sameAsStored requires that a chain opened from a copy of the store equals l.
func sameAsStored(t *testing.T, l *testChain, m *memory) {
	t.Helper()
	again := open(t, m.copy())
	require.Equal(t, snap(l.chain), snap(again.chain))
	require.Equal(t, l.chain.pool.byID, again.chain.pool.byID)
	require.Equal(t, l.chain.pool.images, again.chain.pool.images)
	require.Equal(t, l.chain.pool.weight, again.chain.pool.weight)
}

// TestStoredChainIsTheChain compares the stored with the live chain after every kind of change, and requires one
// commit for each change.
func TestStoredChainIsTheChain(t *testing.T) {
	m := new(memory)
	l := open(t, m)
	require.Equal(t, 1, m.commits)
	step := func(what string, do func()) {
		t.Helper()
		before := m.commits
		do()
		require.Equal(t, before+1, m.commits, what)
		sameAsStored(t, l, m)
	}
	l.mine(80)
	fork := l.chain.top().ID
	id := xmr.Hash{}
	step("pay", func() { id = l.send(fee.Slow, 3) })
	step("mine", func() { l.mine(1) })
	l.mine(1)
	l.mineOn(fork, 2)
	sameAsStored(t, l, m)
	tip := l.chain.branches
	step("overtake", func() { l.mineOn(l.tip(), 1) })
	require.Len(t, tip.byID, 2)
	require.Contains(t, l.chain.pool.byID, id)
	step("add without relay", func() {
		_, err := l.chain.AddTx(l.pay(fee.Slow, 1e12, 5), true)
		require.NoError(t, err)
	})
	step("relay", func() { _, err := l.chain.SetRelayed(id); require.NoError(t, err) })
	step("mine all", func() { l.mine(1) })
	require.Len(t, l.chain.top().Txs, 2)
	step("pop", func() { _, err := l.chain.PopBlocks(4); require.NoError(t, err) })
	require.Len(t, l.chain.pool.byID, 2)
	step("flush", func() { require.NoError(t, l.chain.FlushPool(id)) })
	step("a batch", func() {
		require.NoError(t, l.chain.Batch(func(b Batch) error {
			for range 7 {
				made, err := b.NewTemplate(l.to, nil, nil)
				require.NoError(t, err)
				added, err := b.AddBlock(made.Block.Append(nil))
				require.NoError(t, err)
				require.True(t, added.Main)
			}
			return nil
		}))
	})
	before := m.commits
	require.NoError(t, l.chain.Save())
	require.Equal(t, before, m.commits, "everything is stored already")
}

func (l *testChain) offMain() (ids []xmr.Hash) {
	l.chain.View(func(v View) { ids = v.OffMain() })
	return ids
}

// tip returns the ID of the last block of the longest branch.
func (l *testChain) tip() (id xmr.Hash) {
	var height uint64
	for _, b := range l.chain.branches.byID {
		if b.Height > height {
			id, height = b.ID, b.Height
		}
	}
	return id
}

// TestDifficultyIsStored opens a chain with another fixed difficulty: stored blocks keep theirs.
func TestDifficultyIsStored(t *testing.T) {
	m := new(memory)
	l := open(t, m)
	l.mine(5)
	again := newTestChain(t, func(o *Options) { o.Store, o.FixedDifficulty = m, 1000 })
	require.Equal(t, snap(l.chain), snap(again.chain))
	again.chain.View(func(v View) { require.EqualValues(t, 1000, v.NextDifficulty().Lo) })
}

// TestDamagedStore damages, truncates, moves and deletes records: the chain does not open.
func TestDamagedStore(t *testing.T) {
	m := new(memory)
	l := open(t, m)
	l.mine(80)
	l.send(fee.Slow, 3)
	l.mine(1)
	waiting := l.send(fee.Slow, 4)
	refused := func(want error, how func(*memory)) {
		t.Helper()
		bad := m.copy()
		how(bad)
		content := maps.Clone(bad.records)
		_, err := New(Options{
			Network: xmr.Regtest, FixedDifficulty: 1, Store: bad, Now: func() uint64 { return 0 },
		})
		require.ErrorIs(t, err, want)
		require.Equal(t, content, bad.records)
	}
	key := func(height uint64) string { return string(blockKey(height)) }
	for _, k := range []string{"\x00", key(1), key(81), string(poolKey(waiting))} {
		for at := 0; at < len(m.records[k]); at += 2 + at {
			refused(ErrStored, func(m *memory) { // damage
				v := []byte(m.records[k])
				v[at] ^= 1 << (at % 8)
				m.records[k] = string(v)
			})
			refused(ErrStored, func(m *memory) { m.records[k] = m.records[k][:at] })
			refused(ErrStored, func(m *memory) { // truncated, with a valid checksum
				v := []byte(m.records[k])[:max(at, sumSize)]
				m.records[k] = string(seal([]byte(k), v).Value)
			})
		}
		refused(ErrStored, func(m *memory) { m.records[k+"x"] = m.records[k] })
		refused(ErrStored, func(m *memory) {
			m.records[k+"x"] = string(seal([]byte(k+"x"), []byte(m.records[k])).Value)
		})
	}
	moved := func(to string, from string) func(*memory) {
		return func(m *memory) { m.records[to] = string(seal([]byte(to), []byte(m.records[from])).Value) }
	}
	refused(ErrStored, moved(key(70), key(71)))
	refused(ErrStored, moved(key(82), key(81)))
	refused(ErrStored, moved(string(poolKey(xmr.Hash{1})), string(poolKey(waiting))))
	refused(ErrStored, moved("\x03", "\x00"))
	refused(ErrStored, func(m *memory) { delete(m.records, key(70)) })
	refused(ErrStored, func(m *memory) { delete(m.records, "\x00") })
	refused(ErrStored, func(m *memory) { m.records[""] = string(seal(nil, make([]byte, 9)).Value) })
	refused(ErrStored, func(m *memory) {
		v := []byte(m.records["\x00"])
		v[sumSize]++
		m.records["\x00"] = string(seal([]byte{0}, v).Value)
	})
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet} {
		refused(ErrNetwork, func(m *memory) { m.records["\x00"] = string(originRecord(n).Value) })
	}
	bad := m.copy()
	bad.fails = errors.New("disk broken")
	_, err := New(Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Store: bad, Now: func() uint64 { return 0 },
	})
	require.ErrorIs(t, err, bad.fails)
	empty := &memory{fails: bad.fails}
	_, err = New(Options{Network: xmr.Regtest, FixedDifficulty: 1, Store: empty, Now: func() uint64 { return 0 }})
	require.ErrorIs(t, err, bad.fails)
}

// TestFailingStore: if the store fails, nothing changes, whether it has stored nothing or everything. The chain
// continues when the store works again.
func TestFailingStore(t *testing.T) {
	for _, late := range []bool{false, true} {
		m := new(memory)
		l := open(t, m)
		l.mine(80)
		fork := l.chain.top().ID
		l.send(fee.Slow, 3)
		l.mine(1)
		tip := l.mineOn(fork, 1)
		id := l.send(fee.Slow, 4)
		next, overtake, payment := l.block(nil), l.block(&tip), l.pay(fee.Slow, 1e12, 5)
		require.NoError(t, l.chain.Save())
		state, waiting, branches := snap(l.chain), maps.Clone(l.chain.pool.byID), l.offMain()
		unchanged := func() {
			t.Helper()
			now := snap(l.chain)
			require.Equal(t, state, now)
			require.Equal(t, waiting, l.chain.pool.byID)
			require.Equal(t, branches, l.offMain())
		}
		for range 2 {
			m.fails, m.late = errors.New("disk full"), late
			_, err := l.chain.AddTx(payment, false)
			require.ErrorIs(t, err, m.fails)
			unchanged()
			for _, b := range [][]byte{next, overtake} {
				added, err := l.chain.AddBlock(b)
				require.ErrorIs(t, err, m.fails)
				require.ErrorIs(t, err, ErrNotStored)
				require.False(t, added.Main)
				require.Empty(t, added.Left)
				unchanged()
			}
			left, err := l.chain.PopBlocks(3)
			require.ErrorIs(t, err, m.fails)
			require.EqualValues(t, len(state.Blocks), left)
			unchanged()
			require.ErrorIs(t, l.chain.FlushPool(), m.fails)
			unchanged()
			_, err = l.chain.SetRelayed(id)
			require.ErrorIs(t, err, m.fails)
			unchanged()
			stop := errors.New("enough")
			err = l.chain.Batch(func(b Batch) error {
				_, err := b.AddBlock(next)
				require.NoError(t, err)
				made, err := b.NewTemplate(l.to, nil, nil)
				require.NoError(t, err)
				_, err = b.AddBlock(made.Block.Append(nil))
				require.NoError(t, err)
				return stop
			})
			require.ErrorIs(t, err, m.fails)
			require.ErrorIs(t, err, stop)
			unchanged()
		}
		m.fails = nil
		require.NoError(t, l.chain.Save())
		sameAsStored(t, l, m)
		added := l.add(overtake)
		require.Len(t, added.Left, 1)
		sameAsStored(t, l, m)
	}
}

// TestStoreFailsNowAndThen makes random changes with a store that fails at random, and compares the stored with the
// live chain after each.
func TestStoreFailsNowAndThen(t *testing.T) {
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := new(memory)
		l := open(t, m)
		l.mine(90)
		failed, overtaken := 0, 0
		for range 60 {
			m.fails, m.late = nil, r.IntN(2) == 0
			if r.IntN(3) == 0 {
				m.fails = errors.New("disk full")
			}
			before := snap(l.chain)
			var err error
			switch r.IntN(12) {
			case 0, 1:
				_, err = l.chain.PopBlocks(r.Uint64N(3))
			case 2:
				_, err = l.chain.AddTx(l.pay(fee.Slow, 1e12, 1+r.Uint64N(20)), false)
			case 3, 4, 5:
				_, err = l.chain.AddBlock(l.block(nil))
			default:
				prev := l.chain.blocks[l.chain.height()-2].ID
				tip := l.chain.branches.get(l.tip())
				if tip != nil && tip.Height == l.chain.top().Height {
					prev = tip.ID
				}
				if _, ok := l.chain.branch(prev); !ok {
					continue // the block below the branch was popped
				}
				var added Added
				if added, err = l.chain.AddBlock(l.block(&prev)); len(added.Left) > 0 {
					overtaken++
				}
			}
			switch {
			case err == nil:
				m.fails = nil
				sameMain(t, l, m)
			case errors.Is(err, m.fails):
				failed++
				fallthrough
			default: // a block on a branch may turn out to be invalid when the branch overtakes
				require.Equal(t, before, snap(l.chain))
			}
		}
		m.fails = nil
		require.NotZero(t, failed)
		require.NotZero(t, overtaken)
		require.NoError(t, l.chain.Save())
		sameAsStored(t, l, m)
	}
}

// sameMain is sameAsStored without the pool, where changes may wait for the next commit.
func sameMain(t *testing.T, l *testChain, m *memory) {
	t.Helper()
	require.Equal(t, snap(l.chain), snap(open(t, m.copy()).chain))
}

// FuzzAddBlock adds arbitrary bytes as a block and as a transaction: nothing panics, and only the valid ones are
// accepted.
func FuzzAddBlock(f *testing.F) {
	l := newTestChain(f)
	l.mine(80)
	spend := l.pay(fee.Slow, 1e12, 3)
	good := l.block(nil)
	f.Add(good)
	f.Add(spend)
	f.Add(good[:50])
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append([]byte(nil), b...)
		if _, err := l.chain.AddTx(b, false); err == nil {
			if err := l.chain.FlushPool(); err != nil {
				t.Fatal(err)
			}
		}
		if added, err := l.chain.AddBlock(b, b); err == nil && added.Main {
			if _, err := l.chain.PopBlocks(1); err != nil {
				t.Fatal(err)
			}
		}
		if l.chain.height() != 81 {
			t.Fatal("the chain has changed")
		}
	})
}

// FuzzStored opens a chain with one arbitrary record that has a valid checksum: nothing panics, and a chain that opens
// is stored as it was.
func FuzzStored(f *testing.F) {
	m := new(memory)
	l := open(f, m)
	l.mine(80)
	l.send(fee.Slow, 3)
	l.mine(1)
	waiting := l.send(fee.Slow, 4)
	for _, key := range [][]byte{{0}, blockKey(1), blockKey(81), poolKey(waiting)} {
		f.Add(key, []byte(m.records[string(key)][sumSize:]))
	}
	f.Fuzz(func(t *testing.T, key, value []byte) {
		// To be fast, the chain ends with the replaced block.
		few := &memory{records: map[string]string{"\x00": m.records["\x00"]}}
		if len(key) == 9 && key[0] == recordBlock {
			for height := range min(binary.BigEndian.Uint64(key[1:]), 82) {
				few.records[string(blockKey(height))] = m.records[string(blockKey(height))]
			}
			delete(few.records, string(blockKey(0)))
		}
		few.records[string(key)] = string(seal(key, append(make([]byte, sumSize), value...)).Value)
		now := func() uint64 { return l.now }
		c, err := New(Options{Network: xmr.Regtest, FixedDifficulty: 1, Store: few, Now: now})
		if err != nil {
			return
		}
		for _, b := range c.blocks[1:] {
			if r := b.Record(); string(r.Value) != few.records[string(r.Key)] {
				t.Fatalf("block %d is stored differently", b.Height)
			}
		}
		for _, p := range c.pool.byID {
			r := poolRecord(p)
			if string(r.Key) == string(key) && !bytes.Equal(r.Value[sumSize+1:], value[1:]) {
				t.Fatal("a transaction is stored differently")
			}
		}
	})
}
