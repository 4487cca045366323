package fcmp

import (
	"errors"
	"fmt"
	"io"

	"glim/core/carrot"
	"glim/core/crypto/blake2b"
	"glim/core/crypto/edwards"
)

// SpendProofSize is the number of bytes of a proof: six points and six scalars.
// Source: crate monero-fcmp-plus-plus, lib.rs, proof_size; the beta's src/fcmp_pp/fcmp_pp_types.h.
const SpendProofSize = 12 * size

const size = 32 // bytes of a point or scalar

// Errors of VerifySpends, which names the spend with them. Retrying is pointless.
var (
	ErrProofSize = errors.New("fcmp: proof has a wrong size")
	ErrPoint     = errors.New("fcmp: not a point of prime order, or not its only encoding")
	ErrScalar    = errors.New("fcmp: not a reduced scalar")
	ErrProof     = errors.New("fcmp: a proof is wrong")
)

// Input is an output with fresh blinds, as a transaction shows it. For an output with key O = x·G + y·T, key image
// generator I and commitment C, and blinds r₁ to r₄, the encoded points are those of the README.
type Input struct {
	Key        [size]byte // O + r₁·T
	Generator  [size]byte // I + r₂·U
	R          [size]byte // r₂·V + r₃·T
	Commitment [size]byte // C + r₄·G
}

// inputEdwards are the points of an Input, in the order of its fields.
type inputEdwards [4]*edwards.Point

// Spend is one input with its key image and its proof.
type Spend struct {
	Message  [size]byte // what the transaction signs
	Input    Input
	KeyImage [size]byte // x·I
	Proof    []byte     // SpendProofSize bytes
}

// points are the encoded points of a spend, in the order of their decoding.
const (
	pointO = iota
	pointI
	pointR
	pointL
	pointP
	pointA
	pointB
	pointRO
	pointRP
	pointRL
	pointC
)

// scalars of a proof, in the order of their encoding.
const (
	scalarAlpha = iota
	scalarBeta
	scalarDelta
	scalarY
	scalarZ
	scalarRP
	scalarCount
)

// VerifySpends returns nil if all proofs are right, and an error if one of them is not. rand yields the weights that
// combine all equations into one, and must be unpredictable for those who made the proofs; the error may be rand's. The
// time depends on the spends, which are public.
//
// It accepts key images that are the identity: those, and repeated ones, are for the rules of consensus to refuse.
// Commitments are part of what is signed, and their encoding is checked, but nothing is proven about them here.
func VerifySpends(rand io.Reader, rules *carrot.Rules, spends []Spend) error {
	_, err := verifySpends(rand, rules, spends)
	return err
}

// verifySpends is VerifySpends, and returns the points of the inputs, which are of prime order or the identity.
func verifySpends(rand io.Reader, rules *carrot.Rules, spends []Spend) ([]inputEdwards, error) {
	t, u, v, err := generators(rules)
	if err != nil {
		return nil, err
	}
	for i := range spends {
		if len(spends[i].Proof) != SpendProofSize {
			return nil, fmt.Errorf("spend %d: %w", i, ErrProofSize)
		}
	}
	s := &sum{rand: rand}
	for range 4 {
		s.fixed = append(s.fixed, edwards.NewScalar())
	}
	inputs := make([]inputEdwards, len(spends))
	for i := range spends {
		if inputs[i], err = s.add(&spends[i]); err != nil {
			return nil, fmt.Errorf("spend %d: %w", i, err)
		}
	}
	scalars := append(s.scalars, s.fixed...)
	points := append(s.points, edwards.Base(), t, u, v)
	if !new(edwards.Point).VarTimeMultiScalarMult(scalars, points).IsIdentity() {
		return nil, ErrProof
	}
	return inputs, nil
}

// generators returns T, U and V.
func generators(rules *carrot.Rules) (t, u, v *edwards.Point, err error) {
	points, err := edwards.DecodePoints([][32]byte{rules.T, rules.U, rules.V})
	if err != nil {
		return nil, nil, nil, err
	}
	return points[0], points[1], points[2], nil
}

// Indices of the generators in sum.fixed.
const (
	fixedG = iota
	fixedT
	fixedU
	fixedV
)

// sum collects weighted equations, whose terms add up to the identity.
type sum struct {
	rand    io.Reader
	fixed   []*edwards.Scalar // of the generators
	scalars []*edwards.Scalar
	points  []*edwards.Point
}

