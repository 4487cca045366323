package peerlist

import (
	"errors"
	"slices"

	"glim/core/codec/epee"
	"glim/core/p2p/message"
)

// storeVersion is the version of the stored format.
const storeVersion = 1

// maxStored limits the input of Load, in bytes; the largest list takes a quarter of it.
const maxStored = 4 << 20

// ErrStored reports bytes that are not a stored list.
var ErrStored = errors.New("peerlist: not a stored list of peers")

// stored is the stored form of a list. Each part begins with the peer seen last.
type stored struct {
	Version uint32         `json:"version"`
	White   []message.Peer `json:"white"`
	Gray    []message.Peer `json:"gray"`
	Anchors []message.Peer `json:"anchors"`
}

// Store encodes the list for Load.
func (l *List) Store() []byte {
	b, err := epee.Marshal(stored{Version: storeVersion, White: toPeers(l.White()), Gray: toPeers(l.Gray()),
		Anchors: toPeers(sorted(l.anchors))})
	if err != nil {
		panic(err) // the type is supported, as tests show
	}
	return b
}

// Load decodes a list that Store has encoded. It returns ErrStored or an error of epee if b is invalid.
func Load(b []byte) (*List, error) {
	if len(b) > maxStored {
		return nil, ErrStored
	}
	var s stored
	if err := epee.Unmarshal(b, &s); err != nil {
		return nil, err
	}
	if s.Version != storeVersion {
		return nil, ErrStored
	}
	l := New()
	for _, e := range fromPeers(s.White) {
		l.AddWhite(e)
	}
	l.AddGray(fromPeers(s.Gray)...)
	for _, e := range fromPeers(s.Anchors) {
		l.Anchor(e)
	}
	l.changed = false
	return l, nil
}

// Message returns the entry in message format.
func (e Entry) Message() message.Peer {
	return message.Peer{
		Address:     message.FromAddress(e.Address),
		ID:          e.ID,
		LastSeen:    e.LastSeen,
		PruningSeed: e.PruningSeed,
		RPCPort:     e.RPCPort,
		RPCCredits:  e.RPCCredits,
	}
}

// FromMessage converts an entry from message format. It returns false if its address is invalid.
func FromMessage(p message.Peer) (Entry, bool) {
	a := p.Address.Address()
	return Entry{Address: a, ID: p.ID, LastSeen: p.LastSeen, PruningSeed: p.PruningSeed, RPCPort: p.RPCPort,
		RPCCredits: p.RPCCredits}, a.Valid() && a.Port != 0
}

func toPeers(list []Entry) []message.Peer {
	out := make([]message.Peer, len(list))
	for i, e := range list {
		out[i] = e.Message()
	}
	return out
}

// fromPeers returns the entries in the order in which they were added.
func fromPeers(list []message.Peer) []Entry {
	out := make([]Entry, 0, len(list))
	for _, p := range slices.Backward(list) {
		if e, good := FromMessage(p); good {
			out = append(out, e)
		}
	}
	return out
}
