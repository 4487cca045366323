package dnssec_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"
	"github.com/stretchr/testify/require"

	"glim/bindings/dnssec"
	"glim/bindings/dnssec/dnstest"
	"glim/core/openalias"
)

const name = dnstest.Name

var (
	now                          = dnstest.Now
	newKey, sign, signAt, rotate = dnstest.NewKey, dnstest.Sign, dnstest.SignAt, dnstest.Rotate
	txt, header                  = dnstest.TXT, dnstest.Header
)

// tree is the signed zones of the tests.
type tree struct{ *dnstest.Tree }

func newTree(t testing.TB, algorithm uint8, bits int) *tree {
	t.Helper()
	return &tree{dnstest.NewTree(t, algorithm, bits)}
}

func (w *tree) options() dnssec.Options {
	return dnssec.Options{Servers: []netip.AddrPort{w.Address}, Anchors: []string{w.Anchor},
		Now: func() time.Time { return now }}
}

// lookUp looks up a name with the tree's resolver and anchor.
func (w *tree) lookUp(t testing.TB, name string) ([]string, error) {
	t.Helper()
	r, err := dnssec.New(w.options())
	require.NoError(t, err)
	return r.TXT(t.Context(), name)
}

var joined = []string{"firstand second"}

func TestSigned(t *testing.T) {
	for _, c := range []struct {
		algorithm uint8
		bits      int
	}{
		{dns.ED25519, 256}, {dns.ECDSAP256SHA256, 256}, {dns.ECDSAP384SHA384, 384}, {dns.RSASHA256, 2048},
		{dns.RSASHA512, 1024},
	} {
		t.Run(dns.AlgorithmToString[c.algorithm], func(t *testing.T) {
			w := newTree(t, c.algorithm, c.bits)
			for _, written := range []string{name, "donate.example.org", "Donate.EXAMPLE.org"} {
				got, err := w.lookUp(t, written)
				require.NoError(t, err)
				require.Equal(t, joined, got)
			}
			require.Equal(t, []string{
				"udp donate.example.org. TXT", "udp example.org. DS", "udp org. DS", "udp . DNSKEY", "udp org. DNSKEY",
				"udp example.org. DNSKEY",
			}, w.Queries()[:6])

			got, err := w.lookUp(t, "missing.example.org")
			require.NoError(t, err)
			require.Empty(t, got)
		})
	}
}

func TestTexts(t *testing.T) {
	w := newTree(t, dns.ED25519, 256)
	long := strings.Repeat("x", 250)
	w.Sign(t, w.Example, txt(name, `a \"b\" \\ \010\255;`), txt(name, long, long, long))
	got, err := w.lookUp(t, name)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"a \"b\" \\ \n\xff;", long + long + long}, got)
}

