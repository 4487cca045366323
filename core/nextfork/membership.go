package nextfork

import (
	"errors"
	"fmt"
	"io"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/curvetree"
	"glim/core/fcmp"
	"glim/core/fcmptx"
	"glim/core/internal/crypto/entropy"
	"glim/core/tx"
)

// format has the limits of transactions and their weights.
var format = fcmptx.Default

// ReadTx implements chain.Next. It returns the errors of fcmptx.Rules.Parse. The transaction aliases blob. Its weight
// is math.MaxUint64 if the number of outputs or the length of extra is beyond the limits.
func (Fork) ReadTx(blob []byte) (*chain.Tx, int, error) {
	t, err := format.Parse(blob)
	if err != nil {
		return nil, 0, err
	}
	id, err := format.Hash(t)
	if err != nil {
		return nil, 0, err
	}
	p := t.Proofs
	out := &chain.Tx{
		ID: id, Blob: blob, Tx: t.ForWallet(), Fee: t.Fee,
		Weight: format.Weight(len(t.Inputs), len(t.Outputs), len(t.Extra)),
		Membership: &chain.Membership{
			Reference: p.ReferenceBlock, Layers: p.Layers, Message: format.SignableHash(t), Proof: p.Blob,
			Amounts: &tx.Prunable{BulletproofsPlus: []tx.BulletproofPlus{p.Range}, PseudoOuts: p.PseudoOuts},
		},
	}
	t.Proofs = nil
	return out, len(format.Append(nil, t)), nil
}

// CheckMemberships implements chain.Next.
// Source: src/cryptonote_core/tx_verification_utils.cpp, collect_fcmp_pp_tx_verify_input and
// batch_ver_fcmp_pp_consensus.
func (Fork) CheckMemberships(random io.Reader, list []chain.Spent) error {
	if random == nil {
		random = noRandom{}
	}
	source := entropy.New(random)
	if err := fcmp.VerifyTransactions(source, rules, claims(list)); err != nil {
		return source.Or(fmt.Errorf("%w: %w", consensus.ErrInput, err))
	}
	return nil
}

// claims returns what package fcmp verifies.
func claims(list []chain.Spent) []fcmp.Transaction {
	out := make([]fcmp.Transaction, len(list))
	for i, s := range list {
		m := s.Tx.Membership
		images := make([][32]byte, len(s.Tx.Tx.Inputs))
		for j := range images {
			images[j] = s.Tx.Tx.Inputs[j].KeyImage
		}
		out[i] = fcmp.Transaction{
			Message: m.Message, Root: curvetree.Root{Layers: int(s.Tree.Layers), Hash: s.Tree.Root},
			KeyImages: images, PseudoOuts: m.Amounts.PseudoOuts, Proof: m.Proof,
		}
	}
	return out
}

// noRandom is the source of a chain that has none.
type noRandom struct{}

func (noRandom) Read([]byte) (int, error) { return 0, errNoRandom }

var errNoRandom = errors.New("nextfork: chain.Options.Random is not set")
