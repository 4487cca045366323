package clientaddr

import (
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLimitKey(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.1:5":              "192.0.2.1",
		"[::ffff:192.0.2.1]:5":     "192.0.2.1",
		"10.0.0.1:5":               "10.0.0.1",
		"127.0.0.1:5":              "127.0.0.1",
		"127.255.1.2:6":            "127.0.0.1",
		"[::1]:5":                  "127.0.0.1",
		"[::ffff:127.9.9.9]:5":     "127.0.0.1",
		"[2001:db8:1:2:3:4:5:6]:5": "2001:db8:1:2::",
		"[fd00::1:2:3:4]:5":        "fd00::",
		"[fe80::1%lo]:5":           "fe80::1",
	} {
		address := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(text))
		require.Equal(t, netip.MustParseAddr(want), LimitKey(address), text)
	}
	require.Zero(t, LimitKey(&net.UnixAddr{Name: "pipe"}))
}
