// Package secp256k1 has the two operations on secret keys of the curve secp256k1 that BIP 32 needs: PublicKey and Add.
// Their time does not depend on the secrets. It has no signatures and no operations on points of others.
//
// Source: SEC 2, section 2.4.1, for the curve y² = x³ + 7 and its constants.
package secp256k1

// Size of keys in bytes.
const (
	SecretSize = 32 // from the highest byte
	PublicSize = 33 // compressed
)

// order is n, the order of the generator.
var order = element{0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, 0xffffffffffffffff}

// point is a point of the curve in projective coordinates: x = X/Z and y = Y/Z. Infinity is (0, 1, 0).
type point struct{ x, y, z element }

var generator = point{
	element{0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac},
	element{0x9c47d08ffb10d4b8, 0xfd17b448a6855419, 0x5da4fbfc0e1108a8, 0x483ada7726a3c465},
	one,
}

// Valid reports whether secret is a secret key: from 1 to n − 1.
func Valid(secret *[SecretSize]byte) bool {
	k := elementOf(secret)
	_, below := k.minus(&order)
	return below == 1 && k[0]|k[1]|k[2]|k[3] != 0
}

// Add returns (a + b) modulo n, for a and b below n.
func Add(a, b *[SecretSize]byte) [SecretSize]byte {
	// a − (n − b) is the sum less n; if that is negative, n is added back.
	x, y := elementOf(a), elementOf(b)
	rest, _ := order.minus(&y)
	d, negative := x.minus(&rest)
	back := element{}
	back.choose(&order, &back, negative)
	minus, _ := new(element).minus(&back)
	d, _ = d.minus(&minus)
	return d.bytes()
}

// PublicKey returns the compressed public key of a secret key. It panics unless Valid(secret).
func PublicKey(secret *[SecretSize]byte) (public [PublicSize]byte) {
	if !Valid(secret) {
		panic("secp256k1: not a secret key")
	}
	k := elementOf(secret)
	sum, next := point{y: one}, point{}
	for i := 255; i >= 0; i-- {
		sum.add(&sum, &sum)
		next.add(&sum, &generator)
		sum.choose(&next, &sum, k[i/64]>>(i%64)&1)
	}
	var inverse, x, y element
	inverse.invert(&sum.z)
	x.multiply(&sum.x, &inverse)
	y.multiply(&sum.y, &inverse)
	odd := y.bytes()[31] & 1
	encoded := x.bytes()
	public[0] = 2 + odd
	copy(public[1:], encoded[:])
	return public
}

func (p *point) choose(a, b *point, which uint64) {
	p.x.choose(&a.x, &b.x, which)
	p.y.choose(&a.y, &b.y, which)
	p.z.choose(&a.z, &b.z, which)
}

// add sets p = a + b. It has no special cases: equal points and infinity are right too.
// Source: Renes, Costello, Batina, "Complete addition formulas for prime order elliptic curves", section 3, for a = 0.
func (p *point) add(a, b *point) {
	var xx, yy, zz, xy, xz, yz element // the products of the coordinates; mixed ones are sums of both
	xx.multiply(&a.x, &b.x)
	yy.multiply(&a.y, &b.y)
	zz.multiply(&a.z, &b.z)
	xy.crossed(&a.x, &a.y, &b.x, &b.y)
	xz.crossed(&a.x, &a.z, &b.x, &b.z)
	yz.crossed(&a.y, &a.z, &b.y, &b.z)

	const b3 = 3 * 7
	zz.multiply(&zz, &element{b3})
	xx.multiply(&xx, &element{3})
	xz.multiply(&xz, &element{b3})
	var plus, minus, t element
	plus.add(&yy, &zz)
	minus.subtract(&yy, &zz)

	// X = xy·(yy − 21·zz) − 21·xz·yz
	t.multiply(&xz, &yz)
	p.x.multiply(&xy, &minus)
	p.x.subtract(&p.x, &t)
	// Y = (yy + 21·zz)·(yy − 21·zz) + 3·xx·21·xz
	t.multiply(&xx, &xz)
	p.y.multiply(&plus, &minus)
	p.y.add(&p.y, &t)
	// Z = yz·(yy + 21·zz) + 3·xx·xy
	t.multiply(&xx, &xy)
	p.z.multiply(&yz, &plus)
	p.z.add(&p.z, &t)
}

// crossed sets e = a1·b2 + a2·b1.
func (e *element) crossed(a1, a2, b1, b2 *element) {
	var t element
	t.multiply(a2, b1)
	e.multiply(a1, b2)
	e.add(e, &t)
}
