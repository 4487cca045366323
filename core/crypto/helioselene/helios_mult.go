package helioselene

// ScalarMult sets v = s·p and returns v.
func (v *Helios) ScalarMult(s *Element, p *Helios) *Helios {
	return v.MultiScalarMult([]Element{*s}, []Helios{*p})
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
		digitsOf32(&digits[i], s.Bytes())
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

// absolute sets v to s or to −s, whichever is below the half of the modulus, and returns 1 if it is −s.
func (v *Element) absolute(s *Element) int {
	// 2·s is odd, after subtracting the odd modulus, exactly if s is above the half.
	var double, minus Element
	negative := int(double.Add(s, s).IsOdd())
	v.Select(minus.Negate(s), s, negative)
	return negative
}

// heliosTable holds a point multiplied by 1 to 16.
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

// choose sets v to the point multiplied by digit, from −16 to 16. It reads the whole table.
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
