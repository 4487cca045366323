package journal

import (
	"crypto/subtle"
	"encoding/binary"
	"io"
	"slices"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20poly1305"

	"glim/core/say"
)

// Key is what a password has become: it opens and makes journals under that password without it. It never prints.
type Key struct {
	kdf  KDF
	salt [saltSize]byte
	kek  [chacha20poly1305.KeySize]byte
}

const keySize = 12 + saltSize + chacha20poly1305.KeySize

// String hides the key.
func (Key) String() string { return "[secret]" }

// GoString hides the key.
func (Key) GoString() string { return "[secret]" }

// NewKey returns the key of a password, with a salt from rand, which must be a cryptographic source. Errors: ErrLimit or
// rand's.
func NewKey(password []byte, kdf KDF, rand io.Reader) (k Key, err error) {
	if err := kdf.check(); err != nil {
		return k, err
	}
	k.kdf = kdf
	if _, err := io.ReadFull(rand, k.salt[:]); err != nil {
		return k, err
	}
	k.kek = kdf.derive(password, k.salt)
	return k, nil
}

// Bytes returns k for ParseKey: a secret, to be kept where secrets are.
func (k Key) Bytes() []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, keySize), k.kdf.Time)
	b = binary.LittleEndian.AppendUint32(b, k.kdf.MemoryKiB)
	b = binary.LittleEndian.AppendUint32(b, k.kdf.Lanes)
	return append(append(b, k.salt[:]...), k.kek[:]...)
}

// ParseKey reads what Bytes returned. Errors: ErrFormat, ErrLimit.
func ParseKey(b []byte) (k Key, err error) {
	if len(b) != keySize {
		return k, say.Errorf("%w: a key of %d bytes", ErrFormat, len(b))
	}
	k.kdf = KDF{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])}
	copy(k.salt[:], b[12:])
	copy(k.kek[:], b[12+saltSize:])
	return k, k.kdf.check()
}

// OpenKey is Open with a key in the place of the password it was made of.
func OpenKey(st Storage, k Key, rand io.Reader) (*Journal, [][]byte, error) {
	return open(st, rand, func(header) [chacha20poly1305.KeySize]byte { return k.kek })
}

// Replace makes a journal of records under k in the place of whatever st holds, atomically. Errors: ErrLimit or the
// storage's, after which st holds what it held or the new journal, whole.
func Replace(st Storage, k Key, rand io.Reader, public []byte, records ...[]byte) (*Journal, error) {
	if len(public) > MaxPublic {
		return nil, say.Errorf("%w: %d public bytes", ErrLimit, len(public))
	}
	j := &Journal{st: st, rand: rand, kdf: k.kdf, salt: k.salt, kek: k.kek, public: slices.Clone(public)}
	if err := j.rewrite(records); err != nil {
		return nil, err
	}
	return j, nil
}

// CheckPassword returns ErrPassword unless password opens the journal in st, of which only the header is looked at. Other errors
// are Open's.
func CheckPassword(st Storage, password []byte) error {
	content, err := beginning(st)
	if err != nil {
		return err
	}
	h, err := parseHeader(content)
	if err != nil {
		return err
	}
	_, err = h.open(h.kdf.derive(password, h.salt))
	return err
}

// Forget drops the keys: the password's is overwritten, the cipher's own copy of the data key left to the garbage collector. Nothing can
// be read or written with j any more.
func (j *Journal) Forget() {
	clear(j.kek[:])
	j.writer = writer{}
	j.broken = true
}

// headSize is the length of Head.
const headSize = 12 + saltSize

// Head returns what a password needs to become k again: no secret.
func (k Key) Head() []byte { return k.Bytes()[:headSize] }

