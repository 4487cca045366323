package service

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"strings"

	"glim/core/address"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// memory is the storage of a wallet without a name: gone when it closes.
type memory struct{ *journal.Memory }

func (memory) Close() error { return nil }

// name returns the name of the wallet a request means. CodeNoWalletDir without a wallet folder, CodeUnknown for a name that would
// leave it or that is not this service's.
func (s *Service) name(asked string) (string, error) {
	asked = withoutKeys(asked)
	switch {
	case s.config.Files == nil:
		return "", walletrpc.Fail(walletrpc.CodeNoWalletDir, "")
	case strings.ContainsAny(asked, "/\\"):
		return "", walletrpc.Fail(walletrpc.CodeUnknown, "Invalid filename")
	case s.only != "" && asked != "" && asked != s.only:
		return "", walletrpc.Fail(walletrpc.CodeUnknown, "this path is for the wallet %s", s.only)
	case s.only != "":
		return s.only, nil
	}
	return asked, nil
}

// withoutKeys returns the name of the wallet whose file of keys may be named in its place.
// Source: src/wallet/wallet2.cpp, do_prepare_file_names.
func withoutKeys(name string) string {
	if short := strings.TrimSuffix(name, ".keys"); short != "" {
		return short
	}
	return name
}

// make creates a wallet and opens it in the place of the one open, which stays when anything fails. With a vault, o may lack keys: they are
// those that a ticket stands for, or fresh ones when that is empty.
func (s *Service) make(ctx context.Context, name, password string, o wallet.Origin, ticket string) error {
	if err := ctx.Err(); err != nil {
		return err // nobody waits any more: no wallet is made
	}
	var st Storage = memory{journal.NewMemory()}
	kdf := journal.WeakestKDF() // what never leaves memory needs no guarding
	if name != "" {
		var err error
		if st, err = s.config.Files.Create(name); err != nil {
			return fileError(err)
		}
		kdf = s.config.KDF
	}
	return s.establish(ctx, s.config.Files, name, password, o, ticket, s.config.Lookahead, st, kdf, nil)
}

// establish creates a wallet in empty storage, has fill add to it what it begins with, and opens it in the place of the
// one open.
func (s *Service) establish(ctx context.Context, files Files, name, password string, o wallet.Origin, ticket string,
	l wallet.Lookahead, st Storage, kdf journal.KDF, fill func(*session.Session) (string, error)) error {
	var opened *session.Session
	var err error
	if s.config.Vault != nil {
		opened, err = s.createSealed(ctx, name, password, o, ticket, l, st)
	} else {
		opened, err = session.Create(st, []byte(password), kdf, o, l, s.host(name))
	}
	if err != nil {
		return errors.Join(err, st.Close())
	}
	taken := ""
	if fill != nil {
		if taken, err = fill(opened); err != nil {
			return errors.Join(err, opened.Close(), st.Close())
		}
	}
	return s.replace(s.opened(files, name, opened, st, taken))
}

// host is what a wallet needs of the outside.
func (s *Service) host(name string) session.Host {
	h := session.Host{Random: s.config.Random, Now: s.config.Now, Workers: s.config.Workers, Behind: s.config.Behind,
		Scan: s.config.Scan, Between: s.config.Between}
	if s.config.Event != nil {
		h.Event = func(e wallet.Event) { s.config.Event(name, e) }
	}
	return h
}

func (s *Service) opened(files Files, name string, opened *session.Session, st io.Closer, taken string) *open {
	ctx, cancel := context.WithCancel(context.Background())
	o := &open{Session: opened, name: name, storage: st, ctx: ctx, cancel: cancel, apart: apartFile{files: files},
		vault: s.vault(), taken: taken}
	if o.warning = warningOf(opened.Ending(), st); o.warning != "" {
		s.config.Log.Warn(o.warning, "name", name)
	} else if torn := opened.Ending().Torn; torn > 0 {
		s.config.Log.Info("a change that was not written to its end, and not acknowledged, was cut off the wallet's file", "name", name, "bytes", torn)
	}
	if depth := s.config.MaxReorgDepth; depth != nil {
		if err := opened.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			return w.DecideMaxReorgDepth(*depth), nil, nil
		}); err != nil {
			s.config.Log.Warn("the wallet keeps its own max-reorg-depth", "name", name, "error", err)
		}
	}
	s.hold(o, name != "")
	if s.config.Opened != nil {
		s.config.Opened(Opened{o})
	}
	return o
}

