//go:build !nocarrot

package signer

import (
	"context"
	"slices"

	"glim/core/carrot"
	"glim/core/coldset"
	"glim/core/crypto/edwards"
	"glim/core/fcmp"
	"glim/core/fcmpbuild"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// Operations for the next hard fork, which are unaudited. Programs with the build tag nocarrot refuse them.
const (
	opNextImages byte = iota + 64
	opNextSign
	opNextSignedImages
)

func init() {
	operations[opNextImages] = (*Server).nextImages
	operations[opNextSign] = (*Server).signProposal
	operations[opNextSignedImages] = (*Server).signedNextImages
}

var _ fcmpbuild.ExternalSigner = (*ExternalWallet)(nil)

// imagesRequest returns the operation and its arguments for the key images of outputs.
func imagesRequest(outputs []keys.OwnOutput) (op byte, body []byte) {
	if !slices.ContainsFunc(outputs, func(o keys.OwnOutput) bool { return o.Extensions != nil }) {
		return opImages, appendOutputs(nil, outputs)
	}
	body = wire.AppendVarint(nil, uint64(len(outputs)))
	for i := range outputs {
		o := &outputs[i]
		body = appendOutput(appendBool(body, o.Extensions != nil), o)
		if o.Extensions != nil {
			body = append(append(body, o.Extensions.G[:]...), o.Extensions.T[:]...)
		}
	}
	return opNextImages, body
}

// nextImages is images for outputs from before and after the next hard fork. An output of the fork must be the
// wallet's, too: otherwise a client could have its secret multiplied by points of its choice.
func (s *Server) nextImages(_ context.Context, x *secrets, r *wire.Reader) ([]byte, error) {
	outputs := make([]keys.OwnOutput, r.Count(maxMany, 1+outputSize))
	for i := range outputs {
		next := readBool(r)
		outputs[i] = readOutput(r)
		if next {
			outputs[i].Extensions = &keys.Extensions{G: r.Bytes32(), T: r.Bytes32()}
		}
	}
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	master, err := carrot.NewLegacyMaster(carrot.Default, x.keys)
	if err != nil {
		return nil, err
	}
	answer := wire.AppendVarint(nil, uint64(len(outputs)))
	for i := range outputs {
		o := &outputs[i]
		var image xmr.KeyImage
		if o.Extensions == nil {
			image, _, err = x.keys.KeyImage(o.Derivation, o.Index, o.Address, o.Key)
		} else {
			image, err = nextImage(master, o)
		}
		if err != nil {
			return nil, err
		}
		answer = append(answer, image[:]...)
	}
	return answer, nil
}

// nextImage returns the key image of an output of the next hard fork. It returns keys.ErrMismatch if it is not the
// wallet's.
func nextImage(m *carrot.LegacyMaster, o *keys.OwnOutput) (image xmr.KeyImage, err error) {
	received, forget, err := nextOutput(m, o)
	defer forget()
	if err != nil {
		return image, err
	}
	return m.KeyImage(received, o.Address)
}

// nextOutput returns an output of the next hard fork, and a function that wipes its secrets. It returns
// keys.ErrMismatch if it is not the wallet's.
func nextOutput(m *carrot.LegacyMaster, o *keys.OwnOutput) (_ *carrot.Received, forget func(), err error) {
	received := &carrot.Received{Key: o.Key, Spend: m.SpendKey(o.Address)}
	if received.ExtensionG, err = edwards.DecodeScalar(o.Extensions.G); err != nil {
		return nil, func() {}, keys.ErrMismatch
	}
	if received.ExtensionT, err = edwards.DecodeScalar(o.Extensions.T); err != nil {
		return nil, func() { edwards.Wipe(received.ExtensionG) }, keys.ErrMismatch
	}
	forget = func() {
		edwards.Wipe(received.ExtensionG)
		edwards.Wipe(received.ExtensionT)
	}
	if !carrot.Default.Extends(received) {
		return nil, forget, keys.ErrMismatch
	}
	return received, forget, nil
}

// SignNextImages returns the key images of outputs of the next hard fork with proofs, in Opening.
func (p *ExternalWallet) SignNextImages(
	ctx context.Context, outputs []keys.OwnOutput,
) (signed []coldset.SignedImage, err error) {
	body := wire.AppendVarint(nil, uint64(len(outputs)))
	for i := range outputs {
		o := &outputs[i]
		body = appendOutput(body, o)
		body = append(append(body, o.Extensions.G[:]...), o.Extensions.T[:]...)
	}
	err = p.ask(ctx, opNextSignedImages, body, func(r *wire.Reader) {
		signed = make([]coldset.SignedImage, r.Count(len(outputs), 32+coldset.OpeningSize))
		for i := range signed {
			signed[i] = coldset.SignedImage{Image: r.Bytes32(), Opening: new([coldset.OpeningSize]byte)}
			copy(signed[i].Opening[:], r.Bytes(coldset.OpeningSize))
		}
	})
	return signed, err
}

// signedNextImages is signedImages for outputs of the next hard fork, which must be the wallet's.
func (s *Server) signedNextImages(ctx context.Context, x *secrets, r *wire.Reader) ([]byte, error) {
	outputs := make([]keys.OwnOutput, r.Count(maxMany, outputSize+64))
	for i := range outputs {
		outputs[i] = readOutput(r)
		outputs[i].Extensions = &keys.Extensions{G: r.Bytes32(), T: r.Bytes32()}
	}
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	master, err := carrot.NewLegacyMaster(carrot.Default, x.keys)
	if err != nil {
		return nil, err
	}
	if err := s.consent(ctx, ConsentRequest{Kind: KindKeyImages, Wallet: x.keys.SpendPublic}); err != nil {
		return nil, err
	}
	answer := wire.AppendVarint(nil, uint64(len(outputs)))
	for i := range outputs {
		image, proof, err := s.proveNextImage(master, &outputs[i])
		if err != nil {
			return nil, err
		}
		answer = append(append(answer, image[:]...), proof[:]...)
	}
	return answer, nil
}

// proveNextImage returns the key image of an output and its proof.
func (s *Server) proveNextImage(
	m *carrot.LegacyMaster, o *keys.OwnOutput,
) (image xmr.KeyImage, proof carrot.ImageProof, err error) {
	received, forget, err := nextOutput(m, o)
	defer forget()
	if err != nil {
		return image, proof, err
	}
	secret, second, err := m.Opening(received, o.Address)
	if err != nil {
		return image, proof, err
	}
	defer edwards.Wipe(secret)
	defer edwards.Wipe(second)
	return carrot.Default.ProveKeyImage(s.host.Random, carrot.CarrotOutput, o.Key, secret, second)
}

// SignProposal makes the spend proofs of a transaction of the next hard fork. The server recomputes its outputs, so it
// knows what it pays, and asks for consent. It returns the errors of fcmpbuild.Sign as text.
func (p *ExternalWallet) SignProposal(ctx context.Context, q *fcmpbuild.Proposal) (spends []*fcmp.Spend, err error) {
	err = p.ask(ctx, opNextSign, appendProposal(nil, q), func(r *wire.Reader) {
		message := r.Bytes32()
		for range r.Count(len(q.Inputs), spendSize) {
			spends = append(spends, &fcmp.Spend{
				Message: message,
				Input: fcmp.Input{
					Key: r.Bytes32(), Generator: r.Bytes32(), R: r.Bytes32(), Commitment: r.Bytes32(),
				},
				KeyImage: r.Bytes32(),
				Proof:    slices.Clone(r.Bytes(fcmp.SpendProofSize)),
			})
		}
	})
	return spends, err
}

const spendSize = 5*32 + fcmp.SpendProofSize

func (s *Server) signProposal(ctx context.Context, x *secrets, r *wire.Reader) ([]byte, error) {
	q := readProposal(r, x.network)
	defer q.Wipe()
	if err := r.Close(); err != nil {
		return nil, malformed(err)
	}
	master, err := carrot.NewLegacyMaster(carrot.Default, x.keys)
	if err != nil {
		return nil, err
	}
	if err := s.consentToProposal(ctx, x, q); err != nil {
		return nil, err
	}
	spends, err := fcmpbuild.Sign(s.host.Random, master, x.network, q)
	if err != nil {
		return nil, err
	}
	if len(spends) == 0 {
		return nil, ErrRequest
	}
	answer := wire.AppendVarint(append([]byte(nil), spends[0].Message[:]...), uint64(len(spends)))
	for _, p := range spends {
		for _, part := range [][]byte{
			p.Input.Key[:], p.Input.Generator[:], p.Input.R[:], p.Input.Commitment[:], p.KeyImage[:], p.Proof,
		} {
			answer = append(answer, part...)
		}
	}
	return answer, nil
}

// consentToProposal asks the owner. It returns xmr.ErrOverflow, or an error that is ErrRefused.
func (s *Server) consentToProposal(ctx context.Context, x *secrets, q *fcmpbuild.Proposal) error {
	ask := ConsentRequest{Kind: KindPayment, Wallet: x.keys.SpendPublic, Fee: q.Fee, Change: q.ChangeAmount}
	var err error
	for i := range q.Inputs {
		if ask.In, err = xmr.Sum(ask.In, q.Inputs[i].Received.Amount); err != nil {
			return err
		}
	}
	for i := range q.Payments {
		to := &q.Payments[i]
		ask.Destinations = append(ask.Destinations,
			withText(txbuild.Destination{Address: to.To, Amount: to.Amount}))
	}
	return s.consent(ctx, ask)
}

// appendProposal serialises a proposal.
func appendProposal(b []byte, q *fcmpbuild.Proposal) []byte {
	scalars := func(list ...*edwards.Scalar) {
		for _, s := range list {
			text := edwards.EncodeScalar(s)
			b = append(b, text[:]...)
			clear(text[:])
		}
	}
	b = wire.AppendVarint(b, uint64(len(q.Inputs)))
	for i := range q.Inputs {
		in, blinds := &q.Inputs[i], q.Blinds[i]
		b = append(appendIndex(append(b, byte(in.Format)), in.Address), in.Image[:]...)
		b = append(append(b, in.Received.Key[:]...), in.Received.Spend[:]...)
		b = wire.AppendVarint(b, in.Received.Amount)
		scalars(in.Received.Mask, in.Received.ExtensionG, in.Received.ExtensionT)
		scalars(blinds.Key, blinds.Generator, blinds.R, blinds.Commitment)
	}
	b = wire.AppendVarint(b, uint64(len(q.Payments)))
	for i := range q.Payments {
		to := &q.Payments[i]
		b = append(wire.AppendVarint(appendAddress(b, &to.To), to.Amount), to.Anchor[:]...)
	}
	b = wire.AppendVarint(appendIndex(b, q.Change), q.ChangeAmount)
	b = wire.AppendVarint(append(b, q.ChangeEphemeral[:]...), uint64(len(q.MoreChange)))
	for _, part := range q.MoreChange {
		b = append(wire.AppendVarint(b, part.Amount), part.Ephemeral[:]...)
	}
	b = append(b, q.DummyID[:]...)
	return wire.AppendVarint(b, q.Fee)
}

const (
	proposedInputSize   = 1 + 2 + 32 + 64 + 1 + 7*32
	proposedPaymentSize = addressSize + 1 + 16
)

// readProposal reads what appendProposal wrote.
func readProposal(r *wire.Reader, network xmr.Network) *fcmpbuild.Proposal {
	scalar := func() *edwards.Scalar {
		s, err := edwards.DecodeScalar(r.Bytes32())
		if err != nil {
			r.Fail(smallfmt.Errorf("%w: a scalar is not reduced", ErrRequest))
			return edwards.NewScalar()
		}
		return s
	}
	q := new(fcmpbuild.Proposal)
	for range r.Count(maxMany, proposedInputSize) {
		var in fcmpbuild.Input
		in.Format = carrot.Format(r.Byte())
		if in.Format > carrot.CarrotOutput {
			r.Fail(ErrRequest)
		}
		in.Address, in.Image = readIndex(r), r.Bytes32()
		in.Received.Key, in.Received.Spend, in.Received.Amount = r.Bytes32(), r.Bytes32(), r.Varint()
		in.Received.Mask, in.Received.ExtensionG, in.Received.ExtensionT = scalar(), scalar(), scalar()
		q.Inputs = append(q.Inputs, in)
		q.Blinds = append(q.Blinds, &fcmp.Blinds{Key: scalar(), Generator: scalar(), R: scalar(), Commitment: scalar()})
		if r.Err() != nil {
			return q
		}
	}
	for range r.Count(xmr.MaxOutputs, proposedPaymentSize) {
		to := carrot.Payment{To: readAddress(r, network), Amount: r.Varint()}
		copy(to.Anchor[:], r.Bytes(len(to.Anchor)))
		q.Payments = append(q.Payments, to)
	}
	q.Change, q.ChangeAmount, q.ChangeEphemeral = readIndex(r), r.Varint(), r.Bytes32()
	for range r.Count(xmr.MaxOutputs, 1+32) {
		q.MoreChange = append(q.MoreChange, fcmpbuild.ChangePart{Amount: r.Varint(), Ephemeral: r.Bytes32()})
	}
	copy(q.DummyID[:], r.Bytes(len(q.DummyID)))
	q.Fee = r.Varint()
	return q
}
