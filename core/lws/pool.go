package lws

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"glim/core/scan"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/xmr"
)

// Pending is what transactions of the daemon's pool mean for an account, in the order in which they were read. Their
// Height and the Index of their Ref are NoBlock, and their Timestamp is the time when they were read.
type Pending struct {
	Outputs []Output
	Spends  []Spend
}

// NoBlock stands for the height of a transaction without a block. Source: monero-lws, db::block_id::txpool.
const NoBlock = ^uint64(0)

// Limits of the pool. Transactions beyond maxPooled or maxPooledSize are read when others have left; at most poolSlice
// are scanned at once, so that blocks do not wait for them.
const (
	maxPooled     = 10_000
	maxPooledSize = 64 << 20 // bytes in memory, about
	poolSlice     = 100
	maxGuests     = 1000
)

// pool has the daemon's transaction pool. Only Step changes txs, next, size and scanned, and nothing of it is stored.
type pool struct {
	txs     map[xmr.Hash]*pooled
	next    uint64              // number of the next transaction
	size    int                 // of txs, in bytes
	scanned map[uint64]uint64   // state of each account for which all of txs were scanned
	outputs map[uint64][]Output // by account
	shown   atomic.Pointer[poolView]

	mu     sync.Mutex
	guests map[Address]*guest
}

// pooled is a transaction of the pool. Its fields do not change, except that Step sets gone.
type pooled struct {
	place
	id       xmr.Hash
	doubtful bool // the daemon saw another transaction that spends the same outputs: it is not reported
	// gone says that the daemon's last answer lacked the transaction. It is kept until the next one, because the block
	// that has it may not have been read yet.
	gone bool
}

// poolView is what requests read. It does not change.
type poolView struct {
	txs []*pooled // in the order of their numbers
	of  map[uint64]*Pending
}

// newPooled returns a transaction of the pool with its number.
func newPooled(t *syncer.Tx, number, now uint64) *pooled {
	kept := *t
	kept.Indices = slices.Repeat([]uint64{NoBlock}, len(t.Tx.Outputs))
	return &pooled{
		place: place{&syncer.Block{Height: NoBlock, Timestamp: now}, &kept, int(number)},
		id:    t.ID, doubtful: t.DoubleSpendSeen,
	}
}

// bytes returns about how much memory p takes.
func (p *pooled) bytes() int {
	n := 1000 + len(p.tx.Tx.Extra) + 300*len(p.tx.Tx.Outputs)
	for i := range p.tx.Tx.Inputs {
		n += 200 + 8*len(p.tx.Tx.Inputs[i].KeyOffsets)
	}
	return n
}

// readPool reads the daemon's pool and scans it for the accounts. more says that another call can scan more.
func (b *Book) readPool(ctx context.Context, source syncer.Source) (more bool, err error) {
	p := &b.pool
	asked := 0
	got, err := source.Pool(ctx, func(_ *syncer.PoolEpoch, id xmr.Hash) bool {
		if p.txs[id] != nil {
			return true
		}
		if len(p.txs)+asked >= maxPooled || p.size >= maxPooledSize {
			return true
		}
		if asked == poolSlice {
			more = true
			return true
		}
		asked++
		return false
	})
	if err != nil {
		return false, err
	}
	in := make(map[xmr.Hash]bool, len(got.IDs))
	for _, id := range got.IDs {
		in[id] = true
	}
	next := pool{txs: map[xmr.Hash]*pooled{}, next: p.next}
	for id, t := range p.txs {
		if in[id] || !t.gone {
			next.txs[id] = t
			next.size += t.bytes()
		}
	}
	var fresh []*pooled
	for i := range got.Txs[:min(len(got.Txs), poolSlice)] {
		t := &got.Txs[i]
		if !in[t.ID] || next.txs[t.ID] != nil || t.Tx.IsCoinbase() {
			continue
		}
		made := newPooled(t, next.next, b.o.Now())
		next.txs[t.ID], fresh = made, append(fresh, made)
		next.next++
		next.size += made.bytes()
	}
	if len(next.txs) == 0 && len(p.txs) == 0 {
		return more, nil
	}
	if err := b.scanPool(ctx, &next, fresh); err != nil {
		return false, err
	}
	for id, t := range next.txs {
		t.gone = !in[id]
	}
	return more, nil
}

