package cryptonight

import (
	"encoding/binary"
	"math/bits"
)

// registers are four that a program modifies and five that it only reads.
type registers [9]uint32

// The operations of programs. Program generation depends on their numbers.
const (
	opMul = iota // product
	opAdd        // sum with a constant
	opSub
	opRor // rotation to the right by the low five bits
	opRol
	opXor
)

type instruction struct {
	op, to, from uint8
	constant     uint32
}

// program is what CryptoNight-R executes in every step. Each height has another program.
type program []instruction

const (
	minProgram = 60
	maxProgram = 70
	maxLatency = 45 // cycles, of 15 products
	units      = 3  // that calculate at the same time; only the first multiplies
)

// The cycles an operation takes on a common processor, and on a chip made for the purpose.
var (
	latencies     = [6]int{opMul: 3, opAdd: 2, opSub: 1, opRor: 2, opRol: 2, opXor: 1}
	chipLatencies = [6]int{opMul: 3, opAdd: 1, opSub: 1, opRor: 1, opRol: 1, opXor: 1}
)

func isRotation(op uint8) bool { return op == opRor || op == opRol }

// run executes the program on r.
func (p program) run(r *registers) {
	for i := range p {
		in := &p[i]
		to, from := &r[in.to&3], r[in.from%9]
		switch in.op {
		case opMul:
			*to *= from
		case opAdd:
			*to += from + in.constant
		case opSub:
			*to -= from
		case opRor:
			*to = bits.RotateLeft32(*to, -int(from&31))
		case opRol:
			*to = bits.RotateLeft32(*to, int(from&31))
		default:
			*to ^= from
		}
	}
}

// source generates the bytes that programs are made from: a chain of BLAKE-256.
type source struct {
	data [32]byte
	at   int
}

// take returns n bytes from a single link of the chain.
func (s *source) take(n int) []byte {
	if s.at+n > len(s.data) {
		s.data = blake256(s.data[:])
		s.at = 0
	}
	s.at += n
	return s.data[s.at-n : s.at]
}

// newProgram returns the program of a height. Source: src/crypto/variant4_random_math.h, v4_random_math_init.
func newProgram(height uint64) program {
	s := &source{at: 32}
	binary.LittleEndian.PutUint64(s.data[:], height)
	s.data[20] = 0xda
	for {
		// A program that does not use the last register, or has too few instructions, is replaced by one from the next
		// bytes.
		g := newGenerator()
		g.generate(s)
		g.lengthen()
		if g.usesLast && len(g.program) >= minProgram {
			return g.program
		}
	}
}

// generator simulates a processor that executes the program.
type generator struct {
	program   program
	ready     [9]int // the cycle in which a register is ready
	chipReady [9]int // the same on the chip
	// identifies values: the index of the instruction in the low byte, then its operation and its source
	content   [9]uint32
	busy      [maxLatency + 1][units]bool // the units in use, by cycle
	rotated   [4]bool                     // registers last written by a rotation
	rotations int
	usesLast  bool
}

func newGenerator() *generator {
	g := &generator{program: make(program, 0, maxProgram)}
	for i := range g.content {
		g.content[i] = 0xffffff // the registers that are only read count as one
	}
	for i := range g.rotated {
		g.content[i] = uint32(i)
	}
	return g
}

// generate adds instructions until each of the four registers has the required latency.
func (g *generator) generate(s *source) {
	retries := 0
	for range 256 {
		if min(g.ready[0], g.ready[1], g.ready[2], g.ready[3]) >= maxLatency || retries == 64 {
			return
		}
		in := decode(s)
		start, unit, ok := g.schedule(in)
		if !ok {
			continue
		}
		if start+latencies[in.op] > maxLatency {
			retries++
			continue
		}
		g.busy[start][unit] = true
		if in.op == opAdd {
			g.busy[start+1][unit] = true
			in.constant = binary.LittleEndian.Uint32(s.take(4))
		}
		if isRotation(in.op) {
			g.rotations++
		}
		g.rotated[in.to] = isRotation(in.op)
		g.usesLast = g.usesLast || in.from == 8
		g.ready[in.to] = start + latencies[in.op]
		g.chipReady[in.to] = max(g.chipReady[in.to], g.chipReady[in.from]) + chipLatencies[in.op]
		g.content[in.to] = uint32(len(g.program)) + uint32(in.op)<<8 + g.content[in.from]&255<<16
		g.program = append(g.program, in)
		if len(g.program) >= minProgram {
			return
		}
	}
}

// decode returns an instruction without its constant.
func decode(s *source) instruction {
	c := s.take(1)[0]
	in := instruction{to: c >> 3 & 3, from: c >> 5}
	switch op := c & 7; {
	case op <= 2:
		in.op = opMul
	case op <= 4:
		in.op = op - 2
	case op == 5:
		in.op = opRor
		if s.take(1)[0] >= 0x80 {
			in.op = opRol
		}
	default:
		in.op = opXor
	}
	if in.to == in.from && (in.op == opAdd || in.op == opSub || in.op == opXor) {
		in.from = 8
	}
	return in
}

// schedule returns the first cycle and unit that can start in. It returns false for an instruction that could be merged
// with an earlier one, or would start long after its register is ready. The start is maxLatency if no unit is free.
func (g *generator) schedule(in instruction) (start, unit int, ok bool) {
	rotation := isRotation(in.op)
	if rotation && g.rotated[in.to] {
		return 0, 0, false
	}
	if in.op != opMul && g.content[in.to]&0xffff00 == uint32(in.op)<<8+g.content[in.from]&255<<16 {
		return 0, 0, false
	}
	start, unit = max(g.ready[in.to], g.ready[in.from]), -1
	for ; start < maxLatency; start++ {
		if unit = g.free(in.op, start); unit >= 0 {
			break
		}
	}
	return start, unit, start <= g.ready[in.to]+7
}

// free returns a unit that can start op in a cycle, or -1.
func (g *generator) free(op uint8, cycle int) int {
	if isRotation(op) && cycle < g.rotations*latencies[op] {
		return -1 // one rotation at a time
	}
	last := units - 1
	if op == opMul {
		last = 0
	}
	for i := last; i >= 0; i-- {
		if !g.busy[cycle][i] && !(op == opAdd && g.busy[cycle+1][i]) {
			return i
		}
	}
	return -1
}

// lengthen adds multiplications and rotations until a register has the required latency on ASICs too.
func (g *generator) lengthen() {
	pattern := [3]uint8{opRor, opMul, opMul}
	for i := 0; len(g.program) < maxProgram; i++ {
		first, last := 0, 0
		for j := range 4 {
			if g.chipReady[j] < g.chipReady[first] {
				first = j
			}
			if g.chipReady[j] > g.chipReady[last] {
				last = j
			}
		}
		if g.chipReady[last] >= maxLatency {
			return
		}
		op := pattern[i%3]
		g.chipReady[first] = g.chipReady[last] + chipLatencies[op]
		g.program = append(g.program, instruction{op: op, to: uint8(first), from: uint8(last)})
	}
}
