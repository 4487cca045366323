package netaddr_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/p2p/netaddr"
)

// FuzzText: what is read as an address or a subnet is written as text that is read as the same.
func FuzzText(f *testing.F) {
	for _, s := range []string{"1.2.3.4", "1.2.3.4:18080", "[::1]:80", "::ffff:1.2.3.4", "fe80::1", "10.0.0.0/8", "0.0.0.0/0", "[::", "1.2.3.4:0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if a, err := netaddr.Parse(s, 18080); err == nil {
			require.True(t, a.Valid())
			again, err := netaddr.Parse(a.String(), 1)
			require.NoError(t, err, a.String())
			require.Equal(t, a, again)
		} else {
			require.ErrorIs(t, err, netaddr.ErrAddress)
		}
		if sub, err := netaddr.ParseSubnet(s); err == nil {
			again, err := netaddr.ParseSubnet(sub.String())
			require.NoError(t, err, sub.String())
			require.Equal(t, sub, again)
			require.True(t, sub.Contains(sub.Host()))
		}
	})
}
