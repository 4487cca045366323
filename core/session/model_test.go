package session_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// model is what a wallet should be, as plain lists that are looked through again each time, beside a session that is one.
type model struct {
	t     testing.TB
	steps []byte // what is done, and with what
	trace []string

	chain *chaintest.Chain
	src   *chaintest.Source
	pool  []syncer.Tx
	made  map[xmr.Hash][]chaintest.Made // what transactions bring, by ID
	forks int

	s       *session.Session
	storage *journal.Memory

	read   []syncer.Block // what the wallet has read
	frozen map[xmr.KeyImage]bool
	labels map[uint32]string // of addresses of account 0
	notes  map[xmr.Hash]string
	sent   map[xmr.Hash]*attempt
	minors uint32 // of account 0
}

// attempt is a transaction that the wallet recorded.
type attempt struct {
	images []xmr.KeyImage
	failed bool
}

func newModel(t testing.TB, steps []byte) *model {
	m := &model{t: t, steps: steps, chain: chaintest.New("model", xmr.Regtest), made: map[xmr.Hash][]chaintest.Made{},
		storage: journal.NewMemory(), frozen: map[xmr.KeyImage]bool{}, labels: map[uint32]string{}, notes: map[xmr.Hash]string{},
		sent: map[xmr.Hash]*attempt{}, minors: 1}
	m.src = chaintest.NewSource(m.chain)
	m.s = create(t, m.storage, host())
	return m
}

// next returns the next byte of what is to be done; 0 behind the end.
func (m *model) next() (b byte) {
	if len(m.steps) > 0 {
		b, m.steps = m.steps[0], m.steps[1:]
	}
	return b
}

func (m *model) receive(arg byte) {
	t, made := m.chain.Tx(chaintest.Spec{Fee: 1, Pay: []chaintest.Payment{{To: owner(m.t), At: keys.Index{Major: uint32(arg & 1), Minor: uint32(arg >> 1 & 3)},
		Amount: 1 + uint64(arg)}, {Amount: 3}}}, nil)
	m.made[t.ID], m.pool = made, append(m.pool, t)
}

// spent returns the key images that blocks spend.
func spentIn(blocks []syncer.Block) map[xmr.KeyImage]bool {
	all := map[xmr.KeyImage]bool{}
	for _, b := range blocks {
		for _, t := range b.Txs {
			for _, in := range t.Tx.Inputs {
				if !in.Coinbase {
					all[in.KeyImage] = true
				}
			}
		}
	}
	return all
}

type coin struct {
	chaintest.Made
	height uint64
}

// coins returns the wallet's outputs that blocks hold and do not spend.
func (m *model) coins(blocks []syncer.Block) (all []coin) {
	spent := spentIn(blocks)
	for _, b := range blocks {
		for _, t := range b.Txs {
			for _, made := range m.made[t.ID] {
				if made.Owner != nil && !spent[made.Image] {
					all = append(all, coin{made, b.Height})
				}
			}
		}
	}
	return all
}

// held returns the key images of transactions that are under way.
func (m *model) held() map[xmr.KeyImage]bool {
	mined, held := m.mined(), map[xmr.KeyImage]bool{}
	for id, a := range m.sent {
		if a.failed || mined[id] {
			continue
		}
		for _, image := range a.images {
			held[image] = true
		}
	}
	return held
}

func (m *model) mined() map[xmr.Hash]bool {
	all := map[xmr.Hash]bool{}
	for _, b := range m.read {
		for _, t := range b.Txs {
			all[t.ID] = true
		}
	}
	return all
}

// spendable returns what account 0 or 1 may spend now.
func (m *model) spendable(account uint32) (all []coin) {
	held := m.held()
	for _, c := range m.coins(m.read) {
		if c.At.Major == account && !held[c.Image] && !m.frozen[c.Image] && c.height+xmr.SpendableAge <= uint64(len(m.read)) {
			all = append(all, c)
		}
	}
	return all
}

