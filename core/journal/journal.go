// Package journal keeps an append-only log of records, encrypted under a password.
//
// The log is one file that the host stores (Storage). It starts with a header: the key derivation parameters of the
// password, public bytes of the host, and the data key, encrypted under the key derived from the password. Records
// follow, each encrypted under the data key and bound to the header and to every earlier record: none can be changed,
// reordered, removed from the middle or copied from another file. A mark after the last record shows that the journal
// was closed; without a mark its end may be missing. A file cannot show that it is an older copy.
package journal

import (
	"crypto/cipher"
	"crypto/subtle"
	"errors"
	"io"
	"slices"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20poly1305"

	"glim/core/smallfmt"
)

// Storage is one wallet's file as a host provides it. Only one Journal may use it at a time.
type Storage interface {
	// Load returns the complete content, which may be empty. The caller may change the returned bytes.
	Load() ([]byte, error)
	// Append adds p at the end. The write is durable when Append returns nil; after an error any part of p may have
	// been written.
	Append(p []byte) error
	// Replace replaces the content with p atomically. The write is durable when Replace returns nil; after an error
	// the content is either the complete old or the complete new one.
	Replace(p []byte) error
	// Truncate shortens the content to its first size bytes. The change is durable when Truncate returns nil.
	Truncate(size int64) error
}

// Beginner is an optional interface of a Storage. It loads only the start of the content, so that the header of a large
// file can be read cheaply.
type Beginner interface {
	// LoadBeginning returns the first size bytes, or all if there are fewer. The caller may change the returned bytes.
	LoadBeginning(size int) ([]byte, error)
}

// Losable is an optional interface of a Storage whose content, such as a file, other programs can delete while it is in
// use.
type Losable interface {
	// Lost reports whether the content was deleted. Append and Truncate do not restore it; Replace does.
	Lost() bool
}

// Lost reports whether the content of the storage was deleted while the journal was open. Compact restores it.
func (j *Journal) Lost() bool {
	st, ok := j.st.(Losable)
	return ok && st.Lost()
}

// beginning returns at least the header of the journal in st.
func beginning(st Storage) ([]byte, error) {
	if b, ok := st.(Beginner); ok {
		return b.LoadBeginning(fixedSize + MaxPublic + fileSizeSize + sealedSize + sumSize)
	}
	return st.Load()
}

// Errors.
var (
	// ErrPassword: the password is wrong, or the file was changed on purpose.
	ErrPassword = errors.New("journal: wrong password")
	// ErrCorrupt: the file is damaged. Restore a copy, or create a new file with the records that could be read.
	ErrCorrupt = errors.New("journal: damaged")
	// ErrFormat: the file is not a journal, or is of a later version.
	ErrFormat = errors.New("journal: not a journal of a known version")
	// ErrEmpty: the storage is empty; Create makes a journal.
	ErrEmpty = errors.New("journal: empty")
	// ErrExists: the storage is not empty; Create never overwrites.
	ErrExists = errors.New("journal: exists")
	// ErrBroken: an earlier write failed and the end of the file is unknown. Open it again.
	ErrBroken = errors.New("journal: unusable after a failed write until opened again")
	// ErrLimit: a record, the public bytes or a KDF parameter exceeds its limit.
	ErrLimit = errors.New("journal: limit exceeded")
)

var errChanged = smallfmt.Errorf("%w: another program changed the file while it was open", ErrCorrupt)

// MaxRecord is the maximum size of a record in bytes; a larger snapshot takes several records.
const MaxRecord = 1 << 26

// Journal is an open log. Its methods must not be called concurrently.
type Journal struct {
	st     Storage
	rand   io.Reader
	kdf    KDF
	salt   [saltSize]byte
	public []byte
	kek    [chacha20poly1305.KeySize]byte // key-encryption key of the data key, derived from the password

	writer
	size   int64 // bytes, without the mark
	mark   int64 // bytes of the mark after the last record; 0 without one
	whole  int64 // size after the last complete rewrite; 0 if unknown
	ending Ending
	broken bool
}

// Ending describes whether the end of a journal was intact when it was opened.
type Ending struct {
	Marked  bool  // a mark follows the last record, so no records are missing
	Markers bool  // the file's version supports marks
	Torn    int64 // bytes of an incomplete last record, which were removed
	Missing int64 // bytes by which the file is shorter than after its last complete rewrite
}

// Ending returns the state of the end of the journal when it was opened.
func (j *Journal) Ending() Ending { return j.ending }

// Grown returns the number of bytes appended since the last complete rewrite. Files of version 1 do not record the size
// after a rewrite; for them it counts from when the journal was opened.
func (j *Journal) Grown() int64 { return j.size - j.Whole() }

// Whole returns the size of the file after its last complete rewrite, in bytes, or, for a file of version 1, when the
// journal was opened.
func (j *Journal) Whole() int64 { return min(j.whole, j.size) }

