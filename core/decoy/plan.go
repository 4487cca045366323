package decoy

import (
	"errors"
	"io"
	"slices"

	"glim/core/xmr"
)

const (
	// Requested is the number of outputs to request per ring: one and a half times the ring size, one more, and one for
	// every block whose coinbase output is still locked when its other outputs are not.
	// Source: src/wallet/wallet2.cpp, get_outs.
	Requested = xmr.RingSize*3/2 + 1 + xmr.CoinbaseUnlock - xmr.SpendableAge

	// Chunk is how many outputs the reference requests in one call; it splits longer requests, in order.
	Chunk = 1000

	// Attempts is how often the reference picks decoys before it gives up on rings that look unusual.
	Attempts = 3

	// maxDoubtful is the most Ring.Doubtful candidates per ring. With an honest daemon there are one or two, because
	// few outputs of the chain are locked for years or have an invalid key.
	maxDoubtful = Requested / 5

	// maxPicks limits the search for Requested different outputs. Chains with barely more outputs need a few thousand
	// picks; only a forged distribution needs many more.
	maxPicks = 1 << 18
)

// Errors of Plan, before any request to a daemon.
var (
	ErrSpends    = errors.New("decoy: outputs to spend must be at least one and all different")
	ErrLocked    = errors.New("decoy: the output to spend is still locked; wait for more blocks")
	ErrKnownRing = errors.New("decoy: the remembered ring does not fit its output or the chain")
)

// Member is an output in a ring.
type Member struct {
	Index      uint64 // global index among RingCT outputs
	Key        xmr.PublicKey
	Commitment [32]byte
}

// Spend is an output to spend, with the data of an earlier attempt to spend it. If the attempts had different decoys,
// the only common member would identify the output.
type Spend struct {
	Member
	// Asked holds the candidates of earlier requests, as Request.Candidates returned them. No others are requested.
	Asked []uint64
	// Known holds the ascending global indices of the ring, if it is fixed. Choose returns no other ring.
	Known []uint64
	// Members are the members of Known, as received earlier. They are not requested again.
	Members []Member
}

// Request lists the outputs to request from a daemon. It also holds data that must stay secret from the daemon: which
// outputs are real, and the order in which the others were picked.
type Request struct {
	spends  []Spend
	sorted  []uint64   // Requested indices per spend, ascending within a spend; none for a spend with Members
	order   [][]uint64 // candidates per spend, best first
	picked  []bool     // the spends whose candidates were picked for this request
	total   uint64
	settled uint64
}

// Plan picks candidates for the rings of one transaction. It returns ErrSpends, ErrLocked, ErrKnownRing if the data of
// an earlier attempt does not fit, ErrDistribution if the distribution lacks the output or has too few candidates, or
// the error of rand.
//
// Choose prefers candidates that were picked first, because each later one depends slightly on the earlier ones. When
// the rings of the first candidates look unusual, Plan picks again, at most Attempts times in all; no request has been
// sent by then. On a chain with at most Requested usable outputs all are candidates, oldest first, as in the reference.
// Two features of the reference are omitted: splitting candidates at a chain fork, which is inactive below height
// 99999999, and the list of outputs known to be spent, which is empty unless a user fills it.
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
		for picked && len(r.sorted)-start < Requested { // a short chain: repeat the last output
			r.sorted = append(r.sorted, p.usable-1)
		}
		slices.Sort(r.sorted[start:])
	}
	return r, nil
}

// candidates returns at most Requested different indices including the real one: those of an earlier attempt, or newly
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

// Fits reports whether the data of an earlier attempt to spend an output is valid on this chain. Otherwise Plan returns
// ErrKnownRing.
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
	if len(known) > 0 && (len(known) != xmr.RingSize || !ascending(known)) ||
		len(members) > 0 && len(members) != len(known) {
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

// likely reports whether the rings look usual if the daemon accepts all first candidates.
func (r *Request) likely() bool {
	rings := make([][]uint64, len(r.spends))
	for i := range rings {
		if rings[i] = r.spends[i].Known; len(rings[i]) == 0 {
			rings[i] = r.order[i][:min(len(r.order[i]), xmr.RingSize)]
		}
	}
	return plausible(rings, r.total)
}

// Candidates returns the candidates of spend i, best first. Keep them durably as Spend.Asked before the request is
// sent. It returns nil if they are the candidates of an earlier attempt, or if the chain is so short that all its
// outputs are candidates.
func (r *Request) Candidates(i int) []uint64 {
	if !r.picked[i] {
		return nil
	}
	return slices.Clone(r.order[i])
}

// Indices returns the global indices to request, in this order: Requested for each ring in the order of the spends,
// ascending within a ring so that the order reveals nothing. A ring of an earlier attempt has as many indices as in
// that attempt, or none if its members are known. All outputs have amount 0.
func (r *Request) Indices() []uint64 { return slices.Clone(r.sorted) }
