package scenario

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/wallet"
)

// backgrounded is alice's wallet in our service, which syncs in the background, and its copy in the reference, which
// does not.
type backgrounded struct {
	*testing.T
	d           *peers.Daemon
	payer, ours *glim
	mirror      caller
	dir         string
}

var (
	backgroundLookahead = wallet.Lookahead{Major: 2, Minor: 5} // a larger one costs time with each start and stop
	ownPassword         = object{"filename": "alice", "password": "own"}
)

// TestBackgroundSync runs a wallet without its spend key while it is paid, and while its copy spends outputs from
// before and after the start. Once the key is back, the wallet equals the reference's, which never dropped its key, and
// can pay.
func TestBackgroundSync(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	b := backgrounded{T: t, d: d, dir: t.TempDir()}
	b.mirror = newReference(t, d)
	b.payer = newGlim(t, d.URL, options{lookahead: backgroundLookahead})
	b.ours = newGlim(t, d.URL, options{dir: b.dir, lookahead: backgroundLookahead})
	restore(t, b.payer, "bob", bob)
	restore(t, b.mirror, "alice", alice)
	do(t, b.ours, "restore_deterministic_wallet", object{
		"filename": "alice", "password": "own", "seed": seed(t, alice), "restore_height": 0,
	})
	refresh(t, b.payer, b.mirror, b.ours)
	b.stopped()
	b.closed()
	b.inAnotherFolder()
	b.pays()
}

// meanwhile pays alice. Her copy then spends the output that it received, and others.
func (b *backgrounded) meanwhile() {
	t, d := b.T, b.d
	t.Helper()
	refresh(t, b.payer)
	pay(t, b.payer, []destination{{at(t, alice, 0, 0), 2 * coin}, {at(t, alice, 0, 1), 3 * coin}}, nil)
	mine(t, d, 10, at(t, nobody, 0, 0))
	refresh(t, b.mirror)
	received := call[struct {
		Transfers []struct {
			Amount uint64 `json:"amount"`
			Image  string `json:"key_image"`
		} `json:"transfers"`
	}](t, b.mirror, "incoming_transfers", object{"transfer_type": "available"})
	swept := false
	for _, r := range received.Transfers {
		if r.Amount == 2*coin && !swept {
			do(t, b.mirror, "sweep_single", object{"address": at(t, bob, 0, 0), "key_image": r.Image})
			swept = true
		}
	}
	require.True(t, swept)
	pay(t, b.mirror, []destination{{at(t, bob, 0, 0), coin}}, nil)
	mine(t, d, 11, at(t, nobody, 0, 0))
	refresh(t, b.mirror)
}

func (b *backgrounded) same() {
	b.Helper()
	refresh(b.T, b.mirror, b.ours)
	compareAll(b.T, b.mirror, b.ours, 1)
}

// file is the path of the wallet without the spend key.
func (b *backgrounded) file() string { return filepath.Join(b.dir, "alice.background.glim") }

// stopped starts background sync and stops it.
func (b *backgrounded) stopped() {
	t, ours, mirror := b.T, b.ours, b.mirror
	syncing := peers.Error{
		Code:    -52,
		Message: "This command is disabled while background syncing. Stop background syncing to use this command.",
	}
	do(t, ours, "setup_background_sync", object{
		"background_sync_type": "reuse-wallet-password", "wallet_password": "own",
	})
	do(t, ours, "start_background_sync", nil)
	b.meanwhile()
	refresh(t, ours)
	require.Equal(t, syncing,
		refusal(t, ours, "transfer", object{"destinations": []destination{{at(t, bob, 0, 0), 1}}}))
	require.Equal(t, syncing, refusal(t, ours, "query_key", object{"key_type": "spend_key"}))
	require.NotEqual(t, ledger(t, mirror), ledger(t, ours), "spends of outputs received meanwhile are not visible yet")
	require.FileExists(t, b.file())
	do(t, ours, "stop_background_sync", object{"wallet_password": "own"})
	require.NoFileExists(t, b.file())
	require.Equal(t, ledger(t, mirror), ledger(t, ours), "stopping needs no daemon")
	b.same()
}

// closed starts background sync and closes the wallet, which leaves its files as a killed process does.
func (b *backgrounded) closed() {
	t, ours := b.T, b.ours
	do(t, ours, "start_background_sync", nil)
	b.meanwhile()
	refresh(t, ours)
	do(t, ours, "close_wallet", nil)
	require.FileExists(t, b.file())
	do(t, ours, "open_wallet", ownPassword)
	require.NoFileExists(t, b.file())
	b.same()
}

// inAnotherFolder gives the background file, which has its own password, to a service that may not spend, and takes it
// back.
func (b *backgrounded) inAnotherFolder() {
	t, d, ours := b.T, b.d, b.ours
	alone := peers.Error{Code: -51, Message: "This command is disabled for background wallets."}
	custom := object{
		"background_sync_type": "custom-background-password", "wallet_password": "own",
		"background_cache_password": "watch",
	}
	do(t, ours, "setup_background_sync", custom)
	do(t, ours, "close_wallet", nil)
	elsewhere := t.TempDir()
	file, err := os.ReadFile(b.file())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "alice.background.glim"), file, 0o600))
	watcher := newGlim(t, d.URL, options{dir: elsewhere, lookahead: backgroundLookahead})
	require.Equal(t, peers.Error{Code: -1, Message: "Failed to open wallet : Invalid password."},
		refusal(t, watcher, "open_wallet", object{"filename": "alice.background", "password": "own"}))
	do(t, watcher, "open_wallet", object{"filename": "alice.background", "password": "watch"})
	b.meanwhile()
	refresh(t, watcher)
	require.Equal(t, alone, refusal(t, watcher, "query_key", object{"key_type": "mnemonic"}))
	require.Equal(t, alone, refusal(t, watcher, "sweep_all", object{"address": at(t, bob, 0, 0)}))
	do(t, watcher, "close_wallet", nil)
	file, err = os.ReadFile(filepath.Join(elsewhere, "alice.background.glim"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(b.file(), file, 0o600))
	do(t, ours, "open_wallet", ownPassword)
	height, _ := chainTop(t, d)
	require.Equal(t, height, call[struct {
		Height uint64
	}](t, ours, "get_height", nil).Height, "the wallet takes over the blocks that the background file has read")
	b.same()
}

// pays starts and stops background sync while the wallet stays open, and then spends outputs received meanwhile.
func (b *backgrounded) pays() {
	t, d, ours := b.T, b.d, b.ours
	do(t, ours, "start_background_sync", nil)
	b.meanwhile()
	refresh(t, ours)
	do(t, ours, "stop_background_sync", object{"wallet_password": "own", "seed": seed(t, alice)})
	b.same()
	pay(t, ours, []destination{{at(t, bob, 0, 0), 3 * coin}}, nil)
	mine(t, d, 1, at(t, nobody, 0, 0))
	b.same()
	do(t, ours, "setup_background_sync", object{"background_sync_type": "off", "wallet_password": "own"})
	require.NoFileExists(t, b.file())
}
