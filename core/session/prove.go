package session

import (
	"context"
	"encoding/binary"

	"glim/core/crypto/keccak"
	"glim/core/syncer"
	"glim/core/wallet"
)

// prove has a source prove the transactions of blocks that would change the wallet, before they are committed, and of
// some other blocks as decoys. blocks is the result of scanning raw; height is the number of blocks of the source's
// chain. Complete blocks are proven, so the source cannot learn which blocks or transactions concern the wallet.
// Errors: those of the source and of the decision.
func (s *Session) prove(
	ctx context.Context, src syncer.Source, raw []syncer.Block, blocks []wallet.ScannedBlock, height uint64,
) error {
	prover, ok := src.(syncer.Prover)
	if !ok {
		return nil
	}
	var unproven []int // indices of blocks with unproven transactions
	for i := range raw {
		if !raw[i].Proven() {
			unproven = append(unproven, i)
		}
	}
	if len(unproven) == 0 || prover.DecoyInterval(0) == 0 {
		return nil
	}
	var change wallet.ChangeSet
	if err := s.retryMissing(ctx, func() (err error) {
		s.undisturbed(func(w *wallet.Wallet) { change, _, err = w.DecideBlocks(blocks, max(height, 1)-1) })
		return err
	}); err != nil {
		return err
	}
	concerned := change.Chain.Heights()
	var request []syncer.Block
	for _, i := range unproven {
		b := &raw[i]
		if concerned[b.Height] || s.isDecoy(b, prover.DecoyInterval(height-min(height, b.Height+1))) {
			request = append(request, *b)
		}
	}
	if len(request) == 0 {
		return nil
	}
	return prover.Prove(ctx, request)
}

// isDecoy reports whether b is one of the decoy blocks, one in every on average. Without the view key they cannot be
// predicted, and they are the same in every scan of the wallet: otherwise, blocks requested in several scans would be
// those that concern it.
func (s *Session) isDecoy(b *syncer.Block, every uint64) bool {
	view := s.Keys().ViewSecret()
	sum := keccak.Sum256([]byte("glim cover"), view[:], b.Hash[:])
	return every > 0 && binary.LittleEndian.Uint64(sum[:])%every == 0
}
