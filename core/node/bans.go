package node

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"glim/core/daemonrpc"
	"glim/core/p2p/netaddr"
)

// maxBans limits the number of stored bans. Further ones are dropped.
const maxBans = 1 << 16

// bans are the bans that a peer-to-peer network would apply, and those of host names in anonymity networks, which are
// not supported. The values are POSIX seconds.
type bans struct {
	hosts map[netaddr.Subnet]uint64
	names map[string]uint64
}

func newBans() bans { return bans{map[netaddr.Subnet]uint64{}, map[string]uint64{}} }

// put sets the end of a ban; 0 removes it.
func put[K comparable](m map[K]uint64, subnet K, until uint64) {
	if until == 0 {
		delete(m, subnet)
	} else if len(m) < maxBans {
		m[subnet] = until
	}
}

// host is the target of a ban: an address or a subnet, or a name in an anonymity network. Ports are ignored.
type host struct {
	subnet netaddr.Subnet
	name   string
}

func parseHost(s string) (h host, good bool) {
	var err error
	if h.subnet, err = netaddr.ParseSubnet(s); err == nil {
		return h, true
	}
	h.name = s
	if colon := strings.LastIndexByte(s, ':'); colon >= 0 && strings.Count(s, ":") == 1 {
		h.name = s[:colon]
	}
	return h, len(h.name) <= 255 && (strings.HasSuffix(h.name, ".onion") || strings.HasSuffix(h.name, ".i2p"))
}

func (s service) setBans(_ context.Context, req daemonrpc.SetBansRequest) (r daemonrpc.Plain, err error) {
	now := s.config.Chain.Now()
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	for _, order := range req.Bans {
		if order.Host == daemonrpc.AllHosts && !order.Ban {
			s.liftBans()
			continue
		}
		h := host{subnet: netaddr.HostSubnet(netaddr.FromNumber(order.IP, 0))}
		if order.Host != "" {
			var good bool
			if h, good = parseHost(order.Host); !good {
				return r, fail(daemonrpc.CodeWrongParam, "Unsupported host/subnet type")
			}
		} else if order.IP == 0 {
			return r, fail(daemonrpc.CodeWrongParam, "No ip/host supplied")
		}
		until := uint64(0)
		if order.Ban {
			until = now + uint64(order.Seconds)
		} else {
			order.Seconds = 0
		}
		switch w := s.network(); {
		case h.name != "":
			put(s.settings.bans.names, h.name, until)
		case w != nil:
			w.Ban(h.subnet, order.Seconds)
		default:
			put(s.settings.bans.hosts, h.subnet, until)
		}
	}
	r.Common = ok
	return r, nil
}

// liftBans lifts every ban. The caller holds the lock of the settings.
func (s service) liftBans() {
	clear(s.settings.bans.hosts)
	clear(s.settings.bans.names)
	if w := s.network(); w != nil {
		for _, b := range w.Bans() {
			w.Ban(b.Subnet, 0)
		}
	}
}

// getBans lists the active bans, addresses before subnets.
func (s service) getBans(context.Context, daemonrpc.None) (r daemonrpc.GetBansResponse, err error) {
	now := s.config.Chain.Now()
	r.Common = ok
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	add := func(subnet netaddr.Subnet, seconds uint32) {
		entry := daemonrpc.Ban{Host: subnet.String(), Seconds: seconds}
		if subnet.Single() {
			entry.IP = subnet.Host().Number()
		}
		r.Bans = append(r.Bans, entry)
	}
	for subnet, until := range s.settings.bans.hosts {
		if until > now {
			add(subnet, uint32(until-now))
		} else {
			delete(s.settings.bans.hosts, subnet)
		}
	}
	if w := s.network(); w != nil {
		for _, b := range w.Bans() {
			add(b.Subnet, b.Seconds)
		}
	}
	for name, until := range s.settings.bans.names {
		if until > now {
			r.Bans = append(r.Bans, daemonrpc.Ban{Host: name, Seconds: uint32(until - now)})
		} else {
			delete(s.settings.bans.names, name)
		}
	}
	slices.SortFunc(r.Bans, func(a, b daemonrpc.Ban) int {
		return cmp.Or(strings.Count(a.Host, "/")-strings.Count(b.Host, "/"), strings.Compare(a.Host, b.Host))
	})
	return r, nil
}

func (s service) banned(_ context.Context, req daemonrpc.BannedRequest) (r daemonrpc.BannedResponse, err error) {
	asked, good := parseHost(req.Address)
	if !good || strings.Contains(req.Address, "/") {
		return r, fail(daemonrpc.CodeWrongParam, "Unsupported host type")
	}
	now := s.config.Chain.Now()
	r.Status = daemonrpc.StatusOK
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	until := s.settings.bans.names[asked.name]
	for subnet, moment := range s.settings.bans.hosts {
		if asked.name == "" && subnet.Contains(asked.subnet.Host()) {
			until = max(until, moment)
		}
	}
	if until > now {
		r.Seconds = uint32(until - now)
	}
	if w := s.network(); w != nil && asked.name == "" {
		r.Seconds = max(r.Seconds, w.Banned(asked.subnet.Host()))
	}
	r.Banned = r.Seconds > 0
	return r, nil
}
