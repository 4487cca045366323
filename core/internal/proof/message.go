package proof

import (
	"context"
	"io"
	"strings"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/schnorr"
	"glim/core/keys"
	"glim/core/xmr"
)

const (
	messageV1 = "SigV1"
	messageV2 = "SigV2"
)

// KeyKind tells which of an address's two keys signed a message.
type KeyKind uint8

// The kinds.
const (
	SpendKey KeyKind = iota
	ViewKey
)

// String returns the RPC's name: spend or view.
func (k KeyKind) String() string {
	if k == ViewKey {
		return "view"
	}
	return "spend"
}

// Signed is the result of VerifyMessage.
type Signed struct {
	Version uint // 1 or 2
	Old     bool // version 1, which binds neither the address nor the kind of key
	Key     KeyKind
}

// SignMessage returns a signature of data by address i of k. It returns ErrViewOnly without the spend key, except for
// the view key of the primary address; the errors of random and of an ExternalProver. Constant time in the keys.
// Source: src/wallet/wallet2.cpp, sign.
func SignMessage(random io.Reader, k *keys.Keys, i keys.Index, kind KeyKind, data string) (string, error) {
	if k.External() && (kind != ViewKey || i != (keys.Index{})) {
		return proveExternally(
			k, func(ctx context.Context, p ExternalProver) (string, error) { return p.SignMessage(ctx, i, kind, data) },
		)
	}
	spend, view := k.Address(i)
	spendSecret, secret, ok := k.AddressSecrets(i)
	viewSecret := secret
	switch {
	case !ok && (kind != ViewKey || i != (keys.Index{})):
		return "", ErrViewOnly
	case !ok:
		secret = k.ViewScalar()
	case kind == SpendKey:
		secret = spendSecret
	}
	public := view
	if kind == SpendKey {
		public = spend
	}
	sig, err := schnorr.Sign(random, messageHash(data, spend, view, kind), public, secret)
	if ok {
		edwards.Wipe(spendSecret)
		edwards.Wipe(viewSecret)
	}
	if err != nil {
		return "", err
	}
	return messageV2 + encodeSignature(sig.C, sig.R), nil
}

// VerifyMessage returns which key of a signed data. It returns ErrMalformed or ErrInvalid; the reference reports both
// as a bad signature.
// Source: src/wallet/wallet2.cpp, verify.
func VerifyMessage(data string, a address.Address, text string) (Signed, error) {
	body, ok := strings.CutPrefix(text, messageV2)
	s := Signed{Version: 2}
	if !ok {
		if body, ok = strings.CutPrefix(text, messageV1); !ok {
			return Signed{}, ErrMalformed
		}
		s = Signed{Version: 1, Old: true}
	}
	c, r, err := decodeSignature(body)
	if err != nil {
		return Signed{}, err
	}
	for _, s.Key = range []KeyKind{SpendKey, ViewKey} {
		hash := messageHash(data, a.Spend, a.View, s.Key)
		if s.Old {
			hash = keccak.Sum256([]byte(data))
		}
		public := a.Spend
		if s.Key == ViewKey {
			public = a.View
		}
		if schnorr.Verify(hash, public, schnorr.Signature{C: c, R: r}) == nil {
			return s, nil
		}
	}
	return Signed{}, ErrInvalid
}

// messagePrefix starts the hashed data of a signed message.
const messagePrefix = "MoneroMessageSignature\x00"

// messageHash binds data to both keys of the address and to the key that signs.
// Source: src/wallet/wallet2.cpp, get_message_hash.
func messageHash(data string, spend, view xmr.PublicKey, kind KeyKind) [32]byte {
	return keccak.Sum256([]byte(messagePrefix), spend[:], view[:], []byte{byte(kind)},
		wire.AppendVarint(nil, uint64(len(data))), []byte(data))
}
