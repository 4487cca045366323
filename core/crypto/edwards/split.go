package edwards

// Split is a point that is prepared for sums which depend on one another and so cannot be computed side by side. With
// vector instructions it also has 2^64, 2^128 and 2^192 times the point. The four quarters of a scalar are then
// multiplied side by side, with a quarter of the doublings.
type Split struct {
	point *Point
	parts []projective // none where they would not help
}

// NewSplits prepares points. With vector instructions this takes about half as long as a multiplication of each.
func NewSplits(points []*Point) []*Split {
	out := make([]*Split, len(points))
	for i, p := range points {
		out[i] = &Split{point: p}
	}
	if MaySplit {
		splitWide(out)
	}
	return out
}

// Shorter reports whether p has multiples for vector instructions.
func (p *Split) Shorter() bool { return MaySplit && p.parts != nil }

// AddSplit adds the term scalar times p to the current sum.
func (s *Sums) AddSplit(scalar *Scalar, p *Split) {
	if !MaySplit || p.parts == nil {
		s.Add(scalar, s.Point(p.point))
		return
	}
	b := EncodeScalar(scalar)
	for i := range 4 {
		var quarter [32]byte
		copy(quarter[:], b[8*i:8*i+8])
		s.Scalars = append(s.Scalars, quarter)
		s.Which = append(s.Which, len(s.Points))
		if i == 0 {
			s.Points = append(s.Points, p.point)
		} else {
			s.parts = append(s.parts, part{len(s.Points), &p.parts[i-1]})
			s.Points = append(s.Points, nil)
		}
	}
}

// part is a multiple of a Split that takes the place of a point in Sums.Points.
type part struct {
	which int
	place *projective
}

// VarTimeBaseMults returns all scalars[i]·G, with the table of SpendKeys, in time that depends on the scalars.
func VarTimeBaseMults(scalars []*Scalar) []*Point {
	out := make([]*Point, len(scalars))
	if baseMultsWide(out, scalars) {
		return out
	}
	table := generatorMultiples()
	for i, s := range scalars {
		q := projective{y: elementOne, z: elementOne}
		q.addBaseMult(s, false, table)
		out[i] = q.toPoint(new(Point))
	}
	return out
}

// fill sets the entries of Points that are nil.
func (s *Sums) fill() {
	if !MaySplit {
		return
	}
	for _, p := range s.parts {
		s.Points[p.which] = p.place.toPoint(new(Point))
	}
	s.parts = nil
}