// TestForged: no change to the records of a resolver that lacks the keys leads to an accepted text.
func TestForged(t *testing.T) {
	forged := txt(name, "forged")
	for title, c := range map[string]struct {
		forge func(t *testing.T, w *tree)
		why   string
	}{
		"another text": {func(t *testing.T, w *tree) {
			w.Put(forged, sign(t, w.Example, txt(name, "first")))
		}, "no key of"},
		"one more text": {func(t *testing.T, w *tree) {
			w.Put(txt(name, "first"), forged, sign(t, w.Example, txt(name, "first")))
		}, "no key of"},
		"no signature": {func(_ *testing.T, w *tree) { w.Put(forged) }, "has no signature"},
		"wrong key": {func(t *testing.T, w *tree) {
			w.Sign(t, newKey(t, "example.org.", dns.ED25519, 256), forged)
		}, "no key of"},
		"wrong key that is served": {func(t *testing.T, w *tree) {
			k := newKey(t, "example.org.", dns.ED25519, 256)
			w.Sign(t, k, forged)
			w.Sign(t, k, k.DNSKEY)
		}, "matches its DS record"},
		"wrong key beside the right one": {func(t *testing.T, w *tree) {
			k := newKey(t, "example.org.", dns.ED25519, 256)
			w.Sign(t, k, forged)
			w.Sign(t, k, w.Example.DNSKEY, k.DNSKEY)
		}, "no key of"},
		"expired": {func(t *testing.T, w *tree) {
			w.Put(forged, signAt(t, w.Example, now.Add(-48*time.Hour), now.Add(-time.Second), forged))
		}, "is valid from"},
		"not yet valid": {func(t *testing.T, w *tree) {
			w.Put(forged, signAt(t, w.Example, now.Add(time.Second), now.Add(time.Hour), forged))
		}, "is valid from"},
		"expired keys": {func(t *testing.T, w *tree) {
			w.Put(w.Org.DNSKEY, signAt(t, w.Org, now.Add(-48*time.Hour), now.Add(-time.Second), w.Org.DNSKEY))
		}, "is valid from"},
		"unsigned keys": {func(_ *testing.T, w *tree) { w.Put(w.Org.DNSKEY) }, "have no signature"},
		"no keys": {func(_ *testing.T, w *tree) {
			w.Remove("org.", dns.TypeDNSKEY)
		}, "matches its DS record"},
		"unsigned delegation": {func(_ *testing.T, w *tree) {
			w.Remove("example.org.", dns.TypeDS)
		}, "has no DS record"},
		"unsigned DS": {func(_ *testing.T, w *tree) { w.Put(w.Example.ToDS(dns.SHA256)) }, "has no signature"},
		"DS of another key": {func(t *testing.T, w *tree) {
			w.Delegate(t, w.Org, newKey(t, "example.org.", dns.ED25519, 256).ToDS(dns.SHA256))
		}, "matches its DS record"},
		"DS signed by its own zone": {func(t *testing.T, w *tree) {
			w.Delegate(t, w.Example, w.Example.ToDS(dns.SHA256))
		}, "is signed by itself"},
		"DS with SHA-1 only": {func(t *testing.T, w *tree) {
			w.Delegate(t, w.Org, w.Example.ToDS(dns.SHA1))
		}, "matches its DS record"},
		"signed by a sibling": {func(t *testing.T, w *tree) {
			k := newKey(t, "evil.org.", dns.ED25519, 256)
			w.Put(k.DNSKEY, sign(t, k, k.DNSKEY))
			w.Delegate(t, w.Org, k.ToDS(dns.SHA256))
			s := sign(t, k, txt("donate.evil.org.", "forged"))
			s.Hdr.Name = name
			w.Put(forged, s)
		}, "is not above it"},
		"signed by a zone whose name only ends alike": {func(t *testing.T, w *tree) {
			k := newKey(t, "ple.org.", dns.ED25519, 256)
			w.Put(k.DNSKEY, sign(t, k, k.DNSKEY))
			w.Delegate(t, w.Org, k.ToDS(dns.SHA256))
			w.Put(forged, sign(t, k, forged))
		}, "is not above it"},
		"a wildcard": {func(t *testing.T, w *tree) {
			s := sign(t, w.Example, txt("*.example.org.", "forged"))
			s.Hdr.Name = name
			w.Put(forged, s)
		}, "wildcard"},
		"another root": {func(t *testing.T, w *tree) {
			k := newKey(t, ".", dns.ED25519, 256)
			w.Sign(t, k, k.DNSKEY)
			w.Delegate(t, k, w.Org.ToDS(dns.SHA256))
		}, "matches its DS record"},
		"a revoked key": {func(t *testing.T, w *tree) {
			w.Example.Flags |= dns.REVOKE
			w.Sign(t, w.Example, w.Example.DNSKEY)
			w.Delegate(t, w.Org, w.Example.ToDS(dns.SHA256))
			w.Sign(t, w.Example, forged)
		}, "matches its DS record"},
		"a key that is not a zone's": {func(t *testing.T, w *tree) {
			w.Example.Flags = 0
			w.Sign(t, w.Example, w.Example.DNSKEY)
			w.Delegate(t, w.Org, w.Example.ToDS(dns.SHA256))
			w.Sign(t, w.Example, forged)
		}, "matches its DS record"},
		"RSA with SHA-1": {func(t *testing.T, w *tree) { w.resign(t, dns.RSASHA1, 1024) }, "not accepted"},
		"RSA with SHA-1, for NSEC3": {func(t *testing.T, w *tree) {
			w.resign(t, dns.RSASHA1NSEC3SHA1, 1024)
		}, "not accepted"},
		"a signature that names another algorithm": {func(t *testing.T, w *tree) {
			s := sign(t, w.Example, forged)
			s.Algorithm = dns.RSAMD5
			w.Put(forged, s)
		}, "not accepted"},
		"an unsigned CNAME": {func(_ *testing.T, w *tree) {
			w.Remove(name, dns.TypeTXT)
			w.Put(&dns.CNAME{Hdr: header(name, dns.TypeCNAME), Target: "other.example.org."})
		}, "has no signature"},
		"two CNAMEs": {func(t *testing.T, w *tree) {
			w.Remove(name, dns.TypeTXT)
			w.Sign(t, w.Example, &dns.CNAME{Hdr: header(name, dns.TypeCNAME), Target: "a.example.org."},
				&dns.CNAME{Hdr: header(name, dns.TypeCNAME), Target: "b.example.org."})
		}, "more than one CNAME"},
		"a loop of CNAMEs": {func(t *testing.T, w *tree) {
			w.Remove(name, dns.TypeTXT)
			w.Sign(t, w.Example, &dns.CNAME{Hdr: header(name, dns.TypeCNAME), Target: name})
		}, "CNAME records follow each other"},
		"many keys": {func(t *testing.T, w *tree) {
			all := []dns.RR{w.Example.DNSKEY}
			for range 32 {
				all = append(all, newKey(t, "example.org.", dns.ED25519, 256).DNSKEY)
			}
			w.Sign(t, w.Example, all...)
		}, "more than 32 keys"},
		"keys with one tag": {func(t *testing.T, w *tree) { w.collide(t) }, "have to be verified"},
		"many records": {func(t *testing.T, w *tree) {
			var all []dns.RR
			for i := range 300 {
				all = append(all, txt(name, fmt.Sprint(i)))
			}
			w.Sign(t, w.Example, all...)
		}, "more than 256 records"},
	} {
		t.Run(title, func(t *testing.T) {
			w := newTree(t, dns.ED25519, 256)
			c.forge(t, w)
			got, err := w.lookUp(t, name)
			require.ErrorIs(t, err, openalias.ErrUntrusted)
			require.ErrorContains(t, err, c.why)
			require.Empty(t, got)
			require.LessOrEqual(t, len(w.Queries()), 48)
		})
	}
}

