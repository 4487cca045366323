package main

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/inprocess"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
)

// heightOf returns the number of blocks of a daemon.
func heightOf(ctx context.Context, t *testing.T, port string) uint64 {
	t.Helper()
	r, err := rpc.Call(ctx, dial(t, port, digest.Login{}), daemonrpc.GetHeight, daemonrpc.None{})
	require.NoError(t, err)
	return r.Height
}

// someAddress is an arbitrary address. Source: tests/unit_tests/address_from_url.cpp.
const someAddress = "46BeWrHpwXmHDpDEUmZBWZfoQpdc6HaERCNmx1pEYL2rAcuwufPN9rXHHtyUA4QVy66qeFQkn6sfK8aHYjA3jk3o1Bv16em"

func mine(ctx context.Context, t *testing.T, port string, n uint64) {
	t.Helper()
	_, err := rpc.Call(ctx, dial(t, port, digest.Login{}), daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: n, WalletAddress: someAddress})
	require.NoError(t, err)
}

// socks is a SOCKS 5 proxy that records its requests and connects every name to one address. Source: RFC 1928.
type socks struct {
	net.Listener
	to string

	mu    sync.Mutex
	names map[string]int // host:port, by name; an address among them is a name that was looked up elsewhere
}

func newSocks(t *testing.T, to string) *socks {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &socks{Listener: l, to: to, names: map[string]int{}}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(c)
		}
	}()
	t.Cleanup(func() { _ = l.Close() })
	return s
}

func (s *socks) serve(c net.Conn) {
	defer c.Close()
	read := func(n int) []byte {
		b := make([]byte, n)
		_, _ = io.ReadFull(c, b)
		return b
	}
	read(int(read(2)[1]))
	_, _ = c.Write([]byte{5, 0})
	var host string
	switch kind := read(4)[3]; kind {
	case 1:
		host = net.IP(read(4)).String()
	case 3:
		host = string(read(int(read(1)[0])))
	case 4:
		host = net.IP(read(16)).String()
	}
	name := net.JoinHostPort(host, strconv.Itoa(int(binary.BigEndian.Uint16(read(2)))))
	s.mu.Lock()
	s.names[name]++
	s.mu.Unlock()
	up, err := net.Dial("tcp", s.to)
	if err != nil {
		return
	}
	defer up.Close()
	_, _ = c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	go func() { _, _ = io.Copy(up, c) }()
	_, _ = io.Copy(c, up)
}

// byAnyName returns the address of a daemon that accepts any host name, as public ones do. glim's daemons without a
// login accept only their own.
func byAnyName(t *testing.T, daemon string) string {
	t.Helper()
	to := &url.URL{Scheme: "http", Host: daemon}
	s := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }})
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

func (s *socks) requested() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	requested := s.names
	s.names = map[string]int{}
	return requested
}

// noNames makes all name lookups of this process fail, and counts them.
func noNames(t *testing.T) *atomic.Int64 {
	t.Helper()
	var requested atomic.Int64
	before := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		requested.Add(1)
		return nil, errors.New("no names are looked up here")
	}}
	t.Cleanup(func() { net.DefaultResolver = before })
	return &requested
}