// scanPool scans the transactions of next, of which fresh are new, stores calls of webhooks about payments, and
// replaces the pool by next.
func (b *Book) scanPool(ctx context.Context, next *pool, fresh []*pooled) error {
	all := inOrder(maps.Values(next.txs))
	var ready, late []uint64 // accounts for which the older transactions were scanned, and the others
	next.scanned = map[uint64]uint64{}
	b.mu.RLock()
	for id, a := range b.accounts {
		if a.Status != Active {
			continue
		}
		next.scanned[id] = a.state()
		if state, known := b.pool.scanned[id]; known && state == next.scanned[id] {
			ready = append(ready, id)
		} else {
			late = append(late, id)
		}
	}
	b.mu.RUnlock()
	found := map[uint64][]Output{} // by these scans
	for _, part := range []struct {
		accounts []uint64
		txs      []*pooled
	}{{ready, fresh}, {late, all}} {
		slices.Sort(part.accounts)
		if err := pay(ctx, b.o.Scanner, part.accounts, part.txs, found); err != nil {
			return err
		}
	}
	next.outputs = map[uint64][]Output{}
	for _, id := range ready {
		for _, o := range b.pool.outputs[id] {
			if next.txs[o.TxID] != nil {
				next.outputs[id] = append(next.outputs[id], o)
			}
		}
	}
	for id, list := range found {
		next.outputs[id] = append(next.outputs[id], list...)
	}
	b.lock()
	defer b.unlock()
	var calls []*Call
	for id, list := range found {
		if a := b.accounts[id]; a != nil {
			calls = append(calls, b.poolCalls(a, list)...)
		}
	}
	slices.SortStableFunc(calls, func(x, y *Call) int { return slices.Compare(x.Body, y.Body) })
	if len(calls) > 0 {
		put, drop, called := b.stage(calls, nil, nil)
		if err := b.commit(put, drop); err != nil {
			return err
		}
		called()
	}
	p := &b.pool
	p.txs, p.next, p.size, p.scanned, p.outputs = next.txs, next.next, next.size, next.scanned, next.outputs
	p.shown.Store(&poolView{all, b.pending(all, next.outputs)})
	return nil
}

// inOrder returns transactions in the order of their numbers.
func inOrder(txs func(func(*pooled) bool)) []*pooled {
	return slices.SortedFunc(txs, func(x, y *pooled) int { return x.n - y.n })
}

// state changes whenever an account must be scanned again: its keys, or how it is scanned, changed.
func (a *account) state() uint64 { return uint64(a.changes)<<32 | count(a.Subaddresses) }

// pay adds the outputs of transactions of the pool that pay accounts to found.
func pay(ctx context.Context, s Scanner, accounts []uint64, list []*pooled, found map[uint64][]Output) error {
	list = slices.DeleteFunc(slices.Clone(list), func(t *pooled) bool { return t.doubtful })
	if len(list) == 0 || len(accounts) == 0 {
		return nil
	}
	txs := make([]scan.Tx, len(list))
	for i, t := range list {
		txs[i] = scan.Tx{ID: t.id, Tx: t.tx.Tx}
	}
	hits, err := s.Scan(ctx, accounts, txs)
	if err != nil {
		return err
	}
	for i := range hits {
		if o, ok := output(&hits[i], &list[hits[i].Tx].place); ok {
			found[hits[i].Account] = append(found[hits[i].Account], o)
		}
	}
	return nil
}

// poolCalls returns the calls about payments to an account that the pool did not have before.
func (b *Book) poolCalls(a *account, list []Output) (calls []*Call) {
	if len(b.hooks.of[a.ID]) == 0 {
		return nil
	}
	old := b.pool.outputs[a.ID]
	for _, o := range unconfirmed(list, a.outputs) {
		if slices.ContainsFunc(old, func(x Output) bool { return x.TxID == o.TxID && x.Index == o.Index }) {
			continue
		}
		for _, h := range b.hooks.of[a.ID] {
			if h.Event == Confirmation && h.selects(&o) {
				calls = append(calls, h.call(a.Address, 0, paymentForm(a, h, &o)))
			}
		}
	}
	return calls
}

// unconfirmed returns the outputs of the pool that count beside those of the chain: neither the same ones, nor others
// with their keys, of which only one can be spent.
func unconfirmed(list, chain []Output) []Output {
	if len(list) == 0 {
		return nil
	}
	keys := make(map[xmr.PublicKey]bool, len(chain))
	for i := range chain {
		keys[chain[i].Key] = true
	}
	return slices.DeleteFunc(counted(slices.Clone(list)), func(o Output) bool { return keys[o.Key] })
}

