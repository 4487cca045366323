package coldset

import (
	"io"

	"glim/core/internal/codec/wire"
)

// UnsignedSet is transactions for the signer to make, with outputs it may not know yet.
// Source: src/wallet/wallet2.h, unsigned_tx_set.
type UnsignedSet struct {
	// Version is 2, or 1 as written up to 0.18.1.0, or 0 of 2021. It follows the layout of the outputs: 2 is not Paired, 1
	// and 0 are, and 0 has the old ones. With no outputs in it a set of version 1 is read and signed by all of them; 0.18.0.0
	// then forgets what outputs it was told of before, which costs it nothing but another message with them.
	Version      uint8
	Transactions []Construction
	Outputs      OutputSet
}

const unsignedVersion = 2

// NewUnsignedSet returns a set in the layout of outputs.
func NewUnsignedSet(transactions []Construction, outputs OutputSet) *UnsignedSet {
	u := &UnsignedSet{Version: unsignedVersion, Transactions: transactions, Outputs: outputs}
	switch {
	case outputs.Paired && len(outputs.Old) > 0:
		u.Version = 0
	case outputs.Paired:
		u.Version = 1
	}
	return u
}

// Append writes u behind b.
func (u *UnsignedSet) Append(b []byte) []byte {
	b = wire.AppendVarint(b, uint64(u.Version))
	b = wire.AppendVarint(b, uint64(len(u.Transactions)))
	for i := range u.Transactions {
		b = u.Transactions[i].Append(b)
	}
	return u.Outputs.Append(b)
}

// ParseUnsignedSet reads what Append wrote and refuses bytes after it.
func ParseUnsignedSet(b []byte) (*UnsignedSet, error) {
	r := wire.NewReader(b)
	u := &UnsignedSet{Version: readVersion(r, unsignedVersion)}
	u.Transactions = make([]Construction, r.Count(maxCount, constructionSize))
	for i := range u.Transactions {
		u.Transactions[i].decode(r)
	}
	u.Outputs.decode(r, u.Version < 2, u.Version == 0)
	if err := r.Close(); err != nil {
		return nil, err
	}
	return u, nil
}

// EncodeUnsigned returns u as a message of the wallet.
// Source: src/wallet/wallet2.cpp, dump_tx_to_str.
func (b *Box) EncodeUnsigned(random io.Reader, u *UnsignedSet) ([]byte, error) {
	return b.sealed(random, magicUnsigned, u.Append(nil))
}

// DecodeUnsigned reads a message of the same wallet. Errors: ErrMagic, ErrDeprecated, ErrVersion, ErrSeal, those of
// decoding.
// Source: src/wallet/wallet2.cpp, parse_unsigned_tx_from_str.
func (b *Box) DecodeUnsigned(message []byte) (*UnsignedSet, error) {
	plain, err := b.opened(message, magicUnsigned)
	if err != nil {
		return nil, err
	}
	return ParseUnsignedSet(plain)
}
