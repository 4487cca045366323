//go:build !js

package service

import (
	"glim/core/session"
	"glim/core/wallet"
)

// forgetNonces discards a signer's multisig nonces if the wallet's file may be a copy. The original may have used them
// since the copy was made, and two signatures with one nonce reveal the signer's key. The next exchange of infos
// replaces them.
func forgetNonces(log Log, name string, opened *session.Session, st Storage) error {
	f, ok := st.(CopyDetector)
	if !ok || f.IsCurrent() {
		return nil
	}
	dropped := false
	err := opened.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		c := w.DecideNewNonces(nil)
		dropped = !c.Empty()
		return c, nil, nil
	})
	if err == nil && dropped {
		log.Warn("the wallet file may be a copy: exchange multisig infos again before you sign with others",
			"name", name)
	}
	return err
}
