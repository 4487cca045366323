package wallet

import (
	"errors"
	"slices"

	"glim/core/decoy"
	"glim/core/xmr"
)

// ErrOtherRing reports a transaction that spends an output with a different ring than an earlier transaction did.
var ErrOtherRing = errors.New("the transaction spends an output with a different ring than an earlier one did, and " +
	"the two together would reveal the output; it was not sent: make the payment again, with this wallet")

// RingRecord is what the wallet remembers of its attempts to spend one output: the ring, and what daemons have seen
// of it. Every later attempt uses the same ring. It is kept as long as the wallet, because a reorganisation, real or
// claimed by a daemon, can make a spent output unspent.
type RingRecord struct {
	Key         xmr.PublicKey `json:"key"`    // of the output
	GlobalIndex uint64        `json:"global"` // of the output when its decoy candidates were picked
	// Asked holds the ring candidates that were requested from a daemon, best first; empty once a transaction was
	// recorded.
	Asked []uint64 `json:"asked" epee:"blob,omitempty"`
	// Ring holds the global indices of the ring members, ascending; empty until they are chosen.
	Ring []uint64 `json:"ring" epee:"blob,omitempty"`
	// Keys and Commitments of the members of Ring, as reported by a daemon; empty if they are to be requested.
	Keys        []xmr.PublicKey `json:"keys" epee:"blob,omitempty"`
	Commitments [][32]byte      `json:"commitments" epee:"blob,omitempty"`
	Shown       bool            `json:"shown" epee:"omitempty"` // a transaction with the ring was recorded or signed
	// Doubts counts false answers of daemons about the output, each of which may help them identify it, see
	// DecideDoubt.
	Doubts uint32 `json:"doubts" epee:"omitempty"`
	// Reread reports that the owner requested a rescan since the last attempt. If the global indices of the
	// output or its ring have changed, another ring may be chosen.
	Reread bool `json:"reread" epee:"omitempty"`
}

// Weights of false answers, and the limit of RingRecord.Doubts.
const (
	DoubtLocked = 1 // a spendable output is reported as locked or in another block, as by a daemon that is behind
	DoubtFalse  = 2 // an output is reported with a wrong key or commitment
	maxDoubts   = 2
)

// Doubtful reports whether no daemon may be asked about the output until the owner has the chain scanned again.
func (h *RingRecord) Doubtful() bool { return h.Doubts >= maxDoubts }

// Members returns the members of the ring; nil if they must be requested from a daemon.
func (h *RingRecord) Members() []decoy.Member {
	if len(h.Keys) != len(h.Ring) || len(h.Commitments) != len(h.Ring) {
		return nil
	}
	var list []decoy.Member
	for i, index := range h.Ring {
		list = append(list, decoy.Member{Index: index, Key: h.Keys[i], Commitment: h.Commitments[i]})
	}
	return list
}

// WithRing returns h with the given ring.
func (h RingRecord) WithRing(ring *decoy.Ring) RingRecord {
	h.Ring, h.Keys, h.Commitments = ring.Indices(), nil, nil
	for i := range ring.Members {
		h.Keys, h.Commitments = append(h.Keys, ring.Members[i].Key), append(h.Commitments, ring.Members[i].Commitment)
	}
	return h
}

// RingRecord returns the record of attempts to spend the output with this key; without one, only Key and GlobalIndex
// are set.
func (w *Wallet) RingRecord(key xmr.PublicKey) RingRecord {
	if h := w.ringRecords[key]; h != nil {
		return *h
	}
	h := RingRecord{Key: key}
	if o, ok := w.OutputByKey(key); ok {
		h.GlobalIndex = o.GlobalIndex
		if o.ImageKnown {
			h.Ring = w.ringOfSent(o.Image)
			h.Shown = len(h.Ring) > 0
		}
	}
	return h
}

// KnownRing returns the global indices of the ring of an earlier attempt to spend the output with key image i; nil
// without one.
func (w *Wallet) KnownRing(i xmr.KeyImage) []uint64 {
	if o, ok := w.OutputByImage(i); ok {
		h := w.RingRecord(o.Key)
		return h.Ring
	}
	return w.ringOfSent(i)
}

// ringOfSent returns the latest ring for key image i among sent transactions, where earlier versions stored it.
func (w *Wallet) ringOfSent(i xmr.KeyImage) []uint64 {
	var latest *Sent
	var ring []uint64
	for _, s := range w.sent {
		for _, r := range s.Rings {
			if r.Image == i && (latest == nil || latest.before(s)) {
				latest, ring = s, r.Indices
			}
		}
	}
	return ring
}

