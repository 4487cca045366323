package bulletproofsplus

import (
	"encoding/binary"
	"io"
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/internal/parallel"
)

// Prove returns a proof that all amounts are in range, and the commitments masks[i]·G + amounts[i]·H, as in the outPk
// of a transaction. It returns ErrCount if there are no amounts, more than MaxOutputs, or a different number of masks,
// or if a mask is nil; otherwise the error is rand's.
//
// It is constant time in the amounts and masks. Its time depends on their number, and on the challenges, which are
// public. The nonces are a hash of 64 bytes of rand, the amounts and the masks, so that bad randomness alone reveals
// nothing.
// Source: eprint 2020/735, sections 4 and 5; src/ringct/bulletproofs_plus.cc, bulletproof_plus_PROVE.
func Prove(rand io.Reader, amounts []uint64, masks []*edwards.Scalar) (Proof, [][32]byte, error) {
	if len(amounts) == 0 || len(amounts) > MaxOutputs || len(masks) != len(amounts) {
		return Proof{}, nil, ErrCount
	}
	if slices.Contains(masks, nil) {
		return Proof{}, nil, ErrCount
	}
	secrets := make([]byte, 0, 40*len(amounts))
	defer func() { clear(secrets[:cap(secrets)]) }()
	for i := range amounts {
		secrets = binary.LittleEndian.AppendUint64(secrets, amounts[i])
		mask := edwards.EncodeScalar(masks[i])
		secrets = append(secrets, mask[:]...)
		clear(mask[:])
	}
	nonces, err := newStream(rand, secrets)
	if err != nil {
		return Proof{}, nil, err
	}
	defer nonces.wipe()

	commitments := make([][32]byte, len(amounts))
	divided := make([][32]byte, len(amounts))
	for i := range amounts {
		c := commitEighth(edwards.ScalarFromUint64(amounts[i]), masks[i])
		both := edwards.EncodePoints(c, new(edwards.Point).MultByCofactor(c))
		divided[i], commitments[i] = both[0], both[1]
	}
	for {
		p := newProver(amounts, masks, nonces)
		proof, ok := p.prove(newTranscript(divided))
		p.wipe()
		if ok { // a challenge is zero with negligible probability
			return proof, commitments, nil
		}
	}
}

// prover is the state of one attempt. Each round folds the vectors a, b, G and H to half their length.
//
// The early rounds take advantage of the fact that the secrets are bits. A folded a is a sum of blocks of bits times
// public factors, plus a public vector, and folded generators are sums of blocks of generators. So the secret part of
// L and R is a sum of subsets of generators, each times a public number, and only the selection of the subsets must be
// constant time. After these rounds the generators are folded until there are few. The later rounds multiply them by
// secret numbers, which include the factors of further folding.
type prover struct {
	amounts []uint64
	masks   []*edwards.Scalar
	nonces  *stream

	bits   []byte // bits of all amounts, least significant first, padded with zeros
	tg, th []*edwards.Table

	a, b  []edwards.Scalar // secret
	alpha *edwards.Scalar  // secret: mask of the commitment so far

	yPowers, yInvPowers []edwards.Scalar

	// G[i] = Σ foldG[m]·g[i+m·s] and H[i] = Σ foldH[m]·h[i+m·s], where s is the current length of the vectors. In
	// later rounds g and h are the folded generators. In early rounds a[i] = Σ foldA[m]·bits[i+m·s] + shiftA and b[i]
	// = Σ foldB[m]·bits[i+m·s] + shiftB[i].
	foldA, foldB, foldG, foldH []edwards.Scalar
	shiftA                     edwards.Scalar
	shiftB                     []edwards.Scalar

	g, h []*edwards.Point // folded generators of the later rounds
}

func newProver(amounts []uint64, masks []*edwards.Scalar, nonces *stream) *prover {
	outputs := 1 << (rounds(len(amounts)) - logAmountBits)
	p := &prover{amounts: amounts, masks: masks, nonces: nonces, bits: make([]byte, amountBits*outputs)}
	for j, v := range amounts {
		for i := range amountBits {
			p.bits[j*amountBits+i] = byte(v >> i & 1)
		}
	}
	p.tg, p.th = generators(outputs)
	return p
}

// earlyRounds returns how many of all rounds work on bits. Each further round doubles the number of subsets and halves
// the work of folding later; the numbers are measured.
func earlyRounds(all int) int {
	if all <= logAmountBits+1 {
		return 3
	}
	return 4
}

