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

// stranger is a raw connection to a daemon, from an address of its own.
type stranger struct {
	net.Conn
	t       *testing.T
	decoder levin.Decoder
}

// meet connects to a daemon from 127.0.0.x. It fails when the daemon has gone, not when it hangs up.
func meet(t *testing.T, m *member, x byte) *stranger {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, x)}}
	c, err := d.DialContext(ctx(t), "tcp", m.peer)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	s := &stranger{Conn: c, t: t}
	s.decoder.Max = levin.MaxAfter
	return s
}

// say writes; being hung up on is no error.
func (s *stranger) say(b []byte) { _, _ = s.Write(b) }

// next returns the next frame; false when the daemon has hung up.
func (s *stranger) next() (levin.Frame, bool) {
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
			require.False(s.t, os.IsTimeout(err), "the daemon does not hang up")
			return levin.Frame{}, false
		}
	}
}

// gone waits until the daemon hangs up.
func (s *stranger) gone() {
	s.t.Helper()
	for {
		if _, more := s.next(); !more {
			return
		}
	}
}

// shake makes the stranger a peer that says it has so many blocks, of so much work.
func (s *stranger) shake(height, work uint64, change func(*message.HandshakeRequest)) {
	s.t.Helper()
	r := message.HandshakeRequest{
		Node: message.Node{NetworkID: message.NetworkID(xmr.Regtest), PeerID: 12345, SupportFlags: message.FluffyBlocks},
		Sync: message.SyncData{Height: height, Cumulative: work, TopID: xmr.Hash{byte(height), 1}, TopVersion: 16},
	}
	if change != nil {
		change(&r)
	}
	s.say(levin.Invoke(message.Handshake, message.Encode(r)))
}

// scored reports whether a daemon keeps 127.0.0.x away.
func scored(m *member, x byte) bool {
	r := ask[daemonrpc.BannedResponse](m, "banned", map[string]any{"address": fmt.Sprintf("127.0.0.%d", x)})
	return r.Banned
}

// memory returns the bytes a process holds.
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

