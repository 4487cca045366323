package decoy

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// gammaCDF returns the probability that a gamma variable of the given shape and scale 1 is below x, from the power
// series of the lower incomplete gamma function (DLMF 8.11.4), which converges for every x.
func gammaCDF(shape, x float64) float64 {
	if x <= 0 {
		return 0
	}
	lg, _ := math.Lgamma(shape + 1)
	term, sum := 1.0, 1.0
	for k := 1.0; term > sum*1e-17; k++ {
		term *= x / (shape + k)
		sum += term
	}
	return math.Min(1, sum*math.Exp(shape*math.Log(x)-x-lg))
}

func TestGammaCDF(t *testing.T) {
	require.InDelta(t, 1-math.Exp(-2), gammaCDF(1, 2), 1e-14)
	require.InDelta(t, 1-math.Exp(-3)*(1+3+4.5), gammaCDF(3, 3), 1e-14)
	require.InDelta(t, 1, gammaCDF(19.28, 100), 1e-12)
}

// chiSquare returns how many standard deviations the statistic lies above its mean. For the degrees of freedom used
// here, sixteen occur by chance less than once in 10^20 samples.
func chiSquare(observed []int, expected []float64) float64 {
	var x float64
	for i := range observed {
		d := float64(observed[i]) - expected[i]
		x += d * d / expected[i]
	}
	free := float64(len(observed) - 1)
	return (x - free) / math.Sqrt(2*free)
}

const tolerated = 16

func seeded(n byte) *rand.ChaCha8 { return rand.NewChaCha8([32]byte{n, 'd', 'e', 'c', 'o', 'y'}) }

// TestGammaSampler compares the sampler with the computed distribution in a hundred classes.
func TestGammaSampler(t *testing.T) {
	const n, classes = 400_000, 100
	histogram := func(shape float64) []int {
		s := &source{r: seeded(1)}
		h := make([]int, classes)
		for range n {
			c := int(gammaCDF(gammaShape, s.gamma(shape, gammaScale)/gammaScale) * classes)
			h[min(c, classes-1)]++
		}
		require.NoError(t, s.err)
		return h
	}
	even := make([]float64, classes)
	for i := range even {
		even[i] = float64(n) / classes
	}
	require.Less(t, chiSquare(histogram(gammaShape), even), float64(tolerated))
	require.Greater(t, chiSquare(histogram(gammaShape+0.2), even), float64(tolerated), "the test distinguishes shapes")
}

func TestBelow(t *testing.T) {
	s := &source{r: seeded(2)}
	const n, sides = 140_000, 7
	h, even := make([]int, sides), make([]float64, sides)
	for range n {
		h[s.below(sides)]++
	}
	for i := range even {
		even[i] = float64(n) / sides
	}
	require.Less(t, chiSquare(h, even), float64(tolerated))
	// A modulus slightly above a power of two, where naive reduction doubles the probability of half the range.
	low := 0
	for range 10_000 {
		if v := s.below(3 << 62); v < 1<<62 {
			low++
		}
	}
	require.InDelta(t, 3333, low, 600)
	require.Zero(t, s.below(1))
}

// model is the reference's picking rule, integrated instead of sampled.
type model struct {
	shape, lock, recent float64
	nextBlock           bool // whether a target equal to a cumulative count belongs to the next block
}

var reference = model{shape: 19.28, lock: 1200, recent: 1800}

// probabilities returns the probability of each block and, in the last entry, of no pick.
func (m model) probabilities(cumulative []uint64) []float64 {
	n := len(cumulative)
	const year = 262800
	outputs, span := cumulative[n-1], n
	if n > year {
		outputs, span = outputs-cumulative[n-year-1], year
	}
	spacing := 120 * float64(span) / float64(outputs)
	usable := float64(cumulative[n-10])

	cdf := func(seconds float64) float64 { return gammaCDF(m.shape, math.Log(seconds)*1.61) }
	early := cdf(1200)
	// older is the probability of an age of at least x seconds, counted from the first unlocked output.
	older := func(x float64) float64 {
		p := 1 - math.Max(cdf(x+m.lock), early)
		if whole := math.Ceil(x); whole < m.recent {
			p += early * (m.recent - whole) / m.recent
		}
		return p
	}
	out := make([]float64, n-8)
	total := 0.0
	next := 0.0 // first target of block b
	for b := range n - 9 {
		end := float64(cumulative[b]) + 1
		if m.nextBlock {
			end--
		}
		end = math.Min(end, usable)
		if end <= next {
			continue
		}
		// target v is hit by ages from (usable−1−v)·spacing up to (usable−v)·spacing
		p := older((usable-end)*spacing) - older((usable-next)*spacing)
		next = end
		if b == 0 && cumulative[0] == 0 || b > 0 && cumulative[b] == cumulative[b-1] {
			continue
		}
		out[b] = p
		total += p
	}
	out[n-9] = 1 - total
	return out
}

