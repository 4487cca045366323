package multisig

import (
	"errors"
	"io"
	"slices"

	"glim/core/coldset"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// Errors of signing a set. Their texts are shown to users.
var (
	// ErrEmpty: a set without transactions, or a transaction without MultisigSigs.
	ErrEmpty = errors.New("multisig: nothing to sign in the set")
	// ErrSigned: this signer has already signed.
	ErrSigned = errors.New("multisig: the transaction is already signed by this signer")
	// ErrFull: enough signers have signed.
	ErrFull = errors.New("multisig: the transaction is already signed by enough signers")
	// ErrLeftOut: this signer is excluded from all MultisigSigs.
	ErrLeftOut = errors.New("multisig: the set was made for other signers: its proposer must import this " +
		"signer's multisig info first")
	// ErrExport: the set uses nonces that this wallet does not have or has already used.
	ErrExport = errors.New("multisig: this signature was made with stale data: export fresh multisig data, which " +
		"other participants must then use")
	// ErrSet: MultisigSigs that do not fit the transaction or each other.
	ErrSet = errors.New("multisig: malformed attempts in the set")
	// ErrImage: a key image that differs from the wallet's.
	ErrImage = errors.New("multisig: a key image in the set is not the output's")
)

// Reviewed is a transaction of a set that was reconstructed from its description.
type Reviewed struct {
	*txbuild.MultisigTx
	Destinations []txbuild.Destination // without change
}

// ReviewContext has the wallet's data for a review: its addresses by key, and the known key images of outputs.
type ReviewContext struct {
	Network   xmr.Network
	Addresses coldset.AddressLookup
	Image     func(output xmr.PublicKey) (xmr.KeyImage, bool)
}

// Review reconstructs every transaction of set from its description, and fails unless they are equal. It returns
// ErrEmpty, ErrImage, the errors of termsOf and txbuild.Reconstruct, and txbuild.ErrMismatch also when two transactions
// spend the same output.
// Source: src/wallet/wallet2.cpp, sign_multisig_tx.
func Review(random io.Reader, k *keys.Keys, know ReviewContext, set *TxSet) ([]Reviewed, error) {
	if len(set.Transactions) == 0 {
		return nil, ErrEmpty
	}
	var out []Reviewed
	spent := map[xmr.PublicKey]bool{}
	for i := range set.Transactions {
		p := &set.Transactions[i]
		terms, err := termsOf(p, know.Network, k, know.Addresses)
		if err != nil {
			return nil, err
		}
		s, err := txbuild.Reconstruct(random, k, terms, p.Tx)
		if err != nil {
			return nil, err
		}
		if p.Key != s.Key || !slices.Equal(p.AdditionalKeys, s.AdditionalKeys) {
			return nil, txbuild.ErrMismatch
		}
		for j := range s.Inputs {
			key := s.Inputs[j].Key
			if image, known := know.Image(key); known && image != s.Tx.Inputs[j].KeyImage {
				return nil, ErrImage
			}
			if spent[key] {
				return nil, txbuild.ErrMismatch
			}
			spent[key] = true
		}
		out = append(out, Reviewed{s, terms.Plan.Destinations})
	}
	return out, nil
}

// SigningTask is a set that this signer may sign once its nonces are durably removed from the wallet.
type SigningTask struct {
	account  *Account
	set      *TxSet
	reviewed []Reviewed
	picks    [][]pick // by transaction
}

// pick is a MultisigSig with the positions of the nonces to use, one array per input.
type pick struct {
	attempt int
	nonces  [][clsag.Nonces]int
}

// NewSigningTask prepares signing of set, which was reviewed. nonces returns this signer's nonces for an output in the
// order in which they were sent, without used ones. It signs nothing yet. It returns ErrSigned, ErrFull,
// ErrForeignSigner when a signer of the set is not in the group, ErrEmpty, ErrSet, ErrLeftOut or ErrExport. Source:
// src/wallet/wallet2.cpp, sign_multisig_tx and get_multisig_k.
func (a *Account) NewSigningTask(
	set *TxSet, reviewed []Reviewed, nonces func(output xmr.PublicKey) []keys.Secret,
) (*SigningTask, error) {
	switch {
	case slices.Contains(set.Signers, a.self):
		return nil, ErrSigned
	case len(set.Signers) >= int(a.threshold):
		return nil, ErrFull
	case slices.ContainsFunc(set.Signers, func(s xmr.PublicKey) bool { return !a.isSigner(s) }):
		return nil, ErrForeignSigner
	case len(set.Transactions) != len(reviewed):
		return nil, ErrSet
	}
	t := &SigningTask{account: a, set: set, reviewed: reviewed, picks: make([][]pick, len(reviewed))}
	for n := range reviewed {
		if err := t.choose(n, nonces); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// choose finds this signer's nonces for every MultisigSig of transaction n that it takes part in.
func (t *SigningTask) choose(n int, nonces func(xmr.PublicKey) []keys.Secret) error {
	inputs, attempts := t.reviewed[n].Inputs, t.set.Transactions[n].MultisigSigs
	if len(attempts) == 0 {
		return ErrEmpty
	}
	own := make([]ownPoints, len(inputs))
	for i := range inputs {
		own[i] = newOwnPoints(nonces(inputs[i].Key))
	}
	final := 0
	for at := range attempts {
		attempt := &attempts[at]
		if err := checkSig(attempt, len(inputs)); err != nil {
			return err
		}
		if slices.Contains(attempt.Ignore, t.account.self) {
			continue
		}
		if !meet(attempt.Ignore, t.set.Signers) {
			final++
		}
		p := pick{attempt: at, nonces: make([][clsag.Nonces]int, len(inputs))}
		for i := range own {
			if !own[i].take(attempt.UsedL, &p.nonces[i]) {
				return ErrExport
			}
		}
		t.picks[n] = append(t.picks[n], p)
	}
	switch {
	case len(t.picks[n]) == 0:
		return ErrLeftOut
	case t.last() && final != 1:
		return ErrSet // ambiguous: only one can be complete
	}
	return nil
}

func checkSig(a *coldset.MultisigSig, inputs int) error {
	if len(a.TotalG) != inputs || len(a.TotalH) != inputs || len(a.First) != inputs || len(a.Responses) != inputs {
		return ErrSet
	}
	for i := range inputs {
		if len(a.TotalG[i]) != clsag.Nonces || len(a.TotalH[i]) != clsag.Nonces {
			return ErrSet
		}
		if _, err := edwards.DecodeScalar(a.Responses[i]); err != nil {
			return ErrSet
		}
	}
	return nil
}

func meet(a, b []xmr.PublicKey) bool {
	return slices.ContainsFunc(a, func(x xmr.PublicKey) bool { return slices.Contains(b, x) })
}

// last reports whether this signer's signature completes the set.
func (t *SigningTask) last() bool { return len(t.set.Signers)+1 >= int(t.account.threshold) }

// ownPoints finds nonces by their commitments.
type ownPoints struct {
	order [][32]byte
	taken []bool
}

// newOwnPoints computes only the commitments to G, by which sets refer to nonces.
func newOwnPoints(list []keys.Secret) ownPoints {
	p := ownPoints{taken: make([]bool, len(list))}
	for i := range list {
		n, err := secret(list[i])
		if err != nil {
			p.order = append(p.order, [32]byte{})
			p.taken[i] = true
			continue
		}
		p.order = append(p.order, new(edwards.Point).ScalarBaseMult(n).Encode())
		edwards.Wipe(n)
	}
	return p
}

// take picks the first nonces in order that used contains and no earlier MultisigSig has, as the maker of the set did.
func (p *ownPoints) take(used [][32]byte, picked *[clsag.Nonces]int) bool {
	named := make(map[[32]byte]bool, len(used))
	for _, l := range used {
		named[l] = true
	}
	n := 0
	for i := range p.order {
		if n == len(picked) {
			break
		}
		if !p.taken[i] && named[p.order[i]] {
			p.taken[i], picked[n] = true, i
			n++
		}
	}
	return n == len(picked)
}

// Outputs lists the outputs whose nonces signing uses up.
func (t *SigningTask) Outputs() []xmr.PublicKey {
	var list []xmr.PublicKey
	for i := range t.reviewed {
		for j := range t.reviewed[i].Inputs {
			list = append(list, t.reviewed[i].Inputs[j].Key)
		}
	}
	return list
}

// Finished is a transaction with all signatures.
type Finished struct {
	Reviewed
	Tx *tx.Transaction
	ID xmr.Hash
}

// Sign responds to the challenges and returns the set with this signer's part, and the transactions that this
// completes. taken returns the nonces of Outputs as NewSigningTask saw them. Before the call the wallet must have
// removed them irrevocably, and the call must not be repeated. It returns ErrSet for a set that cannot be responded to,
// and txbuild.ErrMismatch when an earlier signer's response is wrong.
// Source: src/wallet/wallet2.cpp, sign_multisig_tx.
func (t *SigningTask) Sign(taken func(output xmr.PublicKey) []keys.Secret) (*TxSet, []Finished, error) {
	set := t.set.Clone()
	var finished []Finished
	for n := range t.picks {
		p, r := &set.Transactions[n], t.reviewed[n]
		for _, one := range t.picks[n] {
			if err := t.account.respond(&p.MultisigSigs[one.attempt], &one, r.MultisigTx, taken); err != nil {
				return nil, nil, err
			}
		}
		if !t.last() {
			continue
		}
		for _, one := range t.picks[n] {
			attempt := &p.MultisigSigs[one.attempt]
			if meet(attempt.Ignore, set.Signers) {
				continue
			}
			done, id, err := r.Complete(attempt.First, attempt.Responses)
			if err != nil {
				return nil, nil, err
			}
			p.Tx = done
			finished = append(finished, Finished{r, done, id})
		}
	}
	set.Signers = append(set.Signers, t.account.self)
	return set, finished, nil
}

// respond adds this signer's response to every input of a MultisigSig, using the shares that no earlier signer has
// used.
func (a *Account) respond(
	attempt *coldset.MultisigSig, one *pick, s *txbuild.MultisigTx, taken func(xmr.PublicKey) []keys.Secret,
) error {
	part := edwards.NewScalar()
	defer edwards.Wipe(part)
	for _, share := range a.shares {
		if public := publicOf(share); !slices.Contains(attempt.Keys, public) {
			part.Add(part, share)
			attempt.Keys = append(attempt.Keys, public)
		}
	}
	for i := range s.Inputs {
		list := taken(s.Inputs[i].Key)
		var nonces [clsag.Nonces]*edwards.Scalar
		for j, at := range one.nonces[i] {
			if at >= len(list) {
				return ErrExport
			}
			n, err := secret(list[at])
			if err != nil {
				return ErrExport
			}
			nonces[j] = n
			defer edwards.Wipe(n)
		}
		ch, err := s.Signatures[i].Challenge(clsag.Points{
			G: [clsag.Nonces][32]byte(attempt.TotalG[i]), H: [clsag.Nonces][32]byte(attempt.TotalH[i]),
		})
		if err != nil {
			return ErrSet
		}
		sum, err := edwards.DecodeScalar(attempt.Responses[i])
		if err != nil {
			return ErrSet
		}
		attempt.First[i] = ch.C1
		attempt.Responses[i] = edwards.EncodeScalar(sum.Add(sum, s.Signatures[i].Respond(ch, nonces, part, nil)))
	}
	return nil
}
