package native

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/internal/clientaddr"
	"glim/core/rpc/digest"
)

// newcomer returns a connection from an address, without a socket.
func newcomer(p *places, text string) *limitedConn {
	return &limitedConn{
		places: p, from: clientaddr.LimitKey(net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(text), 1))),
	}
}

// TestIPv6NetworkCountsAsOneClient checks that all addresses of an IPv6 network of 2^64 addresses, and all loopback
// addresses, count as one client.
func TestIPv6NetworkCountsAsOneClient(t *testing.T) {
	p := newPlaces(ServerLimits{Connections: 10, ConnectionsPublic: 2, ConnectionsLocal: 4})
	enter := func(text string) bool {
		c := newcomer(p, text)
		_, ok := p.enter(c)
		return ok && c.becomes(serving)
	}
	require.True(t, enter("2001:db8:1:2::1"))
	require.True(t, enter("2001:db8:1:2:3:4:5:6"))
	require.False(t, enter("2001:db8:1:2:ffff::"), "a third connection of the same network")
	require.True(t, enter("2001:db8:1:3::1"), "another network")
	require.True(t, enter("192.0.2.1"))
	require.True(t, enter("192.0.2.2"))
	for _, text := range []string{"127.0.0.1", "127.0.0.2", "127.255.255.254", "::ffff:127.0.0.3"} {
		require.True(t, enter(text), "this machine has a higher limit")
	}
	for _, text := range []string{"127.0.0.1", "127.77.0.1", "::1", "::ffff:127.0.0.9"} {
		require.False(t, enter(text), "all loopback addresses are one host")
	}
	require.True(t, enter("192.0.2.3"))
	require.False(t, enter("192.0.2.4"), "the limit of all connections")
	for _, most := range []int{1, 5, 10, 1000} {
		p = newPlaces(ServerLimits{Connections: 10, ConnectionsPublic: most, ConnectionsLocal: most})
		for range 20 {
			enter("192.0.2.1")
		}
		require.LessOrEqual(t, len(p.all), 9, "one host never has all places")
	}
	p = newPlaces(ServerLimits{Connections: 1, ConnectionsPublic: 3, ConnectionsLocal: 25})
	require.True(t, enter("192.0.2.1"), "a single place can be used")
}

// TestWhichConnectionIsClosed checks which connection is closed if there is no place for a new one.
func TestWhichConnectionIsClosed(t *testing.T) {
	p := newPlaces(ServerLimits{Connections: 8, ConnectionsPublic: 3, ConnectionsLocal: 5})
	clock := time.Now()
	come := func(text string, s standing) *limitedConn {
		t.Helper()
		c := newcomer(p, text)
		out, ok := p.enter(c)
		require.True(t, ok)
		require.Nil(t, out)
		clock = clock.Add(time.Second)
		c.login = s == known
		require.True(t, c.becomes(min(s, sending)))
		c.since, c.standing = clock, s
		return c
	}
	push := func(text string) *limitedConn {
		t.Helper()
		c := newcomer(p, text)
		out, ok := p.enter(c)
		if out == nil {
			require.False(t, ok)
			return nil
		}
		require.True(t, ok)
		require.False(t, out.becomes(serving), "a connection without a place is not served")
		p.remove(c)
		p.all[out] = struct{}{}
		p.from[out.from]++ // restores the state
		return out
	}
	local := []*limitedConn{
		come("127.0.0.1", serving), come("127.0.0.1", known), come("127.0.0.2", sending), come("127.0.0.3", waiting),
		come("::1", waiting),
	}
	require.Equal(t, local[3], push("127.0.0.9"), "of one host, the longest waiting")
	other := []*limitedConn{come("192.0.2.1", waiting), come("192.0.2.1", waiting)}
	last := come("198.51.100.1", waiting)
	require.Equal(t, local[3], push("203.0.113.1"), "of all, one of the host with most connections")
	require.Equal(t, local[3], push("198.51.100.1"))
	require.Equal(t, local[3], push("192.0.2.1"))
	local[3].standing = serving
	require.Equal(t, local[4], push("203.0.113.1"))
	local[4].standing = serving
	require.Equal(t, local[2], push("203.0.113.1"), "then one that sends a body")
	local[2].standing = serving
	require.Equal(t, other[0], push("203.0.113.1"), "then other hosts, before logged-in connections")
	require.Equal(t, other[0], push("198.51.100.1"))
	require.Equal(t, local[1], push("127.0.0.1"), "a host at its limit closes only its own")
	other[0].standing, other[1].standing, last.standing = serving, serving, serving
	require.Equal(t, local[1], push("203.0.113.1"), "logged-in connections are last")
	local[1].standing = serving
	require.Nil(t, push("203.0.113.1"), "a connection that is served stays open")
	require.Nil(t, push("127.0.0.1"))
	for _, c := range append(append(local, other...), last) {
		require.NoError(t, c.closeForTest())
	}
	require.Empty(t, p.all)
	require.Empty(t, p.from)
}

// closeForTest unregisters a connection without a socket.
func (c *limitedConn) closeForTest() error {
	c.Conn, _ = net.Pipe()
	return c.Close()
}

