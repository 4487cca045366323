package randomx

import (
	"slices"
	"sync"
)

// Hasher hashes under any key, and remembers the caches of the last few. Any number of goroutines may use it.
type Hasher struct {
	limit   int
	mu      sync.Mutex
	entries []*entry // the one used last comes last
}

// entry is a key with its cache, which is made once, by who asks first, and the machines that hash with it.
type entry struct {
	key      string
	cache    func() (*Cache, error)
	machines sync.Pool
}

// NewHasher returns a Hasher that remembers so many caches, at least one. Two are enough to follow a chain: that of the
// blocks around its end, and the next or the last one. It takes CacheSize bytes for each, 2 MiB for each goroutine that
// hashes, and, when it turns to a key it does not remember, the same again until the garbage collector has been there.
func NewHasher(caches int) *Hasher { return &Hasher{limit: max(caches, 1)} }

// Sum returns the hash of input under key. The first call with a key makes its cache, for which the others with this
// key wait: it takes seconds, see NewCache. Errors: ErrKey.
func (h *Hasher) Sum(key, input []byte) ([32]byte, error) {
	if len(key) > MaxKey {
		return [32]byte{}, ErrKey
	}
	e := h.entry(string(key))
	c, err := e.cache()
	if err != nil {
		return [32]byte{}, err
	}
	v, ok := e.machines.Get().(*VM)
	if !ok {
		v = NewVM(c)
	}
	defer e.machines.Put(v)
	return v.Hash(input), nil
}

// entry returns that of a key, which is new if it is not remembered. It does not wait for caches.
func (h *Hasher) entry(key string) *entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.IndexFunc(h.entries, func(e *entry) bool { return e.key == key }); i >= 0 {
		e := h.entries[i]
		h.entries = append(slices.Delete(h.entries, i, i+1), e)
		return e
	}
	e := &entry{key: key, cache: sync.OnceValues(func() (*Cache, error) { return NewCache([]byte(key)) })}
	if len(h.entries) == h.limit {
		h.entries = slices.Delete(h.entries, 0, 1)
	}
	h.entries = append(h.entries, e)
	return e
}
