package chain

import (
	"cmp"
	"slices"

	"glim/core/consensus"
	"glim/core/xmr"
)

// How much memory blocks off the main chain may take, in bytes, and what one takes besides its own bytes and those of
// its transactions, which are there twice: as they came and read.
const (
	maxBranches   = 64 << 20
	branchBlock   = 1 << 10
	branchPerByte = 4
)

// branches are the blocks off the main chain. Where work costs nothing anybody can make any number of them, so that what
// they take is bounded: see trim.
type branches struct {
	byID  map[xmr.Hash]*Block
	since map[xmr.Hash]uint64 // when each came, counted
	clock uint64
	size  uint64 // bytes, about
	limit uint64
}

func newBranches() branches {
	return branches{byID: map[xmr.Hash]*Block{}, since: map[xmr.Hash]uint64{}, limit: maxBranches}
}

// get returns a block, or nil.
func (s *branches) get(id xmr.Hash) *Block { return s.byID[id] }

func (s *branches) put(b *Block) {
	s.remove(b.ID)
	s.clock++
	s.byID[b.ID], s.since[b.ID] = b, s.clock
	s.size += branchSize(b)
}

func (s *branches) remove(id xmr.Hash) {
	if b := s.byID[id]; b != nil {
		delete(s.byID, id)
		delete(s.since, id)
		s.size -= branchSize(b)
	}
}

// branchSize returns about how many bytes of memory a block takes.
func branchSize(b *Block) uint64 {
	size := uint64(len(b.Blob))
	for _, t := range b.Txs {
		size += uint64(len(t.Blob))
	}
	return branchBlock + branchPerByte*size
}

// trim drops blocks when they take more memory than they may, until an eighth is free. Those go first whose branch has
// the least work, from its tip down; of equal ones those that came first. So a branch that could overtake the main chain
// stays, and no block stays whose parent goes.
func (s *branches) trim() {
	if s.size <= s.limit {
		return
	}
	list := make([]*Block, 0, len(s.byID))
	for _, b := range s.byID {
		list = append(list, b)
	}
	// From the most work down, children come before their parents and hand on what their branch has.
	slices.SortFunc(list, func(a, b *Block) int { return compare(b.Cumulative, a.Cumulative) })
	work := make(map[xmr.Hash]consensus.Difficulty, len(list))
	for _, b := range list {
		if work[b.ID].Less(b.Cumulative) {
			work[b.ID] = b.Cumulative
		}
		if work[b.Block.Prev].Less(work[b.ID]) {
			work[b.Block.Prev] = work[b.ID]
		}
	}
	slices.SortFunc(list, func(a, b *Block) int {
		return cmp.Or(
			compare(work[a.ID], work[b.ID]),
			compare(b.Cumulative, a.Cumulative),
			cmp.Compare(s.since[a.ID], s.since[b.ID]))
	})
	for _, b := range list {
		if s.size <= s.limit-s.limit/8 {
			return
		}
		s.remove(b.ID)
	}
}

func compare(a, b consensus.Difficulty) int {
	return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo))
}
