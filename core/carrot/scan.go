package carrot

import (
	"crypto/subtle"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// Incoming finds what others sent to a wallet, and special enotes. It has the view key only, so a scanner can have it.
type Incoming struct {
	rules *Rules
	view  *edwards.Scalar // k_v
	spend xmr.PublicKey   // K_s
	main  *edwards.Point  // K_s
}

// NewIncoming returns an Incoming with the view key and the spend key of the main address. It returns ErrKey if the
// view key is zero or not reduced, or the spend key not in the prime-order subgroup.
func NewIncoming(r *Rules, view keys.Secret, spend xmr.PublicKey) (*Incoming, error) {
	v, err := edwards.DecodeScalar(view)
	main, ok := inSubgroup(spend)
	if err != nil || isZero(v) || !ok {
		return nil, ErrKey
	}
	return &Incoming{rules: r, view: v, spend: spend, main: main}, nil
}

// Internal finds what a wallet sent to itself in internal enotes. It has the view-balance secret only.
type Internal struct {
	rules  *Rules
	secret [32]byte // s_vb
}

// NewInternal returns an Internal with the view-balance secret.
func NewInternal(r *Rules, balance keys.Secret) *Internal {
	return &Internal{rules: r, secret: balance}
}

// Received is an enote that a wallet found. Whoever found it has not checked yet that Spend is the key of an address of
// the wallet: it belongs to the wallet only then.
type Received struct {
	Key       xmr.PublicKey // of the output
	Spend     xmr.PublicKey // spend key of the address that it was sent to
	Amount    uint64        // atomic units
	Type      EnoteType
	Internal  bool            // sent by the wallet itself, in an internal enote
	PaymentID [8]byte         // zero unless it was sent to an integrated address
	Message   [16]byte        // of an internal enote: what the wallet wrote when it sent it
	Mask      *edwards.Scalar // of the commitment; one for a coinbase

	// ExtensionG and ExtensionT are the differences between the secret keys of the output and of its address.
	ExtensionG, ExtensionT *edwards.Scalar

	// Secret is what a wallet stores to compute the extensions again.
	Secret EnoteSecret
}

// EnoteSecret is s_sr^ctx, from which the sender's part of an enote's secrets follows. It is secret.
type EnoteSecret [32]byte

// String hides the value.
func (EnoteSecret) String() string { return "[secret]" }

// GoString hides the value.
func (EnoteSecret) GoString() string { return "[secret]" }

// Extensions returns ExtensionG and ExtensionT of an enote with this commitment.
func (s EnoteSecret) Extensions(commitment [32]byte) (g, t *edwards.Scalar) {
	return extensions((*[32]byte)(&s), &commitment)
}

// CoinbaseExtensions returns ExtensionG and ExtensionT of a coinbase enote for the address with this spend key.
func (s EnoteSecret) CoinbaseExtensions(amount uint64, spend xmr.PublicKey) (g, t *edwards.Scalar) {
	return coinbaseExtensions((*[32]byte)(&s), amount, &spend)
}

// Shared is what the sender and the recipient of an enote have in common, s_sr. It is secret.
type Shared [32]byte

// String hides the value.
func (Shared) String() string { return "[secret]" }

// GoString hides the value.
func (Shared) GoString() string { return "[secret]" }

// Shared returns the shared secret k_v·D_e, which the enotes of a transaction with two outputs have in common. It
// takes nearly all the time of a scan, and depends on nothing else. It is constant time.
// Source: carrot.md, 7.6; enote_utils.cpp, try_make_carrot_shared_key_receiver.
func (v *Incoming) Shared(ephemeral [32]byte) Shared { return edwards.X25519(v.view, ephemeral) }

// Sharer computes Shared for many ephemeral keys, several times as fast. Goroutines need a Sharer each.
//
// It differs from Shared for keys that are not in the prime-order subgroup. With those, Scan finds nothing either,
// except special enotes, whose sender has the view key, and NewSelfSend refuses to make them.
type Sharer struct{ exchanger *edwards.Exchanger }

// NewSharer returns a Sharer for a view key.
func NewSharer(view *edwards.Scalar) *Sharer { return &Sharer{edwards.NewExchanger(view)} }

// NewSharer returns a Sharer for the view key of v.
func (v *Incoming) NewSharer() *Sharer { return NewSharer(v.view) }

// Clone returns a Sharer for the same view key, for another goroutine.
func (s *Sharer) Clone() *Sharer { return &Sharer{s.exchanger.Clone()} }

// Shared returns the shared secrets of ephemeral keys, for ScanShared and ScanCoinbaseShared. Its time depends on the
// keys and, like a scan's today, on the digits of the view key.
func (s *Sharer) Shared(ephemeral [][32]byte) []Shared {
	out, shared := make([][32]byte, len(ephemeral)), make([]Shared, len(ephemeral))
	s.exchanger.Exchange(out, ephemeral)
	for i := range out {
		shared[i] = out[i]
	}
	clear(out)
	return shared
}

// Tagged reports whether e has the view tag of an enote for the wallet with this shared secret: of the enotes of
// others, one in 16,777,216 has. Scanners check it before they have the spend key that ScanShared takes.
func (e *Enote) Tagged(shared *Shared) bool {
	context := contextOf(e.FirstKeyImage)
	return viewTag((*[32]byte)(shared), &context, &e.Key) == e.ViewTag
}

// Tagged is Enote.Tagged for an enote of a coinbase.
func (e *CoinbaseEnote) Tagged(shared *Shared) bool {
	context := coinbaseContext(e.Height)
	return viewTag((*[32]byte)(shared), &context, &e.Key) == e.ViewTag
}

// inCurve25519 reports whether u is the canonical u-coordinate of a point in the prime-order subgroup, and not the
// neutral element.
func inCurve25519(u [32]byte) bool {
	out := make([][32]byte, 1)
	edwards.NewExchanger(edwards.ScalarFromUint64(1)).Exchange(out, [][32]byte{u})
	return out[0] == u && u != [32]byte{}
}

// String hides the view key.
func (Sharer) String() string { return "view key" }

// GoString hides the view key.
func (Sharer) GoString() string { return "view key" }

// Scan returns what an external enote contains if it was made for a wallet with this view key, or false. paymentID is
// the encrypted payment ID of the transaction; it may be nil. An enote whose ephemeral key was not made for the address
// that it pays to (a Janus attack) is not received.
// Source: carrot.md, 8.1; scan.cpp, try_scan_carrot_enote_external_receiver.
func (v *Incoming) Scan(e *Enote, paymentID *[8]byte) (Received, bool) {
	return v.ScanShared(e, paymentID, v.Shared(e.Ephemeral))
}

// ScanShared is Scan with the result of Shared for the enote's ephemeral key.
func (v *Incoming) ScanShared(e *Enote, paymentID *[8]byte, shared Shared) (Received, bool) {
	out, anchor, ok := v.rules.openExternal(e, paymentID, &shared, v.spend)
	if !ok || anchor == nil {
		return out, ok
	}
	context := contextOf(e.FirstKeyImage)
	view := edwards.EncodeScalar(v.view)
	special := specialAnchor(&view, &e.Ephemeral, &context, &e.Key)
	clear(view[:])
	if subtle.ConstantTimeCompare(special[:], anchor[:]) == 0 {
		return Received{}, false
	}
	return out, true
}

// openExternal returns what an external enote contains; false if the shared secret is another one. main is the spend
// key of the address whose ephemeral keys are not those of a subaddress. The anchor is nil if it is a payment's, and
// otherwise still to be checked.
func (r *Rules) openExternal(
	e *Enote, paymentID *[8]byte, shared *Shared, main xmr.PublicKey,
) (out Received, unchecked *[16]byte, ok bool) {
	if !e.Tagged(shared) {
		return Received{}, nil, false
	}
	context := contextOf(e.FirstKeyImage)
	secret := contextualSecret((*[32]byte)(shared), &e.Ephemeral, &context)
	defer clear(secret[:])
	out, spend, ok := r.open(e, &secret)
	if !ok {
		return Received{}, nil, false
	}
	anchor := xor16(e.Anchor, anchorMask(&secret, &e.Key))
	if paymentID != nil {
		out.PaymentID = xor8(*paymentID, paymentIDMask(&secret, &e.Key))
	}
	subaddress := spend
	if out.Spend == main {
		subaddress = nil
	}
	for {
		if madeFor(&anchor, &context, &out, subaddress) == e.Ephemeral {
			return out, nil, true
		}
		if out.PaymentID == ([8]byte{}) {
			return out, &anchor, true
		}
		out.PaymentID = [8]byte{} // the payment ID belongs to another output, or to none
	}
}

// madeFor returns the ephemeral key of a normal enote with this anchor, for the address and payment ID of out.
// Source: carrot.md, 8.1; enote_utils.cpp, verify_carrot_normal_janus_protection.
func madeFor(anchor *[16]byte, context *inputContext, out *Received, subaddress *edwards.Point) [32]byte {
	secret := ephemeralSecret(anchor, context, &out.Spend, &out.PaymentID)
	defer edwards.Wipe(secret)
	return ephemeralKey(secret, subaddress)
}

// open returns what an enote with the contextual secret contains, and the point of the address's spend key; false if
// the secret is another one, or if the key is not in the prime-order subgroup.
// Source: carrot.md, 8.1; scan_unsafe.cpp, scan_non_coinbase_info; enote_utils.cpp, try_get_carrot_amount. The check of
// the subgroup is in carrot.md only; in the beta, outputs that fail it are not valid in a transaction.
func (r *Rules) open(e *Enote, secret *[32]byte) (Received, *edwards.Point, bool) {
	output, err := edwards.DecodePoint(e.Key)
	if err != nil {
		return Received{}, nil, false
	}
	out := Received{Key: e.Key, Secret: *secret}
	out.ExtensionG, out.ExtensionT = extensions(secret, &e.Commitment)
	spend := r.outputKey(out.ExtensionG, out.ExtensionT)
	spend.Subtract(output, spend)
	out.Spend = spend.Encode()
	out.Amount = decodeAmount(xor8(e.Amount, amountMask(secret, &e.Key)))
	for _, t := range []EnoteType{PaymentEnote, ChangeEnote} {
		out.Type, out.Mask = t, commitmentMask(secret, out.Amount, &out.Spend, t)
		if edwards.Commit(out.Mask, out.Amount).Encode() == e.Commitment {
			return out, spend, spend.IsTorsionFree()
		}
	}
	return Received{}, nil, false
}

// ScanCoinbase returns what a coinbase enote contains if it was made for the main address of a wallet with this view
// key, or false.
// Source: carrot.md, 7.9 and 8.1; scan.cpp, try_scan_carrot_coinbase_enote_receiver. As in the beta, and not in
// carrot.md, a special anchor is not enough.
func (v *Incoming) ScanCoinbase(e *CoinbaseEnote) (Received, bool) {
	return v.ScanCoinbaseShared(e, v.Shared(e.Ephemeral))
}

// ScanCoinbaseShared is ScanCoinbase with the result of Shared for the enote's ephemeral key.
func (v *Incoming) ScanCoinbaseShared(e *CoinbaseEnote, shared Shared) (Received, bool) {
	return v.rules.openCoinbase(e, &shared, v.spend, v.main)
}

// openCoinbase returns what a coinbase enote contains if it was made for the main address with spend key main, which
// is spend, or false.
func (r *Rules) openCoinbase(
	e *CoinbaseEnote, shared *Shared, spend xmr.PublicKey, main *edwards.Point,
) (Received, bool) {
	if !e.Tagged(shared) {
		return Received{}, false
	}
	context := coinbaseContext(e.Height)
	secret := contextualSecret((*[32]byte)(shared), &e.Ephemeral, &context)
	defer clear(secret[:])
	out := Received{
		Key: e.Key, Spend: spend, Amount: e.Amount, Type: PaymentEnote, Mask: edwards.ScalarFromUint64(1),
		Secret: secret,
	}
	out.ExtensionG, out.ExtensionT = coinbaseExtensions(&secret, e.Amount, &spend)
	key := r.outputKey(out.ExtensionG, out.ExtensionT)
	if key.Add(key, main).Encode() != e.Key {
		return Received{}, false
	}
	anchor := xor16(e.Anchor, anchorMask(&secret, &e.Key))
	if madeFor(&anchor, &context, &out, nil) != e.Ephemeral {
		return Received{}, false
	}
	return out, true
}

// TaggedInternal reports whether e has the view tag of an internal enote of this wallet, as one in 2²⁴ of others
// has.
func (v *Internal) TaggedInternal(e *Enote) bool {
	context := contextOf(e.FirstKeyImage)
	return viewTag(&v.secret, &context, &e.Key) == e.ViewTag
}

// ScanInternal returns what an internal enote contains if a wallet with this view-balance secret made it, or false.
// Source: carrot.md, 8.1; scan.cpp, try_scan_carrot_enote_internal_receiver.
func (v *Internal) ScanInternal(e *Enote) (Received, bool) {
	context := contextOf(e.FirstKeyImage)
	if viewTag(&v.secret, &context, &e.Key) != e.ViewTag {
		return Received{}, false
	}
	secret := contextualSecret(&v.secret, &e.Ephemeral, &context)
	defer clear(secret[:])
	out, _, ok := v.rules.open(e, &secret)
	if !ok {
		return Received{}, false
	}
	out.Internal = true
	out.Message = xor16(e.Anchor, anchorMask(&secret, &e.Key))
	return out, true
}

// ScanAll returns the result of ScanInternal or else of Scan.
func (v *ViewAll) ScanAll(e *Enote, paymentID *[8]byte) (Received, bool) {
	if out, ok := v.ScanInternal(e); ok {
		return out, true
	}
	return v.Scan(e, paymentID)
}
