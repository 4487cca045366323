package p2p

import (
	"time"

	"glim/core/p2p/netaddr"
	"glim/core/xmr"
)

// Machine is a daemon's part in the network. Events come by the methods that take the time, and cost little; after each
// the host carries out what Drain returns. Times must not run backwards by more than clocks do.
type Machine struct {
	c       Config
	actions []Action
}

// New returns a machine that has called nobody yet: the first Tick does. Errors are the random source's.
func New(c Config) (*Machine, error) {
	return &Machine{c: c}, nil
}

// Drain returns what the host is to do now, in order, and forgets it.
func (m *Machine) Drain() []Action {
	list := m.actions
	m.actions = nil
	return list
}

// Tick tells that time has gone by: about once a second, or when Next says.
func (m *Machine) Tick(now time.Time) {}

// Accepted tells that somebody has come in. The host has accepted; whether the machine wants him is told by a Close or none.
func (m *Machine) Accepted(now time.Time, c ConnID, from netaddr.Address) {}

// Dialed tells that a Dial has reached its address.
func (m *Machine) Dialed(now time.Time, id DialID, c ConnID) {}

// DialFailed tells that a Dial has reached nobody.
func (m *Machine) DialFailed(now time.Time, id DialID) {}

// Received tells what has come from a connection, in pieces of any length. The bytes are copied where they are kept.
func (m *Machine) Received(now time.Time, c ConnID, b []byte) {}

// Sent tells that n bytes of what was to be sent have been taken by the network. The machine knows by it who is too slow to read.
func (m *Machine) Sent(now time.Time, c ConnID, n int) {}

// Closed tells that a connection has ended by itself or the peer's will.
func (m *Machine) Closed(now time.Time, c ConnID) {}

// Judged hands back a job of a Judge action, done.
func (m *Machine) Judged(now time.Time, j *Job) {}

// TransactionAccepted tells that a transaction of this daemon's own users is in the pool and to be passed on.
func (m *Machine) TransactionAccepted(now time.Time, id xmr.Hash, blob []byte) {}

// BlockAccepted tells that a block is the top of the main chain that did not come by the machine's own jobs: mined or submitted
// here. It may be told of all that joined: what jobs bring is known.
func (m *Machine) BlockAccepted(now time.Time, id xmr.Hash) {}

// SetBan keeps a host or a subnet away, and closes its connections, for so long; 0 lifts the ban.
func (m *Machine) SetBan(now time.Time, who netaddr.Subnet, d time.Duration) {}

// SetOut and SetIn bound the connections of each kind from now on, as Config.Out and Config.In; what is too much is closed.
func (m *Machine) SetOut(now time.Time, n int) {}

// SetIn: see SetOut.
func (m *Machine) SetIn(now time.Time, n int) {}

// Stop closes every connection and saves. No event counts after it.
func (m *Machine) Stop(now time.Time) {}

// Connections returns the peers of the moment, handshake done or not, oldest first.
func (m *Machine) Connections(now time.Time) []Connection { return nil }

// Counts returns how many connections and known peers there are. Connections count from the handshake on.
func (m *Machine) Counts() Counts { return Counts{} }

// Peers returns the peers known: those that have been reached, and those only heard of. Those who are banned are left out unless
// blocked.
func (m *Machine) Peers(now time.Time, blocked bool) (white, gray []Peer) { return nil, nil }

// Sync returns how synchronisation stands.
func (m *Machine) Sync(now time.Time) SyncReport { return SyncReport{} }

// NetStats returns the traffic since the machine was made.
func (m *Machine) NetStats() NetStats { return NetStats{} }

// Bans returns the bans in force, hosts before subnets.
func (m *Machine) Bans(now time.Time) []Ban { return nil }

// Banned returns for how long an address is still banned, 0 when it is not.
func (m *Machine) Banned(now time.Time, a netaddr.Address) time.Duration { return 0 }

// Job is something to judge. Do may run on any goroutine.
type Job struct{ c Chain }

// Do judges. It waits for nothing but the chain.
func (j *Job) Do() {}
