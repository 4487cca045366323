//go:build nocarrot

package scan

import (
	"glim/core/internal/codec/wire"
	"glim/core/tx"
)

// Without Carrot no transaction of the next hard fork is parsed, so nothing of the following is reached.

type sharer struct{}

func (*Scanner) runCarrot([]Tx, int) []Found { return nil }

func appendCarrot(b []byte, _ *tx.Transaction) []byte { return append(b, 0, 0) }

func decodeCarrot(r *wire.Reader, _ *tx.Transaction) { r.Fail(ErrWire) }
