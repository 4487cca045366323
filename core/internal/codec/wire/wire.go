// Package wire reads and writes the binary format of blocks and transactions, which consists of varints and fixed
// fields.
package wire

import (
	"encoding/binary"
	"errors"
)

// Errors of decoding. All mean that the bytes violate the format, so retrying is pointless.
var (
	ErrShort        = errors.New("wire: input ends early")
	ErrTrailing     = errors.New("wire: bytes after the end")
	ErrNonCanonical = errors.New("wire: number not in its shortest form")
	ErrOverflow     = errors.New("wire: number exceeds 64 bits")
	ErrLimit        = errors.New("wire: count exceeds its limit")
)

// AppendVarint appends v, seven bits a byte, least significant first.
// Source: src/common/varint.h, write_varint.
func AppendVarint(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

// VarintLen returns the number of bytes AppendVarint writes for v: 1 to 10.
func VarintLen(v uint64) int {
	n := 1
	for v >= 0x80 {
		v >>= 7
		n++
	}
	return n
}

// Reader reads from a byte slice. After the first error all reads return zero values, and Err returns that error.
// Returned slices alias the input.
type Reader struct {
	buf []byte
	off int
	err error
}

// NewReader returns a reader of b, which must not change while it is used.
func NewReader(b []byte) *Reader { return &Reader{buf: b} }

// Err returns the first error, or nil.
func (r *Reader) Err() error { return r.err }

// Fail sets the reader's error, unless it has one.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Len returns the number of bytes left.
func (r *Reader) Len() int { return len(r.buf) - r.off }

// Offset returns the number of bytes consumed.
func (r *Reader) Offset() int { return r.off }

// Since returns the bytes from offset start to the current one.
func (r *Reader) Since(start int) []byte { return r.buf[start:r.off:r.off] }

// Close returns the first error, or ErrTrailing if bytes are left.
func (r *Reader) Close() error {
	if r.err == nil && r.off != len(r.buf) {
		r.err = ErrTrailing
	}
	return r.err
}

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if r.err != nil {
		return 0
	}
	if r.off >= len(r.buf) {
		r.err = ErrShort
		return 0
	}
	c := r.buf[r.off]
	r.off++
	return c
}

// Varint reads a number. It fails with ErrNonCanonical if the number is not in its shortest form, or with ErrOverflow.
func (r *Reader) Varint() uint64 {
	if r.err != nil {
		return 0
	}
	var v uint64
	for shift := uint(0); ; shift += 7 {
		if r.off >= len(r.buf) {
			r.err = ErrShort
			return 0
		}
		c := r.buf[r.off]
		r.off++
		if c == 0 && shift > 0 {
			r.err = ErrNonCanonical
			return 0
		}
		if shift == 63 && c > 1 {
			r.err = ErrOverflow
			return 0
		}
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
}

// Count reads the number of elements that follow. It fails if that exceeds limit, or the number of elements of at least
// minSize bytes that fit into the rest of the input. So callers can allocate a slice of that length.
func (r *Reader) Count(limit, minSize int) int {
	v := r.Varint()
	if r.err != nil {
		return 0
	}
	if v > uint64(limit) {
		r.err = ErrLimit
		return 0
	}
	if minSize > 0 && v > uint64(r.Len()/minSize) {
		r.err = ErrShort
		return 0
	}
	return int(v)
}

// Bytes reads n bytes, aliasing the input.
func (r *Reader) Bytes(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n < 0 || n > r.Len() {
		r.err = ErrShort
		return nil
	}
	b := r.buf[r.off : r.off+n : r.off+n]
	r.off += n
	return b
}

// Bytes32 reads a fixed field of 32 bytes.
func (r *Reader) Bytes32() (out [32]byte) {
	copy(out[:], r.Bytes(32))
	return out
}

// Uint32 reads four bytes, least significant first.
func (r *Reader) Uint32() uint32 {
	b := r.Bytes(4)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}

// Uint64 reads eight bytes, least significant first.
func (r *Reader) Uint64() uint64 {
	b := r.Bytes(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}
