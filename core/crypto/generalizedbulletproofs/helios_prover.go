package generalizedbulletproofs

import (
	"io"

	"glim/core/crypto/helioselene"
	"glim/core/internal/parallel"
)

// HeliosVector is what a vector commitment contains, and its blind. Both are secret. Small may be nil, and is not
// secret.
type HeliosVector struct {
	Numbers []helioselene.Element
	Small   []bool // which numbers are below 256, whatever the secrets are: Commit takes less time for them
	Blind   helioselene.Element
}

// Commit returns the commitment Σ Numbers[i]·G_i + Blind·H. The time depends on the number of Numbers and on Small
// only.
func (v *HeliosVector) Commit() helioselene.Helios {
	g, _ := heliosGenerators(len(v.Numbers))
	c := newHeliosTerms(1 + len(v.Numbers))
	defer c.wipe()
	for i, small := range v.Small {
		if small {
			c.add(&v.Numbers[i], &g[i])
		}
	}
	c.small = len(c.factors)
	for i := range v.Numbers {
		if v.Small == nil || !v.Small[i] {
			c.add(&v.Numbers[i], &g[i])
		}
	}
	c.add(&v.Blind, heliosBlind())
	return c.sum()
}

// HeliosWitness is what a prover of a circuit knows. All of it is secret.
type HeliosWitness struct {
	Vectors []HeliosVector           // of the vector commitments. Constraints count the Numbers through all vectors
	Given   [][2]helioselene.Element // left and right variables of HeliosCircuit.GivenRow, in the order of the rows
}

// String returns a placeholder, because secrets do not belong in logs.
func (HeliosVector) String() string { return "generalizedbulletproofs.HeliosVector(redacted)" }

// GoString returns a placeholder.
func (v HeliosVector) GoString() string { return v.String() }

// String returns a placeholder, because secrets do not belong in logs.
func (HeliosWitness) String() string { return "generalizedbulletproofs.HeliosWitness(redacted)" }

// GoString returns a placeholder.
func (w HeliosWitness) GoString() string { return w.String() }

// Wipe overwrites the witness with zeros.
func (w *HeliosWitness) Wipe() {
	for i := range w.Vectors {
		clear(w.Vectors[i].Numbers)
		w.Vectors[i].Blind = helioselene.Element{}
	}
	clear(w.Given)
}

// Prove writes the proof that follows the commitments of the vectors: the argument that BeginHelios and Finish read. It
// returns ErrWitness if the witness does not satisfy the circuit, and an error of rand or build. rows is a power of
// two; no vector may be longer. build adds the same constraints each time it is called. It is called twice, with the
// same challenges.
//
// rand yields the blinds and must be unpredictable. The time does not depend on the witness or the blinds.
// Source: arithmetic_circuit_proof.rs, prove.
func (w *HeliosWitness) Prove(
	rand io.Reader, t *Transcript, rows int, build func(*HeliosCircuit) error,
) error {
	p := &heliosProver{transcript: t, rand: rand, rows: rows, vectors: w.Vectors}
	defer p.wipe()
	if err := p.begin(w.Given, build); err != nil {
		return err
	}
	if err := p.answer(); err != nil {
		return err
	}
	return p.finish()
}

// heliosProver makes a proof.
type heliosProver struct {
	transcript *Transcript
	rand       io.Reader
	rows       int
	vectors    []HeliosVector
	secrets    [][]helioselene.Element // to wipe

	solver  *heliosSolver
	masks   []helioselene.Element // sL and sR
	blinds  []helioselene.Element // of A_I, A_O and S
	circuit *HeliosCircuit        // its weighted sums
	y       helioselene.Element
	inverse []helioselene.Element // powers of 1/y

	answers []helioselene.Element // τ, μ and t
	a, b    []helioselene.Element // values of l and r, whose product is t
}

