package decoy

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/xmr"
)

// chain is an honest daemon: output i has key (2i+1)·G and commitment (2i+2)·G.
type chain struct {
	t       *testing.T
	picker  *Picker
	answers map[uint64]OutputAnswer
}

func newChain(t *testing.T, cumulative []uint64) *chain {
	t.Helper()
	d, err := NewDistribution(0, cumulative)
	require.NoError(t, err)
	p, err := NewPicker(d)
	require.NoError(t, err)
	return &chain{t, p, map[uint64]OutputAnswer{}}
}

// lone returns a chain of usable blocks old enough to be spent, each with one output.
func lone(t *testing.T, usable int) *chain {
	t.Helper()
	cumulative := make([]uint64, usable+9)
	for i := range cumulative {
		cumulative[i] = uint64(i + 1)
	}
	return newChain(t, cumulative)
}

func multiple(n uint64) [32]byte {
	return new(edwards.Point).ScalarBaseMult(edwards.ScalarFromUint64(n)).Encode()
}

func (c *chain) output(index uint64) OutputAnswer {
	o, ok := c.answers[index]
	if !ok {
		o = OutputAnswer{Key: multiple(2*index + 1), Commitment: multiple(2*index + 2), Unlocked: true}
		c.answers[index] = o
	}
	return o
}

func (c *chain) spend(index uint64) Spend {
	o := c.output(index)
	return Spend{Member: Member{index, o.Key, o.Commitment}}
}

func (c *chain) answer(r *Request) []OutputAnswer {
	var out []OutputAnswer
	for _, index := range r.Indices() {
		out = append(out, c.output(index))
	}
	return out
}

func (c *chain) plan(seed byte, spends ...Spend) *Request {
	c.t.Helper()
	r, err := Plan(seeded(seed), c.picker, spends)
	require.NoError(c.t, err)
	return r
}

func requireRing(t *testing.T, c *chain, ring Ring, real uint64) {
	t.Helper()
	require.Len(t, ring.Members, xmr.RingSize)
	require.Equal(t, real, ring.Members[ring.Real].Index)
	for i, m := range ring.Members {
		if i > 0 {
			require.Greater(t, m.Index, ring.Members[i-1].Index)
		}
		o := c.output(m.Index)
		require.Equal(t, Member{m.Index, o.Key, o.Commitment}, m)
		require.True(t, o.Unlocked)
		require.Less(t, m.Index, c.picker.Usable())
	}
	require.Equal(t, len(ring.Members), len(slices.Compact(ring.Indices())))
}

func TestRequestAsksForSeventyFiveSorted(t *testing.T) {
	require.Equal(t, 75, Requested)
	c := newChain(t, irregular(20_000))
	spends := []Spend{c.spend(1000), c.spend(c.picker.Usable() - 1), c.spend(0)}
	r := c.plan(1, spends...)
	asked := r.Indices()
	require.Len(t, asked, 3*Requested)
	for i, s := range spends {
		part := asked[i*Requested : (i+1)*Requested]
		require.True(t, slices.IsSorted(part))
		require.Contains(t, part, s.Index)
		require.Len(t, slices.Compact(slices.Clone(part)), Requested)
		require.Less(t, part[Requested-1], c.picker.Usable())
	}
	rings, err := Choose(r, c.answer(r))
	require.NoError(t, err)
	require.Len(t, rings, 3)
	for i, s := range spends {
		requireRing(t, c, rings[i], s.Index)
		require.Zero(t, rings[i].Doubtful)
		// If no candidate is refused, the decoys are the first fifteen picks.
		want := slices.Clone(r.order[i][:xmr.RingSize])
		slices.Sort(want)
		require.Equal(t, want, rings[i].Indices())
	}
}

