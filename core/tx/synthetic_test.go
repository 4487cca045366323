package tx

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

func random32(r *rand.Rand) (out [32]byte) {
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	return out
}

func randomKeys(r *rand.Rand, n int) [][32]byte {
	if n == 0 {
		return nil
	}
	out := make([][32]byte, n)
	for i := range out {
		out[i] = random32(r)
	}
	return out
}

// shape describes a synthetic transaction.
type shape struct {
	version               uint64
	kind                  RingCTType
	inputs, outputs, ring int
	tagged                bool
}

func (s shape) String() string {
	return fmt.Sprintf(
		"v%d/type%d/%d-in/%d-out/ring%d/tagged-%v", s.version, s.kind, s.inputs, s.outputs, s.ring, s.tagged,
	)
}

// synthesize makes a transaction of that shape with random numbers, points and proofs.
func synthesize(r *rand.Rand, s shape) *Transaction {
	x := &Transaction{Version: s.version, UnlockTime: r.Uint64() >> r.IntN(64)}
	for range s.inputs {
		in := Input{Amount: r.Uint64() >> r.IntN(64), KeyImage: random32(r), KeyOffsets: make([]uint64, s.ring)}
		for i := range in.KeyOffsets {
			in.KeyOffsets[i] = r.Uint64() >> r.IntN(64)
		}
		x.Inputs = append(x.Inputs, in)
	}
	x.Outputs = make([]Output, s.outputs)
	for i := range x.Outputs {
		x.Outputs[i] = Output{Amount: r.Uint64() >> r.IntN(64), Key: random32(r), Tagged: s.tagged}
		if s.tagged {
			x.Outputs[i].ViewTag = byte(r.Uint32())
		}
	}
	x.Extra = AppendPublicKey([]byte{}, random32(r))
	if s.version == 1 {
		x.Signatures = make([][]Signature, s.inputs)
		for i := range x.Signatures {
			x.Signatures[i] = make([]Signature, s.ring)
			for j := range x.Signatures[i] {
				x.Signatures[i][j] = Signature{C: random32(r), R: random32(r)}
			}
		}
		return x
	}
	c := &x.RingCT
	c.Type = s.kind
	if s.kind == RingCTNull {
		return x
	}
	c.Fee = r.Uint64() >> r.IntN(64)
	c.Ecdh = make([]EcdhInfo, s.outputs)
	for i := range c.Ecdh {
		if s.kind >= RingCTBulletproof2 {
			full := random32(r)
			copy(c.Ecdh[i].Amount[:8], full[:])
		} else {
			c.Ecdh[i] = EcdhInfo{Mask: random32(r), Amount: random32(r)}
		}
	}
	c.Commitments = randomKeys(r, s.outputs)
	c.Prunable = &Prunable{}
	synthesizeRangeProofs(r, s, c.Prunable)
	synthesizeSignatures(r, s, c.Prunable)
	if s.kind == RingCTSimple {
		c.PseudoOuts = randomKeys(r, s.inputs)
	} else if s.kind != RingCTFull {
		c.Prunable.PseudoOuts = randomKeys(r, s.inputs)
	}
	return x
}

func synthesizeRangeProofs(r *rand.Rand, s shape, p *Prunable) {
	rounds := 6
	for 1<<(rounds-6) < s.outputs {
		rounds++
	}
	switch s.kind {
	case RingCTFull, RingCTSimple:
		p.RangeSigs = make([]RangeSig, s.outputs)
		for i := range p.RangeSigs {
			g := &p.RangeSigs[i]
			g.EE = random32(r)
			for j := range 64 {
				g.S0[j], g.S1[j], g.C[j] = random32(r), random32(r), random32(r)
			}
		}
	case RingCTBulletproofPlus:
		k := randomKeys(r, 6)
		p.BulletproofsPlus = []BulletproofPlus{
			{k[0], k[1], k[2], k[3], k[4], k[5], randomKeys(r, rounds), randomKeys(r, rounds)},
		}
	default:
		k := randomKeys(r, 9)
		p.Bulletproofs = []Bulletproof{{
			A: k[0], S: k[1], T1: k[2], T2: k[3], TauX: k[4], Mu: k[5],
			L: randomKeys(r, rounds), R: randomKeys(r, rounds), InnerA: k[6], InnerB: k[7], T: k[8],
		}}
	}
}