// DecideRingRecords stores what an attempt to spend outputs will reveal to a daemon. It must be committed before the
// daemon is asked.
func (w *Wallet) DecideRingRecords(list []RingRecord) ChangeSet {
	return ChangeSet{User: UserChange{RingRecords: list}}
}

// DecideDoubt records that a daemon's answer about outputs was false and nothing was sent. The abort itself reveals to
// a malicious daemon that the answer concerned the output being spent, so repeated false answers can identify it. Once
// a record is Doubtful, no more requests are made for it.
func (w *Wallet) DecideDoubt(outputs []xmr.PublicKey, doubts uint32) (c ChangeSet) {
	for _, key := range outputs {
		h := w.RingRecord(key)
		h.Doubts += doubts
		c.User.RingRecords = append(c.User.RingRecords, h)
	}
	return c
}

// DecideRescanByOwner forgets everything scanned because the owner wants a rescan. The members of rings stay; their
// keys and commitments are requested again.
func (w *Wallet) DecideRescanByOwner() ChangeSet {
	return ChangeSet{User: UserChange{Reread: true}, Chain: ChainChange{Clear: true}}
}

// DecideRequestRingsAgain discards what daemons reported about ring members, and resets doubts, because the owner now
// uses a trusted daemon. The rings stay.
func (w *Wallet) DecideRequestRingsAgain() ChangeSet {
	return ChangeSet{User: UserChange{Reread: true}}
}

// DecideShownRings records that transactions with these rings are signed by others or submitted to a daemon. It
// returns ErrOtherRing if an output had a different ring before. A ring that never left the wallet is replaced by
// the ring of a transaction made elsewhere: by another signer of a multisig group, or by another wallet with the same
// keys.
func (w *Wallet) DecideShownRings(rings []RingRecord) (ChangeSet, error) {
	var c ChangeSet
	for i := range rings {
		h := w.RingRecord(rings[i].Key)
		if len(rings[i].Ring) == 0 || h.Shown && slices.Equal(h.Ring, rings[i].Ring) && len(h.Asked) == 0 {
			continue
		}
		if !h.holds(rings[i].Ring) {
			if h.Shown {
				return ChangeSet{}, ErrOtherRing
			}
			h.Keys, h.Commitments = nil, nil
		}
		h.Ring, h.Shown, h.Asked = rings[i].Ring, true, nil
		c.User.RingRecords = append(c.User.RingRecords, h)
	}
	return c, nil
}

// holds reports whether ring reveals nothing beyond h.
func (h *RingRecord) holds(ring []uint64) bool {
	if len(h.Ring) > 0 {
		return slices.Equal(h.Ring, ring)
	}
	for _, index := range ring {
		if len(h.Asked) > 0 && !slices.Contains(h.Asked, index) {
			return false
		}
	}
	return true
}

func (w *Wallet) commitRingRecords(u *UserChange) {
	for i := range u.RingRecords {
		h := u.RingRecords[i]
		w.ringRecords[h.Key] = &h
	}
	if u.Reread {
		for key, h := range w.ringRecords {
			n := *h
			n.Keys, n.Commitments, n.Doubts, n.Reread = nil, nil, 0, true
			w.ringRecords[key] = &n
		}
	}
}

// keepRings creates records for the rings of a transaction that an earlier version recorded.
func (w *Wallet) keepRings(rings []Ring) {
	for _, r := range rings {
		if o, ok := w.OutputByImage(r.Image); ok && w.ringRecords[o.Key] == nil && len(r.Indices) > 0 {
			w.ringRecords[o.Key] = &RingRecord{Key: o.Key, GlobalIndex: o.GlobalIndex, Ring: r.Indices, Shown: true}
		}
	}
}

// pruneRingRecord reduces the record of an output that was spent long ago to the indices of its ring.
func (w *Wallet) pruneRingRecord(image xmr.KeyImage) {
	o, ok := w.OutputByImage(image)
	if !ok {
		return
	}
	if h := w.ringRecords[o.Key]; h != nil && len(h.Asked)+len(h.Keys) > 0 {
		n := *h
		n.Keys, n.Commitments = nil, nil
		if len(n.Ring) > 0 {
			n.Asked = nil
		}
		w.ringRecords[o.Key] = &n
	}
}

// ringRecordsFromBackground returns the ring records of a, the state of background syncing, that are newer than those
// of w.
func (w *Wallet) ringRecordsFromBackground(a *Wallet) (list []RingRecord) {
	for key, h := range a.ringRecords {
		mine := w.ringRecords[key]
		if mine == nil || len(mine.Ring) < len(h.Ring) || len(mine.Asked) < len(h.Asked) && len(h.Ring) == 0 ||
			mine.Doubts < h.Doubts {
			list = append(list, *h)
		}
	}
	return list
}
