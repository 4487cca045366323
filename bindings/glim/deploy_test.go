package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

const deploy = "../../scripts/deploy/"

func readText(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(deploy + name)
	require.NoError(t, err)
	return string(b)
}

// settings parses the name=value lines of a unit, and joins the values of repeated names.
func settings(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, found := strings.Cut(strings.TrimSpace(line), "=")
		if found && !strings.HasPrefix(name, "#") {
			all[name] = strings.TrimSpace(all[name] + " " + value)
		}
	}
	return all
}

// hardened are settings that both units must have.
var hardened = map[string]string{
	"DynamicUser": "yes", "NoNewPrivileges": "yes", "CapabilityBoundingSet": "", "ProtectSystem": "strict",
	"ProtectHome":    "yes",
	"PrivateDevices": "yes", "PrivateTmp": "yes", "MemoryDenyWriteExecute": "yes",
	"RestrictAddressFamilies": "AF_INET AF_INET6",
	"UMask":                   "0077", "LimitCORE": "0", "StateDirectoryMode": "0700",
}

// exposed is the maximum exposure level of systemd-analyze, in tenths of its scale from 0 to 10. Most units of Debian
// are at 9.
const exposed = 20

// TestUnits checks that the units start the command with valid flags, are hardened, and pass systemd's checks.
func TestUnits(t *testing.T) {
	require.Greater(t, 150, int(graceful.Seconds()), "systemd waits for running calls")
	for _, name := range []string{"wallet-rpc", "daemon"} {
		text, config := readText(t, "glim-"+name+".service"), readText(t, name+".conf")
		unit := settings(text)
		for key, want := range hardened {
			got, said := unit[key]
			require.True(t, said, "%s: %s", name, key)
			require.Equal(t, want, got, "%s: %s", name, key)
		}
		require.Equal(t, "150", unit["TimeoutStopSec"])
		line := strings.Fields(strings.ReplaceAll(unit["ExecStart"], "${CREDENTIALS_DIRECTORY}", "/run/credentials"))
		require.Equal(t, name+".conf:/etc/glim/"+name+".conf", unit["LoadCredential"])
		require.Equal(t, []string{"/usr/local/bin/glim", name}, line[:2])
		read := func(file string) ([]byte, error) {
			require.Equal(t, "/run/credentials/"+name+".conf", file)
			return []byte(config), nil
		}
		var err error
		if name == "daemon" {
			_, err = parseDaemon(line[2:], noEnv, read)
		} else {
			_, err = parseWalletRPC(line[2:], noEnv, read)
			require.ErrorIs(t, err, errPlaceholder, "the sample contains a placeholder")
			config = strings.Replace(config, "USER:PASSWORD", "me:secret", 1)
			_, err = parseWalletRPC(line[2:], noEnv, read)
		}
		require.NoError(t, err, name)

		analyze, err := exec.LookPath("systemd-analyze")
		if err != nil {
			continue // systemd-analyze is missing; the command line was checked above
		}
		file := filepath.Join(t.TempDir(), "glim-"+name+".service")
		program, err := os.Executable() // systemd requires an existing program
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(text, "/usr/local/bin/glim", program)), 0o600))
		said, err := exec.Command(analyze, "verify", "--man=no", "--recursive-errors=no", file).CombinedOutput()
		require.NoError(t, err, string(said))
		require.NotContains(t, string(said), "glim-"+name)
		threshold := "--threshold=" + strconv.Itoa(exposed)
		said, err = exec.Command(analyze, "security", "--offline=true", threshold, "--no-pager", file).CombinedOutput()
		require.NoError(t, err, string(said))
	}
}

// headOf returns the commands in the comment at the beginning of a file in scripts/deploy.
func headOf(t *testing.T, name string) string {
	t.Helper()
	var commands strings.Builder
	for line := range strings.Lines(readText(t, name)) {
		if line[0] != '#' {
			break
		}
		if command, found := strings.CutPrefix(line, "#   "); found {
			commands.WriteString(command)
		}
	}
	require.NotZero(t, commands.Len(), name)
	return commands.String()
}

