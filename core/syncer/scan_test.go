package syncer_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/syncer"
)

// TestScanReturnsPanicAsError scans transactions that make the scanner panic.
func TestScanReturnsPanicAsError(t *testing.T) {
	blocks := make([]syncer.Block, 4)
	for i := range blocks {
		blocks[i].Txs = make([]syncer.Tx, 300) // Tx is nil in each
	}
	_, err := syncer.Scan(context.Background(), keys.Secret{1}, blocks, syncer.Workers{Count: 3})
	require.ErrorIs(t, err, syncer.ErrPanic)
}
