package edwards

import "sync"

// Payment is an output that some derivation may explain.
type Payment struct {
	Derivation Derivation
	Index      uint64   // of the output in its transaction
	Output     [32]byte // its public key
	SpendKey   [32]byte // what SpendKeys finds
	Valid      bool     // whether Output is a point; otherwise SpendKey is all zeros
}

// SpendKeys sets SpendKey and Valid of every payment: Output − Hs(Derivation ‖ Index)·G, which is the spend key that
// the output was paid to if it was the wallet's. The same as Derivation.SpendKey, but the inversions are shared and the
// multiples of G come from a table. Time depends on the payments. Nothing is allocated, after the table of 384 KiB, with
// vectors another of 645 KiB.
func SpendKeys(payments []Payment) {
	door{}.spendKeys(payments)
}

// spendKeys sets the ends and Valid of payments, one after the other.
func spendKeys(payments []Payment, ends []end) {
	table := generatorMultiples()
	for i := range payments {
		p := &payments[i]
		var q projective
		p.Valid = q.decode(&p.Output)
		ends[i].valid = p.Valid
		if p.Valid {
			h := p.Derivation.hash(p.Index)
			var s Scalar
			reduce(&s, &h)
			q.addBaseMult(&s, true, table)
			ends[i].set(&q)
		}
	}
}

// AddBaseMults sets out[i] to the encoding of p + scalars[i]·G, from the table of SpendKeys. Time depends on the scalars, unless
// Audited. The slices must be of one length. ErrPoint when p is not a point.
func AddBaseMults(out [][32]byte, p [32]byte, scalars []Scalar) error {
	if len(out) != len(scalars) {
		panic("edwards: as many encodings as scalars")
	}
	return door{}.addBaseMults(out, p, scalars)
}

// baseTable has j·256^i·G at [i][j−1]. With signed digits to the base 256 a multiplication is 32 additions.
type baseTable [32][128]affineMultiple

// addBaseMult sets v = v + s·G, or v − s·G if negative, in time that depends on s. T must be there.
func (v *projective) addBaseMult(s *Scalar, negative bool, table *baseTable) {
	var digits [32]int
	signedDigits(&digits, s)
	for i, digit := range digits {
		if negative {
			digit = -digit
		}
		if digit > 0 {
			m := &table[i][digit-1]
			v.addAffine(&m.plus, &m.minus, &m.td, false, true)
		} else if digit < 0 {
			m := &table[i][-digit-1]
			v.addAffine(&m.minus, &m.plus, &m.td, true, true)
		}
	}
}

// signedDigits sets the digits of s to the base 256, between −127 and 128.
func signedDigits(digits *[32]int, s *Scalar) {
	carry := 0
	for i, b := range s.Bytes() {
		digits[i] = int(b) + carry
		carry = 0
		if digits[i] > 128 {
			digits[i], carry = digits[i]-256, 1 // not in the last place: scalars are below 2^253
		}
	}
}

var generatorMultiples = sync.OnceValue(func() *baseTable {
	table := new(baseTable)
	var power projective // 256^i·G
	base := Base().Encode()
	if !power.decode(&base) {
		panic("unreachable: G is a point")
	}
	var row [128]end
	for i := range table {
		var step multiple
		step.set(&power)
		p := power
		for j := range row {
			row[j].set(&p)
			row[j].valid = true
			if j < len(row)-1 {
				p.add(&step.plus, &step.minus, &step.t2d, &step.z2, false, true)
			}
		}
		encodeEnds(row[:]) // leaves x and y divided by z
		for j := range row {
			table[i][j].set(&row[j].x, &row[j].y)
		}
		p.double(true)
		power = p // 2·128·256^i
	}
	return table
})
