package carrot

import (
	"encoding/binary"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// GenerateAddress is the tier that derives addresses, and finds nothing on the chain. Source: carrot.md, 5.4.1.
type GenerateAddress struct {
	secret   [32]byte // s_ga
	spend    xmr.PublicKey
	view     xmr.PublicKey // K_v, which is not the view key of the main address
	mainView xmr.PublicKey // k_v·G

	spendPoint, viewPoint *edwards.Point
}

// NewGenerateAddress returns the keys of a wallet with the generate-address secret s_ga, the account's spend key K_s
// and view key K_v = k_v·K_s, and the view key k_v·G of its main address. It returns ErrKey if one of the public keys
// is not in the prime-order subgroup. It cannot check that they belong together: then others cannot pay the addresses.
func NewGenerateAddress(secret keys.Secret, spend, view, mainView xmr.PublicKey) (*GenerateAddress, error) {
	spendPoint, ok1 := inSubgroup(spend)
	viewPoint, ok2 := inSubgroup(view)
	_, ok3 := inSubgroup(mainView)
	if !ok1 || !ok2 || !ok3 {
		return nil, ErrKey
	}
	return &GenerateAddress{
		secret: secret, spend: spend, view: view, mainView: mainView, spendPoint: spendPoint, viewPoint: viewPoint,
	}, nil
}

// AddressSecret returns s_ga, for the owner, a point of sale or the wallet's file.
func (a *GenerateAddress) AddressSecret() keys.Secret { return a.secret }

// AccountKeys returns what NewGenerateAddress needs besides the secret: K_s, K_v, and the view key of the main address.
func (a *GenerateAddress) AccountKeys() (spend, view, mainView xmr.PublicKey) {
	return a.spend, a.view, a.mainView
}

// SpendKey returns the public spend key of address i, by which a wallet recognises what it received there.
func (a *GenerateAddress) SpendKey(i keys.Index) xmr.PublicKey {
	if i == (keys.Index{}) {
		return a.spend
	}
	s := a.addressScalar(i)
	defer edwards.Wipe(s)
	return new(edwards.Point).ScalarMult(s, a.spendPoint).Encode()
}

// Address returns address i: the main address for index (0, 0), otherwise a subaddress.
// Source: carrot.md, 6.1; destination.cpp, make_carrot_main_address_v1 and make_carrot_subaddress_v1.
func (a *GenerateAddress) Address(n xmr.Network, i keys.Index) address.Address {
	if i == (keys.Index{}) {
		return address.At(n, i, a.spend, a.mainView)
	}
	s := a.addressScalar(i)
	defer edwards.Wipe(s)
	p := edwards.EncodePoints(
		new(edwards.Point).ScalarMult(s, a.spendPoint), new(edwards.Point).ScalarMult(s, a.viewPoint))
	return address.At(n, i, p[0], p[1])
}

// Integrated returns the main address with a payment ID. Source: destination.cpp, make_carrot_integrated_address_v1.
func (a *GenerateAddress) Integrated(n xmr.Network, id [8]byte) address.Address {
	out := a.Address(n, keys.Index{})
	out.Kind, out.PaymentID = address.Integrated, id
	return out
}

// addressScalar returns the factor between the spend keys of the account and of address i: one for the main address.
// Source: carrot.md, 6.1.3; address_utils.cpp.
func (a *GenerateAddress) addressScalar(i keys.Index) *edwards.Scalar {
	if i == (keys.Index{}) {
		return edwards.ScalarFromUint64(1)
	}
	var index [8]byte
	binary.LittleEndian.PutUint32(index[:4], i.Major)
	binary.LittleEndian.PutUint32(index[4:], i.Minor)
	first := addressPreimage1(&a.secret, &index)
	second := addressPreimage2(&first, &index, a.spend, a.view)
	s := subaddressScalar(&second, a.spend)
	clear(first[:])
	clear(second[:])
	return s
}

// addressPreimage1 returns s_ap1. index is both numbers, as four bytes each.
func addressPreimage1(secret *[32]byte, index *[8]byte) [32]byte {
	return deriveSecret(secret, "Carrot address index preimage 1", index[:])
}

// addressPreimage2 returns s_ap2.
func addressPreimage2(first *[32]byte, index *[8]byte, spend, view xmr.PublicKey) [32]byte {
	return deriveSecret(first, "Carrot address index preimage 2", index[:], spend[:], view[:])
}

// subaddressScalar returns k_sub_scal.
func subaddressScalar(second *[32]byte, spend xmr.PublicKey) *edwards.Scalar {
	return deriveScalar(second, "Carrot subaddress scalar", spend[:])
}
