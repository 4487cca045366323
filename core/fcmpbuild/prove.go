package fcmpbuild

import (
	"context"
	"fmt"
	"io"
	"slices"

	"glim/core/carrot"
	"glim/core/consensus"
	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/edwards"
	"glim/core/fcmp"
	"glim/core/fcmptx"
	"glim/core/fee"
	"glim/core/internal/crypto/entropy"
	"glim/core/keys"
	"glim/core/treecache"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// Sign makes the spend proofs of p, in the order of its inputs. It needs no tree, so a device without the chain can run
// it. The signer computes all outputs itself: payments, change and fee are those of p, and change goes to its own
// address. It returns ErrProposal, ErrInput, a *fee.TooHighError above MaxFee, ErrImage, carrot.ErrMismatch for an
// output that another address received, fcmp.ErrSecret for one that its secrets do not open, and the errors of
// carrot.Rules.NewOutputs, fcmp.ProveSpend and random. Otherwise its time does not depend on secrets.
// Source: src/wallet/tx_builder.cpp, finalize_all_fcmp_pp_proofs.
func Sign(random io.Reader, s Spender, network xmr.Network, p *Proposal) ([]*fcmp.Spend, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if limit := MaxFee(network, p.Weight()); p.Fee > limit {
		return nil, &fee.TooHighError{Asked: p.Fee, Limit: limit}
	}
	outputs, t, err := p.outputs(s)
	if err != nil {
		return nil, err
	}
	wipe(outputs)
	message := format.SignableHash(t)
	spends := make([]*fcmp.Spend, len(p.Inputs))
	for i := range spends {
		if spends[i], err = p.Inputs[i].spend(random, s, message, p.Blinds[i]); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
	}
	return spends, nil
}

// spend returns the spend proof of an input.
func (in *Input) spend(random io.Reader, s Spender, message xmr.Hash, blinds *fcmp.Blinds) (*fcmp.Spend, error) {
	x, y, err := s.Opening(&in.Received, in.Address)
	if err != nil {
		return nil, err
	}
	defer edwards.Wipe(x)
	defer edwards.Wipe(y)
	output := in.Output()
	spend, err := fcmp.ProveSpend(random, rules, message, &output, blinds, x, y)
	if err == nil && spend.KeyImage != in.Image {
		return nil, ErrImage
	}
	return spend, err
}

// Tree is the tree of outputs at a reference block.
type Tree struct {
	Reference uint64         // index of the block; its tree is that of the outputs that the block after it may spend
	Root      curvetree.Root // with the layers
	// Path returns the way from an output to the root. It is secret which outputs are asked for.
	Path func(in *Input) (fcmp.Path, error)
}

// TreeOf returns the tree at a reference block as a wallet's cache has it, in which the inputs are registered. It
// returns the errors of treecache.Cache.Root, and its Path those of treecache.Cache.Path. The cache must not change
// until ProveMembership has returned.
func TreeOf(c *treecache.Cache, reference uint64) (*Tree, error) {
	root, err := c.Root(reference)
	if err != nil {
		return nil, err
	}
	return &Tree{Reference: reference, Root: root, Path: func(in *Input) (fcmp.Path, error) {
		path, err := c.Path(reference, in.Leaf())
		if err != nil {
			return fcmp.Path{}, err
		}
		return fcmp.Path(*path), nil
	}}, nil
}

// ProveMembership proves that the inputs of p are in the tree. It needs no secret keys. It returns ErrProposal,
// ErrInput and the errors of tree.Path and fcmp.ProveMembership, such as fcmp.ErrPath for a path to another root,
// fcmp.ErrLeaf for one of another output, and that of ctx when it ends. progress may be nil.
func ProveMembership(
	ctx context.Context, random io.Reader, p *Proposal, tree *Tree, progress fcmp.Progress,
) (*fcmp.Membership, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	members := make([]fcmp.Member, len(p.Inputs))
	for i := range members {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in := &p.Inputs[i]
		path, err := tree.Path(in)
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		members[i] = fcmp.Member{Output: in.Output(), Blinds: p.Blinds[i], Path: path}
	}
	return fcmp.ProveMembership(ctx, random, rules, tree.Root, members, progress)
}

// Result is a finished transaction.
type Result struct {
	Tx     *fcmptx.Transaction
	ID     xmr.Hash
	Blob   []byte
	Weight uint64 // bytes
	Fee    uint64 // atomic units
	Change uint64 // atomic units
	// Ephemerals are the secrets of the ephemeral keys in extra: of one that two outputs share, otherwise of one for
	// each output, where those of change are zero. They are secret: with the recipient's address each of them reveals
	// a payment.
	Ephemerals []keys.Secret
}

// String returns the ID only, because secrets do not belong in logs.
func (r Result) String() string { return "fcmpbuild.Result(" + r.ID.String() + ")" }

// GoString is String.
func (r Result) GoString() string { return r.String() }

// Finish joins the proofs of Sign and ProveMembership, adds the range proof, and checks the finished bytes by the rules
// of consensus. reference is that of the tree of m. It returns ErrProposal, ErrInput, txbuild.ErrMismatch if a proof is
// wrong or about another transaction, and the errors of random.
func Finish(
	random io.Reader, v Viewer, p *Proposal, spends []*fcmp.Spend, m *fcmp.Membership, reference uint64,
) (*Result, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if m == nil || slices.Contains(spends, nil) {
		return nil, fmt.Errorf("%w: a proof is missing", txbuild.ErrMismatch)
	}
	outputs, t, err := p.outputs(v)
	if err != nil {
		return nil, err
	}
	defer wipe(outputs)
	joined, err := fcmp.NewTransaction(spends, m)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", txbuild.ErrMismatch, err)
	}
	t.Proofs = &fcmptx.Proofs{
		ReferenceBlock: reference, Layers: uint8(m.Root.Layers), Blob: joined.Proof, PseudoOuts: joined.PseudoOuts,
	}
	if t.Proofs.Range, err = proveRange(random, outputs); err != nil {
		return nil, err
	}
	r := &Result{Blob: format.Append(nil, t), Fee: p.Fee, Change: p.ChangeAmount}
	if err := r.check(random, m.Root, t); err != nil {
		return nil, err
	}
	if r.Ephemerals, err = p.ephemerals(outputs); err != nil {
		return nil, err
	}
	return r, nil
}

