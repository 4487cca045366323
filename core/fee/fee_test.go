package fee

import (
	"bufio"
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/require"

	"glim/core/xmr"
)

// TestSizesOfReference compares sizes with a table printed by the reference's wallet service. The first lines of the
// table name the source.
func TestSizesOfReference(t *testing.T) {
	f, err := os.Open("testdata/sizes.txt")
	require.NoError(t, err)
	defer f.Close()
	rows := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		var in, ring, out, rct int
		var size, weight uint64
		n, err := fmt.Sscan(line, &in, &ring, &out, &rct, &size, &weight)
		require.NoError(t, err)
		require.Equal(t, 6, n)
		s, w, err := RPCEstimate(Shape{Inputs: in, RingSize: ring, Outputs: out}, rct == 1)
		require.NoError(t, err)
		require.Equal(t, size, s, line)
		require.Equal(t, weight, w, line)
		rows++
	}
	require.Equal(t, 348, rows)
}

func TestShapeLimits(t *testing.T) {
	for _, s := range []Shape{
		{}, {Inputs: -1}, {Inputs: 1, RingSize: -1}, {Inputs: 1, Outputs: -1}, {Inputs: 1, Extra: -1},
		{Inputs: math.MaxInt32}, {Inputs: 1, Outputs: math.MaxInt32}} {
		require.ErrorIs(t, s.Check(), ErrShape, "%+v", s)
	}
	_, _, err := RPCEstimate(Shape{Outputs: 2}, true)
	require.ErrorIs(t, err, ErrShape)
	require.NoError(t, Shape{Inputs: 1, RingSize: 16, Outputs: 2}.Check())
}

// The levels that monerod 0.18.0.0 returned on regtest, for an empty chain and for one of 101 blocks.
var regtestFees = []uint64{1200000, 4700000, 19000000, 240000000}

func TestComputeMatchesRealAnswers(t *testing.T) {
	require.Equal(t, Levels(regtestFees), Compute(FirstReward, 0, 0))
	// get_miner_data of that chain at height 101: already_generated_coins 3535693871620981.
	require.Equal(t, Levels(regtestFees), Compute((math.MaxUint64-3535693871620981)>>19, 300000, 300000))
	// Mainnet in tail emission with uncongested blocks.
	require.Equal(t, Levels{20000, 80000, 320000, 4000000}, Compute(TailReward, 300000, 300000))
}

// TestComputeMatchesPaper checks the cases of MoneroScaling2021-02.pdf that the reference repeats in
// tests/unit_tests/scaling_2021.cpp, wallet_fee_cases_from_pdf: reward and medians to levels.
func TestComputeMatchesPaper(t *testing.T) {
	for _, c := range []struct {
		reward, short, long uint64
		want                Levels
	}{
		{TailReward, 300000, 300000, Levels{20000, 80000, 320000, 4000000}},
		{TailReward, 15000000, 300000, Levels{20000, 80000, 320000, 1300000}},
		{TailReward, 1425000, 1425000, Levels{890, 3600, 68000, 850000}},
		{TailReward, 1500000, 1500000, Levels{800, 3200, 64000, 800000}},
		{TailReward, 75000000, 1500000, Levels{800, 3200, 64000, 260000}},
	} {
		require.Equal(t, c.want, Compute(c.reward, c.short, c.long), "%+v", c)
	}
}

// TestCeilingIsReachedAndNeverExceeded checks many rewards and medians: NewEstimate accepts all levels that honest
// daemons compute.
func TestCeilingIsReachedAndNeverExceeded(t *testing.T) {
	for _, network := range []xmr.Network{xmr.Mainnet, xmr.Regtest} {
		c := CeilingFor(network)
		_, err := NewEstimate(c, append([]uint64{}, c.perByte[:]...), Quantum)
		require.NoError(t, err)
	}
	honest := func(reward uint64, short, long uint32) bool {
		short, long = short%60_000_000, long%40_000_000 // above these, the formula yields zero
		main := Compute(TailReward, uint64(short), uint64(long))
		test := Compute(TailReward+reward%(FirstReward-TailReward+1), uint64(short), uint64(long))
		_, errMain := NewEstimate(CeilingFor(xmr.Mainnet), main[:], Quantum)
		_, errTest := NewEstimate(CeilingFor(xmr.Regtest), test[:], Quantum)
		return errMain == nil && errTest == nil
	}
	require.NoError(t, quick.Check(honest, &quick.Config{MaxCount: 20000}))
	for m := uint64(299_999); m < 301_000; m++ { // where integer division rounds most
		l := Compute(FirstReward, m, m)
		_, err := NewEstimate(CeilingFor(xmr.Stagenet), l[:], Quantum)
		require.NoError(t, err, m)
	}
}

