package randomx

import "math/bits"

// The operations of SuperscalarHash, in the numbering of the reference, which its test vectors contain. Additions and
// exclusive ors with a constant differ in the room that the simulated decoder gives them, and in nothing else.
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

// ssInstruction is one instruction as programs encode it.
type ssInstruction struct {
	op, dst, src, mod uint8
	constant          uint32
}

// superscalar is a SuperscalarHash, ready to run.
type superscalar struct {
	code        []uint64 // an instruction a word: operation, destination, source and shift in a byte each, constant
	reciprocals [ssMaxSize]uint64
	address     uint8 // the register that says which line of the cache is next
}

// ssLatency is the length of a program in simulated cycles, ssMaxSize bounds its instructions.
const (
	ssLatency = 170
	ssMaxSize = 3*ssLatency + 2
)

// newSuperscalar prepares what the generator made.
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

// slowest returns the register whose value has the longest chain of instructions behind it, the first of several.
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

// run2 runs the program on two sets of registers at once: what an instruction costs to find is paid half as often.
//
// Nearly all the time of a hash goes by here. A tree of conditions, the frequent operations first, takes half as long as
// a table of jumps: processors guess the next of many conditions better than the next of many places to go to.
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
