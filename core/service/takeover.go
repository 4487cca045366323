package service

import (
	"context"
	"errors"

	"glim/core/say"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/walletrpc"
)

// missed is what a wallet lacks without the reference's cache.
const missed = "the addresses that exist (money to those far ahead, and create_address would return old ones), " +
	"labels, account tags, notes, attributes, the address book, transaction keys, destinations of payments sent, and which outputs are frozen"

// cacheOf returns the reference's cache of a wallet; nil when it does not exist or is the one with this digest.
func (s *Service) cacheOf(files Files, name string, known [32]byte) (Cache, error) {
	with, ok := files.(Caches)
	if !ok {
		return nil, nil
	}
	cache, err := with.Cache(name)
	if errors.Is(err, ErrNoWallet) {
		return nil, nil
	}
	var digest [32]byte
	if err == nil {
		digest, err = cache.Digest()
	}
	switch {
	case err != nil && s.config.WithoutCache:
		return nil, nil
	case err != nil:
		return nil, cacheError(name, err)
	case digest == known:
		return nil, nil
	}
	return cache, nil
}

// cacheError says that a wallet is not opened because the reference's cache cannot be read, and how to go on.
func cacheError(name string, err error) error {
	return notOpenedFor(
		say.Sprintf("monero-wallet-rpc's cache %q cannot be read: %s. Without it would be missing: %s. "+
			"Put a good copy in its place, or start with --without-cache to open the wallet without all that",
			name, err, missed),
		errors.Join(ErrCache, err),
	)
}

func (s *Service) readCache(cache Cache, name, password string, o *wallet.Origin) (Former, error) {
	if s.isTicket(password) {
		return nil, cacheError(name, errInFile)
	}
	former, err := cache.Read([]byte(password), max(s.config.KeyRounds, walletfile.Rounds), o)
	if err != nil {
		return nil, cacheError(name, err)
	}
	return former, nil
}

// fill gives a wallet that was just made what the reference's cache knows, and returns what that is; former is nil when
// it is taken over without.
func (s *Service) fill(made *session.Session, name string, former Former) (string, error) {
	if former != nil {
		return s.merge(made, name, former)
	}
	if s.config.WithoutCache {
		s.config.Log.Warn("the wallet is opened without monero-wallet-rpc's cache, as it was asked for",
			"name", name, "missing", missed)
	} else {
		s.config.Log.Warn("there is no cache of monero-wallet-rpc beside the wallet's keys; all there is comes from the chain",
			"name", name, "missing", missed)
	}
	return "", made.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return wallet.ChangeSet{
			User: wallet.UserChange{Takeover: &wallet.Takeover{Time: s.config.Now(), LeftOut: s.config.WithoutCache}},
		}, nil, nil
	})
}

// merge takes over what former knows and returns what that was, for people. Nobody else has the wallet yet.
func (s *Service) merge(o *session.Session, name string, former Former) (string, error) {
	var parts []wallet.ChangeSet
	o.View(func(w *wallet.Wallet) { parts = former.Decide(w, s.config.Now()) })
	for _, part := range parts {
		if err := o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			return part, nil, nil
		}); err != nil {
			return "", err
		}
	}
	t := parts[len(parts)-1].User.Takeover
	text := say.Sprintf(
		"%d accounts, %d addresses (%d new), %d labels, %d account tags, %d notes, %d attributes, "+
			"%d entries of the address book, %d transaction keys, the destinations of %d transactions, "+
			"%d unconfirmed transactions, %d frozen outputs, %d key images",
		t.Accounts, t.Addresses, t.NewAddresses, t.Labels, t.Tags, t.Notes, t.Attributes,
		t.Book, t.TxKeys, t.Sent, t.Unmined, t.Frozen, t.Images)
	// A warning, because a log has those alone unless more is asked for, and what came along is to be checked.
	s.config.Log.Warn("took over what monero-wallet-rpc's cache knows",
		"name", name, "taken", text, "changed", t.Changed)
	for _, left := range t.Left {
		s.config.Log.Warn("the wallet does not take all that monero-wallet-rpc's cache has",
			"name", name, "left", left)
	}
	if t.Reread {
		s.config.Log.Warn("the next refresh reads the chain again: addresses came along that the wallet did not look for",
			"name", name)
	}
	if len(t.Aside) > 0 {
		s.config.Log.Warn("texts that were changed here and by monero-wallet-rpc are now as there; "+
			"get_takeover lists the others", "name", name, "texts", len(t.Aside))
	}
	return text, nil
}

// catchUp brings a wallet that is opened up to date: with the reference's cache when that is new or changed since it
// was last taken over, and with how far the host wants wallets to look.
func (s *Service) catchUp(files Files, name, password string, o *session.Session) (taken string, err error) {
	var known [32]byte
	var origin wallet.Origin
	o.View(func(w *wallet.Wallet) {
		origin = w.Origin()
		if t := w.Takeover(); t != nil {
			known = t.Digest
		}
	})
	cache, err := s.cacheOf(files, name, known)
	switch {
	case err != nil:
		return "", err
	case cache == nil:
	case s.config.WithoutCache:
		s.config.Log.Warn("monero-wallet-rpc's cache is not the one that was taken over, and is left out, as it was asked for",
			"name", name)
	default:
		former, err := s.readCache(cache, name, password, &origin)
		if err != nil {
			return "", err
		}
		if taken, err = s.merge(o, name, former); err != nil {
			return "", err
		}
	}
	return taken, s.widen(name, o)
}

// widen makes a wallet look as far as the host wants. What was paid to addresses that come into view before is found by
// rescan_blockchain.
func (s *Service) widen(name string, o *session.Session) error {
	err := o.Change(func(w *wallet.Wallet) (c wallet.ChangeSet, _ []wallet.Event, err error) {
		had := w.Lookahead()
		l := wallet.Lookahead{Major: max(had.Major, s.config.ahead.Major), Minor: max(had.Minor, s.config.ahead.Minor)}
		if l != had {
			c, err = w.DecideLookahead(l)
		}
		return c, nil, err
	})
	if errors.Is(err, wallet.ErrLookahead) {
		s.config.Log.Warn("the wallet keeps its own lookahead", "name", name, "error", err)
		return nil
	}
	return err
}

func (s *Service) getTakeover(context.Context, empty) (resp walletrpc.GetTakeoverResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		t := w.Takeover()
		if t == nil {
			return nil
		}
		resp = walletrpc.GetTakeoverResponse{
			From: "cache", Timestamp: t.Time, Height: t.Height, Accounts: t.Accounts, Addresses: t.Addresses,
			NewAddresses: t.NewAddresses, Labels: t.Labels, TaggedAccounts: t.Tags, Notes: t.Notes, Attributes: t.Attributes,
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
