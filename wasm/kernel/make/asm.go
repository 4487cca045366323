package main

import (
	"encoding/binary"
	"math"
	"slices"
)

// code is a piece of a function's body, in WebAssembly's binary format. An expression leaves its value on the stack,
// and can be an operand of another. Source of all numbers here: the WebAssembly core specification 3.0, section 5.
type code []byte

// join concatenates pieces.
func join(pieces ...code) (all code) {
	for _, p := range pieces {
		all = append(all, p...)
	}
	return all
}

// Types of values.
const (
	i32  = 0x7f
	i64  = 0x7e
	v128 = 0x7b
)

// unsigned appends n in LEB128.
func unsigned(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }

// signed appends n in signed LEB128.
func signed(b []byte, n int64) []byte {
	for {
		low := byte(n & 0x7f)
		n >>= 7
		if n == 0 && low&0x40 == 0 || n == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}

// simd is a vector instruction.
func simd(op uint64) code { return unsigned([]byte{0xfd}, op) }

// one and two turn instructions with one and two operands into functions of them.
func one(op code) func(a code) code    { return func(a code) code { return join(a, op) } }
func two(op code) func(a, b code) code { return func(a, b code) code { return join(a, b, op) } }

// Instructions, by name.
var (
	i32Add  = two(code{0x6a})
	i32Sub  = two(code{0x6b})
	i32And  = two(code{0x71})
	i32Or   = two(code{0x72})
	i32Xor  = two(code{0x73})
	i32Shl  = two(code{0x74})
	i32ShrS = two(code{0x75})
	i32ShrU = two(code{0x76})
	i32RemU = two(code{0x70})
	i32Eqz  = one(code{0x45})
	i32Eq   = two(code{0x46})
	i32Ne   = two(code{0x47})
	i32LtS  = two(code{0x48})
	i32LtU  = two(code{0x49})
	i32Mul  = two(code{0x6c})
	i64Add  = two(code{0x7c})
	i64Sub  = two(code{0x7d})
	i64Mul  = two(code{0x7e})
	i64And  = two(code{0x83})
	i64Or   = two(code{0x84})
	i64Xor  = two(code{0x85})
	i64Shl  = two(code{0x86})
	i64ShrU = two(code{0x88})
	i64Eqz  = one(code{0x50})
	i64ExtU = one(code{0xad})
	i64Ext  = one(code{0xac}) // i64.extend_i32_s

	f64Add  = two(simd(0xf0)) // f64x2.add, and so on
	f64Sub  = two(simd(0xf1))
	add     = two(simd(0xce)) // i64x2.add, and so on
	and     = two(simd(0x4e))
	or      = two(simd(0x50))
	xor     = two(simd(0x51))
	equal   = two(simd(0xd6))
	splat64 = one(simd(0x12))
)

// fma is a·b + c, rounded once if the processor supports it: f64x2.relaxed_madd.
func fma(a, b, c code) code { return join(a, b, c, simd(0x107)) }

// choose is a where mask is set, otherwise b: v128.bitselect.
func choose(a, b, mask code) code { return join(a, b, mask, simd(0x52)) }

func shl(a code, n int32) code { return join(a, constant32(n), simd(0xcb)) }
func shr(a code, n int32) code { return join(a, constant32(n), simd(0xcd)) }

// withLane1 is the vector a with lane 1 replaced by the integer b.
func withLane1(a, b code) code { return join(a, b, simd(0x1e), code{1}) }

// swapped is the vector a with its lanes swapped: i8x16.shuffle.
func swapped(a code) code {
	return join(a, a, simd(0x0d), code{8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7})
}

func constant32(n int32) code { return signed([]byte{0x41}, int64(n)) }
func constant64(n int64) code { return signed([]byte{0x42}, n) }

func memory(op code, align, offset int) code {
	return unsigned(unsigned(op, uint64(align)), uint64(offset))
}

func load(at code, offset int) code            { return join(at, memory(simd(0x00), 4, offset)) }
func load32(at code, offset int) code          { return join(at, memory(code{0x28}, 0, offset)) }
func load64(at code, offset int) code          { return join(at, memory(code{0x29}, 0, offset)) }
func loadFloat(at code, offset int) code       { return join(at, memory(code{0x2b}, 0, offset)) }
func load8u(at code, offset int) code          { return join(at, memory(code{0x2d}, 0, offset)) } // i32.load8_u
func load8(at code, offset int) code           { return join(at, memory(code{0x2c}, 0, offset)) } // i32.load8_s
func store(at code, offset int, v code) code   { return join(at, v, memory(simd(0x0b), 4, offset)) }
func store64(at code, offset int, v code) code { return join(at, v, memory(code{0x37}, 0, offset)) }

// gather is a vector of 64 bits from a and 64 bits from b: v128.load64_zero, v128.load64_lane.
func gather(a, b code, offset int) code {
	return join(b, a, memory(simd(0x5d), 3, offset), memory(simd(0x57), 3, offset), code{1})
}

// zero fills n bytes with zeros: memory.fill.
func zero(at, n code) code { return join(at, constant32(0), n, code{0xfc, 0x0b, 0x00}) }

// when runs body if the condition is not zero.
func when(condition code, body ...code) code {
	return join(condition, code{0x04, 0x40}, join(body...), code{0x0b})
}

// repeat runs body, and again while the condition is not zero.
func repeat(condition code, body ...code) code {
	return join(code{0x03, 0x40}, join(body...), condition, code{0x0d, 0x00, 0x0b})
}

// function is a function under construction. Its parameters, of type i32, are its first variables; it has no result.
type function struct {
	module      *module
	index       int
	name        string // name of the export, if it is exported
	params      int
	locals      []byte         // types of the other variables
	vectors     map[uint64]int // variables of both
	first, body code
}

// module is a WebAssembly module with its own memory, which begins with the constants, each stored twice.
type module struct {
	functions []*function
	constants []uint64
}

// both is a variable with the vector (n, n). It is loaded from memory when the function begins: engines use three
// instructions for a constant in the code, each time.
func (f *function) both(n uint64) code {
	if l, ok := f.vectors[n]; ok {
		return get(l)
	}
	i := slices.Index(f.module.constants, n)
	if i < 0 {
		i = len(f.module.constants)
		f.module.constants = append(f.module.constants, n)
	}
	l := f.local(v128)
	f.vectors[n] = l
	f.first = append(f.first, set(l, load(constant32(0), 16*i))...)
	return get(l)
}

// bothFloat is a vector with the number x in both lanes.
func (f *function) bothFloat(x float64) code { return f.both(math.Float64bits(x)) }

// function begins a function; one with a name is exported.
func (m *module) function(name string, params int) *function {
	f := &function{module: m, vectors: map[uint64]int{}, index: len(m.functions), params: params, name: name}
	m.functions = append(m.functions, f)
	return f
}

func (f *function) do(pieces ...code) { f.body = append(f.body, join(pieces...)...) }

// local declares a new variable; get reads one.
func (f *function) local(kind byte) int {
	f.locals = append(f.locals, kind)
	return f.params + len(f.locals) - 1
}

func get(local int) code { return unsigned([]byte{0x20}, uint64(local)) }

func set(local int, v code) code { return join(v, unsigned([]byte{0x21}, uint64(local))) }

// piece returns the code that write emits, for use elsewhere.
func (f *function) piece(write func()) code {
	outer := f.body
	f.body = nil
	write()
	inner := f.body
	f.body = outer
	return inner
}

// keep stores v in a new variable and returns the code that reads it.
func (f *function) keep(kind byte, v code) code {
	l := f.local(kind)
	f.do(set(l, v))
	return get(l)
}

func call(f *function, args ...code) code {
	return join(join(args...), unsigned([]byte{0x10}, uint64(f.index)))
}

// bytes returns the module, with this many pages of 64 KiB.
func (m *module) bytes(pages int) []byte {
	var data []byte
	for _, n := range m.constants {
		data = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(data, n), n)
	}
	section := func(b []byte, id byte, content []byte) []byte {
		return append(unsigned(append(b, id), uint64(len(content))), content...)
	}
	var types, functions, exports, bodies []byte
	count := uint64(len(m.functions))
	types, functions, bodies = unsigned(types, count), unsigned(functions, count), unsigned(bodies, count)
	exported := uint64(1)
	name := func(s string) { exports = append(unsigned(exports, uint64(len(s))), s...) }
	name("memory")
	exports = append(exports, 0x02, 0)
	for i, f := range m.functions {
		types = unsigned(append(types, 0x60), uint64(f.params))
		for range f.params {
			types = append(types, i32)
		}
		types = append(types, 0)
		functions = unsigned(functions, uint64(i))
		if f.name != "" {
			exported++
			name(f.name)
			exports = unsigned(append(exports, 0x00), uint64(i))
		}
		body := unsigned(nil, uint64(len(f.locals)))
		for _, kind := range f.locals {
			body = append(body, 1, kind)
		}
		body = append(append(append(body, f.first...), f.body...), 0x0b)
		bodies = append(unsigned(bodies, uint64(len(body))), body...)
	}
	exports = append(unsigned(nil, exported), exports...)
	datas := append([]byte{1, 0, 0x41, 0, 0x0b}, unsigned(nil, uint64(len(data)))...)

	b := []byte{0, 'a', 's', 'm', 1, 0, 0, 0}
	b = section(b, 1, types)
	b = section(b, 3, functions)
	b = section(b, 5, unsigned([]byte{1, 0}, uint64(pages)))
	b = section(b, 7, exports)
	b = section(b, 10, bodies)
	return section(b, 11, append(datas, data...))
}
