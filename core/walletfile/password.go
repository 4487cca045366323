package walletfile

import (
	"io"

	"glim/core/crypto/keccak"
	"glim/core/internal/crypto/chacha"
)

// Password has the keys that are derived from a password. Deriving them takes most of the time of every function with a
// password; a Password derives each once, for several files. It never prints, and must not be used by several
// goroutines at the same time.
type Password struct {
	key   [32]byte // encrypts keys files
	inner [32]byte // encrypts the secret keys in them; valid if has
	has   bool
}

// NewPassword derives the key of a password, which is hashed rounds times. Wipe it after use.
func NewPassword(password []byte, rounds int) *Password {
	return &Password{key: chacha.Key(password, rounds)}
}

// Wipe overwrites the keys.
func (p *Password) Wipe() { *p = Password{} }

// String hides the keys.
func (*Password) String() string { return "[secret]" }

// GoString hides the keys.
func (*Password) GoString() string { return "[secret]" }

// Derive returns the key for a purpose, which domain tells apart. Source: wallet2.cpp, derive_cache_key.
func (p *Password) Derive(domain byte) [32]byte { return keccak.Sum256(p.key[:], []byte{domain}) }

// secretKeys returns the key that encrypts the secret keys of an account. Source: account.cpp, derive_key.
func (p *Password) secretKeys() *[32]byte {
	if !p.has {
		data := append(append(make([]byte, 0, 33), p.key[:]...), 'k')
		defer clear(data)
		p.inner, p.has = chacha.Key(data, 1), true
	}
	return &p.inner
}

// Open is the function Open for p.
func (p *Password) Open(file []byte) (*Wallet, error) {
	iv, sealed, err := split(file)
	if err != nil {
		return nil, err
	}
	return p.unseal(iv, sealed)
}

// Seal is the function Seal for p.
func (p *Password) Seal(w *Wallet, random io.Reader) ([]byte, error) {
	if w.Keys == nil {
		return nil, ErrNoKeys
	}
	a := newAccount(w)
	defer a.wipe()
	plain, err := p.newObject(w, a, random)
	if err != nil {
		return nil, err
	}
	return p.sealObject(plain, random)
}

// Reseal is the function Reseal for p and the next password.
func (p *Password) Reseal(file []byte, next *Password, random io.Reader) ([]byte, error) {
	o, err := p.openObject(file)
	if err != nil {
		return nil, err
	}
	defer o.wipe()
	return p.reseal(o, next, random)
}