func TestForgedFeeEstimates(t *testing.T) {
	main := CeilingFor(xmr.Mainnet)
	good := []uint64{20000, 80000, 320000, 4000000}
	e, err := NewEstimate(main, good, 10000)
	require.NoError(t, err)
	require.Equal(t, Levels(good), e.Levels())

	var high *TooHighError
	_, err = NewEstimate(main, regtestFees, 10000)
	require.ErrorAs(t, err, &high)
	require.Equal(t, &TooHighError{Asked: 1200000, Limit: 20000, PerByte: true}, high)
	require.Contains(t, err.Error(), "choose another daemon")
	for i := range good {
		bad := append([]uint64{}, good...)
		bad[i] = math.MaxUint64
		_, err = NewEstimate(main, bad, 10000)
		require.Error(t, err)
	}
	for _, c := range []struct {
		fees []uint64
		mask uint64
		want error
	}{
		{nil, 10000, ErrLevels},
		{good[:3], 10000, ErrLevels},
		{append([]uint64{1}, good...), 10000, ErrLevels},
		{[]uint64{0, 80000, 320000, 4000000}, 10000, ErrLevels},
		{[]uint64{20000, 10000, 320000, 4000000}, 10000, ErrLevels},
		{[]uint64{19999, 80000, 320000, 4000000}, 10000, ErrUnrounded},
		{[]uint64{20000, 80000, 320000, 3990000}, 10000, ErrUnrounded},
		{good, 0, ErrQuantum},
		{good, 1, ErrQuantum},
		{good, 1 << 40, ErrQuantum},
	} {
		_, err := NewEstimate(main, c.fees, c.mask)
		require.ErrorIs(t, err, c.want, "%v %d", c.fees, c.mask)
	}
	_, err = NewEstimate(Ceiling{}, good, 10000)
	require.ErrorAs(t, err, &high, "a forgotten ceiling allows nothing")
}

func TestFee(t *testing.T) {
	e, err := NewEstimate(CeilingFor(xmr.Mainnet), []uint64{20000, 80000, 320000, 4000000}, 10000)
	require.NoError(t, err)
	w := Shape{Inputs: 2, RingSize: 16, Outputs: 2, Extra: TypicalExtra}.Weight()
	require.Equal(t, uint64(2215), w)
	for p, perByte := range map[Priority]uint64{
		Default: 20000, Slow: 20000, Normal: 80000, Fast: 320000, Fastest: 4000000, 9: 4000000,
	} {
		require.Equal(t, perByte, e.PerByte(p))
		fee, err := e.Fee(p, w)
		require.NoError(t, err)
		require.Equal(t, perByte*w, fee)
	}
	// A false weight cannot raise a fee above that of the heaviest transaction.
	var high *TooHighError
	_, err = e.Fee(Slow, MaxWeight+1)
	require.ErrorAs(t, err, &high)
	require.Equal(t, uint64(20000*MaxWeight), high.Limit)
	_, err = e.Fee(Fastest, math.MaxUint64)
	require.ErrorIs(t, err, ErrOverflow)

	// An odd level, so that rounding matters.
	e, err = NewEstimate(CeilingFor(xmr.Mainnet), []uint64{890, 3600, 68000, 850000}, 10000)
	require.NoError(t, err)
	fee, err := e.Fee(Slow, 1537)
	require.NoError(t, err)
	require.Equal(t, uint64(1370000), fee) // 1367930
}

func TestCeilingCheck(t *testing.T) {
	c := CeilingFor(xmr.Mainnet)
	require.NoError(t, c.Check(2215*20000, Slow, 2215))
	err := c.Check(2215*20000+1, Slow, 2215)
	var high *TooHighError
	require.ErrorAs(t, err, &high)
	require.Equal(t, TooHighError{Asked: 44300001, Limit: 44300000}, *high)
	require.Contains(t, err.Error(), "0.000044300001 XMR")
	require.NoError(t, c.Check(2215*4000000, Fastest, 2215))
	require.Error(t, c.Check(math.MaxUint64, Fastest, math.MaxUint64))
}

func TestFromWeightProperties(t *testing.T) {
	property := func(perByte, weight, mask uint64, narrow uint8) bool {
		perByte >>= narrow % 64
		weight >>= (narrow / 4) % 64
		mask >>= narrow % 50
		exact := new(big.Int).Mul(new(big.Int).SetUint64(perByte), new(big.Int).SetUint64(weight))
		m := new(big.Int).SetUint64(max(mask, 1))
		up := new(big.Int).Add(exact, new(big.Int).Sub(m, big.NewInt(1)))
		up.Div(up, m).Mul(up, m)
		fee, err := FromWeight(perByte, weight, mask)
		if !up.IsUint64() {
			return err == ErrOverflow && fee == 0
		}
		return err == nil && fee == up.Uint64()
	}
	require.NoError(t, quick.Check(property, &quick.Config{MaxCount: 50000}))
	fee, err := FromWeight(math.MaxUint64, 1, 10000)
	require.ErrorIs(t, err, ErrOverflow)
	require.Zero(t, fee)
}

