package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/node"
)

// flagsOfHelp finds the flags in the help of a program of the reference, and whether they take a value.
var flagsOfHelp = regexp.MustCompile(`(?m)^  --([a-z0-9-]+)( arg)?`)

// releases returns the releases of the reference that are installed.
func releases(t *testing.T) []peers.Programs {
	t.Helper()
	peers.Require(t)
	list, err := peers.Releases()
	require.NoError(t, err)
	return list
}

// valuesOfFlags are values for flags that do not take 1, with other flags that they need.
var valuesOfFlags = map[string]string{
	"rpc-bind-ip": "127.0.0.1", "rpc-bind-ipv6-address": "::1", "rpc-restricted-bind-ip": "127.0.0.1",
	"rpc-restricted-bind-ipv6-address": "::1", "rpc-login": "user:password", "rpc-ssl": "autodetect",
	"rpc-access-control-origins": "https://wallet.example --rpc-login user:password",
	"rpc-ssl-ca-certificates":    "ca.pem", "rpc-ssl-certificate": "c.pem --rpc-ssl-private-key k.pem",
	"rpc-ssl-private-key": "k.pem --rpc-ssl-certificate c.pem", "rpc-max-connections": "200",
	"rpc-ssl-allowed-fingerprints": strings.Repeat("01:", 31) + "01",
	"public-node":                  "--restricted-rpc",
	"bg-mining-min-idle-interval":  "20", "start-mining": node.UnspendableAddress(), "db-sync-mode": "safe",
	"p2p-bind-ip": "127.0.0.1", "p2p-bind-ipv6-address": "::1", "proxy": "127.0.0.1:9050",
	"add-peer": "127.0.0.1:5", "add-priority-node": "127.0.0.1:5", "add-exclusive-node": "127.0.0.1:5",
	"seed-node": "127.0.0.1:5", "zmq-pub": "tcp://127.0.0.1:5", "zmq-rpc-bind-ip": "127.0.0.1",
	"bootstrap-daemon-address": "127.0.0.1:5", "bootstrap-daemon-login": "user:password --bootstrap-daemon-address x:5",
	"bootstrap-daemon-proxy": "127.0.0.1:9050 --bootstrap-daemon-address x:5",
	"data-dir":               "folder", "igd": "disabled", "check-updates": "disabled", "log-level": "0",
	"block-notify": "/bin/true", "reorg-notify": "/bin/true", "block-rate-notify": "/bin/true",
	"tx-proxy": "tor,127.0.0.1:9050", "anonymous-inbound": "x.onion:5,127.0.0.1:5",
}

// TestEveryFlagOfMonerodStarts: every flag in the help of each installed release takes a value here if it does there,
// starts the daemon, and is listed in our help: with its effect, or as one without.
func TestEveryFlagOfMonerodStarts(t *testing.T) {
	var ours strings.Builder
	daemonHelp(&ours)
	described, others, found := strings.Cut(ours.String(), "\nAccepted without effect\n")
	require.True(t, found)
	var ineffective []string // flags that start together
	for _, r := range releases(t) {
		for _, f := range flagsOfProgram(t, r.Daemon, 100, daemonFlags) {
			list := others
			if f.group != "" {
				list = described
			}
			require.Regexp(t, `--`+f.name+`\s`, list+"\n")
			args := argumentsOf(t, f, valuesOfFlags[f.name])
			chain := []string{"--regtest"}
			if strings.HasSuffix(f.name, "net") {
				chain = []string{"--bootstrap-daemon-address", "127.0.0.1:5"}
			}
			c, err := parseDaemon(append(chain, args...), func(string) string { return "" }, os.ReadFile)
			require.NoError(t, err, f.name)
			if f.group == "" && !slices.Contains(ineffective, "--"+f.name) {
				ineffective = append(ineffective, args...)
			}
			require.NotContains(t, strings.Join(c.Warnings, "\n"), "\n", f.name)
		}
	}
	start(t, append([]string{"daemon", "--regtest", "--rpc-bind-port", aPort(t)}, ineffective...)...)
}

