package generalizedbulletproofs

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/helioselene"
)

// heliosProver makes proofs. It is slow, and its time depends on secrets.
type heliosProver struct {
	t           *Transcript
	proof       []byte
	random      func() helioselene.Element
	left, right []helioselene.Element   // of each row
	vectors     [][]helioselene.Element // what the commitments contain
	blinds      []helioselene.Element
	shift       helioselene.Element // what to add to τ and μ
}

// commit adds the commitments to the proof and returns them.
func (p *heliosProver) commit() []helioselene.Helios {
	p.t.count(len(p.vectors))
	list := make([]helioselene.Helios, len(p.vectors))
	for i, v := range p.vectors {
		p.blinds = append(p.blinds, p.random())
		list[i] = heliosVector(v, nil, &p.blinds[i])
		p.point(&list[i])
	}
	p.t.count(0)
	return list
}

// heliosVector returns a commitment to factors of the generators G and H of vectors, with a blind.
func heliosVector(ofG, ofH []helioselene.Element, blind *helioselene.Element) helioselene.Helios {
	g, h := heliosGenerators(max(len(ofG), len(ofH)))
	factors := append(append([]helioselene.Element{*blind}, ofG...), ofH...)
	points := append(append([]helioselene.Helios{*heliosBlind()}, g[:len(ofG)]...), h[:len(ofH)]...)
	return *new(helioselene.Helios).VarTimeMultiScalarMult(factors, points)
}

func (p *heliosProver) append(b [size]byte, kind byte) {
	p.proof = append(p.proof, b[:]...)
	p.t.proof = b[:]
	if _, err := p.t.read(kind); err != nil {
		panic(err)
	}
}

func (p *heliosProver) point(q *helioselene.Helios) { p.append(q.Encode(), kindPoint) }

func (p *heliosProver) scalar(e *helioselene.Element) { p.append(e.Bytes(), kindScalar) }

func (p *heliosProver) challenge() helioselene.Element {
	c, err := p.t.HeliosChallenge()
	if err != nil {
		panic(err)
	}
	return c
}

// heliosProduct returns the products of elements, of as many as the shorter list has.
func heliosProduct(a, b []helioselene.Element) []helioselene.Element {
	list := make([]helioselene.Element, min(len(a), len(b)))
	for i := range list {
		list[i].Multiply(&a[i], &b[i])
	}
	return list
}

// addHelios adds factor·b to a.
func addHelios(a, b []helioselene.Element, factor *helioselene.Element) {
	var t helioselene.Element
	for i := range b {
		a[i].Add(&a[i], t.Multiply(&b[i], factor))
	}
}

func innerHelios(a, b []helioselene.Element) (sum helioselene.Element) {
	for _, e := range heliosProduct(a, b) {
		sum.Add(&sum, &e)
	}
	return sum
}

// prove appends the argument for the circuit that build makes.
// Source: arithmetic_circuit_proof.rs, prove.
func (p *heliosProver) prove(build func(*HeliosCircuit)) {
	rows, committed := len(p.left), 0
	for _, v := range p.vectors {
		committed += len(v)
	}
	middle := 2*len(p.vectors) + 2
	list := func() []helioselene.Element {
		l := make([]helioselene.Element, rows)
		for i := range l {
			l[i] = p.random()
		}
		return l
	}
	output := heliosProduct(p.left, p.right)
	sl, sr := list(), list()
	blinds := []helioselene.Element{p.random(), p.random(), p.random()}
	for i, vectors := range [][2][]helioselene.Element{{p.left, p.right}, {output, nil}, {sl, sr}} {
		q := heliosVector(vectors[0], vectors[1], &blinds[i])
		p.point(&q)
	}
	yChallenge, z := p.challenge(), p.challenge()
	c := newHeliosCircuit(rows, committed, &z)
	build(c)
	var inverse, one, minus helioselene.Element
	one.SetUint64(1)
	minus.Negate(&one)
	y, yInverse := heliosPowers(&yChallenge, rows), heliosPowers(inverse.Invert(&yChallenge), rows)

	l, r := make([][]helioselene.Element, middle+2), make([][]helioselene.Element, middle+2)
	for i := range l {
		l[i], r[i] = make([]helioselene.Element, rows), make([]helioselene.Element, rows)
	}
	addHelios(l[middle/2], heliosProduct(c.right, yInverse), &one)
	addHelios(l[middle/2], p.left, &one)
	addHelios(l[middle], output, &one)
	addHelios(l[middle+1], sl, &one)
	addHelios(r[middle/2], heliosProduct(p.right, y), &one)
	addHelios(r[middle/2], c.left, &one)
	addHelios(r[0], c.output, &one)
	addHelios(r[0], y, &minus)
	addHelios(r[middle+1], heliosProduct(sr, y), &one)
	begin := 0
	for i, v := range p.vectors {
		addHelios(l[middle-1-i], v, &one)
		addHelios(r[1+i], c.committed[begin:][:len(v)], &one)
		begin += len(v)
	}

	polynomial := make([]helioselene.Element, 2*middle+3)
	for i := range l {
		for j := range r {
			inner := innerHelios(l[i], r[j])
			polynomial[i+j].Add(&polynomial[i+j], &inner)
		}
	}
	taus := make([]helioselene.Element, len(polynomial))
	for k := middle / 2; k < len(polynomial); k++ {
		if k != middle {
			taus[k] = p.random()
			q := new(helioselene.Helios).VarTimeMultiScalarMult([]helioselene.Element{polynomial[k], taus[k]},
				[]helioselene.Helios{*heliosValue(), *heliosBlind()})
			p.point(q)
		}
	}
	challenge := p.challenge()
	x := heliosPowers(&challenge, len(polynomial))
	evaluate := func(list [][]helioselene.Element) []helioselene.Element {
		sum := make([]helioselene.Element, rows)
		for i := range list {
			addHelios(sum, list[i], &x[i])
		}
		return sum
	}
	a, b := evaluate(l), evaluate(r)
	value, tau := innerHelios(a, b), innerHelios(taus, x)
	mu := innerHelios(blinds, []helioselene.Element{x[middle/2], x[middle], x[middle+1]})
	var s helioselene.Element
	for i := range p.blinds {
		mu.Add(&mu, s.Multiply(&p.blinds[i], &x[middle-1-i]))
	}
	p.scalar(tau.Add(&tau, &p.shift))
	p.scalar(mu.Add(&mu, &p.shift))
	p.scalar(&value)
	w := p.challenge()
	p.proveInner(a, b, yInverse, &w)
}

