package edwards

import "bytes"

// element is an integer modulo p = 2^255 − 19, for the fast code of Deriver, SpendKeys and sums. It is words or limbs,
// whichever is faster on the architecture. Both have these rules:
//
//   - products and squares are reduced;
//   - the operands of a sum are reduced;
//   - the subtrahend of a difference is reduced, and the minuend is arbitrary; with subtractSum the subtrahend may
//     also be a sum of two reduced elements, or a difference with a reduced minuend;
//   - factors are reduced elements, or sums and differences of them as in the formulas of this package.
//
// No operation branches on values.

var (
	elementOne  = element{1}
	elementHalf = elementOf(append(append([]byte{0xf7}, bytes.Repeat([]byte{0xff}, 30)...), 0x3f)) // (p + 1)/2
	elementD    = elementOf(feD.Bytes())                                                           // d of the curve
	elementD2   = elementOf(fe2d.Bytes())                                                          // 2d
	elementI    = elementOf(feRoot.Bytes())                                                        // √−1
)

func elementOf(b []byte) (v element) {
	v.setBytes((*[32]byte)(b))
	return v
}

// isZero reports whether v = 0.
func (v *element) isZero() bool { return v.bytes() == [32]byte{} }

// equal reports whether v = a.
func (v *element) equal(a *element) bool { return v.bytes() == a.bytes() }

// isNegative returns the lowest bit of v modulo p, which is the sign bit of encodings.
func (v *element) isNegative() byte {
	b := v.bytes()
	return b[0] & 1
}

// squares sets v = a^(2^n), n positive.
func (v *element) squares(a *element, n int) {
	v.square(a)
	for range n - 1 {
		v.square(v)
	}
}

// power252 sets v = a^(2^252 − 3). The exponent is (p − 5)/8.
func (v *element) power252(a *element) {
	one := *a // the names are the number of ones in the binary exponent
	var five, ten, fifty, t, keep element
	t.square(&one)
	keep.multiply(&t, &one)
	t.squares(&keep, 2)
	t.multiply(&t, &keep)
	t.square(&t)
	five.multiply(&t, &one)
	t.squares(&five, 5)
	ten.multiply(&t, &five)
	t.squares(&ten, 10)
	keep.multiply(&t, &ten)
	t.squares(&keep, 20)
	t.multiply(&t, &keep)
	t.squares(&t, 10)
	fifty.multiply(&t, &ten)
	t.squares(&fifty, 50)
	keep.multiply(&t, &fifty)
	t.squares(&keep, 100)
	t.multiply(&t, &keep)
	t.squares(&t, 50)
	t.multiply(&t, &fifty)
	t.squares(&t, 2)
	v.multiply(&t, &one)
}

// invert sets v = 1/a, or 0 for 0.
func (v *element) invert(a *element) {
	// p − 2 = 8·(2^252 − 3) + 3
	var t, cube element
	t.power252(a)
	t.squares(&t, 3)
	cube.square(a)
	cube.multiply(&cube, a)
	v.multiply(&t, &cube)
}
