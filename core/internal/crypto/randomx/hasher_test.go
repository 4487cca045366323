package randomx

import (
	"encoding/hex"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestHasher hashes with one cache on several goroutines; each gets its own result.
func TestHasher(t *testing.T) {
	h := hasherZero()
	var group sync.WaitGroup
	for _, c := range vectors()[:3] {
		group.Go(func() {
			got, err := h.Sum(c.version, []byte(c.key), c.input)
			if err != nil || hex.EncodeToString(got[:]) != c.hash {
				t.Errorf("%q: %x, %v", c.input, got, err)
			}
		})
	}
	group.Wait()
	_, err := h.Sum(V1, make([]byte, MaxKey+1), nil)
	require.ErrorIs(t, err, ErrKey)
	require.Len(t, h.entries, 1)
}

// TestHasherForgets: the least recently used key is evicted first, and concurrent callers share one cache.
func TestHasherForgets(t *testing.T) {
	h := NewHasher(0)
	first := h.enter("a")
	require.Same(t, first, h.enter("a"))
	h.enter("b")
	require.NotSame(t, first, h.enter("a"), "the minimum is one entry")

	h = NewHasher(2)
	a, b := h.enter("a"), h.enter("b")
	require.Same(t, a, h.enter("a"))
	h.enter("c")
	require.Same(t, a, h.enter("a"))
	require.NotSame(t, b, h.enter("b"))
	require.Len(t, h.entries, 2)
}

// TestHasherTakesMemoryAgain: with many keys at once, as in a denial of service, the memory is limited to the
// remembered caches and one in use. Reused memory does not change the results.
func TestHasherTakesMemoryAgain(t *testing.T) {
	dirty := new([cacheLines]line)
	for i := range dirty {
		dirty[i][i%8] = uint64(i) + 1
	}
	h := NewHasher(1)
	old := h.enter("old")
	old.once.Do(func() { old.cache, old.made, h.caches, h.waiting = &Cache{lines: dirty}, true, 1, 0 })
	user := h.enter("old")
	h.leave(old)
	c := vectors()[0]
	e := h.enter(c.key)
	require.Nil(t, h.spare, "the cache is still in use")
	h.leave(user)
	require.Same(t, dirty, h.spare)
	h.leave(e)
	got, err := h.Sum(c.version, []byte(c.key), c.input)
	require.NoError(t, err)
	require.Equal(t, c.hash, hex.EncodeToString(got[:]))
	require.Same(t, dirty, h.entries[0].cache.lines)
	require.Nil(t, h.spare)
	require.Zero(t, h.waiting)

	next := h.enter("next")
	require.Same(t, dirty, h.spare, "the unused memory is kept")
	h.leave(next)
}

// TestHasherWaitsForEvictedCaches: as long as a hash needs the cache of an evicted key, no cache is made for another
// new key. Otherwise slow callers with many keys would fill the memory.
func TestHasherWaitsForEvictedCaches(t *testing.T) {
	h := NewHasher(1)
	sum := func(key string) {
		_, err := h.Sum(V1, []byte(key), nil)
		require.NoError(t, err)
	}
	sum("first")
	slow := h.enter("first")
	done := make(chan struct{})
	go func() {
		sum("second")
		close(done)
	}()
	require.Eventually(t, func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.evicted == 1 && h.waiting == 1
	}, 5*time.Minute, time.Millisecond)
	h.mu.Lock()
	require.Equal(t, 1, h.caches)
	h.mu.Unlock()
	h.leave(slow)
	<-done

	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() { sum(string(rune('a' + i))) })
	}
	all.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	require.Equal(t, []int{1, 0, 0}, []int{h.caches, h.evicted, h.waiting})
}
