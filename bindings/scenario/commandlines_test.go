package scenario

import (
	"flag"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// published lists command lines and configuration files with which public projects start monero-wallet-rpc. Addresses,
// folders and ports are replaced by those of the test. Each entry is a fact about the project in its name, from its
// public sources in 2026.
var published = []struct {
	name string
	// line has the placeholders {dir}, {port}, {daemon} and {wallet}, an existing wallet without a password;
	// {dir}/password is an empty file. Arguments are separated by spaces; ~ stands for a space within an argument, and
	// '' for an empty argument.
	line string
	file string // content of the configuration file {dir}/config
	// refuses is the message of glim if it does not start with the line; empty if it starts.
	refuses string
	why     string // reason, if the reference starts with the line and glim does not
}{
	{
		name: "BTCPay Server's container",
		line: "--rpc-bind-ip=127.0.0.1 --disable-rpc-login --confirm-external-bind --rpc-bind-port={port} " +
			"--non-interactive --trusted-daemon --daemon-address={daemon} --wallet-dir={dir} " +
			"--tx-notify=/bin/sh~./scripts/notifier.sh~-X~GET~http://btcpayserver:49392" +
			"/monerolikedaemoncallback/tx?cryptoCode=xmr&hash=%s",
	},
	{
		name: "a hook on a mount that does not exist yet",
		line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --offline --tx-notify " +
			"/hooks/paid~%s",
	},
	{
		name: "xmr-btc-swap",
		line: "--stagenet --daemon-address {daemon} --rpc-bind-port {port} --disable-rpc-login --wallet-dir " +
			"{dir} --no-initial-sync",
	},
	{
		name: "Haveno's Makefile",
		line: "--daemon-address http://{daemon} --testnet --rpc-bind-port {port} --rpc-login rpc_user:abc123 " +
			"--rpc-access-control-origins http://localhost:8080 --wallet-dir {dir}",
	},
	{
		name: "BasicSwap's configuration",
		line: "--config-file {dir}/config --non-interactive",
		file: "daemon-address={daemon}\nuntrusted-daemon=1\nno-dns=1\nrpc-bind-port={port}\n" +
			"rpc-bind-ip=127.0.0.1\nwallet-dir={dir}/wallets\nlog-file={dir}/wallets/log/wallet.log\n" +
			"rpc-login=user:password\nshared-ringdb-dir={dir}/shared-ringdb\n" +
			"allow-mismatched-daemon-version=1\n",
	},
	{
		name: "a switch without a value in a file",
		line: "--config-file={dir}/config",
		file: "no-dns=\noffline=\ndisable-rpc-login=1\nrpc-bind-port={port}\nwallet-dir={dir}\n",
	},
	{
		name: "serai's orchestration",
		line: "--allow-mismatched-daemon-version --daemon-address {daemon} --daemon-login serai:seraidex " +
			"--disable-rpc-login --rpc-bind-ip=127.0.0.1 --rpc-bind-port {port} --confirm-external-bind " +
			"--wallet-dir {dir}",
	},
	{
		name: "normoes/monero's container",
		line: "--log-level=0 --confirm-external-bind --rpc-bind-ip=127.0.0.1 --rpc-bind-port={port} " +
			"--daemon-host 127.0.0.1 --wallet-dir {dir} --disable-rpc-login",
	},
	{
		name: "farcaster's container",
		line: "--daemon-host {daemon} --rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --offline",
	},
	{
		name: "RustPool's entry point",
		line: "--non-interactive --log-file {dir}/logs/service/out.log --max-log-file-size 0 --wallet-dir " +
			"{dir} --rpc-bind-ip 127.0.0.1 --rpc-bind-port {port} --confirm-external-bind --rpc-login " +
			"pool:secret --daemon-address {daemon} --daemon-login node:secret --trusted-daemon",
	},
	{
		name: "a compose file that names JSON-RPC's path",
		line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --daemon-address " +
			"http://{daemon}/json_rpc",
	},
	{
		name: "categories and a level",
		line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --offline --log-level " +
			"0,wallet:DEBUG --log-file {dir}/log",
	},
	{
		name: "shortened flags",
		line: "--rpc-bind-po {port} --disable-rpc-lo --wallet-d {dir} --daemon-addr {daemon}",
	},
	{
		name:    "an ambiguous shortened flag",
		line:    "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --daemon {daemon}",
		refuses: "--daemon is ambiguous",
	},
	{
		name:    "a daemon with two ports, as in vendopunkto's compose file",
		line:    "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --daemon-address {daemon}:18081",
		refuses: "--daemon-address",
		why:     "the reference starts but reaches no daemon",
	},
	{
		name:    "every origin without a login",
		line:    "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --rpc-access-control-origins=*",
		refuses: "every web page",
		why:     "any page in the owner's browser could spend",
	},
	{
		name:    "an unknown flag",
		line:    "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --no-such-flag",
		refuses: "unknown flag",
	},

	// Containers.
	{
		name: "MoneroPay, docker-compose.yaml",
		line: "--non-interactive --rpc-bind-ip=127.0.0.1 --confirm-external-bind --wallet-dir wallets " +
			"--disable-rpc-login --rpc-bind-port={port} --daemon-host=127.0.0.1 --daemon-port=1",
	},
	{
		name: "sethforprivacy/simple-monero-wallet-rpc-docker, Dockerfile and README.md",
		line: "--non-interactive --rpc-bind-ip=127.0.0.1 --confirm-external-bind --wallet-dir={dir} " +
			"--daemon-host {daemon} --rpc-bind-port {port} --disable-rpc-login --trusted-daemon",
	},
	{
		name: "sethforprivacy/simple-monero-wallet-rpc-docker, its healthcheck.sh with a login",
		line: "--non-interactive --rpc-bind-ip=127.0.0.1 --confirm-external-bind --wallet-dir={dir} " +
			"--rpc-bind-port={port} --daemon-host={daemon} --rpc-login=user:pass --trusted-daemon",
	},
	{
		name: "calvintam236/docker_monero-wallet-rpc, README.md",
		line: "--wallet-dir {dir} --daemon-address {daemon} --daemon-login user:pass --rpc-bind-port {port} " +
			"--rpc-bind-ip 127.0.0.1 --rpc-login wallet:pass --confirm-external-bind",
	},
	{
		name: "monero-rs's harness with xmrto/monero",
		line: "--log-level 4 --daemon-address {daemon} --confirm-external-bind --disable-rpc-login " +
			"--rpc-bind-ip 127.0.0.1 --rpc-bind-port {port} --wallet-dir {dir}/",
	},
	{
		name: "comit-network/xmr-btc-swap, monero-harness/src/image.rs",
		line: "--wallet-dir={dir}/wallets --daemon-address={daemon} --rpc-bind-port={port} --log-level=4 " +
			"--allow-mismatched-daemon-version --disable-rpc-login --confirm-external-bind " +
			"--rpc-bind-ip=127.0.0.1",
	},
	{
		name: "BTCPay Server's plugin tests with btcpayserver/monero",
		line: "--log-level 2 --allow-mismatched-daemon-version --rpc-bind-ip=127.0.0.1 --disable-rpc-login " +
			"--confirm-external-bind --rpc-bind-port={port} --non-interactive --trusted-daemon " +
			"--daemon-address http://{daemon} --wallet-dir {dir} --tx-notify " +
			"/bin/sh~./scripts/notifier.sh~-k~-X~GET~https://127.0.0.1:14142" +
			"/monerolikedaemoncallback/tx?cryptoCode=xmr&hash=%s",
	},
	{
		name: "RustPool, deploy/files/wallet_entrypoint.sh",
		line: "--non-interactive --log-file /dev/stdout --max-log-file-size 0 --wallet-file {wallet} " +
			"--password '' --rpc-bind-ip 127.0.0.1 --rpc-bind-port {port} --confirm-external-bind " +
			"--rpc-login pool:secret --daemon-address {daemon} --daemon-login node:secret --trusted-daemon",
	},
	{
		name: "serai, the coordinator's wallet",
		line: "--disable-rpc-login --rpc-bind-ip=127.0.0.1 --confirm-external-bind --daemon-address {daemon} " +
			"--allow-mismatched-daemon-version --wallet-dir {dir} --rpc-bind-port {port}",
	},
	{
		name: "Eigenix's NixOS module",
		line: "--daemon-host=127.0.0.1 --daemon-port=1 --rpc-bind-port={port} --wallet-dir={dir} " +
			"--disable-rpc-login --log-level=1",
	},
	{
		name: "a donation service's compose file",
		line: "--stagenet --daemon-address={daemon} --trusted-daemon --rpc-bind-port={port} " +
			"--rpc-login=user:pass --wallet-dir={dir}",
	},
	{
		name: "monerosim's orchestrator",
		line: "--daemon-address=http://{daemon} --rpc-bind-port={port} --rpc-bind-ip=127.0.0.1 " +
			"--disable-rpc-login --trusted-daemon --log-level=1 --wallet-dir={dir}/agent_wallet " +
			"--non-interactive --confirm-external-bind --allow-mismatched-daemon-version --max-concurrency=1 " +
			"--daemon-ssl-allow-any-cert",
	},
	{
		name: "a public node's entry point",
		line: "--non-interactive --daemon-address {daemon} --trusted-daemon --rpc-bind-ip 127.0.0.1 " +
			"--rpc-bind-port {port} --rpc-use-ipv6 --rpc-bind-ipv6-address ::1 --disable-rpc-login " +
			"--confirm-external-bind --wallet-dir {dir}/pool-wallet --log-file " +
			"{dir}/pool-wallet/wallet-rpc.log --max-log-files 2 --log-level 0",
	},
	{
		name:    "a flag and its value as one argument, as in dAppNode's generator",
		line:    "--daemon-address={daemon} --trusted-daemon --rpc-bind-port={port} --wallet-dir~{dir}",
		refuses: "unknown flag",
	},

	// Programs that start the service.
	{
		name: "Haveno, XmrWalletService.java, on Tor",
		line: "--rpc-login haveno_user:password --wallet-dir {dir} --stagenet --daemon-address http://{daemon} " +
			"--proxy 127.0.0.1:9050 --daemon-ssl-allow-any-cert --daemon-login user:pass --rpc-bind-port " +
			"{port}",
	},
	{
		name: "Haveno, XmrWalletService.java, without a connection",
		line: "--rpc-login haveno_user:password --wallet-dir {dir} --testnet --allow-mismatched-daemon-version " +
			"--offline --rpc-bind-port {port}",
	},
	{
		name: "Haveno, Makefile, funding-wallet-stagenet",
		line: "--stagenet --rpc-bind-port {port} --rpc-login rpc_user:abc123 --rpc-access-control-origins " +
			"http://localhost:8080 --wallet-dir {dir} --daemon-ssl-allow-any-cert --daemon-address " +
			"http://{daemon}",
	},
	{
		name: "Haveno, Makefile, funding-wallet-mainnet",
		line: "--rpc-bind-port {port} --rpc-login rpc_user:abc123 --rpc-access-control-origins " +
			"http://localhost:8080 --wallet-dir {dir}",
	},
	{
		name: "BasicSwap, bin/run.py behind a proxy",
		line: "--config-file={dir}/config --untrusted-daemon --daemon-address {daemon} --daemon-login " +
			"user:pass --proxy 127.0.0.1:9050 --daemon-ssl-allow-any-cert",
		file: "no-dns=1\nrpc-bind-port={port}\nrpc-bind-ip=127.0.0.1\nwallet-dir={dir}/wallets\n" +
			"log-file={dir}/wallets/wallet.log\nmax-log-files=5\nrpc-login=user:password\n" +
			"shared-ringdb-dir={dir}/wallets/shared-ringdb\nallow-mismatched-daemon-version=1\n",
	},
	{
		name: "BasicSwap, docker/production/monero_wallet",
		line: "--config-file={dir}/config --confirm-external-bind",
		file: "daemon-address={daemon}\nno-dns=1\nrpc-bind-port={port}\nrpc-bind-ip=127.0.0.1\n" +
			"wallet-dir={dir}\nlog-file={dir}/wallet.log\nmax-log-files=5\nrpc-login=user:password\n" +
			"shared-ringdb-dir={dir}/shared-ringdb\n",
	},
	{
		name: "BasicSwap, tests/basicswap/test_xmr.py",
		line: "--daemon-address={daemon} --no-dns --rpc-bind-port={port} --wallet-dir={dir}/wallets " +
			"--log-file={dir}/wallet.log --rpc-login=test1:test_pass1 " +
			"--shared-ringdb-dir={dir}/shared-ringdb --allow-mismatched-daemon-version",
	},
	{
		name: "xmr-btc-swap's systemd unit for a provider",
		line: "--pidfile {dir}/monero-wallet-rpc.pid --daemon-host {daemon} --rpc-bind-port {port} " +
			"--disable-rpc-login --wallet-dir {dir} --log-file {dir}/log/monero-wallet-rpc.log",
	},
	{
		name: "farcaster, README.md",
		line: "--stagenet --rpc-bind-port {port} --disable-rpc-login --daemon-host {daemon} --trusted-daemon " +
			"--password soMeDummYPasSwOrd --wallet-dir {dir}/.fc_monero_wallets",
	},
	{
		name: "Nodo, execScripts/monero-wallet-rpc.sh",
		line: "--trusted-daemon --daemon-address {daemon} --daemon-login=user:pass --disable-rpc-login " +
			"--non-interactive --rpc-bind-port={port} --wallet-dir {dir}/",
	},
	{
		name: "MMGen's daemon class",
		line: "--stagenet --rpc-bind-port={port} --wallet-dir={dir} --daemon-address={daemon} " +
			"--untrusted-daemon --rpc-login=user:pass --log-file={dir}/log --non-interactive",
	},
	{
		name: "atomic swaps of Athanor",
		line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir}/node-keys --stagenet " +
			"--trusted-daemon",
	},
	{
		name: "EXPurity/bchain, asset/xmr/testnet",
		line: "--testnet --wallet-dir {dir} --password=112233445566 --daemon-host=127.0.0.1 --daemon-port=1 " +
			"--trusted-daemon --disable-rpc-login --rpc-bind-ip=127.0.0.1 --confirm-external-bind " +
			"--rpc-bind-port={port}",
	},

	// systemd units and other files.
	{
		name: "oxygen's unit",
		line: "--rpc-bind-port {port} --rpc-bind-ip 127.0.0.1 --rpc-login monero_user:STRONG_PASSWORD " +
			"--wallet-dir {dir} --daemon-address {daemon} --log-level 2 --log-file " +
			"{dir}/logs/monero-wallet-rpc.log",
	},
	{
		name: "a unit with a password that ends in a question mark",
		line: "--rpc-bind-ip=127.0.0.1 --rpc-bind-port={port} --rpc-login=monero:Desk88? " +
			"--daemon-address={daemon} --wallet-dir={dir}",
	},
	{
		name: "a unit with a wallet and a file for its password",
		line: "--daemon-address={daemon} --trusted-daemon --rpc-bind-ip=127.0.0.1 --rpc-bind-port={port} " +
			"--wallet-file={wallet} --password-file={dir}/password --rpc-login=community:secret " +
			"--log-level=0 --log-file={dir}/log",
	},
	{
		name: "StartOS, Start9Labs/btcpayserver-startos, monero-wallet-rpc.btcpayserver.conf",
		line: "--non-interactive --config-file {dir}/config",
		file: "#\n# Monero wallet RPC config file\n#\n\ntrusted-daemon=1\ndaemon-host=127.0.0.1\n" +
			"daemon-port=1\n#daemon-login=\nshared-ringdb-dir={dir}\n\nwallet-dir={dir}\n" +
			"#wallet-file={dir}/wallet\n\nlog-file={dir}/logs/monero-wallet-rpc.btcpayserver.log\n" +
			"#log-level=2\nmax-log-file-size=10000000 #10MiB\nmax-log-files=2\n\n#confirm-external-bind=1\n" +
			"rpc-bind-ip=127.0.0.1\nrpc-bind-port={port}\ndisable-rpc-login=1\n\n" +
			"tx-notify=/usr/bin/curl -so /dev/null -X GET http://127.0.0.1:23000" +
			"/monerolikedaemoncallback/tx?cryptoCode=xmr&hash=%s\n",
	},
	{
		name: "StartOS, the same once there is a wallet",
		line: "--non-interactive --config-file {dir}/config",
		file: "trusted-daemon=1\ndaemon-host=127.0.0.1\ndaemon-port=1\ndaemon-login=user:pass\n" +
			"shared-ringdb-dir={dir}\n#wallet-dir={dir}\nwallet-file={wallet}\npassword-file={dir}/password\n" +
			"log-file={dir}/logs/wallet.log\nmax-log-file-size=10000000 #10MiB\nmax-log-files=2\n" +
			"rpc-bind-ip=127.0.0.1\nrpc-bind-port={port}\ndisable-rpc-login=1\n",
	},
	{
		name: "freemining's start.sh",
		line: "--daemon-address {daemon} --disable-rpc-login --config-file {dir}/config --password-file " +
			"{dir}/password",
		file: "daemon-address=127.0.0.1:18081\n\nrpc-bind-ip=127.0.0.1\nrpc-bind-port={port}\n\n" +
			"log-file={dir}/monero_wallet_rpc.log\nlog-level=1 \n\nwallet-file={wallet}\n\n",
	},
	{
		name: "d4ndox/mnp, notify-mnp.cfg",
		line: "--config-file {dir}/config",
		file: "rpc-bind-ip=127.0.0.1\nrpc-bind-port={port}\nrpc-login=username:password\nwallet-file={wallet}\n" +
			"password=\ntx-notify=/usr/local/bin/mnp --confirmation 1 %s\n",
	},
	{
		name: "a script that writes the file and its unit",
		line: "--config-file {dir}/config --non-interactive",
		file: "# Monero Wallet RPC Configuration\nwallet-dir={dir}\nlog-file={dir}/wallet-rpc.log\n" +
			"log-level=0\n\n# RPC Settings\nrpc-bind-port={port}\nrpc-bind-ip=127.0.0.1\n" +
			"confirm-external-bind=1\nrpc-login=user:pass\n\n# Security\ndisable-rpc-login=0\n" +
			"trusted-daemon=1\n",
	},

	// READMEs.
	{
		name: "monero-docs, the production example",
		line: "--rpc-bind-port {port} --wallet-file {wallet} --password '' --rpc-login monero:rpcPassword " +
			"--log-file logs/monero-wallet-rpc.log --max-log-files 2 --trusted-daemon --daemon-address " +
			"{daemon}",
	},
	{
		name: "monero-java and monero-javascript",
		line: "--daemon-address http://{daemon} --stagenet --rpc-bind-port {port} --rpc-login rpc_user:abc123 " +
			"--wallet-dir ./",
	},
	{
		name: "monero-java of 2018",
		line: "--daemon-address http://{daemon} --stagenet --rpc-bind-port {port} --rpc-login rpc_user:abc123 " +
			"--wallet-dir {dir} --log-level 4",
	},
	{
		name: "himitsu",
		line: "--stagenet --wallet-dir {dir}/ --rpc-bind-port {port} --rpc-access-control-origins " +
			"http://localhost:3000 --rpc-login himitsu:himitsu",
	},
	{
		name: "shadowchat",
		line: "--rpc-bind-port {port} --daemon-address https://{daemon} --wallet-file {wallet} " +
			"--disable-rpc-login --password ''",
	},
	{
		name: "Magento's Monero payment",
		line: "--rpc-bind-port {port} --disable-rpc-login --log-level 2 --wallet-file {wallet} --password ''",
	},
	{
		name: "a wallet of an exchange that signs offline",
		line: "--wallet-file={wallet} --confirm-external-bind --rpc-bind-ip 127.0.0.1 --rpc-bind-port {port} " +
			"--password '' --disable-rpc-login --offline",
	},
	{
		name: "a hook with a script and a secret",
		line: "--daemon-address {daemon} --rpc-bind-port {port} --wallet-file {wallet} --password '' " +
			"--disable-rpc-login --tx-notify /usr/bin/python3~/srv/monero-rpc-callback.py~secret~%s",
	},
	{
		name: "a stagenet shop",
		line: "--daemon-address {daemon} --max-concurrency 8 --log-file stage_log.log --wallet-dir {dir} " +
			"--rpc-bind-ip 127.0.0.1 --rpc-bind-port {port} --rpc-login test:123456 --stagenet",
	},
	{
		name: "several origins",
		line: "--rpc-bind-port {port} --wallet-dir {dir} --rpc-login user:pass --rpc-access-control-origins " +
			"http://localhost:3000,https://shop.example",
	},
	{
		name: "only two categories",
		line: "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --offline --log-level " +
			"net.http:DEBUG,wallet.rpc:INFO",
	},
	{
		name:    "no wallet and no folder",
		line:    "--rpc-bind-port {port} --disable-rpc-login",
		refuses: "--wallet-dir",
	},
	{
		name:    "a folder and a wallet",
		line:    "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --wallet-file {wallet}",
		refuses: "mutually exclusive",
	},
	{
		name:    "two networks",
		line:    "--rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir} --testnet --stagenet",
		refuses: "mutually exclusive",
	},
	{
		name:    "a public address without the confirmation",
		line:    "--rpc-bind-port {port} --rpc-bind-ip 0.0.0.0 --disable-rpc-login --wallet-dir {dir}",
		refuses: "confirm-external-bind",
	},
	{
		name:    "a login that is given and disabled",
		line:    "--rpc-bind-port {port} --disable-rpc-login --rpc-login user:pass --wallet-dir {dir}",
		refuses: "--rpc-login",
	},
	{
		name: "a switch given a value, as in a test script",
		line: "--stagenet --wallet-dir {dir} --rpc-bind-port {port} --rpc-login user:pass --disable-rpc-login " +
			"false",
		refuses: "not a flag",
	},
	{
		name:    "a missing file",
		line:    "--config-file {dir}/nothing --rpc-bind-port {port} --disable-rpc-login --wallet-dir {dir}",
		refuses: "nothing",
	},
	{
		name:    "a flag of the daemon in the file",
		line:    "--config-file {dir}/config",
		file:    "rpc-bind-port={port}\nwallet-dir={dir}\ndisable-rpc-login=1\nprune-blockchain=1\n",
		refuses: "prune-blockchain",
	},
}

