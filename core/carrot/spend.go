package carrot

import (
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// Extends reports whether the key of o is that of its address, Spend, with ExtensionG and ExtensionT added, so that the
// wallet's keys open it.
func (r *Rules) Extends(o *Received) bool {
	p, err := edwards.DecodePoint(o.Spend)
	return err == nil && p.Add(p, r.outputKey(o.ExtensionG, o.ExtensionT)).Encode() == [32]byte(o.Key)
}

// KeyImage returns the key image of an output that address i received. It returns ErrMismatch if another address did.
// Source: carrot.md, 8.2.2; key_image_device_composed.cpp, derive_key_image_prescanned.
func (v *ViewAll) KeyImage(o *Received, i keys.Index) (xmr.KeyImage, error) {
	x, err := v.imageSecret(o, i)
	if err != nil {
		return xmr.KeyImage{}, err
	}
	defer edwards.Wipe(x)
	return v.Internal.rules.KeyImage(CarrotOutput, o.Key, x), nil
}

// imageSecret returns x, see Master.Opening.
func (v *ViewAll) imageSecret(o *Received, i keys.Index) (*edwards.Scalar, error) {
	if v.SpendKey(i) != o.Spend {
		return nil, ErrMismatch
	}
	s := v.addressScalar(i)
	return s.MultiplyAdd(s, v.image, o.ExtensionG), nil
}

// Opening returns the secrets x and y of an output that address i received, whose key is x·G + y·T. The caller wipes
// them. It returns ErrMismatch if another address received it. Source: carrot.md, 4.2 and 8.2.2.
func (m *Master) Opening(o *Received, i keys.Index) (x, y *edwards.Scalar, err error) {
	if x, err = m.imageSecret(o, i); err != nil {
		return nil, nil, err
	}
	y = m.addressScalar(i)
	return x, y.MultiplyAdd(y, m.prove, o.ExtensionT), nil
}
