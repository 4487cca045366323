package journal

import (
	"encoding/binary"
	"hash/crc32"
	"io"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20poly1305"

	"glim/core/say"
)

// The header, numbers least significant byte first:
//
//	8 "glimlog" and the version, 2, or 1 of older files
//	4 Argon2id passes, 4 its memory in KiB, 4 its lanes
//	16 salt
//	4 length of the public bytes, then these
//	8 length of the file as it was when this header was written, with the records of that moment; not in version 1
//	24 nonce
//	48 the data key, sealed by XChaCha20-Poly1305 under Argon2id(password, salt); additional data: all before the nonce
//	4 CRC-32C of all before, which tells damage from a wrong password
const (
	magic      = "glimlog\x02"
	former     = 1 // the version before, which has neither the length nor marks of its end
	saltSize   = 16
	fixedSize  = len(magic) + 12 + saltSize + 4
	sealedSize = chacha20poly1305.NonceSizeX + chacha20poly1305.KeySize + tagSize
	sumSize    = 4
)

// MaxPublic is the most public bytes a header holds.
const MaxPublic = 4096

// KDF says how hard Argon2id makes guessing a password. Source: RFC 9106.
type KDF struct {
	Time      uint32 // passes
	MemoryKiB uint32
	Lanes     uint32
}

// Bounds of KDF parameters, so that a hostile file can ask for neither the machine's memory nor its day.
const (
	maxTime      = 16
	maxMemoryKiB = 256 << 10
	maxLanes     = 16
)

// DefaultKDF returns three passes over 64 MiB in four lanes: a third of a second of a laptop's processors, shared out among up to four of
// them. Lanes take nothing away from what a guess costs, which is memory times time. Source: RFC 9106, section 4, the second recommended option.
func DefaultKDF() KDF { return KDF{Time: 3, MemoryKiB: 64 << 10, Lanes: 4} }

// WeakestKDF returns the cheapest parameters there are: for tests, and for keys that are random already.
func WeakestKDF() KDF { return KDF{Time: 1, MemoryKiB: 8, Lanes: 1} }

// Renewed returns the parameters under which a new password is to come where the old one was under k: as many passes over as much memory,
// in as many lanes as DefaultKDF has, where there is memory for them.
func (k KDF) Renewed() KDF {
	if lanes := DefaultKDF().Lanes; k.Lanes < lanes && k.MemoryKiB >= 8*lanes {
		k.Lanes = lanes
	}
	return k
}

func (k KDF) check() error {
	if k.Time < 1 || k.Time > maxTime || k.Lanes < 1 || k.Lanes > maxLanes || k.MemoryKiB < 8*k.Lanes || k.MemoryKiB > maxMemoryKiB {
		return say.Errorf("%w: %d rounds, %d KiB and %d lanes for a key", ErrLimit, k.Time, k.MemoryKiB, k.Lanes)
	}
	return nil
}

type header struct {
	kdf    KDF
	salt   [saltSize]byte
	public []byte
	whole  uint64 // bytes of the file as it was written with this header
	former bool   // of the version before
	raw    []byte // the encoding, check sum included; parsed headers only
}

// wholeSize is the length of header.whole.
const wholeSize = 8

// bound returns the length of what the sealed data key is bound to.
func (h *header) bound() int {
	if h.former {
		return fixedSize + len(h.public)
	}
	return fixedSize + len(h.public) + wholeSize
}

// size returns the length of the encoding.
func (h *header) size() int { return h.bound() + sealedSize + sumSize }

// parseHeader reads the header at the start of content, which it aliases.
func parseHeader(content []byte) (h header, err error) {
	if len(content) == 0 {
		return h, ErrEmpty
	}
	short := say.Errorf("%w: the header ends early", ErrCorrupt)
	version := len(magic) - 1
	if n := min(len(content), version); string(content[:n]) != magic[:n] {
		return h, ErrFormat
	}
	if len(content) > version {
		if h.former = content[version] == former; !h.former && content[version] != magic[version] {
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
		return h, say.Errorf("%w: the header's length", ErrCorrupt)
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
	if !h.former {
		h.whole = binary.LittleEndian.Uint64(content[fixedSize+int(public):])
	}
	if binary.LittleEndian.Uint32(h.raw[size-sumSize:]) != crc32.Checksum(h.raw[:size-sumSize], castagnoli) {
		return h, say.Errorf("%w: the header's check sum", ErrCorrupt)
	}
	return h, h.kdf.check()
}

// open returns the writer of a parsed header's file, before its first record; ErrPassword when kek is not its key.
func (h header) open(kek [chacha20poly1305.KeySize]byte) (writer, error) {
	bound := h.bound()
	nonce := h.raw[bound:][:chacha20poly1305.NonceSizeX]
	sealed := h.raw[bound+chacha20poly1305.NonceSizeX : len(h.raw)-sumSize]
	wrap, err := chacha20poly1305.NewX(kek[:])
	if err != nil {
		return writer{}, err
	}
	key, err := wrap.Open(nil, nonce, sealed, h.raw[:bound])
	if err != nil {
		return writer{}, ErrPassword
	}
	return newWriter(key, h.raw)
}

// seal returns the encoding of h around a fresh data key, and the writer for the records behind it.
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
	b = binary.LittleEndian.AppendUint64(b, h.whole)
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
