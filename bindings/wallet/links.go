package wallet

import (
	"context"

	"glim/core/walletrpc"
)

// Link is one thing that a payment reveals about the wallet that makes it.
type Link struct {
	// Kind is one of those of describe_links of the wallet RPC contract, such as addresses, receipts or paid_before.
	Kind string
	Text string // for people, in English
	// Recipient is the address of the recipient who learns it; empty if others do.
	Recipient string
	// Transactions holds the IDs of the earlier transactions that it links.
	Transactions []string
}

// Links returns what the payment reveals to those who see the chain, to payers and to its recipients: which addresses
// and earlier transactions of the wallet it links. It asks no daemon. There is nothing to return if the payment is
// Begun.
//
// Kinds of failure: ErrPayment if the preview was not returned by Send, and ErrClosed.
func (p *Preview) Links(ctx context.Context) ([]Link, error) {
	d := p.draft
	if d == nil {
		return nil, refused("links", ErrPayment, "the preview was not returned by Send")
	}
	if p.Begun {
		return nil, nil
	}
	got, err := callOpen(ctx, d.w, "links", walletrpc.DescribeLinks, d.links)
	if err != nil {
		return nil, err
	}
	var list []Link
	for _, l := range got.Links {
		list = append(list, Link{Kind: l.Kind, Text: l.Text, Recipient: l.Recipient, Transactions: l.TxIDs})
	}
	return list, nil
}
