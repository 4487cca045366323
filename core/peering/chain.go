package peering

import (
	"errors"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/p2p"
	"glim/core/xmr"
)

// Chain is a chain as a machine keeps it the same as its peers'.
type Chain struct{ c *chain.Chain }

var _ p2p.Chain = Chain{}

// NewChain returns how a machine sees c.
func NewChain(c *chain.Chain) Chain { return Chain{c} }

// Tip implements p2p.Chain.
func (c Chain) Tip() (t p2p.Tip) {
	c.c.View(func(v chain.View) {
		top := v.Top()
		t = p2p.Tip{Height: v.Height(), ID: top.ID, Cumulative: top.Cumulative, Version: consensus.VersionAt(v.Network(), v.Height())}
	})
	return t
}

// Version implements p2p.Chain.
func (c Chain) Version(height uint64) (version uint8) {
	c.c.View(func(v chain.View) { version = consensus.VersionAt(v.Network(), height) })
	return version
}

// dense is how many of the last blocks are in a history one by one.
const dense = 10

// History implements p2p.Chain. Source: src/cryptonote_core/blockchain.cpp, get_short_chain_history.
func (c Chain) History() (ids []xmr.Hash) {
	c.c.View(func(v chain.View) {
		step := uint64(1)
		for back := uint64(1); back < v.Height(); back += step {
			ids = append(ids, v.Block(v.Height()-back).ID)
			if len(ids) > dense {
				step *= 2
			}
		}
		ids = append(ids, v.Block(0).ID)
	})
	return ids
}

// After implements p2p.Chain. Source: src/cryptonote_core/blockchain.cpp, find_blockchain_supplement.
func (c Chain) After(history []xmr.Hash, limit int) (e p2p.Entry, known bool) {
	c.c.View(func(v chain.View) {
		if e.Start, known = v.Common(history); !known {
			return
		}
		for h := e.Start; h < v.Height() && len(e.IDs) < limit; h++ {
			b := v.Block(h)
			e.IDs, e.Weights = append(e.IDs, b.ID), append(e.Weights, b.Weight)
		}
		if b := v.Block(e.Start + 1); b != nil {
			e.FirstBlock = b.Blob
		}
	})
	return e, known
}

// Has implements p2p.Chain.
func (c Chain) Has(id xmr.Hash) (here, main bool) {
	c.c.View(func(v chain.View) {
		var b *chain.Block
		b, main = v.BlockByID(id)
		here = b != nil
	})
	return here, main
}

// HasTx implements p2p.Chain.
func (c Chain) HasTx(id xmr.Hash) (here bool) {
	c.c.View(func(v chain.View) { here = find(v, id) != nil })
	return here
}

// find returns a transaction of the pool or the main chain that is no coinbase, or nil.
func find(v chain.View, id xmr.Hash) *chain.Tx {
	if t := v.PoolTx(id); t != nil {
		return t.Tx
	}
	if at, mined := v.Tx(id); mined && at.Index > 0 {
		return v.Block(at.Height).Txs[at.Index-1]
	}
	return nil
}

// Block implements p2p.Chain.
func (c Chain) Block(id xmr.Hash, pruned bool) (d p2p.BlockData, here bool) {
	c.c.View(func(v chain.View) {
		b, main := v.BlockByID(id)
		if b == nil {
			return
		}
		d = p2p.BlockData{Height: b.Height, Blob: b.Blob, Weight: b.Weight, TxIDs: b.Block.TxHashes}
		txs := b.Txs
		if !main {
			txs = nil
			for _, id := range b.Block.TxHashes {
				t := find(v, id)
				if t == nil {
					return
				}
				txs = append(txs, t)
			}
		}
		for _, t := range txs {
			if !pruned {
				d.Txs = append(d.Txs, t.Blob)
				continue
			}
			d.Txs = append(d.Txs, t.Pruned())
			d.Prunable = append(d.Prunable, t.Tx.PrunableHash())
		}
		here = true
	})
	return d, here
}

// Txs implements p2p.Chain.
func (c Chain) Txs(ids []xmr.Hash) (blobs [][]byte) {
	c.c.View(func(v chain.View) {
		for _, id := range ids {
			if t := find(v, id); t != nil {
				blobs = append(blobs, t.Blob)
			}
		}
	})
	return blobs
}

// Pool implements p2p.Chain.
func (c Chain) Pool() (ids []xmr.Hash) {
	c.c.View(func(v chain.View) {
		for _, t := range v.Pool() {
			if !t.DoNotRelay {
				ids = append(ids, t.ID)
			}
		}
	})
	return ids
}

// After how long a transaction is passed on again, in seconds: the longer the older it is; and until when, half of what the pool keeps.
// Source: src/cryptonote_core/tx_pool.cpp, MIN_RELAY_TIME, MAX_RELAY_TIME, get_relay_delay, get_relayable_transactions.
const (
	relayStep     = 5 * 60
	relayMost     = 4 * 3600
	relayUntil    = 3 * 86400 / 2
	relayOfBlocks = 7 * 86400 / 2
)

// Unheard implements p2p.Chain.
func (c Chain) Unheard(now uint64) (ids []xmr.Hash) {
	c.c.View(func(v chain.View) {
		for _, t := range v.Pool() {
			until := uint64(relayUntil)
			if t.KeptByBlock {
				until = relayOfBlocks
			}
			waited := t.LastRelayed - min(t.Received, t.LastRelayed)
			delay := min((waited+relayStep)/relayStep*relayStep, relayMost)
			due := !t.Relayed || now > t.LastRelayed+delay
			if !t.DoNotRelay && due && now <= t.Received+until {
				ids = append(ids, t.ID)
			}
		}
	})
	return ids
}

// AddBlock implements p2p.Chain.
func (c Chain) AddBlock(blob []byte, txs [][]byte) (chain.Added, error) {
	return c.c.AddBlock(blob, txs...)
}

// AddTx implements p2p.Chain.
func (c Chain) AddTx(blob []byte, hidden bool) (xmr.Hash, error) { return c.c.AddTx(blob, hidden) }

// errGone tells that a transaction is not in the pool any more.
var errGone = errors.New("peering: transaction not in the pool")

// SetRelayed implements p2p.Chain.
func (c Chain) SetRelayed(id xmr.Hash) error {
	there, err := c.c.SetRelayed(id)
	if err == nil && !there {
		err = errGone
	}
	return err
}
