package coldset

import (
	"encoding/hex"
	"math"

	"glim/core/address"
	"glim/core/tx"
	"glim/core/xmr"
)

// Description summarises one transaction for a user to review before signing. Amounts are in atomic units.
// Source: src/wallet/wallet_rpc_server.cpp, on_describe_transfer.
type Description struct {
	AmountIn      uint64
	AmountOut     uint64 // change included
	RingSize      uint32 // the smallest
	UnlockTime    uint64
	Sources       []SpentOutput
	Recipients    []Recipient // without change, one per address, in the order of the outputs
	PaymentID     string      // hexadecimal of 8 or 32 bytes, or empty
	ChangeAmount  uint64
	ChangeAddress address.Address // when there is change in this or an earlier transaction
	HasChange     bool
	Fee           uint64
	DummyOutputs  uint32
	Extra         []byte
}

// SpentOutput is an output that the transaction spends.
type SpentOutput struct {
	Amount      uint64
	GlobalIndex uint64
	Key         xmr.PublicKey
	RingCT      bool
}

// Recipient is an address with the total that it receives.
type Recipient struct {
	Address address.Address
	Amount  uint64
}

// Summary is the total over all transactions of a set.
type Summary struct {
	AmountIn      uint64
	AmountOut     uint64
	Recipients    []Recipient
	ChangeAmount  uint64
	ChangeAddress address.Address
	HasChange     bool
	Fee           uint64
}

// Describe returns a description of each transaction of the set, and the totals. It uses only keys and amounts and
// rebuilds addresses from keys. It returns ErrChange when the claimed change is not among the outputs or goes to
// several addresses, ErrUnbalanced, or xmr.ErrOverflow.
// Source: src/wallet/wallet_rpc_server.cpp, on_describe_transfer.
func (u *UnsignedSet) Describe(network xmr.Network) ([]Description, Summary, error) {
	return Describe(network, u.Transactions)
}

// Describe is UnsignedSet.Describe for a list of transactions.
func Describe(network xmr.Network, list []Construction) ([]Description, Summary, error) {
	var all Summary
	var change *DestinationEntry // the first
	out := make([]Description, 0, len(list))
	for i := range list {
		c := &list[i]
		d, err := c.describe(network)
		if err != nil {
			return nil, Summary{}, err
		}
		if c.Change.Amount > 0 {
			if change == nil {
				change = &c.Change
			}
			if c.Change.Spend != change.Spend || c.Change.View != change.View {
				return nil, Summary{}, ErrChange
			}
			d.ChangeAddress, d.HasChange = plainAddress(network, list[0].Account > 0, c.Change), true
			all.ChangeAddress, all.HasChange = d.ChangeAddress, true
		}
		for _, sum := range []struct {
			to  *uint64
			add uint64
		}{
			{&all.AmountIn, d.AmountIn},
			{&all.AmountOut, d.AmountOut},
			{&all.ChangeAmount, d.ChangeAmount},
			{&all.Fee, d.Fee},
		} {
			if *sum.to, err = xmr.Sum(*sum.to, sum.add); err != nil {
				return nil, Summary{}, err
			}
		}
		for _, r := range d.Recipients {
			all.Recipients = credit(all.Recipients, r)
		}
		out = append(out, d)
	}
	return out, all, nil
}

// credit adds r to the recipient with the same keys; sums stay below the overflow-checked total.
func credit(list []Recipient, r Recipient) []Recipient {
	for i := range list {
		if sameAddress(list[i].Address, r.Address.Spend, r.Address.View) {
			list[i].Amount += r.Amount
			return list
		}
	}
	return append(list, r)
}

func sameAddress(a address.Address, spend, view xmr.PublicKey) bool {
	return a.Spend == spend && a.View == view
}

// Address returns the address of d, without a payment ID.
func (d *DestinationEntry) Address(network xmr.Network) address.Address {
	return plainAddress(network, d.Subaddress, *d)
}

func plainAddress(network xmr.Network, sub bool, d DestinationEntry) address.Address {
	a := address.Address{Network: network, Spend: d.Spend, View: d.View}
	if sub {
		a.Kind = address.Subaddress
	}
	return a
}

func (c *Construction) describe(network xmr.Network) (Description, error) {
	d := Description{RingSize: math.MaxUint32, UnlockTime: c.UnlockTime, Extra: c.Extra, ChangeAmount: c.Change.Amount}
	var err error
	for i := range c.Sources {
		s := &c.Sources[i]
		if s.Real >= uint64(len(s.Ring)) {
			return d, ErrMalformed
		}
		realMember := &s.Ring[s.Real]
		d.Sources = append(d.Sources, SpentOutput{
			Amount: s.Amount, GlobalIndex: realMember.Index, Key: realMember.Key, RingCT: s.RingCT,
		})
		d.RingSize = min(d.RingSize, uint32(len(s.Ring)))
		if d.AmountIn, err = xmr.Sum(d.AmountIn, s.Amount); err != nil {
			return d, err
		}
	}
	id, text := c.paymentID()
	d.PaymentID = text
	var paid []Recipient
	for i := range c.Outputs {
		o := &c.Outputs[i]
		if d.AmountOut, err = xmr.Sum(d.AmountOut, o.Amount); err != nil {
			return d, err
		}
		a := o.Address(network)
		if id != nil && !o.Subaddress && a.String() != o.Original {
			a.Kind, a.PaymentID = address.Integrated, *id
		}
		paid = credit(paid, Recipient{Address: a, Amount: o.Amount})
	}
	if d.AmountOut > d.AmountIn {
		return d, ErrUnbalanced
	}
	d.Fee = d.AmountIn - d.AmountOut
	if c.Change.Amount > 0 {
		at := -1
		for i := range paid {
			if sameAddress(paid[i].Address, c.Change.Spend, c.Change.View) {
				at = i
			}
		}
		if at < 0 || paid[at].Amount < c.Change.Amount {
			return d, ErrChange
		}
		if paid[at].Amount -= c.Change.Amount; paid[at].Amount == 0 {
			paid = append(paid[:at], paid[at+1:]...)
		}
	}
	for _, r := range paid {
		if r.Amount > 0 {
			d.Recipients = append(d.Recipients, r)
		} else {
			d.DummyOutputs++
		}
	}
	return d, nil
}

// paymentID returns the payment ID in extra: a short one other than zero, and as text any.
func (c *Construction) paymentID() (*[8]byte, string) {
	extra, ok := tx.ParseExtra(c.Extra)
	switch {
	case !ok:
	case extra.EncryptedPaymentID != nil && *extra.EncryptedPaymentID != [8]byte{}:
		return extra.EncryptedPaymentID, hex.EncodeToString(extra.EncryptedPaymentID[:])
	case extra.PaymentID != nil:
		return nil, extra.PaymentID.String()
	}
	return nil, ""
}