// TestUnitsAreInstalled runs the commands in the units' comments in the source folder. They must install the program,
// the unit, and a configuration that only root can read and with which the service starts.
func TestUnitsAreInstalled(t *testing.T) {
	for _, name := range []string{"wallet-rpc", "daemon"} {
		root, source, bin := t.TempDir(), t.TempDir(), t.TempDir()
		scripts, err := filepath.Abs("../../scripts")
		require.NoError(t, err)
		require.NoError(t, os.Symlink(scripts, filepath.Join(source, "scripts")))
		require.NoError(t, os.Mkdir(filepath.Join(source, "bin"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(source, "bin/glim"), []byte("the program"), 0o600))
		systemctl := "#!/bin/sh\necho \"$*\" >>'" + root + "/systemctl'\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, "systemctl"), []byte(systemctl), 0o700))
		for _, dir := range []string{"etc/systemd/system", "usr/local/bin"} {
			require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o700))
		}
		here := strings.NewReplacer(" /etc/", " "+root+"/etc/", " /usr/", " "+root+"/usr/")
		c := exec.CommandContext(t.Context(), "sh", "-euc", here.Replace(headOf(t, "glim-"+name+".service")))
		c.Dir, c.Env = source, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		said, err := c.CombinedOutput()
		require.NoError(t, err, string(said))

		unit := settings(readText(t, "glim-"+name+".service"))
		there := func(file string) string {
			t.Helper()
			b, err := os.ReadFile(filepath.Join(root, file))
			require.NoError(t, err)
			return string(b)
		}
		require.Equal(t, "the program", there(strings.Fields(unit["ExecStart"])[0]))
		require.Equal(t, readText(t, "glim-"+name+".service"), there("/etc/systemd/system/glim-"+name+".service"))
		require.Equal(t, "daemon-reload\nenable --now glim-"+name+"\n", there("systemctl"))
		_, config, _ := strings.Cut(unit["LoadCredential"], ":")
		info, err := os.Stat(filepath.Join(root, config))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode())
		if name == "wallet-rpc" {
			line := []string{"--config-file", filepath.Join(root, config), "--wallet-dir", "dir"}
			wallets, err := parseWalletRPC(line, noEnv, os.ReadFile)
			require.NoError(t, err)
			require.False(t, wallets.Login.IsZero())
			require.Regexp(t, `(?m)^rpc-login=shop:[0-9a-f]{48}$`, there(config))
		}
	}
}

// TestPlaceholderIsRefused checks that the placeholder login is rejected before the service listens.
func TestPlaceholderIsRefused(t *testing.T) {
	config := filepath.Join(t.TempDir(), "wallet-rpc.conf")
	require.NoError(t, os.WriteFile(config, []byte(readText(t, "wallet-rpc.conf")), 0o600))
	rest := []string{"--wallet-dir", t.TempDir(), "--rpc-bind-port", aPort(t)}
	for _, c := range []struct {
		args []string
		env  string
	}{
		{args: []string{"wallet-rpc", "--config-file", config}},
		{args: []string{"wallet-rpc", "--rpc-login", "shop:PASSWORD"}},
		{args: []string{"wallet-rpc"}, env: "RPC_LOGIN=USER:PASSWORD"},
	} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], append(c.args, rest...)...)
		cmd.Env, cmd.Dir = append(os.Environ(), asCommand+"=1", c.env), t.TempDir()
		said, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, string(said))
		require.Equal(t, 2, exit.ExitCode())
		require.Contains(t, string(said), "the password PASSWORD is the placeholder of the samples")
		require.NotContains(t, string(said), "serves")
	}
}

// TestUnitsConfigurationServes checks that a service with the sample configuration behaves as documented.
func TestUnitsConfigurationServes(t *testing.T) {
	port, page := aPort(t), aPort(t)
	text := strings.NewReplacer(
		"18083", port, "9183", page, "USER:PASSWORD", "me:secret", "127.0.0.1:18081", "127.0.0.1:1",
	).Replace(readText(t, "wallet-rpc.conf"))
	config := filepath.Join(t.TempDir(), "wallet-rpc.conf")
	require.NoError(t, os.WriteFile(config, []byte(text), 0o600))
	start(t, "wallet-rpc", "--config-file", config, "--wallet-dir", t.TempDir(), "--non-interactive")
	c := peers.Client{URL: "http://127.0.0.1:" + port, Login: "me:secret"}
	require.NoError(t, c.JSON(t.Context(), "get_version", nil, nil))
	require.Error(t, peers.Client{URL: c.URL}.JSON(t.Context(), "get_version", nil, nil))
	scrape(t, page)
}