// resign gives example.org. a key of another algorithm, and signs its records with it.
func (w *tree) resign(t testing.TB, algorithm uint8, bits int) {
	t.Helper()
	w.Example = newKey(t, "example.org.", algorithm, bits)
	w.Sign(t, w.Example, w.Example.DNSKEY)
	w.Delegate(t, w.Org, w.Example.ToDS(dns.SHA256))
	w.Sign(t, w.Example, txt(name, "forged"))
}

// collide serves keys with one tag, and signatures that name it but are by none of them. A key's tag is a sum of its
// 16-bit words, so that keys with the same words in another order have the same tag.
func (w *tree) collide(t testing.TB) {
	t.Helper()
	all := []dns.RR{w.Example.DNSKEY}
	odd := newKey(t, "example.org.", dns.ED25519, 256)
	for i := range 16 {
		k := *odd.DNSKEY
		k.PublicKey = rotate(t, odd.PublicKey, 2*i)
		require.Equal(t, odd.KeyTag(), k.KeyTag())
		all = append(all, &k)
	}
	w.Sign(t, w.Example, all...)
	records := []dns.RR{txt(name, "forged")}
	for i := range 8 {
		s := sign(t, odd, txt(name, fmt.Sprint("other ", i)))
		records = append(records, s)
	}
	w.Put(records...)
}

