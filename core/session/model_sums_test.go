package session_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// coin is an output of the wallet. If several outputs have the same key, it is the one that counts.
type coin struct {
	chaintest.MadeOutput
	height, unlock uint64
	spent          bool
}

// open reports whether a coin may be spent when the chain has the given number of blocks.
// Source: src/wallet/wallet2.cpp, is_transfer_unlocked, is_tx_spendtime_unlocked.
func (c *coin) open(blocks, now uint64) bool {
	if c.height+xmr.SpendableAge > blocks {
		return false
	}
	if c.unlock < xmr.MaxHeightUnlock {
		return blocks-1+xmr.LockedDeltaBlocks >= c.unlock
	}
	return now+xmr.LockedDeltaSeconds >= c.unlock
}

// sums holds the content of blocks that concerns the wallet.
type sums struct {
	coins    []*coin
	payments []wallet.Payment // with the fields that are compared
	spends   []wallet.Spend   // likewise
}

// spentIn returns the key images that blocks spend, with the first block that does.
func spentIn(blocks []syncer.Block) map[xmr.KeyImage]uint64 {
	all := map[xmr.KeyImage]uint64{}
	for _, b := range blocks {
		for _, t := range b.Txs {
			for _, image := range images(t) {
				if _, twice := all[image]; !twice {
					all[image] = b.Height
				}
			}
		}
	}
	return all
}

// fold computes the sums of blocks for a wallet that knows the given key images; nil means all.
func (m *model) fold(blocks []syncer.Block, knows func(xmr.PublicKey) bool) (s sums) {
	spent, byKey := spentIn(blocks), map[xmr.PublicKey]*coin{}
	sees := func(o *chaintest.MadeOutput) bool { return knows == nil || knows(o.Key) }
	for _, b := range blocks {
		for _, t := range b.Txs {
			credits := m.credits(t, b.Height, func(o *chaintest.MadeOutput) uint64 {
				c := byKey[o.Key]
				if c == nil {
					c = &coin{*o, b.Height, t.Tx.UnlockTime, false}
					byKey[o.Key], s.coins = c, append(s.coins, c)
					return o.Amount
				}
				at, isSpent := spent[o.Image]
				if isSpent && at <= b.Height && sees(o) || o.Amount <= c.Amount {
					return 0 // a burnt output adds nothing
				}
				credit := o.Amount - c.Amount
				c.MadeOutput, c.height, c.unlock = *o, b.Height, t.Tx.UnlockTime
				return credit
			})
			spend := m.spend(&s, t, b.Height, sees)
			for _, p := range credits {
				if spend != nil && spend.Account == p.Address.Major {
					spend.Change += p.Amount
				} else {
					s.payments = append(s.payments, p)
				}
			}
			if spend != nil {
				s.spends = append(s.spends, *spend)
			}
		}
	}
	return s
}

// credits returns the amount that t pays to each address, given the amount that each output adds.
func (m *model) credits(t syncer.Tx, height uint64, add func(*chaintest.MadeOutput) uint64) (all []wallet.Payment) {
	for i := range m.made[t.ID] {
		o := &m.made[t.ID][i]
		credit := add(o)
		if credit == 0 {
			continue
		}
		at := slices.IndexFunc(all, func(p wallet.Payment) bool { return p.Address == o.At })
		if at < 0 {
			at, all = len(all), append(all, wallet.Payment{TxID: t.ID, Address: o.At, Height: height})
		}
		all[at].Amount += credit
	}
	return all
}

// spend returns the Spend of t if it spends a coin, or nil.
func (m *model) spend(
	s *sums, t syncer.Tx, height uint64, sees func(*chaintest.MadeOutput) bool,
) (spend *wallet.Spend) {
	for _, image := range images(t) {
		for _, c := range s.coins {
			if c.Image != image || !sees(&c.MadeOutput) {
				continue
			}
			if spend == nil {
				spend = &wallet.Spend{TxID: t.ID, Height: height}
			}
			c.spent = true
			spend.Account, spend.AmountIn = c.At.Major, spend.AmountIn+c.Amount
			spend.Images = append(spend.Images, image)
		}
	}
	return spend
}

