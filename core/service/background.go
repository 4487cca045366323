package service

import (
	"context"
	"errors"
	"sync"

	"glim/core/journal"
	"glim/core/mnemonic"
	"glim/core/rpc"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// apartFile is the file in which a wallet goes on without its spend key, open from when it is first needed until the wallet
// closes: so nobody else opens it meanwhile.
type apartFile struct {
	files Files

	mu     sync.Mutex // one setup, start or stop at a time; guards what follows
	st     Storage    // nil while it is not open
	closed bool
}

// storage returns the file of the wallet called name, nil when the wallet is in memory alone. The caller holds mu.
func (a *apartFile) storage(name string) (journal.Storage, error) {
	switch {
	case a.closed:
		return nil, session.ErrClosed
	case name == "":
		return nil, nil
	case a.st != nil:
		return a.st, nil
	}
	st, err := a.files.Background(name)
	if errors.Is(err, ErrInUse) {
		return nil, refuse("background wallet " + name + ".background is already opened by another wallet program")
	}
	if err != nil {
		return nil, fileError(err)
	}
	a.st = st
	return st, nil
}

// drop removes the file. The caller holds mu.
func (a *apartFile) drop(name string) error {
	if _, err := a.storage(name); err != nil || name == "" {
		return err
	}
	if !session.IsBackgroundFile(a.st) {
		return a.close() // it is not ours
	}
	return errors.Join(a.close(), a.files.DropBackground(name))
}

// letGo closes the file when err says that it is another wallet's, who would find it in use. The caller holds mu.
func (a *apartFile) letGo(err error) error {
	if errors.Is(err, session.ErrForeign) {
		return errors.Join(err, a.close())
	}
	return err
}

func (a *apartFile) close() (err error) {
	if a.st != nil {
		err = a.st.Close()
	}
	a.st = nil
	return err
}

// Close brings the background file up to date where there is one that can be opened by itself, and closes the wallet.
func (o *open) Close() error {
	o.apart.mu.Lock()
	defer o.apart.mu.Unlock()
	var err error
	if o.apart.st != nil {
		err = o.RefreshApart(o.apart.st)
	}
	o.apart.closed = true
	return errors.Join(err, o.Session.Close(), o.apart.close())
}

// CheckPassword returns session.ErrPassword unless password is the wallet's own, also while its file is not in use.
func (o *open) CheckPassword(ctx context.Context, password []byte) error {
	if o.name == "" || !o.Apart() {
		return o.Session.CheckPassword(ctx, password)
	}
	st := o.storage.(journal.Storage)
	if session.IsSealed(st) {
		return session.CheckSealed(ctx, st, password, o.vault)
	}
	if journal.CheckPassword(st, password) != nil {
		return session.ErrPassword
	}
	return nil
}

// gather takes over what a wallet's background file found while the wallet was closed. Without it the wallet finds the same
// itself, only later; so failing is no reason not to open.
func (s *Service) gather(o *open) {
	var b wallet.Background
	o.View(func(w *wallet.Wallet) { b = w.Background() })
	if len(b.Lock) == 0 || o.name == "" {
		return
	}
	o.apart.mu.Lock()
	defer o.apart.mu.Unlock()
	err := func() error {
		st, err := o.apart.storage(o.name)
		if err != nil {
			return err
		}
		if err := o.Gather(o.ctx, st); err != nil {
			return err
		}
		if b.Type == wallet.BackgroundReuse {
			return o.apart.drop(o.name)
		}
		if _, err := journal.Public(st); errors.Is(err, journal.ErrEmpty) {
			return o.RefreshApart(st) // somebody removed it
		}
		return nil
	}()
	if err != nil {
		s.config.Log.Warn("the wallet's background file was not read; its blocks will be read again", "name", o.name, "error", err)
	}
}

// What the spend key being away means for an operation.
const (
	blocked = 1 << iota // refused
	using               // the key does not go while it runs
)

// guarded are the operations that the reference refuses in wallet_rpc_server.cpp with CHECK_IF_BACKGROUND_SYNCING, and those
// that use the spend key all the same; and glim's own. What reads the chain does not keep the key from going: its own locks do.
var guarded = map[string]int{
	walletrpc.SetSubaddressLookahead.Name: blocked, walletrpc.CreateAddress.Name: blocked, walletrpc.LabelAddress.Name: blocked,
	walletrpc.CreateAccount.Name: blocked, walletrpc.LabelAccount.Name: blocked, walletrpc.GetAccountTags.Name: blocked,
	walletrpc.TagAccounts.Name: blocked, walletrpc.UntagAccounts.Name: blocked,
	walletrpc.SetAccountTagDescription.Name: blocked, walletrpc.Freeze.Name: blocked, walletrpc.Thaw.Name: blocked,
	walletrpc.Frozen.Name: blocked, walletrpc.RescanBlockchain.Name: blocked, walletrpc.SetTxNotes.Name: blocked,
	walletrpc.SetAttribute.Name: blocked, walletrpc.GetTxKey.Name: blocked, walletrpc.GetAddressBook.Name: blocked,
	walletrpc.AddAddressBook.Name: blocked, walletrpc.EditAddressBook.Name: blocked, walletrpc.DeleteAddressBook.Name: blocked,
	walletrpc.ScanTx.Name: blocked, walletrpc.RescanSpent.Name: blocked, walletrpc.ChangeWalletPassword.Name: blocked,
	walletrpc.ImportKeyImages.Name: blocked,

	walletrpc.Transfer.Name: blocked | using, walletrpc.TransferSplit.Name: blocked | using,
	walletrpc.SweepAll.Name: blocked | using, walletrpc.SweepSingle.Name: blocked | using,
	walletrpc.SweepDust.Name: blocked | using, walletrpc.SignTransfer.Name: blocked | using,
	walletrpc.DescribeTransfer.Name: blocked | using, walletrpc.Sign.Name: blocked | using,
	walletrpc.GetTxProof.Name: blocked | using, walletrpc.GetReserveProof.Name: blocked | using,
	walletrpc.ExportOutputs.Name: blocked | using, walletrpc.ImportOutputs.Name: blocked | using,
	walletrpc.ExportKeyImages.Name: blocked | using, walletrpc.PrepareMultisig.Name: blocked | using,
	walletrpc.MakeMultisig.Name: blocked, // it waits for those who use the key itself

	walletrpc.ExportKeysFile.Name: blocked | using,
	walletrpc.GetSpendProof.Name:  using, walletrpc.QueryKey.Name: using,
}

// guard lets an operation run or refuses it, for one of these reasons or because the wallet's address is not made yet, and keeps the spend key from going while one uses it.
func (s *Service) guard(op *rpc.Operation) (done func(), err error) {
	done = func() {}
	kind := guarded[op.Name]
	o, err := s.current()
	if err != nil {
		return done, nil // without a wallet, the operation says so
	}
	if err := o.unmade(op.Name); err != nil {
		return nil, err
	}
	if kind&(using) != 0 {
		done = o.Hold()
	}
	if kind&blocked != 0 {
		if err := o.away(); err != nil {
			done()
			return nil, err
		}
	}
	return done, nil
}

// away returns the refusal of what cannot be while the spend key is away.
func (o *open) away() (err error) {
	o.View(func(w *wallet.Wallet) {
		if w.Origin().Background {
			err = walletrpc.Fail(walletrpc.CodeIsBackgroundWallet, "")
		}
	})
	if o.Apart() {
		err = walletrpc.Fail(walletrpc.CodeIsBackgroundSyncing, "")
	}
	return err
}

// keyIsHere is away for an operation of which only a part needs the key.
func (s *Service) keyIsHere() error {
	o, err := s.current()
	if err != nil {
		return err
	}
	return o.away()
}

// forBackground returns the open wallet unless it can have no background.
// Source: src/wallet/wallet_rpc_server.cpp, PRE_VALIDATE_BACKGROUND_SYNC.
func (s *Service) forBackground() (*open, wallet.Background, error) {
	o, err := s.current()
	if err != nil {
		return nil, wallet.Background{}, err
	}
	var b wallet.Background
	watchOnly, group := false, false
	o.View(func(w *wallet.Wallet) {
		b, group = w.Background(), w.Multisig() != nil
		watchOnly = !w.Keys().CanSpend() && !w.Origin().Background
	})
	if group {
		return nil, b, refuse("Multisig wallet cannot enable background sync")
	}
	if watchOnly {
		return nil, b, walletrpc.Fail(walletrpc.CodeWatchOnly, "Watch-only wallet cannot enable background sync")
	}
	return o, b, nil
}

// backgroundTypes are the names of the types. Source: src/wallet/wallet2.h, background_sync_type_from_str.
var backgroundTypes = map[string]wallet.BackgroundType{
	"off": wallet.BackgroundOff, "reuse-wallet-password": wallet.BackgroundReuse, "custom-background-password": wallet.BackgroundCustom,
}

// Source: src/wallet/wallet2.cpp, setup_background_sync.
func (s *Service) setupBackgroundSync(ctx context.Context, req walletrpc.SetupBackgroundSyncRequest) (empty, error) {
	o, b, err := s.forBackground()
	if err != nil {
		return empty{}, err
	}
	t, known := backgroundTypes[req.BackgroundSyncType]
	if !known {
		return empty{}, refuse("Unknown background sync type")
	}
	if o.away() != nil {
		return empty{}, refuse("Can't set background sync type from an existing background cache")
	}
	if o.CheckPassword(ctx, []byte(req.WalletPassword)) != nil {
		return empty{}, walletrpc.Fail(walletrpc.CodeInvalidPassword, "")
	}
	if t == wallet.BackgroundCustom && req.WalletPassword == req.BackgroundCachePassword {
		return empty{}, refuse("custom background password must be different than wallet password")
	}
	if t == b.Type && t != wallet.BackgroundCustom {
		return empty{}, nil
	}
	o.apart.mu.Lock()
	defer o.apart.mu.Unlock()
	st, err := o.apart.storage(o.name) // not when somebody else has it open
	if err != nil {
		return empty{}, err
	}
	if t != wallet.BackgroundCustom {
		// The file goes after the log has forgotten it: what is left by a kill between holds nothing that is lost.
		if err := o.SetupBackground(t, nil, nil, s.config.KDF); err != nil {
			return empty{}, err
		}
		return empty{}, o.apart.drop(o.name)
	}
	return empty{}, o.apart.letGo(o.SetupBackground(t, st, []byte(req.BackgroundCachePassword), s.config.KDF))
}

// Source: src/wallet/wallet2.cpp, start_background_sync.
func (s *Service) startBackgroundSync(context.Context, empty) (empty, error) {
	o, b, err := s.forBackground()
	if err != nil {
		return empty{}, err
	}
	switch {
	case o.Apart():
		return empty{}, nil
	case o.away() != nil:
		return empty{}, refuse("Can't start background syncing from a background wallet (it is always background syncing)")
	case b.Type == wallet.BackgroundOff:
		return empty{}, session.ErrNotSetUp
	}
	o.apart.mu.Lock()
	defer o.apart.mu.Unlock()
	st, err := o.apart.storage(o.name)
	if err != nil {
		return empty{}, err
	}
	return empty{}, o.apart.letGo(o.StartBackground(st))
}

// Source: src/wallet/wallet2.cpp, stop_background_sync.
func (s *Service) stopBackgroundSync(ctx context.Context, req walletrpc.StopBackgroundSyncRequest) (empty, error) {
	o, b, err := s.forBackground()
	if err != nil {
		return empty{}, err
	}
	var seed *session.Seed
	if req.Seed != "" {
		given, err := s.seedOf(req.Seed, req.SeedOffset)
		if err != nil {
			return empty{}, err
		}
		defer clear(given.Spend[:])
		seed = &given
	}
	o.apart.mu.Lock()
	defer o.apart.mu.Unlock()
	if !o.Apart() {
		return empty{}, o.notApart(ctx, req.WalletPassword, seed, b)
	}
	var own journal.Storage
	if o.name != "" {
		own = o.storage.(journal.Storage)
	}
	err = o.StopBackground(ctx, own, []byte(req.WalletPassword), seed)
	s.spare()
	switch {
	case errors.Is(err, session.ErrPassword):
		return empty{}, walletrpc.Fail(walletrpc.CodeInvalidPassword, "")
	case err != nil:
		return empty{}, err
	case b.Type == wallet.BackgroundReuse:
		return empty{}, o.apart.drop(o.name)
	}
	return empty{}, nil
}

// notApart answers who stops what has not begun.
func (o *open) notApart(ctx context.Context, password string, seed *session.Seed, b wallet.Background) error {
	if o.CheckPassword(ctx, []byte(password)) != nil {
		return walletrpc.Fail(walletrpc.CodeInvalidPassword, "")
	}
	switch {
	case !o.Keys().CanSpend() || seed != nil && !seed.Of(o.Keys()): // a background wallet has none
		return session.ErrSpendKey
	case b.Type == wallet.BackgroundOff:
		return session.ErrNotSetUp
	}
	return nil
}

// seedOf returns what seed words stand for.
func (s *Service) seedOf(words, offset string) (seed session.Seed, err error) {
	var o wallet.Origin
	if isPolyseed(words) {
		o, _, err = s.seeds().fromPolyseed(words, offset, "")
	} else {
		o, _, err = s.seeds().fromWords(words, offset, mnemonic.English().Name())
	}
	if err != nil {
		return seed, err
	}
	k := o.Keys
	seed.Words = o.Words
	defer k.Forget()
	seed.Spend, _ = k.SpendSecret()
	return seed, nil
}
