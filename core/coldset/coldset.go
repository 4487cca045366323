// Package coldset reads and writes what a view-only wallet and its cold signer exchange, and what the signers of a multisig
// wallet do, in the reference's formats.
//
// Four kinds of message travel as files or hexadecimal text: outputs to the signer, key images back, an unsigned set to
// the signer, a signed set back. Each is a magic word and a body encrypted with the view key. Pending is what the
// service calls transaction metadata, which travels in the clear. SharedInfo and SharedSet travel between signers.
//
// Source: src/wallet/wallet2.h and wallet2.cpp; src/serialization.
package coldset

import (
	"bytes"
	"errors"

	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/xmr"
)

// Errors of decoding, besides those of packages wire and tx. The bytes are not such a message; retrying is pointless.
var (
	ErrMagic      = errors.New("coldset: not a message of this kind")
	ErrDeprecated = errors.New("coldset: written by an old wallet, in a format no longer read")
	ErrVersion    = errors.New("coldset: written by a newer wallet than this one understands")
	ErrMalformed  = errors.New("coldset: malformed")
	ErrSeal       = errors.New("coldset: made with another view key, or changed since")
	ErrMultisig   = errors.New("coldset: belongs to a multisig wallet")
	ErrAccount    = errors.New("coldset: belongs to another wallet")
)

// Errors of what a message asks for.
var (
	ErrNotOurs     = errors.New("coldset: holds an output that is not this wallet's")
	ErrGap         = errors.New("coldset: leaves out outputs that this wallet does not know; export all of them")
	ErrUnsupported = errors.New("coldset: asks for a kind of transaction that the network no longer takes")
	ErrUnbalanced  = errors.New("coldset: pays out more than it spends")
	ErrChange      = errors.New("coldset: what it calls change does not go to this wallet's account")
	ErrPaymentID   = errors.New("coldset: holds a payment ID that fits none of its destinations")
)

// Magic words. The last byte is the version of the layer below.
// Source: src/wallet/wallet2.cpp, UNSIGNED_TX_PREFIX and following.
const (
	magicUnsigned = "Monero unsigned tx set\x05"
	magicSigned   = "Monero signed tx set\x05"
	magicImages   = "Monero key image export\x03"
	magicOutputs  = "Monero output export\x04"
)

// body returns what follows magic; ErrDeprecated when only the version is lower, ErrVersion when it is higher.
func body(b []byte, magic string) ([]byte, error) {
	word, version := magic[:len(magic)-1], magic[len(magic)-1]
	if len(b) < len(magic) || !bytes.HasPrefix(b, []byte(word)) {
		return nil, ErrMagic
	}
	switch v := b[len(word)]; {
	case v < version:
		return nil, ErrDeprecated
	case v > version:
		return nil, ErrVersion
	}
	return b[len(magic):], nil
}

// Addresses tells which of the wallet's addresses has a public spend key, if any.
type Addresses func(spend xmr.PublicKey) (keys.Index, bool)

// maxCount bounds every list beside what its bytes can hold.
const maxCount = 1 << 24

func readBool(r *wire.Reader) bool {
	b := r.Byte()
	if b > 1 {
		r.Fail(ErrMalformed)
	}
	return b == 1
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func readVersion(r *wire.Reader, newest uint8) uint8 {
	v := r.Varint()
	if v > uint64(newest) {
		r.Fail(ErrVersion)
		return 0
	}
	return uint8(v)
}

// readUint32 reads a varint of at most 32 bits.
func readUint32(r *wire.Reader) uint32 {
	v := r.Varint()
	if v>>32 != 0 {
		r.Fail(wire.ErrOverflow)
	}
	return uint32(v)
}

func readVarints(r *wire.Reader) []uint64 {
	n := r.Count(maxCount, 1)
	if n == 0 {
		return nil
	}
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Varint()
	}
	return out
}

func appendVarints(b []byte, list []uint64) []byte {
	b = wire.AppendVarint(b, uint64(len(list)))
	for _, v := range list {
		b = wire.AppendVarint(b, v)
	}
	return b
}

// read32s reads a list of fields of 32 bytes.
func read32s[T ~[32]byte](r *wire.Reader) []T {
	n := r.Count(maxCount, 32)
	if n == 0 {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		out[i] = T(r.Bytes32())
	}
	return out
}

func append32s[T ~[32]byte](b []byte, list []T) []byte {
	b = wire.AppendVarint(b, uint64(len(list)))
	for i := range list {
		x := [32]byte(list[i])
		b = append(b, x[:]...)
	}
	return b
}

// readBytes reads a length and so many bytes, which it copies.
func readBytes(r *wire.Reader) []byte {
	return append([]byte(nil), r.Bytes(r.Count(maxCount, 1))...)
}

func appendBytes[T ~[]byte | ~string](b []byte, v T) []byte {
	return append(wire.AppendVarint(b, uint64(len(v))), v...)
}
