package coldset

import (
	"bytes"
	"io"
	"slices"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// Attempt is one way to finish a shared transaction: with the responses of one group of signers, as many as are needed.
// Source: src/wallet/wallet2.h, multisig_sig.
type Attempt struct {
	Ignore []xmr.PublicKey // signers who have no part in it
	UsedL  [][32]byte      // which of the other signers' nonces it takes
	Keys   []xmr.PublicKey // public halves of the shares of the spend key that have responded
	// TotalG and TotalH are the sums of the signers' commitments to nonces: one list an input, one point a nonce.
	TotalG, TotalH [][][32]byte
	First          [][32]byte // first challenges, one an input
	Responses      [][32]byte // sums of the responses so far, one an input
}

const (
	attemptVersion = 1
	attemptSize    = 1 + unusedSize + 1 + 1 + 1 + 2 + 1 + 1 + 1 + 1 // at least

	// unusedSize is a RingCT signature of nothing, which older wallets used: kind, message, four empty lists, a fee, six
	// empty lists. Source: src/ringct/rctTypes.h, rctSig.
	unusedSize = 1 + 32 + 4 + 1 + 6
)

func appendMatrix(b []byte, m [][][32]byte) []byte {
	b = wire.AppendVarint(b, uint64(len(m)))
	for i := range m {
		b = append32s(b, m[i])
	}
	return b
}

func readMatrix(r *wire.Reader) [][][32]byte {
	m := make([][][32]byte, r.Count(maxCount, 1))
	for i := range m {
		m[i] = read32s[[32]byte](r)
	}
	return m
}

// readSet is read32s of what names nothing twice.
func readSet[T ~[32]byte](r *wire.Reader) []T {
	list := read32s[T](r)
	seen := make(map[T]bool, len(list))
	for _, x := range list {
		if seen[x] {
			r.Fail(ErrMalformed)
		}
		seen[x] = true
	}
	return list
}

func (a *Attempt) append(b []byte) []byte {
	b = wire.AppendVarint(b, attemptVersion)
	b = append(b, make([]byte, unusedSize)...)
	b = append32s(b, a.Ignore)
	b = append32s(b, a.UsedL)
	b = append32s(b, a.Keys)
	b = append(b, 0, 0) // two lists that older wallets used
	b = appendMatrix(appendMatrix(b, a.TotalG), a.TotalH)
	return append32s(append32s(b, a.First), a.Responses)
}

func (a *Attempt) decode(r *wire.Reader) {
	switch version := readVersion(r, attemptVersion); {
	case r.Err() != nil:
		return
	case version < attemptVersion:
		r.Fail(ErrDeprecated)
		return
	}
	r.Bytes(1 + 32) // kind and message, of which no wallet says anything
	if unused := r.Bytes(unusedSize - 33); !bytes.Equal(unused, make([]byte, len(unused))) {
		r.Fail(ErrMalformed)
	}
	a.Ignore = readSet[xmr.PublicKey](r)
	a.UsedL = readSet[[32]byte](r)
	a.Keys = readSet[xmr.PublicKey](r)
	if c, mu := r.Byte(), r.Byte(); c != 0 || mu != 0 { // two lists that older wallets used
		r.Fail(ErrMalformed)
	}
	a.TotalG, a.TotalH = readMatrix(r), readMatrix(r)
	a.First, a.Responses = read32s[[32]byte](r), read32s[[32]byte](r)
}

// clone returns a copy that shares nothing that signing changes.
func (a *Attempt) clone() Attempt {
	c := *a
	c.Keys, c.First, c.Responses = slices.Clone(a.Keys), slices.Clone(a.First), slices.Clone(a.Responses)
	return c
}

// SharedSet is transactions of a multisig wallet on their way from signer to signer.
// Source: src/wallet/wallet2.h, multisig_tx_set.
type SharedSet struct {
	Transactions []Pending
	Signers      []xmr.PublicKey // who has signed
}

// Clone returns a copy to sign: s itself then stays as it is.
func (s *SharedSet) Clone() *SharedSet {
	c := &SharedSet{Transactions: slices.Clone(s.Transactions), Signers: slices.Clone(s.Signers)}
	for i := range c.Transactions {
		attempts := make([]Attempt, len(c.Transactions[i].Attempts))
		for j := range attempts {
			attempts[j] = s.Transactions[i].Attempts[j].clone()
		}
		c.Transactions[i].Attempts = attempts
	}
	return c
}

// Append writes s behind b.
func (s *SharedSet) Append(b []byte) []byte {
	b = wire.AppendVarint(b, uint64(len(s.Transactions)))
	for i := range s.Transactions {
		b = s.Transactions[i].Append(b)
	}
	return append32s(b, s.Signers)
}

// ParseSharedSet reads what Append wrote and refuses bytes after it.
// Source: src/wallet/wallet2.cpp, parse_multisig_tx_from_str.
func ParseSharedSet(b []byte) (*SharedSet, error) {
	s := new(SharedSet)
	r := wire.NewReader(b)
	s.Transactions = make([]Pending, r.Count(maxCount, pendingSize))
	for i := range s.Transactions {
		if r.Err() == nil {
			s.Transactions[i].decode(r, true)
		}
	}
	s.Signers = readSet[xmr.PublicKey](r)
	if err := r.Close(); err != nil {
		return nil, err
	}
	return s, nil
}

// EncodeSharedSet returns s as a message of the wallet.
// Source: src/wallet/wallet2.cpp, save_multisig_tx.
func (b *Box) EncodeSharedSet(random io.Reader, s *SharedSet) ([]byte, error) {
	return b.sealed(random, magicSharedSet, s.Append(nil))
}

// DecodeSharedSet reads a message of the same wallet. Errors: ErrMagic, ErrDeprecated, ErrVersion, ErrSeal, those of decoding.
// Source: src/wallet/wallet2.cpp, parse_multisig_tx_from_str.
func (b *Box) DecodeSharedSet(message []byte) (*SharedSet, error) {
	plain, err := b.opened(message, magicSharedSet)
	if err != nil {
		return nil, err
	}
	return ParseSharedSet(plain)
}
