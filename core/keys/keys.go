// Package keys derives everything a wallet owns from its spend and view keys.
package keys

import (
	"context"
	"encoding/binary"
	"errors"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/say"
	"glim/core/xmr"
)

// ErrKey reports secret key bytes that are no reduced scalar, or zero.
var ErrKey = errors.New("keys: not a valid secret key")

// ErrMismatch reports a secret key that does not belong to its public key.
var ErrMismatch = errors.New("keys: secret key does not belong to the address")

// Keys are the keys of one wallet. The spend secret is absent from a view-only wallet, and may be kept elsewhere. Keys never print.
type Keys struct {
	spend *edwards.Scalar
	view  *edwards.Scalar

	away *elsewhere      // where the spend secret is; nil when it is here, or nowhere
	ctx  context.Context // under which it is asked there; see Within

	SpendPublic xmr.PublicKey
	ViewPublic  xmr.PublicKey
}

// String names the public half only, so that no log can hold a secret.
func (k *Keys) String() string { return say.Sprintf("keys of %s", k.SpendPublic) }

// GoString is String.
func (k *Keys) GoString() string { return k.String() }

// FromSeed returns the deterministic wallet of seed: the spend key is seed modulo ℓ, the view key Keccak of it.
// Source: src/cryptonote_basic/account.cpp, account_base::generate.
func FromSeed(seed [32]byte) (*Keys, error) {
	spend := edwards.ReduceScalar(seed)
	view := edwards.ReduceScalar(keccak.Sum256(spend.Bytes()))
	return newKeys(spend, view)
}

// FromSecrets returns the wallet of a spend and a view secret; they need not be related. ErrKey when either is invalid.
func FromSecrets(spend, view [32]byte) (*Keys, error) {
	s, err := edwards.DecodeScalar(spend)
	if err != nil {
		return nil, ErrKey
	}
	v, err := edwards.DecodeScalar(view)
	if err != nil {
		return nil, ErrKey
	}
	return newKeys(s, v)
}

// ViewOnly returns a wallet that sees what is received and cannot spend. ErrKey, or edwards.ErrPoint for spendPublic.
func ViewOnly(view [32]byte, spendPublic xmr.PublicKey) (*Keys, error) {
	v, err := edwards.DecodeScalar(view)
	if err != nil || isZero(v) {
		return nil, ErrKey
	}
	if _, err := edwards.DecodePoint(spendPublic); err != nil {
		return nil, err
	}
	return &Keys{view: v, SpendPublic: spendPublic, ViewPublic: new(edwards.Point).ScalarBaseMult(v).Encode()}, nil
}

func newKeys(spend, view *edwards.Scalar) (*Keys, error) {
	if isZero(spend) || isZero(view) {
		return nil, ErrKey
	}
	return &Keys{
		spend: spend, view: view,
		SpendPublic: new(edwards.Point).ScalarBaseMult(spend).Encode(),
		ViewPublic:  new(edwards.Point).ScalarBaseMult(view).Encode(),
	}, nil
}

func isZero(s *edwards.Scalar) bool { return s.Equal(edwards.NewScalar()) == 1 }

// CanSpend reports whether the spend secret is here, or elsewhere to be asked.
func (k *Keys) CanSpend() bool { return k.spend != nil || k.away != nil }

// Forget overwrites the spend secret, for an owner who goes on without it, with the wallet ViewOnly returns. Nobody may be
// using k's spend secret at the time, nor afterwards: it is gone, though CanSpend does not say so.
func (k *Keys) Forget() {
	if k.spend != nil {
		edwards.Wipe(k.spend)
	}
}

// Deterministic reports whether the view key follows from the spend key, so that seed words restore the wallet.
func (k *Keys) Deterministic() bool {
	if k.away != nil {
		return k.away.deterministic
	}
	return k.spend != nil && edwards.ReduceScalar(keccak.Sum256(k.spend.Bytes())).Equal(k.view) == 1
}

// Secret marks a value that must reach no log, error or screen but the owner's own.
type Secret [32]byte

// String hides the value.
func (Secret) String() string { return "[secret]" }

// GoString hides the value.
func (Secret) GoString() string { return "[secret]" }

// ViewSecret returns the view secret, for the owner, a scanner or the wallet's file.
func (k *Keys) ViewSecret() Secret { return edwards.EncodeScalar(k.view) }

// SpendSecret returns the spend secret, for the owner or the wallet's file; false when there is none here.
func (k *Keys) SpendSecret() (Secret, bool) {
	if k.spend == nil {
		return Secret{}, false
	}
	return edwards.EncodeScalar(k.spend), true
}

// ViewScalar returns the view secret as a scalar.
func (k *Keys) ViewScalar() *edwards.Scalar { return edwards.NewScalar().Set(k.view) }

// Index names one address: an account and an address in it. (0, 0) is the primary address.
type Index struct {
	Major uint32 `json:"major"`
	Minor uint32 `json:"minor"`
}

// subaddressSecret returns Hs("SubAddr\0" ‖ view ‖ major ‖ minor), what is added to the spend key of a subaddress.
// Source: src/device/device_default.cpp, get_subaddress_secret_key.
func (k *Keys) subaddressSecret(i Index) *edwards.Scalar {
	var n [8]byte
	binary.LittleEndian.PutUint32(n[:4], i.Major)
	binary.LittleEndian.PutUint32(n[4:], i.Minor)
	return edwards.HashToScalar([]byte("SubAddr\x00"), k.view.Bytes(), n[:])
}