func TestRoundUp(t *testing.T) {
	for v, want := range map[uint64]uint64{
		0: 0, 9: 9, 99: 99, 100: 100, 101: 110, 999: 1000, 1001: 1100, 35184372: 36000000,
		math.MaxUint64: math.MaxUint64, 9_900_000_000_000_000_001: 10_000_000_000_000_000_000,
	} {
		require.Equal(t, want, RoundUp(v), v)
	}
}

func TestMinimum(t *testing.T) {
	// tests/unit_tests/scaling_2021.cpp, relay_fee_cases_from_pdf
	for _, c := range [][3]uint64{
		{1200000000000, 300000, 38000},
		{1200000000000, 1425000, 1684},
		{1200000000000, 1500000, 1520},
		{600000000000, 300000, 19000},
		{600000000000, 1425000, 842},
		{600000000000, 1500000, 760},
		{600000000000, 0, 19000},
	} {
		require.Equal(t, c[2], Minimum(c[0], c[1]), "%v", c)
	}
	require.Equal(t, uint64(1), Minimum(TailReward, math.MaxUint32))
	below := func(reward uint64, m uint32) bool {
		reward = TailReward + reward%(FirstReward-TailReward+1)
		return Minimum(reward, uint64(m)) <= max(1, Compute(reward, uint64(m), uint64(m))[0])
	}
	require.NoError(t, quick.Check(below, nil))
}

func TestResolve(t *testing.T) {
	e, err := NewEstimate(CeilingFor(xmr.Mainnet), []uint64{20000, 80000, 320000, 4000000}, 10000)
	require.NoError(t, err)
	quiet := Demand{WeightLimit: 600000, Recent: make([]uint64, RecentBlocks)}
	full := Demand{
		WeightLimit: 600000,
		Recent:      []uint64{300000, 300000, 300000, 300000, 300000, 300000, 300000, 300000, 30000, 0},
	}
	edge := Demand{
		WeightLimit: 600000,
		Recent:      []uint64{300000, 300000, 300000, 300000, 300000, 300000, 300000, 300000, 29999, 0},
	}
	waiting := quiet
	waiting.Pool = []PoolEntry{{0, 99}, {150000, 150000 * 20000}, {150000, 150000 * 90000}}
	stingy := quiet
	stingy.Pool = []PoolEntry{{150000, 150000*20000 - 1}, {150000, 150000 * 90000}}
	short := quiet
	short.Recent = short.Recent[:9]
	for _, c := range []struct {
		requested, preferred Priority
		auto                 bool
		demand               Demand
		want                 Priority
	}{
		{Fast, Normal, true, waiting, Fast},
		{Default, Fast, true, waiting, Fast},
		{Default, Default, false, waiting, Slow},
		{Default, Default, true, quiet, Slow},
		{Default, Default, true, waiting, Normal},
		{Default, Default, true, stingy, Slow},
		{Default, Default, true, full, Normal},
		{Default, Default, true, edge, Slow},
		{Default, Default, true, short, Slow},
		{Default, Default, true, Demand{}, Slow},
		{Default, Default, true, Demand{WeightLimit: math.MaxUint64, Pool: []PoolEntry{{math.MaxUint64, 1}}}, Slow},
	} {
		require.Equal(t, c.want, e.Resolve(c.requested, c.preferred, c.auto, c.demand), "%+v", c)
	}
}

// TestNextEstimate uses the levels of the next hard fork's rules in tail emission.
func TestNextEstimate(t *testing.T) {
	good := []uint64{20_000, 77_000, 310_000, 1_300_000, 2_000_000}
	ceiling := NextCeiling(Levels(good), 178_063)
	e, err := NewEstimate(ceiling, good, Quantum)
	require.NoError(t, err)
	require.Equal(t, Levels(good), e.Levels())
	got, err := e.Fee(Fastest, 178_063)
	require.NoError(t, err)
	require.Equal(t, uint64(1_300_000*178_063), got)
	var high *TooHighError
	require.ErrorAs(t, ceiling.Check(20_000*178_064, Slow, 178_064), &high)
	for _, c := range []struct {
		fees []uint64
		want error
	}{
		{nil, ErrLevels}, {good[:4], ErrLevels}, {append(good[:5:5], 3_000_000), ErrLevels},
		{[]uint64{20_000, 77_000, 310_000, 1_300_000, 1_200_000}, ErrLevels},
		{[]uint64{20_000, 19_000, 310_000, 1_300_000, 2_000_000}, ErrLevels},
		{[]uint64{20_000, 77_000, 310_000, 1_300_000, 2_000_001}, ErrUnrounded},
	} {
		_, err := NewEstimate(ceiling, c.fees, Quantum)
		require.ErrorIs(t, err, c.want, "%v", c.fees)
	}
	_, err = NewEstimate(ceiling, []uint64{20_000, 77_000, 310_000, 1_400_000, 2_000_000}, Quantum)
	require.ErrorAs(t, err, &high)
	_, err = NewEstimate(CeilingFor(xmr.Mainnet), good, Quantum)
	require.ErrorIs(t, err, ErrLevels, "five levels before the fork")
}
