package p2p

import (
	"time"

	"glim/core/consensus"
	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
	"glim/core/xmr"
)

// state is the synchronisation state of a connection, with the reference's names.
// Source: src/cryptonote_basic/connection_context.h, get_protocol_state_string.
type state string

const (
	before        state = "before_handshake"
	synchronizing state = "synchronizing"
	standby       state = "standby"
	normal        state = "normal"
)

// Limits of one connection, in bytes and counts. Above sendPause bytes of unsent data, the peer's requests are not
// processed; above sendMax, the peer counts as not reading. A correct peer does not send framesAtOnce frames at once,
// or framesPerSecond for long.
const (
	sendPause       = 8 << 20
	sendMax         = 256 << 20
	inputMax        = levin.MaxAfter + 1<<20
	allInputMax     = 512 << 20
	framesAtOnce    = 2000
	framesPerSecond = 200
	stallTime       = 2 * time.Minute // without any of the queued data being sent
	maxSentPeers    = 10_000
	// maxIn limits incoming connections if the user does not. The host allows more, so that it can always make outgoing
	// ones.
	maxIn = 3072
)

// question is an unanswered request to a peer.
type question struct {
	command uint32
	asked   time.Time
}

// conn is a connection and the state of its peer.
type conn struct {
	id       ConnID
	uuid     [16]byte
	addr     netaddr.Address
	incoming bool
	purpose  Purpose
	anchor   bool
	fixed    bool // an exclusive or priority peer of the user
	closed   bool

	decoder levin.Decoder
	paused  bool // the host does not read from it
	busy    bool // a message of this peer is being verified
	frames  float64
	counted time.Time // when frames was updated

	opened, lastReceived, lastSent time.Time
	received, sent                 uint64
	queued                         int       // bytes not yet sent
	moved                          time.Time // when queued last decreased or was 0
	down, up                       meter

	handshaken bool
	node       message.Node
	questions  []question
	nextSync   time.Time
	sentPeers  map[netaddr.Address]struct{} // peers already sent to it

	// claims of the peer about its chain
	height     uint64
	topID      xmr.Hash
	cumulative consensus.Difficulty
	seed       uint32
	score      int

	fetch fetch

	fluff         []xmr.Hash // transactions to pass on at flushAt
	flushAt       time.Time
	awaited       xmr.Hash // block whose missing transactions were requested at awaitedAt
	awaitedAt     time.Time
	alsoAnnounced xmr.Hash  // block it announced while the block was verified for another peer
	listed        time.Time // when it was last sent a list of peers
}

// fetch is the state of synchronisation from a peer.
type fetch struct {
	state state
	// expect is the command of the expected response, requested at asked; 0 for none.
	expect uint32
	asked  time.Time
	// first is the height of ids[0]. ids are blocks of the peer, beginning with the first unknown one.
	first uint64
	ids   []xmr.Hash
	span  *span // requested from the peer
	// last is the newest block that the peer has announced, at height lastHeight.
	last       xmr.Hash
	lastHeight uint64
}

// meter measures a transfer rate over the last seconds.
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

// rate returns the rate in bytes a second.
func (r *meter) rate(now time.Time) uint64 {
	r.roll(now)
	var sum uint64
	for _, b := range r.bytes {
		sum += b
	}
	return sum / meterSeconds
}

// tick counts a frame. It returns false if there were too many.
func (c *conn) tick(now time.Time) bool {
	c.frames = max(0, c.frames-framesPerSecond*now.Sub(c.counted).Seconds()) + 1
	c.counted = now
	return c.frames <= framesAtOnce
}

// claimedWork returns the cumulative difficulty that a peer claims.
func claimedWork(s *message.SyncData) consensus.Difficulty {
	return consensus.Difficulty{Hi: s.CumulativeHi, Lo: s.Cumulative}
}
