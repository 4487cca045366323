package randomx

import (
	"encoding/binary"
	"math"
	"math/bits"

	"golang.org/x/crypto/blake2b"

	"glim/core/internal/crypto/aesround"
)

const (
	programCount      = 8
	programIterations = 2048
	zeroRegister      = 8 // always 0; the source of constant addresses

	itemSize     = 64
	datasetBase  = 1 << 31 // bytes
	datasetExtra = 33554368
	addressMask  = datasetBase - itemSize
)

// pair is a floating-point register.
type pair [2]float64

// VM is a virtual machine that hashes with a cache. It needs 2 MiB. It must not be used by several goroutines at the
// same time.
type VM struct {
	cache   *Cache
	variant variant
	pad     [padWords]uint64
	program program
	code    [16 + maxProgramSize]uint64 // configuration and program as generated

	r       [9]uint64
	f, e, a [4]pair
	mode    uint

	seed      state     // of the next program
	registers [256]byte // after a program
	at        [2]uint32 // addresses in the scratchpad for the next iteration
	lines     [2]*line  // what is at them in this iteration

	emask [2]uint64 // masks of the e registers
	read  [4]uint8  // the registers that addresses are made of
	ma    uint32
	mx    uint32
	mt    uint32 // ma at the beginning of the iteration
	base  uint64 // offset of addresses in the dataset, in items
}

// NewVM returns a machine that computes hashes of a version with a cache.
func NewVM(version Version, c *Cache) *VM { return &VM{cache: c, variant: variants[version]} }

// Hash returns the hash of input, of any length. It allocates nothing.
// Source: RandomX specification, chapter 2.
func (v *VM) Hash(input []byte) [32]byte {
	v.start(input)
	for i := range programCount {
		v.prepare(i)
		v.run()
		v.store(&v.registers)
	}
	return v.finish()
}

// start fills the scratchpad.
func (v *VM) start(input []byte) {
	v.seed = loadState(blake2b.Sum512(input))
	v.seed.fill1R(v.pad[:])
	v.mode = nearest
}

// prepare makes the program with a number.
func (v *VM) prepare(number int) {
	if number > 0 {
		v.seed = loadState(blake2b.Sum512(v.registers[:]))
	}
	v.seed.fill4R(v.code[:16+v.variant.size])
	v.configure()
}

// finish returns the hash after the last program.
func (v *VM) finish() [32]byte {
	for i, w := range hash1R(v.pad[:]) {
		binary.LittleEndian.PutUint64(v.registers[192+8*i:], w)
	}
	return blake2b.Sum256(v.registers[:])
}

func loadState(b [64]byte) (s state) {
	for i := range s {
		s[i].lo = binary.LittleEndian.Uint64(b[16*i:])
		s[i].hi = binary.LittleEndian.Uint64(b[16*i+8:])
	}
	return s
}

// store writes the register file. Source: RandomX specification, section 1.1.
func (v *VM) store(out *[256]byte) {
	for i := range 8 {
		binary.LittleEndian.PutUint64(out[8*i:], v.r[i])
	}
	for i := range 4 {
		for j := range 2 {
			at := 64 + 16*i + 8*j
			binary.LittleEndian.PutUint64(out[at:], math.Float64bits(v.f[i][j]))
			binary.LittleEndian.PutUint64(out[64+at:], math.Float64bits(v.e[i][j]))
			binary.LittleEndian.PutUint64(out[128+at:], math.Float64bits(v.a[i][j]))
		}
	}
}

// configure sets up the machine from v.code. Source: RandomX specification, section 4.5.
func (v *VM) configure() {
	q := (*[16]uint64)(v.code[:])
	for i := range 8 {
		v.a[i/2][i%2] = math.Float64frombits((q[i]>>59+1023)<<52 | q[i]&(1<<52-1))
	}
	v.ma, v.mx = uint32(q[8]), uint32(q[10])
	for i := range v.read {
		v.read[i] = uint8(2*i) + uint8(q[12]>>i&1)
	}
	v.base = q[13] % (datasetExtra/itemSize + 1)
	for i := range v.emask {
		v.emask[i] = (0x300|q[14+i]>>60<<4)<<52 | q[14+i]&(1<<22-1)
	}
	v.program.decode(v.code[16 : 16+v.variant.size])
}

// toF returns the two numbers of an f register from a word. Source: RandomX specification, section 4.3.1.
func toF(w uint64) (float64, float64) {
	return float64(int32(w)), float64(int32(w >> 32))
}

// toE returns the two numbers of an e register from a word. They are positive, and neither very small nor very large.
// Source: RandomX specification, section 4.3.2.
func (v *VM) toE(w uint64) (float64, float64) {
	x, y := toF(w)
	return math.Float64frombits(math.Float64bits(x)&(1<<56-1) | v.emask[0]),
		math.Float64frombits(math.Float64bits(y)&(1<<56-1) | v.emask[1])
}