func fileError(err error) error {
	if errors.Is(err, ErrName) {
		return &because{walletrpc.Fail(walletrpc.CodeUnknown, "Invalid filename"), err}
	}
	return err
}

// notOpened is why a wallet does not open. Source: src/wallet/wallet_rpc_server.cpp, on_open_wallet.
func notOpened(why string) error {
	return walletrpc.Fail(walletrpc.CodeUnknown, "Failed to open wallet : %s", why)
}

// notOpenedFor is notOpened with the reason, which callers in the same process can test for.
func notOpenedFor(why string, reason error) error {
	return &because{walletrpc.Fail(walletrpc.CodeUnknown, "Failed to open wallet : %s", why), reason}
}

// Open opens the wallet called name in files, for a host that names one at its start. Its errors are the contract's.
func (s *Service) Open(files Files, name, password string) error {
	s.files.Lock()
	defer s.files.Unlock()
	return s.openFile(context.Background(), files, withoutKeys(name), password)
}

func (s *Service) openFile(ctx context.Context, files Files, name, password string) error {
	if o, err := s.current(); err == nil && o.name == name && name != "" { // it is the one open, and everything is on disk
		if err := o.CheckPassword(ctx, []byte(password)); err != nil {
			return notTheirs(err)
		}
		if s.source().config.same(&s.initial) {
			return nil
		}
		return s.useDaemon(o, s.initial)
	}
	if files == s.config.Files {
		o, err := s.held(ctx, name, password)
		if err != nil {
			return notTheirs(err)
		}
		if o != nil {
			return s.replace(o)
		}
	}
	st, err := files.Open(name)
	switch {
	case errors.Is(err, ErrInUse):
		return notOpenedFor("it is open in another process", err)
	case errors.Is(err, ErrNoWallet), name == "":
		return s.takeOver(ctx, files, name, password)
	case errors.Is(err, ErrName):
		return fileError(err)
	case err != nil:
		return notOpenedFor(err.Error(), err)
	}
	if _, err := journal.Public(st); errors.Is(err, journal.ErrEmpty) { // what a crash, or a full disk, leaves of taking over
		if err := st.Close(); err != nil {
			return notOpenedFor(err.Error(), err)
		}
		return s.takeOver(ctx, files, name, password)
	}
	return s.adopt(ctx, files, name, st, password)
}

// notTheirs says why a wallet that is open does not open for who brought a password.
func notTheirs(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, session.ErrPassword):
		return notOpenedFor("Invalid password.", session.ErrPassword)
	}
	return notOpenedFor(err.Error(), err)
}

