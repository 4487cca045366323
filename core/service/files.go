package service

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"glim/core/journal"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// walletFiles opens and closes wallets.
type walletFiles struct {
	active        *active
	files         Files  // nil if no wallet folder is configured
	only          string // the only wallet it may open; empty for any
	network       xmr.Network
	lookahead     wallet.Lookahead // of new wallets
	maxReorgDepth *uint64          // Config.MaxReorgDepth
	kdf           journal.KDF
	keyRounds     int
	withoutCache  bool
	host          func(name string) session.Host
	onOpen        func(OpenedWallet) // Config.Opened
	endProcess    func()             // Config.Stop
	now           func() uint64
	vault         *vault
	takeover      *takeover
	background    *backgroundSync
	references    *references
	log           Log

	stop sync.Once
}

// withoutKeys returns the name of a wallet, given that name or the name of its keys file.
// Source: src/wallet/wallet2.cpp, do_prepare_file_names.
func withoutKeys(name string) string {
	if short := strings.TrimSuffix(name, ".keys"); short != "" {
		return short
	}
	return name
}

// walletName returns the name of the requested wallet. It returns CodeNoWalletDir if no wallet folder is configured,
// and CodeUnknown if the name leaves the folder or belongs to another service.
func (s *walletFiles) walletName(requested string) (string, error) {
	requested = withoutKeys(requested)
	switch {
	case s.files == nil:
		return "", walletrpc.Fail(walletrpc.CodeNoWalletDir, "")
	case strings.ContainsAny(requested, "/\\"):
		return "", walletrpc.Fail(walletrpc.CodeUnknown, "Invalid filename")
	case s.only != "" && requested != "" && requested != s.only:
		return "", walletrpc.Fail(walletrpc.CodeUnknown, "this path is for the wallet %s", s.only)
	case s.only != "":
		return s.only, nil
	}
	return requested, nil
}

// makeWallet creates a wallet and opens it instead of the current one, which stays open if the creation fails. With a
// vault, o may have no keys: the vault then uses the keys of the ticket, or makes new ones if the ticket is empty.
func (s *walletFiles) makeWallet(ctx context.Context, name, password string, o wallet.Identity, ticket string) error {
	if err := ctx.Err(); err != nil {
		return err // the client has disconnected: make no wallet
	}
	ctx = context.WithoutCancel(ctx) // from here on the wallet is made as a whole: no file without a wallet remains
	var st Storage = memoryStorage{journal.NewMemory()}
	kdf := journal.WeakestKDF() // storage in memory needs no protection
	if name != "" {
		var err error
		if st, err = s.files.Create(name); err != nil {
			return fileError(err)
		}
		kdf = s.kdf
	}
	return s.createIn(ctx, s.files, name, password, o, ticket, s.lookahead, st, kdf, nil)
}

// createIn creates a wallet in empty storage, calls fill to add its initial contents, and opens it instead of the
// current one.
func (s *walletFiles) createIn(
	ctx context.Context, files Files, name, password string, o wallet.Identity, ticket string, l wallet.Lookahead,
	st Storage, kdf journal.KDF, fill func(*session.Session) (string, error),
) error {
	var opened *session.Session
	var err error
	if s.vault.host != nil {
		opened, err = s.vault.createSealed(ctx, name, password, o, ticket, l, st, s.host(name))
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
	reference, err := s.references.of(files, name, opened, password)
	if err != nil {
		return errors.Join(err, reference.close(), opened.Close(), st.Close())
	}
	made := s.track(files, name, opened, st, taken)
	made.reference = reference
	return s.active.replace(made)
}

func (s *walletFiles) track(files Files, name string, opened *session.Session, st io.Closer, taken string) *openWallet {
	ctx, cancel := context.WithCancel(context.Background())
	o := &openWallet{
		Session: opened, name: name, now: s.now, storage: st, ctx: ctx, cancel: cancel,
		background: backgroundFile{files: files}, vault: s.vault.transport(), takenOver: taken,
	}
	if o.warning = fileWarning(opened.Ending(), st); o.warning != "" {
		s.log.Warn(o.warning, "name", name)
	} else if torn := opened.Ending().Torn; torn > 0 {
		s.log.Info("removed an incomplete change, which was never acknowledged, from the wallet file",
			"name", name, "bytes", torn)
	}
	if depth := s.maxReorgDepth; depth != nil {
		if err := opened.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return w.DecideMaxReorgDepth(*depth), nil, nil
		}); err != nil {
			s.log.Warn("the wallet keeps its own max-reorg-depth", "name", name, "error", err)
		}
	}
	s.active.shared.hold(o, name != "")
	if s.onOpen != nil {
		s.onOpen(OpenedWallet{o})
	}
	return o
}

