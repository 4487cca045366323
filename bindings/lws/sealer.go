package lws

import "io"

// Sealer seals records for databases in packages of their own, as Store does. Its methods are safe for concurrent use
// if random is.
type Sealer struct{ s sealer }

// NewSealer returns a Sealer with a key.
func NewSealer(key Key, random io.Reader) Sealer { return Sealer{newSealer(key, random)} }

// Name returns the name of the record with a key: a keyed hash of it, 20 bytes.
func (s Sealer) Name(key []byte) []byte { return s.s.name(key) }

// Close returns the name of a record, and its key and value sealed. It returns an error of random.
func (s Sealer) Close(key, value []byte) (name, sealed []byte, err error) {
	return s.s.close(key, value)
}

// Open returns the key and the value of a record, or ErrSeal if this key did not seal them with this name.
func (s Sealer) Open(name, sealed []byte) (key, value []byte, err error) {
	return s.s.open(name, sealed)
}
