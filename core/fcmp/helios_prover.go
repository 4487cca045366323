package fcmp

import (
	"crypto/subtle"
	"io"

	"glim/core/crypto/ecdivisors"
	"glim/core/crypto/helioselene"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// heliosWitness is what a prover knows on Helios. It is secret.
type heliosWitness struct {
	layout      *curveLayout
	numbers     []helioselene.Element    // of all vector commitments
	small       []bool                   // which numbers are coefficients of logarithms
	blinds      []helioselene.Element    // of each vector commitment
	given       [][2]helioselene.Element // rows: coordinates of hashes of the other curve
	commitments []helioselene.Helios     // public
}

// newHeliosWitness returns a witness without numbers, with random blinds.
func newHeliosWitness(rand io.Reader, l *curveLayout) (w *heliosWitness, err error) {
	n := 0
	for _, size := range l.sizes {
		n += size
	}
	w = &heliosWitness{
		layout: l, numbers: make([]helioselene.Element, n), small: make([]bool, n),
		blinds: make([]helioselene.Element, len(l.sizes)), commitments: make([]helioselene.Helios, len(l.sizes)),
	}
	for i := range w.blinds {
		if w.blinds[i], err = randomHelios(rand); err != nil {
			w.wipe()
			return nil, err
		}
	}
	return w, nil
}

func (w *heliosWitness) wipe() {
	clear(w.numbers)
	clear(w.blinds)
	clear(w.given)
}

// vector returns the numbers of a vector commitment, which begin at an index.
func (w *heliosWitness) vector(i, first int) []helioselene.Element {
	return w.numbers[first:][:w.layout.sizes[i]:w.layout.sizes[i]]
}

// branch returns the numbers of a branch.
func (w *heliosWitness) branch(i int) []helioselene.Element { return w.vector(i, w.layout.branches[i]) }

// hashBranch commits to a branch and returns its hash, which is the commitment without the blind plus a constant.
func (w *heliosWitness) hashBranch(i int) *helioselene.Helios {
	numbers := gbp.HeliosVector{Numbers: w.branch(i)}
	plain := numbers.Commit()
	blind := new(helioselene.Helios).ScalarMult(&w.blinds[i], gbp.HeliosBlind())
	w.commitments[i].Add(&plain, blind)
	return plain.Add(&plain, heliosInit())
}

// minusBlind returns the encoding of the negative blind of a branch, which a claim on the other curve is about.
func (w *heliosWitness) minusBlind(i int) [size]byte {
	var minus helioselene.Element
	return minus.Negate(&w.blinds[i]).Bytes()
}

// commit commits to the numbers that follow the branches.
func (w *heliosWitness) commit() {
	first := w.layout.words
	for i := len(w.layout.branches); i < len(w.blinds); i++ {
		v := gbp.HeliosVector{Numbers: w.vector(i, first), Blind: w.blinds[i]}
		v.Small = w.small[first:][:len(v.Numbers)]
		w.commitments[i] = v.Commit()
		first += len(v.Numbers)
	}
}

// prove writes the argument.
func (w *heliosWitness) prove(rand io.Reader, t *gbp.Transcript, build func(*gbp.HeliosCircuit) error) error {
	witness := gbp.HeliosWitness{Given: w.given}
	defer witness.Wipe()
	first := 0
	for i := range w.blinds {
		v := gbp.HeliosVector{Numbers: w.vector(i, first), Blind: w.blinds[i]}
		witness.Vectors = append(witness.Vectors, v)
		first += len(v.Numbers)
	}
	return witness.Prove(rand, t, w.layout.rows, build)
}

// claim sets the numbers of a claim: a multiple and its logarithm.
func (w *heliosWitness) claim(c claim, l ecdivisors.Logarithm, m *ecdivisors.HeliosMultiple) {
	coefficients := l.Helios()
	defer clear(coefficients)
	copy(w.numbers[c.coefficients:], coefficients)
	for i := range coefficients {
		w.small[c.coefficients+i] = true
	}
	copy(w.numbers[c.divisor:], m.Divisor)
	w.numbers[c.xIndex()], w.numbers[c.yIndex()] = m.X, m.Y
}

// claimOf decomposes a scalar, and sets the numbers of its claim.
func (w *heliosWitness) claimOf(
	c claim, group *ecdivisors.Group, scalar [size]byte, generator *ecdivisors.HeliosGenerator,
) error {
	l, err := group.Decompose(&scalar)
	clear(scalar[:])
	if err != nil {
		return err
	}
	defer clear(l)
	m, err := generator.Multiple(l)
	if err != nil {
		return err
	}
	defer m.Wipe()
	w.claim(c, l, m)
	return nil
}

// heliosOpening is a prover's part of the proof of the root's blind.
type heliosOpening struct {
	nonce helioselene.Element
	point [size]byte
}

func newHeliosOpening(rand io.Reader) (o *heliosOpening, err error) {
	o = new(heliosOpening)
	if o.nonce, err = randomHelios(rand); err != nil {
		return nil, err
	}
	o.point = new(helioselene.Helios).ScalarMult(&o.nonce, gbp.HeliosBlind()).Encode()
	return o, nil
}

// answer returns the proof for the blind, and forgets the nonce.
func (o *heliosOpening) answer(t *gbp.Transcript, blind *helioselene.Element) ([]byte, error) {
	challenge, err := t.HeliosChallenge()
	if err != nil {
		return nil, err
	}
	var s helioselene.Element
	s.Multiply(&challenge, blind)
	b := s.Add(&s, &o.nonce).Bytes()
	o.nonce = helioselene.Element{}
	return append(o.point[:], b[:]...), nil
}

// multiples returns the generator with doublings d, on a curve.
func (d heliosDoublings) multiples(curve *heliosWeierstrass) *ecdivisors.HeliosGenerator {
	x, y := make([]helioselene.Element, len(d)), make([]helioselene.Element, len(d))
	for i := range d {
		x[i], y[i] = d[i].x, d[i].y
	}
	return ecdivisors.NewHeliosGenerator(&curve.a, x, y)
}

// containsHelios reports whether a list contains a number, in a time that depends on the length of the list only.
func containsHelios(list []helioselene.Element, e *helioselene.Element) bool {
	found, want := 0, e.Bytes()
	for i := range list {
		b := list[i].Bytes()
		found |= subtle.ConstantTimeCompare(b[:], want[:])
	}
	return found == 1
}

// randomHelios returns a uniform scalar of Helios, made of 64 bytes of rand.
func randomHelios(rand io.Reader) (e helioselene.Element, err error) {
	var b [64]byte
	defer clear(b[:])
	if _, err := io.ReadFull(rand, b[:]); err != nil {
		return e, err
	}
	return *e.SetWide(&b), nil
}
