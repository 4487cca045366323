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

// noFiles has no wallets: those without a name stay in memory.
type noFiles struct{ Files }

// TestSpare tells the host that the memory for a key's derivation is free again, once for each wallet opened.
func TestSpare(t *testing.T) {
	told := 0
	s, err := New(Config{
		Network: xmr.Regtest, Files: noFiles{}, Random: rand.Reader, Now: func() uint64 { return 0 }, Workers: 1,
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(DaemonConfig) (rpc.Transport, error) { return nowhere{}, nil },
		Spare:   func() { told++ },
	}, DaemonConfig{})
	require.NoError(t, err)
	seed, err := mnemonic.Encode([32]byte{1}, mnemonic.English())
	require.NoError(t, err)
	for n := range 2 {
		require.Equal(t, n, told)
		answer, err := s.Serve(t.Context(), "/json_rpc", fmt.Appendf(nil,
			`{"id":0,"method":"restore_deterministic_wallet","params":{"seed":%q,"filename":"","password":""}}`, seed), rpc.Options{})
		require.NoError(t, err)
		require.Contains(t, string(answer), "restored successfully")
	}
	require.NoError(t, s.Close())
	require.Equal(t, 3, told)
}
