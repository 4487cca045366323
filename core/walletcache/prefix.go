package walletcache

// Tags of inputs and outputs. Source: src/cryptonote_basic/cryptonote_basic.h, VARIANT_TAG(binary_archive).
const (
	tagGen       = 0xff
	tagToKey     = 2
	tagTaggedKey = 3
)

// prefix reads a transaction without signatures and proofs, and remembers its outputs. Prefixes without inputs are taken, too: the
// reference writes them for transactions whose prefix it does not have. For those it returns nil.
//
// Source: src/cryptonote_basic/cryptonote_basic.h, transaction_prefix.
func (r *reader) prefix() []byte {
	b, inputs := r.ends()
	if inputs == 0 {
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
	outputs := r.Count(r.Len(), 34)
	r.outputs = r.outputs[:0]
	for range outputs {
		r.Varint() // amount
		tag := r.Byte()
		r.outputs = append(r.outputs, r.Bytes32())
		switch tag {
		case tagToKey:
		case tagTaggedKey:
			r.Byte()
		default:
			r.Fail(ErrFormat)
		}
	}
	r.Bytes(r.Count(r.Len(), 1)) // extra
	if r.Err() != nil {
		return nil, 0
	}
	return r.Since(start), inputs
}

// base reads a transaction without what can be pruned. Source: transaction, serialize_base; src/ringct/rctTypes.h,
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