// prove returns false if a challenge is zero.
func (p *prover) prove(t *transcript) (Proof, bool) {
	all := rounds(len(p.amounts))
	proof := Proof{A: p.commitBits(), L: make([][32]byte, all), R: make([][32]byte, all)}
	y, z := t.challengeYZ(proof.A)
	if isZero(y) || isZero(z) {
		return Proof{}, false
	}
	p.start(y, z)
	for k := range all {
		if !p.round(t, &proof, k) {
			return Proof{}, false
		}
	}
	if !p.finish(t, &proof, y) {
		return Proof{}, false
	}
	return proof, true
}

// commitBits draws alpha and returns A = (α·G + Σ bit·g + Σ (bit − 1)·h)/8.
func (p *prover) commitBits() [32]byte {
	p.alpha = p.nonces.next()
	flipped := make([]byte, len(p.bits))
	for i, b := range p.bits {
		flipped[i] = 1 - b
	}
	bitsG, bitsH := new(edwards.Point), new(edwards.Point)
	parallel.For(2, func(i int) {
		if i == 0 {
			bitsG.Sum(p.bits, p.tg)
		} else {
			bitsH.Sum(flipped, p.th)
		}
	})
	clear(flipped)
	a := eighth(bitsG.Subtract(bitsG, bitsH))
	return a.Add(a, new(edwards.Point).ScalarBaseMult(mul(p.alpha, invEight))).Encode()
}

// round writes L and R of round k, counted from 0, and folds the vectors. It returns false if the challenge is zero.
func (p *prover) round(t *transcript, proof *Proof, k int) bool {
	early := earlyRounds(len(proof.L))
	half := len(p.bits) >> (k + 1)
	if k == early {
		p.foldGenerators(2 * half)
	} else if k > early {
		p.foldAgain(2 * half)
	}
	yHalf, yInvHalf := &p.yPowers[half], &p.yInvPowers[half]
	cL := p.product(p.a[:half], p.b[half:], one)
	cR := p.product(p.a[half:], p.b[:half], yHalf)
	dL, dR := p.nonces.next(), p.nonces.next()
	parallel.For(2, func(i int) {
		to, low, high, factor, c, d := &proof.L[k], 0, half, yInvHalf, cL, dL
		if i == 1 {
			to, low, high, factor, c, d = &proof.R[k], half, 0, yHalf, cR, dR
		}
		if k >= early {
			*to = p.late(low, high, factor, c, d).Encode()
			return
		}
		q := p.early(low, high, factor)
		*to = q.Add(q, commitEighth(c, d)).Encode()
	})

	x := t.challenge(proof.L[k], proof.R[k])
	if isZero(x) {
		return false
	}
	xInv := edwards.NewScalar().Invert(x)
	p.fold(x, xInv, half, k < early)
	p.alpha.MultiplyAdd(dL, mul(x, x), p.alpha)
	p.alpha.MultiplyAdd(dR, mul(xInv, xInv), p.alpha)
	for _, s := range []*edwards.Scalar{cL, cR, dL, dR} {
		s.Set(zero)
	}
	return true
}

// finish proves the vectors of length 1. It writes A1 = (r·G' + s·H' + d·G + y·(r·b + s·a)·H)/8, B = (η·G + r·y·s·H)/8
// and the responses to their challenge. It returns false if the challenge is zero.
func (p *prover) finish(t *transcript, proof *Proof, y *edwards.Scalar) bool {
	r, s, d, eta := p.nonces.next(), p.nonces.next(), p.nonces.next(), p.nonces.next()
	cross := mul(r, &p.b[0])
	cross.MultiplyAdd(s, &p.a[0], cross)
	cross.Multiply(cross, y)
	sum := edwards.Sums{Secret: true}
	p.addFolded(&sum, 0, p.g, p.foldG, r)
	p.addFolded(&sum, 0, p.h, p.foldH, s)
	proof.A1 = p.withCommitment(&sum, cross, d).Encode()
	proof.B = commitEighth(mul(mul(r, y), s), eta).Encode()
	e := t.challenge(proof.A1, proof.B)
	if isZero(e) {
		return false
	}
	proof.R1 = edwards.EncodeScalar(edwards.NewScalar().MultiplyAdd(&p.a[0], e, r))
	proof.S1 = edwards.EncodeScalar(edwards.NewScalar().MultiplyAdd(&p.b[0], e, s))
	eta.MultiplyAdd(d, e, eta)
	proof.D1 = edwards.EncodeScalar(eta.MultiplyAdd(p.alpha, mul(e, e), eta))
	for _, x := range []*edwards.Scalar{r, s, d, eta, cross} {
		x.Set(zero)
	}
	return true
}

