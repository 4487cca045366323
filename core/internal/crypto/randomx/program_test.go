package randomx

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The last code of each instruction. Source: RandomX specification, chapter 5.
const (
	codeAddRS   = 15
	codeAddM    = 22
	codeSubR    = 38
	codeSubM    = 45
	codeMulR    = 61
	codeMulM    = 65
	codeMulHR   = 69
	codeMulHM   = 70
	codeSMulHR  = 74
	codeSMulHM  = 75
	codeMulRcp  = 83
	codeNegR    = 85
	codeXorR    = 100
	codeXorM    = 105
	codeRorR    = 113
	codeRolR    = 115
	codeSwapR   = 119
	codeFSwapR  = 123
	codeFAddR   = 139
	codeFAddM   = 144
	codeFSubR   = 160
	codeFSubM   = 165
	codeFScalR  = 171
	codeFMulR   = 203
	codeFDivM   = 207
	codeFSqrtR  = 213
	codeCBranch = 238
	codeCFRound = 239
	codeIStore  = 255
)

// The immediate of the vectors in src/tests/tests.cpp, and register values that it turns into the address of word 0 at
// each scratchpad level.
const (
	vectorImm    uint32 = 3234567890
	vectorSource uint64 = 0xffffffffffffe930
)

var (
	vectorImm64 uint64 = 0xffffffffc0cb96d2 // sign-extended
	toWordZero         = -vectorImm64
)

var unchanged = [8]int32{-1, -1, -1, -1, -1, -1, -1, -1}

// word encodes an instruction, and sets the high bits of the register fields, which have no meaning.
func word(code, dst, src, mod uint8, immediate uint32) uint64 {
	return uint64(code) | uint64(dst|192)<<8 | uint64(src|192)<<16 | uint64(mod)<<24 | uint64(immediate)<<32
}

// one executes a single instruction.
func (v *VM) one(code, dst, src, mod uint8) {
	changed := unchanged
	v.program = program{decodeInstruction(word(code, dst, src, mod, vectorImm), 0, &changed)}
	v.execute()
}

// TestIntegers runs the integer instructions of src/tests/tests.cpp, and cases that are missing there.
func TestIntegers(t *testing.T) {
	var (
		a, b  uint64 = 0xbc550e96ba88a72b, 0xf5391fa9f18d6273
		m     uint64 = 0x1234567890abcdef // in the scratchpad
		c, d  uint64 = 953360005391419562, 4569451684712230561
		ones         = ^uint64(0)
		inRCP        = reciprocal(vectorImm)
	)
	v := NewVM(V1, nil)
	for _, x := range []struct {
		name              string
		code, dst, src    uint8
		mod               uint8
		before, from      uint64
		after, sourceThen uint64
	}{
		{"IADD_RS", codeAddRS, 0, 1, 255, 0x8000000000000000, 0x1000000000000000, 0, 0x1000000000000000},
		{"IADD_RS to r5", codeAddRS, 5, 1, 8, 0x8000000000000000, 0x2000000000000000, vectorImm64, 0x2000000000000000},
		{"ISUB_R", codeSubR, 0, 1, 0, 1, 0xffffffff, 0xffffffff00000002, 0xffffffff},
		{"ISUB_R constant", codeSubR, 0, 0, 0, 0, 0, -vectorImm64, -vectorImm64},
		{"IMUL_R", codeMulR, 0, 1, 0, a, b, 0x28723424a9108e51, b},
		{"IMUL_R constant", codeMulR, 0, 0, 0, 1, 1, vectorImm64, vectorImm64},
		{"IMULH_R", codeMulHR, 0, 1, 0, a, b, 0xb4676d31d2b34883, b},
		{"IMULH_R squared", codeMulHR, 0, 0, 0, a, a, mulHigh(a, a), mulHigh(a, a)},
		{"ISMULH_R", codeSMulHR, 0, 1, 0, a, b, 0x02d93ef1269d3ee5, b},
		{"ISMULH_R squared", codeSMulHR, 0, 0, 0, a, a, mulHighSigned(a, a), mulHighSigned(a, a)},
		{"IMUL_RCP", codeMulRcp, 0, 1, 0, a, b, a * inRCP, b},
		{"INEG_R", codeNegR, 0, 1, 0, ones, b, 1, b},
		{"IXOR_R", codeXorR, 0, 1, 0, 0x8888888888888888, 0xaaaaaaaaaaaaaaaa, 0x2222222222222222, 0xaaaaaaaaaaaaaaaa},
		{"IXOR_R constant", codeXorR, 0, 0, 0, ones, ones, ^vectorImm64, ^vectorImm64},
		{"IROR_R", codeRorR, 0, 1, 0, c, d, 0xd835c455069d81ef, d},
		{"IROL_R", codeRolR, 0, 1, 0, c, d, 6978065200552740799, d},
		{"IROR_R constant", codeRorR, 0, 0, 0, 1 << 20, 1 << 20, 1 << 2, 1 << 2}, // by 18, from the immediate
		{"IROL_R constant", codeRolR, 0, 0, 0, 1 << 2, 1 << 2, 1 << 20, 1 << 20},
		{"ISWAP_R", codeSwapR, 0, 1, 0, c, d, d, c},
		{"ISWAP_R of one", codeSwapR, 0, 0, 0, c, c, c, c},
		{"IADD_M", codeAddM, 0, 1, 1, a, toWordZero, a + m, toWordZero},
		{"ISUB_M", codeSubM, 0, 1, 1, a, toWordZero, a - m, toWordZero},
		{"IMUL_M", codeMulM, 0, 1, 1, a, toWordZero, a * m, toWordZero},
		{"IMULH_M", codeMulHM, 0, 1, 1, a, toWordZero, mulHigh(a, m), toWordZero},
		{"ISMULH_M", codeSMulHM, 0, 1, 1, a, toWordZero, mulHighSigned(a, m), toWordZero},
		{"IXOR_M", codeXorM, 0, 1, 1, a, toWordZero, a ^ m, toWordZero},
	} {
		v.pad[0] = m
		v.r[x.src], v.r[x.dst] = x.from, x.before
		v.one(x.code, x.dst, x.src, x.mod)
		require.Equal(t, x.after, v.r[x.dst], x.name)
		require.Equal(t, x.sourceThen, v.r[x.src], x.name)
	}
}

