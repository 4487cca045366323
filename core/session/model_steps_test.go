package session_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// step performs one step.
func (m *model) step(op, arg byte) {
	switch op {
	case 0, 1:
		m.receive(arg)
	case 2:
		m.mine(arg)
	case 3:
		if m.chain.Grow(int(arg % 12)); arg > 250 {
			m.chain.Grow(int(xmr.CoinbaseUnlock))
		}
	case 4:
		m.reorganise(arg)
	case 5, 19:
		m.refresh()
	case 11:
		m.interrupt(arg)
	case 12:
		m.background(arg)
	case 13:
		m.elsewhere(arg)
	case 14:
		m.drop(arg)
	case 15:
		m.now += 20 * uint64(arg)
	case 16:
		m.importImages()
	default:
		if !m.s.InBackground() { // in background syncing, the next steps would be refused, or lost with the file
			m.decide(op, arg)
		}
	}
}

// decide performs an action of the owner.
func (m *model) decide(op, arg byte) {
	switch op {
	case 6:
		m.send(arg)
	case 7:
		m.freeze(arg)
	case 8:
		m.label(arg)
	case 9:
		m.note(arg)
	case 10:
		switch arg & 3 {
		case 0:
			m.crash(arg)
		case 1:
			m.reopened(m.storage.Content)
		case 2:
			m.compacted()
		default:
			old := m.password
			m.password = fmt.Sprint("password ", arg)
			require.NoError(m.t, m.s.ChangePassword(context.Background(), []byte(old), []byte(m.password)))
		}
	case 17:
		m.look()
	case 18:
		m.forget(arg)
	}
}

// change makes a change that must succeed.
func (m *model) change(decide func(*wallet.Wallet) (wallet.ChangeSet, error)) {
	m.t.Helper()
	require.NoError(m.t, m.s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		c, err := decide(w)
		return c, nil, err
	}), m.trace)
}

// refresh scans the chain and refreshes the pool.
func (m *model) refresh() {
	m.t.Helper()
	m.src.Switch(m.chain)
	m.src.SetPool(m.pool...)
	_, err := m.s.Refresh(context.Background(), m.src, 0)
	require.NoError(m.t, err, m.trace)
	m.leave(m.chain.Blocks)
	m.read, m.seen = slices.Clone(m.chain.Blocks), slices.Clone(m.pool)
	m.settle(true)
	if !m.s.InBackground() {
		m.noticed()
	}
	if m.view != nil {
		_, err := m.view.Refresh(context.Background(), m.src, 0)
		require.NoError(m.t, err, m.trace)
	}
}

// leave removes a block: transactions sent in it are pending again.
func (m *model) leave(blocks []syncer.Block) {
	for i, b := range m.read {
		if i < len(blocks) && blocks[i].Hash == b.Hash {
			continue
		}
		for _, t := range b.Txs {
			if a := m.sent[t.ID]; a != nil {
				a.state, a.at = pending, m.now
			}
		}
	}
}

// settle updates the states of sent transactions according to the pool. No transaction fails before all blocks are
// scanned.
func (m *model) settle(read bool) {
	mined := m.mined()
	for id, a := range m.sent {
		seen := slices.ContainsFunc(m.pool, func(t syncer.Tx) bool { return t.ID == id })
		switch {
		case mined[id]:
		case seen:
			a.state = inPool
		case a.state == inPool:
			a.state, a.at = pending, m.now
		case a.state == pending && m.now > a.at+patience && read:
			a.state = failed
		}
	}
}

// look refreshes only the pool, even if there are blocks to scan.
func (m *model) look() {
	m.src.Switch(m.chain)
	m.src.SetPool(m.pool...)
	require.NoError(m.t, m.s.RefreshPool(context.Background(), m.src), m.trace)
	seen := slices.Clone(m.pool)
	for _, t := range m.seen { // a transaction that left the pool may be in a block that was not read
		if !slices.ContainsFunc(m.pool, func(o syncer.Tx) bool { return o.ID == t.ID }) {
			seen = append(seen, t)
		}
	}
	m.seen = seen
	m.settle(false)
}