// ephemerals returns Result.Ephemerals.
// Source: src/carrot_impl/tx_builder_outputs.cpp, get_sender_receiver_secrets_from_proposal_v1.
func (p *Proposal) ephemerals(outputs []*carrot.Output) ([]keys.Secret, error) {
	first := p.Inputs[0].Image
	if len(outputs) == 2 {
		return []keys.Secret{p.Payments[0].EphemeralSecret(first)}, nil
	}
	list := make([]keys.Secret, len(outputs))
	for i := range p.Payments {
		paid, _, err := rules.NewOutput(&p.Payments[i], first)
		if err != nil {
			return nil, err
		}
		edwards.Wipe(paid.Mask)
		for o := range outputs {
			if outputs[o].Key == paid.Key {
				list[o] = p.Payments[i].EphemeralSecret(first)
			}
		}
	}
	return list, nil
}

// proveRange returns the proof that no amount is out of range.
func proveRange(random io.Reader, outputs []*carrot.Output) (tx.BulletproofPlus, error) {
	amounts, masks := make([]uint64, len(outputs)), make([]*edwards.Scalar, len(outputs))
	defer clear(amounts)
	for i, o := range outputs {
		amounts[i], masks[i] = o.Value, o.Mask
	}
	proof, _, err := bulletproofsplus.Prove(random, amounts, masks)
	return tx.BulletproofPlus(proof), err
}

