package wallet

import (
	"slices"

	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// BackgroundType says how a wallet reads the chain while its spend key is not in memory.
type BackgroundType uint8

// The types. Source: src/wallet/wallet2.h, BackgroundSyncType.
const (
	BackgroundOff    BackgroundType = iota
	BackgroundReuse                 // in a file that the wallet's own password opens, by way of the wallet's file
	BackgroundCustom                // in a file with a password of its own, which can be opened by itself
)

// Background is how a wallet was set up to read the chain without its spend key. It never prints.
type Background struct {
	Type BackgroundType `json:"type"`
	// Lock opens the other file: what it is, is its maker's affair. Empty when there is none.
	Lock []byte `json:"lock"`
}

// String hides the lock.
func (Background) String() string { return "[secret]" }

// GoString hides the lock.
func (Background) GoString() string { return "[secret]" }

// Background returns how the wallet was set up. Its lock is the wallet's: read only.
func (w *Wallet) Background() Background { return w.background }

// Noted is a transaction on the chain that a wallet without its spend key has to look at again when it is back: one that
// paid it, that spent what it knows the key image of, or that may have spent an output whose key image it could not know, for
// a ring has it. No other transaction can have spent anything of the wallet.
type Noted struct {
	TxID      xmr.Hash `json:"txid"`
	Blob      []byte   `json:"blob"`                // pruned
	Indices   []uint64 `json:"indices" epee:"blob"` // global, of its outputs
	Height    uint64   `json:"height"`              // index of its block
	Timestamp uint64   `json:"timestamp"`           // of its block, POSIX seconds
	Version   uint8    `json:"version"`             // of its block
}

// noted is what a wallet without its spend key noted, in the chain's order, from the block with index from on.
type noted struct {
	from uint64
	txs  []Noted
}

func (n *noted) commit(c *ChainChange) {
	if c.Detach != nil {
		n.from = min(n.from, *c.Detach)
		n.txs = slices.DeleteFunc(n.txs, func(t Noted) bool { return t.Height >= *c.Detach })
	}
	if c.NotedFrom != nil {
		n.from = *c.NotedFrom
	}
	for _, t := range c.Noted {
		t.Blob = own(t.Blob)
		n.txs = append(n.txs, t)
	}
}

func (n *noted) snapshot(s *snapshot, keeps bool) {
	if !keeps {
		return
	}
	addParts(s, n.txs, partLarge, func(c *ChangeSet, part []Noted) { c.Chain.Noted = part })
	s.add(ChangeSet{Chain: ChainChange{NotedFrom: &n.from}})
}

// Noted returns what a wallet without its spend key has to look at again when it is back, in the chain's order. Read only.
func (w *Wallet) Noted() []Noted { return w.noted.txs }

// member names an output as rings do: outputs of one amount are numbered, and all RingCT outputs count as amount 0.
type member struct{ amount, global uint64 }

func (o *Output) member() member {
	if o.RingCT {
		return member{0, o.Global}
	}
	return member{o.Amount, o.Global}
}

// blind returns the outputs whose spending the wallet cannot see, where it notes what may spend them; otherwise nil.
func (w *Wallet) blind() map[member]bool {
	if !w.origin.Background {
		return nil
	}
	blind := map[member]bool{}
	for _, list := range [][]Output{w.outputs, w.twins} {
		for i := range list {
			if !list[i].ImageKnown {
				blind[list[i].member()] = true
			}
		}
	}
	return blind
}

// note notes t for later when it spent the wallet's outputs, brought some or may have spent some.
// Source: src/wallet/wallet2.cpp, process_new_transaction and process_background_cache.
func (d *draft) note(t *Tx, b *Block, spent bool, got []Output) {
	if !spent && len(got) == 0 && !d.maySpend(t.Tx) {
		return
	}
	for i := range got {
		if !got[i].ImageKnown {
			d.blind[got[i].member()] = true
		}
	}
	d.change.Noted = append(d.change.Noted, Noted{
		TxID: t.ID, Blob: t.Tx.AppendPruned(nil), Indices: t.Indices, Height: b.Height, Timestamp: b.Timestamp, Version: b.Version,
	})
}

func (d *draft) maySpend(t *tx.Transaction) bool {
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Coinbase {
			continue
		}
		for _, n := range tx.AbsoluteOffsets(in.KeyOffsets) {
			if d.blind[member{in.Amount, n}] {
				return true
			}
		}
	}
	return false
}