// start sets the vectors that are folded: a = bits − z, b = bits − 1 + z + d[i]·y^(n−i).
func (p *prover) start(y, z *edwards.Scalar) {
	n := len(p.bits)
	p.yPowers = powers(y, n+2)
	p.yInvPowers = powers(edwards.NewScalar().Invert(y), n)
	d := windows(z, n/amountBits)
	p.a, p.b, p.shiftB = make([]edwards.Scalar, n), make([]edwards.Scalar, n), make([]edwards.Scalar, n)
	p.shiftA.Negate(z)
	zMinusOne := edwards.NewScalar().Subtract(z, one)
	for i, bit := range p.bits {
		s := edwards.ScalarFromUint64(uint64(bit))
		p.a[i].Add(s, &p.shiftA)
		p.shiftB[i].MultiplyAdd(&d[i], &p.yPowers[n-i], zMinusOne)
		p.b[i].Add(s, &p.shiftB[i])
	}
	power := edwards.NewScalar().Set(&p.yPowers[n+1]) // y^(n+1)·z^(2(j+1))
	z2 := mul(z, z)
	for _, mask := range p.masks {
		power.Multiply(power, z2)
		p.alpha.MultiplyAdd(power, mask, p.alpha)
	}
	p.foldA, p.foldB, p.foldG, p.foldH = powers(one, 1), powers(one, 1), powers(one, 1), powers(one, 1)
}

// product returns factor·Σ a[i]·b[i]·y^(i+1).
func (p *prover) product(a, b []edwards.Scalar, factor *edwards.Scalar) *edwards.Scalar {
	sum, t := edwards.NewScalar(), edwards.NewScalar()
	for i := range a {
		t.Multiply(&a[i], &b[i])
		sum.MultiplyAdd(t, &p.yPowers[i+1], sum)
	}
	t.Set(zero)
	return sum.Multiply(sum, factor)
}

// early returns (factor·Σ a[i+low]·G[i+high] + Σ b[i+high]·H[i+low])/8. One of low and high is 0 and the other half
// the length of the vectors.
func (p *prover) early(low, high int, factor *edwards.Scalar) *edwards.Point {
	half := low + high
	size := 2 * half
	var scalars, fixed []*edwards.Scalar
	var points []*edwards.Point
	var tables []*edwards.Table
	term := func(s *edwards.Scalar, q *edwards.Point) {
		scalars = append(scalars, s)
		points = append(points, q)
	}
	eighthFactor := mul(factor, invEight)
	ones := make([]byte, half)
	for i := range ones {
		ones[i] = 1
	}
	for i := range p.foldG {
		g := p.tg[i*size+high:][:half]
		h := p.th[i*size+low:][:half]
		onG, onH := mul(&p.foldG[i], eighthFactor), mul(&p.foldH[i], invEight)
		for j := range p.foldA {
			term(mul(onG, &p.foldA[j]), new(edwards.Point).Sum(p.bits[j*size+low:][:half], g))
			term(mul(onH, &p.foldB[j]), new(edwards.Point).Sum(p.bits[j*size+high:][:half], h))
		}
		term(mul(onG, &p.shiftA), new(edwards.Point).Sum(ones, g))
		for j, t := range h {
			fixed = append(fixed, mul(onH, &p.shiftB[high+j]))
			tables = append(tables, t)
		}
	}
	return new(edwards.Point).PublicScalarsMult(fixed, tables, scalars, points)
}

// late returns (factor·Σ a[i+low]·G[i+high] + Σ b[i+high]·H[i+low] + c·H + d·G)/8, in constant time.
func (p *prover) late(low, high int, factor, c, d *edwards.Scalar) *edwards.Point {
	sum := edwards.Sums{Secret: true}
	for i := range low + high {
		t := mul(&p.a[low+i], factor)
		p.addFolded(&sum, high+i, p.g, p.foldG, t)
		p.addFolded(&sum, low+i, p.h, p.foldH, &p.b[high+i])
		t.Set(zero)
	}
	return p.withCommitment(&sum, c, d)
}

