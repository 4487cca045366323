package scenario

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/wallet"
)

// TestBackgroundSync lets a wallet go on without its spend key while it is paid, and while another copy of it spends: what it had
// and what came meanwhile. When the key is back, all is as in the reference's wallet that never let go of it, and it pays.
func TestBackgroundSync(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	dir := t.TempDir()
	mirror := newReference(t, d)                 // alice, elsewhere
	near := wallet.Lookahead{Major: 2, Minor: 5} // further costs time with each start and stop
	payer, ours := newGlim(t, d.URL, options{lookahead: near}), newGlim(t, d.URL, options{dir: dir, lookahead: near})
	restore(t, payer, "bob", bob)
	restore(t, mirror, "alice", alice)
	do(t, ours, "restore_deterministic_wallet", object{"filename": "alice", "password": "own", "seed": seed(t, alice), "restore_height": 0})
	refresh(t, payer, mirror, ours)
	syncing := peers.Error{Code: -52, Message: "This command is disabled while background syncing. Stop background syncing to use this command."}
	alone := peers.Error{Code: -51, Message: "This command is disabled for background wallets."}

	// meanwhile pays alice, who elsewhere spends the very output that came, and others.
	meanwhile := func() {
		t.Helper()
		refresh(t, payer)
		pay(t, payer, []destination{{at(t, alice, 0, 0), 2 * coin}, {at(t, alice, 0, 1), 3 * coin}}, nil)
		mine(t, d, 10, at(t, nobody, 0, 0))
		refresh(t, mirror)
		came := call[struct {
			Transfers []struct {
				Amount uint64 `json:"amount"`
				Image  string `json:"key_image"`
			} `json:"transfers"`
		}](t, mirror, "incoming_transfers", object{"transfer_type": "available"})
		swept := false
		for _, c := range came.Transfers {
			if c.Amount == 2*coin && !swept {
				do(t, mirror, "sweep_single", object{"address": at(t, bob, 0, 0), "key_image": c.Image})
				swept = true
			}
		}
		require.True(t, swept)
		pay(t, mirror, []destination{{at(t, bob, 0, 0), coin}}, nil)
		mine(t, d, 11, at(t, nobody, 0, 0))
		refresh(t, mirror)
	}
	same := func() {
		t.Helper()
		refresh(t, mirror, ours)
		compareAll(t, mirror, ours, 1)
	}
	own := object{"filename": "alice", "password": "own"}
	background := filepath.Join(dir, "alice.background")

	do(t, ours, "setup_background_sync", object{"background_sync_type": "reuse-wallet-password", "wallet_password": "own"})
	do(t, ours, "start_background_sync", nil)
	meanwhile()
	refresh(t, ours)
	require.Equal(t, syncing, refusal(t, ours, "transfer", object{"destinations": []destination{{at(t, bob, 0, 0), 1}}}))
	require.Equal(t, syncing, refusal(t, ours, "query_key", object{"key_type": "spend_key"}))
	require.NotEqual(t, ledger(t, mirror), ledger(t, ours), "what was spent of what came meanwhile cannot be seen yet")
	require.FileExists(t, background)
	do(t, ours, "stop_background_sync", object{"wallet_password": "own"})
	require.NoFileExists(t, background)
	require.Equal(t, ledger(t, mirror), ledger(t, ours), "no daemon is asked")
	same()

	// Not stopped but closed, as a killed process leaves it.
	do(t, ours, "start_background_sync", nil)
	meanwhile()
	refresh(t, ours)
	do(t, ours, "close_wallet", nil)
	require.FileExists(t, background)
	do(t, ours, "open_wallet", own)
	require.NoFileExists(t, background)
	same()

	// With a password of its own the other file can be left to somebody who may not spend.
	custom := object{"background_sync_type": "custom-background-password", "wallet_password": "own", "background_cache_password": "watch"}
	do(t, ours, "setup_background_sync", custom)
	do(t, ours, "close_wallet", nil)
	elsewhere := t.TempDir()
	file, err := os.ReadFile(background)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "alice.background"), file, 0o600))
	watcher := newGlim(t, d.URL, options{dir: elsewhere, lookahead: near})
	require.Equal(t, peers.Error{Code: -1, Message: "Failed to open wallet : Invalid password."},
		refusal(t, watcher, "open_wallet", object{"filename": "alice.background", "password": "own"}))
	do(t, watcher, "open_wallet", object{"filename": "alice.background", "password": "watch"})
	meanwhile()
	refresh(t, watcher)
	require.Equal(t, alone, refusal(t, watcher, "query_key", object{"key_type": "mnemonic"}))
	require.Equal(t, alone, refusal(t, watcher, "sweep_all", object{"address": at(t, bob, 0, 0)}))
	do(t, watcher, "close_wallet", nil)
	file, err = os.ReadFile(filepath.Join(elsewhere, "alice.background"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(background, file, 0o600))
	do(t, ours, "open_wallet", own)
	height, _ := chainTop(t, d)
	require.Equal(t, height, call[struct{ Height uint64 }](t, ours, "get_height", nil).Height, "what the other file found is there")
	same()

	// Live, too, and then the wallet pays with what it got.
	do(t, ours, "start_background_sync", nil)
	meanwhile()
	refresh(t, ours)
	do(t, ours, "stop_background_sync", object{"wallet_password": "own", "seed": seed(t, alice)})
	same()
	pay(t, ours, []destination{{at(t, bob, 0, 0), 3 * coin}}, nil)
	mine(t, d, 1, at(t, nobody, 0, 0))
	same()
	do(t, ours, "setup_background_sync", object{"background_sync_type": "off", "wallet_password": "own"})
	require.NoFileExists(t, background)
}
