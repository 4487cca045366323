package walletcache

import (
	"bytes"

	"glim/core/internal/crypto/chacha"
	"glim/core/walletfile"
)

// magic is the beginning of the data since release 0.17.0.0. Source: wallet2.h, MAGIC_FIELD.
const magic = "monero wallet cache"

// archive is the beginning of a portable Boost archive: the size of the length field, the length and the signature.
// Source: external/boost/archive/portable_binary_iarchive.hpp, init.
const archive = "\x01\x16serialization::archive"

// unportable is the beginning of a Boost archive that is not portable.
const unportable = "\x16\x00\x00\x00\x00\x00\x00\x00serialization::archive"

// Open reads a cache with the password, number of rounds (see chacha.Key) and result of walletfile.Open for its keys
// file. It returns ErrFormat, ErrVersion, ErrPassword or ErrOwner. It copies the data and takes at most eight times as
// much memory for the contents; it does not change file.
//
// Source: wallet2.cpp, load_wallet_cache.
func Open(file, password []byte, rounds int, owner *walletfile.Wallet) (*Cache, error) {
	data, err := decrypt(file, password, rounds, owner)
	if err != nil {
		return nil, err
	}
	c, err := parse(data)
	if err != nil {
		clear(data)
		return nil, err
	}
	if c.Spend != owner.Keys.SpendPublic || c.View != owner.Keys.ViewPublic {
		c.Wipe()
		return nil, ErrOwner
	}
	return c, nil
}

// Wipe overwrites the secrets of c and everything that shares its memory.
func (c *Cache) Wipe() {
	clear(c.secret)
	for i := range c.TxKeys {
		clear(c.TxKeys[i].Key[:])
		clear(c.TxKeys[i].Additional)
	}
	for i := range c.Transfers {
		clear(c.Transfers[i].MultisigNonces)
	}
	clear(c.RPCClientSecret[:])
}

// decrypt returns the data of a file in newly allocated memory.
func decrypt(file, password []byte, rounds int, owner *walletfile.Wallet) ([]byte, error) {
	if bytes.HasPrefix(file, []byte(archive)) || bytes.HasPrefix(file, []byte(unportable)) {
		return bytes.Clone(file), nil // early releases did not encrypt
	}
	iv, sealed, err := split(file)
	if err != nil {
		return nil, err
	}
	key := passwordKey(password, rounds)
	defer clear(key[:])
	if data := try(sealed, &key, iv, chacha.XOR); data != nil {
		return data, nil
	}
	// Older releases derived the key from the account's keys, the first of them with eight rounds.
	key = accountKey(owner, rounds)
	if data := try(sealed, &key, iv, chacha.XOR); data != nil {
		return data, nil
	}
	if data := try(sealed, &key, iv, chacha.XOR8); data != nil {
		return data, nil
	}
	return nil, ErrPassword
}

// accountKey returns the key derived from the account's secret keys; a missing one counts as zeros.
// Source: src/device/device_default.cpp, generate_chacha_key.
func accountKey(owner *walletfile.Wallet, rounds int) [32]byte {
	view := owner.Keys.ViewSecret()
	defer clear(view[:])
	spend, _ := owner.Keys.SpendSecret()
	defer clear(spend[:])
	secret := make([]byte, 0, 65)
	secret = append(secret, view[:]...)
	if owner.Multisig != nil {
		secret = append(secret, owner.Multisig.BaseSecret().Bytes()...)
	} else {
		secret = append(secret, spend[:]...)
	}
	secret = append(secret, 0x8c) // HASH_KEY_WALLET
	defer clear(secret)
	return chacha.Key(secret, rounds)
}

type cipher = func(out, in []byte, key *[32]byte, iv [chacha.IVSize]byte)

// try returns the decrypted data, or nil if its beginning shows that the key is wrong.
func try(sealed []byte, key *[32]byte, iv [chacha.IVSize]byte, xor cipher) []byte {
	var start [64]byte
	n := min(len(start), len(sealed))
	xor(start[:n], sealed[:n], key, iv)
	if !known(start[:n]) {
		return nil
	}
	data := make([]byte, len(sealed))
	xor(data, sealed, key, iv)
	return data
}

func known(start []byte) bool {
	for _, beginning := range []string{magic, archive, unportable} {
		if bytes.HasPrefix(start, []byte(beginning)) {
			return true
		}
	}
	return false
}

// parse reads decrypted data in the format that its beginning indicates.
func parse(data []byte) (*Cache, error) {
	switch {
	case bytes.HasPrefix(data, []byte(magic)):
		return parseBinary(data)
	case bytes.HasPrefix(data, []byte(archive)):
		return parseBoost(data)
	case bytes.HasPrefix(data, []byte(unportable)):
		return nil, &VersionError{Part: "binary_iarchive"}
	}
	return nil, ErrFormat
}
