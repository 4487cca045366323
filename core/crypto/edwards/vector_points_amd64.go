//go:build !purego

package edwards

// MaySplit reports whether NewSplits may prepare points for vector instructions. It does so if there are such
// instructions and no kernel of the host.
const MaySplit = true

func splitWide(splits []*Split) {
	if len(vectorUnits) == 0 || sumsKernel != nil {
		return
	}
	w := summers.Get().(*summer)
	for len(splits) > 0 {
		n := min(8, len(splits))
		w.split(splits[:n])
		splits = splits[n:]
	}
	summers.Put(w)
}

// split computes the parts of at most eight points.
func (w *summer) split(splits []*Split) {
	w.point = vectorPoint{y: w.one, z: w.one}
	for lane, s := range splits {
		var p projective
		p.fromPoint(s.point)
		w.setLane(&w.point, lane, &p)
		s.parts = make([]projective, 0, 3)
	}
	for range 3 {
		w.unit.double(&w.point, &w.scratch, 64, 1)
		for lane, s := range splits {
			s.parts = append(s.parts, w.lane(lane))
		}
	}
}

// baseMultsWide sets out[i] to scalars[i]·G, or returns false.
func baseMultsWide(out []*Point, scalars []*Scalar) bool {
	if len(vectorUnits) == 0 || len(scalars) < worthVectors {
		return false
	}
	w := summers.Get().(*summer)
	table := w.unit.base()
	for len(scalars) > 0 {
		n := min(8, len(scalars))
		var digits [8][32]int
		for lane, s := range scalars[:n] {
			signedDigits(&digits[lane], NewScalar().Negate(s))
		}
		w.point = vectorPoint{y: w.one, z: w.one}
		w.subtractBase(&digits, table)
		for lane := range n {
			p := w.lane(lane)
			out[lane] = p.toPoint(new(Point))
		}
		out, scalars = out[n:], scalars[n:]
	}
	summers.Put(w)
	return true
}

// decodeWide decodes b and reports in valid whether all are points. done is false if there are no vector instructions.
func decodeWide(out []*Point, b [][32]byte) (valid, done bool) {
	if len(vectorUnits) == 0 || len(b) < worthVectors {
		return false, false
	}
	w := summers.Get().(*summer)
	defer summers.Put(w)
	return w.decodeAll(out, b), true
}

func (w *summer) decodeAll(out []*Point, b [][32]byte) bool {
	for len(b) > 0 {
		n := min(8, len(b))
		var ends [8]end
		w.decode(ends[:n], b[:n])
		for lane := range n {
			if !ends[lane].valid {
				return false
			}
			p := w.lane(lane)
			out[lane] = p.toPoint(new(Point))
		}
		out, b = out[n:], b[n:]
	}
	return true
}

// rootsWide sets the roots of maps, or returns false if there are no vector instructions.
func rootsWide(maps []mapping) bool {
	if len(vectorUnits) == 0 || len(maps) < worthVectors {
		return false
	}
	w := summers.Get().(*summer)
	w.roots(maps)
	summers.Put(w)
	return true
}

func (w *summer) roots(maps []mapping) {
	for len(maps) > 0 {
		n := min(8, len(maps))
		for lane := range n {
			w.unit.set(&w.temp[0], lane, &maps[lane].over)
			w.unit.set(&w.temp[1], lane, &maps[lane].under)
		}
		w.wide.almostRoot()
		for lane := range n {
			maps[lane].root = w.unit.get(&w.temp[3], lane)
		}
		maps = maps[n:]
	}
}
