package scenario

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// TestChainIsKept tells one story with monerod and with our command, each a process that is killed in it: chain and pool
// are there when it starts again with the same folder, and a wallet goes on.
func TestChainIsKept(t *testing.T) {
	t.Parallel()
	path, err := build()
	require.NoError(t, err)
	for name, command := range map[string][]string{"monerod": nil, "glim": {path, "daemon"}} {
		t.Run(name, func(t *testing.T) { chainIsKept(t, command) })
	}
}

// state is what a daemon says of chain and pool.
type state struct {
	Height     uint64 `json:"height"`
	Top        string `json:"top_block_hash"`
	Difficulty uint64 `json:"cumulative_difficulty"`
	Txs        uint64 `json:"tx_count"`
	Pool       any    `json:"-"`
	Headers    any    `json:"-"`
}

func stateOf(t *testing.T, d *peers.Daemon) (k state) {
	t.Helper()
	require.NoError(t, d.JSON(deadline(t), "get_info", nil, &k))
	var pool struct {
		Transactions []map[string]any
		Images       any `json:"spent_key_images"`
	}
	require.NoError(t, d.Path(deadline(t), "/get_transaction_pool", nil, &pool))
	for _, tx := range pool.Transactions {
		delete(tx, "last_relayed_time") // monerod passes on again what it finds
		delete(tx, "tx_json")           // its members have no order
	}
	k.Pool = []any{pool.Transactions, pool.Images}
	k.Headers = call[struct{ Headers []any }](t, d, "get_block_headers_range", object{"start_height": 0, "end_height": k.Height - 1}).Headers
	return k
}

func chainIsKept(t *testing.T, command []string) {
	o := peers.Options{KeepChain: true, Command: command, Dir: t.TempDir()}
	d := peers.NewDaemon(t, o)
	require.NoError(t, d.Mine(deadline(t), 80, at(t, alice, 0, 0)))
	c := newGlim(t, d.URL, options{})
	restore(t, c, "w", alice)
	refresh(t, c)
	again := func() {
		t.Helper()
		before := stateOf(t, d)
		require.NoError(t, d.Kill())
		require.NoError(t, d.Restart())
		require.Equal(t, before, stateOf(t, d))
		do(t, c, "set_daemon", object{"address": d.URL, "trusted": true})
		refresh(t, c)
	}

	// One payment is mined, one waits.
	mined := pay(t, c, []destination{{at(t, bob, 0, 0), coin}}, nil)
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, c)
	waits := pay(t, c, []destination{{at(t, bob, 0, 1), 2 * coin}}, nil)
	balance := call[map[string]any](t, c, "get_balance", object{"account_index": 0})
	again()
	require.EqualValues(t, 82, stateOf(t, d).Height)
	require.Contains(t, text(t, stateOf(t, d).Pool), waits.TxHash)
	require.Equal(t, balance, call[map[string]any](t, c, "get_balance", object{"account_index": 0}))

	// The wallet goes on: what waited is mined, and what the chain had is spent.
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, c)
	confirmations := func(tx transferred) uint64 {
		return call[struct {
			Transfer struct{ Confirmations uint64 }
		}](t, c, "get_transfer_by_txid", object{"txid": tx.TxHash}).Transfer.Confirmations
	}
	require.EqualValues(t, 2, confirmations(mined))
	require.EqualValues(t, 1, confirmations(waits))
	pay(t, c, []destination{{at(t, bob, 0, 2), 3 * coin}}, nil)

	// What is taken away stays away, and waits for another block.
	require.NoError(t, d.Path(deadline(t), "/pop_blocks", object{"nblocks": 2}, nil))
	require.NoError(t, d.Path(deadline(t), "/save_bc", nil, nil))
	require.EqualValues(t, 81, stateOf(t, d).Height)
	again()
	require.EqualValues(t, 81, stateOf(t, d).Height)
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, c)
	require.EqualValues(t, 1, confirmations(mined))

	// So does a branch that has overtaken.
	require.NoError(t, d.Mine(deadline(t), 3, at(t, nobody, 0, 0), blockID(t, d, 80)))
	require.EqualValues(t, 84, stateOf(t, d).Height)
	again()

	// It is asked to end: the same.
	before := stateOf(t, d)
	require.NoError(t, d.Restart())
	require.Equal(t, before, stateOf(t, d))

	// What is told of the folder is true.
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

	// Without --keep-fakechain a start begins anew.
	require.NoError(t, d.Stop())
	o.KeepChain, o.Args = false, []string{"--data-dir", filepath.Join(o.Dir, "chain")}
	if command == nil {
		o.Args = nil
	}
	d = peers.NewDaemon(t, o)
	require.EqualValues(t, 1, stateOf(t, d).Height)
}

// TestOneDaemonAFolder starts a second daemon in a folder: it says why not, and the first goes on. A folder of something
// else is left as it is.
func TestOneDaemonAFolder(t *testing.T) {
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
		cmd := exec.CommandContext(deadline(t), path, append([]string{"daemon", "--regtest", "--rpc-bind-port", port}, more...)...)
		said, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "%s", said)
		require.Equal(t, 1, exit.ExitCode(), "%s", said)
		require.Contains(t, string(said), why)
	}
	refused("another daemon keeps its chain there", "--data-dir", folder)
	refused("another daemon keeps its chain there", "--data-dir", folder, "--keep-fakechain")
	require.NoError(t, d.Mine(context.Background(), 1, at(t, nobody, 0, 0)))
	require.EqualValues(t, 2, stateOf(t, d).Height)

	other := t.TempDir()
	file := filepath.Join(other, "fake", "glim-chain.db")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte("dear diary"), 0o600))
	refused("no chain of glim's", "--data-dir", other)
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "dear diary", string(content))
}