func TestRefusedCandidatesAreReplacedInPickingOrder(t *testing.T) {
	c := newChain(t, irregular(20_000))
	s := c.spend(500_000)
	r := c.plan(2, s)
	var torsion [32]byte // the point of order two
	for i := range torsion {
		torsion[i] = 0xff
	}
	torsion[0], torsion[31] = 0xec, 0x7f
	two, err := edwards.DecodePoint(torsion)
	require.NoError(t, err)
	mixed := new(edwards.Point).Add(two, edwards.Base()).Encode()
	negativeZero := [32]byte{0: 1, 31: 0x80}
	offCurve := [32]byte{2}
	_, err = edwards.DecodePoint(offCurve)
	require.Error(t, err)

	bad := []func(o *OutputAnswer){
		func(o *OutputAnswer) { o.Key = torsion },
		func(o *OutputAnswer) { o.Key = mixed },
		func(o *OutputAnswer) { o.Commitment = mixed },
		func(o *OutputAnswer) { o.Key = xmr.PublicKey{1} },
		func(o *OutputAnswer) { o.Commitment = [32]byte{1} },
		func(o *OutputAnswer) { o.Commitment = negativeZero },
		func(o *OutputAnswer) { o.Key = offCurve },
		func(o *OutputAnswer) { o.Key = s.Key },
		func(o *OutputAnswer) { o.Unlocked = false },
	}
	for i, spoil := range bad {
		index := r.order[0][2+i] // order[0][0] is the real output, [1] stays good
		o := c.output(index)
		spoil(&o)
		c.answers[index] = o
	}
	rings, err := Choose(r, c.answer(r))
	require.NoError(t, err)
	requireRing(t, c, rings[0], s.Index)
	require.Equal(t, len(bad), rings[0].Doubtful)
	want := append(slices.Clone(r.order[0][:2]), r.order[0][2+len(bad):xmr.RingSize+len(bad)]...)
	slices.Sort(want)
	require.Equal(t, want, rings[0].Indices())
}

func TestRecentLockedCoinbaseIsNotDoubtful(t *testing.T) {
	c := lone(t, 200) // 209 blocks: coinbases up to block 149 are unlocked
	for index := uint64(150); index < 200; index++ {
		o := c.output(index)
		o.Unlocked = false
		c.answers[index] = o
	}
	require.Equal(t, uint64(150), c.picker.settled)
	r := c.plan(3, c.spend(7))
	rings, err := Choose(r, c.answer(r))
	require.NoError(t, err)
	requireRing(t, c, rings[0], 7)
	require.Zero(t, rings[0].Doubtful)
}

func TestForgedRealOutput(t *testing.T) {
	c := newChain(t, irregular(20_000))
	s := c.spend(400_000)
	r := c.plan(4, s)
	at := slices.Index(r.Indices(), s.Index)
	for name, spoil := range map[string]func(o *OutputAnswer){
		"key":        func(o *OutputAnswer) { o.Key = multiple(5) },
		"commitment": func(o *OutputAnswer) { o.Commitment = multiple(5) },
		"both":       func(o *OutputAnswer) { *o = OutputAnswer{Unlocked: true} },
	} {
		answers := c.answer(r)
		spoil(&answers[at])
		_, err := Choose(r, answers)
		require.ErrorIs(t, err, ErrRealMissing, name)
	}
	answers := c.answer(r)
	answers[at].Unlocked = false
	_, err := Choose(r, answers)
	require.ErrorIs(t, err, ErrLocked)

	answers = c.answer(r)
	for _, wrong := range [][]OutputAnswer{nil, answers[1:], append(slices.Clone(answers), answers[0])} {
		_, err = Choose(r, wrong)
		require.ErrorIs(t, err, ErrAnswers)
	}
	shifted := append(slices.Clone(answers[1:]), answers[0])
	_, err = Choose(r, shifted)
	require.ErrorIs(t, err, ErrRealMissing)
}

func TestDaemonThatRefusesDecoys(t *testing.T) {
	c := newChain(t, irregular(20_000))
	s := c.spend(400_000)
	r := c.plan(5, s)
	answers := c.answer(r)
	for i, index := range r.Indices() {
		if index != s.Index {
			answers[i].Unlocked = false
		}
	}
	_, err := Choose(r, answers)
	require.ErrorIs(t, err, ErrTooFew)
	require.Equal(t, &TooFewError{Spend: 0, Good: 1}, err)

	for i, index := range r.Indices() { // one valid output for all
		answers[i] = c.output(3)
		if index == s.Index {
			answers[i] = c.output(index)
		}
	}
	_, err = Choose(r, answers)
	require.Equal(t, &TooFewError{Spend: 0, Good: 2}, err)
}

func TestContradictingAnswers(t *testing.T) {
	c := lone(t, 30)
	r := c.plan(6, c.spend(3), c.spend(4))
	answers := c.answer(r)
	answers[10].Key = multiple(12345) // output 10 of the first ring; the second ring has it too
	_, err := Choose(r, answers)
	require.ErrorIs(t, err, ErrAnswers)

	r = c.plan(6, c.spend(3))
	answers = c.answer(r)
	answers[60].Key = multiple(12345) // a candidate that only fills the request
	_, err = Choose(r, answers)
	require.ErrorIs(t, err, ErrAnswers)
}

