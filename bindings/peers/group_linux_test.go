package peers

import (
	"bufio"
	"context"
	"net"
	"net/url"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestServiceEndsWithItsParent checks that a service ends when the process that started it is killed.
func TestServiceEndsWithItsParent(t *testing.T) {
	t.Parallel()
	Require(t)
	if dir := os.Getenv("PEERS_HOLD"); dir != "" {
		w, err := StartWalletRPC(context.Background(), nil, Options{Dir: dir})
		require.NoError(t, err)
		_, _ = os.Stdout.WriteString(w.URL + "\n")
		select {}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestServiceEndsWithItsParent$")
	cmd.Env = append(os.Environ(), "PEERS_HOLD="+t.TempDir())
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	u, err := url.Parse(lines.Text())
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", u.Host)
		if err == nil {
			c.Close()
		}
		return err != nil
	}, limit, 20*time.Millisecond)
}