// check parses the finished bytes again, applies the rules of consensus, and verifies all proofs. It sets the remaining
// fields. It returns txbuild.ErrMismatch or the error of random.
func (r *Result) check(random io.Reader, root curvetree.Root, made *fcmptx.Transaction) error {
	mismatch := func(err error) error { return fmt.Errorf("%w: %w", txbuild.ErrMismatch, err) }
	t, err := format.Parse(r.Blob)
	if err != nil {
		return mismatch(err)
	}
	if r.ID, err = format.Hash(t); err != nil {
		return mismatch(err)
	}
	r.Tx, r.Weight = t, format.Weight(len(t.Inputs), len(t.Outputs), len(t.Extra))
	whole := t.ForWallet()
	whole.RingCT.Prunable = &tx.Prunable{
		BulletproofsPlus: []tx.BulletproofPlus{t.Proofs.Range}, PseudoOuts: t.Proofs.PseudoOuts,
	}
	version := consensus.RulesOf(consensus.ProofVersion)
	if err := version.CheckTransaction(whole, len(r.Blob), r.Weight); err != nil {
		return mismatch(err)
	}
	source := entropy.New(random)
	if err := consensus.CheckProofs(source, whole); err != nil {
		return source.Or(mismatch(err))
	}
	claim := fcmp.Transaction{
		Message: format.SignableHash(made), Root: root, PseudoOuts: t.Proofs.PseudoOuts, Proof: t.Proofs.Blob,
	}
	for i := range t.Inputs {
		claim.KeyImages = append(claim.KeyImages, t.Inputs[i].KeyImage)
	}
	if err := fcmp.VerifyTransactions(source, rules, []fcmp.Transaction{claim}); err != nil {
		return source.Or(mismatch(err))
	}
	return nil
}

// Step is a step of Build.
type Step uint8

// The steps, in their order. StepMembership takes longest.
const (
	StepOutputs Step = iota
	StepSpends
	StepMembership
	StepFinish
)

// String returns what the step does.
func (s Step) String() string {
	switch s {
	case StepOutputs:
		return "make outputs"
	case StepSpends:
		return "prove spends"
	case StepMembership:
		return "prove membership"
	}
	return "check the transaction"
}

// Progress is called before each step, and during StepMembership, with the share of all work that is done, in percent:
// never less than before, and not concurrently.
type Progress func(step Step, percent int)

// The shares of the work at which steps begin, in percent, for two inputs on one thread.
var beginOf = [...]int{StepOutputs: 0, StepSpends: 1, StepMembership: 2, StepFinish: 85}

// SignFunc makes the spend proofs of a proposal, as Sign does.
type SignFunc func(ctx context.Context, p *Proposal) ([]*fcmp.Spend, error)

// ExternalSigner is a keys.ExternalSigner that makes spend proofs.
type ExternalSigner interface {
	keys.ExternalSigner
	// SignProposal returns the spend proofs of a proposal, like Sign.
	SignProposal(ctx context.Context, p *Proposal) ([]*fcmp.Spend, error)
}

// Build makes the transaction of r: it calls Propose, Sign, ProveMembership and Finish, and returns their errors, or
// that of ctx when it ends. progress may be nil.
func Build(
	ctx context.Context, random io.Reader, s Spender, network xmr.Network, r Request, tree *Tree, progress Progress,
) (*Result, error) {
	sign := func(_ context.Context, p *Proposal) ([]*fcmp.Spend, error) { return Sign(random, s, network, p) }
	return BuildWith(ctx, random, s, sign, r, tree, progress)
}

// BuildWith is Build for a wallet whose spend key is elsewhere: sign takes the place of Sign.
func BuildWith(
	ctx context.Context, random io.Reader, v Viewer, sign SignFunc, r Request, tree *Tree, progress Progress,
) (*Result, error) {
	if progress == nil {
		progress = func(Step, int) {}
	}
	next := func(step Step) error {
		progress(step, beginOf[step])
		return ctx.Err()
	}
	if err := next(StepOutputs); err != nil {
		return nil, err
	}
	p, err := Propose(random, v, r)
	if err != nil {
		return nil, err
	}
	defer p.Wipe()
	if err := next(StepSpends); err != nil {
		return nil, err
	}
	spends, err := sign(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := next(StepMembership); err != nil {
		return nil, err
	}
	m, err := ProveMembership(ctx, random, p, tree, func(percent int) {
		first, end := beginOf[StepMembership], beginOf[StepFinish]
		progress(StepMembership, first+(end-first)*percent/100)
	})
	if err != nil {
		return nil, err
	}
	if err := next(StepFinish); err != nil {
		return nil, err
	}
	return Finish(random, v, p, spends, m, tree.Reference)
}
