package scenario

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"

	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
)

// attacked is glim daemon in another process, with an unrestricted and a restricted port.
type attacked struct {
	*testing.T
	cmd          *exec.Cmd
	ended        chan error
	unrestricted string // host:port
	restricted   string
	client       http.Client
}

func besiege(t *testing.T) *attacked {
	t.Helper()
	path, err := build()
	require.NoError(t, err)
	b := &attacked{T: t, ended: make(chan error, 1)}
	for _, address := range []*string{&b.unrestricted, &b.restricted} {
		port, err := peers.FreePort()
		require.NoError(t, err)
		*address = "127.0.0.1:" + port
	}
	_, owner, _ := strings.Cut(b.unrestricted, ":")
	_, restricted, _ := strings.Cut(b.restricted, ":")
	b.cmd = exec.Command(path, "daemon", "--regtest", "--fixed-difficulty", "1", "--rpc-bind-port", owner,
		"--rpc-restricted-bind-port", restricted)
	b.cmd.Args = append(b.cmd.Args, "--log-file", filepath.Join(t.TempDir(), "log"))
	require.NoError(t, b.cmd.Start())
	go func() { b.ended <- b.cmd.Wait() }()
	t.Cleanup(func() { _ = b.cmd.Process.Kill() })
	b.client.Transport = &http.Transport{MaxConnsPerHost: 8, MaxIdleConnsPerHost: 8}
	b.client.Timeout = patience
	t.Cleanup(b.client.CloseIdleConnections)
	until(t, func() bool { return b.height() == 1 })
	return b
}

// height returns the height as a well-behaved client sees it, 0 if there is no answer.
func (b *attacked) height() uint64 {
	b.Helper()
	select {
	case err := <-b.ended:
		b.Fatalf("the daemon ended: %v", err)
	default:
	}
	h, err := rpc.Call(deadline(b.T), b, daemonrpc.GetHeight, daemonrpc.None{})
	if err != nil {
		return 0
	}
	return h.Height
}

// Post sends a valid request to the unrestricted port.
func (b *attacked) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	status, answer, err := b.post(b.unrestricted, path, string(body))
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d", status)
	}
	return answer, err
}

func (b *attacked) post(address, path, body string) (int, []byte, error) {
	res, err := b.client.Post("http://"+address+path, "application/json", strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	return res.StatusCode, answer, err
}

var peak = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory returns the peak memory of the daemon in MiB, 0 if the system does not report it.
func (b *attacked) peakMemory() int {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", b.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	m := peak.FindSubmatch(status)
	require.NotNil(b, m)
	kib, err := strconv.Atoi(string(m[1]))
	require.NoError(b, err)
	return kib >> 10
}

// mostMemory limits the memory of the daemon under attack, in MiB. A RandomX cache takes 256, and there may be two.
const mostMemory = 900

// TestHostileRequests sends invalid requests to every operation of the daemon, on both ports. The process survives,
// answers each request and those of other clients, and its memory stays bounded.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	b := besiege(t)
	_, err := rpc.Call(deadline(t), b, daemonrpc.GenerateBlocks, daemonrpc.GenerateBlocksRequest{
		AmountOfBlocks: 200, WalletAddress: node.UnspendableAddress(),
	})
	require.NoError(t, err)
	for _, path := range []string{"/json_rpc", "/get_height", "/get_blocks.bin", "/nothing"} {
		b.attack(path, vast, b.unrestricted, b.restricted)
	}
	for _, op := range daemonrpc.Operations() {
		path, bodies := "/"+op.Name, jsonBodies(op)
		switch op.Wire {
		case rpc.Binary:
			bodies = binaryBodies(op)
		case rpc.JSONRPC:
			path = "/json_rpc"
		}
		switch op.Name {
		case daemonrpc.StopDaemon.Name:
			b.attack(path, bodies, b.restricted) // the unrestricted port would execute it
		case daemonrpc.CalcPow.Name:
			// Each takes long.
			b.attack(path,
				map[string]string{"another seed": bodies["seed_hash: zeros"], "none": bodies["nothing but object"]},
				b.unrestricted)
			fallthrough
		case daemonrpc.GetBlockHeaderByHeight.Name:
			b.attack(path, bodies, b.restricted)
		case daemonrpc.SetBootstrapDaemon.Name:
			// The other requests set a proxy that refuses the addresses before they are counted.
			b.attack(path, map[string]string{"addresses": bodies["address: long text"]}, b.unrestricted)
			fallthrough
		default:
			b.attack(path, bodies, b.unrestricted, b.restricted)
		}
		require.NotZero(t, b.height(), op.Name)
		require.Less(t, b.peakMemory(), mostMemory, op.Name)
	}
	t.Logf("%d MiB at most", b.peakMemory())
}

