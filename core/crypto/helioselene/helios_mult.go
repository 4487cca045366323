package helioselene

// ScalarMult sets v = s·p and returns v.
func (v *Helios) ScalarMult(s *Element, p *Helios) *Helios {
	var half Element
	var digits [secretDigits]int8
	negative := half.absolute(s)
	digitsOf16(&digits, half.Bytes())
	var table [1 << (secretWidth - 1)]heliosJacobian // p, 2·p, 3·p, …
	table[0].set(p)
	for i := 1; i < len(table); i++ {
		if i%2 == 1 {
			table[i].double(&table[i/2])
		} else {
			table[i].add(&table[i-1], &table[0])
		}
	}
	// The sum is multiplied by 16 before each addition and remains below the half of the order. So it is no table's
	// entry nor the negative of one, unless it or the entry is the identity.
	var sum, next, multiple heliosJacobian
	empty := 1 // as long as all digits were 0
	for at := secretDigits - 1; at >= 0; at-- {
		if at != secretDigits-1 {
			for range secretWidth {
				sum.double(&sum)
			}
		}
		digit := digits[at]
		sign := digit >> 7 // 0 or −1
		value := uint32((digit ^ sign) - sign)
		for i := range table {
			multiple.choose(&table[i], equalUint32(value, uint32(i+1)))
		}
		var minus Element25519
		minus.Negate(&multiple.y)
		multiple.y.Select(&minus, &multiple.y, int(sign&1))
		zero := equalUint32(value, 0)
		next.add(&sum, &multiple)
		next.choose(&multiple, empty)
		sum.choose(&next, 1-zero)
		empty &= zero
	}
	sum.get(v)
	var minus Element25519
	minus.Negate(&v.y)
	v.y.Select(&minus, &v.y, negative)
	clear(digits[:])
	clear(table[:])
	return v
}

// MultiScalarMult sets v to the sum of all scalars[i]·points[i] and returns v. The time depends on their number only.
// It panics if the numbers of scalars and points differ.
func (v *Helios) MultiScalarMult(scalars []Element, points []Helios) *Helios {
	if len(scalars) != len(points) {
		panic("helioselene: numbers of scalars and points differ")
	}
	tables := make([]heliosTable, len(points))
	digits := make([][secretDigits]int8, len(points))
	for i := range points {
		var s Element
		var p Helios
		negative := s.absolute(&scalars[i])
		tables[i].set(p.Select(p.Negate(&points[i]), &points[i], negative))
		digitsOf16(&digits[i], s.Bytes())
	}
	sum := *NewHelios()
	var fast heliosJacobian
	var multiple Helios
	for at := secretDigits - 1; at >= 0; at-- {
		if at != secretDigits-1 {
			fast.set(&sum)
			for range secretWidth {
				fast.double(&fast)
			}
			fast.get(&sum)
		}
		for i := range tables {
			tables[i].choose(&multiple, digits[i][at])
			sum.Add(&sum, &multiple)
		}
	}
	clear(tables)
	clear(digits)
	return v.Set(&sum)
}