func (m *model) send(arg byte) {
	account := uint32(arg & 1)
	from := m.spendable(account)
	if len(from) == 0 {
		return
	}
	a, in := &attempt{to: keys.Index{Major: account, Minor: uint32(arg >> 5 & 3)}, at: m.now}, uint64(0)
	for _, c := range from[:min(1+int(arg>>1&1), len(from))] {
		a.images, in = append(a.images, c.Image), in+c.Amount
	}
	fee := min(1, in)
	a.change = (in - fee) / 2
	pay := []chaintest.Payment{
		{To: owner(m.t), At: keys.Index{Major: account}, Amount: a.change}, {Amount: (in - fee) / 4},
	}
	if arg&16 != 0 {
		a.back = in - fee - a.change - (in-fee)/4
		pay = append(pay, chaintest.Payment{To: owner(m.t), At: a.to, Amount: a.back})
	}
	t, made := m.chain.Tx(chaintest.Spec{Fee: fee, Spend: a.images, Additional: arg&16 != 0, Pay: pay}, nil)
	m.keep(made)
	s := wallet.Sent{TxID: t.ID, Account: account, AmountIn: in, Change: a.change, SentAt: m.now, Blob: []byte{1}}
	for _, image := range a.images {
		s.Rings = append(s.Rings, wallet.Ring{Image: image, Indices: []uint64{uint64(image[0])}})
	}
	if arg&16 != 0 {
		m.s.View(func(w *wallet.Wallet) {
			s.Destinations = []wallet.Destination{{Address: w.Address(a.to).String(), Amount: a.back}}
		})
	}
	m.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideSend(s, m.now) })
	m.sent[t.ID] = a
	again := s
	again.TxID[0] ^= 1
	require.ErrorIs(m.t, m.s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		c, err := w.DecideSend(again, m.now)
		return c, nil, err
	}), wallet.ErrInputs, "twice: %s", m.trace)
	if arg&4 != 0 {
		a.state = failed
		m.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideRefused(t.ID, "refused"), nil })
	}
	if arg&12 != 12 { // otherwise the daemon really refused it
		m.pool = slices.DeleteFunc(m.pool, func(o syncer.Tx) bool {
			return slices.ContainsFunc(images(o), func(i xmr.KeyImage) bool { return slices.Contains(a.images, i) })
		})
		m.pool = append(m.pool, t)
	}
}

func (m *model) freeze(arg byte) {
	all := m.fold(m.read, nil).coins
	if len(all) == 0 {
		return
	}
	image := all[int(arg)%len(all)].Image
	thaw := m.frozen[image]
	m.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideFreeze(image, thaw) })
	if m.frozen[image] = !thaw; thaw {
		delete(m.frozen, image)
	}
}

func (m *model) account(major uint32) {
	m.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		c, at := w.DecideAccount("second")
		require.Equal(m.t, major, at)
		return c, nil
	})
	m.labels[keys.Index{Major: major}] = "second"
	m.addressCounts = [2]uint32{1, 1}
}

func (m *model) addresses(major, n uint32) {
	m.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		c, first, err := w.DecideAddresses(major, n, "made")
		require.Equal(m.t, m.addressCounts[major], first)
		return c, err
	})
	for range n {
		m.labels[keys.Index{Major: major, Minor: m.addressCounts[major]}] = "made"
		m.addressCounts[major]++
	}
}

// label labels and creates addresses, changes the lookahead and tags accounts.
func (m *model) label(arg byte) {
	major := uint32(arg >> 7)
	switch arg & 3 {
	case 0:
		i := keys.Index{Major: major, Minor: uint32(arg>>2) % m.addressCounts[major]}
		m.labels[i] = fmt.Sprint("label ", arg)
		m.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideLabel(i, m.labels[i]) })
	case 1:
		m.addresses(major, uint32(1+arg>>6))
	case 2:
		l := wallet.Lookahead{Major: near.Major + uint32(arg>>2&3), Minor: near.Minor + uint32(arg>>4&7)}
		m.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideLookahead(l) })
	default:
		m.tags[major] = []string{"", "one", "two"}[arg>>2%3]
		m.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
			return w.DecideTags([]uint32{major}, m.tags[major])
		})
	}
}

func (m *model) note(arg byte) {
	id, text := xmr.Hash{arg % 4}, fmt.Sprint("note ", arg)
	m.change(func(*wallet.Wallet) (wallet.ChangeSet, error) {
		return wallet.ChangeSet{User: wallet.UserChange{Notes: []wallet.Note{{TxID: id, Text: text}}}}, nil
	})
	m.notes[id] = text
}

// forget drops scanned blocks, all or from one on, so that a later refresh scans them again.
func (m *model) forget(arg byte) {
	from := uint64(arg>>1) % m.chain.Height()
	if arg&1 == 1 || from == 0 || len(m.read) == 0 {
		require.NoError(m.t, m.s.Forget())
		m.read = nil
	} else {
		require.NoError(m.t, m.s.ForgetFrom(from))
		kept := m.read[:min(int(from)+1, len(m.read))]
		m.leave(kept)
		m.read, m.seen = kept, nil
	}
	m.refresh()
}

// reopened continues with a session opened from content.
func (m *model) reopened(content []byte) {
	m.t.Helper()
	m.storage = &journal.Memory{Content: slices.Clone(content)}
	s, err := session.Open(m.storage, []byte(m.password), m.host())
	require.NoError(m.t, err, m.trace)
	m.s, m.seen = s, nil
}

