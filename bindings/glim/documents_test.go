//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// commandsOf returns the shell blocks of a document.
func commandsOf(t *testing.T, document string) []string {
	t.Helper()
	b, err := os.ReadFile(document)
	require.NoError(t, err)
	return shellBlocks(t, string(b))
}

// shellBlocks returns the shell blocks of a Markdown text.
func shellBlocks(t *testing.T, markdown string) []string {
	t.Helper()
	var blocks []string
	for i, part := range strings.Split(markdown, "\n```") {
		if text, found := strings.CutPrefix(part, "sh\n"); found && i%2 == 1 {
			blocks = append(blocks, text+"\n")
		}
	}
	require.NotEmpty(t, blocks)
	return blocks
}

// documentPorts are the ports in the documents, which tests replace by free ones.
var documentPorts = []string{"18081", "18083", "9183", "9189", "8443", "8444", "8445"}

// machine is the environment in which a document's commands run: an empty folder, a folder in PATH, and a replacement
// for the root folder.
type machine struct{ dir, bin, root string }

// put creates a program that comes first in PATH.
func (m machine) put(t *testing.T, name, script string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(m.bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
}

// record creates a program that only records its arguments, in a file of its name in the root folder.
func (m machine) record(t *testing.T, name string) {
	t.Helper()
	m.put(t, name, "echo \"$*\" >>'"+filepath.Join(m.root, name)+"'")
}

// recorded returns the recorded arguments of a program, one call a line.
func (m machine) recorded(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(m.root, name))
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

// newMachine returns a machine with the scripts of the source. Calls of systemd and Docker are recorded only.
func newMachine(t *testing.T) machine {
	t.Helper()
	m := machine{t.TempDir(), t.TempDir(), t.TempDir()}
	scripts, err := filepath.Abs("../../scripts")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(scripts, filepath.Join(m.dir, "scripts")))
	for _, dir := range []string{"etc/systemd/system", "usr/local/bin", "var/lib/private/glim"} {
		require.NoError(t, os.MkdirAll(filepath.Join(m.root, dir), 0o700))
	}
	require.NoError(t, os.Mkdir(filepath.Join(m.dir, "bin"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "bin/glim"), []byte("the program"), 0o600))
	m.record(t, "systemctl")
	m.record(t, "docker")
	return m
}

// runDocument runs the commands of a document in one shell. A failure prints the output so far.
func (m machine) runDocument(t *testing.T, document string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	program, err := os.Executable()
	require.NoError(t, err)
	m.put(t, "glim", fmt.Sprintf("%s=1 exec '%s' \"$@\"", asCommand, program))
	here := []string{
		" /etc/",
		" " + m.root + "/etc/",
		" /usr/local/",
		" " + m.root + "/usr/local/",
		"/var/lib/private",
		m.root + "/var/lib/private",
	}
	for _, p := range documentPorts {
		here = append(here, p, aPort(t))
	}
	var script strings.Builder
	script.WriteString("set -eu\n")
	for n, block := range commandsOf(t, document) {
		fmt.Fprintf(&script, "echo '--- block %d'\n%s", n+1, strings.NewReplacer(here...).Replace(block))
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", script.String())
	cmd.Dir, cmd.Env = m.dir, append(os.Environ(), "PATH="+m.bin+":"+os.Getenv("PATH"))
	// Kill everything that it started.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = 5 * time.Minute
	err = cmd.Run()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // nothing may be left of it after a failure
	require.NoError(t, err, "%s:\n%s", document, &out)
	require.NotContains(t, out.String(), `"error"`, "an operation was refused:\n%s", &out)
	return out.String()
}

// TestOperating runs the commands of the operator's guide.
func TestOperating(t *testing.T) {
	needCurl(t)
	m := newMachine(t)
	out := m.runDocument(t, "../OPERATING.md")
	require.Contains(t, out, "glim_wallets_open 1")
	require.Contains(t, out, "glim_chain_height 1")
	require.Contains(t, out, "backup/shop-keys.keys")
	require.Contains(t, out, `"msg":"request"`)
	require.Equal(t, []string{"daemon-reload", "enable --now glim-wallet-rpc"}, m.recorded(t, "systemctl"))
	require.Len(t, m.recorded(t, "docker"), 3)

	// Its installation commands are those in the files' comments.
	text, err := os.ReadFile("../OPERATING.md")
	require.NoError(t, err)
	require.Contains(t, string(text), "\n```sh\n"+headOf(t, "glim-wallet-rpc.service")+"```\n")
	for line := range strings.Lines(headOf(t, "Dockerfile")) {
		if strings.HasPrefix(line, "docker build -f ") {
			require.Contains(t, string(text), "\n"+line)
		}
	}

	// The metrics that it names exist.
	var source []byte
	for _, pattern := range []string{"*.go", "../internal/metrics/*.go"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				b, err := os.ReadFile(name)
				require.NoError(t, err)
				source = append(source, b...)
			}
		}
	}
	named := regexp.MustCompile("`((?:glim|process)_[a-z_]+)`").FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, named)
	// The configuration for Prometheus is valid YAML, and uses existing metrics.
	blocks := regexp.MustCompile("(?s)\n```yaml\n(.*?)\n```").FindAllStringSubmatch(string(text), -1)
	require.Len(t, blocks, 2)
	for _, b := range blocks {
		require.YAMLEq(t, b[1], b[1])
		named = append(named, regexp.MustCompile(`\b(glim_[a-z_]+)`).FindAllStringSubmatch(b[1], -1)...)
	}
	for _, m := range named {
		require.True(t, bytes.Contains(source, []byte(`"`+m[1]+`"`)), m[1])
	}
}

