package session

import (
	"errors"

	"glim/core/wallet"
)

// ErrApart: the spend key is away, and what asks for it cannot be.
var ErrApart = errors.New("session: the spend key is away")

// Remake puts the wallet that remake makes of the one there is in its place. The log, too, is replaced, in one step: afterwards
// it holds nothing of the wallet that was, and before it holds nothing else; so a kill leaves the one or the other. The old
// spend key is wiped from memory. It waits for a refresh under way and for whoever holds the key. An error, of remake or the log's,
// leaves the wallet as it was. ErrApart while the spend key is away.
func (s *Session) Remake(remake func(*wallet.Wallet) (*wallet.Wallet, error)) error {
	if err := s.remake(remake); err != nil {
		return err
	}
	if !s.Keys().Away() {
		s.leavePlace()
	}
	return nil
}

func (s *Session) remake(remake func(*wallet.Wallet) (*wallet.Wallet, error)) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.using.Lock()
	defer s.using.Unlock()
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	if s.apart {
		return ErrApart
	}
	w, err := remake(s.w)
	if err != nil {
		return err
	}
	records, err := w.Snapshot()
	if err != nil {
		return err
	}
	defer wipeKeys(records)
	if s.vault == nil || w.Keys().Away() {
		err = s.log.Compact(records...)
	} else {
		err = s.log.Renew(unsealed(s.log.Public()), records...) // the spend key that was sealed is no longer the wallet's
	}
	if err != nil {
		return err
	}
	old := s.w
	s.become(w, s.log, len(records), false)
	if old.Keys() != w.Keys() {
		old.Keys().Forget()
		clear(old.Origin().Words)
	}
	return nil
}
