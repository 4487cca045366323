package edwards

// Deriver computes many derivations with one view key. It owns the memory it works in, so that a call allocates
// nothing; goroutines that derive at the same time need one each, which Clone gives.
//
// What makes it faster than Derive: the view key is taken apart once, points are kept in whichever coordinates the next
// step wants, and the inversions of up to 256 results are shared; and processors with AVX2 and FMA, or AVX-512, take eight keys
// side by side, which the build tag purego leaves out.
type Deriver struct {
	program []byte // what Program returns
	first   int8   // index of the odd multiple to start with; −1 when the view key is zero
	steps   []step // what to do from there, the cofactor's doublings included
	lanes   [lanes]lane
	ends    [batch]end
	wide    *wide  // nil where there are no vectors
	view    Scalar // for library alone, which uses nothing else of all this
}

const (
	// lanes is how many keys take each step together. Their doublings are independent of each other, which keeps the
	// processor's multiplier busy; their tables should fit into its first cache.
	lanes = 8
	// batch is how many results share an inversion.
	batch = 256

	naf       = 5              // width of the view key's non-adjacent form
	multiples = 1 << (naf - 2) // odd multiples of a point that its digits name
)

// step is some doublings, then, if digit is not 0, the addition of that multiple.
type step struct {
	doublings int
	digit     int8
}

// lane is one key on its way.
type lane struct {
	point projective
	odd   [multiples]multiple // P, 3P, 5P, …
	out   int                 // index of the key
}

// NewDeriver prepares view for Derive.
func NewDeriver(view *Scalar) *Deriver { return door{}.newDeriver(view) }

func newOwnDeriver(view *Scalar) *Deriver {
	var digits [257]int8
	nonAdjacentForm(digits[:], 1, view, naf)
	d := &Deriver{first: -1, wide: newWide()}
	doublings := 0
	for bit := len(digits) - 1; bit >= 0; bit-- {
		doublings++
		switch digit := digits[bit]; {
		case digit == 0:
		case d.first < 0:
			// The first digit is positive, since the scalar is.
			d.first, doublings = digit/2, 0
		default:
			d.steps = append(d.steps, step{doublings, digit})
			doublings = 0
		}
	}
	d.steps = append(d.steps, step{doublings + 3, 0})
	if d.first >= 0 {
		d.program = []byte{byte(d.first)}
		for _, s := range d.steps {
			d.program = append(d.program, byte(s.doublings), byte(s.digit)) // 252 and 3 doublings at most
		}
	}
	return d
}

// Program returns what a Kernel needs to know of the view key: the index of the odd multiple to start with, then pairs of bytes: how
// many doublings come next, at least one, and which odd multiple is added after them, an int8, negative to subtract it and zero for
// none. Nil when the view key is zero, or when Audited. It is as secret as the view key, and must not be changed.
func (d *Deriver) Program() []byte { return d.program }

// Clone returns a Deriver of the same view key, for another goroutine.
func (d *Deriver) Clone() *Deriver {
	return door{}.cloneDeriver(d)
}

// Derive sets out[i] = 8·view·keys[i]; where keys[i] is no point, out[i] is all zeros, which no derivation is. Time
// depends on the keys, which are public, and on the view key's digits. The slices must be of one length.
func (d *Deriver) Derive(out []Derivation, keys [][32]byte) {
	if len(out) != len(keys) {
		panic("edwards: as many derivations as keys")
	}
	door{}.derive(d, out, keys)
}

// some derives at most batch keys: in the host's kernel if it has one, else with vectors if the processor has them.
func (d *Deriver) some(out []Derivation, keys [][32]byte) {
	switch {
	case kernel != nil && d.program != nil && len(keys) > 0 && kernel(out, keys, d.program):
	case d.deriveWide(out, keys):
	default:
		d.derive(out, keys)
	}
}

func (d *Deriver) derive(out []Derivation, keys [][32]byte) {
	ready := 0
	for i := range keys {
		l := &d.lanes[ready]
		d.ends[i].valid = l.point.decode(&keys[i])
		if d.ends[i].valid {
			l.out = i
			ready++
		}
		if ready == lanes {
			d.run(d.lanes[:])
			ready = 0
		}
	}
	d.run(d.lanes[:ready])
	encodeEnds(d.ends[:len(keys)])
	for i := range out {
		out[i] = d.ends[i].encoded
	}
}

// run takes every lane from its point to its end.
func (d *Deriver) run(group []lane) {
	for i := range group {
		group[i].start(d.first)
	}
	for _, s := range d.steps {
		for range s.doublings - 1 {
			for i := range group {
				group[i].point.double(false)
			}
		}
		for i := range group {
			l := &group[i]
			l.point.double(s.digit != 0) // an addition follows: it needs T
			if s.digit != 0 {
				l.add(s.digit)
			}
		}
	}
	for i := range group {
		l := &group[i]
		d.ends[l.out].set(&l.point)
	}
}

// start fills the table of the lane's point and moves to the odd multiple of index first.
func (l *lane) start(first int8) {
	if first < 0 {
		l.point = projective{y: elementOne, z: elementOne}
		for i := range l.odd {
			l.odd[i] = multiple{}
		}
		return
	}
	p := l.point
	var twice multiple
	double := p
	double.double(true)
	twice.set(&double)
	for i := range l.odd {
		l.odd[i].set(&p)
		if int8(i) == first {
			l.point = p
		}
		if i < len(l.odd)-1 {
			p.add(&twice.plus, &twice.minus, &twice.t2d, &twice.z2, false, true)
		}
	}
}

// add adds the multiple digit, odd and of either sign.
func (l *lane) add(digit int8) {
	if digit > 0 {
		m := &l.odd[digit/2]
		l.point.add(&m.plus, &m.minus, &m.t2d, &m.z2, false, false)
	} else {
		m := &l.odd[-digit/2]
		l.point.add(&m.minus, &m.plus, &m.t2d, &m.z2, true, false)
	}
}
