package generalizedbulletproofs

import (
	"io"
	"math/bits"

	"glim/core/crypto/helioselene"
)

// HeliosArgument is a proof that is being read.
type HeliosArgument struct {
	Circuit *HeliosCircuit // to which the caller adds the constraints

	transcript  *Transcript
	commitments []helioselene.Helios
	sizes       []int
	a           []helioselene.Helios // A_I, A_O and S
	y           helioselene.Element
}

// BeginHelios reads the first part of a proof about a circuit with rows, a power of two, and the numbers in vector
// commitments. sizes are how many numbers of each commitment constraints may use, at most rows.
func BeginHelios(
	t *Transcript, rows int, commitments []helioselene.Helios, sizes []int,
) (a *HeliosArgument, err error) {
	a = &HeliosArgument{transcript: t, commitments: commitments, sizes: sizes}
	if a.a, err = t.heliosPoints(3); err != nil {
		return nil, err
	}
	if a.y, err = t.HeliosChallenge(); err != nil {
		return nil, err
	}
	z, err := t.HeliosChallenge()
	if err != nil {
		return nil, err
	}
	committed := 0
	for _, n := range sizes {
		committed += n
	}
	a.Circuit = newHeliosCircuit(rows, committed, &z)
	return a, nil
}

// Finish reads the rest of the proof and adds its equations to batch, each with a weight that is made of 64 bytes of
// rand.
// Source: arithmetic_circuit_proof.rs, verify. The README of core/fcmp has the equations.
func (a *HeliosArgument) Finish(rand io.Reader, batch *HeliosBatch) error {
	t, c := a.transcript, a.Circuit
	rows := len(c.left)
	middle := 2*len(a.commitments) + 2 // n'
	polynomial, err := t.heliosPoints(middle/2 + middle + 2)
	if err != nil {
		return err
	}
	challenge, err := t.HeliosChallenge()
	if err != nil {
		return err
	}
	answers, err := t.heliosScalars(3)
	if err != nil {
		return err
	}
	tau, mu, value := &answers[0], &answers[1], &answers[2]
	w, err := t.HeliosChallenge()
	if err != nil {
		return err
	}
	x := heliosPowers(&challenge, 2*middle+3)
	var inverse helioselene.Element
	y := heliosPowers(inverse.Invert(&a.y), rows) // of 1/y
	batch.grow(rows)

	// t·G + τ·H − x^n'·(⟨w_R ∘ y⁻ᵏ, w_L⟩ − κ)·G − Σ xᵏ·T_k = 0
	weight, err := randomHelios(rand)
	if err != nil {
		return err
	}
	var sum, s helioselene.Element
	for i := range c.right {
		c.right[i].Multiply(&c.right[i], &y[i])
		sum.Add(&sum, s.Multiply(&c.right[i], &c.left[i]))
	}
	sum.Subtract(&sum, &c.constant)
	sum.Multiply(&sum, &x[middle])
	sum.Subtract(value, &sum)
	batch.value.Add(&batch.value, s.Multiply(&weight, &sum))
	batch.blind.Add(&batch.blind, s.Multiply(&weight, tau))
	for i := range polynomial {
		k := middle/2 + i
		if k >= middle {
			k++
		}
		s.Multiply(&weight, &x[k])
		batch.Add(s.Negate(&s), &polynomial[i])
	}

	// The point that the inner-product argument opens.
	if weight, err = randomHelios(rand); err != nil {
		return err
	}
	for i := range x {
		x[i].Multiply(&x[i], &weight)
	}
	a.open(batch, x, y, &weight)
	batch.blind.Subtract(&batch.blind, s.Multiply(&weight, mu))
	return innerProductHelios(t, batch, y, &w, &weight, value)
}

// open adds the point that the inner-product argument opens, but for the terms of G and H. x are the powers of the
// challenge, times the weight of the equation, and y those of 1/y.
func (a *HeliosArgument) open(batch *HeliosBatch, x, y []helioselene.Element, weight *helioselene.Element) {
	c := a.Circuit
	middle := 2*len(a.commitments) + 2
	batch.Add(&x[middle/2], &a.a[0])
	batch.Add(&x[middle], &a.a[1])
	batch.Add(&x[middle+1], &a.a[2])
	for i := range a.commitments {
		batch.Add(&x[middle-1-i], &a.commitments[i])
	}
	var s helioselene.Element
	sums := c.output // of the factors of H, in place
	for i := range sums {
		sums[i].Multiply(&sums[i], &x[0])
		sums[i].Add(&sums[i], s.Multiply(&c.left[i], &x[middle/2]))
		batch.g[i].Add(&batch.g[i], s.Multiply(&c.right[i], &x[middle/2]))
	}
	begin := 0
	for j, n := range a.sizes {
		committed := c.committed[begin:][:n]
		for i := range committed {
			sums[i].Add(&sums[i], s.Multiply(&committed[i], &x[1+j]))
		}
		begin += n
	}
	for i := range sums {
		s.Multiply(&sums[i], &y[i])
		s.Subtract(&s, weight)
		batch.h[i].Add(&batch.h[i], &s)
	}
}

// innerProductHelios reads an inner-product argument and subtracts what it opens. value is the product that it is
// about, which the challenge w binds, and y are the factors of the generators H.
// Source: inner_product.rs, verify.
func innerProductHelios(
	t *Transcript, batch *HeliosBatch, y []helioselene.Element, w, weight, value *helioselene.Element,
) error {
	rounds := bits.Len(uint(len(y) - 1))
	challenges := make([]helioselene.Element, rounds)
	points := make([]helioselene.Helios, 0, 2*rounds)
	for i := range challenges {
		pair, err := t.heliosPoints(2)
		if err != nil {
			return err
		}
		points = append(points, pair...)
		if challenges[i], err = t.HeliosChallenge(); err != nil {
			return err
		}
	}
	last, err := t.heliosScalars(2)
	if err != nil {
		return err
	}
	inverses := append([]helioselene.Element{}, challenges...)
	helioselene.InvertElements(inverses)
	var s helioselene.Element
	for i := range challenges {
		s.Square(&challenges[i])
		batch.Add(s.Multiply(&s, weight), &points[2*i])
		s.Square(&inverses[i])
		batch.Add(s.Multiply(&s, weight), &points[2*i+1])
	}
	// products[k] is the product of all challenges or, for digits of k that are 0, their inverses.
	products := make([]helioselene.Element, 1, len(y))
	products[0] = *weight
	for i := range challenges {
		products = products[:2*len(products)]
		for k := len(products) - 2; k >= 0; k -= 2 {
			s = products[k/2]
			products[k].Multiply(&s, &inverses[i])
			products[k+1].Multiply(&s, &challenges[i])
		}
	}
	for i := range products {
		batch.g[i].Subtract(&batch.g[i], s.Multiply(&products[i], &last[0]))
		s.Multiply(&products[len(products)-1-i], &last[1])
		batch.h[i].Subtract(&batch.h[i], s.Multiply(&s, &y[i]))
	}
	s.Multiply(&last[0], &last[1])
	s.Subtract(value, &s)
	s.Multiply(&s, w)
	batch.value.Add(&batch.value, s.Multiply(&s, weight))
	return nil
}

// heliosPowers returns 1, x, x², … x^(n−1).
func heliosPowers(x *helioselene.Element, n int) []helioselene.Element {
	list := make([]helioselene.Element, n)
	list[0].SetUint64(1)
	for i := 1; i < n; i++ {
		list[i].Multiply(&list[i-1], x)
	}
	return list
}
