package bulletproofsplus

import (
	"io"

	"glim/core/crypto/edwards"
)

// Verify returns nil if every proof is valid for its commitments, which are those of outPk and not divided by 8.
// Otherwise it returns ErrCount, ErrMalformed, ErrInvalid or the error of rand. It does not report which proof of a
// batch is invalid. An empty batch is valid.
//
// Verify computes a single sum of multiples. Each proof has a weight that its maker cannot predict: a hash of 64 bytes
// of rand and of the complete batch. It is not constant time, because all inputs are public.
// Source: eprint 2020/735, section 6.1; src/ringct/bulletproofs_plus.cc, bulletproof_plus_VERIFY.
func Verify(rand io.Reader, proofs []Proof, commitments [][][32]byte) error {
	if len(proofs) != len(commitments) {
		return ErrCount
	}
	if len(proofs) == 0 {
		return nil
	}
	statements := make([]*statement, len(proofs))
	outputs := 0 // outputs of the largest proof
	bound := make([][]byte, 0, 4*len(proofs))
	for i := range proofs {
		s, err := newStatement(&proofs[i], commitments[i])
		if err != nil {
			return err
		}
		statements[i] = s
		outputs = max(outputs, s.outputs)
		// e is the hash of everything before these three.
		bound = append(bound, s.e.Bytes(), proofs[i].R1[:], proofs[i].S1[:], proofs[i].D1[:])
	}
	weights, err := newStream(rand, bound...)
	if err != nil {
		return err
	}
	invertChallenges(statements)

	n := amountBits * outputs
	sum := &batch{fixed: make([]edwards.Scalar, 2*n+2)}
	sum.g, sum.h = sum.fixed[:n], sum.fixed[n:2*n]
	for _, s := range statements {
		w := weights.next()
		for isZero(w) {
			w = weights.next()
		}
		sum.add(s, w)
	}
	g, h := generators(outputs)
	scalars := make([]*edwards.Scalar, len(sum.fixed))
	for i := range scalars {
		scalars[i] = &sum.fixed[i]
	}
	tables := append(append(append(make([]*edwards.Table, 0, 2*n+2), g...), h...), bases()...)
	if !new(edwards.Point).VarTimeTableMult(scalars, tables, sum.scalars, sum.points).IsIdentity() {
		return ErrInvalid
	}
	return nil
}

// statement is a proof with its challenges. Its points are multiplied by 8, which removes torsion.
type statement struct {
	outputs    int // a power of two, at least the number of commitments
	v, l, r    []*edwards.Point
	a, a1, b   *edwards.Point
	r1, s1, d1 *edwards.Scalar

	y, z, e       *edwards.Scalar
	yInv          *edwards.Scalar
	rounds, rInvs []*edwards.Scalar // the challenges of the rounds, and their inverses
}

func newStatement(p *Proof, commitments [][32]byte) (*statement, error) {
	if len(commitments) == 0 || len(commitments) > MaxOutputs {
		return nil, ErrCount
	}
	count := rounds(len(commitments))
	if len(p.L) != count || len(p.R) != count {
		return nil, ErrMalformed
	}
	s := &statement{outputs: 1 << (count - logAmountBits)}
	for _, x := range []struct {
		to   **edwards.Scalar
		from [32]byte
	}{{&s.r1, p.R1}, {&s.s1, p.S1}, {&s.d1, p.D1}} {
		v, err := edwards.DecodeScalar(x.from)
		if err != nil {
			return nil, ErrMalformed
		}
		*x.to = v
	}
	var bad bool
	timesEight := func(b [32]byte) *edwards.Point {
		q, err := edwards.DecodePoint(b)
		if err != nil {
			bad = true
			return edwards.Identity()
		}
		return q.MultByCofactor(q)
	}
	s.a, s.a1, s.b = timesEight(p.A), timesEight(p.A1), timesEight(p.B)
	for i := range count {
		s.l = append(s.l, timesEight(p.L[i]))
		s.r = append(s.r, timesEight(p.R[i]))
	}
	divided := make([][32]byte, len(commitments))
	for i, c := range commitments {
		q, err := edwards.DecodePoint(c)
		if err != nil {
			return nil, ErrMalformed
		}
		// The division by 8 changes a commitment with torsion, so the sum uses the divided one.
		q.VarTimeTableMult(nil, nil, []*edwards.Scalar{invEight}, []*edwards.Point{q})
		divided[i] = q.Encode()
		s.v = append(s.v, q.MultByCofactor(q))
	}
	if bad {
		return nil, ErrMalformed
	}

	t := newTranscript(divided)
	s.y, s.z = t.challengeYZ(p.A)
	for i := range count {
		s.rounds = append(s.rounds, t.challenge(p.L[i], p.R[i]))
	}
	s.e = t.challenge(p.A1, p.B)
	for _, c := range append([]*edwards.Scalar{s.y, s.z, s.e}, s.rounds...) {
		if isZero(c) {
			return nil, ErrInvalid
		}
	}
	return s, nil
}

