package main

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
)

func aPort(t *testing.T) string {
	t.Helper()
	port, err := peers.FreePort()
	require.NoError(t, err)
	return port
}

// start runs a command until the end of the test, and waits until it serves.
func start(t *testing.T, args ...string) (ended <-chan int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s, code := &said{addr: make(chan string, 2)}, make(chan int, 1) // the daemon has two addresses
	done := make(chan struct{})
	go func() {
		defer close(done)
		code <- command(ctx, args, strings.NewReader(""), s, s)
	}()
	t.Cleanup(func() {
		cancel()
		<-done // it writes to its folder until then
	})
	select {
	case <-s.addr:
	case n := <-code:
		t.Fatalf("%s ended with %d: %s", args[0], n, s.text.String())
	}
	return code
}

func dial(t *testing.T, port string, login digest.Login) *native.Transport {
	t.Helper()
	tr, err := native.NewTransport(native.TransportOptions{Address: "http://127.0.0.1:" + port, Login: login})
	require.NoError(t, err)
	return tr
}

// TestDaemonCommand runs glim's daemon and wallets on its chain.
func TestDaemonCommand(t *testing.T) {
	port, restricted, wallets := aPort(t), aPort(t), aPort(t)
	me := digest.NewLogin("me", "secret")
	ended := start(t, "daemon", "--regtest", "--fixed-difficulty", "1", "--offline", "--rpc-bind-port", port,
		"--rpc-restricted-bind-port", restricted, "--rpc-login", "me:secret")
	ctx := t.Context()
	d := dial(t, port, me)

	walletEnded := start(t, "wallet-rpc", "--regtest", "--wallet-dir", t.TempDir(), "--rpc-bind-port", wallets,
		"--disable-rpc-login", "--daemon-address", "127.0.0.1:"+port, "--daemon-login", "me:secret")
	w := dial(t, wallets, digest.Login{})
	_, err := rpc.Call(ctx, w, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "a", Language: "English"})
	require.NoError(t, err)
	a, err := rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	require.NoError(t, err)
	for range 4 {
		_, err = rpc.Call(ctx, d, daemonrpc.GenerateBlocks,
			daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 20, WalletAddress: a.Address})
		require.NoError(t, err)
	}
	_, err = rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.NoError(t, err)
	sent, err := rpc.Call(ctx, w, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: 5e11, Address: a.Address}}})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, d, daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 1, WalletAddress: a.Address})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.NoError(t, err)
	got, err := rpc.Call(ctx, w, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: sent.TxHash})
	require.NoError(t, err)
	require.EqualValues(t, 1, got.Transfer.Confirmations)

	// Restricted clients can read but not mine; without the login they cannot read either.
	s := dial(t, restricted, me)
	info, err := rpc.Call(ctx, s, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.NoError(t, err)
	require.EqualValues(t, 82, info.Height)
	require.True(t, info.Restricted)
	require.Zero(t, info.RPCConnectionsCount)
	info, err = rpc.Call(ctx, d, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.NoError(t, err)
	require.Positive(t, info.RPCConnectionsCount) // this one, and the wallet's
	_, err = rpc.Call(ctx, s, daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 1, WalletAddress: a.Address})
	require.Error(t, err)
	_, err = rpc.Call(ctx, dial(t, port, digest.Login{}), daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.Error(t, err)

	_, err = rpc.Call(ctx, w, walletrpc.StopWallet, walletrpc.Empty{})
	require.NoError(t, err)
	require.Zero(t, <-walletEnded)
	_, err = rpc.Call(ctx, d, daemonrpc.StopDaemon, daemonrpc.None{})
	require.NoError(t, err)
	require.Zero(t, <-ended)
}

func TestFlagsOfTheDaemonCommand(t *testing.T) {
	for args, why := range map[string]string{
		"":                                "--bootstrap-daemon-address",
		"--mainnet":                       "no local chain of mainnet",
		"--stagenet":                      "no local chain of stagenet",
		"--testnet --regtest":             "mutually exclusive",
		"--bootstrap-daemon-address auto": "auto is not supported",
		"--bootstrap-daemon-address a:1 --bootstrap-daemon-login me":       "USER:PASSWORD",
		"--bootstrap-daemon-address a:1 --fixed-difficulty 1":              "requires --regtest",
		"--stagenet --bootstrap-daemon-address a:1 --proxy 127.0.0.1:9050": "--bootstrap-daemon-proxy",
		"--stagenet --bootstrap-daemon-address a:1 --start-mining x":       "requires --regtest",
		"--bootstrap-daemon-address a:1 --fork-height 5":                   "hard forks of mainnet are the network's",
		"--stagenet --bootstrap-daemon-address a:1 --fork-height 5":        "--fork-height requires --regtest",
		"--regtest --fork-grace 5":                                         "--fork-grace requires --fork-height",
		"--regtest --fork-height -1":                                       "not a number below",
		"--regtest --rpc-use-ipv6 --rpc-restricted-bind-ipv6-address ::":   "--confirm-external-bind",
		"--regtest --rpc-ssl maybe":                                        "must be enabled, disabled or autodetect",
		"--regtest --config-file none":                                     "--config-file",
		"--regtest --rpc-bind-ip":                                          "requires a value",
		"--regtest --rpc-bind-ip 0.0.0.0":                                  "--confirm-external-bind",
		"--regtest --rpc-bind-ip here":                                     "not an IP address",
		"--regtest --rpc-bind-port 0":                                      "must not be 0",
		"--regtest --rpc-bind-port 70000":                                  "not a number below",
		"--regtest --rpc-bind-port 5000 --rpc-restricted-bind-port 5000":   "must differ",
		"--regtest --rpc-login me":                                         "USER:PASSWORD",
		"--regtest --log-level loud":                                       "log",
		"--regtest --add-peer name --proxy a:1":                            "names are not looked up",
		"--regtest --proxy http://a:1":                                     "SOCKS 5",
		"--regtest --proxy me:secret@a":                                    "host:port",
		"--regtest --p2p-bind-port 0":                                      "must not be 0",
		"--regtest --out-peers -2":                                         "not -1 or",
		"--regtest --max-connections-per-ip 0":                             "at least 1",
		"--regtest --public-node":                                          "--restricted-rpc",
	} {
		_, err := parseDaemon(strings.Fields(args), noEnv, files{}.read)
		require.ErrorContains(t, err, why, args)
	}
	c, err := parseDaemon(strings.Fields("--regtest --fixed-difficulty 7 --no-igd --p2p-bind-port 5 --restricted-rpc"),
		func(name string) string { return map[string]string{"RPC_LOGIN": "me:secret"}[name] }, files{}.read)
	require.NoError(t, err)
	require.EqualValues(t, 7, c.FixedDifficulty)
	require.EqualValues(t, 18081, c.BindPort)
	require.True(t, c.Restricted)
	require.Equal(t, digest.NewLogin("me", "secret"), c.Login)
	c, err = parseDaemon(
		strings.Fields(
			"--stagenet --bootstrap-daemon-address a:1,b:2 --bootstrap-daemon-address c --bootstrap-daemon-proxy p:9",
		),
		noEnv,
		files{}.read,
	)
	require.NoError(t, err)
	require.EqualValues(t, 38081, c.BindPort)
	require.Equal(t, []string{"a:1", "b:2", "c"}, c.Addresses)
	require.Equal(t, "p:9", c.UpstreamProxy)
	disk := files{
		"bitmonero.conf": "# a chain\nregtest=1\nfixed-difficulty=3 # low\nadd-peer=a\nadd-peer=b\nrpc-bind-port=5\n",
	}
	c, err = parseDaemon(strings.Fields("--config-file bitmonero.conf --rpc-bind-port 6"), noEnv, disk.read)
	require.NoError(t, err)
	require.EqualValues(t, 3, c.FixedDifficulty)
	require.EqualValues(t, 6, c.BindPort, "the command line wins")
	require.Equal(t, []string{"a", "b"}, c.Peers.Known)
	code, out, _ := runCommand(t, "daemon", "--os-version")
	require.Zero(t, code)
	require.Equal(t, "OS: "+runtime.GOOS+" "+runtime.GOARCH+"\n", out)
	code, out, _ = runCommand(t, "daemon", "--help")
	require.Zero(t, code)
	require.Contains(t, out, "--fixed-difficulty")
}

// TestDaemonListensOnIPv4AndIPv6 serves on IPv6 and IPv4, with TLS only.
func TestDaemonListensOnIPv4AndIPv6(t *testing.T) {
	port := aPort(t)
	args := []string{"daemon", "--regtest", "--rpc-bind-port", port, "--rpc-ssl", "enabled", "--rpc-use-ipv6"}
	l, err := net.Listen("tcp6", net.JoinHostPort("::1", port))
	if err != nil { // a machine without IPv6
		code, _, errs := runCommand(t, args...)
		require.Equal(t, 1, code)
		require.Contains(t, errs, "::1")
		return
	}
	require.NoError(t, l.Close())
	ended := start(t, args...)
	for _, ip := range []string{"127.0.0.1", "::1"} {
		address := net.JoinHostPort(ip, port)
		tr, err := native.NewTransport(
			native.TransportOptions{Address: address, SSL: native.SSL{Mode: native.SSLEnabled, AllowAnyCert: true}},
		)
		require.NoError(t, err)
		h, err := rpc.Call(t.Context(), tr, daemonrpc.GetHeight, daemonrpc.None{})
		require.NoError(t, err)
		require.EqualValues(t, 1, h.Height)
		plain, err := native.NewTransport(native.TransportOptions{Address: "http://" + address})
		require.NoError(t, err)
		_, err = rpc.Call(t.Context(), plain, daemonrpc.GetHeight, daemonrpc.None{})
		require.Error(t, err)
		_, err = rpc.Call(t.Context(), tr, daemonrpc.GetBlockHeaderByHash,
			daemonrpc.GetBlockHeaderByHashRequest{Hash: h.Hash})
		require.NoError(t, err)
		if ip == "::1" {
			_, err = rpc.Call(t.Context(), tr, daemonrpc.StopDaemon, daemonrpc.None{})
			require.NoError(t, err)
		}
		tr.Close()
	}
	require.Zero(t, <-ended)
}

// TestDaemonMinesFromTheStart checks --start-mining with one thread, and the hash rate output.
func TestDaemonMinesFromTheStart(t *testing.T) {
	port := aPort(t)
	code, _, errs := runCommand(t, "daemon", "--regtest", "--rpc-bind-port", port, "--start-mining", "nobody")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "--start-mining: Failed, wrong address")
	code, _, errs = runCommand(t, "daemon", "--regtest", "--bg-mining-idle-threshold", "100")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "--bg-mining-idle-threshold must be from 1 to 99")

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, ended := &said{addr: make(chan string, 1)}, make(chan int, 1)
	go func() {
		args := []string{"daemon", "--regtest", "--fixed-difficulty", "1", "--rpc-bind-port", port,
			"--start-mining", node.UnspendableAddress()}
		ended <- command(ctx, args,
			strings.NewReader(""), s, s)
	}()
	<-s.addr
	d := dial(t, port, digest.Login{})
	_, err := rpc.Call(ctx, d, daemonrpc.SetLogHashRate, daemonrpc.SetLogHashRateRequest{Visible: true})
	require.NoError(t, err)
	status, err := rpc.Call(ctx, d, daemonrpc.MiningStatus, daemonrpc.None{})
	require.NoError(t, err)
	require.True(t, status.Active)
	require.EqualValues(t, 1, status.ThreadsCount)
	require.Eventually(t, func() bool {
		h, err := rpc.Call(ctx, d, daemonrpc.GetHeight, daemonrpc.None{})
		s.mu.Lock()
		defer s.mu.Unlock()
		return err == nil && h.Height > 2 && strings.Contains(s.text.String(), "hashrate: ")
	}, 5*time.Minute, 50*time.Millisecond)
	_, err = rpc.Call(ctx, d, daemonrpc.StopDaemon, daemonrpc.None{})
	require.NoError(t, err)
	require.Zero(t, <-ended)
}

