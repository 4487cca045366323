package edwards

import "sync"

// Payment is an output together with a derivation that may belong to it.
type Payment struct {
	Derivation Derivation
	Index      uint64   // index of the output in its transaction
	Output     [32]byte // public key of the output
	SpendKey   [32]byte // set by SpendKeys
	Valid      bool     // set by SpendKeys: whether Output is a point; if not, SpendKey is all zeros
}

// SpendKeys sets SpendKey and Valid of every payment. SpendKey is Output − Hs(Derivation ‖ Index)·G, as in
// Derivation.SpendKey: the key that the output is paid to if the derivation belongs to it. SpendKeys shares inversions
// and uses a table of multiples of G. Its time depends on the payments. It allocates only the table of 384 KiB, and
// 645 KiB more for vector instructions.
func SpendKeys(payments []Payment) {
	secretArithmetic{}.spendKeys(payments)
}

// spendKeys sets ends, and Valid of the payments, one by one.
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

// AddBaseMults sets out[i] to the encoding of p + scalars[i]·G, with the table of SpendKeys. Its time depends on the
// scalars, unless Audited is set. The slices must have the same length. It returns ErrPoint if p is not a point.
func AddBaseMults(out [][32]byte, p [32]byte, scalars []Scalar) error {
	if len(out) != len(scalars) {
		panic("edwards: numbers of results and scalars differ")
	}
	return secretArithmetic{}.addBaseMults(out, p, scalars)
}

// baseTable has j·256^i·G at [i][j−1]. With signed digits to the base 256 a multiplication is 32 additions.
type baseTable [32][128]affineMultiple

// addBaseMult sets v = v + s·G, or v = v − s·G if negative, in time that depends on s. T must be set.
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

// signedDigits sets digits to those of s to the base 256, from −127 to 128.
func signedDigits(digits *[32]int, s *Scalar) {
	carry := 0
	for i, b := range s.Bytes() {
		digits[i] = int(b) + carry
		carry = 0
		if digits[i] > 128 {
			digits[i], carry = digits[i]-256, 1 // never in the last digit, because scalars are below 2^253
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
		encodeEnds(row[:]) // also divides x and y by z
		for j := range row {
			table[i][j].set(&row[j].x, &row[j].y)
		}
		p.double(true)
		power = p // 2·128·256^i
	}
	return table
})
