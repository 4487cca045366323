package session

import (
	"context"
	"encoding/binary"

	"glim/core/crypto/keccak"
	"glim/core/syncer"
	"glim/core/wallet"
)

// prove has a source prove the transactions of those blocks that would change what the wallet has, before anything of them is believed, and of
// some others. blocks is what a scan of raw found; height is the number of blocks the source's chain has. Whole blocks are
// proven, and the source cannot tell which of them matter, or what in them does. Errors: the source's, those of deciding.
func (s *Session) prove(ctx context.Context, src syncer.Source, raw []syncer.Block, blocks []wallet.Block, height uint64) error {
	prover, ok := src.(syncer.Prover)
	if !ok {
		return nil
	}
	var claimed []int // blocks with something unproven
	for i := range raw {
		if !raw[i].Proven() {
			claimed = append(claimed, i)
		}
	}
	if len(claimed) == 0 || prover.Cover(0) == 0 {
		return nil
	}
	var change wallet.ChangeSet
	if err := s.asking(ctx, func() (err error) {
		s.undisturbed(func(w *wallet.Wallet) { change, _, err = w.DecideBlocks(blocks, max(height, 1)-1) })
		return err
	}); err != nil {
		return err
	}
	concerned := change.Chain.Heights()
	var ask []syncer.Block
	for _, i := range claimed {
		b := &raw[i]
		if concerned[b.Height] || s.covers(b, prover.Cover(height-min(height, b.Height+1))) {
			ask = append(ask, *b)
		}
	}
	if len(ask) == 0 {
		return nil
	}
	return prover.Prove(ctx, ask)
}

// covers reports whether b is one of the blocks that are proven for others' sake, one in every. Nobody who lacks the view key can say which, and they
// are the same whenever the wallet reads the chain: else those that come again would be the ones that matter.
func (s *Session) covers(b *syncer.Block, every uint64) bool {
	view := s.Keys().ViewSecret()
	dice := keccak.Sum256([]byte("glim cover"), view[:], b.Hash[:])
	return every > 0 && binary.LittleEndian.Uint64(dice[:])%every == 0
}
