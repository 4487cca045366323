package peerlist

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/p2p/netaddr"
)

func at(a, b, c, d byte, port uint16) netaddr.Address {
	return netaddr.FromBytes([]byte{a, b, c, d}, port)
}

func addresses(list []Entry) (out []netaddr.Address) {
	for _, e := range list {
		out = append(out, e.Address)
	}
	return out
}

func TestListsAreBounded(t *testing.T) {
	l := New()
	for i := range MaxWhite + 50 {
		l.AddWhite(Entry{Address: at(1, byte(i>>8), byte(i), 1, 80), LastSeen: int64(i)})
	}
	var heard []Entry
	for i := range MaxGray + 50 {
		heard = append(heard, Entry{Address: at(2, byte(i>>8), byte(i), 1, 80)})
	}
	l.AddGray(heard...)
	white, gray := l.Count()
	require.Equal(t, MaxWhite, white)
	require.Equal(t, MaxGray, gray)
	require.EqualValues(t, MaxWhite+49, l.White()[0].LastSeen, "the last seen first")
	require.EqualValues(t, 50, l.White()[MaxWhite-1].LastSeen, "the oldest were removed")
	require.Equal(t, heard[50].Address, l.Gray()[MaxGray-1].Address)
}

func TestPeersMoveBetweenLists(t *testing.T) {
	l := New()
	l.AddGray(Entry{Address: at(1, 1, 1, 1, 80), PruningSeed: 385, RPCPort: 81}, Entry{Address: at(2, 2, 2, 2, 80)})
	require.True(t, l.Changed())
	require.False(t, l.Changed())
	l.AddGray(Entry{Address: at(1, 1, 1, 1, 80), ID: 5})
	require.EqualValues(t, 385, l.Gray()[1].PruningSeed, "a missing field keeps its value")
	l.AddWhite(Entry{Address: at(1, 1, 1, 1, 80), LastSeen: 10})
	require.Equal(t, []netaddr.Address{at(2, 2, 2, 2, 80)}, addresses(l.Gray()))
	l.AddGray(Entry{Address: at(1, 1, 1, 1, 80), ID: 9})
	require.Len(t, l.Gray(), 1, "a white peer is not added to the gray list")
	l.AddWhite(Entry{Address: at(1, 1, 1, 1, 90), LastSeen: 11})
	require.Equal(t, []netaddr.Address{at(1, 1, 1, 1, 90)}, addresses(l.White()), "one port of a host")
	l.AddWhite(Entry{Address: at(127, 0, 0, 1, 90)})
	l.AddWhite(Entry{Address: at(127, 0, 0, 1, 91)})
	require.Len(t, l.White(), 3, "all ports of this machine")
	l.Forget(at(127, 0, 0, 1, 0))
	require.Len(t, l.White(), 1)
	l.ForgetGray(at(1, 1, 1, 1, 90))
	require.Len(t, l.White(), 1)
	l.ForgetIf(func(netaddr.Address) bool { return true })
	white, gray := l.Count()
	require.Zero(t, white+gray)
}

func TestStored(t *testing.T) {
	l := New()
	for i := range 300 {
		l.AddWhite(Entry{Address: at(1, byte(i>>8), byte(i), 1, 80), LastSeen: 1000, ID: uint64(i), RPCPort: 7})
		l.AddGray(
			Entry{
				Address:     netaddr.FromBytes([]byte{0x20, 1, 13: byte(i >> 8), 14: byte(i), 15: 1}, 81),
				PruningSeed: 384,
			},
		)
	}
	l.Anchor(Entry{Address: at(1, 0, 3, 1, 80), LastSeen: 20})
	l.Anchor(Entry{Address: at(1, 0, 4, 1, 80), LastSeen: 10})
	again, err := Load(l.Store())
	require.NoError(t, err)
	require.False(t, again.Changed())
	require.Equal(t, addresses(l.White()), addresses(again.White()), "also in the same order")
	require.Equal(t, addresses(l.Gray()), addresses(again.Gray()))
	require.Equal(t, l.Store(), again.Store())
	require.Equal(t, []netaddr.Address{at(1, 0, 4, 1, 80), at(1, 0, 3, 1, 80)}, addresses(again.TakeAnchors()))
	require.Empty(t, again.TakeAnchors())
	for _, bad := range [][]byte{nil, []byte("list"), l.Store()[:100], make([]byte, maxStored+1)} {
		_, err := Load(bad)
		require.Error(t, err)
	}
}

