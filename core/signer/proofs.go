package signer

import (
	"context"
	"io"
	"slices"

	"glim/core/internal/codec/wire"
	"glim/core/internal/proof"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// spent is a spend proof to make.
type spent struct {
	id      xmr.Hash
	tx      *tx.Transaction
	rings   [][]xmr.PublicKey
	spent   []proof.Owned
	message string
}

func appendOwned(b []byte, o *proof.Owned) []byte {
	return appendOutput(b, &keys.Output{Derivation: o.Derivation, Index: o.Output, Address: o.Address, Key: o.Key})
}

func readOwned(r *wire.Reader) proof.Owned {
	o := readOutput(r)
	return proof.Owned{Derivation: o.Derivation, Output: o.Index, Address: o.Address, Key: o.Key}
}

func (p *spent) append(b []byte) []byte {
	b = appendBytes(append(b, p.id[:]...), p.tx.Append(nil))
	b = wire.AppendVarint(b, uint64(len(p.rings)))
	for i := range p.rings {
		b = wire.AppendVarint(b, uint64(len(p.rings[i])))
		for j := range p.rings[i] {
			b = append(b, p.rings[i][j][:]...)
		}
		b = appendOwned(b, &p.spent[i])
	}
	return appendBytes(b, []byte(p.message))
}

func readSpent(r *wire.Reader) (p spent) {
	p.id = r.Bytes32()
	var err error
	if p.tx, err = tx.Parse(readBytes(r, MaxRequest)); err != nil && r.Err() == nil {
		r.Fail(err)
		return p
	}
	n := r.Count(maxMany, 1+outputSize)
	for range n {
		ring := make([]xmr.PublicKey, r.Count(maxMany, 32))
		for j := range ring {
			ring[j] = r.Bytes32()
		}
		p.rings, p.spent = append(p.rings, ring), append(p.spent, readOwned(r))
	}
	p.message = string(readBytes(r, maxText))
	return p
}

// prove makes the proof. What is signed is a hash of the transaction's ID and the message, which could be read as another thing, such
// as a transaction of the oldest kind, if the ID were any bytes: so the transaction must be there, whole.
func (p *spent) prove(random io.Reader, x *secrets) (string, error) {
	if id, err := p.tx.Hash(); err != nil || id != p.id {
		return "", proof.ErrTransaction
	}
	return proof.ProveSpend(random, p.id, p.tx, x.keys, p.rings, p.spent, p.message)
}

// reserve is a reserve proof to make.
type reserve struct {
	all     []proof.Holding
	txs     []*tx.Transaction // as pruned ones: no signatures are needed
	message string
}

func (p *reserve) append(b []byte) []byte {
	b = wire.AppendVarint(b, uint64(len(p.all)))
	for i := range p.all {
		h := &p.all[i]
		b = append(append(appendOwned(b, &h.Owned), h.TxID[:]...), h.Image[:]...)
		b = appendBytes(wire.AppendVarint(b, h.Amount), p.txs[i].AppendPruned(nil))
	}
	return appendBytes(b, []byte(p.message))
}

func readReserve(r *wire.Reader) (p reserve) {
	for range r.Count(maxMany, outputSize+32+32+2) {
		h := proof.Holding{Owned: readOwned(r), TxID: r.Bytes32(), Image: r.Bytes32(), Amount: r.Varint()}
		t, err := tx.ParsePruned(readBytes(r, MaxRequest))
		if err != nil {
			r.Fail(err)
			return p
		}
		p.all, p.txs = append(p.all, h), append(p.txs, t)
	}
	p.message = string(readBytes(r, maxText))
	return p
}

func (p *reserve) prove(random io.Reader, x *secrets) (string, error) {
	return proof.ProveReserve(random, x.keys, p.all, p.txs, p.message)
}

// ProveSpend makes a spend proof, see proof.ProveSpend.
func (p *Place) ProveSpend(ctx context.Context, id xmr.Hash, t *tx.Transaction, rings [][]xmr.PublicKey, list []proof.Owned, message string) (string, error) {
	if len(list) != len(rings) || t.IsPruned() {
		return "", proof.ErrTransaction
	}
	q := spent{id, t, rings, list, message}
	return p.text(ctx, opSpendProof, q.append(nil))
}

// ProveReserve makes a reserve proof, see proof.ProveReserve.
func (p *Place) ProveReserve(ctx context.Context, all []proof.Holding, txs []*tx.Transaction, message string) (string, error) {
	if len(txs) != len(all) || slices.Contains(txs, nil) {
		return "", proof.ErrTransaction
	}
	q := reserve{all, txs, message}
	return p.text(ctx, opReserveProof, q.append(nil))
}

// SignMessage signs a text, see proof.SignMessage.
func (p *Place) SignMessage(ctx context.Context, i keys.Index, kind proof.KeyKind, data string) (string, error) {
	return p.text(ctx, opMessage, appendBytes(append(appendIndex(nil, i), byte(kind)), []byte(data)))
}

// text asks for what is answered with a text.
func (p *Place) text(ctx context.Context, op byte, body []byte) (text string, err error) {
	err = p.ask(ctx, op, body, func(r *wire.Reader) { text = string(readBytes(r, MaxRequest)) })
	return text, err
}