// TestEverythingThroughTheProxy checks that with --proxy all connections use the proxy, which also resolves names. If
// the proxy fails, it is not bypassed, for names, reachable addresses, and daemons that are set later.
func TestEverythingThroughTheProxy(t *testing.T) {
	lookups := noNames(t)
	_, err := net.DefaultResolver.LookupHost(t.Context(), "node.example")
	require.Error(t, err)
	require.Positive(t, lookups.Swap(0), "the test notices lookups")

	ctx := t.Context()
	d, err := inprocess.Start(ctx)
	require.NoError(t, err)
	address := d.URL[len("http://"):]
	proxy := newSocks(t, byAnyName(t, address))
	port := aPort(t)
	start(t, "wallet-rpc", "--regtest", "--wallet-dir", t.TempDir(), "--rpc-bind-port", port, "--disable-rpc-login",
		"--trusted-daemon", "--daemon-address", "node.onion:18081", "--witness-daemon-address", "witness.example:18089",
		"--compare-blocks", "1", "--proxy", proxy.Addr().String())
	w := dial(t, port, digest.Login{})
	_, err = rpc.Call(ctx, w, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "a", Language: "English"})
	require.NoError(t, err)
	a, err := rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	require.NoError(t, err)
	require.NoError(t, d.Mine(ctx, 80, a.Address))
	refresh := func() error {
		_, err := rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{})
		return err
	}
	require.NoError(t, refresh())
	_, err = rpc.Call(ctx, w, walletrpc.Transfer,
		walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Amount: 5e11, Address: a.Address}}})
	require.NoError(t, err)
	require.NoError(t, d.Mine(ctx, 12, a.Address), "so that the block with the payment is old enough to be compared")
	require.NoError(t, refresh())
	requested := proxy.requested()
	require.Positive(t, requested["node.onion:18081"])
	require.Positive(t, requested["witness.example:18089"])
	require.Len(t, requested, 2)

	// A daemon that is set later, with a reachable address, is also used through the proxy.
	_, err = rpc.Call(ctx, w, walletrpc.SetDaemon, walletrpc.SetDaemonRequest{Address: address, SSLSupport: "disabled"})
	require.NoError(t, err)
	require.NoError(t, refresh())
	require.Positive(t, proxy.requested()[address])
	_, err = rpc.Call(ctx, w, walletrpc.SetDaemon,
		walletrpc.SetDaemonRequest{Address: address, SSLSupport: "disabled", Proxy: "127.0.0.1:1"})
	require.Error(t, err, "the proxy cannot be bypassed")

	require.NoError(t, proxy.Close())
	direct, connections := counting(t, address)
	for _, to := range []string{direct, "node.onion:18081"} {
		_, err = rpc.Call(ctx, w, walletrpc.SetDaemon, walletrpc.SetDaemonRequest{Address: to, SSLSupport: "disabled"})
		require.NoError(t, err)
		require.Error(t, refresh(), to)
	}
	require.Zero(t, connections.Load(), "no connection bypasses a failed proxy")
	require.Zero(t, lookups.Load(), "no name was looked up")
}

// TestUpstreamsThroughTheProxy checks the same for a daemon that uses other daemons.
func TestUpstreamsThroughTheProxy(t *testing.T) {
	lookups := noNames(t)
	ctx := t.Context()
	behind := aPort(t)
	start(t, "daemon", "--regtest", "--fixed-difficulty", "1", "--rpc-bind-port", behind)
	mine(ctx, t, behind, 20)
	proxy, port := newSocks(t, byAnyName(t, "127.0.0.1:"+behind)), aPort(t)
	direct, connections := counting(t, "127.0.0.1:"+behind)
	start(t, "daemon", "--regtest", "--no-sync", "--bootstrap-daemon-address", "node.onion:18081,"+direct,
		"--bootstrap-daemon-proxy", proxy.Addr().String(), "--rpc-bind-port", port)
	require.EqualValues(t, 21, heightOf(ctx, t, port))
	requested := proxy.requested()
	require.Positive(t, requested["node.onion:18081"])
	require.Len(t, requested, 1, "the first daemon works")
	require.NoError(t, proxy.Close())

	other := aPort(t)
	start(t, "daemon", "--regtest", "--no-sync", "--bootstrap-daemon-address", "node.onion:18081,"+direct,
		"--bootstrap-daemon-proxy", proxy.Addr().String(), "--rpc-bind-port", other)
	r, err := rpc.Call(ctx, dial(t, other, digest.Login{}), daemonrpc.GetHeight, daemonrpc.None{})
	require.NoError(t, err)
	require.NotEqual(t, daemonrpc.StatusOK, r.Status)
	require.Zero(t, connections.Load(), "no connection bypasses a failed proxy")
	require.Zero(t, lookups.Load(), "no name was looked up")
}

// counting listens in front of an address and counts connections.
func counting(t *testing.T, to string) (address string, connections *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	connections = new(atomic.Int64)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			go func() {
				defer c.Close()
				up, err := net.DialTimeout("tcp", to, time.Minute)
				if err != nil {
					return
				}
				defer up.Close()
				go func() { _, _ = io.Copy(up, c) }()
				_, _ = io.Copy(c, up)
			}()
		}
	}()
	return l.Addr().String(), connections
}
