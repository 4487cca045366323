package service

import (
	"context"
	"errors"

	"glim/core/mnemonic"
	"glim/core/session"
	"glim/core/signer"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// vault returns what keeps the spend keys of sealed wallets: the host's, or else one in this process, so that a wallet opens here
// that was made where there is a vault.
func (s *Service) vault() signer.Post {
	if s.config.Vault != nil {
		return s.config.Vault
	}
	s.once.Do(func() { s.own = signer.New(signer.Host{Random: s.config.Random}) })
	return s.own.Post()
}

// errInFile: a ticket does not open what the password itself opens.
var errInFile = errors.New("the keys are in the wallet's file, under the password itself")

// createSealed makes a wallet whose spend key the vault keeps: o's, which is wiped here once the wallet is on disk; or, when o has no keys, the
// one that a ticket stands for, or one of the vault's own making. Of a wallet without a spend key it keeps nothing, and makes the password a key.
func (s *Service) createSealed(ctx context.Context, name, password string, o wallet.Origin, ticket string, l wallet.Lookahead, st Storage) (*session.Session, error) {
	var place *signer.Opened
	var err error
	bare := o.Keys != nil && !o.Keys.CanSpend()
	switch {
	case ticket != "":
		place, err = s.config.Vault.CreateFrom(ctx, []byte(password), s.config.KDF, o.Network, ticket)
	case bare:
		place, err = s.config.Vault.CreateBare(ctx, []byte(password), s.config.KDF, o.Network)
	default:
		place, err = s.config.Vault.Create(ctx, []byte(password), s.config.KDF, o.Network, o.Keys, o.Words)
	}
	if err != nil {
		return nil, err
	}
	opened, err := session.CreateSealed(st, s.config.Vault, place, o, l, s.host(name))
	if err != nil {
		place.Close(ctx)
		return nil, err
	}
	if o.Keys != nil && !bare {
		o.Keys.Forget()
		clear(o.Words)
	}
	return opened, nil
}

// isTicket reports whether text stands for something that the vault has.
func (s *Service) isTicket(text string) bool { return s.config.Vault != nil && signer.IsTicket(text) }

// fromTicket returns a wallet whose seed is a ticket of the vault's.
func (s *Service) fromTicket(language string) (wallet.Origin, error) {
	if language == "" {
		language = mnemonic.English().Name()
	}
	known, ok := s.seeds().Language(language)
	if !ok {
		return wallet.Origin{}, walletrpc.Fail(walletrpc.CodeUnknown, "Unknown language: %s", language)
	}
	return wallet.Origin{Network: s.config.Network, Language: known}, nil
}

// openStored opens the wallet in st, in whichever form it is.
func (s *Service) openStored(ctx context.Context, st Storage, password string, h session.Host) (*session.Session, error) {
	if session.IsSealed(st) {
		return session.OpenSealed(ctx, st, []byte(password), s.vault(), h)
	}
	if s.isTicket(password) {
		return nil, errInFile
	}
	return session.Open(st, []byte(password), h)
}
