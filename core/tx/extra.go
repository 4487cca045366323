package tx

import (
	"math"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// Tags of the fields in extra. Source: src/cryptonote_basic/tx_extra.h.
const (
	extraPadding        = 0x00
	extraPublicKey      = 0x01
	extraNonce          = 0x02
	extraMergeMining    = 0x03
	extraAdditionalKeys = 0x04
	extraMinergate      = 0xde
)

// First byte of a nonce that is a payment ID.
const (
	noncePaymentID          = 0x00
	nonceEncryptedPaymentID = 0x01
)

const (
	maxPadding = 255 // bytes, the tag included
	maxNonce   = 255 // bytes
)

// Extra has the fields of a transaction's extra bytes that follow the convention. Consensus does not require any.
type Extra struct {
	PublicKeys []xmr.PublicKey // transaction keys R, in order; wallets try each
	// one per output if a subaddress is paid along with others; of the first such field
	AdditionalKeys     []xmr.PublicKey
	Nonce              []byte       // of the first such field; aliases the input
	PaymentID          *xmr.Hash    // Nonce is a long, unencrypted payment ID
	EncryptedPaymentID *[8]byte     // Nonce is an encrypted payment ID
	MergeMining        *MergeMining // of the first such field
}

// MergeMining commits a block to blocks of other chains.
type MergeMining struct {
	Depth      uint64
	MerkleRoot xmr.Hash
}

// field is one entry of extra: its tag, its payload without framing, and all its bytes.
type field struct {
	tag     byte
	payload []byte
	raw     []byte
}

// nextField reads one entry. Numbers must be in their shortest form, so raw is also the field's serialisation.
func nextField(r *wire.Reader) field {
	start := r.Offset()
	f := field{tag: r.Byte()}
	switch {
	case r.Err() != nil:
	case f.tag == extraPadding:
		// Padding extends to the end of extra.
		if r.Len() > maxPadding-1 {
			r.Fail(wire.ErrLimit)
			return f
		}
		for _, c := range r.Bytes(r.Len()) {
			if c != 0 {
				r.Fail(wire.ErrTrailing)
			}
		}
	case f.tag == extraPublicKey:
		f.payload = r.Bytes(32)
	case f.tag == extraNonce:
		f.payload = r.Bytes(r.Count(maxNonce, 1))
	case f.tag == extraMergeMining:
		f.payload = r.Bytes(r.Count(math.MaxInt32, 1))
		if r.Err() == nil {
			in := wire.NewReader(f.payload)
			in.Varint()
			in.Bytes(32)
			if err := in.Close(); err != nil {
				r.Fail(err)
			}
		}
	case f.tag == extraAdditionalKeys:
		f.payload = r.Bytes(32 * r.Count(math.MaxInt32/32, 32))
	case f.tag == extraMinergate:
		f.payload = r.Bytes(r.Count(math.MaxInt32, 1))
	default:
		r.Fail(wire.ErrTrailing)
	}
	f.raw = r.Since(start)
	return f
}

// ParseExtra returns the fields before the first malformed one, and whether all were well-formed. Wallets use the
// result in both cases: senders append all kinds of bytes after the transaction key.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, parse_tx_extra.
func ParseExtra(b []byte) (Extra, bool) {
	var e Extra
	r := wire.NewReader(b)
	for r.Len() > 0 {
		f := nextField(r)
		if r.Err() != nil {
			return e, false
		}
		switch f.tag {
		case extraPublicKey:
			e.PublicKeys = append(e.PublicKeys, xmr.PublicKey(f.payload))
		case extraNonce:
			if e.Nonce == nil {
				e.setNonce(f.payload)
			}
		case extraMergeMining:
			if e.MergeMining == nil {
				in := wire.NewReader(f.payload)
				e.MergeMining = &MergeMining{Depth: in.Varint(), MerkleRoot: in.Bytes32()}
			}
		case extraAdditionalKeys:
			if e.AdditionalKeys == nil {
				e.AdditionalKeys = make([]xmr.PublicKey, len(f.payload)/32)
				for i := range e.AdditionalKeys {
					e.AdditionalKeys[i] = xmr.PublicKey(f.payload[32*i:])
				}
			}
		}
	}
	return e, true
}

// AppendKeys appends Extra's PublicKeys to main and AdditionalKeys to additional: the fields that scanning needs,
// without other allocations.
func AppendKeys(main, additional [][32]byte, extra []byte) (_, _ [][32]byte) {
	r := wire.NewReader(extra)
	first := true
	for r.Len() > 0 {
		f := nextField(r)
		if r.Err() != nil {
			break
		}
		switch f.tag {
		case extraPublicKey:
			main = append(main, [32]byte(f.payload))
		case extraAdditionalKeys:
			for ; first && len(f.payload) > 0; f.payload = f.payload[32:] {
				additional = append(additional, [32]byte(f.payload))
			}
			first = false
		}
	}
	return main, additional
}

func (e *Extra) setNonce(n []byte) {
	e.Nonce = n
	switch {
	case len(n) == 33 && n[0] == noncePaymentID:
		id := xmr.Hash(n[1:])
		e.PaymentID = &id
	case len(n) == 9 && n[0] == nonceEncryptedPaymentID:
		id := [8]byte(n[1:])
		e.EncryptedPaymentID = &id
	}
}

// AppendPublicKey adds a transaction key to extra b.
func AppendPublicKey(b []byte, key xmr.PublicKey) []byte {
	return append(append(b, extraPublicKey), key[:]...)
}

// AppendAdditionalKeys adds one transaction key per output to extra b.
func AppendAdditionalKeys(b []byte, keys []xmr.PublicKey) []byte {
	b = wire.AppendVarint(append(b, extraAdditionalKeys), uint64(len(keys)))
	for i := range keys {
		b = append(b, keys[i][:]...)
	}
	return b
}

// AppendNonce adds a nonce of at most 255 bytes to extra b. It returns wire.ErrLimit for more.
func AppendNonce(b, nonce []byte) ([]byte, error) {
	if len(nonce) > maxNonce {
		return nil, wire.ErrLimit
	}
	return append(wire.AppendVarint(append(b, extraNonce), uint64(len(nonce))), nonce...), nil
}

// AppendPaymentID adds a long, unencrypted payment ID to extra b.
func AppendPaymentID(b []byte, id xmr.Hash) []byte {
	return append(append(b, extraNonce, 33, noncePaymentID), id[:]...)
}

// AppendEncryptedPaymentID adds an already encrypted payment ID to extra b.
func AppendEncryptedPaymentID(b []byte, id [8]byte) []byte {
	return append(append(b, extraNonce, 9, nonceEncryptedPaymentID), id[:]...)
}

// AppendMergeMining adds a commitment to blocks of other chains to extra b.
func AppendMergeMining(b []byte, m MergeMining) []byte {
	b = wire.AppendVarint(append(b, extraMergeMining), uint64(wire.VarintLen(m.Depth)+32))
	return append(wire.AppendVarint(b, m.Depth), m.MerkleRoot[:]...)
}

// RemoveMergeMining returns b without its commitments to blocks of other chains; false when b is malformed.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, remove_field_from_tx_extra.
func RemoveMergeMining(b []byte) ([]byte, bool) {
	out := make([]byte, 0, len(b))
	r := wire.NewReader(b)
	for r.Len() > 0 {
		f := nextField(r)
		if r.Err() != nil {
			return nil, false
		}
		if f.tag != extraMergeMining {
			out = append(out, f.raw...)
		}
	}
	return out, true
}
