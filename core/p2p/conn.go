package p2p

import (
	"time"

	"glim/core/consensus"
	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
	"glim/core/xmr"
)

// How a connection stands with the chain, as the reference names it.
// Source: src/cryptonote_basic/connection_context.h, get_protocol_state_string.
type state string

const (
	before        state = "before_handshake"
	synchronizing state = "synchronizing"
	standby       state = "standby"
	normal        state = "normal"
)

// Bounds of one connection, in bytes and counts. What waits to be sent beyond sendPause makes no new answers; beyond sendMax the
// peer does not read. Nobody sends framesAtOnce frames at once, nor framesPerSecond for long.
const (
	sendPause       = 8 << 20
	sendMax         = 256 << 20
	inputMax        = levin.MaxAfter + 1<<20
	allInputMax     = 512 << 20
	framesAtOnce    = 2000
	framesPerSecond = 200
	stallTime       = 2 * time.Minute // nothing of what waits is taken
	maxSentPeers    = 10_000
	// maxIn bounds incoming connections where the user does not: fewer than the host has, so that there is always one to call somebody.
	maxIn = 3072
)

// question is one that a peer has not answered.
type question struct {
	command uint32
	asked   time.Time
}

// conn is a connection and what is known of the peer.
type conn struct {
	id       ConnID
	uuid     [16]byte
	addr     netaddr.Address
	incoming bool
	purpose  Purpose
	anchor   bool
	fixed    bool // named by the user: an exclusive or a priority peer
	gone     bool

	decoder levin.Decoder
	paused  bool // the host has been told to read no more
	busy    bool // something of this peer is being judged
	frames  float64
	counted time.Time // when frames was right

	opened, lastReceived, lastSent time.Time
	received, sent                 uint64
	queued                         int       // bytes that wait to be sent
	moved                          time.Time // when the queue last shrank, or was empty
	down, up                       meter

	shaken    bool
	node      message.Node
	questions []question
	nextSync  time.Time
	told      map[netaddr.Address]struct{} // peers it has been told of

	// what it says of its chain
	height     uint64
	topID      xmr.Hash
	cumulative consensus.Difficulty
	seed       uint32
	score      int

	fetch fetch

	fluff   []xmr.Hash // transactions to pass on at flushAt
	flushAt time.Time
	wants   xmr.Hash // block whose missing transactions were asked for at wantsAt
	wantsAt time.Time
	aside   xmr.Hash  // block it announced while that was being judged as another's
	listed  time.Time // when it was last told of peers
}

// fetch is what a connection does for synchronisation.
type fetch struct {
	state state
	// expect is the command that is awaited since asked; 0 for none.
	expect uint32
	asked  time.Time
	// first is the index of ids[0]: blocks the peer has, those first that are not here.
	first uint64
	ids   []xmr.Hash
	span  *span // what it was asked for
	// last is the newest block it has told of, at index lastHeight.
	last       xmr.Hash
	lastHeight uint64
}

// meter measures how fast bytes go, over the last seconds.
type meter struct {
	second int64 // POSIX
	bytes  [meterSeconds]uint64
}

const meterSeconds = 8

func (r *meter) roll(now time.Time) {
	s := now.Unix()
	if s < r.second || s-r.second >= meterSeconds {
		r.bytes = [meterSeconds]uint64{}
		r.second = s
	}
	for r.second < s {
		r.second++
		r.bytes[r.second%meterSeconds] = 0
	}
}

func (r *meter) add(now time.Time, n int) {
	r.roll(now)
	r.bytes[((r.second%meterSeconds)+meterSeconds)%meterSeconds] += uint64(n)
}

// rate returns bytes a second.
func (r *meter) rate(now time.Time) uint64 {
	r.roll(now)
	var sum uint64
	for _, b := range r.bytes {
		sum += b
	}
	return sum / meterSeconds
}

// tick counts a frame; false when there have been too many.
func (c *conn) tick(now time.Time) bool {
	c.frames = max(0, c.frames-framesPerSecond*now.Sub(c.counted).Seconds()) + 1
	c.counted = now
	return c.frames <= framesAtOnce
}

// work is what the peer says its chain took.
func work(s *message.SyncData) consensus.Difficulty {
	return consensus.Difficulty{Hi: s.CumulativeHi, Lo: s.Cumulative}
}
