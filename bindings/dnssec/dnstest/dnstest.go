// Package dnstest is a DNS server with signed zones, for tests of programs that look up names.
package dnstest

import (
	"crypto"
	"encoding/base64"
	"maps"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"

	"glim/bindings/dnssec"
)

// Key is a signing key of a zone.
type Key struct {
	*dns.DNSKEY
	private crypto.Signer
}

// NewKey returns a new key of a zone, such as org.
func NewKey(t testing.TB, zone string, algorithm uint8, bits int) Key {
	t.Helper()
	k := &dns.DNSKEY{Hdr: Header(zone, dns.TypeDNSKEY), Flags: dns.ZONE | dns.SEP, Protocol: 3, Algorithm: algorithm}
	private, err := k.Generate(bits)
	must(t, err)
	signer, ok := private.(crypto.Signer)
	if !ok {
		t.Fatalf("keys of the algorithm %d do not sign", algorithm)
	}
	return Key{k, signer}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Header returns the header of a record with a name and a type.
func Header(name string, kind uint16) dns.RR_Header {
	return dns.RR_Header{Name: name, Rrtype: kind, Class: dns.ClassINET, Ttl: 300}
}

// Now is the time of all signatures and validations of these tests.
var Now = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// Sign returns the signature of records by k, valid for a day around Now.
func Sign(t testing.TB, k Key, records ...dns.RR) *dns.RRSIG {
	t.Helper()
	return SignAt(t, k, Now.Add(-12*time.Hour), Now.Add(12*time.Hour), records...)
}

// SignAt is Sign for a signature that is valid between two times.
func SignAt(t testing.TB, k Key, from, to time.Time, records ...dns.RR) *dns.RRSIG {
	t.Helper()
	s := &dns.RRSIG{
		Algorithm: k.Algorithm, KeyTag: k.KeyTag(), SignerName: k.Hdr.Name,
		Inception: uint32(from.Unix()), Expiration: uint32(to.Unix()),
	}
	must(t, s.Sign(k.private, records))
	s.Hdr.Ttl = 300
	return s
}

// TXT returns the TXT record of a name with these strings.
func TXT(name string, parts ...string) *dns.TXT {
	return &dns.TXT{Hdr: Header(name, dns.TypeTXT), Txt: parts}
}

// Resolver is a DNS server on a port of this machine, for UDP and TCP. Its records may be changed while it runs.
type Resolver struct {
	Address netip.AddrPort

	mu      sync.Mutex
	answers map[string][]dns.RR // by name and type
	asked   []string            // names and types, with the network
	alter   func(network string, m *dns.Msg)
	hold    chan struct{} // if not nil, no query is answered before it is closed
}

// NewResolver starts a resolver without records, which ends with the test.
func NewResolver(t testing.TB) *Resolver {
	t.Helper()
	r := &Resolver{answers: map[string][]dns.RR{}}
	var tcp net.Listener
	var udp net.PacketConn
	for { // until a port is free for both
		var err error
		tcp, err = net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		if udp, err = net.ListenPacket("udp", tcp.Addr().String()); err == nil {
			break
		}
		must(t, tcp.Close())
	}
	r.Address = netip.MustParseAddrPort(tcp.Addr().String())
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

// Put sets the records of their name and type, and what follows them in the answer, such as signatures.
func (r *Resolver) Put(records ...dns.RR) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := records[0].Header()
	r.answers[question(h.Name, h.Rrtype)] = records
}

// Remove removes the records of a name and type.
func (r *Resolver) Remove(name string, kind uint16) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.answers, question(name, kind))
}

// Change has each response altered before it is sent.
func (r *Resolver) Change(alter func(network string, m *dns.Msg)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.alter = alter
}

// Stall stops all answers until the test ends.
func (r *Resolver) Stall() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hold = make(chan struct{})
}

// Queries returns the questions since the last call, with the network of each.
func (r *Resolver) Queries() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.asked
	r.asked = nil
	return all
}

func (r *Resolver) answer(network string, w dns.ResponseWriter, q *dns.Msg) {
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

// Tree is the zones ".", "org." and "example.org.", each signed with a key of its own, and served by a resolver.
type Tree struct {
	*Resolver
	Root, Org, Example Key
	Anchor             string
}

// Name is the name in the zone example.org. that the tests look up.
const Name = "donate.example.org."

// NewTree returns the signed zones with one TXT record, that of Name. Their keys are of an algorithm of package dns.
func NewTree(t testing.TB, algorithm uint8, bits int) *Tree {
	t.Helper()
	w := &Tree{Resolver: NewResolver(t), Root: NewKey(t, ".", algorithm, bits), Org: NewKey(t, "org.", algorithm, bits),
		Example: NewKey(t, "example.org.", algorithm, bits)}
	w.Anchor = w.Root.ToDS(dns.SHA256).String()
	for _, k := range []Key{w.Root, w.Org, w.Example} {
		w.Put(k.DNSKEY, Sign(t, k, k.DNSKEY))
	}
	w.Delegate(t, w.Root, w.Org.ToDS(dns.SHA256))
	w.Delegate(t, w.Org, w.Example.ToDS(dns.SHA256))
	w.Sign(t, w.Example, TXT(Name, "first", "and second"))
	return w
}

// Host returns what looks up names with the tree's resolver and root, at the time of its signatures.
func (w *Tree) Host() dnssec.Host {
	return dnssec.Host{Public: "tcp://" + w.Address.String(), File: "/nonexistent", Anchors: []string{w.Anchor},
		Now: func() time.Time { return Now }}
}

// Delegate serves the DS records of a zone, signed by the zone above.
func (w *Tree) Delegate(t testing.TB, above Key, records ...*dns.DS) {
	t.Helper()
	list := make([]dns.RR, len(records))
	for i, d := range records {
		d.Hdr.Ttl = 300
		list[i] = d
	}
	w.Sign(t, above, list...)
}

// Sign serves records signed by k.
func (w *Tree) Sign(t testing.TB, k Key, records ...dns.RR) {
	t.Helper()
	w.Put(append(records[:len(records):len(records)], Sign(t, k, records...))...)
}

// Rotate returns a public key with its bytes moved by n.
func Rotate(t testing.TB, public string, n int) string {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(public)
	must(t, err)
	return base64.StdEncoding.EncodeToString(append(b[n:len(b):len(b)], b[:n]...))
}

// Answers returns the records that the resolver serves, by name and type, with what follows them.
func (r *Resolver) Answers() map[string][]dns.RR {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.answers)
}
