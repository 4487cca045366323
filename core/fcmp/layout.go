package fcmp

import (
	"math/bits"

	"glim/core/crypto/curvetree"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// Limits of membership proofs. Source: crate monero-fcmp-plus-plus-generators, lib.rs, MAX_FCMP_INPUTS and
// MAX_FCMP_LAYERS.
const (
	MaxInputs = 128
	MaxLayers = 12
)

// Rows of the circuits. Source: crate full-chain-membership-proofs, lib.rs.
const (
	leafRows      = 97 // on Selene, for each input
	seleneRows    = 52 // for each input and further layer of Selene
	heliosRows    = 32 // for each input and layer of Helios
	minSeleneRows = 256
	minHeliosRows = 128
)

const (
	openingSize = 2 * size // of the proof of the root's blind
	tupleSize   = 6        // numbers of a leaf
	leafWidth   = tupleSize * curvetree.SeleneWidth
)

// inputWords are the words of an input on Selene: four claims and a divisor.
const inputWords = 4*claimWords + divisorWords

// layout says where the numbers of a membership proof are. It follows from the numbers of inputs and layers.
type layout struct {
	inputs, layers int
	selene, helios curveLayout
}

// curveLayout is the part of a layout on one curve.
type curveLayout struct {
	rows     int
	sizes    []int // numbers that each vector commitment contains, without padding
	branches []int // index of the first number of each branch. Branches are the first commitments
	words    int   // index of the first word
}

func (c *curveLayout) branch(width int) {
	c.branches = append(c.branches, c.words)
	c.sizes = append(c.sizes, width)
	c.words += width
}

func (c *curveLayout) allocate(words int) {
	for rest := words * word; rest > 0; rest -= c.rows {
		c.sizes = append(c.sizes, min(rest, c.rows))
	}
}

// claim returns the claim that begins with the word that has an index.
func (c *curveLayout) claim(index int) claim { return claimAt(c.words + index*word) }

// elements returns the number of points and scalars on the curve.
func (c *curveLayout) elements() int { return len(c.sizes) + gbp.Elements(c.rows, len(c.sizes)) }

// newLayout returns the layout for numbers of inputs and layers, which must be positive.
// Source: crate full-chain-membership-proofs, lib.rs, ipa_rows and verify; tape.rs.
func newLayout(inputs, layers int) *layout {
	l := &layout{inputs: inputs, layers: layers}
	l.selene.rows = max(padded(inputs*(leafRows+l.openedHelios()*seleneRows)), minSeleneRows)
	l.helios.rows = max(padded(inputs*max(l.openedSelene()*heliosRows, 1)), minHeliosRows)
	for range inputs {
		for i := range layers - 1 {
			l.branch(i)
		}
	}
	l.branch(layers - 1)
	l.selene.allocate(inputs * (inputWords + l.openedHelios()*claimWords))
	l.helios.allocate(inputs * l.openedSelene() * claimWords)
	return l
}

// branch allocates a branch of a layer, counted from 0.
func (l *layout) branch(layer int) {
	switch {
	case layer == 0:
		l.selene.branch(leafWidth)
	case layer%2 == 0:
		l.selene.branch(curvetree.SeleneWidth)
	default:
		l.helios.branch(curvetree.HeliosWidth)
	}
}

// seleneBranch and heliosBranch return the index, among the branches of a curve, of branch i of an input on this curve.
// The last of them is the root's if the root is on the curve, which all inputs share.
func (l *layout) seleneBranch(input, i int) int { return l.selene.branchOf(l.openedSelene(), input, i) }
func (l *layout) heliosBranch(input, i int) int { return l.helios.branchOf(l.openedHelios(), input, i) }

// branchOf returns the index of a branch if each input has a number of branches without the root's.
func (c *curveLayout) branchOf(each, input, i int) int {
	if i == each {
		return len(c.branches) - 1
	}
	return input*each + i
}

// claimsOf returns the claims of an input.
// Source: crate full-chain-membership-proofs, lib.rs, verify.
func (l *layout) claimsOf(input int) (c inputClaims) {
	first := input * inputWords
	c.key = l.selene.claim(first)
	c.generator = l.selene.claim(first + claimWords)
	divisorOfV := first + 2*claimWords
	c.r = l.selene.claim(divisorOfV + divisorWords)
	c.commitment = l.selene.claim(divisorOfV + divisorWords + claimWords)
	// The blind of the key image generator is the same number for U and V.
	c.v = claim{c.generator.coefficients, l.selene.words + divisorOfV*word, c.r.spare()}
	return c
}

// claimOfHelios and claimOfSelene return the claims of the blinds of hashes that are opened on the other curve.
func (l *layout) claimOfHelios(i int) claim {
	return l.selene.claim(l.inputs*inputWords + i*claimWords)
}
func (l *layout) claimOfSelene(i int) claim { return l.helios.claim(i * claimWords) }

// openedHelios and openedSelene return how many hashes of a curve each input opens on the other.
func (l *layout) openedHelios() int { return (l.layers - 1) / 2 }
func (l *layout) openedSelene() int { return l.layers / 2 }

// rootOnSelene reports on which curve the root is.
func (l *layout) rootOnSelene() bool { return l.layers%2 == 1 }

// size returns the bytes of a proof.
func (l *layout) size() int { return size*(l.selene.elements()+l.helios.elements()) + openingSize }

// padded returns the smallest power of two that is at least n.
func padded(n int) int { return 1 << bits.Len(uint(n-1)) }

// MembershipProofSize returns the bytes of a membership proof, or 0 if the number of inputs is not from 1 to MaxInputs
// or that of layers not from 1 to MaxLayers.
func MembershipProofSize(inputs, layers int) int {
	if inputs < 1 || inputs > MaxInputs || layers < 1 || layers > MaxLayers {
		return 0
	}
	return newLayout(inputs, layers).size()
}