// takeOver opens a wallet of the reference: a wallet of ours is made beside its files, which are left alone. Its history
// comes from the chain, and what no chain tells from its cache.
func (s *Service) takeOver(ctx context.Context, files Files, name, password string) error {
	file, err := files.Keys(name)
	if errors.Is(err, ErrNoWallet) || errors.Is(err, ErrName) {
		return notOpenedFor("file not found \""+name+".keys\"", ErrNoWallet)
	}
	if err != nil {
		return notOpenedFor(err.Error(), err)
	}
	if s.isTicket(password) {
		return notOpened(errInFile.Error())
	}
	found, err := walletfile.Open(file, []byte(password), max(s.config.KeyRounds, walletfile.Rounds))
	switch {
	case errors.Is(err, walletfile.ErrPassword):
		return notOpenedFor("Invalid password.", session.ErrPassword)
	case err != nil:
		return notOpenedFor(err.Error(), err)
	case found.NetworkKnown && found.Network.AddressNetwork() != s.config.Network.AddressNetwork():
		return notOpenedFor("it is for "+found.Network.String(), ErrNetwork)
	}
	o := wallet.Origin{
		Network: s.config.Network, Keys: found.Keys, RestoreHeight: found.RestoreHeight, Language: found.Language,
		Multisig: found.Multisig, EnableMultisig: found.EnableMultisig,
	}
	cache, err := s.cacheOf(files, name, [32]byte{})
	if err != nil {
		return err
	}
	var former Former // read before anything is made, so that what cannot be read leaves nothing behind
	if cache != nil && !s.config.WithoutCache {
		if former, err = s.readCache(cache, name, password, &o); err != nil {
			return err
		}
		o.RestoreHeight = min(o.RestoreHeight, former.Started())
	}
	st, err := files.Beside(name)
	if err != nil {
		return fileError(err)
	}
	s.config.Log.Info("taking over a wallet of monero-wallet-rpc; its own files stay as they are", "name", name)
	l := s.config.Lookahead
	l.Major, l.Minor = max(l.Major, found.LookaheadMajor), max(l.Minor, found.LookaheadMinor)
	fill := func(made *session.Session) (string, error) {
		if found.MaxReorgDepth != nil && s.config.MaxReorgDepth == nil {
			if err := made.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
				return w.DecideMaxReorgDepth(*found.MaxReorgDepth), nil, nil
			}); err != nil {
				return "", err
			}
		}
		return s.fill(made, name, former)
	}
	return s.establish(ctx, files, name, password, o, "", l.Possible(), st, s.config.KDF, fill)
}

func (s *Service) adopt(ctx context.Context, files Files, name string, st Storage, password string) error {
	opened, err := s.openStored(ctx, st, password, s.host(name))
	if err != nil {
		s.config.Log.Warn("wallet not opened", "name", name, "error", err)
		_ = st.Close() // nothing was written
		if errors.Is(err, session.ErrPassword) {
			return notOpenedFor("Invalid password.", session.ErrPassword)
		}
		return notOpenedFor(err.Error(), err)
	}
	var network xmr.Network
	opened.View(func(w *wallet.Wallet) { network = w.Origin().Network })
	if network.AddressNetwork() != s.config.Network.AddressNetwork() {
		_ = errors.Join(opened.Close(), st.Close()) // nothing was written
		return notOpenedFor("it is for "+network.String(), ErrNetwork)
	}
	if err := s.forgetNonces(name, opened, st); err != nil {
		_ = errors.Join(opened.Close(), st.Close()) // the first error says more
		return notOpenedFor(err.Error(), err)
	}
	taken, err := s.catchUp(files, name, password, opened)
	if err != nil {
		return errors.Join(err, opened.Close(), st.Close())
	}
	o := s.opened(files, name, opened, st, taken)
	if err := s.replace(o); err != nil {
		return err
	}
	s.gather(o)
	return nil
}

func (s *Service) openWallet(ctx context.Context, req walletrpc.OpenWalletRequest) (resp walletrpc.OpenWalletResponse, err error) {
	s.files.Lock()
	defer s.files.Unlock()
	if err := ctx.Err(); err != nil {
		return resp, err // nobody waits any more
	}
	name, err := s.name(req.Filename)
	if err != nil {
		return resp, err
	}
	if err := s.openFile(ctx, s.config.Files, name, req.Password); err != nil {
		return resp, err
	}
	if o, err := s.current(); err == nil {
		resp.Warning = o.warning
	}
	return resp, nil
}

func (s *Service) closeWallet(context.Context, walletrpc.CloseWalletRequest) (empty, error) {
	return empty{}, s.closeOpen() // everything is on disk already, asked for or not
}

func (s *Service) closeOpen() error {
	s.files.Lock()
	defer s.files.Unlock()
	if _, err := s.current(); err != nil {
		return err
	}
	return s.replace(nil)
}

func (s *Service) store(context.Context, empty) (empty, error) {
	o, err := s.current()
	if err != nil {
		return empty{}, err
	}
	return empty{}, o.Store()
}

func (s *Service) stopWallet(context.Context, empty) (empty, error) {
	if _, err := s.current(); err != nil {
		return empty{}, err
	}
	switch {
	case s.only != "":
		return empty{}, s.closeOpen() // who has one wallet does not end the process of all
	case s.config.Stop != nil:
		s.stop.Do(s.config.Stop)
	}
	return empty{}, nil
}

