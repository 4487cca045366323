package multisig

import (
	"errors"
	"io"
	"slices"

	"glim/core/build"
	"glim/core/coldset"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Errors of signing a set. Messages are for people and reach the client.
var (
	// ErrEmpty: a set without transactions, or a transaction without a way to finish it.
	ErrEmpty = errors.New("multisig: nothing to sign in the set")
	// ErrSigned: this signer signed it before.
	ErrSigned = errors.New("multisig: the transaction is already signed by this signer")
	// ErrFull: enough signers signed it.
	ErrFull = errors.New("multisig: the transaction is already signed by enough signers")
	// ErrLeftOut: who made the set left this signer out of every attempt.
	ErrLeftOut = errors.New("multisig: the set was made for other signers: whoever makes one has to import this signer's multisig info first")
	// ErrExport: the set counts on nonces that this wallet has not, or has used.
	ErrExport = errors.New("multisig: this signature was made with stale data: export fresh multisig data, which other participants must then use")
	// ErrSet: attempts that fit neither the transaction nor each other.
	ErrSet = errors.New("multisig: malformed attempts in the set")
	// ErrImage: a key image that is not the one this wallet knows.
	ErrImage = errors.New("multisig: a key image in the set is not the output's")
)

// Reviewed is a transaction of a set, made again from its description and found to be that.
type Reviewed struct {
	*build.Shared
	Destinations []build.Destination // without change
}

// Knowledge is what the wallet knows beside its part: which of its addresses has a key, and the key images of outputs, as
// far as it does.
type Knowledge struct {
	Network   xmr.Network
	Addresses coldset.Addresses
	Image     func(output xmr.PublicKey) (xmr.KeyImage, bool)
}

// Review makes every transaction of set again from what it is said to do, and refuses one that is anything else.
// Errors: ErrEmpty, ErrImage, those of coldset.Pending.Terms and build.Review; build.ErrInsane also for two that spend one output.
// Source: src/wallet/wallet2.cpp, sign_multisig_tx.
func Review(random io.Reader, k *keys.Keys, know Knowledge, set *coldset.SharedSet) ([]Reviewed, error) {
	if len(set.Transactions) == 0 {
		return nil, ErrEmpty
	}
	var out []Reviewed
	spent := map[xmr.PublicKey]bool{}
	for i := range set.Transactions {
		p := &set.Transactions[i]
		terms, err := p.Terms(know.Network, k, know.Addresses)
		if err != nil {
			return nil, err
		}
		s, err := build.Review(random, k, terms, p.Tx)
		if err != nil {
			return nil, err
		}
		if p.Key != s.Key || !slices.Equal(p.AdditionalKeys, s.AdditionalKeys) {
			return nil, build.ErrInsane
		}
		for j := range s.Inputs {
			key := s.Inputs[j].Key
			if image, known := know.Image(key); known && image != s.Tx.Inputs[j].KeyImage {
				return nil, ErrImage
			}
			if spent[key] {
				return nil, build.ErrInsane
			}
			spent[key] = true
		}
		out = append(out, Reviewed{s, terms.Plan.Destinations})
	}
	return out, nil
}

// Task is a set that this signer may sign, once its nonces are taken out of the wallet for good.
type Task struct {
	account  *Account
	set      *coldset.SharedSet
	reviewed []Reviewed
	picks    [][]pick // by transaction
}

// pick is one attempt with the numbers of the nonces to respond with, an array an input.
type pick struct {
	attempt int
	nonces  [][clsag.Nonces]int
}

// NewTask returns what is to be done to sign set, which was reviewed. nonces are this signer's for an output, as they were told
// the others, in order; used ones count no more. Nothing is signed yet. Errors: ErrSigned, ErrFull, ErrStranger when a
// signer of the set is none of the group's, ErrEmpty, ErrSet, ErrLeftOut, ErrExport.
// Source: src/wallet/wallet2.cpp, sign_multisig_tx and get_multisig_k.
func (a *Account) NewTask(set *coldset.SharedSet, reviewed []Reviewed, nonces func(output xmr.PublicKey) []keys.Secret) (*Task, error) {
	switch {
	case slices.Contains(set.Signers, a.self):
		return nil, ErrSigned
	case len(set.Signers) >= int(a.threshold):
		return nil, ErrFull
	case slices.ContainsFunc(set.Signers, func(s xmr.PublicKey) bool { return !a.isSigner(s) }):
		return nil, ErrStranger
	case len(set.Transactions) != len(reviewed):
		return nil, ErrSet
	}
	t := &Task{account: a, set: set, reviewed: reviewed, picks: make([][]pick, len(reviewed))}
	for n := range reviewed {
		if err := t.choose(n, nonces); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// choose finds this signer's nonces for every attempt of transaction n that has a part for it.
func (t *Task) choose(n int, nonces func(xmr.PublicKey) []keys.Secret) error {
	inputs, attempts := t.reviewed[n].Inputs, t.set.Transactions[n].Attempts
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
		if err := checkAttempt(attempt, len(inputs)); err != nil {
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
		return ErrSet // which of them is the finished one?
	}
	return nil
}

func checkAttempt(a *coldset.Attempt, inputs int) error {
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

// last reports that with this signer's the signatures are enough.
func (t *Task) last() bool { return len(t.set.Signers)+1 >= int(t.account.threshold) }

// ownPoints finds nonces by what commits to them.
type ownPoints struct {
	order [][32]byte
	taken []bool
}

// newOwnPoints computes the commitments to G only, by which nonces are named.
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

// take picks the first nonces in order that used names and no attempt has, as whoever made the attempts did.
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

// Outputs lists the outputs whose nonces are used up by signing.
func (t *Task) Outputs() []xmr.PublicKey {
	var list []xmr.PublicKey
	for i := range t.reviewed {
		for j := range t.reviewed[i].Inputs {
			list = append(list, t.reviewed[i].Inputs[j].Key)
		}
	}
	return list
}

// Finished is a transaction that needs no further signature.
type Finished struct {
	Reviewed
	Tx *tx.Transaction
	ID xmr.Hash
}

// Sign responds to the challenges and returns the set with this signer's part, and the transactions that are finished with it.
// taken are the nonces of Outputs as NewTask saw them. The wallet must not have them any more, nor be able to get them back,
// before this is called; and it may be called once only. ErrSet when the set cannot be responded to; build.ErrInsane
// when a signer before this one responded wrongly.
// Source: src/wallet/wallet2.cpp, sign_multisig_tx.
func (t *Task) Sign(taken func(output xmr.PublicKey) []keys.Secret) (*coldset.SharedSet, []Finished, error) {
	set := t.set.Clone()
	var finished []Finished
	for n := range t.picks {
		p, r := &set.Transactions[n], t.reviewed[n]
		for _, one := range t.picks[n] {
			if err := t.account.respond(&p.Attempts[one.attempt], &one, r.Shared, taken); err != nil {
				return nil, nil, err
			}
		}
		if !t.last() {
			continue
		}
		for _, one := range t.picks[n] {
			attempt := &p.Attempts[one.attempt]
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

// respond adds this signer's response to every input of one attempt, with those of its shares that no signer before has used.
func (a *Account) respond(attempt *coldset.Attempt, one *pick, s *build.Shared, taken func(xmr.PublicKey) []keys.Secret) error {
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
