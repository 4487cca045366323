package network

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/xmr"
)

// rawPeer is a raw connection to a daemon, from its own loopback address.
type rawPeer struct {
	net.Conn
	t       *testing.T
	decoder levin.Decoder
}

// dialFrom connects to a daemon from 127.0.0.x. It fails if the daemon has ended, but not if it disconnects.
func dialFrom(t *testing.T, m *member, x byte) *rawPeer {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, x)}}
	c, err := d.DialContext(ctx(t), "tcp", m.peer)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	s := &rawPeer{Conn: c, t: t}
	s.decoder.Max = levin.MaxAfter
	return s
}

// send writes bytes. A disconnection is not an error.
func (s *rawPeer) send(b []byte) { _, _ = s.Write(b) }

// next returns the next frame, or false if the daemon has disconnected.
func (s *rawPeer) next() (levin.Frame, bool) {
	s.t.Helper()
	b := make([]byte, 4096)
	for {
		f, whole, err := s.decoder.Next()
		require.NoError(s.t, err)
		if whole {
			return f, true
		}
		n, err := s.Read(b)
		s.decoder.Write(b[:n])
		if err != nil && n == 0 {
			require.False(s.t, os.IsTimeout(err), "the daemon does not disconnect")
			return levin.Frame{}, false
		}
	}
}

// awaitClose waits until the daemon disconnects.
func (s *rawPeer) awaitClose() {
	s.t.Helper()
	for {
		if _, more := s.next(); !more {
			return
		}
	}
}

// shake does a handshake that claims a number of blocks and an amount of work.
func (s *rawPeer) shake(height, work uint64, change func(*message.HandshakeRequest)) {
	s.t.Helper()
	r := message.HandshakeRequest{
		Node: message.Node{
			NetworkID:    message.NetworkID(xmr.Regtest),
			PeerID:       12345,
			SupportFlags: message.FluffyBlocks,
		},
		Sync: message.SyncData{Height: height, Cumulative: work, TopID: xmr.Hash{byte(height), 1}, TopVersion: 16},
	}
	if change != nil {
		change(&r)
	}
	s.send(levin.Invoke(message.Handshake, message.Encode(r)))
}

// banned reports whether a daemon bans 127.0.0.x.
func banned(m *member, x byte) bool {
	r := ask[daemonrpc.BannedResponse](m, "banned", map[string]any{"address": fmt.Sprintf("127.0.0.%d", x)})
	return r.Banned
}

// memory returns the resident memory of a process in bytes.
func memory(t *testing.T, pid int) uint64 {
	t.Helper()
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	require.NoError(t, err)
	for line := range strings.Lines(string(b)) {
		if text, found := strings.CutPrefix(line, "VmRSS:"); found {
			n, err := strconv.ParseUint(strings.Fields(text)[0], 10, 64)
			require.NoError(t, err)
			return n << 10
		}
	}
	t.Fatal("no VmRSS")
	return 0
}

// offence is misbehaviour for which a peer is disconnected.
type offence struct {
	name string
	do   func(*rawPeer)
}

func offences(garbage []byte) []offence {
	header := func(size uint64, command uint32, flags uint32) []byte {
		b := levin.Frame{Command: command, Flags: flags, Expect: true}.Append(nil)
		binary.LittleEndian.PutUint64(b[8:], size)
		return b
	}
	ping := levin.Invoke(message.Ping, message.Encode(message.Empty{}))
	return []offence{
		{"garbage", func(s *rawPeer) { s.send(garbage) }},
		{"HTTP", func(s *rawPeer) { s.send([]byte("GET / HTTP/1.1\r\nHost: a\r\n\r\nmore than a header has")) }},
		{"a length of 2^62", func(s *rawPeer) { s.send(header(1<<62, message.Handshake, levin.Request)) }},
		{"a handshake of 99 MB", func(s *rawPeer) { s.send(header(99_000_000, message.Handshake, levin.Request)) }},
		{"another network", func(s *rawPeer) {
			s.shake(1, 1, func(r *message.HandshakeRequest) { r.Node.NetworkID = message.NetworkID(xmr.Stagenet) })
		}},
		{"a block before the handshake", func(s *rawPeer) {
			s.send(levin.Notify(message.NewFluffyBlock, garbage[:100]))
		}},
		{"an unrequested response", func(s *rawPeer) { s.send(levin.Answer(message.TimedSync, 1, nil)) }},
		{"an invalid epee body", func(s *rawPeer) { s.send(levin.Invoke(message.Handshake, garbage[:500])) }},
		{"an invalid block", func(s *rawPeer) {
			s.shake(1, 1, nil)
			block := message.BlockNotice{Block: message.Block{Blob: garbage[:300]}, Height: 7}
			s.send(levin.Notify(message.NewFluffyBlock, message.Encode(block)))
		}},
		{"an unrequested chain", func(s *rawPeer) {
			s.shake(1, 1, nil)
			chain := message.ChainResponse{Total: 9, IDs: []xmr.Hash{{1}, {2}}}
			s.send(levin.Notify(message.Chain, message.Encode(chain)))
		}},
		{"fragments of an invalid frame", func(s *rawPeer) {
			s.shake(1, 1, nil)
			for _, flags := range []uint32{levin.Begin, 0, 0, levin.End} {
				s.send(levin.Frame{Flags: flags, Body: garbage}.Append(nil))
			}
		}},
		{"endless pings", func(s *rawPeer) {
			s.shake(1, 1, nil)
			flood := bytes.Repeat(ping, 1000)
			for {
				if _, err := s.Write(flood); err != nil {
					return
				}
			}
		}},
		{"a longer chain without blocks", func(s *rawPeer) {
			s.shake(1000, 1<<40, nil)
			for {
				f, more := s.next()
				if !more {
					return
				}
				if f.Command == message.GetChain { // IDs of blocks that do not exist
					chain := message.ChainResponse{Start: 0, Total: 1000, IDs: []xmr.Hash{{9}, {8}}}
					s.send(levin.Notify(message.Chain, message.Encode(chain)))
				}
			}
		}},
		{"silence", func(*rawPeer) {}},
	}
}

