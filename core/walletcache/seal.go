package walletcache

import (
	"bytes"
	"encoding/binary"
	"io"

	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/chacha"
	"glim/core/walletfile"
	"glim/core/xmr"
)

// emptyMark begins the IV of a cache that Empty returns. The other half of the IV is random.
const emptyMark = "glim"

// Empty returns the cache of a wallet that has scanned no block and has no accounts yet, for the wallet whose primary
// address has these keys. The reference opens it and then makes the first account, as it does without a cache. All
// releases since 0.17.0.0 read the file. It is encrypted with a password that is hashed rounds times. random must be a
// cryptographic source; its error is returned.
func Empty(spend, view xmr.PublicKey, password []byte, rounds int, random io.Reader) ([]byte, error) {
	key := NewKey(password, rounds)
	defer key.Wipe()
	return key.Empty(spend, view, random)
}

// Empty returns the cache that the function Empty returns, encrypted with k.
func (k *Key) Empty(spend, view xmr.PublicKey, random io.Reader) ([]byte, error) {
	var iv [chacha.IVSize]byte
	if _, err := io.ReadFull(random, iv[copy(iv[:], emptyMark):]); err != nil {
		return nil, err
	}
	return sealUnder(&k.key, emptyData(spend, view), iv), nil
}

// EmptyBackground returns the cache for background sync of such a wallet, encrypted with a key of
// walletfile.BackgroundKey. Releases since 0.18.4.0 read it. random must be a cryptographic source; its error is
// returned.
//
// The wallet's main cache may know more blocks than this one. The reference does not use results of a background sync
// that began with a smaller lookahead, so the cache says 0 until the reference has stored its main cache and replaced
// this one: the main wallet then scans those blocks itself.
func EmptyBackground(spend, view xmr.PublicKey, key [32]byte, random io.Reader) ([]byte, error) {
	var iv [chacha.IVSize]byte
	if _, err := io.ReadFull(random, iv[copy(iv[:], emptyMark):]); err != nil {
		return nil, err
	}
	data := emptyData(spend, view)
	data[len(magic)] = 2
	data = append(data, 0)    // m_has_ever_refreshed_from_node
	data = append(data, 0, 0) // version and first_refresh_done of m_background_sync_data
	data = binary.LittleEndian.AppendUint64(data, 0)
	data = append(data, 0) // txs
	data = binary.LittleEndian.AppendUint64(data, 0)
	data = append(data, 0, 0, 0) // lookahead and refresh type
	own := keccak.Sum256(key[:], []byte{0x8e})
	defer clear(own[:])
	return sealUnder(&own, data, iv), nil
}

// IsEmpty reports whether file is a cache that Empty returned. It contains nothing that a keys file does not.
func IsEmpty(file []byte) bool {
	return len(file) == EmptySize && string(file[:len(emptyMark)]) == emptyMark
}

// EmptySize is the size of the files that Empty returns, in bytes. Caches with an account are larger.
var EmptySize = len(sealUnder(new([32]byte), emptyData(xmr.PublicKey{}, xmr.PublicKey{}), [chacha.IVSize]byte{}))

// emptyData returns the data of an empty cache. Source: wallet2.h, BEGIN_SERIALIZE_OBJECT of wallet2, version 0.
func emptyData(spend, view xmr.PublicKey) []byte {
	b := append([]byte(magic), 0)
	b = append(b, 0, 0)                // version and offset of m_blockchain
	b = append(b, make([]byte, 32)...) // genesis block, set by the first block
	b = append(b, 0, 0)                // m_blockchain, m_transfers
	b = append(append(b, spend[:]...), view[:]...)
	b = append(b, make([]byte, 15)...) // m_key_images to m_attributes
	b = append(b, 2, 0, 0)             // m_account_tags
	b = append(b, 0)                   // m_ring_history_saved
	b = binary.LittleEndian.AppendUint64(b, 0)
	b = append(b, 0) // m_tx_device
	b = binary.LittleEndian.AppendUint64(b, 0)
	b = append(b, 0)                      // m_cold_key_images
	return append(b, make([]byte, 32)...) // m_rpc_client_secret_key
}