// proveInner appends the inner-product argument. Source: Bulletproofs, protocol 2, with factors y of the generators H.
func (p *heliosProver) proveInner(a, b, y []helioselene.Element, w *helioselene.Element) {
	fixedG, fixedH := heliosGenerators(len(a))
	g, h := append([]helioselene.Helios{}, fixedG...), append([]helioselene.Helios{}, fixedH...)
	for i := range h {
		h[i].ScalarMult(&y[i], &h[i])
	}
	u := new(helioselene.Helios).ScalarMult(w, heliosValue())
	for n := len(a) / 2; n > 0; n /= 2 {
		cross := func(a, b []helioselene.Element, g, h []helioselene.Helios) {
			factors := append(append([]helioselene.Element{innerHelios(a, b)}, a...), b...)
			points := append(append([]helioselene.Helios{*u}, g...), h...)
			p.point(new(helioselene.Helios).VarTimeMultiScalarMult(factors, points))
		}
		cross(a[:n], b[n:], g[n:], h[:n])
		cross(a[n:], b[:n], g[:n], h[n:])
		c := p.challenge()
		var inverse helioselene.Element
		inverse.Invert(&c)
		fold := func(list []helioselene.Element, first, second *helioselene.Element) []helioselene.Element {
			sum := make([]helioselene.Element, n)
			addHelios(sum, list[:n], first)
			addHelios(sum, list[n:], second)
			return sum
		}
		foldPoints := func(list []helioselene.Helios, first, second *helioselene.Element) []helioselene.Helios {
			for i := range n {
				list[i].VarTimeMultiScalarMult([]helioselene.Element{*first, *second},
					[]helioselene.Helios{list[i], list[n+i]})
			}
			return list[:n]
		}
		a, b = fold(a, &c, &inverse), fold(b, &inverse, &c)
		g, h = foldPoints(g, &inverse, &c), foldPoints(h, &c, &inverse)
	}
	p.scalar(&a[0])
	p.scalar(&b[0])
}

// heliosCase is a circuit about a number n that is committed to: n·n = 49, n³ = m, with m in another commitment.
type heliosCase struct{ n, m, square, shift uint64 }

func (k heliosCase) build(c *HeliosCircuit) {
	var square, one helioselene.Element
	square.SetUint64(k.square)
	one.SetUint64(1)
	first, second := c.Row(), c.Row()
	for _, v := range [][2]Variable{
		{Committed(1), Left(first)}, {Committed(1), Right(first)},
		{Output(first), Left(second)}, {Committed(1), Right(second)}, {Output(second), Committed(4)},
	} {
		c.Constrain()
		c.Plus(v[0])
		c.Minus(v[1])
	}
	c.Constrain()
	c.Add(Output(first), &one)
	c.AddConstant(square.Negate(&square))
	c.Constrain()
	c.AddCommitted(0, []helioselene.Element{one, one})
	c.SubtractCommitted(2, []helioselene.Element{one, one, {}})
}

