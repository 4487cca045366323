package main

import (
	disk "glim/bindings/native/files"
	"glim/core/journal"
	"glim/core/service"
)

// walletFiles logs errors of writing wallet files. Clients get these errors too, but the operator, who has to free disk
// space, reads the log.
type walletFiles struct {
	service.Files
	log service.Log
}

// Create implements service.Files.
func (f walletFiles) Create(name string) (service.Storage, error) {
	st, err := f.Files.Create(name)
	return f.watch(name, st, err)
}

// Open implements service.Files.
func (f walletFiles) Open(name string) (service.Storage, error) {
	st, err := f.Files.Open(name)
	return f.watch(name, st, err)
}

// CreateForTakeover implements service.Files.
func (f walletFiles) CreateForTakeover(name string) (service.Storage, error) {
	st, err := f.Files.CreateForTakeover(name)
	return f.watch(name, st, err)
}

// Background implements service.Files.
func (f walletFiles) Background(name string) (service.Storage, error) {
	st, err := f.Files.Background(name)
	return f.watch(name, st, err)
}

// These interfaces are optional, so a missing method would only show in lost functions.
var (
	_ service.CacheFiles       = walletFiles{}
	_ service.ReferenceFiles   = walletFiles{}
	_ service.RollbackDetector = walletFile{}
	_ journal.Losable          = walletFile{}
	_ journal.Beginner         = walletFile{}
)

// OpenCache implements service.CacheFiles.
func (f walletFiles) OpenCache(name string) (service.WalletCache, error) {
	if with, ok := f.Files.(service.CacheFiles); ok {
		return with.OpenCache(name)
	}
	return nil, service.ErrNoWallet
}

// Reference implements service.ReferenceFiles.
func (f walletFiles) Reference(name string) service.Reference {
	if with, ok := f.Files.(service.ReferenceFiles); ok {
		return with.Reference(name)
	}
	return nil
}

func (f walletFiles) watch(name string, st service.Storage, err error) (service.Storage, error) {
	if err != nil {
		return nil, err
	}
	file, ok := st.(*disk.File)
	if !ok {
		return st, nil // not a file on disk; its errors are not logged
	}
	return walletFile{file, f.log, name}, nil
}

// walletFile logs the write errors of a file.
type walletFile struct {
	*disk.File
	log  service.Log
	name string
}

func (f walletFile) failed(err error) error {
	if err != nil {
		f.log.Error("writing a wallet file failed; the change was not made", "wallet", f.name, "error", err)
	}
	return err
}

// Append implements journal.Storage.
func (f walletFile) Append(p []byte) error { return f.failed(f.File.Append(p)) }

// Replace implements journal.Storage.
func (f walletFile) Replace(p []byte) error { return f.failed(f.File.Replace(p)) }

// Truncate implements journal.Storage.
func (f walletFile) Truncate(size int64) error { return f.failed(f.File.Truncate(size)) }
