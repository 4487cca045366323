package coldset

import (
	"encoding/hex"

	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Pending is a finished transaction with what its sender should keep: an element of a signed set, and by itself what
// the service calls transaction metadata. Amounts are in atomic units.
// Source: src/wallet/wallet2.h, pending_tx.
type Pending struct {
	Version        uint8 // 1, or 0 before 2022, which lacks Entropy
	Tx             *tx.Transaction
	Dust           uint64
	Fee            uint64
	DustAddedToFee bool
	Change         Destination
	Selected       []uint64 // positions of the spent outputs in the wallet's list
	KeyImages      string   // for people: each image in hexadecimal between angle brackets, a space behind it
	Key            keys.Secret
	AdditionalKeys []keys.Secret
	Payments       []Destination // without change
	Construction   Construction
	Attempts       []Attempt   // multisig: how the transaction may be finished
	Entropy        keys.Secret // multisig: what Key and AdditionalKeys follow from
}

const (
	pendingVersion = 1
	pendingSize    = 1 + 8 + 8 + 8 + 1 + destinationSize + 1 + 1 + 32 + 1 + 1 + constructionSize + 1 // at least
)

// Append writes p behind b.
func (p *Pending) Append(b []byte) []byte {
	b = p.Tx.Append(wire.AppendVarint(b, uint64(p.Version)))
	b = appendUint64(appendUint64(b, p.Dust), p.Fee)
	b = appendBool(b, p.DustAddedToFee)
	b = appendVarints(p.Change.append(b), p.Selected)
	b = appendBytes(b, p.KeyImages)
	b = append32s(append(b, p.Key[:]...), p.AdditionalKeys)
	b = appendDestinations(b, p.Payments)
	b = wire.AppendVarint(p.Construction.Append(b), uint64(len(p.Attempts)))
	for i := range p.Attempts {
		b = p.Attempts[i].append(b)
	}
	if p.Version >= 1 {
		b = append(b, p.Entropy[:]...)
	}
	return b
}

// decode reads what Append wrote; shared says that it may be a multisig wallet's.
func (p *Pending) decode(r *wire.Reader, shared bool) {
	p.Version = readVersion(r, pendingVersion)
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
	p.AdditionalKeys = read32s[keys.Secret](r)
	p.Payments = readDestinations(r)
	p.Construction.decode(r)
	n := r.Count(maxCount, attemptSize)
	if n != 0 && !shared {
		r.Fail(ErrMultisig)
		return
	}
	for range n {
		var a Attempt
		if a.decode(r); r.Err() != nil {
			return
		}
		p.Attempts = append(p.Attempts, a)
	}
	if p.Version >= 1 {
		p.Entropy = r.Bytes32()
	}
}

// ParsePending reads what Append wrote and refuses bytes after it. Errors: ErrMultisig, ErrVersion, those of decoding.
// Source: src/wallet/wallet_rpc_server.cpp, on_relay_tx.
func ParsePending(b []byte) (*Pending, error) {
	p := new(Pending)
	r := wire.NewReader(b)
	p.decode(r, false)
	if err := r.Close(); err != nil {
		return nil, err
	}
	return p, nil
}

// Blob returns the transaction as a daemon takes it.
func (p *Pending) Blob() []byte { return p.Tx.Append(nil) }

// ID returns the transaction's ID; tx.ErrPruned when it is not whole.
func (p *Pending) ID() (xmr.Hash, error) { return p.Tx.Hash() }

// Images returns the key images that the transaction spends.
func (p *Pending) Images() []xmr.KeyImage {
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
