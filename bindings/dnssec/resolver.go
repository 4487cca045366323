// Package dnssec looks up TXT records in the DNS. It asks a resolver that need not be trusted, and accepts only records
// whose signatures lead to the keys of the DNS root.
package dnssec

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/miekg/dns"
)

// Defaults and limits of a Resolver.
const (
	queryTimeout  = 5 * time.Second
	lookupTimeout = 30 * time.Second
	maxLookups    = 8
	maxServers    = 3    // that are asked, as in resolv.conf(5)
	udpSize       = 1232 // bytes. Source: dnsflagday.net/2020
	dnsPort       = 53
)

// Errors of this package, besides openalias.ErrUntrusted.
var (
	ErrServers  = errors.New("dnssec: no DNS server is configured; set DNS_PUBLIC, for example to tcp")
	ErrVariable = errors.New("dnssec: DNS_PUBLIC must be tcp, or tcp:// and an IP address with an optional port")
	ErrAnswer   = errors.New("dnssec: the DNS server did not answer")
)

// PublicServers are resolvers that anybody may use and that return signatures: Quad9, DNS.SB and CCC.
// Source: src/common/dns_utils.cpp, DEFAULT_DNS_PUBLIC_ADDR.
var PublicServers = []netip.AddrPort{
	netip.MustParseAddrPort("9.9.9.10:53"), netip.MustParseAddrPort("149.112.112.10:53"),
	netip.MustParseAddrPort("185.222.222.222:53"), netip.MustParseAddrPort("45.11.45.11:53"),
	netip.MustParseAddrPort("194.150.168.168:53"),
}

// Options configure a Resolver.
type Options struct {
	Servers []netip.AddrPort // in the order in which they are asked; at most three are
	// Dial connects to a server over TCP, for example through a proxy. If it is nil, servers are asked over UDP, and
	// over TCP if an answer is too long for UDP.
	Dial func(ctx context.Context, server netip.AddrPort) (net.Conn, error)
	// TCP disables UDP.
	TCP     bool
	Anchors []string         // DS records of the root, as in a zone file; RootAnchors if nil
	Now     func() time.Time // time.Now if nil
}

// Resolver looks up TXT records. It is safe for concurrent use, and stores no answers.
type Resolver struct {
	o       Options
	anchors []*dns.DS
}

// slots bounds the concurrent lookups of the process.
var slots = make(chan struct{}, maxLookups)

// New returns a resolver. It returns ErrServers without servers, and an error for an invalid anchor.
func New(o Options) (*Resolver, error) {
	if len(o.Servers) == 0 {
		return nil, ErrServers
	}
	o.Servers = o.Servers[:min(len(o.Servers), maxServers)]
	if o.Anchors == nil {
		o.Anchors = RootAnchors
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &Resolver{o: o}
	for _, text := range o.Anchors {
		record, err := dns.NewRR(text)
		if err != nil {
			return nil, fmt.Errorf("dnssec: anchor: %w", err)
		}
		anchor, ok := record.(*dns.DS)
		if !ok || anchor.Hdr.Name != "." {
			return nil, fmt.Errorf("dnssec: anchor: %q is not a DS record of the root", text)
		}
		r.anchors = append(r.anchors, anchor)
	}
	return r, nil
}

// TXT returns the texts of the TXT records of a domain name; nothing if there are none. Each server is asked until one
// gives a validated answer. It returns openalias.ErrUntrusted if records are not signed validly, ErrAnswer if no server
// answers, and the error of ctx. A lookup ends after 30 seconds.
func (r *Resolver) TXT(ctx context.Context, name string) (texts []string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, lookupTimeout, ErrAnswer)
	defer cancel()
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	name = dns.CanonicalName(name)
	if _, ok := dns.IsDomainName(name); !ok {
		return nil, fmt.Errorf("dnssec: %q is not a domain name", name)
	}
	var failed error // of the first server that answered
	for _, server := range r.o.Servers {
		l := &lookup{
			ask: func(ctx context.Context, name string, kind uint16) (*dns.Msg, error) {
				return r.ask(ctx, server, name, kind)
			},
			anchors: r.anchors, now: r.o.Now(), zones: map[string]zone{},
		}
		if texts, err = l.txt(ctx, name); err == nil {
			return texts, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if failed == nil || errors.Is(failed, ErrAnswer) {
			failed = err
		}
	}
	return nil, failed
}

// ask sends one query to a server, over TCP if the answer is too long for UDP.
func (r *Resolver) ask(ctx context.Context, server netip.AddrPort, name string, kind uint16) (*dns.Msg, error) {
	networks := []string{"udp", "tcp"}
	if r.o.TCP || r.o.Dial != nil {
		networks = networks[1:]
	}
	q := new(dns.Msg)
	q.SetQuestion(name, kind)
	q.SetEdns0(udpSize, true)
	q.CheckingDisabled = true // so that the server returns records that it does not consider valid, too
	for _, network := range networks {
		m, err := r.exchange(ctx, network, server, q)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrAnswer, err)
		case m.Truncated && network == "udp":
			continue
		case m.Truncated:
			return nil, fmt.Errorf("%w: a response over TCP was cut off", ErrAnswer)
		case m.Rcode != dns.RcodeSuccess && m.Rcode != dns.RcodeNameError:
			return nil, fmt.Errorf("%w: %s", ErrAnswer, dns.RcodeToString[m.Rcode])
		}
		return m, nil
	}
	return nil, ErrAnswer
}

