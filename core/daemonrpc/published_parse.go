package daemonrpc

import (
	"encoding/hex"
	"encoding/json"

	"glim/core/block"
	"glim/core/tx"
	"glim/core/xmr"
)

// PublishedTransaction is a transaction of a message over ZeroMQ. See PublishTransaction.
type PublishedTransaction struct{ full *publishedFull }

// PublishTransaction returns the form of a transaction in messages, with signatures and proofs if whole is set.
func PublishTransaction(t *tx.Transaction, whole bool) PublishedTransaction {
	j := publishedTx(t)
	if !whole {
		j.Signatures, j.RingCT.Prunable = nil, nil
	}
	return PublishedTransaction{j}
}

// MarshalJSON returns the JSON object of the transaction.
func (p PublishedTransaction) MarshalJSON() ([]byte, error) { return json.Marshal(p.full) }

// PublishedBlock is a block of a message over ZeroMQ.
type PublishedBlock = jsonBlock[publishedFull]

// ParsePublished returns the transaction that a message describes. Transactions of versions and types before hard fork
// 16, and of the next hard fork, whose membership proofs no message has, are returned without their proofs, as if they
// were pruned. The errors have the texts of the reference.
// Source: src/serialization/json_object.cpp, fromJsonValue for cryptonote::transaction.
func ParsePublished(raw []byte) (*tx.Transaction, error) {
	var j publishedFull
	if err := DecodeFields(raw, &j); err != nil {
		return nil, err
	}
	extra, err := hex.DecodeString(j.Extra)
	if err != nil {
		return nil, errBadInput
	}
	t := &tx.Transaction{Version: j.Version, UnlockTime: j.UnlockTime, Extra: extra}
	for _, in := range j.Inputs {
		switch {
		case in.Gen != nil:
			t.Inputs = append(t.Inputs, tx.Input{Coinbase: true, Height: in.Gen.Height})
		case in.ToKey != nil:
			t.Inputs = append(t.Inputs, tx.Input{
				Amount: in.ToKey.Amount, KeyOffsets: in.ToKey.KeyOffsets, KeyImage: xmr.KeyImage(in.ToKey.KeyImage),
			})
		default:
			return nil, MissingKey("Invalid input object")
		}
	}
	for _, out := range j.Outputs {
		o := tx.Output{Amount: out.Amount}
		switch {
		case out.ToTaggedKey != nil:
			tag, err := hex.DecodeString(out.ToTaggedKey.ViewTag)
			if err != nil || len(tag) != 1 {
				return nil, errBadInput
			}
			o.Key, o.Tagged, o.ViewTag = xmr.PublicKey(out.ToTaggedKey.Key), true, tag[0]
		case out.ToKey != nil:
			o.Key = xmr.PublicKey(out.ToKey.Key)
		case out.ToCarrot != nil:
			c, err := out.ToCarrot.parse()
			if err != nil {
				return nil, err
			}
			o.Key = xmr.PublicKey(out.ToCarrot.Key)
			t.Carrot = append(t.Carrot, c)
		default:
			return nil, MissingKey("Invalid input object")
		}
		t.Outputs = append(t.Outputs, o)
	}
	if t.Carrot != nil && len(t.Carrot) != len(t.Outputs) {
		return nil, errBadInput // outputs of Carrot and others
	}
	return t, j.RingCT.parse(&t.RingCT)
}

// parse returns what carrotOf described, besides the key.
func (j *jsonCarrot) parse() (c tx.Carrot, err error) {
	tag, err1 := hex.DecodeString(j.ViewTag)
	anchor, err2 := hex.DecodeString(j.Anchor)
	if err1 != nil || err2 != nil || len(tag) != len(c.ViewTag) || len(anchor) != len(c.Anchor) {
		return c, errBadInput
	}
	return tx.Carrot{ViewTag: [3]byte(tag), Anchor: [16]byte(anchor)}, nil
}

func (j *publishedRingCT) parse(c *tx.RingCT) error {
	c.Type = tx.RingCTType(j.Type)
	if c.Type == tx.RingCTNull {
		return nil
	}
	switch {
	case j.Encrypted == nil:
		return MissingKey("encrypted")
	case j.Commitments == nil:
		return MissingKey("commitments")
	case j.Fee == nil:
		return MissingKey("fee")
	}
	c.Fee, c.Commitments = *j.Fee, arrays(*j.Commitments)
	for _, e := range *j.Encrypted {
		c.Ecdh = append(c.Ecdh, tx.EcdhInfo{Mask: e.Mask, Amount: e.Amount})
	}
	if j.Prunable == nil || c.Type != tx.RingCTBulletproofPlus {
		return nil
	}
	p := &tx.Prunable{PseudoOuts: arrays(j.Prunable.PseudoOuts)}
	for _, b := range j.Prunable.BulletproofsPlus {
		p.BulletproofsPlus = append(p.BulletproofsPlus, tx.BulletproofPlus{
			A: b.A, A1: b.A1, B: b.B, R1: b.R1, S1: b.S1, D1: b.D1, L: arrays(b.L), R: arrays(b.R),
		})
	}
	for _, s := range j.Prunable.CLSAGs {
		p.CLSAGs = append(p.CLSAGs, tx.CLSAG{S: arrays(s.S), C1: s.C1, D: s.D})
	}
	c.Prunable = p
	return nil
}

func arrays(list []key32) [][32]byte {
	out := make([][32]byte, len(list))
	for i := range list {
		out[i] = list[i]
	}
	return out
}

// PublishBlock returns the form of a block in messages.
func PublishBlock(b *block.Block) PublishedBlock { return blockWith(b, publishedTx(&b.MinerTx)) }
