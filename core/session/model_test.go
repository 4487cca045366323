package session_test

import (
	"fmt"
	"slices"
	"testing"

	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/syncer"
	"glim/core/xmr"
)

// model is what a wallet should be, as plain lists that are looked through again each time, beside a session that is one. With it come
// a wallet of the same view key, which is told key images, and at the end one of the same seed, which reads it all at once.
type model struct {
	t     testing.TB
	steps []byte // what is done, and with what
	trace []string
	now   uint64

	chain *chaintest.Chain
	src   *chaintest.Source
	pool  []syncer.Tx
	made  map[xmr.Hash][]chaintest.Made // what transactions bring, by ID
	forks int

	s        *session.Session
	storage  *journal.Memory
	password string
	beside   *journal.Memory // the file to go on in without the spend key

	read   []syncer.Block // what the wallet has read
	seen   []syncer.Tx    // what it knows of the pool
	frozen map[xmr.KeyImage]bool
	labels map[keys.Index]string
	notes  map[xmr.Hash]string
	tags   map[uint32]string
	sent   map[xmr.Hash]*attempt
	minors [2]uint32 // how many addresses accounts have

	view *session.Session // sees and cannot spend; nil for none
	told map[xmr.PublicKey]bool
}

// attempt is a transaction that the wallet recorded.
type attempt struct {
	images []xmr.KeyImage
	change uint64
	to     keys.Index // where else it pays the wallet's own account, and what
	back   uint64
	at     uint64
	state  sendState
}

// sendState is where an attempt stands, as long as no block holds it.
type sendState uint8

const (
	pending sendState = iota
	inPool
	failed
)

// patience is how many seconds a transaction may be missing from the pool.
const patience = 500

func newModel(t testing.TB, steps []byte) *model {
	m := &model{t: t, steps: steps, now: chaintest.StartTime, chain: chaintest.New("model", xmr.Regtest), made: map[xmr.Hash][]chaintest.Made{},
		storage: journal.NewMemory(), password: "password", frozen: map[xmr.KeyImage]bool{}, labels: map[keys.Index]string{},
		notes: map[xmr.Hash]string{}, tags: map[uint32]string{}, sent: map[xmr.Hash]*attempt{}, told: map[xmr.PublicKey]bool{}}
	m.src = chaintest.NewSource(m.chain)
	m.s = create(t, m.storage, m.host())
	m.account(1)
	for major := range m.minors {
		m.addresses(uint32(major), 3)
	}
	if m.next()&1 == 1 {
		m.view = m.seeing()
	}
	return m
}

func (m *model) host() session.Host {
	h := host()
	h.Now = func() uint64 { return m.now }
	return h
}

// next returns the next byte of what is to be done; 0 behind the end.
func (m *model) next() (b byte) {
	if len(m.steps) > 0 {
		b, m.steps = m.steps[0], m.steps[1:]
	}
	return b
}

// receive makes a transaction that pays the wallet, or seems to.
func (m *model) receive(arg byte) {
	to, at := owner(m.t), keys.Index{Major: uint32(arg & 1), Minor: uint32(arg >> 1 & 3)}
	s := chaintest.Spec{Fee: 1, Pay: []chaintest.Payment{{To: to, At: at, Amount: 1 + uint64(arg)}, {Amount: 3}}}
	switch arg >> 5 {
	case 2, 3: // one of two one-time keys, which come again and again
		n := uint32(arg & 1)
		s.Secret = edwards.ScalarFromUint64(uint64(7 + n))
		s.Pay[0].At, s.Pay[0].Amount = keys.Index{Major: n, Minor: n}, uint64(arg>>1&15)
	case 4:
		s.UnlockTime = m.chain.Height() + uint64(arg&31)
	case 5:
		s.UnlockTime = m.now + 100*uint64(arg&31)
	case 6:
		s.Pay[0].Flaw = chaintest.Flaw(1 + arg%3)
		s.Pay[1].To, s.KeyTwice = to, true
	case 7:
		if arg&16 == 0 {
			m.keep(m.chain.Mine(chaintest.Spec{Pay: s.Pay[:1]}))
			return
		}
		s.Pay[1].To, s.Pay[1].At, s.Additional = to, keys.Index{Minor: uint32(arg >> 2 & 3)}, true
	}
	t, made := m.chain.Tx(s, nil)
	m.keep(made)
	m.pool = append(m.pool, t)
}