// compacted continues with a session opened from a snapshot.
func (m *model) compacted() {
	m.t.Helper()
	records, st := state(m.t, m.s), journal.NewMemory()
	log, err := journal.Create(
		st, []byte(m.password), chaintest.NewRandom("compacted"), journal.WeakestKDF(),
		[]byte(xmr.Regtest.String()), records[0],
	)
	require.NoError(m.t, err)
	for _, r := range records[1:] {
		require.NoError(m.t, log.Append(r))
	}
	m.reopened(st.Content)
}

// crash truncates the file within the record of a change.
func (m *model) crash(arg byte) {
	before := len(m.storage.Content)
	i := keys.Index{Minor: uint32(arg>>2) % m.addressCounts[0]}
	text := fmt.Sprint("crash ", arg)
	m.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideLabel(i, text) })
	added := len(m.storage.Content) - before
	kept := int(arg>>2) * 2 % (added + 1)
	m.reopened(m.storage.Content[:before+kept])
	if kept == added {
		m.labels[i] = text
	}
}

// interrupt cancels a refresh after some requests, and reopens the wallet; the next refresh continues.
func (m *model) interrupt(arg byte) {
	m.src.Switch(m.chain)
	m.src.SetPool(m.pool...)
	m.src.Batch = 2 + int(arg>>4)
	left := int(arg & 15)
	m.src.Before = func(context.Context, string) error {
		if left--; left < 0 {
			return errHost
		}
		return nil
	}
	_, _ = m.s.Refresh(context.Background(), m.src, 0)
	m.src.Before, m.src.Batch = nil, 0
	m.killed()
	m.refresh()
}

// killed reopens the wallet as after a kill, and takes over the background file if background syncing was active.
func (m *model) killed() {
	inBackground := m.s.InBackground()
	m.reopened(m.storage.Content)
	if inBackground {
		require.NoError(m.t, m.s.ImportBackgroundFile(context.Background(), m.backgroundFile), m.trace)
	}
}

// background starts or stops background syncing.
func (m *model) background(arg byte) {
	if m.s.InBackground() {
		m.foreground()
		return
	}
	kind := wallet.BackgroundReuse
	if arg&1 == 1 {
		kind = wallet.BackgroundCustom
	}
	m.backgroundFile = journal.NewMemory()
	setup(m.t, m.s, kind, m.backgroundFile)
	require.NoError(m.t, m.s.StartBackground(m.backgroundFile), m.trace)
}

// foreground stops background syncing.
func (m *model) foreground() {
	if m.s.InBackground() {
		require.NoError(m.t, m.s.StopBackground(context.Background(), m.storage, []byte(m.password), nil), m.trace)
		m.seen = nil
	}
}

// viewOnly returns a view-only wallet.
func (m *model) viewOnly() *session.Session {
	k := owner(m.t)
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(m.t, err)
	return m.fresh(view)
}

func (m *model) fresh(k *keys.Keys) *session.Session {
	o := wallet.Identity{Network: xmr.Regtest, Keys: k, RestoreHeight: 1}
	s, err := session.Create(journal.NewMemory(), []byte("password"), journal.WeakestKDF(), o, near, m.host())
	require.NoError(m.t, err)
	return s
}

// importImages imports the known key images into the view-only wallet, which then scans for spends again.
func (m *model) importImages() {
	if m.view == nil {
		return
	}
	var list []wallet.KnownImage
	m.s.View(func(w *wallet.Wallet) {
		for _, o := range w.Outputs() {
			if o.ImageKnown {
				list = append(list, wallet.KnownImage{Key: o.Key, Image: o.Image, Proved: true})
			}
		}
	})
	spent, from := spentIn(m.read), uint64(len(m.read))
	require.NoError(m.t, m.view.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		c, err := w.DecideImages(list)
		return c, nil, err
	}), m.trace)
	m.view.View(func(w *wallet.Wallet) {
		for _, k := range list {
			o, ok := w.OutputByKey(k.Key)
			m.imported[k.Key] = true
			if _, isSpent := spent[k.Image]; ok && isSpent && !w.IsSpent(o, true) {
				from = min(from, w.FirstSeen(o))
			}
		}
	})
	if from < uint64(len(m.read)) {
		require.NoError(m.t, m.view.ForgetFrom(from))
	}
	if len(m.read) > 0 {
		c := *m.chain
		c.Blocks = m.read
		_, err := m.view.Refresh(context.Background(), chaintest.NewSource(&c), 0)
		require.NoError(m.t, err, m.trace)
	}
}

// again restores a wallet from the same seed, and lets it scan everything at once.
func (m *model) again() {
	s := m.fresh(owner(m.t))
	m.src.Batch = 2 + int(m.chain.Height())%50
	_, err := s.Refresh(context.Background(), m.src, 0)
	require.NoError(m.t, err)
	all := m.fold(m.read, nil)
	m.found(s, all)
	m.balances(s, all, nil)
}