func synthesizeSignatures(r *rand.Rand, s shape, p *Prunable) {
	mlsag := func(rows int) MLSAG {
		m := MLSAG{S: make([][][32]byte, s.ring), C: random32(r)}
		for i := range m.S {
			m.S[i] = randomKeys(r, rows)
		}
		return m
	}
	switch s.kind {
	case RingCTFull:
		p.MLSAGs = []MLSAG{mlsag(s.inputs + 1)}
	case RingCTSimple, RingCTBulletproof, RingCTBulletproof2:
		for range s.inputs {
			p.MLSAGs = append(p.MLSAGs, mlsag(2))
		}
	default:
		for range s.inputs {
			p.CLSAGs = append(p.CLSAGs, CLSAG{randomKeys(r, s.ring), random32(r), random32(r)})
		}
	}
}

// prunableSize is the size of the prunable part according to the format.
func (s shape) prunableSize() int {
	if s.version == 1 {
		return 64 * s.inputs * s.ring
	}
	rounds := 6
	for 1<<(rounds-6) < s.outputs {
		rounds++
	}
	borromean := s.outputs * (64 + 64 + 1 + 64) * 32
	bulletproof := (9+2*rounds)*32 + 2
	mlsags := s.inputs * (2*s.ring + 1) * 32
	clsags := s.inputs * (s.ring + 2) * 32
	pseudo := s.inputs * 32
	switch s.kind {
	case RingCTFull:
		return borromean + (s.ring*(s.inputs+1)+1)*32
	case RingCTSimple:
		return borromean + mlsags
	case RingCTBulletproof:
		return 4 + bulletproof + mlsags + pseudo
	case RingCTBulletproof2:
		return 1 + bulletproof + mlsags + pseudo
	case RingCTCLSAG:
		return 1 + bulletproof + clsags + pseudo
	case RingCTBulletproofPlus:
		return 1 + bulletproof - 3*32 + clsags + pseudo
	}
	return 0
}

func shapes() []shape {
	var all []shape
	for _, n := range [][3]int{{1, 1, 1}, {1, 2, 11}, {2, 2, 16}, {3, 5, 7}, {1, 16, 3}, {9, 3, 2}} {
		for _, tagged := range []bool{false, true} {
			all = append(all, shape{1, RingCTNull, n[0], n[1], n[2], tagged})
			for kind := RingCTNull; kind <= RingCTBulletproofPlus; kind++ {
				all = append(all, shape{2, kind, n[0], n[1], n[2], tagged})
			}
		}
	}
	return all
}

// TestSynthetic checks for every version and type in many shapes that writing inverts parsing, that sizes follow the
// format, and that all computations of the ID agree.
func TestSynthetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range shapes() {
		t.Run(s.String(), func(t *testing.T) {
			x := synthesize(r, s)
			b := x.Append(nil)
			got, id, err := ParseWithHash(b)
			require.NoError(t, err)
			require.Equal(t, x, got)
			require.Equal(t, b, got.Append(nil))

			pruned := x.AppendPruned(nil)
			require.Equal(t, s.prunableSize(), len(b)-len(pruned))
			want, err := x.Hash()
			require.NoError(t, err)
			require.Equal(t, want, id)

			p, prunedID, err := ParsePrunedWithHash(pruned, x.PrunableHash())
			if s.version == 1 {
				require.ErrorIs(t, err, ErrPruned)
				require.Nil(t, p.Signatures)
			} else {
				require.NoError(t, err)
				require.Equal(t, id, prunedID)
			}
			x.Signatures, x.RingCT.Prunable = nil, nil
			require.Equal(t, x, p)
		})
	}
}

// TestCutAndTrailing checks that truncated transactions and trailing bytes are refused.
func TestCutAndTrailing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for kind := RingCTNull; kind <= RingCTBulletproofPlus; kind++ {
		s := shape{2, kind, 2, 3, 4, true}
		if kind == RingCTFull || kind == RingCTSimple {
			s.outputs = 1 // Borromean proofs are long
		}
		b := synthesize(r, s).Append(nil)
		for n := range b {
			_, err := Parse(b[:n])
			require.ErrorIs(t, err, wire.ErrShort, "type %d cut to %d", kind, n)
		}
		_, err := Parse(append(b, 0))
		require.ErrorIs(t, err, wire.ErrTrailing)
	}
	b := synthesize(r, shape{version: 1, inputs: 2, outputs: 1, ring: 2}).Append(nil)
	for n := range b {
		_, err := Parse(b[:n])
		require.ErrorIs(t, err, wire.ErrShort)
	}
	_, err := Parse(append(b, 0))
	require.ErrorIs(t, err, wire.ErrTrailing)
}