// TestGatewayCommand serves restricted RPC by a gateway to several daemons, one of which is down. A wallet synchronises
// and pays through it with compact blocks, which are stored in a folder. Unrestricted operations are not available.
func TestGatewayCommand(t *testing.T) {
	behind, before, wallets, shelf := aPort(t), aPort(t), aPort(t), t.TempDir()
	start(t, "daemon", "--regtest", "--fixed-difficulty", "1", "--rpc-bind-port", behind)
	d := dial(t, behind, digest.Login{})
	start(t, "daemon", "--regtest", "--no-sync", "--bootstrap-daemon-address", "127.0.0.1:1,127.0.0.1:"+behind,
		"--gateway", "--restricted-rpc", "--gateway-cache", shelf, "--rpc-bind-port", before)
	g, ctx := dial(t, before, digest.Login{}), t.Context()
	start(t, "wallet-rpc", "--regtest", "--wallet-dir", t.TempDir(), "--rpc-bind-port", wallets, "--disable-rpc-login",
		"--no-initial-sync", "--daemon-address", "127.0.0.1:"+before)
	w := dial(t, wallets, digest.Login{})
	_, err := rpc.Call(ctx, w, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "a", Language: "English"})
	require.NoError(t, err)
	a, err := rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, d, daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 230, WalletAddress: a.Address})
	require.NoError(t, err)
	// The gateway's view of the top block is some seconds old.
	require.Eventually(t, func() bool {
		_, err := rpc.Call(ctx, w, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
		h, failed := rpc.Call(ctx, w, walletrpc.GetHeight, walletrpc.Empty{})
		return err == nil && failed == nil && h.Height == 231
	}, 5*time.Minute, 500*time.Millisecond)
	requirePaid(t, ctx, w, d, a.Address)
	_, err = rpc.Call(ctx, g, daemonrpc.GetCompactBlocks, daemonrpc.GetCompactBlocksRequest{Version: 1, StartHeight: 1})
	require.NoError(t, err)
	kept, err := os.ReadDir(shelf)
	require.NoError(t, err)
	require.Len(t, kept, 1, "blocks 0 to 99, with 100 and more after them")
	_, err = rpc.Call(ctx, g, daemonrpc.StopDaemon, daemonrpc.None{})
	require.Error(t, err)
	_, err = rpc.Call(ctx, g, daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 1, WalletAddress: a.Address})
	require.Error(t, err)
}

