package randomx

import "math/bits"

// The simulated processor: the ports that begin something in a cycle, as bits, in the order in which they are tried.
// Source: RandomX specification, sections 6.2 and 6.3.3.
const (
	port5 = 1 << iota
	port0
	port1
	ports = 3
)

// macroOp is what the simulated decoder makes one thing of. With two units both begin in the same cycle; with none it
// only takes room.
type macroOp struct {
	latency      int
	unit, second uint8 // sets of ports
	chained      bool  // begins when the one before it is done
}

// ssKind describes an operation: its macro-ops, and by which of them source and destination are chosen and the result
// is there, -1 for never.
type ssKind struct {
	ops                         []macroOp
	source, destination, result int
	group                       uint8 // operations of a group on the same register, from the same source, could be one
	sourceMatters               bool  // for telling that
	same                        bool  // source and destination may be one register
}

const anyPort = port0 | port1 | port5

var (
	opALU     = []macroOp{{latency: 1, unit: anyPort}}
	opLea     = []macroOp{{latency: 1, unit: port0 | port1}}
	opMulWord = []macroOp{{latency: 3, unit: port1}}
	opRotate  = []macroOp{{latency: 1, unit: port0 | port5}}
	opMulWide = []macroOp{{}, {latency: 4, unit: port1, second: port5}, {}}
	opMulRcp  = []macroOp{{latency: 1, unit: anyPort}, {latency: 3, unit: port1, chained: true}}
)

// ssKinds by operation. Source: RandomX specification, tables 6.1.1 and 6.2.1; src/superscalar.cpp.
var ssKinds = [...]ssKind{
	ssSub:           {ops: opALU, group: ssAddShift, sourceMatters: true},
	ssXor:           {ops: opALU, group: ssXor, sourceMatters: true},
	ssAddShift:      {ops: opLea, group: ssAddShift, sourceMatters: true},
	ssMul:           {ops: opMulWord, group: ssMul, sourceMatters: true},
	ssRotate:        {ops: opRotate, source: -1, group: ssRotate},
	ssAddC7:         {ops: opALU, source: -1, group: ssAddC7},
	ssXorC7:         {ops: opALU, source: -1, group: ssXorC7},
	ssAddC8:         {ops: opALU, source: -1, group: ssAddC7},
	ssXorC8:         {ops: opALU, source: -1, group: ssXorC7},
	ssAddC9:         {ops: opALU, source: -1, group: ssAddC7},
	ssXorC9:         {ops: opALU, source: -1, group: ssXorC7},
	ssMulHigh:       {ops: opMulWide, source: 1, result: 1, group: ssMulHigh, same: true},
	ssMulHighSigned: {ops: opMulWide, source: 1, result: 1, group: ssMulHighSigned, same: true},
	ssMulReciprocal: {ops: opMulRcp, source: -1, destination: 1, result: 1, group: ssMulReciprocal},
}

// decoderGroups are the ways to divide the 16 bytes that the simulated decoder takes in a cycle.
// Source: RandomX specification, table 6.3.1.
var decoderGroups = [...][]int{{4, 8, 4}, {7, 3, 3, 3}, {3, 7, 3, 3}, {4, 9, 3}, {4, 4, 4, 4}, {3, 3, 10}}

const (
	groupMul     = 4
	groupMulWide = 5
)

const (
	mapCycles    = ssLatency + 4
	lookForward  = 4   // cycles to wait for a register
	maxThrowAway = 256 // instructions that find none, in a row
	noAddTo      = 5   // the register that ssAddShift does not write
)

// ssRegister is what the generator knows of a register.
type ssRegister struct {
	ready     int // the cycle in which it has its value
	lastGroup uint8
	lastFrom  int32
}

// ssGenerator makes one program.
type ssGenerator struct {
	random    *blakeGenerator
	code      []ssInstruction
	registers [8]ssRegister
	busy      [mapCycles]uint8 // the ports that begin something in a cycle
	muls      int
	throwAway int
	saturated bool

	// The instruction in the making.
	op       uint8
	next     int // of its macro-ops
	now      ssInstruction
	from     int32 // what it does to the destination's last source
	cycle    int
	previous int // when the macro-op before is done
}

// generateSuperscalar takes the next program from random.
// Source: RandomX specification, section 6.3; src/superscalar.cpp, generateSuperscalar.
func generateSuperscalar(random *blakeGenerator) []ssInstruction {
	g := &ssGenerator{random: random, op: ssNone}
	for i := range g.registers {
		g.registers[i].lastGroup = ssNone
		g.registers[i].lastFrom = -1
	}
	for decoded := 0; decoded < ssLatency && !g.saturated && len(g.code) < ssMaxSize; decoded++ {
		g.decode(g.group(decoded))
		g.cycle++
	}
	return g.code
}

// group chooses how the next 16 bytes are divided. Source: RandomX specification, section 6.3.1.
func (g *ssGenerator) group(decoded int) int {
	switch {
	case g.op == ssMulHigh || g.op == ssMulHighSigned:
		return groupMulWide
	case g.muls <= decoded:
		return groupMul
	case g.op == ssMulReciprocal:
		if g.random.byte()&1 != 0 {
			return 0
		}
		return 3
	}
	return int(g.random.byte() & 3)
}

