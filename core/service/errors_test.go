package service

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// causeTransport is a transport that stores the cause of the last error response.
type causeTransport struct {
	*Service
	last error
}

func (r *causeTransport) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	r.last = nil
	return r.Serve(ctx, path, body, rpc.Options{Failed: func(err error) { r.last = err }})
}

// TestErrorsKeepTheirCause checks that a caller in the same process can test for the cause of an error, although
// clients receive only its text.
func TestErrorsKeepTheirCause(t *testing.T) {
	dir := newFolder()
	made := func(n xmr.Network) *causeTransport {
		s, err := New(Config{
			Network: n, Files: dir, Random: rand.Reader, Now: func() uint64 { return 1000 }, KDF: journal.WeakestKDF(),
			Lookahead: wallet.Lookahead{Major: 2, Minor: 2},
		}, DaemonConfig{})
		require.NoError(t, err)
		return &causeTransport{Service: s}
	}
	r := made(xmr.Regtest)
	defer r.Close()
	refused := func(err, reason error, code int, text string) {
		t.Helper()
		var stated *rpc.Error
		require.ErrorAs(t, err, &stated)
		require.Equal(t, rpc.Error{Code: code, Message: text}, *stated, "the text for clients is unchanged")
		require.ErrorIs(t, r.last, reason)
	}
	create := walletrpc.CreateWalletRequest{Filename: "one", Password: "secret", Language: "English"}
	_, err := rpc.Call(t.Context(), r, walletrpc.CreateWallet, create)
	require.NoError(t, err)
	require.NoError(t, r.last)
	_, err = rpc.Call(t.Context(), r, walletrpc.CreateWallet, create)
	refused(err, ErrExists, walletrpc.CodeWalletAlreadyExists, "Cannot create wallet. Already exists.")
	words, err := rpc.Call(t.Context(), r, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"})
	require.NoError(t, err)
	_, err = rpc.Call(t.Context(), r, walletrpc.RestoreDeterministicWallet,
		walletrpc.RestoreDeterministicWalletRequest{Filename: "one", Seed: words.Key})
	refused(err, ErrExists, walletrpc.CodeUnknown, "Wallet already exists.")
	_, err = rpc.Call(t.Context(), r, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.NoError(t, err)
	_, err = rpc.Call(t.Context(), r, walletrpc.OpenWallet,
		walletrpc.OpenWalletRequest{Filename: "one", Password: "other"})
	refused(err, session.ErrPassword, walletrpc.CodeUnknown, "Failed to open wallet : Invalid password.")
	_, err = rpc.Call(t.Context(), r, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "two"})
	refused(err, ErrNoWallet, walletrpc.CodeUnknown, `Failed to open wallet : file not found "two.keys"`)

	r = made(xmr.Stagenet)
	defer r.Close()
	_, err = rpc.Call(t.Context(), r, walletrpc.OpenWallet,
		walletrpc.OpenWalletRequest{Filename: "one", Password: "secret"})
	refused(err, ErrNetwork, walletrpc.CodeUnknown, "Failed to open wallet : it is for fakechain")

	// A client that has disconnected gets no wallet.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	create.Filename = "late"
	_, err = rpc.Call(ctx, r, walletrpc.CreateWallet, create)
	require.Error(t, err)
	require.ErrorIs(t, r.last, context.Canceled)
	_, err = dir.Open("late")
	require.True(t, errors.Is(err, ErrNoWallet))
}
