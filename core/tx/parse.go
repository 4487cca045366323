package tx

import (
	"math"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// Variant tags. Source: src/cryptonote_basic/cryptonote_basic.h, VARIANT_TAG(binary_archive, …).
const (
	tagCoinbase  = 0xff
	tagToKey     = 0x02 // both of inputs and outputs
	tagTaggedKey = 0x03
)

// CarrotTag is the tag of an output of Carrot. Source: the same file of the beta that package fcmptx names.
const CarrotTag = 0x00

// Parse reads a complete transaction and refuses trailing bytes. Extra aliases b. It does not check points, signatures
// or proofs. It returns the errors of this package and of package wire.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, parse_and_validate_tx_from_blob.
func Parse(b []byte) (*Transaction, error) {
	t := new(Transaction)
	r := wire.NewReader(b)
	t.decode(r, true, nil, false)
	if err := r.Close(); err != nil {
		return nil, err
	}
	return t, nil
}

// ParsePruned reads a transaction without its signatures (version 1) or prunable part (version 2), as in the daemon's
// /get_blocks.bin, and get_transactions with prune. It refuses trailing bytes. Extra aliases b. It returns the errors
// of Parse.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, parse_and_validate_tx_base_from_blob.
func ParsePruned(b []byte) (*Transaction, error) { return (*Arena)(nil).ParsePruned(b) }

// ParsePruned is the function of that name, allocating from a.
func (a *Arena) ParsePruned(b []byte) (*Transaction, error) {
	t := a.Transaction()
	r := wire.NewReader(b)
	t.decode(r, false, a, false)
	if err := r.Close(); err != nil {
		return nil, err
	}
	return t, nil
}

// Decode reads a complete transaction that more bytes follow, such as the coinbase of a block. Errors are r's.
func (t *Transaction) Decode(r *wire.Reader) { t.decode(r, true, nil, false) }

// DecodeCoinbase is Decode for the coinbase of a block of the next hard fork, whose outputs may be those of Carrot.
// Either all are or none.
func (t *Transaction) DecodeCoinbase(r *wire.Reader) { t.decode(r, true, nil, true) }

// ParseCoinbase reads what DecodeCoinbase reads, and refuses trailing bytes. It returns the errors of Parse.
func ParseCoinbase(b []byte) (*Transaction, error) {
	t, r := new(Transaction), wire.NewReader(b)
	t.DecodeCoinbase(r)
	if err := r.Close(); err != nil {
		return nil, err
	}
	return t, nil
}

// layout has the ends of a transaction's parts, in bytes from its start.
type layout struct{ prefix, base int }

func (t *Transaction) decode(r *wire.Reader, whole bool, a *Arena, carrot bool) layout {
	*t = Transaction{}
	start := r.Offset()
	t.decodePrefix(r, a, carrot)
	at := layout{prefix: r.Offset() - start}
	if r.Err() != nil {
		return at
	}
	if t.Version == 1 {
		at.base = at.prefix
		if whole {
			t.decodeSignatures(r)
		}
		return at
	}
	t.RingCT.decodeBase(r, len(t.Inputs), len(t.Outputs), a)
	at.base = r.Offset() - start
	if whole && r.Err() == nil && t.RingCT.Type != RingCTNull {
		// As in the reference, the first input determines the ring size of all; a coinbase counts as one member.
		ring := len(t.Inputs[0].KeyOffsets)
		if t.Inputs[0].Coinbase {
			ring = 1
		}
		t.RingCT.decodePrunable(r, len(t.Inputs), len(t.Outputs), ring)
	}
	return at
}

func (t *Transaction) decodePrefix(r *wire.Reader, a *Arena, carrot bool) {
	t.Version = r.Varint()
	if r.Err() == nil && t.Version != 1 && t.Version != 2 {
		r.Fail(ErrVersion)
	}
	t.UnlockTime = r.Varint()

	n := r.Count(math.MaxInt32, 2)
	if r.Err() != nil {
		return
	}
	if n == 0 {
		r.Fail(ErrInput)
		return
	}
	t.Inputs = a.Inputs(n)
	var offsets []uint64
	for i := range t.Inputs {
		in := &t.Inputs[i]
		switch tag := r.Byte(); {
		case r.Err() != nil:
			return
		case tag == tagCoinbase:
			in.Coinbase = true
			in.Height = r.Varint()
		case tag == tagToKey:
			in.Amount = r.Varint()
			m := r.Count(math.MaxInt32, 1)
			if m > len(offsets) {
				// Most rings have the same size: allocate for all remaining ones, as far as the bytes left can hold
				// them.
				offsets = a.Numbers(max(m, int(min(int64(m)*int64(n-i), int64(r.Len())))))
			}
			in.KeyOffsets, offsets = offsets[:m:m], offsets[m:]
			for j := range in.KeyOffsets {
				in.KeyOffsets[j] = r.Varint()
			}
			in.KeyImage = r.Bytes32()
		default:
			r.Fail(ErrInput)
			return
		}
	}

	n = r.Count(math.MaxInt32, 34)
	if r.Err() != nil {
		return
	}
	t.Outputs = a.Outputs(n)
	for i := range t.Outputs {
		out := &t.Outputs[i]
		out.Amount = r.Varint()
		switch tag := r.Byte(); {
		case r.Err() != nil:
			return
		case tag == tagToKey:
			out.Key = xmr.PublicKey(r.Bytes32())
		case tag == tagTaggedKey:
			out.Key = xmr.PublicKey(r.Bytes32())
			out.Tagged = true
			out.ViewTag = r.Byte()
		case carrot && tag == CarrotTag && t.IsCoinbase() && len(t.Carrot) == i:
			out.Key = xmr.PublicKey(r.Bytes32())
			var c Carrot
			copy(c.ViewTag[:], r.Bytes(len(c.ViewTag)))
			copy(c.Anchor[:], r.Bytes(len(c.Anchor)))
			t.Carrot = append(t.Carrot, c)
		default:
			r.Fail(ErrOutput)
			return
		}
	}
	if t.Carrot != nil && len(t.Carrot) != n {
		r.Fail(ErrOutput)
	}
	t.Extra = r.Bytes(r.Count(math.MaxInt32, 1))
}

func (t *Transaction) decodeSignatures(r *wire.Reader) {
	signed := false
	for i := range t.Inputs {
		signed = signed || len(t.Inputs[i].KeyOffsets) > 0
	}
	if !signed {
		return
	}
	t.Signatures = make([][]Signature, len(t.Inputs))
	for i := range t.Inputs {
		n := len(t.Inputs[i].KeyOffsets)
		if n > r.Len()/64 {
			r.Fail(wire.ErrShort)
		}
		if n == 0 || r.Err() != nil {
			continue
		}
		t.Signatures[i] = make([]Signature, n)
		for j := range t.Signatures[i] {
			s := &t.Signatures[i][j]
			s.C = r.Bytes32()
			s.R = r.Bytes32()
		}
	}
}
