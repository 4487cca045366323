package coldset

import (
	"bytes"
	"io"
	"slices"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// PositionLookup returns the position of the output with a key in the wallet's list of outputs, which is in the order
// of finding; false when it is unknown.
type PositionLookup func(key xmr.PublicKey) (uint64, bool)

// NewConstruction describes the transaction of plan and rings for a signer. The plan is settled: see txbuild.Settle. A
// lone destination without change gets a companion of amount zero to an address whose keys are discarded. It returns
// ErrUnbalanced, ErrNotOurs when at does not know an input, txbuild.ErrPaymentIDs, or random's error.
// Source: src/wallet/wallet2.cpp, transfer_selected_rct.
func NewConstruction(
	random io.Reader, k *keys.Keys, plan txbuild.Plan, rings []decoy.Ring, at PositionLookup,
) (Construction, error) {
	if plan.Sweep || plan.Subtract != nil {
		return Construction{}, ErrMalformed
	}
	c, err := NewConstructionInputs(k, plan.Inputs, rings, at)
	if err != nil {
		return c, err
	}
	in := uint64(0)
	for i := range plan.Inputs {
		if in, err = xmr.Sum(in, plan.Inputs[i].Amount); err != nil {
			return c, err
		}
	}
	if err := c.setPayments(plan.Destinations); err != nil {
		return c, err
	}
	total := plan.Fee
	for i := range c.Payments {
		if total, err = xmr.Sum(total, c.Payments[i].Amount); err != nil {
			return c, err
		}
	}
	if total > in {
		return c, ErrUnbalanced
	}
	return c, c.setChange(random, &plan, in-total)
}

// NewConstructionInputs returns a Construction with these inputs and no outputs yet. It returns ErrMalformed when the
// rings do not fit the inputs, and ErrNotOurs when at does not know an input.
func NewConstructionInputs(
	k *keys.Keys, inputs []txbuild.Input, rings []decoy.Ring, at PositionLookup,
) (Construction, error) {
	c := Construction{UseRingCT: true, UseViewTags: true, RangeProof: PaddedBulletproof, Bulletproof: BulletproofPlus}
	if len(rings) != len(inputs) || len(inputs) == 0 {
		return c, ErrMalformed
	}
	for i := range inputs {
		in := &inputs[i]
		source, err := newSource(k, in, &rings[i])
		if err != nil {
			return c, err
		}
		n, ok := at(in.Key)
		if !ok {
			return c, ErrNotOurs
		}
		c.Sources, c.Selected = append(c.Sources, source), append(c.Selected, n)
		c.Addresses = append(c.Addresses, in.Address.Minor)
	}
	c.Account = inputs[0].Address.Major
	slices.Sort(c.Addresses)
	c.Addresses = slices.Compact(c.Addresses)
	return c, nil
}

func newSource(k *keys.Keys, in *txbuild.Input, ring *decoy.Ring) (SourceEntry, error) {
	if ring.Real < 0 || ring.Real >= len(ring.Members) || ring.Members[ring.Real].Key != in.Key {
		return SourceEntry{}, ErrMalformed
	}
	key, err := txKey(k, in.Derivation)
	return SourceEntry{
		Ring: slices.Clone(ring.Members), Real: uint64(ring.Real), TxKey: key, Index: in.Index, Amount: in.Amount,
		RingCT: in.RingCT, Mask: in.Mask,
	}, err
}

// NewDestinationEntry describes a payment to a; typed is the address as the user wrote it.
func NewDestinationEntry(a address.Address, amount uint64, typed string) DestinationEntry {
	return DestinationEntry{
		Original: typed, Amount: amount, Spend: a.Spend, View: a.View,
		Subaddress: a.Kind == address.Subaddress, Integrated: a.Kind == address.Integrated,
	}
}

// setPayments sets the destinations, and the payment ID of an integrated one.
func (c *Construction) setPayments(list []txbuild.Destination) error {
	for _, d := range list {
		c.Payments = append(c.Payments, NewDestinationEntry(d.Address, d.Amount, d.Text))
		if d.Address.Kind == address.Integrated {
			extra := tx.AppendEncryptedPaymentID(nil, d.Address.PaymentID)
			if c.Extra != nil && !bytes.Equal(c.Extra, extra) {
				return txbuild.ErrPaymentIDs
			}
			c.Extra = extra
		}
	}
	c.Outputs = slices.Clone(c.Payments)
	return nil
}

// SetDraft adds the public keys of a draft to the extra field, as in the reference's sets; a signer replaces them. The
// payment ID stays unencrypted. It is zero if the draft has one only to look like other transactions.
// Source: src/wallet/wallet2.cpp, transfer_selected_rct and get_construction_data_with_decrypted_short_payment_id.
func (c *Construction) SetDraft(draft *tx.Transaction) {
	from, _ := tx.ParseExtra(draft.Extra)
	own, _ := tx.ParseExtra(c.Extra)
	c.Extra = nil
	for _, key := range from.PublicKeys {
		c.Extra = tx.AppendPublicKey(c.Extra, key)
	}
	if len(from.AdditionalKeys) > 0 {
		c.Extra = tx.AppendAdditionalKeys(c.Extra, from.AdditionalKeys)
	}
	if own.EncryptedPaymentID != nil {
		c.Extra = tx.AppendEncryptedPaymentID(c.Extra, *own.EncryptedPaymentID)
	} else if from.EncryptedPaymentID != nil {
		c.Extra = tx.AppendEncryptedPaymentID(c.Extra, [8]byte{})
	}
}

func (c *Construction) setChange(random io.Reader, plan *txbuild.Plan, amount uint64) error {
	switch {
	case amount > 0:
		c.Change = NewDestinationEntry(plan.Change, amount, "")
		for _, part := range plan.ChangeParts(amount) {
			c.Outputs = append(c.Outputs, NewDestinationEntry(plan.Change, part, ""))
		}
		return nil
	case len(c.Outputs) == 1:
		var seed [32]byte
		if _, err := io.ReadFull(random, seed[:]); err != nil {
			return err
		}
		dummy, err := keys.FromSeed(seed)
		if err != nil {
			return err
		}
		c.Change = DestinationEntry{Spend: dummy.SpendPublic, View: dummy.ViewPublic}
	default:
		return nil
	}
	c.Outputs = append(c.Outputs, c.Change)
	return nil
}

// Plan returns the arguments of txbuild.Sign for exactly the described transaction, after checking what the signer can
// check: that inputs are the wallet's and open their commitments, that change returns to it, and that outputs and fee
// equal the inputs. It cannot check decoys; the network refuses a transaction with invented ones. It returns
// ErrUnsupported, ErrMultisig, ErrMalformed, ErrNotOurs, ErrUnbalanced, ErrChange, ErrPaymentID or xmr.ErrOverflow.
// Source: src/wallet/wallet2.cpp, sign_tx; src/cryptonote_core/cryptonote_tx_utils.cpp, construct_tx_with_tx_key.
func (c *Construction) Plan(network xmr.Network, k *keys.Keys, find AddressLookup) (txbuild.Plan, []decoy.Ring, error) {
	for i := range c.Sources {
		if c.Sources[i].Multisig != ([4][32]byte{}) {
			return txbuild.Plan{}, nil, ErrMultisig
		}
	}
	return c.PlanMultisig(network, k, find)
}

// PlanMultisig is Plan for a transaction of a multisig wallet, whose sources have key images.
func (c *Construction) PlanMultisig(
	network xmr.Network, k *keys.Keys, find AddressLookup,
) (txbuild.Plan, []decoy.Ring, error) {
	var p txbuild.Plan
	if c.UnlockTime != 0 || !c.UseRingCT || !c.UseViewTags || c.RangeProof != PaddedBulletproof ||
		c.Bulletproof != BulletproofPlus {
		return p, nil, ErrUnsupported
	}
	d, err := c.describe(network)
	if err != nil {
		return p, nil, err
	}
	p.Fee = d.Fee

	named := []keys.Index{{Major: c.Account}}
	for _, minor := range c.Addresses {
		named = append(named, keys.Index{Major: c.Account, Minor: minor})
	}
	find = claimed(k, find, named...)
	var rings []decoy.Ring
	for i := range c.Sources {
		in, err := c.Sources[i].input(k, find)
		if err != nil {
			return p, nil, err
		}
		p.Inputs = append(p.Inputs, in)
		rings = append(rings, decoy.Ring{Members: c.Sources[i].Ring, Real: int(c.Sources[i].Real)})
	}
	if p.Change, err = c.change(network, k, find); err != nil {
		return p, nil, err
	}
	p.Destinations, p.ChangeShares, err = c.destinations(network)
	return p, rings, err
}

// input returns the output to spend as the wallet would know it, without its place on the chain.
func (s *SourceEntry) input(k *keys.Keys, find AddressLookup) (txbuild.Input, error) {
	if !s.RingCT || len(s.Ring) != xmr.RingSize {
		return txbuild.Input{}, ErrUnsupported
	}
	for i := range s.Ring {
		if i > 0 && s.Ring[i].Index <= s.Ring[i-1].Index {
			return txbuild.Input{}, ErrMalformed
		}
	}
	if s.Index >= maxOutputIndex {
		return txbuild.Input{}, ErrMalformed
	}
	realMember := s.Ring[s.Real]
	at, err := own(k, find, realMember.Key, s.Index, s.TxKey, s.AdditionalKeys)
	if err != nil {
		return txbuild.Input{}, err
	}
	in := txbuild.Input{
		Index: s.Index, GlobalIndex: realMember.Index, Amount: s.Amount, Mask: s.Mask, Key: realMember.Key,
		Derivation: at.Derivation, Address: at.Address, RingCT: true,
	}
	if _, err := edwards.DecodeScalar(in.Mask); err != nil || in.Commitment() != realMember.Commitment {
		return txbuild.Input{}, ErrMalformed
	}
	return in, nil
}

// change returns the change address. Without change that is the account's address, which then receives nothing.
func (c *Construction) change(network xmr.Network, k *keys.Keys, find AddressLookup) (address.Address, error) {
	at := keys.Index{Major: c.Account}
	if c.Change.Amount > 0 {
		var ok bool
		if at, ok = find(c.Change.Spend); !ok || at.Major != c.Account {
			return address.Address{}, ErrChange
		}
	}
	spend, view := k.Address(at)
	a := address.At(network, at, spend, view)
	if c.Change.Amount > 0 && !sameAddress(a, c.Change.Spend, c.Change.View) {
		return a, ErrChange
	}
	return a, nil
}

// destinations returns the outputs without change and without the companion of amount zero, which txbuild adds itself;
// and the amounts of the outputs of change if there are several.
func (c *Construction) destinations(network xmr.Network) (list []txbuild.Destination, parts []uint64, err error) {
	extra, ok := tx.ParseExtra(c.Extra)
	switch {
	case !ok:
		return nil, nil, ErrMalformed
	case extra.MergeMining != nil, extra.Nonce != nil && extra.EncryptedPaymentID == nil:
		return nil, nil, ErrUnsupported
	}
	outputs := slices.Clone(c.Outputs)
	same := func(d DestinationEntry) bool {
		return d.Amount == c.Change.Amount && d.Spend == c.Change.Spend && d.View == c.Change.View
	}
	if at := slices.IndexFunc(outputs, same); at >= 0 {
		outputs = slices.Delete(outputs, at, at+1)
	} else if c.Change.Amount > 0 {
		if outputs, parts, err = c.withoutParts(outputs); err != nil {
			return nil, nil, err
		}
	}
	id, taken := extra.EncryptedPaymentID, false
	for _, o := range outputs {
		d := txbuild.Destination{Address: o.Address(network), Amount: o.Amount, Text: o.Original}
		// Most transactions have a payment ID of zero to look alike. It is a real one only if the user typed an
		// integrated address.
		if id != nil && !o.Subaddress && (o.Integrated || *id != [8]byte{} && !taken) {
			d.Address.Kind, d.Address.PaymentID = address.Integrated, *id
			taken = true
		}
		list = append(list, d)
	}
	if id != nil && *id != ([8]byte{}) && !taken {
		return nil, nil, ErrPaymentID
	}
	return list, parts, nil
}

// withoutParts returns outputs without those of change, and their amounts. Outputs to the change address are change,
// unless Payments lists them. It returns ErrChange when the amounts are not all of the change.
func (c *Construction) withoutParts(outputs []DestinationEntry) (rest []DestinationEntry, parts []uint64, err error) {
	payments := slices.Clone(c.Payments)
	sum := uint64(0)
	for _, o := range outputs {
		if at := slices.Index(payments, o); at >= 0 {
			payments = slices.Delete(payments, at, at+1)
		} else if o.Amount > 0 && o.Spend == c.Change.Spend && o.View == c.Change.View {
			parts = append(parts, o.Amount)
			if sum, err = xmr.Sum(sum, o.Amount); err != nil {
				return nil, nil, err
			}
			continue
		}
		rest = append(rest, o)
	}
	if sum != c.Change.Amount {
		return nil, nil, ErrChange
	}
	return rest, parts, nil
}