// Create makes a journal with the given records, if any, in empty storage. public is stored unencrypted but
// authenticated: it holds what the host needs before it has the password, such as the network. password may be empty.
// rand must be a cryptographic source; the journal keeps it. Errors: ErrExists, ErrLimit, or an error of the storage.
func Create(st Storage, password []byte, rand io.Reader, kdf KDF, public []byte, records ...[]byte) (*Journal, error) {
	if err := kdf.check(); err != nil {
		return nil, err
	}
	if len(public) > MaxPublic {
		return nil, smallfmt.Errorf("%w: %d public bytes", ErrLimit, len(public))
	}
	content, err := st.Load()
	if err != nil {
		return nil, err
	}
	if len(content) > 0 {
		return nil, ErrExists
	}
	j := &Journal{st: st, rand: rand, kdf: kdf, public: slices.Clone(public)}
	if err := j.setPassword(password); err != nil {
		return nil, err
	}
	if err := j.rewrite(records); err != nil {
		return nil, err
	}
	return j, nil
}

// Open returns the journal in st with its records in order. It removes an incomplete last record, as a power cut
// leaves it: that record was never acknowledged. With ErrCorrupt the journal is nil, the records before the damage
// are returned and the storage is unchanged. Other errors: ErrPassword, ErrFormat, ErrEmpty, ErrLimit (the header
// demands too much memory or time), or an error of the storage. The records share one backing array, which belongs to
// the caller. rand must be a cryptographic source; the journal keeps it.
func Open(st Storage, password []byte, rand io.Reader) (*Journal, [][]byte, error) {
	return open(st, rand, func(h header) [chacha20poly1305.KeySize]byte { return h.kdf.derive(password, h.salt) })
}

func open(st Storage, rand io.Reader, unlock func(header) [chacha20poly1305.KeySize]byte) (*Journal, [][]byte, error) {
	content, err := beginning(st)
	if err != nil {
		return nil, nil, err
	}
	h, err := parseHeader(content)
	if err != nil {
		return nil, nil, err
	}
	kek := unlock(h)
	w, err := h.open(kek)
	if err != nil {
		return nil, nil, err
	}
	if _, ok := st.(Beginner); ok { // load the rest, which may be large, only with the right password
		if content, err = st.Load(); err != nil {
			return nil, nil, err
		}
		if len(content) < w.start || string(content[:w.start]) != string(h.raw) {
			return nil, nil, errChanged
		}
	}
	w.version1 = h.version1
	records, end, marked, err := w.read(content)
	if err != nil {
		return nil, records, err
	}
	j := &Journal{
		st: st, rand: rand, kdf: h.kdf, salt: h.salt, public: slices.Clone(h.public), kek: kek, writer: w, size: end,
	}
	j.ending = Ending{Marked: marked, Markers: !h.version1, Missing: max(int64(h.fileSize)-int64(len(content)), 0)}
	switch rest := int64(len(content)) - end; {
	case marked:
		j.mark = rest
	case rest > 0:
		if err := st.Truncate(end); err != nil {
			return nil, records, smallfmt.Errorf("journal: removing an incomplete record: %w", err)
		}
		j.ending.Torn = rest
	}
	j.whole = int64(h.fileSize)
	if h.version1 {
		j.whole = end
	}
	return j, records, nil
}

// Public returns the public bytes of the journal in st without its password; they are not authenticated until Open
// succeeds.
// Errors: ErrEmpty, ErrFormat, ErrCorrupt, ErrLimit, or an error of the storage.
func Public(st Storage) ([]byte, error) {
	content, err := beginning(st)
	if err != nil {
		return nil, err
	}
	h, err := parseHeader(content)
	if err != nil {
		return nil, err
	}
	return slices.Clone(h.public), nil
}

// Public returns the public bytes.
func (j *Journal) Public() []byte { return slices.Clone(j.public) }

// Size returns the size of the journal in bytes. A host compares it with the size of a snapshot to decide when to
// call Compact.
func (j *Journal) Size() int64 { return j.size }

// Append adds a record, which is durable when Append returns nil. After an error the record is not in the journal,
// which stays usable unless the next call returns ErrBroken. Errors: ErrLimit, ErrBroken, or an error of the storage,
// such as a full disk.
func (j *Journal) Append(record []byte) error {
	if j.broken {
		return ErrBroken
	}
	sealed, next, err := j.seal(nil, record, j.rand)
	if err != nil {
		return err
	}
	if err := j.unmark(); err != nil {
		return err
	}
	if err := j.add(sealed); err != nil {
		return err
	}
	j.state = next
	j.size += int64(len(sealed))
	return nil
}

// add writes sealed after the last record, completely or not at all.
func (j *Journal) add(sealed []byte) error {
	if err := j.st.Append(sealed); err != nil {
		// A part of the record may have been written. It must be removed before anything else is written.
		if j.st.Truncate(j.size) != nil {
			j.broken = true
		}
		return smallfmt.Errorf("journal: append: %w", err)
	}
	return nil
}