// irregular returns cumulative counts of a chain whose blocks hold 0 to 150 outputs.
func irregular(blocks int) []uint64 {
	r := rand.New(seeded(9))
	out := make([]uint64, blocks)
	var total uint64
	for i := range out {
		if r.IntN(8) != 0 {
			total += r.Uint64N(100) + uint64(50*i/blocks)
		}
		out[i] = total
	}
	return out
}

// deviation picks n times and compares the picks with the model, in classes of about equal probability.
func deviation(t *testing.T, cumulative []uint64, m model, n, classes int) float64 {
	t.Helper()
	d, err := NewDistribution(1220516, cumulative)
	require.NoError(t, err)
	p, err := NewPicker(d)
	require.NoError(t, err)
	chances := m.probabilities(cumulative)
	class := make([]int, len(chances))
	var expected []float64
	sum := 0.0
	last := len(chances) - 1
	for b := last - 1; b >= 0; b-- {
		class[b] = len(expected)
		if sum += chances[b]; sum >= 1/float64(classes) {
			expected = append(expected, sum*float64(n))
			sum = 0
		}
	}
	if sum > 0 {
		for b := 0; b < last && class[b] == len(expected); b++ {
			class[b]--
		}
		expected[len(expected)-1] += sum * float64(n)
	}
	class[last] = len(expected)
	expected = append(expected, chances[last]*float64(n))

	observed := make([]int, len(expected))
	rand := seeded(3)
	for range n {
		index, ok, err := p.Pick(rand)
		require.NoError(t, err)
		b := last
		if ok {
			require.Less(t, index, p.Usable())
			b = blockOf(cumulative, index)
		}
		observed[class[b]]++
	}
	return chiSquare(observed, expected)
}

