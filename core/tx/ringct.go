package tx

import (
	"encoding/binary"
	"math"

	"glim/core/internal/codec/wire"
)

// A proof for 2^k outputs has minRounds+k rounds, for at most 16 outputs.
// Source: src/ringct/rctTypes.cpp, n_bulletproof_max_amounts_base.
const (
	minRounds = 6
	maxRounds = 10
)

const rangeSigSize = (3*64 + 1) * 32

// keys reads n fields of 32 bytes; nil when n is zero or too few bytes are left.
func keys(r *wire.Reader, n int) [][32]byte { return keysIn(nil, r, n) }

// keysIn is keys, allocating from a.
func keysIn(a *Arena, r *wire.Reader, n int) [][32]byte {
	if n > r.Len()/32 {
		r.Fail(wire.ErrShort)
	}
	if n == 0 || r.Err() != nil {
		return nil
	}
	b := r.Bytes(32 * n)
	out := a.Keys(n)
	for i := range out {
		out[i] = [32]byte(b[32*i:])
	}
	return out
}

func fill(r *wire.Reader, fields ...*[32]byte) {
	for _, f := range fields {
		*f = r.Bytes32()
	}
}

// decodeBase reads the part that remains after pruning. Source: src/ringct/rctTypes.h, serialize_rctsig_base.
func (c *RingCT) decodeBase(r *wire.Reader, inputs, outputs int, a *Arena) {
	c.Type = RingCTType(r.Byte())
	if c.Type > RingCTBulletproofPlus {
		r.Fail(ErrType)
	}
	if c.Type == RingCTNull || r.Err() != nil {
		return
	}
	c.Fee = r.Varint()
	if c.Type == RingCTSimple {
		c.PseudoOuts = keysIn(a, r, inputs)
	}
	size := 64
	if c.Type.compact() {
		size = 8
	}
	if outputs > r.Len()/(size+32) {
		r.Fail(wire.ErrShort)
	}
	if r.Err() != nil {
		return
	}
	c.Ecdh = a.Amounts(outputs)
	for i := range c.Ecdh {
		e := &c.Ecdh[i]
		if c.Type.compact() {
			copy(e.Amount[:8], r.Bytes(8))
		} else {
			e.Mask = r.Bytes32()
			e.Amount = r.Bytes32()
		}
	}
	c.Commitments = keysIn(a, r, outputs)
}

// decodePrunable reads the proofs. ring is the size of the first ring and of all others.
// Source: src/ringct/rctTypes.h, serialize_rctsig_prunable; src/cryptonote_basic/cryptonote_format_utils.cpp,
// expand_transaction_1 (one proof only).
func (c *RingCT) decodePrunable(r *wire.Reader, inputs, outputs, ring int) {
	if ring == 0 {
		r.Fail(ErrRing)
		return
	}
	p := new(Prunable)
	c.Prunable = p
	switch {
	case c.Type == RingCTBulletproofPlus:
		countProofs(r, r.Varint())
		if r.Err() == nil {
			p.BulletproofsPlus = make([]BulletproofPlus, 1)
			p.BulletproofsPlus[0].Decode(r, outputs)
		}
	case c.Type.bulletproof():
		if c.Type == RingCTBulletproof {
			countProofs(r, uint64(r.Uint32()))
		} else {
			countProofs(r, r.Varint())
		}
		if r.Err() == nil {
			p.Bulletproofs = make([]Bulletproof, 1)
			p.Bulletproofs[0].decode(r, outputs)
		}
	default:
		if outputs > r.Len()/rangeSigSize {
			r.Fail(wire.ErrShort)
			return
		}
		p.RangeSigs = make([]RangeSig, outputs)
		for i := range p.RangeSigs {
			p.RangeSigs[i].decode(r)
		}
	}
	if r.Err() != nil {
		return
	}
	switch {
	case c.Type.clsag():
		p.CLSAGs = make([]CLSAG, inputs)
		for i := range p.CLSAGs {
			s := &p.CLSAGs[i]
			s.S = keys(r, ring)
			fill(r, &s.C1, &s.D)
		}
	case c.Type == RingCTFull:
		p.MLSAGs = make([]MLSAG, 1)
		p.MLSAGs[0].decode(r, ring, inputs+1)
	default:
		p.MLSAGs = make([]MLSAG, inputs)
		for i := range p.MLSAGs {
			p.MLSAGs[i].decode(r, ring, 2)
		}
	}
	if c.Type.latePseudoOuts() {
		p.PseudoOuts = keys(r, inputs)
	}
}

// countProofs accepts exactly one aggregated proof: the encoding allows more, consensus does not.
func countProofs(r *wire.Reader, n uint64) {
	if n != 1 {
		r.Fail(ErrProof)
	}
}

// rounds reads the two halves of an inner product argument.
func rounds(r *wire.Reader, outputs int) (left, right [][32]byte) {
	left = keys(r, r.Count(math.MaxInt32, 32))
	right = keys(r, r.Count(math.MaxInt32, 32))
	if r.Err() != nil {
		return nil, nil
	}
	if room := capacity(left); len(left) != len(right) || room == 0 || room < outputs {
		r.Fail(ErrProof)
	}
	return left, right
}

