package helioselene

// VarTimeMultiScalarMult sets v to the sum of all scalars[i]·points[i] and returns v, in time that depends on scalars
// and points. It panics if their numbers differ.
func (v *Helios) VarTimeMultiScalarMult(scalars []Element, points []Helios) *Helios {
	if len(scalars) != len(points) {
		panic("helioselene: numbers of scalars and points differ")
	}
	digits := make([][size]byte, 0, len(scalars))
	used := make([]heliosJacobian, 0, len(points)) // without terms that are the identity
	for i := range scalars {
		b := scalars[i].Bytes()
		if zeros(&b) == 1 || points[i].IsIdentity() {
			continue
		}
		digits = append(digits, b)
		used = append(used, heliosJacobian{})
		used[len(used)-1].set(&points[i])
	}
	var sum heliosJacobian
	switch width := pippengerWidth(len(used)); {
	case len(used) == 0:
		return v.Set(NewHelios())
	case width == 0:
		sum = heliosStraus(digits, used)
	default:
		sum = heliosPippenger(digits, heliosAffineOf(used), width)
	}
	sum.get(v)
	return v
}

// heliosAffineOf returns points without their z, which must not be 0, with one inversion.
func heliosAffineOf(points []heliosJacobian) []heliosAffine {
	inverses := make([]Element25519, len(points))
	for i := range points {
		inverses[i] = points[i].z
	}
	varTimeInvert25519(inverses, make([]Element25519, len(points)))
	out := make([]heliosAffine, len(points))
	var square Element25519
	for i := range points {
		square.Square(&inverses[i])
		out[i].x.Multiply(&points[i].x, &square)
		square.Multiply(&square, &inverses[i])
		out[i].y.Multiply(&points[i].y, &square)
	}
	return out
}

// heliosStraus returns a sum of multiples, whose terms share the doublings.
func heliosStraus(scalars [][size]byte, points []heliosJacobian) heliosJacobian {
	const width = 5
	return heliosTableSum(scalars, heliosOdd(points, width), width)
}

// heliosOdd returns the multiples P, 3·P, 5·P, … (2^(width−1) − 1)·P of each point, which must not be the identity.
func heliosOdd(points []heliosJacobian, width int) []heliosAffine {
	each := 1 << (width - 2)
	odd := make([]heliosJacobian, 0, each*len(points))
	for i := range points {
		var double heliosJacobian
		double.double(&points[i])
		odd = append(odd, points[i])
		for range each - 1 {
			var next heliosJacobian
			next.varTimeAdd(&odd[len(odd)-1], &double)
			odd = append(odd, next)
		}
	}
	return heliosAffineOf(odd)
}

// heliosTableSum returns a sum of multiples of the points whose odd multiples are in table.
func heliosTableSum(scalars [][size]byte, table []heliosAffine, width int) (sum heliosJacobian) {
	each := 1 << (width - 2)
	digits := make([][257]int8, len(scalars))
	top := 0
	for i := range digits {
		top = max(top, nonAdjacentForm(&digits[i], scalars[i], width))
	}
	var minus heliosAffine
	for at := top - 1; at >= 0; at-- {
		sum.double(&sum)
		for i := range digits {
			switch d := int(digits[i][at]); {
			case d > 0:
				sum.varTimeAddAffine(&sum, &table[i*each+d/2])
			case d < 0:
				minus.negate(&table[i*each-d/2])
				sum.varTimeAddAffine(&sum, &minus)
			}
		}
	}
	return sum
}

// heliosPippenger returns a sum of multiples. For every digit of the scalars, it adds the points with the same value of
// that digit, which are a bucket, and the sums times their values.
func heliosPippenger(scalars [][size]byte, points []heliosAffine, width int) (sum heliosJacobian) {
	rows := digitRows(scalars, width)
	group := min(max(pippengerEntries/len(points), 1), len(rows)) // digits at once
	b := newHeliosBuckets(group, width, len(points))
	for end := len(rows); end > 0; end -= group {
		begin := max(end-group, 0)
		b.fill(rows[begin:end], points)
		b.add()
		for at := end - 1; at >= begin; at-- {
			if at != len(rows)-1 {
				for range width {
					sum.double(&sum)
				}
			}
			digit := b.weighted(at - begin)
			sum.varTimeAdd(&sum, &digit)
		}
	}
	return sum
}

