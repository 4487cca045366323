// Package journal keeps an append-only log of records, each sealed under a key that a password guards.
//
// The log is one file that a host stores (Storage). It starts with a header: how the password becomes a key, public
// bytes of the host, the data key sealed under the password's key. Records follow, each sealed under the data key and
// bound to the header and to every record before it: none can be changed, reordered, dropped from the middle or taken
// from another file. A mark behind the last one says that the journal was closed; without a mark its end may be missing. What no file can show
// about itself is that it is an older copy.
package journal

import (
	"crypto/cipher"
	"crypto/subtle"
	"errors"
	"io"
	"slices"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20poly1305"

	"glim/core/say"
)

// Storage is one wallet's file as a host provides it. Only one Journal may use it at a time.
type Storage interface {
	// Load returns the whole content, empty when there is none. The caller may change the bytes it gets.
	Load() ([]byte, error)
	// Append adds p at the end; durable when it returns nil. After an error any part of p may have been written.
	Append(p []byte) error
	// Replace switches the whole content to p atomically; durable when it returns nil. After an error the content is
	// the old or the new one, whole.
	Replace(p []byte) error
	// Truncate cuts the content to its first size bytes; durable when it returns nil.
	Truncate(size int64) error
}

// Beginner is Storage that can load the first bytes of its content alone, which spares reading a large file to look at its header.
type Beginner interface {
	// LoadBeginning returns the first size bytes, or all when there are fewer. The caller may change the bytes it gets.
	LoadBeginning(size int) ([]byte, error)
}

// Losable is Storage that others can remove while it is in use.
type Losable interface {
	// Lost reports whether the content is nowhere any more but with who has it open: only Replace brings it back.
	Lost() bool
}

// Lost reports whether the storage's content was removed, so that Compact has to make it again.
func (j *Journal) Lost() bool {
	st, ok := j.st.(Losable)
	return ok && st.Lost()
}

// beginning returns at least the header of st.
func beginning(st Storage) ([]byte, error) {
	if b, ok := st.(Beginner); ok {
		return b.LoadBeginning(fixedSize + MaxPublic + wholeSize + sealedSize + sumSize)
	}
	return st.Load()
}

// Errors a host can act on.
var (
	// ErrPassword: the password is not the one of this file, or the file was changed on purpose. Ask again.
	ErrPassword = errors.New("journal: wrong password")
	// ErrCorrupt: the file is damaged. Restore a copy, or go on in a new file with the records that could be read.
	ErrCorrupt = errors.New("journal: damaged")
	// ErrFormat: this is no journal, or one of a later version.
	ErrFormat = errors.New("journal: not a journal of a known version")
	// ErrEmpty: there is nothing to open yet; Create makes a journal.
	ErrEmpty = errors.New("journal: empty")
	// ErrExists: there is something already, which Create never overwrites.
	ErrExists = errors.New("journal: exists")
	// ErrBroken: an earlier write failed in a way that leaves the file's end unknown. Open it again.
	ErrBroken = errors.New("journal: unusable after a failed write until opened again")
	// ErrLimit: a record, the public bytes or a KDF parameter exceeds its bound.
	ErrLimit = errors.New("journal: limit exceeded")
)

var errForeign = say.Errorf("%w: changed by another hand while open", ErrCorrupt)

// MaxRecord is the largest record in bytes; a snapshot beyond it takes several records.
const MaxRecord = 1 << 26

// Journal is one open log. Its methods must not be called concurrently: a wallet has one owner.
type Journal struct {
	st     Storage
	rand   io.Reader
	kdf    KDF
	salt   [saltSize]byte
	public []byte
	kek    [chacha20poly1305.KeySize]byte // guards the data key; from the password

	writer
	size   int64 // without a mark
	mark   int64 // bytes of the mark behind the last record; 0 for none
	whole  int64 // size when all was written anew last; 0 when that is not known
	ending Ending
	broken bool
}

// Ending is what the end of a journal told when it was opened.
type Ending struct {
	Marked  bool  // Mark was called after the last change, so that nothing is missing
	Markers bool  // the file is of a version that has marks
	Torn    int64 // bytes of a record that was not written to its end, and was cut off
	Missing int64 // bytes that are missing for certain: the file is shorter than it was when it was written anew last
}

// Ending returns what the end told when the journal was opened.
func (j *Journal) Ending() Ending { return j.ending }

// Grown returns how many bytes were appended since all was written anew, and Whole how many that took. A journal of the version before does
// not know: all of it is whole.
func (j *Journal) Grown() int64 { return j.size - j.Whole() }

// Whole is described with Grown.
func (j *Journal) Whole() int64 { return min(j.whole, j.size) }

