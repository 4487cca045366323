//go:build !purego

package edwards

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// simulator executes the functions of vector_amd64.s instruction by instruction, so that all kinds of vector
// instructions are tested on every processor.
type simulator struct {
	code   map[string][]func(*machine)
	labels map[string]map[string]int
	table  []byte // vectorConstants
}

// machine is the state of a function call. Addresses have the number of their address space in the upper bits.
type machine struct {
	r       map[string]uint64
	v       [32][8]uint64
	carry   bool
	zero    bool
	spaces  [][]byte
	args    []uint64
	next    int
	lanes   int
	current map[string]int
}

const spaceShift = 32

func (m *machine) bytes(address uint64, n int) []byte {
	space := m.spaces[address>>spaceShift]
	at := address & (1<<spaceShift - 1)
	return space[at : at+uint64(n)]
}

func (m *machine) load(address uint64, lanes int) (v [8]uint64) {
	b := m.bytes(address, 8*lanes)
	for i := range lanes {
		v[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return v
}

var (
	memoryOperand   = regexp.MustCompile(`^(-?\d+)?\((\w+)\)$`)
	constantOperand = regexp.MustCompile(`^vectorConstants<>\+(\d+)\(SB\)$`)
	argumentOperand = regexp.MustCompile(`^\w+\+(\d+)\(FP\)$`)
	sumOperand      = regexp.MustCompile(`^\((\w+)\)\((\w+)\*1\)$`)
	dataLine        = regexp.MustCompile(`^DATA vectorConstants<>\+(\d+)\(SB\)/8, \$0x([0-9a-f]+)$`)
	textLine        = regexp.MustCompile(`^TEXT ·(\w+)\(SB\)`)
)

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// newSimulator reads vector_amd64.s.
func newSimulator(t *testing.T) *simulator {
	t.Helper()
	file, err := os.ReadFile("vector_amd64.s")
	require.NoError(t, err)
	s := &simulator{code: map[string][]func(*machine){}, labels: map[string]map[string]int{}}
	name := ""
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "GLOBL"):
		case dataLine.MatchString(line):
			f := dataLine.FindStringSubmatch(line)
			n, err := strconv.ParseUint(f[2], 16, 64)
			require.NoError(t, err)
			require.Equal(t, len(s.table), number(f[1]))
			s.table = binary.LittleEndian.AppendUint64(s.table, n)
		case textLine.MatchString(line):
			name = textLine.FindStringSubmatch(line)[1]
			s.labels[name] = map[string]int{}
		case strings.HasSuffix(line, ":"):
			s.labels[name][strings.TrimSuffix(line, ":")] = len(s.code[name])
		case name != "cpuid" && name != "xgetbv":
			op, rest, _ := strings.Cut(line, " ")
			var operands []string
			if rest != "" {
				operands = strings.Split(rest, ", ")
			}
			s.code[name] = append(s.code[name], decodeInstruction(op, operands))
		}
	}
	return s
}

// scalarOperand reads a register, a constant, or an argument.
func scalarOperand(o string) func(*machine) uint64 {
	if n, ok := strings.CutPrefix(o, "$"); ok {
		k := uint64(number(n))
		return func(*machine) uint64 { return k }
	}
	if f := argumentOperand.FindStringSubmatch(o); f != nil {
		i := number(f[1]) / 8
		return func(m *machine) uint64 { return m.args[i] }
	}
	if f := sumOperand.FindStringSubmatch(o); f != nil {
		return func(m *machine) uint64 { return m.r[f[1]] + m.r[f[2]] }
	}
	if f := memoryOperand.FindStringSubmatch(o); f != nil {
		at := uint64(number(f[1]))
		return func(m *machine) uint64 { return m.load(m.r[f[2]]+at, 1)[0] }
	}
	return func(m *machine) uint64 { return m.r[o] }
}

// vectorOperand reads a vector register or memory.
func vectorOperand(o string) func(*machine) [8]uint64 {
	if f := constantOperand.FindStringSubmatch(o); f != nil {
		at := uint64(number(f[1]))
		return func(m *machine) [8]uint64 { return m.load(at, m.lanes) } // space 0
	}
	if f := memoryOperand.FindStringSubmatch(o); f != nil {
		at := uint64(0)
		if f[1] != "" {
			at = uint64(number(f[1]))
		}
		return func(m *machine) [8]uint64 { return m.load(m.r[f[2]]+at, m.lanes) }
	}
	i := number(o[1:])
	return func(m *machine) [8]uint64 { return m.v[i] }
}

