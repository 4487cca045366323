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
	h.entry("test key 000").cache = zero
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
	first := h.entry("a")
	require.Same(t, first, h.entry("a"))
	h.entry("b")
	require.NotSame(t, first, h.entry("a"), "at least one is remembered, and not more")

	h = NewHasher(2)
	a, b := h.entry("a"), h.entry("b")
	require.Same(t, a, h.entry("a"))
	h.entry("c")
	require.Same(t, a, h.entry("a"))
	require.NotSame(t, b, h.entry("b"))
	require.Len(t, h.entries, 2)
}
