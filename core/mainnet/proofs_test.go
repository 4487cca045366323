package mainnet

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/tx"
)

// amountBits is the number of bits of an amount.
const amountBits = 64

var errFalse = errors.New("the proof is false")

// verifyRangeProofs verifies the range proofs of a transaction and refuses them for another commitment.
func verifyRangeProofs(t *testing.T, x *tx.Transaction) {
	t.Helper()
	other := append([][32]byte(nil), x.RingCT.Commitments...)
	other[0] = new(edwards.Point).Add(point(t, other[0]), edwards.H()).Encode()
	p := x.RingCT.Prunable
	switch {
	case len(p.BulletproofsPlus) == 1:
		proofs := []bulletproofsplus.Proof{bulletproofsplus.Proof(p.BulletproofsPlus[0])}
		require.NoError(t, bulletproofsplus.Verify(rand.Reader, proofs, [][][32]byte{x.RingCT.Commitments}))
		require.Error(t, bulletproofsplus.Verify(rand.Reader, proofs, [][][32]byte{other}))
	case len(p.Bulletproofs) == 1:
		require.NoError(t, verifyBulletproof(&p.Bulletproofs[0], x.RingCT.Commitments))
		require.ErrorIs(t, verifyBulletproof(&p.Bulletproofs[0], other), errFalse)
	default:
		require.Len(t, p.RangeSigs, len(x.Outputs))
		for i := range p.RangeSigs {
			require.NoError(t, verifyBorromean(&p.RangeSigs[i], x.RingCT.Commitments[i]))
		}
		require.ErrorIs(t, verifyBorromean(&p.RangeSigs[0], other[0]), errFalse)
	}
}

// verifyBalance checks that inputs and outputs balance: pseudo outputs = outputs + fee·H. In a transaction of type full
// that is part of its only ring signature, which takes the ring.
func verifyBalance(t *testing.T, x *tx.Transaction) {
	t.Helper()
	pseudoOuts := x.RingCT.Prunable.PseudoOuts
	switch x.RingCT.Type {
	case tx.RingCTFull:
		return
	case tx.RingCTSimple:
		pseudoOuts = x.RingCT.PseudoOuts
	}
	require.Len(t, pseudoOuts, len(x.Inputs))
	sum := new(edwards.Point).ScalarMultH(edwards.ScalarFromUint64(x.RingCT.Fee))
	for _, c := range x.RingCT.Commitments {
		sum.Add(sum, point(t, c))
	}
	for _, c := range pseudoOuts {
		sum.Subtract(sum, point(t, c))
	}
	require.True(t, sum.IsIdentity())
}

func point(t *testing.T, b [32]byte) *edwards.Point {
	t.Helper()
	p, err := edwards.DecodePoint(b)
	require.NoError(t, err)
	return p
}

// verifyBorromean verifies that commitment is to an amount of 64 bits: the bits' commitments sum to it, and one ring
// signature of 64 rings shows that each is to 0 or to its power of two. Source: src/ringct/rctSigs.cpp, verRange and
// verifyBorromean, release 0.18.5.1.
func verifyBorromean(p *tx.RangeSig, commitment [32]byte) error {
	ee, err := edwards.DecodeScalar(p.EE)
	if err != nil {
		return err
	}
	sum := edwards.Identity()
	var last []byte
	for i := range amountBits {
		bit, err := edwards.DecodePoint(p.C[i])
		if err != nil {
			return err
		}
		sum.Add(sum, bit)
		s0, err0 := edwards.DecodeScalar(p.S0[i])
		s1, err1 := edwards.DecodeScalar(p.S1[i])
		if err := errors.Join(err0, err1); err != nil {
			return err
		}
		first := new(edwards.Point).VarTimeDoubleScalarBaseMult(ee, bit, s0).Encode()
		without := new(edwards.Point).Subtract(bit, new(edwards.Point).ScalarMultH(edwards.ScalarFromUint64(1<<i)))
		second := new(edwards.Point).VarTimeDoubleScalarBaseMult(edwards.HashToScalar(first[:]), without, s1).Encode()
		last = append(last, second[:]...)
	}
	if edwards.EncodeScalar(edwards.HashToScalar(last)) != p.EE || sum.Encode() != commitment {
		return errFalse
	}
	return nil
}

