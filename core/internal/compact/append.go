package compact

import (
	"bytes"
	"encoding/binary"

	"glim/core/block"
	"glim/core/internal/codec/wire"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/xmr"
)

// Append appends the compact form of a block with this id. txs are its transactions without the coinbase, complete or
// pruned, in order. indices are global: first those of the coinbase's outputs, then those of each transaction. It
// returns ErrFormat if the arguments do not match.
func Append(b []byte, blk *block.Block, id xmr.Hash, txs []*tx.Transaction, indices [][]uint64) ([]byte, error) {
	if len(txs) != len(blk.TxHashes) || len(indices) != 1+len(txs) {
		return nil, smallfmt.Errorf("%w: %d transactions and indices of %d for %d",
			ErrFormat, len(txs), len(indices), len(blk.TxHashes))
	}
	b = wire.AppendVarint(b, uint64(blk.Major))
	b = wire.AppendVarint(b, uint64(blk.Minor))
	b = wire.AppendVarint(b, blk.Timestamp)
	b = binary.LittleEndian.AppendUint32(b, blk.Nonce)
	var err error
	if b, err = appendCoinbase(b, blk); err != nil {
		return nil, err
	}
	n := &numbers{}
	if len(indices[0]) > 0 {
		n.next = indices[0][0]
	}
	b = wire.AppendVarint(b, n.next)
	if len(indices[0]) != len(blk.MinerTx.Outputs) {
		return nil, smallfmt.Errorf("%w: indices of the coinbase", ErrFormat)
	}
	if n.follow(indices[0]) {
		b = append(b, 1)
	} else {
		b = appendNumbers(append(b, 0), indices[0])
	}
	b = wire.AppendVarint(b, uint64(len(txs)))
	for i, t := range txs {
		if t.IsCoinbase() || len(indices[1+i]) != len(t.Outputs) {
			return nil, smallfmt.Errorf("%w: transaction %s", ErrFormat, blk.TxHashes[i])
		}
		b = append(b, blk.TxHashes[i][:]...)
		if b, err = appendTx(b, id, t, indices[1+i], n); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// MatchesTransaction reports whether t, from a compact block and with this id, is the compact form of whole, a
// complete or pruned transaction.
func MatchesTransaction(id xmr.Hash, t, whole *tx.Transaction) bool {
	n := make([]uint64, len(t.Outputs))
	if t.IsCoinbase() || whole.IsCoinbase() || len(whole.Outputs) != len(n) {
		return false
	}
	a, err := appendTx(nil, id, t, n, &numbers{})
	if err != nil {
		return false
	}
	b, err := appendTx(nil, id, whole, n, &numbers{})
	return err == nil && bytes.Equal(a, b)
}

// numbers counts the global indices of a block.
type numbers struct {
	next  uint64
	arena *tx.Arena // memory for parsed lists
}

// follow reports whether list continues the global indices, and advances them.
func (n *numbers) follow(list []uint64) bool {
	all := true
	for i, x := range list {
		all = all && x == n.next+uint64(i)
	}
	if len(list) > 0 {
		n.next = list[len(list)-1] + 1
	}
	return all
}

func appendNumbers(b []byte, list []uint64) []byte {
	for _, x := range list {
		b = wire.AppendVarint(b, x)
	}
	return b
}

// formOf returns the form flags of t. shape is that of its extra.
func formOf(t *tx.Transaction, shape byte) byte {
	form := shape
	if t.Version == 2 && t.UnlockTime == 0 {
		form |= formUsual
	}
	if t.Version == 2 && t.RingCT.Type == tx.RingCTBulletproofPlus {
		form |= formPlus
	}
	hidden, tagged := true, true
	for i := range t.Inputs {
		hidden = hidden && t.Inputs[i].Amount == 0
	}
	for i := range t.Outputs {
		tagged = tagged && t.Outputs[i].Amount == 0 && t.Outputs[i].Tagged
	}
	if hidden {
		form |= formHidden
	}
	if tagged {
		form |= formTagged
	}
	if t.RingCT.Fee%feeUnit == 0 {
		form |= formTens
	}
	return form
}

// shapeOf returns the form flags that depend on extra.
func shapeOf(e *tx.Extra) (form byte) {
	if len(e.PublicKeys) == 1 && len(e.AdditionalKeys) == 0 && e.PaymentID == nil {
		form |= formKey
		if e.EncryptedPaymentID != nil {
			form |= formID
		}
	}
	return form
}

func appendTx(b []byte, id xmr.Hash, t *tx.Transaction, indices []uint64, n *numbers) ([]byte, error) {
	if t.Carrot != nil {
		return appendCarrot(b, t, indices, n)
	}
	extra, _ := tx.ParseExtra(t.Extra) // the fields before a malformed one count
	form := formOf(t, shapeOf(&extra))
	if n.follow(indices) {
		form |= formNext
	}
	b = appendForm(b, form, t)
	if form&formPlus == 0 && t.Version != 1 {
		b = append(b, byte(t.RingCT.Type))
	}
	b = wire.AppendVarint(b, uint64(len(t.Inputs)))
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Coinbase {
			return nil, smallfmt.Errorf("%w: a coinbase input", ErrFormat)
		}
		if form&formHidden == 0 {
			b = wire.AppendVarint(b, in.Amount)
		}
		b = append(b, in.KeyImage[:tx.ShortKeyImageSize]...)
	}
	b = wire.AppendVarint(b, uint64(len(t.Outputs)))
	for i := range t.Outputs {
		out := &t.Outputs[i]
		if form&formTagged == 0 {
			tagged := byte(0)
			if out.Tagged {
				tagged = 1
			}
			b = append(wire.AppendVarint(b, out.Amount), tagged)
		}
		b = append(b, out.Key[:]...)
		if out.Tagged {
			b = append(b, out.ViewTag)
		}
	}
	b = appendExtra(b, form, &extra)
	if t.Version != 1 && t.RingCT.Type != tx.RingCTNull {
		var err error
		if b, err = appendRingCT(b, form, id, t); err != nil {
			return nil, err
		}
	}
	if form&formNext == 0 {
		b = appendNumbers(b, indices)
	}
	return b, nil
}

// appendForm appends the form of t, with the fields that it does not tell.
func appendForm(b []byte, form byte, t *tx.Transaction) []byte {
	b = append(b, form)
	if form&formUsual == 0 {
		b = wire.AppendVarint(b, t.Version)
		b = wire.AppendVarint(b, t.UnlockTime)
	}
	return b
}

func appendExtra(b []byte, form byte, e *tx.Extra) []byte {
	if form&formKey != 0 {
		b = append(b, e.PublicKeys[0][:]...)
		if form&formID != 0 {
			b = append(b, e.EncryptedPaymentID[:]...)
		}
		return b
	}
	for _, list := range [][]xmr.PublicKey{e.PublicKeys, e.AdditionalKeys} {
		b = wire.AppendVarint(b, uint64(len(list)))
		for i := range list {
			b = append(b, list[i][:]...)
		}
	}
	switch {
	case e.PaymentID != nil:
		return append(append(b, 1), e.PaymentID[:]...)
	case e.EncryptedPaymentID != nil:
		return append(append(b, 2), e.EncryptedPaymentID[:]...)
	}
	return append(b, 0)
}

func appendRingCT(b []byte, form byte, id xmr.Hash, t *tx.Transaction) ([]byte, error) {
	r := &t.RingCT
	digests := r.CommitmentDigests
	if len(r.Ecdh) != len(t.Outputs) || digests == nil && len(r.Commitments) != len(t.Outputs) ||
		digests != nil && len(digests.List) != len(t.Outputs) {
		return nil, smallfmt.Errorf("%w: amounts of %d outputs", ErrFormat, len(t.Outputs))
	}
	fee := r.Fee
	if form&formTens != 0 {
		fee /= feeUnit
	}
	b = wire.AppendVarint(b, fee)
	for i := range r.Ecdh {
		if r.Type >= tx.RingCTBulletproof2 {
			b = append(b, r.Ecdh[i].Amount[:8]...)
		} else {
			b = append(append(b, r.Ecdh[i].Mask[:]...), r.Ecdh[i].Amount[:]...)
		}
		var d tx.CommitmentDigest
		if digests != nil {
			d = digests.List[i]
		} else {
			d = tx.NewCommitmentDigest(id, r.Commitments[i])
		}
		b = append(b, d[:]...)
	}
	return b, nil
}
