// Package xmr has the basic types of Monero that all other packages use: hashes, keys, networks, amounts in atomic
// units, and the protocol's constants.
package xmr

import (
	"encoding/hex"
	"errors"

	"glim/core/smallfmt"
)

// Hash is a 32-byte Keccak hash: a transaction ID, a block ID or a long payment ID.
type Hash [32]byte

// PublicKey is a compressed Ed25519 point as encoded on the chain. It may be invalid.
type PublicKey [32]byte

// KeyImage identifies a spent output: I = x·Hp(P), compressed. It may be invalid.
type KeyImage [32]byte

// ErrHex reports text other than exactly 64 hexadecimal digits.
var ErrHex = errors.New("xmr: not 64 hexadecimal digits")

// IsZero reports whether every byte is zero.
func (h Hash) IsZero() bool { return h == Hash{} }

// String returns 64 lower-case hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText returns 64 lower-case hexadecimal digits.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText accepts exactly 64 hexadecimal digits of either case; otherwise ErrHex.
func (h *Hash) UnmarshalText(text []byte) error { return decode32((*[32]byte)(h), string(text)) }

// String returns 64 lower-case hexadecimal digits.
func (k PublicKey) String() string { return hex.EncodeToString(k[:]) }

// MarshalText returns 64 lower-case hexadecimal digits.
func (k PublicKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText accepts exactly 64 hexadecimal digits of either case; otherwise ErrHex.
func (k *PublicKey) UnmarshalText(text []byte) error { return decode32((*[32]byte)(k), string(text)) }

// String returns 64 lower-case hexadecimal digits.
func (k KeyImage) String() string { return hex.EncodeToString(k[:]) }

// MarshalText returns 64 lower-case hexadecimal digits.
func (k KeyImage) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText accepts exactly 64 hexadecimal digits of either case; otherwise ErrHex.
func (k *KeyImage) UnmarshalText(text []byte) error { return decode32((*[32]byte)(k), string(text)) }

// ParseHash reads 64 hexadecimal digits; otherwise ErrHex.
func ParseHash(s string) (Hash, error) {
	var h Hash
	return h, decode32((*[32]byte)(&h), s)
}

// ParseKey reads 64 hexadecimal digits as raw key bytes; otherwise ErrHex.
func ParseKey(s string) ([32]byte, error) {
	var k [32]byte
	return k, decode32(&k, s)
}

func decode32(dst *[32]byte, s string) error {
	var b [32]byte
	if smallfmt.UnhexTo(b[:], s) != nil {
		return ErrHex
	}
	*dst = b
	return nil
}
