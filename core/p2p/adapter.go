package p2p

import (
	"errors"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/xmr"
)

// recent is the number of consecutive IDs with which a history begins, before its steps grow.
// Source: src/cryptonote_core/blockchain.cpp, get_short_chain_history.
const recent = 10

// FromChain returns c for use by a Machine.
func FromChain(c *chain.Chain) Chain { return chainAdapter{c} }

type chainAdapter struct{ c *chain.Chain }

func (o chainAdapter) Tip() (t Tip) {
	o.c.View(func(v chain.View) {
		top := v.Top()
		t = Tip{
			Height:     v.Height(),
			ID:         top.ID,
			Cumulative: top.Cumulative,
			Version:    v.VersionAt(top.Height),
		}
	})
	return t
}

func (o chainAdapter) Version(height uint64) (version uint8) {
	o.c.View(func(v chain.View) { version = v.VersionAt(height) })
	return version
}

func (o chainAdapter) History() (ids []xmr.Hash) {
	o.c.View(func(v chain.View) {
		step := uint64(1)
		for back := uint64(1); back < v.Height(); back += step {
			if len(ids) >= recent {
				step *= 2
			}
			ids = append(ids, v.Block(v.Height()-back).ID)
		}
		ids = append(ids, v.Block(0).ID)
	})
	return ids
}

func (o chainAdapter) After(history []xmr.Hash, limit int) (e Entry, found bool) {
	o.c.View(func(v chain.View) {
		if e.Start, found = v.Common(history); !found {
			return
		}
		for h := e.Start; h < v.Height() && len(e.IDs) < limit; h++ {
			b := v.Block(h)
			e.IDs, e.Weights = append(e.IDs, b.ID), append(e.Weights, b.Weight)
		}
		if len(e.IDs) > 1 {
			e.FirstBlock = v.Block(e.Start + 1).Blob
		}
	})
	return e, found
}

func (o chainAdapter) Has(id xmr.Hash) (height uint64, here bool) {
	o.c.View(func(v chain.View) {
		if b, _ := v.BlockByID(id); b != nil {
			height, here = b.Height, true
		}
	})
	return height, here
}

func (o chainAdapter) Known(ids []xmr.Hash) (n int) {
	o.c.View(func(v chain.View) {
		for _, id := range ids {
			if b, _ := v.BlockByID(id); b == nil {
				return
			}
			n++
		}
	})
	return n
}

func (o chainAdapter) HasTx(id xmr.Hash) (here bool) {
	o.c.View(func(v chain.View) {
		_, mined := v.Tx(id)
		here = mined || v.PoolTx(id) != nil
	})
	return here
}

func (o chainAdapter) Block(id xmr.Hash, pruned bool) (d BlockData, found bool) {
	o.c.View(func(v chain.View) {
		b, _ := v.BlockByID(id)
		if b == nil {
			return
		}
		d = BlockData{Height: b.Height, Blob: b.Blob, Weight: b.Weight, TxIDs: b.Block.TxHashes}
		for _, txID := range b.Block.TxHashes {
			t := transaction(v, txID)
			if t == nil {
				return
			}
			if !pruned {
				d.Txs = append(d.Txs, t.Blob)
				continue
			}
			d.Txs = append(d.Txs, t.Pruned())
			d.Prunable = append(d.Prunable, t.Tx.PrunableHash())
		}
		found = true
	})
	return d, found
}

// transaction returns a transaction of the pool or the main chain, or nil.
func transaction(v chain.View, id xmr.Hash) *chain.Tx {
	if t := v.PoolTx(id); t != nil {
		return t.Tx
	}
	if at, mined := v.Tx(id); mined && at.Index > 0 {
		return v.Block(at.Height).Txs[at.Index-1]
	}
	return nil
}

func (o chainAdapter) PoolTx(id xmr.Hash) (blob []byte, found bool) {
	o.c.View(func(v chain.View) {
		if t := v.PoolTx(id); t != nil {
			blob, found = t.Blob, true
		}
	})
	return blob, found
}

