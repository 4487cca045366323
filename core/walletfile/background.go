package walletfile

import (
	"io"
	"strconv"

	"glim/core/crypto/keccak"
	"glim/core/internal/crypto/chacha"
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
	key := chacha.Key(password, rounds)
	defer clear(key[:])
	return backgroundKey(&key)
}

func backgroundKey(key *[32]byte) [32]byte { return keccak.Sum256(key[:], []byte{0x8f}) }

// BackgroundOf returns the setup of background sync in a keys file. It returns ErrFormat or ErrPassword.
func BackgroundOf(file, password []byte, rounds int) (b Background, err error) {
	key := chacha.Key(password, rounds)
	defer clear(key[:])
	o, err := openObject(file, &key)
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
	defer clear(key[:])
	o, err := openObject(file, &key)
	o.wipe()
	return err == nil
}

// SetBackground returns a keys file with another setup of background sync, otherwise unchanged. Parameters and errors
// are those of Reseal.
func SetBackground(file, password []byte, rounds int, b Background, random io.Reader) ([]byte, error) {
	key := chacha.Key(password, rounds)
	defer clear(key[:])
	o, err := openObject(file, &key)
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
	return o.seal(&key, &key, random)
}

// SealBackground returns the file NAME.background.keys of w: its keys without the spend key, encrypted with a key of
// BackgroundKey. random must be a cryptographic source. It returns the error of random, or ErrNoKeys.
func SealBackground(w *Wallet, key [32]byte, random io.Reader) ([]byte, error) {
	if w.Keys == nil {
		return nil, ErrNoKeys
	}
	defer clear(key[:])
	a := newAccount(w)
	defer a.wipe()
	clear(a.Keys.Spend[:])
	plain, err := newObject(w, a, &key, random)
	if err != nil {
		return nil, err
	}
	plain = append(plain[:len(plain)-1], `,"`+backgroundType+`":`...)
	plain = append(strconv.AppendUint(plain, customBackground, 10), '}')
	return sealObject(plain, &key, random)
}
