package wallet

import (
	"errors"
	"slices"

	"glim/core/decoy"
	"glim/core/xmr"
)

// ErrOtherRing reports a transaction that hides an output in another ring than an earlier one.
var ErrOtherRing = errors.New("the transaction hides an output in another ring than an earlier one did, and the two together would show " +
	"which output is spent; it was not sent: make the payment anew, with this wallet")

// Hidden is what the wallet keeps of its attempts to spend one output: what daemons saw or were asked for. Every later attempt uses the same.
// It lasts as long as the wallet: what was spent may become unspent, on the word of a daemon.
type Hidden struct {
	Key    xmr.PublicKey `json:"key"`    // of the output
	Global uint64        `json:"global"` // the output's index when its candidates were picked
	// Asked holds the candidates that a daemon was asked for, best first; empty once a transaction was recorded.
	Asked []uint64 `json:"asked" epee:"blob,omitempty"`
	// Ring holds the members' indices, ascending; empty while none is chosen.
	Ring []uint64 `json:"ring" epee:"blob,omitempty"`
	// Keys and Commitments of Ring's members, as a daemon told them; empty when one is to be asked.
	Keys        []xmr.PublicKey `json:"keys" epee:"blob,omitempty"`
	Commitments [][32]byte      `json:"commitments" epee:"blob,omitempty"`
	Shown       bool            `json:"shown" epee:"omitempty"` // a transaction with the ring was recorded or signed
	// Doubts counts false answers of daemons, each of which tells them a little about which output is meant; see DecideDoubt.
	Doubts uint32 `json:"doubts" epee:"omitempty"`
	// Reread says that the owner had the chain read again since the last attempt. When the output or its ring is not where it was,
	// another one may be chosen.
	Reread bool `json:"reread" epee:"omitempty"`
}

// Doubts that one answer raises, and how many are too many.
const (
	DoubtLocked = 1 // an output that can be spent is called locked, or put into another block: a daemon that is behind may do so
	DoubtFalse  = 2 // an output is said to have another key or commitment
	maxDoubts   = 2
)

// Doubtful reports whether no daemon may be asked about the output until its owner has the chain read again.
func (h *Hidden) Doubtful() bool { return h.Doubts >= maxDoubts }

// Members returns the ring's members; nil when a daemon has to be asked for them.
func (h *Hidden) Members() []decoy.Member {
	if len(h.Keys) != len(h.Ring) || len(h.Commitments) != len(h.Ring) {
		return nil
	}
	var list []decoy.Member
	for i, index := range h.Ring {
		list = append(list, decoy.Member{Index: index, Key: h.Keys[i], Commitment: h.Commitments[i]})
	}
	return list
}

// Hide returns h with a ring.
func (h Hidden) Hide(ring *decoy.Ring) Hidden {
	h.Ring, h.Keys, h.Commitments = ring.Indices(), nil, nil
	for i := range ring.Members {
		h.Keys, h.Commitments = append(h.Keys, ring.Members[i].Key), append(h.Commitments, ring.Members[i].Commitment)
	}
	return h
}

// Hidden returns what is kept of attempts to spend the output with this key; only Key and Global are set when there was none.
func (w *Wallet) Hidden(key xmr.PublicKey) Hidden {
	if h := w.hidden[key]; h != nil {
		return *h
	}
	h := Hidden{Key: key}
	if o, ok := w.OutputByKey(key); ok {
		h.Global = o.Global
		if o.ImageKnown {
			h.Ring = w.formerRing(o.Image)
			h.Shown = len(h.Ring) > 0
		}
	}
	return h
}

// KnownRing returns the ring of an earlier attempt to spend the output with key image i; nil when there was none.
func (w *Wallet) KnownRing(i xmr.KeyImage) []uint64 {
	if o, ok := w.OutputByImage(i); ok {
		h := w.Hidden(o.Key)
		return h.Ring
	}
	return w.formerRing(i)
}

