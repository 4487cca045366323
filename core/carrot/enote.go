package carrot

import (
	"encoding/binary"

	"glim/core/crypto/edwards"
	"glim/core/xmr"
)

// Enote is an output of a transaction that is not a coinbase, with all that scanning needs but the encrypted payment
// ID, which a transaction has once. Source: carrot.md, 7.3; carrot_enote_types.h, CarrotEnoteV1.
type Enote struct {
	Key           xmr.PublicKey // K_o
	Commitment    [32]byte      // C_a
	Amount        [8]byte       // a_enc
	Anchor        [16]byte      // anchor_enc
	ViewTag       [3]byte       // vt
	Ephemeral     [32]byte      // D_e, a u-coordinate of Curve25519
	FirstKeyImage xmr.KeyImage  // of the transaction
}

// CoinbaseEnote is an output of a coinbase transaction. Source: carrot.md, 7.3; carrot_enote_types.h,
// CarrotCoinbaseEnoteV1.
type CoinbaseEnote struct {
	Key       xmr.PublicKey // K_o
	Amount    uint64        // a, atomic units
	Anchor    [16]byte      // anchor_enc
	ViewTag   [3]byte       // vt
	Ephemeral [32]byte      // D_e
	Height    uint64        // of the block
}

// EnoteType is what the sender says about an enote. Source: carrot.md, 7.4.1; core_types.h, CarrotEnoteType.
type EnoteType uint8

// Types of enotes. Enotes from others are payments; so are those of coinbase transactions.
const (
	PaymentEnote EnoteType = 0
	ChangeEnote  EnoteType = 1
)

// inputContext differs between any two transactions of a chain. Source: carrot.md, 7.2.
type inputContext [33]byte

// contextOf returns the context of a transaction with inputs. Source: enote_utils.cpp, make_carrot_input_context.
func contextOf(first xmr.KeyImage) (out inputContext) {
	out[0] = 'R'
	copy(out[1:], first[:])
	return out
}

// coinbaseContext returns the context of the coinbase transaction of a block. Source: enote_utils.cpp,
// make_carrot_input_context_coinbase.
func coinbaseContext(height uint64) (out inputContext) {
	out[0] = 'C'
	binary.LittleEndian.PutUint64(out[1:], height)
	return out
}

// The functions below are the derivations of carrot.md, 7.4.1, and have their counterparts in enote_utils.cpp. shared
// is s_sr, and secret is s_sr^ctx.

// contextualSecret returns s_sr^ctx. Source: carrot.md, 7.6.
func contextualSecret(shared, ephemeral *[32]byte, context *inputContext) [32]byte {
	return deriveSecret(shared, "Carrot sender-receiver secret", ephemeral[:], context[:])
}

// viewTag returns vt.
func viewTag(shared *[32]byte, context *inputContext, key *xmr.PublicKey) (out [3]byte) {
	derive(out[:], shared, "Carrot view tag", context[:], key[:])
	return out
}

// extensions returns k_g^o and k_t^o, the differences between the secret keys of an output and of its address.
func extensions(secret, commitment *[32]byte) (g, t *edwards.Scalar) {
	return deriveScalar(secret, "Carrot key extension G", commitment[:]),
		deriveScalar(secret, "Carrot key extension T", commitment[:])
}

// coinbaseExtensions is extensions for coinbase transactions.
func coinbaseExtensions(secret *[32]byte, amount uint64, spend *xmr.PublicKey) (g, t *edwards.Scalar) {
	a := amountBytes(amount)
	return deriveScalar(secret, "Carrot coinbase extension G", a[:], spend[:]),
		deriveScalar(secret, "Carrot coinbase extension T", a[:], spend[:])
}

// commitmentMask returns k_a, the mask of C_a.
func commitmentMask(secret *[32]byte, amount uint64, spend *xmr.PublicKey, t EnoteType) *edwards.Scalar {
	a := amountBytes(amount)
	return deriveScalar(secret, "Carrot commitment mask", a[:], spend[:], []byte{byte(t)})
}

// anchorMask returns m_anchor.
func anchorMask(secret *[32]byte, key *xmr.PublicKey) (out [16]byte) {
	derive(out[:], secret, "Carrot encryption mask anchor", key[:])
	return out
}

// amountMask returns m_a.
func amountMask(secret *[32]byte, key *xmr.PublicKey) (out [8]byte) {
	derive(out[:], secret, "Carrot encryption mask a", key[:])
	return out
}

// paymentIDMask returns m_pid.
func paymentIDMask(secret *[32]byte, key *xmr.PublicKey) (out [8]byte) {
	derive(out[:], secret, "Carrot encryption mask pid", key[:])
	return out
}

// specialAnchor returns anchor_sp, which only the owner of the view key can compute.
func specialAnchor(view, ephemeral *[32]byte, context *inputContext, key *xmr.PublicKey) (out [16]byte) {
	derive(out[:], view, "Carrot janus anchor special", ephemeral[:], context[:], key[:])
	return out
}

// ephemeralSecret returns d_e.
func ephemeralSecret(anchor *[16]byte, context *inputContext, spend *xmr.PublicKey, id *[8]byte) *edwards.Scalar {
	return deriveScalar(nil, "Carrot sending key normal", anchor[:], context[:], spend[:], id[:])
}

// ephemeralKey returns D_e: the secret times B, or for a subaddress, with its spend key, times that.
// Source: carrot.md, 7.5; enote_utils.cpp, make_carrot_enote_ephemeral_pubkey.
func ephemeralKey(secret *edwards.Scalar, subaddress *edwards.Point) [32]byte {
	p := new(edwards.Point)
	if subaddress == nil {
		p.ScalarBaseMult(secret)
	} else {
		p.ScalarMult(secret, subaddress)
	}
	return p.Montgomery()
}

// senderShared returns s_sr for the sender of an external enote: d_e·K_v. It multiplies on Ed25519, which has the same
// result as after the conversion of K_v. Source: carrot.md, 7.6; enote_utils.cpp, try_make_carrot_shared_key_sender.
func senderShared(secret *edwards.Scalar, view *edwards.Point) [32]byte {
	return new(edwards.Point).ScalarMult(secret, view).Montgomery()
}

func amountBytes(amount uint64) (out [8]byte) {
	binary.LittleEndian.PutUint64(out[:], amount)
	return out
}

// decodeAmount is the inverse of amountBytes.
func decodeAmount(b [8]byte) uint64 { return binary.LittleEndian.Uint64(b[:]) }

// xor8 returns a ⊕ b: the encryption of amounts and payment IDs, and its inverse.
func xor8(a, b [8]byte) [8]byte {
	for i := range a {
		a[i] ^= b[i]
	}
	return a
}

// xor16 returns a ⊕ b: the encryption of anchors, and its inverse.
func xor16(a, b [16]byte) [16]byte {
	for i := range a {
		a[i] ^= b[i]
	}
	return a
}
