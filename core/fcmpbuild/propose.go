package fcmpbuild

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"glim/core/carrot"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/fcmp"
	"glim/core/fcmptx"
	"glim/core/fee"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// Request describes a transaction that spends all Inputs.
type Request struct {
	Inputs       []Input               // with key images, in any order
	Destinations []txbuild.Destination // 1 to 15; the wallet's own addresses are treated as those of others
	Change       keys.Index            // address for what remains, which always gets an output, if need be of zero
	// ChangeShares are the proportions in which change is divided into outputs, see txbuild.Plan. Change is one output
	// if they are empty.
	ChangeShares []uint64
	PerByte      uint64 // fee for a byte of weight, in atomic units
	// Sweep pays everything but the fee to the only destination, whose amount is ignored.
	Sweep bool
}

// Proposal is a transaction without proofs. It is secret: blinds link the inputs to outputs, and anchors reveal whom
// payments are for. Wipe it after use.
type Proposal struct {
	Inputs          []Input // by descending key images
	Payments        []carrot.Payment
	Change          keys.Index
	ChangeAmount    uint64       // atomic units, of all outputs of change
	ChangeEphemeral [32]byte     // zero if there are two outputs, which share the payment's
	MoreChange      []ChangePart // outputs of change besides the first, which has the rest of ChangeAmount
	DummyID         [8]byte      // encrypted payment ID if no payment has one
	Fee             uint64       // atomic units
	Blinds          []*fcmp.Blinds
}

// ChangePart is an output of change.
type ChangePart struct {
	Amount    uint64 // atomic units, more than zero
	Ephemeral [32]byte
}

// Propose lays out a transaction and chooses its blinds; v makes the change. It returns txbuild.ErrNoDestination,
// txbuild.ErrTooManyOutputs, txbuild.ErrTooHeavy for more than 128 inputs, txbuild.ErrZeroAmount, txbuild.ErrPaymentIDs
// for several integrated addresses, txbuild.ErrNotEnough if the inputs do not pay amounts and fee, ErrInput,
// xmr.ErrOverflow, fee.ErrOverflow, and the errors of carrot.Rules.NewOutputs and of random.
// Source: src/wallet/tx_builder.cpp, make_carrot_transaction_proposals_wallet2_transfer;
// src/carrot_impl/tx_proposal_utils.cpp, make_carrot_transaction_proposal_v1.
func Propose(random io.Reader, v Viewer, r Request) (*Proposal, error) {
	inputs, err := sorted(r.Inputs)
	if err != nil {
		return nil, err
	}
	p := &Proposal{Inputs: inputs, Change: r.Change}
	if err := p.setAmounts(&r); err != nil {
		return nil, err
	}
	if err := p.draw(random); err != nil {
		p.Wipe()
		return nil, err
	}
	if err := p.balance(v); err != nil {
		p.Wipe()
		return nil, err
	}
	return p, nil
}

// sorted returns inputs by descending key images.
// Source: src/cryptonote_core/blockchain.cpp, check_tx_inputs.
func sorted(inputs []Input) ([]Input, error) {
	if len(inputs) > format.MaxInputs {
		return nil, fmt.Errorf("%w: %d inputs", txbuild.ErrTooHeavy, len(inputs))
	}
	out := slices.Clone(inputs)
	slices.SortFunc(out, func(a, b Input) int { return bytes.Compare(b.Image[:], a.Image[:]) })
	for i := range out {
		if !out[i].complete() || out[i].Image == (xmr.KeyImage{}) || i > 0 && out[i].Image == out[i-1].Image {
			return nil, ErrInput
		}
	}
	return out, nil
}

