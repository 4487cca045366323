// Package peerlist remembers peers: those that have been reached, those only heard of, those connected to last, and who is not
// wanted.
//
// Source: src/p2p/net_peerlist.h and src/p2p/net_node.inl.
package peerlist

import (
	"cmp"
	"slices"

	"glim/core/p2p/netaddr"
)

// How many peers are remembered. Source: src/cryptonote_config.h, P2P_LOCAL_WHITE_PEERLIST_LIMIT, P2P_LOCAL_GRAY_PEERLIST_LIMIT.
const (
	MaxWhite = 1000
	MaxGray  = 5000

	// maxNear is how many peers of one neighbourhood are remembered in each list: who has a network does not fill it with those.
	maxNear = 32

	maxAnchors = 64 // more than there are outgoing connections of any use
)

// Entry is a peer.
type Entry struct {
	Address     netaddr.Address
	ID          uint64
	LastSeen    int64 // POSIX seconds, 0 for never
	PruningSeed uint32
	RPCPort     uint16
	RPCCredits  uint32

	order uint64 // grows with every entry made
}

// List holds peers. Its zero value is not usable: call New.
type List struct {
	white, gray map[netaddr.Address]*Entry
	anchors     map[netaddr.Address]*Entry // LastSeen is when they were connected to first
	made        uint64
	changed     bool
}

// New returns a list of nobody.
func New() *List {
	return &List{white: map[netaddr.Address]*Entry{}, gray: map[netaddr.Address]*Entry{}, anchors: map[netaddr.Address]*Entry{}}
}

// Changed reports whether anything is not as it was at the last call.
func (l *List) Changed() bool {
	c := l.changed
	l.changed = false
	return c
}

func (l *List) entry(e Entry) *Entry {
	l.made++
	l.changed = true
	e.order = l.made
	return &e
}

// keep takes over from what was known what is not said now.
func (e *Entry) keep(old *Entry) {
	if e.PruningSeed == 0 {
		e.PruningSeed = old.PruningSeed
	}
	if e.RPCPort == 0 {
		e.RPCPort = old.RPCPort
	}
	e.order = old.order
}

// Seen notes that a peer has been reached at e.LastSeen. Of a host one port is remembered, the last; of this machine all.
// Source: set_peer_just_seen, append_with_peer_white.
func (l *List) Seen(e Entry) {
	next := l.entry(e)
	if old := l.white[e.Address]; old != nil {
		next.keep(old)
	} else if !e.Address.Loopback() {
		evict(l.white, e.Address)
	}
	l.white[e.Address] = next
	delete(l.gray, e.Address)
	trimNear(l.white, e.Address)
	trim(l.white, MaxWhite)
}

// Heard notes peers that somebody named. Source: merge_peerlist, append_with_peer_gray.
func (l *List) Heard(entries ...Entry) {
	near := map[[5]byte]int{}
	for a := range l.gray {
		near[a.Neighbourhood()]++
	}
	for _, e := range entries {
		n := e.Address.Neighbourhood()
		fresh := l.gray[e.Address] == nil
		if l.white[e.Address] != nil || fresh && near[n] >= maxNear && !everywhere(e.Address) {
			continue
		}
		if fresh {
			near[n]++
		}
		next := l.entry(e)
		if old := l.gray[e.Address]; old != nil {
			next.keep(old)
			next.LastSeen = old.LastSeen
		}
		l.gray[e.Address] = next
	}
	trim(l.gray, MaxGray)
}

// Forget drops a peer; with port 0 the host. Anchors stay unless the port is named.
func (l *List) Forget(a netaddr.Address) {
	l.changed = true
	if a.Port == 0 {
		evict(l.white, a)
		evict(l.gray, a)
		return
	}
	delete(l.white, a)
	delete(l.gray, a)
	delete(l.anchors, a)
}

// ForgetHeard drops a peer only heard of, which could not be reached.
func (l *List) ForgetHeard(a netaddr.Address) {
	l.changed = true
	delete(l.gray, a)
}

// ForgetIf drops peers.
func (l *List) ForgetIf(f func(netaddr.Address) bool) {
	l.changed = true
	for _, m := range []map[netaddr.Address]*Entry{l.white, l.gray} {
		for a := range m {
			if f(a) {
				delete(m, a)
			}
		}
	}
}

// Anchor notes a peer that an outgoing connection is kept to since e.LastSeen.
func (l *List) Anchor(e Entry) {
	if l.anchors[e.Address] == nil && len(l.anchors) < maxAnchors {
		l.anchors[e.Address] = l.entry(e)
	}
}

// Unanchor notes that the connection has ended.
func (l *List) Unanchor(a netaddr.Address) {
	if l.anchors[a] != nil {
		delete(l.anchors, a)
		l.changed = true
	}
}

// TakeAnchors returns the peers that were connected when the list was stored, those of old first, and forgets them.
// Source: get_and_empty_anchor_peerlist.
func (l *List) TakeAnchors() []Entry {
	list := sorted(l.anchors)
	clear(l.anchors)
	slices.Reverse(list)
	return list
}

// White returns the peers that have been reached, the last one first; Gray those only heard of.
func (l *List) White() []Entry { return sorted(l.white) }

// Gray: see White.
func (l *List) Gray() []Entry { return sorted(l.gray) }

// Count returns how many of each there are.
func (l *List) Count() (white, gray int) { return len(l.white), len(l.gray) }

func sorted(m map[netaddr.Address]*Entry) []Entry {
	list := make([]Entry, 0, len(m))
	for _, e := range m {
		list = append(list, *e)
	}
	slices.SortFunc(list, latest)
	return list
}

// latest orders by when peers were seen, then by when they were noted, the last first.
func latest(a, b Entry) int {
	return cmp.Or(cmp.Compare(b.LastSeen, a.LastSeen), cmp.Compare(b.order, a.order))
}

// evict drops all ports of a host.
func evict(m map[netaddr.Address]*Entry, host netaddr.Address) {
	for a := range m {
		if a.Host() == host.Host() {
			delete(m, a)
		}
	}
}

// everywhere reports whether an address is of this machine or a private network, where all are near.
func everywhere(a netaddr.Address) bool { return a.Loopback() || a.Local() }

// trimNear drops the oldest of an address's neighbourhood that are too many.
func trimNear(m map[netaddr.Address]*Entry, a netaddr.Address) {
	if everywhere(a) {
		return
	}
	var list []Entry
	for other, e := range m {
		if other.Neighbourhood() == a.Neighbourhood() {
			list = append(list, *e)
		}
	}
	slices.SortFunc(list, latest)
	for len(list) > maxNear {
		delete(m, list[len(list)-1].Address)
		list = list[:len(list)-1]
	}
}

// trim drops the oldest that are too many.
func trim(m map[netaddr.Address]*Entry, limit int) {
	if len(m) <= limit {
		return
	}
	for _, e := range sorted(m)[limit:] {
		delete(m, e.Address)
	}
}
