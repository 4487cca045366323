// Package keys derives a wallet's addresses, output keys and key images from its spend and view keys. Use FromSeed to
// restore a wallet, ViewOnly to watch one, and NewExternal when an external signer holds the spend key.
package keys

import (
	"context"
	"encoding/binary"
	"errors"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// ErrKey reports a secret key that is zero or not a reduced scalar.
var ErrKey = errors.New("keys: not a valid secret key")

// ErrMismatch reports a secret key that does not belong to its public key.
var ErrMismatch = errors.New("keys: secret key does not belong to the address")

// Keys are the keys of one wallet. A view-only wallet has no spend secret; an external signer can hold it instead.
// Formatting Keys never prints a secret.
type Keys struct {
	spend *edwards.Scalar
	view  *edwards.Scalar

	external *externalState  // nil without an external signer
	ctx      context.Context // of requests to the signer; see WithContext

	extension // the keys of the next hard fork, if there are any

	SpendPublic xmr.PublicKey
	ViewPublic  xmr.PublicKey
}

// String returns the public spend key only, so that no log can contain a secret.
func (k *Keys) String() string { return smallfmt.Sprintf("keys of %s", k.SpendPublic) }

// GoString is String.
func (k *Keys) GoString() string { return k.String() }

// FromSeed returns the keys of a deterministic wallet: the spend key is seed modulo ℓ, the view key the Keccak hash
// of that.
// Source: src/cryptonote_basic/account.cpp, account_base::generate.
func FromSeed(seed [32]byte) (*Keys, error) {
	spend := edwards.ReduceScalar(seed)
	view := edwards.ReduceScalar(keccak.Sum256(spend.Bytes()))
	return newKeys(spend, view)
}

// FromSecrets returns the keys with these spend and view secrets, which need not be related. It returns ErrKey when
// either is invalid.
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

// ViewOnly returns the keys of a wallet that sees received outputs and cannot spend. It returns ErrKey, or
// edwards.ErrPoint for spendPublic.
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

// CanSpend reports whether k has the spend secret or an external signer has it.
func (k *Keys) CanSpend() bool { return k.spend != nil || k.external != nil }

// Forget overwrites the spend secret. No other goroutine may use the secret during the call or later. CanSpend does not
// change.
func (k *Keys) Forget() {
	if k.spend != nil {
		edwards.Wipe(k.spend)
	}
}

// Deterministic reports whether the view key follows from the spend key, so that seed words restore the wallet.
func (k *Keys) Deterministic() bool {
	if k.external != nil {
		return k.external.deterministic
	}
	return k.spend != nil && edwards.ReduceScalar(keccak.Sum256(k.spend.Bytes())).Equal(k.view) == 1
}

// Secret is a value that must not appear in a log, an error or on any screen except its owner's.
type Secret [32]byte

// String hides the value.
func (Secret) String() string { return "[secret]" }

// GoString hides the value.
func (Secret) GoString() string { return "[secret]" }

// ViewSecret returns the view secret, for the owner, a scanner or the wallet's file.
func (k *Keys) ViewSecret() Secret { return edwards.EncodeScalar(k.view) }

// SpendSecret returns the spend secret, for the owner or the wallet's file; false when k does not have it.
func (k *Keys) SpendSecret() (Secret, bool) {
	if k.spend == nil {
		return Secret{}, false
	}
	return edwards.EncodeScalar(k.spend), true
}

// ViewScalar returns the view secret as a scalar.
func (k *Keys) ViewScalar() *edwards.Scalar { return edwards.NewScalar().Set(k.view) }

// Index identifies an address: its account and its number in the account. (0, 0) is the primary address.
type Index struct {
	Major uint32 `json:"major"`
	Minor uint32 `json:"minor"`
}

// subaddressSecret returns Hs("SubAddr\0" ‖ view ‖ major ‖ minor), which is added to the spend key of a
// subaddress. Source: src/device/device_default.cpp, get_subaddress_secret_key.
func (k *Keys) subaddressSecret(i Index) *edwards.Scalar {
	var n [8]byte
	binary.LittleEndian.PutUint32(n[:4], i.Major)
	binary.LittleEndian.PutUint32(n[4:], i.Minor)
	return edwards.HashToScalar([]byte("SubAddr\x00"), k.view.Bytes(), n[:])
}

// SpendKeys returns the public spend keys of the addresses (major, from) to (major, to−1). Its time depends on the
// subaddress secrets, as a scan's does on the view key. They are hashes of the view key and reveal nothing about the
// spend key: an attacker who learns them from the time can link the wallet's addresses but cannot spend.
// Source: src/device/device_default.cpp, get_subaddress_spend_public_keys.
func (k *Keys) SpendKeys(major, from, to uint32) []xmr.PublicKey {
	if from >= to {
		return nil
	}
	return k.spendKeys(major, from, int(to-from))
}

// SpendKeysOf is Keys.SpendKeys for the view key view and the public spend key of the main address, which must be a
// point. It keeps no copy of view.
func SpendKeysOf(view *edwards.Scalar, spend xmr.PublicKey, major, from, to uint32) []xmr.PublicKey {
	return (&Keys{view: view, SpendPublic: spend}).SpendKeys(major, from, to)
}

// SpendKey returns the public spend key of address i.
func (k *Keys) SpendKey(i Index) xmr.PublicKey { return k.spendKeys(i.Major, i.Minor, 1)[0] }

func (k *Keys) spendKeys(major, from uint32, count int) []xmr.PublicKey {
	if HasHierarchies && k.Hierarchy() != nil {
		return k.hierarchySpendKeys(major, from, count)
	}
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
	if HasHierarchies && k.Hierarchy() != nil {
		return k.hierarchyAddress(i)
	}
	spend = k.SpendKey(i)
	p, err := edwards.DecodePoint(spend)
	if err != nil {
		panic("unreachable: the key was just encoded")
	}
	return spend, p.ScalarMult(k.view, p).Encode()
}

// Addresses returns the public spend and view keys of several addresses, much faster than Address: with the spend key B
// and an index's subaddress secret m, the view key a·(B + m·G) equals a·B + (a·m)·G. Its time depends on the
// subaddress secrets and on their products with the view key; see SpendKeys.
func (k *Keys) Addresses(list []Index) (spend, view []xmr.PublicKey) {
	if HasHierarchies && k.Hierarchy() != nil {
		return k.hierarchyAddresses(list)
	}
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

// AddressSecrets returns the secrets of both public keys of address i, for signing with that address; false without the
// spend secret. The caller wipes them.
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

// OutputSecret returns the secret key of output n of a transaction with derivation d, received at i; false without the
// spend secret. Together with the view key it reveals the spend secret, so the caller wipes it.
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

// KeyImage returns the key image of an output with the given public key; false for a view-only wallet. It returns
// ErrMismatch when the output is not this wallet's. With an external signer it returns a key image that FetchKeyImages
// fetched, or an *UnknownKeyImagesError; if k is from WithContext it fetches the key image.
func (k *Keys) KeyImage(d edwards.Derivation, n uint64, i Index, public xmr.PublicKey) (xmr.KeyImage, bool, error) {
	if k.external != nil {
		image, err := k.keyImage(OwnOutput{Derivation: d, Index: n, Address: i, Key: public})
		return image, err == nil, err
	}
	if HasHierarchies && k.Hierarchy() != nil {
		return k.hierarchyImage(d, n, i, public)
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