// run executes the program 2048 times. Source: RandomX specification, section 4.6.
func (v *VM) run() {
	v.begin()
	var first, second line // dataset items for this iteration and the next
	for i := range programIterations {
		v.advance()
		if i%2 == 0 {
			// The address of the next iteration is known, and computing two items together is faster.
			now, next := v.items()
			v.cache.items(now, next, &first, &second)
		} else {
			first = second
		}
		v.complete(&first)
	}
}

func (v *VM) begin() {
	clear(v.r[:])
	v.at = [2]uint32{v.mx, v.ma}
}

// advance begins an iteration: it reads the scratchpad and executes the program.
func (v *VM) advance() {
	x := v.r[v.read[0]&7] ^ v.r[v.read[1]&7]
	v.at[0] ^= uint32(x)
	v.at[1] ^= uint32(x >> 32)
	line0, line1 := v.lineAt(v.at[0]), v.lineAt(v.at[1])
	v.lines = [2]*line{line0, line1}
	for j := range line0 {
		v.r[j] ^= line0[j]
	}
	for j := range v.f {
		v.f[j][0], v.f[j][1] = toF(line1[j])
		v.e[j][0], v.e[j][1] = v.toE(line1[4+j])
	}
	v.execute()
	v.mt = v.ma
	change := uint32(v.r[v.read[2]&7] ^ v.r[v.read[3]&7])
	if v.variant.ahead {
		v.ma ^= change
	} else {
		v.mx ^= change
	}
}

// items returns the numbers of the dataset items for this iteration and the next.
func (v *VM) items() (now, next uint64) {
	return v.base + uint64(v.mt&addressMask)/itemSize, v.base + uint64(v.mx&addressMask)/itemSize
}

// complete ends an iteration with its dataset item.
func (v *VM) complete(item *line) {
	line0, line1 := v.lines[0], v.lines[1]
	v.mx, v.ma = v.ma, v.mx
	for j := range item {
		v.r[j] ^= item[j]
		line1[j] = v.r[j]
	}
	if v.variant.aes {
		v.mixAES(line0)
	} else {
		v.mixXOR(line0)
	}
	v.at = [2]uint32{}
}

// mixXOR mixes e into f, and writes f. Source: RandomX specification, section 4.6.2, step 10 for V1.
func (v *VM) mixXOR(out *line) {
	for j := range v.f {
		for k := range v.f[j] {
			b := math.Float64bits(v.f[j][k]) ^ math.Float64bits(v.e[j][k])
			v.f[j][k] = math.Float64frombits(b)
			out[2*j+k] = b
		}
	}
}

// mixAES does the same with four rounds of AES, whose keys are the registers e.
// Source: RandomX specification at v2.0, section 4.6.2, step 10 for V2.
func (v *VM) mixAES(out *line) {
	t := aesround.Get()
	var s state
	for j, f := range v.f {
		s[j] = column{math.Float64bits(f[0]), math.Float64bits(f[1])}
	}
	for _, e := range v.e {
		lo, hi := math.Float64bits(e[0]), math.Float64bits(e[1])
		s.absorb1R(t, &line{lo, hi, lo, hi, lo, hi, lo, hi})
	}
	for j, c := range s {
		v.f[j] = pair{math.Float64frombits(c.lo), math.Float64frombits(c.hi)}
	}
	*out = s.line()
}

// lineAt returns the 64 bytes of the scratchpad that contain an address.
func (v *VM) lineAt(address uint32) *line {
	at := address / 8 & (maskL3 &^ 7)
	return (*line)(v.pad[at : at+8])
}

// load returns the word of the scratchpad that an instruction addresses.
func (v *VM) load(in *instruction) uint64 {
	return v.pad[uint32((v.r[in.src%9]+in.constant)>>3)&in.mask&maskL3]
}

