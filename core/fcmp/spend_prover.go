package fcmp

import (
	"io"

	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// ProveSpend returns the blinded output with its key image x·I and a proof that the owner of output allows the
// transaction with a message. x and y open its key: O = x·G + y·T. The commitment is part of what is signed, so all
// blinds must be final.
//
// It returns ErrSecret if x and y do not open the output, or x is 0, an error of Output.Blind, or that of rand.
// Otherwise its time does not depend on secrets: x, y, blinds and output. Nonces are a hash of 64 bytes of rand, the
// secrets and everything signed, so that bad randomness alone does not reveal secrets.
// Source: crate monero-fcmp-plus-plus, sal/mod.rs, prove.
func ProveSpend(
	rand io.Reader, rules *carrot.Rules, message [size]byte, output *Output, blinds *Blinds, x, y *edwards.Scalar,
) (*Spend, error) {
	t, u, v, err := generators(rules)
	if err != nil {
		return nil, err
	}
	points, err := output.points()
	if err != nil {
		return nil, err
	}
	if x == nil || y == nil || x.Equal(edwards.NewScalar()) == 1 {
		return nil, ErrSecret
	}
	spend := &Spend{Message: message, Proof: make([]byte, SpendProofSize)}
	if spend.Input, err = points.blind(rules, blinds); err != nil {
		return nil, err
	}
	p := &spendProver{x: x, r2: blinds.Generator, y: edwards.NewScalar(), z: edwards.NewScalar()}
	defer p.wipe()
	p.y.Add(y, blinds.Key)
	p.z.Multiply(x, blinds.Generator)

	// The key and the key image, before nonces are drawn.
	sums := edwards.Sums{Secret: true}
	sums.Add(x, sums.Point(edwards.Base()))
	sums.Add(y, sums.Point(t))
	sums.End()
	sums.Add(x, sums.Point(points.generator))
	sums.End()
	made := sums.Make()
	if !made[0].Equal(points.key) {
		return nil, ErrSecret
	}
	spend.KeyImage = made[1].Encode()
	if err := p.draw(rand, spend, blinds); err != nil {
		return nil, err
	}
	blinded, err := edwards.DecodePoint(spend.Input.Generator)
	if err != nil {
		return nil, err
	}
	copy(spend.Proof, p.commit(t, u, v, blinded))
	p.answer(spend.Proof[SpendProofSize/2:], spend.challenge(), blinds.R)
	return spend, nil
}

// Nonces of a proof: α, β, δ and μ of the first equation, those of y, z and r_P − y − r₃, and r_P, the blind
// of P.
const (
	nonceAlpha = iota
	nonceBeta
	nonceDelta
	nonceMu
	nonceY
	nonceZ
	nonceRP
	nonceBlind
	nonceCount
)

// spendProver has the secrets of a proof.
type spendProver struct {
	x, r2  *edwards.Scalar // the caller's
	y, z   *edwards.Scalar // of the blinded key; x·r₂
	nonces [nonceCount]*edwards.Scalar
}

func (p *spendProver) wipe() {
	for _, s := range append(p.nonces[:], p.y, p.z) {
		if s != nil {
			edwards.Wipe(s)
		}
	}
}

// draw sets the nonces.
func (p *spendProver) draw(rand io.Reader, spend *Spend, blinds *Blinds) error {
	var secret [64 + 6*size]byte
	defer clear(secret[:])
	if _, err := io.ReadFull(rand, secret[:64]); err != nil {
		return err
	}
	scalars := []*edwards.Scalar{p.x, p.y, blinds.Key, blinds.Generator, blinds.R, blinds.Commitment}
	for i, s := range scalars {
		b := edwards.EncodeScalar(s)
		copy(secret[64+i*size:], b[:])
		clear(b[:])
	}
	in := &spend.Input
	seed := keccak.Sum256([]byte("glim_fcmp_spend_seed"), secret[:], spend.Message[:], in.Key[:], in.Generator[:],
		in.R[:], in.Commitment[:], spend.KeyImage[:])
	defer clear(seed[:])
	for i := range p.nonces {
		p.nonces[i] = edwards.HashToScalar([]byte("glim_fcmp_spend_nonce"), seed[:], []byte{byte(i)})
	}
	return nil
}

// commit returns the encoded P, A, B, R_O, R_P and R_L. blinded is Ĩ.
func (p *spendProver) commit(t, u, v, blinded *edwards.Point) []byte {
	n := &p.nonces
	minusZ, crossed, both := edwards.NewScalar(), edwards.NewScalar(), edwards.NewScalar()
	defer edwards.Wipe(minusZ)
	defer edwards.Wipe(crossed)
	defer edwards.Wipe(both)
	minusZ.Negate(n[nonceZ])
	crossed.Multiply(n[nonceAlpha], p.r2)
	crossed.MultiplyAdd(n[nonceBeta], p.x, crossed) // α·r₂ + β·x
	both.Multiply(n[nonceAlpha], n[nonceBeta])

	type terms []struct {
		scalar *edwards.Scalar
		point  int
	}
	sums := edwards.Sums{Secret: true}
	onG, onT, onU, onV := sums.Point(edwards.Base()), sums.Point(t), sums.Point(u), sums.Point(v)
	onI := sums.Point(blinded)
	for _, sum := range []terms{
		{{p.x, onG}, {p.r2, onV}, {p.z, onU}, {n[nonceBlind], onT}},
		{{n[nonceAlpha], onG}, {n[nonceBeta], onV}, {crossed, onU}, {n[nonceDelta], onT}},
		{{both, onU}, {n[nonceMu], onT}},
		{{n[nonceAlpha], onG}, {n[nonceY], onT}},
		{{n[nonceZ], onU}, {n[nonceRP], onT}},
		{{n[nonceAlpha], onI}, {minusZ, onU}},
	} {
		for _, term := range sum {
			sums.Add(term.scalar, term.point)
		}
		sums.End()
	}
	var out []byte
	for _, b := range edwards.EncodePoints(sums.Make()...) {
		out = append(out, b[:]...)
	}
	return out
}

// answer writes the answers to challenge e.
func (p *spendProver) answer(out []byte, e, r3 *edwards.Scalar) {
	n := &p.nonces
	var answers [scalarCount]*edwards.Scalar
	for i := range answers {
		answers[i] = edwards.NewScalar()
	}
	answers[scalarAlpha].MultiplyAdd(e, p.x, n[nonceAlpha])
	answers[scalarBeta].MultiplyAdd(e, p.r2, n[nonceBeta])
	delta := answers[scalarDelta] // μ + e·(δ + e·r_P)
	delta.MultiplyAdd(e, n[nonceBlind], n[nonceDelta])
	delta.MultiplyAdd(e, delta, n[nonceMu])
	answers[scalarY].MultiplyAdd(e, p.y, n[nonceY])
	answers[scalarZ].MultiplyAdd(e, p.z, n[nonceZ])
	rest := answers[scalarRP] // r_P − y − r₃
	rest.Subtract(n[nonceBlind], p.y)
	rest.Subtract(rest, r3)
	rest.MultiplyAdd(e, rest, n[nonceRP])
	for i, s := range answers {
		b := edwards.EncodeScalar(s)
		copy(out[i*size:], b[:])
	}
}
