package wallet_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/inprocess"
	"glim/bindings/wallet"
)

// TestSendingElsewhere: transactions go to Config.Sending, which is asked for nothing else, and to no other daemon if
// it fails.
func TestSendingElsewhere(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, err := inprocess.Start(ctx)
	require.NoError(t, err)
	to, err := url.Parse(d.URL)
	require.NoError(t, err)
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	var mu sync.Mutex
	requested, away := [2]map[string]int{{}, {}}, false
	var address [2]string // of the daemon to read, and of the one to send to
	for i := range address {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			requested[i][r.URL.Path]++
			refuse := away && i == 1
			mu.Unlock()
			if refuse {
				_, _ = io.Copy(io.Discard, r.Body)
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			forward.ServeHTTP(w, r)
		}))
		t.Cleanup(s.Close)
		address[i] = s.Listener.Addr().String()
	}
	m, err := wallet.NewManager(wallet.Config{
		Network: wallet.Regtest, Folder: filepath.Join(t.TempDir(), "w"), Refresh: -1,
		Daemon: wallet.Daemon{Address: address[0]}, Sending: wallet.Daemon{Address: address[1]},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = m.Close() })
	w, err := m.Create(ctx, "w", "")
	require.NoError(t, err)
	home := addressOf(t, w)
	require.NoError(t, d.Mine(ctx, 80, home))
	require.NoError(t, w.Sync(ctx, nil))
	pay := func() error {
		p, err := w.Send(ctx, wallet.Payment{To: []wallet.Destination{{home, wallet.XMR}}})
		require.NoError(t, err)
		_, err = p.Confirm(ctx)
		return err
	}
	require.NoError(t, pay())
	mu.Lock()
	const path = "/send_raw_transaction"
	require.Equal(t, map[string]int{path: 1}, requested[1])
	require.NotContains(t, requested[0], path)
	away = true
	mu.Unlock()
	require.Error(t, pay())
	mu.Lock()
	defer mu.Unlock()
	require.NotContains(t, requested[0], path)
}
