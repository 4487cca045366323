package bridge

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"glim/bindings/native/files"
	"glim/core/service"
)

// Storage stores wallets for an app that does not keep them as files in a folder. Names are valid file names, without a
// folder. The contents are already encrypted. Only one engine at a time may use a storage.
type Storage interface {
	// Has reports whether there is a file with this name.
	Has(name string) (bool, error)
	// Open returns the file with this name, creating an empty one if it is missing.
	Open(name string) (File, error)
	// Remove removes the file with this name. It is not an error if the file is missing.
	Remove(name string) error
}

// File is a file of a Storage. Its methods are called one at a time.
type File interface {
	// Load returns the complete contents.
	Load() ([]byte, error)
	// Append adds bytes at the end. They are durable when it returns. After a failure any part of them may have been
	// written.
	Append(p []byte) error
	// Replace replaces the complete contents with p. The change is durable when it returns, and atomic if it fails.
	Replace(p []byte) error
	// Truncate keeps the first size bytes. The change is durable when it returns.
	Truncate(size int64) error
	// Close reports that the file is not needed for now.
	Close() error
}

// Suffixes of the files that belong to a wallet, as in bindings/native.
const (
	keysSuffix       = ".keys"
	besideSuffix     = ".glim"
	backgroundSuffix = ".background"
)

// maxKeys limits the size of the reference's keys file, in bytes; real ones have about two thousand.
const maxKeys = 1 << 20

// store is a service.Files over a host's storage.
type store struct {
	host Storage

	mu   sync.Mutex // guards the fields below
	open map[string]bool
}

func newStore(host Storage) *store { return &store{host: host, open: map[string]bool{}} }

// name checks a name from a client.
func (s *store) name(name string) error {
	if _, err := files.Name("", name); err != nil {
		return errors.Join(service.ErrName, err)
	}
	return nil
}

var errNoFile = errors.New("the storage opened no file")

// take opens a file that is not open yet. It returns nil if the file is missing.
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

// taken is an open file.
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

// exists reports whether there is a file that is not empty.
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

// make creates an empty file.
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

// sure opens a file that is not open yet, or creates it.
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

// CreateForTakeover implements service.Files.
func (s *store) CreateForTakeover(name string) (service.Storage, error) {
	if err := s.name(name); err != nil {
		return nil, err
	}
	return s.make(name + besideSuffix)
}

// at returns the name of a wallet's file, which is next to the reference's keys file if there is one.
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
		err = fmt.Errorf("the keys file is too large")
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

var errNowhere = errors.New("wallets cannot have names without the option Folder or Storage")

// nowhere is a Storage without files, for engines whose wallets have no name and are kept in memory.
type nowhere struct{}

func (nowhere) Has(string) (bool, error)  { return false, nil }
func (nowhere) Open(string) (File, error) { return nil, errNowhere }
func (nowhere) Remove(string) error       { return nil }
