package fcmp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"glim/core/carrot"
	"glim/core/crypto/blake2b"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/edwards"
	"glim/core/crypto/helioselene"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// Errors of VerifyMembership, which names the proof with them. Retrying is pointless.
var (
	ErrLimits     = errors.New("fcmp: a membership proof has 1 to 128 inputs and 1 to 12 layers")
	ErrRoot       = errors.New("fcmp: the root is not a point of the curve that the number of layers requires")
	ErrMembership = errors.New("fcmp: a membership proof is wrong")
)

// Membership is a proof that the output behind each input is in a tree.
type Membership struct {
	Root   curvetree.Root // of the chain's tree: not chosen by whoever made the proof
	Inputs []Input
	Proof  []byte // MembershipProofSize bytes

	points []inputEdwards // of Inputs, of prime order or the identity; nil if they are not decoded yet
}

// VerifyMembership returns nil if all proofs are right, and an error if one of them is not: ErrLimits or ErrProofSize
// before anything is decoded, ErrRoot or ErrPoint for what the proof is about, and ErrMembership for every proof that
// is malformed or wrong. Proofs that are only wrong are found together: the error then names no proof.
//
// rand yields the weights that combine all equations into one for each curve, and must be unpredictable for those who
// made the proofs; the error may be rand's. The time depends on the proofs, which are public. The numbers of inputs and
// layers bound time and memory. The first proof of a size takes longer, as it makes generators, which remain in memory.
func VerifyMembership(rand io.Reader, rules *carrot.Rules, proofs []Membership) error {
	doublings, err := doublingsOf(rules)
	if err != nil {
		return err
	}
	for i := range proofs {
		p := &proofs[i]
		switch MembershipProofSize(len(p.Inputs), p.Root.Layers) {
		case 0:
			return fmt.Errorf("proof %d: %w", i, ErrLimits)
		case len(p.Proof):
		default:
			return fmt.Errorf("proof %d: %w", i, ErrProofSize)
		}
	}
	b := &membershipBatch{rand: rand, doublings: doublings}
	for i := range proofs {
		err := b.add(&proofs[i])
		if errors.Is(err, gbp.ErrProof) {
			err = ErrMembership
		}
		if err != nil {
			return fmt.Errorf("proof %d: %w", i, err)
		}
	}
	if !b.selene.Valid() || !b.helios.Valid() {
		return ErrMembership
	}
	return nil
}

// membershipBatch collects the equations of proofs.
type membershipBatch struct {
	rand      io.Reader
	doublings []seleneDoublings // of generators of Ed25519
	selene    gbp.SeleneBatch
	helios    gbp.HeliosBatch
}

// add adds the equations of a proof, whose length is right.
// Source: crate full-chain-membership-proofs, lib.rs, verify.
func (b *membershipBatch) add(m *Membership) error {
	l := newLayout(len(m.Inputs), m.Root.Layers)
	inputs, err := m.coordinates()
	if err != nil {
		return err
	}
	opening := m.Proof[len(m.Proof)-openingSize:]
	t := gbp.NewTranscript(m.context(l, inputs, opening[:size]), m.Proof[:len(m.Proof)-openingSize])
	c := &commitments{}
	if c.selene, err = t.SeleneCommitments(len(l.selene.sizes)); err != nil {
		return err
	}
	if c.helios, err = t.HeliosCommitments(len(l.helios.sizes)); err != nil {
		return err
	}
	if l.rootOnSelene() {
		err = b.openSelene(t, m.Root.Hash, &c.selene[len(l.selene.branches)-1], opening)
	} else {
		err = b.openHelios(t, m.Root.Hash, &c.helios[len(l.helios.branches)-1], opening)
	}
	if err != nil {
		return err
	}
	drawn, err := drawChallenges(t, l)
	if err != nil {
		return err
	}
	hashes, err := c.hashes(l)
	if err != nil {
		return err
	}

	selene, err := gbp.BeginSelene(t, l.selene.rows, c.selene, l.selene.sizes)
	if err != nil {
		return err
	}
	if err := drawn.buildSelene(selene.Circuit, l, inputs, hashes, b.doublings); err != nil {
		return err
	}
	if err := selene.Finish(b.rand, &b.selene); err != nil {
		return err
	}
	helios, err := gbp.BeginHelios(t, l.helios.rows, c.helios, l.helios.sizes)
	if err != nil {
		return err
	}
	if err := drawn.buildHelios(helios.Circuit, l, hashes); err != nil {
		return err
	}
	return helios.Finish(b.rand, &b.helios)
}

