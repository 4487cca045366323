package journal

import (
	"crypto/subtle"
	"encoding/binary"
	"io"
	"slices"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20poly1305"

	"glim/core/smallfmt"
)

// Key is the key derived from a password. It opens and creates journals in place of the password. Printing it shows
// no secret.
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

// NewKey derives a key from password with a salt from rand, which must be a cryptographic source. Errors: ErrLimit,
// or an error of rand.
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

// Bytes returns k in the encoding of ParseKey. It is secret.
func (k Key) Bytes() []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, keySize), k.kdf.Time)
	b = binary.LittleEndian.AppendUint32(b, k.kdf.MemoryKiB)
	b = binary.LittleEndian.AppendUint32(b, k.kdf.Lanes)
	return append(append(b, k.salt[:]...), k.kek[:]...)
}

// ParseKey parses the encoding that Bytes returns. Errors: ErrFormat, ErrLimit.
func ParseKey(b []byte) (k Key, err error) {
	if len(b) != keySize {
		return k, smallfmt.Errorf("%w: a key of %d bytes", ErrFormat, len(b))
	}
	k.kdf = KDF{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])}
	copy(k.salt[:], b[12:])
	copy(k.kek[:], b[12+saltSize:])
	return k, k.kdf.check()
}

// OpenKey is Open with the key derived from the password.
func OpenKey(st Storage, k Key, rand io.Reader) (*Journal, [][]byte, error) {
	return open(st, rand, func(header) [chacha20poly1305.KeySize]byte { return k.kek })
}

// Replace replaces the content of st, whatever it is, with a journal of the given records under k, atomically.
// Errors: ErrLimit, or an error of the storage, after which st holds either the old content or the complete new
// journal.
func Replace(st Storage, k Key, rand io.Reader, public []byte, records ...[]byte) (*Journal, error) {
	if len(public) > MaxPublic {
		return nil, smallfmt.Errorf("%w: %d public bytes", ErrLimit, len(public))
	}
	j := &Journal{st: st, rand: rand, kdf: k.kdf, salt: k.salt, kek: k.kek, public: slices.Clone(public)}
	if err := j.rewrite(records); err != nil {
		return nil, err
	}
	return j, nil
}

// CheckPassword returns ErrPassword unless password opens the journal in st. It reads only the header. It returns the
// other errors of Open as well.
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

// Forget drops the keys and makes j unusable. It overwrites the key derived from the password; the cipher's copy of
// the data key is left to the garbage collector.
func (j *Journal) Forget() {
	clear(j.kek[:])
	j.writer = writer{}
	j.broken = true
}

// headSize is the length of the result of Head.
const headSize = 12 + saltSize

// Head returns the KDF parameters and the salt of k, from which KeyOf derives k again. They are not secret.
func (k Key) Head() []byte { return k.Bytes()[:headSize] }

// KeyOf derives a key from password with the KDF parameters and the salt in head. Errors: ErrFormat, ErrLimit.
func KeyOf(password, head []byte) (k Key, err error) {
	if len(head) != headSize {
		return k, smallfmt.Errorf("%w: a head of %d bytes", ErrFormat, len(head))
	}
	if k, err = ParseKey(append(slices.Clone(head), k.kek[:]...)); err != nil {
		return k, err
	}
	k.kek = k.kdf.derive(password, k.salt)
	return k, nil
}

// For derives a key for one purpose, which reveals nothing about k or about its keys for other purposes.
// Source: RFC 7693, section 2.9, keyed hashing.
func (k Key) For(purpose string) Key {
	h, err := blake2b.New256(k.kek[:])
	if err != nil {
		panic("unreachable: a key of 32 bytes is valid")
	}
	h.Write([]byte(purpose))
	h.Sum(k.kek[:0])
	return k
}

// Seal encrypts plain, with head as additional data and a nonce from rand. It returns the errors of rand.
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

// Open decrypts the result of Seal. It returns ErrPassword if the key, the bytes or the additional data differ.
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

// Has reports whether k is the key of j.
func (j *Journal) Has(k Key) bool {
	return j.salt == k.salt && subtle.ConstantTimeCompare(k.kek[:], j.kek[:]) == 1
}

// ChangeKey encrypts all records again, atomically, under k and a fresh data key, with new public bytes. After an
// error the old key is valid; if the next call returns ErrBroken, either is. Errors: ErrCorrupt, ErrBroken, ErrLimit,
// or an error of the storage.
func (j *Journal) ChangeKey(k Key, public []byte) error {
	if len(public) > MaxPublic {
		return smallfmt.Errorf("%w: %d public bytes", ErrLimit, len(public))
	}
	return j.rekey(func() error {
		j.kdf, j.salt, j.kek, j.public = k.kdf, k.salt, k.kek, slices.Clone(public)
		return nil
	})
}

// KDF returns the parameters with which k was derived from its password.
func (k Key) KDF() KDF { return k.kdf }

// Rewrite replaces the key, the public bytes and all records, atomically, under a fresh data key. After an error the
// journal is as it was; if the next call returns ErrBroken, it may be the new one. Errors: ErrBroken, ErrLimit, or an
// error of the storage.
func (j *Journal) Rewrite(k Key, public []byte, records ...[]byte) error {
	if j.broken {
		return ErrBroken
	}
	if len(public) > MaxPublic {
		return smallfmt.Errorf("%w: %d public bytes", ErrLimit, len(public))
	}
	kdf, salt, kek, had := j.kdf, j.salt, j.kek, j.public
	j.kdf, j.salt, j.kek, j.public = k.kdf, k.salt, k.kek, slices.Clone(public)
	err := j.rewrite(records)
	if err != nil {
		j.kdf, j.salt, j.kek, j.public = kdf, salt, kek, had
	}
	return err
}

// Renew is Rewrite with the current key.
func (j *Journal) Renew(public []byte, records ...[]byte) error {
	return j.Rewrite(Key{kdf: j.kdf, salt: j.salt, kek: j.kek}, public, records...)
}

// SealKey returns the key of j encrypted with secret, for OpenSealed. It returns the errors of rand.
func (j *Journal) SealKey(secret [32]byte) ([]byte, error) {
	own := Key{kdf: j.kdf, salt: j.salt, kek: j.kek}.Bytes()
	defer clear(own)
	return Key{kek: secret}.Seal(j.rand, own, nil)
}

// OpenSealed is Open with a key that SealKey encrypted with secret. It returns ErrPassword if sealed is not such a key,
// or if the password was changed since.
func OpenSealed(st Storage, sealed []byte, secret [32]byte, rand io.Reader) (*Journal, [][]byte, error) {
	own, err := Key{kek: secret}.Open(sealed, nil)
	if err != nil {
		return nil, nil, err
	}
	defer clear(own)
	k, err := ParseKey(own)
	if err != nil {
		return nil, nil, err
	}
	return OpenKey(st, k, rand)
}
