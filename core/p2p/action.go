package p2p

import (
	"glim/core/p2p/netaddr"
)

// ConnID names a connection; the host chooses it, never 0 and never twice.
type ConnID uint64

// DialID names an attempt to reach a peer; the machine chooses it.
type DialID uint64

// Action is what the host is to do: one of Send, Close, Pause, Resume, Dial, Judge and Save. Drain returns them in order.
type Action interface{ action() }

// Send writes bytes to a connection, after those sent before. The host tells with Sent what has been written, and drops what is for a
// connection that is gone.
type Send struct {
	Conn  ConnID
	Bytes []byte // shared: not to be changed
}

// Close ends a connection once what was sent before is written or a few seconds have gone by. For the machine it is gone already: no
// Closed is expected, and events of it are ignored.
type Close struct {
	Conn   ConnID
	Reason Reason
}

// Pause asks to read no more from a connection until Resume: what has been read is not dealt with yet, or answers pile up.
type Pause struct{ Conn ConnID }

// Resume ends a Pause.
type Resume struct{ Conn ConnID }

// Dial asks for a connection to an address: Dialed or DialFailed tells what came of it. An attempt ends after Purpose.Seconds at most.
type Dial struct {
	ID      DialID
	Address netaddr.Address
	Purpose Purpose
}

// Judge asks to call Job.Do off the machine's goroutine, and then Machine.Judged with it. There are few at a time, and the host may
// do them one after the other, in order.
type Judge struct{ Job *Job }

// Save asks to store what New takes as Config.State. The last one counts.
type Save struct{ State []byte }

func (Send) action()   {}
func (Close) action()  {}
func (Pause) action()  {}
func (Resume) action() {}
func (Dial) action()   {}
func (Judge) action()  {}
func (Save) action()   {}

// Purpose is why a peer is called.
type Purpose uint8

// Purposes.
const (
	ToStay    Purpose = iota // a connection as others
	ToAsk                    // a seed: it is asked for peers and left
	ToPing                   // whether somebody who came in is reached where he says
	ToConfirm                // whether a peer we only heard of exists
)

// Seconds returns how long an attempt may take; through a proxy 45. Source: src/cryptonote_config.h,
// P2P_DEFAULT_CONNECTION_TIMEOUT, P2P_DEFAULT_PING_CONNECTION_TIMEOUT, P2P_DEFAULT_SOCKS_CONNECT_TIMEOUT.
func (p Purpose) Seconds() int {
	if p == ToPing {
		return 2
	}
	return 5
}

// Reason tells why a connection ended, for logs.
type Reason string

// Reasons.
const (
	Stopping     Reason = "stopping"
	Unwanted     Reason = "not wanted"
	Banned       Reason = "banned"
	TooMany      Reason = "too many connections"
	WrongNetwork Reason = "of another network"
	Itself       Reason = "connected to itself"
	Twice        Reason = "connected twice"
	Done         Reason = "done"
	BadFrame     Reason = "malformed frame"
	BadMessage   Reason = "malformed message"
	Unexpected   Reason = "message out of place"
	BadChain     Reason = "chain that cannot be"
	BadBlock     Reason = "invalid block"
	BadTx        Reason = "invalid transaction"
	Silent       Reason = "no answer in time"
	Slow         Reason = "too slow to read"
	Useless      Reason = "nothing to gain"
	Flood        Reason = "too much at once"
)
