package signer

import (
	"slices"

	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// signingRequest is a transaction to make and sign.
type signingRequest struct {
	plan  txbuild.Plan
	rings []decoy.Ring
	// changeIndex is the wallet's address for change; changeIsOwn is false when change goes to another address.
	changeIndex keys.Index
	changeIsOwn bool
}

const (
	memberSize      = 1 + 64
	inputSize       = 1 + 1 + 32 + outputSize + 1 + 1 + memberSize
	destinationSize = addressSize + 1
)

// appendSigningRequest serialises a settled plan. It omits data that signing does not need, such as the place of an
// input on the chain.
func appendSigningRequest(
	b []byte, plan *txbuild.Plan, rings []decoy.Ring, own func(keys.Index) (spend, view xmr.PublicKey),
) ([]byte, error) {
	if plan.Sweep || len(plan.Subtract) > 0 || len(plan.Inputs) == 0 || len(rings) != len(plan.Inputs) {
		return nil, smallfmt.Errorf("%w: the plan is not settled", ErrRequest)
	}
	b = wire.AppendVarint(b, plan.Fee)
	b = wire.AppendVarint(b, uint64(len(plan.Inputs)))
	for i := range plan.Inputs {
		in := &plan.Inputs[i]
		b = wire.AppendVarint(wire.AppendVarint(b, in.GlobalIndex), in.Amount)
		b = append(b, in.Mask[:]...)
		b = appendOutput(
			b, &keys.OwnOutput{Derivation: in.Derivation, Index: in.Index, Address: in.Address, Key: in.Key},
		)
		b = wire.AppendVarint(wire.AppendVarint(b, uint64(rings[i].Real)), uint64(len(rings[i].Members)))
		for _, m := range rings[i].Members {
			b = append(append(wire.AppendVarint(b, m.Index), m.Key[:]...), m.Commitment[:]...)
		}
	}
	// Of divided change, the first part is what remains; the others are written as destinations.
	destinations := slices.Clone(plan.Destinations)
	if parts := plan.ChangeParts(plan.Remainder()); len(parts) > 1 {
		for _, amount := range parts[1:] {
			destinations = append(destinations, txbuild.Destination{Address: plan.Change, Amount: amount})
		}
	}
	b = wire.AppendVarint(b, uint64(len(destinations)))
	for i := range destinations {
		b = wire.AppendVarint(appendAddress(b, &destinations[i].Address), destinations[i].Amount)
	}
	b = appendAddress(b, &plan.Change)
	for _, i := range [...]keys.Index{{Major: plan.Inputs[0].Address.Major}, {}, plan.Inputs[0].Address} {
		if spend, view := own(i); spend == plan.Change.Spend && view == plan.Change.View {
			return appendIndex(append(b, 1), i), nil
		}
	}
	return append(b, 0), nil
}

func readSigningRequest(r *wire.Reader, network xmr.Network) (o signingRequest) {
	o.plan.Fee = r.Varint()
	n := r.Count(maxMany, inputSize)
	o.plan.Inputs, o.rings = make([]txbuild.Input, n), make([]decoy.Ring, n)
	for i := range o.plan.Inputs {
		in := &o.plan.Inputs[i]
		in.GlobalIndex, in.Amount = r.Varint(), r.Varint()
		in.Mask = r.Bytes32()
		at := readOutput(r)
		in.Derivation, in.Index, in.Address, in.Key = at.Derivation, at.Index, at.Address, at.Key
		in.RingCT = true
		position := r.Varint()
		o.rings[i].Members = make([]decoy.Member, r.Count(maxRing, memberSize))
		if position >= uint64(len(o.rings[i].Members)) {
			r.Fail(ErrRequest)
			return o
		}
		o.rings[i].Real = int(position)
		for j := range o.rings[i].Members {
			o.rings[i].Members[j] = decoy.Member{Index: r.Varint(), Key: r.Bytes32(), Commitment: r.Bytes32()}
		}
	}
	o.plan.Destinations = make([]txbuild.Destination, r.Count(xmr.MaxOutputs, destinationSize))
	for i := range o.plan.Destinations {
		d := &o.plan.Destinations[i]
		d.Address = readAddress(r, network)
		d.Amount = r.Varint()
	}
	o.plan.Change = readAddress(r, network)
	if o.changeIsOwn = readBool(r); o.changeIsOwn {
		o.changeIndex = readIndex(r)
	}
	return o
}

// consentRequest describes the effect of o for wallet x. It returns txbuild.ErrNotPossible when o pays more than it
// spends, xmr.ErrOverflow, and ErrRequest when the change address is not the claimed own one.
func (o *signingRequest) consentRequest(x *secrets) (ConsentRequest, error) {
	a := ConsentRequest{Kind: KindPayment, Wallet: x.keys.SpendPublic, Fee: o.plan.Fee}
	if o.changeIsOwn {
		if spend, view := x.keys.Address(o.changeIndex); spend != o.plan.Change.Spend || view != o.plan.Change.View {
			return a, smallfmt.Errorf("%w: change to an address that is not the wallet's", ErrRequest)
		}
	}
	var err error
	for i := range o.plan.Inputs {
		if a.In, err = xmr.Sum(a.In, o.plan.Inputs[i].Amount); err != nil {
			return a, err
		}
	}
	out := o.plan.Fee
	for i := range o.plan.Destinations {
		d := &o.plan.Destinations[i]
		if out, err = xmr.Sum(out, d.Amount); err != nil {
			return a, err
		}
		if o.changeIsOwn && d.Address.Spend == o.plan.Change.Spend && d.Address.View == o.plan.Change.View {
			a.Change += d.Amount
			continue
		}
		a.Destinations = append(a.Destinations, withText(*d))
	}
	if out > a.In {
		return a, txbuild.ErrNotPossible
	}
	switch rest := a.In - out; {
	case o.changeIsOwn:
		a.Change += rest
	case rest > 0:
		a.Destinations = append(a.Destinations, withText(txbuild.Destination{Address: o.plan.Change, Amount: rest}))
	}
	return a, nil
}

func withText(d txbuild.Destination) txbuild.Destination {
	d.Text = d.Address.String()
	return d
}

// privateChain is an upper bound of the number of outputs on a private test chain; public chains have more.
const privateChain = 1 << 20

// ceiling returns the fee ceiling of o. Private chains have higher fees; they are recognised by their output indices,
// since a transaction that names other rings than it signs is invalid.
func (o *signingRequest) ceiling(network xmr.Network) fee.Ceiling {
	for i := range o.rings {
		for _, m := range o.rings[i].Members {
			if m.Index >= privateChain {
				return fee.CeilingFor(network)
			}
		}
	}
	return fee.CeilingFor(xmr.Regtest)
}

// appendResult serialises the signed transaction with the data that its sender keeps.
func appendResult(b []byte, o *signingRequest, r *txbuild.Result) []byte {
	b = appendBytes(b, r.Blob)
	b = append(wire.AppendVarint(b, r.Change), r.PaymentID[:]...)
	b = append(wire.AppendVarint(b, uint64(len(r.AdditionalKeys))), r.Key[:]...)
	for i := range r.AdditionalKeys {
		b = append(b, r.AdditionalKeys[i][:]...)
	}
	b = wire.AppendVarint(b, uint64(len(r.Inputs)))
	for i := range r.Inputs {
		at := slices.IndexFunc(o.plan.Inputs, func(in txbuild.Input) bool { return in.Key == r.Inputs[i].Key })
		b = wire.AppendVarint(b, uint64(at))
	}
	return b
}

// readResult reads the result for plan.
func readResult(r *wire.Reader, plan txbuild.Plan, rings []decoy.Ring) *txbuild.Result {
	out := &txbuild.Result{Fee: plan.Fee, Destinations: plan.Destinations}
	out.Blob = slices.Clone(readBytes(r, MaxRequest))
	out.Change = r.Varint()
	out.PaymentID = r.Bytes32()
	out.AdditionalKeys = nil
	n := r.Count(xmr.MaxOutputs, 32)
	out.Key = r.Bytes32()
	for range n {
		out.AdditionalKeys = append(out.AdditionalKeys, r.Bytes32())
	}
	seen := make([]bool, len(plan.Inputs))
	for range r.Count(len(plan.Inputs), 1) {
		at := r.Varint()
		if at >= uint64(len(seen)) || seen[at] {
			r.Fail(ErrRequest)
			return out
		}
		seen[at] = true
		out.Inputs, out.Rings = append(out.Inputs, plan.Inputs[at]), append(out.Rings, rings[at])
	}
	if r.Err() != nil {
		return out
	}
	var err error
	if out.Tx, out.ID, err = tx.ParseWithHash(out.Blob); err != nil {
		r.Fail(err)
		return out
	}
	out.Weight = out.Tx.Weight()
	if len(plan.ChangeShares) > 0 {
		out.Change = plan.Remainder()
	}
	out.ChangeParts = plan.ChangeParts(out.Change)
	return out
}