func (p *Bulletproof) decode(r *wire.Reader, outputs int) {
	fill(r, &p.A, &p.S, &p.T1, &p.T2, &p.TauX, &p.Mu)
	p.L, p.R = rounds(r, outputs)
	fill(r, &p.InnerA, &p.InnerB, &p.T)
}

// Decode reads what Append writes. It fails with ErrProof unless the proof has room for the outputs.
func (p *BulletproofPlus) Decode(r *wire.Reader, outputs int) {
	fill(r, &p.A, &p.A1, &p.B, &p.R1, &p.S1, &p.D1)
	p.L, p.R = rounds(r, outputs)
}

func (s *RangeSig) decode(r *wire.Reader) {
	for i := range s.S0 {
		s.S0[i] = r.Bytes32()
	}
	for i := range s.S1 {
		s.S1[i] = r.Bytes32()
	}
	s.EE = r.Bytes32()
	for i := range s.C {
		s.C[i] = r.Bytes32()
	}
}

func (s *MLSAG) decode(r *wire.Reader, ring, rows int) {
	if uint64(ring)*uint64(rows) > uint64(r.Len()/32) {
		r.Fail(wire.ErrShort)
	}
	flat := keys(r, ring*rows)
	if r.Err() != nil {
		return
	}
	s.S = make([][][32]byte, ring)
	for i := range s.S {
		s.S[i] = flat[i*rows : (i+1)*rows : (i+1)*rows]
	}
	s.C = r.Bytes32()
}

func appendKeys(b []byte, list [][32]byte) []byte {
	for i := range list {
		b = append(b, list[i][:]...)
	}
	return b
}

func appendFields(b []byte, fields ...*[32]byte) []byte {
	for _, f := range fields {
		b = append(b, f[:]...)
	}
	return b
}

func (c *RingCT) appendBase(b []byte) []byte {
	b = append(b, byte(c.Type))
	if c.Type == RingCTNull {
		return b
	}
	b = wire.AppendVarint(b, c.Fee)
	if c.Type == RingCTSimple {
		b = appendKeys(b, c.PseudoOuts)
	}
	for i := range c.Ecdh {
		e := &c.Ecdh[i]
		if c.Type.compact() {
			b = append(b, e.Amount[:8]...)
		} else {
			b = appendFields(b, &e.Mask, &e.Amount)
		}
	}
	return appendKeys(b, c.Commitments)
}

func (c *RingCT) appendPrunable(b []byte) []byte {
	p := c.Prunable
	if p == nil || c.Type == RingCTNull {
		return b
	}
	switch {
	case c.Type == RingCTBulletproofPlus:
		b = wire.AppendVarint(b, uint64(len(p.BulletproofsPlus)))
		for i := range p.BulletproofsPlus {
			b = p.BulletproofsPlus[i].Append(b)
		}
	case c.Type.bulletproof():
		if c.Type == RingCTBulletproof {
			b = binary.LittleEndian.AppendUint32(b, uint32(len(p.Bulletproofs)))
		} else {
			b = wire.AppendVarint(b, uint64(len(p.Bulletproofs)))
		}
		for i := range p.Bulletproofs {
			b = p.Bulletproofs[i].Append(b)
		}
	default:
		for i := range p.RangeSigs {
			s := &p.RangeSigs[i]
			b = appendKeys(b, s.S0[:])
			b = appendKeys(b, s.S1[:])
			b = append(b, s.EE[:]...)
			b = appendKeys(b, s.C[:])
		}
	}
	for i := range p.CLSAGs {
		s := &p.CLSAGs[i]
		b = appendFields(appendKeys(b, s.S), &s.C1, &s.D)
	}
	for i := range p.MLSAGs {
		s := &p.MLSAGs[i]
		for _, member := range s.S {
			b = appendKeys(b, member)
		}
		b = append(b, s.C[:]...)
	}
	if c.Type.latePseudoOuts() {
		b = appendKeys(b, p.PseudoOuts)
	}
	return b
}

func appendRounds(b []byte, left, right [][32]byte) []byte {
	b = appendKeys(wire.AppendVarint(b, uint64(len(left))), left)
	return appendKeys(wire.AppendVarint(b, uint64(len(right))), right)
}

// Append writes p as a transaction's prunable part carries it.
func (p *Bulletproof) Append(b []byte) []byte {
	b = appendFields(b, &p.A, &p.S, &p.T1, &p.T2, &p.TauX, &p.Mu)
	b = appendRounds(b, p.L, p.R)
	return appendFields(b, &p.InnerA, &p.InnerB, &p.T)
}

// Append writes p as a transaction's prunable part carries it.
func (p *BulletproofPlus) Append(b []byte) []byte {
	b = appendFields(b, &p.A, &p.A1, &p.B, &p.R1, &p.S1, &p.D1)
	return appendRounds(b, p.L, p.R)
}
