package service

import (
	"context"
	"io"

	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// walletCreation makes new wallets and restores them from seeds or keys.
type walletCreation struct {
	active  *active
	files   *walletFiles
	vault   *vault
	heights *restoreHeights
	seeds   Seeds
}

func (s *walletCreation) createWallet(ctx context.Context, req walletrpc.CreateWalletRequest) (empty, error) {
	name, err := s.files.walletName(req.Filename)
	if err != nil {
		return empty{}, err
	}
	var o wallet.Identity
	ticket := ""
	switch {
	case req.SeedType == "":
		o, err = s.newSeed(req.Language)
	case req.SeedType == "polyseed":
		o, err = s.seeds.Polyseed(req.Language)
	case keys.HasHierarchies && req.SeedType == "carrot":
		o, err = newCarrot(s.seeds.Random, s.seeds.Network)
	case s.vault.isTicket(req.SeedType): // a seed that was made in the vault
		ticket = req.SeedType
		o, err = s.vault.fromTicket(req.Language)
	default:
		err = refuse("Unknown seed type: " + req.SeedType)
	}
	if err != nil {
		return empty{}, err
	}
	// A new wallet has no earlier payments. Without a daemon, scanning begins at height 0.
	conn := s.active.connectDefault()
	height, err := conn.Height(ctx)
	s.active.shared.disconnect(conn)
	if err != nil {
		height = 0
	}
	s.active.shared.files.Lock() // not earlier: a daemon that hangs must not prevent other wallets from opening
	defer s.active.shared.files.Unlock()
	o.RestoreHeight = height
	return empty{}, s.files.makeWallet(ctx, name, req.Password, o, ticket)
}

func (s *walletCreation) newSeed(name string) (o wallet.Identity, err error) {
	language := s.seeds.Languages.Find(name)
	if language == nil {
		return o, walletrpc.Fail(walletrpc.CodeUnknown, "Unknown language: %s", name)
	}
	o = wallet.Identity{Network: s.seeds.Network, Language: language.Name()}
	if s.vault.host != nil {
		return o, nil // the vault makes the keys, so that they never exist in this process
	}
	var seed [32]byte
	if _, err = io.ReadFull(s.seeds.Random, seed[:]); err != nil {
		return o, err
	}
	k, err := keys.FromSeed(seed)
	clear(seed[:])
	o.Keys = k
	return o, err
}

func (s *walletCreation) restoreDeterministicWallet(
	ctx context.Context, req walletrpc.RestoreDeterministicWalletRequest,
) (resp walletrpc.RestoreDeterministicWalletResponse, err error) {
	if s.files.files == nil {
		return resp, walletrpc.Fail(walletrpc.CodeNoWalletDir, "")
	}
	if req.Seed == "" {
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "field 'seed' is mandatory. Please provide a seed you "+
			"want to restore from.")
	}
	name, err := s.files.walletName(req.Filename)
	if err != nil {
		return resp, err
	}
	var o wallet.Identity
	ticket := ""
	switch {
	case (s.vault.isTicket(req.Seed) || req.EnableMultisigExperimental) && (req.SeedType != "" || req.Account != 0):
		err = refuse("this seed cannot have a seed_type or an account")
	case s.vault.isTicket(req.Seed):
		ticket = req.Seed
		o, err = s.vault.fromTicket(req.Language)
	case req.EnableMultisigExperimental:
		o, err = fromSigner(s.seeds.Network, req.Seed, req.SeedOffset)
	default:
		var f RestoredSeed
		f, err = s.seeds.Restore(GivenSeed{Words: req.Seed, Passphrase: req.SeedOffset, Language: req.Language,
			Kind: req.SeedType, Account: req.Account})
		o, resp.WasDeprecated = f.Origin, f.Deprecated
		if err == nil && f.Birthday != 0 && req.RestoreHeight == 0 && len(req.RestoreDate) == 0 {
			req.RestoreHeight = s.heights.heightAt(ctx, f.Birthday)
		}
	}
	if err != nil {
		return resp, err
	}
	if o.RestoreHeight, err = s.heights.restoreFrom(ctx, req.RestoreHeight, req.RestoreDate); err != nil {
		return resp, err
	}
	if o.Multisig == nil && ticket == "" && o.Keys.Deterministic() {
		if resp.Seed, err = s.seeds.Words(o, ""); err != nil {
			return resp, err
		}
	}
	s.active.shared.files.Lock() // not earlier: a daemon that hangs must not prevent other wallets from opening
	defer s.active.shared.files.Unlock()
	if err := s.files.makeWallet(ctx, name, req.Password, o, ticket); err != nil {
		resp.Seed = ""
		return resp, alreadyExists(err)
	}
	resp.Info = "Wallet has been restored successfully."
	resp.Address, err = s.active.primaryAddress()
	return resp, err
}

func (s *walletCreation) generateFromKeys(
	ctx context.Context, req walletrpc.GenerateFromKeysRequest,
) (resp walletrpc.GenerateFromKeysResponse, err error) {
	fail := func(text string) (walletrpc.GenerateFromKeysResponse, error) {
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "%s", text)
	}
	if s.files.files == nil {
		return resp, walletrpc.Fail(walletrpc.CodeNoWalletDir, "")
	}
	var o wallet.Identity
	carrot := carrotGiven(&req)
	switch {
	case carrot && !keys.HasHierarchies:
		return fail("this program does not know the keys of the next hard fork")
	case keys.HasHierarchies && carrot:
		o.Network = s.seeds.Network
		if o.Keys, resp.Info, err = carrotFromKeys(o.Network, &req); err != nil {
			return resp, err
		}
	case req.ViewKey == "":
		return fail("field 'viewkey' is mandatory. Please provide a view key you want to restore from.")
	case req.Address == "":
		return fail("field 'address' is mandatory. Please provide a public address.")
	}
	name, err := s.files.walletName(req.Filename)
	if err != nil {
		return resp, err
	}
	ticket := ""
	switch {
	case keys.HasHierarchies && carrot:
	case s.vault.isTicket(req.SpendKey):
		ticket, o.Network = req.SpendKey, s.seeds.Network
	default:
		if o, err = s.seeds.Keys(req.Address, req.ViewKey, req.SpendKey); err != nil {
			return resp, err
		}
	}
	switch {
	case keys.HasHierarchies && carrot:
	case req.SpendKey == "":
		resp.Info = "Watch-only wallet has been generated successfully."
	default:
		resp.Info = "Wallet has been generated successfully."
	}
	if req.Language != "" {
		language := s.seeds.Languages.Find(req.Language)
		if language == nil {
			return fail("The specified seed language is invalid.")
		}
		o.Language = language.Name()
	}
	if o.RestoreHeight, err = s.heights.restoreFrom(ctx, req.RestoreHeight, req.RestoreDate); err != nil {
		return resp, err
	}
	s.active.shared.files.Lock() // not earlier: a daemon that hangs must not prevent other wallets from opening
	defer s.active.shared.files.Unlock()
	if err := s.files.makeWallet(ctx, name, req.Password, o, ticket); err != nil {
		return resp, alreadyExists(err)
	}
	resp.Address, err = s.active.primaryAddress()
	return resp, err
}

func (s *walletCreation) getLanguages(context.Context, empty) (resp walletrpc.GetLanguagesResponse, err error) {
	for _, l := range s.seeds.Languages.Offered() {
		resp.Languages = append(resp.Languages, l.Name())
		resp.LanguagesLocal = append(resp.LanguagesLocal, l.LocalName())
	}
	return resp, nil
}
