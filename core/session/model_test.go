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

// model describes a wallet as plain lists that are searched each time, next to a session that is compared with it. It
// also has a view-only wallet, into which key images are imported, and at the end one restored from the seed, which
// scans everything at once.
type model struct {
	t     testing.TB
	steps []byte // operations and their arguments
	trace []string
	now   uint64

	chain *chaintest.Chain
	src   *chaintest.Source
	pool  []syncer.Tx
	made  map[xmr.Hash][]chaintest.MadeOutput // outputs of transactions, by transaction ID
	forks int

	s              *session.Session
	storage        *journal.Memory
	password       string
	backgroundFile *journal.Memory // its log does not contain the spend key

	read          []syncer.Block // the blocks that the wallet has read
	seen          []syncer.Tx    // the pool transactions that it knows
	frozen        map[xmr.KeyImage]bool
	labels        map[keys.Index]string
	notes         map[xmr.Hash]string
	tags          map[uint32]string
	sent          map[xmr.Hash]*attempt
	addressCounts [2]uint32 // number of addresses of each account

	view     *session.Session       // view-only wallet, or nil
	imported map[xmr.PublicKey]bool // outputs whose key image view has
}

// attempt is a transaction that the wallet recorded.
type attempt struct {
	images []xmr.KeyImage
	change uint64
	to     keys.Index // another address of the wallet that it pays
	back   uint64
	at     uint64
	state  sendState
}

// sendState is the state of an attempt that is in no block.
type sendState uint8

const (
	pending sendState = iota
	inPool
	failed
)

// patience is the number of seconds for which a transaction may be missing from the pool.
const patience = 500

func newModel(t testing.TB, steps []byte) *model {
	m := &model{
		t: t, steps: steps, now: chaintest.StartTime, chain: chaintest.New("model", xmr.Regtest),
		made: map[xmr.Hash][]chaintest.MadeOutput{}, storage: journal.NewMemory(), password: "password",
		frozen: map[xmr.KeyImage]bool{}, labels: map[keys.Index]string{}, notes: map[xmr.Hash]string{},
		tags: map[uint32]string{}, sent: map[xmr.Hash]*attempt{}, imported: map[xmr.PublicKey]bool{},
	}
	m.src = chaintest.NewSource(m.chain)
	m.s = create(t, m.storage, m.host())
	m.account(1)
	for major := range m.addressCounts {
		m.addresses(uint32(major), 3)
	}
	if m.next()&1 == 1 {
		m.view = m.viewOnly()
	}
	return m
}

func (m *model) host() session.Host {
	h := host()
	h.Now = func() uint64 { return m.now }
	return h
}

// next returns the next byte of the input; 0 after its end.
func (m *model) next() (b byte) {
	if len(m.steps) > 0 {
		b, m.steps = m.steps[0], m.steps[1:]
	}
	return b
}