// TestFrontCommand runs a daemon without a chain in front of one with a private chain, and a wallet on it. The other
// daemon is also changed at run time.
func TestFrontCommand(t *testing.T) {
	behind, before, wallets := aPort(t), aPort(t), aPort(t)
	start(t, "daemon", "--regtest", "--fixed-difficulty", "1", "--rpc-bind-port", behind, "--rpc-login", "me:secret")
	d := dial(t, behind, digest.NewLogin("me", "secret"))
	front := start(t, "daemon", "--regtest", "--no-sync", "--bootstrap-daemon-address", "127.0.0.1:1,127.0.0.1:"+behind,
		"--bootstrap-daemon-login", "me:secret", "--rpc-bind-port", before)
	f := dial(t, before, digest.Login{})
	start(t, "wallet-rpc", "--regtest", "--wallet-dir", t.TempDir(), "--rpc-bind-port", wallets, "--disable-rpc-login",
		"--daemon-address", "127.0.0.1:"+before)
	w, ctx := dial(t, wallets, digest.Login{}), t.Context()
	_, err := rpc.Call(ctx, w, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "a", Language: "English"})
	require.NoError(t, err)
	a, err := rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, d, daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 80, WalletAddress: a.Address})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.NoError(t, err)
	requirePaid(t, ctx, w, d, a.Address)
	info, err := rpc.Call(ctx, f, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.NoError(t, err)
	require.True(t, info.Untrusted)
	require.EqualValues(t, 81, info.Height)
	require.Equal(t, "127.0.0.1:"+behind, info.BootstrapDaemonAddress)
	_, err = rpc.Call(ctx, f, daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 1, WalletAddress: a.Address})
	require.ErrorContains(t, err, "unsupported")

	set, err := rpc.Call(ctx, f, daemonrpc.SetBootstrapDaemon, daemonrpc.SetBootstrapDaemonRequest{})
	require.NoError(t, err)
	require.Equal(t, "OK", set.Status)
	_, err = rpc.Call(ctx, f, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.ErrorContains(t, err, "Core is busy")
	_, err = rpc.Call(ctx, f, daemonrpc.StopDaemon, daemonrpc.None{})
	require.NoError(t, err)
	require.Zero(t, <-front)
}

