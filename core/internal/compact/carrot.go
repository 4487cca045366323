//go:build !nocarrot

package compact

import (
	"glim/core/block"
	"glim/core/fcmptx"
	"glim/core/internal/codec/wire"
	"glim/core/smallfmt"
	"glim/core/tx"
)

// Version is the version of the format that this program reads and makes.
const Version = 2

const (
	maxType   = tx.RingCTFCMP
	hasCarrot = true
)

// minCarrot is the size in bytes of an output of Carrot.
const minCarrot = 32 + 3 + 16

func appendCoinbase(b []byte, blk *block.Block) ([]byte, error) {
	b = blk.MinerTx.Append(b)
	switch {
	case blk.MinerTx.Carrot == nil && blk.Tree == nil:
		return b, nil
	case blk.MinerTx.Carrot == nil || blk.Tree == nil || blk.Major < block.TreeVersion:
		return nil, smallfmt.Errorf("%w: a coinbase of the next hard fork without a tree, or the reverse", ErrFormat)
	}
	return append(append(b, blk.Tree.Layers), blk.Tree.Root[:]...), nil
}

// parseCoinbase reads the coinbase, and the tree that follows one of Carrot.
func (b *Block) parseCoinbase(r *wire.Reader, a *tx.Arena) {
	blk := b.Block
	if blk.Major < block.TreeVersion {
		b.Coinbase = blk.MinerTx.DecodeWithHash(r, a)
		return
	}
	blk.MinerTx.DecodeCoinbase(r)
	if r.Err() != nil {
		return
	}
	if blk.MinerTx.Carrot != nil {
		blk.Tree = &block.Tree{Layers: r.Byte(), Root: r.Bytes32()}
		if blk.Tree.Layers > block.MaxLayers || len(blk.MinerTx.Outputs) > fcmptx.Default.MaxMinerOutputs {
			r.Fail(ErrFormat)
		}
	}
	var err error
	if b.Coinbase, err = blk.MinerTx.Hash(); err != nil {
		r.Fail(ErrFormat)
	}
}

// carrotForm returns the form flags of a transaction of the next hard fork. shape is that of its extra.
func carrotForm(t *tx.Transaction, shape byte) byte {
	form := formOf(t, shape) | formTagged
	for i := range t.Outputs {
		if t.Outputs[i].Amount != 0 {
			form &^= formTagged
		}
	}
	return form
}

func appendCarrot(b []byte, t *tx.Transaction, indices []uint64, n *numbers) ([]byte, error) {
	c, outputs := &t.RingCT, len(t.Outputs)
	if t.Version != 2 || c.Type != tx.RingCTFCMP || len(t.Carrot) != outputs || len(c.Ecdh) != outputs ||
		len(c.Commitments) != outputs || !limited(t) {
		return nil, smallfmt.Errorf("%w: a transaction of the next hard fork with %d outputs", ErrFormat, outputs)
	}
	extra, _ := tx.ParseExtra(t.Extra)
	form := carrotForm(t, shapeOf(&extra))
	if n.follow(indices) {
		form |= formNext
	}
	b = append(appendForm(b, form, t), byte(c.Type))
	b = wire.AppendVarint(b, uint64(len(t.Inputs)))
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Coinbase || i == 0 && in.ShortKeyImage {
			return nil, smallfmt.Errorf("%w: input %d", ErrFormat, i)
		}
		if form&formHidden == 0 {
			b = wire.AppendVarint(b, in.Amount)
		}
		b = append(b, in.KeyImage[:imageSize(i)]...)
	}
	b = wire.AppendVarint(b, uint64(outputs))
	for i := range t.Outputs {
		if form&formTagged == 0 {
			b = wire.AppendVarint(b, t.Outputs[i].Amount)
		}
		b = append(b, t.Outputs[i].Key[:]...)
		b = append(append(b, t.Carrot[i].ViewTag[:]...), t.Carrot[i].Anchor[:]...)
	}
	b = appendExtra(b, form, &extra)
	fee := c.Fee
	if form&formTens != 0 {
		fee /= feeUnit
	}
	b = wire.AppendVarint(b, fee)
	for i := range c.Ecdh {
		b = append(append(b, c.Ecdh[i].Amount[:8]...), c.Commitments[i][:]...)
	}
	if form&formNext == 0 {
		b = appendNumbers(b, indices)
	}
	return b, nil
}

// imageSize returns how many bytes of the key image of input i a transaction of the next hard fork has.
func imageSize(i int) int {
	if i == 0 {
		return 32
	}
	return tx.ShortKeyImageSize
}

// limited reports whether t has numbers of inputs and outputs that the next hard fork allows.
func limited(t *tx.Transaction) bool {
	r := fcmptx.Default
	return len(t.Inputs) > 0 && len(t.Inputs) <= r.MaxInputs && len(t.Outputs) > 0 && len(t.Outputs) <= r.MaxOutputs
}

// parseCarrot reads a transaction of the next hard fork after its type.
func parseCarrot(a *tx.Arena, r *wire.Reader, t *tx.Transaction, form byte, n *numbers) (*tx.Transaction, []uint64) {
	if t.Version != 2 {
		r.Fail(ErrFormat)
	}
	t.Inputs = a.Inputs(r.Count(maxParts, minInput))
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if form&formHidden == 0 {
			in.Amount = r.Varint()
		}
		in.ShortKeyImage = i > 0
		copy(in.KeyImage[:], r.Bytes(imageSize(i)))
	}
	t.Outputs = a.Outputs(r.Count(maxParts, minCarrot))
	t.Carrot = make([]tx.Carrot, len(t.Outputs))
	for i := range t.Outputs {
		if form&formTagged == 0 {
			t.Outputs[i].Amount = r.Varint()
		}
		t.Outputs[i].Key = r.Bytes32()
		copy(t.Carrot[i].ViewTag[:], r.Bytes(len(t.Carrot[i].ViewTag)))
		copy(t.Carrot[i].Anchor[:], r.Bytes(len(t.Carrot[i].Anchor)))
	}
	if r.Err() == nil && !limited(t) {
		r.Fail(ErrFormat)
	}
	shape := parseExtra(a, r, t, form)
	t.RingCT.Fee = readFee(r, form)
	t.RingCT.Ecdh = a.Amounts(len(t.Outputs))
	t.RingCT.Commitments = make([][32]byte, len(t.Outputs))
	for i := range t.RingCT.Ecdh {
		copy(t.RingCT.Ecdh[i].Amount[:8], r.Bytes(8))
		t.RingCT.Commitments[i] = r.Bytes32()
	}
	if r.Err() == nil && form&^formNext != carrotForm(t, shape) {
		r.Fail(ErrFormat) // the form is not canonical
	}
	if form&formNext != 0 {
		return t, n.count(r, len(t.Outputs))
	}
	return t, n.read(r, len(t.Outputs))
}
