package randomx

// The operations of the virtual machine. Variants with a constant or no source stand for encodings with equal
// registers.
// Source: RandomX specification, chapter 5.
const (
	opNone = iota
	opAddShift
	opAddMemory
	opSub
	opSubConstant
	opSubMemory
	opMul
	opMulConstant
	opMulMemory
	opMulHigh
	opMulHighMemory
	opMulHighSigned
	opMulHighSignedMemory
	opNegate
	opXor
	opXorConstant
	opXorMemory
	opRotateRight
	opRotateLeft
	opRotateConstant // to the right
	opSwap
	opSwapF
	opSwapE
	opAddF
	opAddFMemory
	opSubF
	opSubFMemory
	opScaleF
	opMulE
	opDivEMemory
	opRootE
	opBranch
	opRound
	opStore
)

// frequency is the number of the 256 opcodes for each operation, in the order of the opcodes.
// Source: RandomX specification, tables 5.2.1, 5.3.1, 5.4.1 and 5.5.1.
var frequencies = [...]struct{ codes, op uint8 }{
	{16, opAddShift}, {7, opAddMemory}, {16, opSub}, {7, opSubMemory}, {16, opMul}, {4, opMulMemory}, {4, opMulHigh},
	{1, opMulHighMemory}, {4, opMulHighSigned}, {1, opMulHighSignedMemory}, {8, opMulConstant}, {2, opNegate},
	{15, opXor}, {5, opXorMemory}, {8, opRotateRight}, {2, opRotateLeft}, {4, opSwap},
	{4, opSwapF}, {16, opAddF}, {5, opAddFMemory}, {16, opSubF}, {5, opSubFMemory}, {6, opScaleF}, {32, opMulE},
	{4, opDivEMemory}, {6, opRootE}, {25, opBranch}, {1, opRound}, {16, opStore},
}

var operations = func() (table [256]uint8) {
	at := 0
	for _, f := range frequencies {
		for range f.codes {
			table[at] = f.op
			at++
		}
	}
	return table
}()

// Masks of the three scratchpad levels, in words of 8 bytes. Source: RandomX specification, section 4.2.
const (
	padWords = 1 << 18
	maskL1   = 1<<11 - 1
	maskL2   = 1<<15 - 1
	maskL3   = padWords - 1
)

const (
	maxProgramSize = 384 // of V2
	jumpBits       = 8
	jumpOffset     = 8
	storeL3        = 14 // the least condition with which a store goes to the third level
)

// instruction is a decoded instruction.
type instruction struct {
	op       uint8
	dst, src uint8 // registers; of pairs for floating point
	shift    uint8 // of opAddShift; for opBranch, where the bits are that decide
	mask     uint32
	constant uint64 // of address, too
	target   int32  // of opBranch: the instruction before the one to go on with
}

// program is the program of the machine. The version determines how much of it is used.
type program [maxProgramSize]instruction

// decode decodes a program of up to maxProgramSize words. Source: RandomX specification, sections 5.1 to 5.5.
func (p *program) decode(words []uint64) {
	// The last instruction that modifies each register, for branches.
	changed := [8]int32{-1, -1, -1, -1, -1, -1, -1, -1}
	for i, w := range words {
		p[i] = decodeInstruction(w, int32(i), &changed)
	}
}

func decodeInstruction(w uint64, at int32, changed *[8]int32) instruction {
	mod, immediate := uint8(w>>24), uint32(w>>32)
	in := instruction{
		op: operations[uint8(w)], dst: uint8(w>>8) & 7, src: uint8(w>>16) & 7,
		shift: mod >> 2 & 3, constant: uint64(int64(int32(immediate))), mask: maskL2,
	}
	if mod&3 != 0 {
		in.mask = maskL1
	}
	condition := mod >> 4
	equal := in.dst == in.src
	switch in.op {
	case opAddShift:
		if in.dst != noAddTo {
			in.constant = 0
		}
		changed[in.dst] = at
	case opAddMemory, opSubMemory, opMulMemory, opMulHighMemory, opMulHighSignedMemory, opXorMemory:
		if equal {
			in.src, in.mask = zeroRegister, maskL3
		}
		changed[in.dst] = at
	case opSub, opMul, opXor:
		if equal {
			in.op++ // the same with a constant
		}
		changed[in.dst] = at
	case opMulConstant:
		if !hasReciprocal(immediate) {
			in.op = opNone
			break
		}
		in.constant = reciprocal(immediate)
		changed[in.dst] = at
	case opRotateRight, opRotateLeft:
		if equal {
			if in.op == opRotateLeft {
				in.constant = -in.constant
			}
			in.op = opRotateConstant
		}
		changed[in.dst] = at
	case opSwap:
		if equal {
			in.op = opNone
			break
		}
		changed[in.dst], changed[in.src] = at, at
	case opMulHigh, opMulHighSigned, opNegate:
		changed[in.dst] = at
	case opSwapF:
		if in.dst >= 4 {
			in.op = opSwapE
		}
		in.dst &= 3
	case opAddF, opSubF, opMulE:
		in.dst &= 3
		in.src &= 3
	case opAddFMemory, opSubFMemory, opDivEMemory, opScaleF, opRootE:
		in.dst &= 3
	case opBranch:
		in.shift = condition + jumpOffset
		in.constant |= 1 << in.shift
		in.constant &^= 1 << (in.shift - 1)
		in.target = changed[in.dst]
		for i := range changed {
			changed[i] = at
		}
	case opRound:
		in.constant &= 63
	case opStore:
		if condition >= storeL3 {
			in.mask = maskL3
		}
	}
	return in
}