// open opens the wallet called name in files. It returns the errors of open_wallet.
func (s *walletFiles) open(files Files, name, password string) error {
	s.active.shared.files.Lock()
	defer s.active.shared.files.Unlock()
	return s.openFile(context.Background(), files, withoutKeys(name), password)
}

func (s *walletFiles) openFile(ctx context.Context, files Files, name, password string) error {
	// The wallet is open already, and all changes are stored.
	if o, err := s.active.current(); err == nil && o.name == name && name != "" {
		if err := o.CheckPassword(ctx, []byte(password)); err != nil {
			return passwordRefusal(err)
		}
		if s.active.connection().config.same(&s.active.initial) {
			return nil
		}
		return s.active.useDaemon(o, s.active.initial)
	}
	if files == s.files {
		o, err := s.active.shared.held(ctx, name, password)
		if err != nil {
			return passwordRefusal(err)
		}
		if o != nil {
			return s.active.replace(o)
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
	// The file is empty if a crash or a full disk interrupted an earlier takeover.
	if _, err := journal.Public(st); errors.Is(err, journal.ErrEmpty) {
		if err := st.Close(); err != nil {
			return notOpenedFor(err.Error(), err)
		}
		return s.takeOver(ctx, files, name, password)
	}
	return s.openExisting(ctx, files, name, st, password)
}

// takeOver opens a wallet of the reference. It makes a glim wallet next to the reference's files, which stay unchanged.
// The history is scanned from the chain, and everything else is imported from the reference's cache.
func (s *walletFiles) takeOver(ctx context.Context, files Files, name, password string) error {
	file, err := files.Keys(name)
	if errors.Is(err, ErrNoWallet) || errors.Is(err, ErrName) {
		return notOpenedFor("file not found \""+name+".keys\"", ErrNoWallet)
	}
	if err != nil {
		return notOpenedFor(err.Error(), err)
	}
	if s.vault.isTicket(password) {
		return notOpenedFor(errInFile.Error(), errInFile)
	}
	found, err := walletfile.Open(file, []byte(password), max(s.keyRounds, walletfile.Rounds))
	switch {
	case errors.Is(err, walletfile.ErrPassword):
		return notOpenedFor("Invalid password.", session.ErrPassword)
	case err != nil:
		return notOpenedFor(err.Error(), err)
	case found.NetworkKnown && found.Network.AddressNetwork() != s.network.AddressNetwork():
		return notOpenedFor("it is for "+found.Network.String(), ErrNetwork)
	}
	o := wallet.Identity{
		Network: s.network, Keys: found.Keys, RestoreHeight: found.RestoreHeight, Language: found.Language,
		Multisig: found.Multisig, EnableMultisig: found.EnableMultisig,
	}
	// While the reference has the wallet open, its cache is about to change. createIn locks the files again.
	locked, err := s.references.lock(files, name)
	if err = errors.Join(err, locked.close()); err != nil {
		return err
	}
	cache, err := s.takeover.cacheOf(files, name, [32]byte{})
	if err != nil {
		return err
	}
	var contents CacheContents // read before any file is made, so that a failure leaves none behind
	if cache != nil && !s.withoutCache {
		if contents, err = s.takeover.readCache(cache, name, password, &o); err != nil {
			return err
		}
		o.RestoreHeight = min(o.RestoreHeight, contents.Started())
	}
	st, err := files.CreateForTakeover(name)
	if err != nil {
		return fileError(err)
	}
	s.log.Info("taking over a wallet of monero-wallet-rpc; it opens there, too", "name", name)
	l := s.lookahead
	l.Major, l.Minor = max(l.Major, found.LookaheadMajor), max(l.Minor, found.LookaheadMinor)
	fill := func(made *session.Session) (string, error) {
		if found.MaxReorgDepth != nil && s.maxReorgDepth == nil {
			if err := made.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
				return w.DecideMaxReorgDepth(*found.MaxReorgDepth), nil, nil
			}); err != nil {
				return "", err
			}
		}
		return s.takeover.fillNew(made, name, contents)
	}
	return s.createIn(ctx, files, name, password, o, "", l.Possible(), st, s.kdf, fill)
}

