package p2p

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

// aProxy answers one client with the given bytes and returns what it received.
func aProxy(t *testing.T, answers ...string) (address string, sent <-chan []byte) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	all := make(chan []byte, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		var got []byte
		for _, a := range answers {
			b := make([]byte, 1024)
			n, err := c.Read(b)
			if err != nil {
				break
			}
			got = append(got, b[:n]...)
			_, _ = io.WriteString(c, a)
		}
		all <- got
	}()
	return l.Addr().String(), all
}

// TestProxyRequests checks the requests to a proxy, with and without a login, and that the peer's first bytes are not
// lost.
func TestProxyRequests(t *testing.T) {
	peer := netip.MustParseAddrPort("10.1.2.3:18080")
	address, sent := aProxy(t, "\x05\x02", "\x01\x00", "\x05\x00\x00\x03\x02ab\x00\x01hello")
	p, err := NewProxy(address, "me", "secret")
	require.NoError(t, err)
	c, err := p.dial(t.Context(), &net.Dialer{}, peer)
	require.NoError(t, err)
	defer c.Close()
	first := make([]byte, 5)
	_, err = io.ReadFull(c, first)
	require.NoError(t, err)
	require.Equal(t, "hello", string(first))
	require.Equal(t, "\x05\x02\x00\x02\x01\x02me\x06secret\x05\x01\x00\x01\x0a\x01\x02\x03\x46\xa0", string(<-sent))

	address, sent = aProxy(t, "\x05\x00", "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
	p, err = NewProxy(address, "", "")
	require.NoError(t, err)
	c6, err := p.dial(t.Context(), &net.Dialer{}, netip.MustParseAddrPort("[2001:db8::1]:1"))
	require.NoError(t, err)
	defer c6.Close()
	require.Equal(t,
		append([]byte("\x05\x01\x00\x05\x01\x00\x04"), append(netip.MustParseAddr("2001:db8::1").AsSlice(), 0, 1)...),
		<-sent)
}

// TestProxyFails checks that dialing fails if the proxy does.
func TestProxyFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	peer := l.Addr().(*net.TCPAddr).AddrPort()
	for name, answers := range map[string][]string{
		"refuses": {"\x05\x00", "\x05\x05\x00\x01\x00\x00\x00\x00\x00\x00"},
		"login":   {"\x05\xff"},
		"http":    {"HTTP/1.1 400 Bad Request\r\n\r\n"},
		"silent":  {},
		"half":    {"\x05\x00", "\x05\x00\x00\x01\x00"},
		"odd":     {"\x05\x00", "\x05\x00\x00\x09\x00"},
	} {
		address, _ := aProxy(t, answers...)
		p, err := NewProxy(address, "", "")
		require.NoError(t, err)
		_, err = p.dial(t.Context(), &net.Dialer{}, peer)
		require.Error(t, err, name)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := NewProxy("127.0.0.1:1", "", "")
	require.NoError(t, err)
	_, err = p.dial(ended, &net.Dialer{}, peer)
	require.Error(t, err)
	require.NoError(t, l.(*net.TCPListener).SetDeadline(past))
	_, err = l.Accept()
	require.Error(t, err, "nobody came to the peer")
	for _, bad := range []string{"", "host", "host:", ":1"} {
		_, err := NewProxy(bad, "", "")
		require.ErrorIs(t, err, ErrProxy)
	}
}

// FuzzProxyAnswer checks that dialing ends for arbitrary responses of a proxy.
func FuzzProxyAnswer(f *testing.F) {
	f.Add([]byte("\x05\x00\x05\x00\x00\x03\x02ab\x00\x01hello"))
	f.Add([]byte("\x05\x02\x01\x00\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, answer []byte) {
		p, err := NewProxy("a:1", "me", "secret")
		require.NoError(t, err)
		var sent bytes.Buffer
		_ = p.ask(struct {
			io.Reader
			io.Writer
		}{bytes.NewReader(answer), &sent}, netip.MustParseAddrPort("10.1.2.3:1"))
		require.LessOrEqual(t, sent.Len(), 64)
	})
}
