package compact

import (
	"math"

	"glim/core/block"
	"glim/core/internal/codec/wire"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/xmr"
)

// Parse parses a compact block. It refuses trailing bytes, and everything that Append does not write. The result does
// not refer to b. Its memory is a's, or its own if a is nil. The error is ErrFormat.
func Parse(a *tx.Arena, b []byte) (*Block, error) {
	r := wire.NewReader(b)
	out := &Block{Block: &block.Block{Major: small(r), Minor: small(r), Timestamp: r.Varint(), Nonce: r.Uint32()}}
	blk := out.Block
	out.parseCoinbase(r, a)
	if r.Err() == nil && !blk.MinerTx.IsCoinbase() {
		r.Fail(ErrFormat)
	}
	blk.MinerTx.Extra = a.Bytes(blk.MinerTx.Extra)
	n := &numbers{next: r.Varint(), arena: a}
	first := n.next
	switch r.Byte() {
	case 0:
		out.Indices = append(out.Indices, n.read(r, len(blk.MinerTx.Outputs)))
	case 1:
		out.Indices = append(out.Indices, n.count(r, len(blk.MinerTx.Outputs)))
	default:
		r.Fail(ErrFormat)
	}
	if r.Err() == nil && firstIndex(out.Indices[0]) != first {
		r.Fail(ErrFormat)
	}
	count := r.Count(maxTxs, minTx)
	if count > 0 {
		blk.TxHashes, out.Txs = make([]xmr.Hash, 0, count), make([]*tx.Transaction, 0, count)
		out.Indices = append(make([][]uint64, 0, 1+count), out.Indices...)
	}
	for i := 0; i < count && r.Err() == nil; i++ {
		blk.TxHashes = append(blk.TxHashes, r.Bytes32())
		t, indices := parseTx(a, r, n)
		out.Txs, out.Indices = append(out.Txs, t), append(out.Indices, indices)
	}
	if err := r.Close(); err != nil {
		return nil, smallfmt.Errorf("%w: %w", ErrFormat, err)
	}
	return out, nil
}

// firstIndex returns the first of a coinbase's indices, or 0 if it has no outputs.
func firstIndex(indices []uint64) uint64 {
	if len(indices) == 0 {
		return 0
	}
	return indices[0]
}

func small(r *wire.Reader) uint8 {
	v := r.Varint()
	if v > math.MaxUint8 {
		r.Fail(ErrFormat)
	}
	return uint8(v)
}

// count returns the next n indices.
func (n *numbers) count(r *wire.Reader, outputs int) []uint64 {
	if r.Err() != nil || outputs > maxIndices || n.next > math.MaxInt64 {
		r.Fail(ErrFormat)
		return nil
	}
	list := n.arena.Numbers(outputs)
	for i := range list {
		list[i] = n.next + uint64(i)
	}
	n.next += uint64(outputs)
	return list
}

// read reads explicit indices.
func (n *numbers) read(r *wire.Reader, outputs int) []uint64 {
	if outputs > r.Len() {
		r.Fail(ErrFormat)
		return nil
	}
	list := n.arena.Numbers(outputs)
	for i := range list {
		list[i] = r.Varint()
	}
	if n.follow(list) {
		r.Fail(ErrFormat) // Append uses the shorter form
	}
	return list
}