func (s *walletFiles) openExisting(ctx context.Context, files Files, name string, st Storage, password string) error {
	opened, err := s.vault.openStored(ctx, st, password, s.host(name))
	if errors.Is(err, session.ErrPassword) && !s.vault.isTicket(password) {
		opened, err = s.references.reopen(files, name, st, password, s.host(name))
	}
	if errors.Is(err, ErrInUse) {
		return errors.Join(err, st.Close())
	}
	if err != nil {
		s.log.Warn("wallet not opened", "name", name, "error", err)
		_ = st.Close() // nothing was written
		if errors.Is(err, session.ErrPassword) {
			return notOpenedFor("Invalid password.", session.ErrPassword)
		}
		return notOpenedFor(err.Error(), err)
	}
	var network xmr.Network
	opened.View(func(w *wallet.Wallet) { network = w.Identity().Network })
	if network.AddressNetwork() != s.network.AddressNetwork() {
		_ = errors.Join(opened.Close(), st.Close()) // nothing was written
		return notOpenedFor("it is for "+network.String(), ErrNetwork)
	}
	if err := forgetNonces(s.log, name, opened, st); err != nil {
		_ = errors.Join(opened.Close(), st.Close()) // the first error is more useful
		return notOpenedFor(err.Error(), err)
	}
	reference, err := s.references.of(files, name, opened, password)
	if errors.Is(err, ErrInUse) {
		return errors.Join(err, opened.Close(), st.Close())
	}
	taken, takeErr := s.takeover.catchUp(files, name, password, opened)
	if takeErr != nil {
		return errors.Join(takeErr, reference.close(), opened.Close(), st.Close())
	}
	if err != nil {
		s.log.Warn("the files for monero-wallet-rpc next to the wallet are not current", "name", name, "error", err)
	}
	o := s.track(files, name, opened, st, taken)
	o.reference = reference
	if err := s.active.replace(o); err != nil {
		return err
	}
	s.background.mergeFile(o)
	return nil
}

func (s *walletFiles) openWallet(
	ctx context.Context, req walletrpc.OpenWalletRequest,
) (resp walletrpc.OpenWalletResponse, err error) {
	s.active.shared.files.Lock()
	defer s.active.shared.files.Unlock()
	if err := ctx.Err(); err != nil {
		return resp, err // the client has disconnected
	}
	name, err := s.walletName(req.Filename)
	if err != nil {
		return resp, err
	}
	if err := s.openFile(ctx, s.files, name, req.Password); err != nil {
		return resp, err
	}
	if o, err := s.active.current(); err == nil {
		resp.Warning = o.warning
	}
	return resp, nil
}

func (s *walletFiles) closeWallet(context.Context, walletrpc.CloseWalletRequest) (empty, error) {
	return empty{}, s.closeOpen() // everything is stored already
}

func (s *walletFiles) closeOpen() error {
	s.active.shared.files.Lock()
	defer s.active.shared.files.Unlock()
	if _, err := s.active.current(); err != nil {
		return err
	}
	return s.active.replace(nil)
}

func (s *walletFiles) store(context.Context, empty) (empty, error) {
	o, err := s.active.current()
	if err != nil {
		return empty{}, err
	}
	if err := o.Store(); err != nil || o.reference == nil {
		return empty{}, err
	}
	restored, err := o.reference.files.Restore()
	if err != nil {
		return empty{}, err
	}
	o.reference.share(o.Session, restored)
	return empty{}, nil
}

func (s *walletFiles) stopWallet(context.Context, empty) (empty, error) {
	if _, err := s.active.current(); err != nil {
		return empty{}, err
	}
	switch {
	case s.only != "":
		return empty{}, s.closeOpen() // a client of one wallet must not stop the process of all wallets
	case s.endProcess != nil:
		s.stop.Do(s.endProcess)
	}
	return empty{}, nil
}