func TestBans(t *testing.T) {
	now := time.Unix(1000, 0)
	b := NewBans()
	net, err := netaddr.ParseSubnet("1.2.0.0/16")
	require.NoError(t, err)
	host := at(1, 2, 3, 4, 80)
	b.Ban(now, net, time.Minute)
	require.Equal(t, time.Minute, b.Left(now, host))
	b.Ban(now, netaddr.HostSubnet(host), time.Hour)
	require.Equal(t, time.Hour, b.Left(now, host), "the longest matching ban")
	require.Zero(t, b.Left(now, at(1, 3, 0, 0, 80)))
	list := b.List(now)
	require.Len(t, list, 2)
	require.True(t, list[0].Subnet.Single())
	b.Ban(now, netaddr.HostSubnet(host), 0)
	require.Equal(t, time.Minute, b.Left(now, host))
	require.Zero(t, b.Left(now.Add(time.Minute), host))
	require.Empty(t, b.List(now.Add(time.Minute)))
}

// TestFails checks scores. Source of the numbers: src/cryptonote_config.h.
func TestFails(t *testing.T) {
	now := time.Unix(1000, 0)
	b := NewBans()
	host := at(1, 2, 3, 4, 80)
	for range 10 {
		require.False(t, b.Fail(now, host.WithPort(81), 1))
	}
	require.Zero(t, b.Left(now, host))
	require.True(t, b.Fail(now, host, 1))
	require.Equal(t, 24*time.Hour, b.Left(now, host))
	require.Equal(t, 5, b.Fails(host))
	later := now.Add(25 * time.Hour)
	require.False(t, b.Fail(later, host, 5))
	require.True(t, b.Fail(later, host, 5))

	b.NoteUnreachable(now, host)
	require.True(t, b.RecentlyUnreachable(now.Add(59*time.Minute), host.WithPort(1)))
	require.False(t, b.RecentlyUnreachable(now.Add(61*time.Minute), host))
}

// FuzzLoad checks that arbitrary bytes are rejected or loaded, and that a loaded list is stored unchanged.
func FuzzLoad(f *testing.F) {
	l := New()
	l.AddWhite(Entry{Address: at(1, 2, 3, 4, 5), LastSeen: 6})
	l.AddGray(Entry{Address: netaddr.FromBytes(make([]byte, 16), 5)})
	l.Anchor(Entry{Address: at(1, 2, 3, 4, 5)})
	f.Add(l.Store())
	f.Add(New().Store())
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := Load(b)
		if err != nil {
			return
		}
		again, err := Load(l.Store())
		require.NoError(t, err)
		require.Equal(t, addresses(l.White()), addresses(again.White()))
		require.Equal(t, addresses(l.Gray()), addresses(again.Gray()))
	})
}

// TestBansOfNetworks checks bans of IPv6 networks, and that lifted and expired bans leave nothing behind.
func TestBansOfNetworks(t *testing.T) {
	now := time.Unix(1000, 0)
	b := NewBans()
	a := netaddr.FromBytes([]byte{0x20, 1, 0xd, 0xb8, 15: 1}, 80)
	b.Ban(now, netaddr.HostPrefixSubnet(a), time.Minute)
	b.Ban(now, netaddr.NewSubnet(a, 32), time.Hour)
	b.Ban(now, netaddr.NewSubnet(at(1, 2, 3, 4, 0), 24), time.Hour)
	require.Equal(t, time.Hour, b.Left(now, a))
	require.Equal(t, time.Hour, b.Left(now, at(1, 2, 3, 9, 80)))
	require.Zero(t, b.Left(now, at(0x20, 1, 0xd, 0xb8, 80)))
	b.Ban(now, netaddr.NewSubnet(a, 32), 0)
	b.Ban(now, netaddr.NewSubnet(a, 32), 0)
	require.Equal(t, time.Minute, b.Left(now, a.WithPort(1)))
	require.Len(t, b.List(now.Add(time.Minute)), 1)
	require.Zero(t, b.Left(now, a))
	require.Len(t, b.sizes, 1)
}