// addFolded adds secret/8 times element i of the vector that is folded from points by factors.
func (p *prover) addFolded(
	sum *edwards.Sums, i int, points []*edwards.Point, factors []edwards.Scalar, secret *edwards.Scalar,
) {
	length := len(points) / len(factors)
	eighth := mul(secret, invEight)
	for m := range factors {
		t := mul(eighth, &factors[m])
		sum.Add(t, sum.Point(points[i+m*length]))
		t.Set(zero)
	}
	eighth.Set(zero)
}

// withCommitment ends a secret sum and returns it plus (c·H + d·G)/8.
func (p *prover) withCommitment(sum *edwards.Sums, c, d *edwards.Scalar) *edwards.Point {
	sum.End()
	q := commitEighth(c, d)
	return q.Add(q, sum.Make()[0])
}

// foldGenerators computes the folded generators, size of each kind, from the factors of the early rounds.
func (p *prover) foldGenerators(size int) {
	p.g, p.h = foldBoth(size, p.foldG, p.foldH, func(sums *edwards.Sums, kind, i int) int {
		return sums.Table([][]*edwards.Table{p.tg, p.th}[kind][i])
	})
	p.foldG, p.foldH = powers(one, 1), powers(one, 1)
}

// foldAgain folds the folded generators while there are more than 16.
func (p *prover) foldAgain(size int) {
	if len(p.g) <= 16 {
		return
	}
	g, h := p.g, p.h
	p.g, p.h = foldBoth(size, p.foldG, p.foldH, func(sums *edwards.Sums, kind, i int) int {
		return sums.Point([][]*edwards.Point{g, h}[kind][i])
	})
	p.foldG, p.foldH = powers(one, 1), powers(one, 1)
}

// foldBoth returns Σ factors[m]·points[i+m·size] for every i below size and both kinds of generators.
func foldBoth(
	size int, onG, onH []edwards.Scalar, name func(sums *edwards.Sums, kind, i int) int,
) (g, h []*edwards.Point) {
	parallel.For(2, func(kind int) {
		to, factors := &g, onG
		if kind == 1 {
			to, factors = &h, onH
		}
		var sums edwards.Sums
		for i := range size {
			for m := range factors {
				sums.Add(&factors[m], name(&sums, kind, i+m*size))
			}
			sums.End()
		}
		*to = sums.Make()
	})
	return g, h
}

// fold halves the vectors by challenge x:
// a = x·a + x⁻¹·yʰ·a', b = x⁻¹·b + x·b', G = x⁻¹·G + x·y⁻ʰ·G', H = x·H + x⁻¹·H', where ' marks the upper half.
func (p *prover) fold(x, xInv *edwards.Scalar, half int, early bool) {
	xInvY, xYInv := mul(xInv, &p.yPowers[half]), mul(x, &p.yInvPowers[half])
	halve := func(v []edwards.Scalar, lower, upper *edwards.Scalar) []edwards.Scalar {
		for i := range half {
			v[i].Multiply(&v[i], lower)
			v[i].MultiplyAdd(&v[half+i], upper, &v[i])
		}
		clear(v[half:])
		return v[:half]
	}
	p.a, p.b = halve(p.a, x, xInvY), halve(p.b, xInv, x)
	split := func(v []edwards.Scalar, lower, upper *edwards.Scalar) []edwards.Scalar {
		out := make([]edwards.Scalar, 2*len(v))
		for m := range v {
			out[2*m].Multiply(&v[m], lower)
			out[2*m+1].Multiply(&v[m], upper)
		}
		return out
	}
	p.foldG, p.foldH = split(p.foldG, xInv, xYInv), split(p.foldH, x, xInv)
	if !early {
		return
	}
	p.foldA, p.foldB = split(p.foldA, x, xInvY), split(p.foldB, xInv, x)
	p.shiftA.Multiply(&p.shiftA, edwards.NewScalar().Add(x, xInvY))
	p.shiftB = halve(p.shiftB, xInv, x)
}

func (p *prover) wipe() {
	clear(p.bits)
	clear(p.a)
	clear(p.b)
	p.alpha.Set(zero)
}

// eighth returns q/8. Its time does not depend on q.
func eighth(q *edwards.Point) *edwards.Point {
	return new(edwards.Point).PublicScalarsMult(nil, nil, []*edwards.Scalar{invEight}, []*edwards.Point{q})
}

// commitEighth returns (c·H + d·G)/8, in constant time.
func commitEighth(c, d *edwards.Scalar) *edwards.Point {
	q := new(edwards.Point).ScalarMultH(mul(c, invEight))
	return q.Add(q, new(edwards.Point).ScalarBaseMult(mul(d, invEight)))
}
