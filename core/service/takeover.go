package service

import (
	"context"
	"errors"

	"glim/core/session"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/walletrpc"
)

// takeover imports the reference's caches.
type takeover struct {
	active       *active
	vault        *vault
	keyRounds    int
	withoutCache bool
	ahead        wallet.Lookahead // as configured by the host; may be zero
	now          func() uint64
	log          Log
}

// missingWithoutCache lists what a wallet lacks without the reference's cache.
const missingWithoutCache = "the existing addresses (payments beyond the lookahead would not be found, and " +
	"create_address would return old addresses), labels, account tags, notes, attributes, the address book, " +
	"transaction keys, destinations of sent payments, and frozen outputs"

// cacheError returns the error for a cache of the reference that cannot be read, with advice for the owner.
func cacheError(name string, err error) error {
	return notOpenedFor(
		smallfmt.Sprintf("monero-wallet-rpc's cache %q cannot be read: %s. Without it the wallet would lack: %s. "+
			"Restore a good copy, or start with --without-cache to open the wallet without it",
			name, err, missingWithoutCache),
		errors.Join(ErrCache, err),
	)
}

// cacheOf returns the reference's cache of a wallet. It returns nil if the wallet has no cache, if its digest is known,
// or if it cannot be read while caches are disabled.
func (s *takeover) cacheOf(files Files, name string, known [32]byte) (WalletCache, error) {
	with, ok := files.(CacheFiles)
	if !ok {
		return nil, nil
	}
	cache, err := with.OpenCache(name)
	if errors.Is(err, ErrNoWallet) {
		return nil, nil
	}
	var digest [32]byte
	if err == nil {
		digest, err = cache.Digest()
	}
	switch {
	case err != nil && s.withoutCache:
		return nil, nil
	case err != nil:
		return nil, cacheError(name, err)
	case digest == known:
		return nil, nil
	}
	return cache, nil
}

func (s *takeover) readCache(cache WalletCache, name, password string, o *wallet.Identity) (CacheContents, error) {
	if s.vault.isTicket(password) {
		return nil, cacheError(name, errInFile)
	}
	contents, err := cache.Read([]byte(password), max(s.keyRounds, walletfile.Rounds), o)
	if err != nil {
		return nil, cacheError(name, err)
	}
	return contents, nil
}

// fillNew imports the reference's cache into a new wallet, and returns a summary. contents is nil if there is no cache
// to import.
func (s *takeover) fillNew(made *session.Session, name string, contents CacheContents) (string, error) {
	if contents != nil {
		return s.merge(made, name, contents)
	}
	if s.withoutCache {
		s.log.Warn("opening the wallet without monero-wallet-rpc's cache, as requested",
			"name", name, "missing", missingWithoutCache)
	} else {
		s.log.Warn("there is no cache next to the wallet's key file; the wallet is restored from the chain alone",
			"name", name, "missing", missingWithoutCache)
	}
	return "", made.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return wallet.ChangeSet{
			User: wallet.UserChange{Takeover: &wallet.Takeover{Time: s.now(), LeftOut: s.withoutCache}},
		}, nil, nil
	})
}