// TestMigrating runs the commands of the guide for migrating from monero-wallet-rpc, with that service.
func TestMigrating(t *testing.T) {
	peers.Require(t)
	needCurl(t)
	m := newMachine(t)
	const dynamic, inImage = 61902, 65532
	service := filepath.Join(m.root, "var/lib/private/glim")
	if os.Getuid() == 0 {
		require.NoError(t, os.Chown(service, dynamic, dynamic))
	} else {
		m.record(t, "chown")
	}
	out := m.runDocument(t, "../MIGRATING.md")
	require.Contains(t, out, "wallets/shop.glim")

	// Copied files are readable only by the user of the service.
	require.Equal(t, []string{"stop glim-wallet-rpc", "start glim-wallet-rpc"}, m.recorded(t, "systemctl"))
	for folder, owner := range map[string]uint32{
		filepath.Join(service, "wallets"): dynamic, filepath.Join(m.dir, "wallets-for-container"): inImage,
	} {
		for _, name := range []string{"", "shop", "shop.keys"} {
			info, err := os.Stat(filepath.Join(folder, name))
			require.NoError(t, err)
			require.Zero(t, info.Mode().Perm()&0o77, info.Name())
			require.Equal(t, info.IsDir(), info.Mode().Perm() == 0o700, info.Name())
			if stat := info.Sys().(*syscall.Stat_t); os.Getuid() == 0 {
				require.Equal(t, []uint32{owner, owner}, []uint32{stat.Uid, stat.Gid}, info.Name())
			}
		}
	}
	if os.Getuid() != 0 {
		require.Equal(t, []string{
			"-R --reference=" + service + " " + service + "/wallets", "-R 65532:65532 wallets-for-container",
		}, m.recorded(t, "chown"))
	}
	require.Len(t, m.recorded(t, "docker"), 2)
	require.Contains(t, readText(t, "Dockerfile"), fmt.Sprintf("\nUSER %d:%[1]d\n", inImage))
}

// TestTerminalGuide runs the commands of the guide to `glim wallet`.
func TestTerminalGuide(t *testing.T) {
	needCurl(t)
	m := newMachine(t)
	out := m.runDocument(t, "../TERMINAL.md")
	for _, want := range []string{
		`"name":"shop","address":"`, "Balance: 2", "Nothing was sent.", `"sent":true`, "This payment was made before",
		`"unlocked":"1.500000000000"`, "not enough money", "The signature is valid", "the address received 1.50 XMR",
	} {
		require.Contains(t, out, want)
	}
	require.Equal(t, 2, strings.Count(out, "Sent: transaction")+strings.Count(out, `"sent":true`))

	// Its exit codes are those of the help.
	var help bytes.Buffer
	require.Zero(t, command(t.Context(), []string{"wallet", "help"}, nil, &help, &help))
	_, codes, _ := strings.Cut(help.String(), "Exit codes\n")
	codes = strings.Join(strings.Fields(codes), " ")
	text, err := os.ReadFile("../TERMINAL.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| (.*) \|$`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, 11)
	for _, row := range rows {
		require.Contains(t, codes, row[1]+" "+row[2])
	}
}

// TestWorkersWallet checks the command line in the worker's README for a wallet that uses a gateway.
func TestWorkersWallet(t *testing.T) {
	var lines []string
	for _, block := range commandsOf(t, "../../wasm/worker/README.md") {
		if strings.HasPrefix(block, "glim wallet-rpc ") {
			lines = append(lines, block)
		}
	}
	require.Len(t, lines, 1)
	c, err := parseWalletRPC(strings.Fields(lines[0])[2:], noEnv, os.ReadFile)
	require.NoError(t, err)
	require.Equal(t, "https://gateway.example:443", c.DaemonAddress)
	require.False(t, c.TrustedDaemon)
}

func needCurl(t *testing.T) {
	t.Helper()
	for _, program := range []string{"curl", "openssl"} {
		_, err := exec.LookPath(program)
		require.NoError(t, err, "the documents use %s: apt-get install %[1]s", program)
	}
}