// invertChallenges computes all inverses with one inversion. No challenge is zero.
func invertChallenges(statements []*statement) {
	var all []*edwards.Scalar
	for _, s := range statements {
		all = append(append(all, s.rounds...), s.y)
	}
	prefix := make([]edwards.Scalar, len(all)) // prefix[i] = all[0]⋯all[i−1]
	acc := edwards.NewScalar().Set(one)
	for i, x := range all {
		prefix[i].Set(acc)
		acc.Multiply(acc, x)
	}
	acc.Invert(acc)
	inverses := make([]*edwards.Scalar, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		inverses[i] = mul(acc, &prefix[i])
		acc.Multiply(acc, all[i])
	}
	for _, s := range statements {
		n := len(s.rounds)
		s.rInvs, s.yInv, inverses = inverses[:n:n], inverses[n], inverses[n+1:]
	}
}

// batch collects the terms of the sum, which is zero if all proofs are valid.
type batch struct {
	fixed   []edwards.Scalar // scalars of g, h, G and H
	g, h    []edwards.Scalar // parts of fixed
	scalars []*edwards.Scalar
	points  []*edwards.Point
}

func (t *batch) term(s *edwards.Scalar, p *edwards.Point) {
	t.scalars = append(t.scalars, s)
	t.points = append(t.points, p)
}

// add adds w times the equation of s.
func (t *batch) add(s *statement, w *edwards.Scalar) {
	n := amountBits * s.outputs
	minus := edwards.NewScalar().Negate(w)
	t.term(minus, s.b)
	minusE := mul(minus, s.e)
	t.term(minusE, s.a1)
	minusE2 := mul(minusE, s.e)
	t.term(minusE2, s.a)
	for j := range s.rounds {
		t.term(mul(minusE2, mul(s.rounds[j], s.rounds[j])), s.l[j])
		t.term(mul(minusE2, mul(s.rInvs[j], s.rInvs[j])), s.r[j])
	}

	yn := edwards.NewScalar().Set(s.y) // yⁿ
	for i := 1; i < n; i *= 2 {
		yn.Multiply(yn, yn)
	}
	yn1 := mul(yn, s.y)
	z2 := mul(s.z, s.z)
	v := mul(minusE2, yn1) // −w·e²·y^(n+1)·z^(2(j+1))
	for _, p := range s.v {
		v = mul(v, z2)
		t.term(v, p)
	}

	d := windows(s.z, s.outputs)
	sumD, sumY := edwards.NewScalar(), edwards.NewScalar()
	yPower := edwards.NewScalar().Set(s.y)
	e2 := mul(s.e, s.e)
	e2w := mul(e2, w)
	shift := mul(e2w, s.z)
	left, right := mul(mul(s.e, s.r1), w), mul(mul(s.e, s.s1), w)
	window := mul(e2w, yn) // falls to e²·w·y^(n−i)
	products := challengeProducts(s.rounds, s.rInvs)
	var x edwards.Scalar
	for i := range n {
		x.MultiplyAdd(left, &products[i], shift)
		t.g[i].Add(&t.g[i], &x)
		x.MultiplyAdd(right, &products[n-1-i], &t.h[i])
		x.Subtract(&x, shift)
		sumD.Add(sumD, &d[i])
		sumY.Add(sumY, yPower)
		yPower.Multiply(yPower, s.y)
		d[i].Multiply(&d[i], window)
		t.h[i].Subtract(&x, &d[i])
		left.Multiply(left, s.yInv)
		window.Multiply(window, s.yInv)
	}

	// G: w·d1. H: w·(r1·y·s1 + e²·(y^(n+1)·z·Σd + (z² − z)·Σy)).
	fixedG, fixedH := &t.fixed[len(t.fixed)-2], &t.fixed[len(t.fixed)-1]
	fixedG.MultiplyAdd(w, s.d1, fixedG)
	sums := mul(mul(yn1, s.z), sumD)
	sums.MultiplyAdd(edwards.NewScalar().Subtract(z2, s.z), sumY, sums)
	sums.Multiply(sums, e2)
	sums.MultiplyAdd(mul(s.r1, s.y), s.s1, sums)
	fixedH.MultiplyAdd(w, sums, fixedH)
}

// challengeProducts returns for every index a product over its binary digits, the most significant for round 0: the
// challenge for a 1, and its inverse for a 0.
func challengeProducts(x, inv []*edwards.Scalar) []edwards.Scalar {
	out := make([]edwards.Scalar, 1<<len(x))
	out[0].Set(one)
	for j, size := 0, 1; j < len(x); j, size = j+1, 2*size {
		for i := size - 1; i >= 0; i-- {
			out[2*i+1].Multiply(&out[i], x[j])
			out[2*i].Multiply(&out[i], inv[j])
		}
	}
	return out
}
