package main

import (
	disk "glim/bindings/native/files"
	"glim/core/service"
)

// walletFiles are wallets' files of which the log has what could not be written: the client is told, too, but who has to make room on the disk
// reads the log.
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

// Beside implements service.Files.
func (f walletFiles) Beside(name string) (service.Storage, error) {
	st, err := f.Files.Beside(name)
	return f.watch(name, st, err)
}

// Background implements service.Files.
func (f walletFiles) Background(name string) (service.Storage, error) {
	st, err := f.Files.Background(name)
	return f.watch(name, st, err)
}

// Cache implements service.Caches.
func (f walletFiles) Cache(name string) (service.Cache, error) {
	if with, ok := f.Files.(service.Caches); ok {
		return with.Cache(name)
	}
	return nil, service.ErrNoWallet
}

func (f walletFiles) watch(name string, st service.Storage, err error) (service.Storage, error) {
	if err != nil {
		return nil, err
	}
	file, ok := st.(*disk.File)
	if !ok {
		return st, nil // no file of a disk, of which nothing is told
	}
	return walletFile{file, f.log, name}, nil
}

// walletFile can do whatever the file can.
type walletFile struct {
	*disk.File
	log  service.Log
	name string
}

func (f walletFile) failed(err error) error {
	if err != nil {
		f.log.Error("a wallet's file could not be written; what was to be in it was not done", "wallet", f.name, "error", err)
	}
	return err
}

// Append implements journal.Storage.
func (f walletFile) Append(p []byte) error { return f.failed(f.File.Append(p)) }

// Replace implements journal.Storage.
func (f walletFile) Replace(p []byte) error { return f.failed(f.File.Replace(p)) }

// Truncate implements journal.Storage.
func (f walletFile) Truncate(size int64) error { return f.failed(f.File.Truncate(size)) }
