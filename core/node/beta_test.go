package node

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/nextfork"
	"glim/core/xmr"
)

// TestBetaExchange gives our daemon what the beta's daemon got in an exchange with us, in the same order: the blocks
// that both made, transactions of our wallets, and altered ones. It says what the beta said, and has its blocks.
func TestBetaExchange(t *testing.T) {
	file, err := os.Open("testdata/exchange.txt.gz")
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	require.True(t, lines.Scan())
	var tree, proof uint64
	_, err = fmt.Sscanf(lines.Text(), "forks %d %d", &tree, &proof)
	require.NoError(t, err)
	c := &clock{1_700_000_000}
	n, err := New(Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: c.read, Random: &zeros{},
		Forks: consensus.RegtestForks(tree, proof), Next: nextfork.Fork{},
	}})
	require.NoError(t, err)
	r := n.Registry()
	seen := map[string]int{}
	for number := 2; lines.Scan(); number++ {
		kind, rest, _ := strings.Cut(lines.Text(), " ")
		text, want, _ := strings.Cut(rest, " : ")
		if _, ours, differs := strings.Cut(want, " / "); differs {
			want = ours
		}
		switch kind {
		case "block":
			blob, err := hex.DecodeString(text)
			require.NoError(t, err)
			b, err := block.Parse(blob)
			require.NoError(t, err)
			c.now = max(c.now, b.Timestamp)
			added, err := n.Chain().AddBlock(blob)
			require.NoError(t, err, "line %d", number)
			require.Equal(t, want, added.ID.String(), "line %d", number)
			seen[kind]++
		case "tx":
			got := ask(t, r, daemonrpc.SendRawTransaction, daemonrpc.SendRawTransactionRequest{TxAsHex: text})
			require.Equal(t, want, strings.TrimSpace(got.Status+" "+got.Reason), "line %d", number)
			seen[got.Status]++
		case "pop":
			var blocks uint64
			_, err := fmt.Sscanf(text, "%d", &blocks)
			require.NoError(t, err)
			_, err = n.Chain().PopBlocks(blocks)
			require.NoError(t, err)
		default:
			t.Fatalf("line %d has an unknown kind", number)
		}
	}
	require.NoError(t, lines.Err())
	require.Greater(t, seen["block"], 150)
	require.Greater(t, seen[daemonrpc.StatusOK], 12)
	require.Greater(t, seen[daemonrpc.StatusFailed], 40)
}
