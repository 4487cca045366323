package generalizedbulletproofs

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/helioselene"
)

// heliosCase is a circuit about a number n that is committed to: n·n = square, n³ = m, with m in another commitment.
// The quotient m/n is the number inverse of a row, and given is another row. shift is added to τ and μ.
type heliosCase struct{ n, m, square, shift uint64 }

func (k heliosCase) build(c *HeliosCircuit) error {
	var square, one helioselene.Element
	square.SetUint64(k.square)
	one.SetUint64(1)
	first, second, quotient, given := c.Row(), c.Row(), c.Row(), c.GivenRow()
	for _, v := range [][2]Variable{
		{Committed(1), Left(first)}, {Committed(1), Right(first)},
		{Output(first), Left(second)}, {Committed(1), Right(second)}, {Output(second), Committed(4)},
		{Output(quotient), Committed(4)}, {Left(quotient), Committed(1)}, {Right(quotient), Output(first)},
		{Output(given), Output(first)},
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
	return nil
}

// prove returns a proof with 4 rows.
func (k heliosCase) prove(rand io.Reader) ([]byte, error) {
	of := func(n uint64) (e helioselene.Element) { return *e.SetUint64(n) }
	blinds := [2]helioselene.Element{}
	for i := range blinds {
		var err error
		if blinds[i], err = randomHelios(rand); err != nil {
			return nil, err
		}
	}
	w := &HeliosWitness{
		Vectors: []HeliosVector{
			{Numbers: []helioselene.Element{of(9), of(k.n)}, Small: []bool{false, true}, Blind: blinds[0]},
			{Numbers: []helioselene.Element{of(5), of(k.n + 4), of(k.m)}, Blind: blinds[1]},
		},
		Given: [][2]helioselene.Element{{of(k.n), of(k.n)}},
	}
	t := NewTranscript([32]byte{1}, nil)
	t.WriteHeliosCommitments([]helioselene.Helios{w.Vectors[0].Commit(), w.Vectors[1].Commit()})
	if k.shift == 0 {
		err := w.Prove(rand, t, 4, k.build)
		return t.Written(), err
	}
	p := &heliosProver{transcript: t, rand: rand, rows: 4, vectors: w.Vectors}
	if err := p.begin(w.Given, k.build); err != nil {
		return nil, err
	}
	if err := p.answer(); err != nil {
		return nil, err
	}
	shift := of(k.shift)
	p.answers[0].Add(&p.answers[0], &shift)
	p.answers[1].Add(&p.answers[1], &shift)
	err := p.finish()
	return t.Written(), err
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
	require.NoError(t, k.build(a.Circuit))
	require.Equal(t, 4, a.Circuit.Rows())
	return a.Finish(weights, batch)
}

// TestHeliosArgument verifies proofs of a prover, right ones and wrong ones, alone and together.
func TestHeliosArgument(t *testing.T) {
	source := randomness()
	prove := func(k heliosCase) []byte {
		proof, err := k.prove(source)
		require.NoError(t, err)
		return proof
	}
	right := heliosCase{n: 7, m: 343, square: 49}
	proof := prove(right)
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
	require.True(t, verify(proof, prove(right), proof))

	for _, wrong := range []heliosCase{
		{n: 8, m: 512, square: 64},
		{n: 7, m: 343, square: 49, shift: 1}, // wrong in two equations, whose errors cancel out without weights
	} {
		require.False(t, verify(prove(wrong)), wrong)
		require.False(t, verify(proof, prove(wrong)), wrong)
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
	proof, err := k.prove(source)
	require.NoError(t, err)
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

// TestHeliosWitness proves with numbers that do not satisfy the circuit, and with a source of randomness that fails at
// each of its uses.
func TestHeliosWitness(t *testing.T) {
	for _, wrong := range []heliosCase{
		{n: 7, m: 344, square: 49}, {n: 8, m: 512, square: 49}, {n: 7, m: 343, square: 64}, {n: 0, m: 1, square: 0},
	} {
		_, err := wrong.prove(randomness())
		require.ErrorIs(t, err, ErrWitness, wrong)
	}
	uses := 0
	for ; ; uses++ {
		_, err := heliosCase{n: 7, m: 343, square: 49}.prove(io.LimitReader(randomness(), int64(64*uses)))
		if err == nil {
			break
		}
		require.Error(t, err)
		require.NotErrorIs(t, err, ErrWitness)
	}
	require.Equal(t, 2+2*4+3+Elements(4, 2)-3-3-4-2, uses) // blinds of commitments, sL and sR, blinds, T
}

// TestHeliosSolver builds circuits whose variables the constraints do not define, or that need other rows.
func TestHeliosSolver(t *testing.T) {
	var one helioselene.Element
	one.SetUint64(1)
	for name, build := range map[string]func(*HeliosCircuit){
		"a row that nothing defines": func(c *HeliosCircuit) { c.Row() },
		"a row with one variable": func(c *HeliosCircuit) {
			row := c.Row()
			c.Constrain()
			c.Plus(Left(row))
		},
		"a constraint with two new variables": func(c *HeliosCircuit) {
			row := c.Row()
			c.Constrain()
			c.Plus(Left(row))
			c.Minus(Right(row))
		},
		"a new variable with a factor": func(c *HeliosCircuit) {
			row := c.Row()
			c.Constrain()
			c.Add(Left(row), &one)
		},
		"more given rows than there are": func(c *HeliosCircuit) { c.GivenRow() },
		"too many rows": func(c *HeliosCircuit) {
			c.Row()
			c.Row()
			c.Row()
		},
	} {
		require.Panics(t, func() {
			err := newHeliosSolver(2, nil, nil).solve(func(c *HeliosCircuit) error {
				build(c)
				return nil
			})
			require.NoError(t, err)
		}, name)
	}
	failed := errors.New("failed")
	require.ErrorIs(t, newHeliosSolver(2, nil, nil).solve(func(*HeliosCircuit) error { return failed }), failed)
	w := HeliosWitness{Vectors: []HeliosVector{{Numbers: make([]helioselene.Element, 3)}}}
	require.Panics(t, func() { _ = w.Prove(randomness(), NewTranscript([32]byte{}, nil), 2, nil) })
}

// TestHeliosCommit compares commitments with sums of multiples.
func TestHeliosCommit(t *testing.T) {
	source := randomness()
	blind, err := randomHelios(source)
	require.NoError(t, err)
	v := HeliosVector{Numbers: make([]helioselene.Element, 300), Small: make([]bool, 300), Blind: blind}
	for i := range v.Numbers {
		v.Numbers[i], err = randomHelios(source)
		require.NoError(t, err)
		if v.Small[i] = i%2 == 0 || i > 100 && i < 200; v.Small[i] {
			v.Numbers[i].SetUint64(uint64(i % 256))
		}
	}
	g, _ := heliosGenerators(len(v.Numbers))
	want := new(helioselene.Helios).VarTimeMultiScalarMult(append([]helioselene.Element{blind}, v.Numbers...),
		append([]helioselene.Helios{*heliosBlind()}, g...))
	got := v.Commit()
	require.True(t, got.Equal(want))
	v.Small = nil
	got = v.Commit()
	require.True(t, got.Equal(want))
	got = (&HeliosVector{Blind: blind}).Commit()
	require.True(t, got.Equal(want.ScalarMult(&blind, heliosBlind())))
}

// TestHeliosSecrets formats and wipes a witness.
func TestHeliosSecrets(t *testing.T) {
	var one helioselene.Element
	one.SetUint64(1)
	w := HeliosWitness{
		Vectors: []HeliosVector{{Numbers: []helioselene.Element{one}, Blind: one}},
		Given:   [][2]helioselene.Element{{one, one}},
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Equal(t, "generalizedbulletproofs.HeliosWitness(redacted)", fmt.Sprintf(format, w))
		require.Equal(t, "generalizedbulletproofs.HeliosWitness(redacted)", fmt.Sprintf(format, &w))
		require.Equal(t, "generalizedbulletproofs.HeliosVector(redacted)", fmt.Sprintf(format, w.Vectors[0]))
	}
	w.Wipe()
	for _, e := range []*helioselene.Element{
		&w.Vectors[0].Numbers[0], &w.Vectors[0].Blind, &w.Given[0][0], &w.Given[0][1],
	} {
		require.True(t, e.IsZero())
	}
}