func blockOf(cumulative []uint64, index uint64) int {
	lo, hi := 0, len(cumulative)
	for lo < hi {
		if mid := (lo + hi) / 2; cumulative[mid] > index {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// TestPickFollowsReferenceModel covers more and less than a year of blocks, blocks without outputs, a chain younger
// than most ages, and one output per block; changed models show that the test can fail.
func TestPickFollowsReferenceModel(t *testing.T) {
	sparse := make([]uint64, 300)
	single := make([]uint64, 1000)
	for i := range sparse {
		sparse[i] = uint64(i / 20 * 3) // three outputs in every twentieth block
	}
	for i := range single {
		single[i] = uint64(i + 1)
	}
	for name, c := range map[string]struct {
		chain      []uint64
		n, classes int
	}{
		"years":  {irregular(300_000), 400_000, 150},
		"months": {irregular(60_000), 300_000, 150},
		"day":    {irregular(720), 300_000, 50},
		"sparse": {sparse, 200_000, 50},
		"single": {single, 400_000, 400},
	} {
		require.Less(t, deviation(t, c.chain, reference, c.n, c.classes), float64(tolerated), name)
	}
	years := irregular(300_000)
	for name, m := range map[string]model{
		"shape":            {shape: 19.4, lock: 1200, recent: 1800},
		"no lock":          {shape: 19.28, lock: 0, recent: 1800},
		"no recent window": {shape: 19.28, lock: 1200, recent: 1},
		"longer window":    {shape: 19.28, lock: 1200, recent: 2400},
	} {
		require.Greater(t, deviation(t, years, m, 400_000, 150), float64(tolerated), name)
	}
	next := reference
	next.nextBlock = true
	require.Greater(t, deviation(t, single, next, 400_000, 400), float64(tolerated), "boundary")
}

func TestPickWithinBlockIsUniform(t *testing.T) {
	const size, n = 37, 200_000
	chain := make([]uint64, 500_000)
	for i := range chain {
		chain[i] = uint64(i+1) * size
	}
	d, err := NewDistribution(0, chain)
	require.NoError(t, err)
	p, err := NewPicker(d)
	require.NoError(t, err)
	h := make([]int, size)
	rand := seeded(4)
	picked := 0
	for range n {
		index, ok, err := p.Pick(rand)
		require.NoError(t, err)
		if ok {
			h[index%size]++
			picked++
		}
	}
	even := make([]float64, size)
	for i := range even {
		even[i] = float64(picked) / size
	}
	require.Greater(t, picked, n*9/10)
	require.Less(t, chiSquare(h, even), float64(tolerated))
}

func TestLoneNewestOutputIsNeverPicked(t *testing.T) {
	chain := make([]uint64, 40)
	for i := range chain {
		chain[i] = uint64(i + 1)
	}
	d, err := NewDistribution(0, chain)
	require.NoError(t, err)
	p, err := NewPicker(d)
	require.NoError(t, err)
	require.Equal(t, uint64(31), p.Usable())
	rand := seeded(5)
	seen := map[uint64]bool{}
	for range 100_000 {
		if index, ok, _ := p.Pick(rand); ok {
			seen[index] = true
		}
	}
	require.Len(t, seen, 30)
	require.False(t, seen[30])
}

func TestPickReportsFailingRandomness(t *testing.T) {
	d, err := NewDistribution(0, irregular(100))
	require.NoError(t, err)
	p, err := NewPicker(d)
	require.NoError(t, err)
	broken := errors.New("no entropy")
	_, ok, err := p.Pick(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
	require.False(t, ok)
	_, err = Plan(iotest.ErrReader(broken), p, []Spend{{Member: Member{Index: 5}}})
	require.ErrorIs(t, err, broken)
}

func TestDistributionRefusals(t *testing.T) {
	long := func(v ...uint64) []uint64 { return append(v, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7) }
	for _, c := range []struct {
		start uint64
		in    []uint64
		want  error
	}{
		{0, nil, ErrShort},
		{0, make([]uint64, 10), ErrShort},
		{0, long(8), ErrDistribution},
		{0, long(1, 3, 2), ErrDistribution},
		{math.MaxUint64, long(1), ErrDistribution},
		{0, append(long(1), 1<<53), ErrDistribution},
		{0, append(long(1), math.MaxUint64), ErrDistribution},
	} {
		_, err := NewDistribution(c.start, c.in)
		require.ErrorIs(t, err, c.want, "%v", c.in)
	}

	d, err := NewDistribution(100, []uint64{0, 2, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13})
	require.NoError(t, err)
	require.Equal(t, uint64(13), d.Total())
	require.Equal(t, uint64(112), d.Height())
	require.Equal(t, uint64(100), d.Start())
	require.NoError(t, d.CheckHeight(112, 0))
	require.NoError(t, d.CheckHeight(114, 2))
	require.ErrorIs(t, d.CheckHeight(115, 2), ErrDistribution)
	require.ErrorIs(t, d.CheckHeight(0, 2), ErrDistribution)
	for index, height := range map[uint64]uint64{0: 101, 1: 101, 2: 103, 4: 103, 5: 104, 12: 111} {
		require.NoError(t, d.CheckOutput(index, height))
		require.ErrorIs(t, d.CheckOutput(index, height+1), ErrDistribution)
		require.ErrorIs(t, d.CheckOutput(index, height-1), ErrDistribution)
	}
	require.ErrorIs(t, d.CheckOutput(13, 111), ErrDistribution)

	d, err = NewDistribution(0, make([]uint64, 20))
	require.NoError(t, err)
	_, err = NewPicker(d)
	require.ErrorIs(t, err, ErrNoOutputs)
	stale := make([]uint64, yearBlocks+5) // has outputs, but none from the last year
	for i := range stale {
		stale[i] = 500
	}
	d, err = NewDistribution(0, stale)
	require.NoError(t, err)
	_, err = NewPicker(d)
	require.ErrorIs(t, err, ErrNoOutputs)
	locked := make([]uint64, 30)
	locked[29] = 4
	d, err = NewDistribution(0, locked)
	require.NoError(t, err)
	_, err = NewPicker(d)
	require.ErrorIs(t, err, ErrNoOutputs)
}