// exchange sends q over a new connection, and returns the response to it.
func (r *Resolver) exchange(
	ctx context.Context, network string, server netip.AddrPort, q *dns.Msg,
) (m *dns.Msg, err error) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	var c net.Conn
	if r.o.Dial != nil {
		c, err = r.o.Dial(ctx, server)
	} else {
		c, err = new(net.Dialer).DialContext(ctx, network, server.String())
	}
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer func() {
		stop()
		_ = c.Close()
	}()
	conn := &dns.Conn{Conn: c, UDPSize: udpSize}
	if err := conn.WriteMsg(q); err != nil {
		return nil, err
	}
	for {
		m, err := conn.ReadMsg()
		switch {
		case err == nil && answers(m, q):
			return m, nil
		case network == "tcp" && err == nil:
			return nil, errors.New("the response is not to the query")
		case network == "tcp" || ctx.Err() != nil || !unreadable(err):
			return nil, err
		}
		// Over UDP anybody may have sent it.
	}
}

// unreadable reports whether a message was received, but could not be used, rather than nothing received.
func unreadable(err error) bool {
	var n net.Error
	return err == nil || !errors.As(err, &n)
}

// answers reports whether m is a response to q.
func answers(m, q *dns.Msg) bool {
	if !m.Response || m.Id != q.Id || len(m.Question) != 1 {
		return false
	}
	a, b := m.Question[0], q.Question[0]
	return a.Qtype == b.Qtype && a.Qclass == b.Qclass && strings.EqualFold(a.Name, b.Name)
}

// Configured returns the servers to ask, and whether only over TCP: those of the text of the environment variable
// DNS_PUBLIC, or, if that is empty, those of a file such as /etc/resolv.conf. The variable is tcp for PublicServers, or
// tcp://ADDRESS or tcp://ADDRESS:PORT for one. It returns ErrVariable or ErrServers.
// Source: src/common/dns_utils.cpp, parse_dns_public.
func Configured(variable, file string) (servers []netip.AddrPort, tcp bool, err error) {
	if variable != "" {
		servers, err = public(variable)
		return servers, true, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, false, fmt.Errorf("%w: %w", ErrServers, err)
	}
	c, err := dns.ClientConfigFromReader(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, false, fmt.Errorf("%w: %w", ErrServers, err)
	}
	for _, s := range c.Servers {
		if a, err := netip.ParseAddr(s); err == nil {
			servers = append(servers, netip.AddrPortFrom(a, dnsPort))
		}
	}
	if len(servers) == 0 {
		return nil, false, ErrServers
	}
	return servers, false, nil
}

// public returns the servers of DNS_PUBLIC.
func public(variable string) ([]netip.AddrPort, error) {
	if variable == "tcp" {
		return PublicServers, nil
	}
	where, ok := strings.CutPrefix(variable, "tcp://")
	if !ok {
		return nil, ErrVariable
	}
	if a, err := netip.ParseAddr(where); err == nil {
		return []netip.AddrPort{netip.AddrPortFrom(a, dnsPort)}, nil
	}
	a, err := netip.ParseAddrPort(where)
	if err != nil {
		return nil, ErrVariable
	}
	return []netip.AddrPort{a}, nil
}