func (s *Service) createWallet(ctx context.Context, req walletrpc.CreateWalletRequest) (empty, error) {
	name, err := s.name(req.Filename)
	if err != nil {
		return empty{}, err
	}
	var o wallet.Origin
	ticket := ""
	switch {
	case req.SeedType == "":
		o, err = s.newSeed(req.Language)
	case req.SeedType == "polyseed":
		o, err = s.seeds().Polyseed(req.Language)
	case s.isTicket(req.SeedType): // of a seed that was made there
		ticket = req.SeedType
		o, err = s.fromTicket(req.Language)
	default:
		err = refuse("Unknown seed type: " + req.SeedType)
	}
	if err != nil {
		return empty{}, err
	}
	// Nothing was paid to a wallet that did not exist. Without a daemon to ask, start at the beginning.
	way := s.home()
	height, err := way.Height(ctx)
	s.unlink(way)
	if err != nil {
		height = 0
	}
	s.files.Lock() // not before: a daemon that hangs must not keep other wallets shut
	defer s.files.Unlock()
	o.RestoreHeight = height
	return empty{}, s.make(ctx, name, req.Password, o, ticket)
}

func (s *Service) newSeed(name string) (o wallet.Origin, err error) {
	language := s.config.Languages.Find(name)
	if language == nil {
		return o, walletrpc.Fail(walletrpc.CodeUnknown, "Unknown language: %s", name)
	}
	o = wallet.Origin{Network: s.config.Network, Language: language.Name()}
	if s.config.Vault != nil {
		return o, nil // it makes the keys, so that they never were here
	}
	var seed [32]byte
	if _, err = io.ReadFull(s.config.Random, seed[:]); err != nil {
		return o, err
	}
	k, err := keys.FromSeed(seed)
	clear(seed[:])
	o.Keys = k
	return o, err
}

func (s *Service) restoreDeterministicWallet(ctx context.Context, req walletrpc.RestoreDeterministicWalletRequest) (resp walletrpc.RestoreDeterministicWalletResponse, err error) {
	if s.config.Files == nil {
		return resp, walletrpc.Fail(walletrpc.CodeNoWalletDir, "")
	}
	if req.Seed == "" {
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "field 'seed' is mandatory. Please provide a seed you want to restore from.")
	}
	name, err := s.name(req.Filename)
	if err != nil {
		return resp, err
	}
	var o wallet.Origin
	ticket := ""
	switch {
	case s.isTicket(req.Seed):
		ticket = req.Seed
		o, err = s.fromTicket(req.Language)
	case req.EnableMultisigExperimental:
		o, err = s.fromSigner(req.Seed, req.SeedOffset)
	default:
		var f Found
		f, err = s.seeds().Restore(req.Seed, req.SeedOffset, req.Language)
		o, resp.WasDeprecated = f.Origin, f.Deprecated
		if err == nil && f.Birthday != 0 && req.RestoreHeight == 0 && len(req.RestoreDate) == 0 {
			req.RestoreHeight = s.heightAt(ctx, f.Birthday)
		}
	}
	if err != nil {
		return resp, err
	}
	if o.RestoreHeight, err = s.restoreFrom(ctx, req.RestoreHeight, req.RestoreDate); err != nil {
		return resp, err
	}
	if o.Multisig == nil && ticket == "" {
		if resp.Seed, err = s.seeds().Words(o, ""); err != nil {
			return resp, err
		}
	}
	s.files.Lock() // not before: a daemon that hangs must not keep other wallets shut
	defer s.files.Unlock()
	if err := s.make(ctx, name, req.Password, o, ticket); err != nil {
		resp.Seed = ""
		return resp, alreadyExists(err)
	}
	resp.Info = "Wallet has been restored successfully."
	resp.Address, err = s.primaryAddress()
	return resp, err
}

// alreadyExists gives the refusal of a taken name the code that these two operations use.
func alreadyExists(err error) error {
	if errors.Is(err, ErrExists) {
		return &because{&rpc.Error{Code: walletrpc.CodeUnknown, Message: "Wallet already exists."}, err}
	}
	return err
}

