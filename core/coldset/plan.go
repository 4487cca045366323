package coldset

import (
	"bytes"
	"io"
	"slices"

	"glim/core/address"
	"glim/core/build"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Positions tells where in the wallet's list of outputs, in the order it found them, the one with a key is.
type Positions func(key xmr.PublicKey) (uint64, bool)

// NewConstruction describes the transaction of plan and rings for a signer. The plan is settled: see build.Settle. A lone destination without change gets a
// companion of amount zero to an address nobody holds. Errors: ErrUnbalanced, ErrNotOurs when positions lacks an
// input, build.ErrPaymentIDs, random's.
// Source: src/wallet/wallet2.cpp, transfer_selected_rct.
func NewConstruction(random io.Reader, k *keys.Keys, plan build.Plan, rings []decoy.Ring, at Positions) (Construction, error) {
	c := Construction{UseRingCT: true, UseViewTags: true, RangeProof: PaddedBulletproof, Bulletproof: BulletproofPlus}
	if len(rings) != len(plan.Inputs) || len(plan.Inputs) == 0 || plan.Sweep || plan.Subtract != nil {
		return c, ErrMalformed
	}
	var err error
	left := uint64(0)
	for i := range plan.Inputs {
		in := &plan.Inputs[i]
		if left, err = xmr.Sum(left, in.Amount); err != nil {
			return c, err
		}
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
	c.Account = plan.Inputs[0].Address.Major
	slices.Sort(c.Addresses)
	c.Addresses = slices.Compact(c.Addresses)

	if err := c.setPayments(plan.Destinations); err != nil {
		return c, err
	}
	total := plan.Fee
	for i := range c.Payments {
		if total, err = xmr.Sum(total, c.Payments[i].Amount); err != nil {
			return c, err
		}
	}
	if total > left {
		return c, ErrUnbalanced
	}
	return c, c.setChange(random, plan.Change, left-total)
}

func newSource(k *keys.Keys, in *build.Input, ring *decoy.Ring) (Source, error) {
	if ring.Real < 0 || ring.Real >= len(ring.Members) || ring.Members[ring.Real].Key != in.Key {
		return Source{}, ErrMalformed
	}
	key, err := txKey(k, in.Derivation)
	return Source{
		Ring: slices.Clone(ring.Members), Real: uint64(ring.Real), TxKey: key, Index: in.Index, Amount: in.Amount,
		RingCT: in.RingCT, Mask: in.Mask,
	}, err
}

func newDestination(a address.Address, amount uint64, typed string) Destination {
	return Destination{
		Original: typed, Amount: amount, Spend: a.Spend, View: a.View,
		Subaddress: a.Kind == address.Subaddress, Integrated: a.Kind == address.Integrated,
	}
}

// setPayments lists the destinations, and the payment ID of an integrated one.
func (c *Construction) setPayments(list []build.Destination) error {
	for _, d := range list {
		c.Payments = append(c.Payments, newDestination(d.Address, d.Amount, d.Text))
		if d.Address.Kind == address.Integrated {
			extra := tx.AppendEncryptedPaymentID(nil, d.Address.PaymentID)
			if c.Extra != nil && !bytes.Equal(c.Extra, extra) {
				return build.ErrPaymentIDs
			}
			c.Extra = extra
		}
	}
	c.Outputs = slices.Clone(c.Payments)
	return nil
}

func (c *Construction) setChange(random io.Reader, to address.Address, amount uint64) error {
	switch {
	case amount > 0:
		c.Change = newDestination(to, amount, "")
	case len(c.Outputs) == 1:
		var seed [32]byte
		if _, err := io.ReadFull(random, seed[:]); err != nil {
			return err
		}
		nobody, err := keys.FromSeed(seed)
		if err != nil {
			return err
		}
		c.Change = Destination{Spend: nobody.SpendPublic, View: nobody.ViewPublic}
	default:
		return nil
	}
	c.Outputs = append(c.Outputs, c.Change)
	return nil
}

// Plan returns what build.Sign needs to make exactly the transaction described, after checking all that the signer can
// know: that inputs are the wallet's and open their commitments, that change comes back to it, that outputs and fee
// are what the inputs hold. Whether decoys are real only the network knows: else it refuses the transaction.
// Errors: ErrUnsupported, ErrMultisig, ErrMalformed, ErrNotOurs, ErrUnbalanced, ErrChange, ErrPaymentID,
// xmr.ErrOverflow.
// Source: src/wallet/wallet2.cpp, sign_tx; src/cryptonote_core/cryptonote_tx_utils.cpp, construct_tx_with_tx_key.
func (c *Construction) Plan(network xmr.Network, k *keys.Keys, find Addresses) (build.Plan, []decoy.Ring, error) {
	for i := range c.Sources {
		if c.Sources[i].Multisig != ([4][32]byte{}) {
			return build.Plan{}, nil, ErrMultisig
		}
	}
	return c.plan(network, k, find)
}

func (c *Construction) plan(network xmr.Network, k *keys.Keys, find Addresses) (build.Plan, []decoy.Ring, error) {
	var p build.Plan
	if c.UnlockTime != 0 || !c.UseRingCT || !c.UseViewTags || c.RangeProof != PaddedBulletproof || c.Bulletproof != BulletproofPlus {
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
	p.Destinations, err = c.destinations(network)
	return p, rings, err
}

// input returns the output to spend, as the wallet itself would know it but for where on the chain it is.
func (s *Source) input(k *keys.Keys, find Addresses) (build.Input, error) {
	if !s.RingCT || len(s.Ring) != xmr.RingSize {
		return build.Input{}, ErrUnsupported
	}
	for i := range s.Ring {
		if i > 0 && s.Ring[i].Index <= s.Ring[i-1].Index {
			return build.Input{}, ErrMalformed
		}
	}
	if s.Index >= maxOutputIndex {
		return build.Input{}, ErrMalformed
	}
	real := s.Ring[s.Real]
	at, err := own(k, find, real.Key, s.Index, s.TxKey, s.AdditionalKeys)
	if err != nil {
		return build.Input{}, err
	}
	in := build.Input{
		Index: s.Index, Global: real.Index, Amount: s.Amount, Mask: s.Mask, Key: real.Key,
		Derivation: at.Derivation, Address: at.Address, RingCT: true,
	}
	if _, err := edwards.DecodeScalar(in.Mask); err != nil || in.Commitment() != real.Commitment {
		return build.Input{}, ErrMalformed
	}
	return in, nil
}

// change returns where change goes. Without change that is the account's address, which then gets nothing.
func (c *Construction) change(network xmr.Network, k *keys.Keys, find Addresses) (address.Address, error) {
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

// destinations returns the outputs without change and without its stand-in of amount zero, for which build makes one
// of its own.
func (c *Construction) destinations(network xmr.Network) ([]build.Destination, error) {
	extra, ok := tx.ParseExtra(c.Extra)
	switch {
	case !ok:
		return nil, ErrMalformed
	case extra.MergeMining != nil, extra.Nonce != nil && extra.EncryptedPaymentID == nil:
		return nil, ErrUnsupported
	}
	outputs := slices.Clone(c.Outputs)
	same := func(d Destination) bool {
		return d.Amount == c.Change.Amount && d.Spend == c.Change.Spend && d.View == c.Change.View
	}
	if at := slices.IndexFunc(outputs, same); at >= 0 {
		outputs = slices.Delete(outputs, at, at+1)
	} else if c.Change.Amount > 0 {
		return nil, ErrChange
	}
	var list []build.Destination
	id, taken := extra.EncryptedPaymentID, false
	for _, o := range outputs {
		d := build.Destination{Address: plainAddress(network, o.Subaddress, o), Amount: o.Amount, Text: o.Original}
		// A payment ID of zero is what most transactions carry to look alike, unless the user typed an integrated address.
		if id != nil && !o.Subaddress && (o.Integrated || *id != [8]byte{} && !taken) {
			d.Address.Kind, d.Address.PaymentID = address.Integrated, *id
			taken = true
		}
		list = append(list, d)
	}
	if id != nil && *id != ([8]byte{}) && !taken {
		return nil, ErrPaymentID
	}
	return list, nil
}
