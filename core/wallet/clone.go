package wallet

import (
	"maps"
	"slices"
)

// clone returns a copy of w with lists and maps of its own: a commit to one does not change the other. They share
// values that are replaced and never modified, such as *Sent, the address texts, which have their own lock, and
// nonces, which are wiped in place so that no copy remains. TestCloneSharesNothing lists what is shared; everything
// else must be copied here.
func (w *Wallet) clone() *Wallet {
	c := *w
	c.accounts = slices.Clone(w.accounts)
	for i := range c.accounts {
		c.accounts[i] = slices.Clone(w.accounts[i])
	}
	c.table = w.table.clone()

	c.chain.ids = slices.Clone(w.chain.ids)
	c.ownerAddresses = slices.Clone(w.ownerAddresses)
	c.outputs = slices.Clone(w.outputs)
	c.burnt, c.payments = slices.Clone(w.burnt), slices.Clone(w.payments)
	c.byKey, c.byImage = maps.Clone(w.byKey), maps.Clone(w.byImage)
	c.spends, c.spentBy, c.inOrder = maps.Clone(w.spends), maps.Clone(w.spentBy), slices.Clone(w.inOrder)
	c.frozen, c.images, c.imageOwner = maps.Clone(w.frozen), maps.Clone(w.images), maps.Clone(w.imageOwner)
	c.txKeys, c.ringRecords = maps.Clone(w.txKeys), maps.Clone(w.ringRecords)
	c.ledger = w.ledger.clone()
	c.payees = maps.Clone(w.payees)
	c.background.Lock = slices.Clone(w.background.Lock)
	c.noted.txs = slices.Clone(w.noted.txs)
	c.cosigning = cosigning{maps.Clone(w.cosigning.nonces), maps.Clone(w.cosigning.received)}

	p := &w.annotations
	c.annotations = annotations{
		maps.Clone(p.notes), maps.Clone(p.attributes), slices.Clone(p.book),
		maps.Clone(p.tags), maps.Clone(p.described),
	}
	c.notices = w.notices.clone()
	c.drafts = maps.Clone(w.drafts)
	c.sent, c.unmined, c.reserved = maps.Clone(w.sent), maps.Clone(w.unmined), maps.Clone(w.reserved)
	c.pool, c.inPool = maps.Clone(w.pool), maps.Clone(w.inPool)
	c.copied = false
	return &c
}

// clone returns a complete table with the same addresses.
func (t *table) clone() *table {
	t.filled()
	return &table{index: maps.Clone(t.index), sizes: slices.Clone(t.sizes)}
}

func (l *ledger) clone() ledger {
	c := *l
	c.marks = slices.Clone(l.marks)
	c.accounts = make(map[uint32]*accountLedger, len(l.accounts))
	for major, a := range l.accounts {
		b := &accountLedger{all: a.all, waiting: slices.Clone(a.waiting)}
		b.byMinor = make(map[uint32]*addressSums, len(a.byMinor))
		for minor, p := range a.byMinor {
			q := *p
			b.byMinor[minor] = &q
		}
		of := func(list []*addressSums) []*addressSums {
			out := slices.Clone(list)
			for i, p := range out {
				out[i] = b.byMinor[p.minor]
			}
			return out
		}
		b.addresses, b.recent = of(a.addresses), of(a.recent)
		c.accounts[major] = b
	}
	return c
}

func (t *notices) clone() notices {
	c := *t
	c.list.blocks = make([]*noticeBlock, len(t.list.blocks))
	for i, b := range t.list.blocks {
		if b != nil {
			c.list.blocks[i] = &noticeBlock{slices.Clone(b.data), b.ends}
		}
	}
	c.latest, c.delivered, c.awaiting = maps.Clone(t.latest), maps.Clone(t.delivered), maps.Clone(t.awaiting)
	c.awaited, c.locks = slices.Clone(t.awaited), t.locks.clone()
	return c
}