// TestFrequencies: every opcode belongs to the instruction whose range contains it, up to the last code of each range.
func TestFrequencies(t *testing.T) {
	sum := 0
	for _, f := range frequencies {
		require.NotZero(t, f.codes)
		sum += int(f.codes)
	}
	require.Equal(t, 256, sum)
	for code, op := range map[uint8]uint8{
		codeAddRS: opAddShift, codeAddM: opAddMemory, codeSubR: opSub, codeSubM: opSubMemory, codeMulR: opMul,
		codeMulM: opMulMemory, codeMulHR: opMulHigh, codeMulHM: opMulHighMemory, codeSMulHR: opMulHighSigned,
		codeSMulHM: opMulHighSignedMemory, codeMulRcp: opMulConstant, codeNegR: opNegate, codeXorR: opXor,
		codeXorM: opXorMemory, codeRorR: opRotateRight, codeRolR: opRotateLeft, codeSwapR: opSwap, codeFSwapR: opSwapF,
		codeFAddR: opAddF, codeFAddM: opAddFMemory, codeFSubR: opSubF, codeFSubM: opSubFMemory, codeFScalR: opScaleF,
		codeFMulR: opMulE, codeFDivM: opDivEMemory, codeFSqrtR: opRootE, codeCBranch: opBranch, codeCFRound: opRound,
		codeIStore: opStore,
	} {
		require.Equal(t, op, operations[code])
		require.NotEqual(t, op, operations[code+1])
	}
}

// TestLevels checks which scratchpad level mod and the registers select. Source: RandomX specification, table 5.1.4.
func TestLevels(t *testing.T) {
	for _, c := range []struct {
		code, dst, src, mod uint8
		mask                uint32
	}{
		{codeAddM, 0, 1, 0, maskL2}, {codeAddM, 0, 1, 1, maskL1}, {codeAddM, 1, 1, 1, maskL3},
		{codeFAddM, 1, 1, 0, maskL2}, {codeFDivM, 1, 1, 3, maskL1},
		{codeIStore, 0, 1, 0, maskL2}, {codeIStore, 1, 1, 1, maskL1},
		{codeIStore, 0, 1, 223, maskL1}, {codeIStore, 0, 1, 224, maskL3},
	} {
		changed := unchanged
		require.Equal(t, c.mask, decodeInstruction(word(c.code, c.dst, c.src, c.mod, vectorImm), 0, &changed).mask)
	}
	v := NewVM(V1, nil)
	for mask, mod := range map[uint64]uint8{maskL1: 1, maskL2: 0, maskL3: 224} {
		v.r[0], v.r[1] = 123456789012, 42
		v.one(codeIStore, 0, 1, mod)
		require.Equal(t, uint64(42), v.pad[(v.r[0]+vectorImm64)/8&mask])
	}
	v.pad[vectorImm64/8&maskL3] = 7
	v.r[3] = 5
	v.one(codeAddM, 3, 3, 1)
	require.Equal(t, uint64(12), v.r[3], "the address is the constant alone")
}

