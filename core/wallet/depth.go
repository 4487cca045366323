package wallet

// DefaultMaxReorgDepth is the default maximum number of blocks that a reorganisation may drop.
// Source: src/cryptonote_config.h, ORPHANED_BLOCKS_MAX_COUNT; src/wallet/wallet2.cpp, m_max_reorg_depth.
const DefaultMaxReorgDepth = 100

// MaxReorgDepth returns the maximum number of blocks that a reorganisation may drop.
func (w *Wallet) MaxReorgDepth() uint64 { return w.maxReorgDepth }

// DecideMaxReorgDepth sets the maximum number of blocks that a reorganisation may drop.
func (w *Wallet) DecideMaxReorgDepth(depth uint64) ChangeSet {
	if depth == w.maxReorgDepth {
		return ChangeSet{}
	}
	return ChangeSet{User: UserChange{MaxReorgDepth: &depth}}
}

// ReorgDepth returns the number of blocks that a chain with a different block at index height would drop, counted
// from the highest block ever scanned. Successive reorganisations to shorter chains therefore add up and cannot
// exceed the limit together.
func (w *Wallet) ReorgDepth(height uint64) uint64 {
	top := max(w.Height(), w.chain.peak+1)
	return top - min(top, height)
}

// Awaits reports whether id is acceptable as the block at its height. Of the blocks that it dropped to scan them
// again, the wallet remembers one that must be the same.
func (w *Wallet) Awaits(id BlockID) bool {
	a := w.chain.awaited
	return a == nil || a.Height != id.Height || a.Hash == id.Hash
}

// settled returns the newest block above height that no reorganisation may drop, or nil.
func (w *Wallet) settled(height uint64) *BlockID {
	for i := len(w.chain.ids) - 1; i >= 0 && w.chain.ids[i].Height > height; i-- {
		if id := w.chain.ids[i]; w.ReorgDepth(id.Height) > w.maxReorgDepth {
			return &id
		}
	}
	if a := w.chain.awaited; a != nil && a.Height > height {
		return a
	}
	return nil
}

// snapshot adds a record of what the block IDs do not contain.
func (c *chain) snapshot(s *snapshot) {
	tip, _ := c.tip()
	var change ChainChange
	if c.peak > tip.Height {
		change.Peak = c.peak
	}
	change.Awaited = c.awaited
	s.add(ChangeSet{Chain: change})
}

// reached updates peak and awaited after the tip has changed.
func (c *chain) reached() {
	tip, ok := c.tip()
	if !ok {
		return
	}
	c.peak = max(c.peak, tip.Height)
	if c.awaited != nil && tip.Height >= c.awaited.Height {
		c.awaited = nil
	}
}
