package tx

import "glim/core/internal/codec/wire"

// Append serialises t: prefix, base, then signatures or prunable part. For a pruned t it equals AppendPruned. It
// reproduces bytes that Parse accepted.
func (t *Transaction) Append(b []byte) []byte {
	return t.AppendPrunable(t.AppendPruned(b))
}

// AppendPruned serialises prefix and base, as read by ParsePruned.
func (t *Transaction) AppendPruned(b []byte) []byte { return t.AppendBase(t.AppendPrefix(b)) }

// AppendPrefix serialises the fields from version to extra.
// Source: src/cryptonote_basic/cryptonote_basic.h, transaction_prefix.
func (t *Transaction) AppendPrefix(b []byte) []byte {
	b = wire.AppendVarint(b, t.Version)
	b = wire.AppendVarint(b, t.UnlockTime)
	b = wire.AppendVarint(b, uint64(len(t.Inputs)))
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Coinbase {
			b = wire.AppendVarint(append(b, tagCoinbase), in.Height)
			continue
		}
		b = wire.AppendVarint(append(b, tagToKey), in.Amount)
		b = wire.AppendVarint(b, uint64(len(in.KeyOffsets)))
		for _, o := range in.KeyOffsets {
			b = wire.AppendVarint(b, o)
		}
		b = append(b, in.KeyImage[:]...)
	}
	b = wire.AppendVarint(b, uint64(len(t.Outputs)))
	for i := range t.Outputs {
		out := &t.Outputs[i]
		b = wire.AppendVarint(b, out.Amount)
		switch {
		case t.Carrot != nil:
			b = append(append(b, CarrotTag), out.Key[:]...)
			b = append(append(b, t.Carrot[i].ViewTag[:]...), t.Carrot[i].Anchor[:]...)
		case out.Tagged:
			b = append(append(b, tagTaggedKey), out.Key[:]...)
			b = append(b, out.ViewTag)
		default:
			b = append(append(b, tagToKey), out.Key[:]...)
		}
	}
	b = wire.AppendVarint(b, uint64(len(t.Extra)))
	return append(b, t.Extra...)
}

// AppendBase serialises the RingCT part that remains after pruning; nothing for version 1.
// Source: src/ringct/rctTypes.h, serialize_rctsig_base.
func (t *Transaction) AppendBase(b []byte) []byte {
	if t.Version == 1 {
		return b
	}
	return t.RingCT.appendBase(b)
}

// AppendPrunable serialises the part that pruning removes: the signatures of version 1, the proofs of version 2.
// Source: src/ringct/rctTypes.h, serialize_rctsig_prunable.
func (t *Transaction) AppendPrunable(b []byte) []byte {
	if t.Version != 1 {
		return t.RingCT.appendPrunable(b)
	}
	for _, list := range t.Signatures {
		for i := range list {
			b = appendFields(b, &list[i].C, &list[i].R)
		}
	}
	return b
}
