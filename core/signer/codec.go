package signer

import (
	"encoding/binary"
	"errors"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/internal/codec/wire"
	"glim/core/internal/proof"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// A request is an operation byte and its arguments. An answer is a byte 0 and the result, or an error: a byte 1, the
// numbers of the known errors that it is, and its text.
const (
	opCreate byte = iota + 1
	opUnlock
	opReseal
	opClose
	opImages
	opSign
	opSpendProof
	opReserveProof
	opMessage
	opSignedImages
	opMultisig
	opReveal
)

// Limits of decoding.
const (
	// MaxRequest is the largest request or answer in bytes.
	MaxRequest = 64 << 20

	maxPassword = 1 << 16
	maxText     = 1 << 20
	maxMany     = 1 << 20
	maxRing     = 256
	maxError    = 4096
)

// known are the errors that a client can distinguish. Their indices are part of the protocol: append only.
var known = []error{
	ErrNotOpen, ErrRefused, ErrRequest, ErrFull, keys.ErrMismatch, keys.ErrKey, journal.ErrPassword, journal.ErrFormat,
	journal.ErrLimit,
	txbuild.ErrNotPossible, txbuild.ErrMismatch, txbuild.ErrZeroAmount, txbuild.ErrTooManyOutputs,
	txbuild.ErrPaymentIDs, txbuild.ErrTooHeavy,
	proof.ErrSecret, proof.ErrTransaction, proof.ErrNotEnough, proof.ErrViewOnly, coldset.ErrNotOurs, xmr.ErrOverflow,
	proof.ErrMessage,
}

// remoteError is an error of the server.
type remoteError struct {
	text string
	is   []error
}

// Error returns the server's text.
func (e *remoteError) Error() string { return e.text }

// Unwrap returns the known errors that it is.
func (e *remoteError) Unwrap() []error { return e.is }

func appendError(b []byte, err error) []byte {
	b = append(b, 1)
	var is []byte
	for n, k := range known {
		if errors.Is(err, k) {
			is = append(is, byte(n))
		}
	}
	text := err.Error()
	return appendBytes(appendBytes(b, is), []byte(text[:min(len(text), maxError)]))
}

func readError(r *wire.Reader) error {
	e := &remoteError{}
	for _, n := range readBytes(r, len(known)) {
		if int(n) < len(known) {
			e.is = append(e.is, known[n])
		}
	}
	e.text = string(readBytes(r, maxError))
	if err := r.Close(); err != nil {
		return smallfmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return e
}

func appendBytes(b, part []byte) []byte {
	return append(wire.AppendVarint(b, uint64(len(part))), part...)
}

func readBytes(r *wire.Reader, most int) []byte { return r.Bytes(r.Count(most, 1)) }

func appendIndex(b []byte, i keys.Index) []byte {
	return wire.AppendVarint(wire.AppendVarint(b, uint64(i.Major)), uint64(i.Minor))
}

func readUint32(r *wire.Reader) uint32 {
	n := r.Varint()
	if n > 1<<32-1 {
		r.Fail(ErrRequest)
		return 0
	}
	return uint32(n)
}

func readIndex(r *wire.Reader) keys.Index {
	major := readUint32(r)
	return keys.Index{Major: major, Minor: readUint32(r)}
}

func readBool(r *wire.Reader) bool {
	n := r.Byte()
	if n > 1 {
		r.Fail(ErrRequest)
	}
	return n == 1
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

const outputSize = 32 + 1 + 2 + 32 // at least

func appendOutput(b []byte, o *keys.OwnOutput) []byte {
	b = appendIndex(wire.AppendVarint(append(b, o.Derivation[:]...), o.Index), o.Address)
	return append(b, o.Key[:]...)
}

func readOutput(r *wire.Reader) (o keys.OwnOutput) {
	o.Derivation = r.Bytes32()
	o.Index = r.Varint()
	o.Address = readIndex(r)
	o.Key = r.Bytes32()
	return o
}

func appendOutputs(b []byte, outputs []keys.OwnOutput) []byte {
	b = wire.AppendVarint(b, uint64(len(outputs)))
	for i := range outputs {
		b = appendOutput(b, &outputs[i])
	}
	return b
}

func readOutputs(r *wire.Reader) []keys.OwnOutput {
	out := make([]keys.OwnOutput, r.Count(maxMany, outputSize))
	for i := range out {
		out[i] = readOutput(r)
	}
	return out
}

func appendKDF(b []byte, k journal.KDF) []byte {
	for _, n := range [...]uint32{k.Time, k.MemoryKiB, k.Lanes} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

func readKDF(r *wire.Reader) journal.KDF {
	return journal.KDF{Time: r.Uint32(), MemoryKiB: r.Uint32(), Lanes: r.Uint32()}
}

func appendAddress(b []byte, a *address.Address) []byte {
	b = append(append(append(b, byte(a.Kind)), a.Spend[:]...), a.View[:]...)
	return append(b, a.PaymentID[:]...)
}

const addressSize = 1 + 64 + 8

func readAddress(r *wire.Reader, network xmr.Network) (a address.Address) {
	a.Network, a.Kind = network, address.Kind(r.Byte())
	a.Spend, a.View = r.Bytes32(), r.Bytes32()
	copy(a.PaymentID[:], r.Bytes(8))
	if a.Kind > address.Integrated || a.Kind != address.Integrated && a.PaymentID != [8]byte{} {
		r.Fail(ErrRequest)
	}
	return a
}
