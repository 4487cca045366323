package randomx

import "math"

// The rounding modes, in the numbering of the register fprc. Source: RandomX specification, table 4.3.1.
const (
	nearest = iota
	down
	up
	toZero
)

// Go rounds to nearest and offers nothing else. The functions below do the operation so, find on which side of the
// exact result that is, and step to the neighbour where the mode wants the other side. The side is a sign bit, which is
// added: on random numbers a branch would be a wrong guess every other time.
//
// Neighbours of the same sign are neighbours as integers, too; that of the largest number is infinity.

// add returns x + y, rounded down, up or to zero as mode says. The result is finite when rounded to nearest.
func add(x, y float64, mode uint) float64 {
	// What rounding lost is a number itself. Source: D. E. Knuth, The Art of Computer Programming, volume 2, section
	// 4.2.2, theorem B.
	s := x + y
	part := s - x
	lost := (x - (s - part)) + (y - part)
	b := math.Float64bits(s)
	if s == 0 {
		// Nothing was lost. Rounding down, a zero is negative unless both terms are positive zeros.
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

// mul returns x · y, rounded as mode says, for positive x and y of which one may be infinite. Neither these nor the
// result, when it is exact, have less than 106 places above the smallest number, so that what is lost is a number.
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

// div returns x / y, rounded as mode says, for numbers as mul's, y being finite.
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

// sqrt returns the root of x, rounded as mode says, for positive x, which may be infinite.
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

// next returns v, or its upper neighbour if v is below the exact result, that is if distance, v minus that result, is
// negative. A distance of zero is +0: that is what a sum without remainder is, rounded to nearest.
func next(v, distance float64) float64 {
	return math.Float64frombits(math.Float64bits(v) + math.Float64bits(distance)>>63)
}

// previous returns v, or its lower neighbour if v is above the exact result, which is distance more.
func previous(v, distance float64) float64 {
	return math.Float64frombits(math.Float64bits(v) - math.Float64bits(distance)>>63)
}

// overflow returns what a product or quotient is that has no finite nearest number: the largest number, if x is finite
// and rounding is down.
func overflow(x float64, mode uint) float64 {
	if mode == up || math.IsInf(x, 1) {
		return math.Inf(1)
	}
	return math.MaxFloat64
}
