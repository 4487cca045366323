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

// peerMessages are messages of a peer whose bodies are hostile, and beginnings of messages.
func peerMessages(*world) (all []attack, err error) {
	const family = "message of a peer"
	var came atomic.Uint32 // each peer has an address of its own, for it is kept away afterwards
	add := func(operation, kind string, most int, many bool, frame func(body []byte) []byte, body func(size int) []byte) {
		all = append(all, attack{family, operation, kind, daemons, func(ctx context.Context, v *victim, size int) (int64, error) {
			n := 1
			if many { // short messages come from many peers
				n = max(min(size/most, 64), 1)
			}
			text := frame(body(min(size, most)))
			var sent atomic.Int64
			var group sync.WaitGroup
			for range n {
				x := came.Add(1)
				group.Go(func() {
					if sendAsPeer(ctx, v.peers, x, text) == nil {
						sent.Add(int64(len(text)))
					}
				})
			}
			group.Wait()
			if sent.Load() == 0 {
				return 0, errors.New("nobody let it in")
			}
			return sent.Load(), nil
		}})
	}
	for _, m := range []struct {
		name    string
		command uint32
		answer  bool
		body    reflect.Type
	}{
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
	} {
		frame := func(body []byte) []byte {
			if m.answer {
				return levin.Answer(m.command, levin.OK, body)
			}
			if m.command < 2000 {
				return levin.Invoke(m.command, body)
			}
			return levin.Notify(m.command, body)
		}
		most := min(message.MaxBytes(m.command), levin.MaxAfter) - 256
		for _, s := range epeeShapes(m.body, nil) {
			add(m.name, s.kind, most, most < 16<<20, frame, s.make)
		}
	}
	part := func(n int) func(body []byte) []byte { // of a frame that is said to be longer
		return func(body []byte) []byte { return levin.Notify(message.NewTxs, body)[:levin.HeaderSize+len(body)/n] }
	}
	zeros := func(size int) []byte { return make([]byte, size) }
	add("half a message", "zeros", 8<<20, true, part(2), zeros)
	add("half a message", "long", 64<<20, false, part(2), zeros)
	add("pieces", "many small ones that never end", 64<<20, false, func(body []byte) []byte {
		piece := levin.Frame{Command: message.NewTxs, Flags: levin.Begin, Body: make([]byte, 64)}
		b := piece.Append(nil)
		for piece.Flags = 0; len(b) < len(body); {
			b = piece.Append(b)
		}
		return b
	}, zeros)
	add("many messages", "pings", 64<<20, false, func(body []byte) []byte {
		return bytes.Repeat(levin.Invoke(message.Ping, message.Encode(message.Empty{})), max(len(body)/64, 1))
	}, zeros)
	add("many messages", "get objects of one unknown block", 64<<20, false, func(body []byte) []byte {
		one := levin.Notify(message.GetObjects, message.Encode(message.ObjectsRequest{Blocks: []xmr.Hash{{1}}}))
		return bytes.Repeat(one, max(len(body)/len(one), 1))
	}, zeros)
	return all, nil
}

// peerPatience is how long a peer stays after its message was taken.
const peerPatience = 500 * time.Millisecond

// sendAsPeer shakes hands from an address of its own, the x-th, sends bytes and waits a while for the end.
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
		Node: message.Node{NetworkID: message.NetworkID(xmr.Regtest), PeerID: 1000 + uint64(x), SupportFlags: message.FluffyBlocks},
		Sync: message.SyncData{Height: 1, Cumulative: 1, TopID: xmr.Hash{1}, TopVersion: 16},
	}
	if _, err := c.Write(levin.Invoke(message.Handshake, message.Encode(shake))); err != nil {
		return err
	}
	if _, err := io.ReadFull(c, make([]byte, levin.HeaderSize)); err != nil {
		return err // banned from an earlier one
	}
	go func() { _, _ = io.Copy(io.Discard, c) }()
	if _, err := c.Write(b); err != nil {
		return nil // sent away in the middle of it
	}
	select {
	case <-ctx.Done():
	case <-time.After(peerPatience):
	}
	return nil
}
