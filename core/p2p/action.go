package p2p

import (
	"glim/core/p2p/netaddr"
)

// ConnID identifies a connection. The host chooses it; it is never 0 and never reused.
type ConnID uint64

// DialID identifies an attempt to connect to a peer. The machine chooses it.
type DialID uint64

// Action is a task for the host: a Send, Close, Pause, Resume, Dial, Verify or Save. Drain returns actions in order.
type Action interface{ action() }

// Send writes bytes to a connection, after those sent before. The host reports bytes written with Machine.Sent, and
// discards those for a closed connection.
type Send struct {
	Conn  ConnID
	Bytes []byte // shared; must not be changed
}

// Close closes a connection after the bytes sent before are written, or after a few seconds. The machine has already
// removed it: it expects no call of Closed, and ignores events of the connection.
type Close struct {
	Conn   ConnID
	Reason Reason
}

// Pause stops reading from a connection until Resume: earlier messages are still being processed, or responses pile up.
type Pause struct{ Conn ConnID }

// Resume ends a Pause.
type Resume struct{ Conn ConnID }

// Dial connects to an address. The host calls Dialed or DialFailed. It gives up after Purpose.Seconds.
type Dial struct {
	ID      DialID
	Address netaddr.Address
	Purpose Purpose
}

// Verify runs Job.Do outside the machine's goroutine and then passes the job to Machine.Verified. There are few jobs at
// a time, and the host may run them one after another.
type Verify struct{ Job *Job }

// Save stores the bytes that New takes as Config.State. Later ones replace earlier ones.
type Save struct{ State []byte }

func (Send) action()   {}
func (Close) action()  {}
func (Pause) action()  {}
func (Resume) action() {}
func (Dial) action()   {}
func (Verify) action() {}
func (Save) action()   {}

// Purpose is the purpose of a connection that the machine makes.
type Purpose uint8

// Purposes.
const (
	DialPeer Purpose = iota // a lasting connection to a peer
	DialSeed                // to a seed node, closed after it has sent its peers
	DialPing                // to check the address that an incoming peer announces
	DialGray                // to check that a peer of the gray list exists
)

// Seconds returns the time limit of an attempt; through a proxy it is 45 seconds. Source: src/cryptonote_config.h,
// P2P_DEFAULT_CONNECTION_TIMEOUT, P2P_DEFAULT_PING_CONNECTION_TIMEOUT, P2P_DEFAULT_SOCKS_CONNECT_TIMEOUT.
func (p Purpose) Seconds() int {
	if p == DialPing {
		return 2
	}
	return 5
}

// Reason is why a connection was closed, for logs.
type Reason string

// Reasons.
const (
	Stopping       Reason = "stopping"
	Unwanted       Reason = "not wanted"
	Banned         Reason = "banned"
	TooMany        Reason = "too many connections"
	WrongNetwork   Reason = "wrong network"
	SelfConnection Reason = "connection to self"
	Duplicate      Reason = "duplicate connection"
	Done           Reason = "done"
	BadFrame       Reason = "malformed frame"
	BadMessage     Reason = "malformed message"
	Unexpected     Reason = "unexpected message"
	BadChain       Reason = "invalid chain data"
	BadBlock       Reason = "invalid block"
	BadTx          Reason = "invalid transaction"
	TimedOut       Reason = "timeout"
	Slow           Reason = "reads too slowly"
	Useless        Reason = "not useful"
	Flooding       Reason = "flooding"
)
