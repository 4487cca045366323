package lws

import (
	"context"
	"errors"
	"slices"

	"glim/core/scan"
	"glim/core/smallfmt"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// ErrDeep reports that the daemon's chain differs from the one that was read by more blocks than are remembered.
var ErrDeep = errors.New("lws: the daemon's chain differs from the one read before by more than 1000 blocks; " +
	"check that it is the right daemon, and start with an empty database if it is")

// view is a copy of the chain for package syncer.
type view struct{ *remembered }

// Tip implements syncer.Chain.
func (v view) Tip() (wallet.BlockID, bool) {
	if len(v.ids) == 0 {
		return wallet.BlockID{}, false
	}
	return wallet.BlockID{Height: v.height() - 1, Hash: v.ids[len(v.ids)-1]}, true
}

// BlockAt implements syncer.Chain.
func (v view) BlockAt(height uint64) (xmr.Hash, bool) {
	if height == 0 {
		return v.genesis, true
	}
	return v.at(height)
}

// History implements syncer.Chain.
func (v view) History() []xmr.Hash { return v.history() }

// Step requests blocks once for the accounts that follow the top of the chain, and once for those that are behind,
// and scans them. At the top it also reads the pool. done says that the source has nothing more for any of them now.
// Only one goroutine may call Step at a time. It returns errors of source, of the store and of ctx, syncer.ErrChain,
// and ErrDeep. After an error, another call continues where this one stopped.
func (b *Book) Step(ctx context.Context, source syncer.Source) (done bool, err error) {
	atTop, err := b.follow(ctx, source)
	if err != nil {
		return false, err
	}
	behind, err := b.catchUp(ctx, source)
	if err != nil || !atTop {
		return false, err
	}
	more, err := b.readPool(ctx, source)
	return !behind && !more, err
}

// follow reads the next blocks after those that were read.
func (b *Book) follow(ctx context.Context, source syncer.Source) (done bool, err error) {
	height, err := source.Height(ctx)
	if err != nil {
		return false, err
	}
	if height == 0 {
		return true, nil
	}
	b.lock()
	b.top = height - 1
	b.chain.genesis = b.o.Network.GenesisHash()
	from := height - min(height, firstBlocks) // the first block that is ever read
	if len(b.chain.ids) == 0 && from == 0 {
		err = b.begin()
	}
	b.showHeights()
	chain := b.chain // ids are only appended to or replaced
	b.unlock()
	if err != nil {
		return false, err
	}
	if len(chain.ids) > 0 {
		from = chain.first
	}
	batch, err := source.Blocks(ctx, syncer.NewRequest(view{&chain}, from, height))
	if err != nil {
		return false, err
	}
	step, err := syncer.Next(view{&chain}, from, batch)
	if err != nil {
		return false, err
	}
	if step.Detach != nil {
		if *step.Detach <= chain.first {
			return false, ErrDeep
		}
		if err := b.detach(*step.Detach); err != nil {
			return false, err
		}
	}
	if len(step.Blocks) == 0 {
		return step.Done, nil
	}
	if first := step.Blocks[0].Height; len(chain.ids) > 0 && first != b.chain.height() {
		return false, smallfmt.Errorf("%w: block %d", syncer.ErrChain, first)
	}
	return step.Done, b.scan(ctx, step.Blocks, true)
}

// firstBlocks is how many blocks below the top an empty Book begins, so that it can follow a reorganisation.
const firstBlocks = 100

// begin remembers the genesis block, which pays no account. A daemon whose top it is would not return it. The caller
// has called lock.
func (b *Book) begin() error {
	id := b.chain.genesis
	if err := b.commit([]Record{{blockKey(0), id[:]}}, nil); err != nil {
		return err
	}
	b.chain.first, b.chain.ids = 0, []xmr.Hash{id}
	return nil
}

// detach removes the blocks from index at on.
func (b *Book) detach(at uint64) error {
	b.lock()
	defer b.unlock()
	var put []Record
	var drop [][]byte
	for h := at; h < b.chain.height(); h++ {
		drop = append(drop, blockKey(h))
	}
	for _, a := range b.accounts {
		drop = append(drop, b.from(a, at)...)
		if !a.Live && a.Next > at {
			moved := a.Account
			moved.Next, moved.Prev = at, xmr.Hash{}
			put = append(put, accountRecordOf(&moved))
		}
	}
	// What the calls about these blocks report is no longer true.
	untrue := b.calls.where(func(c *Call) bool { return c.Height >= at })
	for _, c := range untrue {
		drop = append(drop, callKey(c.Number))
	}
	if err := b.commit(put, drop); err != nil {
		return err
	}
	b.calls.remove(untrue)
	b.chain.ids = b.chain.ids[: at-b.chain.first : at-b.chain.first]
	b.showHeights()
	for _, a := range b.accounts {
		b.cut(a, at)
		if !a.Live && a.Next > at {
			a.Next, a.Prev = at, xmr.Hash{}
		}
		if a.shown.Load().after(at) {
			b.show(a)
		}
	}
	return nil
}

// rewindBlocks is how many blocks are scanned again for an account whose last scanned block has left the chain and is
// not remembered.
const rewindBlocks = 100

// catchUp reads the next blocks for accounts that are behind. more says that another call can read more.
func (b *Book) catchUp(ctx context.Context, source syncer.Source) (more bool, err error) {
	b.mu.RLock()
	from, found := uint64(0), false
	for _, a := range b.accounts {
		if a.Status == Active && !a.Live && (!found || a.Next < from) {
			from, found = a.Next, true
		}
	}
	height := b.chain.height()
	b.mu.RUnlock()
	if !found || height == 0 {
		return false, nil
	}
	if top, ok := b.chain.at(height - 1); ok {
		if rewound, err := b.rewind(height, top); rewound || err != nil {
			return true, err
		}
	}
	if from < height {
		batch, err := source.Blocks(ctx, syncer.Request{Start: max(from, 1), Height: height})
		if err != nil {
			return true, err
		}
		blocks := b.connected(batch.Blocks, max(from, 1))
		if len(blocks) == 0 {
			return false, nil // the daemon lacks them, or its chain has changed meanwhile
		}
		if rewound, err := b.rewind(blocks[0].Height, blocks[0].Prev); rewound || err != nil {
			return true, err
		}
		if err := b.scan(ctx, blocks, false); err != nil {
			return true, err
		}
	}
	return b.promote()
}

// connected returns the blocks of list from index from on that are linked and below the top, as far as they are those
// that were read from the top of the chain.
func (b *Book) connected(list []syncer.Block, from uint64) []syncer.Block {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for i := range list {
		id, known := b.chain.at(list[i].Height)
		linked := i == 0 || list[i].Prev == list[i-1].Hash
		if list[i].Height != from+uint64(i) || list[i].Height >= b.chain.height() || !linked ||
			known && id != list[i].Hash {
			return list[:i]
		}
	}
	return list
}

// rewind moves accounts back that were scanned up to another block before the one at index height than prev.
func (b *Book) rewind(height uint64, prev xmr.Hash) (rewound bool, err error) {
	b.lock()
	defer b.unlock()
	for _, a := range b.accounts {
		if a.Status != Active || a.Live || a.Next != height || a.Prev.IsZero() || a.Prev == prev {
			continue
		}
		to := max(a.Next-min(rewindBlocks, a.Next), min(a.Start, a.Next), 1)
		moved := a.Account
		moved.Next, moved.Prev = to, xmr.Hash{}
		if err := b.commit([]Record{accountRecordOf(&moved)}, b.from(a, to)); err != nil {
			return rewound, err
		}
		b.cut(a, to)
		a.Account, rewound = moved, true
		a.changes++
		b.show(a)
	}
	return rewound, nil
}

// promote marks accounts that have reached the top.
func (b *Book) promote() (more bool, err error) {
	b.lock()
	defer b.unlock()
	var put []Record
	var ready []*account
	for _, a := range b.accounts {
		if a.Status != Active || a.Live {
			continue
		}
		if a.Next != b.chain.height() {
			more = true
			continue
		}
		live := a.Account
		live.Live = true
		put, ready = append(put, accountRecordOf(&live)), append(ready, a)
	}
	if len(put) == 0 {
		return more, nil
	}
	if err := b.commit(put, nil); err != nil {
		return true, err
	}
	for _, a := range ready {
		a.Live = true
		b.show(a)
	}
	return more, nil
}

// scan scans blocks, for the accounts at the top of the chain or for those behind.
func (b *Book) scan(ctx context.Context, blocks []syncer.Block, live bool) error {
	for len(blocks) > 0 {
		p := b.plan(blocks, live)
		if err := p.run(ctx); err != nil {
			return err
		}
		if err := p.commit(); err != nil {
			return err
		}
		blocks = blocks[len(p.blocks):]
	}
	return nil
}

// plan is the scan of blocks that the same accounts need.
type plan struct {
	book   *Book
	live   bool
	blocks []syncer.Block
	jobs   map[uint64]*job
	ids    []uint64
}

// job is what a scan finds for one account.
type job struct {
	account Account
	changes int
	outputs []Output
	spends  []Spend
	grown   bool // whether Subaddresses or LookaheadFail changed
}

// scanBlocks bounds the blocks that are scanned and committed together.
const scanBlocks = 1000

// plan selects the accounts that need the first of blocks, and the blocks until another account needs one as well.
func (b *Book) plan(blocks []syncer.Block, live bool) *plan {
	b.mu.RLock()
	defer b.mu.RUnlock()
	p := &plan{book: b, live: live, blocks: blocks[:min(len(blocks), scanBlocks)], jobs: map[uint64]*job{}}
	first := blocks[0].Height
	for id, a := range b.accounts {
		switch {
		case a.Status != Active || a.Live != live || !live && a.Next < first:
		case !live && a.Next > first:
			if n := a.Next - first; n < uint64(len(p.blocks)) {
				p.blocks = p.blocks[:n]
			}
		default:
			p.jobs[id] = &job{account: a.Account, changes: a.changes}
			p.ids = append(p.ids, id)
		}
	}
	slices.Sort(p.ids)
	return p
}

// run scans the blocks of p. An account that is paid at the edge of its subaddresses gets more, and is scanned again.
func (p *plan) run(ctx context.Context) error {
	if len(p.ids) == 0 {
		return nil
	}
	var txs []scan.Tx
	var at []place
	for i := range p.blocks {
		for n := range p.blocks[i].Txs {
			t := &p.blocks[i].Txs[n]
			txs, at = append(txs, scan.Tx{ID: t.ID, Tx: t.Tx}), append(at, place{&p.blocks[i], t, n})
		}
	}
	var hits []Hit
	again := p.ids
	for len(again) > 0 {
		more, err := p.book.o.Scanner.Scan(ctx, again, txs)
		if err != nil {
			return err
		}
		hits = slices.DeleteFunc(hits, func(h Hit) bool { return slices.Contains(again, h.Account) })
		hits = append(hits, more...)
		again = p.grow(more, at)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return a.Tx - b.Tx })
	p.gather(hits, at)
	return nil
}

