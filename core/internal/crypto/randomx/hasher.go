package randomx

import (
	"slices"
	"sync"
)

// Hasher computes hashes for any key, and keeps the caches of the last few keys. Any number of goroutines may use it.
type Hasher struct {
	limit  int
	making sync.Mutex // only one cache is computed at a time

	mu      sync.Mutex
	left    sync.Cond         // of mu; signals that evicted decreased
	entries []*entry          // the one used last comes last
	caches  int               // how many caches exist, those of evicted entries included
	evicted int               // how many of them belong to evicted entries that are in use
	waiting int               // how many caches are to be made
	spare   *[cacheLines]line // memory of a dropped cache, for reuse
}

// entry is a key with its cache, which the first caller computes, and the VMs that use it.
type entry struct {
	key      string
	once     sync.Once
	cache    *Cache
	machines sync.Pool
	users    int  // callers that use it or wait for it
	made     bool // the cache exists
	gone     bool // evicted from the entries
}

// NewHasher returns a Hasher that keeps the given number of caches, at least one. Two are enough to follow a chain:
// that of the current blocks, and the next or previous one. It needs CacheSize bytes for each, and 2 MiB for each
// goroutine that hashes. A new key reuses the memory of the oldest cache, after the hashes that need it. So callers
// with many keys wait for each other, and at most one more cache exists.
func NewHasher(caches int) *Hasher {
	h := &Hasher{limit: max(caches, 1)}
	h.left.L = &h.mu
	return h
}

// Sum returns the hash of a version of input with key. The first call with a key computes the cache, see fillCache;
// other calls with this key wait for it, and so do calls with other new keys. The error is ErrKey.
func (h *Hasher) Sum(version Version, key, input []byte) ([32]byte, error) {
	if len(key) > MaxKey {
		return [32]byte{}, ErrKey
	}
	e := h.enter(string(key))
	defer h.leave(e)
	e.once.Do(func() { e.cache = h.make(e) })
	v := e.machine(version)
	defer e.machines.Put(v)
	return v.Hash(input), nil
}

// Sums returns the hashes of a version of inputs with key. Together they take much less time than one after the other:
// each MaxTogether of them less than three times as long as one. See Sum for the errors.
func (h *Hasher) Sums(version Version, key []byte, inputs [][]byte) ([][32]byte, error) {
	if len(key) > MaxKey {
		return nil, ErrKey
	}
	e := h.enter(string(key))
	defer h.leave(e)
	e.once.Do(func() { e.cache = h.make(e) })
	sums := make([][32]byte, 0, len(inputs))
	for list := range slices.Chunk(inputs, MaxTogether) {
		machines := make([]*VM, len(list))
		for i := range machines {
			machines[i] = e.machine(version)
		}
		sums = append(sums, hashTogether(machines, list)...)
		for _, v := range machines {
			e.machines.Put(v)
		}
	}
	return sums, nil
}

// machine returns a VM of the entry for a version. Its memory may have served another version before.
func (e *entry) machine(version Version) *VM {
	if v, ok := e.machines.Get().(*VM); ok {
		v.variant = variants[version]
		return v
	}
	return NewVM(version, e.cache)
}

// enter returns the entry of a key, and adds it if it is missing. It does not wait for the cache. The caller must call
// leave.
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
		old := h.entries[0]
		h.entries = slices.Delete(h.entries, 0, 1)
		old.gone = true
		if old.made && old.users > 0 {
			h.evicted++
		} else if old.made {
			h.release(old)
		}
	}
	h.entries = append(h.entries, e)
	return e
}

func (h *Hasher) leave(e *entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.users--
	if e.gone && e.made && e.users == 0 {
		h.evicted--
		h.release(e)
		h.left.Broadcast()
	}
}

// release drops the cache of an evicted entry that is not in use, and keeps its memory if another entry waits for it.
// The caller must hold mu.
func (h *Hasher) release(e *entry) {
	h.caches--
	if h.waiting > 0 {
		h.spare = e.cache.lines
	}
}

// make computes the cache of an entry that is in use.
func (h *Hasher) make(e *entry) *Cache {
	h.making.Lock()
	defer h.making.Unlock()
	h.mu.Lock()
	for h.caches >= h.limit && h.evicted > 0 {
		h.left.Wait()
	}
	lines := h.spare
	h.spare = nil
	h.waiting--
	h.caches++
	h.mu.Unlock()
	if lines == nil {
		lines = new([cacheLines]line)
	}
	cache := fillCache(lines, []byte(e.key))
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.made = true; e.gone {
		h.evicted++
	}
	return cache
}
