package session

import (
	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/multisig"
)

// keySecret returns the key under which SealKey encrypts, derived from the secret keys of a wallet, or from those of a
// signer's own that no other signer knows. ok is false for a wallet without a spend key in this process: others may
// know its view key, which must not open the wallet's file.
func keySecret(k *keys.Keys, a *multisig.Account) (secret [32]byte, ok bool) {
	spend, ok := k.SpendSecret()
	if a != nil {
		spend, ok = keys.Secret(edwards.EncodeScalar(a.BaseSecret())), true
	}
	if !ok {
		return secret, false
	}
	view := k.ViewSecret()
	defer clear(spend[:])
	defer clear(view[:])
	return keccak.Sum256([]byte("key of a wallet file"), spend[:], view[:]), true
}

// SealKey returns the key that opens the wallet's log, encrypted with the wallet's secret keys, see OpenSealed. It
// changes with each password. It returns nil for a wallet without a spend key, ErrClosed, or an error of the random
// source.
func (s *Session) SealKey() ([]byte, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	secret, ok := keySecret(s.w.Keys(), s.w.Multisig())
	if !ok || s.vault != nil || s.background {
		return nil, nil
	}
	defer clear(secret[:])
	return s.log.SealKey(secret)
}

// OpenSealed opens the wallet in st with the result of SealKey and the wallet's keys, and a for a signer of a multisig
// group, and gives it another password, atomically. It returns ErrPassword if sealed is not the key of st, or k are not
// the wallet's keys. Other errors are those of Open and of the storage.
func OpenSealed(
	st journal.Storage, sealed []byte, k *keys.Keys, a *multisig.Account, password []byte, h Host,
) (*Session, error) {
	secret, ok := keySecret(k, a)
	if !ok {
		return nil, ErrPassword
	}
	defer clear(secret[:])
	log, records, err := journal.OpenSealed(st, sealed, secret, h.Random)
	w, err := opened(records, err)
	if err != nil {
		return nil, err
	}
	if w.Keys().SpendPublic != k.SpendPublic || w.Keys().ViewPublic != k.ViewPublic {
		return nil, ErrPassword
	}
	if err := log.SetPassword(password); err != nil {
		return nil, err
	}
	return newSession(h, w, log, len(records)), nil
}
