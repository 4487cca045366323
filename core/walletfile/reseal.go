package walletfile

import (
	"bytes"
	"crypto/subtle"
	"io"
	"unicode/utf8"

	"glim/core/codec/epee"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/chacha"
	"glim/core/multisig"
)

// Reseal returns a keys file encrypted with another password, with all of the reference's settings. Both passwords are
// hashed rounds times. random must be a cryptographic source. It returns the error of random, ErrFormat, or
// ErrPassword, also for files of releases that did not encrypt the keys in them again.
func Reseal(file, old, password []byte, rounds int, random io.Reader) ([]byte, error) {
	p, next := NewPassword(old, rounds), NewPassword(password, rounds)
	defer p.Wipe()
	defer next.Wipe()
	return p.Reseal(file, next, random)
}

// openObject decrypts a file and returns its members. It returns ErrFormat or ErrPassword.
func (p *Password) openObject(file []byte) (object, error) {
	iv, sealed, err := split(file)
	if err != nil {
		return nil, err
	}
	plain := make([]byte, len(sealed))
	defer clear(plain)
	chacha.XOR(plain, sealed, &p.key, iv)
	o, err := parseObject(plain)
	if err != nil {
		return nil, ErrPassword
	}
	return o, nil
}

// reseal returns a keys file with the members of o, whose account is encrypted with p, under the password next.
func (p *Password) reseal(o object, next *Password, random io.Reader) ([]byte, error) {
	if encrypted, err := o.number("encrypted_secret_keys", 32, 0); err != nil || encrypted == 0 {
		return nil, ErrPassword
	}
	data, err := o.bytes("key_data")
	if err != nil {
		return nil, err
	}
	defer clear(data)
	a, err := parseAccount(data)
	if err != nil {
		return nil, err
	}
	defer a.wipe()
	a.crypt(p)
	if _, err := io.ReadFull(random, a.Keys.IV[:]); err != nil {
		return nil, err
	}
	a.crypt(next)
	account, err := epee.Marshal(a)
	if err != nil {
		return nil, err
	}
	b := appendString([]byte(`{"key_data":`), account)
	for name, value := range o {
		if name != "key_data" {
			b = append(appendString(append(b, ','), []byte(name)), ':')
			b = appendBytes(b, value)
		}
	}
	return next.sealObject(append(b, '}'), random)
}

// Update returns a keys file of w that has all other settings of an earlier file of the same wallet, which has the same
// password. Errors are those of Reseal.
func (p *Password) Update(file []byte, w *Wallet, random io.Reader) ([]byte, error) {
	fresh, err := p.Seal(w, random)
	if err != nil {
		return nil, err
	}
	o, err := p.openObject(file)
	if err != nil {
		return nil, err
	}
	defer o.wipe()
	next, err := p.openObject(fresh)
	if err != nil {
		return nil, err
	}
	defer next.wipe()
	for name, value := range o {
		if _, has := next[name]; !has {
			next[name] = bytes.Clone(value)
		}
	}
	return p.reseal(next, p, random)
}

// Earlier reports whether w is the state of a wallet before it joined a multisig group, or in an earlier round of the
// key exchange, and later is the state now.
func (w *Wallet) Earlier(later *Wallet) bool {
	if later.Multisig == nil {
		return false
	}
	now := later.Multisig.Data()
	defer clear(now.Shares)
	if w.Multisig == nil {
		base, ok := multisig.BlindedSecretKey(w.Keys)
		return ok && subtle.ConstantTimeCompare(base[:], now.Base[:]) == 1
	}
	was := w.Multisig.Data()
	defer clear(was.Shares)
	return subtle.ConstantTimeCompare(was.Base[:], now.Base[:]) == 1 && was.Round < now.Round
}

// sealObject encrypts the object around an account and clears it.
func (p *Password) sealObject(plain []byte, random io.Reader) ([]byte, error) {
	defer clear(plain)
	var iv [chacha.IVSize]byte
	if _, err := io.ReadFull(random, iv[:]); err != nil {
		return nil, err
	}
	file := wire.AppendVarint(append([]byte(nil), iv[:]...), uint64(len(plain)))
	start := len(file)
	file = append(file, plain...)
	chacha.XOR(file[start:], file[start:], &p.key, iv)
	return file, nil
}

// appendBytes appends the text of a value, which parseObject has made valid UTF-8, as it was in the file.
func appendBytes(b, text []byte) []byte {
	for _, r := range string(text) {
		if r >= private+utf8.RuneSelf && r <= private+0xff {
			b = append(b, byte(r-private))
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

func (o object) wipe() {
	for _, value := range o {
		clear(value)
	}
}
