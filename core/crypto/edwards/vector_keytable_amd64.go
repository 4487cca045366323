//go:build !purego

package edwards

// wideRow is a row of a KeyTable in the form for vectors: the limbs of (y+x)/2, (y−x)/2 and dxy, each of all entries.
type wideRow [15][tableEntries]uint64

// wideRows are the rows of a KeyTable for the processor's vector instructions.
type wideRows struct {
	unit *vectorUnit // nil if there are none
	rows []wideRow
}

func (w *wideRows) set(t *KeyTable) {
	if len(vectorUnits) > 0 {
		w.setOf(&vectorUnits[len(vectorUnits)-1], t)
	}
}

func (w *wideRows) setOf(unit *vectorUnit, t *KeyTable) {
	n := t.rows()
	if w.unit = unit; cap(w.rows) < n {
		w.rows = make([]wideRow, n)
	}
	w.rows = w.rows[:n]
	for i := range w.rows {
		for j := range tableEntries {
			var e wideEntry
			e.set(unit, &t.row(i)[j])
			for limb := range w.rows[i] {
				w.rows[i][limb][j] = e[limb]
			}
		}
	}
}

// wideTableWork is the working memory of KeyTable.Derive for vectors: points of several groups, which take the entries
// of one row after the other, so that this row stays in the fastest cache.
type wideTableWork struct {
	points  [keysAtOnce / 8]vectorPoint
	chosen  vectorAffine
	scratch vectorScratch
}

func (w *wideTableWork) wipe() { *w = wideTableWork{} }

// deriveWide sets the ends of the groups with vector instructions. It returns false if the processor has none.
func (w *tableWork) deriveWide(t *KeyTable, groups []viewGroup) bool {
	u := t.wide.unit
	if u == nil {
		return false
	}
	v := &w.wide
	var neutral vectorPoint
	for lane := range 8 {
		u.set(&neutral.y, lane, &elementOne)
		u.set(&neutral.z, lane, &elementOne)
	}
	points := v.points[:len(groups)]
	for g := range points {
		points[g] = neutral
	}
	for pass := t.passes - 1; pass >= 0; pass-- {
		if pass < t.passes-1 {
			for g := range points {
				u.double(&points[g], &v.scratch, tableWindow, 1)
			}
		}
		for i := range t.wide.rows {
			needT := 1
			if pass == 0 && i == len(t.wide.rows)-1 {
				needT = 0
			}
			for g := range points {
				u.pick(&v.chosen, &t.wide.rows[i], &groups[g][i*t.passes+pass])
				u.affine(&points[g], &v.scratch, &v.chosen, needT)
			}
		}
	}
	for g := range points {
		p := &points[g]
		for lane := range 8 {
			e := &w.ends[8*g+lane]
			e.x, e.y, e.z = u.get(&p.x, lane), u.get(&p.y, lane), u.get(&p.z, lane)
		}
	}
	return true
}