// pairOperand reads two numbers from memory.
func pairOperand(o string) func(*machine) [8]uint64 {
	f := memoryOperand.FindStringSubmatch(o)
	at := uint64(number(f[1]))
	return func(m *machine) [8]uint64 { return m.load(m.r[f[2]]+at, 2) }
}

// decodeInstruction returns what an instruction does. It panics if the simulator does not know the instruction.
func decodeInstruction(op string, o []string) func(*machine) {
	for _, decode := range []func(string, []string) func(*machine){
		decodeControl, decodeScalarOp, decodeLaneOp, decodeMultiply52, decodeMove, decodePermute,
	} {
		if f := decode(strings.TrimSuffix(op, "Q"), o); f != nil {
			return f
		}
	}
	panic("an instruction that is not simulated: " + op)
}

// scalarOp returns an instruction that sets its last operand to f of the first and the last operand.
func scalarOp(o []string, f func(m *machine, a, b uint64) uint64) func(*machine) {
	a, b, to := scalarOperand(o[0]), scalarOperand(o[len(o)-1]), o[len(o)-1]
	return func(m *machine) { m.r[to] = f(m, a(m), b(m)) }
}

// laneOp returns an instruction that sets every lane of its last operand to f of the first two operands' lanes and the
// lane itself.
func laneOp(o []string, f func(a, b, to uint64) uint64) func(*machine) {
	a, b, to := vectorOperand(o[0]), vectorOperand(o[len(o)-2]), number(o[len(o)-1][1:])
	return func(m *machine) {
		x, y := a(m), b(m)
		for i := range m.lanes {
			m.v[to][i] = f(x[i], y[i], m.v[to][i])
		}
	}
}

// decodeControl decodes comparisons, jumps and returns.
func decodeControl(op string, o []string) func(*machine) {
	switch op {
	case "TEST":
		a := scalarOperand(o[0])
		return func(m *machine) { m.zero = a(m) == 0 }
	case "JZ", "JNZ":
		want := op == "JZ"
		return func(m *machine) {
			if m.zero == want {
				m.next = m.current[o[0]]
			}
		}
	case "VZEROUPPER":
		return func(*machine) {}
	case "RET":
		return func(m *machine) { m.next = -1 }
	}
	return nil
}

// decodeScalarOp decodes arithmetic with general registers.
func decodeScalarOp(op string, o []string) func(*machine) {
	switch op {
	case "MOV", "LEA":
		return scalarOp(o, func(_ *machine, a, _ uint64) uint64 { return a })
	case "ADD":
		return scalarOp(o, func(_ *machine, a, b uint64) uint64 { return b + a })
	case "SUB":
		return scalarOp(o, func(_ *machine, a, b uint64) uint64 { return b - a })
	case "AND":
		return scalarOp(o, func(_ *machine, a, b uint64) uint64 { return b & a })
	case "SHL":
		return scalarOp(o, func(_ *machine, a, b uint64) uint64 { return b << a })
	case "NOT":
		return scalarOp(o, func(_ *machine, a, _ uint64) uint64 { return ^a })
	case "DEC":
		return scalarOp(o, func(m *machine, a, _ uint64) uint64 { m.zero = a == 1; return a - 1 })
	case "NEG":
		return scalarOp(o, func(m *machine, a, _ uint64) uint64 { m.carry = a != 0; return -a })
	case "SBB":
		return scalarOp(o, func(m *machine, a, b uint64) uint64 {
			if m.carry {
				a++
			}
			return b - a
		})
	}
	return nil
}

