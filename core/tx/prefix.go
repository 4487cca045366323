package tx

import "glim/core/internal/codec/wire"

// DecodePrefix reads the fields from version to extra. Errors are r's.
// Source: src/cryptonote_basic/cryptonote_basic.h, transaction_prefix.
func (t *Transaction) DecodePrefix(r *wire.Reader) {
	*t = Transaction{}
	t.decodePrefix(r, nil, false)
}
