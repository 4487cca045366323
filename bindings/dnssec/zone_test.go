package dnssec_test

import (
	"crypto"
	"encoding/base64"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"
	"github.com/stretchr/testify/require"
)

// key is a signing key of a zone.
type key struct {
	*dns.DNSKEY
	private crypto.Signer
}

func newKey(t testing.TB, zone string, algorithm uint8, bits int) key {
	t.Helper()
	k := &dns.DNSKEY{Hdr: header(zone, dns.TypeDNSKEY), Flags: dns.ZONE | dns.SEP, Protocol: 3, Algorithm: algorithm}
	private, err := k.Generate(bits)
	require.NoError(t, err)
	signer, ok := private.(crypto.Signer)
	require.True(t, ok)
	return key{k, signer}
}

func header(name string, kind uint16) dns.RR_Header {
	return dns.RR_Header{Name: name, Rrtype: kind, Class: dns.ClassINET, Ttl: 300}
}

// now is the time of all signatures and validations of these tests.
var now = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// sign returns the signature of records by k, valid for a day around now.
func sign(t testing.TB, k key, records ...dns.RR) *dns.RRSIG {
	t.Helper()
	return signAt(t, k, now.Add(-12*time.Hour), now.Add(12*time.Hour), records...)
}

func signAt(t testing.TB, k key, from, to time.Time, records ...dns.RR) *dns.RRSIG {
	t.Helper()
	s := &dns.RRSIG{
		Algorithm: k.Algorithm, KeyTag: k.KeyTag(), SignerName: k.Hdr.Name,
		Inception: uint32(from.Unix()), Expiration: uint32(to.Unix()),
	}
	require.NoError(t, s.Sign(k.private, records))
	s.Hdr.Ttl = 300
	return s
}

func txt(name string, parts ...string) *dns.TXT {
	return &dns.TXT{Hdr: header(name, dns.TypeTXT), Txt: parts}
}

// resolver is a DNS server on a port of this machine, for UDP and TCP. Its records may be changed while it runs.
type resolver struct {
	address netip.AddrPort

	mu      sync.Mutex
	answers map[string][]dns.RR // by name and type
	asked   []string            // names and types, with the network
	alter   func(network string, m *dns.Msg)
	hold    chan struct{} // if not nil, no query is answered before it is closed
}

func newResolver(t testing.TB) *resolver {
	t.Helper()
	r := &resolver{answers: map[string][]dns.RR{}}
	var tcp net.Listener
	var udp net.PacketConn
	for { // until a port is free for both
		var err error
		tcp, err = net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		if udp, err = net.ListenPacket("udp", tcp.Addr().String()); err == nil {
			break
		}
		require.NoError(t, tcp.Close())
	}
	r.address = netip.MustParseAddrPort(tcp.Addr().String())
	for network, s := range map[string]*dns.Server{"udp": {PacketConn: udp}, "tcp": {Listener: tcp}} {
		s.Handler = dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) { r.answer(network, w, q) })
		started, ended := make(chan struct{}), make(chan struct{})
		s.NotifyStartedFunc = func() { close(started) }
		go func() {
			defer close(ended)
			_ = s.ActivateAndServe()
		}()
		<-started
		t.Cleanup(func() {
			_ = s.Shutdown()
			<-ended
		})
	}
	t.Cleanup(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.hold != nil {
			close(r.hold)
		}
	})
	return r
}

func question(name string, kind uint16) string {
	return strings.ToLower(name) + " " + dns.TypeToString[kind]
}

// put sets the records of their name and type, and what follows them in the answer, such as signatures.
func (r *resolver) put(records ...dns.RR) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := records[0].Header()
	r.answers[question(h.Name, h.Rrtype)] = records
}

// remove removes the records of a name and type.
func (r *resolver) remove(name string, kind uint16) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.answers, question(name, kind))
}

// change has each response altered before it is sent.
func (r *resolver) change(alter func(network string, m *dns.Msg)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.alter = alter
}

// stall stops all answers until the test ends.
func (r *resolver) stall() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hold = make(chan struct{})
}

// queries returns the questions since the last call, with the network of each.
func (r *resolver) queries() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.asked
	r.asked = nil
	return all
}

func (r *resolver) answer(network string, w dns.ResponseWriter, q *dns.Msg) {
	m := new(dns.Msg)
	m.SetReply(q)
	m.RecursionAvailable = true
	m.SetEdns0(1232, true)
	name, kind := q.Question[0].Name, q.Question[0].Qtype
	r.mu.Lock()
	hold := r.hold
	r.asked = append(r.asked, network+" "+question(name, kind))
	m.Answer = append(m.Answer, r.answers[question(name, kind)]...)
	if len(m.Answer) == 0 {
		if m.Answer = append(m.Answer, r.answers[question(name, dns.TypeCNAME)]...); len(m.Answer) == 0 {
			m.Rcode = dns.RcodeNameError
		}
	}
	if r.alter != nil {
		r.alter(network, m)
	}
	r.mu.Unlock()
	if hold != nil {
		<-hold
	}
	if network == "udp" {
		m.Truncate(1232)
	}
	_ = w.WriteMsg(m)
}

// tree is the zones ".", "org." and "example.org.", each signed with a key of its own, and served by a resolver.
type tree struct {
	*resolver
	root, org, example key
	anchor             string
}

// name is the name in the zone example.org. that the tests look up.
const name = "donate.example.org."

func newTree(t testing.TB, algorithm uint8, bits int) *tree {
	t.Helper()
	w := &tree{resolver: newResolver(t), root: newKey(t, ".", algorithm, bits), org: newKey(t, "org.", algorithm, bits),
		example: newKey(t, "example.org.", algorithm, bits)}
	w.anchor = w.root.ToDS(dns.SHA256).String()
	for _, k := range []key{w.root, w.org, w.example} {
		w.put(k.DNSKEY, sign(t, k, k.DNSKEY))
	}
	w.delegate(t, w.root, w.org.ToDS(dns.SHA256))
	w.delegate(t, w.org, w.example.ToDS(dns.SHA256))
	w.sign(t, w.example, txt(name, "first", "and second"))
	return w
}

// delegate serves the DS records of a zone, signed by the zone above.
func (w *tree) delegate(t testing.TB, above key, records ...*dns.DS) {
	t.Helper()
	list := make([]dns.RR, len(records))
	for i, d := range records {
		d.Hdr.Ttl = 300
		list[i] = d
	}
	w.sign(t, above, list...)
}

// sign serves records signed by k.
func (w *tree) sign(t testing.TB, k key, records ...dns.RR) {
	t.Helper()
	w.put(append(records[:len(records):len(records)], sign(t, k, records...))...)
}

// rotate returns a public key with its bytes moved by n.
func rotate(t testing.TB, public string, n int) string {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(public)
	require.NoError(t, err)
	return base64.StdEncoding.EncodeToString(append(b[n:len(b):len(b)], b[:n]...))
}
