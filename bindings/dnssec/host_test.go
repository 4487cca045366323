package dnssec_test

import (
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/miekg/dns"
	"github.com/stretchr/testify/require"

	"glim/bindings/dnssec"
	"glim/bindings/dnssec/dnstest"
	"glim/bindings/native/p2p"
	"glim/core/openalias"
)

func TestHost(t *testing.T) {
	w := newTree(t, dns.ED25519, 256)
	got, err := w.Host().TXT(t.Context(), name, "")
	require.NoError(t, err)
	require.Equal(t, joined, got)
	require.Contains(t, w.Queries(), "tcp "+name+" TXT")

	h := w.Host()
	h.Anchors = nil
	_, err = h.TXT(t.Context(), name, "")
	require.ErrorIs(t, err, openalias.ErrUntrusted, "the real root's keys")
	w.Queries()

	h = w.Host()
	h.Disabled = "for a reason"
	_, err = h.TXT(t.Context(), name, "")
	require.ErrorIs(t, err, openalias.ErrDisabled)
	require.ErrorContains(t, err, "for a reason")

	h = w.Host()
	h.Public = "udp"
	_, err = h.TXT(t.Context(), name, "")
	require.ErrorIs(t, err, dnssec.ErrVariable)
	h.Public = ""
	_, err = h.TXT(t.Context(), name, "")
	require.ErrorIs(t, err, dnssec.ErrServers)
	h.File = filepath.Join(t.TempDir(), "resolv.conf")
	require.NoError(t, os.WriteFile(h.File, []byte("nameserver 127.0.0.1\n"), 0o600))
	require.Empty(t, w.Queries())
}

// socks is a SOCKS 5 proxy that connects every client to one address, and records what it was asked for.
type socks struct {
	address string

	mu    sync.Mutex
	asked []netip.AddrPort
}

func newSOCKS(t *testing.T, to netip.AddrPort) *socks {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	s := &socks{address: l.Addr().String()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(c, to)
		}
	}()
	return s
}

// connections returns what clients have asked for since the last call.
func (s *socks) connections() []netip.AddrPort {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.asked
	s.asked = nil
	return all
}

// serve handles a client without a login that asks for an IPv4 address.
func (s *socks) serve(c net.Conn, to netip.AddrPort) {
	defer func() { _ = c.Close() }()
	var hello [3]byte
	var order [10]byte
	if _, err := io.ReadFull(c, hello[:]); err != nil {
		return
	}
	_, _ = c.Write([]byte{5, 0})
	if _, err := io.ReadFull(c, order[:]); err != nil {
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked,
		netip.AddrPortFrom(netip.AddrFrom4([4]byte(order[4:8])), uint16(order[8])<<8|uint16(order[9])))
	s.mu.Unlock()
	far, err := net.Dial("tcp", to.String())
	if err != nil {
		return
	}
	defer func() { _ = far.Close() }()
	_, _ = c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	go func() { _, _ = io.Copy(far, c) }()
	_, _ = io.Copy(c, far)
}

// TestHostThroughProxy: with a proxy, every query goes through it: to public servers, or those of DNS_PUBLIC, but not
// to those of resolv.conf.
func TestHostThroughProxy(t *testing.T) {
	w := newTree(t, dns.ED25519, 256)
	local := dnstest.NewResolver(t)
	for public, want := range map[string]netip.AddrPort{
		"": dnssec.PublicServers[0], "tcp://192.0.2.7:5353": netip.MustParseAddrPort("192.0.2.7:5353"),
	} {
		proxy := newSOCKS(t, w.Address)
		h := w.Host()
		h.Public, h.File = public, filepath.Join(t.TempDir(), "resolv.conf")
		require.NoError(t, os.WriteFile(h.File, []byte("nameserver "+local.Address.Addr().String()+"\n"), 0o600))
		for _, written := range []string{proxy.address, "socks5h://" + proxy.address} {
			w.Queries()
			got, err := h.TXT(t.Context(), name, written)
			require.NoError(t, err)
			require.Equal(t, joined, got)
			connections := proxy.connections()
			require.Len(t, connections, len(w.Queries()))
			for _, a := range connections {
				require.Equal(t, want, a)
			}
		}
	}
	require.Empty(t, local.Queries())

	w.Queries()
	for _, proxy := range []string{"http://127.0.0.1:1", "socks5://:secret@", "socks5://a:secret@%zz", "127.0.0.1"} {
		_, err := w.Host().TXT(t.Context(), name, proxy)
		require.ErrorIs(t, err, p2p.ErrProxy, proxy)
		require.NotContains(t, err.Error(), "secret")
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	_, err = w.Host().TXT(t.Context(), name, closed.Addr().String())
	require.ErrorIs(t, err, dnssec.ErrAnswer)
	require.Empty(t, w.Queries(), "nothing bypasses the proxy")
}
