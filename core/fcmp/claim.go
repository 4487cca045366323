package fcmp

import gbp "glim/core/crypto/generalizedbulletproofs"

const word = 128 // committed numbers are allocated in words

// xyVariables is a point in a circuit.
type xyVariables struct{ x, y gbp.Variable }

// claim is where the witness of a discrete logarithm is among the committed numbers of a circuit: that a point is a
// multiple of a generator.
type claim struct {
	coefficients int // of the logarithm to powers of 2: index of the first
	divisor      int // coefficients of the divisor: index of the first
	point        xyVariables
}

// inputClaims are the claims of an input's blinds: of T, U, V, T and G.
type inputClaims struct{ key, generator, v, r, commitment claim }

// claimWords and divisorWords are what a claim and a divisor alone take.
const (
	claimWords   = 4
	divisorWords = 2
)

// claimAt returns the claim whose words begin at index first. Of two words with the coefficients of the logarithm, the
// last number is x; of two with the divisor's coefficients, it is y.
// Source: fcmps, tape.rs, append_claimed_point.
func claimAt(first int) claim {
	c := claim{coefficients: first, divisor: first + (claimWords-divisorWords)*word}
	c.point = xyVariables{gbp.Committed(c.xIndex()), gbp.Committed(c.yIndex())}
	return c
}

// xIndex and yIndex return where the coordinates of the claimed point are.
func (c claim) xIndex() int { return c.divisor - 1 }
func (c claim) yIndex() int { return c.divisor + divisorWords*word - 1 }

// spareIndex returns where x of the spare point is, which y follows.
func (c claim) spareIndex() int { return c.coefficients + bits25519 }

// spare returns a point in the two numbers that follow the 253 coefficients of a logarithm on Ed25519.
func (c claim) spare() xyVariables {
	return xyVariables{gbp.Committed(c.spareIndex()), gbp.Committed(c.spareIndex() + 1)}
}

// Numbers of coefficients of logarithms: bits of scalars.
const (
	bits25519  = 253
	bitsHelios = 255
	bitsSelene = 255
)
