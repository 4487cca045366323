// Package coldset reads and writes the messages of cold signing: those between a view-only wallet, which is online, and
// the wallet that holds the spend key offline, in the reference's formats.
//
// Four kinds of message travel as files or hexadecimal text: outputs to the signer, key images back, an unsigned set to
// the signer, a signed set back. Each is a magic word and a body encrypted with the view key. Cipher also serves the
// messages of package multisig. A PendingTx by itself is the RPC's transaction metadata, which is not encrypted.
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
	ErrDeprecated = errors.New("coldset: written by an old wallet, in a format that is no longer supported")
	ErrVersion    = errors.New("coldset: written by a newer wallet, in an unknown format")
	ErrMalformed  = errors.New("coldset: malformed")
	ErrSeal       = errors.New("coldset: made with another view key, or modified")
	ErrMultisig   = errors.New("coldset: belongs to a multisig wallet")
	ErrAccount    = errors.New("coldset: belongs to another wallet")
)

// Errors of the contents of a message.
var (
	ErrNotOurs     = errors.New("coldset: contains an output that is not this wallet's")
	ErrGap         = errors.New("coldset: skips outputs that this wallet does not know; export all of them")
	ErrUnsupported = errors.New("coldset: requests a kind of transaction that the network no longer accepts")
	ErrUnbalanced  = errors.New("coldset: pays more than it spends")
	ErrChange      = errors.New("coldset: its change does not go to this wallet's account")
	ErrPaymentID   = errors.New("coldset: contains a payment ID that belongs to none of its destinations")
)

// Magic words. The last byte is the version of the layer below.
// Source: src/wallet/wallet2.cpp, UNSIGNED_TX_PREFIX and following.
const (
	magicUnsigned = "Monero unsigned tx set\x05"
	magicSigned   = "Monero signed tx set\x05"
	magicImages   = "Monero key image export\x03"
	magicOutputs  = "Monero output export\x04"
)

// body returns the bytes after magic. It returns ErrDeprecated for a lower version and ErrVersion for a higher one.
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

// AddressLookup returns the index of the wallet's address with a public spend key; false if no address has that key.
type AddressLookup func(spend xmr.PublicKey) (keys.Index, bool)

// maxCount limits every list, in addition to the bytes left.
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

// readBytes reads a length and copies that many bytes.
func readBytes(r *wire.Reader) []byte {
	return append([]byte(nil), r.Bytes(r.Count(maxCount, 1))...)
}

func appendBytes[T ~[]byte | ~string](b []byte, v T) []byte {
	return append(wire.AppendVarint(b, uint64(len(v))), v...)
}
