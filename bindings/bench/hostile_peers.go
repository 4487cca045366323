package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/xmr"
)

// peerMessage is a message with a body.
type peerMessage struct {
	name    string
	command uint32
	answer  bool
	body    reflect.Type
}

// messageKinds are all messages that peers send.
var messageKinds = []peerMessage{
	{"handshake", message.Handshake, false, reflect.TypeFor[message.HandshakeRequest]()},
	{"timed sync", message.TimedSync, false, reflect.TypeFor[message.TimedSyncRequest]()},
	{"timed sync, answer", message.TimedSync, true, reflect.TypeFor[message.TimedSyncResponse]()},
	{"ping", message.Ping, false, reflect.TypeFor[message.Empty]()},
	{"support flags", message.SupportFlags, false, reflect.TypeFor[message.Empty]()},
	{"support flags, answer", message.SupportFlags, true, reflect.TypeFor[message.SupportFlagsResponse]()},
	{"new block", message.NewBlock, false, reflect.TypeFor[message.BlockNotice]()},
	{"new fluffy block", message.NewFluffyBlock, false, reflect.TypeFor[message.BlockNotice]()},
	{"new transactions", message.NewTxs, false, reflect.TypeFor[message.TxsNotice]()},
	{"get objects", message.GetObjects, false, reflect.TypeFor[message.ObjectsRequest]()},
	{"objects", message.Objects, false, reflect.TypeFor[message.ObjectsResponse]()},
	{"get chain", message.GetChain, false, reflect.TypeFor[message.ChainRequest]()},
	{"chain", message.Chain, false, reflect.TypeFor[message.ChainResponse]()},
	{"get missing transactions", message.GetMissingTxs, false, reflect.TypeFor[message.MissingTxsRequest]()},
	{"pool complement", message.PoolComplement, false, reflect.TypeFor[message.PoolRequest]()},
}

// frame returns the message with a body.
func (m *peerMessage) frame(body []byte) []byte {
	if m.answer {
		return levin.Answer(m.command, levin.OK, body)
	}
	if m.command < 2000 {
		return levin.Invoke(m.command, body)
	}
	return levin.Notify(m.command, body)
}

// messageAttacks collects attacks by messages of peers.
type messageAttacks struct {
	all   []attack
	peers atomic.Uint32 // so far: each peer has its own address, because it is banned afterwards
}

// add adds a message of a peer, or of many, with a body of at most most bytes.
func (m *messageAttacks) add(operation, kind string, most int, many bool, frame func(body []byte) []byte,
	body func(size int) []byte) {
	run := func(ctx context.Context, v *target, size int) (int64, error) {
		n := 1
		if many { // short messages are sent by many peers
			n = max(min(size/most, 64), 1)
		}
		text := frame(body(min(size, most)))
		var sent atomic.Int64
		var group sync.WaitGroup
		for range n {
			x := m.peers.Add(1)
			group.Go(func() {
				if sendAsPeer(ctx, v.peers, x, text) == nil {
					sent.Add(int64(len(text)))
				}
			})
		}
		group.Wait()
		if sent.Load() == 0 {
			return 0, errors.New("it was not accepted")
		}
		return sent.Load(), nil
	}
	m.all = append(m.all, attack{"message of a peer", operation, kind, daemons, run})
}

// peerMessages returns messages of a peer with hostile bodies, and incomplete messages.
func peerMessages(*testbed) ([]attack, error) {
	m := &messageAttacks{}
	for _, k := range messageKinds {
		most := min(message.MaxBytes(k.command), levin.MaxAfter) - 256
		for _, s := range epeeShapes(k.body, nil) {
			m.add(k.name, s.kind, most, most < 16<<20, k.frame, s.make)
		}
	}
	part := func(n int) func(body []byte) []byte { // of a frame whose header claims more
		return func(body []byte) []byte { return levin.Notify(message.NewTxs, body)[:levin.HeaderSize+len(body)/n] }
	}
	zeros := func(size int) []byte { return make([]byte, size) }
	m.add("half a message", "zeros", 8<<20, true, part(2), zeros)
	m.add("half a message", "long", 64<<20, false, part(2), zeros)
	m.add("pieces", "many small ones that never end", 64<<20, false, func(body []byte) []byte {
		piece := levin.Frame{Command: message.NewTxs, Flags: levin.Begin, Body: make([]byte, 64)}
		b := piece.Append(nil)
		for piece.Flags = 0; len(b) < len(body); {
			b = piece.Append(b)
		}
		return b
	}, zeros)
	m.add("many messages", "pings", 64<<20, false, func(body []byte) []byte {
		return bytes.Repeat(levin.Invoke(message.Ping, message.Encode(message.Empty{})), max(len(body)/64, 1))
	}, zeros)
	m.add("many messages", "get objects of one unknown block", 64<<20, false, func(body []byte) []byte {
		one := levin.Notify(message.GetObjects, message.Encode(message.ObjectsRequest{Blocks: []xmr.Hash{{1}}}))
		return bytes.Repeat(one, max(len(body)/len(one), 1))
	}, zeros)
	return m.all, nil
}

// peerPatience is how long a peer stays connected after its message.
const peerPatience = 500 * time.Millisecond

// sendAsPeer makes a handshake from address number x, sends bytes and stays connected for a while.
func sendAsPeer(ctx context.Context, address string, x uint32, b []byte) error {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, byte(1+x>>14), byte(x>>7), byte(2+x&127))}}
	c, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(attackLimit)); err != nil {
		return err
	}
	shake := message.HandshakeRequest{
		Node: message.Node{
			NetworkID: message.NetworkID(xmr.Regtest), PeerID: 1000 + uint64(x), SupportFlags: message.FluffyBlocks,
		},
		Sync: message.SyncData{Height: 1, Cumulative: 1, TopID: xmr.Hash{1}, TopVersion: 16},
	}
	if _, err := c.Write(levin.Invoke(message.Handshake, message.Encode(shake))); err != nil {
		return err
	}
	if _, err := io.ReadFull(c, make([]byte, levin.HeaderSize)); err != nil {
		return err // banned because of an earlier message
	}
	go func() { _, _ = io.Copy(io.Discard, c) }()
	if _, err := c.Write(b); err != nil {
		return nil // disconnected while it sent
	}
	select {
	case <-ctx.Done():
	case <-time.After(peerPatience):
	}
	return nil
}