// setAmounts sets payments without anchors, fee and change.
func (p *Proposal) setAmounts(r *Request) error {
	switch n := len(r.Destinations); {
	case n == 0 || r.Sweep && n != 1:
		return txbuild.ErrNoDestination
	case n+max(1, len(r.ChangeShares)) > format.MaxOutputs:
		return txbuild.ErrTooManyOutputs
	}
	if len(r.ChangeShares) > 1 {
		p.MoreChange = make([]ChangePart, len(r.ChangeShares)-1)
	}
	ids := 0
	for _, d := range r.Destinations {
		if d.Amount == 0 && !r.Sweep {
			return txbuild.ErrZeroAmount
		}
		if d.Address.PaymentID != ([8]byte{}) {
			ids++
		}
		p.Payments = append(p.Payments, carrot.Payment{To: d.Address, Amount: d.Amount})
	}
	if ids > 1 {
		return txbuild.ErrPaymentIDs
	}
	var err error
	if p.Fee, err = fee.FromWeight(r.PerByte, p.Weight(), fee.Quantum); err != nil {
		return err
	}
	if r.Sweep {
		p.Payments[0].Amount = 0
	}
	in, out, err := p.totals()
	if err != nil {
		return err
	}
	if out > in || r.Sweep && out == in {
		return txbuild.ErrNotEnough
	}
	if r.Sweep {
		p.Payments[0].Amount = in - out
	} else {
		p.ChangeAmount = in - out
	}
	if len(p.MoreChange) == 0 {
		return nil
	}
	plan := txbuild.Plan{ChangeShares: r.ChangeShares}
	parts := plan.ChangeParts(p.ChangeAmount)
	if len(parts) != len(r.ChangeShares) {
		return fmt.Errorf("%w: change is too small to be divided", txbuild.ErrNotEnough)
	}
	for i := range p.MoreChange {
		p.MoreChange[i].Amount = parts[1+i]
	}
	return nil
}

// totals returns what the inputs have, and what outputs and fee take.
func (p *Proposal) totals() (in, out uint64, err error) {
	amounts := make([]uint64, len(p.Inputs))
	for i := range p.Inputs {
		amounts[i] = p.Inputs[i].Received.Amount
	}
	if in, err = xmr.Sum(amounts...); err != nil {
		return 0, 0, err
	}
	amounts = append(amounts[:0], p.ChangeAmount, p.Fee)
	for i := range p.Payments {
		amounts = append(amounts, p.Payments[i].Amount)
	}
	out, err = xmr.Sum(amounts...)
	return in, out, err
}

// Weight returns the weight of the transaction in bytes; math.MaxUint64 for numbers of inputs or outputs that are not
// allowed. Extra has one ephemeral key for two outputs and otherwise one for each, and an encrypted payment ID.
func (p *Proposal) Weight() uint64 { return Weight(len(p.Inputs), len(p.Payments)+1+len(p.MoreChange)) }

// Weight returns the weight in bytes of a transaction with so many inputs and outputs, change included;
// math.MaxUint64 for numbers that are not allowed.
func Weight(inputs, outputs int) uint64 {
	const key, id = 32, 1 + 1 + 1 + 8
	extra := 1 + key + id
	if outputs != 2 {
		extra = 1 + wire.VarintLen(uint64(outputs)) + outputs*key + id
	}
	return format.Weight(inputs, outputs, extra)
}

// draw sets everything random.
func (p *Proposal) draw(random io.Reader) error {
	var err error
	for i := range p.Payments {
		if p.Payments[i].Anchor, err = carrot.RandomAnchor(random); err != nil {
			return err
		}
	}
	if len(p.Payments)+len(p.MoreChange) > 1 {
		if p.ChangeEphemeral, err = carrot.RandomEphemeral(random); err != nil {
			return err
		}
	}
	for i := range p.MoreChange {
		if p.MoreChange[i].Ephemeral, err = carrot.RandomEphemeral(random); err != nil {
			return err
		}
	}
	if _, err := io.ReadFull(random, p.DummyID[:]); err != nil {
		return err
	}
	for range p.Inputs {
		b, err := fcmp.NewBlinds(random)
		if err != nil {
			return err
		}
		p.Blinds = append(p.Blinds, b)
	}
	return nil
}

// balance chooses the last blind so that the masks of inputs and outputs are balanced.
func (p *Proposal) balance(v Viewer) error {
	if len(p.Inputs) == 0 {
		return txbuild.ErrNotEnough
	}
	outputs, _, err := p.outputs(v)
	if err != nil {
		return err
	}
	defer wipe(outputs)
	sum := edwards.NewScalar()
	defer edwards.Wipe(sum)
	for _, o := range outputs {
		sum.Add(sum, o.Mask)
	}
	masks := make([]*edwards.Scalar, len(p.Inputs))
	for i := range masks {
		masks[i] = p.Inputs[i].Received.Mask
	}
	return fcmp.Balance(p.Blinds, masks, sum)
}

