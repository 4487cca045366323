package randomx

import "math/bits"

// The execution ports of the simulated processor, as bits, in the order in which the scheduler tries them.
// Source: RandomX specification, sections 6.2 and 6.3.3.
const (
	port5 = 1 << iota
	port0
	port1
	ports = 3
)

// macroOp is an operation of the simulated decoder. If it has two units, both start in the same cycle. If it has no
// unit, it only occupies a slot of the decoder.
type macroOp struct {
	latency      int
	unit, second uint8 // sets of ports
	chained      bool  // starts when the previous macro-op has finished
}

// ssKind describes an operation. source, destination and result are the indices of the macro-ops for which the source
// and the destination are chosen and after which the result is ready; -1 means never.
type ssKind struct {
	ops                         []macroOp
	source, destination, result int
	group                       uint8 // operations of a group with equal destinations and sources could be merged
	sourceMatters               bool  // whether the source counts for that
	same                        bool  // source and destination may be equal
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

// ssKinds are the kinds by operation. Source: RandomX specification, tables 6.1.1 and 6.2.1; src/superscalar.cpp.
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

// decoderGroups are the sizes of the slots into which the simulated decoder divides the 16 bytes of a cycle.
// Source: RandomX specification, table 6.3.1.
var decoderGroups = [...][]int{{4, 8, 4}, {7, 3, 3, 3}, {3, 7, 3, 3}, {4, 9, 3}, {4, 4, 4, 4}, {3, 3, 10}}

const (
	groupMul     = 4
	groupMulWide = 5
)

const (
	mapCycles    = ssLatency + 4
	lookForward  = 4   // cycles to wait for a register
	maxThrowAway = 256 // consecutive instructions without a register
	noAddTo      = 5   // ssAddShift cannot write this register
)

// ssRegister is the generator's state of a register.
type ssRegister struct {
	ready     int // the cycle in which its value is ready
	lastGroup uint8
	lastFrom  int32
}

// ssGenerator generates one program.
type ssGenerator struct {
	random    *blakeGenerator
	code      []ssInstruction
	registers [8]ssRegister
	busy      [mapCycles]uint8 // the ports in use, by cycle
	muls      int
	throwAway int
	saturated bool

	// The current instruction.
	op       uint8
	next     int // index of its next macro-op
	now      ssInstruction
	from     int32 // the destination's new lastFrom
	cycle    int
	previous int // the cycle in which the previous macro-op finishes
}

// generateSuperscalar generates the next program from random.
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

// group chooses the slots of the next 16 bytes. Source: RandomX specification, section 6.3.1.
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

// begin chooses an instruction whose first macro-op has the size of a slot. Source: RandomX specification, section
// 6.3.2.
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

// await calls choose for the cycle *at and, until it finds a register, for up to three more.
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

// chooseSource picks one of the registers that are ready in a cycle.
// Source: RandomX specification, section 6.3.4; src/superscalar.cpp, selectSource.
func (g *ssGenerator) chooseSource(cycle int) bool {
	var set uint8
	for i, r := range g.registers {
		if r.ready <= cycle {
			set |= 1 << i
		}
	}
	if g.op == ssAddShift && bits.OnesCount8(set) == 2 && set>>noAddTo&1 != 0 {
		set = 1 << noAddTo // otherwise no destination would be left
	}
	ok := g.pick(set, &g.now.src)
	if ok && ssKinds[g.op].sourceMatters {
		g.from = int32(g.now.src)
	}
	return ok
}

// chooseDestination picks one of the registers that are ready and allowed by the rules. Source: RandomX specification,
// section 6.3.4.
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

// pick chooses one of a set of registers. It draws no random number if there is only one.
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

// schedule returns the first cycle, not before cycle, in which a macro-op can start, or -1. If take is set, it reserves
// the ports.
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
		first &= -first // the first port in order
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
