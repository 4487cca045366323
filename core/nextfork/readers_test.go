package nextfork

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/xmr"
)

// TestReaders: several readers ask for the next tree while blocks come and go, and each gets the tree of its view.
func TestReaders(t *testing.T) {
	w := newWorld(t, 40, 45, func(o *chain.Options) { o.Now = func() uint64 { return 1_700_000_000 } })
	w.mine(70, nil)
	var readers sync.WaitGroup
	stop := make(chan struct{})
	var mu sync.Mutex
	trees := map[xmr.Hash]block.Tree{} // by the ID of the top
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				w.View(func(v chain.View) {
					next := v.NextTree()
					mu.Lock()
					defer mu.Unlock()
					if old, ok := trees[v.Top().ID]; ok {
						assert.Equal(t, old, *next)
					}
					trees[v.Top().ID] = *next
				})
			}
		})
	}
	for range 10 {
		w.mine(3, nil)
		_, err := w.PopBlocks(2)
		require.NoError(t, err)
	}
	close(stop)
	readers.Wait()
	require.NotEmpty(t, trees)
	w.requireRoots()
}
