// Package blake2b computes Blake2b hashes with a key and a personalisation string. golang.org/x/crypto/blake2b does the
// work; it has keys, but no personalisation.
package blake2b

import (
	"encoding"
	"hash"
	"sync"

	"golang.org/x/crypto/blake2b"
)

// Limits of the parameters.
const (
	MaxSize     = 64 // bytes of a hash
	MaxKey      = 64
	MaxPersonal = 16
)

// The library's encoding of an unfinished hash is "b2b", eight big-endian words of the chaining value, two words that
// count bytes, a byte with the size of the hash, a block of 128 bytes, and a byte with the number of bytes in it.
const (
	words     = 3
	size      = words + 8*8 + 2*8
	stateSize = size + 1 + 128 + 1
)

// fresh returns the encoding of a hash of 64 bytes without input.
var fresh = sync.OnceValue(func() (state [stateSize]byte) {
	d, err := blake2b.New512(nil)
	if err != nil {
		panic("unreachable: there is no key")
	}
	b, err := d.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil || len(b) != stateSize {
		panic("blake2b: the library encodes its state in another way")
	}
	return [stateSize]byte(b)
})

// Sum sets out to the hash of the message parts, with len(out) bytes. key and personal may be empty. It panics if one
// of them, or out, has an invalid length. It wipes what it copies of the key and the message as far as possible.
// Source: RFC 7693; the BLAKE2 paper, eprint 2013/322, section 2.8, for the parameter block.
func Sum(out, key []byte, personal string, parts ...[]byte) {
	if len(out) == 0 || len(out) > MaxSize || len(key) > MaxKey || len(personal) > MaxPersonal {
		panic("blake2b: invalid length of hash, key or personalisation")
	}
	state := fresh()
	parameter := func(i int) *byte { return &state[words+i&^7+7-i&7] } // words of parameters are little-endian
	*parameter(0) ^= MaxSize ^ byte(len(out))
	*parameter(1) ^= byte(len(key))
	for i := range len(personal) {
		*parameter(48 + i) ^= personal[i]
	}
	state[size] = byte(len(out))

	d, err := blake2b.New(len(out), nil)
	if err != nil {
		panic("unreachable: the length of the hash is valid")
	}
	restore(d, &state)
	if len(key) > 0 {
		var block [128]byte
		copy(block[:], key)
		d.Write(block[:])
		clear(block[:])
	}
	for _, part := range parts {
		d.Write(part)
	}
	d.Sum(out[:0])
	restore(d, &state) // overwrites the chaining value and the last block
}

func restore(d hash.Hash, state *[stateSize]byte) {
	if err := d.(encoding.BinaryUnmarshaler).UnmarshalBinary(state[:]); err != nil {
		panic("blake2b: the library encodes its state in another way")
	}
}
