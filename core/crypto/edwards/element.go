package edwards

import (
	"bytes"

	"glim/core/internal/crypto/field25519"
)

// element is an integer modulo p = 2^255 − 19, for the fast code of Deriver, SpendKeys and sums. Package field25519
// does the arithmetic and documents which elements are reduced. The methods here are inlined.
type element field25519.Element

// field returns v as that package knows it.
func (v *element) field() *field25519.Element { return (*field25519.Element)(v) }

func (v *element) setBytes(b *[32]byte)      { v.field().SetBytes(b) }
func (v *element) bytes() [32]byte           { return v.field().Bytes() }
func (v *element) add(a, b *element)         { v.field().Add(a.field(), b.field()) }
func (v *element) subtract(a, b *element)    { v.field().Subtract(a.field(), b.field()) }
func (v *element) subtractSum(a, b *element) { v.field().SubtractSum(a.field(), b.field()) }
func (v *element) multiply(a, b *element)    { v.field().Multiply(a.field(), b.field()) }
func (v *element) square(a *element)         { v.field().Square(a.field()) }
func (v *element) squares(a *element, n int) { v.field().Squares(a.field(), n) }
func (v *element) power252(a *element)       { v.field().Power252(a.field()) }
func (v *element) invert(a *element)         { v.field().Invert(a.field()) }
func (v *element) isZero() bool              { return v.field().IsZero() }
func (v *element) equal(a *element) bool     { return v.field().Equal(a.field()) }
func (v *element) isNegative() byte          { return v.field().IsOdd() }

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
