package fcmpbuild

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"glim/core/crypto/blake2b"
	"glim/core/crypto/edwards"
	"glim/core/fcmp"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// Cold signing: a view-only wallet, which has the tree, lays out an Unsigned; the owner of the spend key, who needs
// neither chain nor tree, signs it; the view-only wallet proves membership and finishes the transaction. Everything
// random in it follows from a seed, so that both compute the same transaction. The outputs depend on the key images,
// which a view-only wallet may learn only from the signer.

// ErrSigned reports proofs of a signer that do not belong to the transaction. Retrying is pointless.
var ErrSigned = errors.New("fcmpbuild: signed by somebody else, or another transaction")

// Unsigned is a transaction to be signed. It is secret: it links outputs of the wallet, and reveals the payments.
type Unsigned struct {
	Seed         [32]byte              // random, for this transaction only
	Inputs       []Input               // their key images are ignored
	Destinations []txbuild.Destination // with their final amounts
	Change       keys.Index
	ChangeShares []uint64 // see Request
	PerByte      uint64   // fee for a byte of weight, in atomic units
}

// Signed is an Unsigned with the signer's part.
type Signed struct {
	Unsigned
	Images []xmr.KeyImage // of Inputs, in their order
	Proofs [][]byte       // of spend authorisation, by descending key images
}

// seeded yields what follows from a seed.
type seeded struct {
	seed  [32]byte
	count uint64
	rest  []byte
}

func (s *seeded) Read(b []byte) (int, error) {
	for n := 0; n < len(b); {
		if len(s.rest) == 0 {
			var block [64]byte
			blake2b.Sum(block[:], s.seed[:], "glim cold sign", binary.LittleEndian.AppendUint64(nil, s.count))
			s.rest = block[:]
			s.count++
		}
		used := copy(b[n:], s.rest)
		n, s.rest = n+used, s.rest[used:]
	}
	return len(b), nil
}

// proposal returns the transaction, whose inputs have these key images. It returns the errors of Propose.
func (u *Unsigned) proposal(v Viewer, images []xmr.KeyImage) (*Proposal, error) {
	if len(images) != len(u.Inputs) {
		return nil, ErrInput
	}
	inputs := make([]Input, len(images))
	for i := range inputs {
		inputs[i] = u.Inputs[i]
		inputs[i].Image = images[i]
		inputs[i].Received.Spend = v.SpendKey(inputs[i].Address)
	}
	return Propose(&seeded{seed: u.Seed}, v,
		Request{Inputs: inputs, Destinations: u.Destinations, Change: u.Change, ChangeShares: u.ChangeShares,
			PerByte: u.PerByte})
}

// images returns the key images of the inputs. It returns ErrInput for an output that is not the wallet's, and the
// errors of Input.SetImage.
func (u *Unsigned) images(s Spender) ([]xmr.KeyImage, error) {
	t, err := edwards.DecodePoint(rules.T)
	if err != nil {
		return nil, err
	}
	images := make([]xmr.KeyImage, len(u.Inputs))
	for i := range images {
		in := u.Inputs[i]
		in.Received.Spend = s.SpendKey(in.Address)
		if err := in.SetImage(s); err != nil {
			return nil, err
		}
		x, y, err := s.Opening(&in.Received, in.Address)
		if err != nil {
			return nil, err
		}
		key := new(edwards.Point).ScalarMult(y, t)
		key.Add(key, new(edwards.Point).ScalarBaseMult(x))
		edwards.Wipe(x)
		edwards.Wipe(y)
		if key.Encode() != [32]byte(in.Received.Key) {
			return nil, ErrInput
		}
		images[i] = in.Image
	}
	return images, nil
}

// Proposal returns what s would sign: amounts, change and fee. Its inputs are outputs of the wallet; whether they have
// the amounts that it says only the tree can tell, and a transaction about others is not valid. It returns ErrInput for
// outputs of others, and the errors of Input.SetImage and Propose. The caller wipes the result.
func (u *Unsigned) Proposal(s Spender) (*Proposal, error) {
	images, err := u.images(s)
	if err != nil {
		return nil, err
	}
	return u.proposal(s, images)
}

// Extra returns the field of the transaction that has ephemeral keys and the encrypted payment ID. It returns the
// errors of carrot.Rules.NewOutputs.
func (p *Proposal) Extra(v Viewer) ([]byte, error) {
	outputs, t, err := p.outputs(v)
	if err != nil {
		return nil, err
	}
	wipe(outputs)
	return t.Extra, nil
}

// Sign signs the transaction as Sign does, and returns the secrets of its ephemeral keys as Result.Ephemerals, too. It
// returns the errors of Proposal and Sign.
func (u *Unsigned) Sign(random io.Reader, s Spender, network xmr.Network) (*Signed, []keys.Secret, error) {
	images, err := u.images(s)
	if err != nil {
		return nil, nil, err
	}
	p, err := u.proposal(s, images)
	if err != nil {
		return nil, nil, err
	}
	defer p.Wipe()
	spends, err := Sign(random, s, network, p)
	if err != nil {
		return nil, nil, err
	}
	signed := &Signed{Unsigned: *u, Images: images}
	for _, spend := range spends {
		signed.Proofs = append(signed.Proofs, spend.Proof)
	}
	outputs, _, err := p.outputs(s)
	if err != nil {
		return nil, nil, err
	}
	defer wipe(outputs)
	ephemerals, err := p.ephemerals(outputs)
	return signed, ephemerals, err
}

// Spends returns the transaction and the signer's proofs, which it verifies, for ProveMembership and Finish. It returns
// ErrSigned for wrong proofs, and the errors of Propose and random.
func (s *Signed) Spends(random io.Reader, v Viewer) (*Proposal, []*fcmp.Spend, error) {
	p, err := s.proposal(v, s.Images)
	if err != nil {
		return nil, nil, err
	}
	spends, err := s.spends(random, v, p)
	if err != nil {
		p.Wipe()
		return nil, nil, err
	}
	return p, spends, nil
}

func (s *Signed) spends(random io.Reader, v Viewer, p *Proposal) ([]*fcmp.Spend, error) {
	if len(s.Proofs) != len(p.Inputs) {
		return nil, ErrSigned
	}
	outputs, t, err := p.outputs(v)
	if err != nil {
		return nil, err
	}
	wipe(outputs)
	message := format.SignableHash(t)
	list, spends := make([]fcmp.Spend, len(p.Inputs)), make([]*fcmp.Spend, len(p.Inputs))
	for i := range list {
		output := p.Inputs[i].Output()
		list[i] = fcmp.Spend{Message: message, KeyImage: p.Inputs[i].Image, Proof: s.Proofs[i]}
		if list[i].Input, err = output.Blind(rules, p.Blinds[i]); err != nil {
			return nil, err
		}
		spends[i] = &list[i]
	}
	if err := fcmp.VerifySpends(random, rules, list); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSigned, err)
	}
	return spends, nil
}

// String returns the numbers of inputs and payments only, because secrets do not belong in logs.
func (u Unsigned) String() string {
	return smallfmt.Sprintf("fcmpbuild.Unsigned(%d inputs, %d payments)", len(u.Inputs), len(u.Destinations))
}

// GoString is String.
func (u Unsigned) GoString() string { return u.String() }

// String is that of the Unsigned.
func (s Signed) String() string { return s.Unsigned.String() }

// GoString is String.
func (s Signed) GoString() string { return s.String() }

// Wipe overwrites the seed with zeros.
func (u *Unsigned) Wipe() { clear(u.Seed[:]) }