// receive makes a transaction that pays the wallet, or appears to.
func (m *model) receive(arg byte) {
	to, at := owner(m.t), keys.Index{Major: uint32(arg & 1), Minor: uint32(arg >> 1 & 3)}
	s := chaintest.Spec{Fee: 1, Pay: []chaintest.Payment{{To: to, At: at, Amount: 1 + uint64(arg)}, {Amount: 3}}}
	switch arg >> 5 {
	case 2, 3: // one of two one-time keys, which are used repeatedly
		n := uint32(arg & 1)
		s.Secret = edwards.ScalarFromUint64(uint64(7 + n))
		s.Pay[0].At, s.Pay[0].Amount = keys.Index{Major: n, Minor: n}, uint64(arg>>1&15)
	case 4:
		s.UnlockTime = m.chain.Height() + uint64(arg&31)
	case 5:
		s.UnlockTime = m.now + 100*uint64(arg&31)
	case 6:
		s.Pay[0].Flaw = chaintest.Flaw(1 + arg%3)
		s.Pay[1].To, s.RepeatPublicKey = to, true
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

// keep records the outputs of the wallet in transactions. Outputs of amount 0 are ignored.
func (m *model) keep(made []chaintest.MadeOutput) {
	for _, o := range made {
		if o.Owner != nil && o.Flaw == chaintest.NoFlaw && o.Amount > 0 {
			m.made[o.TxID] = append(m.made[o.TxID], o)
		}
	}
}

// include mines t in a block.
func (m *model) include(t syncer.Tx) {
	m.chain.Include(t)
	last := len(m.chain.Made) - 1
	m.chain.Made[last] = append(slices.Clone(m.chain.Made[last]), m.made[t.ID]...)
}

// valid reports whether a transaction may be mined: its inputs exist at the indices of its rings and are unspent.
func (m *model) valid(t *syncer.Tx) bool {
	spent := spentIn(m.chain.Blocks)
	for _, in := range t.Tx.Inputs {
		if _, isSpent := spent[in.KeyImage]; isSpent {
			return false
		}
		if m.own(in.KeyImage) && !m.isAt(in.KeyImage, in.KeyOffsets[0]) {
			return false
		}
	}
	return true
}

// isAt reports whether the chain has an output of the wallet with this key image and global index.
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

// mine mines the pool transactions selected by the bits of arg, one per block. Conflicting transactions leave the
// pool.
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
		return slices.ContainsFunc(images(t), func(i xmr.KeyImage) bool { _, isSpent := spent[i]; return isSpent })
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

// reorganise replaces the last blocks with more; their transactions return to the pool.
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

// elsewhere makes a payment by another wallet with the same seed. It replaces conflicting transactions in the pool.
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
	s := chaintest.Spec{
		Fee: min(1, c.Amount), Additional: true, Spend: []xmr.KeyImage{c.Image},
		Pay: []chaintest.Payment{{Amount: c.Amount / 2}},
	}
	if arg&1 == 1 {
		s.Pay = append(s.Pay, chaintest.Payment{
			To: owner(m.t), At: keys.Index{Major: c.At.Major}, Amount: c.Amount - c.Amount/2 - s.Fee,
		})
	}
	if arg&2 == 2 { // and from one account to the other
		s.Pay = append(s.Pay, chaintest.Payment{
			To: owner(m.t), At: keys.Index{Major: 1 - c.At.Major, Minor: 1}, Amount: 2,
		})
	}
	t, made := m.chain.Tx(s, nil)
	m.keep(made)
	m.pool = slices.DeleteFunc(m.pool, func(o syncer.Tx) bool { return slices.Contains(images(o), c.Image) })
	m.pool = append(m.pool, t)
}

// drop removes a transaction from the pool permanently.
func (m *model) drop(arg byte) {
	if n := len(m.pool); n > 0 {
		i := int(arg) % n
		m.pool = slices.Delete(slices.Clone(m.pool), i, i+1)
	}
}

// run performs the steps and checks the wallet after each.
func (m *model) run() {
	m.check()
	for len(m.steps) > 0 {
		op, arg := m.next(), m.next()
		m.trace = append(m.trace, fmt.Sprint(op%20, ":", arg))
		m.step(op%20, arg)
		m.check()
	}
	m.foreground()
	m.refresh()
	m.check()
	m.reopened(m.storage.Content)
	m.refresh()
	m.check()
	m.again()
}

// maxSteps is the maximum number of steps of one fuzzing input, so that many inputs are tried.
const maxSteps = 120

// FuzzModel performs any sequence of receiving, mining, reorganising, refreshing, sending here and by another wallet,
// freezing, labelling, rescanning, reopening, crashing, cancelling and background syncing, and compares the wallet
// with the model after each step.
func FuzzModel(f *testing.F) {
	f.Add([]byte{0, 0, 8, 0, 1, 2, 255, 3, 11, 5, 0, 6, 0, 5, 0, 2, 255, 5, 0, 4, 3, 5, 0, 6, 4, 10, 1})
	f.Add([]byte{
		1, 0, 8, 2, 255, 3, 11, 5, 0, 7, 0, 8, 1, 9, 1, 10, 6, 11, 3, 6, 12, 2, 255, 5, 0, 4, 1, 11, 0x12, 7, 0,
		16, 0, 5, 0,
	})
	f.Add([]byte{0, 0, 9, 0, 10, 2, 1, 3, 10, 5, 0, 6, 3, 4, 5, 5, 0, 2, 255, 4, 2, 2, 255, 3, 11, 5, 0, 6, 0, 10, 40})
	f.Add([]byte{
		1, 0, 70, 0, 72, 2, 1, 3, 11, 5, 0, 13, 1, 2, 255, 0, 78, 2, 255, 5, 0, 16, 0, 4, 2, 2, 255, 5, 0, 12, 3,
		5, 0, 17, 0,
	})
	f.Add([]byte{
		0, 0, 9, 0, 70, 2, 3, 3, 11, 5, 0, 15, 1, 13, 3, 2, 255, 0, 76, 2, 255, 5, 0, 15, 0, 5, 0, 14, 0, 18, 80,
		5, 0,
	})
	f.Fuzz(func(t *testing.T, steps []byte) { newModel(t, steps[:min(len(steps), maxSteps)]).run() })
}

// TestModel runs FuzzModel with sequences of a deterministic generator.
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