var instruction = regexp.MustCompile(`^(FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|STOPSIGNAL|ENTRYPOINT) (.+)$`)

// instructions returns the instructions of the Dockerfile.
func instructions(t *testing.T) (all [][]string) {
	t.Helper()
	var text strings.Builder
	for line := range strings.Lines(readText(t, "Dockerfile")) {
		if line[0] != '#' {
			text.WriteString(line)
		}
	}
	for line := range strings.Lines(strings.ReplaceAll(text.String(), "\\\n", " ")) {
		if line = strings.TrimSpace(line); line != "" {
			m := instruction.FindStringSubmatch(line)
			require.NotNil(t, m, line)
			all = append(all, m[1:])
		}
	}
	return all
}

// TestDockerfile checks the file, without building an image: the stages, an unprivileged user, a valid command line,
// and the build command of the published programs. The last image, which is the default, contains only the command.
func TestDockerfile(t *testing.T) {
	var order []string
	stages := map[string]map[string]string{} // the last instruction of each kind, by the stage's name
	var last map[string]string
	copied := map[string]bool{} // files that only one of the images gets
	for _, m := range instructions(t) {
		kind, value := m[0], m[1]
		if kind == "FROM" {
			base, name, _ := strings.Cut(value, " AS ")
			last = maps.Clone(stages[base])
			if last == nil {
				last = map[string]string{}
			}
			stages[name] = last
			order = append(order, value)
			continue
		}
		last[kind] = value
		if from, ok := strings.CutPrefix(value, "--from="); kind == "COPY" && ok {
			require.Contains(t, stages, strings.Fields(from)[0])
			copied[order[len(order)-1]+": "+from] = true
		} else if fields := strings.Fields(value); kind == "COPY" {
			for _, f := range fields[:len(fields)-1] {
				_, err := os.Stat("../../" + f)
				require.NoError(t, err, value)
				for _, room := range []string{"bindings", "core"} {
					if f == room {
						require.Contains(t, readText(t, "Dockerfile.dockerignore"), "!"+room)
					}
				}
			}
		}
		if build, ok := strings.CutPrefix(value, "go build "); kind == "RUN" && ok {
			release, err := os.ReadFile("../../scripts/release")
			require.NoError(t, err)
			flags, _, _ := strings.Cut(build, " -o ")
			require.True(t, bytes.Contains(release, []byte(flags)), "scripts/release builds with %s", flags)
		}
	}
	mod, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	require.NotNil(t, version)
	require.Regexp(t, `^golang:`+regexp.QuoteMeta(string(version[1]))+`\.\d+-bookworm@sha256:[0-9a-f]{64} AS build$`,
		order[0])
	require.Equal(t, []string{"build AS programs", "scratch AS plain", "plain AS shell", "plain"}, order[1:])
	require.True(t, copied["plain AS shell: programs /shell/ /"])
	for name := range copied {
		require.False(t, strings.HasPrefix(name, "plain: "), name)
	}
	for _, name := range []string{"shell", ""} {
		last := stages[name]
		require.Equal(t, "65532:65532", last["USER"])
		var line []string
		require.NoError(t, json.Unmarshal([]byte(last["ENTRYPOINT"]), &line))
		require.Equal(t, []string{"/glim", "wallet-rpc"}, line[:2])
		c, err := parseWalletRPC(line[2:], func(name string) string {
			return map[string]string{"RPC_LOGIN": "me:secret"}[name]
		}, files{}.read)
		require.NoError(t, err)
		require.Equal(t, last["VOLUME"], c.WalletDir)
		require.Equal(t, last["EXPOSE"], strconv.Itoa(int(c.BindPort)))
		require.False(t, c.Login.IsZero())
	}
	for line := range strings.Lines(headOf(t, "Dockerfile")) {
		if target := regexp.MustCompile(`--target (\S+)`).FindStringSubmatch(line); target != nil {
			require.Contains(t, stages, target[1])
		}
	}
}