// verifyBulletproof verifies an aggregated Bulletproof by its two equations, without batching them.
// Source: eprint 2017/1066, section 4; src/ringct/bulletproofs.cc, bulletproof_VERIFY, release 0.18.5.1.
func verifyBulletproof(p *tx.Bulletproof, commitments [][32]byte) error {
	rounds := len(p.L)
	amounts := 1 << bits.Len(uint(len(commitments)-1))
	n := amounts * amountBits
	if rounds != bits.Len(uint(n))-1 || len(p.R) != rounds {
		return errors.New("wrong number of rounds")
	}
	scalars, err := decodeScalars(p.TauX, p.Mu, p.InnerA, p.InnerB, p.T)
	if err != nil {
		return err
	}
	tauX, mu, a, b, t := scalars[0], scalars[1], scalars[2], scalars[3], scalars[4]
	eight := edwards.ScalarFromUint64(8)
	values := make([][32]byte, len(commitments)) // the commitments divided by 8, as the proof has its points
	for i, c := range commitments {
		v, err := edwards.DecodePoint(c)
		if err != nil {
			return err
		}
		values[i] = new(edwards.Point).ScalarMult(edwards.NewScalar().Invert(eight), v).Encode()
	}

	var hash transcript
	hash.set(values...)
	y := hash.next(p.A, p.S)
	z := hash.set(edwards.EncodeScalar(y))
	x := hash.next(edwards.EncodeScalar(z), p.T1, p.T2)
	xIP := hash.next(edwards.EncodeScalar(x), p.TauX, p.Mu, p.T)
	w := make([]*edwards.Scalar, rounds)
	for i := range w {
		w[i] = hash.next(p.L[i], p.R[i])
	}

	yPowers, zPowers := powers(y, n), powers(z, amounts+3)
	if err := checkPolynomial(p, values, polynomial{tauX, t, x, z, yPowers, zPowers}); err != nil {
		return err
	}
	return checkInnerProduct(p, innerProduct{mu, a, b, t, x, y, z, xIP, w, yPowers, zPowers})
}

// polynomial holds the scalars of the first equation.
type polynomial struct {
	tauX, t, x, z    *edwards.Scalar
	yPowers, zPowers []*edwards.Scalar
}

// checkPolynomial checks t·H + tauX·G = δ(y, z)·H + Σ z^(j+2)·V_j + x·T1 + x²·T2.
func checkPolynomial(p *tx.Bulletproof, values [][32]byte, s polynomial) error {
	sumY := sum(s.yPowers)
	delta := mul(sub(s.z, s.zPowers[2]), sumY)
	for j := range len(s.zPowers) - 3 {
		delta = sub(delta, mul(s.zPowers[j+3], edwards.ScalarFromUint64(1<<64-1)))
	}
	var e equation
	e.add(s.tauX, edwards.Base())
	e.add(sub(s.t, delta), edwards.H())
	for j, v := range values {
		e.addEncoded(neg(s.zPowers[j+2]), v)
	}
	e.addEncoded(neg(s.x), p.T1)
	e.addEncoded(neg(mul(s.x, s.x)), p.T2)
	return e.check()
}

// innerProduct holds the scalars of the second equation.
type innerProduct struct {
	mu, a, b, t, x, y, z, xIP *edwards.Scalar
	w                         []*edwards.Scalar // one challenge per round
	yPowers, zPowers          []*edwards.Scalar
}

