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

// commandsOf returns the blocks of a document that are for a shell.
func commandsOf(t *testing.T, document string) []string {
	t.Helper()
	b, err := os.ReadFile(document)
	require.NoError(t, err)
	return shellBlocks(t, string(b))
}

// shellBlocks returns the blocks of a text in Markdown that are for a shell.
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

// documentPorts are those that documents name; a test takes free ones in their place.
var documentPorts = []string{"18081", "18083", "9183", "9189"}

// runDocument runs what a document tells a reader to type, in one shell and an empty folder, with the command in PATH. Whatever fails is
// shown with what was printed until then.
func runDocument(t *testing.T, document string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	dir, bin := t.TempDir(), t.TempDir()
	program, err := os.Executable()
	require.NoError(t, err)
	glim := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", asCommand, program)
	require.NoError(t, os.WriteFile(filepath.Join(bin, "glim"), []byte(glim), 0o700))
	var ports []string
	for _, p := range documentPorts {
		ports = append(ports, p, aPort(t))
	}
	var script strings.Builder
	script.WriteString("set -eu\n")
	for n, block := range commandsOf(t, document) {
		fmt.Fprintf(&script, "echo '--- block %d'\n%s", n+1, strings.NewReplacer(ports...).Replace(block))
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", script.String())
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	// What it starts ends with it, whatever happens.
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

// What the operator's guide says to type does what it says.
func TestOperating(t *testing.T) {
	needCurl(t)
	out := runDocument(t, "../OPERATING.md")
	require.Contains(t, out, "glim_wallets_open 1")
	require.Contains(t, out, "glim_chain_height 1")
	require.Contains(t, out, "backup/shop-keys.keys")
	require.Contains(t, out, `"msg":"request"`)

	// Numbers it tells to look at are there.
	text, err := os.ReadFile("../OPERATING.md")
	require.NoError(t, err)
	var source []byte
	for _, pattern := range []string{"*.go", "../native/metrics/*.go"} {
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
	// What it gives to Prometheus is YAML, and asks for numbers that are there.
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

// What the guide for those who come from the reference's service says to type does what it says, with that service.
func TestMigrating(t *testing.T) {
	peers.Require(t)
	needCurl(t)
	out := runDocument(t, "../MIGRATING.md")
	require.Contains(t, out, "wallets/shop.glim")
}

func needCurl(t *testing.T) {
	t.Helper()
	for _, program := range []string{"curl", "openssl"} {
		_, err := exec.LookPath(program)
		require.NoError(t, err, "the documents use %s: apt-get install %[1]s", program)
	}
}
