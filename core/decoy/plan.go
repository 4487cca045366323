package decoy

import (
	"errors"
	"io"
	"slices"

	"glim/core/xmr"
)

const (
	// Requested is how many outputs a daemon is asked for per ring: half as many again as needed and one, plus one for every
	// block in which a coinbase output is still locked when others are not.
	// Source: src/wallet/wallet2.cpp, get_outs.
	Requested = xmr.RingSize*3/2 + 1 + xmr.CoinbaseUnlock - xmr.SpendableAge

	// Chunk is how many outputs the reference asks for in one call; longer requests are sent in several, in order.
	Chunk = 1000

	// Attempts is how often the reference picks decoys before it gives up on rings that look unusual.
	Attempts = 3

	// maxDoubtful is how many candidates of a ring may be passed over as Ring.Doubtful before the daemon is not believed.
	// An honest daemon has one or two: few outputs of the chain have a lock of years or a key that nobody can decode.
	maxDoubtful = Requested / 5

	// maxPicks bounds the search for Requested different outputs. Chains barely larger than that take some thousand
	// picks; only a made-up distribution takes many more.
	maxPicks = 1 << 18
)

// Errors of Plan. Nothing was asked of a daemon yet.
var (
	ErrSpends    = errors.New("decoy: outputs to spend must be at least one and all different")
	ErrLocked    = errors.New("decoy: the output to spend is still locked; wait for more blocks")
	ErrKnownRing = errors.New("decoy: the remembered ring does not fit its output or the chain")
)

// Member is an output as it stands in a ring.
type Member struct {
	Index      uint64 // global index among RingCT outputs
	Key        xmr.PublicKey
	Commitment [32]byte
}

// Spend is an output to spend, as the wallet knows it, with what an earlier attempt to spend it left. Other decoys than those of an
// earlier attempt would show the output: it is what the two attempts have in common.
type Spend struct {
	Member
	// Asked holds the candidates that a daemon was asked for before, as Request.Candidates returned them. No others are asked for.
	Asked []uint64
	// Known holds the ascending global indices of the ring. Choose returns no other ring.
	Known []uint64
	// Members are the members of Known, as a daemon gave them before. No daemon is asked for them again.
	Members []Member
}

// Request is what to ask a daemon for, along with what it must not learn: which outputs are real and in what order the
// others were picked.
type Request struct {
	spends  []Spend
	sorted  []uint64   // Requested indices a spend, ascending within a spend; none for a spend with Members
	order   [][]uint64 // a spend's candidates, best first
	picked  []bool     // the spends whose candidates were picked for this request
	total   uint64
	settled uint64
}

// Plan picks candidates for the rings of one transaction. It returns ErrSpends, ErrLocked, ErrKnownRing when what an earlier attempt
// left does not fit, ErrDistribution when the distribution lacks the output or yields too few different candidates, or rand's error.
//
// Candidates picked first are preferred later, since each further one depends a little more on those before it. When the rings of
// the first candidates look unusual Plan picks anew, at most Attempts times in all: nothing was asked of a daemon yet. On a chain
// of at most Requested usable outputs all are candidates, oldest first, as in the reference. The reference's splitting of
// candidates around a chain fork, dormant below height 99999999, and its list of outputs known to be spent, empty unless
// a user fills it, have no counterpart.
// Source: src/wallet/wallet2.cpp, get_outs.
func Plan(rand io.Reader, p *Picker, spends []Spend) (*Request, error) {
	for attempt := 1; ; attempt++ {
		r, err := plan(rand, p, spends)
		if err != nil || attempt == Attempts || !slices.Contains(r.picked, true) || r.likely() {
			return r, err
		}
	}
}

