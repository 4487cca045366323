//go:build js && wasm

package main

import (
	"context"
	"errors"
	"syscall/js"

	"glim/core/chain"
	"glim/wasm/host"
)

// store stores the chain with the host, whose methods return promises: load returns keys and values alternately, in the
// order of keys; commit gets records to write, in the same form, and the keys of records to delete.
type store struct{ host js.Value }

var errUneven = errors.New("the stored chain has a key without a value")

func (s store) Load(visit func(key, value []byte) error) error {
	list, err := host.Call(context.Background(), s.host, "load")
	if err != nil {
		return err
	}
	count := list.Length()
	if count%2 != 0 {
		return errUneven
	}
	for i := 0; i < count; i += 2 {
		if err := visit(host.FromJS(list.Index(i)), host.FromJS(list.Index(i+1))); err != nil {
			return err
		}
	}
	return nil
}

func (s store) Commit(put []chain.Record, drop [][]byte) error {
	written := make([]any, 0, 2*len(put))
	for _, r := range put {
		written = append(written, host.ToJS(r.Key), host.ToJS(r.Value))
	}
	deleted := make([]any, 0, len(drop))
	for _, key := range drop {
		deleted = append(deleted, host.ToJS(key))
	}
	_, err := host.Call(context.Background(), s.host, "commit", written, deleted)
	return err
}