// place is a transaction with its position on the chain.
type place struct {
	block *syncer.Block
	tx    *syncer.Tx
	n     int // in the block
}

// grow adds subaddresses after payments to the last ones, and returns the accounts that got more.
func (p *plan) grow(hits []Hit, at []place) (grown []uint64) {
	limit := p.book.o.MaxSubaddresses
	if limit == 0 {
		return nil
	}
	for _, h := range hits {
		j := p.jobs[h.Account]
		if j.account.Lookahead == (Lookahead{}) {
			continue
		}
		ahead, err := j.account.Lookahead.ahead(h.At, limit)
		all, added := merge(j.account.Subaddresses, ahead)
		switch {
		case err != nil || count(all) > uint64(limit):
			if j.account.LookaheadFail == 0 {
				j.account.LookaheadFail, j.grown = at[h.Tx].block.Height, true
			}
		case len(added) > 0:
			j.account.Subaddresses, j.grown = all, true
			p.book.o.Scanner.Watch(h.Account, watched(j.account.keys(), added))
			if !slices.Contains(grown, h.Account) {
				grown = append(grown, h.Account)
			}
		}
	}
	return grown
}

// commit stores what p found, and the new position of its accounts.
func (p *plan) commit() error {
	b := p.book
	b.write.Lock() // what follows reads only, until the changes are stored
	defer b.write.Unlock()
	last := &p.blocks[len(p.blocks)-1]
	var put []Record
	var drop [][]byte
	if p.live {
		for i := range p.blocks {
			put = append(put, Record{blockKey(p.blocks[i].Height), p.blocks[i].Hash[:]})
		}
		if n := len(b.chain.ids) + len(p.blocks); n > keep {
			for h := b.chain.first; h < b.chain.first+uint64(min(n-keep, len(b.chain.ids))); h++ {
				drop = append(drop, blockKey(h))
			}
		}
	}
	done, reports := map[uint64]Account{}, map[uint64]found{}
	var calls []*Call
	for _, id := range p.ids {
		a, j := b.accounts[id], p.jobs[id]
		switch {
		case a == nil:
			continue
		case a.changes != j.changes && p.live:
			// Changed while this ran: the account reads these blocks again.
			left := a.Account
			if left.Live {
				left.Live, left.Next, left.Prev = false, p.blocks[0].Height, p.blocks[0].Prev
				done[id] = left
				put = append(put, accountRecordOf(&left))
			}
			continue
		case a.changes != j.changes:
			continue
		}
		idle := p.live && !j.grown && len(j.outputs)+len(j.spends) == 0
		if idle && len(b.hooks.ongoing[id]) == 0 {
			continue
		}
		next := j.account
		next.Access = a.Access
		if !p.live {
			next.Next, next.Prev = last.Height+1, last.Hash
		}
		if !p.live || j.grown {
			put = append(put, accountRecordOf(&next))
		}
		for i := range j.outputs {
			put = append(put, record(outputKey(id, &j.outputs[i]), &j.outputs[i]))
		}
		for i := range j.spends {
			put = append(put, record(spendKey(id, &j.spends[i]), &j.spends[i]))
		}
		if len(b.hooks.of[id]) > 0 {
			f := b.report(a, j.outputs, j.spends, p.blocks[0].Height, last.Height)
			calls, put, drop = append(calls, f.calls...), append(put, f.put...), append(drop, f.drop...)
			reports[id] = f
		}
		done[id] = next
	}
	put, drop, called := b.stage(calls, put, drop)
	if len(put)+len(drop) > 0 {
		if err := b.o.Store.Commit(put, drop); err != nil {
			return err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	called()
	for id, f := range reports {
		b.hooks.set(id, f.ongoing)
	}
	for id, next := range done {
		a, j := b.accounts[id], p.jobs[id]
		if a.changes == j.changes {
			a.outputs, a.spends = slices.Concat(a.outputs, j.outputs), slices.Concat(a.spends, j.spends)
			for i := range j.outputs {
				b.own(id, j.outputs[i].Ref)
			}
		}
		a.Account = next
		b.show(a)
	}
	if p.live {
		b.chain.extend(p.blocks)
		b.showHeights()
	}
	return nil
}

// extend adds blocks and drops the oldest ones.
func (r *remembered) extend(blocks []syncer.Block) {
	if len(r.ids) == 0 {
		r.first = blocks[0].Height
	}
	for i := range blocks {
		r.ids = append(r.ids, blocks[i].Hash)
	}
	if n := len(r.ids) - keep; n > 0 {
		r.first, r.ids = r.first+uint64(n), slices.Clone(r.ids[n:])
	}
}
