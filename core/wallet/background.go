package wallet

import (
	"slices"

	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// BackgroundType selects how a wallet is scanned in the background, without the spend key in memory.
type BackgroundType uint8

// The types. Source: src/wallet/wallet2.h, BackgroundSyncType.
const (
	BackgroundOff    BackgroundType = iota
	BackgroundReuse                 // in a file that the wallet's own password opens, through the wallet's file
	BackgroundCustom                // in a file with its own password, which can be opened separately
)

// Background is the setup of background syncing. It never prints.
type Background struct {
	Type BackgroundType `json:"type"`
	// Lock opens the background file; its encoding is up to the caller. It may be empty.
	Lock []byte `json:"lock"`
}

// String hides the lock.
func (Background) String() string { return "[secret]" }

// GoString hides the lock.
func (Background) GoString() string { return "[secret]" }

// Background returns the setup of background syncing. The caller must not change its Lock.
func (w *Wallet) Background() Background { return w.background }

// Noted is a transaction on the chain, found during background syncing, that must be processed again with the spend
// key: it paid the wallet, spent an output with a known key image, or has an output in a ring whose key image was
// unknown. No other transaction can have spent an output of the wallet.
type Noted struct {
	TxID      xmr.Hash `json:"txid"`
	Blob      []byte   `json:"blob"`                // pruned
	Indices   []uint64 `json:"indices" epee:"blob"` // global indices of its outputs
	Height    uint64   `json:"height"`              // index of its block
	Timestamp uint64   `json:"timestamp"`           // of its block, POSIX seconds
	Version   uint8    `json:"version"`             // major version of its block
}

// noted holds the transactions recorded during background syncing, in chain order, from the block with index from on.
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
		t.Blob = copyBytes(t.Blob)
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

// Noted returns the transactions to process again with the spend key, in chain order. The caller must not change the
// slice.
func (w *Wallet) Noted() []Noted { return w.noted.txs }

// member identifies an output as rings do: outputs of one amount are numbered, and all RingCT outputs have amount 0.
type member struct{ amount, index uint64 }

func (o *OwnedOutput) member() member {
	if o.RingCT {
		return member{0, o.GlobalIndex}
	}
	return member{o.Amount, o.GlobalIndex}
}

// outputsWithoutImage returns the outputs whose spends cannot be recognised during background syncing; nil otherwise.
func (w *Wallet) outputsWithoutImage() map[member]bool {
	if !w.identity.Background {
		return nil
	}
	unknown := map[member]bool{}
	for _, list := range [][]OwnedOutput{w.outputs, w.burnt} {
		for i := range list {
			if !list[i].ImageKnown {
				unknown[list[i].member()] = true
			}
		}
	}
	return unknown
}

// Transaction parses the transaction.
func (n *Noted) Transaction() (*tx.Transaction, error) { return parsePruned(n.Blob) }

// note records t if it spent outputs of the wallet, paid it, or may have spent one.
// Source: src/wallet/wallet2.cpp, process_new_transaction and process_background_cache.
func (d *draft) note(t *ScannedTx, b *ScannedBlock, spent bool, got []OwnedOutput) {
	if !spent && len(got) == 0 && !d.maySpend(t.Tx) {
		return
	}
	for i := range got {
		if !got[i].ImageKnown {
			d.unknownImages[got[i].member()] = true
		}
	}
	d.change.Noted = append(d.change.Noted, Noted{
		TxID: t.ID, Blob: t.Tx.AppendPruned(nil), Indices: t.Indices,
		Height: b.Height, Timestamp: b.Timestamp, Version: b.Version,
	})
}

func (d *draft) maySpend(t *tx.Transaction) bool {
	if t.RingCT.Type == tx.RingCTFCMP {
		// It may spend any output. One in each change suffices, see continues.
		first := !d.notedNew && len(d.unknownImages) > 0
		d.notedNew = d.notedNew || first
		return first
	}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Coinbase {
			continue
		}
		for _, n := range tx.AbsoluteOffsets(in.KeyOffsets) {
			if d.unknownImages[member{in.Amount, n}] {
				return true
			}
		}
	}
	return false
}

