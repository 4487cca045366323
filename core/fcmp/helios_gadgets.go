package fcmp

import (
	"glim/core/crypto/helioselene"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// heliosGadgets builds a circuit on Helios. Its gadgets are about points whose coordinates are scalars of Helios. The
// order and the signs of constraints are those of the Rust crates, as proofs depend on them.
type heliosGadgets struct{ *gbp.HeliosCircuit }

// heliosXY is a public point.
type heliosXY struct{ x, y helioselene.Element }

// heliosWeierstrass is the curve y² = x³ + a·x + b.
type heliosWeierstrass struct{ a, b helioselene.Element }

// plus adds a constant to the constraint that is being built.
func (c heliosGadgets) plus(constant *helioselene.Element) { c.AddConstant(constant) }

// minus subtracts a constant from the constraint that is being built.
func (c heliosGadgets) minus(constant *helioselene.Element) {
	var t helioselene.Element
	c.AddConstant(t.Negate(constant))
}

// product returns the output of a row whose left and right variables are a and b.
func (c heliosGadgets) product(a, b gbp.Variable) gbp.Variable {
	row := c.Row()
	c.Constrain()
	c.Plus(a)
	c.Minus(gbp.Left(row))
	c.Constrain()
	c.Plus(b)
	c.Minus(gbp.Right(row))
	return gbp.Output(row)
}

// one makes the output of a row 1, so that its left and right variables are each other's inverses.
func (c heliosGadgets) one(row int) {
	var one helioselene.Element
	c.Constrain()
	c.Plus(gbp.Output(row))
	c.minus(one.SetUint64(1))
}

// onCurve constrains p to be on a curve.
// Source: ec-gadgets, lib.rs, on_curve.
func (c heliosGadgets) onCurve(curve *heliosWeierstrass, p xyVariables) {
	xx := c.product(p.x, p.x)
	xxx := c.product(xx, p.x)
	yy := c.product(p.y, p.y)
	var minusA helioselene.Element
	c.Constrain()
	c.Plus(yy)
	c.Minus(xxx)
	c.Add(p.x, minusA.Negate(&curve.a))
	c.minus(&curve.b)
}

// sum constrains p + q to be r, for points on a curve, and the x of p and q to differ.
// Source: ec-gadgets, lib.rs, incomplete_add_fixed.
func (c heliosGadgets) sum(p *heliosXY, q, r xyVariables) {
	row := c.Row() // of q.x − p.x and its inverse
	c.Constrain()
	c.Plus(q.x)
	c.minus(&p.x)
	c.Minus(gbp.Left(row))
	c.one(row)

	row = c.Row() // slope·(q.x − p.x) = q.y − p.y
	slope := gbp.Left(row)
	c.Constrain()
	c.Plus(q.x)
	c.minus(&p.x)
	c.Minus(gbp.Right(row))
	c.Constrain()
	c.Plus(gbp.Output(row))
	c.Minus(q.y)
	c.plus(&p.y)

	row = c.Row() // slope·(r.x − p.x) = −r.y − p.y
	c.Constrain()
	c.Plus(slope)
	c.Minus(gbp.Left(row))
	c.Constrain()
	c.Plus(r.x)
	c.minus(&p.x)
	c.Minus(gbp.Right(row))
	c.Constrain()
	c.Plus(gbp.Output(row))
	c.Plus(r.y)
	c.plus(&p.y)

	square := c.product(slope, slope) // slope² = p.x + q.x + r.x
	c.Constrain()
	c.Plus(square)
	c.Minus(q.x)
	c.Minus(r.x)
	c.minus(&p.x)
}

// member constrains a tuple of numbers to be one of the committed tuples that begin at index first and follow each
// other. factors combine a tuple into one number.
// Source: fcmps, gadgets/interactive.rs, tuple_member_of_list; gadgets/mod.rs, member_of_list.
func (c heliosGadgets) member(tuple []gbp.Variable, factors []helioselene.Element, first, tuples int) {
	opposite := make([]helioselene.Element, len(factors))
	for i := range factors {
		opposite[i].Negate(&factors[i])
	}
	difference := func(i int) { // adds committed tuple i minus the tuple
		c.AddCommitted(first+i*len(tuple), factors)
		for j := range tuple {
			c.Add(tuple[j], &opposite[j])
		}
	}
	var carry gbp.Variable // the product of the differences so far
	for i := 1; i < tuples; i++ {
		row := c.Row()
		c.Constrain()
		if i == 1 {
			difference(0)
		} else {
			c.Plus(carry)
		}
		c.Minus(gbp.Left(row))
		c.Constrain()
		difference(i)
		c.Minus(gbp.Right(row))
		carry = gbp.Output(row)
	}
	c.Constrain()
	c.Plus(carry)
}

// layer constrains the hash of a child to be in a branch. blinded is the child with a blind, public, and claim shows
// its blind.
// Source: fcmps, circuit.rs, additional_layer; lib.rs, input.
func (c heliosGadgets) layer(
	curve *heliosWeierstrass, challenge *heliosChallenge, blinded *heliosXY, claim claim, branch, width int,
) {
	row := c.GivenRow() // its variables precede the constraints that define them
	hash := xyVariables{gbp.Left(row), gbp.Right(row)}
	c.logarithm(curve, challenge, 0, claim)
	c.onCurve(curve, hash)
	c.sum(blinded, claim.point, hash)
	one := make([]helioselene.Element, 1)
	one[0].SetUint64(1)
	c.member([]gbp.Variable{hash.x}, one, branch, width)
}
