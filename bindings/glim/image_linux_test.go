package main

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShellOfTheImage assembles the image with a shell from programs of this machine, as its file does. A --tx-notify
// command that uses sh and curl must run in it.
func TestShellOfTheImage(t *testing.T) {
	needCurl(t)
	var collect string
	for _, m := range instructions(t) {
		if m[0] == "RUN" && strings.Contains(m[1], "/shell") {
			require.Empty(t, collect)
			collect = m[1]
		}
	}
	require.NotEmpty(t, collect)
	root := t.TempDir() + "/root"
	out, err := exec.CommandContext(t.Context(), "sh", "-euc", strings.ReplaceAll(collect, "/shell", root)).
		CombinedOutput()
	require.NoError(t, err, string(out))

	port := aPort(t)
	start(t, "daemon", "--regtest", "--fixed-difficulty", "1", "--offline", "--rpc-bind-port", port)
	c := exec.CommandContext(t.Context(), "/bin/sh", "-c",
		"/usr/bin/curl -sS -X GET http://127.0.0.1:"+port+"/get_height && ls / | sed 's/^/file /'")
	c.Env, c.Dir = []string{"PATH=/usr/bin:/bin"}, "/"
	c.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	if os.Getuid() != 0 { // without root, a user namespace is needed
		c.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		c.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	}
	out, err = c.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), `"status":"OK"`)
	require.Contains(t, string(out), "file usr\n")
	require.NotContains(t, string(out), "file etc\n")
}
