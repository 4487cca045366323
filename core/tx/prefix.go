package tx

import "glim/core/internal/codec/wire"

// DecodePrefix reads version to extra alone, which is followed by something else. Failure is r's.
// Source: src/cryptonote_basic/cryptonote_basic.h, transaction_prefix.
func (t *Transaction) DecodePrefix(r *wire.Reader) {
	*t = Transaction{}
	t.decodePrefix(r, nil)
}
