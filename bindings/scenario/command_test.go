package scenario

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// build compiles the command once.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "glim-scenario-")
	if err != nil {
		return "", err
	}
	keep(dir)
	path := filepath.Join(dir, "glim")
	cmd := exec.Command("go", "build", "-o", path, "glim/bindings/glim")
	cmd.Stderr = os.Stderr
	return path, cmd.Run()
})

const login = "alice:pass word"

// command is glim wallet-rpc in another process.
type command struct {
	peers.Client
	cmd   *exec.Cmd
	lines chan string // its output
	ended chan struct{}
}

var serving = regexp.MustCompile(`serves mainnet at (\S+)`)

// start runs the command on the wallets of dir, with more flags, until the test ends. It returns when the service is
// ready.
func start(t *testing.T, d *peers.Daemon, dir string, more ...string) *command {
	t.Helper()
	path, err := build()
	require.NoError(t, err)
	for range 3 { // another process may take the port first
		port, err := peers.FreePort()
		require.NoError(t, err)
		c := &command{lines: make(chan string, 10000), ended: make(chan struct{})}
		c.cmd = exec.Command(path, "wallet-rpc", "--rpc-bind-port", port, "--rpc-login", login, "--wallet-dir", dir,
			"--daemon-address", strings.TrimPrefix(d.URL, "http://"), "--trusted-daemon", "--non-interactive")
		c.cmd.Args = append(c.cmd.Args, more...)
		c.cmd.Dir = t.TempDir()
		printed, err := c.cmd.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, c.cmd.Start())
		t.Cleanup(c.kill)
		go c.read(printed)
		for line := range c.lines {
			t.Log(line)
			if m := serving.FindStringSubmatch(line); m != nil {
				c.Client = peers.Client{URL: "http://" + m[1], Login: login}
				return c
			}
		}
	}
	t.Fatal("the command does not start")
	return nil
}

func (c *command) read(r io.Reader) {
	s := bufio.NewScanner(r)
	for s.Scan() {
		select {
		case c.lines <- s.Text():
		default: // the test needs no more lines
		}
	}
	close(c.lines)
	_ = c.cmd.Wait()
	close(c.ended)
}

// JSON calls a method. As in the reference, a login challenge is valid only on its connection. If calls share
// connections, the answer may be sent on another one and is refused, and the call was not made.
func (c *command) JSON(ctx context.Context, method string, params, out any) error {
	for {
		err := c.Client.JSON(ctx, method, params, out)
		var refused *peers.Error
		if !errors.As(err, &refused) || refused.Code != http.StatusUnauthorized {
			return err
		}
	}
}

// kill kills the process, as a power failure would.
func (c *command) kill() {
	_ = c.cmd.Process.Kill()
	<-c.ended
}

// TestCommand runs the built command, over HTTP with a login, from an empty folder to a payment.
func TestCommand(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	mirror := newReference(t, d)
	restore(t, mirror, "bob", bob)
	refresh(t, mirror)
	dir := t.TempDir()
	c := start(t, d, dir)
	var e *peers.Error
	require.ErrorAs(t, peers.Client{URL: c.URL, Login: "alice:wrong"}.JSON(deadline(t), "get_version", nil, nil), &e)
	require.Equal(t, 401, e.Code)
	require.ErrorAs(t, peers.Client{URL: c.URL}.JSON(deadline(t), "get_version", nil, nil), &e)
	require.Equal(t, 401, e.Code)

	do(t, c, "create_wallet", object{"filename": "new", "password": "p", "language": "English"})
	words := call[struct{ Key string }](t, c, "query_key", object{"key_type": "mnemonic"}).Key
	address := call[struct{ Address string }](t, c, "get_address", object{"account_index": 0}).Address
	pay(t, mirror, []destination{{address, 2 * coin}, {address, 2 * coin}, {address, 2 * coin}}, nil)
	do(t, mirror, "restore_deterministic_wallet", object{
		"filename": "new", "password": "", "seed": words, "restore_height": 0,
	})
	mine(t, d, 10, at(t, nobody, 0, 0))
	refresh(t, c, mirror)
	compareAll(t, mirror, c, 1)
	pay(t, c, []destination{{at(t, bob, 0, 1), coin}, {at(t, bob, 1, 0), 2 * coin}}, nil)
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, c, mirror)
	compareAll(t, mirror, c, 1)

	// A second process on the same folder starts, but cannot open this wallet while the first has it open.
	second := start(t, d, dir)
	open := object{"filename": "new", "password": "p"}
	refused := refusal(t, second, "open_wallet", open)
	require.Equal(t, -1, refused.Code)
	require.Contains(t, refused.Message, "open in another process")
	do(t, c, "close_wallet", nil)
	do(t, second, "open_wallet", open)
	compareAll(t, mirror, second, 1)
	do(t, second, "stop_wallet", nil)
	select {
	case <-second.ended:
	case <-deadline(t).Done():
		t.Fatal("stop_wallet does not stop")
	}
	require.Zero(t, second.cmd.ProcessState.ExitCode())
	do(t, c, "open_wallet", open)
	c.kill()
	do(t, start(t, d, dir), "open_wallet", open)
}