func TestTinyChains(t *testing.T) {
	for _, usable := range []int{16, 17, 30, 74, 75} {
		c := lone(t, usable)
		for _, real := range []uint64{0, uint64(usable) / 2, uint64(usable) - 1} {
			r := c.plan(7, c.spend(real))
			asked := r.Indices()
			require.Len(t, asked, Requested)
			for i, index := range asked {
				require.Equal(t, uint64(min(i, usable-1)), index)
			}
			rings, err := Choose(r, c.answer(r))
			require.NoError(t, err)
			requireRing(t, c, rings[0], real)
			if usable == 16 {
				require.Equal(t, asked[:16], rings[0].Indices())
			}
		}
	}
	// Around the threshold, picking must find nearly all other outputs.
	for _, usable := range []int{76, 77, 80} {
		c := lone(t, usable)
		for _, real := range []uint64{0, uint64(usable) / 2, uint64(usable) - 1} {
			r := c.plan(8, c.spend(real))
			asked := r.Indices()
			require.Len(t, slices.Compact(slices.Clone(asked)), Requested)
			require.Contains(t, asked, real)
			rings, err := Choose(r, c.answer(r))
			require.NoError(t, err)
			requireRing(t, c, rings[0], real)
		}
	}
	c := lone(t, 15)
	r := c.plan(7, c.spend(3))
	_, err := Choose(r, c.answer(r))
	require.Equal(t, &TooFewError{Spend: 0, Good: 15}, err)
	require.ErrorContains(t, err, "15 where 16 are needed; wait for more blocks")
	c = lone(t, 17)
	for i := range uint64(2) {
		o := c.output(10 + i)
		o.Unlocked = false
		c.answers[10+i] = o
	}
	r = c.plan(7, c.spend(3))
	_, err = Choose(r, c.answer(r))
	require.ErrorIs(t, err, ErrTooFew)
}

func TestAllRealOutputsRecent(t *testing.T) {
	c := newChain(t, irregular(20_000))
	var spends []Spend
	for i := range uint64(8) {
		spends = append(spends, c.spend(c.picker.Usable()-1-i))
	}
	r := c.plan(9, spends...)
	rings, err := Choose(r, c.answer(r))
	require.NoError(t, err)
	for i, s := range spends {
		requireRing(t, c, rings[i], s.Index)
	}
}

