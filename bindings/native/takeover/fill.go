package takeover

import (
	"slices"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletcache"
	"glim/core/xmr"
)

// Fill puts the contents f of a wallet with identity o into c, a cache whose own entries the wallet has taken over. It
// returns the addresses that c has yet to watch. Frozen outputs that c does not know, and entries of the address book
// without a valid address, are removed from f.
func Fill(c *walletcache.Cache, f *wallet.CacheContents, o *wallet.Identity) (watched []walletcache.WatchedKey) {
	fillLabels(c, f)
	fillTags(c, f)
	c.Notes = kept(c.Notes, f.Notes,
		func(n walletcache.Note) wallet.Note { return wallet.Note{TxID: n.TxID, Text: n.Text} },
		func(n wallet.Note) walletcache.Note { return walletcache.Note{TxID: n.TxID, Text: n.Text} })
	c.Attributes = kept(c.Attributes, f.Attrs,
		func(a walletcache.Attribute) wallet.Attribute { return wallet.Attribute(a) },
		func(a wallet.Attribute) walletcache.Attribute { return walletcache.Attribute(a) })
	fillBook(c, f, o.Network)
	fillSent(c, f)
	fillKeys(c, f)
	freeze(c, f)
	if !o.Keys.CanSpend() && o.Multisig == nil {
		known := map[xmr.PublicKey]bool{}
		for _, i := range c.ColdKeyImages {
			known[i.Key] = true
		}
		for _, i := range f.Images {
			if !known[i.Key] {
				c.ColdKeyImages = append(c.ColdKeyImages, walletcache.ColdImage{Key: i.Key, Image: i.Image})
			}
		}
	}
	return unwatched(c, f, o.Keys)
}

// kept returns the elements of list in terms of the cache: first those that it has, in its order, then the others.
func kept[C any, W comparable](had []C, list []W, from func(C) W, to func(W) C) []C {
	lacking := make(map[W]bool, len(list))
	for _, e := range list {
		lacking[e] = true
	}
	next := make([]C, 0, len(list))
	for _, e := range had {
		if w := from(e); lacking[w] {
			next = append(next, e)
			delete(lacking, w)
		}
	}
	for _, e := range list {
		if lacking[e] {
			next = append(next, to(e))
			delete(lacking, e)
		}
	}
	return next
}

// plain returns a label; empty if it is one that a new account has.
func plain(minor int, label string) string {
	if minor == 0 && (label == "Primary account" || label == "Untitled account") {
		return ""
	}
	return label
}

func fillLabels(c *walletcache.Cache, f *wallet.CacheContents) {
	next := make([][]string, max(len(c.Labels), len(f.Labels)))
	for major := range next {
		if major < len(c.Labels) {
			next[major] = slices.Clone(c.Labels[major])
		}
		if major >= len(f.Labels) {
			continue
		}
		for minor, label := range f.Labels[major] {
			switch {
			case minor >= len(next[major]):
				next[major] = append(next[major], label)
			case plain(minor, label) != plain(minor, next[major][minor]):
				next[major][minor] = label
			}
		}
	}
	c.Labels = next
}

func fillTags(c *walletcache.Cache, f *wallet.CacheContents) {
	c.Tags = kept(c.Tags, f.Described,
		func(t walletcache.Tag) wallet.Attribute { return wallet.Attribute{Key: t.Name, Value: t.Description} },
		func(a wallet.Attribute) walletcache.Tag { return walletcache.Tag{Name: a.Key, Description: a.Value} })
	tags := slices.Clone(c.AccountTags)
	for account := range max(len(tags), len(f.Tags)) {
		tag := ""
		if account < len(f.Tags) {
			tag = f.Tags[account]
		}
		if account < len(tags) {
			tags[account] = tag
		} else {
			tags = append(tags, tag)
		}
	}
	c.AccountTags = tags
}

