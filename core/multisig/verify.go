package multisig

import (
	"slices"

	"glim/core/xmr"
)

// verify returns the account after the last round, in which every signer sends the group's two public keys. It fails
// unless all agree with this account, so that the group is not paid before all can spend. It returns ErrMissing or
// ErrDisagree.
// Source: src/multisig/multisig_account_kex_impl.cpp, evaluate_multisig_post_kex_round_msgs.
func (a *Account) verify(said map[xmr.PublicKey][]xmr.PublicKey, incomplete bool) (*Account, error) {
	want := []xmr.PublicKey{a.spendKey, a.viewKey}
	sortKeys(want)
	for _, list := range said {
		if !slices.Equal(list, want) {
			return nil, ErrDisagree
		}
	}
	said[a.self] = want
	if len(said) < len(a.signers) && !incomplete {
		return nil, ErrMissing
	}
	next := *a
	next.round++
	return &next, nil
}