// merge imports a cache and returns a summary for the user. No other goroutine may use the wallet yet.
func (s *takeover) merge(o *session.Session, name string, contents CacheContents) (string, error) {
	var parts []wallet.ChangeSet
	o.View(func(w *wallet.Wallet) { parts = contents.TakeOver(w, s.now()) })
	for _, part := range parts {
		if err := o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return part, nil, nil
		}); err != nil {
			return "", err
		}
	}
	t := parts[len(parts)-1].User.Takeover
	text := smallfmt.Sprintf(
		"%d accounts, %d addresses (%d new), %d labels, %d account tags, %d notes, %d attributes, "+
			"%d entries of the address book, %d transaction keys, the destinations of %d transactions, "+
			"%d unconfirmed transactions, %d frozen outputs, %d key images",
		t.Accounts, t.Addresses, t.NewAddresses, t.Labels, t.Tags, t.Notes, t.Attributes,
		t.Book, t.TxKeys, t.Sent, t.Unmined, t.Frozen, t.Images)
	// A warning, so that it appears in the log by default: the owner should check the result.
	s.log.Warn("imported monero-wallet-rpc's cache",
		"name", name, "taken", text, "changed", t.Changed)
	for _, left := range t.Left {
		s.log.Warn("not everything in monero-wallet-rpc's cache could be imported",
			"name", name, "left", left)
	}
	if t.Reread {
		s.log.Warn("the next refresh reads the chain again, because addresses beyond the lookahead were imported",
			"name", name)
	}
	if len(t.Aside) > 0 {
		s.log.Warn("texts changed both here and by monero-wallet-rpc now have its version; "+
			"get_takeover lists the others", "name", name, "texts", len(t.Aside))
	}
	return text, nil
}

// catchUp updates a wallet while it is opened: it imports the reference's cache if that has changed since the last
// import, and widens the lookahead to the host's.
func (s *takeover) catchUp(files Files, name, password string, o *session.Session) (taken string, err error) {
	var known [32]byte
	var origin wallet.Identity
	o.View(func(w *wallet.Wallet) {
		origin, known = w.Identity(), w.CacheDigest()
	})
	if origin.Background { // the cache beside it is that of the reference's background sync
		return "", s.widenLookahead(name, o)
	}
	cache, err := s.cacheOf(files, name, known)
	switch {
	case err != nil:
		return "", err
	case cache == nil:
	case s.withoutCache:
		s.log.Warn("monero-wallet-rpc's cache has changed since it was imported; it is ignored, as requested",
			"name", name)
	default:
		contents, err := s.readCache(cache, name, password, &origin)
		if err != nil {
			return "", err
		}
		if taken, err = s.merge(o, name, contents); err != nil {
			return "", err
		}
	}
	return taken, s.widenLookahead(name, o)
}

// widenLookahead raises a wallet's lookahead to the host's. rescan_blockchain finds earlier payments to the new
// addresses.
func (s *takeover) widenLookahead(name string, o *session.Session) error {
	err := o.Change(func(w *wallet.Wallet) (c wallet.ChangeSet, _ []wallet.HostEvent, err error) {
		had := w.Lookahead()
		l := wallet.Lookahead{Major: max(had.Major, s.ahead.Major), Minor: max(had.Minor, s.ahead.Minor)}
		if l != had {
			c, err = w.DecideLookahead(l)
		}
		return c, nil, err
	})
	if errors.Is(err, wallet.ErrLookahead) {
		s.log.Warn("the wallet keeps its own lookahead", "name", name, "error", err)
		return nil
	}
	return err
}

func (s *takeover) getTakeover(context.Context, empty) (resp walletrpc.GetTakeoverResponse, err error) {
	err = s.active.view(func(w *wallet.Wallet) error {
		t := w.Takeover()
		if t == nil {
			return nil
		}
		resp = walletrpc.GetTakeoverResponse{
			From: "cache", Timestamp: t.Time, Height: t.Height, Accounts: t.Accounts, Addresses: t.Addresses,
			NewAddresses: t.NewAddresses, Labels: t.Labels, TaggedAccounts: t.Tags, Notes: t.Notes,
			Attributes:  t.Attributes,
			AddressBook: t.Book, TxKeys: t.TxKeys, Destinations: t.Sent, Unconfirmed: t.Unmined, Frozen: t.Frozen,
			KeyImages: t.Images, Changed: t.Changed, Reread: t.Reread, Left: t.Left,
		}
		switch {
		case t.LeftOut:
			resp.From = "without-cache"
		case t.Digest == [32]byte{}:
			resp.From = "keys"
		}
		for _, a := range t.Aside {
			resp.Aside = append(resp.Aside, walletrpc.TakeoverAside(a))
		}
		return nil
	})
	return resp, err
}