// fillBook replaces the address book. Entries that the cache has stay as they are.
func fillBook(c *walletcache.Cache, f *wallet.CacheContents, n xmr.Network) {
	had := map[wallet.BookEntry][]walletcache.Contact{}
	for i := range c.AddressBook {
		e := contact(n, &c.AddressBook[i])
		had[e] = append(had[e], c.AddressBook[i])
	}
	book := make([]walletcache.Contact, 0, len(f.Book))
	f.Book = slices.DeleteFunc(f.Book, func(e wallet.BookEntry) bool {
		if same := had[e]; len(same) > 0 {
			book, had[e] = append(book, same[0]), same[1:]
			return false
		}
		a, err := address.ParseFor(n, e.Address)
		if err != nil {
			return true
		}
		book = append(book, walletcache.Contact{
			Spend: a.Spend, View: a.View, IsSubaddress: a.Kind == address.Subaddress, PaymentID: a.PaymentID,
			HasPaymentID: a.Kind == address.Integrated, Description: e.Description,
		})
		return false
	})
	c.AddressBook = book
}

// fillSent adds the destinations of transactions on the chain. The reference completes them when it scans their blocks.
func fillSent(c *walletcache.Cache, f *wallet.CacheContents) {
	at := make(map[xmr.Hash]int, len(c.Confirmed))
	for i := range c.Confirmed {
		at[c.Confirmed[i].TxID] = i
	}
	pending := map[xmr.Hash]bool{}
	for i := range c.Pending {
		pending[c.Pending[i].TxID] = true
	}
	confirmed := slices.Clone(c.Confirmed)
	for i := range f.Sent {
		s := &f.Sent[i]
		switch n, known := at[s.TxID]; {
		case known && len(confirmed[n].Destinations) == 0:
			confirmed[n].Destinations = destinations(s)
		case !known && !pending[s.TxID] && f.Mined[i] >= c.Scanned():
			confirmed = append(confirmed, walletcache.Sent{
				TxID: s.TxID, AmountIn: s.AmountIn, AmountOut: s.AmountIn - min(s.AmountIn, s.Fee), Change: s.Change,
				Destinations: destinations(s), PaymentID: s.PaymentID, Timestamp: s.SentAt, Account: s.Account,
				Addresses: s.Indices, Height: f.Mined[i], UnlockTime: s.UnlockTime,
			})
		}
	}
	c.Confirmed = confirmed
}

func destinations(s *wallet.Sent) (list []walletcache.Destination) {
	for _, d := range s.Destinations {
		a, err := address.Parse(d.Address)
		if err != nil {
			continue
		}
		list = append(list, walletcache.Destination{
			Original: d.Address, Amount: d.Amount, Spend: a.Spend, View: a.View,
			IsSubaddress: a.Kind == address.Subaddress, IsIntegrated: a.Kind == address.Integrated,
		})
	}
	return list
}

// fillKeys adds keys of transactions that the cache lacks.
func fillKeys(c *walletcache.Cache, f *wallet.CacheContents) {
	known := make(map[xmr.Hash]bool, len(c.TxKeys))
	for i := range c.TxKeys {
		known[c.TxKeys[i].TxID] = true
	}
	for i := range f.TxKeys {
		k := &f.TxKeys[i]
		if known[k.TxID] {
			continue
		}
		next := walletcache.TxKey{TxID: k.TxID, Key: k.Key}
		for _, a := range k.Additional {
			next.Additional = append(next.Additional, a)
		}
		c.TxKeys = append(c.TxKeys, next)
	}
}

func freeze(c *walletcache.Cache, f *wallet.CacheContents) {
	frozen, known := map[xmr.PublicKey]bool{}, map[xmr.PublicKey]bool{}
	for _, key := range f.Frozen {
		frozen[key] = true
	}
	for i := range c.Transfers {
		t := &c.Transfers[i]
		t.Frozen, known[t.Key] = frozen[t.Key], true
	}
	f.Frozen = slices.DeleteFunc(f.Frozen, func(key xmr.PublicKey) bool { return !known[key] })
}

// unwatched returns the addresses of f that the table of c lacks.
func unwatched(c *walletcache.Cache, f *wallet.CacheContents, k *keys.Keys) (list []walletcache.WatchedKey) {
	has := make(map[uint32]uint32, len(c.Table))
	for _, t := range c.Table {
		has[t.Account] = t.Addresses
	}
	for major, size := range f.Watched() {
		account := uint32(major)
		for i, spend := range k.SpendKeys(account, min(has[account], size), size) {
			list = append(list, walletcache.WatchedKey{
				Index: walletcache.Index{Account: account, Address: has[account] + uint32(i)}, Spend: spend,
			})
		}
	}
	return list
}