func parseTx(a *tx.Arena, r *wire.Reader, n *numbers) (*tx.Transaction, []uint64) {
	form := r.Byte()
	t := a.Transaction()
	t.Version = 2
	if form&formUsual == 0 {
		t.Version, t.UnlockTime = r.Varint(), r.Varint()
		if t.Version != 1 && t.Version != 2 {
			r.Fail(ErrFormat)
		}
	}
	switch {
	case form&formPlus != 0:
		t.RingCT.Type = tx.RingCTBulletproofPlus
	case t.Version != 1:
		t.RingCT.Type = tx.RingCTType(r.Byte())
	}
	if t.RingCT.Type > maxType {
		r.Fail(ErrFormat)
	}
	if hasCarrot && t.RingCT.Type == tx.RingCTFCMP {
		return parseCarrot(a, r, t, form, n)
	}
	t.Inputs = a.Inputs(r.Count(maxParts, minInput))
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if form&formHidden == 0 {
			in.Amount = r.Varint()
		}
		in.ShortKeyImage = true
		copy(in.KeyImage[:], r.Bytes(tx.ShortKeyImageSize))
	}
	t.Outputs = a.Outputs(r.Count(maxParts, minOutput))
	for i := range t.Outputs {
		out := &t.Outputs[i]
		out.Tagged = form&formTagged != 0
		if !out.Tagged {
			out.Amount = r.Varint()
			tagged := r.Byte()
			if tagged > 1 {
				r.Fail(ErrFormat)
			}
			out.Tagged = tagged == 1
		}
		out.Key = r.Bytes32()
		if out.Tagged {
			out.ViewTag = r.Byte()
		}
	}
	shape := parseExtra(a, r, t, form)
	if r.Err() == nil && t.RingCT.Type != tx.RingCTNull {
		parseRingCT(a, r, t, form)
	}
	if r.Err() == nil && form&^formNext != formOf(t, shape) {
		r.Fail(ErrFormat) // the form is not canonical
	}
	if form&formNext != 0 {
		return t, n.count(r, len(t.Outputs))
	}
	return t, n.read(r, len(t.Outputs))
}

// parseExtra reads the fields of extra, serializes them in the usual order, and returns the form flags.
func parseExtra(a *tx.Arena, r *wire.Reader, t *tx.Transaction, form byte) (shape byte) {
	var usual [64]byte // long enough for most
	extra := usual[:0]
	if form&formKey != 0 {
		extra = tx.AppendPublicKey(extra, r.Bytes32())
		if form&formID != 0 {
			extra = tx.AppendEncryptedPaymentID(extra, short(r))
		}
		t.Extra = a.Bytes(extra)
		return form & (formKey | formID)
	}
	var e tx.Extra
	for _, list := range []*[]xmr.PublicKey{&e.PublicKeys, &e.AdditionalKeys} {
		*list = make([]xmr.PublicKey, r.Count(maxParts, 32))
		for i := range *list {
			(*list)[i] = r.Bytes32()
		}
	}
	switch r.Byte() {
	case 0:
	case 1:
		id := xmr.Hash(r.Bytes32())
		e.PaymentID = &id
	case 2:
		id := short(r)
		e.EncryptedPaymentID = &id
	default:
		r.Fail(ErrFormat)
	}
	for i := range e.PublicKeys {
		extra = tx.AppendPublicKey(extra, e.PublicKeys[i])
	}
	if len(e.AdditionalKeys) > 0 {
		extra = tx.AppendAdditionalKeys(extra, e.AdditionalKeys)
	}
	switch {
	case e.PaymentID != nil:
		extra = tx.AppendPaymentID(extra, *e.PaymentID)
	case e.EncryptedPaymentID != nil:
		extra = tx.AppendEncryptedPaymentID(extra, *e.EncryptedPaymentID)
	}
	t.Extra = a.Bytes(extra)
	return shapeOf(&e)
}

func short(r *wire.Reader) (id [8]byte) {
	copy(id[:], r.Bytes(8))
	return id
}

func parseRingCT(a *tx.Arena, r *wire.Reader, t *tx.Transaction, form byte) {
	c := &t.RingCT
	c.Fee = readFee(r, form)
	c.Ecdh = a.Amounts(len(t.Outputs))
	c.CommitmentDigests = a.Digests(len(t.Outputs))
	for i := range c.Ecdh {
		if c.Type >= tx.RingCTBulletproof2 {
			copy(c.Ecdh[i].Amount[:8], r.Bytes(8))
		} else {
			c.Ecdh[i].Mask, c.Ecdh[i].Amount = r.Bytes32(), r.Bytes32()
		}
		copy(c.CommitmentDigests.List[i][:], r.Bytes(8))
	}
}

func readFee(r *wire.Reader, form byte) uint64 {
	fee := r.Varint()
	if form&formTens != 0 {
		if fee > math.MaxUint64/feeUnit {
			r.Fail(ErrFormat)
		}
		fee *= feeUnit
	}
	return fee
}
