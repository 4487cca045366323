package walletpaths

import (
	"context"
	"fmt"
	"io"

	"glim/core/fcmpbuild"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Prepare lays out the transaction of r for a cold signer. It returns an encoded fcmpbuild.UnsignedSet of one
// transaction, and what is known of the record. It returns wallet.ErrInputs for an output that the wallet does not have
// any more, carrot.ErrKey for keys that do not suffice, and the error of the random source.
func (p *Paths) Prepare(
	read func(func(*wallet.Wallet)), k *keys.Keys, r session.NextRequest,
) ([]byte, wallet.Sent, error) {
	viewer, err := fcmpbuild.ViewerOf(k)
	if err != nil {
		return nil, wallet.Sent{}, err
	}
	plan, err := r.Plan.Settled()
	if err != nil {
		return nil, wallet.Sent{}, err
	}
	wanted := make([]xmr.PublicKey, len(plan.Inputs))
	for i := range wanted {
		wanted[i] = plan.Inputs[i].Key
	}
	unsigned := fcmpbuild.Unsigned{
		Destinations: plan.Destinations, Change: keys.Index{Major: r.Account}, ChangeShares: plan.ChangeShares,
		PerByte: r.PerByte,
	}
	if unsigned.Inputs, err = ownInputs(read, viewer, wanted); err != nil {
		return nil, wallet.Sent{}, err
	}
	if _, err := io.ReadFull(p.random, unsigned.Seed[:]); err != nil {
		return nil, wallet.Sent{}, err
	}
	set := fcmpbuild.UnsignedSet{Transactions: []fcmpbuild.Unsigned{unsigned}}
	read(func(w *wallet.Wallet) { set.Network, set.Height = w.Identity().Network, w.Height() })
	sent := describe(&plan, unsigned.Inputs, r.Account)
	sent.Fee = plan.Fee
	sent.Weight = fcmpbuild.Weight(len(plan.Inputs), len(plan.Destinations)+max(1, len(plan.ChangeShares)))
	paid := sent.Fee
	for i := range plan.Destinations {
		paid += plan.Destinations[i].Amount
	}
	if paid > sent.AmountIn {
		return nil, wallet.Sent{}, txbuild.ErrNotEnough
	}
	sent.Change = sent.AmountIn - paid
	return set.Append(nil), sent, nil
}

// Complete proves membership for a transaction that a cold signer has signed, and returns the finished transaction and
// the key images of its inputs, which the signer's proofs prove. signed is an encoded fcmpbuild.SignedSet of one
// transaction. What the wallet knows of its outputs counts, and not what signed says. It returns fcmpbuild.ErrSet,
// fcmpbuild.ErrSigned, the errors of Build, and those of fcmpbuild.ProveMembership and fcmpbuild.Finish.
func (p *Paths) Complete(
	ctx context.Context, read func(func(*wallet.Wallet)), k *keys.Keys, signed []byte, progress func(percent int),
) (sent wallet.Sent, images []wallet.KnownImage, err error) {
	viewer, err := fcmpbuild.ViewerOf(k)
	if err != nil {
		return sent, nil, err
	}
	var network xmr.Network
	read(func(w *wallet.Wallet) { network = w.Identity().Network })
	set, err := fcmpbuild.ParseSignedSet(signed, network)
	if err != nil || len(set.Transactions) != 1 {
		return sent, nil, fcmpbuild.ErrSet
	}
	t := &set.Transactions[0]
	wanted := make([]xmr.PublicKey, len(t.Inputs))
	for i := range wanted {
		wanted[i] = t.Inputs[i].Received.Key
	}
	if t.Inputs, err = ownInputs(read, viewer, wanted); err != nil {
		return sent, nil, err
	}
	for i := range t.Inputs {
		if known := t.Inputs[i].Image; known != (xmr.KeyImage{}) && known != t.Images[i] {
			return sent, nil, fmt.Errorf("%w: key image %d", fcmpbuild.ErrSigned, i)
		}
	}
	proposal, spends, err := t.Spends(p.random, viewer)
	if err != nil {
		return sent, nil, err
	}
	defer proposal.Wipe()
	tree, err := p.tree(read, proposal.Inputs)
	if err != nil {
		return sent, nil, err
	}
	m, err := fcmpbuild.ProveMembership(ctx, p.random, proposal, tree, progress)
	if err != nil {
		return sent, nil, err
	}
	built, err := fcmpbuild.Finish(p.random, viewer, proposal, spends, m, tree.Reference)
	if err != nil {
		return sent, nil, err
	}
	for i := range wanted {
		images = append(images, wallet.KnownImage{Key: wanted[i], Image: t.Images[i], Proved: true})
	}
	plan := txbuild.Plan{Destinations: t.Destinations}
	return sentOf(&plan, proposal.Inputs, built, t.Change.Major), images, nil
}