func (o chainAdapter) Hidden(id xmr.Hash) (hidden bool) {
	o.c.View(func(v chain.View) {
		t := v.PoolTx(id)
		hidden = t != nil && t.DoNotRelay
	})
	return hidden
}

func (o chainAdapter) Pool() (ids []xmr.Hash) {
	o.c.View(func(v chain.View) {
		for _, t := range v.Pool() {
			if !t.DoNotRelay {
				ids = append(ids, t.ID)
			}
		}
	})
	return ids
}

// Time before a transaction of the pool is relayed again; it grows with the transaction's age. A transaction past half
// its time in the pool is not relayed again, so that it is not sent to peers that have just dropped it.
// Source: src/cryptonote_core/tx_pool.cpp, get_relay_delay, get_relayable_transactions.
const (
	minRest    = 5 * 60
	maxRest    = 4 * 3600
	relaySpan  = 3 * 86400 / 2
	relayBlock = 7 * 86400 / 2 // of transactions that were in a block
)

func (o chainAdapter) Unheard(now uint64) (ids []xmr.Hash) {
	o.c.View(func(v chain.View) {
		for _, t := range v.Pool() {
			span := uint64(relaySpan)
			if t.KeptByBlock {
				span = relayBlock
			}
			last := max(t.LastRelayed, t.Received)
			rest := min((last-t.Received+minRest)/minRest*minRest, maxRest)
			if !t.DoNotRelay && now <= t.Received+span && now > last+rest && !v.Stale(t) {
				ids = append(ids, t.ID)
			}
		}
	})
	return ids
}

func (o chainAdapter) LargestWeight(n int) (largest uint64) {
	o.c.View(func(v chain.View) {
		for h := v.Height(); h > 0 && n > 0; h, n = h-1, n-1 {
			largest = max(largest, v.Block(h-1).Weight)
		}
	})
	return largest
}

// mostAhead limits how many blocks are hashed ahead.
const mostAhead = 32

// AddBlocks stores blocks that are cheap to verify in one batch, because storing them takes most of the time. It stores
// others one by one, so that the chain is not locked for long, and hashes some of them ahead: as many as have been
// valid so far, so that a peer with invalid blocks wastes at most half the work.
func (o chainAdapter) AddBlocks(list []NewBlock) (all []chain.Added, err error) {
	hashed := 0
	for len(list) > 0 && err == nil {
		n := o.cheap(list)
		if n > 1 {
			var some []chain.Added
			err = o.c.Batch(func(b chain.Batch) error {
				for _, x := range list[:n] {
					added, err := b.AddBlock(x.Blob, x.Txs...)
					if err != nil {
						return err
					}
					some = append(some, added)
				}
				return nil
			})
			if !errors.Is(err, chain.ErrNotStored) {
				all = append(all, some...)
			}
			list = list[n:]
			continue
		}
		if len(all) == hashed {
			n := min(max(len(all), 1), len(list), mostAhead)
			blobs := make([][]byte, n)
			for i, x := range list[:n] {
				blobs[i] = x.Blob
			}
			o.c.HashAhead(blobs)
			hashed += n
		}
		var added chain.Added
		if added, err = o.c.AddBlock(list[0].Blob, list[0].Txs...); err == nil {
			all, list = append(all, added), list[1:]
		}
	}
	return all, err
}

// cheap returns how many blocks at the beginning of a list need no check of work or signatures.
func (o chainAdapter) cheap(list []NewBlock) (n int) {
	o.c.View(func(v chain.View) {
		for v.NextDifficulty() == (consensus.Difficulty{Lo: 1}) && n < len(list) && len(list[n].Txs) == 0 {
			n++
		}
	})
	return n
}

func (o chainAdapter) AddTx(blob []byte, hidden bool) (xmr.Hash, error) {
	return o.c.AddTx(blob, hidden)
}

func (o chainAdapter) SetRelayed(id xmr.Hash) error {
	_, err := o.c.SetRelayed(id)
	return err
}