func TestCNAME(t *testing.T) {
	w := newTree(t, dns.ED25519, 256)
	w.Remove(name, dns.TypeTXT)
	for i, target := range []string{"b.example.org.", "c.example.org.", "Target.Other.org."} {
		from := []string{name, "b.example.org.", "c.example.org."}[i]
		w.Sign(t, w.Example, &dns.CNAME{Hdr: header(from, dns.TypeCNAME), Target: target})
	}
	other := newKey(t, "other.org.", dns.ED25519, 256)
	w.Sign(t, other, other.DNSKEY)
	w.Delegate(t, w.Org, other.ToDS(dns.SHA384))
	w.Sign(t, other, txt("target.other.org.", "at last"))
	got, err := w.lookUp(t, name)
	require.NoError(t, err)
	require.Equal(t, []string{"at last"}, got)

	w.Remove("other.org.", dns.TypeDS) // the target is not signed
	_, err = w.lookUp(t, name)
	require.ErrorIs(t, err, openalias.ErrUntrusted)
}

// TestNewKeys: a zone that changes its key, algorithm or digest keeps validating.
func TestNewKeys(t *testing.T) {
	w := newTree(t, dns.ED25519, 256)
	second := newKey(t, "example.org.", dns.ECDSAP256SHA256, 256)
	zoneKey := newKey(t, "example.org.", dns.ED25519, 256)
	zoneKey.Flags = dns.ZONE
	keys := []dns.RR{second.DNSKEY, w.Example.DNSKEY, zoneKey.DNSKEY}
	w.Put(append(keys, sign(t, second, keys...), sign(t, w.Example, keys...))...)
	w.Delegate(t, w.Org, second.ToDS(dns.SHA1), w.Example.ToDS(dns.SHA1), w.Example.ToDS(dns.SHA384))
	text := txt(name, "new")
	expired := signAt(t, zoneKey, now.Add(-time.Hour), now.Add(-time.Minute), text)
	w.Put(text, expired, sign(t, zoneKey, text))
	got, err := w.lookUp(t, name)
	require.NoError(t, err)
	require.Equal(t, []string{"new"}, got)
}

// TestSmallRSA: RSA keys that can be factored are not accepted.
func TestSmallRSA(t *testing.T) {
	t.Setenv("GODEBUG", "rsa1024min=0")
	w := newTree(t, dns.ED25519, 256)
	w.resign(t, dns.RSASHA256, 512)
	t.Setenv("GODEBUG", "")
	_, err := w.lookUp(t, name)
	require.ErrorIs(t, err, openalias.ErrUntrusted)
}

func TestTruncated(t *testing.T) {
	w := newTree(t, dns.ED25519, 256)
	long := strings.Repeat("x", 250)
	w.Sign(t, w.Example, txt(name, long, long, long, long, long, long))
	got, err := w.lookUp(t, name)
	require.NoError(t, err)
	require.Equal(t, []string{strings.Repeat(long, 6)}, got)
	require.Equal(t, []string{"udp donate.example.org. TXT", "tcp donate.example.org. TXT"}, w.Queries()[:2])

	w.Change(func(_ string, m *dns.Msg) { m.Truncated = true })
	_, err = w.lookUp(t, name)
	require.ErrorIs(t, err, dnssec.ErrAnswer)
}

func TestUnanswered(t *testing.T) {
	w := newTree(t, dns.ED25519, 256)
	for title, alter := range map[string]func(string, *dns.Msg){
		"SERVFAIL":         func(_ string, m *dns.Msg) { m.Rcode, m.Answer = dns.RcodeServerFailure, nil },
		"REFUSED":          func(_ string, m *dns.Msg) { m.Rcode, m.Answer = dns.RcodeRefused, nil },
		"another question": func(_ string, m *dns.Msg) { m.Question[0].Name = "a.b." },
		"another ID":       func(_ string, m *dns.Msg) { m.Id++ },
		"no response":      func(_ string, m *dns.Msg) { m.Response = false },
	} {
		t.Run(title, func(t *testing.T) {
			w.Change(alter)
			o := w.options()
			o.TCP = true
			r, err := dnssec.New(o)
			require.NoError(t, err)
			_, err = r.TXT(t.Context(), name)
			require.ErrorIs(t, err, dnssec.ErrAnswer)
		})
	}
}

