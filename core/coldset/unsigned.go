package coldset

import (
	"io"

	"glim/core/internal/codec/wire"
)

// UnsignedSet has transactions for the signer to make, with outputs that it may not know yet.
// Source: src/wallet/wallet2.h, unsigned_tx_set.
type UnsignedSet struct {
	// Version is 2, 1 up to 0.18.1.0, or 0 in 2021. It follows the layout of the outputs: Paired for 1 and 0, with
	// Transfers for 0. All releases read and sign a set of version 1 without outputs; 0.18.0.0 then forgets the outputs
	// of earlier messages and needs another message with them.
	Version      uint8
	Transactions []Construction
	Outputs      OutputSet
}

const unsignedVersion = 2

// NewUnsignedSet returns a set in the layout of outputs.
func NewUnsignedSet(transactions []Construction, outputs OutputSet) *UnsignedSet {
	u := &UnsignedSet{Version: unsignedVersion, Transactions: transactions, Outputs: outputs}
	switch {
	case outputs.Paired && len(outputs.Transfers) > 0:
		u.Version = 0
	case outputs.Paired:
		u.Version = 1
	}
	return u
}

// Append serialises u after b.
func (u *UnsignedSet) Append(b []byte) []byte {
	b = wire.AppendVarint(b, uint64(u.Version))
	b = wire.AppendVarint(b, uint64(len(u.Transactions)))
	for i := range u.Transactions {
		b = u.Transactions[i].Append(b)
	}
	return u.Outputs.Append(b)
}

// ParseUnsignedSet reads what Append wrote and refuses trailing bytes.
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
func (b *Cipher) EncodeUnsigned(random io.Reader, u *UnsignedSet) ([]byte, error) {
	return b.EncryptMessage(random, magicUnsigned, u.Append(nil))
}

// DecodeUnsigned reads a message of the same wallet. It returns ErrMagic, ErrDeprecated, ErrVersion, ErrSeal, or a
// decoding error.
// Source: src/wallet/wallet2.cpp, parse_unsigned_tx_from_str.
func (b *Cipher) DecodeUnsigned(message []byte) (*UnsignedSet, error) {
	plain, err := b.DecryptMessage(message, magicUnsigned)
	if err != nil {
		return nil, err
	}
	return ParseUnsignedSet(plain)
}
