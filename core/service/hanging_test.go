package service

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/xmr"
)

// hanging is a daemon that responds only after answer is closed.
type hanging struct{ asked, answer chan struct{} }

func (h hanging) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	h.asked <- struct{}{}
	<-h.answer
	return noDaemon{}.Post(ctx, path, body)
}

// TestHangingDaemon checks that other wallets can be opened and closed while the creation of a wallet waits for the
// chain's height.
func TestHangingDaemon(t *testing.T) {
	h := hanging{make(chan struct{}), make(chan struct{})}
	s, err := New(Config{
		Network: xmr.Regtest, Files: newFolder(), Random: rand.Reader,
		Now: func() uint64 { return 0 },
		KDF: journal.WeakestKDF(), Workers: 1,
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(DaemonConfig) (rpc.Transport, error) { return h, nil },
	}, DaemonConfig{Address: "here"})
	require.NoError(t, err)
	made := make(chan []byte)
	go func() {
		answer, _ := s.Serve(context.Background(), "/json_rpc",
			[]byte(`{"id":0,"method":"create_wallet","params":{"filename":"a","language":"English"}}`), rpc.Options{})
		made <- answer
	}()
	<-h.asked
	free := s.shared.files.TryLock()
	if free {
		s.shared.files.Unlock()
	}
	close(h.answer)
	require.Contains(t, string(<-made), `"result"`)
	require.True(t, free)
	require.NoError(t, s.Close())
}
