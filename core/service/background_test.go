package service

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/mnemonic"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// onChain returns a service for the wallets in dir, whose daemon reports only a chain's height.
func onChain(t *testing.T, dir Files) *Service {
	t.Helper()
	chain := chaintest.New("background", xmr.Regtest)
	s, err := New(Config{
		Network: xmr.Regtest, Files: dir, Random: rand.Reader, Now: func() uint64 { return 1000 }, Workers: 1,
		KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 2, Minor: 2},
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(DaemonConfig) (rpc.Transport, error) { return fakeDaemon(chain), nil },
	}, DaemonConfig{Address: "here", Trusted: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func do[Req, Resp any](t *testing.T, s *Service, m rpc.Method[Req, Resp], req Req) Resp {
	t.Helper()
	resp, err := rpc.Call(t.Context(), s.Registry(), m, req)
	require.NoError(t, err, m.Name)
	return resp
}

func refused[Req, Resp any](t *testing.T, s *Service, m rpc.Method[Req, Resp], req Req) rpc.Error {
	t.Helper()
	_, err := rpc.Call(t.Context(), s.Registry(), m, req)
	var e *rpc.Error
	require.ErrorAs(t, err, &e, m.Name)
	return *e
}

// blockedList returns the operations that the reference refuses while the spend key is absent. The value is false for
// those that it refuses only in part.
func blockedList(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../walletrpc/testdata/background.txt")
	require.NoError(t, err)
	list := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if kind, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && kind != "#" {
			list[name] = kind == "whole"
		}
	}
	require.Len(t, list, 40)
	return list
}

// TestBlockedInTheBackground calls every operation while the spend key is absent: exactly those of the reference's
// list are refused, with its code and text.
func TestBlockedInTheBackground(t *testing.T) {
	list := blockedList(t)
	dir := newFolder()
	s := onChain(t, dir)
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: "a", Language: "English"})
	do(t, s, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{
		BackgroundSyncType: "custom-background-password", WalletPassword: "a", BackgroundCachePassword: "b"})
	do(t, s, walletrpc.StartBackgroundSync, empty{})
	ends := map[string]bool{
		"stop_background_sync": true, "close_wallet": true, "open_wallet": true, "create_wallet": true,
		"generate_from_keys": true, "restore_deterministic_wallet": true,
	}
	all := func(code int) {
		t.Helper()
		for _, op := range s.Registry().Operations() {
			if ends[op.Name] {
				continue
			}
			answer, err := s.Serve(t.Context(), "/json_rpc",
				fmt.Appendf(nil, `{"method":%q,"params":{"key_type":"spend_key"}}`, op.Name), rpc.Options{})
			require.NoError(t, err)
			var a struct{ Error *rpc.Error }
			require.NoError(t, json.Unmarshal(answer, &a))
			_, blocked := list[op.Name]
			blocked = blocked || op.Name == walletrpc.ExportKeysFile.Name || // glim's own operations
				op.Name == walletrpc.ExportKeyImagesData.Name || op.Name == walletrpc.ImportKeyImagesData.Name ||
				op.Name == walletrpc.SetSeparateAccounts.Name ||
				op.Name == walletrpc.CreateInvoice.Name || op.Name == walletrpc.CancelInvoice.Name
			require.Equal(t, blocked, a.Error != nil && *a.Error == *walletrpc.Fail(code, ""), "%s: %s", op.Name,
				answer)
		}
	}
	all(walletrpc.CodeIsBackgroundSyncing)
	for kind, ok := range map[string]bool{"view_key": true, "mnemonic": false, "spend_key": false} {
		_, err := rpc.Call(t.Context(), s.Registry(), walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: kind})
		require.Equal(t, ok, err == nil, kind)
	}
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w.background", Password: "b"})
	all(walletrpc.CodeIsBackgroundWallet)
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "a"})
	do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"})
}

const reuse, custom = "reuse-wallet-password", "custom-background-password"

var wrongPassword = rpc.Error{Code: -22, Message: "Invalid password."}

func unknownError(text string) rpc.Error { return rpc.Error{Code: -1, Message: text} }

func backgroundSetup(kind, password, background string) walletrpc.SetupBackgroundSyncRequest {
	return walletrpc.SetupBackgroundSyncRequest{
		BackgroundSyncType: kind, WalletPassword: password, BackgroundCachePassword: background,
	}
}

