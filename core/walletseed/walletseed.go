// Package walletseed derives the keys of Monero wallets from the seeds of hardware wallets and of MyMonero. The same
// words give a different wallet in each way, so the user must say which one made the wallet.
package walletseed

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/binary"
	"errors"

	"glim/core/bip39"
	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/internal/crypto/secp256k1"
	"glim/core/keys"
)

// Errors.
var (
	ErrAccount = errors.New("walletseed: an account is a number below 2147483648")
	// ErrNoKey occurs for about one in 2^127 seeds.
	ErrNoKey = errors.New("walletseed: the seed has no key for this account")
)

const (
	hardened = 1 << 31 // marks a step whose child depends on the secret key
	purpose  = 44      // BIP 44
	monero   = 128     // SLIP 44, the coin's number
)

// Trezor returns the keys of an account of a Trezor: the key of m/44'/128'/account' by SLIP 10 for ed25519, modulo ℓ,
// is the spend key. The error is ErrAccount or keys.ErrKey.
// Source: github.com/trezor/trezor-firmware, core/src/apps/monero/misc.py, get_creds; slips/slip-0010.md.
func Trezor(seed [bip39.SeedSize]byte, account uint32) (*keys.Keys, error) {
	if account >= hardened {
		return nil, ErrAccount
	}
	n := master("ed25519 seed", &seed)
	defer n.wipe()
	for _, step := range []uint32{purpose, monero, account} {
		n.key, n.chain = n.hardened(step)
	}
	return keys.FromSeed(n.key)
}

// Ledger returns the keys of an account of a Ledger, or of a Keystone: the Keccak hash of the key of
// m/44'/128'/account'/0/0 by BIP 32, modulo ℓ, is the spend key. The error is ErrAccount, ErrNoKey or keys.ErrKey.
// Source: github.com/LedgerHQ/app-monero, src/monero_init.c, monero_init_private_key.
func Ledger(seed [bip39.SeedSize]byte, account uint32) (*keys.Keys, error) {
	if account >= hardened {
		return nil, ErrAccount
	}
	n, err := bip32(&seed, []uint32{hardened | purpose, hardened | monero, hardened | account, 0, 0})
	defer n.wipe()
	if err != nil {
		return nil, err
	}
	spend := keccak.Sum256(n.key[:])
	defer clear(spend[:])
	return keys.FromSeed(spend)
}

// MyMonero returns the keys of a MyMonero seed of 13 words: the Keccak hash of the seed, modulo ℓ, is the spend key;
// the hash of that hash, modulo ℓ, the view key. So the view key does not follow from the spend key, and the wallet
// has no seed of 25 words. The error is keys.ErrKey.
// Source: github.com/mymonero/mymonero-core-js, cryptonote_utils, create_address.
func MyMonero(seed [16]byte) (*keys.Keys, error) {
	spend := keccak.Sum256(seed[:])
	defer clear(spend[:])
	view := keccak.Sum256(spend[:])
	defer clear(view[:])
	return keys.FromSecrets(edwards.EncodeScalar(edwards.ReduceScalar(spend)),
		edwards.EncodeScalar(edwards.ReduceScalar(view)))
}

// node is a key of a tree of keys, with what its children depend on.
type node struct {
	key, chain [32]byte
}

func (n *node) wipe() { *n = node{} }

// master returns the root of the tree of a seed. Source: BIP 32 and SLIP 10, master key generation.
func master(curve string, seed *[bip39.SeedSize]byte) (n node) {
	n.key, n.chain = halves([]byte(curve), seed[:])
	return n
}

// hardened returns the two halves of the hash for hardened child number i.
func (n *node) hardened(i uint32) (left, right [32]byte) {
	var data [37]byte
	defer clear(data[:])
	copy(data[1:], n.key[:])
	binary.BigEndian.PutUint32(data[33:], hardened|i)
	return halves(n.chain[:], data[:])
}

// halves returns HMAC-SHA512 in two halves.
func halves(key, data []byte) (left, right [32]byte) {
	h := hmac.New(sha512.New, key)
	h.Write(data)
	sum := h.Sum(nil)
	defer clear(sum)
	return [32]byte(sum[:32]), [32]byte(sum[32:])
}

// bip32 returns the key at path on secp256k1. The error is ErrNoKey.
// Source: github.com/bitcoin/bips, bip-0032.mediawiki, private parent key to private child key.
func bip32(seed *[bip39.SeedSize]byte, path []uint32) (n node, err error) {
	n = master("Bitcoin seed", seed)
	if !secp256k1.Valid(&n.key) {
		return n, ErrNoKey
	}
	for _, i := range path {
		if n, err = n.child(i); err != nil {
			return n, err
		}
	}
	return n, nil
}

// child returns child number i by BIP 32. The error is ErrNoKey.
func (n *node) child(i uint32) (c node, err error) {
	var left [32]byte
	defer clear(left[:])
	if i >= hardened {
		left, c.chain = n.hardened(i - hardened)
	} else {
		public := secp256k1.PublicKey(&n.key)
		left, c.chain = halves(n.chain[:], binary.BigEndian.AppendUint32(public[:], i))
	}
	// BIP 32 allows a left half of zero, but no such hash is known.
	if !secp256k1.Valid(&left) {
		return c, ErrNoKey
	}
	if c.key = secp256k1.Add(&left, &n.key); !secp256k1.Valid(&c.key) {
		return c, ErrNoKey
	}
	return c, nil
}
