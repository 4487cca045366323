package edwards

import "filippo.io/edwards25519/field"

// Exchanger computes many exchanges on Curve25519 with one secret. It converts keys to Ed25519, uses a Deriver with all
// that makes it fast, and converts the results back. It reuses its memory, so that a call allocates nothing. Goroutines
// need an Exchanger each, see Clone.
type Exchanger struct {
	deriver *Deriver // with an eighth of the secret, because derivations are multiplied by eight
	keys    [batch][32]byte
	results [batch]Derivation
}

// NewExchanger returns an Exchanger for a secret, such as a view key.
func NewExchanger(secret *Scalar) *Exchanger {
	part := NewScalar().Multiply(secret, eighth())
	defer Wipe(part)
	return &Exchanger{deriver: NewDeriver(part)}
}

// eighth returns 1/8. It is not a variable, so that programs without exchanges do not compute it when they start.
func eighth() *Scalar { return NewScalar().Invert(ScalarFromUint64(8)) }

// Clone returns an Exchanger with the same secret, for another goroutine.
func (e *Exchanger) Clone() *Exchanger { return &Exchanger{deriver: e.deriver.Clone()} }

// Exchange sets out[i] to X25519 of the secret and the u-coordinate us[i], if that belongs to a point of the
// prime-order subgroup. If the point has a component of small order, out[i] is without that of the product, and for a
// point of the twist it is zero. Its time depends on the keys, which are public, and on the digits of the secret, like
// Deriver's. The slices must have the same length.
func (e *Exchanger) Exchange(out, us [][32]byte) {
	if len(out) != len(us) {
		panic("edwards: numbers of results and keys differ")
	}
	for len(us) > 0 {
		n := min(len(us), batch)
		keys, results := e.keys[:n], e.results[:n]
		secretArithmetic{}.edwardsKeys(keys, us[:n])
		e.deriver.Derive(results, keys)
		secretArithmetic{}.montgomeryKeys(out[:n], results)
		out, us = out[n:], us[n:]
	}
}

// DecodeMontgomery returns the point whose x is even and whose Montgomery is u. It returns ErrPoint if u is not the
// canonical u-coordinate of a point of Curve25519. Its time depends on u. Source: RFC 7748, section 4.1.
func DecodeMontgomery(u [32]byte) (*Point, error) {
	var key [1][32]byte
	secretArithmetic{}.edwardsKeys(key[:], [][32]byte{u})
	p, err := DecodePoint(key[0])
	if err != nil || p.Montgomery() != u {
		return nil, ErrPoint
	}
	return p, nil
}

// notPoint encodes no point: its y is 2^255 − 1.
var notPoint = [32]byte{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f,
}

func (own) edwardsKeys(out, us [][32]byte) {
	var f fractions
	for i := range us {
		var u element
		u.setBytes(&us[i])
		sumDifference(&f.under[i], &f.over[i], &u, &elementOne) // y = (u − 1)/(u + 1)
	}
	f.divide(len(us))
	for i := range us {
		if out[i] = notPoint; f.valid[i] {
			out[i] = f.over[i].bytes()
		}
	}
}

func (own) montgomeryKeys(out [][32]byte, derivations []Derivation) {
	var f fractions
	for i := range derivations {
		var y element
		y.setBytes((*[32]byte)(&derivations[i]))
		sumDifference(&f.over[i], &f.under[i], &elementOne, &y) // u = (1 + y)/(1 − y)
	}
	f.divide(len(derivations))
	for i := range derivations {
		if out[i] = ([32]byte{}); f.valid[i] && derivations[i] != (Derivation{}) {
			out[i] = f.over[i].bytes()
		}
	}
}

// fractions are divisions that share an inversion.
type fractions struct {
	over, under, before [batch]element
	valid               [batch]bool // whether under is not zero
}

// divide sets the first n of over to the quotients, if they are valid. Source: as for encodeEnds.
func (f *fractions) divide(n int) {
	acc := elementOne
	for i := range n {
		if f.valid[i] = !f.under[i].isZero(); f.valid[i] {
			f.before[i] = acc
			acc.multiply(&acc, &f.under[i])
		}
	}
	acc.invert(&acc)
	for i := n - 1; i >= 0; i-- {
		if !f.valid[i] {
			continue
		}
		var inverse element
		inverse.multiply(&acc, &f.before[i])
		acc.multiply(&acc, &f.under[i])
		f.over[i].multiply(&f.over[i], &inverse)
	}
}

func (library) edwardsKeys(out, us [][32]byte) {
	for i := range us {
		var u, over, under field.Element
		if _, err := u.SetBytes(us[i][:]); err != nil {
			panic("unreachable: 32 bytes are a field element")
		}
		over.Subtract(&u, feOne)
		under.Add(&u, feOne)
		if out[i] = notPoint; under.Equal(new(field.Element)) == 0 {
			out[i] = [32]byte(over.Multiply(&over, under.Invert(&under)).Bytes())
		}
	}
}

func (library) montgomeryKeys(out [][32]byte, derivations []Derivation) {
	for i := range derivations {
		var y, over, under field.Element
		if _, err := y.SetBytes(derivations[i][:]); err != nil {
			panic("unreachable: 32 bytes are a field element")
		}
		over.Add(feOne, &y)
		under.Subtract(feOne, &y)
		if out[i] = ([32]byte{}); derivations[i] != (Derivation{}) {
			out[i] = [32]byte(over.Multiply(&over, under.Invert(&under)).Bytes())
		}
	}
}