func backgroundStop(password, seed string) walletrpc.StopBackgroundSyncRequest {
	return walletrpc.StopBackgroundSyncRequest{WalletPassword: password, Seed: seed}
}

// TestBackgroundRefusals compares the errors of the three operations with the reference's source.
// Source: src/wallet/wallet_rpc_server.cpp, on_setup_background_sync to on_stop_background_sync;
// src/wallet/wallet2.cpp, setup_background_sync, start_background_sync, stop_background_sync;
// src/wallet/wallet_errors.h.
func TestBackgroundRefusals(t *testing.T) {
	dir := newFolder()
	s := onChain(t, dir)
	notOpen := *walletrpc.Fail(walletrpc.CodeNotOpen, "")
	require.Equal(t, notOpen, refused(t, s, walletrpc.SetupBackgroundSync, backgroundSetup(reuse, "", "")))
	require.Equal(t, notOpen, refused(t, s, walletrpc.StartBackgroundSync, empty{}))
	require.Equal(t, notOpen, refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("", "")))

	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: "a", Language: "English"})
	seed := do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Key
	another, err := mnemonic.Encode([32]byte{1}, mnemonic.English())
	require.NoError(t, err)
	require.Equal(t, unknownError("must setup background sync first before using background sync"),
		refused(t, s, walletrpc.StartBackgroundSync, empty{}))
	require.Equal(t, unknownError("must setup background sync first before using background sync"),
		refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("a", "")))
	require.Equal(t, unknownError("Unknown background sync type"),
		refused(t, s, walletrpc.SetupBackgroundSync, backgroundSetup("on", "a", "")))
	require.Equal(t, wrongPassword, refused(t, s, walletrpc.SetupBackgroundSync, backgroundSetup(reuse, "b", "")))
	require.Equal(t, wrongPassword, refused(t, s, walletrpc.SetupBackgroundSync, backgroundSetup("off", "b", "")))
	require.Equal(t, unknownError("custom background password must be different than wallet password"),
		refused(t, s, walletrpc.SetupBackgroundSync, backgroundSetup(custom, "a", "a")))
	do(t, s, walletrpc.SetupBackgroundSync, backgroundSetup("off", "a", ""))

	for _, kind := range []string{reuse, custom} {
		requireStopRefusals(t, s, kind, seed, another)
	}

	requireBusyRefusals(t, s, dir)
	requireBackgroundWalletRefusals(t, s)

	// Switching it off removes the file.
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "a"})
	require.Contains(t, dir.files, "w.background")
	do(t, s, walletrpc.SetupBackgroundSync, backgroundSetup("off", "a", ""))
	require.NotContains(t, dir.files, "w.background")

	// Without a file, only the seed restores the key.
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Language: "English"})
	seed = do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Key
	do(t, s, walletrpc.SetupBackgroundSync, backgroundSetup(reuse, "", ""))
	do(t, s, walletrpc.StartBackgroundSync, empty{})
	require.Equal(t, unknownError("invalid spend key"),
		refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("", "")))
	do(t, s, walletrpc.StopBackgroundSync, backgroundStop("", seed))
	require.Equal(t, seed, do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Key)

	requireViewOnlyRefusals(t, s)
}

// requireStopRefusals checks the refusals while background sync of a kind is set up, and while it runs.
func requireStopRefusals(t *testing.T, s *Service, kind, seed, another string) {
	t.Helper()
	do(t, s, walletrpc.SetupBackgroundSync, backgroundSetup(kind, "a", "b"))
	do(t, s, walletrpc.StopBackgroundSync, backgroundStop("a", "")) // not started yet
	require.Equal(t, wrongPassword, refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("b", "")))
	require.Equal(t, unknownError("invalid spend key"),
		refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("a", another)))
	do(t, s, walletrpc.StartBackgroundSync, empty{})
	do(t, s, walletrpc.StartBackgroundSync, empty{})
	require.Equal(t, unknownError("Can't set background sync type from an existing background cache"),
		refused(t, s, walletrpc.SetupBackgroundSync, backgroundSetup("off", "a", "")))
	require.Equal(t, wrongPassword, refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("b", "")))
	require.Equal(t, wrongPassword, refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("b", seed)))
	require.Equal(t, unknownError("Electrum-style word list failed verification"),
		refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("a", "no words")))
	require.Equal(t, unknownError("invalid spend key"),
		refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("a", another)))
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "a"})
	require.Equal(t, -1, refused(t, s, walletrpc.OpenWallet,
		walletrpc.OpenWalletRequest{Filename: "w", Password: "b"}).Code)
	require.Equal(t, -52, refused(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "spend_key"}).Code)
	do(t, s, walletrpc.StopBackgroundSync, backgroundStop("a", seed))
	require.Equal(t, seed, do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Key)
}

