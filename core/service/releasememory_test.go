package service

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/mnemonic"
	"glim/core/rpc"
	"glim/core/xmr"
)

// noFiles is Files for wallets without a name, which stay in memory.
type noFiles struct{ Files }

// TestReleaseMemoryAfterOpening checks that ReleaseMemory is called once whenever a wallet opens or closes, after any
// key derivation.
func TestReleaseMemoryAfterOpening(t *testing.T) {
	released := 0
	s, err := New(Config{
		Network: xmr.Regtest, Files: noFiles{}, Random: rand.Reader, Now: func() uint64 { return 0 }, Workers: 1,
		Wait:          func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect:       func(DaemonConfig) (rpc.Transport, error) { return noDaemon{}, nil },
		ReleaseMemory: func() { released++ },
	}, DaemonConfig{})
	require.NoError(t, err)
	seed, err := mnemonic.Encode([32]byte{1}, mnemonic.English())
	require.NoError(t, err)
	for n := range 2 {
		require.Equal(t, n, released)
		answer, err := s.Serve(t.Context(), "/json_rpc", fmt.Appendf(nil,
			`{"id":0,"method":"restore_deterministic_wallet","params":{"seed":%q,"filename":"","password":""}}`, seed),
			rpc.Options{})
		require.NoError(t, err)
		require.Contains(t, string(answer), "restored successfully")
	}
	require.NoError(t, s.Close())
	require.Equal(t, 3, released)
}
