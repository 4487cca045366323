package native

import (
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzAddress reads addresses of daemons, of proxies and modes of TLS: what is taken can be connected to.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{
		"localhost", "node.example:18081", "https://[::1]:1/", "http://a:b@c", "socks5://127.0.0.1:9050", "x:65536",
		"enabled", "[::1%25lo]:80", "]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if scheme, hostport, err := ParseAddress(s, 18081); err == nil {
			host, port, err := net.SplitHostPort(hostport)
			require.NoError(t, err)
			n, err := strconv.ParseUint(port, 10, 16)
			require.NoError(t, err)
			require.NotZero(t, n)
			require.NotEmpty(t, host)
			require.Contains(t, []string{"", "http", "https"}, scheme)
		} else {
			require.ErrorIs(t, err, ErrAddress)
		}
		if u, err := parseProxy(s); err == nil && u != nil {
			require.NotEmpty(t, u.Hostname())
			require.NotEmpty(t, u.Port())
		} else if err != nil {
			require.ErrorIs(t, err, ErrAddress)
		}
		if _, err := ParseSSLMode(s); err != nil {
			require.ErrorIs(t, err, ErrSSL)
		}
	})
}