// requireBusyRefusals checks that nothing changes while another process has the background file open.
func requireBusyRefusals(t *testing.T, s *Service, dir *folder) {
	t.Helper()
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	elsewhere, err := dir.Open("w.background")
	require.NoError(t, err)
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "a"})
	busy := unknownError("background wallet w.background is already opened by another wallet program")
	require.Equal(t, busy, refused(t, s, walletrpc.StartBackgroundSync, empty{}))
	require.Equal(t, busy, refused(t, s, walletrpc.SetupBackgroundSync, backgroundSetup("off", "a", "")))
	require.Equal(t, busy, refused(t, s, walletrpc.SetupBackgroundSync, backgroundSetup(custom, "a", "c")))
	require.NoError(t, elsewhere.Close())
	do(t, s, walletrpc.StartBackgroundSync, empty{})
	do(t, s, walletrpc.StopBackgroundSync, backgroundStop("a", ""))
}

// requireBackgroundWalletRefusals checks the refusals of the background file, opened as a wallet.
func requireBackgroundWalletRefusals(t *testing.T, s *Service) {
	t.Helper()
	require.Equal(t, -1, refused(t, s, walletrpc.OpenWallet,
		walletrpc.OpenWalletRequest{Filename: "w.background", Password: "b"}).Code,
		"the wallet has it open")
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.Equal(t, -1, refused(t, s, walletrpc.OpenWallet,
		walletrpc.OpenWalletRequest{Filename: "w.background", Password: "a"}).Code)
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w.background", Password: "b"})
	require.Equal(t, unknownError("Can't start background syncing from a background wallet (it is always background "+
		"syncing)"),
		refused(t, s, walletrpc.StartBackgroundSync, empty{}))
	require.Equal(t, unknownError("Can't set background sync type from an existing background cache"),
		refused(t, s, walletrpc.SetupBackgroundSync, backgroundSetup("off", "b", "")))
	require.Equal(t, unknownError("invalid spend key"),
		refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("b", "")))
	require.Equal(t, wrongPassword, refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("a", "")))
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
}

// requireViewOnlyRefusals checks that view-only wallets, which have no spend key, refuse background sync.
func requireViewOnlyRefusals(t *testing.T, s *Service) {
	t.Helper()
	view := do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"}).Key
	do(t, s, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Address: do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address, ViewKey: view})
	watch := rpc.Error{Code: -29, Message: "Watch-only wallet cannot enable background sync"}
	require.Equal(t, watch, refused(t, s, walletrpc.SetupBackgroundSync, backgroundSetup(reuse, "", "")))
	require.Equal(t, watch, refused(t, s, walletrpc.StartBackgroundSync, empty{}))
	require.Equal(t, watch, refused(t, s, walletrpc.StopBackgroundSync, backgroundStop("", "")))
}

// TestNameOfABackgroundFile checks that a wallet named like another wallet's background file is never replaced or
// removed, and still opens.
func TestNameOfABackgroundFile(t *testing.T) {
	s := onChain(t, newFolder())
	const name = "bob.background"
	do(t, s, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: name, Password: "hers", Language: "English"})
	address := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	do(t, s, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "bob", Password: "his", Language: "English"})
	still := func() {
		do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: name, Password: "hers"})
		require.Equal(t, address, do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address)
		do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "bob", Password: "his"})
	}
	setup := func(kind string) walletrpc.SetupBackgroundSyncRequest {
		return walletrpc.SetupBackgroundSyncRequest{BackgroundSyncType: kind, WalletPassword: "his",
			BackgroundCachePassword: "x"}
	}
	require.Contains(t, refused(t, s, walletrpc.SetupBackgroundSync, setup("custom-background-password")).Message,
		"not a background file")
	still()
	do(t, s, walletrpc.SetupBackgroundSync, setup("reuse-wallet-password"))
	still()
	require.Contains(t, refused(t, s, walletrpc.StartBackgroundSync, walletrpc.Empty{}).Message,
		"not a background file")
	still()
	do(t, s, walletrpc.SetupBackgroundSync, setup("off"))
	still()
}
