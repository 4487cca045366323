package journal

import (
	"sync/atomic"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/chacha20poly1305"
)

// DeriveKey makes size bytes of a password, as k says: Argon2id, RFC 9106.
func (k KDF) DeriveKey(password, salt []byte, size uint32) []byte {
	return argon2.IDKey(password, salt, k.Time, k.MemoryKiB, uint8(k.Lanes), size)
}

// Deriver does what KDF.DeriveKey does, in another place. Nil when it cannot.
type Deriver func(k KDF, password, salt []byte, size uint32) []byte

var elsewhere atomic.Pointer[Deriver]

// SetDeriver has keys derived by d: for a host whose programs never give memory back, and have others that end. What d cannot do
// is done here.
func SetDeriver(d Deriver) { elsewhere.Store(&d) }

func (k KDF) derive(password []byte, salt [saltSize]byte) (key [chacha20poly1305.KeySize]byte) {
	var made []byte
	if d := elsewhere.Load(); d != nil {
		made = (*d)(k, password, salt[:], uint32(len(key)))
	}
	if len(made) != len(key) {
		made = k.DeriveKey(password, salt[:], uint32(len(key)))
	}
	copy(key[:], made)
	clear(made)
	return key
}