// Mark writes a mark after the last record. A journal without a mark was not closed or has lost its end, see Ending.
// The next change removes the mark. Mark does nothing if there is one already, or in a journal of version 1. Errors:
// ErrBroken, or an error of the storage; the records stay as they are.
func (j *Journal) Mark() error {
	switch {
	case j.broken:
		return ErrBroken
	case j.mark > 0 || j.version1:
		return nil
	}
	sealed, err := j.sealMark(j.rand)
	if err != nil {
		return err
	}
	if err := j.add(sealed); err != nil {
		return err
	}
	j.mark = int64(len(sealed))
	return nil
}

// unmark removes the mark before something is appended. After an error the journal stays usable if the content of the
// file is known.
func (j *Journal) unmark() error {
	if j.mark == 0 {
		return nil
	}
	if err := j.st.Truncate(j.size); err != nil {
		now, loadErr := j.st.Load() // the next record's position depends on whether the mark is still there
		if loadErr == nil && int64(len(now)) == j.size {
			j.mark = 0
		}
		j.broken = loadErr != nil || int64(len(now)) != j.size+j.mark
		return smallfmt.Errorf("journal: removing the end mark: %w", err)
	}
	j.mark = 0
	return nil
}

// Compact replaces all records with the given ones, atomically, under a fresh data key. After an error the journal
// holds the old records; if the next call returns ErrBroken, it holds either, and Open must be called.
func (j *Journal) Compact(records ...[]byte) error {
	if j.broken {
		return ErrBroken
	}
	return j.rewrite(records)
}

// CheckPassword returns ErrPassword unless password opens the journal.
func (j *Journal) CheckPassword(password []byte) error {
	kek := j.kdf.derive(password, j.salt)
	if subtle.ConstantTimeCompare(kek[:], j.kek[:]) != 1 {
		return ErrPassword
	}
	return nil
}

// ChangePassword encrypts all records again, atomically, under the new password and a fresh data key, so that the old
// password opens nothing written afterwards. An earlier copy of the file still opens with the old password.
// KDF.ForNewPassword gives the parameters of the new key. Errors: ErrPassword if old is wrong, ErrCorrupt, ErrBroken,
// or an error of the storage. After an error the old password is valid; if the next call returns ErrBroken, either
// is, and Open must be called.
func (j *Journal) ChangePassword(old, password []byte) error {
	if j.broken {
		return ErrBroken
	}
	if err := j.CheckPassword(old); err != nil {
		return err
	}
	return j.SetPassword(password)
}

// SetPassword is ChangePassword without the old password.
func (j *Journal) SetPassword(password []byte) error {
	return j.rekey(func() error {
		j.kdf = j.kdf.ForNewPassword()
		return j.setPassword(password)
	})
}

// rekey writes all records again after change has set another key.
func (j *Journal) rekey(change func() error) error {
	if j.broken {
		return ErrBroken
	}
	content, err := j.st.Load()
	if err != nil {
		return err
	}
	if !j.isHeaderOf(content) {
		return errChanged
	}
	w := j.writer
	w.state = w.origin
	records, end, _, err := w.read(content)
	if err != nil {
		return err
	}
	if end != j.size || w.state != j.state {
		return errChanged
	}
	kdf, salt, kek, public := j.kdf, j.salt, j.kek, j.public
	if err = change(); err == nil {
		err = j.rewrite(records)
	}
	if err != nil {
		j.kdf, j.salt, j.kek, j.public = kdf, salt, kek, public
	}
	return err
}

func (j *Journal) setPassword(password []byte) error {
	if _, err := io.ReadFull(j.rand, j.salt[:]); err != nil {
		return err
	}
	j.kek = j.kdf.derive(password, j.salt)
	return nil
}

// rewrite replaces the content of the storage with a new file of the given records.
func (j *Journal) rewrite(records [][]byte) error {
	h := header{kdf: j.kdf, salt: j.salt, public: j.public}
	size := h.size()
	for _, r := range records {
		size += overhead + len(r)
	}
	h.fileSize = uint64(size)
	content, w, err := h.seal(j.kek, j.rand)
	if err != nil {
		return err
	}
	content = slices.Grow(content, size-len(content))
	for _, r := range records {
		if content, w.state, err = w.seal(content, r, j.rand); err != nil {
			return err
		}
	}
	if err := j.st.Replace(content); err != nil {
		// The data key for later records depends on whether the replacement took effect.
		now, loadErr := j.st.Load()
		j.broken = loadErr != nil || int64(len(now)) != j.size+j.mark || !j.isHeaderOf(now)
		return smallfmt.Errorf("journal: replace: %w", err)
	}
	j.writer, j.size, j.mark, j.whole = w, int64(len(content)), 0, int64(len(content))
	return nil
}

// isHeaderOf reports whether content starts with this journal's header.
func (j *Journal) isHeaderOf(content []byte) bool {
	h, err := parseHeader(content)
	return err == nil && blake2b.Sum256(h.raw) == j.origin
}

// writer encrypts and decrypts the records of one file.
type writer struct {
	aead     cipher.AEAD
	version1 bool     // the file has no marks
	start    int      // bytes of the header
	origin   [32]byte // hash of the header
	state    [32]byte // hash of the header and of every record so far, to which the next record is bound
}
