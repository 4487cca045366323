package chain

import (
	"cmp"
	"slices"

	"glim/core/consensus"
	"glim/core/xmr"
)

// The memory for blocks off the main chain is limited. Its estimate for a block, in bytes, is branchBlock, and
// branchPerByte for each byte of the block and its transactions, which are held both as bytes and parsed.
const (
	maxBranches   = 64 << 20
	branchBlock   = 1 << 10
	branchPerByte = 4
)

// branches are the blocks off the main chain. If the difficulty is low, anyone can make any number of them, so their
// memory is limited, see trim.
type branches struct {
	byID  map[xmr.Hash]*Block
	since map[xmr.Hash]uint64 // the value of clock when each was added
	clock uint64
	size  uint64 // estimated bytes
	limit uint64
}

func newBranches() branches {
	return branches{byID: map[xmr.Hash]*Block{}, since: map[xmr.Hash]uint64{}, limit: maxBranches}
}

// get returns a block, or nil if it is not there.
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

// branchSize returns the estimated memory of a block in bytes.
func branchSize(b *Block) uint64 {
	size := uint64(len(b.Blob))
	for _, t := range b.Txs {
		size += uint64(len(t.Blob))
	}
	return branchBlock + branchPerByte*size
}

// trim removes blocks if they take too much memory, until an eighth is free. It removes the branches with the least
// work first, each from its tip down, and of equal branches the older ones. So a branch that may overtake the main
// chain stays, and no block loses its parent.
func (s *branches) trim() {
	if s.size <= s.limit {
		return
	}
	list := make([]*Block, 0, len(s.byID))
	for _, b := range s.byID {
		list = append(list, b)
	}
	// Sorted by descending work, children precede their parents and pass the work of their branch on to them.
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