// requirePaid pays an address from the wallet of w, and requires the payment in the pool of the daemon d.
func requirePaid(t *testing.T, ctx context.Context, w, d rpc.Transport, address string) {
	t.Helper()
	sent, err := rpc.Call(ctx, w, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: 5e11, Address: address}}})
	require.NoError(t, err)
	pool, err := rpc.Call(ctx, d, daemonrpc.GetTransactionPoolHashes, daemonrpc.PayerOnly{})
	require.NoError(t, err)
	require.Len(t, pool.TxHashes, 1)
	require.Equal(t, sent.TxHash, pool.TxHashes[0].String())
}

// TestPublishingFlags checks ZeroMQ addresses, the confirmation of non-loopback ones, and that only unused sockets are
// replaced.
func TestPublishingFlags(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pub")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	require.NoError(t, err)
	left.SetUnlinkOnClose(false)
	port := aPort(t)
	code, _, errs := runCommand(t, "daemon", "--regtest", "--rpc-bind-port", port, "--zmq-pub", "ipc://"+path)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "--zmq-pub ipc://"+path)
	require.NoError(t, left.Close())
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	code, _, _ = runCommand(t, "daemon", "--regtest", "--rpc-bind-port", port, "--zmq-pub", "ipc://"+file)
	require.Equal(t, 1, code)
	require.FileExists(t, file)

	start(t, "daemon", "--regtest", "--rpc-bind-port", port, "--zmq-pub", "ipc://"+path+",tcp://127.0.0.1:"+aPort(t))
	s, err := peers.DialZMQ(t.Context(), "unix", path, "SUB")
	require.NoError(t, err)
	require.NoError(t, s.Close())

	for flags, want := range map[string]string{
		"--zmq-pub 127.0.0.1:18083":                                   "is not tcp://IP:PORT or ipc://PATH",
		"--zmq-pub tcp://127.0.0.1:0":                                 "is not tcp://IP:PORT or ipc://PATH",
		"--zmq-pub tcp://example.org:18083":                           "is not tcp://IP:PORT or ipc://PATH",
		"--zmq-pub ipc://":                                            "is not tcp://IP:PORT or ipc://PATH",
		"--zmq-pub tcp://*:18083":                                     "--confirm-zmq-rpc-external-bind",
		"--zmq-pub tcp://*:18083 --confirm-zmq-rpc-external-bind":     "",
		"--zmq-pub tcp://localhost:18083 --zmq-pub tcp://[::1]:18083": "",
		"--zmq-pub tcp://127.0.0.1:18083 --no-zmq":                    "",
	} {
		c, err := parseDaemon(
			append([]string{"--regtest"}, strings.Fields(flags)...),
			func(string) string { return "" },
			os.ReadFile,
		)
		if want != "" {
			require.ErrorContains(t, err, want, flags)
			continue
		}
		require.NoError(t, err, flags)
		require.Equal(t, c.NoZMQ, len(c.PublishAt) == 0)
		require.Equal(t, c.NoZMQ, len(c.Warnings) == 1)
	}
	_, err = parseDaemon(
		[]string{"--bootstrap-daemon-address", "127.0.0.1:1", "--zmq-pub", "tcp://127.0.0.1:18083"},
		func(string) string { return "" },
		os.ReadFile,
	)
	require.ErrorContains(t, err, "--zmq-pub requires --regtest")
}

// TestForkHeight: --fork-height makes a private chain reach the next hard fork, and other chains are as before.
func TestForkHeight(t *testing.T) {
	for args, want := range map[string]consensus.Schedule{
		"--regtest":                                nil,
		"--regtest --fork-height 100":              consensus.RegtestForks(100, 820),
		"--regtest --fork-height 1 --fork-grace 0": consensus.RegtestForks(1, 1),
	} {
		c, err := parseDaemon(strings.Fields(args), noEnv, files{}.read)
		require.NoError(t, err)
		d := &daemonProcess{cfg: c, log: slog.New(slog.DiscardHandler)}
		o := d.nodeConfig().Chain
		require.Equal(t, want, o.Forks, args)
		require.Equal(t, want != nil, o.Next != nil, args)
	}
}
