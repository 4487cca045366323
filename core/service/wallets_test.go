package service

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// many is a service of many wallets with its own folder and no daemon.
type many struct {
	*Wallets
	*testing.T
	folder *folder
	stops  int
}

func newMany(t *testing.T) *many {
	t.Helper()
	m := &many{T: t, folder: newFolder()}
	var err error
	m.Wallets, err = NewWallets(Config{
		Network: xmr.Regtest, Files: m.folder, Random: rand.Reader, Now: func() uint64 { return 0 },
		KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 1, Minor: 1}, Workers: 1,
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(DaemonConfig) (rpc.Transport, error) { return noDaemon{}, nil },
		Stop:    func() { m.stops++ },
	}, DaemonConfig{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Wallets.Close()) })
	return m
}

// ask calls a method on a path and returns its result, or the error's code.
func (m *many) ask(path, method, params string) (result map[string]any, code int) {
	m.Helper()
	answer, err := m.Serve(context.Background(), path,
		fmt.Appendf(nil, `{"id":0,"method":%q,"params":%s}`, method, params), rpc.Options{})
	require.NoError(m, err)
	var a struct {
		Result map[string]any
		Error  *rpc.Error
	}
	require.NoError(m, json.Unmarshal(answer, &a))
	if a.Error != nil {
		return nil, a.Error.Code
	}
	return a.Result, 0
}

func (m *many) must(path, method, params string) map[string]any {
	m.Helper()
	result, code := m.ask(path, method, params)
	require.Zero(m, code, "%s on %s", method, path)
	return result
}

func (m *many) address(path string) any {
	return m.must(path, "get_address", `{"account_index":0}`)["address"]
}

// TestWalletPathsAreIndependent checks that each path has its own wallet, independent of the others.
func TestWalletPathsAreIndependent(t *testing.T) {
	m := newMany(t)
	const plain, alice, bob = "/json_rpc", "/wallets/alice/json_rpc", "/wallets/bob/json_rpc"
	_, code := m.ask(alice, "get_balance", `{}`)
	require.Equal(t, walletrpc.CodeNotOpen, code)
	require.Empty(t, m.named, "unknown names use no memory")

	m.must(alice, "create_wallet", `{"password":"a","language":"English"}`)
	m.must(bob, "create_wallet", `{"filename":"bob","password":"b","language":"English"}`)
	m.must(plain, "create_wallet", `{"filename":"carol","password":"c","language":"English"}`)
	require.Contains(t, m.folder.files, "alice")
	one, two, three := m.address(alice), m.address(bob), m.address(plain)
	require.NotEqual(t, one, two)
	require.NotEqual(t, two, three)

	// Each path opens only its own wallet.
	_, code = m.ask(alice, "open_wallet", `{"filename":"bob","password":"b"}`)
	require.Equal(t, walletrpc.CodeUnknown, code)
	_, code = m.ask(alice, "create_wallet", `{"filename":"dave","password":"","language":"English"}`)
	require.Equal(t, walletrpc.CodeUnknown, code)
	require.Equal(t, one, m.address(alice))

	// The default path shares a wallet that is open on another path, given its password; it is the same wallet.
	_, code = m.ask(plain, "open_wallet", `{"filename":"alice","password":"wrong"}`)
	require.Equal(t, walletrpc.CodeUnknown, code)
	require.Equal(t, three, m.address(plain))
	m.must(plain, "open_wallet", `{"filename":"alice","password":"a"}`)
	require.Equal(t, one, m.address(plain))
	m.must(plain, "label_account", `{"account_index":0,"label":"seen by both"}`)
	accounts := m.must(alice, "get_accounts", `{}`)["subaddress_accounts"].([]any)
	require.Equal(t, "seen by both", accounts[0].(map[string]any)["label"])
	m.must(plain, "close_wallet", `{}`)
	require.Equal(t, one, m.address(alice), "closed on the default path, still open on its own")
	require.False(t, m.folder.files["carol"].open)
	require.True(t, m.folder.files["alice"].open)

	// stop_wallet on the path of one wallet does not stop the process.
	m.must(alice, "stop_wallet", `{}`)
	require.Zero(t, m.stops)
	require.False(t, m.folder.files["alice"].open)
	require.Equal(t, two, m.address(bob))
	m.must(alice, "open_wallet", `{"password":"a"}`)
	require.Equal(t, one, m.address(alice))
	m.must(plain, "open_wallet", `{"filename":"bob","password":"b"}`)
	m.must(plain, "stop_wallet", `{}`)
	require.Equal(t, 1, m.stops)

	for _, path := range []string{"/wallets/", "/wallets/alice", "/wallets//json_rpc", "/wallets/alice/nothing"} {
		_, err := m.Serve(t.Context(), path, []byte(`{}`), rpc.Options{})
		require.ErrorIs(t, err, rpc.ErrNoPath, path)
	}
	_, code = m.ask("/wallets/../json_rpc", "open_wallet", `{}`)
	require.NotZero(t, code)
}

// TestConcurrentCallsToManyWallets checks that concurrent calls to wallets, which are opened and closed in between,
// return the data of the right wallet.
func TestConcurrentCallsToManyWallets(t *testing.T) {
	m := newMany(t)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { m.Wallets.Run(ctx) })
	defer running.Wait()
	defer cancel()
	const wallets, rounds = 6, 5
	var group sync.WaitGroup
	for n := range wallets {
		path := fmt.Sprintf("/wallets/w%d/json_rpc", n)
		m.must(path, "create_wallet", `{"password":"p","language":"English"}`)
		want := m.address(path)
		group.Go(func() {
			for range rounds {
				m.must(path, "close_wallet", `{}`)
				m.must(path, "open_wallet", `{"password":"p"}`)
				var readers sync.WaitGroup
				for range 4 {
					readers.Go(func() {
						if got := m.address(path); got != want {
							t.Errorf("%s answers for another wallet", path)
						}
					})
				}
				readers.Wait()
			}
		})
	}
	group.Wait()
	require.Len(t, m.named, wallets)
	for n := range wallets {
		m.must(fmt.Sprintf("/wallets/w%d/json_rpc", n), "close_wallet", `{}`)
	}
	require.Empty(t, m.named)
	for name, f := range m.folder.files {
		require.False(t, f.open, name)
	}
}

// TestStatuses checks that every open wallet is listed once, whatever path it was opened on.
func TestStatuses(t *testing.T) {
	m := newMany(t)
	require.Empty(t, m.Statuses())
	for _, name := range []string{"b", "a"} {
		_, code := m.ask("/wallets/"+name+"/json_rpc", "create_wallet", `{"language":"English"}`)
		require.Zero(t, code)
	}
	_, code := m.ask("/json_rpc", "open_wallet", `{"filename":"a"}`)
	require.Zero(t, code)
	list := m.Statuses()
	require.Len(t, list, 2)
	require.Equal(t, []string{"a", "b"}, []string{list[0].Name, list[1].Name})
	require.False(t, list[0].Refreshing)
	require.False(t, list[0].Background)
	_, code = m.ask("/wallets/b/json_rpc", "close_wallet", `{}`)
	require.Zero(t, code)
	require.Len(t, m.Statuses(), 1)
}
