package keys

import "glim/core/crypto/edwards"

// OutputOffset returns what the secret key of the output number n of a transaction with derivation d, received at i, exceeds
// the wallet's spend secret by. The view key is enough to know it.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, generate_key_image_helper_precomp.
func (k *Keys) OutputOffset(d edwards.Derivation, n uint64, i Index) *edwards.Scalar {
	x := d.Scalar(n)
	if i != (Index{}) {
		x.Add(x, k.subaddressSecret(i))
	}
	return x
}
