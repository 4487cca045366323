package decoy

import (
	"encoding/binary"
	"io"
	"math"
	"math/bits"
)

// source draws numbers from a stream of random bytes. After an error all draws return valid but meaningless numbers.
type source struct {
	r   io.Reader
	err error
}

func (s *source) word() uint64 {
	var b [8]byte
	if s.err == nil {
		_, s.err = io.ReadFull(s.r, b[:])
	}
	if s.err != nil {
		return math.MaxUint64 >> 1 // a value that every loop below accepts
	}
	return binary.LittleEndian.Uint64(b[:])
}

// below draws a uniform number in [0, n). n is positive.
// Source: Daniel Lemire, "Fast Random Integer Generation in an Interval", algorithm 5.
func (s *source) below(n uint64) uint64 {
	hi, lo := bits.Mul64(s.word(), n)
	for lo < n && lo < -n%n && s.err == nil {
		hi, lo = bits.Mul64(s.word(), n)
	}
	return hi
}

// unit draws a number in (0, 1), an odd multiple of 2^-53.
func (s *source) unit() float64 { return (float64(s.word()>>12) + 0.5) / (1 << 52) }

// normal draws from the standard normal distribution with Marsaglia's polar method, and discards the second number.
func (s *source) normal() float64 {
	for {
		u, v := 2*s.unit()-1, 2*s.unit()-1
		if q := u*u + v*v; q < 1 && q > 0 || s.err != nil {
			return u * math.Sqrt(-2*math.Log(q)/q)
		}
	}
}

// gamma draws from the gamma distribution with a shape of at least 1.
// Source: Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables", ACM TOMS 26 (2000), 363–372.
func (s *source) gamma(shape, scale float64) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := s.normal()
		v := 1 + c*x
		if v <= 0 && s.err == nil {
			continue
		}
		v = v * v * v
		if math.Log(s.unit()) < x*x/2+d-d*v+d*math.Log(v) || s.err != nil {
			return d * v * scale
		}
	}
}
