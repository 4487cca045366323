package randomx

import "math/bits"

// The operations of SuperscalarHash, numbered as in the reference, because its test vectors contain the numbers.
// C7, C8 and C9 are the same addition or exclusive or with a constant, encoded in 7, 8 or 9 bytes for the simulated
// decoder.
// Source: RandomX specification, section 6.1; src/superscalar.hpp, SuperscalarInstructionType.
const (
	ssSub = iota
	ssXor
	ssAddShift
	ssMul
	ssRotate
	ssAddC7
	ssXorC7
	ssAddC8
	ssXorC8
	ssAddC9
	ssXorC9
	ssMulHigh
	ssMulHighSigned
	ssMulReciprocal
	ssNone = 255
)

// ssInstruction is one decoded instruction.
type ssInstruction struct {
	op, dst, src, mod uint8
	constant          uint32
}

// superscalar is a prepared SuperscalarHash program.
type superscalar struct {
	// code has a word for each instruction: a byte each for operation, destination, source and shift, and the constant.
	code        []uint64
	reciprocals [ssMaxSize]uint64
	address     uint8 // the register that selects the next line of the cache
}

// ssLatency is the length of a program in simulated cycles, ssMaxSize its maximum number of instructions.
const (
	ssLatency = 170
	ssMaxSize = 3*ssLatency + 2
)

// newSuperscalar prepares a generated program.
func newSuperscalar(code []ssInstruction) *superscalar {
	s := &superscalar{address: slowest(code)}
	n := uint32(0)
	for _, in := range code {
		switch in.op {
		case ssAddC8, ssAddC9:
			in.op = ssAddC7
		case ssXorC8, ssXorC9:
			in.op = ssXorC7
		case ssMulReciprocal:
			s.reciprocals[n] = reciprocal(in.constant)
			in.constant = n
			n++
		}
		w := uint64(in.op) | uint64(in.dst)<<8 | uint64(in.src)<<16 | uint64(in.mod>>2&3)<<24 | uint64(in.constant)<<32
		s.code = append(s.code, w)
	}
	return s
}

// slowest returns the register whose value depends on the longest chain of instructions; of several, the first.
// Source: src/superscalar.cpp, the end of generateSuperscalar.
func slowest(code []ssInstruction) (register uint8) {
	var depth [8]int
	for _, in := range code {
		depth[in.dst] = max(depth[in.dst], depth[in.src]) + 1
	}
	for i, d := range depth {
		if d > depth[register] {
			register = uint8(i)
		}
	}
	return register
}

// run2 executes the program on two sets of registers at once, to decode each instruction only once for both.
//
// A hash spends nearly all its time here. A tree of conditions, with frequent operations first, takes half as long as a
// jump table, because processors predict conditional branches better than indirect jumps.
func (s *superscalar) run2(r *[8][2]uint64) {
	for _, w := range s.code {
		d, f := &r[w>>8&7], &r[w>>16&7]
		d0, d1, f0, f1 := d[0], d[1], f[0], f[1]
		op := uint8(w)
		if op == ssMul {
			d[0], d[1] = d0*f0, d1*f1
			continue
		}
		if op <= ssAddShift {
			if op == ssSub {
				d[0], d[1] = d0-f0, d1-f1
				continue
			}
			if op == ssXor {
				d[0], d[1] = d0^f0, d1^f1
				continue
			}
			n := w >> 24 & 3
			d[0], d[1] = d0+f0<<n, d1+f1<<n
			continue
		}
		if op == ssRotate {
			n := -int(w >> 32)
			d[0], d[1] = bits.RotateLeft64(d0, n), bits.RotateLeft64(d1, n)
			continue
		}
		constant := uint64(int64(w) >> 32)
		if op == ssAddC7 {
			d[0], d[1] = d0+constant, d1+constant
			continue
		}
		if op == ssXorC7 {
			d[0], d[1] = d0^constant, d1^constant
			continue
		}
		if op == ssMulReciprocal {
			k := s.reciprocals[constant%ssMaxSize]
			d[0], d[1] = d0*k, d1*k
			continue
		}
		if op == ssMulHigh {
			d[0], d[1] = mulHigh(d0, f0), mulHigh(d1, f1)
			continue
		}
		d[0], d[1] = mulHighSigned(d0, f0), mulHighSigned(d1, f1)
	}
}
