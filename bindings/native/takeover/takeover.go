// Package takeover converts a cache of the reference into the data that a wallet imports.
package takeover

import (
	"glim/core/address"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/walletcache"
	"glim/core/xmr"
)

// Contents returns the data of c that cannot be recovered from the chain, for a wallet of network n with identity o.
// digest is the SHA-256 of the cache file. The result contains copies of the secrets of c, so the caller may wipe c.
func Contents(c *walletcache.Cache, n xmr.Network, o *wallet.Identity, digest [32]byte) *wallet.CacheContents {
	f := &wallet.CacheContents{
		Digest: digest,
		Height: c.Chain.Height(),
		First:  first(c),
		Labels: c.Labels,
		Tags:   c.AccountTags,
	}
	if len(f.Tags) > len(f.Labels) {
		f.Tags = f.Tags[:len(f.Labels)] // the rest belong to accounts that do not exist
	}
	f.Lookahead = lookahead(c)
	for _, t := range c.Tags {
		f.Described = append(f.Described, wallet.Attribute{Key: t.Name, Value: t.Description})
	}
	for _, t := range c.Notes {
		if t.Text != "" {
			f.Notes = append(f.Notes, wallet.Note{TxID: t.TxID, Text: t.Text})
		}
	}
	for _, a := range c.Attributes {
		f.Attrs = append(f.Attrs, wallet.Attribute(a))
	}
	for i := range c.AddressBook {
		f.Book = append(f.Book, contact(n, &c.AddressBook[i]))
	}
	mined := map[xmr.Hash]bool{}
	for i := range c.Confirmed {
		mined[c.Confirmed[i].TxID] = true
		if s := sent(n, &c.Confirmed[i]); len(s.Destinations) > 0 || s.PaymentID != (xmr.Hash{}) {
			s.State = wallet.SendMined
			if c.Confirmed[i].Height+deep < f.Height {
				s.Spent, s.Rings = s.Images(), nil
			}
			f.Sent = append(f.Sent, s)
		}
	}
	for i := range c.Pending {
		if p := &c.Pending[i]; !mined[p.TxID] {
			s := sent(n, p)
			s.SentAt = p.SentTime
			if s.State = wallet.SendPending; p.State == walletcache.StateFailed {
				s.State, s.Reason = wallet.SendFailed, "it failed before the wallet was taken over"
			}
			f.Sent = append(f.Sent, s)
		}
	}
	for _, k := range c.TxKeys {
		key := wallet.TxKey{TxID: k.TxID, Key: k.Key}
		for _, a := range k.Additional {
			key.Additional = append(key.Additional, a)
		}
		f.TxKeys = append(f.TxKeys, key)
	}
	outputs(f, c, o)
	if b := c.BackgroundSynced; b != nil && len(b.Transactions) > 0 {
		f.Left = append(f.Left, "what its synchronisation without the spend key found: the chain has it")
	}
	if len(c.DeviceData) > 0 {
		f.Left = append(f.Left, smallfmt.Sprintf("data of a hardware device about %d transactions", len(c.DeviceData)))
	}
	return f
}

// deep is the number of confirmations after which no reorganization removes a transaction. Its rings are no longer
// needed then.
const deep = 100

// first returns the height of the first block in c with a transaction of the wallet, or 1<<64 - 1 if c has no such
// transaction.
func first(c *walletcache.Cache) uint64 {
	at := ^uint64(0)
	for i := range c.Transfers {
		at = min(at, c.Transfers[i].Height)
	}
	for i := range c.Payments {
		at = min(at, c.Payments[i].Height)
	}
	for i := range c.Confirmed {
		at = min(at, c.Confirmed[i].Height)
	}
	return at
}

