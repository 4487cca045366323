package journal

import (
	"encoding/binary"
	"hash/crc32"
	"io"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20poly1305"

	"glim/core/smallfmt"
)

// The header; numbers are little-endian:
//
//	8 "glimlog" and the version: 2, or 1 in older files
//	4 Argon2id passes, 4 its memory in KiB, 4 its lanes
//	16 salt
//	4 length of the public bytes, followed by them
//	8 length of the file when this header was written, including the records written with it; not in version 1
//	24 nonce
//	48 the data key, encrypted with XChaCha20-Poly1305 under Argon2id(password, salt);
//	   additional data: everything before the nonce
//	4 CRC-32C of everything before, which distinguishes damage from a wrong password
const (
	magic      = "glimlog\x02"
	version1   = 1 // lacks the length of the file and end marks
	saltSize   = 16
	fixedSize  = len(magic) + 12 + saltSize + 4
	sealedSize = chacha20poly1305.NonceSizeX + chacha20poly1305.KeySize + tagSize
	sumSize    = 4
)

// MaxPublic is the maximum number of public bytes in a header.
const MaxPublic = 4096

// KDF holds the parameters of Argon2id. Source: RFC 9106.
type KDF struct {
	Time      uint32 // passes
	MemoryKiB uint32
	Lanes     uint32
}

// Limits of KDF parameters, so that a malicious file cannot exhaust memory or processor time.
const (
	maxTime      = 16
	maxMemoryKiB = 256 << 10
	maxLanes     = 16
)

// DefaultKDF returns three passes over 64 MiB in four lanes: about a third of a second of processor time on a laptop,
// spread over up to four processors. Lanes do not make guessing cheaper: its cost is memory times time. Source: RFC
// 9106, section 4, second recommended option.
func DefaultKDF() KDF { return KDF{Time: 3, MemoryKiB: 64 << 10, Lanes: 4} }

// WeakestKDF returns the cheapest valid parameters, for tests and for passwords that are random keys.
func WeakestKDF() KDF { return KDF{Time: 1, MemoryKiB: 8, Lanes: 1} }

// ForNewPassword returns the parameters for a new password that replaces one with parameters k: the same passes and
// memory, and at least the lanes of DefaultKDF if the memory suffices for them.
func (k KDF) ForNewPassword() KDF {
	if lanes := DefaultKDF().Lanes; k.Lanes < lanes && k.MemoryKiB >= 8*lanes {
		k.Lanes = lanes
	}
	return k
}

func (k KDF) check() error {
	if k.Time < 1 || k.Time > maxTime || k.Lanes < 1 || k.Lanes > maxLanes ||
		k.MemoryKiB < 8*k.Lanes || k.MemoryKiB > maxMemoryKiB {
		return smallfmt.Errorf("%w: Argon2id with %d passes, %d KiB and %d lanes", ErrLimit, k.Time, k.MemoryKiB,
			k.Lanes)
	}
	return nil
}

type header struct {
	kdf      KDF
	salt     [saltSize]byte
	public   []byte
	fileSize uint64 // bytes of the file when it was written with this header
	version1 bool
	raw      []byte // the encoding, including the checksum; parsed headers only
}

// fileSizeSize is the encoded length of header.fileSize.
const fileSizeSize = 8

// authenticatedSize returns the length of the additional data of the encrypted data key.
func (h *header) authenticatedSize() int {
	if h.version1 {
		return fixedSize + len(h.public)
	}
	return fixedSize + len(h.public) + fileSizeSize
}

// size returns the encoded length of h.
func (h *header) size() int { return h.authenticatedSize() + sealedSize + sumSize }

// parseHeader parses the header at the start of content. The result aliases content.
func parseHeader(content []byte) (h header, err error) {
	if len(content) == 0 {
		return h, ErrEmpty
	}
	short := smallfmt.Errorf("%w: the header ends early", ErrCorrupt)
	version := len(magic) - 1
	if n := min(len(content), version); string(content[:n]) != magic[:n] {
		return h, ErrFormat
	}
	if len(content) > version {
		if h.version1 = content[version] == version1; !h.version1 && content[version] != magic[version] {
			return h, ErrFormat
		}
	}
	if len(content) < fixedSize {
		return h, short
	}
	b := content[len(magic):]
	h.kdf = KDF{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])}
	copy(h.salt[:], b[12:])
	public := binary.LittleEndian.Uint32(b[12+saltSize:])
	if public > MaxPublic {
		return h, smallfmt.Errorf("%w: the length in the header is invalid", ErrCorrupt)
	}
	if len(content) < fixedSize+int(public) {
		return h, short
	}
	h.public = content[fixedSize : fixedSize+int(public)]
	size := h.size()
	if len(content) < size {
		return h, short
	}
	h.raw = content[:size]
	if !h.version1 {
		h.fileSize = binary.LittleEndian.Uint64(content[fixedSize+int(public):])
	}
	if binary.LittleEndian.Uint32(h.raw[size-sumSize:]) != crc32.Checksum(h.raw[:size-sumSize], castagnoli) {
		return h, smallfmt.Errorf("%w: the checksum of the header is wrong", ErrCorrupt)
	}
	return h, h.kdf.check()
}

// open decrypts the data key with the key-encryption key kek and returns a writer positioned before the first record.
// It returns ErrPassword if kek is wrong.
func (h header) open(kek [chacha20poly1305.KeySize]byte) (writer, error) {
	authenticated := h.authenticatedSize()
	nonce := h.raw[authenticated:][:chacha20poly1305.NonceSizeX]
	sealed := h.raw[authenticated+chacha20poly1305.NonceSizeX : len(h.raw)-sumSize]
	wrap, err := chacha20poly1305.NewX(kek[:])
	if err != nil {
		return writer{}, err
	}
	key, err := wrap.Open(nil, nonce, sealed, h.raw[:authenticated])
	if err != nil {
		return writer{}, ErrPassword
	}
	return newWriter(key, h.raw)
}

// seal returns the encoding of h with a fresh data key, and the writer for the records that follow it.
func (h header) seal(kek [chacha20poly1305.KeySize]byte, rand io.Reader) ([]byte, writer, error) {
	secret := make([]byte, chacha20poly1305.KeySize+chacha20poly1305.NonceSizeX)
	if _, err := io.ReadFull(rand, secret); err != nil {
		return nil, writer{}, err
	}
	key, nonce := secret[:chacha20poly1305.KeySize], secret[chacha20poly1305.KeySize:]
	b := []byte(magic)
	b = binary.LittleEndian.AppendUint32(b, h.kdf.Time)
	b = binary.LittleEndian.AppendUint32(b, h.kdf.MemoryKiB)
	b = binary.LittleEndian.AppendUint32(b, h.kdf.Lanes)
	b = append(b, h.salt[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(h.public)))
	b = append(b, h.public...)
	b = binary.LittleEndian.AppendUint64(b, h.fileSize)
	wrap, err := chacha20poly1305.NewX(kek[:])
	if err != nil {
		return nil, writer{}, err
	}
	sealed := wrap.Seal(nil, nonce, key, b)
	b = append(append(b, nonce...), sealed...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	w, err := newWriter(key, b)
	return b, w, err
}

func newWriter(key, header []byte) (writer, error) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return writer{}, err
	}
	origin := blake2b.Sum256(header)
	return writer{aead: aead, origin: origin, state: origin, start: len(header)}, nil
}
