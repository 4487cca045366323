package randomx

import (
	"encoding/binary"
	"hash"
	"math/bits"

	"golang.org/x/crypto/blake2b"
)

// line is 64 bytes, the unit in which the cache is read. block is what Argon2 works on, 16 lines or 1 KiB.
type (
	line  [8]uint64
	block [16]line
)

const blockLines = 16

// argon2d are the parameters of a fill: Argon2d, version 0x13, with one lane. Memory is in blocks, a multiple of 4.
type argon2d struct {
	passes, memory uint32
	tagLength      uint32 // enters the hash of the input; a cache has no tag
}

const (
	segments   = 4 // of a pass
	version    = 0x13
	argonTypeD = 0
)

// fill computes memory, which has a.memory blocks, from password and salt, without the tag. Each block depends on the
// one before, so the single lane cannot be parallelized.
// Source: RFC 9106, sections 3.2 to 3.4; RandomX specification, section 7.1.
func (a argon2d) fill(memory []line, password, salt []byte) {
	at := func(i uint32) *block {
		i *= blockLines
		return (*block)(memory[i : i+blockLines])
	}
	seed := a.initial(password, salt)
	for i := range uint32(2) {
		binary.LittleEndian.PutUint32(seed[64:], i)
		var first [1024]byte
		longHash(first[:], seed[:])
		for j := range at(i) {
			for k := range at(i)[j] {
				at(i)[j][k] = binary.LittleEndian.Uint64(first[8*(8*j+k):])
			}
		}
	}
	segment := a.memory / segments
	for pass := range a.passes {
		previous := at(a.memory - 1)
		for i := range a.memory {
			current := at(i)
			if pass > 0 || i > 1 {
				// Blocks that may be referenced: the finished segments, up to three, and the finished part of this one.
				area, start := i-1, uint32(0)
				if pass > 0 {
					done := i / segment
					area = a.memory - segment + i%segment - 1
					start = (done + 1) % segments * segment
				}
				x := uint64(uint32(previous[0][0]))
				x = x * x >> 32
				reference := start + area - 1 - uint32(uint64(area)*x>>32)
				if reference >= a.memory {
					reference -= a.memory
				}
				compress(current, previous, at(reference), pass > 0)
			}
			previous = current
		}
	}
}

// initial returns H0 of RFC 9106, followed by space for two 4-byte numbers, the second of which is the lane, 0.
func (a argon2d) initial(password, salt []byte) (out [72]byte) {
	var b []byte
	for _, v := range []uint32{1, a.tagLength, a.memory, a.passes, version, argonTypeD} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	for _, field := range [][]byte{password, salt, nil, nil} {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(field)))
		b = append(b, field...)
	}
	sum := blake2b.Sum512(b)
	copy(out[:], sum[:])
	return out
}

// longHash writes a hash of in to out. Both may have any length. Source: RFC 9106, section 3.3.
func longHash(out, in []byte) {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(out)))
	b = append(b, in...)
	if len(out) <= blake2b.Size {
		h := sized(len(out))
		h.Write(b)
		h.Sum(out[:0])
		return
	}
	sum := blake2b.Sum512(b)
	for len(out) > blake2b.Size {
		out = out[copy(out, sum[:blake2b.Size/2]):]
		if len(out) > blake2b.Size {
			sum = blake2b.Sum512(sum[:])
		}
	}
	h := sized(len(out))
	h.Write(sum[:])
	h.Sum(out[:0])
}

func sized(n int) hash.Hash {
	h, err := blake2b.New(n, nil)
	if err != nil {
		panic("unreachable: sizes are 1 to 64 and there is no key")
	}
	return h
}

// compress writes the permutation of a and b to out. If keep is set, it XORs the previous content of out.
// Source: RFC 9106, sections 3.5 and 3.6.
func compress(out, a, b *block, keep bool) {
	var x, z [128]uint64
	for i := range x {
		x[i] = a[i/8][i%8] ^ b[i/8][i%8]
	}
	z = x
	for i := 0; i < 128; i += 16 {
		permute(&z, i, 2) // the rows
	}
	for i := 0; i < 16; i += 2 {
		permute(&z, i, 16) // the columns
	}
	if keep {
		for i := range x {
			out[i/8][i%8] ^= x[i] ^ z[i]
		}
		return
	}
	for i := range x {
		out[i/8][i%8] = x[i] ^ z[i]
	}
}

// permute is BLAKE2b's round, with products, on eight pairs of words that begin at from, step apart.
func permute(z *[128]uint64, from, step int) {
	pair := func(i int) *[2]uint64 { return (*[2]uint64)(z[from+i*step:]) }
	p0, p1, p2, p3, p4, p5, p6, p7 := pair(0), pair(1), pair(2), pair(3), pair(4), pair(5), pair(6), pair(7)
	v0, v1, v2, v3, v4, v5, v6, v7 := p0[0], p0[1], p1[0], p1[1], p2[0], p2[1], p3[0], p3[1]
	v8, v9, v10, v11, v12, v13, v14, v15 := p4[0], p4[1], p5[0], p5[1], p6[0], p6[1], p7[0], p7[1]

	v0, v4, v8, v12 = half(v0, v4, v8, v12, -32, -24)
	v1, v5, v9, v13 = half(v1, v5, v9, v13, -32, -24)
	v2, v6, v10, v14 = half(v2, v6, v10, v14, -32, -24)
	v3, v7, v11, v15 = half(v3, v7, v11, v15, -32, -24)
	v0, v4, v8, v12 = half(v0, v4, v8, v12, -16, -63)
	v1, v5, v9, v13 = half(v1, v5, v9, v13, -16, -63)
	v2, v6, v10, v14 = half(v2, v6, v10, v14, -16, -63)
	v3, v7, v11, v15 = half(v3, v7, v11, v15, -16, -63)

	v0, v5, v10, v15 = half(v0, v5, v10, v15, -32, -24)
	v1, v6, v11, v12 = half(v1, v6, v11, v12, -32, -24)
	v2, v7, v8, v13 = half(v2, v7, v8, v13, -32, -24)
	v3, v4, v9, v14 = half(v3, v4, v9, v14, -32, -24)
	v0, v5, v10, v15 = half(v0, v5, v10, v15, -16, -63)
	v1, v6, v11, v12 = half(v1, v6, v11, v12, -16, -63)
	v2, v7, v8, v13 = half(v2, v7, v8, v13, -16, -63)
	v3, v4, v9, v14 = half(v3, v4, v9, v14, -16, -63)

	p0[0], p0[1], p1[0], p1[1], p2[0], p2[1], p3[0], p3[1] = v0, v1, v2, v3, v4, v5, v6, v7
	p4[0], p4[1], p5[0], p5[1], p6[0], p6[1], p7[0], p7[1] = v8, v9, v10, v11, v12, v13, v14, v15
}

// half is one half of GB in RFC 9106, section 3.6: the small piece is inlined, and four of them go on at a time.
func half(a, b, c, d uint64, first, second int) (uint64, uint64, uint64, uint64) {
	a += b + 2*uint64(uint32(a))*uint64(uint32(b))
	d = bits.RotateLeft64(d^a, first)
	c += d + 2*uint64(uint32(c))*uint64(uint32(d))
	b = bits.RotateLeft64(b^c, second)
	return a, b, c, d
}
