package service

import (
	"context"
	"errors"

	"glim/core/journal"
	"glim/core/mnemonic"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// backgroundSync implements background sync: wallets scan the chain while their spend key is not in memory.
type backgroundSync struct {
	active *active
	seeds  Seeds
	kdf    journal.KDF
	log    Log
}

// backgroundTypes maps the names of the types. Source: src/wallet/wallet2.h, background_sync_type_from_str.
var backgroundTypes = map[string]wallet.BackgroundType{
	"off": wallet.BackgroundOff, "reuse-wallet-password": wallet.BackgroundReuse,
	"custom-background-password": wallet.BackgroundCustom,
}

// refuseStop returns the result of stop_background_sync for a wallet whose background sync is not running.
func (o *openWallet) refuseStop(ctx context.Context, password string, seed *session.Seed, b wallet.Background) error {
	if o.CheckPassword(ctx, []byte(password)) != nil {
		return walletrpc.Fail(walletrpc.CodeInvalidPassword, "")
	}
	switch {
	case !o.Keys().CanSpend() || seed != nil && !seed.Of(o.Keys()): // a background wallet cannot spend
		return session.ErrSpendKey
	case b.Type == wallet.BackgroundOff:
		return session.ErrNotSetUp
	}
	return nil
}

// mergeFile imports the scan results of a wallet's background file, which was used while the wallet was closed. It only
// logs a failure, because the wallet can scan the same blocks itself.
func (s *backgroundSync) mergeFile(o *openWallet) {
	var b wallet.Background
	o.View(func(w *wallet.Wallet) { b = w.Background() })
	if len(b.Lock) == 0 || o.name == "" {
		return
	}
	o.background.mu.Lock()
	defer o.background.mu.Unlock()
	err := func() error {
		st, err := o.background.storage(o.name)
		if err != nil {
			return err
		}
		if err := o.ImportBackgroundFile(o.ctx, st); err != nil {
			return err
		}
		if b.Type == wallet.BackgroundReuse {
			return o.background.drop(o.name)
		}
		if _, err := journal.Public(st); errors.Is(err, journal.ErrEmpty) {
			return o.UpdateBackgroundFile(st) // the file had been removed
		}
		return nil
	}()
	if err != nil {
		s.log.Warn("the wallet's background file was not read; its blocks will be read again",
			"name", o.name, "error", err)
	}
}

// forBackground returns the open wallet if it can use background sync.
// Source: src/wallet/wallet_rpc_server.cpp, PRE_VALIDATE_BACKGROUND_SYNC.
func (s *backgroundSync) forBackground() (*openWallet, wallet.Background, error) {
	o, err := s.active.current()
	if err != nil {
		return nil, wallet.Background{}, err
	}
	var b wallet.Background
	watchOnly, group := false, false
	o.View(func(w *wallet.Wallet) {
		b, group = w.Background(), w.Multisig() != nil
		watchOnly = !w.Keys().CanSpend() && !w.Identity().Background
	})
	if group {
		return nil, b, refuse("Multisig wallet cannot enable background sync")
	}
	if watchOnly {
		return nil, b, walletrpc.Fail(walletrpc.CodeWatchOnly, "Watch-only wallet cannot enable background sync")
	}
	return o, b, nil
}

// Source: src/wallet/wallet2.cpp, setup_background_sync.
func (s *backgroundSync) setupBackgroundSync(
	ctx context.Context, req walletrpc.SetupBackgroundSyncRequest,
) (empty, error) {
	o, b, err := s.forBackground()
	if err != nil {
		return empty{}, err
	}
	t, known := backgroundTypes[req.BackgroundSyncType]
	if !known {
		return empty{}, refuse("Unknown background sync type")
	}
	if o.checkSpendKey() != nil {
		return empty{}, refuse("Can't set background sync type from an existing background cache")
	}
	if o.CheckPassword(ctx, []byte(req.WalletPassword)) != nil {
		return empty{}, walletrpc.Fail(walletrpc.CodeInvalidPassword, "")
	}
	if t == wallet.BackgroundCustom && req.WalletPassword == req.BackgroundCachePassword {
		return empty{}, refuse("custom background password must be different than wallet password")
	}
	o.background.mu.Lock()
	defer o.background.mu.Unlock()
	if err := o.reference.checkBackground(); err != nil {
		return empty{}, err
	}
	if t != b.Type || t == wallet.BackgroundCustom {
		if err := s.setup(o, t, req.BackgroundCachePassword); err != nil {
			return empty{}, err
		}
	}
	// Last, because the wallet's own files decide. If this fails or is interrupted, the same request completes it.
	return empty{}, o.reference.setBackground(o.Session, req.WalletPassword, req.BackgroundCachePassword)
}

// setup changes the background sync of a wallet's own files. The caller holds o.background.mu.
func (s *backgroundSync) setup(o *openWallet, t wallet.BackgroundType, password string) error {
	st, err := o.background.storage(o.name) // fails if another process has it open
	if err != nil {
		return err
	}
	if t == wallet.BackgroundCustom {
		return o.background.closeForeign(o.SetupBackground(t, st, []byte(password), s.kdf))
	}
	// The wallet's log is changed before the file is removed, so a file that a kill leaves behind is not needed.
	if err := o.SetupBackground(t, nil, nil, s.kdf); err != nil {
		return err
	}
	return o.background.drop(o.name)
}

// Source: src/wallet/wallet2.cpp, start_background_sync.
func (s *backgroundSync) startBackgroundSync(context.Context, empty) (empty, error) {
	o, b, err := s.forBackground()
	if err != nil {
		return empty{}, err
	}
	switch {
	case o.InBackground():
		return empty{}, nil
	case o.checkSpendKey() != nil:
		return empty{}, refuse("Can't start background syncing from a background wallet (it is always background " +
			"syncing)")
	case b.Type == wallet.BackgroundOff:
		return empty{}, session.ErrNotSetUp
	}
	o.background.mu.Lock()
	defer o.background.mu.Unlock()
	st, err := o.background.storage(o.name)
	if err != nil {
		return empty{}, err
	}
	return empty{}, o.background.closeForeign(o.StartBackground(st))
}

// Source: src/wallet/wallet2.cpp, stop_background_sync.
func (s *backgroundSync) stopBackgroundSync(
	ctx context.Context, req walletrpc.StopBackgroundSyncRequest,
) (empty, error) {
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
	o.background.mu.Lock()
	defer o.background.mu.Unlock()
	if !o.InBackground() {
		return empty{}, o.refuseStop(ctx, req.WalletPassword, seed, b)
	}
	var own journal.Storage
	if o.name != "" {
		own = o.storage.(journal.Storage)
	}
	err = o.StopBackground(ctx, own, []byte(req.WalletPassword), seed)
	s.active.releaseMemory()
	switch {
	case errors.Is(err, session.ErrPassword):
		return empty{}, walletrpc.Fail(walletrpc.CodeInvalidPassword, "")
	case err != nil:
		return empty{}, err
	case b.Type == wallet.BackgroundReuse:
		return empty{}, o.background.drop(o.name)
	}
	return empty{}, nil
}

// seedOf parses a seed.
func (s *backgroundSync) seedOf(words, offset string) (seed session.Seed, err error) {
	var o wallet.Identity
	if isPolyseed(words) {
		o, _, err = s.seeds.fromPolyseed(words, offset, "")
	} else {
		o, _, err = s.seeds.fromWords(words, offset, mnemonic.English().Name())
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
