package peerlist

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"glim/core/p2p/netaddr"
)

// When a host is banned by itself. Source: src/cryptonote_config.h, P2P_IP_FAILS_BEFORE_BLOCK, P2P_IP_BLOCKTIME,
// P2P_FAILED_ADDR_FORGET_SECONDS.
const (
	MaxFails    = 10
	BanTime     = 24 * time.Hour
	FailureTime = time.Hour
)

// maxHosts bounds how many hosts are remembered for one reason. Then those remembered for what they did by themselves are
// forgotten; bans that were ordered are not, and further ones are not kept.
const maxHosts = 1 << 16

// Bans holds who is not wanted, until when, and who is close to it. Its zero value is not usable: call NewBans.
type Bans struct {
	until    map[netaddr.Subnet]time.Time
	sizes    map[size]int                  // of subnets in until that are no hosts, how many there are
	fails    map[netaddr.Address]int       // by holder
	failures map[netaddr.Address]time.Time // by host: when it was not reached
}

// size is how large a subnet is. There are few, so that a look at all bans of an address is short.
type size struct {
	kind netaddr.Kind
	bits uint8
}

// NewBans returns bans of nobody.
func NewBans() *Bans {
	return &Bans{until: map[netaddr.Subnet]time.Time{}, sizes: map[size]int{}, fails: map[netaddr.Address]int{}, failures: map[netaddr.Address]time.Time{}}
}

// Ban keeps a host or a subnet away for d from now; 0 lifts the ban.
func (b *Bans) Ban(now time.Time, who netaddr.Subnet, d time.Duration) {
	if d <= 0 {
		b.lift(who)
		return
	}
	_, known := b.until[who]
	if !known && len(b.until) >= maxHosts {
		b.expire(now)
		if len(b.until) >= maxHosts {
			return
		}
	}
	if !known && !who.Single() {
		b.sizes[size{who.Kind, who.Bits}]++
	}
	b.until[who] = now.Add(d)
}

func (b *Bans) lift(who netaddr.Subnet) {
	if _, known := b.until[who]; !known {
		return
	}
	delete(b.until, who)
	if of := (size{who.Kind, who.Bits}); !who.Single() {
		if b.sizes[of]--; b.sizes[of] == 0 {
			delete(b.sizes, of)
		}
	}
}

func (b *Bans) expire(now time.Time) {
	for who, until := range b.until {
		if !now.Before(until) {
			b.lift(who)
		}
	}
}

// Left returns for how long an address is still banned, 0 when it is not. Where several bans hold, the longest.
func (b *Bans) Left(now time.Time, a netaddr.Address) (left time.Duration) {
	if until, single := b.until[netaddr.HostOnly(a.Host())]; single {
		left = max(left, until.Sub(now))
	}
	for of := range b.sizes {
		if of.kind == a.Kind {
			if until, banned := b.until[netaddr.Of(a, of.bits)]; banned {
				left = max(left, until.Sub(now))
			}
		}
	}
	return left
}

// Ban is a host or a subnet that is kept away for a time.
type Ban struct {
	Subnet netaddr.Subnet
	Left   time.Duration
}

// List returns the bans in force, hosts before subnets, in order of their names.
func (b *Bans) List(now time.Time) []Ban {
	b.expire(now)
	list := make([]Ban, 0, len(b.until))
	for who, until := range b.until {
		list = append(list, Ban{who, until.Sub(now)})
	}
	slices.SortFunc(list, func(x, y Ban) int {
		return cmp.Or(compareBool(!x.Subnet.Single(), !y.Subnet.Single()), strings.Compare(x.Subnet.String(), y.Subnet.String()))
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

// Fail counts misbehaviour of a host, or of a network of IPv6 that is one owner's, and bans it when there was too much; then true.
// Source: src/p2p/net_node.inl, add_host_fail.
func (b *Bans) Fail(now time.Time, a netaddr.Address, score int) bool {
	host := a.Holder()
	if len(b.fails) >= maxHosts {
		clear(b.fails)
	}
	b.fails[host] += score
	if b.fails[host] <= MaxFails {
		return false
	}
	b.fails[host] = MaxFails / 2
	b.Ban(now, netaddr.HolderOnly(host), max(BanTime, b.Left(now, a)))
	return true
}

// Fails returns the score of a host and what counts as one with it.
func (b *Bans) Fails(a netaddr.Address) int { return b.fails[a.Holder()] }

// Missed notes that a host was not reached.
func (b *Bans) Missed(now time.Time, a netaddr.Address) {
	if len(b.failures) >= maxHosts {
		clear(b.failures)
	}
	b.failures[a.Host()] = now
}

// MissedLately reports whether a host was not reached within FailureTime.
func (b *Bans) MissedLately(now time.Time, a netaddr.Address) bool {
	at, known := b.failures[a.Host()]
	return known && now.Sub(at) <= FailureTime
}