// KeyOf returns the key that a password becomes with the head of an earlier one. Errors: ErrFormat, ErrLimit.
func KeyOf(password, head []byte) (k Key, err error) {
	if len(head) != headSize {
		return k, say.Errorf("%w: a head of %d bytes", ErrFormat, len(head))
	}
	if k, err = ParseKey(append(slices.Clone(head), k.kek[:]...)); err != nil {
		return k, err
	}
	k.kek = k.kdf.derive(password, k.salt)
	return k, nil
}

// For returns a key for one purpose, which tells nothing of k, nor of its keys for other purposes.
// Source: RFC 7693, section 2.9, keyed hashing.
func (k Key) For(purpose string) Key {
	h, err := blake2b.New256(k.kek[:])
	if err != nil {
		panic("unreachable: a key of 32 bytes is taken")
	}
	h.Write([]byte(purpose))
	h.Sum(k.kek[:0])
	return k
}

// Seal encrypts plain, bound to the public bytes head, with a nonce from rand, the error of which is returned.
func (k Key) Seal(rand io.Reader, plain, head []byte) ([]byte, error) {
	nonce := make([]byte, chacha20poly1305.NonceSizeX)
	if _, err := io.ReadFull(rand, nonce); err != nil {
		return nil, err
	}
	aead, err := chacha20poly1305.NewX(k.kek[:])
	if err != nil {
		return nil, err
	}
	return aead.Seal(nonce, nonce, plain, head), nil
}

// Open returns what Seal encrypted. ErrPassword when k is another key, or the bytes or the head are others.
func (k Key) Open(sealed, head []byte) ([]byte, error) {
	if len(sealed) < chacha20poly1305.NonceSizeX {
		return nil, ErrPassword
	}
	aead, err := chacha20poly1305.NewX(k.kek[:])
	if err != nil {
		return nil, err
	}
	plain, err := aead.Open(nil, sealed[:chacha20poly1305.NonceSizeX], sealed[chacha20poly1305.NonceSizeX:], head)
	if err != nil {
		return nil, ErrPassword
	}
	return plain, nil
}

// Has reports whether k opens the journal j.
func (j *Journal) Has(k Key) bool {
	return j.salt == k.salt && subtle.ConstantTimeCompare(k.kek[:], j.kek[:]) == 1
}

// ChangeKey seals all records again, atomically, under k and a fresh data key, with other public bytes. After an error the old
// key holds, unless the next call says ErrBroken and Open tells. Errors: ErrCorrupt, ErrBroken, ErrLimit, the storage's.
func (j *Journal) ChangeKey(k Key, public []byte) error {
	if len(public) > MaxPublic {
		return say.Errorf("%w: %d public bytes", ErrLimit, len(public))
	}
	return j.reseal(func() error {
		j.kdf, j.salt, j.kek, j.public = k.kdf, k.salt, k.kek, slices.Clone(public)
		return nil
	})
}

// KDF says how hard the password was made to guess.
func (k Key) KDF() KDF { return k.kdf }

// Rewrite replaces key, public bytes and all records at once, atomically, under a fresh data key. After an error the journal holds
// what it held, unless the next call says ErrBroken and Open tells. Errors: ErrBroken, ErrLimit, the storage's.
func (j *Journal) Rewrite(k Key, public []byte, records ...[]byte) error {
	if j.broken {
		return ErrBroken
	}
	if len(public) > MaxPublic {
		return say.Errorf("%w: %d public bytes", ErrLimit, len(public))
	}
	kdf, salt, kek, had := j.kdf, j.salt, j.kek, j.public
	j.kdf, j.salt, j.kek, j.public = k.kdf, k.salt, k.kek, slices.Clone(public)
	err := j.rewrite(records)
	if err != nil {
		j.kdf, j.salt, j.kek, j.public = kdf, salt, kek, had
	}
	return err
}

// Renew is Rewrite with the key there is.
func (j *Journal) Renew(public []byte, records ...[]byte) error {
	return j.Rewrite(Key{kdf: j.kdf, salt: j.salt, kek: j.kek}, public, records...)
}
