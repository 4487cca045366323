package scenario

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// The wallets of the scenarios.
const (
	alice  = iota + 1 // is compared
	bob               // pays
	carol             // has one output
	dave              // has no outputs yet
	nobody            // is never opened
)

// grow mines a chain with spendable outputs of alice, bob and carol.
func grow(ctx context.Context, d *peers.Daemon) error {
	for _, m := range []struct {
		n   int
		who byte
	}{{2, nobody}, {1, carol}, {20, alice}, {16, bob}, {64, nobody}} {
		to, err := addressOf(m.who, 0, 0)
		if err != nil {
			return err
		}
		if err := d.Mine(ctx, m.n, to); err != nil {
			return err
		}
	}
	return nil
}

// newMined starts a daemon of ours with the chain of grow.
func newMined(t *testing.T) *peers.Daemon {
	t.Helper()
	d := newDaemon(t)
	require.NoError(t, grow(deadline(t), d))
	return d
}

// mined is the folder of a monerod with that chain, which takes it some seconds to make.
var mined = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "glim-scenario-"); err != nil {
		return "", err
	}
	keep(dir)
	d, err := peers.StartDaemon(context.Background(), peers.Options{Dir: dir, KeepChain: true})
	if err != nil {
		return "", err
	}
	if err := grow(context.Background(), d); err != nil {
		return "", err
	}
	return dir, d.Stop()
})

// newMinedMonerod starts the real daemon with a copy of that chain, and additional flags.
func newMinedMonerod(t *testing.T, args ...string) *peers.Daemon {
	t.Helper()
	peers.Require(t)
	from, err := mined()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "chain"), os.DirFS(filepath.Join(from, "chain"))))
	d := peers.NewDaemon(t, peers.Options{Dir: dir, KeepChain: true, Args: args})
	height, _ := chainTop(t, d)
	require.EqualValues(t, 104, height)
	return d
}

var (
	keptMu sync.Mutex
	kept   []string
)

// keep records a folder that all tests share, to be removed at the end.
func keep(dir string) {
	keptMu.Lock()
	defer keptMu.Unlock()
	kept = append(kept, dir)
}

func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && !checkCompared() {
		code = 1
	}
	for _, dir := range kept {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}