// begin computes the rows, writes A_I, A_O and S, and sums the constraints.
func (p *heliosProver) begin(given [][2]helioselene.Element, build func(*HeliosCircuit) error) (err error) {
	n := 0
	for i := range p.vectors {
		if len(p.vectors[i].Numbers) > p.rows {
			panic("generalizedbulletproofs: a vector is longer than the circuit has rows")
		}
		n += len(p.vectors[i].Numbers)
	}
	committed := p.list(n)[:0]
	for i := range p.vectors {
		committed = append(committed, p.vectors[i].Numbers...)
	}
	s := newHeliosSolver(p.rows, committed, given)
	p.solver = s
	if err := s.solve(build); err != nil {
		return err
	}
	if p.masks, err = p.random(2 * p.rows); err != nil {
		return err
	}
	if p.blinds, err = p.random(3); err != nil {
		return err
	}
	p.transcript.writeHelios(
		commitHelios(s.left, s.right, &p.blinds[0]),
		commitHelios(s.output, nil, &p.blinds[1]),
		commitHelios(p.masks[:p.rows], p.masks[p.rows:], &p.blinds[2]),
	)
	if p.y, err = p.transcript.HeliosChallenge(); err != nil {
		return err
	}
	z, err := p.transcript.HeliosChallenge()
	if err != nil {
		return err
	}
	var inverse helioselene.Element
	p.inverse = heliosPowers(inverse.Invert(&p.y), p.rows)
	p.circuit = newHeliosCircuit(p.rows, n, &z)
	return build(p.circuit)
}

// list returns n secret zeros.
func (p *heliosProver) list(n int) []helioselene.Element {
	list := make([]helioselene.Element, n)
	p.secrets = append(p.secrets, list)
	return list
}

