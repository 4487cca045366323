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

// spent is a request for a spend proof.
type spent struct {
	id      xmr.Hash
	tx      *tx.Transaction
	rings   [][]xmr.PublicKey
	spent   []keys.OwnOutput
	message string
}

func (p *spent) append(b []byte) []byte {
	b = appendBytes(append(b, p.id[:]...), p.tx.Append(nil))
	b = wire.AppendVarint(b, uint64(len(p.rings)))
	for i := range p.rings {
		b = wire.AppendVarint(b, uint64(len(p.rings[i])))
		for j := range p.rings[i] {
			b = append(b, p.rings[i][j][:]...)
		}
		b = appendOutput(b, &p.spent[i])
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
		p.rings, p.spent = append(p.rings, ring), append(p.spent, readOutput(r))
	}
	p.message = string(readBytes(r, maxText))
	return p
}

// prove makes the proof. It signs a hash of the transaction's ID and the message. With an arbitrary ID that hash could
// have another meaning, such as a transaction of version 1, so the complete transaction is required.
func (p *spent) prove(random io.Reader, x *secrets) (string, error) {
	if id, err := p.tx.Hash(); err != nil || id != p.id {
		return "", proof.ErrTransaction
	}
	return proof.ProveSpend(random, p.id, p.tx, x.keys, p.rings, p.spent, p.message)
}

// reserve is a request for a reserve proof.
type reserve struct {
	all     []proof.Holding
	txs     []*tx.Transaction // pruned: signatures are not needed
	message string
}

func (p *reserve) append(b []byte) []byte {
	b = wire.AppendVarint(b, uint64(len(p.all)))
	for i := range p.all {
		h := &p.all[i]
		b = append(append(appendOutput(b, &h.OwnOutput), h.TxID[:]...), h.Image[:]...)
		b = appendBytes(wire.AppendVarint(b, h.Amount), p.txs[i].AppendPruned(nil))
	}
	return appendBytes(b, []byte(p.message))
}

func readReserve(r *wire.Reader) (p reserve) {
	for range r.Count(maxMany, outputSize+32+32+2) {
		h := proof.Holding{OwnOutput: readOutput(r), TxID: r.Bytes32(), Image: r.Bytes32(), Amount: r.Varint()}
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
func (p *ExternalWallet) ProveSpend(
	ctx context.Context, id xmr.Hash, t *tx.Transaction, rings [][]xmr.PublicKey, list []keys.OwnOutput, message string,
) (string, error) {
	if len(list) != len(rings) || t.IsPruned() {
		return "", proof.ErrTransaction
	}
	q := spent{id, t, rings, list, message}
	return p.text(ctx, opSpendProof, q.append(nil))
}

// ProveReserve makes a reserve proof, see proof.ProveReserve.
func (p *ExternalWallet) ProveReserve(
	ctx context.Context, all []proof.Holding, txs []*tx.Transaction, message string,
) (string, error) {
	if len(txs) != len(all) || slices.Contains(txs, nil) {
		return "", proof.ErrTransaction
	}
	q := reserve{all, txs, message}
	return p.text(ctx, opReserveProof, q.append(nil))
}

// SignMessage signs a text, see proof.SignMessage.
func (p *ExternalWallet) SignMessage(
	ctx context.Context, i keys.Index, kind proof.KeyKind, data string,
) (string, error) {
	return p.text(ctx, opMessage, appendBytes(append(appendIndex(nil, i), byte(kind)), []byte(data)))
}

// text sends a request with a text as its answer.
func (p *ExternalWallet) text(ctx context.Context, op byte, body []byte) (text string, err error) {
	err = p.ask(ctx, op, body, func(r *wire.Reader) { text = string(readBytes(r, MaxRequest)) })
	return text, err
}
