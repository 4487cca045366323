package randomx

import (
	"encoding/hex"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Several goroutines hash with one cache, and each gets its own answer.
func TestHasher(t *testing.T) {
	h := NewHasher(2)
	e := h.enter("test key 000")
	e.once.Do(func() { e.cache, h.waiting = zero(), 0 })
	h.leave(e)
	var group sync.WaitGroup
	for _, c := range vectors[:3] {
		group.Go(func() {
			got, err := h.Sum([]byte(c.key), []byte(c.input))
			if err != nil || hex.EncodeToString(got[:]) != c.hash {
				t.Errorf("%q: %x, %v", c.input, got, err)
			}
		})
	}
	group.Wait()
	_, err := h.Sum(make([]byte, MaxKey+1), nil)
	require.ErrorIs(t, err, ErrKey)
	require.Len(t, h.entries, 1)
}

// The key that was used longest ago is forgotten first, and a cache is made once for all who wait for it.
func TestHasherForgets(t *testing.T) {
	h := NewHasher(0)
	first := h.enter("a")
	require.Same(t, first, h.enter("a"))
	h.enter("b")
	require.NotSame(t, first, h.enter("a"), "at least one is remembered, and not more")

	h = NewHasher(2)
	a, b := h.enter("a"), h.enter("b")
	require.Same(t, a, h.enter("a"))
	h.enter("c")
	require.Same(t, a, h.enter("a"))
	require.NotSame(t, b, h.enter("b"))
	require.Len(t, h.entries, 2)
}

// Many keys at once, from whom means harm, take the memory of the caches that are remembered and of one that is in use, and the answers are right.
func TestHasherTakesMemoryAgain(t *testing.T) {
	dirty := new([cacheLines]line)
	for i := range dirty {
		dirty[i][i%8] = uint64(i) + 1
	}
	h := NewHasher(1)
	old := h.enter("old")
	old.once.Do(func() { old.cache, h.waiting = &Cache{lines: dirty}, 0 })
	user := h.enter("old")
	h.leave(old)
	c := vectors[0]
	e := h.enter(c.key)
	require.Nil(t, h.spare, "somebody hashes with it")
	h.leave(user)
	require.Same(t, dirty, h.spare)
	h.leave(e)
	got, err := h.Sum([]byte(c.key), []byte(c.input))
	require.NoError(t, err)
	require.Equal(t, c.hash, hex.EncodeToString(got[:]))
	require.Same(t, dirty, h.entries[0].cache.lines)
	require.Nil(t, h.spare)
	require.Zero(t, h.waiting)

	next := h.enter("next")
	require.Same(t, dirty, h.spare, "nobody hashed with it")
	h.leave(next)
}