// prove returns a proof with 4 rows.
func (k heliosCase) prove(random func() helioselene.Element) []byte {
	of := func(n uint64) (e helioselene.Element) { return *e.SetUint64(n) }
	p := &heliosProver{
		t: NewTranscript([32]byte{1}, nil), random: random,
		left: make([]helioselene.Element, 4), right: make([]helioselene.Element, 4),
		vectors: [][]helioselene.Element{{of(9), of(k.n)}, {of(5), of(k.n + 4), of(k.m)}}, shift: of(k.shift),
	}
	p.left[0], p.right[0], p.left[1], p.right[1] = of(k.n), of(k.n), of(k.n*k.n), of(k.n)
	p.commit()
	p.prove(k.build)
	return p.proof
}

// verify adds a proof to a batch.
func (k heliosCase) verify(t *testing.T, batch *HeliosBatch, proof []byte, weights io.Reader) error {
	transcript := NewTranscript([32]byte{1}, proof)
	commitments, err := transcript.HeliosCommitments(2)
	if err != nil {
		return err
	}
	a, err := BeginHelios(transcript, 4, commitments, []int{2, 3})
	if err != nil {
		return err
	}
	k.build(a.Circuit)
	require.Equal(t, 2, a.Circuit.Rows())
	return a.Finish(weights, batch)
}

// TestHeliosArgument verifies proofs of a prover, right ones and wrong ones, alone and together.
func TestHeliosArgument(t *testing.T) {
	source := randomness()
	random := func() helioselene.Element {
		e, err := randomHelios(source)
		require.NoError(t, err)
		return e
	}
	right := heliosCase{n: 7, m: 343, square: 49}
	proof := right.prove(random)
	require.Len(t, proof, size*(2+Elements(4, 2)))
	verify := func(proofs ...[]byte) bool {
		var batch HeliosBatch
		for _, proof := range proofs {
			require.NoError(t, right.verify(t, &batch, proof, source))
		}
		return batch.Valid()
	}
	require.True(t, verify())
	require.True(t, verify(proof))
	require.True(t, verify(proof, right.prove(random), proof))

	for _, wrong := range []heliosCase{
		{n: 7, m: 344, square: 49}, {n: 8, m: 512, square: 49}, {n: 8, m: 512, square: 64},
		{n: 7, m: 343, square: 49, shift: 1}, // wrong in two equations, whose errors cancel out without weights
	} {
		require.False(t, verify(wrong.prove(random)), wrong)
		require.False(t, verify(proof, wrong.prove(random)), wrong)
	}
	for at := 0; at < len(proof); at += 7 {
		altered := append([]byte{}, proof...)
		altered[at] ^= 1 << (at % 8)
		var batch HeliosBatch
		if err := right.verify(t, &batch, altered, source); err != nil {
			require.ErrorIs(t, err, ErrProof)
		} else {
			require.False(t, batch.Valid(), at)
		}
	}
	for n := range len(proof) {
		require.ErrorIs(t, right.verify(t, new(HeliosBatch), proof[:n], source), ErrProof)
	}
	require.Error(t, right.verify(t, new(HeliosBatch), proof, noRandomness))
	var c HeliosCircuit
	require.Panics(t, func() { c.Row() })
}

// TestHeliosWeights alters the last scalars of two copies of a proof, which no challenge depends on, so that their
// errors cancel out, unless every proof has weights of its own.
func TestHeliosWeights(t *testing.T) {
	k := heliosCase{n: 7, m: 343, square: 49}
	source := randomness()
	proof := k.prove(func() helioselene.Element {
		e, err := randomHelios(source)
		require.NoError(t, err)
		return e
	})
	weights := randomness()
	at := len(proof) - size*2
	one, minus := *new(helioselene.Element).SetUint64(1), helioselene.Element{}
	minus.Negate(&one)
	var batch HeliosBatch
	for _, by := range []*helioselene.Element{&one, &minus} {
		altered := append([]byte{}, proof...)
		var a helioselene.Element
		require.NoError(t, a.SetBytes([size]byte(altered[at:])))
		b := a.Add(&a, by).Bytes()
		copy(altered[at:], b[:])
		require.NoError(t, k.verify(t, &batch, altered, weights))
	}
	require.False(t, batch.Valid())
}

// TestHeliosOpening verifies proofs of the factor of H in a point.
func TestHeliosOpening(t *testing.T) {
	blind, nonce, challenge := *new(helioselene.Element).SetUint64(5), *new(helioselene.Element).SetUint64(6),
		*new(helioselene.Element).SetUint64(7)
	difference := new(helioselene.Helios).ScalarMult(&blind, HeliosBlind())
	point := new(helioselene.Helios).ScalarMult(&nonce, HeliosBlind())
	answer := *new(helioselene.Element).SetUint64(6 + 5*7)
	var batch HeliosBatch
	require.NoError(t, batch.AddOpening(randomness(), point, difference, &challenge, &answer))
	require.True(t, batch.Valid())
	require.NoError(t, batch.AddOpening(randomness(), point, difference, &blind, &answer))
	require.False(t, batch.Valid())
	require.Error(t, batch.AddOpening(noRandomness, point, difference, &challenge, &answer))
}