// BackgroundLog returns a log that replays to the wallet without its spend key, for background syncing. Without user,
// it also omits what scanning does not need: destinations, transaction keys, notes, labels, the address book, tags,
// attributes and frozen outputs.
// Source: src/wallet/wallet2.cpp, store_background_cache and clear_user_data.
func (w *Wallet) BackgroundLog(user bool) ([][]byte, error) {
	view, err := keys.ViewOnly(w.identity.Keys.ViewSecret(), w.identity.Keys.SpendPublic)
	if err != nil {
		return nil, err
	}
	a := w.clone()
	a.identity.Keys, a.identity.Background, a.identity.Words = view, true, nil
	a.background.Lock = nil
	a.noted = noted{from: w.Height()}
	if user {
		return a.Snapshot()
	}
	a.frozen, a.txKeys, a.drafts, a.annotations, a.takeover = nil, nil, nil, newAnnotations(), nil
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

// LogWithKeys returns a log that replays to the wallet with keys k, which must include the spend key that
// BackgroundLog removed, and with the Polyseed words, if any.
func (w *Wallet) LogWithKeys(k *keys.Keys, words Words) ([][]byte, error) {
	o := w.clone()
	o.identity.Keys, o.identity.Background, o.identity.Words = k, false, words
	return o.Snapshot()
}

// continues reports whether a is a continuation of w in background syncing: a started at a block that w has scanned,
// has scanned at least as far, and looked for at least the same addresses. Transactions of the next hard fork do not
// show what they may spend, so a, which lacks key images, cannot note those that spend the wallet's outputs: if txs,
// what it noted, contains one of them, w must read the blocks itself.
// Source: src/wallet/wallet2.cpp, process_background_cache.
func (w *Wallet) continues(a *Wallet, txs []MinedTx) bool {
	for i := range txs {
		if txs[i].Tx.Carrot != nil {
			return false
		}
	}
	there, own := &a.identity, &w.identity
	if !there.Background || there.Network != own.Network || there.Keys.SpendPublic != own.Keys.SpendPublic ||
		there.Keys.ViewPublic != own.Keys.ViewPublic || there.RestoreHeight > own.RestoreHeight {
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
	same, both := a.BlockAt(a.noted.from - 1)
	return !known || !both || before == same
}

// DecideBackgroundCache takes over into w, which has its spend key, what a found during background syncing; txs are
// the scanned transactions of a.Noted, in that order. Everything since the start of a is found again with the spend
// key: key images, their spends, and change. No daemon is contacted, so none learns the key images. If a is not a
// continuation of w, only the transactions that a sent are taken over and w scans the blocks itself. The events
// report only what was unknown to both. It may return a *keys.UnknownKeyImagesError or a *SearchError, see
// DecideBlocks.
// Source: src/wallet/wallet2.cpp, process_background_cache.
func (w *Wallet) DecideBackgroundCache(a *Wallet, txs []MinedTx) (ChangeSet, []HostEvent, error) {
	c := ChangeSet{User: w.sentInBackground(a)}
	tip, _ := w.Tip()
	from := a.noted.from
	switch there, _ := a.Tip(); {
	case !w.continues(a, txs):
		c.Notices = w.backgroundNotices(a, &c.Chain, from, false)
		return c, nil, nil
	case tip == there && from == w.Height():
		c.Notices = w.backgroundNotices(a, &c.Chain, from, true)
		return c, nil, nil
	}
	d := newDraft(w.before(from))
	var events []HostEvent
	for i := range txs {
		t := &txs[i]
		if d.block == nil || d.block.Height != t.Height {
			d.block = sameBlock(txs[i:])
		}
		before := len(d.events)
		if err := d.apply(&t.ScannedTx, d.block, t.ScannedTx.Tx.IsCoinbase()); err != nil {
			return ChangeSet{}, nil, err
		}
		if a.spends[t.ID] != nil || w.spends[t.ID] != nil {
			continue
		}
		for _, e := range d.events[before:] {
			if e.Kind == MoneySpent {
				events = append(events, e)
			}
		}
	}
	if err := d.missing(); err != nil {
		return ChangeSet{}, nil, err
	}
	c.Chain = d.change
	c.Notices = w.backgroundNotices(a, &c.Chain, from, true)
	c.Chain.Detach = &from
	for _, id := range a.chain.ids {
		if id.Height >= from {
			c.Chain.Blocks = append(c.Chain.Blocks, id)
		}
	}
	c.Chain.Reward, c.Chain.Total, c.Chain.Time = a.reward, a.total, a.notices.mark.Time
	c.Chain.Forked = a.forked
	return c, events, nil
}

// sentInBackground returns the changes of the wallet's sent transactions made in a, the state of background syncing.
func (w *Wallet) sentInBackground(a *Wallet) (u UserChange) {
	u.RingRecords = w.ringRecordsFromBackground(a)
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
