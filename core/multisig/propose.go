package multisig

import (
	"io"
	"slices"

	"glim/core/coldset"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// InputData has the multisig data of an output to spend.
type InputData struct {
	Image  xmr.KeyImage
	Nonces []SignerNonces
}

// Proposal is a transaction for the other signers, with this signer's responses.
type Proposal struct {
	Pending *coldset.PendingTx
	Tx      *txbuild.MultisigTx
}

// Propose makes the transaction of plan, which is settled, and responds to it once for every group of signers that
// could finish it: this signer and enough of those that sent info about all inputs. known belongs to the plan's inputs.
// The nonces are generated here and never stored. It returns ErrImport, the errors of txbuild.NewMultisigTx,
// coldset.ErrNotOurs, or random's error.
// Source: src/wallet/wallet2.cpp, transfer_selected_rct.
func (a *Account) Propose(
	random io.Reader, k *keys.Keys, plan txbuild.Plan, rings []decoy.Ring, known []InputData, at coldset.PositionLookup,
) (*Proposal, error) {
	if len(known) != len(plan.Inputs) {
		return nil, txbuild.ErrMismatch
	}
	others := a.available(known)
	if len(others)+1 < int(a.threshold) {
		return nil, ErrImport
	}
	images, by := make([]xmr.KeyImage, len(known)), map[xmr.PublicKey]*InputData{}
	for i := range known {
		images[i], by[plan.Inputs[i].Key] = known[i].Image, &known[i]
	}
	s, err := txbuild.NewMultisigTx(random, k, plan, rings, images)
	if err != nil {
		return nil, err
	}
	pending, err := newPendingTx(k, s, plan.Destinations, at)
	if err != nil {
		return nil, err
	}
	next := nonceTaker{}
	for _, group := range combinations(others, int(a.threshold)-1) {
		attempt, err := a.startSig(random, k, s, by, others, group, next)
		if err != nil {
			return nil, err
		}
		pending.MultisigSigs = append(pending.MultisigSigs, *attempt)
	}
	if a.threshold == 1 {
		only := &pending.MultisigSigs[0]
		if pending.Tx, _, err = s.Complete(only.First, only.Responses); err != nil {
			return nil, err
		}
	}
	return &Proposal{pending, s}, nil
}

// NewSet returns the set for the other signers.
func (a *Account) NewSet(list []*coldset.PendingTx) *TxSet {
	set := &TxSet{Signers: []xmr.PublicKey{a.self}}
	for _, p := range list {
		set.Transactions = append(set.Transactions, *p)
	}
	return set
}

// available returns the signers, ascending, that sent enough nonces for every input.
func (a *Account) available(known []InputData) []xmr.PublicKey {
	var out []xmr.PublicKey
	for _, signer := range a.signers {
		everywhere := signer != a.self && len(known) > 0
		for i := range known {
			everywhere = everywhere && slices.ContainsFunc(known[i].Nonces, func(t SignerNonces) bool {
				return t.Signer == signer && len(t.Nonces) >= a.NonceCount()
			})
		}
		if everywhere {
			out = append(out, signer)
		}
	}
	return out
}

// combinations returns every choice of n elements of list, in order.
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

// nonceTaker counts how many of a signer's nonces for an output a proposal has used.
type nonceTaker map[[2]xmr.PublicKey]int

// startSig starts the signature of one group and responds to it.
func (a *Account) startSig(
	random io.Reader, k *keys.Keys, s *txbuild.MultisigTx, by map[xmr.PublicKey]*InputData,
	others, group []xmr.PublicKey, next nonceTaker,
) (*coldset.MultisigSig, error) {
	attempt := new(coldset.MultisigSig)
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
		var theirs []NoncePair
		purpose := s.Signatures[i].Bound()
		for _, signer := range group {
			received := by[in.Key].of(signer)
			for range clsag.Nonces {
				n := next[[2]xmr.PublicKey{signer, in.Key}]
				next[[2]xmr.PublicKey{signer, in.Key}]++
				if n >= len(received) {
					return nil, ErrImport
				}
				theirs = append(theirs, received[n])
				purpose = append(purpose, received[n].L[:], received[n].R[:])
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

func (k *InputData) of(signer xmr.PublicKey) []NoncePair {
	for i := range k.Nonces {
		if k.Nonces[i].Signer == signer {
			return k.Nonces[i].Nonces
		}
	}
	return nil
}

// open returns nonces as scalars, with their commitments.
func open(output xmr.PublicKey, list []keys.Secret) (
	total clsag.Points, nonces [clsag.Nonces]*edwards.Scalar, err error,
) {
	for i := range nonces {
		if nonces[i], err = secret(list[i]); err != nil {
			return total, nonces, err
		}
		total.G[i], total.H[i] = clsag.NoncePoints(output, nonces[i])
	}
	return total, nonces, nil
}

// add adds a nonce's commitments to entry j of total.
func add(total *clsag.Points, j int, n NoncePair) error {
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
