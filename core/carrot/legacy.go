package carrot

import (
	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// LegacyView has the view key of a wallet with today's keys. It derives its addresses, which stay the same, and finds
// what others sent and special enotes. It cannot see what the wallet spends. Source: carrot.md, 5.1 and 6.1.2.
type LegacyView struct {
	Incoming
	addresses *keys.Keys // without the spend secret
}

// LegacyMaster has both keys of a wallet with today's keys, and can do what LegacyView can.
type LegacyMaster struct {
	LegacyView
	full *keys.Keys
}

// NewLegacyView returns the view key of k, which may be view-only. It returns ErrKey if the spend key is not in the
// prime-order subgroup.
func NewLegacyView(r *Rules, k *keys.Keys) (*LegacyView, error) {
	incoming, err := NewIncoming(r, k.ViewSecret(), k.SpendPublic)
	if err != nil {
		return nil, err
	}
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	if err != nil {
		return nil, err
	}
	return &LegacyView{Incoming: *incoming, addresses: view}, nil
}

// NewLegacyMaster returns the keys of k. It returns ErrKey if k does not have the spend secret itself.
func NewLegacyMaster(r *Rules, k *keys.Keys) (*LegacyMaster, error) {
	if _, ok := k.SpendSecret(); !ok {
		return nil, ErrKey
	}
	view, err := NewLegacyView(r, k)
	if err != nil {
		return nil, err
	}
	return &LegacyMaster{LegacyView: *view, full: k}, nil
}

// SpendKey returns the public spend key of address i, by which a wallet recognises what it received there.
func (v *LegacyView) SpendKey(i keys.Index) xmr.PublicKey { return v.addresses.SpendKey(i) }

// Address returns address i: the main address for index (0, 0), otherwise a subaddress.
func (v *LegacyView) Address(n xmr.Network, i keys.Index) address.Address {
	spend, view := v.addresses.Address(i)
	return address.At(n, i, spend, view)
}

// Integrated returns the main address with a payment ID.
func (v *LegacyView) Integrated(n xmr.Network, id [8]byte) address.Address {
	out := v.Address(n, keys.Index{})
	out.Kind, out.PaymentID = address.Integrated, id
	return out
}

// Opening returns the secrets x and y of an output of Carrot that address i received, whose key is x·G + y·T. The
// caller wipes them. It returns ErrMismatch if another address received it. Source: carrot.md, 8.2.1.
func (m *LegacyMaster) Opening(o *Received, i keys.Index) (x, y *edwards.Scalar, err error) {
	if m.SpendKey(i) != o.Spend {
		return nil, nil, ErrMismatch
	}
	x, view, ok := m.full.AddressSecrets(i)
	if !ok {
		return nil, nil, ErrKey
	}
	edwards.Wipe(view)
	return x.Add(x, o.ExtensionG), edwards.NewScalar().Set(o.ExtensionT), nil
}

// KeyImage returns the key image of an output of Carrot that address i received. It returns ErrMismatch if another
// address did. Outputs from before the fork keep the key images of package keys.
// Source: carrot.md, 8.2.1; key_image_device_composed.cpp, derive_key_image_prescanned.
func (m *LegacyMaster) KeyImage(o *Received, i keys.Index) (xmr.KeyImage, error) {
	x, y, err := m.Opening(o, i)
	if err != nil {
		return xmr.KeyImage{}, err
	}
	defer edwards.Wipe(x)
	defer edwards.Wipe(y)
	return m.rules.KeyImage(CarrotOutput, o.Key, x), nil
}

// WalletKeyImage returns the key image of an output of Carrot that address i of the wallet with keys k received; g is
// its ExtensionG. It returns false if k, with today's keys, does not have the spend secret itself, or, with those of an
// Account, is of a tier below view-all.
func (r *Rules) WalletKeyImage(k *keys.Keys, i keys.Index, output xmr.PublicKey, g *edwards.Scalar) (
	image xmr.KeyImage, ok bool,
) {
	if a := AccountOf(k); a != nil {
		if a.all == nil {
			return image, false
		}
		return a.image(CarrotOutput, i, output, g), true
	}
	x, view, ok := k.AddressSecrets(i)
	if !ok {
		return image, false
	}
	defer edwards.Wipe(x)
	edwards.Wipe(view)
	return r.KeyImage(CarrotOutput, output, x.Add(x, g)), true
}

// String returns the tier and the public spend key only.
func (v LegacyView) String() string { return describe("legacy view", v.spend) }

// GoString is String.
func (v LegacyView) GoString() string { return v.String() }

// String returns the tier and the public spend key only.
func (m LegacyMaster) String() string { return describe("legacy master", m.spend) }

// GoString is String.
func (m LegacyMaster) GoString() string { return m.String() }
