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

// besieged is glim daemon in a process of its own, with a door for its owner and one for strangers.
type besieged struct {
	*testing.T
	cmd      *exec.Cmd
	ended    chan error
	owner    string // host:port
	stranger string
	client   http.Client
}

func besiege(t *testing.T) *besieged {
	t.Helper()
	path, err := build()
	require.NoError(t, err)
	b := &besieged{T: t, ended: make(chan error, 1)}
	for _, address := range []*string{&b.owner, &b.stranger} {
		port, err := peers.FreePort()
		require.NoError(t, err)
		*address = "127.0.0.1:" + port
	}
	_, owner, _ := strings.Cut(b.owner, ":")
	_, stranger, _ := strings.Cut(b.stranger, ":")
	b.cmd = exec.Command(path, "daemon", "--regtest", "--fixed-difficulty", "1", "--rpc-bind-port", owner, "--rpc-restricted-bind-port", stranger)
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

// height asks, as somebody who means no harm; 0 while nobody answers.
func (b *besieged) height() uint64 {
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

// Post is for requests of the owner that are in order.
func (b *besieged) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	status, answer, err := b.post(b.owner, path, string(body))
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d", status)
	}
	return answer, err
}

func (b *besieged) post(door, path, body string) (int, []byte, error) {
	res, err := b.client.Post("http://"+door+path, "application/json", strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	return res.StatusCode, answer, err
}

var peak = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory returns the most memory the daemon has held, in MiB; 0 where the system does not say.
func (b *besieged) peakMemory() int {
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

// mostMemory is what the daemon may hold under attack, in MiB: 256 are a cache of RandomX, and as many the one before it.
const mostMemory = 900

// TestHostileRequests sends every operation of the daemon what it does not expect, through both doors. The process lives, answers each
// request, and everybody else's; memory stays bounded.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	b := besiege(t)
	_, err := rpc.Call(deadline(t), b, daemonrpc.GenerateBlocks, daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 200, WalletAddress: node.Nobody()})
	require.NoError(t, err)
	for _, path := range []string{"/json_rpc", "/get_height", "/get_blocks.bin", "/nothing"} {
		b.attack(path, vast, b.owner, b.stranger)
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
			b.attack(path, bodies, b.stranger) // the owner's would be obeyed
		case daemonrpc.CalcPow.Name:
			b.attack(path, map[string]string{"another seed": bodies["seed_hash: zeros"], "none": bodies["nothing but object"]}, b.owner) // each takes long
			fallthrough
		case daemonrpc.GetBlockHeaderByHeight.Name:
			b.attack(path, bodies, b.stranger)
		default:
			b.attack(path, bodies, b.owner, b.stranger)
		}
		require.NotZero(t, b.height(), op.Name)
	}
	require.NotZero(t, b.height())
	require.Less(t, b.peakMemory(), mostMemory)
	t.Logf("%d MiB at most", b.peakMemory())
}

// attack sends bodies to a path through doors; long ones through the first alone.
func (b *besieged) attack(path string, bodies map[string]string, doors ...string) {
	b.Helper()
	type shot struct{ door, name string }
	shots := make(chan shot)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for s := range shots {
				status, _, err := b.post(s.door, path, bodies[s.name])
				switch {
				case err != nil && len(bodies[s.name]) > largest:
					// Who goes on sending what was refused loses the connection, and may lose the answer with it.
				case err != nil:
					b.Errorf("%s, %s: %v", path, s.name, err)
				case status != 200 && status != 400 && status != 404 && status != 413:
					b.Errorf("%s, %s: status %d", path, s.name, status)
				}
			}
		})
	}
	for name, body := range bodies {
		for i, door := range doors {
			if i == 0 || len(body) < 100_000 {
				shots <- shot{door, name}
			}
		}
	}
	close(shots)
	all.Wait()
}

// TestHostileConnections breaks the rules of HTTP, or of good manners: bodies that are claimed and do not come, or come slowly, answers
// nobody reads, more connections than may be, many requests at once on one. Others are answered all the while.
func TestHostileConnections(t *testing.T) {
	t.Parallel()
	b := besiege(t)
	_, err := rpc.Call(deadline(t), b, daemonrpc.GenerateBlocks, daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 500, WalletAddress: node.Nobody()})
	require.NoError(t, err)
	dial := func(door string) net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", door)
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
		return c
	}
	// Who is over the limits, or sends too much, loses the connection: writing may fail then.
	send := func(c net.Conn, text string) { _, _ = io.WriteString(c, text) }
	head := func(path, length string) string {
		return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + length + "\r\n\r\n"
	}

	for _, rude := range []string{
		head("/get_height", "Content-Length: 100000000") + "{", head("/get_blocks.bin", "Content-Length: 100000000") + epeeHeader,
		head("/json_rpc", "Content-Length: 9223372036854775807"), head("/json_rpc", "Content-Length: 18446744073709551616"), head("/json_rpc", "Content-Length: -1"),
		head("/json_rpc", "Content-Length: 2\r\nContent-Length: 3"), head("/json_rpc", "Transfer-Encoding: chunked") + "fffffffffffffff\r\n",
		head("/json_rpc", "Transfer-Encoding: chunked") + strings.Repeat("1\r\n{\r\n", 200_000), head("/json_rpc", "Expect: 100-continue"),
		head("/json_rpc", "X-Long: "+strings.Repeat("x", 1<<20)), head("/json_rpc", strings.Repeat("X: y\r\n", 100_000)+"A: b"),
		"GET /" + strings.Repeat("x", 1<<20) + " HTTP/1.1\r\n\r\n", strings.Repeat("\x00", 1<<16), "\x16\x03\x01\x00\x05hello", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	} {
		send(dial(b.stranger), rude)
		send(dial(b.owner), rude)
		require.NotZero(t, b.height(), "%.80q", rude)
	}

	// Requests one after the other, without waiting, are answered one after the other.
	c := dial(b.stranger)
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

	// Answers nobody reads, and bodies of which a byte comes now and then, hold nobody up.
	everything := `{"id":0,"method":"get_block_headers_range","params":{"start_height":0,"end_height":500}}`
	for range 8 {
		send(dial(b.owner), strings.Repeat(head("/json_rpc", fmt.Sprintf("Content-Length: %d", len(everything)))+everything, 50))
		slow := dial(b.owner)
		send(slow, head("/get_height", "Content-Length: 1000"))
		for range 3 {
			send(slow, " ")
			require.NotZero(t, b.height())
		}
	}

	// More connections than may be: those at the strangers' door do not shut the owner's.
	for range 300 {
		send(dial(b.stranger), "POST /get_height HTTP/1.1\r\n")
	}
	require.NotZero(t, b.height())
	require.Less(t, b.peakMemory(), mostMemory)
	t.Logf("%d MiB at most", b.peakMemory())
}
