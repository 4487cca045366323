package wallet

// extends reports whether a's notices go on from w's, so that whoever followed a's has w's.
func (t *notices) extends(w *notices) bool {
	switch {
	case t.last < w.last:
		return false
	case w.last < t.first() || len(w.list) == 0:
		return true // too long ago to compare
	}
	return t.list[w.last-t.first()] == w.list[len(w.list)-1]
}

// noticesApart returns what w tells of having gone on as a. Where a's notices go on from w's, they are told as they were, for somebody
// may have them under their numbers; then what c, which holds the chain from a height on, has different. Where w told others
// meanwhile, c is compared with what w knew.
func (w *Wallet) noticesApart(a *Wallet, c *ChainChange, taken bool) (n NoticeChange) {
	if a.notices.extends(&w.notices) {
		list, whole := a.Notices(w.notices.last, KeptNotices)
		if !whole {
			after := a.notices.first() - 1
			n.After, list = &after, a.notices.list
		}
		n.Add = append(n.Add, list...)
		for name, number := range a.notices.delivered {
			if had, ok := w.notices.delivered[name]; !ok || had < number {
				n.Delivered = append(n.Delivered, Delivered{name, number})
			}
		}
		if taken {
			n.Add = append(n.Add, a.rewound(c, *c.Detach)...)
		}
		return n
	}
	if !taken {
		return n
	}
	then := *w
	then.notices.mark = Mark{a.notices.mark.Height, max(w.notices.mark.Time, c.Time)}
	n.Add = then.rewound(c, *c.Detach)
	told := map[transfer]bool{}
	for i := range n.Add {
		told[n.Add[i].transfer()] = true
	}
	locks := w.notices.locks.clone()
	for _, l := range locks.open(then.notices.mark) {
		if !told[l.transfer()] && w.notices.state(l.TxID) != NoticeUnlocked {
			n.Add = append(n.Add, l.as(NoticeUnlocked))
		}
	}
	return n
}