func pairOf(high, low uint64) pair {
	return pair{math.Float64frombits(low), math.Float64frombits(high)}
}

func hexOf(p pair) string {
	b := binary.LittleEndian.AppendUint64(nil, math.Float64bits(p[0]))
	return hex.EncodeToString(binary.LittleEndian.AppendUint64(b, math.Float64bits(p[1])))
}

// TestFloats runs the floating-point instructions of src/tests/tests.cpp.
func TestFloats(t *testing.T) {
	v := NewVM(V1, nil)
	v.r[1] = vectorSource
	for mode, want := range []string{
		nearest: "b932e048a730cec1fea6ea633bcc2d40", down: "b932e048a730cec1fda6ea633bcc2d40",
		up: "b832e048a730cec1fea6ea633bcc2d40", toZero: "b832e048a730cec1fda6ea633bcc2d40",
	} {
		v.mode = uint(mode)
		v.f[0], v.a[1] = pairOf(0x3ffd2c97cc4ef015, 0xc1ce30b3c4223576), pairOf(0x402a26a86a60c8fb, 0x40b8f684057a59e1)
		v.one(codeFAddR, 0, 1, 0)
		require.Equal(t, want, hexOf(v.f[0]), "FADD_R")
		// The same with FSUB_R and negated numbers.
		v.f[0] = pairOf(0x3ffd2c97cc4ef015, 0xc1ce30b3c4223576)
		v.a[1] = pair{-v.a[1][0], -v.a[1][1]}
		v.one(codeFSubR, 0, 1, 0)
		require.Equal(t, want, hexOf(v.f[0]), "FSUB_R")

		v.f[0], v.pad[0] = pair{}, 0x1234567890abcdef
		v.one(codeFAddM, 0, 1, 1)
		require.Equal(t, "000040840cd5dbc1000000785634b241", hexOf(v.f[0]), "FADD_M")
		v.f[0] = pair{}
		v.one(codeFSubM, 0, 1, 1)
		require.Equal(t, "000040840cd5db41000000785634b2c1", hexOf(v.f[0]), "FSUB_M")
	}
	for mode, want := range []string{
		nearest: "69697aff350fd3422f1589cdecfed742", down: "69697aff350fd3422e1589cdecfed742",
		up: "6a697aff350fd3422f1589cdecfed742", toZero: "69697aff350fd3422e1589cdecfed742",
	} {
		v.mode = uint(mode)
		v.e[0], v.a[1] = pairOf(0x41dbc35cef248783, 0x40fdfdabb6173d07), pairOf(0x40eba861aa31c7c0, 0x41c4561212ae2d50)
		v.one(codeFMulR, 0, 1, 0)
		require.Equal(t, want, hexOf(v.e[0]), "FMUL_R")
	}
	v.emask = [2]uint64{0x3a0000000005d11a, 0x39000000001ba31e}
	v.pad[0] = 0x8b2460d9d350a1b6
	for mode, want := range []string{
		nearest: "e7b269639484434632474a66635ba547", down: "e6b269639484434632474a66635ba547",
		up: "e7b269639484434633474a66635ba547", toZero: "e6b269639484434632474a66635ba547",
	} {
		v.mode = uint(mode)
		v.e[0] = pairOf(0x41937f76fede16ee, 0x411b414296ce93b6)
		v.one(codeFDivM, 0, 1, 3)
		require.Equal(t, want, hexOf(v.e[0]), "FDIV_M")
	}
	for mode, want := range []string{
		nearest: "e81f300b612a21408dbaa33f570ed340", down: "e81f300b612a21408cbaa33f570ed340",
		up: "e91f300b612a21408dbaa33f570ed340", toZero: "e81f300b612a21408cbaa33f570ed340",
	} {
		v.mode = uint(mode)
		v.e[0] = pairOf(0x41b6b21c11affea7, 0x40526a7e778d9824)
		v.one(codeFSqrtR, 0, 0, 0)
		require.Equal(t, want, hexOf(v.e[0]), "FSQRT_R")
	}
	v.f[0] = pairOf(0x41dbc35cef248783, 0x40fdfdabb6173d07)
	v.one(codeFScalR, 0, 0, 0)
	require.Equal(t, "073d17b6abfd0dc0838724ef5cc32bc1", hexOf(v.f[0]), "FSCAL_R")
	v.f[1], v.e[1] = pairOf(953360005391419562, 4569451684712230561), pairOf(1, 2)
	v.one(codeFSwapR, 1, 0, 0)
	require.Equal(t, "aa886bb0df033b0da12e95e518f4693f", hexOf(v.f[1]), "FSWAP_R")
	v.one(codeFSwapR, 5, 0, 0)
	require.Equal(t, pairOf(2, 1), v.e[1], "FSWAP_R")
}

