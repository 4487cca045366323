package session

import (
	"errors"

	"glim/core/wallet"
)

// ErrBackground: the operation needs the spend key, which is not in memory during background syncing.
var ErrBackground = errors.New("session: the spend key is not in memory during background syncing")

// Replace replaces the wallet with the one that remake makes of it. The log is replaced in one step: after a crash it
// holds either wallet, never parts of both. The old spend key is wiped from memory. Replace waits for a refresh in
// progress and for users of the spend key. After an error, of remake or of the log, the wallet is unchanged. It
// returns ErrBackground during background syncing.
func (s *Session) Replace(remake func(*wallet.Wallet) (*wallet.Wallet, error)) error {
	if err := s.replace(remake); err != nil {
		return err
	}
	if !s.Keys().External() {
		s.closeSigner()
	}
	return nil
}

// lockWholeWallet waits for a refresh in progress and for users of the spend key, and keeps others away until unlock.
// Errors: ErrClosed and other errors of writable, ErrBackground.
func (s *Session) lockWholeWallet() (unlock func(), err error) {
	s.refreshing.Lock()
	s.using.Lock()
	s.writing.Lock()
	unlock = func() {
		s.writing.Unlock()
		s.using.Unlock()
		s.refreshing.Unlock()
	}
	err = s.writable()
	if err == nil && s.background {
		err = ErrBackground
	}
	if err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

func (s *Session) replace(remake func(*wallet.Wallet) (*wallet.Wallet, error)) error {
	unlock, err := s.lockWholeWallet()
	if err != nil {
		return err
	}
	defer unlock()
	w, err := remake(s.w)
	if err != nil {
		return err
	}
	records, err := w.Snapshot()
	if err != nil {
		return err
	}
	defer wipeKeys(records)
	if s.vault == nil || w.Keys().External() {
		err = s.log.Compact(records...)
	} else {
		err = s.log.Renew(unsealed(s.log.Public()), records...) // the encrypted spend key is no longer the wallet's
	}
	if err != nil {
		return err
	}
	old := s.w
	s.install(w, s.log, len(records), false)
	if old.Keys() != w.Keys() {
		old.Keys().Forget()
		clear(old.Identity().Words)
	}
	return nil
}
