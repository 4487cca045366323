package main

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/native/digest"
	"glim/bindings/peers"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

func aPort(t *testing.T) string {
	t.Helper()
	port, err := peers.FreePort()
	require.NoError(t, err)
	return port
}

// start runs a command line until the test ends and waits for it to serve a private chain.
func start(t *testing.T, args ...string) (ended <-chan int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s, code := &said{addr: make(chan string, 2)}, make(chan int, 1) // the daemon has two addresses
	go func() { code <- command(ctx, args, strings.NewReader(""), s, s) }()
	t.Cleanup(cancel)
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

// TestDaemonCommand: a chain of glim's own, and glim's wallets on it, with nothing else installed.
func TestDaemonCommand(t *testing.T) {
	port, strangers, wallets := aPort(t), aPort(t), aPort(t)
	me := digest.NewLogin("me", "secret")
	ended := start(t, "daemon", "--regtest", "--fixed-difficulty", "1", "--offline", "--rpc-bind-port", port,
		"--rpc-restricted-bind-port", strangers, "--rpc-login", "me:secret")
	ctx := t.Context()
	d := dial(t, port, me)

	walletEnded := start(t, "wallet-rpc", "--regtest", "--wallet-dir", t.TempDir(), "--rpc-bind-port", wallets, "--disable-rpc-login",
		"--daemon-address", "127.0.0.1:"+port, "--daemon-login", "me:secret")
	w := dial(t, wallets, digest.Login{})
	_, err := rpc.Call(ctx, w, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "a", Language: "English"})
	require.NoError(t, err)
	a, err := rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	require.NoError(t, err)
	for range 4 {
		_, err = rpc.Call(ctx, d, daemonrpc.GenerateBlocks, daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 20, WalletAddress: a.Address})
		require.NoError(t, err)
	}
	_, err = rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.NoError(t, err)
	sent, err := rpc.Call(ctx, w, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: 5e11, Address: a.Address}}})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, d, daemonrpc.GenerateBlocks, daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 1, WalletAddress: a.Address})
	require.NoError(t, err)
	_, err = rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.NoError(t, err)
	got, err := rpc.Call(ctx, w, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: sent.TxHash})
	require.NoError(t, err)
	require.EqualValues(t, 1, got.Transfer.Confirmations)

	// Strangers look, and do not mine; without the login they do not even look.
	s := dial(t, strangers, me)
	info, err := rpc.Call(ctx, s, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.NoError(t, err)
	require.EqualValues(t, 82, info.Height)
	require.True(t, info.Restricted)
	_, err = rpc.Call(ctx, s, daemonrpc.GenerateBlocks, daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 1, WalletAddress: a.Address})
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
	none := func(string) string { return "" }
	for args, why := range map[string]string{
		"":                                "--regtest is required",
		"--stagenet":                      "unknown flag",
		"--regtest --rpc-bind-ip":         "needs a value",
		"--regtest --rpc-bind-ip 0.0.0.0": "--confirm-external-bind",
		"--regtest --rpc-bind-ip here":    "not an IP address",
		"--regtest --rpc-bind-port 0":     "not 0",
		"--regtest --rpc-bind-port 70000": "not a number below",
		"--regtest --rpc-bind-port 5000 --rpc-restricted-bind-port 5000": "are the same",
		"--regtest --rpc-login me":                                       "USER:PASSWORD",
		"--regtest --log-level loud":                                     "log",
	} {
		_, err := parseDaemon(strings.Fields(args), none)
		require.ErrorContains(t, err, why, args)
	}
	c, err := parseDaemon(strings.Fields("--regtest --fixed-difficulty 7 --no-igd --p2p-bind-port 5 --restricted-rpc"),
		func(name string) string { return map[string]string{"RPC_LOGIN": "me:secret"}[name] })
	require.NoError(t, err)
	require.EqualValues(t, 7, c.FixedDifficulty)
	require.EqualValues(t, 18081, c.BindPort)
	require.True(t, c.Restricted)
	require.Equal(t, digest.NewLogin("me", "secret"), c.Login)
	code, out, _ := runCommand(t, "daemon", "--help")
	require.Zero(t, code)
	require.Contains(t, out, "--fixed-difficulty")
}
