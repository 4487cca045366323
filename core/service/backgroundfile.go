package service

import (
	"errors"
	"sync"

	"glim/core/journal"
	"glim/core/session"
)

// backgroundFile is the file that a wallet uses while its spend key is absent. It stays open from its first use until
// the wallet closes, so that no other process can open it.
type backgroundFile struct {
	files Files

	mu     sync.Mutex // one setup, start or stop at a time; guards the fields below
	st     Storage    // nil while closed
	closed bool
}

// storage returns the file of the wallet called name, or nil if the wallet is in memory. The caller holds mu.
func (a *backgroundFile) storage(name string) (journal.Storage, error) {
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
		return nil, backgroundInUse(name)
	}
	if err != nil {
		return nil, fileError(err)
	}
	a.st = st
	return st, nil
}

func backgroundInUse(name string) error {
	return refuseFor("background wallet "+name+".background is already opened by another wallet program", ErrInUse)
}

// drop removes the file. The caller holds mu.
func (a *backgroundFile) drop(name string) error {
	if _, err := a.storage(name); err != nil || name == "" {
		return err
	}
	if !session.IsBackgroundFile(a.st) {
		return a.close() // it belongs to another wallet
	}
	return errors.Join(a.close(), a.files.DropBackground(name))
}

// closeForeign closes the file if err says that it belongs to another wallet, which would otherwise find it in use.
// The caller holds mu.
func (a *backgroundFile) closeForeign(err error) error {
	if errors.Is(err, session.ErrNotBackgroundFile) {
		return errors.Join(err, a.close())
	}
	return err
}

func (a *backgroundFile) close() (err error) {
	if a.st != nil {
		err = a.st.Close()
	}
	a.st = nil
	return err
}
