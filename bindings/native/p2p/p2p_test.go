package p2p

import (
	"crypto/rand"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/node"
	"glim/core/p2p"
	"glim/core/p2p/netaddr"
	"glim/core/peering"
	"glim/core/xmr"
)

// patience limits every wait of a test. It only prevents hanging, and is not a measurement.
const patience = 2 * time.Minute

func until(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for over := time.After(patience); !done(); {
		select {
		case <-tick.C:
		case <-over:
			t.Fatal("waited in vain")
		}
	}
}

// daemon is a chain in this process with a network.
type daemon struct {
	*node.Regtest
	net   *Network
	at    netip.AddrPort
	state atomic.Pointer[[]byte] // saved last
}

// newDaemon starts a daemon that connects only to the given others.
func newDaemon(t *testing.T, proxy *Proxy, state []byte, others ...netip.AddrPort) *daemon {
	t.Helper()
	chain, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	d := &daemon{Regtest: chain, at: l.Addr().(*net.TCPAddr).AddrPort()}
	settings := p2p.Config{
		Network: xmr.Regtest, Chain: p2p.FromChain(chain.Chain()), Random: rand.Reader, Out: -1, In: -1, PerHost: 100,
		AllowLocal: true,
		Port:       d.at.Port(), State: state,
	}
	for _, o := range others {
		settings.Exclusive = append(settings.Exclusive, netaddr.FromBytes(o.Addr().AsSlice(), o.Port()))
	}
	m, err := p2p.New(settings)
	require.NoError(t, err)
	d.net = Start(Config{
		Machine: m, Listeners: []net.Listener{l}, Proxy: proxy, Down: 1 << 30, Up: 1 << 30,
		Log:  slog.New(slog.DiscardHandler),
		Save: func(b []byte) error { d.state.Store(&b); return nil },
	})
	chain.Join(peering.NewNetwork(d.net), node.DefaultPeerLimits())
	t.Cleanup(func() {
		require.NoError(t, d.net.Close())
		require.NoError(t, chain.Close())
	})
	return d
}

func (d *daemon) mine(t *testing.T, n int) {
	t.Helper()
	_, err := d.Mine(t.Context(), n, node.UnspendableAddress())
	require.NoError(t, err)
}

// level waits until daemons have the same chain.
func level(t *testing.T, all ...*daemon) {
	t.Helper()
	until(t, func() bool {
		for _, d := range all {
			if p2p.FromChain(d.Chain()).Tip().ID != p2p.FromChain(all[0].Chain()).Tip().ID {
				return false
			}
		}
		return true
	})
}

// TestNetwork synchronises chains over sockets, and checks limits, closing and stored peers.
func TestNetwork(t *testing.T) {
	a := newDaemon(t, nil, nil)
	a.mine(t, 100)
	b := newDaemon(t, nil, nil, a.at)
	level(t, a, b)
	b.mine(t, 3)
	level(t, b, a)
	b.net.SetLimits(100_000, 200_000)
	down, up := b.net.Limits()
	require.Equal(t, [2]uint64{100_000, 200_000}, [2]uint64{down, up})
	a.mine(t, 2)
	level(t, a, b)

	seen := peering.NewNetwork(b.net)
	require.Len(t, seen.Connections(), 1)
	require.Equal(t, a.at.String(), seen.Connections()[0].Address)
	require.Equal(t, node.NetworkCounts{Out: 1, White: 1}, seen.Counts())
	require.NotZero(t, seen.Traffic().TotalBytesIn)
	seen.Ban(netaddr.HostSubnet(netaddr.FromNumber(0x0100007f, 0)), 60)
	require.EqualValues(t, 60, seen.Banned(netaddr.FromNumber(0x0100007f, 5)))
	until(t, func() bool { return len(peering.NewNetwork(a.net).Connections()) == 0 })
	require.NoError(t, b.net.Close())
	require.False(t, b.net.Do(func(*p2p.Machine, time.Time) {}))
	require.NotEmpty(t, *b.state.Load())
}

// TestPeersAreKept checks that a restarted daemon reconnects to a stored peer.
func TestPeersAreKept(t *testing.T) {
	a := newDaemon(t, nil, nil)
	a.mine(t, 5)
	b := newDaemon(t, nil, nil, a.at)
	level(t, a, b)
	require.NoError(t, b.net.Close())
	c := newDaemon(t, nil, *b.state.Load())
	level(t, a, c)
}

// TestPeersThroughProxy checks that all connections use the proxy, and that no connection is made if the proxy fails.
func TestPeersThroughProxy(t *testing.T) {
	a := newDaemon(t, nil, nil)
	a.mine(t, 5)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	var through atomic.Int32
	go serveSOCKS(l, &through)
	p, err := NewProxy(l.Addr().String(), "", "")
	require.NoError(t, err)
	b := newDaemon(t, p, nil, a.at)
	level(t, a, b)
	require.Positive(t, through.Load())

	gone, err := NewProxy("127.0.0.1:1", "", "")
	require.NoError(t, err)
	before := peering.NewNetwork(a.net).Counts().In
	c := newDaemon(t, gone, nil, a.at)
	until(t, func() bool { // it has tried
		tried := false
		c.net.Do(func(m *p2p.Machine, now time.Time) { tried = true })
		return tried
	})
	_, err = c.net.reach(t.Context(), netaddr.FromBytes(a.at.Addr().AsSlice(), a.at.Port()))
	require.Error(t, err)
	require.Equal(t, before, peering.NewNetwork(a.net).Counts().In)
}

// serveSOCKS is a proxy without login.
func serveSOCKS(l net.Listener, through *atomic.Int32) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			var head [3]byte
			var order [10]byte
			if _, err := io.ReadFull(c, head[:]); err != nil {
				return
			}
			_, _ = c.Write([]byte{5, 0})
			if _, err := io.ReadFull(c, order[:]); err != nil {
				return
			}
			to := netip.AddrPortFrom(netip.AddrFrom4([4]byte(order[4:8])), uint16(order[8])<<8|uint16(order[9]))
			peer, err := net.Dial("tcp", to.String())
			if err != nil {
				return
			}
			defer peer.Close()
			through.Add(1)
			_, _ = c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
			go func() {
				_, _ = io.Copy(peer, c)
				_ = peer.Close()
			}()
			_, _ = io.Copy(c, peer)
		}()
	}
}

// TestListen listens on IPv4 and IPv6. If one port is in use, no listener stays open.
func TestListen(t *testing.T) {
	all, err := Listening{IP: "127.0.0.1", IPv6: "::1", UseIPv6: true}.Listen()
	require.NoError(t, err)
	require.Len(t, all, 2)
	taken := uint16(all[1].Addr().(*net.TCPAddr).Port)
	require.NoError(t, all[0].Close())
	_, err = Listening{IP: "127.0.0.1", IPv6: "[::1]", UseIPv6: true, PortIPv6: taken}.Listen()
	require.Error(t, err)
	require.NoError(t, all[1].Close())

	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	taken = uint16(l.Addr().(*net.TCPAddr).Port)
	_, err = Listening{IP: "127.0.0.1", Port: taken}.Listen()
	require.Error(t, err)
	all, err = Listening{IP: "127.0.0.1", IPv6: "::1", Port: taken, UseIPv6: true, WithoutIPv4: true}.Listen()
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.NoError(t, all[0].Close())
}
