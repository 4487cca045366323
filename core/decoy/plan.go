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

	// Attempts is how often the reference plans anew when Choose returns ErrUnlikely.
	Attempts = 3

	// maxPicks bounds the search for Requested different outputs. Chains barely larger than that take some thousand
	// picks; only a made-up distribution takes many more.
	maxPicks = 1 << 18
)

// Errors of Plan. Nothing was asked of a daemon yet.
var (
	ErrSpends    = errors.New("decoy: outputs to spend must be at least one and all different")
	ErrLocked    = errors.New("decoy: the output to spend is still locked; wait for more blocks")
	ErrKnownRing = errors.New("decoy: the remembered ring does not fit its output; forget it and plan anew")
)

// Member is an output as it stands in a ring.
type Member struct {
	Index      uint64 // global index among RingCT outputs
	Key        xmr.PublicKey
	Commitment [32]byte
}

// Spend is an output to spend, as the wallet knows it.
type Spend struct {
	Member
	// Known holds the ascending global indices of the ring of an earlier attempt, if there was one. Spending again with other
	// decoys would show which member the two rings share.
	Known []uint64
}

// Request is what to ask a daemon for, along with what it must not learn: which outputs are real and in what order the
// others were picked.
type Request struct {
	spends  []Spend
	sorted  []uint64   // Requested indices a spend, ascending within a spend
	order   [][]uint64 // a spend's candidates, best first
	total   uint64
	settled uint64
}

// Plan picks candidates for the rings of one transaction. It returns ErrSpends, ErrLocked, ErrKnownRing, ErrDistribution when the
// distribution lacks the output or yields too few different candidates, or rand's error.
//
// Candidates picked first are preferred later, since each further one depends a little more on those before it. On a chain
// of at most Requested usable outputs all are candidates, oldest first, as in the reference. The reference's splitting of
// candidates around a chain fork, dormant below height 99999999, and its list of outputs known to be spent, empty unless
// a user fills it, have no counterpart.
// Source: src/wallet/wallet2.cpp, get_outs.
func Plan(rand io.Reader, p *Picker, spends []Spend) (*Request, error) {
	if len(spends) == 0 {
		return nil, ErrSpends
	}
	r := &Request{spends: slices.Clone(spends), total: p.total, settled: p.settled}
	s := &source{r: rand}
	reals := make(map[uint64]bool, len(spends))
	for i := range spends {
		if reals[spends[i].Index] {
			return nil, ErrSpends
		}
		reals[spends[i].Index] = true
		order, err := p.candidates(s, &spends[i])
		if err != nil {
			return nil, err
		}
		r.order = append(r.order, order)
		start := len(r.sorted)
		r.sorted = append(r.sorted, order...)
		for len(r.sorted)-start < Requested { // a short chain: the last output fills up
			r.sorted = append(r.sorted, p.usable-1)
		}
		slices.Sort(r.sorted[start:])
	}
	return r, nil
}

// candidates returns at most Requested different indices, the real one among them, those of a known ring first.
func (p *Picker) candidates(s *source, spend *Spend) (order []uint64, err error) {
	if spend.Index >= p.total {
		return nil, ErrDistribution
	}
	if spend.Index >= p.usable {
		return nil, ErrLocked
	}
	seen := make(map[uint64]bool, Requested)
	add := func(index uint64) {
		if !seen[index] {
			seen[index] = true
			order = append(order, index)
		}
	}
	if len(spend.Known) > 0 {
		if len(spend.Known) > xmr.RingSize || !slices.Contains(spend.Known, spend.Index) {
			return nil, ErrKnownRing
		}
		for i, index := range spend.Known {
			if i > 0 && index <= spend.Known[i-1] {
				return nil, ErrKnownRing
			}
			if index < p.usable { // others went with blocks the chain dropped
				add(index)
			}
		}
	}
	if p.usable <= Requested {
		for index := range p.usable {
			add(index)
		}
		return order, nil
	}
	add(spend.Index)
	for range maxPicks {
		if len(order) == Requested {
			return order, nil
		}
		index, ok := p.pick(s)
		if s.err != nil {
			return nil, s.err
		}
		if ok {
			add(index)
		}
	}
	return nil, ErrDistribution
}

// Indices returns the global indices to ask a daemon for, in this order: Requested for each ring in the order of the
// spends, ascending within a ring so that the order tells nothing. Amount 0 goes with each.
func (r *Request) Indices() []uint64 { return slices.Clone(r.sorted) }