// TestServers: a server that does not answer, or strips signatures, is passed over.
func TestServers(t *testing.T) {
	good, bad := newTree(t, dns.ED25519, 256), dnstest.NewResolver(t)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	bad.Put(txt(name, "forged"))
	o := good.options()
	o.TCP = true
	o.Servers = []netip.AddrPort{netip.MustParseAddrPort(closed.Addr().String()), bad.Address, good.Address}
	r, err := dnssec.New(o)
	require.NoError(t, err)
	got, err := r.TXT(t.Context(), name)
	require.NoError(t, err)
	require.Equal(t, joined, got)

	o.Servers = o.Servers[:2]
	r, err = dnssec.New(o)
	require.NoError(t, err)
	_, err = r.TXT(t.Context(), name)
	require.ErrorIs(t, err, openalias.ErrUntrusted, "more than that one server did not answer")

	o.Servers = o.Servers[:1]
	r, err = dnssec.New(o)
	require.NoError(t, err)
	_, err = r.TXT(t.Context(), name)
	require.ErrorIs(t, err, dnssec.ErrAnswer)
}

// TestCancelled: a lookup ends with its context, while a server does not answer.
func TestCancelled(t *testing.T) {
	for _, tcp := range []bool{false, true} {
		w := newTree(t, dns.ED25519, 256)
		w.Stall()
		o := w.options()
		o.TCP = tcp
		r, err := dnssec.New(o)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := r.TXT(ctx, name)
			done <- err
		}()
		require.Eventually(t, func() bool { return len(w.Queries()) > 0 }, 2*time.Minute, time.Millisecond)
		cancel()
		select {
		case err := <-done:
			require.ErrorIs(t, err, context.Canceled)
		case <-time.After(2 * time.Minute):
			require.Fail(t, "the lookup goes on")
		}
	}
}

// TestDial: with a dialer, all queries go through it, and over TCP.
func TestDial(t *testing.T) {
	w := newTree(t, dns.ED25519, 256)
	o := w.options()
	o.Servers = dnssec.PublicServers[:1]
	dials := 0
	o.Dial = func(ctx context.Context, server netip.AddrPort) (net.Conn, error) {
		dials++
		require.Equal(t, dnssec.PublicServers[0], server)
		return new(net.Dialer).DialContext(ctx, "tcp", w.Address.String())
	}
	r, err := dnssec.New(o)
	require.NoError(t, err)
	got, err := r.TXT(t.Context(), name)
	require.NoError(t, err)
	require.Equal(t, joined, got)
	queries := w.Queries()
	require.Len(t, queries, dials)
	for _, q := range queries {
		require.True(t, strings.HasPrefix(q, "tcp "), q)
	}

	failed := errors.New("the proxy is down")
	o.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) { return nil, failed }
	r, err = dnssec.New(o)
	require.NoError(t, err)
	_, err = r.TXT(t.Context(), name)
	require.ErrorIs(t, err, failed)
	require.ErrorIs(t, err, dnssec.ErrAnswer)
}

// TestGarbage: bytes that are no DNS message are an error over TCP.
func TestGarbage(t *testing.T) {
	w := newTree(t, dns.ED25519, 256)
	for _, bytes := range []string{"", "\x00", "\xff\xff", "\x00\x01x", "\x00\x0c" + strings.Repeat("\xff", 12)} {
		o := w.options()
		o.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) {
			near, far := net.Pipe()
			go func() {
				go func() { _, _ = io.Copy(io.Discard, far) }()
				_, _ = io.WriteString(far, bytes)
				_ = far.Close()
			}()
			return near, nil
		}
		r, err := dnssec.New(o)
		require.NoError(t, err)
		_, err = r.TXT(t.Context(), name)
		require.ErrorIs(t, err, dnssec.ErrAnswer)
	}
}

