// Package field25519 implements arithmetic modulo p = 2^255 − 19, the field of Ed25519's coordinates.
//
// Element is Words or Limbs, whichever is faster on the architecture. Both have these rules:
//
//   - products and squares are reduced, and so are results of Sum and Difference with reduced operands;
//   - the operands of Add are reduced;
//   - the subtrahend of Subtract is reduced, and the minuend is arbitrary; with SubtractSum the subtrahend may also be
//     a sum of two reduced elements, or a difference with a reduced minuend;
//   - factors are reduced elements, or sums and differences of a few of them, whose sizes Limbs limits.
//
// Code that uses only Sum and Difference needs none of these rules. No operation branches on values.
package field25519

// IsZero reports whether v = 0.
func (v *Element) IsZero() bool { return v.Bytes() == [32]byte{} }

// Equal reports whether v = a.
func (v *Element) Equal(a *Element) bool { return v.Bytes() == a.Bytes() }

// IsOdd returns the lowest bit of v modulo p, which is the sign bit of encodings.
func (v *Element) IsOdd() byte {
	b := v.Bytes()
	return b[0] & 1
}

// Squares sets v = a^(2^n), n positive.
func (v *Element) Squares(a *Element, n int) {
	v.Square(a)
	for range n - 1 {
		v.Square(v)
	}
}

// Power252 sets v = a^(2^252 − 3). The exponent is (p − 5)/8.
func (v *Element) Power252(a *Element) {
	one := *a // the names are the number of ones in the binary exponent
	var five, ten, fifty, t, keep Element
	t.Square(&one)
	keep.Multiply(&t, &one)
	t.Squares(&keep, 2)
	t.Multiply(&t, &keep)
	t.Square(&t)
	five.Multiply(&t, &one)
	t.Squares(&five, 5)
	ten.Multiply(&t, &five)
	t.Squares(&ten, 10)
	keep.Multiply(&t, &ten)
	t.Squares(&keep, 20)
	t.Multiply(&t, &keep)
	t.Squares(&t, 10)
	fifty.Multiply(&t, &ten)
	t.Squares(&fifty, 50)
	keep.Multiply(&t, &fifty)
	t.Squares(&keep, 100)
	t.Multiply(&t, &keep)
	t.Squares(&t, 50)
	t.Multiply(&t, &fifty)
	t.Squares(&t, 2)
	v.Multiply(&t, &one)
}

// Invert sets v = 1/a, or 0 for 0.
func (v *Element) Invert(a *Element) {
	// p − 2 = 8·(2^252 − 3) + 3
	var t, cube Element
	t.Power252(a)
	t.Squares(&t, 3)
	cube.Square(a)
	cube.Multiply(&cube, a)
	v.Multiply(&t, &cube)
}
