package decoy

import (
	"errors"
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/internal/smallsort"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Errors about a daemon's answer to a Request. Nothing was signed.
var (
	ErrAnswers = errors.New("decoy: the daemon did not answer for exactly the requested outputs; choose another " +
		"daemon")
	ErrRealMissing = errors.New("decoy: the daemon's answer differs from the wallet's own output; choose another " +
		"daemon and rescan")
	ErrTooFew   = errors.New("decoy: not enough usable outputs for a ring")
	ErrUnlikely = errors.New("decoy: daemons would not relay the transaction: its ring members are too old or " +
		"too few of them differ; spend the output together with newer ones")
	ErrDoubtful = errors.New("decoy: the daemon reports more ring candidates as locked or invalid than a chain has; " +
		"choose another daemon")
	ErrRing = errors.New("decoy: the daemon reports members of the remembered ring as locked or invalid, and no " +
		"other ring may be used; choose another daemon")
)

// TooFewError is ErrTooFew with details.
type TooFewError struct {
	Spend int // index of the spend
	Good  int // usable outputs, the real one included
}

// Error returns the message with the number of outputs.
func (e *TooFewError) Error() string {
	return smallfmt.Sprintf("%v: %d where %d are needed; wait for more blocks or choose another "+
		"daemon", ErrTooFew, e.Good, xmr.RingSize)
}

// Unwrap returns ErrTooFew.
func (e *TooFewError) Unwrap() error { return ErrTooFew }

// OutputAnswer is a daemon's answer for one requested output: its one-time key, its commitment, and whether it can be
// spent now.
type OutputAnswer struct {
	Key        xmr.PublicKey
	Commitment [32]byte
	Unlocked   bool
}

// Ring is a finished ring of xmr.RingSize members.
type Ring struct {
	Members []Member // by ascending global index
	Real    int      // position of the output spent
	// Doubtful counts candidates that were skipped for reasons that are rare with honest daemons: locked although older
	// than any coinbase lock, or not a usable point. Choose returns ErrDoubtful if there are many.
	Doubtful int
}

// Indices returns the members' global indices, ascending: keep them as Spend.Known.
func (r *Ring) Indices() []uint64 {
	out := make([]uint64, len(r.Members))
	for i := range r.Members {
		out[i] = r.Members[i].Index
	}
	return out
}

// Choose builds the rings of req, in the order of its spends, from a daemon's answers, which are in the order of
// req.Indices.
//
// It returns ErrAnswers if answers are missing or contradictory; ErrRealMissing if the daemon does not confirm a real
// output; ErrLocked if it reports a real output as locked; ErrRing if a member of a remembered ring cannot be used; a
// *TooFewError; ErrDoubtful; or ErrUnlikely if honest nodes would not relay the rings. Decoys are unlocked, their keys
// and commitments are canonical points of the prime-order subgroup other than its identity, and keys differ within a
// ring.
//
// A malicious daemon can still forge the keys of decoys; then the network rejects the transaction. Any retry must pass
// the ring as Spend.Known and Spend.Members: two different rings would share little more than the real output, and if
// members changed, a daemon could vary its forged keys until it knows which member is real.
// Source: src/wallet/wallet2.cpp, get_outs and tx_add_fake_output.
func Choose(req *Request, answers []OutputAnswer) ([]Ring, error) {
	if len(answers) != len(req.sorted) {
		return nil, ErrAnswers
	}
	said := make(map[uint64]*OutputAnswer, len(answers))
	for i, index := range req.sorted {
		if o := said[index]; o == nil {
			said[index] = &answers[i]
		} else if *o != answers[i] {
			return nil, ErrAnswers
		}
	}
	// Check all real outputs first: without them no decoy is worth checking.
	for i := range req.spends {
		s := &req.spends[i]
		if len(s.Members) > 0 {
			continue // not requested
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

// ring returns the first usable candidates of spend i, or the known ring.
func (r *Request) ring(i int, said map[uint64]*OutputAnswer, points pointCache) Ring {
	spend := &r.spends[i]
	realMember := spend.Member
	if len(spend.Members) > 0 {
		return Ring{Members: spend.Members, Real: slices.Index(spend.Members, realMember)}
	}
	ring := Ring{Members: append(make([]Member, 0, xmr.RingSize), realMember)}
	keys := map[xmr.PublicKey]bool{realMember.Key: true}
	candidates := r.order[i]
	if len(spend.Known) > 0 {
		candidates = spend.Known
	}
	for _, index := range candidates {
		if len(ring.Members) == xmr.RingSize {
			break
		}
		o := said[index]
		if index == realMember.Index {
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
	smallsort.Sort(ring.Members, func(a, b Member) int {
		if a.Index < b.Index {
			return -1
		}
		return 1
	})
	ring.Real = slices.IndexFunc(ring.Members, func(m Member) bool { return m.Index == realMember.Index })
	return ring
}

// pointCache caches which encodings are usable: candidates recur across the rings of a transaction.
type pointCache map[[32]byte]bool

// usable reports whether b is the canonical encoding of a point of the prime-order subgroup other than its identity.
func (c pointCache) usable(b [32]byte) bool {
	ok, seen := c[b]
	if !seen {
		p, err := edwards.DecodePoint(b)
		ok = err == nil && !p.IsIdentity() && p.IsTorsionFree()
		c[b] = ok
	}
	return ok
}

// plausible reports whether the rings pass the check that daemons make before relaying: at least 80% of the members
// differ, and their median is not older than 60% of the chain's outputs. Few members or a young chain always pass.
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