// Reseal returns a cache encrypted with another password, otherwise unchanged. Caches of old releases do not depend on
// the password, and are returned as they are. random must be a cryptographic source. It returns the error of random,
// ErrFormat, or ErrPassword if old does not decrypt the cache.
func Reseal(file, old, password []byte, rounds int, random io.Reader) ([]byte, error) {
	if bytes.HasPrefix(file, []byte(archive)) || bytes.HasPrefix(file, []byte(unportable)) {
		return file, nil
	}
	if _, _, err := split(file); err != nil {
		return nil, err
	}
	key, next := NewKey(old, rounds), NewKey(password, rounds)
	defer key.Wipe()
	defer next.Wipe()
	return key.Reseal(file, next, random)
}

// Reseal is the function Reseal for the keys of both passwords.
func (k *Key) Reseal(file []byte, next *Key, random io.Reader) ([]byte, error) {
	if bytes.HasPrefix(file, []byte(archive)) || bytes.HasPrefix(file, []byte(unportable)) {
		return file, nil
	}
	iv, sealed, err := split(file)
	if err != nil {
		return nil, err
	}
	data := try(sealed, &k.key, iv, chacha.XOR)
	if data == nil {
		return nil, ErrPassword
	}
	defer clear(data)
	fresh := iv[:]
	if IsEmpty(file) {
		fresh = iv[len(emptyMark):]
	}
	if _, err := io.ReadFull(random, fresh); err != nil {
		return nil, err
	}
	return sealUnder(&next.key, data, iv), nil
}

// Opens returns nil if password decrypts the cache, or if the cache does not depend on a password. Otherwise it returns
// ErrPassword or ErrFormat. It does not read the contents.
func Opens(file, password []byte, rounds int) error {
	if bytes.HasPrefix(file, []byte(archive)) || bytes.HasPrefix(file, []byte(unportable)) {
		return nil
	}
	if _, _, err := split(file); err != nil {
		return err
	}
	key := NewKey(password, rounds)
	defer key.Wipe()
	return key.Opens(file)
}

// Opens is the function Opens for a password's key.
func (k *Key) Opens(file []byte) error {
	if bytes.HasPrefix(file, []byte(archive)) || bytes.HasPrefix(file, []byte(unportable)) {
		return nil
	}
	iv, sealed, err := split(file)
	if err != nil {
		return err
	}
	var start [64]byte
	n := min(len(start), len(sealed))
	chacha.XOR(start[:n], sealed[:n], &k.key, iv)
	if !known(start[:n]) {
		return ErrPassword
	}
	return nil
}

// seal encrypts data.
func seal(data []byte, iv [chacha.IVSize]byte, password []byte, rounds int) []byte {
	key := passwordKey(password, rounds)
	defer clear(key[:])
	return sealUnder(&key, data, iv)
}

// sealUnder encrypts data with a key. Source: wallet2.cpp, get_cache_file_data.
func sealUnder(key *[32]byte, data []byte, iv [chacha.IVSize]byte) []byte {
	file := wire.AppendVarint(append([]byte(nil), iv[:]...), uint64(len(data)))
	start := len(file)
	file = append(file, data...)
	chacha.XOR(file[start:], file[start:], key, iv)
	return file
}

// cacheDomain is the reference's HASH_KEY_WALLET_CACHE.
const cacheDomain = 0x8d

// passwordKey returns the key of a cache.
func passwordKey(password []byte, rounds int) [32]byte {
	p := walletfile.NewPassword(password, rounds)
	defer p.Wipe()
	return p.Derive(cacheDomain)
}

// split returns the two parts of a file. Source: src/wallet/wallet2.h, cache_file_data.
func split(file []byte) (iv [chacha.IVSize]byte, sealed []byte, err error) {
	r := wire.NewReader(file)
	copy(iv[:], r.Bytes(chacha.IVSize))
	sealed = r.Bytes(r.Count(len(file), 1))
	if r.Close() != nil {
		return iv, nil, ErrFormat
	}
	return iv, sealed, nil
}