// check compares the session with the model.
func (m *model) check() {
	m.t.Helper()
	why := func() string { return fmt.Sprint(m.trace) }
	m.s.View(func(w *wallet.Wallet) {
		if len(m.read) > 0 {
			require.EqualValues(m.t, len(m.read), w.Height(), why())
		}
		for account := range uint32(2) {
			total := uint64(0)
			for _, c := range m.coins(m.read) {
				if c.At.Major == account && !m.frozen[c.Image] {
					total += c.Amount
				}
			}
			require.Equal(m.t, total, w.AccountBalance(account, true, 1000).Total, "account %d: %s", account, why())
			var want, got []string
			for _, c := range m.spendable(account) {
				want = append(want, fmt.Sprint(c.Key, c.Amount, c.height))
			}
			if account < w.Accounts() {
				for _, in := range w.Spendable(account, nil, w.Clock(1000)) {
					got = append(got, fmt.Sprint(in.Key, in.Amount, in.Height))
				}
			}
			slices.Sort(want)
			slices.Sort(got)
			require.Equal(m.t, want, got, "account %d: %s", account, why())
		}
		for minor, text := range m.labels {
			require.Equal(m.t, text, w.Label(keys.Index{Minor: minor}), why())
		}
		for id, text := range m.notes {
			require.Equal(m.t, text, w.Note(id), why())
		}
		for id, a := range m.sent {
			s, ok := w.SentTx(id)
			require.True(m.t, ok, why())
			require.Equal(m.t, a.images, s.Images(), why())
		}
	})
}

func (m *model) refresh() {
	m.t.Helper()
	m.src.Switch(m.chain)
	m.src.SetPool(m.pool...)
	_, err := m.s.Refresh(context.Background(), m.src, 0)
	require.NoError(m.t, err, fmt.Sprint(m.trace))
	m.read = slices.Clone(m.chain.Blocks)
	mined := m.mined()
	for _, t := range m.pool { // what is in the pool is under way, whoever gave it up
		if a := m.sent[t.ID]; a != nil && !mined[t.ID] {
			a.failed = false
		}
	}
	for id, a := range m.sent {
		if mined[id] {
			a.failed = false
		}
	}
}

// valid reports whether a transaction may be mined: what it spends is there.
func (m *model) valid(t *syncer.Tx) bool {
	unspent := map[xmr.KeyImage]bool{}
	for _, c := range m.coins(m.chain.Blocks) {
		unspent[c.Image] = true
	}
	for _, in := range t.Tx.Inputs {
		if m.own(in.KeyImage) && !unspent[in.KeyImage] {
			return false
		}
	}
	return true
}

func (m *model) own(image xmr.KeyImage) bool {
	for _, list := range m.made {
		for _, made := range list {
			if made.Owner != nil && made.Image == image {
				return true
			}
		}
	}
	return false
}

func (m *model) mine(arg byte) {
	var left []syncer.Tx
	for i, t := range m.pool {
		if arg>>(i%8)&1 == 1 && m.valid(&t) {
			m.chain.Include(t)
		} else {
			left = append(left, t)
		}
	}
	m.pool = left
}

func (m *model) reorganise(arg byte) {
	depth := min(1+uint64(arg%6), m.chain.Height()-1)
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

func (m *model) send(arg byte) {
	account := uint32(arg & 1)
	from := m.spendable(account)
	if len(from) == 0 {
		return
	}
	n := min(1+int(arg>>1&1), len(from))
	a, in := &attempt{}, uint64(0)
	for _, c := range from[:n] {
		a.images, in = append(a.images, c.Image), in+c.Amount
	}
	t, made := m.chain.Tx(chaintest.Spec{Fee: 1, Spend: a.images, Pay: []chaintest.Payment{
		{To: owner(m.t), At: keys.Index{Major: account}, Amount: in - in/2}, {Amount: in / 2}}}, nil)
	m.made[t.ID] = made
	s := wallet.Sent{TxID: t.ID, Account: account, AmountIn: in, Change: in - in/2, SentAt: 1000, Blob: []byte{1}}
	for i, image := range a.images {
		s.Rings = append(s.Rings, wallet.Ring{Image: image, Indices: []uint64{uint64(i)}})
	}
	decide := func(s wallet.Sent) error {
		return m.s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			c, err := w.DecideSend(s, 1000)
			return c, nil, err
		})
	}
	require.NoError(m.t, decide(s), fmt.Sprint(m.trace))
	m.sent[t.ID] = a
	again := s
	again.TxID[0] ^= 1
	require.ErrorIs(m.t, decide(again), wallet.ErrInputs, "twice: %v", m.trace)
	if arg&4 == 0 {
		m.pool = append(m.pool, t)
		return
	}
	a.failed = true
	require.NoError(m.t, m.s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return w.DecideRefused(t.ID, "refused"), nil, nil
	}))
	if arg&8 == 0 {
		m.pool = append(m.pool, t) // the daemon lied: it was passed on
	}
}

func (m *model) freeze(arg byte) {
	all := m.coins(m.read)
	if len(all) == 0 {
		return
	}
	image := all[int(arg)%len(all)].Image
	thaw := m.frozen[image]
	require.NoError(m.t, m.s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		c, err := w.DecideFreeze(image, thaw)
		return c, nil, err
	}), fmt.Sprint(m.trace))
	if m.frozen[image] = !thaw; thaw {
		delete(m.frozen, image)
	}
}

