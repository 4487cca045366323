package coldset

import (
	"slices"

	"glim/core/address"
	"glim/core/build"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// NewSharedPending describes a transaction that a multisig wallet's signer made, for the others. payments are the destinations
// without change. ErrNotOurs when positions lacks an input.
// Source: src/wallet/wallet2.cpp, transfer_selected_rct and save_multisig_tx.
func NewSharedPending(k *keys.Keys, s *build.Shared, payments []build.Destination, at Positions) (*Pending, error) {
	c := Construction{UseRingCT: true, UseViewTags: true, RangeProof: PaddedBulletproof, Bulletproof: BulletproofPlus}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		source, err := newSource(k, in, &s.Rings[i])
		if err != nil {
			return nil, err
		}
		source.Multisig[3] = s.Tx.Inputs[i].KeyImage
		n, ok := at(in.Key)
		if !ok {
			return nil, ErrNotOurs
		}
		c.Sources, c.Selected = append(c.Sources, source), append(c.Selected, n)
		c.Addresses = append(c.Addresses, in.Address.Minor)
	}
	c.Account = s.Inputs[0].Address.Major
	slices.Sort(c.Addresses)
	c.Addresses = slices.Compact(c.Addresses)
	for _, d := range payments {
		c.Payments = append(c.Payments, newDestination(d.Address, d.Amount, d.Text))
	}
	for _, d := range s.Outputs {
		c.Outputs = append(c.Outputs, newDestination(d.Address, d.Amount, d.Text))
	}
	c.Change = newDestination(s.ChangeTo, s.Change, "")
	// The payment ID goes in the clear; keys are made again by who signs.
	if extra, _ := tx.ParseExtra(s.Tx.Extra); extra.EncryptedPaymentID != nil {
		c.Extra = tx.AppendEncryptedPaymentID(nil, [8]byte(s.PaymentID[:8]))
	}
	return &Pending{
		Version: pendingVersion, Tx: s.Tx, Fee: s.Fee, Change: c.Change, Selected: c.Selected, KeyImages: imagesText(s.Tx),
		Key: s.Key, AdditionalKeys: s.AdditionalKeys, Payments: c.Payments, Construction: c, Entropy: s.Entropy,
	}, nil
}

// Terms returns what p is said to do, for build.Review to hold its transaction against, after checking all that a signer
// can know: as Construction.Plan does, and that what would be shown of p is what its parts say.
// Errors: as there, without ErrMultisig.
// Source: src/wallet/wallet2.cpp, sign_multisig_tx.
func (p *Pending) Terms(network xmr.Network, k *keys.Keys, find Addresses) (*build.Terms, error) {
	c := &p.Construction
	plan, rings, err := c.plan(network, k, find)
	if err != nil {
		return nil, err
	}
	if p.Fee != plan.Fee || p.Dust != 0 || p.Change != c.Change || !slices.Equal(p.Payments, c.Payments) {
		return nil, ErrMalformed
	}
	t := &build.Terms{Plan: plan, Rings: rings, Change: c.Change.Amount, Entropy: p.Entropy}
	for i := range c.Sources {
		t.Images = append(t.Images, c.Sources[i].Multisig[3])
	}
	for i := range c.Outputs {
		o := &c.Outputs[i]
		same := o.Spend == c.Change.Spend && o.View == c.Change.View
		if same && o.Amount > 0 && c.Change.Amount == 0 {
			return nil, ErrChange // such a recipient would not find the output
		}
		t.Outputs = append(t.Outputs, build.Destination{Address: plainAddress(network, o.Subaddress, *o), Amount: o.Amount, Text: o.Original})
	}
	if c.Change.Amount == 0 {
		t.Plan.Change = address.Address{Network: network, Spend: c.Change.Spend, View: c.Change.View}
	}
	return t, nil
}
