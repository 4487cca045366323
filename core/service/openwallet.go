package service

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"glim/core/coldset"
	"glim/core/journal"
	"glim/core/multisig"
	"glim/core/session"
	"glim/core/signer"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// openWallet is a wallet that is open, with its own locks and state.
type openWallet struct {
	*session.Session
	name       string
	now        func() uint64
	users      int // services that use it; guarded by shared.mu
	storage    io.Closer
	warning    string          // about its file, from opening; may be empty
	takenOver  string          // what opening it imported from the reference's cache; may be empty
	ctx        context.Context // ends when the wallet closes
	cancel     context.CancelFunc
	sending    sync.Mutex      // serialises payments, so that no two choose the same outputs
	relayed    sync.Map        // IDs of transactions that a daemon has accepted since the wallet was opened
	cipherMu   sync.Mutex      // guards cipher and cipherView
	cipher     *coldset.Cipher // see messages
	cipherView xmr.PublicKey   // the view key of cipher, which changes when the wallet becomes multisig
	background backgroundFile
	reference  *referenceFiles  // nil without files of the reference
	vault      signer.Transport // to the vault that opened the wallet, if it is sealed
	witnessed  atomic.Bool      // whether the second daemon has confirmed the chain as last read
}

// Close updates and closes the background file if it is open, and closes the wallet.
func (o *openWallet) Close() error {
	o.background.mu.Lock()
	defer o.background.mu.Unlock()
	var err error
	if o.background.st != nil {
		err = o.UpdateBackgroundFile(o.background.st)
	}
	o.background.closed = true
	o.reference.share(o.Session, false)
	return errors.Join(err, o.Session.Close(), o.background.close(), o.reference.close())
}

// CheckPassword returns session.ErrPassword unless password is that of the wallet's own file, also while the wallet
// uses its background file.
func (o *openWallet) CheckPassword(ctx context.Context, password []byte) error {
	if o.name == "" || !o.InBackground() {
		return o.Session.CheckPassword(ctx, password)
	}
	st := o.storage.(journal.Storage)
	if session.NeedsSigner(st) {
		return session.CheckPasswordWithSigner(ctx, st, password, o.vault)
	}
	if journal.CheckPassword(st, password) != nil {
		return session.ErrPassword
	}
	return nil
}

// checkSpendKey returns the error of operations that are refused while the spend key is absent.
func (o *openWallet) checkSpendKey() (err error) {
	o.View(func(w *wallet.Wallet) {
		if w.Identity().Background {
			err = walletrpc.Fail(walletrpc.CodeIsBackgroundWallet, "")
		}
	})
	if o.InBackground() {
		err = walletrpc.Fail(walletrpc.CodeIsBackgroundSyncing, "")
	}
	return err
}

// messages returns the cipher for messages between a view-only wallet and its cold signer.
func (o *openWallet) messages() *coldset.Cipher {
	view := o.Keys().ViewPublic
	o.cipherMu.Lock()
	defer o.cipherMu.Unlock()
	if o.cipher == nil || o.cipherView != view {
		o.cipher, o.cipherView = coldset.NewCipher(o.Keys(), 1), view
	}
	return o.cipher
}

// positions returns a lookup of outputs' current positions in the wallet's list.
func (o *openWallet) positions() coldset.PositionLookup {
	return func(key xmr.PublicKey) (n uint64, ok bool) {
		o.View(func(w *wallet.Wallet) { n, ok = w.Position(key) })
		return n, ok
	}
}

// group returns the wallet's multisig account; nil for other wallets.
func (o *openWallet) group() (a *multisig.Account) {
	o.View(func(w *wallet.Wallet) { a = w.Multisig() })
	return a
}