// lookahead returns how many accounts and subaddresses the reference has derived beyond the existing ones.
// Source: src/wallet/wallet2.cpp, expand_subaddresses.
func lookahead(c *walletcache.Cache) (l wallet.Lookahead) {
	if n := len(c.Table); n > 0 {
		major := c.Table[n-1].Account + 1
		l.Major = major - min(major, uint32(max(len(c.Labels), 1)-1))
	}
	for _, t := range c.Table {
		used := uint32(0)
		if int(t.Account) < len(c.Labels) {
			used = uint32(max(len(c.Labels[t.Account]), 1) - 1)
		}
		l.Minor = max(l.Minor, t.Addresses-min(t.Addresses, used))
	}
	return l
}

func contact(n xmr.Network, c *walletcache.Contact) wallet.BookEntry {
	return wallet.BookEntry{
		Address:     text(n, c.Spend, c.View, c.IsSubaddress, c.HasPaymentID, c.PaymentID),
		Description: c.Description,
	}
}

// text returns an address as text. Source: src/cryptonote_core/cryptonote_tx_utils.h, tx_destination_entry, address.
func text(n xmr.Network, spend, view xmr.PublicKey, sub, integrated bool, id [8]byte) string {
	a := address.Address{Network: n, Kind: address.Standard, Spend: spend, View: view}
	if sub {
		a.Kind = address.Subaddress
	} else if integrated {
		if with, err := a.WithPaymentID(id); err == nil {
			a = with
		}
	}
	return a.String()
}

// sent converts an outgoing transaction, except its state and its transaction keys.
func sent(n xmr.Network, c *walletcache.Sent) wallet.Sent {
	s := wallet.Sent{
		TxID: c.TxID, PaymentID: c.PaymentID, AmountIn: c.AmountIn, Fee: c.AmountIn - min(c.AmountIn, c.AmountOut),
		UnlockTime: c.UnlockTime, Account: c.Account, Indices: c.Addresses, SentAt: c.Timestamp,
	}
	if c.Change != ^uint64(0) {
		s.Change = c.Change
	}
	if c.Account == ^uint32(0) {
		s.Account = 0 // written by a release without accounts
	}
	for i := range c.Destinations {
		d := &c.Destinations[i]
		to := d.Original
		if to == "" {
			to = text(n, d.Spend, d.View, d.IsSubaddress, d.IsIntegrated, [8]byte(c.PaymentID[:8]))
		}
		s.Destinations = append(s.Destinations, wallet.Destination{Address: to, Amount: d.Amount})
	}
	for i := range c.Rings {
		s.Rings = append(s.Rings, wallet.Ring{
			Image: c.Rings[i].KeyImage, Indices: tx.AbsoluteOffsets(c.Rings[i].Offsets),
		})
	}
	return s
}

// outputs imports frozen outputs, and key images that the wallet cannot compute itself.
func outputs(f *wallet.CacheContents, c *walletcache.Cache, o *wallet.Identity) {
	known, nonces := map[xmr.PublicKey]bool{}, 0
	for i := range c.Transfers {
		t := &c.Transfers[i]
		if t.Frozen {
			f.Frozen = append(f.Frozen, t.Key)
		}
		if len(t.MultisigNonces) > 0 || len(t.MultisigInfo) > 0 {
			nonces++
		}
		if !o.Keys.CanSpend() && t.KeyImageKnown && !t.KeyImagePartial && !known[t.Key] {
			known[t.Key] = true
			f.Images = append(f.Images, wallet.KnownImage{Key: t.Key, Image: t.KeyImage})
		}
	}
	for _, i := range c.ColdKeyImages {
		if !o.Keys.CanSpend() && !known[i.Key] {
			known[i.Key] = true
			f.Images = append(f.Images, wallet.KnownImage{Key: i.Key, Image: i.Image})
		}
	}
	if o.Multisig != nil && nonces > 0 {
		// Nonces that another program also stores might be used twice, which reveals the key to the other signers.
		f.Left = append(f.Left,
			smallfmt.Sprintf("multisig infos about %d outputs: exchange them anew before the next payment", nonces))
	}
}
