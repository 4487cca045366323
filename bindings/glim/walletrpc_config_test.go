package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/core/rpc/digest"
	"glim/core/xmr"
)

// files is a file system for tests.
type files map[string]string

func (f files) read(name string) ([]byte, error) {
	text, ok := f[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

func noEnv(string) string { return "" }

// parse parses a command line, split at spaces.
func parse(line string) (WalletRPCConfig, error) {
	return parseWalletRPC(strings.Fields(line), noEnv, files{}.read)
}

const least = "--rpc-bind-port 18083 --wallet-dir w "

func TestDefaults(t *testing.T) {
	c, err := parse(least)
	require.NoError(t, err)
	require.Equal(t, uint16(18083), c.BindPort)
	require.Equal(t, "127.0.0.1", c.BindIP)
	require.Equal(t, xmr.Mainnet, c.Network)
	require.Equal(t, "localhost:18081", c.DaemonAddress)
	require.True(t, c.TrustedDaemon, "a daemon on this machine is trusted")
	require.True(t, c.Login.IsZero())
	require.False(t, c.DisableLogin)
	require.Equal(t, []int{100, 3, 25}, []int{c.MaxConnections, c.MaxPublic, c.MaxLocal})
	require.Equal(t, []uint32{0, 0}, []uint32{c.LookaheadMajor, c.LookaheadMinor})
	require.Equal(t, "autodetect", c.DaemonTLS.Mode)
	require.Equal(t, "0", c.logLevel)
	require.Equal(t, native.SSLAutodetect, c.SSL.Mode)
	require.EqualValues(t, 104_850_000, c.MaxFileSize)
	require.Equal(t, 50, c.MaxFiles)
	require.Empty(t, c.Warnings)
}

func TestFlagForms(t *testing.T) {
	c, err := parse(
		"--rpc-bind-port=28083 --wallet-dir=a=b --restricted-rpc --stagenet --offline=false --trusted-daemon=1 " +
			"--daemon-address node.example:38089",
	)
	require.NoError(t, err)
	require.Equal(t, uint16(28083), c.BindPort)
	require.Equal(t, "a=b", c.WalletDir)
	require.True(t, c.Restricted)
	require.False(t, c.Offline)
	require.True(t, c.TrustedDaemon)
	require.Equal(t, xmr.Stagenet, c.Network)
}

// TestShortenedFlags checks that unambiguous abbreviations are accepted on the command line, but not in a file.
func TestShortenedFlags(t *testing.T) {
	c, err := parse("--rpc-bind-po 28083 --wallet-d w --restr --daemon-addr node.example:1")
	require.NoError(t, err)
	require.Equal(t, uint16(28083), c.BindPort)
	require.Equal(t, "w", c.WalletDir)
	require.True(t, c.Restricted)
	require.Equal(t, "node.example:1", c.DaemonAddress)
	c, err = parse("-h")
	require.NoError(t, err)
	require.True(t, c.help)
	c, err = parse(least + "--webhook-secret secret --webhook-u http://127.0.0.1:1")
	require.ErrorContains(t, err, "--webhook-secret-file", "one of glim's flags")
	c, err = parse(least + "--max-log-file-s 1")
	require.NoError(t, err)
	require.EqualValues(t, 1, c.MaxFileSize)
	_, err = parseWalletRPC([]string{"--config-file", "f"}, noEnv, files{"f": "wallet-d=w\nrpc-bind-port=1"}.read)
	require.ErrorContains(t, err, "line 1")
	c, err = parseWalletRPC(
		[]string{"--config-file", "f"},
		noEnv,
		files{"f": "wallet-dir=w\nrpc-bind-port=1\noffline=\nno-dns="}.read,
	)
	require.NoError(t, err)
	require.True(t, c.Offline)
}

// TestLevelsWithCategories checks log levels with exceptions by category.
func TestLevelsWithCategories(t *testing.T) {
	for text, want := range map[string]slog.Level{
		"0": slog.LevelWarn, "0,wallet:DEBUG": slog.LevelDebug, "1,daemon:ERROR": slog.LevelInfo,
		"2,*:FATAL": slog.LevelDebug,
	} {
		got, err := logLevel(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	now := &logSwitch{}
	now.set("0,wallet:DEBUG")
	require.Equal(t, slog.LevelDebug, now.level("wallet"))
	require.Equal(t, slog.LevelWarn, now.level("chain"))
}

// TestPromptedLogins checks that missing passwords are read line by line, and nothing else of the input.
func TestPromptedLogins(t *testing.T) {
	c, err := parse(least + "--rpc-login alice --daemon-login bob --prompt-for-password")
	require.NoError(t, err)
	var said bytes.Buffer
	input := strings.NewReader("of the wallet\nof the service\nof the daemon\nrest")
	require.NoError(t, c.promptPasswords(t.Context(), input, &said))
	require.Equal(t, secret("of the wallet"), c.Password)
	require.Equal(t, digest.NewLogin("alice", "of the service"), c.Login)
	require.Equal(t, digest.NewLogin("bob", "of the daemon"), c.DaemonLogin)
	require.Equal(t, "Wallet password: RPC server password: Daemon client password: ", said.String())
	rest, err := io.ReadAll(input)
	require.NoError(t, err)
	require.Equal(t, "rest", string(rest))

	c, err = parse(least + "--rpc-login alice")
	require.NoError(t, err)
	require.ErrorContains(t, c.promptPasswords(t.Context(), strings.NewReader(""), io.Discard), "--rpc-login",
		"a service manager gives no input")
}

func TestDaemonFlags(t *testing.T) {
	for line, want := range map[string]struct {
		address string
		trusted bool
	}{
		"--testnet":                                          {"localhost:28081", true},
		"--stagenet --daemon-host h":                         {"h:38081", false},
		"--regtest --daemon-port 5":                          {"localhost:5", true},
		"--daemon-host h:5":                                  {"h:5", false},
		"--daemon-host [::1]:5":                              {"[::1]:5", true},
		"--daemon-host ::1 --daemon-port 0":                  {"[::1]:18081", true},
		"--daemon-address http://127.0.0.1:1":                {"http://127.0.0.1:1", true},
		"--daemon-address 127.0.0.1.evil.example:1":          {"127.0.0.1.evil.example:1", false},
		"--daemon-address localhost:1 --untrusted-daemon":    {"localhost:1", false},
		"--daemon-address node.example:1 --trusted-daemon":   {"node.example:1", true},
		"--daemon-address=[::1]:1":                           {"[::1]:1", true},
		"--daemon-address=https://node.example:1/":           {"https://node.example:1/", false},
		"--daemon-address http://localhost:18081/ --regtest": {"http://localhost:18081/", true},
	} {
		c, err := parse(least + line)
		require.NoError(t, err, line)
		require.Equal(t, want.address, c.DaemonAddress, line)
		require.Equal(t, want.trusted, c.TrustedDaemon, line)
	}
	c, err := parse(
		least + "--daemon-login u:p:q --proxy 9050 --daemon-ssl enabled --daemon-ssl-allowed-fingerprints aa,bb " +
			"--daemon-ssl-allowed-fingerprints cc",
	)
	require.NoError(t, err)
	require.Equal(t, digest.NewLogin("u", "p:q"), c.DaemonLogin)
	require.Equal(t, "127.0.0.1:9050", c.Proxy)
	require.Equal(t, []string{"aa", "bb", "cc"}, c.DaemonTLS.AllowedFingerprints)
}

func TestInvalidFlags(t *testing.T) {
	const ambiguous = "--daemon is ambiguous: --daemon-address, --daemon-host"
	for line, reason := range map[string]string{
		"--wallet-dir w":                                                    "--rpc-bind-port is required",
		"--rpc-bind-port 0 --wallet-dir w":                                  "--rpc-bind-port is required",
		"--rpc-bind-port 65536 --wallet-dir w":                              "--rpc-bind-port: \"65536\"",
		"--rpc-bind-port 1":                                                 "--wallet-dir, --wallet-file or",
		"--rpc-bind-port 1 --wallet-dir w --wallet-file f":                  "mutually exclusive",
		least + "--nonsense":                                                "unknown flag --nonsense",
		least + "-x":                                                        "not a flag",
		least + "word":                                                      "not a flag",
		least + "--":                                                        "not a flag",
		least + "--restricted-rpc=maybe":                                    "does not take a value",
		least + "--log-file":                                                "requires a value",
		least + "--disable-rpc-login --rpc-login a:b":                       "mutually exclusive",
		least + "--rpc-login a --non-interactive":                           "USER:PASSWORD",
		least + "--daemon-login a --non-interactive":                        "USER:PASSWORD",
		least + "--rpc-login a:":                                            "USER:PASSWORD",
		least + "--daemon x":                                                ambiguous,
		least + "--log-level 5,wallet:DEBUG":                                "--log-level",
		least + "--log-level 0,wallet:LOUD":                                 "--log-level",
		least + "--rpc-login :b":                                            "USER:PASSWORD",
		least + "--testnet --stagenet":                                      "mutually exclusive",
		least + "--regtest --stagenet":                                      "mutually exclusive",
		least + "--trusted-daemon --untrusted-daemon":                       "mutually exclusive",
		least + "--keys-file --no-keys-file":                                "mutually exclusive",
		least + "--daemon-address a:1 --daemon-port 2":                      "cannot be combined",
		least + "--daemon-port x":                                           "not a port",
		least + "--rpc-bind-ip 0.0.0.0":                                     "--confirm-external-bind",
		least + "--rpc-use-ipv6 --rpc-bind-ipv6-address ::":                 "--confirm-external-bind",
		least + "--rpc-bind-ip localhost":                                   "not an IP address",
		least + "--password a --password-file b":                            "mutually exclusive",
		least + "--prompt-for-password --non-interactive":                   "mutually exclusive",
		least + "--rpc-max-connections 10":                                  "must not be below the limits",
		least + "--rpc-max-connections-per-public-ip 0":                     "at least 1",
		least + "--disable-rpc-login --rpc-access-control-origins=*":        "every web page",
		least + "--disable-rpc-login --rpc-access-control-origins=null":     "every web page",
		least + "--daemon-ssl maybe":                                        "must be enabled, disabled or autodetect",
		least + "--rpc-ssl maybe":                                           "must be enabled, disabled or autodetect",
		least + "--rpc-ssl-certificate c":                                   "must be given together",
		least + "--subaddress-lookahead 5":                                  "ACCOUNTS:ADDRESSES",
		least + "--subaddress-lookahead 0:5":                                "ACCOUNTS:ADDRESSES",
		least + "--log-level 5":                                             "--log-level",
		least + "--proxy 1.2.3.4":                                           "--proxy",
		least + "--detach --prompt-for-password":                            "mutually exclusive",
		least + "--rpc-ssl disabled --rpc-ssl-allowed-fingerprints aa":      "cannot be combined",
		least + "--rpc-ssl-allow-any-cert --rpc-ssl-ca-certificates c":      "cannot be combined",
		least + "--config-file none":                                        "--config-file",
		least + "--password-file none":                                      "--password-file",
		least + "--webhook-url https://h":                                   "must be given together",
		least + "--webhook-secret-file f":                                   "must be given together",
		least + "--webhook-url https://h --webhook-secret-file none":        "--webhook-secret-file",
		least + "--webhook-url https://h --webhook-secret-file f --offline": "mutually exclusive",
	} {
		_, err := parse(line)
		require.ErrorContains(t, err, reason, line)
	}
}

func TestExternalBindWhenConfirmed(t *testing.T) {
	c, err := parse(least + "--rpc-bind-ip 0.0.0.0 --confirm-external-bind")
	require.NoError(t, err)
	require.Equal(t, "0.0.0.0", c.BindIP)
}

func TestFlagsWithoutEffectWarn(t *testing.T) {
	c, err := parse(least + "--shared-ringdb-dir d --disable-rpc-ban --hw-device x --extra-entropy=f")
	require.NoError(t, err)
	require.Len(t, c.Warnings, 4)
	require.Equal(t, "--shared-ringdb-dir has no effect here: not supported", c.Warnings[0])
}

func TestConfigFile(t *testing.T) {
	disk := files{
		"c": "# wallet service\nrpc-bind-port = 5\nwallet-dir=w # folder\nrestricted-rpc\n" +
			"offline=1\nnon-interactive=0\nlog-level=3\n\n",
	}
	c, err := parseWalletRPC([]string{"--config-file", "c", "--log-level", "1"}, noEnv, disk.read)
	require.NoError(t, err)
	require.Equal(t, uint16(5), c.BindPort)
	require.Equal(t, "w", c.WalletDir)
	require.True(t, c.Restricted)
	require.True(t, c.Offline)
	require.False(t, c.NonInteractive)
	require.Equal(t, "1", c.logLevel, "the command line wins")
	for name, text := range map[string]string{
		"unknown": "what=1", "recursion": "config-file=c", "no boolean": "offline=perhaps",
	} {
		_, err := parseWalletRPC([]string{"--config-file", "c"}, noEnv, files{"c": text}.read)
		require.ErrorContains(t, err, "line 1", name)
	}
	for text, why := range map[string]string{
		"\nrpc-logn=me:secret":        "line 2: unknown flag --rpc-logn, did you mean --rpc-login?",
		"secret words":                "line 1: must be name=value",
		"rpc-login=me:sec#ret":        "line 1: # begins a comment",
		"daemon-login=me:secret#":     "line 1: # begins a comment",
		"password=#secret":            "line 1: # begins a comment",
		"subaddress-lookahead=50:20x": "--subaddress-lookahead must be ACCOUNTS:ADDRESSES",
	} {
		_, err := parseWalletRPC(
			[]string{"--config-file", "c", "--rpc-bind-port", "5", "--wallet-dir", "w"},
			noEnv,
			files{"c": text}.read,
		)
		require.ErrorContains(t, err, why)
		require.NotContains(t, err.Error(), "sec", "a possible password is not shown")
	}
	c, err = parseWalletRPC(
		[]string{"--config-file", "c"},
		noEnv,
		files{"c": "rpc-bind-port=5\nwallet-dir=w#1\nrpc-login=me:secret # mine"}.read,
	)
	require.NoError(t, err)
	require.Equal(t, digest.NewLogin("me", "secret"), c.Login)
	require.Equal(t, "w", c.WalletDir, "as for the reference")
}

func TestLogin(t *testing.T) {
	env := func(name string) string { return map[string]string{"RPC_LOGIN": "env:pw"}[name] }
	c, err := parseWalletRPC(strings.Fields(least), env, files{}.read)
	require.NoError(t, err)
	require.Equal(t, digest.NewLogin("env", "pw"), c.Login)
	c, err = parseWalletRPC(strings.Fields(least+"--rpc-login flag:pw"), env, files{}.read)
	require.NoError(t, err)
	require.Equal(t, digest.NewLogin("flag", "pw"), c.Login)
	_, err = parseWalletRPC(strings.Fields(least+"--disable-rpc-login"), env, files{}.read)
	require.ErrorContains(t, err, "mutually exclusive")
}

func TestSecretsDoNotPrint(t *testing.T) {
	c, err := parseWalletRPC(
		strings.Fields(least+"--password-file p --rpc-login u:rpcsecret --daemon-login u:daemonsecret"),
		noEnv,
		files{"p": "walletsecret\r\n"}.read,
	)
	require.NoError(t, err)
	require.Equal(t, "walletsecret", string(c.Password))
	var log bytes.Buffer
	newLog(&log, formatText, &logSwitch{}).Error("all of it", "cfg", c, "password", c.Password)
	for _, text := range []string{fmt.Sprint(c), fmt.Sprintf("%+v %#v", c, c), log.String()} {
		require.NotContains(t, text, "walletsecret")
		require.NotContains(t, text, "rpcsecret")
		require.NotContains(t, text, "daemonsecret")
	}
	_, err = parse(least + "--password half other")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "other")
}

func TestWebhookFlags(t *testing.T) {
	disk := files{"s": "a secret of 20 bytes\n", "short": "fifteen bytes..\n"}
	line := strings.Fields(
		least + "--webhook-url https://a/?token=urlsecret,http://b --webhook-url https://c --webhook-secret-file",
	)
	c, err := parseWalletRPC(append(line, "s"), noEnv, disk.read)
	require.NoError(t, err)
	require.Equal(t, []secret{"https://a/?token=urlsecret", "http://b", "https://c"}, c.Webhooks)
	require.Equal(t, "a secret of 20 bytes", string(c.WebhookSecret))
	for _, text := range []string{fmt.Sprint(c), fmt.Sprintf("%+v %#v", c, c)} {
		require.NotContains(t, text, "urlsecret")
		require.NotContains(t, text, "20 bytes")
	}
	_, err = parseWalletRPC(append(line, "short"), noEnv, disk.read)
	require.ErrorContains(t, err, "16 bytes")
	_, err = parseWalletRPC(strings.Fields(least+"--webhook-url http://b/?{txid}"), noEnv, disk.read)
	require.NoError(t, err, "nothing is signed")
	_, err = parseWalletRPC(strings.Fields(least+"--webhook-url http://b/?{txid},http://c"), noEnv, disk.read)
	require.ErrorContains(t, err, "must be given together")
}

func TestLogLevels(t *testing.T) {
	for text, want := range map[string]slog.Level{
		"0": slog.LevelWarn, "1": slog.LevelInfo, "2": slog.LevelDebug, "4": slog.LevelDebug,
		"*:WARNING": slog.LevelWarn, "*:ERROR,wallet.rpc:DEBUG": slog.LevelDebug, "net:FATAL": slog.LevelError,
	} {
		got, err := logLevel(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "5", "-1", "loud", "*:LOUD"} {
		_, err := logLevel(text)
		require.Error(t, err, text)
	}
}

// All flags of the reference must be known.
func TestEveryFlagOfTheReferenceIsKnown(t *testing.T) {
	// Source: monero-wallet-rpc --help of 0.18.0.0, with the flags of the Windows service
	const reference = `
		help version daemon-address daemon-host proxy trusted-daemon untrusted-daemon password password-file
		daemon-port daemon-login daemon-ssl daemon-ssl-private-key daemon-ssl-certificate daemon-ssl-ca-certificates
		daemon-ssl-allowed-fingerprints daemon-ssl-allow-any-cert daemon-ssl-allow-chained testnet stagenet
		shared-ringdb-dir kdf-rounds bitmessage-address bitmessage-login hw-device hw-device-deriv-path tx-notify
		no-dns offline extra-entropy rpc-bind-port disable-rpc-login restricted-rpc rpc-bind-ip
		rpc-bind-ipv6-address rpc-restricted-bind-ip rpc-restricted-bind-ipv6-address rpc-use-ipv6 rpc-ignore-ipv4
		rpc-login confirm-external-bind rpc-access-control-origins rpc-ssl rpc-ssl-private-key rpc-ssl-certificate
		rpc-ssl-ca-certificates rpc-ssl-allowed-fingerprints rpc-ssl-allow-chained disable-rpc-ban wallet-file
		generate-from-json wallet-dir prompt-for-password rpc-client-secret-key rpc-max-connections-per-public-ip
		rpc-max-connections-per-private-ip rpc-max-connections rpc-response-soft-limit detach pidfile
		non-interactive log-file log-level max-log-file-size max-log-files max-concurrency config-file
		no-initial-sync allow-mismatched-daemon-version install-service uninstall-service start-service stop-service`
	for _, name := range strings.Fields(reference) {
		require.NotNil(t, findFlag(walletRPCFlags, name), name)
	}
	seen := map[string]bool{}
	for _, f := range walletRPCFlags {
		require.False(t, seen[f.name], f.name)
		seen[f.name] = true
	}
}

// TestEveryFlagOfMoneroWalletRPCStarts: every flag in the help of each installed release takes a value here if it does
// there, is accepted, and is listed in our help.
func TestEveryFlagOfMoneroWalletRPCStarts(t *testing.T) {
	values := map[string]string{
		"daemon-ssl": "autodetect", "rpc-ssl": "autodetect", "rpc-bind-ip": "127.0.0.1", "rpc-max-connections": "200",
		"rpc-ssl-certificate": "c --rpc-ssl-private-key k", "rpc-ssl-private-key": "k --rpc-ssl-certificate c",
	}
	var ours strings.Builder
	walletRPCHelp(&ours)
	for _, r := range releases(t) {
		for _, f := range flagsOfProgram(t, r.WalletRPC, 50, walletRPCFlags) {
			require.Regexp(t, `--`+f.name+`\s`, ours.String()+"\n")
			args := argumentsOf(t, f, values[f.name])
			folder := []string{"--rpc-bind-port", "18083", "--wallet-dir", "w"}
			if f.name == "wallet-file" || f.name == "generate-from-json" {
				folder = folder[:2]
			}
			_, err := parseWalletRPC(append(folder, args...), noEnv, os.ReadFile)
			require.NoError(t, err, f.name)
		}
	}
}

// TestMistypedFlags checks that the error has a suggestion and the usage only, not the complete help.
func TestMistypedFlags(t *testing.T) {
	for given, want := range map[string]string{
		"--walet-dir":        "unknown flag --walet-dir, did you mean --wallet-dir?",
		"--rpc-bind-prot":    "did you mean --rpc-bind-port?",
		"--daemon-adress=x":  "did you mean --daemon-address?",
		"--something-else":   "unknown flag --something-else: see",
		"--wallet-directory": "unknown flag --wallet-directory: see",
	} {
		code, out, errs := runCommand(t, "wallet-rpc", given)
		require.Equal(t, 2, code)
		require.Empty(t, out)
		require.Contains(t, errs, want)
		require.Contains(t, errs, "Usage: glim wallet-rpc --rpc-bind-port PORT")
		require.True(t, strings.HasSuffix(errs, "glim wallet-rpc --help shows the flags.\n"))
		require.Less(t, strings.Count(errs, "\n"), 6)
	}
	code, _, errs := runCommand(t, "daemon", "--regtset")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "did you mean --regtest?")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	code, _, errs = runCommand(t, "wallet-rpc", "--wallet-dir", file, "--rpc-bind-port", aPort(t),
		"--disable-rpc-login")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "--wallet-dir: "+file+" is not a folder")
}

// TestWrongFilesAreKept checks that a wrong file name in a flag does not destroy the file.
func TestWrongFilesAreKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink("nowhere", link))
	mine := []byte("glimlog\x01 and so on")
	require.NoError(t, os.WriteFile(file, mine, 0o600))
	for _, c := range [][]string{
		{"--wallet-dir", link, "--wallet-dir: stat "},
		{"--pidfile", file, "does not contain a process ID"},
		{"--log-file", file, "is a wallet file"},
	} {
		args := []string{"wallet-rpc", "--rpc-bind-port", aPort(t), "--disable-rpc-login", "--offline", c[0], c[1]}
		if c[0] != "--wallet-dir" {
			args = append(args, "--wallet-dir", t.TempDir())
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // an accepted flag starts a service
		var errs bytes.Buffer
		code := command(ctx, args, strings.NewReader(""), io.Discard, &errs)
		cancel()
		require.Equal(t, 1, code)
		require.Contains(t, errs.String(), c[2])
		kept, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, mine, kept)
	}
}
