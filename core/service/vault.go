package service

import (
	"context"
	"io"

	"glim/core/journal"
	"glim/core/mnemonic"
	"glim/core/session"
	"glim/core/signer"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// vault accesses the process that keeps the spend keys of sealed wallets.
type vault struct {
	shared  *shared
	host    signer.Transport // Config.Vault; may be nil
	network xmr.Network
	kdf     journal.KDF
	random  io.Reader
	seeds   Seeds
}

// transport returns the transport to the host's vault, or to one in this process, so that a wallet which was made
// with a vault opens without one.
func (s *vault) transport() signer.Transport {
	if s.host != nil {
		return s.host
	}
	s.shared.once.Do(func() { s.shared.own = signer.New(signer.Host{Random: s.random}) })
	return s.shared.own.Transport()
}

// createSealed makes a wallet whose spend key is kept by the vault. That is the key of o, which is erased in this
// process once the wallet is stored, or, if o has no keys, the key of the ticket or a new one. For a view-only wallet,
// the vault only derives a key from the password.
func (s *vault) createSealed(
	ctx context.Context, name, password string, o wallet.Identity, ticket string, l wallet.Lookahead, st Storage,
	h session.Host,
) (*session.Session, error) {
	var sealed *signer.OpenedWallet
	var err error
	bare := o.Keys != nil && !o.Keys.CanSpend()
	switch {
	case ticket != "":
		sealed, err = s.host.CreateFrom(ctx, []byte(password), s.kdf, o.Network, ticket)
	case bare:
		sealed, err = s.host.CreateWithoutSecrets(ctx, []byte(password), s.kdf, o.Network)
	default:
		sealed, err = s.host.Create(ctx, []byte(password), s.kdf, o.Network, o.Keys, o.Words)
	}
	if err != nil {
		return nil, err
	}
	opened, err := session.CreateWithSigner(st, s.host, sealed, o, l, h)
	if err != nil {
		sealed.Close(ctx)
		return nil, err
	}
	if o.Keys != nil && !bare {
		o.Keys.Forget()
		clear(o.Words)
	}
	return opened, nil
}

// isTicket reports whether text is a ticket for a secret in the vault.
func (s *vault) isTicket(text string) bool { return s.host != nil && signer.IsTicket(text) }

// fromTicket returns a wallet whose seed is a ticket of the vault.
func (s *vault) fromTicket(language string) (wallet.Identity, error) {
	if language == "" {
		language = mnemonic.English().Name()
	}
	known, ok := s.seeds.Language(language)
	if !ok {
		return wallet.Identity{}, walletrpc.Fail(walletrpc.CodeUnknown, "Unknown language: %s", language)
	}
	return wallet.Identity{Network: s.network, Language: known}, nil
}

// openStored opens the wallet in st, sealed or not.
func (s *vault) openStored(ctx context.Context, st Storage, password string, h session.Host) (*session.Session, error) {
	if session.NeedsSigner(st) {
		return session.OpenWithSigner(ctx, st, []byte(password), s.transport(), h)
	}
	if s.isTicket(password) {
		return nil, errInFile
	}
	return session.Open(st, []byte(password), h)
}