// SpendKeys returns the public spend keys of the addresses (major, from) to (major, to−1). Its time depends on the
// subaddress secrets, as a scan's does on the view key. These are hashes of the view key, which says nothing about the
// spend key; whoever learned them from the time could tell which addresses are this wallet's, and spend nothing.
// Source: src/device/device_default.cpp, get_subaddress_spend_public_keys.
func (k *Keys) SpendKeys(major, from, to uint32) []xmr.PublicKey {
	if from >= to {
		return nil
	}
	return k.spendKeys(major, from, int(to-from))
}

// SpendKey returns the public spend key of address i.
func (k *Keys) SpendKey(i Index) xmr.PublicKey { return k.spendKeys(i.Major, i.Minor, 1)[0] }

func (k *Keys) spendKeys(major, from uint32, count int) []xmr.PublicKey {
	added := make([]edwards.Scalar, count)
	for i := range added {
		if index := (Index{major, from + uint32(i)}); index != (Index{}) {
			added[i] = *k.subaddressSecret(index)
		}
	}
	encoded := make([][32]byte, len(added))
	if err := edwards.AddBaseMults(encoded, k.SpendPublic, added); err != nil {
		panic("unreachable: the constructors check the spend key")
	}
	out := make([]xmr.PublicKey, len(encoded))
	for i := range encoded {
		out[i] = encoded[i]
	}
	return out
}

// Address returns the public spend and view keys of address i.
// Source: src/device/device_default.cpp, get_subaddress.
func (k *Keys) Address(i Index) (spend, view xmr.PublicKey) {
	if i == (Index{}) {
		return k.SpendPublic, k.ViewPublic
	}
	spend = k.SpendKey(i)
	p, err := edwards.DecodePoint(spend)
	if err != nil {
		panic("unreachable: the key was just encoded")
	}
	return spend, p.ScalarMult(k.view, p).Encode()
}

// Addresses returns the public spend and view keys of several addresses, in a fraction of Address's time for each: with B the
// spend key and m what an index adds to it, the view key a·(B + m·G) is a·B + (a·m)·G. Its time depends on the subaddress
// secrets and on their products with the view key; see SpendKeys.
func (k *Keys) Addresses(list []Index) (spend, view []xmr.PublicKey) {
	added, times := make([]edwards.Scalar, len(list)), make([]edwards.Scalar, len(list))
	for n, i := range list {
		if i != (Index{}) {
			added[n] = *k.subaddressSecret(i)
			times[n].Multiply(k.view, &added[n])
		}
	}
	b, err := edwards.DecodePoint(k.SpendPublic)
	if err != nil {
		panic("unreachable: the constructors check the spend key")
	}
	spends, views := make([][32]byte, len(list)), make([][32]byte, len(list))
	err = edwards.AddBaseMults(spends, k.SpendPublic, added)
	if err == nil {
		err = edwards.AddBaseMults(views, b.ScalarMult(k.view, b).Encode(), times)
	}
	if err != nil {
		panic("unreachable: both are points")
	}
	spend, view = make([]xmr.PublicKey, len(list)), make([]xmr.PublicKey, len(list))
	for n, i := range list {
		spend[n], view[n] = spends[n], views[n]
		if i == (Index{}) {
			view[n] = k.ViewPublic
		}
	}
	return spend, view
}

// AddressSecrets returns the secrets of both public keys of address i, for signing in its name; false without the spend secret. The
// caller wipes them, as OutputSecret's.
// Source: src/wallet/wallet2.cpp, sign.
func (k *Keys) AddressSecrets(i Index) (spend, view *edwards.Scalar, ok bool) {
	if k.spend == nil {
		return nil, nil, false
	}
	spend, view = edwards.NewScalar().Set(k.spend), edwards.NewScalar().Set(k.view)
	if i != (Index{}) {
		spend.Add(spend, k.subaddressSecret(i))
		view.Multiply(view, spend)
	}
	return spend, view, true
}

// OutputSecret returns the secret key of the output number n of a transaction with derivation d, received at i;
// false without the spend secret. With the view key, who has it has the spend secret: the caller wipes it.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, generate_key_image_helper_precomp.
func (k *Keys) OutputSecret(d edwards.Derivation, n uint64, i Index) (*edwards.Scalar, bool) {
	if k.spend == nil {
		return nil, false
	}
	x := d.SecretKey(n, k.spend)
	if i != (Index{}) {
		x.Add(x, k.subaddressSecret(i))
	}
	return x, true
}

// KeyImage returns the key image of an output whose key is public; false for a view-only wallet. ErrMismatch when
// the derived secret does not belong to the output: the output is not this wallet's. Of a wallet whose spend secret is elsewhere it
// returns what Learn asked for, or a *WantedError; from Within it asks.
func (k *Keys) KeyImage(d edwards.Derivation, n uint64, i Index, public xmr.PublicKey) (xmr.KeyImage, bool, error) {
	if k.away != nil {
		image, err := k.keyImage(Output{d, n, i, public})
		return image, err == nil, err
	}
	x, ok := k.OutputSecret(d, n, i)
	if !ok {
		return xmr.KeyImage{}, false, nil
	}
	own := new(edwards.Point).ScalarBaseMult(x).Encode() == [32]byte(public)
	image := edwards.GenerateKeyImage(public, x)
	edwards.Wipe(x)
	if !own {
		return xmr.KeyImage{}, false, ErrMismatch
	}
	return image, true, nil
}