// inputPoints are the points of an input on Wei25519.
type inputPoints struct{ key, generator, r, commitment seleneXY }

// decoded returns the points of the inputs, one after the other. All must be of prime order.
func (m *Membership) decoded() ([]*edwards.Point, error) {
	points := make([]*edwards.Point, 0, 4*len(m.Inputs))
	for i := range m.points {
		points = append(points, m.points[i][:]...)
	}
	if m.points == nil {
		encoded := make([][size]byte, 0, 4*len(m.Inputs))
		for i := range m.Inputs {
			in := &m.Inputs[i]
			encoded = append(encoded, in.Key, in.Generator, in.R, in.Commitment)
		}
		var err error
		if points, err = edwards.DecodePoints(encoded); err != nil {
			return nil, ErrPoint
		}
		for _, p := range points {
			if !p.IsTorsionFree() {
				return nil, ErrPoint
			}
		}
	}
	for _, p := range points {
		if p.IsIdentity() {
			return nil, ErrPoint
		}
	}
	return points, nil
}

// coordinates returns the points of the inputs.
func (m *Membership) coordinates() ([]inputPoints, error) {
	points, err := m.decoded()
	if err != nil {
		return nil, err
	}
	x, y := curvetree.Weierstrass(points)
	list := make([]inputPoints, len(m.Inputs))
	for i := range list {
		p := &list[i]
		for j, to := range []*seleneXY{&p.key, &p.generator, &p.r, &p.commitment} {
			*to = seleneXY{x[4*i+j], y[4*i+j]}
		}
	}
	return list, nil
}

// context returns the hash of everything that the proof is about.
// Source: crate full-chain-membership-proofs, lib.rs, transcript.
func (m *Membership) context(l *layout, inputs []inputPoints, nonce []byte) (hash [32]byte) {
	b := make([]byte, 0, 1+size+4+8*size*len(inputs)+size)
	b = append(b, 1)
	if l.rootOnSelene() {
		b[0] = 0
	}
	b = append(b, m.Root.Hash[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(inputs)))
	for i := range inputs {
		in := &inputs[i]
		for _, p := range []*seleneXY{&in.key, &in.generator, &in.r, &in.commitment} {
			x, y := p.x.Bytes(), p.y.Bytes()
			b = append(append(b, x[:]...), y[:]...)
		}
	}
	blake2b.Sum(hash[:], nil, "", append(b, nonce...))
	return hash
}

// openSelene adds the proof that the root on Selene and the commitment to its branch differ by a blind only.
func (b *membershipBatch) openSelene(
	t *gbp.Transcript, root [size]byte, commitment *helioselene.Selene, opening []byte,
) error {
	point, err := helioselene.DecodeSelene(root)
	if err != nil {
		return ErrRoot
	}
	nonce, err := helioselene.DecodeSelene([size]byte(opening))
	if err != nil {
		return ErrMembership
	}
	var answer helioselene.Element25519
	if answer.SetBytes([size]byte(opening[size:])) != nil {
		return ErrMembership
	}
	challenge, err := t.SeleneChallenge()
	if err != nil {
		return err
	}
	difference := new(helioselene.Selene).Add(commitment, seleneInit())
	difference.Subtract(difference, point)
	return b.selene.AddOpening(b.rand, nonce, difference, &challenge, &answer)
}

// openHelios is openSelene for a root on Helios.
func (b *membershipBatch) openHelios(
	t *gbp.Transcript, root [size]byte, commitment *helioselene.Helios, opening []byte,
) error {
	point, err := helioselene.DecodeHelios(root)
	if err != nil {
		return ErrRoot
	}
	nonce, err := helioselene.DecodeHelios([size]byte(opening))
	if err != nil {
		return ErrMembership
	}
	var answer helioselene.Element
	if answer.SetBytes([size]byte(opening[size:])) != nil {
		return ErrMembership
	}
	challenge, err := t.HeliosChallenge()
	if err != nil {
		return err
	}
	difference := new(helioselene.Helios).Add(commitment, heliosInit())
	difference.Subtract(difference, point)
	return b.helios.AddOpening(b.rand, nonce, difference, &challenge, &answer)
}