// TestBadPeers: whatever strangers send, they are dropped, those who go on are kept away, and the daemon lives on with its other
// peer, in bounded memory.
func TestBadPeers(t *testing.T) {
	t.Parallel()
	m := start(t, "glim", true, nil)
	friend := start(t, "its friend", true, []*member{m})
	m.mine(5, node.Nobody())
	agree(t, "before", m, []*member{m, friend})
	header := func(size uint64, command uint32, flags uint32) []byte {
		b := levin.Frame{Command: command, Flags: flags, Expect: true}.Append(nil)
		binary.LittleEndian.PutUint64(b[8:], size)
		return b
	}
	garbage := make([]byte, 1<<16)
	_, err := rand.Read(garbage)
	require.NoError(t, err)
	ping := levin.Invoke(message.Ping, message.Encode(message.Empty{}))
	offences := []struct {
		name string
		do   func(*stranger)
	}{
		{"garbage", func(s *stranger) { s.say(garbage) }},
		{"HTTP", func(s *stranger) { s.say([]byte("GET / HTTP/1.1\r\nHost: a\r\n\r\nmore than a header has")) }},
		{"a length of 2^62", func(s *stranger) { s.say(header(1<<62, message.Handshake, levin.Request)) }},
		{"a handshake of 99 MB", func(s *stranger) { s.say(header(99_000_000, message.Handshake, levin.Request)) }},
		{"another network", func(s *stranger) {
			s.shake(1, 1, func(r *message.HandshakeRequest) { r.Node.NetworkID = message.NetworkID(xmr.Stagenet) })
		}},
		{"blocks before hands are shaken", func(s *stranger) { s.say(levin.Notify(message.NewFluffyBlock, garbage[:100])) }},
		{"an answer nobody asked for", func(s *stranger) { s.say(levin.Answer(message.TimedSync, 1, nil)) }},
		{"no epee", func(s *stranger) { s.say(levin.Invoke(message.Handshake, garbage[:500])) }},
		{"a block that is none", func(s *stranger) {
			s.shake(1, 1, nil)
			s.say(levin.Notify(message.NewFluffyBlock, message.Encode(message.BlockNotice{Block: message.Block{Blob: garbage[:300]}, Height: 7})))
		}},
		{"a chain nobody asked for", func(s *stranger) {
			s.shake(1, 1, nil)
			s.say(levin.Notify(message.Chain, message.Encode(message.ChainResponse{Total: 9, IDs: []xmr.Hash{{1}, {2}}})))
		}},
		{"pieces that are no frame", func(s *stranger) {
			s.shake(1, 1, nil)
			for _, flags := range []uint32{levin.Begin, 0, 0, levin.End} {
				s.say(levin.Frame{Flags: flags, Body: garbage}.Append(nil))
			}
		}},
		{"pings without end", func(s *stranger) {
			s.shake(1, 1, nil)
			flood := bytes.Repeat(ping, 1000)
			for {
				if _, err := s.Write(flood); err != nil {
					return
				}
			}
		}},
		{"a chain that is longer and does not come", func(s *stranger) {
			s.shake(1000, 1<<40, nil)
			for {
				f, more := s.next()
				if !more {
					return
				}
				if f.Command == message.GetChain { // blocks that are not, with as much work as was said
					s.say(levin.Notify(message.Chain, message.Encode(message.ChainResponse{Start: 0, Total: 1000, IDs: []xmr.Hash{{9}, {8}}})))
				}
			}
		}},
		{"silence", func(*stranger) {}},
	}
	t.Run("each", func(t *testing.T) {
		for i, o := range offences {
			t.Run(o.name, func(t *testing.T) {
				t.Parallel()
				s := meet(t, m, byte(10+i))
				o.do(s)
				s.gone()
			})
		}
	})

	// Who goes on is kept away, he alone.
	const bad = 200
	until(t, "a ban", func() string { return m.tail() }, func() bool {
		if scored(m, bad) {
			return true
		}
		s := meet(t, m, bad)
		s.say(garbage)
		s.gone()
		return false
	})
	bans := ask[daemonrpc.GetBansResponse](m, "get_bans", nil).Bans
	require.Len(t, bans, 1)
	require.Equal(t, "127.0.0.200", bans[0].Host)
	meet(t, m, bad).gone()

	friend.mine(3, node.Nobody())
	agree(t, "after", friend, []*member{m, friend})
	require.EqualValues(t, 1, m.info().IncomingConnectionsCount)
	require.Less(t, memory(t, m.PID()), uint64(600<<20))
}

// TestSlowReaders: who asks for much and reads nothing is not answered without end, and takes no memory; others are served meanwhile.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	m := start(t, "glim", true, nil)
	m.mine(400, node.Nobody())
	info, before := m.info(), memory(t, m.PID())
	top, err := xmr.ParseHash(info.TopBlockHash)
	require.NoError(t, err)
	request := levin.Notify(message.GetChain, message.Encode(message.ChainRequest{IDs: []xmr.Hash{top, genesis(m)}}))
	var all []*stranger
	for x := range 20 {
		s := meet(t, m, byte(10+x))
		s.shake(info.Height, 1, nil)
		go func() { // until nobody takes more
			for {
				if _, err := s.Write(request); err != nil {
					return
				}
			}
		}()
		all = append(all, s)
	}
	friend := start(t, "its friend", true, []*member{m})
	agree(t, "served beside slow readers", m, []*member{m, friend})
	require.Less(t, memory(t, m.PID()), before+300<<20)
	for _, s := range all {
		_ = s.Close()
	}
	until(t, "the slow ones are forgotten", func() string { return describe([]*member{m}) },
		func() bool { return len(m.connections()) == 1 })
}

// genesis returns the ID of a chain's first block.
func genesis(m *member) xmr.Hash {
	m.t.Helper()
	r := ask[struct {
		Header struct{ Hash xmr.Hash } `json:"block_header"`
	}](m, "get_block_header_by_height", map[string]any{"height": 0})
	return r.Header.Hash
}
