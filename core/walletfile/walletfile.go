// Package walletfile reads and writes the reference wallet's file of keys, the one whose name ends in ".keys".
//
// The file is a number used once, a length and a JSON object under ChaCha20, whose key is the slow hash of the
// password. The account's keys in the object are a string of bytes, the secret ones under a second key that is the slow
// hash of the first. Nothing guards against changes but that the public keys must fit the secret ones. What the other
// file of a wallet holds, its cache, the chain gives back.
//
// Source: src/wallet/wallet2.cpp, get_keys_file_data and load_keys_buf; src/cryptonote_basic/account.cpp.
package walletfile

import (
	"errors"
	"io"

	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/chacha"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/xmr"
)

// Errors of Open and Seal.
var (
	// ErrFormat reports what is no file of keys, or one cut short or damaged.
	ErrFormat = errors.New("walletfile: not a file of wallet keys, or a damaged one")
	// ErrPassword reports a wrong password; of a file damaged in its first bytes, the same is all that can be said.
	ErrPassword = errors.New("walletfile: wrong password")
	// ErrMultisig reports a wallet of several people that is not of the kind made since release 0.18.
	ErrMultisig = errors.New("walletfile: a multisignature wallet of an older kind, which cannot be taken over")
	// ErrDevice reports a wallet whose keys are on a hardware device.
	ErrDevice = errors.New("walletfile: the keys are on a hardware device")
	// ErrBackground reports the helper of a wallet that synchronises in the background: the wallet's own file is wanted.
	ErrBackground = errors.New("walletfile: the keys of a background synchronisation, not of the wallet")
	// ErrNoKeys reports that there is nothing to write.
	ErrNoKeys = errors.New("walletfile: no keys")
)

// Wallet is what a file of keys says of a wallet.
type Wallet struct {
	Keys *keys.Keys
	// Network, as the file says; NetworkKnown is false for files from before 2018, which say nothing.
	Network      xmr.Network
	NetworkKnown bool
	// Language of the seed words, by its English or its local name; empty when no words belong to the wallet.
	Language string
	// RestoreHeight is the index of the first block that can hold anything of the wallet.
	RestoreHeight uint64
	// Created is when the keys were made, in POSIX seconds; for a restored wallet a day in 2014, or 0.
	Created uint64
	// LookaheadMajor and LookaheadMinor are how many accounts and addresses beyond the used ones are watched; 0 when
	// the file says nothing.
	LookaheadMajor, LookaheadMinor uint32
	// MaxReorgDepth is how many blocks a reorganisation may drop; nil when the file says nothing, which is 100.
	MaxReorgDepth *uint64
	// Multisig is the owner's part in a group of signers; nil for one person's wallet. Keys are then the group's.
	Multisig *multisig.Account
	// EnableMultisig says that the owner took the risks of multisig.
	EnableMultisig bool
}

const maxFile = 1 << 20 // a wallet alone has one or two kilobytes

// Rounds is how often the reference hashes a password unless it is told otherwise (--kdf-rounds).
const Rounds = 1

// Open returns the wallet in file, under a password that was hashed rounds times. Each round takes some 20
// milliseconds, and there is one more; file is not changed. Errors: ErrFormat, ErrPassword, ErrMultisig, ErrDevice,
// ErrBackground.
func Open(file, password []byte, rounds int) (*Wallet, error) {
	iv, sealed, err := split(file)
	if err != nil {
		return nil, err
	}
	key := chacha.Key(password, rounds)
	defer clear(key[:])
	return unseal(iv, sealed, &key)
}

// unseal returns the wallet in the sealed part of a file.
func unseal(iv [chacha.IVSize]byte, sealed []byte, key *[32]byte) (*Wallet, error) {
	plain := make([]byte, len(sealed))
	defer clear(plain)
	chacha.XOR(plain, sealed, key, iv)
	if o, err := parseObject(plain); err == nil {
		return o.wallet(key)
	}
	// The first files were written with eight rounds, at the very first without an object around the account.
	chacha.XOR8(plain, sealed, key, iv)
	if o, err := parseObject(plain); err == nil {
		return o.wallet(key)
	}
	if a, err := parseAccount(plain); err == nil {
		defer a.wipe()
		k, err := a.keys(false)
		if err != nil {
			return nil, err
		}
		return &Wallet{Keys: k, Created: a.Created}, nil
	}
	background := backgroundKey(key)
	defer clear(background[:])
	chacha.XOR(plain, sealed, &background, iv)
	if _, err := parseObject(plain); err == nil {
		return nil, ErrBackground
	}
	return nil, ErrPassword
}

// backgroundKey returns the key of the other file of keys that a wallet can have.
// Source: wallet2.cpp, get_custom_background_key.
func backgroundKey(key *[32]byte) [32]byte { return keccak.Sum256(key[:], []byte{0x8f}) }

// split returns the two parts of a file. Source: src/wallet/wallet2.h, keys_file_data.
func split(file []byte) (iv [chacha.IVSize]byte, sealed []byte, err error) {
	r := wire.NewReader(file)
	copy(iv[:], r.Bytes(chacha.IVSize))
	sealed = r.Bytes(r.Count(maxFile, 1))
	if r.Close() != nil || len(sealed) == 0 {
		return iv, nil, ErrFormat
	}
	return iv, sealed, nil
}

// Seal returns the file of keys of w, which the reference opens without any other: under a password, hashed rounds
// times, with numbers from random, which must be a cryptographic source. The error is that of random, or ErrNoKeys.
func Seal(w *Wallet, password []byte, rounds int, random io.Reader) ([]byte, error) {
	if w.Keys == nil {
		return nil, ErrNoKeys
	}
	var ivs [2][chacha.IVSize]byte // of the keys, of the object around them
	for i := range ivs {
		if _, err := io.ReadFull(random, ivs[i][:]); err != nil {
			return nil, err
		}
	}
	key := chacha.Key(password, rounds)
	defer clear(key[:])
	a := newAccount(w)
	defer a.wipe()
	a.Keys.IV = ivs[0]
	a.crypt(&key)
	plain, err := appendObject(nil, w, a)
	if err != nil {
		return nil, err
	}
	defer clear(plain)
	file := wire.AppendVarint(append([]byte(nil), ivs[1][:]...), uint64(len(plain)))
	start := len(file)
	file = append(file, plain...)
	chacha.XOR(file[start:], file[start:], &key, ivs[1])
	return file, nil
}
