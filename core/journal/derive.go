package journal

import (
	"sync/atomic"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/chacha20poly1305"
)

// DeriveKey returns size bytes derived from password and salt with Argon2id (RFC 9106) and the parameters k.
func (k KDF) DeriveKey(password, salt []byte, size uint32) []byte {
	return argon2.IDKey(password, salt, k.Time, k.MemoryKiB, uint8(k.Lanes), size)
}

// Deriver computes KDF.DeriveKey elsewhere, such as in another process. It returns nil if it cannot.
type Deriver func(k KDF, password, salt []byte, size uint32) []byte

var deriver atomic.Pointer[Deriver]

// SetDeriver makes this package derive keys with d. It is meant for hosts, such as WebAssembly, whose memory never
// shrinks: there a short-lived worker can take the memory that Argon2id needs. If d returns nil, the key is derived
// here.
func SetDeriver(d Deriver) { deriver.Store(&d) }

func (k KDF) derive(password []byte, salt [saltSize]byte) (key [chacha20poly1305.KeySize]byte) {
	var derived []byte
	if d := deriver.Load(); d != nil {
		derived = (*d)(k, password, salt[:], uint32(len(key)))
	}
	if len(derived) != len(key) {
		derived = k.DeriveKey(password, salt[:], uint32(len(key)))
	}
	copy(key[:], derived)
	clear(derived)
	return key
}
