package multisig

import (
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/internal/order"
	"glim/core/xmr"
)

// advance returns the account after one of the rounds that make keys. others are the keys of that round this signer has not.
//
// In rounds before the last two, the secret with each of them is what the next round's keys are. Before the last of them, the hash
// of the secret is a share of the spend key and its public half the next round's key. In the last, others are the shares of
// others, and the sum of all, each with its coefficient, is the group's key. Errors: ErrDisagree, ErrKey.
// Source: src/multisig/multisig_account_kex_impl.cpp, finalize_kex_update.
func (a *Account) advance(others []xmr.PublicKey) (*Account, error) {
	next := *a
	next.round++
	last := mainRounds(a.Total(), a.threshold)
	if next.round == last {
		next.shared = nil
		if err := next.aggregate(others); err != nil {
			return nil, err
		}
		return &next, nil
	}
	next.shared = make([]xmr.PublicKey, len(others))
	next.shares = nil
	for i, k := range others {
		d, err := a.secretWith(k)
		if err != nil {
			return nil, err
		}
		next.shared[i] = d
		if next.round == last-1 {
			share := blind((*[32]byte)(&d))
			next.shares = append(next.shares, share)
			next.shared[i] = publicOf(share)
		}
	}
	sortTogether(next.shared, next.shares)
	if len(slices.Compact(slices.Clone(next.shared))) != len(next.shared) {
		return nil, ErrDisagree
	}
	return &next, nil
}

// secretWith returns 8·base·k, the secret this signer shares with whoever made k. The cofactor keeps a key of mixed order from
// telling something about base.
// Source: src/multisig/multisig_account_kex_impl.cpp, multisig_kex_make_round_keys.
func (a *Account) secretWith(k xmr.PublicKey) (xmr.PublicKey, error) {
	p, err := edwards.DecodePoint(k)
	if err != nil {
		return xmr.PublicKey{}, ErrKey
	}
	p.ScalarMult(a.base, p)
	return p.MultByCofactor(p).Encode(), nil
}

// sortTogether sorts public keys and, when there are any, the secrets that belong to them.
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
	order.Sort(pairs, func(a, b pair) int { return compareKeys(a.public, b.public) })
	for i, p := range pairs {
		public[i], secret[i] = p.public, p.secret
	}
}
