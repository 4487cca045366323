package fcmp

import (
	"errors"
	"fmt"
	"io"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
)

// ErrInputs is the error of VerifyTransactions for different numbers of key images and commitments, and of
// NewTransaction.
var ErrInputs = errors.New("fcmp: a transaction has one key image and one pseudo-output for each input")

// ErrMessage is the error of NewTransaction for spends of different transactions.
var ErrMessage = errors.New("fcmp: spends sign different messages")

// Transaction has all proofs of a transaction's inputs, and what they are about.
type Transaction struct {
	Message    [size]byte     // fcmptx.Rules.SignableHash
	Root       curvetree.Root // of the chain's tree at the reference block, and not what the transaction says
	KeyImages  [][size]byte
	PseudoOuts [][size]byte // commitments to the inputs' amounts
	Proof      []byte       // fcmptx.Proofs.Blob; ProofSize bytes
}

// ProofSize returns the number of bytes of the proofs of a transaction; 0 if the numbers are not allowed.
// Source: src/fcmp_pp/fcmp_pp_types.cpp of the beta, fcmp_pp_proof_len.
func ProofSize(inputs, layers int) int {
	membership := MembershipProofSize(inputs, layers)
	if membership == 0 {
		return 0
	}
	return inputs*inputSize + membership
}

const inputSize = 3*size + SpendProofSize // Õ, Ĩ and R, and the spend proof

// NewTransaction returns the transaction with the spends of ProveSpend and the proof of ProveMembership, which must be
// about the same inputs in the same order. It returns ErrInputs if they are not, and ErrMessage if spends sign
// different messages. It does not verify proofs.
func NewTransaction(spends []*Spend, m *Membership) (*Transaction, error) {
	if len(spends) == 0 || len(spends) != len(m.Inputs) {
		return nil, ErrInputs
	}
	t := &Transaction{Message: spends[0].Message, Root: m.Root}
	for i, s := range spends {
		if s.Input != m.Inputs[i] {
			return nil, ErrInputs
		}
		if s.Message != t.Message {
			return nil, ErrMessage
		}
		t.KeyImages = append(t.KeyImages, s.KeyImage)
		t.PseudoOuts = append(t.PseudoOuts, s.Input.Commitment)
		t.Proof = append(t.Proof, s.Input.Key[:]...)
		t.Proof = append(t.Proof, s.Input.Generator[:]...)
		t.Proof = append(t.Proof, s.Input.R[:]...)
		t.Proof = append(t.Proof, s.Proof...)
	}
	t.Proof = append(t.Proof, m.Proof...)
	return t, nil
}

// VerifyTransactions returns nil if owners allow all inputs of all transactions, the key images are those of the
// inputs, and the inputs are in the trees. Otherwise it returns ErrInputs, ErrLimits or ErrProofSize before it decodes
// anything, or an error of VerifySpends or VerifyMembership. It does not look for key images that are repeated or the
// identity, and does not verify that amounts are balanced: those are rules of consensus.
//
// rand is that of VerifySpends. The time depends on the transactions, which are public.
// Source: crate monero-fcmp-plus-plus, lib.rs, read and verify; src/fcmp_pp/prove.cpp of the beta, verify.
func VerifyTransactions(rand io.Reader, rules *carrot.Rules, list []Transaction) error {
	var spends []Spend
	memberships := make([]Membership, len(list))
	for i := range list {
		t := &list[i]
		n := len(t.KeyImages)
		if n != len(t.PseudoOuts) {
			return fmt.Errorf("transaction %d: %w", i, ErrInputs)
		}
		switch ProofSize(n, t.Root.Layers) {
		case 0:
			return fmt.Errorf("transaction %d: %w", i, ErrLimits)
		case len(t.Proof):
		default:
			return fmt.Errorf("transaction %d: %w", i, ErrProofSize)
		}
		own := t.spends()
		m := Membership{Root: t.Root, Inputs: make([]Input, n), Proof: t.Proof[n*inputSize:]}
		for j := range own {
			m.Inputs[j] = own[j].Input
		}
		memberships[i] = m
		spends = append(spends, own...)
	}
	points, err := verifySpends(rand, rules, spends)
	if err != nil {
		return err
	}
	for i := range memberships {
		n := len(memberships[i].Inputs)
		memberships[i].points, points = points[:n], points[n:]
	}
	return VerifyMembership(rand, rules, memberships)
}

// spends returns the inputs with their spend proofs. The size of the proof is right.
func (t *Transaction) spends() []Spend {
	list := make([]Spend, len(t.KeyImages))
	for i := range list {
		b := t.Proof[i*inputSize:][:inputSize]
		list[i] = Spend{
			Message: t.Message,
			Input: Input{
				Key:        [size]byte(b),
				Generator:  [size]byte(b[size:]),
				R:          [size]byte(b[2*size:]),
				Commitment: t.PseudoOuts[i],
			},
			KeyImage: t.KeyImages[i],
			Proof:    b[3*size:],
		}
	}
	return list
}