func plan(rand io.Reader, p *Picker, spends []Spend) (*Request, error) {
	if len(spends) == 0 {
		return nil, ErrSpends
	}
	r := &Request{spends: slices.Clone(spends), total: p.total, settled: p.settled}
	s := &source{r: rand}
	reals := make(map[uint64]bool, len(spends))
	for i := range spends {
		spend := &spends[i]
		if reals[spend.Index] {
			return nil, ErrSpends
		}
		reals[spend.Index] = true
		order, picked, err := p.candidates(s, spend)
		if err != nil {
			return nil, err
		}
		r.order, r.picked = append(r.order, order), append(r.picked, picked && p.usable > Requested)
		if len(spend.Members) > 0 {
			continue
		}
		start := len(r.sorted)
		r.sorted = append(r.sorted, order...)
		for picked && len(r.sorted)-start < Requested { // a short chain: the last output fills up
			r.sorted = append(r.sorted, p.usable-1)
		}
		slices.Sort(r.sorted[start:])
	}
	return r, nil
}

// candidates returns at most Requested different indices, the real one among them: those of an earlier attempt, or else
// picked ones.
func (p *Picker) candidates(s *source, spend *Spend) (order []uint64, picked bool, err error) {
	if spend.Index >= p.total {
		return nil, false, ErrDistribution
	}
	if spend.Index >= p.usable {
		return nil, false, ErrLocked
	}
	if !p.Fits(spend) {
		return nil, false, ErrKnownRing
	}
	switch {
	case len(spend.Asked) > 0:
		return spend.Asked, false, nil
	case len(spend.Known) > 0:
		return spend.Known, false, nil
	case p.usable <= Requested:
		for index := range p.usable {
			order = append(order, index)
		}
		return order, true, nil
	}
	seen := make(map[uint64]bool, Requested)
	add := func(index uint64) {
		if !seen[index] {
			seen[index] = true
			order = append(order, index)
		}
	}
	add(spend.Index)
	for range maxPicks {
		if len(order) == Requested {
			return order, true, nil
		}
		index, ok := p.pick(s)
		if s.err != nil {
			return nil, false, s.err
		}
		if ok {
			add(index)
		}
	}
	return nil, false, ErrDistribution
}

// Fits reports whether what an earlier attempt to spend an output left can be used on this chain. Otherwise Plan returns ErrKnownRing.
func (p *Picker) Fits(spend *Spend) bool {
	for _, list := range [][]uint64{spend.Asked, spend.Known} {
		sorted := slices.Clone(list)
		slices.Sort(sorted)
		n := len(sorted)
		if n > 0 && (sorted[n-1] >= p.usable || !ascending(sorted) || !slices.Contains(list, spend.Index)) {
			return false
		}
	}
	known, members := spend.Known, spend.Members
	if len(known) > 0 && (len(known) != xmr.RingSize || !ascending(known)) || len(members) > 0 && len(members) != len(known) {
		return false
	}
	for i := range members {
		if members[i].Index != known[i] || members[i].Index == spend.Index && members[i] != spend.Member {
			return false
		}
	}
	return true
}

func ascending(list []uint64) bool {
	for i := 1; i < len(list); i++ {
		if list[i] <= list[i-1] {
			return false
		}
	}
	return true
}

// likely reports whether the rings look usual if the daemon has nothing against the first candidates.
func (r *Request) likely() bool {
	rings := make([][]uint64, len(r.spends))
	for i := range rings {
		if rings[i] = r.spends[i].Known; len(rings[i]) == 0 {
			rings[i] = r.order[i][:min(len(r.order[i]), xmr.RingSize)]
		}
	}
	return plausible(rings, r.total)
}

// Candidates returns the candidates of spend i, best first: what to keep as Spend.Asked, durably, before a daemon is asked. It returns
// nil when they are those of an earlier attempt, and on a chain so short that all its outputs are candidates.
func (r *Request) Candidates(i int) []uint64 {
	if !r.picked[i] {
		return nil
	}
	return slices.Clone(r.order[i])
}

// Indices returns the global indices to ask a daemon for, in this order: Requested for each ring in the order of the
// spends, ascending within a ring so that the order tells nothing. A ring that an earlier attempt left takes as many as it left, or none
// when its members are known. Amount 0 goes with each.
func (r *Request) Indices() []uint64 { return slices.Clone(r.sorted) }
