package coldset

import (
	"glim/core/decoy"
	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// DestinationEntry is a payment of an amount in atomic units to an address.
// Source: src/cryptonote_core/cryptonote_tx_utils.h, tx_destination_entry.
type DestinationEntry struct {
	Original    string // the address as typed; empty for change
	Amount      uint64
	Spend, View xmr.PublicKey
	Subaddress  bool
	Integrated  bool
}

const destinationSize = 1 + 1 + 64 + 2 // at least

func (d *DestinationEntry) append(b []byte) []byte {
	b = appendBytes(b, d.Original)
	b = wire.AppendVarint(b, d.Amount)
	b = append(append(b, d.Spend[:]...), d.View[:]...)
	return appendBool(appendBool(b, d.Subaddress), d.Integrated)
}

func (d *DestinationEntry) decode(r *wire.Reader) {
	d.Original = string(readBytes(r))
	d.Amount = r.Varint()
	d.Spend = r.Bytes32()
	d.View = r.Bytes32()
	d.Subaddress = readBool(r)
	d.Integrated = readBool(r)
}

func appendDestinations(b []byte, list []DestinationEntry) []byte {
	b = wire.AppendVarint(b, uint64(len(list)))
	for i := range list {
		b = list[i].append(b)
	}
	return b
}

func readDestinations(r *wire.Reader) []DestinationEntry {
	n := r.Count(maxCount, destinationSize)
	if n == 0 {
		return nil
	}
	out := make([]DestinationEntry, n)
	for i := range out {
		out[i].decode(r)
	}
	return out
}

// SourceEntry is an output to spend, with its ring.
// Source: src/cryptonote_core/cryptonote_tx_utils.h, tx_source_entry.
type SourceEntry struct {
	Ring           []decoy.Member // with absolute indices; wallets write them ascending
	Real           uint64         // position in Ring, always below its length
	TxKey          xmr.PublicKey  // of the transaction that made the output
	AdditionalKeys []xmr.PublicKey
	Index          uint64 // in that transaction
	Amount         uint64 // atomic units
	RingCT         bool
	Mask           [32]byte
	Multisig       [4][32]byte // k, L, R and key image; zero without multisig
}

const (
	memberSize = 1 + 1 + 64
	sourceSize = 1 + 8 + 32 + 1 + 8 + 8 + 1 + 32 + 128 // at least
)

func (s *SourceEntry) append(b []byte) []byte {
	b = wire.AppendVarint(b, uint64(len(s.Ring)))
	for i := range s.Ring {
		m := &s.Ring[i]
		b = wire.AppendVarint(append(b, 2), m.Index)
		b = append(append(b, m.Key[:]...), m.Commitment[:]...)
	}
	b = appendUint64(b, s.Real)
	b = append(b, s.TxKey[:]...)
	b = wire.AppendKeys(b, s.AdditionalKeys)
	b = appendUint64(appendUint64(b, s.Index), s.Amount)
	b = append(appendBool(b, s.RingCT), s.Mask[:]...)
	for i := range s.Multisig {
		b = append(b, s.Multisig[i][:]...)
	}
	return b
}

func (s *SourceEntry) decode(r *wire.Reader) {
	s.Ring = make([]decoy.Member, r.Count(maxCount, memberSize))
	for i := range s.Ring {
		if r.Byte() != 2 && r.Err() == nil {
			r.Fail(ErrMalformed)
		}
		s.Ring[i] = decoy.Member{Index: r.Varint(), Key: r.Bytes32(), Commitment: r.Bytes32()}
	}
	s.Real = r.Uint64()
	s.TxKey = r.Bytes32()
	s.AdditionalKeys = wire.ReadKeys[xmr.PublicKey](r, maxCount)
	s.Index, s.Amount = r.Uint64(), r.Uint64()
	s.RingCT = readBool(r)
	s.Mask = r.Bytes32()
	for i := range s.Multisig {
		s.Multisig[i] = r.Bytes32()
	}
	if r.Err() == nil && s.Real >= uint64(len(s.Ring)) {
		r.Fail(ErrMalformed)
	}
}

// Range proof types and flags that the network accepts today.
// Source: src/ringct/rctTypes.h, RangeProofType; src/wallet/wallet2.cpp, transfer_selected_rct.
const (
	PaddedBulletproof = 3
	BulletproofPlus   = 4
	flagRingCT        = 1 << 0
	flagViewTags      = 1 << 1
	constructionFlags = flagRingCT | flagViewTags
	constructionSize  = 1 + destinationSize + 1 + 1 + 1 + 8 + 1 + 3 + 1 + 4 + 1 // at least
)

// Construction has the data that a signer needs to make one transaction. Amounts are in atomic units.
// Source: src/wallet/wallet2.h, tx_construction_data.
type Construction struct {
	Sources     []SourceEntry
	Change      DestinationEntry
	Outputs     []DestinationEntry // all outputs to make, change included
	Selected    []uint64           // positions of the spent outputs in the view-only wallet's list
	Extra       []byte             // payment ID, not yet encrypted; public keys in it are replaced
	UnlockTime  uint64
	UseRingCT   bool
	UseViewTags bool
	RangeProof  uint32 // PaddedBulletproof
	Bulletproof uint32 // BulletproofPlus
	Payments    []DestinationEntry
	Account     uint32   // of the inputs and of change
	Addresses   []uint32 // of the inputs; ascending
}

// Append serialises c after b.
func (c *Construction) Append(b []byte) []byte {
	b = wire.AppendVarint(b, uint64(len(c.Sources)))
	for i := range c.Sources {
		b = c.Sources[i].append(b)
	}
	b = c.Change.append(b)
	b = appendDestinations(b, c.Outputs)
	b = appendVarints(b, c.Selected)
	b = appendBytes(b, c.Extra)
	b = appendUint64(b, c.UnlockTime)
	flags := byte(0)
	if c.UseRingCT {
		flags |= flagRingCT
	}
	if c.UseViewTags {
		flags |= flagViewTags
	}
	b = append(b, flags, 0) // flags, and the version of the rest
	b = wire.AppendVarint(wire.AppendVarint(b, uint64(c.RangeProof)), uint64(c.Bulletproof))
	b = appendDestinations(b, c.Payments)
	b = appendUint32(b, c.Account)
	b = wire.AppendVarint(b, uint64(len(c.Addresses)))
	for _, minor := range c.Addresses {
		b = wire.AppendVarint(b, uint64(minor))
	}
	return b
}

func (c *Construction) decode(r *wire.Reader) {
	c.Sources = make([]SourceEntry, r.Count(maxCount, sourceSize))
	for i := range c.Sources {
		c.Sources[i].decode(r)
	}
	c.Change.decode(r)
	c.Outputs = readDestinations(r)
	c.Selected = readVarints(r)
	c.Extra = readBytes(r)
	c.UnlockTime = r.Uint64()
	flags := r.Byte()
	if flags&^constructionFlags != 0 {
		r.Fail(ErrMalformed)
	}
	c.UseRingCT, c.UseViewTags = flags&flagRingCT != 0, flags&flagViewTags != 0
	readVersion(r, 0)
	c.RangeProof, c.Bulletproof = readUint32(r), readUint32(r)
	c.Payments = readDestinations(r)
	c.Account = r.Uint32()
	c.Addresses = make([]uint32, r.Count(maxCount, 1))
	for i := range c.Addresses {
		c.Addresses[i] = readUint32(r)
		if i > 0 && c.Addresses[i] <= c.Addresses[i-1] {
			r.Fail(ErrMalformed)
		}
	}
}

func appendUint64(b []byte, v uint64) []byte {
	return appendUint32(appendUint32(b, uint32(v)), uint32(v>>32))
}

func appendUint32(b []byte, v uint32) []byte {
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}
