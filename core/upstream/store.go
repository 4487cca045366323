package upstream

import (
	"container/list"
	"sync"

	"glim/core/xmr"
)

// kind is the kind of a cached value.
type kind uint8

const (
	ofBlock  kind = iota // *held, by height
	ofHeader             // daemonrpc.BlockHeader, by height
	ofAnswer             // daemonrpc.GetBlockResponse, by height
	ofOutput             // daemonrpc.OutKeyBin, by index and amount
	ofTx                 // *placed, by ID
	ofSpread             // *spread of RingCT outputs, a single value
)

type key struct {
	kind kind
	n, m uint64
	id   xmr.Hash
}

// itemBytes is the estimated memory of an item in addition to its value: an entry in a map and one in a list.
const itemBytes = 256

type item struct {
	key    key
	value  any
	size   int
	height uint64 // index of the block that contains the data
}

// store is a least-recently-used cache of data from blocks up to the anchor. Values are shared and must not be changed.
type store struct {
	mu     sync.Mutex
	age    uint64 // grows when responses to earlier requests may be from another chain
	budget int
	used   int
	items  map[key]*list.Element
	order  *list.List          // of *item, most recently used first
	ids    map[xmr.Hash]uint64 // heights of cached blocks
	txs    map[xmr.Hash]place  // transactions in them
}

// place is the position of a transaction in a block. Index 0 is the coinbase, index i+1 transaction i.
type place struct {
	height uint64
	index  int
}

func newStore(budget int) *store {
	s := &store{budget: budget}
	s.reset()
	return s
}

func (s *store) reset() {
	s.age++
	s.used = 0
	s.items, s.order = map[key]*list.Element{}, list.New()
	s.ids, s.txs = map[xmr.Hash]uint64{}, map[xmr.Hash]place{}
}

func (s *store) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reset()
}

// doubt prevents caching of responses to requests made until now.
func (s *store) doubt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.age++
}

func (s *store) now() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.age
}

// dropAbove removes the data of blocks above height.
func (s *store) dropAbove(height uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.age++
	for e := s.order.Front(); e != nil; {
		next := e.Next()
		if e.Value.(*item).height > height {
			s.remove(e)
		}
		e = next
	}
}

func (s *store) remove(e *list.Element) {
	i := s.order.Remove(e).(*item)
	delete(s.items, i.key)
	s.used -= i.size
	if b, ok := i.value.(*held); ok {
		delete(s.ids, b.id)
		delete(s.txs, b.coinbase)
		for k := range b.txs {
			delete(s.txs, b.txs[k].id)
		}
	}
}

// put caches a value of size bytes from the block at height, unless the store's age has changed since the request.
func (s *store) put(age uint64, k key, height uint64, value any, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if age != s.age {
		return
	}
	s.set(k, height, value, size+itemBytes)
}

func (s *store) set(k key, height uint64, value any, size int) {
	if size > s.budget {
		return
	}
	if e := s.items[k]; e != nil {
		s.remove(e)
	}
	s.items[k] = s.order.PushFront(&item{k, value, size, height})
	s.used += size
	if b, ok := value.(*held); ok {
		s.ids[b.id] = b.height
		s.txs[b.coinbase] = place{b.height, 0}
		for i := range b.txs {
			s.txs[b.txs[i].id] = place{b.height, i + 1}
		}
	}
	for s.used > s.budget {
		s.remove(s.order.Back())
	}
}

// get returns the cached value of a key.
func get[T any](s *store, k key) (v T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return find[T](s, k)
}

func find[T any](s *store, k key) (v T, ok bool) {
	e := s.items[k]
	if e == nil {
		return v, false
	}
	s.order.MoveToFront(e)
	return e.Value.(*item).value.(T), true
}

// add caches a block, unless the store's age has changed since the request. It returns false and caches nothing if the
// block contradicts a cached one at its height or does not link to its cached neighbours.
func (s *store) add(age uint64, b *held) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if age != s.age {
		return true
	}
	if below, ok := find[*held](s, key{kind: ofBlock, n: b.height - 1}); ok && b.height > 0 && below.id != b.prev {
		return false
	}
	if above, ok := find[*held](s, key{kind: ofBlock, n: b.height + 1}); ok && above.prev != b.id {
		return false
	}
	if same, ok := find[*held](s, key{kind: ofBlock, n: b.height}); ok {
		if same.id != b.id {
			return false
		}
		if same.whole() || !b.whole() {
			return true
		}
	}
	s.set(key{kind: ofBlock, n: b.height}, b.height, b, b.size()+itemBytes)
	return true
}

// heightOf returns the height of a cached block.
func (s *store) heightOf(id xmr.Hash) (uint64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.ids[id]
	return h, ok
}

// run returns consecutive cached blocks from start within the limits of blocks, bytes and transactions. whole requires
// full transactions. full reports that the run ends at a limit.
func (s *store) run(start uint64, blocks, bytes, txs int, whole bool) (list []*held, full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	size, count := 0, 0
	for h := start; len(list) < blocks; h++ {
		b, ok := find[*held](s, key{kind: ofBlock, n: h})
		if !ok || whole && !b.whole() {
			return list, false
		}
		if len(list) >= minBlocks && (size >= bytes || count+len(b.txs) > txs) {
			return list, true
		}
		list = append(list, b)
		size += b.size()
		count += len(b.txs)
	}
	return list, true
}

// tx returns the cached block that contains a transaction, and its index as in place.
func (s *store) tx(id xmr.Hash) (*held, int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.txs[id]
	if !ok {
		return nil, 0, false
	}
	b, ok := find[*held](s, key{kind: ofBlock, n: at.height})
	return b, at.index, ok
}

// Remembered returns the estimated size of the cache in bytes.
func (f *Front) Remembered() int {
	f.store.mu.Lock()
	defer f.store.mu.Unlock()
	return f.store.used
}