// Create makes a journal that holds records, or none, in empty storage. Public is stored unencrypted but cannot be
// changed unnoticed: a host keeps there what it must know before the password, such as the network. The password may
// be empty. Rand must be a cryptographic source; the journal keeps it. Errors: ErrExists, ErrLimit or the storage's.
func Create(st Storage, password []byte, rand io.Reader, kdf KDF, public []byte, records ...[]byte) (*Journal, error) {
	if err := kdf.check(); err != nil {
		return nil, err
	}
	if len(public) > MaxPublic {
		return nil, say.Errorf("%w: %d public bytes", ErrLimit, len(public))
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

// Open returns the journal in st with its records in order. A last record that was not written to its end, as a power
// cut leaves it, is cut off: it was never acknowledged. With ErrCorrupt the journal is nil, the records before the
// damage are returned and the storage is left as it is. Other errors: ErrPassword, ErrFormat, ErrEmpty, ErrLimit (its
// header asks for more memory or time than any journal may) or the storage's. Records share one backing array, which
// is the caller's. Rand must be a cryptographic source; the journal keeps it for what it writes later.
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
	if _, ok := st.(Beginner); ok { // the rest, however much it is, only of what the password opens
		if content, err = st.Load(); err != nil {
			return nil, nil, err
		}
		if len(content) < w.start || string(content[:w.start]) != string(h.raw) {
			return nil, nil, errForeign
		}
	}
	w.former = h.former
	records, end, marked, err := w.read(content)
	if err != nil {
		return nil, records, err
	}
	j := &Journal{st: st, rand: rand, kdf: h.kdf, salt: h.salt, public: slices.Clone(h.public), kek: kek, writer: w, size: end}
	j.ending = Ending{Marked: marked, Markers: !h.former, Missing: max(int64(h.whole)-int64(len(content)), 0)}
	switch rest := int64(len(content)) - end; {
	case marked:
		j.mark = rest
	case rest > 0:
		if err := st.Truncate(end); err != nil {
			return nil, records, say.Errorf("journal: cutting off an unfinished record: %w", err)
		}
		j.ending.Torn = rest
	}
	j.whole = int64(h.whole)
	if h.former {
		j.whole = end
	}
	return j, records, nil
}

// Public returns the public bytes of the journal in st without its password, hence unauthenticated until Open
// succeeds. Errors: ErrEmpty, ErrFormat, ErrCorrupt, ErrLimit or the storage's.
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

// Size returns the bytes the journal takes: a host compares it with what a snapshot would take to decide on Compact.
func (j *Journal) Size() int64 { return j.size }

// Append adds a record, which is durable when it returns nil. After an error the record is not in the journal, which
// stays usable unless the next call says ErrBroken. Errors: ErrLimit, ErrBroken or the storage's, such as a full disk.
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

// add writes sealed behind the last record, or nothing.
func (j *Journal) add(sealed []byte) error {
	if err := j.st.Append(sealed); err != nil {
		// A part of the record may be there. Nothing is ever written behind it: either it goes or we stop.
		if j.st.Truncate(j.size) != nil {
			j.broken = true
		}
		return say.Errorf("journal: append: %w", err)
	}
	return nil
}

// Mark notes behind the last record that nothing follows. A journal that opens without a mark was not closed, or has lost its end: Ending tells.
// The next change takes the mark away. It does nothing where there is one, and in journals of the version before. Errors: ErrBroken or the
// storage's; the records are not touched.
func (j *Journal) Mark() error {
	switch {
	case j.broken:
		return ErrBroken
	case j.mark > 0 || j.former:
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

// unmark takes the mark away before something is appended. After an error the journal stays usable where it is known what is there.
func (j *Journal) unmark() error {
	if j.mark == 0 {
		return nil
	}
	if err := j.st.Truncate(j.size); err != nil {
		now, load := j.st.Load() // whether the mark is there decides where the next record goes
		if load == nil && int64(len(now)) == j.size {
			j.mark = 0
		}
		j.broken = load != nil || int64(len(now)) != j.size+j.mark
		return say.Errorf("journal: taking the mark off: %w", err)
	}
	j.mark = 0
	return nil
}

// Compact replaces all records by the given ones, atomically, under a fresh data key. After an error the journal
// holds what it held, or the new records if the next call says ErrBroken and Open finds them.
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

// ChangePassword seals all records again, atomically, under a key the new password guards and a fresh data key, so
// that the old password opens nothing written from here on. A copy made before still opens with the old password. The
// new key is made as KDF.Renewed says.
// Errors: ErrPassword when old is wrong, ErrCorrupt, ErrBroken or the storage's; after one the old password holds,
// unless the next call says ErrBroken and Open tells.
func (j *Journal) ChangePassword(old, password []byte) error {
	if j.broken {
		return ErrBroken
	}
	if err := j.CheckPassword(old); err != nil {
		return err
	}
	return j.reseal(func() error {
		j.kdf = j.kdf.Renewed()
		return j.setPassword(password)
	})
}

// reseal writes all records again after change, which sets another key.
func (j *Journal) reseal(change func() error) error {
	if j.broken {
		return ErrBroken
	}
	content, err := j.st.Load()
	if err != nil {
		return err
	}
	if !j.isHeaderOf(content) {
		return errForeign
	}
	w := j.writer
	w.state = w.origin
	records, end, _, err := w.read(content)
	if err != nil {
		return err
	}
	if end != j.size || w.state != j.state {
		return errForeign
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

// rewrite switches the storage to a new file of the given records.
func (j *Journal) rewrite(records [][]byte) error {
	h := header{kdf: j.kdf, salt: j.salt, public: j.public}
	size := h.size()
	for _, r := range records {
		size += overhead + len(r)
	}
	h.whole = uint64(size)
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
		// Whether the switch happened decides which data key is right for what follows.
		now, load := j.st.Load()
		j.broken = load != nil || int64(len(now)) != j.size+j.mark || !j.isHeaderOf(now)
		return say.Errorf("journal: replace: %w", err)
	}
	j.writer, j.size, j.mark, j.whole = w, int64(len(content)), 0, int64(len(content))
	return nil
}

// isHeaderOf reports whether content starts with the header this journal writes behind.
func (j *Journal) isHeaderOf(content []byte) bool {
	h, err := parseHeader(content)
	return err == nil && blake2b.Sum256(h.raw) == j.origin
}

// writer seals and opens the records of one file.
type writer struct {
	aead   cipher.AEAD
	former bool     // of the version before, which has no marks
	start  int      // bytes of the header
	origin [32]byte // hash of the header
	state  [32]byte // hash of the header and of every record so far: what the next record is bound to
}
