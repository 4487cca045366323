package coldset

import (
	"encoding/hex"

	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// PendingTx is a finished transaction with the data that its sender keeps: an element of a signed set, and by itself
// the RPC's transaction metadata. Amounts are in atomic units.
// Source: src/wallet/wallet2.h, pending_tx.
type PendingTx struct {
	Version        uint8 // 1, or 0 before 2022, which lacks Entropy
	Tx             *tx.Transaction
	Dust           uint64
	Fee            uint64
	DustAddedToFee bool
	Change         DestinationEntry
	Selected       []uint64 // positions of the spent outputs in the wallet's list
	KeyImages      string   // each image in hexadecimal as "<image> "
	Key            keys.Secret
	AdditionalKeys []keys.Secret
	Payments       []DestinationEntry // without change
	Construction   Construction
	MultisigSigs   []MultisigSig // multisig: one per group of signers
	Entropy        keys.Secret   // multisig: Key and AdditionalKeys are derived from it
}

const (
	pendingTxVersion = 1
	pendingTxSize    = 1 + 8 + 8 + 8 + 1 + destinationSize + 1 + 1 + 32 + 1 + 1 + constructionSize + 1 // at least
)

// PendingTx returns t, which was made from c, as a pending transaction without its secret keys.
func (c *Construction) PendingTx(t *tx.Transaction, fee uint64) PendingTx {
	return PendingTx{
		Version: pendingTxVersion, Tx: t, Fee: fee, Change: c.Change, Selected: c.Selected, KeyImages: imagesText(t),
		Payments: c.Payments, Construction: *c,
	}
}

// Append serialises p after b.
func (p *PendingTx) Append(b []byte) []byte {
	b = p.Tx.Append(wire.AppendVarint(b, uint64(p.Version)))
	b = appendUint64(appendUint64(b, p.Dust), p.Fee)
	b = appendBool(b, p.DustAddedToFee)
	b = appendVarints(p.Change.append(b), p.Selected)
	b = appendBytes(b, p.KeyImages)
	b = wire.AppendKeys(append(b, p.Key[:]...), p.AdditionalKeys)
	b = appendDestinations(b, p.Payments)
	b = wire.AppendVarint(p.Construction.Append(b), uint64(len(p.MultisigSigs)))
	for i := range p.MultisigSigs {
		b = p.MultisigSigs[i].append(b)
	}
	if p.Version >= 1 {
		b = append(b, p.Entropy[:]...)
	}
	return b
}

// decode reads what Append wrote. Without multisig it fails with ErrMultisig for a transaction that has MultisigSigs.
func (p *PendingTx) decode(r *wire.Reader, multisig bool) {
	p.Version = readVersion(r, pendingTxVersion)
	p.Tx = new(tx.Transaction)
	p.Tx.Decode(r)
	if r.Err() != nil {
		return
	}
	p.Tx.Extra = append([]byte(nil), p.Tx.Extra...)
	p.Dust, p.Fee = r.Uint64(), r.Uint64()
	p.DustAddedToFee = readBool(r)
	p.Change.decode(r)
	p.Selected = readVarints(r)
	p.KeyImages = string(readBytes(r))
	p.Key = r.Bytes32()
	p.AdditionalKeys = wire.ReadKeys[keys.Secret](r, maxCount)
	p.Payments = readDestinations(r)
	p.Construction.decode(r)
	n := r.Count(maxCount, multisigSigSize)
	if n != 0 && !multisig {
		r.Fail(ErrMultisig)
		return
	}
	for range n {
		var a MultisigSig
		if a.decode(r); r.Err() != nil {
			return
		}
		p.MultisigSigs = append(p.MultisigSigs, a)
	}
	if p.Version >= 1 {
		p.Entropy = r.Bytes32()
	}
}

// AppendPendingTxs serialises a list as in signed sets and multisig sets.
func AppendPendingTxs(b []byte, list []PendingTx) []byte {
	b = wire.AppendVarint(b, uint64(len(list)))
	for i := range list {
		b = list[i].Append(b)
	}
	return b
}

// ReadPendingTxs reads what AppendPendingTxs wrote. Without multisig it fails with ErrMultisig for a transaction that
// has MultisigSigs.
func ReadPendingTxs(r *wire.Reader, multisig bool) []PendingTx {
	list := make([]PendingTx, r.Count(maxCount, pendingTxSize))
	for i := range list {
		if r.Err() == nil {
			list[i].decode(r, multisig)
		}
	}
	return list
}

// ParsePendingTx reads what Append wrote and refuses trailing bytes. It returns ErrMultisig, ErrVersion or a decoding
// error.
// Source: src/wallet/wallet_rpc_server.cpp, on_relay_tx.
func ParsePendingTx(b []byte) (*PendingTx, error) {
	p := new(PendingTx)
	r := wire.NewReader(b)
	p.decode(r, false)
	if err := r.Close(); err != nil {
		return nil, err
	}
	return p, nil
}

// Blob returns the transaction's serialisation.
func (p *PendingTx) Blob() []byte { return p.Tx.Append(nil) }

// ID returns the transaction's ID. It returns tx.ErrPruned for a pruned one.
func (p *PendingTx) ID() (xmr.Hash, error) { return p.Tx.Hash() }

// Images returns the key images that the transaction spends.
func (p *PendingTx) Images() []xmr.KeyImage {
	out := make([]xmr.KeyImage, 0, len(p.Tx.Inputs))
	for i := range p.Tx.Inputs {
		if !p.Tx.Inputs[i].Coinbase {
			out = append(out, p.Tx.Inputs[i].KeyImage)
		}
	}
	return out
}

func imagesText(t *tx.Transaction) string {
	var text []byte
	for i := range t.Inputs {
		text = append(text, '<')
		text = hex.AppendEncode(text, t.Inputs[i].KeyImage[:])
		text = append(text, '>', ' ')
	}
	return string(text)
}