// decodeLaneOp decodes arithmetic that treats all lanes alike.
func decodeLaneOp(op string, o []string) func(*machine) {
	float, bitsOf := math.Float64frombits, math.Float64bits
	switch op {
	case "VFMADD231PD":
		return laneOp(o, func(a, b, to uint64) uint64 { return bitsOf(math.FMA(float(a), float(b), float(to))) })
	case "VADDPD":
		return laneOp(o, func(a, b, _ uint64) uint64 { return bitsOf(float(b) + float(a)) })
	case "VSUBPD":
		return laneOp(o, func(a, b, _ uint64) uint64 { return bitsOf(float(b) - float(a)) })
	case "VPADD":
		return laneOp(o, func(a, b, _ uint64) uint64 { return b + a })
	case "VPSUB":
		return laneOp(o, func(a, b, _ uint64) uint64 { return b - a })
	case "VPAND":
		return laneOp(o, func(a, b, _ uint64) uint64 { return b & a })
	case "VPOR":
		return laneOp(o, func(a, b, _ uint64) uint64 { return b | a })
	case "VPXOR":
		return laneOp(o, func(a, b, _ uint64) uint64 { return b ^ a })
	case "VPTERNLOG":
		if o[0] != "$0xf8" {
			panic("another table of VPTERNLOGQ")
		}
		return laneOp(o[1:], func(a, b, to uint64) uint64 { return to | a&b })
	case "VPSRL", "VPSLL":
		n := uint(number(o[0][1:]))
		return laneOp([]string{o[1], o[1], o[2]}, func(a, _, _ uint64) uint64 {
			if op == "VPSRL" {
				return a >> n
			}
			return a << n
		})
	}
	return nil
}

// decodeMultiply52 decodes the multiplications of 52 bits.
func decodeMultiply52(op string, o []string) func(*machine) {
	const low52 = 1<<52 - 1
	switch op {
	case "VPMADD52LU":
		return laneOp(o, func(a, b, to uint64) uint64 {
			_, lo := bits.Mul64(a&low52, b&low52)
			return to + lo&low52
		})
	case "VPMADD52HU":
		return laneOp(o, func(a, b, to uint64) uint64 {
			hi, lo := bits.Mul64(a&low52, b&low52)
			return to + (hi<<12 | lo>>52)
		})
	}
	return nil
}

// decodeMove decodes moves between vector registers, memory and lanes.
func decodeMove(op string, o []string) func(*machine) {
	switch op {
	case "VMOV":
		a, to := scalarOperand(o[0]), number(o[1][1:])
		return func(m *machine) { m.v[to] = [8]uint64{a(m)} }
	case "VPBROADCAST":
		a, to := number(o[0][1:]), number(o[1][1:])
		return func(m *machine) {
			for i := range m.lanes {
				m.v[to][i] = m.v[a][0]
			}
		}
	case "VMOVUPD", "VMOVAPD":
		if f := memoryOperand.FindStringSubmatch(o[1]); f != nil {
			a, at := number(o[0][1:]), uint64(number(f[1]))
			return func(m *machine) {
				b := m.bytes(m.r[f[2]]+at, 8*m.lanes)
				for i := range m.lanes {
					binary.LittleEndian.PutUint64(b[8*i:], m.v[a][i])
				}
			}
		}
		if o[1][0] == 'X' {
			a, to := pairOperand(o[0]), number(o[1][1:])
			return func(m *machine) { x := a(m); m.v[to] = [8]uint64{x[0], x[1]} }
		}
		return laneOp(o, func(a, _, _ uint64) uint64 { return a })
	case "VINSERTF128", "VINSERTF32X4":
		k, a, to := number(o[0][1:]), pairOperand(o[1]), number(o[3][1:])
		return func(m *machine) { x := a(m); copy(m.v[to][2*k:2*k+2], x[:]) }
	case "VUNPCKLPD", "VUNPCKHPD":
		a, b, to := vectorOperand(o[0]), vectorOperand(o[1]), number(o[2][1:])
		k := strings.Index("LH", op[6:7])
		return func(m *machine) {
			x, y := a(m), b(m)
			for i := 0; i < m.lanes; i += 2 {
				m.v[to][i], m.v[to][i+1] = y[i+k], x[i+k]
			}
		}
	}
	return nil
}