// execute runs the program once. Source: RandomX specification, chapter 5.
func (v *VM) execute() {
	for pc, size := int32(0), v.variant.size; pc < size; pc++ {
		in := &v.program[pc]
		switch in.op {
		case opAddShift:
			v.r[in.dst&7] += v.r[in.src&7]<<(in.shift&3) + in.constant
		case opAddMemory:
			v.r[in.dst&7] += v.load(in)
		case opSub:
			v.r[in.dst&7] -= v.r[in.src&7]
		case opSubConstant:
			v.r[in.dst&7] -= in.constant
		case opSubMemory:
			v.r[in.dst&7] -= v.load(in)
		case opMul:
			v.r[in.dst&7] *= v.r[in.src&7]
		case opMulConstant:
			v.r[in.dst&7] *= in.constant
		case opMulMemory:
			v.r[in.dst&7] *= v.load(in)
		case opMulHigh:
			v.r[in.dst&7] = mulHigh(v.r[in.dst&7], v.r[in.src&7])
		case opMulHighMemory:
			v.r[in.dst&7] = mulHigh(v.r[in.dst&7], v.load(in))
		case opMulHighSigned:
			v.r[in.dst&7] = mulHighSigned(v.r[in.dst&7], v.r[in.src&7])
		case opMulHighSignedMemory:
			v.r[in.dst&7] = mulHighSigned(v.r[in.dst&7], v.load(in))
		case opNegate:
			v.r[in.dst&7] = -v.r[in.dst&7]
		case opXor:
			v.r[in.dst&7] ^= v.r[in.src&7]
		case opXorConstant:
			v.r[in.dst&7] ^= in.constant
		case opXorMemory:
			v.r[in.dst&7] ^= v.load(in)
		case opRotateRight:
			v.r[in.dst&7] = bits.RotateLeft64(v.r[in.dst&7], -int(v.r[in.src&7]&63))
		case opRotateLeft:
			v.r[in.dst&7] = bits.RotateLeft64(v.r[in.dst&7], int(v.r[in.src&7]&63))
		case opRotateConstant:
			v.r[in.dst&7] = bits.RotateLeft64(v.r[in.dst&7], -int(in.constant&63))
		case opSwap:
			v.r[in.dst&7], v.r[in.src&7] = v.r[in.src&7], v.r[in.dst&7]
		case opSwapF:
			v.f[in.dst&3].swap()
		case opSwapE:
			v.e[in.dst&3].swap()
		case opAddF:
			v.add(&v.f[in.dst&3], v.a[in.src&3][0], v.a[in.src&3][1])
		case opAddFMemory:
			x, y := toF(v.load(in))
			v.add(&v.f[in.dst&3], x, y)
		case opSubF:
			v.add(&v.f[in.dst&3], -v.a[in.src&3][0], -v.a[in.src&3][1])
		case opSubFMemory:
			x, y := toF(v.load(in))
			v.add(&v.f[in.dst&3], -x, -y)
		case opScaleF:
			v.f[in.dst&3].scale()
		case opMulE:
			v.mul(&v.e[in.dst&3], &v.a[in.src&3])
		case opDivEMemory:
			x, y := v.toE(v.load(in))
			v.div(&v.e[in.dst&3], x, y)
		case opRootE:
			v.root(&v.e[in.dst&3])
		case opBranch:
			d := &v.r[in.dst&7]
			*d += in.constant
			if *d>>(in.shift&63)&(1<<jumpBits-1) == 0 {
				pc = in.target
			}
		case opRound:
			if x := bits.RotateLeft64(v.r[in.src&7], -int(in.constant&63)); x&v.variant.rare == 0 {
				v.mode = uint(x & 3)
			}
		case opStore:
			v.pad[uint32((v.r[in.dst&7]+in.constant)>>3)&in.mask&maskL3] = v.r[in.src&7]
		}
	}
}

// swap exchanges the two numbers. Source: RandomX specification, section 5.3.1.
func (p *pair) swap() { p[0], p[1] = p[1], p[0] }

// scaleMask covers the sign and four bits of the exponent. Source: RandomX specification, section 5.3.4.
const scaleMask = 0x80F0000000000000

// scale flips the bits of scaleMask in both numbers.
func (p *pair) scale() {
	p[0] = math.Float64frombits(math.Float64bits(p[0]) ^ scaleMask)
	p[1] = math.Float64frombits(math.Float64bits(p[1]) ^ scaleMask)
}

func (v *VM) add(d *pair, x, y float64) {
	if v.mode == nearest {
		d[0] += x
		d[1] += y
		return
	}
	d[0], d[1] = add(d[0], x, v.mode), add(d[1], y, v.mode)
}

func (v *VM) mul(d, s *pair) {
	if v.mode == nearest {
		d[0] *= s[0]
		d[1] *= s[1]
		return
	}
	d[0], d[1] = mul(d[0], s[0], v.mode), mul(d[1], s[1], v.mode)
}

func (v *VM) div(d *pair, x, y float64) {
	if v.mode == nearest {
		d[0] /= x
		d[1] /= y
		return
	}
	d[0], d[1] = div(d[0], x, v.mode), div(d[1], y, v.mode)
}

func (v *VM) root(d *pair) {
	if v.mode == nearest {
		d[0], d[1] = math.Sqrt(d[0]), math.Sqrt(d[1])
		return
	}
	d[0], d[1] = sqrt(d[0], v.mode), sqrt(d[1], v.mode)
}