// pending returns what transactions mean for the accounts that they pay, and whose outputs their rings contain.
func (b *Book) pending(txs []*pooled, outputs map[uint64][]Output) map[uint64]*Pending {
	of := map[uint64]*Pending{}
	at := func(id uint64) *Pending {
		if of[id] == nil {
			of[id] = &Pending{}
		}
		return of[id]
	}
	for id, list := range outputs {
		at(id).Outputs = list
	}
	for _, t := range txs {
		if t.doubtful {
			continue
		}
		t.members(func(ref Ref, s Spend) {
			for _, id := range b.owners[ref] {
				at(id).Spends = append(at(id).Spends, s)
			}
		})
	}
	return of
}

// members calls visit for each member of the transaction's rings.
func (p *place) members(visit func(ref Ref, s Spend)) {
	t := p.tx.Tx
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Coinbase {
			continue
		}
		for m, index := range tx.AbsoluteOffsets(in.KeyOffsets) {
			ref := Ref{in.Amount, index}
			visit(ref, Spend{
				Height: p.block.Height, Timestamp: p.block.Timestamp, Position: p.n, Input: i, Member: m,
				TxID: p.tx.ID, Image: in.KeyImage, Source: ref, Mixin: mixin(in), UnlockTime: t.UnlockTime,
				Fee: fee(t), PaymentID: longPaymentID(t),
			})
		}
	}
}

// beside returns what p adds to what the chain has for an account.
func (p *Pending) beside(outputs []Output, spends []Spend) Pending {
	if p == nil {
		return Pending{}
	}
	done := map[xmr.Hash]bool{}
	for i := range spends {
		done[spends[i].TxID] = true
	}
	return Pending{
		Outputs: unconfirmed(p.Outputs, outputs),
		Spends:  slices.DeleteFunc(slices.Clone(p.Spends), func(s Spend) bool { return done[s.TxID] }),
	}
}

// guest is an account of another Book for which the pool is scanned when it is asked for.
type guest struct {
	mu      sync.Mutex
	scanner PerAccount
	state   uint64
	next    int // number of the first transaction that was not scanned
	outputs []Output
}

// ShowPool makes the requests of other, a Book of accounts that another one scans for, see the pool that b has read. It
// returns the error of ctx.
func (b *Book) ShowPool(ctx context.Context, other *Book) error {
	view := b.pool.shown.Load()
	if view == nil || len(view.txs) == 0 {
		return nil
	}
	outputs := map[uint64][]Output{}
	for id, a := range other.accounts {
		if a.Status != Active {
			continue
		}
		list, err := b.guest(a).read(ctx, a, view)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			outputs[id] = list
		}
	}
	other.pool.shown.Store(&poolView{view.txs, other.pending(view.txs, outputs)})
	return nil
}

// guest returns the guest of an account's address.
func (b *Book) guest(a *account) *guest {
	p := &b.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	g := p.guests[a.Address]
	if g == nil {
		if p.guests == nil || len(p.guests) >= maxGuests {
			p.guests = map[Address]*guest{}
		}
		g = &guest{}
		p.guests[a.Address] = g
	}
	return g
}

// read returns the outputs of the pool that pay an account.
func (g *guest) read(ctx context.Context, a *account, view *poolView) ([]Output, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if state := a.ID<<32 ^ count(a.Subaddresses) + 1; g.state != state {
		g.state, g.next, g.outputs = state, 0, nil
		if err := g.scanner.Add(0, a.View, a.Address.Spend); err != nil {
			return nil, err
		}
		g.scanner.Watch(0, watched(a.keys(), a.Subaddresses))
	}
	in := map[xmr.Hash]bool{}
	var fresh []*pooled
	for _, t := range view.txs {
		in[t.id] = true
		if t.n >= g.next {
			fresh = append(fresh, t)
		}
	}
	found := map[uint64][]Output{}
	if err := pay(ctx, &g.scanner, []uint64{0}, fresh, found); err != nil {
		return nil, err
	}
	g.outputs = slices.DeleteFunc(append(g.outputs, found[0]...), func(o Output) bool { return !in[o.TxID] })
	g.next = max(g.next, view.txs[len(view.txs)-1].n+1)
	return slices.Clone(g.outputs), nil
}
