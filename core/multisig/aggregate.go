package multisig

import (
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/xmr"
)

// aggregation ends what coefficients are hashed from.
// Source: src/cryptonote_config.h, HASH_KEY_MULTISIG_KEY_AGGREGATION.
var aggregation = func() (b [32]byte) {
	copy(b[:], "Multisig_key_agg")
	return b
}()

// aggregate makes the group's spend key of everybody's parts: Σ c_K·K with c_K = Hs(K ‖ all parts, ascending ‖ domain), and puts the
// coefficients into the own shares. A coefficient depends on all parts: nobody can choose his so that it cancels those of others.
// Errors: ErrDisagree for a part that is there twice, ErrKey when something comes out that is no key.
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
	hashed := make([]byte, 0, 32*(len(all)+2))
	hashed = append(hashed, make([]byte, 32)...)
	for _, k := range all {
		hashed = append(hashed, k[:]...)
	}
	hashed = append(hashed, aggregation[:]...)
	shares := slices.Clone(a.shares)
	points, coefficients := make([]*edwards.Point, len(all)), make([]*edwards.Scalar, len(all))
	for i, k := range all {
		copy(hashed, k[:])
		c := edwards.HashToScalar(hashed)
		p, err := edwards.DecodePoint(k)
		if err != nil {
			return ErrKey
		}
		points[i], coefficients[i] = p, c
		if n, ok := own[k]; ok {
			shares[n] = edwards.NewScalar().Multiply(c, a.shares[n])
			if shares[n].Equal(edwards.NewScalar()) == 1 {
				return ErrKey
			}
		}
	}
	sum := new(edwards.Point).VarTimeMultiScalarMult(coefficients, points) // nothing of it is secret
	if sum.IsIdentity() {
		return ErrKey
	}
	a.shares, a.spendKey = shares, sum.Encode()
	return nil
}