// Apart returns a log that replays to the wallet without its spend key, which notes from now on what has to be looked at
// again when the key is back. Unless user is set it is also without what reading the chain does not need: whom the wallet
// paid, the keys of its transactions, notes, labels, the address book, tags, attributes, what is frozen.
// Source: src/wallet/wallet2.cpp, store_background_cache and clear_user_data.
func (w *Wallet) Apart(user bool) ([][]byte, error) {
	view, err := keys.ViewOnly(w.origin.Keys.ViewSecret(), w.origin.Keys.SpendPublic)
	if err != nil {
		return nil, err
	}
	a := w.clone()
	a.origin.Keys, a.origin.Background, a.origin.Words = view, true, nil
	a.background.Lock = nil
	a.noted = noted{from: w.Height()}
	if user {
		return a.Snapshot()
	}
	a.frozen, a.txKeys, a.drafts, a.papers, a.takeover = nil, nil, nil, newPapers(), nil
	for _, labels := range a.accounts {
		clear(labels)
	}
	for id, s := range a.sent {
		bare := *s
		bare.Destinations, bare.Key, bare.AdditionalKeys = nil, keys.Secret{}, nil
		a.sent[id] = &bare
	}
	return a.Snapshot()
}

// Whole returns a log that replays to the wallet with all its keys, which must be those of the one that it was apart from, and with
// the words it was made from, if any.
func (w *Wallet) Whole(k *keys.Keys, words Words) ([][]byte, error) {
	o := w.clone()
	o.origin.Keys, o.origin.Background, o.origin.Words = k, false, words
	return o.Snapshot()
}

// continues reports whether a is the state that w went on in without its spend key: it begins where w has been, has come at
// least as far, and looked wherever w looks.
// Source: src/wallet/wallet2.cpp, process_background_cache.
func (w *Wallet) continues(a *Wallet) bool {
	if !a.origin.Background || a.origin.Network != w.origin.Network || a.origin.Keys.SpendPublic != w.origin.Keys.SpendPublic ||
		a.origin.Keys.ViewPublic != w.origin.Keys.ViewPublic || a.origin.RestoreHeight > w.origin.RestoreHeight {
		return false
	}
	theirs, mine := a.table.filled().sizes, w.table.filled().sizes
	if a.noted.from > w.Height() || a.Height() < w.Height() || len(theirs) < len(mine) {
		return false
	}
	for major, n := range mine {
		if theirs[major] < n {
			return false
		}
	}
	if a.noted.from == 0 {
		return true
	}
	before, known := w.BlockAt(a.noted.from - 1)
	there, both := a.BlockAt(a.noted.from - 1)
	return !known || !both || before == there
}

// DecideReturn says what w, which has its spend key, takes over from a, the state that went on without it: txs are what a
// noted, in its order. From where a began, all is found again as if the key had been there: key images, what spent them, and what
// was change. No daemon is asked, and none learns the key images. Where a cannot be gone on from, what it sent alone is taken,
// and w reads those blocks itself. Only what neither could tell makes events. A *keys.WantedError or *SearchError is as in DecideBlocks.
// Source: src/wallet/wallet2.cpp, process_background_cache.
func (w *Wallet) DecideReturn(a *Wallet, txs []Mined) (ChangeSet, []Event, error) {
	c := ChangeSet{User: w.sentApart(a)}
	tip, _ := w.Tip()
	from := a.noted.from
	switch there, _ := a.Tip(); {
	case !w.continues(a):
		c.Notices = w.returned(a, &c.Chain, from, false)
		return c, nil, nil
	case tip == there && from == w.Height():
		c.Notices = w.returned(a, &c.Chain, from, true)
		return c, nil, nil
	}
	d := newDraft(w.before(from))
	var events []Event
	for i := range txs {
		t := &txs[i]
		if d.block == nil || d.block.Height != t.Height {
			d.block = sameBlock(txs[i:])
		}
		told := len(d.events)
		if err := d.apply(&t.Tx, d.block, t.Tx.Tx.IsCoinbase()); err != nil {
			return ChangeSet{}, nil, err
		}
		if a.spends[t.ID] != nil || w.spends[t.ID] != nil {
			continue
		}
		for _, e := range d.events[told:] {
			if e.Kind == MoneySpent {
				events = append(events, e)
			}
		}
	}
	if err := d.lacks(); err != nil {
		return ChangeSet{}, nil, err
	}
	c.Chain = d.change
	c.Notices = w.returned(a, &c.Chain, from, true)
	c.Chain.Detach = &from
	for _, id := range a.chain.ids {
		if id.Height >= from {
			c.Chain.Blocks = append(c.Chain.Blocks, id)
		}
	}
	c.Chain.Reward, c.Chain.Total, c.Chain.Time = a.reward, a.total, a.notices.mark.Time
	return c, events, nil
}

// sentApart returns what became of the wallet's own transactions while it went on as a.
func (w *Wallet) sentApart(a *Wallet) (u UserChange) {
	u.Hidden = w.hiddenApart(a)
	for id, s := range a.sent {
		switch mine := w.sent[id]; {
		case mine == nil:
			u.Sent = append(u.Sent, *s)
		case mine.State != s.State || mine.SentAt != s.SentAt:
			u.States = append(u.States, SendChange{TxID: id, State: s.State, Reason: s.Reason, SentAt: s.SentAt})
		}
	}
	return u
}
