package helioselene

import "encoding/binary"

// SetBytes sets v to the integer with the 32 bytes b, little-endian. If it is not below the modulus, SetBytes returns
// an error and does not change v.
func (v *Element) SetBytes(b [size]byte) error {
	var r residue
	r.SetBytes(&b)
	if got := r.Bytes(); got != b {
		return errElement
	}
	v.v = r
	return nil
}

// SetWide sets v to the integer with the 64 bytes b, little-endian, modulo q, and returns v. From uniform bytes it
// makes a uniform element.
func (v *Element) SetWide(b *[wide]byte) *Element {
	var sum, part Element
	for end := wide; end > 0; {
		begin := max((end-1)/31*31, 0)
		var digits [size]byte
		copy(digits[:], b[begin:end])
		part.v.SetBytes(&digits)
		sum.Multiply(&sum, &element248)
		sum.Add(&sum, &part)
		end = begin
	}
	*v = sum
	return v
}

// SetUint64 sets v = n and returns v.
func (v *Element) SetUint64(n uint64) *Element {
	var b [size]byte
	binary.LittleEndian.PutUint64(b[:], n)
	v.v.SetBytes(&b)
	return v
}

// Bytes returns the 32 bytes of v, little-endian, below the modulus.
func (v *Element) Bytes() [size]byte { return v.v.Bytes() }

// Add sets v = a + b and returns v.
func (v *Element) Add(a, b *Element) *Element {
	v.v.Sum(&a.v, &b.v)
	return v
}

// Subtract sets v = a − b and returns v.
func (v *Element) Subtract(a, b *Element) *Element {
	v.v.Difference(&a.v, &b.v)
	return v
}

// Negate sets v = −a and returns v.
func (v *Element) Negate(a *Element) *Element {
	var zero residue
	v.v.Difference(&zero, &a.v)
	return v
}

// Multiply sets v = a·b and returns v.
func (v *Element) Multiply(a, b *Element) *Element {
	v.v.Multiply(&a.v, &b.v)
	return v
}

// Square sets v = a² and returns v.
func (v *Element) Square(a *Element) *Element {
	v.v.Square(&a.v)
	return v
}

// Select sets v to a if condition is 1, and to b if it is 0, and returns v.
func (v *Element) Select(a, b *Element, condition int) *Element {
	mask := -uint64(condition & 1)
	for i := range v.v {
		v.v[i] = b.v[i] ^ (a.v[i]^b.v[i])&mask
	}
	return v
}

// Equal reports whether v = a.
func (v *Element) Equal(a *Element) bool { return v.equal(a) == 1 }

// IsZero reports whether v = 0.
func (v *Element) IsZero() bool { return v.isZero() == 1 }

// IsOdd returns the lowest bit of v.Bytes().
func (v *Element) IsOdd() byte {
	b := v.v.Bytes()
	return b[0] & 1
}

// equal returns 1 if v = a, and 0 otherwise.
func (v *Element) equal(a *Element) int {
	var d Element
	d.v.Difference(&v.v, &a.v)
	return d.isZero()
}

// isZero returns 1 if v = 0, and 0 otherwise.
func (v *Element) isZero() int {
	b := v.v.Bytes()
	return zeros(&b)
}

// InvertElements sets every element of list to its inverse, and 0 to 0, with one inversion and three multiplications
// for each.
func InvertElements(list []Element) {
	before := make([]Element, len(list)) // products of those before
	var product, one, t Element
	one.SetUint64(1)
	product = one
	for i := range list {
		before[i] = product
		t.Select(&one, &list[i], list[i].isZero())
		product.Multiply(&product, &t)
	}
	product.Invert(&product)
	for i := len(list) - 1; i >= 0; i-- {
		zero := list[i].isZero()
		t.Select(&one, &list[i], zero)
		before[i].Multiply(&before[i], &product)
		product.Multiply(&product, &t)
		list[i].Select(&Element{}, &before[i], zero)
	}
}

// varTimeInvert sets every element of list, which must not contain 0, to its inverse. before must be as long.
func varTimeInvert(list, before []Element) {
	var product Element
	product.SetUint64(1)
	for i := range list {
		before[i] = product
		product.Multiply(&product, &list[i])
	}
	product.Invert(&product)
	var t Element
	for i := len(list) - 1; i >= 0; i-- {
		t = list[i]
		list[i].Multiply(&before[i], &product)
		product.Multiply(&product, &t)
	}
}
