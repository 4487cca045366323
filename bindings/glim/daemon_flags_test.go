package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// flagsOfHelp finds the flags in what a program of the reference says of itself, and whether they take a value.
var flagsOfHelp = regexp.MustCompile(`(?m)^  --([a-z0-9-]+)( arg)?`)

// TestEveryFlagOfMonerodIsKnown: what monerod understands has an effect, has none for a reason, or is refused with one.
func TestEveryFlagOfMonerodIsKnown(t *testing.T) {
	help, err := exec.Command(peers.Require(t).Daemon, "--help").Output()
	require.NoError(t, err)
	found := flagsOfHelp.FindAllStringSubmatch(string(help), -1)
	require.Greater(t, len(found), 100)
	for _, m := range found {
		f := findFlag(daemonFlags, m[1])
		require.NotNil(t, f, m[1])
		require.Equal(t, m[2] != "", f.arg != "", "whether --%s takes a value", f.name)
	}
	// Of releases after 0.18.0.0. Source: src/rpc/zmq_server.cpp, src/daemon/command_line_args.h.
	for _, name := range []string{"restricted-zmq-rpc", "confirm-zmq-rpc-external-bind"} {
		require.NotNil(t, findFlag(daemonFlags, name), name)
	}
}

// TestFlagsSayWhy: each flag says what it does, or why it does nothing, in a sentence; what is refused is told so.
func TestFlagsSayWhy(t *testing.T) {
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
			value = "safe" // the one whose value is looked at all the same
		}
		switch err := f.apply(&c, value); {
		case err != nil:
			require.ErrorContains(t, err, "not supported: "+f.help)
		case len(c.Warnings) > 0:
			require.Equal(t, []string{"--" + f.name + " has no effect here"}, c.Warnings)
		}
	}
}
