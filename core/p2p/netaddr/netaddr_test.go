package netaddr

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"1.2.3.4":              "1.2.3.4:18080",
		"1.2.3.4:5":            "1.2.3.4:5",
		"::1":                  "[::1]:18080",
		"[::1]":                "[::1]:18080",
		"[::1]:65535":          "[::1]:65535",
		"[2001:db8::]:1":       "[2001:db8::]:1",
		"1:0:0:2:0:0:0:3":      "[1:0:0:2::3]:18080",
		"1:0:2:3:4:5:6:7":      "[1:0:2:3:4:5:6:7]:18080",
		"::ffff:1.2.3.4":       "1.2.3.4:18080",
		"[::ffff:102:304]:9":   "1.2.3.4:9",
		"64:ff9b::192.0.2.33":  "[64:ff9b::c000:221]:18080",
		"FE80::A:B":            "[fe80::a:b]:18080",
		"[0:0:0:0:0:0:0:0]:80": "[::]:80",
	} {
		a, err := Parse(text, 18080)
		require.NoError(t, err, text)
		require.Equal(t, want, a.String(), text)
		again, err := Parse(a.String(), 0)
		require.NoError(t, err)
		require.Equal(t, a, again)
	}
	for _, text := range []string{
		"", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "1.2.3.4:", "1.2.3.4:0", "1.2.3.4:65536", "+1.2.3.4",
		"1.2.3.4:+5", "node.example:80", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8",
		"[1.2.3.4]:5", "[::1",
		"[::1]5", "[::1]:", "12345::", "1.2.3.4::", "::1.2.3", "g::"} {
		_, err := Parse(text, 18080)
		require.ErrorIs(t, err, ErrAddress, text)
	}
}

func TestNumbers(t *testing.T) {
	a, err := Parse("1.2.3.4:5", 0)
	require.NoError(t, err)
	require.EqualValues(t, 0x04030201, a.Number())
	require.Equal(t, a, FromNumber(a.Number(), 5))
	require.Equal(t, Address{}, FromBytes([]byte{1, 2, 3}, 4))
	require.False(t, Address{}.Valid())
	require.Equal(t, "<none>:0", Address{}.String())
}

func TestKinds(t *testing.T) {
	for text, want := range map[string][2]bool{ // loopback, local
		"127.0.0.1": {true, false}, "127.9.9.9": {true, false}, "::1": {true, false}, "10.1.1.1": {false, true},
		"192.168.0.1": {false, true},
		"172.16.0.1":  {false, true}, "172.32.0.1": {}, "169.254.1.1": {false, true}, "8.8.8.8": {},
		"fc00::1": {false, true},
		"fe80::1": {false, true}, "2001:db8::1": {},
	} {
		a, err := Parse(text, 1)
		require.NoError(t, err)
		require.Equal(t, want, [2]bool{a.Loopback(), a.Local()}, text)
	}
	near := func(x, y string) bool {
		a, err := Parse(x, 1)
		require.NoError(t, err)
		b, err := Parse(y, 2)
		require.NoError(t, err)
		return a.NetGroup() == b.NetGroup()
	}
	require.True(t, near("1.2.3.4", "1.2.3.200"))
	require.False(t, near("1.2.3.4", "1.2.4.4"))
	require.True(t, near("2001:db8:1::1", "2001:db8:2::1"))
	require.False(t, near("2001:db8::", "2001:db9::"))
}

func TestSubnets(t *testing.T) {
	in := func(subnet, address string) bool {
		s, err := ParseSubnet(subnet)
		require.NoError(t, err)
		a, err := Parse(address, 1)
		require.NoError(t, err)
		return s.Contains(a)
	}
	require.True(t, in("1.2.3.4", "1.2.3.4"))
	require.True(t, in("1.2.3.4:99", "1.2.3.4"))
	require.False(t, in("1.2.3.4", "1.2.3.5"))
	require.True(t, in("1.2.3.4/24", "1.2.3.200"))
	require.True(t, in("1.2.3.4/17", "1.2.127.1"))
	require.False(t, in("1.2.3.4/17", "1.2.128.1"))
	require.True(t, in("0.0.0.0/0", "9.9.9.9"))
	require.False(t, in("0.0.0.0/0", "::1"))
	require.True(t, in("::1", "::1"))
	s, err := ParseSubnet("1.2.3.4/22")
	require.NoError(t, err)
	require.Equal(t, "1.2.0.0/22", s.String())
	require.False(t, s.Single())
	one, err := ParseSubnet("1.2.3.4/32")
	require.NoError(t, err)
	require.True(t, one.Single())
	require.Equal(t, "1.2.3.4", one.String())
	for _, bad := range []string{
		"1.2.3.4/33", "1.2.3.4/", "1.2.3/8", "::1/129", "::ffff:1.2.3.4/120", "x", "1.2.3.4/-1",
	} {
		_, err := ParseSubnet(bad)
		require.ErrorIs(t, err, ErrAddress, bad)
	}
}

// FuzzParse checks that parsed addresses are formatted and parsed again, and equal those of the standard library.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"1.2.3.4:5", "[::1]:2", "1:2::3.4.5.6", "::", "1:0:0:2:0:0:0:3",
		"1.2.3.4", "1.2.3.4:18080", "[::1]:80", "::ffff:1.2.3.4", "fe80::1", "10.0.0.0/8", "0.0.0.0/0", "[::",
		"1.2.3.4:0",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if sub, err := ParseSubnet(s); err == nil {
			again, err := ParseSubnet(sub.String())
			require.NoError(t, err, sub.String())
			require.Equal(t, sub, again)
			require.True(t, sub.Contains(sub.Host()))
		}
		a, err := Parse(s, 80)
		host := strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")
		if ip, fault := netip.ParseAddr(host); fault == nil && ip.Zone() == "" &&
			(host == s || ip.Is6() && s == "["+host+"]") {
			require.NoError(t, err)
			require.Equal(t, ip.Unmap().String(), a.HostString())
		}
		if err != nil {
			require.ErrorIs(t, err, ErrAddress)
			return
		}
		require.True(t, a.Valid())
		again, err := Parse(a.String(), 0)
		require.NoError(t, err, a.String())
		require.Equal(t, a, again)
		require.True(t, HostSubnet(a).Contains(a))
	})
}

// TestHostPrefix checks HostPrefix: /64 networks of IPv6, except loopback and private addresses.
func TestHostPrefix(t *testing.T) {
	for s, want := range map[string]string{
		"1.2.3.4": "1.2.3.4", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "::1": "::1", "fe80::1": "fe80::1",
		"fd00::1":        "fd00::1",
		"::ffff:1.2.3.4": "1.2.3.4",
	} {
		a, err := Parse(s, 80)
		require.NoError(t, err)
		require.Equal(t, want, HostPrefixSubnet(a).String())
		require.True(t, HostPrefixSubnet(a).Contains(a))
		require.Equal(t, HostPrefixSubnet(a).Host(), a.HostPrefix())
	}
	s, err := ParseSubnet("2001:db8::/33")
	require.NoError(t, err)
	for inside, want := range map[string]bool{"2001:db8:7fff::": true, "2001:db8:8000::": false, "32.1.13.184": false} {
		a, err := Parse(inside, 0)
		require.NoError(t, err)
		require.Equal(t, want, s.Contains(a), inside)
	}
}
