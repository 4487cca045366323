package peerlist

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"glim/core/p2p/netaddr"
)

// Limits for automatic bans. Source: src/cryptonote_config.h, P2P_IP_FAILS_BEFORE_BLOCK, P2P_IP_BLOCKTIME,
// P2P_FAILED_ADDR_FORGET_SECONDS.
const (
	MaxFails    = 10
	BanTime     = 24 * time.Hour
	FailureTime = time.Hour
)

// maxHosts limits the entries of each map. Scores and unreachable hosts are then forgotten; explicit bans are kept, and
// further ones are dropped.
const maxHosts = 1 << 16

// Bans holds banned hosts and subnets, and the misbehaviour scores of hosts. Use NewBans to create it.
type Bans struct {
	until       map[netaddr.Subnet]time.Time
	sizes       map[size]int                  // number of banned subnets, without single hosts, by size
	fails       map[netaddr.Address]int       // scores by host prefix
	unreachable map[netaddr.Address]time.Time // time of the last failed connection, by host
}

// size is the size of a subnet. There are few of them, so that checking an address is fast.
type size struct {
	kind netaddr.Kind
	bits uint8
}

// NewBans returns an empty set of bans.
func NewBans() *Bans {
	return &Bans{
		until: map[netaddr.Subnet]time.Time{}, sizes: map[size]int{},
		fails: map[netaddr.Address]int{}, unreachable: map[netaddr.Address]time.Time{},
	}
}

// Ban bans a host or a subnet for d; 0 lifts the ban.
func (b *Bans) Ban(now time.Time, subnet netaddr.Subnet, d time.Duration) {
	if d <= 0 {
		b.lift(subnet)
		return
	}
	_, known := b.until[subnet]
	if !known && len(b.until) >= maxHosts {
		b.expire(now)
		if len(b.until) >= maxHosts {
			return
		}
	}
	if !known && !subnet.Single() {
		b.sizes[size{subnet.Kind, subnet.Bits}]++
	}
	b.until[subnet] = now.Add(d)
}

func (b *Bans) lift(subnet netaddr.Subnet) {
	if _, known := b.until[subnet]; !known {
		return
	}
	delete(b.until, subnet)
	if of := (size{subnet.Kind, subnet.Bits}); !subnet.Single() {
		if b.sizes[of]--; b.sizes[of] == 0 {
			delete(b.sizes, of)
		}
	}
}

func (b *Bans) expire(now time.Time) {
	for subnet, until := range b.until {
		if !now.Before(until) {
			b.lift(subnet)
		}
	}
}

// Left returns how long an address remains banned, by the longest of several bans, and 0 if it is not banned.
func (b *Bans) Left(now time.Time, a netaddr.Address) (left time.Duration) {
	if until, single := b.until[netaddr.HostSubnet(a.Host())]; single {
		left = max(left, until.Sub(now))
	}
	for of := range b.sizes {
		if of.kind == a.Kind {
			if until, banned := b.until[netaddr.NewSubnet(a, of.bits)]; banned {
				left = max(left, until.Sub(now))
			}
		}
	}
	return left
}

// Ban is a temporary ban of a host or a subnet.
type Ban struct {
	Subnet netaddr.Subnet
	Left   time.Duration
}

// List returns the active bans sorted by name, hosts before subnets.
func (b *Bans) List(now time.Time) []Ban {
	b.expire(now)
	list := make([]Ban, 0, len(b.until))
	for subnet, until := range b.until {
		list = append(list, Ban{subnet, until.Sub(now)})
	}
	slices.SortFunc(list, func(x, y Ban) int {
		return cmp.Or(
			compareBool(!x.Subnet.Single(), !y.Subnet.Single()),
			strings.Compare(x.Subnet.String(), y.Subnet.String()),
		)
	})
	return list
}

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// Fail adds to the misbehaviour score of a host prefix. If the score exceeds MaxFails, it bans the prefix and returns
// true.
// Source: src/p2p/net_node.inl, add_host_fail.
func (b *Bans) Fail(now time.Time, a netaddr.Address, score int) bool {
	host := a.HostPrefix()
	if len(b.fails) >= maxHosts {
		clear(b.fails)
	}
	b.fails[host] += score
	if b.fails[host] <= MaxFails {
		return false
	}
	b.fails[host] = MaxFails / 2
	b.Ban(now, netaddr.HostPrefixSubnet(host), max(BanTime, b.Left(now, a)))
	return true
}

// Fails returns the score of a host's prefix.
func (b *Bans) Fails(a netaddr.Address) int { return b.fails[a.HostPrefix()] }

// NoteUnreachable records a failed connection to a host.
func (b *Bans) NoteUnreachable(now time.Time, a netaddr.Address) {
	if len(b.unreachable) >= maxHosts {
		clear(b.unreachable)
	}
	b.unreachable[a.Host()] = now
}

// RecentlyUnreachable reports whether a connection to a host failed within FailureTime.
func (b *Bans) RecentlyUnreachable(now time.Time, a netaddr.Address) bool {
	at, known := b.unreachable[a.Host()]
	return known && now.Sub(at) <= FailureTime
}
