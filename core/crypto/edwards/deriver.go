package edwards

// Deriver computes many derivations with one view key. It reuses its memory, so that a call allocates nothing.
// Goroutines need a Deriver each, see Clone.
//
// It is faster than Derive because it decomposes the view key once, keeps points in the coordinates that the next step
// needs, and shares an inversion among up to 256 results. With AVX2 and FMA, or AVX-512, it computes eight derivations
// side by side, unless the build tag purego is set.
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
	// lanes is how many keys are processed together. Their doublings are independent, which keeps the processor's
	// multiplier busy, and their tables should fit into the L1 cache.
	lanes = 8
	// batch is how many results share an inversion.
	batch = 256

	naf       = 5              // width of the view key's non-adjacent form
	multiples = 1 << (naf - 2) // odd multiples of a point that its digits name
)

// step is a number of doublings, followed by the addition of multiple digit, unless that is 0.
type step struct {
	doublings int
	digit     int8
}

// lane is the state of one key.
type lane struct {
	point projective
	odd   [multiples]multiple // P, 3P, 5P, …
	out   int                 // index of the key
}

// NewDeriver returns a Deriver for a view key.
func NewDeriver(view *Scalar) *Deriver { return secretArithmetic{}.newDeriver(view) }

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

// Program returns what a Kernel needs of the view key. The first byte is the index of the odd multiple to start with.
// Each following pair of bytes is a number of doublings, at least one, and the odd multiple that is added after them:
// an int8, negative to subtract, zero to add nothing. It is nil if the view key is zero, or if Audited is set. The
// program is as secret as the view key, and must not be modified.
func (d *Deriver) Program() []byte { return d.program }

// Clone returns a Deriver with the same view key, for another goroutine.
func (d *Deriver) Clone() *Deriver {
	return secretArithmetic{}.cloneDeriver(d)
}

// Derive sets out[i] = 8·view·keys[i]. If keys[i] is not a point, out[i] is all zeros, which no derivation is. Its
// time depends on the keys, which are public, and on the digits of the view key. The slices must have the same length.
func (d *Deriver) Derive(out []Derivation, keys [][32]byte) {
	if len(out) != len(keys) {
		panic("edwards: numbers of derivations and keys differ")
	}
	secretArithmetic{}.derive(d, out, keys)
}

// some derives at most batch keys, with the host's kernel, with vector instructions, or in portable code.
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

// run computes the results of all lanes.
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
			l.point.double(s.digit != 0) // only additions need T
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

// start fills the lane's table and sets its point to the odd multiple with index first.
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

// add adds the multiple digit, which is odd and may be negative.
func (l *lane) add(digit int8) {
	if digit > 0 {
		m := &l.odd[digit/2]
		l.point.add(&m.plus, &m.minus, &m.t2d, &m.z2, false, false)
	} else {
		m := &l.odd[-digit/2]
		l.point.add(&m.minus, &m.plus, &m.t2d, &m.z2, true, false)
	}
}