// outputs returns the outputs, which follow from the proposal and the wallet's secrets, and the transaction without
// proofs.
func (p *Proposal) outputs(v Viewer) ([]*carrot.Output, *fcmptx.Transaction, error) {
	change := make([]carrot.SelfSend, 1+len(p.MoreChange))
	change[0] = carrot.SelfSend{
		Spend: v.SpendKey(p.Change), Amount: p.ChangeAmount, Type: carrot.ChangeEnote, Ephemeral: p.ChangeEphemeral,
	}
	for i, part := range p.MoreChange {
		change[1+i] = change[0]
		change[1+i].Amount, change[1+i].Ephemeral = part.Amount, part.Ephemeral
	}
	for _, part := range p.MoreChange {
		change[0].Amount -= part.Amount // check and Propose have compared the sum
	}
	list, id, err := rules.NewOutputs(p.Payments, change, v, p.Inputs[0].Image, p.DummyID)
	if err != nil {
		return nil, nil, err
	}
	enotes, images := make([]carrot.Enote, len(list)), make([]xmr.KeyImage, len(p.Inputs))
	for i, o := range list {
		enotes[i] = o.Enote
	}
	for i := range images {
		images[i] = p.Inputs[i].Image
	}
	return list, fcmptx.New(enotes, images, p.Fee, id), nil
}

// wipe overwrites the masks of outputs.
func wipe(outputs []*carrot.Output) {
	for _, o := range outputs {
		edwards.Wipe(o.Mask)
	}
}

// check returns ErrProposal unless p is what Propose could return, and ErrInput for incomplete inputs: it may come from
// another device.
func (p *Proposal) check() error {
	inputs, err := sorted(p.Inputs)
	if err != nil {
		return err
	}
	for i := range inputs {
		if inputs[i].Image != p.Inputs[i].Image {
			return ErrProposal
		}
	}
	in, out, err := p.totals()
	if err != nil || in != out || !p.dividesChange() || len(p.Blinds) != len(p.Inputs) || p.Weight() == math.MaxUint64 {
		return ErrProposal
	}
	return nil
}

// dividesChange reports whether each output of divided change has an amount.
func (p *Proposal) dividesChange() bool {
	first := p.ChangeAmount
	for _, part := range p.MoreChange {
		if part.Amount == 0 || part.Amount >= first {
			return false
		}
		first -= part.Amount
	}
	return true
}

// MaxFee returns the highest fee that Sign accepts, in atomic units: that of the highest level of the next hard fork,
// at the smallest median and the largest reward, which on mainnet is the tail emission. It is math.MaxUint64 for a
// weight of math.MaxUint64.
func MaxFee(network xmr.Network, weight uint64) uint64 {
	levels := consensus.HighestNextFees(network)
	limit, err := fee.FromWeight(levels[len(levels)-1], weight, fee.Quantum)
	if err != nil {
		return math.MaxUint64
	}
	return limit
}

// Ceiling returns the highest fees for transactions of a network, by priority: the first four levels of those that
// MaxFee takes the last of.
func Ceiling(network xmr.Network) fee.Ceiling {
	return fee.NextCeiling(fee.Levels(consensus.HighestNextFees(network)[:len(fee.Levels{})]), format.MaxWeight)
}

// Wipe overwrites the blinds and anchors with zeros.
func (p *Proposal) Wipe() {
	for _, b := range p.Blinds {
		if b != nil {
			b.Wipe()
		}
	}
	for i := range p.Payments {
		clear(p.Payments[i].Anchor[:])
	}
}

// String returns the numbers of inputs and payments only, because secrets do not belong in logs.
func (p Proposal) String() string {
	return smallfmt.Sprintf("fcmpbuild.Proposal(%d inputs, %d payments)", len(p.Inputs), len(p.Payments))
}

// GoString is String.
func (p Proposal) GoString() string { return p.String() }
