//go:build js && wasm

package main

import (
	"context"
	"errors"
	"strings"
	"syscall/js"

	"glim/core/service"
	"glim/wasm/host"
)

// files stores wallets with the host, by name. A name can be open only once, in all tabs together.
type files struct{ host js.Value }

// Suffixes of files that belong to a wallet: the reference's keys file, the new file of a wallet being taken over, and
// the file without the spend key.
const (
	keysSuffix       = ".keys"
	besideSuffix     = ".glim"
	backgroundSuffix = ".background"
)

// maxName limits a wallet's name, in bytes.
const maxName = 255

func valid(name string) bool {
	return name != "" && len(name) <= maxName && !strings.ContainsAny(name, "/\\\x00") && name != "." && name != ".."
}

func free(name string) bool {
	return !strings.HasSuffix(name, keysSuffix) && !strings.HasSuffix(name, besideSuffix)
}

// failures maps the host's error names to errors.
var failures = map[string]error{
	"ExistsError":  service.ErrExists,
	"MissingError": service.ErrNoWallet,
	"InUseError":   service.ErrInUse,
}

func failed(err error) error {
	var f *host.Failure
	if errors.As(err, &f) {
		if known, ok := failures[f.Name]; ok {
			return known
		}
	}
	return err
}

func (f files) open(method, name string) (service.Storage, error) {
	v, err := host.Call(context.Background(), f.host, method, name)
	if err != nil {
		return nil, failed(err)
	}
	return file{v}, nil
}

func (f files) exists(name string) (bool, error) {
	v, err := host.Call(context.Background(), f.host, "exists", name)
	return err == nil && v.Truthy(), err
}

func (f files) Create(name string) (service.Storage, error) {
	if !valid(name) || !free(name) {
		return nil, service.ErrName
	}
	taken, err := f.exists(name + keysSuffix)
	if err != nil {
		return nil, err
	}
	if taken {
		return nil, service.ErrExists
	}
	return f.open("create", name)
}

func (f files) CreateForTakeover(name string) (service.Storage, error) {
	if !valid(name) {
		return nil, service.ErrName
	}
	return f.open("create", name+besideSuffix)
}

func (f files) Open(name string) (service.Storage, error) {
	if !valid(name) {
		return nil, service.ErrName
	}
	beside, err := f.exists(name + keysSuffix)
	if err != nil {
		return nil, err
	}
	if beside {
		name += besideSuffix
	}
	return f.open("open", name)
}

func (f files) Keys(name string) ([]byte, error) {
	if !valid(name) {
		return nil, service.ErrName
	}
	st, err := f.open("open", name+keysSuffix)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	return st.Load()
}

func (f files) Export(name string, keys []byte) error {
	if !valid(name) || !free(name) {
		return service.ErrName
	}
	for _, other := range []string{name, name + besideSuffix} {
		if taken, err := f.exists(other); taken || err != nil {
			return errors.Join(service.ErrExists, err)
		}
	}
	st, err := f.open("create", name+keysSuffix)
	if err != nil {
		return err
	}
	return errors.Join(st.Replace(keys), st.Close())
}

func (f files) Background(name string) (service.Storage, error) {
	st, err := f.Open(name + backgroundSuffix)
	if errors.Is(err, service.ErrNoWallet) {
		return f.open("create", name+backgroundSuffix)
	}
	return st, err
}

func (f files) DropBackground(name string) error {
	_, err := host.Call(context.Background(), f.host, "remove", name+backgroundSuffix)
	if errors.Is(failed(err), service.ErrNoWallet) {
		return nil
	}
	return failed(err)
}

// file is a wallet's file with the host.
type file struct{ host js.Value }

func (f file) do(method string, args ...any) (js.Value, error) {
	return host.Call(context.Background(), f.host, method, args...) // a write must not be interrupted
}

func (f file) Load() ([]byte, error) {
	v, err := f.do("load")
	return host.FromJS(v), err
}

func (f file) Append(p []byte) error {
	_, err := f.do("append", host.ToJS(p))
	return err
}

func (f file) Replace(p []byte) error {
	_, err := f.do("replace", host.ToJS(p))
	return err
}

func (f file) Truncate(size int64) error {
	_, err := f.do("truncate", size)
	return err
}

func (f file) Close() error {
	_, err := f.do("close")
	return err
}
