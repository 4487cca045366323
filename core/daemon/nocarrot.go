//go:build nocarrot

package daemon

import (
	"errors"

	"glim/core/block"
	"glim/core/tx"
	"glim/core/xmr"
)

// ErrNextFork reports blocks and transactions of the next hard fork.
var ErrNextFork = errors.New("this program does not read blocks of the next hard fork; start the engine again")

// serializedProofs is empty: this program reads no transactions that have any.
type serializedProofs = struct{}

func parseNewBlock(*tx.Arena, []byte) (blk *block.Block, id, coinbase xmr.Hash, err error) {
	return nil, id, coinbase, ErrNextFork
}

func decodeNewTx(id xmr.Hash, _ []byte, _ bool, _ xmr.Hash) (Tx, xmr.Hash, error) {
	return Tx{}, id, ErrNextFork
}
