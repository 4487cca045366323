// Package walletfile reads and writes the reference wallet's keys file, whose name ends in ".keys".
//
// The file is an IV, a length and a JSON object encrypted with ChaCha20; the key is the slow hash of the password. The
// account's keys in the object are a byte string whose secret keys are encrypted again, with the slow hash of the first
// key. The only integrity check is that public and secret keys match. The wallet's other file, its cache, can be
// rebuilt from the chain.
//
// Source: src/wallet/wallet2.cpp, get_keys_file_data and load_keys_buf; src/cryptonote_basic/account.cpp.
package walletfile

import (
	"errors"
	"io"

	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/chacha"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/xmr"
)

// Errors of Open and Seal.
var (
	// ErrFormat reports a file that is not a keys file, or is truncated or damaged.
	ErrFormat = errors.New("walletfile: not a file of wallet keys, or a damaged one")
	// ErrPassword reports a wrong password. Damage in a file's first bytes looks the same.
	ErrPassword = errors.New("walletfile: wrong password")
	// ErrMultisig reports a multisig wallet of a release before 0.18.
	ErrMultisig = errors.New("walletfile: a multisignature wallet of an older kind, which cannot be taken over")
	// ErrDevice reports a wallet whose keys are on a hardware device.
	ErrDevice = errors.New("walletfile: the keys are on a hardware device")
	// ErrBackground reports the keys file of background sync; use the wallet's own keys file.
	ErrBackground = errors.New("walletfile: the keys of a background synchronisation, not of the wallet")
	// ErrNoKeys reports a wallet without keys to write.
	ErrNoKeys = errors.New("walletfile: no keys")
)

// Wallet holds the contents of a keys file.
type Wallet struct {
	Keys *keys.Keys
	// Network according to the file; NetworkKnown is false for files from before 2018, which do not have it.
	Network      xmr.Network
	NetworkKnown bool
	// Language of the seed words, by its English or its local name; empty if the wallet has no seed words.
	Language string
	// RestoreHeight is the index of the first block that can contain a transaction of the wallet.
	RestoreHeight uint64
	// Created is the creation time in POSIX seconds; for a restored wallet a day in 2014, or 0.
	Created uint64
	// LookaheadMajor and LookaheadMinor are the numbers of accounts and addresses to watch after the used ones; 0 if
	// the file does not set them.
	LookaheadMajor, LookaheadMinor uint32
	// MaxReorgDepth is the maximum number of blocks that a reorganisation may remove; nil if the file does not set it,
	// which means 100.
	MaxReorgDepth *uint64
	// Multisig is the owner's account in a multisig group; nil for other wallets. Keys are then the group's.
	Multisig *multisig.Account
	// EnableMultisig records that the owner accepted the risks of multisig.
	EnableMultisig bool
}

const maxFile = 1 << 20 // the file of a wallet that is not multisig has one or two kilobytes

// Rounds is the reference's default number of password hash rounds (--kdf-rounds).
const Rounds = 1

// Open returns the wallet in file, with a password that is hashed rounds times. Each round takes about 20 milliseconds,
// and opening always needs one more. It does not change file. It returns ErrFormat, ErrPassword, ErrMultisig, ErrDevice
// or ErrBackground.
func Open(file, password []byte, rounds int) (*Wallet, error) {
	if _, _, err := split(file); err != nil {
		return nil, err
	}
	p := NewPassword(password, rounds)
	defer p.Wipe()
	return p.Open(file)
}

// unseal decrypts the encrypted part of a file.
func (p *Password) unseal(iv [chacha.IVSize]byte, sealed []byte) (*Wallet, error) {
	plain := make([]byte, len(sealed))
	defer clear(plain)
	chacha.XOR(plain, sealed, &p.key, iv)
	if o, err := parseObject(plain); err == nil {
		return o.wallet(p)
	}
	// The first releases used eight rounds; the very first wrote no object around the account.
	chacha.XOR8(plain, sealed, &p.key, iv)
	if o, err := parseObject(plain); err == nil {
		return o.wallet(p)
	}
	if a, err := parseAccount(plain); err == nil {
		defer a.wipe()
		k, err := a.keys(false)
		if err != nil {
			return nil, err
		}
		return &Wallet{Keys: k, Created: a.Created}, nil
	}
	background := p.Derive(backgroundDomain)
	defer clear(background[:])
	chacha.XOR(plain, sealed, &background, iv)
	if _, err := parseObject(plain); err == nil {
		return nil, ErrBackground
	}
	return nil, ErrPassword
}

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

// Seal returns the keys file of w, which the reference opens without a cache, encrypted with a password that is hashed
// rounds times. random must be a cryptographic source. It returns the error of random, or ErrNoKeys.
func Seal(w *Wallet, password []byte, rounds int, random io.Reader) ([]byte, error) {
	if w.Keys == nil {
		return nil, ErrNoKeys
	}
	p := NewPassword(password, rounds)
	defer p.Wipe()
	return p.Seal(w, random)
}

// newObject returns the members of a keys file of w with account a, which it encrypts.
func (p *Password) newObject(w *Wallet, a *account, random io.Reader) ([]byte, error) {
	if _, err := io.ReadFull(random, a.Keys.IV[:]); err != nil {
		return nil, err
	}
	a.crypt(p)
	return appendObject(nil, w, a)
}