// reserved returns the coins that pending transactions spend. If two spend the same coin, the older one holds it.
func (m *model) reserved() map[xmr.KeyImage]xmr.Hash {
	mined, held := m.mined(), map[xmr.KeyImage]xmr.Hash{}
	before := func(a, b xmr.Hash) bool {
		return cmp.Or(cmp.Compare(m.sent[a].at, m.sent[b].at), bytes.Compare(a[:], b[:])) < 0
	}
	for id, a := range m.sent {
		if a.state == failed || mined[id] {
			continue
		}
		for _, image := range a.images {
			if holder, is := held[image]; !is || before(id, holder) {
				held[image] = id
			}
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

// inTransit returns the coins that pending transactions spend, and the amounts that they pay to each address.
func (m *model) inTransit(s sums) (out map[xmr.KeyImage]bool, in map[keys.Index]uint64) {
	out, in = map[xmr.KeyImage]bool{}, map[keys.Index]uint64{}
	mined, reserved := m.mined(), m.reserved()
	for image := range reserved {
		out[image] = true
	}
	for id, a := range m.sent {
		holds := !slices.ContainsFunc(a.images, func(i xmr.KeyImage) bool { return reserved[i] != id })
		if a.state != failed && !mined[id] && holds {
			in[keys.Index{Major: a.to.Major}] += a.change
			in[a.to] += a.back
		}
	}
	for _, t := range m.seen {
		if mined[t.ID] {
			continue
		}
		had := sums{coins: slices.Clone(s.coins)}
		for i := range had.coins {
			c := *had.coins[i]
			had.coins[i] = &c
		}
		credits := m.credits(t, 0, func(o *chaintest.MadeOutput) uint64 {
			for _, c := range had.coins {
				switch {
				case c.Key != o.Key:
				case c.spent || o.Amount <= c.Amount:
					return 0
				default:
					return o.Amount - c.Amount
				}
			}
			return o.Amount
		})
		spend := m.spend(&had, t, 0, func(*chaintest.MadeOutput) bool { return true })
		if spend != nil {
			for _, image := range spend.Images {
				out[image] = true
			}
		}
		for _, p := range credits {
			if spend == nil || spend.Account != p.Address.Major {
				in[p.Address] += p.Amount
			} else if m.sent[t.ID] == nil {
				in[keys.Index{Major: spend.Account}] += p.Amount
			}
		}
	}
	return out, in
}

// spendable returns the coins that an account may spend now.
func (m *model) spendable(account uint32) (all []coin) {
	s := m.fold(m.read, nil)
	out, _ := m.inTransit(s)
	for _, c := range s.coins {
		free := !c.spent && !out[c.Image] && !m.frozen[c.Image]
		if c.At.Major == account && free && c.open(uint64(len(m.read)), m.now) {
			all = append(all, *c)
		}
	}
	return all
}

// check compares the session with the model.
func (m *model) check() {
	m.t.Helper()
	if !m.s.InBackground() {
		s := m.fold(m.read, nil)
		m.found(m.s, s)
		m.balances(m.s, s, m.frozen)
		m.s.View(func(w *wallet.Wallet) { m.moving(w, s) })
		m.kept()
	}
	m.s.View(func(w *wallet.Wallet) { require.EqualValues(m.t, max(len(m.read), 1), w.Height(), m.trace) })
	if m.view != nil {
		s := m.fold(m.read, func(k xmr.PublicKey) bool { return m.imported[k] })
		m.found(m.view, s)
		m.balances(m.view, s, nil)
	}
}

// found compares a wallet's findings on the chain with the model.
func (m *model) found(got *session.Session, s sums) {
	m.t.Helper()
	sorted := func(list []string) []string { slices.Sort(list); return list }
	var coins, payments, spends []string
	for _, c := range s.coins {
		coins = append(coins, fmt.Sprint(c.Key, c.TxID, c.Index, c.Amount, c.At, c.height, c.unlock, c.spent))
	}
	for _, p := range s.payments {
		payments = append(payments, fmt.Sprint(p.TxID, p.Address, p.Amount, p.Height))
	}
	for _, p := range s.spends {
		spends = append(spends, fmt.Sprint(p.TxID, p.Account, p.AmountIn, p.Change, p.Height, p.Images))
	}
	var coins2, payments2, spends2 []string
	got.View(func(w *wallet.Wallet) {
		outputs := w.Outputs()
		for i := range outputs {
			o := &outputs[i]
			coins2 = append(
				coins2,
				fmt.Sprint(o.Key, o.TxID, o.Index, o.Amount, o.Address, o.Height, o.UnlockTime, w.IsSpent(o, true)),
			)
		}
		for _, p := range w.Payments() {
			payments2 = append(payments2, fmt.Sprint(p.TxID, p.Address, p.Amount, p.Height))
		}
		for _, p := range w.Spends() {
			spends2 = append(spends2, fmt.Sprint(p.TxID, p.Account, p.AmountIn, p.Change, p.Height, p.Images))
		}
	})
	require.Equal(m.t, sorted(coins), sorted(coins2), m.trace)
	require.Equal(m.t, sorted(payments), sorted(payments2), m.trace)
	require.Equal(m.t, sorted(spends), sorted(spends2), m.trace)
}

// balances compares the strict balances with the model.
func (m *model) balances(got *session.Session, s sums, frozen map[xmr.KeyImage]bool) {
	m.t.Helper()
	want := map[keys.Index]wallet.Balance{}
	for _, c := range s.coins {
		if c.spent || frozen[c.Image] {
			continue
		}
		for _, at := range []keys.Index{c.At, {Major: c.At.Major, Minor: 99}} { // 99 stands for the entire account
			b := want[at]
			if b.Total += c.Amount; c.open(uint64(len(m.read)), m.now) {
				b.Unlocked += c.Amount
			}
			want[at] = b
		}
	}
	got.View(func(w *wallet.Wallet) {
		for major := range uint32(2) {
			all := w.AccountBalance(major, true, m.now)
			require.Equal(m.t, want[keys.Index{Major: major, Minor: 99}], wallet.Balance{
				Total: all.Total, Unlocked: all.Unlocked,
			}, m.trace)
			for _, b := range w.AddressBalances(major, []uint32{0, 1, 2, 3}, true, m.now) {
				at := keys.Index{Major: major, Minor: b.Minor}
				require.Equal(m.t, want[at], wallet.Balance{Total: b.Total, Unlocked: b.Unlocked}, "%v %s", at, m.trace)
			}
		}
	})
}

// moving compares balances with pending transactions, and spendable outputs, with the model.
func (m *model) moving(w *wallet.Wallet, s sums) {
	m.t.Helper()
	out, in := m.inTransit(s)
	for major := range uint32(2) {
		total := uint64(0)
		for _, b := range w.AddressBalances(major, []uint32{0, 1, 2, 3}, false, m.now) {
			at, want := keys.Index{Major: major, Minor: b.Minor}, wallet.AddressBalance{Minor: b.Minor}
			for _, c := range s.coins {
				if c.At != at || c.spent || out[c.Image] {
					continue
				}
				if want.Unspent++; m.frozen[c.Image] {
					continue
				}
				if want.Total += c.Amount; c.open(w.Height(), m.now) {
					want.Unlocked += c.Amount
				}
			}
			want.Total += in[at]
			total += want.Total
			b.BlocksToUnlock, b.TimeToUnlock = 0, 0
			require.Equal(m.t, want, b, "%v %s", at, m.trace)
		}
		require.Equal(m.t, total, w.AccountBalance(major, false, m.now).Total, m.trace)
		var want, got []string
		for _, c := range m.spendable(major) {
			want = append(want, fmt.Sprint(c.Key, c.Amount, c.height))
		}
		for _, in := range w.Spendable(major, nil, w.Clock(m.now)) {
			got = append(got, fmt.Sprint(in.Key, in.Amount, in.Height))
		}
		slices.Sort(want)
		slices.Sort(got)
		require.Equal(m.t, want, got, "account %d: %s", major, m.trace)
	}
}

// kept compares the user data with the model.
func (m *model) kept() {
	m.t.Helper()
	m.s.View(func(w *wallet.Wallet) {
		for i, text := range m.labels {
			require.Equal(m.t, text, w.Label(i), m.trace)
		}
		for id, text := range m.notes {
			require.Equal(m.t, text, w.Note(id), m.trace)
		}
		mined := m.mined()
		for major, n := range m.addressCounts {
			require.Equal(m.t, m.tags[uint32(major)], w.Tag(uint32(major)), m.trace)
			got, err := w.Addresses(uint32(major))
			require.NoError(m.t, err)
			require.Equal(m.t, n, got, m.trace)
		}
		for id, a := range m.sent {
			s, ok := w.SentTx(id)
			require.True(m.t, ok, m.trace)
			require.Equal(m.t, a.images, s.Images(), m.trace)
			require.True(m.t, mined[id] || uint8(a.state) == uint8(s.State), "%s is %d, not %d: %s", id, s.State,
				a.state, m.trace)
		}
	})
}

// noticed compares the notices with the transfers when everything is scanned.
func (m *model) noticed() {
	m.t.Helper()
	type transfer struct {
		id xmr.Hash
		at keys.Index
		of bool
	}
	last, whole := map[transfer]wallet.Notice{}, false
	m.s.View(func(w *wallet.Wallet) {
		var all []wallet.Notice
		all, whole = w.Notices(0, 1<<20)
		for _, n := range all {
			k := transfer{n.TxID, n.Address, n.Out}
			if old := last[k]; n.Kind == wallet.NoticeUnlocked && whole {
				require.Equal(m.t, wallet.NoticeConfirmed, old.Kind, "unlocked without an earlier notice: %s", m.trace)
			}
			last[k] = n
		}
	})
	if !whole {
		return // background syncing was not taken over; readers of its notices start over
	}
	for k, n := range last {
		if n.Kind != wallet.NoticeConfirmed && n.Kind != wallet.NoticeUnlocked {
			delete(last, k)
		}
	}
	s := m.fold(m.read, nil)
	require.Len(m.t, last, len(s.payments)+len(s.spends), m.trace)
	for _, p := range s.payments {
		n := last[transfer{p.TxID, p.Address, false}]
		require.Equal(m.t, [2]uint64{p.Amount, p.Height}, [2]uint64{n.Amount, n.Height}, m.trace)
		c := coin{height: n.Height, unlock: n.UnlockTime}
		if c.open(uint64(len(m.read)), m.read[len(m.read)-1].Timestamp) {
			require.Equal(m.t, wallet.NoticeUnlocked, n.Kind, m.trace)
		}
	}
	for _, p := range s.spends {
		n := last[transfer{p.TxID, keys.Index{Major: p.Account}, true}]
		require.Equal(m.t, p.Height, n.Height, m.trace)
	}
}
