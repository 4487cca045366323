//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native/webhook"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
)

// readme returns the shell blocks of the README and of the guides to the services: those of the quick start, and the
// others.
func readme(t *testing.T) (quickStart, others []string) {
	t.Helper()
	b, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(b), "<!-- quick start -->")
	require.True(t, found)
	first, after, found := strings.Cut(rest, "<!-- end of quick start -->")
	require.True(t, found)
	others = shellBlocks(t, before+after)
	for _, name := range []string{"SERVICE.md", "DAEMON.md"} {
		b, err := os.ReadFile("../" + name)
		require.NoError(t, err)
		others = append(others, shellBlocks(t, string(b))...)
	}
	return shellBlocks(t, first), others
}

// prepareReadmeWallets creates the wallets that the README's clients use, and mines a block to one of them.
func prepareReadmeWallets(t *testing.T, d, w rpc.Transport) {
	t.Helper()
	ctx := t.Context()
	made, err := w.Post(ctx, "/wallets/alice/json_rpc",
		[]byte(`{"method":"create_wallet","params":{"password":"secret","language":"English"}}`))
	require.NoError(t, err)
	require.NotContains(t, string(made), "error")
	_, err = w.Post(ctx, "/wallets/alice/json_rpc", []byte(`{"method":"close_wallet"}`))
	require.NoError(t, err)
	_, err = rpc.Call(ctx, w, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "plain", Language: "English"})
	require.NoError(t, err)
	a, err := rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, d, daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 1, WalletAddress: a.Address})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.NoError(t, err)
}

// TestReadme runs the commands of the README: services, clients, and the signature of a webhook. Those of the quick
// start are tested by TestReadmePasted.
func TestReadme(t *testing.T) {
	needCurl(t)
	_, blocks := readme(t)
	t.Chdir(t.TempDir())
	var running []<-chan int
	t.Cleanup(func() { // runs before the folder is removed, and after the programs were stopped
		for _, ended := range running {
			<-ended
		}
	})
	start := func(args ...string) { running = append(running, start(t, args...)) }

	// A chain, and wallets on it, for the clients of the README. Services and clients in the README share ports.
	chain, wallets, free := aPort(t), aPort(t), aPort(t)
	ports := strings.NewReplacer("127.0.0.1:48083", "127.0.0.1:"+wallets, "127.0.0.1:18083", "127.0.0.1:"+wallets)
	start("daemon", "--regtest", "--fixed-difficulty", "1", "--rpc-bind-port", chain)
	start(
		"wallet-rpc", "--regtest", "--wallet-dir", "dir", "--rpc-bind-port", wallets, "--rpc-login", "me:secret",
		"--daemon-address", "127.0.0.1:"+chain,
	)
	ctx, d, w := t.Context(), dial(t, chain, digest.Login{}), dial(t, wallets, digest.NewLogin("me", "secret"))
	prepareReadmeWallets(t, d, w)

	services := 0
	for _, block := range blocks {
		shell := func(environment ...string) string {
			t.Helper()
			c := exec.CommandContext(ctx, "sh", "-euc", ports.Replace(block))
			c.Env = append(os.Environ(), environment...)
			out, err := c.CombinedOutput()
			require.NoError(t, err, "%s%s", block, out)
			return string(out)
		}
		switch first := strings.Fields(block); {
		case first[0] == "bin/glim":
			own := strings.NewReplacer(
				"node.example:18081", "127.0.0.1:"+free, "other.example:18081", "localhost:"+free, "localhost:18081",
				"127.0.0.1:"+free, "48081", aPort(t), "48080", aPort(t), "48091", aPort(t), "48090", aPort(t), "18083",
				aPort(t), "18091", aPort(t),
			)
			for line := range strings.Lines(own.Replace(strings.ReplaceAll(block, "\\\n", " "))) {
				args := strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), " &"))[1:]
				if !strings.Contains(line, "--rpc-bind-port") { // the default port may be in use
					args = append(args, "--rpc-bind-port", aPort(t))
				}
				start(args...)
				services++
			}
		case first[0] == "curl" && first[1] == "-N": // a stream has no end
			c := exec.CommandContext(ctx, "sh", "-c", "exec "+ports.Replace(block))
			out, err := c.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, c.Start())
			s := bufio.NewScanner(out)
			for s.Scan() && !strings.Contains(s.Text(), `"type":"confirmed"`) {
			}
			require.Contains(t, s.Text(), `"type":"confirmed"`, "the stream reports the reward")
			_ = c.Process.Kill()
			_ = c.Wait() // it was killed
		case strings.Contains(block, "seed_type"): // the address is in core/walletseed/testdata
			require.Contains(t, shell(), `"address":"44jKQv6ZKMd5ecLLmkNJGi7azgSptEq8ki7TFiat1TfLfdDQ1tQ7ZYa3cRh7`)
		case strings.Contains(block, "create_invoice"):
			require.Equal(t, 2, strings.Count(shell(), `"state":"pending"`), block)
		case first[0] == "curl":
			require.Contains(t, shell(), `"result":{}`, block)
		case first[0] == "printf":
			said := shell("timestamp=1700000000", `body={"a":1}`, "secret=a secret of many bytes")
			require.Contains(t, said, webhook.Sign([]byte("a secret of many bytes"), 1700000000, []byte(`{"a":1}`)))
		default:
			t.Errorf("nothing runs this:\n%s", block)
		}
	}
	require.Equal(t, 6, services)
	left, err := filepath.Glob("*.login")
	require.NoError(t, err)
	require.Len(t, left, 2, "a service without a login generates one until it ends")
}
