package multisig

import (
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/internal/smallsort"
	"glim/core/xmr"
)

// advance returns the account after one of the key rounds. others are the keys of that round that this signer does not
// have.
//
// Before the last two key rounds, the secrets shared with the holders of these keys are the keys of the next round. In
// the second-to-last, the hash of each such secret is a share of the spend key, and its public key the key of the next
// round. In the last, others are the other signers' shares, and the sum of all shares, each with its coefficient, is
// the group's key. It returns ErrDisagree or ErrKey.
// Source: src/multisig/multisig_account_kex_impl.cpp, finalize_kex_update.
func (a *Account) advance(others []xmr.PublicKey) (*Account, error) {
	next := *a
	next.round++
	last := mainRounds(a.Total(), a.threshold)
	if next.round == last {
		next.kexKeys = nil
		if err := next.aggregate(others); err != nil {
			return nil, err
		}
		return &next, nil
	}
	next.kexKeys = make([]xmr.PublicKey, len(others))
	next.shares = nil
	for i, k := range others {
		d, err := a.secretWith(k)
		if err != nil {
			return nil, err
		}
		next.kexKeys[i] = d
		if next.round == last-1 {
			share := blindedSecret((*[32]byte)(&d))
			next.shares = append(next.shares, share)
			next.kexKeys[i] = publicOf(share)
		}
	}
	sortTogether(next.kexKeys, next.shares)
	if len(slices.Compact(slices.Clone(next.kexKeys))) != len(next.kexKeys) {
		return nil, ErrDisagree
	}
	return &next, nil
}

// secretWith returns 8·base·k, the secret shared with the holder of k. The cofactor prevents a key of mixed order from
// revealing something about base.
// Source: src/multisig/multisig_account_kex_impl.cpp, multisig_kex_make_round_keys.
func (a *Account) secretWith(k xmr.PublicKey) (xmr.PublicKey, error) {
	p, err := edwards.DecodePoint(k)
	if err != nil {
		return xmr.PublicKey{}, ErrKey
	}
	p.ScalarMult(a.base, p)
	return p.MultByCofactor(p).Encode(), nil
}

// sortTogether sorts public keys and, if any, the secrets that belong to them.
func sortTogether(public []xmr.PublicKey, secret []*edwards.Scalar) {
	if len(secret) == 0 {
		sortKeys(public)
		return
	}
	type pair struct {
		public xmr.PublicKey
		secret *edwards.Scalar
	}
	pairs := make([]pair, len(public))
	for i := range public {
		pairs[i] = pair{public[i], secret[i]}
	}
	smallsort.Sort(pairs, func(a, b pair) int { return compareKeys(a.public, b.public) })
	for i, p := range pairs {
		public[i], secret[i] = p.public, p.secret
	}
}
