package bridge

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"glim/bindings/native/files"
	"glim/core/service"
)

// Storage keeps wallets for an app that does not want them as files of a folder. Names are of letters, digits and the like, never of
// slashes. What is kept is encrypted already. Only one engine at a time may use it.
type Storage interface {
	// Has reports whether there is a file of a name.
	Has(name string) (bool, error)
	// Open returns the file of a name, an empty one when there was none.
	Open(name string) (File, error)
	// Remove removes the file of a name; that there is none is no error.
	Remove(name string) error
}

// File is what a Storage keeps under a name. Its methods are called one at a time.
type File interface {
	// Load returns the whole content.
	Load() ([]byte, error)
	// Append adds bytes at the end: they are durable when it returns. After a failure any part of them may be there.
	Append(p []byte) error
	// Replace puts p in the place of the whole content: it is durable when it returns, and whole or not at all after a failure.
	Replace(p []byte) error
	// Truncate keeps the first size bytes: durable when it returns.
	Truncate(size int64) error
	// Close says that the file is not needed for now.
	Close() error
}

// Suffixes of the names that are not wallets' own, as in bindings/native.
const (
	keysSuffix       = ".keys"
	besideSuffix     = ".glim"
	backgroundSuffix = ".background"
)

// maxKeys bounds the reference's file of keys, in bytes; real ones have some two thousand.
const maxKeys = 1 << 20

// store is a service.Files over a host's storage.
type store struct {
	host Storage

	mu   sync.Mutex // guards what follows
	open map[string]bool
}

func newStore(host Storage) *store { return &store{host: host, open: map[string]bool{}} }

// name checks what a client says.
func (s *store) name(name string) error {
	if _, err := files.Name("", name); err != nil {
		return errors.Join(service.ErrName, err)
	}
	return nil
}

var errNoFile = errors.New("the storage opened no file")

// take opens a file that nobody has open. nil stands for none.
func (s *store) take(name string, create bool) (f *taken, err error) {
	defer contain(&err)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[name] {
		return nil, service.ErrInUse
	}
	if there, err := s.host.Has(name); err != nil || !there && !create {
		return nil, err
	}
	host, err := s.host.Open(name)
	if err != nil {
		return nil, err
	}
	if host == nil {
		return nil, errNoFile
	}
	s.open[name] = true
	return &taken{File: host, store: s, name: name}, nil
}

// taken is a file that is open.
type taken struct {
	File
	store *store
	name  string
	once  sync.Once
}

func (f *taken) Load() (p []byte, err error) {
	defer contain(&err)
	return f.File.Load()
}

func (f *taken) Close() (err error) {
	defer contain(&err)
	f.once.Do(func() {
		err = f.File.Close()
		f.store.mu.Lock()
		delete(f.store.open, f.name)
		f.store.mu.Unlock()
	})
	return err
}

// exists reports whether there is a file with something in it.
func (s *store) exists(name string) (bool, error) {
	f, err := s.take(name, false)
	if errors.Is(err, service.ErrInUse) {
		return true, nil
	}
	if err != nil || f == nil {
		return false, err
	}
	content, err := f.Load()
	return len(content) > 0, errors.Join(err, f.Close())
}

// make makes a file in which nothing is.
func (s *store) make(name string) (service.Storage, error) {
	there, err := s.exists(name)
	if err != nil {
		return nil, err
	}
	if there {
		return nil, service.ErrExists
	}
	return s.sure(name)
}

// sure opens a file that nobody has open, or makes it.
func (s *store) sure(name string) (service.Storage, error) {
	f, err := s.take(name, true)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Create implements service.Files.
func (s *store) Create(name string) (service.Storage, error) {
	if err := s.name(name); err != nil {
		return nil, err
	}
	if low := strings.ToLower(name); strings.HasSuffix(low, keysSuffix) || strings.HasSuffix(low, besideSuffix) {
		return nil, service.ErrName
	}
	there, err := s.exists(name + keysSuffix)
	if err != nil {
		return nil, err
	}
	if there {
		return nil, service.ErrExists
	}
	return s.make(name)
}

// Beside implements service.Files.
func (s *store) Beside(name string) (service.Storage, error) {
	if err := s.name(name); err != nil {
		return nil, err
	}
	return s.make(name + besideSuffix)
}

// at returns the file of a wallet: beside the reference's keys where those are.
func (s *store) at(name string) (string, error) {
	if err := s.name(name); err != nil {
		return "", err
	}
	there, err := s.exists(name + keysSuffix)
	if there {
		name += besideSuffix
	}
	return name, err
}

// Open implements service.Files.
func (s *store) Open(name string) (service.Storage, error) {
	name, err := s.at(name)
	if err != nil {
		return nil, err
	}
	f, err := s.take(name, false)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, service.ErrNoWallet
	}
	return f, nil
}

// Keys implements service.Files.
func (s *store) Keys(name string) ([]byte, error) {
	if err := s.name(name); err != nil {
		return nil, err
	}
	f, err := s.take(name+keysSuffix, false)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, service.ErrNoWallet
	}
	p, err := f.Load()
	if err == nil && len(p) > maxKeys {
		err = fmt.Errorf("the file of keys is too large")
	}
	return p, errors.Join(err, f.Close())
}

// Export implements service.Files.
func (s *store) Export(name string, keys []byte) (err error) {
	if err := s.name(name); err != nil {
		return err
	}
	for _, other := range []string{name, name + besideSuffix} {
		there, err := s.exists(other)
		if err != nil {
			return err
		}
		if there {
			return service.ErrExists
		}
	}
	f, err := s.make(name + keysSuffix)
	if err != nil {
		return err
	}
	if err := f.Replace(keys); err != nil {
		return errors.Join(err, f.Close(), s.remove(name+keysSuffix))
	}
	return f.Close()
}

func (s *store) remove(name string) (err error) {
	defer contain(&err)
	return s.host.Remove(name)
}

// Background implements service.Files.
func (s *store) Background(name string) (service.Storage, error) {
	at, err := s.at(name + backgroundSuffix)
	if err != nil {
		return nil, err
	}
	return s.sure(at)
}

// DropBackground implements service.Files.
func (s *store) DropBackground(name string) error {
	at, err := s.at(name + backgroundSuffix)
	if err != nil {
		return err
	}
	return s.remove(at)
}

var errNowhere = errors.New("neither Folder nor Storage is set: only wallets without a name can be made")

// nowhere is a storage without room: what has no name lives in memory and needs none.
type nowhere struct{}

func (nowhere) Has(string) (bool, error)  { return false, nil }
func (nowhere) Open(string) (File, error) { return nil, errNowhere }
func (nowhere) Remove(string) error       { return nil }