// laterFlags are flags of releases after 0.18.0.0.
var laterFlags = []string{"no-initial-sync", "allow-mismatched-daemon-version"}

// besides also starts the reference.
var besides = flag.Bool("published.both", false, "start monero-wallet-rpc with each published command line, too")

// TestPublishedCommandLines starts glim with every line and, with -published.both (as make dropin does), the reference:
// glim starts whenever the reference does, except for lines with a reason.
func TestPublishedCommandLines(t *testing.T) {
	glim, err := build()
	require.NoError(t, err)
	// start starts a program with the arguments of a line and more.
	start := func(t *testing.T, program []string, line, file string, more ...string) (bool, string) {
		dir := t.TempDir()
		port, err := peers.FreePort()
		require.NoError(t, err)
		fill := strings.NewReplacer("{dir}", dir, "{port}", port, "{daemon}", "127.0.0.1:1",
			"{wallet}", filepath.Join(dir, "wallets", "shop"))
		keys, err := keysFile(dave)
		require.NoError(t, err)
		require.NoError(t, os.Mkdir(filepath.Join(dir, "wallets"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "wallets", "shop.keys"), keys, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "password"), nil, 0o600))
		if file != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "config"), []byte(fill.Replace(file)), 0o600))
		}
		args := strings.Fields(fill.Replace(line))
		for i := range args {
			if args[i] = strings.ReplaceAll(args[i], "~", " "); args[i] == "''" {
				args[i] = ""
			}
		}
		answers, printed, err := peers.TryLine(t.Context(), program, dir, port, append(args, more...))
		require.NoError(t, err, printed)
		return answers, printed
	}
	var reference []string
	help := ""
	if *besides {
		reference = []string{peers.Require(t).WalletRPC}
		said, err := exec.CommandContext(t.Context(), reference[0], "--help").Output()
		require.NoError(t, err)
		help = string(said)
	}
	// knows reports whether the reference has the flags of a line; older releases lack later ones.
	knows := func(line string) bool {
		for _, name := range laterFlags {
			if strings.Contains(line, name) && !strings.Contains(help, "--"+name) {
				return false
			}
		}
		return true
	}
	names := map[string]bool{}
	for _, p := range published {
		require.False(t, names[p.name], p.name)
		names[p.name] = true
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			ours, said := start(t, []string{glim, "wallet-rpc"}, p.line, p.file)
			require.Equal(t, p.refuses == "", ours, said)
			require.Contains(t, said, p.refuses)
			if reference == nil {
				return
			}
			var more []string
			if !strings.Contains(p.line+p.file, "ssl") && !strings.Contains(p.line, "https:") {
				// otherwise it generates keys for seconds
				more = []string{"--rpc-ssl", "disabled", "--daemon-ssl", "disabled"}
			}
			theirs, theySaid := start(t, reference, p.line, p.file, more...)
			require.Equal(t, (p.refuses == "" || p.why != "") && knows(p.line+p.file), theirs, theySaid)
		})
	}
}