func TestNew(t *testing.T) {
	server := []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:53")}
	_, err := dnssec.New(dnssec.Options{Servers: server})
	require.NoError(t, err, "the root's anchors are valid")
	_, err = dnssec.New(dnssec.Options{})
	require.ErrorIs(t, err, dnssec.ErrServers)
	for _, anchor := range []string{
		"", "nonsense", ". IN A 127.0.0.1", "org. IN DS 1 8 2 " + strings.Repeat("00", 32),
	} {
		_, err = dnssec.New(dnssec.Options{Servers: server, Anchors: []string{anchor}})
		require.Error(t, err, anchor)
	}
	r, err := dnssec.New(dnssec.Options{Servers: server})
	require.NoError(t, err)
	_, err = r.TXT(t.Context(), strings.Repeat("a", 64)+".org")
	require.Error(t, err)
}

func TestConfigured(t *testing.T) {
	for variable, want := range map[string]string{
		"tcp":           "[9.9.9.10:53 149.112.112.10:53 185.222.222.222:53 45.11.45.11:53 194.150.168.168:53]",
		"tcp://9.9.9.9": "[9.9.9.9:53]", "tcp://127.0.0.1:5353": "[127.0.0.1:5353]", "tcp://[::1]:54": "[[::1]:54]",
		"tcp://::1": "[[::1]:53]",
	} {
		servers, tcp, err := dnssec.Configured(variable, "/nonexistent")
		require.NoError(t, err)
		require.True(t, tcp)
		require.Equal(t, want, fmt.Sprint(servers))
	}
	for _, variable := range []string{
		"udp", "tcp://", "tcp://dns.example", "9.9.9.9", "tcp://9.9.9.9:x", "tcp://1.2.3",
	} {
		_, _, err := dnssec.Configured(variable, "/nonexistent")
		require.ErrorIs(t, err, dnssec.ErrVariable, variable)
	}
	file := filepath.Join(t.TempDir(), "resolv.conf")
	require.NoError(t, os.WriteFile(file,
		[]byte("# a comment\nsearch example.org\nnameserver 192.0.2.1\nnameserver fe80::1%eth0\nnameserver x"), 0o600))
	servers, tcp, err := dnssec.Configured("", file)
	require.NoError(t, err)
	require.False(t, tcp)
	require.Equal(t, "[192.0.2.1:53 [fe80::1%eth0]:53]", fmt.Sprint(servers))
	require.NoError(t, os.WriteFile(file, []byte("search example.org\n"), 0o600))
	for _, f := range []string{file, file + "-missing"} {
		_, _, err = dnssec.Configured("", f)
		require.ErrorIs(t, err, dnssec.ErrServers)
	}
}

// FuzzResponse: no response to a query makes a lookup return a text, because none can be signed.
func FuzzResponse(f *testing.F) {
	w := newTree(f, dns.ED25519, 256)
	for _, records := range w.Answers() {
		m := new(dns.Msg)
		m.Answer = records
		b, err := m.Pack()
		require.NoError(f, err)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		forged := new(dns.Msg)
		if forged.Unpack(b) != nil {
			return
		}
		o := w.options()
		o.Anchors = nil // the real root's
		o.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) {
			near, far := net.Pipe()
			go func() {
				defer func() { _ = far.Close() }()
				c := dns.Conn{Conn: far}
				q, err := c.ReadMsg()
				if err != nil {
					return
				}
				m := new(dns.Msg)
				m.SetReply(q)
				m.Answer = forged.Answer
				_ = c.WriteMsg(m)
			}()
			return near, nil
		}
		r, err := dnssec.New(o)
		require.NoError(t, err)
		got, _ := r.TXT(t.Context(), name)
		require.Empty(t, got)
	})
}
