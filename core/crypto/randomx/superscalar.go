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
	code        []ssInstruction // constants of ssMulReciprocal are places in reciprocals; mod is the shift alone
	reciprocals [ssMaxSize]uint64
	address     uint8 // the register that says which line of the cache is next
}

// ssLatency is the length of a program in simulated cycles, ssMaxSize bounds its instructions.
const (
	ssLatency = 170
	ssMaxSize = 512 // 3 * ssLatency + 2
)

// newSuperscalar prepares what the generator made.
func newSuperscalar(code []ssInstruction) *superscalar {
	s := &superscalar{code: code, address: slowest(code)}
	n := uint32(0)
	for i := range code {
		in := &code[i]
		in.mod = in.mod >> 2 & 3
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
func (s *superscalar) run2(r *[8][2]uint64) {
	for i := range s.code {
		in := &s.code[i]
		d, f := &r[in.dst&7], &r[in.src&7]
		switch in.op {
		case ssSub:
			d[0] -= f[0]
			d[1] -= f[1]
		case ssXor:
			d[0] ^= f[0]
			d[1] ^= f[1]
		case ssAddShift:
			d[0] += f[0] << (in.mod & 3)
			d[1] += f[1] << (in.mod & 3)
		case ssMul:
			d[0] *= f[0]
			d[1] *= f[1]
		case ssRotate:
			n := -int(in.constant & 63)
			d[0] = bits.RotateLeft64(d[0], n)
			d[1] = bits.RotateLeft64(d[1], n)
		case ssAddC7:
			c := uint64(int64(int32(in.constant)))
			d[0] += c
			d[1] += c
		case ssXorC7:
			c := uint64(int64(int32(in.constant)))
			d[0] ^= c
			d[1] ^= c
		case ssMulHigh:
			d[0] = mulHigh(d[0], f[0])
			d[1] = mulHigh(d[1], f[1])
		case ssMulHighSigned:
			d[0] = mulHighSigned(d[0], f[0])
			d[1] = mulHighSigned(d[1], f[1])
		case ssMulReciprocal:
			c := s.reciprocals[in.constant%ssMaxSize]
			d[0] *= c
			d[1] *= c
		}
	}
}
