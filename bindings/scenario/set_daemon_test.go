package scenario

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/walletrpc"
)

// chosenDaemon has both services with two daemons: that of the command line and another.
type chosenDaemon struct {
	*testing.T
	first, other *peers.Daemon
	theirs       caller
	ours         *glim
}

func (c *chosenDaemon) both() []caller { return []caller{c.theirs, c.ours} }

// heights requires both wallets to reach a height, more than 90 with the other daemon.
func (c *chosenDaemon) heights(want uint64) {
	t := c.T
	t.Helper()
	for _, w := range c.both() {
		refresh(t, w)
		got := call[struct{ Height uint64 }](t, w, "get_height", nil)
		require.Equal(t, want, got.Height, "%T", w)
	}
	url, chosen := c.first.URL, want > 90
	if chosen {
		url = c.other.URL
	}
	used := call[walletrpc.GetDaemonResponse](t, c.ours, "get_daemon", nil)
	used.SSLSupport = ""
	require.Equal(t, walletrpc.GetDaemonResponse{Address: url, Trusted: true, SetDaemon: chosen}, used)
}

// choose selects the other daemon with set_daemon.
func (c *chosenDaemon) choose() {
	c.Helper()
	c.each("set_daemon", object{"address": c.other.URL, "trusted": true, "ssl_support": "disabled"})
	c.heights(91)
}

func (c *chosenDaemon) each(method string, params object) {
	c.Helper()
	for _, w := range c.both() {
		do(c.T, w, method, params)
	}
}

func (c *chosenDaemon) restore(name string, n byte) {
	c.Helper()
	c.each("restore_deterministic_wallet", object{
		"filename": name, "password": "password", "seed": seed(c.T, n), "restore_height": 0,
	})
}

// TestSetDaemonLastsUntilTheWalletCloses: the choice of set_daemon ends with the wallet that was open, however it is
// closed. Both services then return to the daemon of the command line, also for the restore height of a new wallet.
func TestSetDaemonLastsUntilTheWalletCloses(t *testing.T) {
	t.Parallel()
	c := &chosenDaemon{T: t, first: newDaemon(t), other: newDaemon(t)}
	mine(t, c.first, 5, at(t, bob, 0, 0))
	mine(t, c.other, 90, at(t, bob, 0, 0))
	c.theirs = newReference(t, c.first)
	c.ours = newGlim(t, c.first.URL, options{})
	const password = "password"
	c.each("auto_refresh", object{"enable": false})
	c.restore("a", alice)
	c.heights(6)
	c.each("close_wallet", nil)
	c.restore("b", bob)
	c.choose()

	c.each("close_wallet", nil)
	c.each("open_wallet", object{"filename": "a", "password": password})
	c.heights(6)
	c.choose()
	c.each("open_wallet", object{"filename": "b", "password": password}) // without closing the first
	c.each("rescan_blockchain", nil)
	c.heights(6)
	c.choose()
	c.each("open_wallet", object{"filename": "b", "password": password}) // the same again
	c.each("rescan_blockchain", nil)
	c.heights(6)

	// A new wallet starts at the height of the command line's daemon, even if the chosen daemon is far ahead.
	c.choose()
	c.each("create_wallet", object{"filename": "c", "password": password, "language": "English"})
	c.heights(6)
	mine(t, c.first, 2, at(t, bob, 0, 0))
	c.heights(8)
	c.choose()
	c.restore("d", carol)
	c.heights(8)

	// A wallet that cannot be opened leaves the open one and its daemon as they are.
	c.choose()
	for _, w := range c.both() {
		refusal(t, w, "open_wallet", object{"filename": "a", "password": "wrong"})
	}
	mine(t, c.other, 1, at(t, bob, 0, 0))
	c.heights(92)
}
