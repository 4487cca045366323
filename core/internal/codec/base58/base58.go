// Package base58 encodes bytes in the base 58 of Monero addresses.
//
// The encoding differs from Bitcoin's: each block of 8 bytes becomes 11 letters, so the length of the text determines
// the length of the data.
//
// Source: src/common/base58.cpp.
package base58

import (
	"bytes"
	"errors"
	"math/bits"

	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
)

// Errors of decoding. All mean that the text is mistyped or is not an encoding.
var (
	ErrLetter   = errors.New("base58: letter outside the alphabet")
	ErrLength   = errors.New("base58: invalid length")
	ErrOverflow = errors.New("base58: block overflow")
	ErrChecksum = errors.New("base58: wrong checksum")
	ErrTag      = errors.New("base58: malformed tag")
)

const (
	alphabet     = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	blockBytes   = 8
	blockLetters = 11
	checksumSize = 4
)

// letters[n] is the number of letters that encode n bytes.
var letters = [blockBytes + 1]int{0, 2, 3, 5, 6, 7, 9, 10, 11}

// digits[c] is the value of letter c plus one, or 0 if c is not in the alphabet.
var digits = func() (d [256]byte) {
	for i := range len(alphabet) {
		d[alphabet[i]] = byte(i + 1)
	}
	return d
}()

// Encode returns data as text.
// Source: base58.cpp, encode.
func Encode(data []byte) string {
	out := make([]byte, 0, (len(data)/blockBytes+1)*blockLetters)
	for len(data) > 0 {
		n := min(len(data), blockBytes)
		var v uint64
		for _, c := range data[:n] {
			v = v<<8 | uint64(c)
		}
		var block [blockLetters]byte
		for i := letters[n] - 1; i >= 0; i-- {
			block[i] = alphabet[v%58]
			v /= 58
		}
		out = append(out, block[:letters[n]]...)
		data = data[n:]
	}
	return string(out)
}

// Decode returns the data that s encodes. It returns ErrLength, ErrLetter or ErrOverflow if s is not the result of
// Encode.
// Source: base58.cpp, decode.
func Decode(s string) ([]byte, error) {
	out := make([]byte, 0, (len(s)/blockLetters+1)*blockBytes)
	for len(s) > 0 {
		block := s[:min(len(s), blockLetters)]
		size := 0
		for n, l := range letters {
			if l == len(block) {
				size = n
			}
		}
		if size == 0 {
			return nil, ErrLength
		}
		v, err := number(block)
		if err != nil {
			return nil, err
		}
		if size < 8 && v>>(8*size) != 0 {
			return nil, ErrOverflow
		}
		for i := size - 1; i >= 0; i-- {
			out = append(out, byte(v>>(8*i)))
		}
		s = s[len(block):]
	}
	return out, nil
}

// number returns the value of at most 11 letters.
func number(block string) (uint64, error) {
	var v uint64
	for i := range len(block) {
		d := digits[block[i]]
		if d == 0 {
			return 0, ErrLetter
		}
		hi, lo := bits.Mul64(v, 58)
		sum, carry := bits.Add64(lo, uint64(d-1), 0)
		if hi != 0 || carry != 0 {
			return 0, ErrOverflow
		}
		v = sum
	}
	return v, nil
}

// EncodeAddr returns tag and data, followed by the first four bytes of their Keccak hash, as text.
// Source: base58.cpp, encode_addr.
func EncodeAddr(tag uint64, data []byte) string {
	raw := append(wire.AppendVarint(nil, tag), data...)
	sum := keccak.Sum256(raw)
	return Encode(append(raw, sum[:checksumSize]...))
}

// DecodeAddr returns the tag and the data that EncodeAddr encoded as s. It returns the errors of Decode, ErrLength if s
// is too short, ErrChecksum, or ErrTag if the tag is not in its shortest form.
// Source: base58.cpp, decode_addr.
func DecodeAddr(s string) (tag uint64, data []byte, err error) {
	raw, err := Decode(s)
	if err != nil {
		return 0, nil, err
	}
	if len(raw) <= checksumSize {
		return 0, nil, ErrLength
	}
	body, check := raw[:len(raw)-checksumSize], raw[len(raw)-checksumSize:]
	sum := keccak.Sum256(body)
	if !bytes.Equal(sum[:checksumSize], check) {
		return 0, nil, ErrChecksum
	}
	r := wire.NewReader(body)
	tag = r.Varint()
	if r.Err() != nil {
		return 0, nil, ErrTag
	}
	return tag, r.Bytes(r.Len()), nil
}
