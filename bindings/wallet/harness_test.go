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

// config is for a chain in this process, with wallets that refresh only when they are told to.
func config(t testing.TB, chain *regtest.Chain) wallet.Config {
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

// rich makes a wallet with money that can be spent.
func rich(t testing.TB, m *wallet.Manager, chain *regtest.Chain, name string) *wallet.Wallet {
	t.Helper()
	ctx := deadline(t)
	w, err := m.Create(ctx, name, "secret")
	require.NoError(t, err)
	address, err := w.Address(ctx)
	require.NoError(t, err)
	require.NoError(t, chain.Fund(ctx, 20, address))
	require.NoError(t, w.Sync(ctx, nil))
	return w
}

func addressOf(t testing.TB, w *wallet.Wallet) string {
	t.Helper()
	a, err := w.Address(deadline(t))
	require.NoError(t, err)
	return a
}

func balance(t testing.TB, w *wallet.Wallet) wallet.Balance {
	t.Helper()
	require.NoError(t, w.Sync(deadline(t), nil))
	b, err := w.Balance(deadline(t))
	require.NoError(t, err)
	return b
}
