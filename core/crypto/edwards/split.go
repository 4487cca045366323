package edwards

// Split is a point with what shortens sums that have to wait for one another, in which it has one scalar after the other: where there are
// vectors, 2^64, 2^128 and 2^192 times the point, so that the quarters of a scalar are multiplied side by side, with a quarter of
// the doublings.
type Split struct {
	point *Point
	parts []projective // none where they would not help
}

// NewSplits prepares points. Making parts takes about half of a multiplication for each.
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

// Shorter reports whether p has what shortens sums.
func (p *Split) Shorter() bool { return MaySplit && p.parts != nil }

// AddSplit adds scalar times p to the sum that is being written.
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

// part is where a task has a part of a Split in place of a point.
type part struct {
	which int
	place *projective
}

// VarTimeBaseMults returns scalars[i]·G, in time that depends on them, from the table of SpendKeys.
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

// fill makes points of parts, for those who need points.
func (s *Sums) fill() {
	if !MaySplit {
		return
	}
	for _, p := range s.parts {
		s.Points[p.which] = p.place.toPoint(new(Point))
	}
	s.parts = nil
}