// TestRefused violates each rule of the format separately.
func TestRefused(t *testing.T) {
	full := shape{2, RingCTBulletproofPlus, 2, 4, 3, true}
	clsag := shape{2, RingCTCLSAG, 2, 4, 3, false}
	old := shape{2, RingCTBulletproof, 2, 4, 3, false}
	for name, c := range map[string]struct {
		shape shape
		spoil func(x *Transaction)
		want  error
	}{
		"version 0": {full, func(x *Transaction) { x.Version = 0 }, ErrVersion},
		"version 3": {full, func(x *Transaction) { x.Version = 3 }, ErrVersion},
		"no inputs": {full, func(x *Transaction) { x.Inputs = nil }, ErrInput},
		"type 7":    {full, func(x *Transaction) { x.RingCT.Type = 7 }, ErrType},
		"no ring":   {full, func(x *Transaction) { x.Inputs[0].KeyOffsets = nil }, ErrRing},
		"no proof":  {full, func(x *Transaction) { x.RingCT.Prunable.BulletproofsPlus = nil }, ErrProof},
		"two proofs": {full, func(x *Transaction) {
			p := x.RingCT.Prunable
			p.BulletproofsPlus = append(p.BulletproofsPlus, p.BulletproofsPlus[0])
		}, ErrProof},
		"two proofs, type 5": {clsag, func(x *Transaction) {
			p := x.RingCT.Prunable
			p.Bulletproofs = append(p.Bulletproofs, p.Bulletproofs[0])
		}, ErrProof},
		"two proofs, type 3": {old, func(x *Transaction) {
			p := x.RingCT.Prunable
			p.Bulletproofs = append(p.Bulletproofs, p.Bulletproofs[0])
		}, ErrProof},
		"halves differ": {full, func(x *Transaction) {
			p := &x.RingCT.Prunable.BulletproofsPlus[0]
			p.R = append(p.R, p.R[0])
		}, ErrProof},
		"too few rounds": {full, func(x *Transaction) {
			p := &x.RingCT.Prunable.BulletproofsPlus[0]
			p.L, p.R = p.L[:7], p.R[:7]
		}, ErrProof},
		"rounds below minimum": {shape{2, RingCTCLSAG, 1, 1, 1, false}, func(x *Transaction) {
			p := &x.RingCT.Prunable.Bulletproofs[0]
			p.L, p.R = p.L[:5], p.R[:5]
		}, ErrProof},
		"rounds above maximum": {full, func(x *Transaction) {
			p := &x.RingCT.Prunable.BulletproofsPlus[0]
			p.L, p.R = make([][32]byte, 11), make([][32]byte, 11)
		}, ErrProof},
		"a ring too long for its signature": {
			full, func(x *Transaction) { x.Inputs[0].KeyOffsets = make([]uint64, 4) }, wire.ErrShort,
		},
		"a signature too long for its ring": {full, func(x *Transaction) {
			s := &x.RingCT.Prunable.CLSAGs[1]
			s.S = append(s.S, s.S[0])
		}, wire.ErrTrailing},
		"a pseudo output too many": {clsag, func(x *Transaction) {
			p := x.RingCT.Prunable
			p.PseudoOuts = append(p.PseudoOuts, p.PseudoOuts[0])
		}, wire.ErrTrailing},
		"a version 1 signature too many": {
			shape{1, 0, 1, 1, 2, false},
			func(x *Transaction) { x.Signatures[0] = append(x.Signatures[0], Signature{}) }, wire.ErrTrailing,
		},
		"a version 1 signature too few": {
			shape{1, 0, 1, 1, 2, false},
			func(x *Transaction) { x.Signatures[0] = x.Signatures[0][:1] },
			wire.ErrShort,
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := synthesize(rand.New(rand.NewPCG(5, 6)), c.shape)
			_, err := Parse(x.Append(nil))
			require.NoError(t, err)
			c.spoil(x)
			_, err = Parse(x.Append(nil))
			require.ErrorIs(t, err, c.want)
		})
	}
}

