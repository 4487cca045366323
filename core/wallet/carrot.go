package wallet

import (
	"errors"

	"glim/core/internal/codec/wire"
	"glim/core/keys"
)

// EnoteType is what the sender says about an output of the next hard fork, see carrot.EnoteType.
type EnoteType uint8

// maxEnoteType is carrot.ChangeEnote.
const maxEnoteType EnoteType = 1

// ErrForked reports a payment after the next hard fork.
var ErrForked = errors.New("the chain has passed the next hard fork: spending takes membership proofs from there on, " +
	"which this wallet cannot make. It still receives; nothing was sent, and the outputs stay as they are")

// CheckFork returns ErrForked if transactions of today's form cannot be mined any more, because the last scanned block
// is of the next hard fork, and ErrCarrotKeys if they cannot spend the wallet's outputs.
func (w *Wallet) CheckFork() error {
	if keys.HasHierarchies {
		if err := w.checkKeys(); err != nil {
			return err
		}
	}
	if w.forked {
		return ErrForked
	}
	return nil
}

// Forked reports whether the last scanned block is of the next hard fork.
func (w *Wallet) Forked() bool { return w.forked }

// SpentAt returns the index of the block whose transaction spends o; false if no scanned block does.
func (w *Wallet) SpentAt(o *OwnedOutput) (height uint64, ok bool) {
	if id, spent := w.spentBy[o.Image]; spent && o.ImageKnown {
		if s := w.spends[id]; s != nil {
			return s.Height, true
		}
	}
	return 0, false
}

// HasCarrot reports whether one of list is an output of the next hard fork.
func HasCarrot(list []OwnedOutput) bool {
	for i := range list {
		if list[i].Carrot {
			return true
		}
	}
	return false
}

// recordCarrot is the first byte of a record with outputs of the next hard fork: their number, and for each its
// position among the record's outputs and its type follow, then the record itself. Versions that do not know such
// outputs refuse the record, so they do not take them for others.
const recordCarrot = 'k'

// appendCarrot adds the part of a record in front of the others if c has outputs of the next hard fork.
func (c *ChainChange) appendCarrot(b []byte) []byte {
	n := 0
	for i := range c.Outputs {
		if c.Outputs[i].Carrot {
			n++
		}
	}
	if n == 0 {
		return b
	}
	b = wire.AppendVarint(append(b, recordCarrot), uint64(n))
	for i := range c.Outputs {
		if o := &c.Outputs[i]; o.Carrot {
			b = append(wire.AppendVarint(b, uint64(i)), byte(o.EnoteType))
		}
	}
	return b
}

// carrotMark is an entry of that part.
type carrotMark struct {
	position  uint64
	enoteType EnoteType
}

// cutCarrot reads the part that appendCarrot wrote, and returns the rest of the record.
func cutCarrot(b []byte) (marks []carrotMark, rest []byte, err error) {
	if b[0] != recordCarrot {
		return nil, b, nil
	}
	r := wire.NewReader(b[1:])
	marks = make([]carrotMark, r.Count(r.Len(), 2))
	for i := range marks {
		m := &marks[i]
		m.position, m.enoteType = r.Varint(), EnoteType(r.Byte())
		if r.Err() == nil && (m.enoteType > maxEnoteType || i > 0 && m.position <= marks[i-1].position) {
			return nil, nil, ErrRecord
		}
	}
	rest = r.Bytes(r.Len())
	if r.Err() != nil || len(marks) == 0 || len(rest) == 0 || rest[0] == recordCarrot {
		return nil, nil, ErrRecord
	}
	return marks, rest, nil
}

// markCarrot sets the fields of outputs that marks describe.
func (c *ChainChange) markCarrot(marks []carrotMark) error {
	for _, m := range marks {
		if m.position >= uint64(len(c.Outputs)) {
			return ErrRecord
		}
		o := &c.Outputs[m.position]
		o.Carrot, o.EnoteType = true, m.enoteType
	}
	return nil
}