func (m *model) label(arg byte) error {
	return m.s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		c, minor, err := w.DecideAddresses(0, 1, fmt.Sprint("label ", arg))
		m.minors = minor + 1
		return c, nil, err
	})
}

func (m *model) note(arg byte) {
	id, text := xmr.Hash{arg % 4}, fmt.Sprint("note ", arg)
	require.NoError(m.t, m.s.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return wallet.ChangeSet{User: wallet.UserChange{Notes: []wallet.Note{{TxID: id, Text: text}}}}, nil, nil
	}))
	m.notes[id] = text
}

// reopened goes on with what content holds.
func (m *model) reopened(content []byte) {
	m.t.Helper()
	m.storage = &journal.Memory{Content: slices.Clone(content)}
	s, err := session.Open(m.storage, []byte("password"), host())
	require.NoError(m.t, err, fmt.Sprint(m.trace))
	m.s = s
}

// crash cuts the file somewhere in what a change writes.
func (m *model) crash(arg byte) {
	before, minors := len(m.storage.Content), m.minors
	require.NoError(m.t, m.label(arg))
	added := len(m.storage.Content) - before
	kept := int(arg) % (added + 1)
	m.reopened(m.storage.Content[:before+kept])
	if kept == added {
		m.labels[m.minors-1] = fmt.Sprint("label ", arg)
	} else {
		m.minors = minors
	}
}

// interrupt ends a refresh after some questions, and opens what is there; the next refresh goes on.
func (m *model) interrupt(arg byte) {
	m.src.Switch(m.chain)
	m.src.SetPool(m.pool...)
	m.src.Batch = 1 + int(arg>>4)
	left := int(arg & 15)
	m.src.Before = func(context.Context, string) error {
		if left--; left < 0 {
			return errHost
		}
		return nil
	}
	_, _ = m.s.Refresh(context.Background(), m.src, 0)
	m.src.Before, m.src.Batch = nil, 0
	m.reopened(m.storage.Content)
	m.refresh()
}

// run does the steps, and checks after each.
func (m *model) run() {
	for len(m.steps) > 0 {
		op, arg := m.next(), m.next()
		m.trace = append(m.trace, fmt.Sprint(op%12, ":", arg))
		switch op % 12 {
		case 0, 1:
			m.receive(arg)
		case 2:
			m.mine(arg)
		case 3:
			m.chain.Grow(int(arg % 12))
		case 4:
			m.reorganise(arg)
		case 5:
			m.refresh()
		case 6:
			m.send(arg)
		case 7:
			m.freeze(arg)
		case 8:
			require.NoError(m.t, m.label(arg))
			m.labels[m.minors-1] = fmt.Sprint("label ", arg)
		case 9:
			m.note(arg)
		case 10:
			if arg&1 == 0 {
				m.crash(arg)
			} else {
				m.reopened(m.storage.Content)
			}
		case 11:
			m.interrupt(arg)
		}
		m.check()
	}
	m.refresh()
	m.check()
	m.reopened(m.storage.Content)
	m.refresh()
	m.check()
}

// maxSteps bounds what one input of the fuzzer does, so that it tries many.
const maxSteps = 120

// FuzzModel does any sequence of receiving, mining, reorganising, reading, sending, freezing, labelling, noting, opening anew, crashing and
// interrupting, and wants the wallet to be what the model's plain sums say after each.
func FuzzModel(f *testing.F) {
	f.Add([]byte{0, 8, 0, 1, 2, 255, 3, 11, 5, 0, 6, 0, 5, 0, 2, 255, 5, 0, 4, 3, 5, 0, 6, 4, 10, 1})
	f.Add([]byte{0, 8, 2, 255, 3, 11, 5, 0, 7, 0, 8, 1, 9, 1, 10, 6, 11, 3, 6, 12, 2, 255, 5, 0, 4, 1, 11, 0x12, 7, 0})
	f.Add([]byte{0, 9, 0, 10, 2, 1, 3, 10, 5, 0, 6, 3, 4, 5, 5, 0, 2, 255, 4, 2, 2, 255, 3, 11, 5, 0, 6, 0, 10, 40})
	f.Fuzz(func(t *testing.T, steps []byte) { newModel(t, steps[:min(len(steps), maxSteps)]).run() })
}

// TestModel is FuzzModel with sequences drawn by a generator that never changes.
func TestModel(t *testing.T) {
	for seed := range 16 {
		r := chaintest.NewRandom(fmt.Sprint("model ", seed))
		steps := make([]byte, 160)
		for i := range steps {
			steps[i] = byte(r.Uint64())
		}
		m := newModel(t, steps)
		m.run()
	}
}
