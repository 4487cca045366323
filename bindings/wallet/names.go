package wallet

import (
	"context"
	"time"

	"glim/bindings/dnssec"
	"glim/core/address"
	"glim/core/openalias"
)

// Names says how OpenAlias names, such as donate.getmonero.org, are looked up. The zero value asks the DNS servers of
// /etc/resolv.conf. If Daemon.Proxy is set, all queries go through it, to Server or to public servers. Only records
// with valid DNSSEC signatures give an address; this package validates them.
type Names struct {
	Off bool // look up no names
	// Server is tcp://ADDRESS or tcp://ADDRESS:PORT for a DNS server, with an IP address, and tcp for public ones.
	Server string
	// Anchors are DS records of the root zone, as text, in place of those of IANA: for a private DNS.
	Anchors []string
}

// now is the time at which signatures must be valid. Tests replace it.
var now = time.Now

// Recipient is what an OpenAlias name stands for. Show both the name and the address to whoever decides about a
// payment.
type Recipient struct {
	Name    string // in lower case, without a final dot and with a dot in place of an @
	Address string // an address of Config.Network
	Label   string // who the owner of the name says that this is; may be empty
}

// LookUp returns the address that an OpenAlias name stands for.
//
// Kinds of failure: ErrAlias, ErrAliasUntrusted, ErrClosed.
func (m *Manager) LookUp(ctx context.Context, name string) (Recipient, error) {
	return m.lookUp(ctx, "look up", name)
}

// names returns what looks names up.
func (c *Config) names() dnssec.Host {
	host := dnssec.Host{Public: c.Names.Server, File: dnssec.File, Anchors: c.Names.Anchors, Now: now}
	switch {
	case c.Names.Off:
		host.Disabled = "because of Config.Names.Off"
	case c.Offline:
		host.Disabled = "because of Config.Offline"
	}
	return host
}

func (m *Manager) lookUp(ctx context.Context, op, text string) (r Recipient, err error) {
	if m.tasks.over() {
		return r, refused(op, ErrClosed, "")
	}
	name, err := openalias.ParseName(text)
	if err != nil {
		return r, refused(op, ErrAlias, "this is not a domain name")
	}
	texts, err := m.config.names().TXT(ctx, name, m.config.Daemon.Proxy)
	var found openalias.Record
	if err == nil {
		found, _, err = openalias.Select(texts,
			func(a address.Address) bool { return a.Network == m.config.Network.AddressNetwork() })
	}
	if err != nil {
		e := failed(op, err, nil).(*Error)
		e.Text = name + ": " + e.Text
		if e.Kind == nil {
			e.Kind = ErrAlias
		}
		return r, e
	}
	return Recipient{name, found.Address, found.Name}, nil
}

// lookUpAll replaces the names among the destinations by their addresses, and returns what they stand for.
func (m *Manager) lookUpAll(ctx context.Context, op string, to []Destination) (found []Recipient, err error) {
	known := map[string]Recipient{}
	for i, d := range to {
		name, err := openalias.ParseName(d.Address)
		if err != nil {
			continue
		}
		r, again := known[name]
		if !again {
			if r, err = m.lookUp(ctx, op, name); err != nil {
				return nil, err
			}
			known[name] = r
			found = append(found, r)
		}
		to[i].Address = r.Address
	}
	return found, nil
}