// formerRing returns the latest ring among the transactions sent, which is where earlier versions kept it.
func (w *Wallet) formerRing(i xmr.KeyImage) []uint64 {
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

// DecideHidden keeps what an attempt to spend outputs will show to a daemon. It must be committed before the daemon is asked.
func (w *Wallet) DecideHidden(list []Hidden) ChangeSet {
	return ChangeSet{User: UserChange{Hidden: list}}
}

// DecideDoubt notes that a daemon's answer about outputs was false, and nothing was sent. Had it been about other outputs, something would
// have been sent: whoever may lie again and again finds the output among its candidates. So after maxDoubts no daemon is asked.
func (w *Wallet) DecideDoubt(outputs []xmr.PublicKey, doubts uint32) (c ChangeSet) {
	for _, key := range outputs {
		h := w.Hidden(key)
		h.Doubts += doubts
		c.User.Hidden = append(c.User.Hidden, h)
	}
	return c
}

// DecideReread forgets everything scanned, because the owner wants the chain to be read again. What rings consist of stays; whatever
// daemons said of their members is asked anew.
func (w *Wallet) DecideReread() ChangeSet {
	return ChangeSet{User: UserChange{Reread: true}, Chain: ChainChange{Clear: true}}
}

// DecideReask has a daemon asked anew about outputs to spend and the members of their rings, which stay. Its owner trusts that daemon.
func (w *Wallet) DecideReask() ChangeSet { return ChangeSet{User: UserChange{Reread: true}} }

// DecideShown notes that transactions with these rings get signed by others or handed to a daemon. ErrOtherRing when an output was hidden in
// another ring before. A ring that never left the wallet gives way to that of a transaction made elsewhere: by another signer of a group, each of
// which may have proposed one, or by another wallet of the same keys.
func (w *Wallet) DecideShown(rings []Hidden) (ChangeSet, error) {
	var c ChangeSet
	for i := range rings {
		h := w.Hidden(rings[i].Key)
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
		c.User.Hidden = append(c.User.Hidden, h)
	}
	return c, nil
}

// holds reports whether ring shows nothing new.
func (h *Hidden) holds(ring []uint64) bool {
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

func (w *Wallet) commitHidden(u *UserChange) {
	for i := range u.Hidden {
		h := u.Hidden[i]
		w.hidden[h.Key] = &h
	}
	if u.Reread {
		for key, h := range w.hidden {
			n := *h
			n.Keys, n.Commitments, n.Doubts, n.Reread = nil, nil, 0, true
			w.hidden[key] = &n
		}
	}
}

// keepRings keeps the rings of a transaction that an earlier version recorded.
func (w *Wallet) keepRings(rings []Ring) {
	for _, r := range rings {
		if o, ok := w.OutputByImage(r.Image); ok && w.hidden[o.Key] == nil && len(r.Indices) > 0 {
			w.hidden[o.Key] = &Hidden{Key: o.Key, Global: o.Global, Ring: r.Indices, Shown: true}
		}
	}
}

// shedHidden keeps of an output that was spent long ago the indices of its ring.
func (w *Wallet) shedHidden(image xmr.KeyImage) {
	o, ok := w.OutputByImage(image)
	if !ok {
		return
	}
	if h := w.hidden[o.Key]; h != nil && len(h.Asked)+len(h.Keys) > 0 {
		n := *h
		n.Keys, n.Commitments = nil, nil
		if len(n.Ring) > 0 {
			n.Asked = nil
		}
		w.hidden[o.Key] = &n
	}
}

// hiddenApart returns what w lacks of what a, which went on without its spend key, keeps of attempts to spend outputs.
func (w *Wallet) hiddenApart(a *Wallet) (list []Hidden) {
	for key, h := range a.hidden {
		if mine := w.hidden[key]; mine == nil || len(mine.Ring) < len(h.Ring) || len(mine.Asked) < len(h.Asked) && len(h.Ring) == 0 || mine.Doubts < h.Doubts {
			list = append(list, *h)
		}
	}
	return list
}
