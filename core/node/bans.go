package node

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"glim/core/daemonrpc"
)

// maxBans bounds how many addresses are remembered. Further ones are not kept.
const maxBans = 1 << 16

// ban keeps an address or a subnet away until a moment, in POSIX seconds.
type ban struct {
	ip    uint32 // IPv4, first byte lowest; 0 for others
	mask  uint32 // of the first bits that count; all of an address
	until uint64
}

// parseIPv4 reads a dotted address.
func parseIPv4(s string) (ip [4]byte, good bool) {
	parts := strings.Split(s, ".")
	if len(parts) != len(ip) {
		return ip, false
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 8)
		if err != nil || len(p) > 1 && p[0] == '0' {
			return ip, false
		}
		ip[i] = byte(n)
	}
	return ip, true
}

// parseHost returns the name a host is banned under, its IPv4 address if it has one, and which bits of that count. Ports
// do not matter. Subnets are IPv4's.
func parseHost(s string) (name string, b ban, good bool) {
	if address, bits, subnet := strings.Cut(s, "/"); subnet {
		ip, good := parseIPv4(address)
		n, err := strconv.ParseUint(bits, 10, 8)
		if !good || err != nil || n > 32 {
			return "", b, false
		}
		mask := uint32(math.MaxUint32 << (32 - n))
		top := binary.BigEndian.Uint32(ip[:]) & mask
		binary.BigEndian.PutUint32(ip[:], top)
		b.ip = binary.LittleEndian.Uint32(ip[:])
		var m [4]byte
		binary.BigEndian.PutUint32(m[:], mask)
		b.mask = binary.LittleEndian.Uint32(m[:])
		return fmt.Sprintf("%d.%d.%d.%d/%d", ip[0], ip[1], ip[2], ip[3], n), b, true
	}
	host := s
	if colon := strings.LastIndexByte(s, ':'); colon >= 0 && strings.Count(s, ":") == 1 {
		host = s[:colon]
	}
	if ip, good := parseIPv4(host); good {
		return host, ban{ip: binary.LittleEndian.Uint32(ip[:]), mask: math.MaxUint32}, true
	}
	if strings.HasSuffix(host, ".onion") || strings.HasSuffix(host, ".i2p") {
		return host, ban{}, len(host) <= 255
	}
	return "", b, false
}

func (s service) setBans(_ context.Context, req daemonrpc.SetBansRequest) (r daemonrpc.Plain, err error) {
	now := s.config.Chain.Now()
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	for _, order := range req.Bans {
		host := order.Host
		if host == "" {
			var ip [4]byte
			binary.LittleEndian.PutUint32(ip[:], order.IP)
			host = fmt.Sprintf("%d.%d.%d.%d", ip[0], ip[1], ip[2], ip[3])
		}
		name, b, good := parseHost(host)
		if !good {
			return r, fail(daemonrpc.CodeWrongParam, "Unsupported host/subnet type")
		}
		if !order.Ban {
			delete(s.settings.bans, name)
			continue
		}
		b.until = now + uint64(order.Seconds)
		if len(s.settings.bans) < maxBans {
			s.settings.bans[name] = b
		}
	}
	r.Common = ok
	return r, nil
}

// getBans lists the bans that still hold, addresses before subnets.
func (s service) getBans(context.Context, daemonrpc.None) (r daemonrpc.GetBansResponse, err error) {
	now := s.config.Chain.Now()
	r.Common = ok
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	for name, b := range s.settings.bans {
		if b.until <= now {
			delete(s.settings.bans, name)
			continue
		}
		entry := daemonrpc.Ban{Host: name, Seconds: uint32(b.until - now)}
		if b.mask == math.MaxUint32 {
			entry.IP = b.ip
		}
		r.Bans = append(r.Bans, entry)
	}
	slices.SortFunc(r.Bans, func(a, b daemonrpc.Ban) int {
		return cmp.Or(strings.Count(a.Host, "/")-strings.Count(b.Host, "/"), strings.Compare(a.Host, b.Host))
	})
	return r, nil
}

func (s service) banned(_ context.Context, req daemonrpc.BannedRequest) (r daemonrpc.BannedResponse, err error) {
	name, asked, good := parseHost(req.Address)
	if !good || strings.Contains(name, "/") {
		return r, fail(daemonrpc.CodeWrongParam, "Unsupported host type")
	}
	now := s.config.Chain.Now()
	r.Status = daemonrpc.StatusOK
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	for other, b := range s.settings.bans {
		if b.until > now && (other == name || asked.mask != 0 && b.mask != 0 && asked.ip&b.mask == b.ip) {
			r.Banned, r.Seconds = true, max(r.Seconds, uint32(b.until-now))
		}
	}
	return r, nil
}
