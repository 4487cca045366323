package service

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestUnusableDefaultDaemon checks that the next wallet has no daemon if the default daemon has become unusable. It
// must not use the daemon that was chosen for the previous wallet.
func TestUnusableDefaultDaemon(t *testing.T) {
	var broken error
	s, err := New(Config{
		Network: xmr.Regtest, Files: newFolder(), Random: rand.Reader,
		Now: func() uint64 { return 0 },
		KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 1, Minor: 1}, Workers: 1,
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(d DaemonConfig) (rpc.Transport, error) { return noDaemon{}, broken },
	}, DaemonConfig{Address: "home:1", Trusted: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	must := func(method, params string) { t.Helper(); ask(t, s, method, params, nil) }
	uses := func(want walletrpc.GetDaemonResponse) {
		t.Helper()
		var got walletrpc.GetDaemonResponse
		ask(t, s, "get_daemon", `{}`, &got)
		require.Equal(t, want, got)
	}
	home := walletrpc.GetDaemonResponse{Address: "home:1", Trusted: true, SSLSupport: "autodetect"}
	uses(home)
	must("create_wallet", `{"filename":"one","password":"","language":"English"}`)
	must("set_daemon", `{"address":"other:1","username":"user","password":"hidden","ssl_support":"disabled"}`)
	uses(walletrpc.GetDaemonResponse{Address: "other:1", SSLSupport: "disabled", SetDaemon: true})
	broken = errors.New("the certificate is gone")
	must("create_wallet", `{"filename":"two","password":"","language":"English"}`)
	uses(walletrpc.GetDaemonResponse{SSLSupport: "autodetect"})
	broken = nil
	must("open_wallet", `{"filename":"one","password":""}`)
	uses(home)
	must("close_wallet", `{}`)
	uses(home)
}
