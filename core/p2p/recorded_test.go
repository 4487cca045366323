package p2p

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
)

// recorded returns the recorded messages of a monerod by command, with responses separately; see message/testdata.
func recorded(t testing.TB, name string) map[bool]map[uint32][]levin.Frame {
	b, err := os.ReadFile("message/testdata/" + name)
	require.NoError(t, err)
	d := levin.Decoder{Max: levin.MaxAfter}
	d.Write(b)
	list := map[bool]map[uint32][]levin.Frame{false: {}, true: {}}
	for {
		f, ok, err := d.Next()
		require.NoError(t, err)
		if !ok {
			return list
		}
		list[f.IsResponse()][f.Command] = append(list[f.IsResponse()][f.Command], f)
	}
}

// TestRecordedPeer connects a machine to a replayed monerod: its chain is fetched and verified, and then a transaction
// and a block are accepted.
func TestRecordedPeer(t *testing.T) {
	called, caller := recorded(t, "called.bin"), recorded(t, "caller.bin")
	w := newWorld(t)
	r := &host{w: w, addr: netaddr.FromBytes([]byte{66, 6, 6, 6}, 18080), ends: map[ConnID]*end{}}
	w.hosts, w.byAddr[r.addr] = append(w.hosts, r), r
	h := w.join(exclusive(r))
	var asked []uint32
	say := func(f levin.Frame) {
		for _, e := range h.ends {
			w.after(latency, func() { h.deliver(e, f.Append(nil), nil, 0) })
		}
	}
	d := levin.Decoder{Max: levin.MaxAfter}
	r.bytes = func(b []byte) {
		d.Write(b)
		for {
			f, ok, err := d.Next()
			require.NoError(t, err)
			if !ok {
				return
			}
			if f.IsResponse() {
				continue
			}
			asked = append(asked, f.Command)
			answers := map[uint32]uint32{
				message.GetChain: message.Chain, message.GetObjects: message.Objects,
				message.PoolComplement: message.NewTxs, message.Handshake: message.Handshake,
			}
			list, answer := called[f.Expect], answers[f.Command]
			if answer == 0 || len(list[answer]) == 0 {
				continue
			}
			say(list[answer][0])
			list[answer] = list[answer][1:]
		}
	}
	w.must(10*time.Second, func() bool { return h.view.Tip().Height == 81 && h.m.Sync(w.now).Synchronized })
	w.run(time.Second, nil)
	require.Equal(t,
		[]uint32{message.Handshake, message.GetChain, message.GetObjects, message.GetObjects, message.GetObjects,
			message.GetObjects, message.PoolComplement},
		asked)
	require.Empty(t, h.quarrels())

	say(caller[false][message.NewTxs][0])
	w.run(time.Second, nil)
	require.Len(t, h.m.relay.embargo, 1,
		"it arrived on the stem, and the only peer is its sender")
	say(caller[false][message.NewFluffyBlock][0])
	w.must(time.Second, func() bool { return h.view.Tip().Height == 82 })
	require.EqualValues(t, 1, h.m.Counts().Out)
}

// FuzzMachine sends arbitrary bytes, before and after a handshake and during synchronisation. The machine must not
// panic, and memory must be bounded by what was received.
func FuzzMachine(f *testing.F) {
	for _, name := range []string{"caller.bin", "called.bin"} {
		b, err := os.ReadFile("message/testdata/" + name)
		require.NoError(f, err)
		f.Add(b, uint16(1000), uint8(0))
		f.Add(b, uint16(1<<15), uint8(1))
		f.Add(b[295:], uint16(64), uint8(2)) // the bytes after the handshake
	}
	f.Add(levin.Invoke(message.Handshake, message.Encode(message.HandshakeRequest{})), uint16(10), uint8(3))
	f.Fuzz(func(t *testing.T, b []byte, piece uint16, kind uint8) {
		w := newWorld(t)
		h := w.join()
		r := w.malicious(h)
		r.bytes = func([]byte) {}
		switch kind % 3 {
		case 1:
			tip := h.view.Tip()
			r.write(
				r.hello(
					1,
					1,
					func(m *message.HandshakeRequest) { m.Sync.TopID, m.Sync.TopVersion = tip.ID, tip.Version },
				),
			)
		case 2:
			r.shake(81, 1000)
		}
		w.run(4*latency, nil)
		for sent := 0; sent < len(b) && r.connected(); {
			n := min(max(int(piece)+1, len(b)/20), len(b)-sent)
			r.write(b[sent : sent+n])
			sent += n
			w.run(2*latency, nil)
			require.LessOrEqual(t, h.m.input, 4*sent+1<<16)
			require.LessOrEqual(t, h.m.queue.bytes, sent)
		}
		w.run(30*time.Second, nil)
		require.LessOrEqual(t, h.m.jobs.running, 0)
		require.Empty(t, h.m.jobs.waiting)
		require.Nil(t, h.m.queue.verifying)
		h.stop()
		require.Empty(t, h.m.conns)
		require.Zero(t, h.m.input)
	})
}
