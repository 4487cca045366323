package scenario

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/walletrpc"
)

// TestSetDaemonIsOneWallets: a daemon that set_daemon chose is left with the wallet that was open then, in every way of
// leaving it. Both services go back to the command line's daemon, also for the height from which a new wallet reads.
func TestSetDaemonIsOneWallets(t *testing.T) {
	t.Parallel()
	home, other := newDaemon(t), newDaemon(t)
	mine(t, home, 5, at(t, bob, 0, 0))
	mine(t, other, 90, at(t, bob, 0, 0))
	theirs := newReference(t, home)
	ours := newGlim(t, home.URL, options{})
	both := []caller{theirs, ours}
	heights := func(want uint64) {
		t.Helper()
		for _, c := range both {
			refresh(t, c)
			got := call[struct{ Height uint64 }](t, c, "get_height", nil)
			require.Equal(t, want, got.Height, "%T", c)
		}
		url, chosen := home.URL, want > 90
		if chosen {
			url = other.URL
		}
		used := call[walletrpc.GetDaemonResponse](t, ours, "get_daemon", nil)
		used.SSLSupport = ""
		require.Equal(t, walletrpc.GetDaemonResponse{Address: url, Trusted: true, SetDaemon: chosen}, used)
	}
	elsewhere := func() {
		t.Helper()
		for _, c := range both {
			do(t, c, "set_daemon", object{"address": other.URL, "trusted": true, "ssl_support": "disabled"})
		}
		heights(91)
	}
	each := func(method string, params object) {
		t.Helper()
		for _, c := range both {
			do(t, c, method, params)
		}
	}
	const password = "password"
	restore := func(name string, n byte) {
		t.Helper()
		each("restore_deterministic_wallet", object{"filename": name, "password": password, "seed": seed(t, n), "restore_height": 0})
	}
	for _, c := range both {
		do(t, c, "auto_refresh", object{"enable": false})
	}
	restore("a", alice)
	heights(6)
	each("close_wallet", nil)
	restore("b", bob)
	elsewhere()

	each("close_wallet", nil)
	each("open_wallet", object{"filename": "a", "password": password})
	heights(6)
	elsewhere()
	each("open_wallet", object{"filename": "b", "password": password}) // without closing the other
	for _, c := range both {
		do(t, c, "rescan_blockchain", nil)
	}
	heights(6)
	elsewhere()
	each("open_wallet", object{"filename": "b", "password": password}) // the same again
	for _, c := range both {
		do(t, c, "rescan_blockchain", nil)
	}
	heights(6)

	// A wallet made while another wallet's daemon is far ahead begins where the command line's is.
	elsewhere()
	each("create_wallet", object{"filename": "c", "password": password, "language": "English"})
	heights(6)
	mine(t, home, 2, at(t, bob, 0, 0))
	heights(8)
	elsewhere()
	restore("d", carol)
	heights(8)

	// Opening that fails leaves the wallet and its daemon.
	elsewhere()
	for _, c := range both {
		refusal(t, c, "open_wallet", object{"filename": "a", "password": "wrong"})
	}
	mine(t, other, 1, at(t, bob, 0, 0))
	heights(92)
}
