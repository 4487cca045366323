//go:build nocarrot

package compact

import (
	"glim/core/block"
	"glim/core/internal/codec/wire"
	"glim/core/tx"
)

// Version is the version of the format that this program reads and makes.
const Version = MinVersion

const (
	maxType   = tx.RingCTBulletproofPlus
	hasCarrot = false
)

func appendCoinbase(b []byte, blk *block.Block) ([]byte, error) {
	if blk.MinerTx.Carrot != nil {
		return nil, ErrFormat
	}
	return blk.MinerTx.Append(b), nil
}

func (b *Block) parseCoinbase(r *wire.Reader, a *tx.Arena) {
	b.Coinbase = b.Block.MinerTx.DecodeWithHash(r, a)
}

func appendCarrot([]byte, *tx.Transaction, []uint64, *numbers) ([]byte, error) { return nil, ErrFormat }

func parseCarrot(*tx.Arena, *wire.Reader, *tx.Transaction, byte, *numbers) (*tx.Transaction, []uint64) {
	return nil, nil // not reached
}
