package service

import (
	"context"
	"errors"
	"slices"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/daemon"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/xmr"
)

// relayer records transactions and sends them to the daemon.
type relayer struct {
	active  *active
	network xmr.Network
	now     func() uint64
}

// send records the transactions of one payment, then sends them to the daemon one by one until one is rejected. The
// inputs of a rejected transaction are free again; so are those of one that was not sent, or whose delivery is
// uncertain. Another payment spends such inputs first, and one with the same idempotency key must spend them, so the
// chain can accept at most one of the two.
func (s *relayer) send(ctx context.Context, o *openWallet, all ...wallet.Sent) error {
	err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		c, err := w.DecidePayment(all, s.now())
		return c, nil, err
	})
	if err != nil {
		return err
	}
	for i := range all {
		relayErr := s.active.connection().sender.send(ctx, all[i].Blob)
		if relayErr == nil {
			o.relayed.Store(all[i].TxID, nil)
			continue
		}
		if r := (*daemon.Rejected)(nil); (!keys.HasHierarchies || len(all[i].Rings) > 0) &&
			errors.As(relayErr, &r) && r.Has(daemon.InvalidInput) {
			relayErr = smallfmt.Errorf("%w; a daemon may have returned false ring members: if a daemon that you trust "+
				"also refuses it, call rescan_blockchain and pay again", relayErr)
		}
		err = o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			c := w.DecideRefused(all[i].TxID, relayErr.Error())
			for _, later := range all[i+1:] {
				c.User.States = append(c.User.States, w.DecideRefused(later.TxID, "not sent: another transaction of "+
					"the payment was refused").User.States...)
			}
			return c, nil, nil
		})
		return errors.Join(relayErr, err)
	}
	return nil
}

// sentOf converts a transaction from a message to a record of the wallet. Everything that the chain will show is taken
// from the transaction itself, not from its description.
func (s *relayer) sentOf(o *openWallet, p *coldset.PendingTx) (wallet.Sent, error) {
	id, err := p.ID()
	if err != nil {
		return wallet.Sent{}, err
	}
	sent := wallet.Sent{
		TxID: id, Blob: p.Blob(), Fee: p.Tx.RingCT.Fee, Change: p.Change.Amount, UnlockTime: p.Tx.UnlockTime,
		Key: p.Key, AdditionalKeys: p.AdditionalKeys, SentAt: s.now(),
	}
	if extra, ok := tx.ParseExtra(p.Construction.Extra); ok && extra.PaymentID != nil {
		sent.PaymentID = *extra.PaymentID
	}
	for _, d := range p.Payments {
		text := d.Original
		if text == "" {
			a := address.Address{Network: s.network, Spend: d.Spend, View: d.View}
			if d.Subaddress {
				a.Kind = address.Subaddress
			}
			text = a.String()
		}
		if a, err := address.ParseFor(s.network, text); err == nil && a.Kind == address.Integrated {
			copy(sent.PaymentID[:], a.PaymentID[:])
		}
		sent.Destinations = append(sent.Destinations, wallet.Destination{Address: text, Amount: d.Amount})
	}
	o.View(func(w *wallet.Wallet) {
		for i := range p.Tx.Inputs {
			in := &p.Tx.Inputs[i]
			sent.Rings = append(sent.Rings, wallet.Ring{Image: in.KeyImage, Indices: tx.AbsoluteOffsets(in.KeyOffsets)})
			if err = countInput(w, &sent, in.KeyImage); err != nil {
				return
			}
		}
	})
	slices.Sort(sent.Indices)
	return sent, err
}

// countInput adds the output with a key image to the record of the transaction that spends it. It returns
// wallet.ErrInputs if the wallet does not have the output.
func countInput(w *wallet.Wallet, sent *wallet.Sent, image xmr.KeyImage) error {
	out, ok := w.OutputByImage(image)
	if !ok {
		return wallet.ErrInputs
	}
	sent.AmountIn += out.Amount
	sent.Account = out.Address.Major
	if !slices.Contains(sent.Indices, out.Address.Minor) {
		sent.Indices = append(sent.Indices, out.Address.Minor)
	}
	return nil
}