// decode fills the slots of a group with macro-ops.
func (g *ssGenerator) decode(group int) {
	slots := decoderGroups[group]
	for i := 0; i < len(slots); {
		top := g.cycle
		if g.op == ssNone || g.next >= len(ssKinds[g.op].ops) {
			if g.saturated || len(g.code) >= ssMaxSize {
				return
			}
			g.begin(slots[i], group == groupMul, i == len(slots)-1)
		}
		kind := &ssKinds[g.op]
		op := &kind.ops[g.next]
		at := g.schedule(op, g.cycle, g.previous, false)
		if at < 0 {
			g.saturated = true
			return
		}
		if g.next == kind.source && !g.await(&at, g.chooseSource) ||
			g.next == kind.destination && !g.await(&at, g.chooseDestination) {
			if g.throwAway < maxThrowAway {
				g.throwAway++
				g.next = len(kind.ops)
				continue
			}
			g.op = ssNone
			return
		}
		g.throwAway = 0
		at = g.schedule(op, at, at, true)
		if at < 0 {
			g.saturated = true
			return
		}
		g.previous = at + op.latency
		if g.next == kind.result {
			g.registers[g.now.dst] = ssRegister{ready: g.previous, lastGroup: kind.group, lastFrom: g.from}
		}
		i++
		g.next++
		if at >= ssLatency {
			g.saturated = true
		}
		g.cycle = top
		if g.next >= len(kind.ops) {
			g.finish(kind)
		}
	}
}

// begin takes an instruction whose first macro-op fits a slot. Source: RandomX specification, section 6.3.2.
func (g *ssGenerator) begin(size int, muls, last bool) {
	var choice [4]uint8
	n := 2
	switch {
	case size == 3 && last:
		choice, n = [4]uint8{ssSub, ssXor, ssMulHigh, ssMulHighSigned}, 4
	case size == 3:
		choice = [4]uint8{ssSub, ssXor}
	case size == 4 && muls && !last:
		choice, n = [4]uint8{ssMul}, 1
	case size == 4:
		choice = [4]uint8{ssRotate, ssAddShift}
	case size == 7:
		choice = [4]uint8{ssXorC7, ssAddC7}
	case size == 8:
		choice = [4]uint8{ssXorC8, ssAddC8}
	case size == 9:
		choice = [4]uint8{ssXorC9, ssAddC9}
	default:
		choice, n = [4]uint8{ssMulReciprocal}, 1
	}
	g.op = choice[0]
	if n > 1 {
		g.op = choice[int(g.random.byte())&(n-1)]
	}
	g.next = 0
	g.now = ssInstruction{op: g.op}
	g.from = -1
	switch g.op {
	case ssAddShift:
		g.now.mod = g.random.byte()
	case ssRotate:
		for g.now.constant == 0 {
			g.now.constant = uint32(g.random.byte() & 63)
		}
	case ssAddC7, ssAddC8, ssAddC9, ssXorC7, ssXorC8, ssXorC9:
		g.now.constant = g.random.uint32()
	case ssMulHigh, ssMulHighSigned:
		g.from = int32(g.random.uint32())
	case ssMulReciprocal:
		for !hasReciprocal(g.now.constant) {
			g.now.constant = g.random.uint32()
		}
	}
}

// finish adds the instruction to the program.
func (g *ssGenerator) finish(kind *ssKind) {
	if kind.source < 0 {
		g.now.src = g.now.dst
	}
	g.code = append(g.code, g.now)
	switch g.op {
	case ssMul, ssMulHigh, ssMulHighSigned, ssMulReciprocal:
		g.muls++
	}
}

// await lets choose look for a register at a cycle and, when there is none, at the next ones.
func (g *ssGenerator) await(at *int, choose func(cycle int) bool) bool {
	for range lookForward {
		if choose(*at) {
			return true
		}
		*at++
		g.cycle++
	}
	return false
}

// chooseSource picks one of the registers that have their value in a cycle.
// Source: RandomX specification, section 6.3.4; src/superscalar.cpp, selectSource.
func (g *ssGenerator) chooseSource(cycle int) bool {
	var set uint8
	for i, r := range g.registers {
		if r.ready <= cycle {
			set |= 1 << i
		}
	}
	if g.op == ssAddShift && bits.OnesCount8(set) == 2 && set>>noAddTo&1 != 0 {
		set = 1 << noAddTo // it could not be the destination
	}
	ok := g.pick(set, &g.now.src)
	if ok && ssKinds[g.op].sourceMatters {
		g.from = int32(g.now.src)
	}
	return ok
}

// chooseDestination picks one of them that the rules allow. Source: RandomX specification, section 6.3.4.
func (g *ssGenerator) chooseDestination(cycle int) bool {
	kind := &ssKinds[g.op]
	var set uint8
	for i, r := range g.registers {
		switch {
		case r.ready > cycle:
		case !kind.same && kind.source >= 0 && uint8(i) == g.now.src:
		case kind.group == ssMul && r.lastGroup == ssMul && g.throwAway == 0:
		case r.lastGroup == kind.group && r.lastFrom == g.from:
		case g.op == ssAddShift && i == noAddTo:
		default:
			set |= 1 << i
		}
	}
	return g.pick(set, &g.now.dst)
}

// pick takes one of a set of registers. One alone takes nothing from the random numbers.
func (g *ssGenerator) pick(set uint8, register *uint8) bool {
	n := uint32(bits.OnesCount8(set))
	if n == 0 {
		return false
	}
	if n > 1 {
		for range g.random.uint32() % n {
			set &= set - 1
		}
	}
	*register = uint8(bits.TrailingZeros8(set))
	return true
}

// schedule returns the first cycle from which on a macro-op can begin, or -1, and takes its ports if take is set.
func (g *ssGenerator) schedule(op *macroOp, cycle, previous int, take bool) int {
	if op.chained {
		cycle = max(cycle, previous)
	}
	if op.unit == 0 {
		return cycle
	}
	for ; cycle < mapCycles; cycle++ {
		free := ^g.busy[cycle]
		first := op.unit & free
		first &= -first // the first in order
		second := op.second & free
		if first == 0 || op.second != 0 && second == 0 {
			continue
		}
		if take {
			g.busy[cycle] |= first | second
		}
		return cycle
	}
	return -1
}