func TestRoundInstruction(t *testing.T) {
	v := NewVM(V1, nil)
	for mode := range uint64(4) {
		v.r[1] = mode<<18 | 0xff<<20
		v.one(codeCFRound, 0, 1, 0)
		require.Equal(t, uint(mode), v.mode)
	}

	// In V2 it changes the mode only if the four bits above it are zero.
	v = NewVM(V2, nil)
	for bits := range uint64(64) {
		before := v.mode
		v.r[1] = bits<<18 | 0xfff<<24
		v.one(codeCFRound, 0, 1, 0)
		if bits < 4 {
			require.Equal(t, uint(bits), v.mode)
		} else {
			require.Equal(t, before, v.mode)
		}
	}
}

// TestBranch runs the branches of src/tests/tests.cpp: the constant, the tested bits, and the target.
func TestBranch(t *testing.T) {
	changed := unchanged
	in := decodeInstruction(word(codeCBranch, 0, 0, 48, vectorImm), 100, &changed)
	require.Equal(t, uint64(0xffffffffc0cb9ad2), in.constant)
	require.Equal(t, uint64(0x7f800), uint64(1<<jumpBits-1)<<in.shift)
	require.Equal(t, int32(-1), in.target)
	again := decodeInstruction(word(codeCBranch, 0, 0, 48, vectorImm), 200, &changed)
	require.Equal(t, int32(100), again.target)

	// After one jump the bits are not zero any more, so the instructions in between are executed twice.
	for start, runs := range map[uint64]uint64{0: 1, 0xfffffffffffc6800: 2} {
		v := NewVM(V1, nil)
		changed = unchanged
		v.program[10] = decodeInstruction(word(codeAddRS, 2, 3, 0, 0), 10, &changed)
		v.program[11] = decodeInstruction(word(codeCBranch, 0, 0, 48, vectorImm), 11, &changed)
		v.r[0], v.r[3] = start, 1
		v.execute()
		require.Equal(t, runs, v.r[2], "%x", start)
	}
}

// TestChanged checks which instructions modify a register, which determines the target of branches on it.
// Source: RandomX specification, section 5.4.2.
func TestChanged(t *testing.T) {
	for code := range 256 {
		for _, c := range []struct {
			dst, src  uint8
			immediate uint32
		}{{2, 3, 5}, {2, 2, 5}, {2, 3, 8}, {6, 7, 0}} {
			changed := unchanged
			decodeInstruction(word(uint8(code), c.dst, c.src, 0, c.immediate), 9, &changed)
			want := unchanged
			switch {
			case code <= codeNegR && (code <= codeSMulHM || code > codeMulRcp || c.immediate == 5),
				code > codeNegR && code <= codeRolR:
				want[c.dst] = 9
			case code > codeRolR && code <= codeSwapR && c.dst != c.src:
				want[c.dst], want[c.src] = 9, 9
			case code > codeFSqrtR && code <= codeCBranch:
				want = [8]int32{9, 9, 9, 9, 9, 9, 9, 9}
			}
			require.Equal(t, want, changed, "code %d, r%d, r%d", code, c.dst, c.src)
		}
	}
}

// FuzzProgram: any bytes are a program that terminates and leaves registers in the specified ranges.
func FuzzProgram(f *testing.F) {
	f.Add([]byte{}, uint64(1))
	rnd := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 8*(16+maxProgramSize))
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	f.Add(b, uint64(2))
	f.Add(b, uint64(6)) // the same as V2
	v := NewVM(V1, nil)
	pad := new([padWords]uint64)
	s := state{{1, 2}, {3, 4}, {5, 6}, {7, 8}}
	s.fill1R(pad[:])
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		clear(v.code[:])
		for i := 0; i < len(v.code) && 8*i+8 <= len(b); i++ {
			v.code[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		v.pad = *pad
		v.mode = uint(seed & 3)
		v.variant = variants[V1+Version(seed>>2&1)]
		v.configure()
		for i := range 4 {
			for j := range v.f {
				at := int(seed>>2%1000) + 8*i + j
				v.r[j], v.r[j+4] = v.pad[at]^seed, v.pad[at+4]^seed
				v.f[j][0], v.f[j][1] = toF(v.pad[at])
				v.e[j][0], v.e[j][1] = v.toE(v.pad[at+4])
			}
			v.execute()
			for j := range v.f {
				for k := range v.f[j] {
					// The specification's bound, 3e14, holds for random programs; crafted ones scale further.
					require.Less(t, math.Abs(v.f[j][k]), 1e30)
					require.Greater(t, v.e[j][k], math.Ldexp(1, -600))
				}
			}
		}
		require.Zero(t, v.r[zeroRegister])
	})
}
