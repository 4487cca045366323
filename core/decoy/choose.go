package decoy

import (
	"errors"
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/internal/order"
	"glim/core/say"
	"glim/core/xmr"
)

// Errors about a daemon's answer to a Request. Nothing was signed.
var (
	ErrAnswers     = errors.New("decoy: the daemon did not answer for exactly the outputs asked for; choose another daemon")
	ErrRealMissing = errors.New("decoy: the daemon's answer differs from the wallet's own output; choose another daemon and rescan")
	ErrTooFew      = errors.New("decoy: not enough usable outputs for a ring")
	ErrUnlikely    = errors.New("decoy: daemons would not relay the transaction, for its ring members are too old or too few of them differ; spend the output together with newer ones")
	ErrDoubtful    = errors.New("decoy: the daemon calls more ring candidates locked or broken than a chain has; choose another daemon")
	ErrRing        = errors.New("decoy: the daemon calls members of the remembered ring locked or broken, and no other ring may be used; choose another daemon")
)

// TooFewError is ErrTooFew with the numbers.
type TooFewError struct {
	Spend int // which spend, counted from 0
	Good  int // usable outputs, the real one included
}

// Error says how many outputs there were.
func (e *TooFewError) Error() string {
	return say.Sprintf("%v: %d where %d are needed; wait for more blocks or choose another daemon", ErrTooFew, e.Good, xmr.RingSize)
}

// Unwrap returns ErrTooFew.
func (e *TooFewError) Unwrap() error { return ErrTooFew }

// Output is what a daemon says about one output asked for.
type Output struct {
	Key        xmr.PublicKey
	Commitment [32]byte
	Unlocked   bool
}

// Ring is a finished ring of xmr.RingSize members.
type Ring struct {
	Members []Member // by ascending global index
	Real    int      // position of the output spent
	// Doubtful counts candidates passed over for reasons honest daemons hardly ever give: locked though older than any
	// coinbase lock, or not a usable point. Choose returns ErrDoubtful when there are many.
	Doubtful int
}

// Indices returns the members' global indices, ascending: what to remember as Spend.Known.
func (r *Ring) Indices() []uint64 {
	out := make([]uint64, len(r.Members))
	for i := range r.Members {
		out[i] = r.Members[i].Index
	}
	return out
}

// Choose builds the rings of req, in the order of its spends, from a daemon's answers in the order of req.Indices.
//
// It returns ErrAnswers when answers are missing or contradict each other; ErrRealMissing when a real output is not
// confirmed as the wallet knows it; ErrLocked when the daemon calls it locked; ErrRing when a member of a remembered ring cannot be
// used; a *TooFewError; ErrDoubtful; or ErrUnlikely when honest nodes would find the choice odd. Decoys are unlocked, with keys and commitments that are canonical points of the
// prime-order subgroup and not its identity, and with keys that differ within the ring.
//
// What a lying daemon can still do is make up keys for decoys: the transaction is then invalid everywhere. Whoever tries
// again must pass the ring as Spend.Known and Spend.Members. With another ring the two would share little but the real output, and with
// other members a daemon could lie about some of them at a time until it knows which one must be true.
// Source: src/wallet/wallet2.cpp, get_outs and tx_add_fake_output.
func Choose(req *Request, answers []Output) ([]Ring, error) {
	if len(answers) != len(req.sorted) {
		return nil, ErrAnswers
	}
	said := make(map[uint64]*Output, len(answers))
	for i, index := range req.sorted {
		if o := said[index]; o == nil {
			said[index] = &answers[i]
		} else if *o != answers[i] {
			return nil, ErrAnswers
		}
	}
	// All real outputs first: no decoy matters, and none costs time, when the daemon is caught.
	for i := range req.spends {
		s := &req.spends[i]
		if len(s.Members) > 0 {
			continue // not asked for
		}
		switch o := said[s.Index]; {
		case o == nil || o.Key != s.Key || o.Commitment != s.Commitment:
			return nil, ErrRealMissing
		case !o.Unlocked:
			return nil, ErrLocked
		}
	}
	points := make(pointCache)
	rings := make([]Ring, len(req.spends))
	all := make([][]uint64, len(rings))
	for i := range rings {
		rings[i] = req.ring(i, said, points)
		switch n := len(rings[i].Members); {
		case n < xmr.RingSize && len(req.spends[i].Known) > 0:
			return nil, ErrRing
		case n < xmr.RingSize:
			return nil, &TooFewError{Spend: i, Good: n}
		case rings[i].Doubtful > maxDoubtful:
			return nil, ErrDoubtful
		}
		all[i] = rings[i].Indices()
	}
	if !plausible(all, req.total) {
		return nil, ErrUnlikely
	}
	return rings, nil
}

// ring takes the first usable candidates of spend i, or those of the ring that is known.
func (r *Request) ring(i int, said map[uint64]*Output, points pointCache) Ring {
	spend := &r.spends[i]
	real := spend.Member
	if len(spend.Members) > 0 {
		return Ring{Members: spend.Members, Real: slices.Index(spend.Members, real)}
	}
	ring := Ring{Members: append(make([]Member, 0, xmr.RingSize), real)}
	keys := map[xmr.PublicKey]bool{real.Key: true}
	candidates := r.order[i]
	if len(spend.Known) > 0 {
		candidates = spend.Known
	}
	for _, index := range candidates {
		if len(ring.Members) == xmr.RingSize {
			break
		}
		o := said[index]
		if index == real.Index {
			continue
		}
		if !o.Unlocked {
			if index < r.settled {
				ring.Doubtful++
			}
			continue
		}
		if keys[o.Key] || !points.usable(o.Key) || !points.usable(o.Commitment) {
			ring.Doubtful++
			continue
		}
		keys[o.Key] = true
		ring.Members = append(ring.Members, Member{index, o.Key, o.Commitment})
	}
	order.Sort(ring.Members, func(a, b Member) int {
		if a.Index < b.Index {
			return -1
		}
		return 1
	})
	ring.Real = slices.IndexFunc(ring.Members, func(m Member) bool { return m.Index == real.Index })
	return ring
}

// pointCache remembers which encodings are usable: candidates recur across the rings of a transaction.
type pointCache map[[32]byte]bool

// usable reports whether b encodes, canonically, a point of the prime-order subgroup other than the identity.
func (c pointCache) usable(b [32]byte) bool {
	ok, seen := c[b]
	if !seen {
		p, err := edwards.DecodePoint(b)
		ok = err == nil && !p.IsIdentity() && p.IsTorsionFree()
		c[b] = ok
	}
	return ok
}

// plausible reports whether the rings pass the check daemons make before relaying: at least 80% of the members differ and
// their median is not older than 60% of the chain's total outputs. Few members or a young chain always pass.
// Source: src/cryptonote_core/tx_sanity_check.cpp, tx_sanity_check.
func plausible(rings [][]uint64, total uint64) bool {
	var all []uint64
	for _, ring := range rings {
		all = append(all, ring...)
	}
	n := len(all)
	if n <= 10 || total < 10000 {
		return true
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) < n*8/10 {
		return false
	}
	median := all[len(all)/2]
	if len(all)%2 == 0 {
		median = (all[len(all)/2-1] + median) / 2
	}
	return median >= total*6/10
}
