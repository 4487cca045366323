package keys

import "glim/core/crypto/edwards"

// OutputOffset returns the difference between the wallet's spend secret and the secret key of output n of a transaction
// with derivation d, received at i. It needs the view key only.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, generate_key_image_helper_precomp.
func (k *Keys) OutputOffset(d edwards.Derivation, n uint64, i Index) *edwards.Scalar {
	x := d.Scalar(n)
	if i != (Index{}) {
		x.Add(x, k.subaddressSecret(i))
	}
	return x
}
