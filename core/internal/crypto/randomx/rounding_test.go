package randomx

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var modes = [...]big.RoundingMode{
	nearest: big.ToNearestEven,
	down:    big.ToNegativeInf,
	up:      big.ToPositiveInf,
	toZero:  big.ToZero,
}

// rounded converts exact to a float64 in a rounding mode, with math/big. exact must not be so small that the result is
// subnormal.
func rounded(exact *big.Float, mode uint) float64 {
	v := new(big.Float).SetMode(modes[mode]).SetPrec(53).Set(exact)
	f, _ := v.Float64() // exact, or overflows
	if math.IsInf(f, 0) && !exact.IsInf() {
		negative := f < 0
		if mode == toZero || mode == down && !negative || mode == up && negative {
			return math.Copysign(math.MaxFloat64, f)
		}
	}
	return f
}

// exactly returns x with enough precision for exact sums, products and comparisons.
func exactly(x float64) *big.Float { return new(big.Float).SetPrec(2200).SetFloat64(x) }

func requireSame(t *testing.T, want, got float64, what string, x, y float64, mode uint) {
	t.Helper()
	if math.Float64bits(want) != math.Float64bits(got) {
		require.Failf(t, "rounding", "%s of %x and %x, mode %d: want %x, got %x", what, x, y, mode, want, got)
	}
}

// checkAdd compares a sum. If nonzero numbers cancel, the zero is negative when rounding down and positive otherwise,
// which math/big does not implement. Source: IEEE 754-2008, section 6.3.
func checkAdd(t *testing.T, x, y float64) {
	t.Helper()
	for mode := uint(down); mode <= toZero; mode++ {
		want := rounded(exactly(x).Add(exactly(x), exactly(y)), mode)
		if want == 0 {
			want = x + y // a sum of zeros, rounded to nearest
			if mode == down && (math.Signbit(x) || math.Signbit(y)) {
				want = math.Copysign(0, -1)
			}
		}
		requireSame(t, want, add(x, y, mode), "sum", x, y, mode)
	}
}

func checkMul(t *testing.T, x, y float64) {
	t.Helper()
	for mode := uint(down); mode <= toZero; mode++ {
		product := new(big.Float).SetPrec(200).Mul(exactly(x), exactly(y))
		requireSame(t, rounded(product, mode), mul(x, y, mode), "product", x, y, mode)
	}
}

func checkDiv(t *testing.T, x, y float64) {
	t.Helper()
	for mode := uint(down); mode <= toZero; mode++ {
		var want float64
		if math.IsInf(x, 1) {
			want = x
		} else {
			// Division by math/big rounds once, to the precision of the result.
			q := new(big.Float).SetMode(modes[mode]).SetPrec(53).Quo(exactly(x), exactly(y))
			want = rounded(q, mode)
		}
		requireSame(t, want, div(x, y, mode), "quotient", x, y, mode)
	}
}

// checkSqrt compares squares: the root of x rounded down is the largest number whose square is at most x.
func checkSqrt(t *testing.T, x float64) {
	t.Helper()
	if math.IsInf(x, 1) {
		requireSame(t, x, sqrt(x, down), "root", x, 0, down)
		requireSame(t, x, sqrt(x, up), "root", x, 0, up)
		return
	}
	square := func(v float64) *big.Float { return new(big.Float).SetPrec(200).Mul(exactly(v), exactly(v)) }
	below := sqrt(x, down)
	requireSame(t, below, sqrt(x, toZero), "root", x, 0, toZero)
	require.LessOrEqual(t, square(below).Cmp(exactly(x)), 0, "%x", x)
	after := math.Nextafter(below, math.Inf(1))
	require.Positive(t, square(after).Cmp(exactly(x)), "%x", x)
	want := after
	if square(below).Cmp(exactly(x)) == 0 {
		want = below
	}
	requireSame(t, want, sqrt(x, up), "root", x, 0, up)
}

// additive returns a possible value or operand of registers f: an integer, a sum, or a scaled number.
func additive(rnd *rand.Rand) float64 {
	var v float64
	switch rnd.IntN(6) {
	case 0:
		v = float64(int32(rnd.Uint32()))
	case 1:
		v = float64(int32(rnd.Uint32()) >> rnd.UintN(32))
	case 2: // registers a
		v = math.Float64frombits((rnd.Uint64N(32)+1023)<<52 | rnd.Uint64()>>12)
	case 3: // few significant bits, any exponent
		v = math.Ldexp(float64(rnd.Uint32()>>rnd.UintN(32)), rnd.IntN(80)-60)
	case 4: // close to a power of 2
		v = math.Float64frombits(math.Float64bits(math.Ldexp(1, rnd.IntN(100)-50)) + rnd.Uint64N(5) - 2)
	default: // any number that scaling can reach
		v = math.Float64frombits((rnd.Uint64N(1100)+1)<<52 | rnd.Uint64()>>12)
	}
	if rnd.Uint32()&1 != 0 {
		v = -v
	}
	if rnd.IntN(4) == 0 {
		v = math.Float64frombits(math.Float64bits(v) ^ scaleMask)
	}
	return v
}

