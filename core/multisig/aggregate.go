package multisig

import (
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/internal/parallel"
	"glim/core/xmr"
)

// aggregation is the suffix of the hashed data of coefficients.
// Source: src/cryptonote_config.h, HASH_KEY_MULTISIG_KEY_AGGREGATION.
var aggregation = func() (b [32]byte) {
	copy(b[:], "Multisig_key_agg")
	return b
}()

// coefficients returns the coefficient of each key: Hs(K ‖ all ‖ domain). Each hashes all keys, of which a large group
// has more than ten thousand, so all processors share the work.
// Source: src/multisig/multisig_account_kex_impl.cpp, compute_multisig_aggregation_coefficient.
func coefficients(all []xmr.PublicKey) []*edwards.Scalar {
	suffix := make([]byte, 0, 32*(len(all)+1))
	for _, k := range all {
		suffix = append(suffix, k[:]...)
	}
	suffix = append(suffix, aggregation[:]...)
	out := make([]*edwards.Scalar, len(all))
	parallel.For(len(all), func(i int) { out[i] = edwards.HashToScalar(all[i][:], suffix) })
	return out
}

// aggregate computes the group's spend key from all shares, Σ c_K·K with c_K = Hs(K ‖ all shares, ascending ‖ domain),
// and multiplies this signer's shares by their coefficients. A coefficient depends on all shares, so that no signer can
// choose a share that cancels others. It returns ErrDisagree for a repeated share, and ErrKey for an invalid result.
// Source: MRL-0009; src/multisig/multisig_account_kex_impl.cpp, generate_multisig_aggregate_key.
func (a *Account) aggregate(others []xmr.PublicKey) error {
	own := map[xmr.PublicKey]int{}
	all := slices.Clone(others)
	for i, s := range a.shares {
		k := publicOf(s)
		own[k] = i
		all = append(all, k)
	}
	sortKeys(all)
	if len(slices.Compact(slices.Clone(all))) != len(all) {
		return ErrDisagree
	}
	shares, coefficients := slices.Clone(a.shares), coefficients(all)
	points := make([]*edwards.Point, len(all))
	for i, k := range all {
		p, err := edwards.DecodePoint(k)
		if err != nil {
			return ErrKey
		}
		points[i] = p
		if n, ok := own[k]; ok {
			shares[n] = edwards.NewScalar().Multiply(coefficients[i], a.shares[n])
			if shares[n].Equal(edwards.NewScalar()) == 1 {
				return ErrKey
			}
		}
	}
	sum := new(edwards.Point).VarTimeMultiScalarMult(coefficients, points) // all arguments are public
	if sum.IsIdentity() {
		return ErrKey
	}
	a.shares, a.spendKey = shares, sum.Encode()
	return nil
}