// flagsOfProgram returns our flags for those in the help of a program of the reference, of which there are more than
// least. It requires that each exists here, and takes a value if it does there.
func flagsOfProgram[C any](t *testing.T, program string, least int, ours []flag[C]) (list []*flag[C]) {
	t.Helper()
	help, err := exec.Command(program, "--help").Output()
	require.NoError(t, err)
	all := flagsOfHelp.FindAllStringSubmatch(string(help), -1)
	require.Greater(t, len(all), least)
	for _, m := range all {
		f := findFlag(ours, m[1])
		require.NotNil(t, f, m[1])
		require.Equal(t, m[2] != "", f.arg != "", "whether --%s takes a value", f.name)
		list = append(list, f)
	}
	return list
}

// argumentsOf returns a flag with the value given, or 1, and with the flags that follow the value. The value of a flag
// without one is empty.
func argumentsOf[C any](t *testing.T, f *flag[C], value string) []string {
	t.Helper()
	switch {
	case f.name == configFlag, f.name == "password-file":
		value = filepath.Join(t.TempDir(), "empty")
		require.NoError(t, os.WriteFile(value, nil, 0o600))
	case f.arg != "" && value == "":
		value = "1"
	}
	return append([]string{"--" + f.name}, strings.Fields(value)...)
}

// TestStartedByFunctionalTests: command lines with a port for ZeroMQ's RPC start the daemon, and with payments for RPC,
// which glim does not have, with a warning. Source: tests/functional_tests/functional_tests_rpc.py, 0.18.5.1.
func TestStartedByFunctionalTests(t *testing.T) {
	c, err := parseDaemon(strings.Fields("--regtest --fixed-difficulty 10 --p2p-bind-port 18281 --rpc-bind-port 18181 "+
		"--zmq-rpc-bind-port 18381 --zmq-pub tcp://127.0.0.1:18481 --non-interactive --disable-dns-checkpoints "+
		"--check-updates disabled --rpc-ssl disabled --data-dir d --log-level 1 "+
		"--rpc-max-connections-per-private-ip 100 --rpc-max-connections 100 --rpc-payment-address x "+
		"--rpc-payment-difficulty 10 --rpc-payment-credits 5000 --offline"),
		func(string) string { return "" }, os.ReadFile)
	require.NoError(t, err)
	warnings := strings.Join(c.Warnings, "\n")
	require.Equal(t, Messages{IP: "127.0.0.1", Port: 18381}, c.Messages)
	require.Contains(t, warnings, "--rpc-payment-address has no effect here: RPC is served without payment")
}

// TestSeedEpochs: the variables with which tests make monerod change RandomX seeds early have the same effect.
// Source: src/crypto/rx-slow-hash.c, get_seedhash_epoch_blocks and get_seedhash_epoch_lag.
func TestSeedEpochs(t *testing.T) {
	for blocks, want := range map[string]uint64{"8": 8, "": 0, "x": 0} {
		c, err := parseDaemon([]string{"--regtest"}, func(name string) string {
			return map[string]string{"SEEDHASH_EPOCH_BLOCKS": blocks, "SEEDHASH_EPOCH_LAG": "4"}[name]
		}, os.ReadFile)
		require.NoError(t, err)
		require.Equal(t, want, c.SeedEpochBlocks)
		require.EqualValues(t, 4, c.SeedEpochLag)
	}
}

// TestFlagsHaveHelp checks that each flag has a help text, and that flags without effect give it as the reason.
func TestFlagsHaveHelp(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range daemonFlags {
		require.False(t, seen[f.name], f.name)
		seen[f.name] = true
		require.GreaterOrEqual(t, len(strings.Fields(f.help)), 2, f.name)
		if f.group != "" {
			continue
		}
		var c DaemonConfig
		value := "true"
		if f.name == "db-sync-mode" {
			value = "safe" // its value is checked all the same
		}
		require.NoError(t, f.apply(&c, value), f.name)
		if len(c.Warnings) > 0 {
			require.Equal(t, []string{"--" + f.name + " has no effect here: " + f.help}, c.Warnings)
		}
	}
}
