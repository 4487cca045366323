package wallet_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/wallet"
	"glim/bindings/wallet/regtest"
)

// patience is how long a test waits before it fails.
const patience = 5 * time.Minute

func deadline(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func newChain(t testing.TB) *regtest.Chain {
	t.Helper()
	chain, err := regtest.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	return chain
}

// setUp returns a chain and a manager of wallets on it, with the manager's configuration.
func setUp(t testing.TB) (context.Context, *regtest.Chain, wallet.Config, *wallet.Manager) {
	t.Helper()
	chain := newChain(t)
	c := config(t, chain)
	return deadline(t), chain, c, newManager(t, c)
}

// config returns a configuration for a chain in this process. Its wallets refresh only in Sync.
func config(t testing.TB, chain *regtest.Chain) wallet.Config {
	t.Helper()
	return wallet.Config{
		Network: wallet.Regtest, Folder: t.TempDir(), Transport: chain, Refresh: -1, Accounts: 2, Addresses: 5,
		Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
}

func newManager(t testing.TB, c wallet.Config) *wallet.Manager {
	t.Helper()
	m, err := wallet.NewManager(c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

// funded creates a wallet with the password "secret" and 20 unlocked outputs.
func funded(t testing.TB, m *wallet.Manager, chain *regtest.Chain, name string) *wallet.Wallet {
	t.Helper()
	w, err := createFunded(deadline(t), m, chain, name)
	require.NoError(t, err)
	return w
}

// createFunded is funded for examples.
func createFunded(
	ctx context.Context, m *wallet.Manager, chain *regtest.Chain, name string,
) (*wallet.Wallet, error) {
	w, err := m.Create(ctx, name, "secret")
	if err != nil {
		return nil, err
	}
	address, err := w.Address(ctx)
	if err != nil {
		return nil, err
	}
	if err := chain.Fund(ctx, 20, address); err != nil {
		return nil, err
	}
	return w, w.Sync(ctx, nil)
}

func addressOf(t testing.TB, w *wallet.Wallet) string {
	t.Helper()
	a, err := w.Address(deadline(t))
	require.NoError(t, err)
	return a
}

// balance refreshes the wallet and returns its balance.
func balance(t testing.TB, w *wallet.Wallet) wallet.Balance {
	t.Helper()
	require.NoError(t, w.Sync(deadline(t), nil))
	b, err := w.Balance(deadline(t))
	require.NoError(t, err)
	return b
}