// heliosBuckets are the buckets of several digits. Those of digit i begin at i·each; the bucket of value n ≥ 1 is at
// n − 1.
type heliosBuckets struct {
	each        int
	begin       []int          // where the points of a bucket begin
	size        []int          // how many there are
	points      []heliosAffine // of all buckets, one after the other
	denominator []Element25519 // of additions
	before      []Element25519 // for inversions
	kind        []pairKind
}

func newHeliosBuckets(digits, width, points int) *heliosBuckets {
	each := 1 << (width - 1)
	pairs := digits * points / 2
	return &heliosBuckets{
		each:  each,
		begin: make([]int, digits*each), size: make([]int, digits*each), points: make([]heliosAffine, digits*points),
		denominator: make([]Element25519, pairs), before: make([]Element25519, pairs), kind: make([]pairKind, pairs),
	}
}

// fill sorts points into the buckets of digits, negated for negative digits.
func (b *heliosBuckets) fill(rows [][]int16, points []heliosAffine) {
	clear(b.size)
	for at, row := range rows {
		sizes := b.size[at*b.each:][:b.each]
		for _, d := range row {
			if d != 0 {
				sizes[max(d, -d)-1]++
			}
		}
	}
	next := 0
	for i, n := range b.size {
		b.begin[i] = next
		next += n
	}
	clear(b.size)
	for at, row := range rows {
		for i, d := range row {
			if d == 0 {
				continue
			}
			bucket := at*b.each + int(max(d, -d)) - 1
			to := &b.points[b.begin[bucket]+b.size[bucket]]
			b.size[bucket]++
			if d > 0 {
				*to = points[i]
			} else {
				to.negate(&points[i])
			}
		}
	}
}

// add replaces the points of every bucket by their sum, or by nothing if it is the identity. Each round adds pairs of
// neighbours; the slopes of all of them need one inversion.
func (b *heliosBuckets) add() {
	for {
		pairs := 0
		for i, n := range b.size {
			list := b.points[b.begin[i]:][:n]
			for j := 0; j+1 < n; j += 2 {
				b.kind[pairs] = list[j].denominator(&b.denominator[pairs], &list[j+1])
				pairs++
			}
		}
		if pairs == 0 {
			return
		}
		varTimeInvert25519(b.denominator[:pairs], b.before[:pairs])
		pairs = 0
		for i, n := range b.size {
			list := b.points[b.begin[i]:][:n]
			kept := 0
			for j := 0; j+1 < n; j += 2 {
				if kind := b.kind[pairs]; kind != pairOpposite {
					list[kept].addPair(&list[j], &list[j+1], &b.denominator[pairs], kind)
					kept++
				}
				pairs++
			}
			if n%2 == 1 {
				list[kept] = list[n-1]
				kept++
			}
			b.size[i] = kept
		}
	}
}

// weighted returns the sum of the buckets of a digit, each times its value.
func (b *heliosBuckets) weighted(digit int) (sum heliosJacobian) {
	var running heliosJacobian // the sum of the buckets of this value and above
	for i := (digit+1)*b.each - 1; i >= digit*b.each; i-- {
		if b.size[i] == 1 {
			running.varTimeAddAffine(&running, &b.points[b.begin[i]])
		}
		sum.varTimeAdd(&sum, &running)
	}
	return sum
}

// denominator sets d to the denominator of the slope of the line through p and q, and returns which kind of pair they
// are.
func (p *heliosAffine) denominator(d *Element25519, q *heliosAffine) pairKind {
	d.Subtract(&q.x, &p.x)
	if !d.IsZero() {
		return pairDifferent
	}
	if p.y.Equal(&q.y) {
		d.Add(&p.y, &p.y) // no point has y = 0
		return pairEqual
	}
	d.SetUint64(1)
	return pairOpposite
}

// addPair sets v = p + q, which are not opposite, from the inverse of the denominator.
func (v *heliosAffine) addPair(p, q *heliosAffine, inverse *Element25519, kind pairKind) {
	var slope, x, t Element25519
	if kind == pairDifferent {
		slope.Subtract(&q.y, &p.y)
	} else {
		slope.Square(&p.x)
		t.SetUint64(1)
		slope.Subtract(&slope, &t)
		t.SetUint64(3)
		slope.Multiply(&slope, &t) // 3·x² − 3
	}
	slope.Multiply(&slope, inverse)
	x.Square(&slope)
	x.Subtract(&x, &p.x)
	x.Subtract(&x, &q.x)
	t.Subtract(&p.x, &x)
	t.Multiply(&t, &slope)
	v.y.Subtract(&t, &p.y)
	v.x = x
}
