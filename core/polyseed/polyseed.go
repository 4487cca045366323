// Package polyseed reads and writes Polyseed seeds: 16 words that also contain the month of creation, so that a
// restored wallet knows where to start scanning. Use New for a new wallet and Languages.Decode to restore one; package
// mnemonic handles Monero's seeds of 25 words.
//
// Each word is a digit of eleven bits: a checksum, then fifteen digits that share 150 secret bits, five feature bits
// and ten bits for the month of creation. As coefficients of a polynomial over GF(2048) they evaluate to zero at x = 2.
// The key depends on the month and the features.
//
// Source: github.com/tevador/polyseed, README.md.
package polyseed

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io"
)

// Errors.
var (
	ErrCount      = errors.New("polyseed: a seed has 16 words")
	ErrChecksum   = errors.New("polyseed: the words do not fit together: one is wrong or out of place")
	ErrFeatures   = errors.New("polyseed: the seed has unknown features")
	ErrAmbiguous  = errors.New("polyseed: the words fit in several languages: choose one")
	ErrEncrypted  = errors.New("polyseed: the seed is encrypted: its passphrase is needed first")
	ErrPassphrase = errors.New("polyseed: passphrases beyond ASCII need Unicode's NFKD")
)

const (
	words      = 16
	secretBits = 150
	secretSize = 19 // the last byte has six bits
	lastMask   = 0x3f
	dateBits   = 10
	encrypted  = 1 << 4 // feature bit

	epoch = 1635768000 // noon of the first of November 2021, UTC
	month = 2629746    // a twelfth of the Gregorian year, in seconds

	iterations = 10000
)

// Seed is a decoded seed. Formatting it never prints the secret.
type Seed struct {
	secret   [secretSize]byte
	birthday uint16
	features uint8
}

// String hides the seed.
func (*Seed) String() string { return "[polyseed]" }

// GoString hides the seed.
func (*Seed) GoString() string { return "[polyseed]" }

// New returns a new seed. random is a cryptographic source, now the time in POSIX seconds. The error is random's.
func New(random io.Reader, now uint64) (*Seed, error) {
	s := new(Seed)
	if _, err := io.ReadFull(random, s.secret[:]); err != nil {
		return nil, err
	}
	s.secret[secretSize-1] &= lastMask
	if now > epoch {
		s.birthday = uint16((now - epoch) / month % (1 << dateBits))
	}
	return s, nil
}

// Birthday returns the start of the month of creation in POSIX seconds, at most 31 days before the creation.
func (s *Seed) Birthday() uint64 { return epoch + month*uint64(s.birthday) }

// Encrypted reports whether the seed is encrypted; see Crypt.
func (s *Seed) Encrypted() bool { return s.features&encrypted != 0 }

// Key returns the argument of keys.FromSeed for the wallet. The error is ErrEncrypted.
func (s *Seed) Key() (key [32]byte, err error) {
	if s.Encrypted() {
		return key, ErrEncrypted
	}
	salt := []byte("POLYSEED key\x00\xff\xff\xff")
	salt = binary.LittleEndian.AppendUint32(salt, 0) // Monero
	salt = binary.LittleEndian.AppendUint32(salt, uint32(s.birthday))
	salt = binary.LittleEndian.AppendUint32(salt, uint32(s.features))
	salt = binary.LittleEndian.AppendUint32(salt, 0)
	var padded [32]byte
	defer clear(padded[:])
	copy(padded[:], s.secret[:])
	return derive(padded[:], salt), nil
}

// Crypt encrypts the seed with a passphrase, or decrypts it; a wrong passphrase is not detected. nfkd must return the
// passphrase in Unicode's form NFKD. If it is nil, passphrases beyond ASCII are ErrPassphrase.
func (s *Seed) Crypt(passphrase string, nfkd func(string) string) error {
	if nfkd != nil {
		passphrase = nfkd(passphrase)
	} else if !ascii(passphrase) {
		return ErrPassphrase
	}
	mask := derive([]byte(passphrase), []byte("POLYSEED mask\x00\xff\xff"))
	defer clear(mask[:])
	for i := range s.secret {
		s.secret[i] ^= mask[i]
	}
	s.secret[secretSize-1] &= lastMask
	s.features ^= encrypted
	return nil
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// derive computes PBKDF2 with HMAC-SHA-256.
func derive(password, salt []byte) [32]byte {
	key, err := pbkdf2.Key(func() hash.Hash { return sha256.New() }, string(password), salt, iterations, 32)
	if err != nil {
		panic("unreachable: the key's length is right")
	}
	defer clear(key)
	return [32]byte(key)
}

// digits returns the numbers of the words, including the checksum.
func (s *Seed) digits() (d [words]uint32) {
	extra := uint32(s.features)<<dateBits | uint32(s.birthday)
	for i := range words - 1 {
		for bit := 10 * i; bit < 10*i+10; bit++ {
			d[1+i] = d[1+i]<<1 | uint32(s.secret[bit/8]>>place(bit)&1)
		}
		d[1+i] = d[1+i]<<1 | extra>>(words-2-i)&1
	}
	d[0] = evaluate(&d)
	return d
}

// place returns the position of a secret bit in its byte: the highest first, and the last byte has six bits.
func place(bit int) int {
	if bit < 8*(secretSize-1) {
		return 7 - bit%8
	}
	return secretBits - 1 - bit
}

// fromDigits inverts digits. It returns ErrChecksum or ErrFeatures.
func fromDigits(d *[words]uint32) (*Seed, error) {
	if evaluate(d) != 0 {
		return nil, ErrChecksum
	}
	s := new(Seed)
	extra := uint32(0)
	for i := range words - 1 {
		extra = extra<<1 | d[1+i]&1
		for bit := 10 * i; bit < 10*i+10; bit++ {
			s.secret[bit/8] |= byte(d[1+i]>>(10-bit%10)&1) << place(bit)
		}
	}
	s.birthday = uint16(extra & (1<<dateBits - 1))
	s.features = uint8(extra >> dateBits)
	if s.features&^encrypted != 0 {
		clear(s.secret[:])
		return nil, ErrFeatures
	}
	return s, nil
}

// evaluate returns the polynomial's value at 2, in GF(2)[x] modulo x^11 + x^2 + 1.
func evaluate(d *[words]uint32) uint32 {
	v := d[words-1]
	for i := words - 2; i >= 0; i-- {
		v = v<<1 ^ 0x805&-(v>>10)
		v ^= d[i]
	}
	return v
}

// Equal reports in constant time whether two seeds are equal, including encryption.
func (s *Seed) Equal(t *Seed) bool {
	return hmac.Equal(s.secret[:], t.secret[:]) && s.birthday == t.birthday && s.features == t.features
}
