package randomx

import "math"

// The rounding modes, in the numbering of the register fprc. Source: RandomX specification, table 4.3.1.
const (
	nearest = iota
	down
	up
	toZero
)

// Go only rounds to nearest. The functions below do that, determine on which side of the exact result the rounded one
// is, and step to the neighbour if the mode needs the other side. They add the sign bit instead of branching, because
// random numbers would mispredict half of the branches.
//
// Neighbouring numbers of the same sign are neighbouring integers. The neighbour of the largest number is infinity.

// add returns x + y, rounded down, up or to zero according to mode. The sum rounded to nearest must be finite.
func add(x, y float64, mode uint) float64 {
	// The rounding error is itself a number. Source: D. E. Knuth, The Art of Computer Programming, volume 2, section
	// 4.2.2, theorem B.
	s := x + y
	part := s - x
	lost := (x - (s - part)) + (y - part)
	b := math.Float64bits(s)
	if s == 0 {
		// The sum is exact. Rounded down, a zero is negative unless both terms are positive zeros.
		if mode == down && math.Float64bits(x)|math.Float64bits(y) != 0 {
			b = 1 << 63
		}
		return math.Float64frombits(b)
	}
	negative := b >> 63
	if mode == toZero {
		mode = down + uint(negative)
	}
	if mode == down {
		// Below, where lost is negative: one less for a positive sum, one more for a negative one.
		return math.Float64frombits(b + (negative<<1-1)&-(math.Float64bits(lost)>>63))
	}
	return math.Float64frombits(b + (1-negative<<1)&-(math.Float64bits(0-lost)>>63))
}

// mul returns x · y rounded by mode, for positive x and y, one of which may be infinite. Their exponents are large
// enough for the rounding error to be a number.
func mul(x, y float64, mode uint) float64 {
	p := x * y
	if p > math.MaxFloat64 {
		return overflow(x, mode)
	}
	if mode == up {
		return next(p, math.FMA(-x, y, p))
	}
	return previous(p, math.FMA(x, y, -p))
}

// div returns x / y rounded by mode, for numbers as in mul, with finite y.
func div(x, y float64, mode uint) float64 {
	q := x / y
	if q > math.MaxFloat64 {
		return overflow(x, mode)
	}
	if mode == up {
		return next(q, math.FMA(q, y, -x))
	}
	return previous(q, math.FMA(-q, y, x))
}

// sqrt returns the square root of x rounded by mode, for positive x, which may be infinite.
func sqrt(x float64, mode uint) float64 {
	r := math.Sqrt(x)
	if r > math.MaxFloat64 {
		return r
	}
	if mode == up {
		return next(r, math.FMA(r, r, -x))
	}
	return previous(r, math.FMA(-r, r, x))
}

// next returns v, or its upper neighbour if v is below the exact result. distance is v minus that result, and +0 if it
// is exact.
func next(v, distance float64) float64 {
	return math.Float64frombits(math.Float64bits(v) + math.Float64bits(distance)>>63)
}

// previous returns v, or its lower neighbour if v is above the exact result. distance is that result minus v, and +0
// if v is exact.
func previous(v, distance float64) float64 {
	return math.Float64frombits(math.Float64bits(v) - math.Float64bits(distance)>>63)
}

// overflow returns a product or quotient that exceeds the largest number: that number, if x is finite and the mode
// rounds down.
func overflow(x float64, mode uint) float64 {
	if mode == up || math.IsInf(x, 1) {
		return math.Inf(1)
	}
	return math.MaxFloat64
}