// TestOnlyLoginRenewsConnectionAge checks that requests without a login do not renew the age of a connection, and that
// a login does.
func TestOnlyLoginRenewsConnectionAge(t *testing.T) {
	p := newPlaces(ServerLimits{Connections: 9, ConnectionsPublic: 9, ConnectionsLocal: 9})
	c := newcomer(p, "127.0.0.1")
	_, ok := p.enter(c)
	require.True(t, ok)
	c.since = time.Time{}
	require.True(t, c.becomes(waiting))
	require.True(t, c.since.IsZero())
	c.loggedIn()
	require.True(t, c.becomes(serving))
	require.True(t, c.becomes(waiting))
	require.Equal(t, known, c.standing)
	require.False(t, c.since.IsZero())
}

// TestLoggedInClientsAreServedFirst opens many idle and incomplete connections without a login from four loopback
// addresses. An honest client must be served every time, with and without TLS and a login.
func TestLoggedInClientsAreServedFirst(t *testing.T) {
	for name, idle := range map[string]string{
		"silence":                    "",
		"incomplete head":            "POST /json_rpc HTTP/1.1\r\nHost: loc",
		"one request":                begins + "Content-Length: 0\r\n\r\n",
		"incomplete body":            begins + "X: y\r\nContent-Length: 9\r\n\r\n{",
		"incomplete body, fast path": begins + "Content-Length: 9\r\n\r\n{",
		"incomplete ClientHello":     "\x16\x03\x01\x02\x00\x01",
	} {
		for login, mode := range map[digest.Login]SSLMode{
			{}: SSLDisabled, digest.NewLogin("me", "secret"): SSLAutodetect,
		} {
			t.Run(fmt.Sprint(name, ", login ", !login.IsZero()), func(t *testing.T) {
				s, addr := startTLS(
					t,
					ServerConfig{
						Login: login,
						Limits: ServerLimits{
							ReadHeader: time.Hour, ReadBody: time.Hour, Idle: time.Hour, FailDelay: time.Hour,
						},
					},
					mode,
				)
				for i := range 120 {
					from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(i%4+1))}, Timeout: patience}
					c, err := from.Dial("tcp", addr)
					require.NoError(t, err)
					t.Cleanup(func() { _ = c.Close() })
					_, err = io.WriteString(c, idle)
					require.NoError(t, err)
				}
				require.Eventually(t, func() bool {
					open, gone := s.Connections()
					return open+int(gone) >= 120
				}, patience, time.Millisecond)
				open, _ := s.Connections()
				require.LessOrEqual(t, open, 25, "four loopback addresses are one host")
				for range 3 {
					require.NoError(t, honest(addr, login, mode))
				}
			})
		}
	}
}

// startTLS is start with a TLS mode.
func startTLS(t *testing.T, cfg ServerConfig, mode SSLMode) (*Server, string) {
	t.Helper()
	cfg.Service, cfg.Random = registry(), rand.Reader
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l, err := ListenSSL(inner, SSL{Mode: mode})
	require.NoError(t, err)
	s := NewServer(cfg)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		require.NoError(t, s.Shutdown(context.Background()))
		require.NoError(t, <-served)
	})
	return s, inner.Addr().String()
}

// TestConnectionInUseIsKept checks that new connections do not close a connection with a request in progress, and close
// logged-in connections only after all others.
func TestConnectionInUseIsKept(t *testing.T) {
	for _, extra := range []string{"", "X-Other: 1\r\n"} { // handled by this package, and by net/http
		service := slow{make(chan struct{}), make(chan struct{})}
		s, addr := start(t, ServerConfig{Service: service})
		c := dial(t, addr)
		_, err := io.WriteString(c.c, begins+extra+"Content-Length: 0\r\n\r\n")
		require.NoError(t, err)
		<-service.begun
		for range 100 {
			dial(t, addr)
		}
		require.Eventually(t, func() bool { _, gone := s.Connections(); return gone >= 76 }, patience, time.Millisecond)
		close(service.release)
		resp, err := http.ReadResponse(c.r, nil)
		require.NoError(t, err)
		require.Equal(t, 200, resp.StatusCode)
	}
	s, addr := start(t, ServerConfig{Login: digest.NewLogin("user", "pw")})
	c, auth := dial(t, addr), digest.NewClient(digest.NewLogin("user", "pw"), rand.Reader)
	resp, _ := c.send("POST", "/json_rpc", echoCall)
	auth.Challenge(resp.Header.Values("Www-Authenticate"))
	for round := range 3 {
		resp, _ = c.send("POST", "/json_rpc", echoCall, authorization(t, auth))
		require.Equal(t, 200, resp.StatusCode, round)
		_, before := s.Connections()
		for range 60 {
			dial(t, addr)
		}
		require.Eventually(
			t, func() bool { _, gone := s.Connections(); return gone >= before+35 }, patience, time.Millisecond,
		)
	}
}

// TestListenersShareConnectionLimits checks that the limits of connections apply to all listeners of a server together.
func TestListenersShareConnectionLimits(t *testing.T) {
	s := NewServer(ServerConfig{Service: registry(), Limits: ServerLimits{ConnectionsLocal: 4}})
	served := make(chan error, 2)
	var at []string
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		at = append(at, l.Addr().String())
		go func() { served <- s.Serve(l) }()
	}
	for i := range 16 {
		dial(t, at[i%2])
	}
	require.Eventually(t, func() bool {
		open, gone := s.Connections()
		return open == 4 && gone == 12
	}, patience, time.Millisecond)
	require.NoError(t, s.Shutdown(t.Context()))
	require.NoError(t, <-served)
	require.NoError(t, <-served)
}