func TestPlanRefusals(t *testing.T) {
	c := newChain(t, irregular(2000))
	ask := func(spends ...Spend) error {
		_, err := Plan(seeded(10), c.picker, spends)
		return err
	}
	require.ErrorIs(t, ask(), ErrSpends)
	require.ErrorIs(t, ask(c.spend(5), c.spend(6), c.spend(5)), ErrSpends)
	require.ErrorIs(t, ask(c.spend(c.picker.Usable())), ErrLocked)
	require.ErrorIs(t, ask(c.spend(c.picker.total)), ErrDistribution)
	fit := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	for _, known := range [][]uint64{{1, 2, 3}, {1, 5, 5}, {5, 4}, append(slices.Clone(fit), 17), fit[:15],
		{5, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
		append(slices.Clone(fit[:15]), c.picker.Usable())} {
		s := c.spend(5)
		s.Known = known
		require.ErrorIs(t, ask(s), ErrKnownRing)
	}
	for _, asked := range [][]uint64{{1, 2, 3}, {5, c.picker.Usable()}, {5, 5}} {
		s := c.spend(5)
		s.Asked = asked
		require.ErrorIs(t, ask(s), ErrKnownRing)
	}
	s := c.spend(5)
	s.Known = fit
	for _, index := range fit {
		o := c.output(index)
		s.Members = append(s.Members, Member{index, o.Key, o.Commitment})
	}
	require.NoError(t, ask(s))
	s.Members[4].Commitment[0]++
	require.ErrorIs(t, ask(s), ErrKnownRing, "not the output's own commitment")
	s.Members = s.Members[1:]
	require.ErrorIs(t, ask(s), ErrKnownRing)
	huge := make([]uint64, 50)
	for i := range huge {
		huge[i] = 1 << 52
	}
	d, err := NewDistribution(0, huge)
	require.NoError(t, err)
	p, err := NewPicker(d)
	require.NoError(t, err)
	_, err = Plan(seeded(11), p, []Spend{{Member: Member{Index: 1}}})
	require.NoError(t, err, "one huge block is allowed")
	// With very many outputs in the locked blocks, every age exceeds the usable outputs. The search must still end.
	huge = make([]uint64, 109)
	for i := range huge {
		huge[i] = uint64(i + 1)
		if i >= 100 {
			huge[i] = 1 << 50
		}
	}
	d, err = NewDistribution(0, huge)
	require.NoError(t, err)
	p, err = NewPicker(d)
	require.NoError(t, err)
	_, err = Plan(seeded(12), p, []Spend{{Member: Member{Index: 1}}})
	require.ErrorIs(t, err, ErrDistribution)
}

func TestKnownRingIsReused(t *testing.T) {
	c := newChain(t, irregular(20_000))
	s := c.spend(300_000)
	r := c.plan(13, s)
	first, err := Choose(r, c.answer(r))
	require.NoError(t, err)

	s.Known = first[0].Indices()
	again := c.plan(14, s)
	require.Equal(t, s.Known, again.Indices(), "the known ring is used again")
	second, err := Choose(again, c.answer(again))
	require.NoError(t, err)
	require.Equal(t, first, second)
	// The candidates of the earlier attempt are requested again, so that two requests have nothing else in common.
	s.Asked = r.Candidates(0)
	require.Len(t, s.Asked, Requested)
	same := c.plan(15, s)
	require.Equal(t, r.Indices(), same.Indices())
	require.Nil(t, same.Candidates(0), "no new candidates")
	third, err := Choose(same, c.answer(same))
	require.NoError(t, err)
	require.Equal(t, first, third)

	// With known members nothing is requested.
	s.Members = first[0].Members
	known := c.plan(16, s)
	require.Empty(t, known.Indices())
	fourth, err := Choose(known, nil)
	require.NoError(t, err)
	require.Equal(t, first, fourth)

	tiny := lone(t, 20)
	s = tiny.spend(2)
	s.Known = []uint64{2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}
	r = tiny.plan(16, s)
	rings, err := Choose(r, tiny.answer(r))
	require.NoError(t, err)
	require.Equal(t, s.Known, rings[0].Indices())
}

// TestMembersOfAKnownRingAreNotReplaced: when a daemon reports members of a known ring as locked or invalid, no other
// ring is made, because it would share the real output and the remaining members with the first.
func TestMembersOfAKnownRingAreNotReplaced(t *testing.T) {
	c := newChain(t, irregular(20_000))
	s := c.spend(300_000)
	r := c.plan(18, s)
	first, err := Choose(r, c.answer(r))
	require.NoError(t, err)
	s.Asked, s.Known = r.Candidates(0), first[0].Indices()
	for name, spoil := range map[string]func(o *OutputAnswer){
		"locked":  func(o *OutputAnswer) { o.Unlocked = false },
		"no key":  func(o *OutputAnswer) { o.Key = [32]byte{2} },
		"missing": func(o *OutputAnswer) { *o = OutputAnswer{} },
		"ours":    func(o *OutputAnswer) { o.Key = s.Key },
	} {
		for _, index := range s.Known {
			if index == s.Index {
				continue
			}
			again := c.plan(19, s)
			answers := c.answer(again)
			spoil(&answers[slices.Index(again.Indices(), index)])
			_, err := Choose(again, answers)
			require.ErrorIs(t, err, ErrRing, name)
		}
	}
}

// TestManyDoubtfulCandidates: a daemon that refuses candidates until its preferred ones are left is rejected.
func TestManyDoubtfulCandidates(t *testing.T) {
	c := newChain(t, irregular(20_000))
	s := c.spend(300_000)
	r := c.plan(20, s)
	for _, refused := range []int{maxDoubtful, maxDoubtful + 1} {
		answers := c.answer(r)
		for _, index := range r.order[0][1 : 1+refused] {
			answers[slices.Index(r.Indices(), index)].Key = [32]byte{2}
		}
		rings, err := Choose(r, answers)
		if refused > maxDoubtful {
			require.ErrorIs(t, err, ErrDoubtful)
			continue
		}
		require.NoError(t, err)
		requireRing(t, c, rings[0], s.Index)
		require.Equal(t, refused, rings[0].Doubtful)
	}
}

// TestUnlikelyRings checks the rule that daemons apply before relaying.
func TestUnlikelyRings(t *testing.T) {
	ring := func(from, step uint64) (r []uint64) {
		for i := range uint64(16) {
			r = append(r, from+i*step)
		}
		return r
	}
	require.True(t, plausible([][]uint64{ring(6000, 100)}, 10000))
	require.True(t, plausible([][]uint64{ring(5250, 100)}, 10000), "median 6000")
	require.False(t, plausible([][]uint64{ring(5249, 100)}, 10000), "median 5999")
	require.True(t, plausible([][]uint64{ring(0, 1)}, 9999), "young chain")
	require.False(t, plausible([][]uint64{ring(9000, 1), ring(9000, 1)}, 10000), "half of them twice")
	require.False(t, plausible([][]uint64{ring(9000, 1), ring(9008, 1)}, 10000), "24 of 32 differ")
	require.True(t, plausible([][]uint64{ring(9000, 1), ring(9009, 1)}, 10000), "25 of 32 differ")

	c := newChain(t, irregular(20_000))
	s := c.spend(5)
	s.Known = []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	r := c.plan(17, s)
	_, err := Choose(r, c.answer(r))
	require.ErrorIs(t, err, ErrUnlikely)
}
