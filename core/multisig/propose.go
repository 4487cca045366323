package multisig

import (
	"io"
	"slices"

	"glim/core/build"
	"glim/core/coldset"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/xmr"
)

// Known is what a wallet knows of an output for spending it with others.
type Known struct {
	Image xmr.KeyImage
	Told  []Told
}

// Proposal is a transaction for the other signers, with this signer's responses.
type Proposal struct {
	Pending *coldset.Pending
	Shared  *build.Shared
}

// Propose makes the transaction of plan, which is settled, and responds to it once for every group of signers that could finish it: this
// one and as many of those who told of all inputs as are needed. known is of the plan's inputs. The nonces used here are
// made for this and never kept. Errors: ErrImport, those of build.NewShared and coldset.NewSharedPending, random's.
// Source: src/wallet/wallet2.cpp, transfer_selected_rct.
func (a *Account) Propose(random io.Reader, k *keys.Keys, plan build.Plan, rings []decoy.Ring, known []Known, at coldset.Positions) (*Proposal, error) {
	if len(known) != len(plan.Inputs) {
		return nil, build.ErrInsane
	}
	others := a.available(known)
	if len(others)+1 < int(a.threshold) {
		return nil, ErrImport
	}
	images, by := make([]xmr.KeyImage, len(known)), map[xmr.PublicKey]*Known{}
	for i := range known {
		images[i], by[plan.Inputs[i].Key] = known[i].Image, &known[i]
	}
	s, err := build.NewShared(random, k, plan, rings, images)
	if err != nil {
		return nil, err
	}
	pending, err := coldset.NewSharedPending(k, s, plan.Destinations, at)
	if err != nil {
		return nil, err
	}
	next := nonceTaker{}
	for _, group := range combinations(others, int(a.threshold)-1) {
		attempt, err := a.begin(random, k, s, by, others, group, next)
		if err != nil {
			return nil, err
		}
		pending.Attempts = append(pending.Attempts, *attempt)
	}
	if a.threshold == 1 {
		only := &pending.Attempts[0]
		if pending.Tx, _, err = s.Complete(only.First, only.Responses); err != nil {
			return nil, err
		}
	}
	return &Proposal{pending, s}, nil
}

// NewSet returns the set that the other signers are given.
func (a *Account) NewSet(list []*coldset.Pending) *coldset.SharedSet {
	set := &coldset.SharedSet{Signers: []xmr.PublicKey{a.self}}
	for _, p := range list {
		set.Transactions = append(set.Transactions, *p)
	}
	return set
}

// available returns the signers who told of every input as many nonces as a proposal can take, ascending.
func (a *Account) available(known []Known) []xmr.PublicKey {
	var out []xmr.PublicKey
	for _, signer := range a.signers {
		everywhere := signer != a.self && len(known) > 0
		for i := range known {
			everywhere = everywhere && slices.ContainsFunc(known[i].Told, func(t Told) bool {
				return t.Signer == signer && len(t.Nonces) >= a.NonceCount()
			})
		}
		if everywhere {
			out = append(out, signer)
		}
	}
	return out
}

// combinations returns every choice of n of list, in order.
func combinations(list []xmr.PublicKey, n int) [][]xmr.PublicKey {
	if n == 0 {
		return [][]xmr.PublicKey{nil}
	}
	var out [][]xmr.PublicKey
	for i := range list {
		for _, rest := range combinations(list[i+1:], n-1) {
			out = append(out, append([]xmr.PublicKey{list[i]}, rest...))
		}
	}
	return out
}

// nonceTaker remembers how many of a signer's nonces for an output a proposal has taken.
type nonceTaker map[[2]xmr.PublicKey]int

// begin makes one group's attempt and responds to it.
func (a *Account) begin(random io.Reader, k *keys.Keys, s *build.Shared, by map[xmr.PublicKey]*Known, others, group []xmr.PublicKey,
	next nonceTaker) (*coldset.Attempt, error) {
	attempt := new(coldset.Attempt)
	for _, signer := range others {
		if !slices.Contains(group, signer) {
			attempt.Ignore = append(attempt.Ignore, signer)
		}
	}
	for _, share := range a.shares {
		attempt.Keys = append(attempt.Keys, publicOf(share))
	}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		var theirs []coldset.NoncePair
		purpose := s.Signatures[i].Bound()
		for _, signer := range group {
			told := by[in.Key].of(signer)
			for range clsag.Nonces {
				n := next[[2]xmr.PublicKey{signer, in.Key}]
				next[[2]xmr.PublicKey{signer, in.Key}]++
				if n >= len(told) {
					return nil, ErrImport
				}
				theirs = append(theirs, told[n])
				purpose = append(purpose, told[n].L[:], told[n].R[:])
			}
		}
		own, err := a.freshNonces(random, in.Key, clsag.Nonces, purpose...)
		if err != nil {
			return nil, err
		}
		total, nonces, err := open(in.Key, own)
		clear(own)
		if err != nil {
			return nil, err
		}
		for n := range theirs {
			if err := add(&total, n%clsag.Nonces, theirs[n]); err != nil {
				return nil, err
			}
			attempt.UsedL = append(attempt.UsedL, theirs[n].L)
		}
		ch, err := s.Signatures[i].Challenge(total)
		if err != nil {
			return nil, err
		}
		secret := a.outputSecret(k, in)
		response := s.Signatures[i].Respond(ch, nonces, secret, s.Mask(i))
		edwards.Wipe(secret)
		for _, n := range nonces {
			edwards.Wipe(n)
		}
		attempt.TotalG = append(attempt.TotalG, slices.Clone(total.G[:]))
		attempt.TotalH = append(attempt.TotalH, slices.Clone(total.H[:]))
		attempt.First = append(attempt.First, ch.C1)
		attempt.Responses = append(attempt.Responses, edwards.EncodeScalar(response))
	}
	return attempt, nil
}

func (k *Known) of(signer xmr.PublicKey) []coldset.NoncePair {
	for i := range k.Told {
		if k.Told[i].Signer == signer {
			return k.Told[i].Nonces
		}
	}
	return nil
}

// open returns nonces as scalars, with what commits to them.
func open(output xmr.PublicKey, list []keys.Secret) (total clsag.Points, nonces [clsag.Nonces]*edwards.Scalar, err error) {
	for i := range nonces {
		if nonces[i], err = secret(list[i]); err != nil {
			return total, nonces, err
		}
		total.G[i], total.H[i] = clsag.NoncePoints(output, nonces[i])
	}
	return total, nonces, nil
}

// add adds a nonce's points to number j of total.
func add(total *clsag.Points, j int, n coldset.NoncePair) error {
	for _, x := range []struct {
		to   *[32]byte
		more [32]byte
	}{{&total.G[j], n.L}, {&total.H[j], n.R}} {
		sum, err := clsag.Nonce(*x.to)
		if err != nil {
			return err
		}
		p, err := clsag.Nonce(x.more)
		if err != nil {
			return ErrNonce
		}
		*x.to = sum.Add(sum, p).Encode()
	}
	return nil
}