// TestOfflineRefresh: with --offline a refresh reads no blocks and succeeds in both services.
func TestOfflineRefresh(t *testing.T) {
	t.Parallel()
	reference := peers.NewWalletRPC(t, nil, peers.Options{})
	path, err := build()
	require.NoError(t, err)
	ours := peers.NewWalletRPC(t, nil, peers.Options{Command: []string{path, "wallet-rpc"}})
	for _, c := range []caller{reference, ours} {
		restore(t, c, "dave", dave)
	}
	compare(t, reference, ours, "refresh", object{})
	got := call[struct {
		Fetched uint64 `json:"blocks_fetched"`
	}](t, ours, "refresh", object{"start_height": 5})
	require.Zero(t, got.Fetched)
}

// TestUntrustedDaemonIsReported: a daemon with a self-signed certificate is reported when the service starts, with
// the flags that trust it, and with one of them it is not.
func TestUntrustedDaemonIsReported(t *testing.T) {
	t.Parallel()
	const report = "--daemon-ssl-allow-any-cert"
	asked := make(chan struct{}, 1)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case asked <- struct{}{}:
		default:
		}
		http.NotFound(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of refused certificates
	server.StartTLS()
	t.Cleanup(server.Close)
	d := &peers.Daemon{Client: peers.Client{URL: server.URL}}

	wary := start(t, d, t.TempDir())
	ctx := deadline(t)
	for reported := false; !reported; {
		select {
		case line, running := <-wary.lines:
			require.True(t, running, "the service ended")
			reported = strings.Contains(line, report)
		case <-ctx.Done():
			t.Fatal("nothing is reported")
		}
	}
	require.Empty(t, asked)

	trusting := start(t, d, t.TempDir(), report)
	select {
	case <-asked:
	case <-ctx.Done():
		t.Fatal("the daemon is not asked")
	}
	require.NoError(t, trusting.cmd.Process.Signal(syscall.SIGTERM))
	for line := range trusting.lines { // until it has ended
		require.NotContains(t, line, report)
	}
}