// add adds the four equations of a spend, and returns the points of its input.
// Source: crate monero-fcmp-plus-plus, sal/mod.rs, verify.
func (s *sum) add(spend *Spend) (in inputEdwards, err error) {
	points, err := spend.decodePoints()
	if err != nil {
		return in, err
	}
	answers := make([]*edwards.Scalar, scalarCount)
	for i := range answers {
		at := SpendProofSize - (scalarCount-i)*size
		if answers[i], err = edwards.DecodeScalar([size]byte(spend.Proof[at:])); err != nil {
			return in, ErrScalar
		}
	}
	var weights [4]*edwards.Scalar
	for i := range weights {
		if weights[i], err = edwards.RandomScalar(s.rand); err != nil {
			return in, err
		}
	}
	e := spend.challenge()
	ee := product(e, e)

	// e²·P + e·A + B = e·α·G + e·β·V + α·β·U + δ·T
	w := weights[0]
	we := product(w, e)
	s.term(product(w, ee), points[pointP])
	s.term(we, points[pointA])
	s.term(w, points[pointB])
	s.less(fixedG, we, answers[scalarAlpha])
	s.less(fixedV, we, answers[scalarBeta])
	s.less(fixedU, product(w, answers[scalarAlpha]), answers[scalarBeta])
	s.less(fixedT, w, answers[scalarDelta])

	// R_O + e·O = α·G + y·T
	w = weights[1]
	s.term(w, points[pointRO])
	s.term(product(w, e), points[pointO])
	s.less(fixedG, w, answers[scalarAlpha])
	s.less(fixedT, w, answers[scalarY])

	// R_P + e·(P − O − R) = z·U + r_P·T
	w = weights[2]
	difference := new(edwards.Point).Subtract(points[pointP], points[pointO])
	difference.Subtract(difference, points[pointR])
	s.term(w, points[pointRP])
	s.term(product(w, e), difference)
	s.less(fixedU, w, answers[scalarZ])
	s.less(fixedT, w, answers[scalarRP])

	// R_L + e·L = α·I − z·U
	w = weights[3]
	s.term(w, points[pointRL])
	s.term(product(w, e), points[pointL])
	minus := edwards.NewScalar().Negate(w)
	s.term(product(minus, answers[scalarAlpha]), points[pointI])
	s.less(fixedU, minus, answers[scalarZ])
	return inputEdwards{points[pointO], points[pointI], points[pointR], points[pointC]}, nil
}

func product(a, b *edwards.Scalar) *edwards.Scalar { return edwards.NewScalar().Multiply(a, b) }

// term adds a·p.
func (s *sum) term(a *edwards.Scalar, p *edwards.Point) {
	s.scalars = append(s.scalars, a)
	s.points = append(s.points, p)
}

// less subtracts a·b times a generator.
func (s *sum) less(generator int, a, b *edwards.Scalar) {
	s.fixed[generator].Subtract(s.fixed[generator], product(a, b))
}

// decodePoints returns the points of a spend. All must be in the subgroup of prime order: weights would make it a
// matter of chance whether parts of small order cancel out.
func (spend *Spend) decodePoints() ([]*edwards.Point, error) {
	in := &spend.Input
	encoded := append(make([][size]byte, 0, pointC+1), in.Key, in.Generator, in.R, spend.KeyImage)
	for at := 0; at < SpendProofSize/2; at += size {
		encoded = append(encoded, [size]byte(spend.Proof[at:]))
	}
	points, err := edwards.DecodePoints(append(encoded, in.Commitment))
	if err != nil {
		return nil, ErrPoint
	}
	for _, p := range points {
		if !p.IsTorsionFree() {
			return nil, ErrPoint
		}
	}
	return points, nil
}

// challenge returns the Blake2b hash, as a scalar, of everything but the answers.
// Source: crate monero-fcmp-plus-plus, sal/mod.rs, challenge; lib.rs, transcript.
func (spend *Spend) challenge() *edwards.Scalar {
	in := &spend.Input
	var hash [64]byte
	blake2b.Sum(hash[:], nil, "", spend.Message[:], in.Key[:], in.Generator[:], in.Commitment[:], in.R[:],
		spend.KeyImage[:], spend.Proof[:SpendProofSize/2])
	e, err := edwards.NewScalar().SetUniformBytes(hash[:])
	if err != nil {
		panic("fcmp: a hash has 64 bytes: " + err.Error())
	}
	return e
}
