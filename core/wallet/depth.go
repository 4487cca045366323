package wallet

// DefaultMaxReorgDepth is how many blocks a wallet lets a reorganisation drop unless its owner set otherwise.
// Source: src/cryptonote_config.h, ORPHANED_BLOCKS_MAX_COUNT; src/wallet/wallet2.cpp, m_max_reorg_depth.
const DefaultMaxReorgDepth = 100

// MaxReorgDepth returns how many blocks a reorganisation may drop.
func (w *Wallet) MaxReorgDepth() uint64 { return w.maxReorgDepth }

// DecideMaxReorgDepth sets how many blocks a reorganisation may drop.
func (w *Wallet) DecideMaxReorgDepth(depth uint64) ChangeSet {
	if depth == w.maxReorgDepth {
		return ChangeSet{}
	}
	return ChangeSet{User: UserChange{MaxReorgDepth: &depth}}
}

// ReorgDepth returns how many blocks would be dropped by a chain on which the block with index height is another, counted from the highest
// block that was ever read. So reorganisations that leave a shorter chain add up: none leads below what one could have dropped.
func (w *Wallet) ReorgDepth(height uint64) uint64 {
	top := max(w.Height(), w.chain.peak+1)
	return top - min(top, height)
}

// Awaits reports whether the block id may be the one at its height. The wallet knows that of one block among those that it forgot in order
// to read them again.
func (w *Wallet) Awaits(id BlockID) bool {
	a := w.chain.awaited
	return a == nil || a.Height != id.Height || a.Hash == id.Hash
}

// settled returns the newest block above height that no reorganisation may drop; nil for none.
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

// snapshot adds what the IDs do not tell.
func (c *chain) snapshot(s *snapshot) {
	tip, _ := c.tip()
	var change ChainChange
	if c.peak > tip.Height {
		change.Peak = c.peak
	}
	change.Awaited = c.awaited
	s.add(ChangeSet{Chain: change})
}

// reached notes what blocks up to the tip mean for what may be dropped later.
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
