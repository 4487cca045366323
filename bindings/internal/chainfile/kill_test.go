package chainfile

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/node"
)

const workVariable = "CHAINFILE_TEST_WORK_ON"

// intent is a change that a process is about to make, or has made.
type intent struct {
	What string // mine, pop, reorganise
	N    int
	Done bool
	IDs  []string // the added blocks
}

// TestKilled kills a process that changes a chain at random times. Acknowledged changes must be stored, unacknowledged
// ones completely or not at all, and the lock must be released.
func TestKilled(t *testing.T) {
	if folder := os.Getenv(workVariable); folder != "" {
		work(t, folder)
	}
	folder := filepath.Join(t.TempDir(), "chain")
	chain := []string{}
	whole, unacknowledged := 0, 0
	for round := range 30 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), workVariable+"="+folder)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewReader(out)
		var last intent
		read := func(line string) {
			var i intent
			require.NoError(t, json.Unmarshal([]byte(line), &i), "%q", line)
			if i.Done {
				chain = i.apply(chain)
				whole++
			}
			last = i
		}
		for range mathrand.IntN(24) {
			line, err := lines.ReadString('\n')
			require.NoError(t, err)
			read(line)
		}
		if round == 1 {
			_, err = lines.ReadString('\n') // from here on it holds the lock
			require.NoError(t, err)
			_, err = Open(folder, false)
			require.ErrorIs(t, err, ErrLocked, "while the other process runs")
			_, err = Open(folder, true)
			require.ErrorIs(t, err, ErrLocked)
			kill(t, cmd)
			chain = reopened(t, folder)
			continue
		}
		for range mathrand.IntN(1_000_000) { // kills it at a random time within the next commits
			mathrand.Uint64()
		}
		require.NoError(t, cmd.Process.Kill())
		rest, err := io.ReadAll(lines)
		require.NoError(t, err)
		_ = cmd.Wait()
		for line := range strings.SplitAfterSeq(string(rest), "\n") {
			if strings.HasSuffix(line, "\n") {
				read(line)
			}
		}

		now := reopened(t, folder)
		if fmt.Sprint(now) != fmt.Sprint(chain) {
			require.False(t, last.Done, "acknowledged and lost")
			last.fits(t, chain, now)
			unacknowledged++
		}
		chain = now
	}
	require.Greater(t, whole, 100)
	t.Log(whole, "changes acknowledged,", unacknowledged, "there without")
}

// apply returns the chain after a change.
func (i intent) apply(chain []string) []string {
	keep := len(chain)
	if i.What != "mine" {
		keep -= min(i.N, keep)
	}
	return append(chain[:keep:keep], i.IDs...)
}

// fits checks that a chain is the result of a change, as far as this is known without its response.
func (i intent) fits(t *testing.T, before, now []string) {
	t.Helper()
	n := map[string]int{"mine": i.N, "pop": 0, "reorganise": i.N + 1}[i.What]
	require.GreaterOrEqual(t, len(now), n, "%+v", i)
	require.Equal(t, intent{What: i.What, N: i.N, IDs: now[len(now)-n:]}.apply(before), now, "%+v", i)
}

func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
}

// reopened returns the IDs of all blocks but the genesis block.
func reopened(t *testing.T, folder string) (ids []string) {
	t.Helper()
	f := open(t, folder, false)
	n := daemon(t, f)
	ids = list(n)
	require.NoError(t, f.Close())
	return ids
}

func list(n *node.Regtest) []string {
	ids := []string{}
	n.Chain().View(func(v chain.View) {
		for height := uint64(1); height < v.Height(); height++ {
			ids = append(ids, v.Block(height).ID.String())
		}
	})
	return ids
}

// work changes a chain until killed, and reports each change before and after.
func work(t *testing.T, folder string) {
	f := open(t, folder, false)
	n := daemon(t, f)
	say := func(i intent) {
		line, err := json.Marshal(i)
		require.NoError(t, err)
		_, err = os.Stdout.Write(append(line, '\n'))
		require.NoError(t, err)
	}
	for {
		before := list(n)
		blocks := len(before)
		i := intent{What: "mine", N: 1 + mathrand.IntN(4)}
		switch r := mathrand.IntN(5); {
		case r == 0 && blocks > 0:
			i.What, i.N = "pop", 1+mathrand.IntN(min(blocks, 3))
		case r == 1 && blocks > 0:
			i.What, i.N = "reorganise", 1+mathrand.IntN(min(blocks, 3))
		}
		say(i)
		var err error
		switch i.What {
		case "pop":
			_, err = n.Chain().PopBlocks(uint64(i.N))
		case "mine":
			_, err = n.Mine(context.Background(), i.N, fund)
		default:
			_, err = n.Reorganise(context.Background(), i.N, fund)
		}
		require.NoError(t, err)
		now := list(n)
		i.Done, i.IDs = true, now[len(intent{What: i.What, N: i.N}.apply(before)):]
		say(i)
	}
}
