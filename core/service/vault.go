package service

import (
	"context"

	"glim/core/session"
	"glim/core/signer"
	"glim/core/wallet"
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

// createSealed makes a wallet whose spend key the vault keeps: o's, which is wiped here once the wallet is on disk, or one of the vault's
// own making when o has none.
func (s *Service) createSealed(ctx context.Context, name, password string, o wallet.Origin, l wallet.Lookahead, st Storage) (*session.Session, error) {
	place, err := s.config.Vault.Create(ctx, []byte(password), s.config.KDF, o.Network, o.Keys, o.Words)
	if err != nil {
		return nil, err
	}
	opened, err := session.CreateSealed(st, s.config.Vault, place, o, l, s.host(name))
	if err != nil {
		place.Close(ctx)
		return nil, err
	}
	if o.Keys != nil {
		o.Keys.Forget()
	}
	clear(o.Words)
	return opened, nil
}

// openStored opens the wallet in st, in whichever form it is.
func (s *Service) openStored(ctx context.Context, st Storage, password string, h session.Host) (*session.Session, error) {
	if session.IsSealed(st) {
		return session.OpenSealed(ctx, st, []byte(password), s.vault(), h)
	}
	return session.Open(st, []byte(password), h)
}
