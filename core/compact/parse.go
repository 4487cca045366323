package compact

import (
	"math"

	"glim/core/block"
	"glim/core/codec/wire"
	"glim/core/say"
	"glim/core/tx"
	"glim/core/xmr"
)

// Parse reads a compact block and refuses bytes after it, and such as Append does not write. What it returns does not refer to b.
// Errors: ErrForm.
func Parse(b []byte) (*Block, error) {
	r := wire.NewReader(b)
	out := &Block{Block: &block.Block{Major: small(r), Minor: small(r), Timestamp: r.Varint(), Nonce: r.Uint32()}}
	blk := out.Block
	blk.MinerTx.Decode(r)
	if r.Err() == nil && !blk.MinerTx.IsCoinbase() {
		r.Fail(ErrForm)
	}
	blk.MinerTx.Extra = append([]byte(nil), blk.MinerTx.Extra...)
	n := &numbers{next: r.Varint()}
	first := n.next
	switch r.Byte() {
	case 0:
		out.Indices = append(out.Indices, n.read(r, len(blk.MinerTx.Outputs)))
	case 1:
		out.Indices = append(out.Indices, n.count(r, len(blk.MinerTx.Outputs)))
	default:
		r.Fail(ErrForm)
	}
	if r.Err() == nil && (len(out.Indices[0]) > 0 && out.Indices[0][0] != first || len(out.Indices[0]) == 0 && first != 0) {
		r.Fail(ErrForm)
	}
	count := r.Count(maxTxs, minTx)
	if count > 0 {
		blk.TxHashes, out.Txs = make([]xmr.Hash, 0, count), make([]*tx.Transaction, 0, count)
	}
	for i := 0; i < count && r.Err() == nil; i++ {
		blk.TxHashes = append(blk.TxHashes, r.Bytes32())
		t, indices := parseTx(r, n)
		out.Txs, out.Indices = append(out.Txs, t), append(out.Indices, indices)
	}
	if err := r.Close(); err != nil {
		return nil, say.Errorf("%w: %w", ErrForm, err)
	}
	return out, nil
}

func small(r *wire.Reader) uint8 {
	v := r.Varint()
	if v > math.MaxUint8 {
		r.Fail(ErrForm)
	}
	return uint8(v)
}

// count returns the next indices.
func (n *numbers) count(r *wire.Reader, outputs int) []uint64 {
	if r.Err() != nil || outputs > maxIndices || n.next > math.MaxInt64 {
		r.Fail(ErrForm)
		return nil
	}
	list := make([]uint64, outputs)
	for i := range list {
		list[i] = n.next + uint64(i)
	}
	n.next += uint64(outputs)
	return list
}

// read reads indices that do not follow.
func (n *numbers) read(r *wire.Reader, outputs int) []uint64 {
	if outputs > r.Len() {
		r.Fail(ErrForm)
		return nil
	}
	list := make([]uint64, outputs)
	for i := range list {
		list[i] = r.Varint()
	}
	if n.follow(list) {
		r.Fail(ErrForm) // Append says so in fewer bytes
	}
	return list
}

func parseTx(r *wire.Reader, n *numbers) (*tx.Transaction, []uint64) {
	form := r.Byte()
	t := &tx.Transaction{Version: 2}
	if form&formUsual == 0 {
		t.Version, t.UnlockTime = r.Varint(), r.Varint()
		if t.Version != 1 && t.Version != 2 {
			r.Fail(ErrForm)
		}
	}
	switch {
	case form&formPlus != 0:
		t.RingCT.Type = tx.RingCTBulletproofPlus
	case t.Version != 1:
		t.RingCT.Type = tx.RingCTType(r.Byte())
	}
	if t.RingCT.Type > tx.RingCTBulletproofPlus {
		r.Fail(ErrForm)
	}
	t.Inputs = make([]tx.Input, r.Count(maxParts, minInput))
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if form&formHidden == 0 {
			in.Amount = r.Varint()
		}
		in.Short = true
		copy(in.KeyImage[:], r.Bytes(tx.ShortImage))
	}
	t.Outputs = make([]tx.Output, r.Count(maxParts, minOutput))
	for i := range t.Outputs {
		out := &t.Outputs[i]
		out.Tagged = form&formTagged != 0
		if !out.Tagged {
			out.Amount = r.Varint()
			tagged := r.Byte()
			if tagged > 1 {
				r.Fail(ErrForm)
			}
			out.Tagged = tagged == 1
		}
		out.Key = r.Bytes32()
		if out.Tagged {
			out.ViewTag = r.Byte()
		}
	}
	extra := parseExtra(r, t, form)
	if r.Err() == nil && t.RingCT.Type != tx.RingCTNull {
		parseRingCT(r, t, form)
	}
	if r.Err() == nil && form&^formNext != formOf(t, extra) {
		r.Fail(ErrForm) // one block has one form
	}
	if form&formNext != 0 {
		return t, n.count(r, len(t.Outputs))
	}
	return t, n.read(r, len(t.Outputs))
}

// parseExtra reads what extra says and writes it the usual way.
func parseExtra(r *wire.Reader, t *tx.Transaction, form byte) *tx.Extra {
	e := new(tx.Extra)
	if form&formKey != 0 {
		e.PublicKeys = []xmr.PublicKey{r.Bytes32()}
		if form&formID != 0 {
			e.EncryptedPaymentID = short(r)
		}
	} else {
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
			e.EncryptedPaymentID = short(r)
		default:
			r.Fail(ErrForm)
		}
	}
	for i := range e.PublicKeys {
		t.Extra = tx.AppendPublicKey(t.Extra, e.PublicKeys[i])
	}
	if len(e.AdditionalKeys) > 0 {
		t.Extra = tx.AppendAdditionalKeys(t.Extra, e.AdditionalKeys)
	}
	switch {
	case e.PaymentID != nil:
		t.Extra = tx.AppendPaymentID(t.Extra, *e.PaymentID)
	case e.EncryptedPaymentID != nil:
		t.Extra = tx.AppendEncryptedPaymentID(t.Extra, *e.EncryptedPaymentID)
	}
	return e
}

func short(r *wire.Reader) *[8]byte {
	var id [8]byte
	copy(id[:], r.Bytes(8))
	return &id
}

func parseRingCT(r *wire.Reader, t *tx.Transaction, form byte) {
	c := &t.RingCT
	c.Fee = r.Varint()
	if form&formTens != 0 {
		if c.Fee > math.MaxUint64/feeUnit {
			r.Fail(ErrForm)
		}
		c.Fee *= feeUnit
	}
	c.Ecdh = make([]tx.EcdhInfo, len(t.Outputs))
	c.Digests = &tx.Digests{List: make([]tx.Digest, len(t.Outputs))}
	for i := range c.Ecdh {
		if c.Type >= tx.RingCTBulletproof2 {
			copy(c.Ecdh[i].Amount[:8], r.Bytes(8))
		} else {
			c.Ecdh[i].Mask, c.Ecdh[i].Amount = r.Bytes32(), r.Bytes32()
		}
		copy(c.Digests.List[i][:], r.Bytes(8))
	}
}
