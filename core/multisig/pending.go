package multisig

import (
	"slices"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// newPendingTx describes a transaction that this signer made, for the others. payments are the destinations without
// change. It returns coldset.ErrNotOurs when at does not know an input.
// Source: src/wallet/wallet2.cpp, transfer_selected_rct and save_multisig_tx.
func newPendingTx(
	k *keys.Keys, s *txbuild.MultisigTx, payments []txbuild.Destination, at coldset.PositionLookup,
) (*coldset.PendingTx, error) {
	c, err := coldset.NewConstructionInputs(k, s.Inputs, s.Rings, at)
	if err != nil {
		return nil, err
	}
	for i := range c.Sources {
		c.Sources[i].Multisig[3] = s.Tx.Inputs[i].KeyImage
	}
	for _, d := range payments {
		c.Payments = append(c.Payments, coldset.NewDestinationEntry(d.Address, d.Amount, d.Text))
	}
	for _, d := range s.Outputs {
		c.Outputs = append(c.Outputs, coldset.NewDestinationEntry(d.Address, d.Amount, d.Text))
	}
	c.Change = coldset.NewDestinationEntry(s.ChangeTo, s.Change, "")
	// The payment ID is not encrypted here; every signer derives the transaction's keys again.
	if extra, _ := tx.ParseExtra(s.Tx.Extra); extra.EncryptedPaymentID != nil {
		c.Extra = tx.AppendEncryptedPaymentID(nil, [8]byte(s.PaymentID[:8]))
	}
	p := c.PendingTx(s.Tx, s.Fee)
	p.Key, p.AdditionalKeys, p.Entropy = s.Key, s.AdditionalKeys, s.Entropy
	return &p, nil
}

// termsOf returns the description of p, with which txbuild.Reconstruct compares its transaction, after checking all
// that a signer can know: as Construction.PlanMultisig does, and that the fields that are shown to people agree with
// the construction data. It returns the errors of PlanMultisig.
// Source: src/wallet/wallet2.cpp, sign_multisig_tx.
func termsOf(
	p *coldset.PendingTx, network xmr.Network, k *keys.Keys, find coldset.AddressLookup,
) (*txbuild.MultisigTerms, error) {
	c := &p.Construction
	plan, rings, err := c.PlanMultisig(network, k, find)
	if err != nil {
		return nil, err
	}
	if p.Fee != plan.Fee || p.Dust != 0 || p.Change != c.Change || !slices.Equal(p.Payments, c.Payments) {
		return nil, coldset.ErrMalformed
	}
	t := &txbuild.MultisigTerms{Plan: plan, Rings: rings, Change: c.Change.Amount, Entropy: p.Entropy}
	for i := range c.Sources {
		t.Images = append(t.Images, c.Sources[i].Multisig[3])
	}
	for i := range c.Outputs {
		o := &c.Outputs[i]
		same := o.Spend == c.Change.Spend && o.View == c.Change.View
		if same && o.Amount > 0 && c.Change.Amount == 0 {
			return nil, coldset.ErrChange // its recipient would not find the output
		}
		t.Outputs = append(
			t.Outputs, txbuild.Destination{Address: o.Address(network), Amount: o.Amount, Text: o.Original},
		)
	}
	if c.Change.Amount == 0 {
		t.Plan.Change = address.Address{Network: network, Spend: c.Change.Spend, View: c.Change.View}
	}
	return t, nil
}
