package scenario

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// TestChainIsKept runs one scenario with monerod and with our command, and kills each process in it: chain and pool are
// there when the daemon starts again with the same folder, and a wallet continues. The second part is for ours alone.
func TestChainIsKept(t *testing.T) {
	t.Parallel()
	path, err := build()
	require.NoError(t, err)
	for name, command := range map[string][]string{"monerod": nil, "glim": {path, "daemon"}} {
		t.Run(name, func(t *testing.T) { chainIsKept(t, command) })
	}
}

// stateOf returns what a daemon reports about chain and pool.
func stateOf(t *testing.T, d *peers.Daemon) (state map[string]any, height uint64) {
	t.Helper()
	var info, pool json.RawMessage
	require.NoError(t, d.JSON(deadline(t), "get_info", nil, &info))
	require.NoError(t, d.Path(deadline(t), "/get_transaction_pool", nil, &pool))
	var of struct{ Height uint64 }
	require.NoError(t, json.Unmarshal(info, &of))
	headers := call[json.RawMessage](t, d, "get_block_headers_range",
		object{"start_height": 0, "end_height": of.Height - 1})
	known := object{}
	for name, value := range plain(t, info, nil).(map[string]any) {
		if slices.Contains([]string{
			"height", "top_block_hash", "cumulative_difficulty", "difficulty", "tx_count", "tx_pool_size",
		}, name) {
			known[name] = value
		}
	}
	// After a start monerod relays its pool again; the members of tx_json have no order.
	known["pool"] = plain(t, pool, []string{"last_relayed_time", "relayed", "tx_json"})
	known["headers"] = plain(t, headers, nil)
	return known, of.Height
}

func heightOf(t *testing.T, d *peers.Daemon) uint64 {
	t.Helper()
	_, height := stateOf(t, d)
	return height
}

// keptChain is a daemon that is killed and started again, with a wallet.
type keptChain struct {
	*testing.T
	d *peers.Daemon
	c caller
}

// again kills the daemon and starts it again: its state is the same.
func (k *keptChain) again() {
	t, d := k.T, k.d
	t.Helper()
	before, _ := stateOf(t, d)
	require.NoError(t, d.Kill())
	require.NoError(t, d.Restart())
	after, _ := stateOf(t, d)
	difference(t, "after the kill", before, after)
	do(t, k.c, "set_daemon", object{"address": d.URL, "trusted": true})
	refresh(t, k.c)
}

func (k *keptChain) confirmations(tx transferred) uint64 {
	k.Helper()
	return call[struct {
		Transfer struct{ Confirmations uint64 }
	}](k.T, k.c, "get_transfer_by_txid", object{"txid": tx.TxHash}).Transfer.Confirmations
}

func chainIsKept(t *testing.T, command []string) {
	o := peers.Options{KeepChain: true, Command: command, Dir: t.TempDir()}
	d := peers.NewDaemon(t, o)
	require.NoError(t, d.Mine(deadline(t), 80, at(t, alice, 0, 0)))
	c := newGlim(t, d.URL, options{})
	restore(t, c, "w", alice)
	refresh(t, c)
	k := &keptChain{t, d, c}

	// One payment is mined, one waits.
	mined := pay(t, c, []destination{{at(t, bob, 0, 0), coin}}, nil)
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, c)
	waits := pay(t, c, []destination{{at(t, bob, 0, 1), 2 * coin}}, nil)
	balance := call[map[string]any](t, c, "get_balance", object{"account_index": 0})
	k.again()
	require.EqualValues(t, 82, heightOf(t, d))
	state, _ := stateOf(t, d)
	require.True(t, strings.Contains(string(text(t, state["pool"])), waits.TxHash))
	require.Equal(t, balance, call[map[string]any](t, c, "get_balance", object{"account_index": 0}))

	// The wallet continues: the waiting payment is mined, and earlier outputs are spent.
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, c)
	require.EqualValues(t, 2, k.confirmations(mined))
	require.EqualValues(t, 1, k.confirmations(waits))

	if command != nil {
		k.changesAreKept(mined)
		k.restarts(o)
	}
}

// changesAreKept removes blocks and switches to a branch: both changes survive a kill.
func (k *keptChain) changesAreKept(mined transferred) {
	t, d, c := k.T, k.d, k.c
	t.Helper()
	// Removed blocks stay removed, and their transactions wait for another block.
	require.NoError(t, d.Path(deadline(t), "/pop_blocks", object{"nblocks": 2}, nil))
	require.NoError(t, d.Path(deadline(t), "/save_bc", nil, nil))
	require.EqualValues(t, 81, heightOf(t, d))
	k.again()
	require.EqualValues(t, 81, heightOf(t, d))
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, c)
	require.EqualValues(t, 1, k.confirmations(mined))

	// A branch that has become the main chain stays the main chain.
	require.NoError(t, d.Mine(deadline(t), 3, at(t, nobody, 0, 0), blockID(t, d, 80)))
	require.EqualValues(t, 84, heightOf(t, d))
	k.again()
}

// restarts stops the daemon in order and starts it again, then with the options o and a new chain.
func (k *keptChain) restarts(o peers.Options) {
	t, d := k.T, k.d
	t.Helper()
	before, _ := stateOf(t, d)
	require.NoError(t, d.Restart())
	after, _ := stateOf(t, d)
	difference(t, "after an orderly end", before, after)

	// Figures about the folder are plausible.
	info := call[struct {
		Size    uint64 `json:"database_size"`
		Free    uint64 `json:"free_space"`
		Without uint64 `json:"height_without_bootstrap"`
		Height  uint64
	}](t, d, "get_info", nil)
	require.NotZero(t, info.Size)
	require.NotZero(t, info.Free)
	require.Less(t, info.Free, uint64(1<<60))
	require.Equal(t, info.Height, info.Without)

	// Without --keep-fakechain the daemon starts a new chain.
	require.NoError(t, d.Stop())
	o.KeepChain, o.Args = false, []string{"--data-dir", filepath.Join(o.Dir, "chain")}
	d = peers.NewDaemon(t, o)
	require.EqualValues(t, 1, heightOf(t, d))
}

// TestOneDaemonPerFolder starts a second daemon on a folder in use: it ends with an explanation, and the first
// continues. A folder that holds another kind of file stays unchanged.
func TestOneDaemonPerFolder(t *testing.T) {
	t.Parallel()
	path, err := build()
	require.NoError(t, err)
	dir := t.TempDir()
	d := peers.NewDaemon(t, peers.Options{KeepChain: true, Command: []string{path, "daemon"}, Dir: dir})
	folder := filepath.Join(dir, "chain")
	refused := func(why string, more ...string) {
		t.Helper()
		port, err := peers.FreePort()
		require.NoError(t, err)
		cmd := exec.CommandContext(deadline(t), path,
			append([]string{"daemon", "--regtest", "--rpc-bind-port", port}, more...)...)
		said, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "%s", said)
		require.Equal(t, 1, exit.ExitCode(), "%s", said)
		require.Contains(t, string(said), why)
	}
	refused("another daemon uses this folder", "--data-dir", folder)
	refused("another daemon uses this folder", "--data-dir", folder, "--keep-fakechain")
	require.NoError(t, d.Mine(context.Background(), 1, at(t, nobody, 0, 0)))
	require.EqualValues(t, 2, heightOf(t, d))

	other := t.TempDir()
	file := filepath.Join(other, "fake", "glim-chain.db")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte("dear diary"), 0o600))
	refused("not a chain of glim", "--data-dir", other)
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "dear diary", string(content))
}
