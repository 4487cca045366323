package randomx

import (
	"slices"
	"sync"
)

// Hasher hashes under any key, and remembers the caches of the last few. Any number of goroutines may use it.
type Hasher struct {
	limit  int
	making sync.Mutex // one cache is made at a time, however many keys are asked for

	mu      sync.Mutex
	entries []*entry          // the one used last comes last
	waiting int               // how many caches are to be made
	spare   *[cacheLines]line // of a cache that is forgotten, for one of these
}

// entry is a key with its cache, which is made once, by who asks first, and the machines that hash with it.
type entry struct {
	key      string
	once     sync.Once
	cache    *Cache
	machines sync.Pool
	users    int  // who hash with it or wait for that
	gone     bool // it is not among the entries any more
}

// NewHasher returns a Hasher that remembers so many caches, at least one. Two are enough to follow a chain: that of the
// blocks around its end, and the next or the last one. It takes CacheSize bytes for each and 2 MiB for each goroutine that
// hashes. When it turns to a key it does not remember, the oldest cache's memory serves again, unless somebody still hashes with it.
func NewHasher(caches int) *Hasher { return &Hasher{limit: max(caches, 1)} }

// Sum returns the hash of input under key. The first call with a key makes its cache, for which the others with this
// key wait: it takes seconds, see fillCache, and so much again for every other key that came before. Errors: ErrKey.
func (h *Hasher) Sum(key, input []byte) ([32]byte, error) {
	if len(key) > MaxKey {
		return [32]byte{}, ErrKey
	}
	e := h.enter(string(key))
	defer h.leave(e)
	e.once.Do(func() { e.cache = h.make(e) })
	v, ok := e.machines.Get().(*VM)
	if !ok {
		v = NewVM(e.cache)
	}
	defer e.machines.Put(v)
	return v.Hash(input), nil
}

// enter returns the entry of a key, which is new if it is not remembered. It does not wait for caches. Who is done calls leave.
func (h *Hasher) enter(key string) *entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.IndexFunc(h.entries, func(e *entry) bool { return e.key == key }); i >= 0 {
		e := h.entries[i]
		h.entries = append(slices.Delete(h.entries, i, i+1), e)
		e.users++
		return e
	}
	e := &entry{key: key, users: 1}
	h.waiting++
	if len(h.entries) == h.limit {
		h.entries[0].gone = true
		h.forget(h.entries[0])
		h.entries = slices.Delete(h.entries, 0, 1)
	}
	h.entries = append(h.entries, e)
	return e
}

func (h *Hasher) leave(e *entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.users--
	h.forget(e)
}

// forget takes the memory of an entry that nobody uses any more, if somebody waits for it. The caller holds mu.
func (h *Hasher) forget(e *entry) {
	if e.gone && e.users == 0 && e.cache != nil && h.waiting > 0 {
		h.spare = e.cache.lines
	}
}

// make makes the cache of an entry that is in use.
func (h *Hasher) make(e *entry) *Cache {
	h.making.Lock()
	defer h.making.Unlock()
	h.mu.Lock()
	lines := h.spare
	h.spare = nil
	h.waiting--
	h.mu.Unlock()
	if lines == nil {
		lines = new([cacheLines]line)
	}
	return fillCache(lines, []byte(e.key))
}
