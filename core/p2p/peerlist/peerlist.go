// Package peerlist stores known peers, in the white list (reached), the gray list (only reported by others) and the
// anchors (connected last), and bans.
//
// Source: src/p2p/net_peerlist.h and src/p2p/net_node.inl.
package peerlist

import (
	"cmp"
	"slices"

	"glim/core/p2p/netaddr"
)

// Limits of the lists. Source: src/cryptonote_config.h, P2P_LOCAL_WHITE_PEERLIST_LIMIT, P2P_LOCAL_GRAY_PEERLIST_LIMIT.
const (
	MaxWhite = 1000
	MaxGray  = 5000

	// maxNear limits the peers of one network group in each list, so that one network cannot fill it.
	maxNear = 32

	maxAnchors = 64 // more than the number of outgoing connections
)

// Entry is a peer.
type Entry struct {
	Address     netaddr.Address
	ID          uint64
	LastSeen    int64 // POSIX seconds, 0 for never
	PruningSeed uint32
	RPCPort     uint16
	RPCCredits  uint32

	order uint64 // increases with every new entry
}

// List holds known peers. Use New or Load to create it.
type List struct {
	white, gray map[netaddr.Address]*Entry
	anchors     map[netaddr.Address]*Entry // LastSeen is the time of the connection
	made        uint64                     // number of entries created
	changed     bool
}

// New returns an empty list.
func New() *List {
	return &List{
		white:   map[netaddr.Address]*Entry{},
		gray:    map[netaddr.Address]*Entry{},
		anchors: map[netaddr.Address]*Entry{},
	}
}

// Changed reports whether the list has changed since the last call.
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

// keep copies fields that are not set from the previous entry.
func (e *Entry) keep(old *Entry) {
	if e.PruningSeed == 0 {
		e.PruningSeed = old.PruningSeed
	}
	if e.RPCPort == 0 {
		e.RPCPort = old.RPCPort
	}
	e.order = old.order
}

// AddWhite records that a peer was reached at e.LastSeen. Only the last port of a host is kept, except on loopback.
// Source: set_peer_just_seen, append_with_peer_white.
func (l *List) AddWhite(e Entry) {
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

// AddGray adds peers that another peer has reported. Source: merge_peerlist, append_with_peer_gray.
func (l *List) AddGray(entries ...Entry) {
	near := map[[5]byte]int{}
	for a := range l.gray {
		near[a.NetGroup()]++
	}
	for _, e := range entries {
		n := e.Address.NetGroup()
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

// Forget removes a peer, or with port 0 all peers of the host. Anchors are removed only if a port is given.
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

// ForgetGray removes a peer of the gray list that could not be reached.
func (l *List) ForgetGray(a netaddr.Address) {
	l.changed = true
	delete(l.gray, a)
}

// ForgetIf removes the peers for which f returns true.
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

// Anchor records a peer with an outgoing connection since e.LastSeen.
func (l *List) Anchor(e Entry) {
	if l.anchors[e.Address] == nil && len(l.anchors) < maxAnchors {
		l.anchors[e.Address] = l.entry(e)
	}
}

// Unanchor records that the connection was closed.
func (l *List) Unanchor(a netaddr.Address) {
	if l.anchors[a] != nil {
		delete(l.anchors, a)
		l.changed = true
	}
}

// TakeAnchors removes and returns the peers that were connected when the list was stored, the oldest connection first.
// Source: get_and_empty_anchor_peerlist.
func (l *List) TakeAnchors() []Entry {
	list := sorted(l.anchors)
	clear(l.anchors)
	slices.Reverse(list)
	return list
}

// White returns the peers that were reached, the last one first.
func (l *List) White() []Entry { return sorted(l.white) }

// Gray returns the peers that were only reported, the last one first.
func (l *List) Gray() []Entry { return sorted(l.gray) }

// Count returns the sizes of both lists.
func (l *List) Count() (white, gray int) { return len(l.white), len(l.gray) }

func sorted(m map[netaddr.Address]*Entry) []Entry {
	list := make([]Entry, 0, len(m))
	for _, e := range m {
		list = append(list, *e)
	}
	slices.SortFunc(list, latest)
	return list
}

// latest compares by the time a peer was seen, then by the time it was added, the latest first.
func latest(a, b Entry) int {
	return cmp.Or(cmp.Compare(b.LastSeen, a.LastSeen), cmp.Compare(b.order, a.order))
}

// evict removes all ports of a host.
func evict(m map[netaddr.Address]*Entry, host netaddr.Address) {
	for a := range m {
		if a.Host() == host.Host() {
			delete(m, a)
		}
	}
}

// everywhere reports whether network groups do not apply to an address, because it is loopback or private.
func everywhere(a netaddr.Address) bool { return a.Loopback() || a.Local() }

// trimNear removes the oldest entries of an address's network group above maxNear.
func trimNear(m map[netaddr.Address]*Entry, a netaddr.Address) {
	if everywhere(a) {
		return
	}
	var list []Entry
	for other, e := range m {
		if other.NetGroup() == a.NetGroup() {
			list = append(list, *e)
		}
	}
	slices.SortFunc(list, latest)
	for len(list) > maxNear {
		delete(m, list[len(list)-1].Address)
		list = list[:len(list)-1]
	}
}

// trim removes the oldest entries above limit.
func trim(m map[netaddr.Address]*Entry, limit int) {
	if len(m) <= limit {
		return
	}
	for _, e := range sorted(m)[limit:] {
		delete(m, e.Address)
	}
}