// random returns n uniform scalars.
func (p *heliosProver) random(n int) (list []helioselene.Element, err error) {
	list = p.list(n)
	for i := range list {
		if list[i], err = randomHelios(p.rand); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (p *heliosProver) wipe() {
	if p.solver != nil {
		p.solver.wipe()
	}
	for _, list := range p.secrets {
		clear(list)
	}
}

// heliosPolynomial has vectors as coefficients, by the power of the challenge x. Those that are 0 are nil, and zeros at
// the end of a vector are left out.
type heliosPolynomial [][]helioselene.Element

// polynomials returns l and r. The coefficient of x^n' of their product is what the constraints make of the witness.
func (p *heliosProver) polynomials(middle int) (l, r heliosPolynomial) {
	c, s, y := p.circuit, p.solver, heliosPowers(&p.y, p.rows)
	l, r = make(heliosPolynomial, middle+2), make(heliosPolynomial, middle+2)
	l[middle/2], l[middle], l[middle+1] = p.list(p.rows), s.output, p.masks[:p.rows]
	r[0], r[middle/2], r[middle+1] = p.list(p.rows), p.list(p.rows), p.list(p.rows)
	for i := range p.rows {
		e := &l[middle/2][i] // aL + w_R·y⁻ᵏ
		e.Multiply(&c.right[i], &p.inverse[i])
		e.Add(e, &s.left[i])
		e = &r[middle/2][i] // yᵏ·aR + w_L
		e.Multiply(&s.right[i], &y[i])
		e.Add(e, &c.left[i])
		r[0][i].Subtract(&c.output[i], &y[i])
		r[middle+1][i].Multiply(&p.masks[p.rows+i], &y[i])
	}
	begin := 0
	for j := range p.vectors {
		n := len(p.vectors[j].Numbers)
		l[middle-1-j], r[1+j] = p.vectors[j].Numbers, c.committed[begin:][:n]
		begin += n
	}
	return l, r
}

// answer writes the commitments to the product of the polynomials and computes the answers for the challenge x.
func (p *heliosProver) answer() error {
	middle := 2*len(p.vectors) + 2 // n'
	l, r := p.polynomials(middle)
	taus, err := p.commitPolynomial(l, r, middle)
	if err != nil {
		return err
	}
	challenge, err := p.transcript.HeliosChallenge()
	if err != nil {
		return err
	}
	x := heliosPowers(&challenge, len(taus))
	p.a, p.b = p.evaluate(l, x), p.evaluate(r, x)
	p.answers = p.list(3)
	p.answers[0] = innerHelios(taus, x)
	mu := &p.answers[1]
	*mu = innerHelios(p.blinds, []helioselene.Element{x[middle/2], x[middle], x[middle+1]})
	var product helioselene.Element
	for j := range p.vectors {
		mu.Add(mu, product.Multiply(&p.vectors[j].Blind, &x[middle-1-j]))
	}
	p.answers[2] = innerHelios(p.a, p.b)
	return nil
}

// finish writes the answers and the inner-product argument.
func (p *heliosProver) finish() error {
	for i := range p.answers {
		p.transcript.writeHeliosScalar(&p.answers[i])
	}
	w, err := p.transcript.HeliosChallenge()
	if err != nil {
		return err
	}
	return proveInnerHelios(p.transcript, p.a, p.b, p.inverse, &w)
}

// commitPolynomial writes commitments to the coefficients of ⟨l, r⟩ that a verifier needs, and returns their blinds
// by power of x. Coefficients below x^(n'/2) are 0, and the verifier knows that of x^n'.
func (p *heliosProver) commitPolynomial(
	l, r heliosPolynomial, middle int,
) (taus []helioselene.Element, err error) {
	taus = p.list(2*middle + 3)
	var powers []int
	for k := middle / 2; k < len(taus); k++ {
		if k == middle {
			continue
		}
		powers = append(powers, k)
		if taus[k], err = randomHelios(p.rand); err != nil {
			return nil, err
		}
	}
	points := make([]helioselene.Helios, len(powers))
	parallel.For(len(powers), func(i int) {
		k := powers[i]
		terms := [2]helioselene.Element{1: taus[k]}
		for j := max(0, k-len(r)+1); j < min(len(l), k+1); j++ {
			inner := innerHelios(l[j], r[k-j])
			terms[0].Add(&terms[0], &inner)
		}
		points[i].GeneratorMult(terms[:], []helioselene.Helios{*heliosValue(), *heliosBlind()}, 0)
		clear(terms[:])
	})
	p.transcript.writeHelios(points...)
	return taus, nil
}

// evaluate returns the value of a polynomial from the powers of x.
func (p *heliosProver) evaluate(polynomial heliosPolynomial, x []helioselene.Element) []helioselene.Element {
	sum := p.list(p.rows)
	var t helioselene.Element
	for k, vector := range polynomial {
		for i := range vector {
			sum[i].Add(&sum[i], t.Multiply(&vector[i], &x[k]))
		}
	}
	return sum
}

// proveInnerHelios writes the inner-product argument about a and b, with factors y of the generators H. It changes a
// and b. Its time depends on them, but they are not secret: the argument would be zero-knowledge too if they were sent
// instead, and the blinds sL and sR make them uniform.
// Source: Bulletproofs, section 5.2 and protocol 2.
func proveInnerHelios(t *Transcript, a, b, y []helioselene.Element, w *helioselene.Element) error {
	fixedG, fixedH := heliosGenerators(len(a))
	g, h := append([]helioselene.Helios{}, fixedG...), append([]helioselene.Helios{}, fixedH...)
	u := new(helioselene.Helios).ScalarMult(w, heliosValue())
	for n := len(a) / 2; n > 0; n /= 2 {
		cross := func(a, b, y []helioselene.Element, g, h []helioselene.Helios) helioselene.Helios {
			factors := append(append(make([]helioselene.Element, 0, 2*n+1), innerHelios(a, b)), a...)
			factors = append(factors, b...)
			for i := range y {
				factors[1+n+i].Multiply(&factors[1+n+i], &y[i])
			}
			points := append(append(append(make([]helioselene.Helios, 0, 2*n+1), *u), g...), h...)
			return *new(helioselene.Helios).VarTimeMultiScalarMult(factors, points)
		}
		if y == nil { // after the first round, h contains the factors
			t.writeHelios(cross(a[:n], b[n:], nil, g[n:], h[:n]), cross(a[n:], b[:n], nil, g[:n], h[n:]))
		} else {
			t.writeHelios(cross(a[:n], b[n:], y[:n], g[n:], h[:n]), cross(a[n:], b[:n], y[n:], g[:n], h[n:]))
		}
		c, err := t.HeliosChallenge()
		if err != nil {
			return err
		}
		var inverse, s helioselene.Element
		inverse.Invert(&c)
		for i := range n {
			a[i].Multiply(&a[i], &c)
			a[i].Add(&a[i], s.Multiply(&a[n+i], &inverse))
			b[i].Multiply(&b[i], &inverse)
			b[i].Add(&b[i], s.Multiply(&b[n+i], &c))
		}
		a, b = a[:n], b[:n]
		parallel.For(n, func(i int) {
			first, second := c, inverse
			if y != nil {
				first.Multiply(&first, &y[i])
				second.Multiply(&second, &y[n+i])
			}
			fold := func(list []helioselene.Helios, first, second *helioselene.Element) {
				list[i].VarTimeMultiScalarMult([]helioselene.Element{*first, *second},
					[]helioselene.Helios{list[i], list[n+i]})
			}
			fold(g, &inverse, &c)
			fold(h, &first, &second)
		})
		g, h, y = g[:n], h[:n], nil
	}
	t.writeHeliosScalar(&a[0])
	t.writeHeliosScalar(&b[0])
	return nil
}

// commitHelios returns Σ ofG[i]·G_i + Σ ofH[i]·H_i + blind·H. The time depends on the lengths only.
func commitHelios(ofG, ofH []helioselene.Element, blind *helioselene.Element) helioselene.Helios {
	g, h := heliosGenerators(max(len(ofG), len(ofH)))
	c := newHeliosTerms(1 + len(ofG) + len(ofH))
	defer c.wipe()
	c.add(blind, heliosBlind())
	for i := range ofG {
		c.add(&ofG[i], &g[i])
	}
	for i := range ofH {
		c.add(&ofH[i], &h[i])
	}
	return c.sum()
}

// heliosTerms is a sum of secret multiples of generators.
type heliosTerms struct {
	factors []helioselene.Element
	points  []helioselene.Helios
	small   int // of the factors, how many are below 256, which are the first ones
}

func newHeliosTerms(n int) *heliosTerms {
	return &heliosTerms{factors: make([]helioselene.Element, 0, n), points: make([]helioselene.Helios, 0, n)}
}

func (c *heliosTerms) add(factor *helioselene.Element, p *helioselene.Helios) {
	c.factors = append(c.factors, *factor)
	c.points = append(c.points, *p)
}

func (c *heliosTerms) wipe() { clear(c.factors) }

// sum returns the sum. Its time depends on the numbers of terms only.
func (c *heliosTerms) sum() helioselene.Helios {
	const each = 128 // terms at once: enough to share doublings, and with tables of 64 KB
	parts := make([]helioselene.Helios, (len(c.factors)+each-1)/each)
	parallel.For(len(parts), func(i int) {
		begin, end := i*each, min((i+1)*each, len(c.factors))
		small := min(max(c.small-begin, 0), end-begin)
		parts[i].GeneratorMult(c.factors[begin:end], c.points[begin:end], small)
	})
	sum := parts[0]
	for i := range parts[1:] {
		sum.Add(&sum, &parts[1+i])
	}
	return sum
}

// innerHelios returns the sum of the products of elements, of as many as the shorter list has.
func innerHelios(a, b []helioselene.Element) (sum helioselene.Element) {
	var t helioselene.Element
	for i := range min(len(a), len(b)) {
		sum.Add(&sum, t.Multiply(&a[i], &b[i]))
	}
	return sum
}
