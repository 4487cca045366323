package coldset

import (
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// TransferDetails is the description of an output in wallets from before 2021.
// Source: src/wallet/wallet2.h, transfer_details.
type TransferDetails struct {
	Height         uint64
	Tx             *tx.Transaction // without signatures and proofs
	TxID           xmr.Hash
	Index          uint64 // in the transaction
	GlobalIndex    uint64
	Spent          bool
	Frozen         bool
	SpentHeight    uint64
	Image          xmr.KeyImage
	Mask           [32]byte
	Amount         uint64 // atomic units
	RingCT         bool
	ImageKnown     bool
	ImageRequested bool
	KeyIndex       uint64 // which of the transaction's public keys
	Address        keys.Index
	ImagePartial   bool
	Uses           []Use
}

// Use is a transaction with the output in a ring.
type Use struct {
	Height uint64
	TxID   xmr.Hash
}

const (
	transferDetailsSize = 8 + 4 + 32 + 8 + 8 + 1 + 1 + 8 + 32 + 32 + 8 + 3 + 8 + 8 + 1 + 3 // at least
	useSize             = 1 + 1 + 32
)

func (o *TransferDetails) append(b []byte) []byte {
	b = appendUint64(b, o.Height)
	b = append(o.Tx.AppendPrefix(b), o.TxID[:]...)
	b = appendUint64(appendUint64(b, o.Index), o.GlobalIndex)
	b = appendBool(appendBool(b, o.Spent), o.Frozen)
	b = appendUint64(b, o.SpentHeight)
	b = append(append(b, o.Image[:]...), o.Mask[:]...)
	b = appendUint64(b, o.Amount)
	b = appendBool(appendBool(appendBool(b, o.RingCT), o.ImageKnown), o.ImageRequested)
	b = appendUint64(b, o.KeyIndex)
	b = appendUint32(appendUint32(b, o.Address.Major), o.Address.Minor)
	b = append(appendBool(b, o.ImagePartial), 0, 0) // no multisig nonces, no other participants
	b = wire.AppendVarint(b, uint64(len(o.Uses)))
	for i := range o.Uses {
		u := &o.Uses[i]
		b = append(wire.AppendVarint(append(b, 2), u.Height), u.TxID[:]...)
	}
	return b
}

func (o *TransferDetails) decode(r *wire.Reader) {
	o.Height = r.Uint64()
	o.Tx = new(tx.Transaction)
	o.Tx.DecodePrefix(r)
	o.Tx.Extra = append([]byte(nil), o.Tx.Extra...)
	o.TxID = r.Bytes32()
	o.Index, o.GlobalIndex = r.Uint64(), r.Uint64()
	o.Spent, o.Frozen = readBool(r), readBool(r)
	o.SpentHeight = r.Uint64()
	o.Image, o.Mask = r.Bytes32(), r.Bytes32()
	o.Amount = r.Uint64()
	o.RingCT, o.ImageKnown, o.ImageRequested = readBool(r), readBool(r), readBool(r)
	o.KeyIndex = r.Uint64()
	o.Address = keys.Index{Major: r.Uint32(), Minor: r.Uint32()}
	o.ImagePartial = readBool(r)
	for range 2 { // multisig nonces, other participants
		if r.Varint() != 0 {
			r.Fail(ErrMultisig)
		}
	}
	o.Uses = make([]Use, r.Count(maxCount, useSize))
	for i := range o.Uses {
		if r.Byte() != 2 {
			r.Fail(ErrMalformed)
		}
		o.Uses[i] = Use{Height: r.Varint(), TxID: r.Bytes32()}
	}
}

// Exported returns the data that a signer needs. It returns ErrMalformed when the transaction has no such output or
// key.
func (o *TransferDetails) Exported() (ExportedOutput, error) {
	extra, _ := tx.ParseExtra(o.Tx.Extra)
	if o.Index >= uint64(len(o.Tx.Outputs)) || o.KeyIndex >= uint64(len(extra.PublicKeys)) {
		return ExportedOutput{}, ErrMalformed
	}
	return ExportedOutput{
		Version: outputVersion, Key: o.Tx.Outputs[o.Index].Key, Index: o.Index, GlobalIndex: o.GlobalIndex,
		TxKey: extra.PublicKeys[o.KeyIndex], AdditionalKeys: extra.AdditionalKeys, Spent: o.Spent, Frozen: o.Frozen,
		RingCT: o.RingCT, ImageKnown: o.ImageKnown, ImageRequested: o.ImageRequested, ImagePartial: o.ImagePartial,
		Amount: o.Amount, Address: o.Address,
	}, nil
}
