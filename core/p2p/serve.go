package p2p

import (
	"time"

	"glim/core/p2p/message"
	"glim/core/xmr"
)

// Limits of one request. Source: src/cryptonote_config.h, BLOCKS_IDS_SYNCHRONIZING_DEFAULT_COUNT;
// src/cryptonote_basic/cryptonote_basic.h, CURRENCY_PROTOCOL_MAX_OBJECT_REQUEST_COUNT.
const (
	maxObjects   = 100
	maxIDsTold   = 10_000
	maxPoolBytes = 16 << 20 // of the pool's complement
)

// onGetChain sends the IDs of blocks that follow a history. Source: handle_request_chain.
func (m *Machine) onGetChain(now time.Time, c *conn, r *message.ChainRequest) {
	e, found := m.c.Chain.After(r.IDs, maxIDsTold)
	if !found {
		m.close(now, c, BadChain) // it has another genesis block
		return
	}
	tip := m.c.Chain.Tip()
	m.notify(now, c, message.Chain, message.ChainResponse{
		Start:        e.Start,
		Total:        max(tip.Height, e.Start+uint64(len(e.IDs))),
		Cumulative:   tip.Cumulative.Lo,
		CumulativeHi: tip.Cumulative.Hi,
		IDs:          e.IDs,
		Weights:      e.Weights,
		FirstBlock:   e.FirstBlock,
	})
}

// onGetObjects sends blocks. Source: handle_request_get_objects.
func (m *Machine) onGetObjects(now time.Time, c *conn, r *message.ObjectsRequest) {
	if len(r.Blocks) > maxObjects {
		m.blame(now, c, 1, Flooding)
		return
	}
	out := message.ObjectsResponse{Height: m.c.Chain.Tip().Height}
	for _, id := range r.Blocks {
		d, found := m.c.Chain.Block(id, r.Prune)
		if !found {
			out.Missed = append(out.Missed, id)
			continue
		}
		out.Blocks = append(out.Blocks, toBlock(d, r.Prune))
	}
	m.notify(now, c, message.Objects, out)
}

func toBlock(d BlockData, pruned bool) message.Block {
	b := message.Block{Blob: d.Blob, Pruned: pruned, Txs: make([]message.Tx, len(d.Txs))}
	for i, blob := range d.Txs {
		b.Txs[i] = message.Tx{Blob: blob, Pruned: pruned}
		if pruned {
			b.Txs[i].Prunable = d.Prunable[i]
		}
	}
	if pruned {
		b.Weight = d.Weight
	}
	return b
}

// onGetMissingTxs sends transactions of an announced block. Source: handle_request_fluffy_missing_tx.
func (m *Machine) onGetMissingTxs(now time.Time, c *conn, r *message.MissingTxsRequest) {
	d, found := m.c.Chain.Block(r.ID, false)
	if !found {
		m.close(now, c, Useless)
		return
	}
	out := message.BlockNotice{Block: message.Block{Blob: d.Blob}, Height: r.Height}
	asked := map[uint64]bool{}
	for _, i := range r.Indices {
		if i >= uint64(len(d.Txs)) || asked[i] {
			m.blame(now, c, 1, BadMessage)
			return
		}
		asked[i] = true
		out.Block.Txs = append(out.Block.Txs, message.Tx{Blob: d.Txs[i]})
	}
	m.notify(now, c, message.NewFluffyBlock, out)
}

// onPoolComplement sends the transactions of the pool that the peer lacks, except stem transactions.
// Source: handle_notify_get_txpool_complement.
func (m *Machine) onPoolComplement(now time.Time, c *conn, r *message.PoolRequest) {
	if c.fetch.state != normal {
		return
	}
	has := make(map[xmr.Hash]bool, len(r.IDs))
	for _, id := range r.IDs {
		has[id] = true
	}
	var list [][]byte
	size := 0
	for _, id := range m.c.Chain.Pool() {
		if has[id] || m.relay.hides(id) {
			continue
		}
		if blob, here := m.c.Chain.PoolTx(id); here && size+len(blob) <= maxPoolBytes {
			list, size = append(list, blob), size+len(blob)
		}
	}
	if len(list) > 0 {
		m.sendTxs(now, c, list, true)
	}
}