// decodePermute decodes lookups in registers.
func decodePermute(op string, o []string) func(*machine) {
	switch op {
	case "VPMOVZXB": // the suffix Q is of the result
		f := memoryOperand.FindStringSubmatch(o[0])
		at, to := uint64(number(f[1])), number(o[1][1:])
		return func(m *machine) {
			for i, b := range m.bytes(m.r[f[2]]+at, m.lanes) {
				m.v[to][i] = uint64(b)
			}
		}
	case "VPERMD":
		table, index, to := vectorOperand(o[0]), vectorOperand(o[1]), number(o[2][1:])
		return func(m *machine) {
			from, at := table(m), index(m)
			half := func(i uint64) uint64 { return from[i%8/2] >> (i % 2 * 32) & (1<<32 - 1) }
			for i := range m.lanes {
				m.v[to][i] = half(at[i]) | half(at[i]>>32)<<32
			}
		}
	case "VPERMT2":
		second, index, to := vectorOperand(o[0]), vectorOperand(o[1]), number(o[2][1:])
		return func(m *machine) {
			tables, at := [2][8]uint64{m.v[to], second(m)}, index(m)
			for i := range m.lanes {
				m.v[to][i] = tables[at[i]/8%2][at[i]%8]
			}
		}
	case "VBLENDVPD":
		mask, second, first, to := vectorOperand(o[0]), vectorOperand(o[1]), vectorOperand(o[2]), number(o[3][1:])
		return func(m *machine) {
			by, a, b := mask(m), first(m), second(m)
			for i := range m.lanes {
				if m.v[to][i] = a[i]; by[i]>>63 == 1 {
					m.v[to][i] = b[i]
				}
			}
		}
	}
	return nil
}

// call executes a function. Arguments are numbers, or the memory that pointers refer to.
func (s *simulator) call(name string, args ...any) {
	m := &machine{r: map[string]uint64{}, spaces: [][]byte{s.table}, lanes: 8, current: s.labels[name]}
	if strings.HasSuffix(name, "AVX2") {
		m.lanes = 4
	}
	for _, a := range args {
		switch a := a.(type) {
		case []byte:
			m.args = append(m.args, uint64(len(m.spaces))<<spaceShift)
			m.spaces = append(m.spaces, a)
		case int:
			m.args = append(m.args, uint64(a))
		default:
			panic(fmt.Sprintf("argument %T", a))
		}
	}
	code := s.code[name]
	for m.next >= 0 {
		i := m.next
		m.next++
		code[i](m)
	}
}

// memoryOf returns the memory of *p.
func memoryOf[T any](p *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p)) }

// unit returns a vector unit that is simulated.
func (s *simulator) unit(kind string) vectorUnit {
	return vectorUnit{
		name:     "simulated " + kind,
		integers: kind == "IFMA",
		multiply: func(to, a, b *vector) {
			s.call("multiply"+kind, memoryOf(to), memoryOf(a), memoryOf(b))
		},
		square: func(to, a *vector, n int) { s.call("square"+kind, memoryOf(to), memoryOf(a), n) },
		double: func(p *vectorPoint, scratch *vectorScratch, n, t int) {
			s.call("double"+kind, memoryOf(p), memoryOf(scratch), n, t)
		},
		add: func(p *vectorPoint, scratch *vectorScratch, m *vectorMultiple, negative, t int) {
			s.call("add"+kind, memoryOf(p), memoryOf(scratch), memoryOf(m), negative, t)
		},
		ready: func(m *vectorMultiple, p *vectorPoint, d2 *vector) {
			s.call("ready"+kind, memoryOf(m), memoryOf(p), memoryOf(d2))
		},
		affine: func(p *vectorPoint, scratch *vectorScratch, m *vectorAffine, t int) {
			s.call("addAffine"+kind, memoryOf(p), memoryOf(scratch), memoryOf(m), t)
		},
		choose: func(m *vectorMultiple, table *vectorTable, digits *[8]int64, neutral *vectorMultiple) {
			s.call("choose"+kind, memoryOf(m), memoryOf(table), memoryOf(digits), memoryOf(neutral))
		},
		pick: func(m *vectorAffine, row *wideRow, digits *[8]uint8) {
			s.call("pick"+kind, memoryOf(m), memoryOf(row), memoryOf(digits))
		},
		look: func(m *vectorAffine, entries *[8]*wideEntry, digits *[8]int64) {
			// Addresses of entries that lie one after the other in the space after those of the three arguments.
			var at [8]uint64
			var list [8]wideEntry
			for i, e := range entries {
				at[i] = 4<<spaceShift + uint64(i)*uint64(unsafe.Sizeof(*e))
				list[i] = *e
			}
			s.call("look"+kind, memoryOf(m), memoryOf(&at), memoryOf(digits), memoryOf(&list))
		},
	}
}

// simulated returns simulated units of all kinds.
func simulated(t *testing.T) (units []vectorUnit) {
	s := newSimulator(t)
	for _, kind := range []string{"AVX2", "AVX512", "IFMA"} {
		units = append(units, s.unit(kind))
	}
	return units
}