// TestRefusedBytes checks bytes that correspond to no Transaction value.
func TestRefusedBytes(t *testing.T) {
	key := make([]byte, 32)
	// version 2, unlock 0, one coinbase of block 5, one untagged output of 0, no extra, type 0
	good := append(append([]byte{2, 0, 1, 0xff, 5, 1, 0, 2}, key...), 0, 0)
	x, err := Parse(good)
	require.NoError(t, err)
	require.EqualValues(t, 5, x.Inputs[0].Height)
	for at, c := range map[int]struct {
		value byte
		want  error
	}{
		2: {0, ErrInput},         // inputs
		3: {0x00, ErrInput},      // to_script, which no chain ever used
		5: {0x7f, wire.ErrShort}, // outputs
		7: {0x01, ErrOutput},     // to_scripthash
	} {
		b := append([]byte(nil), good...)
		b[at] = c.value
		_, err := Parse(b)
		require.ErrorIs(t, err, c.want, "byte %d", at)
	}
	for _, kind := range []byte{0x00, 0x04, 0xff} {
		b := append([]byte(nil), good...)
		b[7] = kind
		_, err = Parse(b)
		require.ErrorIs(t, err, ErrOutput)
	}
	_, err = Parse(append([]byte{0x82, 0x00}, good[1:]...))
	require.ErrorIs(t, err, wire.ErrNonCanonical)
	_, err = Parse([]byte{2, 0, 0xff, 0xff, 0xff, 0xff, 0x07, 0xff})
	require.ErrorIs(t, err, wire.ErrShort, "two billion inputs that are not there")
}

// TestMixedInputs has inputs of different kinds, as the format allows; only those with rings have signatures.
func TestMixedInputs(t *testing.T) {
	x := synthesize(rand.New(rand.NewPCG(7, 8)), shape{version: 1, inputs: 2, outputs: 1, ring: 2})
	x.Inputs = append(x.Inputs, Input{Coinbase: true, Height: 9})
	x.Signatures = append(x.Signatures, nil)
	got, err := Parse(x.Append(nil))
	require.NoError(t, err)
	require.Equal(t, x, got)
	require.False(t, got.IsCoinbase())
}

// TestFee checks the fee of version 1, including overflows.
func TestFee(t *testing.T) {
	x := &Transaction{
		Version: 1,
		Inputs:  []Input{{Amount: 7}, {Amount: 5}},
		Outputs: []Output{{Amount: 3}, {Amount: 8}},
	}
	fee, err := x.Fee()
	require.NoError(t, err)
	require.EqualValues(t, 1, fee)
	x.Outputs[0].Amount = 5
	_, err = x.Fee()
	require.ErrorIs(t, err, ErrNegativeFee)
	x.Outputs[1].Amount = 1<<64 - 1
	_, err = x.Fee()
	require.ErrorIs(t, err, xmr.ErrOverflow)
	x.Inputs[1].Amount = 1<<64 - 1
	_, err = x.Fee()
	require.ErrorIs(t, err, xmr.ErrOverflow)
	fee, err = (&Transaction{Version: 1, Inputs: []Input{{Coinbase: true}}, Outputs: []Output{{Amount: 9}}}).Fee()
	require.NoError(t, err)
	require.Zero(t, fee)
}

// TestOffsets checks that the two forms of ring offsets are inverse, including overflows.
func TestOffsets(t *testing.T) {
	abs := AbsoluteOffsets([]uint64{5, 1, 0, 10})
	require.Equal(t, []uint64{5, 6, 6, 16}, abs)
	require.Equal(t, []uint64{5, 1, 0, 10}, RelativeOffsets(abs))
	shuffled := []uint64{16, 6, 5, 6}
	require.Equal(t, []uint64{5, 1, 0, 10}, RelativeOffsets(shuffled))
	require.Equal(t, []uint64{16, 6, 5, 6}, shuffled)
	require.Equal(t, []uint64{5, 4, 5}, AbsoluteOffsets([]uint64{5, 1<<64 - 1, 1}), "the network counts modulo 2^64")
	require.Empty(t, AbsoluteOffsets(nil))
	require.Empty(t, RelativeOffsets(nil))
}
