package walletpaths

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"glim/core/address"
	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/fcmp"
	"glim/core/fcmpbuild"
	"glim/core/fcmptx"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/treecache"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/xmr"
)

// ErrPath reports that the tree does not have the path of an output.
var ErrPath = errors.New("walletpaths: the path of an output in the tree of all outputs is not known yet; refresh " +
	"the wallet and try again")

// Weight returns the weight in bytes of a transaction with so many inputs and outputs, change included;
// math.MaxUint64 if it must not have as many.
func (*Paths) Weight(inputs, outputs int) uint64 { return fcmpbuild.Weight(inputs, outputs) }

// Ceiling returns the highest fees of a network.
func (*Paths) Ceiling(network xmr.Network) fee.Ceiling { return fcmpbuild.Ceiling(network) }

// Build makes, signs and checks the transaction of r, for a wallet with the spend key or an external signer that has
// it, and returns its record without a time. The proof takes about a second for two inputs. The tree is locked only
// while paths are copied. It returns ErrPublic, ErrBehind, ErrClosed, ErrPath, wallet.ErrInputs for an output that the
// wallet does not have any more, the errors of fcmpbuild.BuildWith and of the external signer, and that of ctx when it
// ends.
func (p *Paths) Build(
	ctx context.Context, read func(func(*wallet.Wallet)), k *keys.Keys, r session.NextRequest,
) (wallet.Sent, error) {
	spends, err := p.spendsOf(ctx, k, r.Network)
	if err != nil {
		return wallet.Sent{}, err
	}
	defer spends.forget()
	plan, err := r.Plan.Settled()
	if err != nil {
		return wallet.Sent{}, err
	}
	inputs, err := p.inputs(read, spends, plan.Inputs)
	if err != nil {
		return wallet.Sent{}, err
	}
	tree, err := p.tree(read, inputs)
	if err != nil {
		return wallet.Sent{}, err
	}
	request := fcmpbuild.Request{
		Inputs: inputs, Destinations: plan.Destinations, Change: keys.Index{Major: r.Account},
		ChangeShares: plan.ChangeShares, PerByte: r.PerByte,
	}
	progress := func(_ fcmpbuild.Step, percent int) {
		if r.Progress != nil {
			r.Progress(percent)
		}
	}
	built, err := fcmpbuild.BuildWith(ctx, p.random, spends.viewer, spends.sign, request, tree, progress)
	if err != nil {
		return wallet.Sent{}, err
	}
	if built.Fee != plan.Fee {
		return wallet.Sent{}, fmt.Errorf("%w: fee %d instead of %d", txbuild.ErrMismatch, built.Fee, plan.Fee)
	}
	return sentOf(&plan, inputs, built, r.Account), nil
}

// spends makes what a transaction takes of the wallet's keys.
type spends struct {
	viewer fcmpbuild.Viewer
	sign   fcmpbuild.SignFunc
	image  func(in *fcmpbuild.Input) error // sets the key image of an input, unless the wallet knows it
	forget func()                          // wipes copies of secrets
}

// spendsOf returns what signs with k, or has the external signer sign. It returns carrot.ErrKey for keys that cannot,
// and keys.ErrNoSigner.
func (p *Paths) spendsOf(ctx context.Context, k *keys.Keys, network xmr.Network) (spends, error) {
	if k.External() {
		return externalSpends(ctx, p.rules, k)
	}
	spender, forget, err := fcmpbuild.SpenderOf(k)
	if err != nil {
		return spends{}, err
	}
	return spends{
		viewer: spender, forget: forget,
		sign: func(_ context.Context, q *fcmpbuild.Proposal) ([]*fcmp.Spend, error) {
			return fcmpbuild.Sign(p.random, spender, network, q)
		},
		image: func(in *fcmpbuild.Input) error { return in.SetImage(spender) },
	}, nil
}

// externalSpends is spendsOf for keys with an external signer. The wallet has the key images of its outputs already.
func externalSpends(ctx context.Context, rules *carrot.Rules, k *keys.Keys) (spends, error) {
	view, err := carrot.NewLegacyView(rules, k)
	if err != nil {
		return spends{}, err
	}
	external, _, err := k.WithContext(ctx).Signer()
	if err != nil {
		return spends{}, err
	}
	signer, ok := external.(fcmpbuild.ExternalSigner)
	if !ok {
		return spends{}, keys.ErrNoSigner
	}
	return spends{
		viewer: view, sign: signer.SignProposal, forget: func() {},
		image: func(in *fcmpbuild.Input) error {
			if in.Image == (xmr.KeyImage{}) {
				return keys.ErrUnknownKeyImage
			}
			return nil
		},
	}, nil
}

// sentOf returns the record of a transaction.
func sentOf(plan *txbuild.Plan, inputs []fcmpbuild.Input, built *fcmpbuild.Result, account uint32) wallet.Sent {
	s := describe(plan, inputs, account)
	s.TxID, s.Blob, s.Weight, s.Fee, s.Change = built.ID, built.Blob, built.Weight, built.Fee, built.Change
	if len(built.Ephemerals) == 1 {
		s.Key = built.Ephemerals[0]
	} else {
		s.AdditionalKeys = built.Ephemerals
	}
	return s
}

