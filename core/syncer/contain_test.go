package syncer_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/syncer"
)

// TestFaultsAreErrors: a transaction that scanning cannot bear fails the scan and not the process.
func TestFaultsAreErrors(t *testing.T) {
	blocks := make([]syncer.Block, 4)
	for i := range blocks {
		blocks[i].Txs = make([]syncer.Tx, 300) // without transactions inside
	}
	_, err := syncer.Scan(context.Background(), keys.Secret{1}, blocks, syncer.Crew{Size: 3})
	require.ErrorIs(t, err, syncer.ErrPanic)

	err = syncer.Contain(func() error { panic("seed words") })
	require.ErrorIs(t, err, syncer.ErrPanic)
	require.NotContains(t, err.Error(), "seed")
	require.NoError(t, syncer.Contain(func() error { return nil }))
}
