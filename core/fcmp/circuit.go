package fcmp

import (
	"glim/core/crypto/curvetree"
	"glim/core/crypto/helioselene"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// commitments are the vector commitments of a proof.
type commitments struct {
	selene []helioselene.Selene
	helios []helioselene.Helios
}

// hashes are the hashes that a proof opens on the other curve, blinded.
type hashes struct {
	selene []heliosXY
	helios []seleneXY
}

// hashes returns the blinded hashes, or an error if one is the identity.
func (c *commitments) hashes(l *layout) (*hashes, error) {
	selene := make([]helioselene.Selene, l.inputs*l.openedSelene())
	for i := range selene {
		if selene[i].Add(&c.selene[i], seleneInit()).IsIdentity() {
			return nil, ErrMembership
		}
	}
	helios := make([]helioselene.Helios, l.inputs*l.openedHelios())
	for i := range helios {
		if helios[i].Add(&c.helios[i], heliosInit()).IsIdentity() {
			return nil, ErrMembership
		}
	}
	h := &hashes{selene: make([]heliosXY, len(selene)), helios: make([]seleneXY, len(helios))}
	x, y := helioselene.SeleneXY(selene)
	for i := range x {
		h.selene[i] = heliosXY{x[i], y[i]}
	}
	u, v := helioselene.HeliosXY(helios)
	for i := range u {
		h.helios[i] = seleneXY{u[i], v[i]}
	}
	return h, nil
}

// challenges are those of the circuits.
type challenges struct {
	inputs []inputChallenges
	helios seleneLine // for blinds of hashes of Helios, opened on Selene
	selene heliosLine // for blinds of hashes of Selene, opened on Helios
}

// inputChallenges are those of an input: for its blinds, and to combine the numbers of a leaf.
type inputChallenges struct {
	line  seleneLine
	tuple []helioselene.Element25519
}

// drawChallenges returns the challenges of the circuits.
// Source: crate full-chain-membership-proofs, lib.rs, input; circuit.rs, first_layer.
func drawChallenges(t *gbp.Transcript, l *layout) (c *challenges, err error) {
	c = &challenges{inputs: make([]inputChallenges, l.inputs)}
	for i := range c.inputs {
		in := &c.inputs[i]
		if in.line, err = drawSeleneLine(t, &wei25519); err != nil {
			return nil, err
		}
		in.tuple = make([]helioselene.Element25519, tupleSize)
		for j := range in.tuple {
			if in.tuple[j], err = t.SeleneChallenge(); err != nil {
				return nil, err
			}
		}
		if i == 0 && l.openedHelios() > 0 {
			if c.helios, err = drawSeleneLine(t, &heliosCurve); err != nil {
				return nil, err
			}
		}
		if i == 0 && l.openedSelene() > 0 {
			if c.selene, err = drawHeliosLine(t, &seleneCurve); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// buildSelene adds the constraints of the circuit on Selene.
func (c *challenges) buildSelene(
	circuit *gbp.SeleneCircuit, l *layout, inputs []inputPoints, h *hashes, doublings []seleneDoublings,
) error {
	g, opened := seleneGadgets{circuit}, l.openedHelios()
	var blinds *seleneChallenge
	var err error
	if opened > 0 {
		if blinds, err = c.helios.expand(&heliosCurve, doublingsOfHelios()); err != nil {
			return err
		}
	}
	for i := range inputs {
		challenge, err := c.inputs[i].line.expand(&wei25519, doublings...)
		if err != nil {
			return err
		}
		g.leaf(l, i, &inputs[i], challenge, c.inputs[i].tuple)
		for j := range opened {
			at := i*opened + j
			g.layer(&heliosCurve, blinds, &h.helios[at], l.claimOfHelios(at),
				l.selene.branches[l.seleneBranch(i, j+1)], curvetree.SeleneWidth)
		}
	}
	return nil
}

// buildHelios adds the constraints of the circuit on Helios.
func (c *challenges) buildHelios(circuit *gbp.HeliosCircuit, l *layout, h *hashes) error {
	g, opened := heliosGadgets{circuit}, l.openedSelene()
	if opened == 0 {
		return nil
	}
	blinds, err := c.selene.expand(&seleneCurve, doublingsOfSelene())
	if err != nil {
		return err
	}
	for i := range l.inputs {
		for j := range opened {
			at := i*opened + j
			g.layer(&seleneCurve, blinds, &h.selene[at], l.claimOfSelene(at),
				l.helios.branches[l.heliosBranch(i, j)], curvetree.HeliosWidth)
		}
	}
	return nil
}

// leaf constrains the output behind an input to be in a branch of leaves.
// Source: crate full-chain-membership-proofs, circuit.rs, first_layer; lib.rs, verify, for the claims.
func (c seleneGadgets) leaf(
	l *layout, input int, in *inputPoints, challenge *seleneChallenge, tuple []helioselene.Element25519,
) {
	claims := l.claimsOf(input)
	key, generator, commitment := claims.key.spare(), claims.generator.spare(), claims.commitment.spare()

	c.onCurve(&wei25519, key)
	c.logarithm(&wei25519, challenge, logarithmT, claims.key)
	c.sum(&in.key, claims.key.point, key)

	c.onCurve(&wei25519, generator)
	c.logarithm(&wei25519, challenge, logarithmU, claims.generator)
	c.sum(&in.generator, claims.generator.point, generator)

	c.logarithm(&wei25519, challenge, logarithmV, claims.v)
	c.logarithm(&wei25519, challenge, logarithmT, claims.r)
	c.sum(&in.r, claims.v.point, claims.r.point)

	c.onCurve(&wei25519, commitment)
	c.logarithm(&wei25519, challenge, logarithmG, claims.commitment)
	c.sum(&in.commitment, claims.commitment.point, commitment)

	output := []gbp.Variable{key.x, key.y, generator.x, generator.y, commitment.x, commitment.y}
	c.member(output, tuple, l.selene.branches[l.seleneBranch(input, 0)], curvetree.SeleneWidth)
}
