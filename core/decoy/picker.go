package decoy

import (
	"io"
	"math"
	"sort"

	"glim/core/xmr"
)

// The age of spent outputs, as the logarithm of seconds, follows a gamma distribution.
// Source: src/wallet/wallet2.cpp, GAMMA_SHAPE, GAMMA_SCALE; Möser et al., "An Empirical Analysis of Traceability in the
// Monero Blockchain", section 5, https://arxiv.org/abs/1704.04299.
const (
	gammaShape = 19.28
	gammaScale = 1 / 1.61

	lockSeconds   = xmr.SpendableAge * xmr.TargetSeconds // DEFAULT_UNLOCK_TIME
	recentSeconds = 15 * xmr.TargetSeconds               // RECENT_SPEND_WINDOW
	yearBlocks    = 365 * 86400 / xmr.TargetSeconds
)

// Picker draws global indices of RingCT outputs with the reference's preference for recent ones. It is immutable.
type Picker struct {
	total   uint64   // outputs of the whole distribution
	settled uint64   // outputs of blocks whose coinbase outputs are unlocked
	blocks  []uint64 // cumulative counts of the blocks old enough to be spent
	usable  uint64   // outputs of those blocks
	spacing float64  // seconds between two outputs, on average over the last year
}

// NewPicker returns a picker for a transaction in the block after d's last. It returns ErrNoOutputs when no output is
// old enough or the last year has none.
// Source: src/wallet/wallet2.cpp, gamma_picker::gamma_picker.
func NewPicker(d *Distribution) (*Picker, error) {
	n := len(d.cumulative)
	p := &Picker{total: d.Total(), blocks: d.cumulative[:n-(xmr.SpendableAge-1)]}
	p.usable = p.blocks[len(p.blocks)-1]
	if n >= xmr.CoinbaseUnlock {
		p.settled = d.cumulative[n-xmr.CoinbaseUnlock]
	}
	span := min(n, yearBlocks)
	outputs := d.Total()
	if span < n {
		outputs -= d.cumulative[n-span-1]
	}
	if p.usable == 0 || outputs == 0 {
		return nil, ErrNoOutputs
	}
	p.spacing = float64(xmr.TargetSeconds*span) / float64(outputs)
	return p, nil
}

// Usable returns the number of outputs old enough to be spent; Pick returns indices below it.
func (p *Picker) Usable() uint64 { return p.usable }

// Pick draws one global index. If ok is false, the drawn age exceeds the age of the chain or belongs to an empty block,
// and the caller draws again. It returns rand's error.
// Source: src/wallet/wallet2.cpp, gamma_picker::pick.
func (p *Picker) Pick(rand io.Reader) (index uint64, ok bool, err error) {
	s := &source{r: rand}
	index, ok = p.pick(s)
	if s.err != nil {
		return 0, false, s.err
	}
	return index, ok, nil
}

func (p *Picker) pick(s *source) (index uint64, ok bool) {
	// Ages count from the end of the chain, outputs from the newest unlocked one; hence the shift. The distribution was
	// measured without the lock: an output that would have been spent at an age below the lock is now spent soon after
	// it ends.
	age := math.Exp(s.gamma(gammaShape, gammaScale))
	if age > lockSeconds {
		age -= lockSeconds
	} else {
		age = float64(s.below(recentSeconds))
	}
	back := age / p.spacing
	if !(back < float64(p.usable)) {
		return 0, false
	}
	target := p.usable - 1 - uint64(back)
	// The reference takes the first block whose cumulative count reaches target, although output number target is in
	// the next block when the two are equal. glim does the same, so that its rings do not stand out.
	b := sort.Search(len(p.blocks), func(i int) bool { return p.blocks[i] >= target })
	var first uint64
	if b > 0 {
		first = p.blocks[b-1]
	}
	n := p.blocks[b] - first
	if n == 0 {
		return 0, false
	}
	return first + s.below(n), true
}