// multiplicative returns a possible value of registers e: positive, at least 2^-511.
func multiplicative(rnd *rand.Rand) float64 {
	switch rnd.IntN(6) {
	case 0: // an integer, for exact results
		return float64(rnd.Uint32()>>rnd.UintN(32)) + 1
	case 1:
		return math.Ldexp(1, rnd.IntN(1000)-500)
	case 2:
		return math.Float64frombits(math.Float64bits(math.Ldexp(1, rnd.IntN(1000)-500)) + rnd.Uint64N(5) - 2)
	case 3: // the largest ones
		return math.Float64frombits(math.Float64bits(math.Inf(1)) - rnd.Uint64N(3))
	}
	return math.Float64frombits((rnd.Uint64N(2046-512)+512)<<52 | rnd.Uint64()>>12)
}

func TestRounding(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 15000 {
		x, y := additive(rnd), additive(rnd)
		checkAdd(t, x, y)
		checkAdd(t, x, -x)
		checkAdd(t, x, math.Nextafter(-x, y))
	}
	for range 15000 {
		x := multiplicative(rnd)
		fraction := rnd.Uint64() >> 12 << rnd.UintN(53) & (1<<52 - 1) // any number of significant bits
		a := math.Float64frombits((rnd.Uint64N(32)+1023)<<52 | fraction)
		checkMul(t, x, a)
		e := math.Float64frombits((rnd.Uint64N(256)+768)<<52 | rnd.Uint64()>>12)
		checkDiv(t, x, e)
		checkDiv(t, x, a)
		if p := x * a; !math.IsInf(p, 1) {
			checkDiv(t, p, a) // exact, or nearly
		}
		checkSqrt(t, x)
		if s := x * x; x < 1<<500 && x > math.Ldexp(1, -250) {
			checkSqrt(t, s)
			checkSqrt(t, math.Nextafter(s, 0))
		}
	}
}

// TestRoundingEdges checks zeros and numbers at the ends of the range.
func TestRoundingEdges(t *testing.T) {
	zero, largest, least := 0.0, math.MaxFloat64, math.Ldexp(1, -1008)
	minus := math.Copysign(0, -1)
	for _, x := range []float64{zero, minus, 1, -1, least, -least, math.Ldexp(1, -1022), 1 << 49, -1 << 49} {
		for _, y := range []float64{zero, minus, 1, -1, least, -least, math.Ldexp(-1, -1022), 1 << 49, -1 << 49} {
			checkAdd(t, x, y)
		}
	}
	for mode, want := range map[uint]float64{down: largest, up: math.Inf(1), toZero: largest} {
		requireSame(t, want, mul(largest, 2, mode), "product", largest, 2, mode)
		requireSame(t, want, div(largest, 0.5, mode), "quotient", largest, 0.5, mode)
		requireSame(t, math.Inf(1), mul(math.Inf(1), 3, mode), "product", math.Inf(1), 3, mode)
		requireSame(t, math.Inf(1), div(math.Inf(1), 0.3, mode), "quotient", math.Inf(1), 0.3, mode)
		requireSame(t, math.Inf(1), sqrt(math.Inf(1), mode), "root", math.Inf(1), 0, mode)
		requireSame(t, largest, mul(largest, 1, mode), "product", largest, 1, mode)
	}
	// Rounded to nearest this is the largest finite number, although the exact product is above it.
	x := math.Nextafter(math.Sqrt(largest), math.Inf(1))
	checkMul(t, x, math.Nextafter(x, 0))
	checkMul(t, x, x)
}

func FuzzRounding(f *testing.F) {
	f.Add(uint64(0x3ffd2c97cc4ef015), uint64(0xc1ce30b3c4223576))
	f.Add(uint64(0), uint64(1<<63))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		// Sums of any numbers; products and quotients only with the exponents that registers can have.
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		if !math.IsNaN(x) && !math.IsNaN(y) && !math.IsInf(x+y, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
			checkAdd(t, x, y)
		}
		x = math.Float64frombits((a>>52%(2046-512)+512)<<52 | a&(1<<52-1))
		y = math.Float64frombits((b>>52%256+768)<<52 | b&(1<<52-1))
		checkMul(t, x, math.Ldexp(y, 255))
		checkDiv(t, x, y)
		checkSqrt(t, x)
	})
}
