package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// published are command lines and configuration files with which public projects start monero-wallet-rpc; addresses, folders and ports are the
// test's. Each is a fact about the project it is named after, read in its public sources in 2026.
var published = []struct {
	name string
	// line has {dir}, {port} and {daemon} to be filled in. Arguments are separated by spaces, and ~ stands for a space within one.
	line string
	file string // what the configuration file {dir}/config holds
	// refuses is what glim says of a line that it does not start with; empty for a line that it serves.
	refuses string
	why     string // for a line which the reference takes and glim refuses
}{
	{name: "BTCPay Server's container", line: "--rpc-bind-ip=127.0.0.1 --disable-rpc-login --confirm-external-bind --rpc-bind-port={port} " +
		"--non-interactive --trusted-daemon --daemon-address={daemon} --wallet-dir={dir} " +
		"--tx-notify=/bin/sh~./scripts/notifier.sh~-X~GET~http://btcpayserver:49392/monerolikedaemoncallback/tx?cryptoCode=xmr&hash=%s"},
	{name: "a hook of a mount that is not there yet", line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --offline --tx-notify /hooks/paid~%s"},
	{name: "xmr-btc-swap", line: "--stagenet --daemon-address {daemon} --rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --no-initial-sync"},
	{name: "Haveno's Makefile", line: "--daemon-address http://{daemon} --testnet --rpc-bind-port {port} --rpc-login rpc_user:abc123 " +
		"--rpc-access-control-origins http://localhost:8080 --wallet-dir {dir}"},
	{name: "BasicSwap's configuration", line: "--config-file {dir}/config --non-interactive",
		file: "daemon-address={daemon}\nuntrusted-daemon=1\nno-dns=1\nrpc-bind-port={port}\nrpc-bind-ip=127.0.0.1\nwallet-dir={dir}/wallets\n" +
			"log-file={dir}/wallets/log/wallet.log\nrpc-login=user:password\nshared-ringdb-dir={dir}/shared-ringdb\nallow-mismatched-daemon-version=1\n"},
	{name: "a switch without a value in a file", line: "--config-file={dir}/config",
		file: "no-dns=\noffline=\ndisable-rpc-login=1\nrpc-bind-port={port}\nwallet-dir={dir}\n"},
	{name: "serai's orchestration", line: "--allow-mismatched-daemon-version --daemon-address {daemon} --daemon-login serai:seraidex --disable-rpc-login " +
		"--rpc-bind-ip=127.0.0.1 --rpc-bind-port {port} --confirm-external-bind --wallet-dir {dir}"},
	{name: "normoes/monero's container", line: "--log-level=0 --confirm-external-bind --rpc-bind-ip=127.0.0.1 --rpc-bind-port={port} --daemon-host 127.0.0.1 " +
		"--wallet-dir {dir} --disable-rpc-login"},
	{name: "farcaster's container", line: "--daemon-host {daemon} --rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --offline"},
	{name: "RustPool's entry point", line: "--non-interactive --log-file {dir}/logs/service/out.log --max-log-file-size 0 --wallet-dir {dir} --rpc-bind-ip 127.0.0.1 " +
		"--rpc-bind-port {port} --confirm-external-bind --rpc-login pool:secret --daemon-address {daemon} --daemon-login node:secret --trusted-daemon"},
	{name: "a compose file that names JSON-RPC's path", line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --daemon-address http://{daemon}/json_rpc"},
	{name: "categories beside a level", line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --offline --log-level 0,wallet:DEBUG --log-file {dir}/log"},
	{name: "shortened flags", line: "--rpc-bind-po {port} --disable-rpc-lo --wallet-d {dir} --daemon-addr {daemon}"},
	{name: "a shortened flag that could be several", line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --daemon {daemon}", refuses: "--daemon is ambiguous"},
	{name: "a daemon with two ports, as in vendopunkto's compose file", line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --daemon-address {daemon}:18081",
		refuses: "--daemon-address", why: "the reference starts and reaches no daemon"},
	{name: "every origin without a login", line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --rpc-access-control-origins=*",
		refuses: "every web page", why: "any page in the owner's browser could spend"},
	{name: "an unknown flag", line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --no-such-flag", refuses: "unknown flag"},
}

// laterFlags are flags that came after 0.18.0.0.
var laterFlags = []string{"no-initial-sync", "allow-mismatched-daemon-version"}

// TestPublishedCommandLines starts both services with every line: what starts the reference starts glim, but for the lines that say why not.
func TestPublishedCommandLines(t *testing.T) {
	reference := peers.Require(t)
	glim, err := build()
	require.NoError(t, err)
	try := func(t *testing.T, program []string, line, file string) (bool, string) {
		dir := t.TempDir()
		port, err := peers.FreePort()
		require.NoError(t, err)
		fill := strings.NewReplacer("{dir}", dir, "{port}", port, "{daemon}", "127.0.0.1:1")
		if file != "" {
			require.NoError(t, os.Mkdir(filepath.Join(dir, "wallets"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "config"), []byte(fill.Replace(file)), 0o600))
		}
		args := strings.Fields(fill.Replace(line))
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "~", " ")
		}
		answers, printed, err := peers.TryLine(t.Context(), program, dir, port, args)
		require.NoError(t, err, printed)
		return answers, printed
	}
	// An older release does not start with a flag that came later.
	_, help := try(t, []string{reference.WalletRPC}, "--help", "")
	knows := func(line string) bool {
		for _, name := range laterFlags {
			if strings.Contains(line, name) && !strings.Contains(help, "--"+name) {
				return false
			}
		}
		return true
	}
	for _, p := range published {
		t.Run(p.name, func(t *testing.T) {
			ours, said := try(t, []string{glim, "wallet-rpc"}, p.line, p.file)
			require.Equal(t, p.refuses == "", ours, said)
			require.Contains(t, said, p.refuses)
			theirs, theySaid := try(t, []string{reference.WalletRPC}, p.line, p.file)
			require.Equal(t, (p.refuses == "" || p.why != "") && knows(p.line+p.file), theirs, theySaid)
		})
	}
}