// GeneratorMult sets v to the sum of all scalars[i]·points[i] and returns v. It takes less time than MultiScalarMult,
// but the points must be independent: nobody may know factors, other than zeros, for which such a sum is the identity.
// The first scalars, as many as small says, are below 256, which takes still less time. The time depends on the
// numbers of all scalars and of small ones only. It panics if the numbers of scalars and points differ, or a point is
// the identity.
func (v *Helios) GeneratorMult(scalars []Element, points []Helios, small int) *Helios {
	if len(scalars) != len(points) {
		panic("helioselene: numbers of scalars and points differ")
	}
	tables := heliosMultiples(points)
	digits := make([][secretDigits]int8, len(scalars))
	negative := make([]int, len(scalars))
	for i := range scalars {
		var s Element
		negative[i] = s.absolute(&scalars[i])
		digitsOf16(&digits[i], s.Bytes())
	}
	// The sum is multiplied by 16 before multiples of the points are added. So its factor of a point is 0, or neither
	// that of a table's entry nor the negative of one, and the sum is no entry unless it or the entry is the identity.
	var sum, next heliosJacobian
	var multiple heliosAffine
	empty := 1 // as long as all digits were 0
	for at := secretDigits - 1; at >= 0; at-- {
		if at != secretDigits-1 {
			for range secretWidth {
				sum.double(&sum)
			}
		}
		first := 0
		if at >= smallDigits {
			first = small
		}
		for i := first; i < len(digits); i++ {
			zero := tables[i].choose(&multiple, digits[i][at], negative[i])
			next.addAffine(&sum, &multiple)
			next.chooseAffine(&multiple, empty)
			sum.choose(&next, 1-zero)
			empty &= zero
		}
	}
	clear(digits)
	clear(negative)
	return sum.get(v)
}

// heliosAffineTable holds a point, which is not the identity, multiplied by 1 to 8.
type heliosAffineTable [1 << (secretWidth - 1)]heliosAffine

// heliosMultiples returns the tables of points.
func heliosMultiples(points []Helios) []heliosAffineTable {
	const each = len(heliosAffineTable{})
	list := make([]heliosJacobian, each*len(points))
	for i := range points {
		if points[i].IsIdentity() {
			panic("helioselene: the identity is no generator")
		}
		table := list[i*each:][:each]
		table[0].set(&points[i])
		for j := 1; j < each; j++ {
			if j%2 == 1 {
				table[j].double(&table[j/2])
			} else {
				table[j].add(&table[j-1], &table[0])
			}
		}
	}
	affine := heliosAffineOf(list)
	tables := make([]heliosAffineTable, len(points))
	for i := range tables {
		tables[i] = heliosAffineTable(affine[i*each:])
	}
	return tables
}

// choose sets v to the point multiplied by digit, from −8 to 8, or by minus that if negative is 1, and returns 0. If
// the digit is 0 it returns 1, and v is any point. It reads the whole table.
func (t *heliosAffineTable) choose(v *heliosAffine, digit int8, negative int) (zero int) {
	sign := digit >> 7 // 0 or −1
	size := uint32((digit ^ sign) - sign)
	*v = t[0]
	for i := 1; i < len(t); i++ {
		here := equalUint32(size, uint32(i+1))
		v.x.Select(&t[i].x, &v.x, here)
		v.y.Select(&t[i].y, &v.y, here)
	}
	var minus Element25519
	minus.Negate(&v.y)
	v.y.Select(&minus, &v.y, int(sign&1)^negative)
	return equalUint32(size, 0)
}

// absolute sets v to s or to −s, whichever is below the half of the modulus, and returns 1 if it is −s.
func (v *Element) absolute(s *Element) int {
	// 2·s is odd, after subtracting the odd modulus, exactly if s is above the half.
	var double, minus Element
	negative := int(double.Add(s, s).IsOdd())
	v.Select(minus.Negate(s), s, negative)
	return negative
}

// heliosTable holds a point multiplied by 1 to 8.
type heliosTable [1 << (secretWidth - 1)]Helios

func (t *heliosTable) set(p *Helios) {
	t[0] = *p
	for i := 1; i < len(t); i++ {
		if i%2 == 1 {
			t[i].Double(&t[i/2])
		} else {
			t[i].Add(&t[i-1], p)
		}
	}
}

// choose sets v to the point multiplied by digit, from −8 to 8. It reads the whole table.
func (t *heliosTable) choose(v *Helios, digit int8) {
	*v = *NewHelios()
	sign := digit >> 7 // 0 or −1
	size := uint32((digit ^ sign) - sign)
	for i := range t {
		v.Select(&t[i], v, equalUint32(size, uint32(i+1)))
	}
	var minus Element25519
	minus.Negate(&v.y)
	v.y.Select(&minus, &v.y, int(sign&1))
}
