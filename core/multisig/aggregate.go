package multisig

import (
	"runtime"
	"slices"
	"sync"

	"glim/core/crypto/edwards"
	"glim/core/xmr"
)

// aggregation ends what coefficients are hashed from.
// Source: src/cryptonote_config.h, HASH_KEY_MULTISIG_KEY_AGGREGATION.
var aggregation = func() (b [32]byte) {
	copy(b[:], "Multisig_key_agg")
	return b
}()

// coefficients returns that of each of all keys: Hs(K ‖ all ‖ domain). Each hashes all keys, of which a large group has ten thousand
// and more: every processor takes its part.
// Source: src/multisig/multisig_account_kex_impl.cpp, compute_multisig_aggregation_coefficient.
func coefficients(all []xmr.PublicKey) []*edwards.Scalar {
	behind := make([]byte, 0, 32*(len(all)+1))
	for _, k := range all {
		behind = append(behind, k[:]...)
	}
	behind = append(behind, aggregation[:]...)
	out := make([]*edwards.Scalar, len(all))
	each := (len(all) + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	var parts sync.WaitGroup
	for from := 0; from < len(all); from += each {
		parts.Go(func() {
			for i := from; i < min(from+each, len(all)); i++ {
				out[i] = edwards.HashToScalar(all[i][:], behind)
			}
		})
	}
	parts.Wait()
	return out
}

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
	sum := new(edwards.Point).VarTimeMultiScalarMult(coefficients, points) // nothing of it is secret
	if sum.IsIdentity() {
		return ErrKey
	}
	a.shares, a.spendKey = shares, sum.Encode()
	return nil
}
