package chain

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStatesAreThinned: only the states after recent blocks, and some older ones, are kept.
func TestStatesAreThinned(t *testing.T) {
	var s treeStates
	for height := range uint64(5 * treeRecent) {
		s.keep(height, nil)
	}
	require.Less(t, len(s.list), 2*treeRecent+10)
	last := uint64(0)
	for i, state := range s.list {
		if i > 0 {
			require.Greater(t, state.height, last)
			require.LessOrEqual(t, state.height-last, uint64(treeRecent))
		}
		last = state.height
	}
	require.EqualValues(t, 5*treeRecent-1, last)
	for i := range uint64(treeRecent) {
		require.Equal(t, last-i, s.list[len(s.list)-1-int(i)].height)
	}
}
