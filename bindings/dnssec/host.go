package dnssec

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"glim/bindings/native/p2p"
	"glim/core/openalias"
)

// Variable is the environment variable for Host.Public.
const Variable = "DNS_PUBLIC"

// File is the usual Host.File.
const File = "/etc/resolv.conf"

// Host says how a program looks up TXT records.
type Host struct {
	Disabled string           // why no names are looked up; empty if they are
	Public   string           // text of the environment variable DNS_PUBLIC; see Configured
	File     string           // a file such as /etc/resolv.conf; used if Public is empty and there is no proxy
	Anchors  []string         // see Options
	Now      func() time.Time // see Options
}

// TXT is Resolver.TXT with the servers of the host. If proxy is not empty, the servers are asked over TCP through this
// SOCKS 5 proxy, which is host:port or a URL; they are those of Public, or PublicServers, because the servers of the
// file may be in a local network. It implements service.TXTLookup. It returns openalias.ErrDisabled if Disabled is set,
// and the errors of New, Configured and Resolver.TXT.
func (h Host) TXT(ctx context.Context, name, proxy string) ([]string, error) {
	if h.Disabled != "" {
		return nil, fmt.Errorf("%w, %s", openalias.ErrDisabled, h.Disabled)
	}
	o := Options{Anchors: h.Anchors, Now: h.Now}
	public := h.Public
	if proxy != "" {
		through, err := parseProxy(proxy)
		if err != nil {
			return nil, err
		}
		o.Dial = func(ctx context.Context, server netip.AddrPort) (net.Conn, error) { return through.Dial(ctx, server) }
		if public == "" {
			public = "tcp"
		}
	}
	var err error
	if o.Servers, o.TCP, err = Configured(public, h.File); err != nil {
		return nil, err
	}
	r, err := New(o)
	if err != nil {
		return nil, err
	}
	return r.TXT(ctx, name)
}

// parseProxy returns the SOCKS proxy at host:port or a URL. It returns p2p.ErrProxy if it is invalid, or of another
// kind.
func parseProxy(text string) (*p2p.Proxy, error) {
	if !strings.Contains(text, "://") {
		text = "socks5://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "socks5" && u.Scheme != "socks5h" { // without text: it may contain a password
		return nil, fmt.Errorf("%w: names are looked up only through a SOCKS 5 proxy", p2p.ErrProxy)
	}
	password, _ := u.User.Password()
	return p2p.NewProxy(u.Host, u.User.Username(), password)
}