// describe returns the part of a record that follows from destinations and inputs.
func describe(plan *txbuild.Plan, inputs []fcmpbuild.Input, account uint32) wallet.Sent {
	s := wallet.Sent{Account: account}
	for i := range plan.Destinations {
		d := &plan.Destinations[i]
		s.Destinations = append(s.Destinations, wallet.Destination{Address: d.Text, Amount: d.Amount})
		if d.Address.Kind == address.Integrated {
			copy(s.PaymentID[:], d.Address.PaymentID[:])
		}
	}
	for i := range inputs {
		s.AmountIn += inputs[i].Received.Amount
		s.Spent = append(s.Spent, inputs[i].Image)
		if minor := inputs[i].Address.Minor; !slices.Contains(s.Indices, minor) {
			s.Indices = append(s.Indices, minor)
		}
	}
	slices.Sort(s.Indices)
	return s
}

// inputs returns the outputs of a plan with what opens them. It returns wallet.ErrInputs, keys.ErrUnknownKeyImage and
// the errors of fcmpbuild.Input.SetImage.
func (p *Paths) inputs(
	read func(func(*wallet.Wallet)), spends spends, list []txbuild.Input,
) ([]fcmpbuild.Input, error) {
	wanted := make([]xmr.PublicKey, len(list))
	for i := range list {
		wanted[i] = list[i].Key
	}
	out, err := ownInputs(read, spends.viewer, wanted)
	if err != nil {
		return nil, err
	}
	for i := range out {
		if err := spends.image(&out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ownInputs returns the outputs with these keys, with what the wallet knows of them: without a spend key it may not
// know the key image, which is zero then. It returns wallet.ErrInputs.
func ownInputs(
	read func(func(*wallet.Wallet)), v fcmpbuild.Viewer, wanted []xmr.PublicKey,
) ([]fcmpbuild.Input, error) {
	owned := make([]wallet.OwnedOutput, len(wanted))
	known := true
	read(func(w *wallet.Wallet) {
		for i := range wanted {
			if o, ok := w.OutputByKey(wanted[i]); ok {
				owned[i] = *o
			} else {
				known = false
			}
		}
	})
	if !known {
		return nil, wallet.ErrInputs
	}
	out := make([]fcmpbuild.Input, len(owned))
	for i := range owned {
		var err error
		if out[i], err = inputOf(&owned[i], v.SpendKey(owned[i].Address)); err != nil {
			return nil, err
		}
		if owned[i].ImageKnown {
			out[i].Image = owned[i].Image
		}
	}
	return out, nil
}

// inputOf returns an output of the wallet, which an address with this public spend key received.
func inputOf(o *wallet.OwnedOutput, spend xmr.PublicKey) (fcmpbuild.Input, error) {
	in := o.Input()
	if !o.RingCT { // the amount is public
		in.Mask = edwards.EncodeScalar(edwards.ScalarFromUint64(1))
	}
	if o.Carrot {
		return fcmpbuild.NewCarrotInput(&in, spend, o.Coinbase)
	}
	return fcmpbuild.NewLegacyInput(&in, spend)
}

// tree returns the tree with the paths of inputs, for the last block that the wallet has scanned. They are copies.
func (p *Paths) tree(read func(func(*wallet.Wallet)), inputs []fcmpbuild.Input) (*fcmpbuild.Tree, error) {
	paths := make(map[treecache.Output]fcmp.Path, len(inputs))
	var tree *fcmpbuild.Tree
	err := p.Use(read, func(c *treecache.Cache) error {
		reference, ok := c.Reference()
		if !ok {
			return ErrBehind
		}
		now, err := fcmpbuild.TreeOf(c, reference)
		if err != nil {
			return err
		}
		for i := range inputs {
			if paths[inputs[i].Leaf()], err = now.Path(&inputs[i]); err != nil {
				return fmt.Errorf("%w: %w", ErrPath, err)
			}
		}
		tree = now
		return nil
	})
	if err != nil {
		return nil, err
	}
	tree.Path = func(in *fcmpbuild.Input) (fcmp.Path, error) { return paths[in.Leaf()], nil }
	return tree, nil
}

// Inspect returns what the bytes of a transaction of the next hard fork say about it: ID, bytes, weight, fee and key
// images. It returns the errors of fcmptx.Rules.Parse.
func (*Paths) Inspect(blob []byte) (wallet.Sent, error) {
	t, err := fcmptx.Default.Parse(blob)
	if err != nil {
		return wallet.Sent{}, err
	}
	id, err := fcmptx.Default.Hash(t)
	if err != nil {
		return wallet.Sent{}, err
	}
	s := wallet.Sent{
		TxID: id, Blob: blob, Fee: t.Fee, Weight: fcmptx.Default.Weight(len(t.Inputs), len(t.Outputs), len(t.Extra)),
	}
	for i := range t.Inputs {
		s.Spent = append(s.Spent, t.Inputs[i].KeyImage)
	}
	return s, nil
}