// attack sends bodies to a path on the given ports; long bodies only on the first.
func (b *attacked) attack(path string, bodies map[string]string, addresses ...string) {
	b.Helper()
	type shot struct{ address, name string }
	shots := make(chan shot)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for s := range shots {
				status, _, err := b.post(s.address, path, bodies[s.name])
				if err != nil && !os.IsTimeout(err) && len(bodies[s.name]) <= largest {
					// The daemon may close a connection after a refusal while the client sends the next request on it.
					b.client.CloseIdleConnections()
					status, _, err = b.post(s.address, path, bodies[s.name])
				}
				switch {
				case os.IsTimeout(err):
					b.Errorf("%s, %s: %v, %d MiB at most", path, s.name, err, b.peakMemory())
				case err != nil && len(bodies[s.name]) > largest:
					// A client that continues to send a refused body loses the connection, and maybe the answer.
				case err != nil:
					b.Errorf("%s, %s: %v", path, s.name, err)
				case status != 200 && status != 400 && status != 404 && status != 413:
					b.Errorf("%s, %s: status %d", path, s.name, status)
				}
			}
		})
	}
	for name, body := range bodies {
		for i, address := range addresses {
			if i == 0 || len(body) < 100_000 {
				shots <- shot{address, name}
			}
		}
	}
	close(shots)
	all.Wait()
}

// TestHostileConnections violates HTTP and its conventions: incomplete and slow bodies, answers that are not read, too
// many connections, many pipelined requests. Other clients are answered meanwhile.
func TestHostileConnections(t *testing.T) {
	t.Parallel()
	b := besiege(t)
	_, err := rpc.Call(deadline(t), b, daemonrpc.GenerateBlocks, daemonrpc.GenerateBlocksRequest{
		AmountOfBlocks: 500, WalletAddress: node.UnspendableAddress(),
	})
	require.NoError(t, err)
	dial := func(address string) net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
		return c
	}
	// A client over the limits loses the connection, so that writing may fail.
	send := func(c net.Conn, text string) { _, _ = io.WriteString(c, text) }
	head := func(path, length string) string {
		return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + length +
			"\r\n\r\n"
	}

	for _, invalid := range []string{
		head("/get_height", "Content-Length: 100000000") + "{",
		head("/get_blocks.bin", "Content-Length: 100000000") + epeeHeader,
		head("/json_rpc", "Content-Length: 9223372036854775807"),
		head("/json_rpc", "Content-Length: 18446744073709551616"), head("/json_rpc", "Content-Length: -1"),
		head("/json_rpc", "Content-Length: 2\r\nContent-Length: 3"),
		head("/json_rpc", "Transfer-Encoding: chunked") + "fffffffffffffff\r\n",
		head("/json_rpc", "Transfer-Encoding: chunked") + strings.Repeat("1\r\n{\r\n", 200_000),
		head("/json_rpc", "Expect: 100-continue"),
		head("/json_rpc", "X-Long: "+strings.Repeat("x", 1<<20)),
		head("/json_rpc", strings.Repeat("X: y\r\n", 100_000)+"A: b"),
		"GET /" + strings.Repeat("x", 1<<20) + " HTTP/1.1\r\n\r\n", strings.Repeat("\x00", 1<<16),
		"\x16\x03\x01\x00\x05hello", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	} {
		send(dial(b.restricted), invalid)
		send(dial(b.unrestricted), invalid)
		require.NotZero(t, b.height(), "%.80q", invalid)
	}

	// Pipelined requests are answered in order.
	c := dial(b.restricted)
	go send(c, strings.Repeat(head("/get_height", "Content-Length: 2")+"{}", 500))
	r := bufio.NewReader(c)
	for range 500 {
		res, err := http.ReadResponse(r, nil)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, res.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, res.StatusCode)
	}
	require.NoError(t, c.Close())

	// Unread answers and slow bodies do not delay others.
	everything := `{"id":0,"method":"get_block_headers_range","params":{"start_height":0,"end_height":500}}`
	for range 8 {
		send(dial(b.unrestricted),
			strings.Repeat(head("/json_rpc", fmt.Sprintf("Content-Length: %d", len(everything)))+everything, 50))
		slow := dial(b.unrestricted)
		send(slow, head("/get_height", "Content-Length: 1000"))
		for range 3 {
			send(slow, " ")
			require.NotZero(t, b.height())
		}
	}

	// Too many connections on the restricted port do not block the unrestricted port.
	for range 300 {
		send(dial(b.restricted), "POST /get_height HTTP/1.1\r\n")
	}
	require.NotZero(t, b.height())
	require.Less(t, b.peakMemory(), mostMemory)
	t.Logf("%d MiB at most", b.peakMemory())
}
