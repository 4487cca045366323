//go:build !js

package service

import (
	"glim/core/session"
	"glim/core/wallet"
)

// forgetNonces drops the nonces that a signer of a multisig wallet told, when the wallet's file may be a copy: who goes on from one would use
// again what was used since, and two signatures with one nonce give his key away. The others are told new ones with the next infos.
func (s *Service) forgetNonces(name string, opened *session.Session, st Storage) error {
	f, ok := st.(Familiar)
	if !ok || f.Familiar() {
		return nil
	}
	dropped := false
	err := opened.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		c := w.DecideExport(nil)
		dropped = !c.Empty()
		return c, nil, nil
	})
	if err == nil && dropped {
		s.config.Log.Warn("the wallet's file may be a copy: infos are to be exchanged anew before anything is signed with others", "name", name)
	}
	return err
}
