package coldset

import (
	"bytes"
	"slices"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// MultisigSig is the state of signing a multisig transaction with one group of signers, exactly as many as are needed.
// Source: src/wallet/wallet2.h, multisig_sig.
type MultisigSig struct {
	Ignore []xmr.PublicKey // signers that do not take part
	UsedL  [][32]byte      // the other signers' nonces that it uses
	Keys   []xmr.PublicKey // public keys of the spend key shares that have responded
	// TotalG and TotalH are the sums of the signers' commitments to nonces: one list per input, one point per nonce.
	TotalG, TotalH [][][32]byte
	First          [][32]byte // first challenges, one per input
	Responses      [][32]byte // sums of the responses so far, one per input
}

const (
	multisigSigVersion = 1
	multisigSigSize    = 1 + unusedSize + 1 + 1 + 1 + 2 + 1 + 1 + 1 + 1 // at least

	// unusedSize is the size of an empty RingCT signature, which older wallets used: kind, message, four empty lists, a
	// fee, six empty lists. Source: src/ringct/rctTypes.h, rctSig.
	unusedSize = 1 + 32 + 4 + 1 + 6
)

func appendMatrix(b []byte, m [][][32]byte) []byte {
	b = wire.AppendVarint(b, uint64(len(m)))
	for i := range m {
		b = wire.AppendKeys(b, m[i])
	}
	return b
}

func readMatrix(r *wire.Reader) [][][32]byte {
	m := make([][][32]byte, r.Count(maxCount, 1))
	for i := range m {
		m[i] = wire.ReadKeys[[32]byte](r, maxCount)
	}
	return m
}

// ReadKeySet reads a list of different fields of 32 bytes. It fails with ErrMalformed when one is repeated.
func ReadKeySet[T ~[32]byte](r *wire.Reader) []T {
	list := wire.ReadKeys[T](r, maxCount)
	seen := make(map[T]bool, len(list))
	for _, x := range list {
		if seen[x] {
			r.Fail(ErrMalformed)
		}
		seen[x] = true
	}
	return list
}

func (a *MultisigSig) append(b []byte) []byte {
	b = wire.AppendVarint(b, multisigSigVersion)
	b = append(b, make([]byte, unusedSize)...)
	b = wire.AppendKeys(b, a.Ignore)
	b = wire.AppendKeys(b, a.UsedL)
	b = wire.AppendKeys(b, a.Keys)
	b = append(b, 0, 0) // two lists that older wallets used
	b = appendMatrix(appendMatrix(b, a.TotalG), a.TotalH)
	return wire.AppendKeys(wire.AppendKeys(b, a.First), a.Responses)
}

func (a *MultisigSig) decode(r *wire.Reader) {
	switch version := readVersion(r, multisigSigVersion); {
	case r.Err() != nil:
		return
	case version < multisigSigVersion:
		r.Fail(ErrDeprecated)
		return
	}
	r.Bytes(1 + 32) // kind and message, which wallets ignore
	if unused := r.Bytes(unusedSize - 33); !bytes.Equal(unused, make([]byte, len(unused))) {
		r.Fail(ErrMalformed)
	}
	a.Ignore = ReadKeySet[xmr.PublicKey](r)
	a.UsedL = ReadKeySet[[32]byte](r)
	a.Keys = ReadKeySet[xmr.PublicKey](r)
	if c, mu := r.Byte(), r.Byte(); c != 0 || mu != 0 { // two lists that older wallets used
		r.Fail(ErrMalformed)
	}
	a.TotalG, a.TotalH = readMatrix(r), readMatrix(r)
	a.First, a.Responses = wire.ReadKeys[[32]byte](r, maxCount), wire.ReadKeys[[32]byte](r, maxCount)
}

// Clone returns a copy that shares no field that signing changes.
func (a *MultisigSig) Clone() MultisigSig {
	c := *a
	c.Keys, c.First, c.Responses = slices.Clone(a.Keys), slices.Clone(a.First), slices.Clone(a.Responses)
	return c
}