func primary(o wallet.Origin) string {
	return address.Address{Network: o.Network, Kind: address.Standard, Spend: o.Keys.SpendPublic, View: o.Keys.ViewPublic}.String()
}

func (s *Service) generateFromKeys(ctx context.Context, req walletrpc.GenerateFromKeysRequest) (resp walletrpc.GenerateFromKeysResponse, err error) {
	fail := func(text string) (walletrpc.GenerateFromKeysResponse, error) {
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "%s", text)
	}
	if s.config.Files == nil {
		return resp, walletrpc.Fail(walletrpc.CodeNoWalletDir, "")
	}
	if req.ViewKey == "" {
		return fail("field 'viewkey' is mandatory. Please provide a view key you want to restore from.")
	}
	if req.Address == "" {
		return fail("field 'address' is mandatory. Please provide a public address.")
	}
	name, err := s.name(req.Filename)
	if err != nil {
		return resp, err
	}
	var o wallet.Origin
	ticket := ""
	if s.isTicket(req.SpendKey) {
		ticket, o.Network = req.SpendKey, s.config.Network
	} else if o, err = s.seeds().Keys(req.Address, req.ViewKey, req.SpendKey); err != nil {
		return resp, err
	}
	resp.Info = "Wallet has been generated successfully."
	if req.SpendKey == "" {
		resp.Info = "Watch-only wallet has been generated successfully."
	}
	if req.Language != "" {
		language := s.config.Languages.Find(req.Language)
		if language == nil {
			return fail("The specified seed language is invalid.")
		}
		o.Language = language.Name()
	}
	if o.RestoreHeight, err = s.restoreFrom(ctx, req.RestoreHeight, req.RestoreDate); err != nil {
		return resp, err
	}
	s.files.Lock() // not before: a daemon that hangs must not keep other wallets shut
	defer s.files.Unlock()
	if err := s.make(ctx, name, req.Password, o, ticket); err != nil {
		return resp, alreadyExists(err)
	}
	resp.Address, err = s.primaryAddress()
	return resp, err
}

func (s *Service) getLanguages(context.Context, empty) (resp walletrpc.GetLanguagesResponse, err error) {
	for _, l := range s.config.Languages.Offered() {
		resp.Languages = append(resp.Languages, l.Name())
		resp.LanguagesLocal = append(resp.LanguagesLocal, l.LocalName())
	}
	return resp, nil
}

func (s *Service) queryKey(ctx context.Context, req walletrpc.QueryKeyRequest) (resp walletrpc.QueryKeyResponse, err error) {
	if req.KeyType == "mnemonic" || req.KeyType == "spend_key" {
		if err := s.keyIsHere(); err != nil {
			return resp, err
		}
	}
	var o wallet.Origin
	told := false // whether it is answered already
	err = s.view(func(w *wallet.Wallet) error {
		o = w.Origin()
		if o.Multisig != nil && req.SeedOffset != "" {
			return refuse("a signer's seed is shown without a seed_offset")
		}
		if o.Multisig != nil {
			resp.Key, err, told = signerKey(o.Multisig, req.KeyType)
		}
		return err
	})
	if err != nil || told {
		return resp, err
	}
	switch req.KeyType {
	case "mnemonic", "spend_key":
		if req.KeyType == "mnemonic" && o.Keys.CanSpend() && !o.Keys.Deterministic() {
			return resp, walletrpc.Fail(walletrpc.CodeNonDeterministic, "")
		}
		here, words, err := o.Keys.Within(ctx).Here()
		if err != nil {
			return resp, err
		}
		if here != o.Keys {
			defer here.Forget()
			o.Keys, o.Words = here, words
		}
		resp.Key, err = s.seeds().Secret(o, req.KeyType, req.SeedOffset)
		return resp, err
	case "view_key":
		view := o.Keys.ViewSecret()
		resp.Key = hex.EncodeToString(view[:])
		return resp, nil
	case "seed_language":
		resp.Key = o.Language
		return resp, nil
	}
	// The reference leaves the code at zero here, and so does everything written against it.
	return resp, &rpc.Error{Message: "key_type " + req.KeyType + " not found"}
}
