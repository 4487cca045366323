package consensus

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/crypto/edwards"
	"glim/core/tx"
	"glim/core/xmr"
)

// TestReferenceBlock: a transaction refers to a block below its own, and says how many layers the tree has there.
func TestReferenceBlock(t *testing.T) {
	tree := block.Tree{Layers: 3}
	for _, c := range []struct {
		reference uint64
		layers    uint8
		height    uint64
		want      error
	}{
		{1, 3, 2, nil}, {1, 3, 1 << 40, nil}, {2, 3, 2, ErrReference}, {1<<64 - 1, 3, 5, ErrReference},
		{0, 3, 2, ErrBadInput}, {1, 0, 2, ErrBadInput}, {1, block.MaxLayers + 1, 2, ErrBadInput},
		{1, 2, 2, ErrReference}, {1, 4, 2, ErrReference},
	} {
		err := CheckReference(c.reference, c.layers, c.height, tree)
		require.ErrorIs(t, err, c.want, c)
	}
	require.ErrorIs(t, CheckReference(1, 1, 2, block.Tree{}), ErrReference, "a tree without outputs")
	require.ErrorIs(t, ErrReference, ErrInput)
}

// TestOutputPoints: keys and commitments of outputs are in the prime-order subgroup and not the neutral element.
func TestOutputPoints(t *testing.T) {
	point := edwards.H().Encode()
	make2 := func(key, commitment [32]byte) *tx.Transaction {
		return &tx.Transaction{
			Outputs: []tx.Output{{Key: point}, {Key: key}},
			RingCT:  tx.RingCT{Commitments: [][32]byte{point, commitment}},
		}
	}
	require.NoError(t, checkOutputPoints(make2(point, point)))
	torsion := [32]byte{31: 0x80} // a point of order four
	twisted := new(edwards.Point).Add(edwards.H(), decoded(t, torsion)).Encode()
	for _, bad := range [][32]byte{twisted, torsion, {1}, {2}, {1, 31: 0x80}} {
		require.ErrorIs(t, checkOutputPoints(make2(bad, point)), ErrOutput)
		require.ErrorIs(t, checkOutputPoints(make2(point, bad)), ErrOutput)
	}
}

func decoded(t *testing.T, b [32]byte) *edwards.Point {
	p, err := edwards.DecodePoint(b)
	require.NoError(t, err)
	return p
}

// TestCarrotOutputs: outputs are of Carrot and have commitments, whoever made the transaction's fields.
func TestCarrotOutputs(t *testing.T) {
	valid := func() *tx.Transaction {
		return &tx.Transaction{
			Outputs: make([]tx.Output, 2), Carrot: make([]tx.Carrot, 2),
			RingCT: tx.RingCT{Ecdh: make([]tx.EcdhInfo, 2), Commitments: make([][32]byte, 2)},
		}
	}
	require.NoError(t, checkCarrotOutputs(valid()))
	for _, breakIt := range []func(*tx.Transaction){
		func(x *tx.Transaction) { x.Carrot = nil },
		func(x *tx.Transaction) { x.RingCT.Ecdh = x.RingCT.Ecdh[1:] },
		func(x *tx.Transaction) { x.RingCT.Commitments = x.RingCT.Commitments[1:] },
		func(x *tx.Transaction) { x.Outputs[1].Amount = 1 },
		func(x *tx.Transaction) { x.Outputs = make([]tx.Output, xmr.MaxOutputs+1) },
	} {
		x := valid()
		breakIt(x)
		require.ErrorIs(t, checkCarrotOutputs(x), ErrOutput)
	}
}
