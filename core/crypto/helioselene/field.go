package helioselene

import (
	"crypto/subtle"
	"encoding/binary"
	"errors"

	"glim/core/internal/crypto/field25519"
)

// residue and residue25519 are the representations of elements. All operations of residue accept every value; those of
// residue25519 accept every result of Sum, Difference, Multiply, Square and SetBytes.
type (
	residue      = words
	residue25519 = field25519.Element
)

// Element is an integer modulo q = 2^255 − 11686397589588510723982429389243424941 (hexadecimal 7fff ffff ffff ffff ffff
// ffff ffff ffff f735 481d 1969 f317 f985 0b68 df11 df53): a coordinate of Selene and a scalar of Helios. The zero
// value is 0. Values have several representations: compare with Equal. Results may be stored in operands.
type Element struct{ v residue }

// Element25519 is an integer modulo p = 2^255 − 19: a coordinate of Helios or Ed25519 and a scalar of Selene. It has
// the methods of Element.
type Element25519 struct{ v residue25519 }

// Sizes of encodings and of input for SetWide, in bytes.
const (
	size = 32
	wide = 64
)

var (
	errElement      = errors.New("helioselene: number is not below the field's modulus")
	element248      = Element{residueOf(power248)}           // 2^248 modulo q
	power248Of25519 = Element25519{residue25519Of(power248)} // 2^248 modulo p
	rootOfMinus1    = Element25519{residue25519Of([size]byte{
		0xb0, 0xa0, 0x0e, 0x4a, 0x27, 0x1b, 0xee, 0xc4, 0x78, 0xe4, 0x2f, 0xad, 0x06, 0x18, 0x43, 0x2f,
		0xa7, 0xd7, 0xfb, 0x3d, 0x99, 0x00, 0x4d, 0x2b, 0x0b, 0xdf, 0xc1, 0x4f, 0x80, 0x24, 0x83, 0x2b,
	})} // √−1 modulo p, RFC 8032
	power248 = [size]byte{31: 1}
)

func residueOf(b [size]byte) (v residue) {
	v.SetBytes(&b)
	return v
}

func residue25519Of(b [size]byte) (v residue25519) {
	v.SetBytes(&b)
	return v
}

// zeros returns 1 if b is all zeros, and 0 otherwise.
func zeros(b *[size]byte) int {
	w := binary.LittleEndian.Uint64(b[0:]) | binary.LittleEndian.Uint64(b[8:]) |
		binary.LittleEndian.Uint64(b[16:]) | binary.LittleEndian.Uint64(b[24:])
	return subtle.ConstantTimeEq(int32(w>>32|w&(1<<32-1)), 0)
}

// Invert sets v = 1/a, or 0 for 0, and returns v.
func (v *Element25519) Invert(a *Element25519) *Element25519 {
	v.v.Invert(&a.v)
	return v
}

// Sqrt sets v to the even square root of a and returns true; if a is not a square, v is 0 and Sqrt returns false.
func (v *Element25519) Sqrt(a *Element25519) bool {
	// p = 5 modulo 8: a^((p + 3)/8) is a root of a or of −a.
	var r, other, zero Element25519
	r.v.Power252(&a.v)
	r.Multiply(&r, a)
	other.Multiply(&r, &rootOfMinus1)
	var square Element25519
	square.Square(&r)
	r.Select(&r, &other, square.equal(a))
	square.Square(&r)
	ok := square.equal(a)
	other.Negate(&r)
	r.Select(&other, &r, int(r.IsOdd()))
	v.Select(&r, &zero, ok)
	return ok == 1
}

// Invert sets v = 1/a, or 0 for 0, and returns v.
func (v *Element) Invert(a *Element) *Element {
	v.power(a, q1&(1<<63-1), q0-2, 127) // q − 2
	return v
}

// Sqrt sets v to the even square root of a and returns true; if a is not a square, v is 0 and Sqrt returns false.
func (v *Element) Sqrt(a *Element) bool {
	// q = 3 modulo 4: a^((q + 1)/4) is a root of a or of −a.
	var r, other, zero Element
	r.power(a, q1>>2&(1<<61-1), (q0+1)>>2|q1<<62&(1<<64-1), 125)
	var square Element
	square.Square(&r)
	ok := square.equal(a)
	other.Negate(&r)
	r.Select(&other, &r, int(r.IsOdd()))
	v.Select(&r, &zero, ok)
	return ok == 1
}

// power sets v = a^e for an exponent e of 128 ones and then, in binary, n digits, which are those of high·2^64 + low.
// The time depends on the exponent only.
func (v *Element) power(a *Element, high, low uint64, n int) {
	const width = 5
	var odd [1 << (width - 1)]Element // a, a^3, a^5, …
	var t Element
	odd[0] = *a
	t.Square(a)
	for i := 1; i < len(odd); i++ {
		odd[i].Multiply(&odd[i-1], &t)
	}
	// a^(2^1 − 1), a^(2^2 − 1), a^(2^4 − 1), … a^(2^128 − 1)
	ones := *a
	for k := 1; k < 128; k *= 2 {
		t.squares(&ones, k)
		ones.Multiply(&t, &ones)
	}
	digit := func(i int) uint64 {
		if i >= 64 {
			return high >> (i - 64) & 1
		}
		return low >> i & 1
	}
	for i := n - 1; i >= 0; {
		if digit(i) == 0 {
			ones.Square(&ones)
			i--
			continue
		}
		// The window's value is odd, and it has at most width digits.
		last := max(i-width+1, 0)
		for digit(last) == 0 {
			last++
		}
		value := uint64(0)
		for j := i; j >= last; j-- {
			value = value<<1 | digit(j)
		}
		ones.squares(&ones, i-last+1)
		ones.Multiply(&ones, &odd[value>>1])
		i = last - 1
	}
	*v = ones
}

// squares sets v = a^(2^n), n positive.
func (v *Element) squares(a *Element, n int) {
	v.v.Square(&a.v)
	for range n - 1 {
		v.v.Square(&v.v)
	}
}
