package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/xmr"
)

func TestNotificationsAreCommands(t *testing.T) {
	var log bytes.Buffer
	now := &logSwitch{}
	now.set("1")
	to := newLog(&log, formatText, now)
	newNotification(to, "block-notify", "  ").run("%s", "nothing happens")
	missing := newNotification(to, "block-notify", "/no/such/program %s")
	require.Contains(t, log.String(), "--block-notify: program not found")
	missing.run("%s", "x")
	require.Contains(t, log.String(), "--block-notify: starting the command failed")

	dir := t.TempDir()
	script, out := filepath.Join(dir, "note"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\necho \"$@\" >>"+out+"\n"), 0o700))
	block := newNotification(to, "block-notify", script+"  block\t%s ; echo `%s`")
	reorganisation := newNotification(to, "reorg-notify", script+" %s-%h-%n-%d")
	tell := notifyChain(block, reorganisation)
	a, b := xmr.Hash{1}, xmr.Hash{2}
	tell(chain.View{}, chain.Added{Height: 7, Joined: []xmr.Hash{a}})
	tell(chain.View{}, chain.Added{Height: 9, Joined: []xmr.Hash{a, b}, Left: []xmr.Hash{{3}}})
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(out)
		return err == nil && strings.Count(string(text), "\n") == 4
	}, 5*time.Minute, 20*time.Millisecond)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{
		"block " + a.String() + " ; echo `" + a.String() + "`", "block " + a.String() + " ; echo `" + a.String() + "`",
		"block " + b.String() + " ; echo `" + b.String() + "`", "8-10-2-1",
	}, strings.Split(strings.TrimSpace(string(text)), "\n"))
}