// checkInnerProduct checks A + x·S + Σ (w²·L + w⁻²·R) − mu·G + (t − a·b)·xIP·H = Σ (g_i·G_i + h_i·H_i).
func checkInnerProduct(p *tx.Bulletproof, s innerProduct) error {
	var e equation
	e.addEncoded(edwards.ScalarFromUint64(1), p.A)
	e.addEncoded(s.x, p.S)
	inverses := make([]*edwards.Scalar, len(s.w))
	for i, w := range s.w {
		inverses[i] = edwards.NewScalar().Invert(w)
		e.addEncoded(mul(w, w), p.L[i])
		e.addEncoded(mul(inverses[i], inverses[i]), p.R[i])
	}
	e.add(neg(s.mu), edwards.Base())
	e.add(mul(sub(s.t, mul(s.a, s.b)), s.xIP), edwards.H())

	yInverses := powers(edwards.NewScalar().Invert(s.y), len(s.yPowers))
	for i := range s.yPowers {
		g, h := s.a, mul(s.b, yInverses[i])
		for round, w := range s.w { // the first round is the highest bit of i
			if i>>(len(s.w)-1-round)&1 == 1 {
				g, h = mul(g, w), mul(h, inverses[round])
			} else {
				g, h = mul(g, inverses[round]), mul(h, w)
			}
		}
		g = add(g, s.z)
		bit := mul(s.zPowers[2+i/amountBits], edwards.ScalarFromUint64(1<<(i%amountBits)))
		h = sub(h, mul(add(bit, mul(s.z, s.yPowers[i])), yInverses[i]))
		e.add(neg(g), generator(2*i+1))
		e.add(neg(h), generator(2*i))
	}
	return e.check()
}

// generator returns a generator of Bulletproofs: even numbers are those called H in the paper, odd ones G.
// Source: src/ringct/bulletproofs.cc, get_exponent, release 0.18.5.1.
func generator(number int) *edwards.Point {
	base := edwards.H().Encode()
	text := binary.AppendUvarint(append(base[:], "bulletproof"...), uint64(number))
	return edwards.HashToPoint(keccak.Sum256(text))
}

// equation is a sum that should be zero.
type equation struct {
	scalars []*edwards.Scalar
	points  []*edwards.Point
	err     error
}

func (e *equation) add(s *edwards.Scalar, p *edwards.Point) {
	e.scalars, e.points = append(e.scalars, s), append(e.points, p)
}

// addEncoded adds s·8·p: the points of a proof are divided by 8.
func (e *equation) addEncoded(s *edwards.Scalar, b [32]byte) {
	p, err := edwards.DecodePoint(b)
	if err != nil {
		e.err = err
		return
	}
	e.add(s, p.MultByCofactor(p))
}

func (e *equation) check() error {
	if e.err != nil {
		return e.err
	}
	if !new(edwards.Point).VarTimeMultiScalarMult(e.scalars, e.points).IsIdentity() {
		return errFalse
	}
	return nil
}

// transcript derives the challenges of a Bulletproof; each hashes the one before.
// Source: src/ringct/bulletproofs.cc, hash_cache_mash, release 0.18.5.1.
type transcript struct{ last [32]byte }

// set makes the hash of parts the last challenge and returns it.
func (h *transcript) set(parts ...[32]byte) *edwards.Scalar {
	var b []byte
	for _, p := range parts {
		b = append(b, p[:]...)
	}
	s := edwards.HashToScalar(b)
	h.last = edwards.EncodeScalar(s)
	return s
}

// next returns the challenge after the last one.
func (h *transcript) next(parts ...[32]byte) *edwards.Scalar {
	return h.set(append([][32]byte{h.last}, parts...)...)
}

func decodeScalars(list ...[32]byte) (out []*edwards.Scalar, err error) {
	for _, b := range list {
		s, err := edwards.DecodeScalar(b)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// powers returns the first n powers of s, beginning with 1.
func powers(s *edwards.Scalar, n int) []*edwards.Scalar {
	out := []*edwards.Scalar{edwards.ScalarFromUint64(1)}
	for len(out) < n {
		out = append(out, mul(out[len(out)-1], s))
	}
	return out
}

func sum(list []*edwards.Scalar) *edwards.Scalar {
	total := edwards.NewScalar()
	for _, s := range list {
		total.Add(total, s)
	}
	return total
}

func add(a, b *edwards.Scalar) *edwards.Scalar { return edwards.NewScalar().Add(a, b) }
func sub(a, b *edwards.Scalar) *edwards.Scalar { return edwards.NewScalar().Subtract(a, b) }
func mul(a, b *edwards.Scalar) *edwards.Scalar { return edwards.NewScalar().Multiply(a, b) }
func neg(a *edwards.Scalar) *edwards.Scalar    { return edwards.NewScalar().Negate(a) }
