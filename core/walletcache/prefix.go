package walletcache

import (
	"slices"

	"glim/core/xmr"
)

// Tags of inputs and outputs. Source: src/cryptonote_basic/cryptonote_basic.h, VARIANT_TAG(binary_archive).
const (
	tagGen       = 0xff
	tagScript    = 0
	tagToKey     = 2
	tagTaggedKey = 3
)

// maxOutputs limits the outputs of a transaction: more do not fit into a block, and the reference refuses to import an
// output of a larger transaction. Source: wallet2.cpp, import_outputs.
const maxOutputs = 1 << 16

// prefix reads a transaction prefix and remembers its outputs and extra. Two kinds of prefixes do not exist on the
// chain. The reference writes an empty prefix for a missing transaction; prefix then returns nil. The prefix of an
// output imported from another wallet has the extra and that output, preceded by as many empty outputs as its index
// requires.
//
// Source: src/cryptonote_basic/cryptonote_basic.h, transaction_prefix; wallet2.cpp, import_outputs.
func (r *reader) prefix() []byte {
	b, inputs := r.ends()
	if inputs == 0 && len(r.outputs) == 0 {
		return nil
	}
	return b
}

// ends reads a prefix, and returns its bytes and the number of inputs.
func (r *reader) ends() (b []byte, inputs int) {
	start := r.Offset()
	if v := r.Varint(); v < 1 || v > 2 {
		r.Fail(ErrFormat)
	}
	r.Varint() // unlock time
	inputs = r.Count(r.Len(), 2)
	for range inputs {
		switch r.Byte() {
		case tagGen:
			r.Varint()
		case tagToKey:
			r.Varint()
			for range r.Count(r.Len(), 1) {
				r.Varint()
			}
			r.Bytes(32)
		default:
			r.Fail(ErrFormat)
		}
	}
	outputs := r.Count(maxOutputs, 4)
	r.outputs = slices.Grow(r.outputs[:0], outputs)
	for range outputs {
		r.Varint() // amount
		var key xmr.PublicKey
		switch r.Byte() {
		case tagScript:
			for range 2 { // no keys, no script
				if r.Byte() != 0 {
					r.Fail(ErrFormat)
				}
			}
		case tagToKey:
			key = r.Bytes32()
		case tagTaggedKey:
			key = r.Bytes32()
			r.Byte()
		default:
			r.Fail(ErrFormat)
		}
		if r.Err() != nil {
			return nil, 0
		}
		r.outputs = append(r.outputs, key)
	}
	r.extra = r.Bytes(r.Count(r.Len(), 1))
	if r.Err() != nil {
		return nil, 0
	}
	return r.Since(start), inputs
}

// base reads a transaction without its prunable part. Source: transaction, serialize_base; src/ringct/rctTypes.h,
// serialize_rctsig_base.
func (r *reader) base() []byte {
	start := r.Offset()
	prefix, inputs := r.ends()
	if len(prefix) == 0 || prefix[0] == 1 || inputs == 0 {
		return r.since(start)
	}
	kind := r.Byte()
	if kind == 0 {
		return r.since(start)
	}
	if kind > 6 {
		r.Fail(ErrFormat)
	}
	r.Varint() // fee
	if kind == 2 {
		r.Bytes(32 * inputs)
	}
	amount := 8
	if kind < 4 {
		amount = 64
	}
	r.Bytes((amount + 32) * len(r.outputs))
	return r.since(start)
}

func (r *reader) since(start int) []byte {
	if r.Err() != nil {
		return nil
	}
	return r.Since(start)
}
