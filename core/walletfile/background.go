package walletfile

import (
	"io"
	"strconv"
)

// Names of members, and the type of background sync that has files of its own, see wallet2.h, BackgroundSyncType.
const (
	backgroundType      = "background_sync_type"
	backgroundKeyMember = "custom_background_key"
	customBackground    = 2
)

// Background is the setup of background sync in a keys file. Source: wallet2.cpp, get_keys_file_data, release 0.18.4.0.
type Background struct {
	// Type is 0 for none, 1 for a wallet that syncs in its own cache, and 2 for one that syncs in the files
	// NAME.background and NAME.background.keys.
	Type uint8
	// Key encrypts NAME.background.keys, if Type is 2; see BackgroundKey.
	Key [32]byte
}

// BackgroundKey returns the key of the files for background sync that a password opens, which is hashed rounds times.
// Source: wallet2.cpp, get_custom_background_key.
func BackgroundKey(password []byte, rounds int) [32]byte {
	p := NewPassword(password, rounds)
	defer p.Wipe()
	return p.Derive(backgroundDomain)
}

// backgroundDomain is the reference's HASH_KEY_BACKGROUND_KEYS_FILE.
const backgroundDomain = 0x8f

// BackgroundOf returns the setup of background sync in a keys file. It returns ErrFormat or ErrPassword.
func (p *Password) BackgroundOf(file []byte) (b Background, err error) {
	o, err := p.openObject(file)
	if err != nil {
		return b, err
	}
	defer o.wipe()
	kind, err := o.number(backgroundType, 8, 0)
	if err != nil {
		return b, err
	}
	text, err := o.bytes(backgroundKeyMember)
	defer clear(text)
	switch {
	case err != nil:
		return b, err
	case kind == customBackground && len(text) != len(b.Key):
		return b, ErrFormat
	case kind == customBackground:
		b.Key = [32]byte(text)
	}
	b.Type = uint8(kind)
	return b, nil
}

// OpensBackground reports whether file is a keys file for background sync with that key.
func OpensBackground(file []byte, key [32]byte) bool {
	p := &Password{key: key}
	clear(key[:])
	defer p.Wipe()
	o, err := p.openObject(file)
	o.wipe()
	return err == nil
}

// SetBackground returns a keys file with another setup of background sync, otherwise unchanged. Errors are those of
// Reseal.
func (p *Password) SetBackground(file []byte, b Background, random io.Reader) ([]byte, error) {
	o, err := p.openObject(file)
	if err != nil {
		return nil, err
	}
	defer o.wipe()
	o[backgroundType] = strconv.AppendUint(nil, uint64(b.Type), 10)
	delete(o, backgroundKeyMember)
	if b.Type == customBackground {
		text := appendString(nil, b.Key[:])
		defer clear(text)
		o[backgroundKeyMember] = mapped(text)
	}
	return p.reseal(o, p, random)
}

// SealBackground returns the file NAME.background.keys of w: its keys without the spend key, encrypted with a key of
// BackgroundKey. random must be a cryptographic source. It returns the error of random, or ErrNoKeys.
func SealBackground(w *Wallet, key [32]byte, random io.Reader) ([]byte, error) {
	if w.Keys == nil {
		return nil, ErrNoKeys
	}
	p := &Password{key: key}
	clear(key[:])
	defer p.Wipe()
	a := newAccount(w)
	defer a.wipe()
	clear(a.Keys.Spend[:])
	plain, err := p.newObject(w, a, random)
	if err != nil {
		return nil, err
	}
	plain = append(plain[:len(plain)-1], `,"`+backgroundType+`":`...)
	plain = append(strconv.AppendUint(plain, customBackground, 10), '}')
	return p.sealObject(plain, random)
}
