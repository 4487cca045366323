package wallet_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/wallet"
)

// TestTexts encodes addresses, some of them repeatedly, from several goroutines.
func TestTexts(t *testing.T) {
	w := wallet.New(origin(owner(t, "texts")), near)
	list := []keys.Index{{}, {Minor: 1}, {}, {Major: 1}, {Major: 1 << 31, Minor: 1 << 31}}
	for i := range uint32(700) {
		list = append(list, keys.Index{Major: 2, Minor: i})
	}
	want := make([]string, len(list))
	for n, i := range list {
		want[n] = w.Address(i).String()
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for workers := range 3 {
				if got := w.Texts().All(list, workers); len(got) != len(want) {
					t.Errorf("%d addresses instead of %d", len(got), len(want))
				} else {
					for n := range want {
						if got[n] != want[n] {
							t.Errorf("%s instead of %s", got[n], want[n])
						}
					}
				}
			}
		})
	}
	group.Wait()
	require.Equal(t, want[3], w.Texts().Of(list[3]))
	require.Empty(t, w.Texts().All(nil, 2))
}