// keep remembers what transactions bring the wallet. Outputs of nothing are nothing.
func (m *model) keep(made []chaintest.Made) {
	for _, o := range made {
		if o.Owner != nil && o.Flaw == chaintest.Sound && o.Amount > 0 {
			m.made[o.TxID] = append(m.made[o.TxID], o)
		}
	}
}

// include makes a block of t.
func (m *model) include(t syncer.Tx) {
	m.chain.Include(t)
	last := len(m.chain.Made) - 1
	m.chain.Made[last] = append(slices.Clone(m.chain.Made[last]), m.made[t.ID]...)
}

// valid reports whether a transaction may be mined: what it spends is there, under the number its ring says, and unspent.
func (m *model) valid(t *syncer.Tx) bool {
	spent := spentIn(m.chain.Blocks)
	for _, in := range t.Tx.Inputs {
		if _, gone := spent[in.KeyImage]; gone {
			return false
		}
		if m.own(in.KeyImage) && !m.isAt(in.KeyImage, in.KeyOffsets[0]) {
			return false
		}
	}
	return true
}

// isAt reports whether the chain has an output of the wallet with this key image and number.
func (m *model) isAt(image xmr.KeyImage, global uint64) bool {
	for _, b := range m.chain.Blocks {
		for _, t := range b.Txs {
			for _, o := range m.made[t.ID] {
				if o.Image == image && t.Indices[o.Index] == global {
					return true
				}
			}
		}
	}
	return false
}

func (m *model) own(image xmr.KeyImage) bool {
	for _, list := range m.made {
		for _, o := range list {
			if o.Image == image {
				return true
			}
		}
	}
	return false
}

// mine puts what the bits of arg choose of the pool into a block each. What spends the same outputs leaves the pool.
func (m *model) mine(arg byte) {
	var left []syncer.Tx
	for i, t := range m.pool {
		if arg>>(i%8)&1 == 1 && m.valid(&t) {
			m.include(t)
		} else {
			left = append(left, t)
		}
	}
	spent := spentIn(m.chain.Blocks)
	m.pool = slices.DeleteFunc(left, func(t syncer.Tx) bool {
		return slices.ContainsFunc(images(t), func(i xmr.KeyImage) bool { _, gone := spent[i]; return gone })
	})
}

func images(t syncer.Tx) (all []xmr.KeyImage) {
	for _, in := range t.Tx.Inputs {
		if !in.Coinbase {
			all = append(all, in.KeyImage)
		}
	}
	return all
}

// reorganise replaces the last blocks by more; what they held is in the pool again.
func (m *model) reorganise(arg byte) {
	depth := 1 + uint64(arg%6)
	if arg > 250 {
		depth = 40
	}
	depth = min(depth, m.chain.Height()-1)
	height := m.chain.Height() - depth
	for _, b := range m.chain.Blocks[height:] {
		for _, t := range b.Txs[1:] {
			t.Indices = nil
			m.pool = append(m.pool, t)
		}
	}
	m.forks++
	m.chain = m.chain.Fork(fmt.Sprint("fork ", m.forks), height)
	m.chain.Grow(1)
	m.mine(arg >> 2)
	for m.chain.Height() < height+depth+1 {
		m.chain.Grow(1)
	}
}