// TestBadPeers checks that misbehaving peers are disconnected and then banned, while the daemon stays connected to its
// other peer, with bounded memory.
func TestBadPeers(t *testing.T) {
	t.Parallel()
	m := start(t, "glim", true, nil)
	honest := start(t, "honest peer", true, []*member{m})
	m.mine(5, node.UnspendableAddress())
	agree(t, "before", m, []*member{m, honest})
	garbage := make([]byte, 1<<16)
	_, err := rand.Read(garbage)
	require.NoError(t, err)
	t.Run("each", func(t *testing.T) {
		for i, o := range offences(garbage) {
			t.Run(o.name, func(t *testing.T) {
				t.Parallel()
				s := dialFrom(t, m, byte(10+i))
				o.do(s)
				s.awaitClose()
			})
		}
	})

	// A peer that continues is banned, and no other.
	const bad = 200
	until(t, "a ban", func() string { return m.tail() }, func() bool {
		if banned(m, bad) {
			return true
		}
		s := dialFrom(t, m, bad)
		s.send(garbage)
		s.awaitClose()
		return false
	})
	bans := ask[daemonrpc.GetBansResponse](m, "get_bans", nil).Bans
	require.Len(t, bans, 1)
	require.Equal(t, "127.0.0.200", bans[0].Host)
	dialFrom(t, m, bad).awaitClose()

	honest.mine(3, node.UnspendableAddress())
	agree(t, "after", honest, []*member{m, honest})
	require.EqualValues(t, 1, m.info().IncomingConnectionsCount)
	require.Less(t, memory(t, m.PID()), uint64(600<<20))
}

// TestSlowReaders checks that peers that request much and read nothing use bounded memory and do not affect others.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	m := start(t, "glim", true, nil)
	m.mine(400, node.UnspendableAddress())
	info, before := m.info(), memory(t, m.PID())
	top, err := xmr.ParseHash(info.TopBlockHash)
	require.NoError(t, err)
	request := levin.Notify(message.GetChain, message.Encode(message.ChainRequest{IDs: []xmr.Hash{top, genesis(m)}}))
	var all []*rawPeer
	for x := range 20 {
		s := dialFrom(t, m, byte(10+x))
		s.shake(info.Height, 1, nil)
		go func() { // until writing fails
			for {
				if _, err := s.Write(request); err != nil {
					return
				}
			}
		}()
		all = append(all, s)
	}
	honest := start(t, "honest peer", true, []*member{m})
	agree(t, "synchronises despite slow readers", m, []*member{m, honest})
	require.Less(t, memory(t, m.PID()), before+300<<20)
	for _, s := range all {
		_ = s.Close()
	}
	until(t, "the slow readers' connections are removed", func() string { return describe([]*member{m}) },
		func() bool { return len(m.connections()) == 1 })
}

// genesis returns the ID of the genesis block.
func genesis(m *member) xmr.Hash {
	m.t.Helper()
	r := ask[struct {
		Header struct{ Hash xmr.Hash } `json:"block_header"`
	}](m, "get_block_header_by_height", map[string]any{"height": 0})
	return r.Header.Hash
}
