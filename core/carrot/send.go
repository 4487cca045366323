package carrot

import (
	"io"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// Payment is an amount for an address of others, or one that the wallet treats as such.
type Payment struct {
	To     address.Address
	Amount uint64   // atomic units
	Anchor [16]byte // random, of RandomAnchor; never use one twice
}

// SelfSend is an amount for an address of the wallet that pays.
type SelfSend struct {
	Spend  xmr.PublicKey // spend key of the address
	Amount uint64        // atomic units
	Type   EnoteType
	// Ephemeral is D_e. It is the other enote's in a transaction with two outputs, where NewOutputs sets it if it is
	// zero. Otherwise it is random, of RandomEphemeral.
	Ephemeral [32]byte
	// Message is kept in an internal enote for the wallet itself. A special enote has no place for it.
	Message [16]byte
}

// Output is an enote to send, with the opening of its commitment.
type Output struct {
	Enote
	Value uint64          // atomic units
	Mask  *edwards.Scalar // k_a: the commitment is Mask·G + Value·H
}

// RandomAnchor returns an anchor for a Payment. The error is rand's.
func RandomAnchor(rand io.Reader) (out [16]byte, err error) {
	for out == ([16]byte{}) && err == nil {
		_, err = io.ReadFull(rand, out[:])
	}
	return out, err
}

// RandomEphemeral returns a random point of Curve25519 in the prime-order subgroup, for a SelfSend. The error is
// rand's.
// Source: carrot.md, 7.5; core_types.cpp, gen_x25519_pubkey.
func RandomEphemeral(rand io.Reader) ([32]byte, error) {
	s, err := edwards.RandomScalar(rand)
	if err != nil {
		return [32]byte{}, err
	}
	defer edwards.Wipe(s)
	return ephemeralKey(s, nil), nil
}

// recipient is a checked address.
type recipient struct{ spend, view *edwards.Point }

// recipientOf returns the keys of an address, which must be in the prime-order subgroup. It returns ErrAddress.
func recipientOf(a *address.Address) (recipient, error) {
	spend, ok1 := inSubgroup(a.Spend)
	view, ok2 := inSubgroup(a.View)
	if !ok1 || !ok2 || a.Kind != address.Integrated && a.PaymentID != ([8]byte{}) {
		return recipient{}, ErrAddress
	}
	return recipient{spend, view}, nil
}

// exchange returns D_e and s_sr of a payment.
// Source: payment_proposal.cpp, get_normal_proposal_ecdh_parts.
func (p *Payment) exchange(context *inputContext) (to recipient, ephemeral, shared [32]byte, err error) {
	if p.Anchor == ([16]byte{}) {
		return to, ephemeral, shared, ErrAnchor
	}
	if to, err = recipientOf(&p.To); err != nil {
		return to, ephemeral, shared, err
	}
	secret := ephemeralSecret(&p.Anchor, context, &p.To.Spend, &p.To.PaymentID)
	defer edwards.Wipe(secret)
	if p.To.Kind == address.Subaddress {
		ephemeral = ephemeralKey(secret, to.spend)
	} else {
		ephemeral = ephemeralKey(secret, nil)
	}
	return to, ephemeral, senderShared(secret, to.view), nil
}

// EphemeralSecret returns d_e of a payment in a transaction with this first key image. Together with the payment's
// address it reveals the amount, so only sender and recipient may know it.
func (p *Payment) EphemeralSecret(first xmr.KeyImage) keys.Secret {
	context := contextOf(first)
	secret := ephemeralSecret(&p.Anchor, &context, &p.To.Spend, &p.To.PaymentID)
	defer edwards.Wipe(secret)
	return keys.Secret(edwards.EncodeScalar(secret))
}

// NewOutput returns the output of a payment, in a transaction with this first key image, and the encrypted payment ID
// of the transaction if the payment is to an integrated address. It returns ErrAddress for an address whose keys are
// not in the prime-order subgroup, and ErrAnchor.
// Source: carrot.md, 7.4; payment_proposal.cpp, get_output_proposal_normal_v1.
func (r *Rules) NewOutput(p *Payment, first xmr.KeyImage) (*Output, [8]byte, error) {
	context := contextOf(first)
	to, ephemeral, shared, err := p.exchange(&context)
	if err != nil {
		return nil, [8]byte{}, err
	}
	secret := contextualSecret(&shared, &ephemeral, &context)
	defer clear(secret[:])
	defer clear(shared[:])
	o := r.seal(&secret, p.To.Spend, to.spend, p.Amount, PaymentEnote)
	o.Ephemeral, o.FirstKeyImage = ephemeral, first
	o.ViewTag = viewTag(&shared, &context, &o.Key)
	o.Anchor = xor16(p.Anchor, anchorMask(&secret, &o.Key))
	return o, xor8(p.To.PaymentID, paymentIDMask(&secret, &o.Key)), nil
}

// seal returns the parts of an enote that follow from s_sr^ctx, the address and the amount.
// Source: payment_proposal.cpp, get_output_proposal_parts.
func (r *Rules) seal(
	secret *[32]byte, spend xmr.PublicKey, spendPoint *edwards.Point, amount uint64, t EnoteType,
) *Output {
	mask := commitmentMask(secret, amount, &spend, t)
	commitment := edwards.Commit(mask, amount).Encode()
	g, h := extensions(secret, &commitment)
	key := r.outputKey(g, h)
	o := &Output{Value: amount, Mask: mask}
	o.Key = key.Add(key, spendPoint).Encode()
	o.Commitment = commitment
	o.Amount = xor8(amountBytes(amount), amountMask(secret, &o.Key))
	return o
}

// NewCoinbaseEnote returns the enote that pays a miner in the block at a height. It returns ErrAddress for a
// subaddress, for an integrated address, and for keys that are not in the prime-order subgroup, and ErrAnchor.
// Source: carrot.md, 7.9; payment_proposal.cpp, get_coinbase_enote_v1.
func (r *Rules) NewCoinbaseEnote(p *Payment, height uint64) (*CoinbaseEnote, error) {
	if p.To.Kind == address.Subaddress || p.To.PaymentID != ([8]byte{}) {
		return nil, ErrAddress
	}
	context := coinbaseContext(height)
	to, ephemeral, shared, err := p.exchange(&context)
	if err != nil {
		return nil, err
	}
	secret := contextualSecret(&shared, &ephemeral, &context)
	defer clear(secret[:])
	defer clear(shared[:])
	g, h := coinbaseExtensions(&secret, p.Amount, &p.To.Spend)
	key := r.outputKey(g, h)
	e := &CoinbaseEnote{Amount: p.Amount, Ephemeral: ephemeral, Height: height}
	e.Key = key.Add(key, to.spend).Encode()
	e.ViewTag = viewTag(&shared, &context, &e.Key)
	e.Anchor = xor16(p.Anchor, anchorMask(&secret, &e.Key))
	return e, nil
}

// check returns the point of the spend key and the context of s, or ErrAddress or ErrEphemeral.
func (s *SelfSend) check(first xmr.KeyImage) (*edwards.Point, inputContext, error) {
	spend, ok := inSubgroup(s.Spend)
	switch {
	case !ok || s.Type > ChangeEnote:
		return nil, inputContext{}, ErrAddress
	case !inCurve25519(s.Ephemeral):
		return nil, inputContext{}, ErrEphemeral
	}
	return spend, contextOf(first), nil
}

// NewSelfSend returns a special enote, which a wallet with legacy keys sends to itself in a transaction with two
// outputs, and by which others cannot tell it from a payment. Its anchor proves that the sender has the view key. It
// returns ErrAddress, ErrEphemeral, and ErrOutputs if there is a message.
// Source: carrot.md, 7.8.2; payment_proposal.cpp, get_output_proposal_special_v1.
func (v *Incoming) NewSelfSend(s *SelfSend, first xmr.KeyImage) (*Output, error) {
	spend, context, err := s.check(first)
	if err != nil {
		return nil, err
	}
	if s.Message != ([16]byte{}) {
		return nil, ErrOutputs
	}
	shared := v.Shared(s.Ephemeral)
	secret := contextualSecret((*[32]byte)(&shared), &s.Ephemeral, &context)
	view := edwards.EncodeScalar(v.view)
	defer clear(shared[:])
	defer clear(secret[:])
	defer clear(view[:])
	o := v.rules.seal(&secret, s.Spend, spend, s.Amount, s.Type)
	o.Ephemeral, o.FirstKeyImage = s.Ephemeral, first
	o.ViewTag = viewTag((*[32]byte)(&shared), &context, &o.Key)
	anchor := specialAnchor(&view, &s.Ephemeral, &context, &o.Key)
	o.Anchor = xor16(anchor, anchorMask(&secret, &o.Key))
	return o, nil
}

// NewSelfSend returns an internal enote, which only a wallet with the view-balance secret finds. It returns ErrAddress
// and ErrEphemeral.
// Source: carrot.md, 7.8.1; payment_proposal.cpp, get_output_proposal_internal_v1.
func (v *Internal) NewSelfSend(s *SelfSend, first xmr.KeyImage) (*Output, error) {
	spend, context, err := s.check(first)
	if err != nil {
		return nil, err
	}
	secret := contextualSecret(&v.secret, &s.Ephemeral, &context)
	defer clear(secret[:])
	o := v.rules.seal(&secret, s.Spend, spend, s.Amount, s.Type)
	o.Ephemeral, o.FirstKeyImage = s.Ephemeral, first
	o.ViewTag = viewTag(&v.secret, &context, &o.Key)
	o.Anchor = xor16(s.Message, anchorMask(&secret, &o.Key))
	return o, nil
}