// elsewhere is a payment made by another wallet of the same seed. It takes the place of what spends the same in the pool.
func (m *model) elsewhere(arg byte) {
	var free []coin
	for _, c := range m.fold(m.chain.Blocks, nil).coins {
		if !c.spent && c.height+xmr.SpendableAge <= m.chain.Height() {
			free = append(free, *c)
		}
	}
	if len(free) == 0 {
		return
	}
	c := free[int(arg>>2)%len(free)]
	s := chaintest.Spec{Fee: min(1, c.Amount), Additional: true, Spend: []xmr.KeyImage{c.Image}, Pay: []chaintest.Payment{{Amount: c.Amount / 2}}}
	if arg&1 == 1 {
		s.Pay = append(s.Pay, chaintest.Payment{To: owner(m.t), At: keys.Index{Major: c.At.Major}, Amount: c.Amount - c.Amount/2 - s.Fee})
	}
	if arg&2 == 2 { // and from one account to the other
		s.Pay = append(s.Pay, chaintest.Payment{To: owner(m.t), At: keys.Index{Major: 1 - c.At.Major, Minor: 1}, Amount: 2})
	}
	t, made := m.chain.Tx(s, nil)
	m.keep(made)
	m.pool = slices.DeleteFunc(m.pool, func(o syncer.Tx) bool { return slices.Contains(images(o), c.Image) })
	m.pool = append(m.pool, t)
}

// drop takes something out of the pool for ever.
func (m *model) drop(arg byte) {
	if n := len(m.pool); n > 0 {
		i := int(arg) % n
		m.pool = slices.Delete(slices.Clone(m.pool), i, i+1)
	}
}

// run does the steps, and checks after each.
func (m *model) run() {
	m.check()
	for len(m.steps) > 0 {
		op, arg := m.next(), m.next()
		m.trace = append(m.trace, fmt.Sprint(op%20, ":", arg))
		m.step(op%20, arg)
		m.check()
	}
	m.come()
	m.refresh()
	m.check()
	m.reopened(m.storage.Content)
	m.refresh()
	m.check()
	m.again()
}

// maxSteps bounds what one input of the fuzzer does, so that it tries many.
const maxSteps = 120

// FuzzModel does any sequence of receiving, mining, reorganising, reading, sending here and elsewhere, freezing, labelling, noting,
// forgetting, opening anew, crashing, interrupting, and going without the spend key, and wants the wallet to be what the model's plain sums say
// after each.
func FuzzModel(f *testing.F) {
	f.Add([]byte{0, 0, 8, 0, 1, 2, 255, 3, 11, 5, 0, 6, 0, 5, 0, 2, 255, 5, 0, 4, 3, 5, 0, 6, 4, 10, 1})
	f.Add([]byte{1, 0, 8, 2, 255, 3, 11, 5, 0, 7, 0, 8, 1, 9, 1, 10, 6, 11, 3, 6, 12, 2, 255, 5, 0, 4, 1, 11, 0x12, 7, 0, 16, 0, 5, 0})
	f.Add([]byte{0, 0, 9, 0, 10, 2, 1, 3, 10, 5, 0, 6, 3, 4, 5, 5, 0, 2, 255, 4, 2, 2, 255, 3, 11, 5, 0, 6, 0, 10, 40})
	f.Add([]byte{1, 0, 70, 0, 72, 2, 1, 3, 11, 5, 0, 13, 1, 2, 255, 0, 78, 2, 255, 5, 0, 16, 0, 4, 2, 2, 255, 5, 0, 12, 3, 5, 0, 17, 0})
	f.Add([]byte{0, 0, 9, 0, 70, 2, 3, 3, 11, 5, 0, 15, 1, 13, 3, 2, 255, 0, 76, 2, 255, 5, 0, 15, 0, 5, 0, 14, 0, 18, 80, 5, 0})
	f.Fuzz(func(t *testing.T, steps []byte) { newModel(t, steps[:min(len(steps), maxSteps)]).run() })
}

// TestModel is FuzzModel with sequences drawn by a generator that never changes.
func TestModel(t *testing.T) {
	for seed := range 8 {
		r := chaintest.NewRandom(fmt.Sprint("model ", seed))
		steps := make([]byte, 160)
		for i := range steps {
			steps[i] = byte(r.Uint64())
		}
		newModel(t, steps).run()
	}
}
