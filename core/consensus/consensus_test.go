package consensus

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/tx"
	"glim/core/xmr"
)

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 16)) }

// TestForks checks that each network's heights ascend, that the last version is 16, and the dates of known forks.
func TestForks(t *testing.T) {
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet, xmr.Regtest} {
		forks := Forks(n)
		require.EqualValues(t, Version, forks[len(forks)-1].Version)
		for i := 1; i < len(forks); i++ {
			require.Greater(t, forks[i].Version, forks[i-1].Version)
			require.Greater(t, forks[i].Height, forks[i-1].Height)
			require.Equal(t, forks[i].Version, Forks(n).VersionAt(forks[i].Height))
			require.Equal(t, forks[i-1].Version, Forks(n).VersionAt(forks[i].Height-1))
		}
	}
	require.EqualValues(t, 1, Forks(xmr.Mainnet).VersionAt(0))
	require.NoError(t, Forks(xmr.Regtest).CheckVersion(1, 16, 16))
	require.NoError(t, Forks(xmr.Regtest).CheckVersion(1, 16, 17))
	require.ErrorIs(t, Forks(xmr.Regtest).CheckVersion(1, 16, 15), ErrVersion)
	require.ErrorIs(t, Forks(xmr.Regtest).CheckVersion(1, 15, 16), ErrVersion)
	require.ErrorIs(t, Forks(xmr.Regtest).CheckVersion(1, 17, 17), ErrVersion)
	require.ErrorIs(t, Forks(xmr.Mainnet).CheckVersion(2689607, 15, 16), ErrVersion)
	require.NoError(t, Forks(xmr.Mainnet).CheckVersion(2689608, 16, 16))
}

// TestReward compares rewards with those of mainnet, and the penalty with its formula.
// Source: tests/unit_tests/block_reward.cpp; the first reward is that of block 1 of every regtest chain.
func TestReward(t *testing.T) {
	require.EqualValues(t, 35184338534400, BaseReward(17592186044415))
	require.EqualValues(t, tailReward, BaseReward(MoneySupply))
	require.EqualValues(t, tailReward, BaseReward(MoneySupply-tailReward<<emissionShift))
	require.EqualValues(t, tailReward+1, BaseReward(MoneySupply-(tailReward+1)<<emissionShift))

	for _, median := range []uint64{0, FullRewardZone - 1, FullRewardZone, 7 << 20, 1 << 31} {
		m := max(median, FullRewardZone)
		for _, generated := range []uint64{0, 17592186044415, 1 << 63, MoneySupply} {
			base := BaseReward(generated)
			for _, weight := range []uint64{0, 1, m - 1, m, m + 1, m * 9 / 8, m * 3 / 2, m * 15 / 8, 2*m - 1, 2 * m} {
				got, err := Reward(median, weight, generated)
				require.NoError(t, err)
				want := base
				if weight > m {
					want = penalised(base, m, weight)
				}
				require.Equal(t, want, got)
			}
			_, err := Reward(median, 2*m+1, generated)
			require.ErrorIs(t, err, ErrWeight)
		}
	}
	base := BaseReward(0)
	for weight, want := range map[uint64]uint64{
		9 * FullRewardZone / 8: base / 64 * 63,
		3 * FullRewardZone / 2: base / 4 * 3,
	} {
		got, err := Reward(0, weight, 0)
		require.NoError(t, err)
		require.InDelta(t, want, got, 64)
	}
	require.EqualValues(t, 5, AddCoins(3, 2))
	require.EqualValues(t, uint64(MoneySupply), AddCoins(MoneySupply-1, 1))
	require.EqualValues(t, uint64(MoneySupply), AddCoins(MoneySupply, tailReward))
}

// penalised computes the formula with big integers: base · w · (2m − w) / m / m.
func penalised(base, m, w uint64) uint64 {
	b := new(big.Int).SetUint64(base)
	b.Mul(b, new(big.Int).SetUint64(w)).Mul(b, new(big.Int).SetUint64(2*m-w))
	by := new(big.Int).SetUint64(m)
	return b.Div(b, by).Div(b, by).Uint64()
}

// TestDifficulty recomputes the difficulties of the published chain of a thousand blocks.
func TestDifficulty(t *testing.T) {
	f, err := os.Open("testdata/difficulty.txt")
	require.NoError(t, err)
	defer f.Close()
	var times []uint64
	var sums []Difficulty
	var sum Difficulty
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var at, want uint64
		_, err := fmt.Sscan(lines.Text(), &at, &want)
		require.NoError(t, err)
		first := max(len(times)-DifficultyBlocks, 0)
		got, err := NextDifficulty(times[first:], sums[first:], 120)
		require.NoError(t, err)
		require.Equal(t, Difficulty{Lo: want}, got, len(times))
		sum = sum.Add(got)
		times, sums = append(times, at), append(sums, sum)
	}
	require.Len(t, times, 1000)
}

// TestDifficultyWide compares with big integers, also beyond 64 bits.
func TestDifficultyWide(t *testing.T) {
	r := source(1)
	for range 2000 {
		n := 2 + r.IntN(40)
		times, sums := make([]uint64, n), make([]Difficulty, n)
		step := Difficulty{Hi: r.Uint64() >> (1 + r.IntN(63)), Lo: r.Uint64()}
		for i := range times {
			times[i] = r.Uint64N(uint64(1 + r.IntN(5000)))
			sums[i] = Difficulty{Lo: 1}
			for range i {
				sums[i] = sums[i].Add(step)
			}
		}
		before := slices.Clone(times)
		got, err := NextDifficulty(times, sums, 120)
		require.Equal(t, before, times)

		slices.Sort(times)
		work := wide(sums[n-1].Sub(sums[0]))
		span := new(big.Int).SetUint64(max(times[n-1]-times[0], 1))
		work.Mul(work, big.NewInt(120)).Add(work, span).Sub(work, big.NewInt(1)).Div(work, span)
		if work.BitLen() > 128 {
			require.ErrorIs(t, err, ErrDifficulty)
			continue
		}
		require.NoError(t, err)
		require.Zero(t, work.Cmp(wide(got)))
		require.Equal(t, fmt.Sprintf("0x%x", work), got.String())
	}
}

func wide(d Difficulty) *big.Int {
	b := new(big.Int).SetUint64(d.Hi)
	return b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(d.Lo))
}

// TestCheckWork compares with big integers, especially near the limit.
func TestCheckWork(t *testing.T) {
	r := source(2)
	limit := new(big.Int).Lsh(big.NewInt(1), 256)
	agreed := map[bool]int{}
	for range 20000 {
		d := Difficulty{Lo: r.Uint64() >> r.IntN(64)}
		if r.IntN(2) == 0 {
			d.Hi = r.Uint64() >> r.IntN(64)
		}
		if d.IsZero() {
			continue
		}
		border := new(big.Int).Div(limit, wide(d)) // about the last hash that passes
		if border.BitLen() > 256 {
			border.Sub(limit, big.NewInt(1))
		}
		border.Add(border, big.NewInt(int64(r.IntN(5)-2)))
		if border.BitLen() > 256 || border.Sign() < 0 {
			continue
		}
		var hash xmr.Hash
		slices.Reverse(border.FillBytes(hash[:]))
		want := new(big.Int).Mul(border, wide(d)).Cmp(limit) < 0
		require.Equal(t, want, CheckWork(hash, d), "%x %v", hash, d)
		agreed[want]++
	}
	require.Greater(t, min(agreed[true], agreed[false]), 1000)
	var worst xmr.Hash
	for i := range worst {
		worst[i] = 0xff
	}
	require.True(t, CheckWork(worst, Difficulty{Lo: 1}))
	require.False(t, CheckWork(worst, Difficulty{Lo: 2}))
}

// TestWindow compares the median of a Window with Median while numbers are added and removed.
func TestWindow(t *testing.T) {
	r := source(3)
	var w Window
	var all []uint64
	for range 3000 {
		if len(all) > 0 && r.IntN(3) == 0 {
			i := r.IntN(len(all))
			require.True(t, w.Remove(all[i]))
			all = slices.Delete(all, i, i+1)
		} else {
			v := r.Uint64() >> r.IntN(64)
			w.Add(v)
			all = append(all, v)
		}
		require.Equal(t, len(all), w.Len())
		require.Equal(t, Median(all), w.Median())
	}
	require.False(t, new(Window).Remove(1))
	require.Zero(t, Median(nil))
	require.EqualValues(t, 5, Median([]uint64{7, 3, 5}))
	require.EqualValues(t, 4, Median([]uint64{7, 3, 5, 1}))
	require.EqualValues(t, uint64(math.MaxUint64), Median([]uint64{math.MaxUint64, math.MaxUint64}))
}

// TestLimits checks the bounds of the effective medians one by one. Source: the reference's regtest chain for the
// first; ArticMine, MoneroScaling2021-02, for the factors.
func TestLimits(t *testing.T) {
	small := today.Limits(0, 0)
	require.Equal(t, Limits{300_000, 300_000, 600_000}, small)
	require.EqualValues(t, 176470, today.LongTermWeight(small, 85))
	require.EqualValues(t, 176470, today.LongTermWeight(small, 176470))
	require.EqualValues(t, 176471, today.LongTermWeight(small, 176471))
	require.EqualValues(t, 510_000, today.LongTermWeight(small, 510_000))
	require.EqualValues(t, 510_000, today.LongTermWeight(small, 600_000))
	require.Equal(t, Limits{300_000, 450_000, 900_000}, today.Limits(200_000, 450_000))
	require.Equal(t, Limits{300_000, 15_000_000, 30_000_000}, today.Limits(300_000, 20_000_000))
	require.Equal(t, Limits{1_000_000, 1_000_000, 2_000_000}, today.Limits(1_000_000, 400_000))
}

// TestTimestamps checks both limits of a block's timestamp, and when outputs unlock.
func TestTimestamps(t *testing.T) {
	const now = 1_700_000_000
	var recent []uint64
	for i := range uint64(TimestampWindow) {
		recent = append(recent, now-7200+120*i)
	}
	median := uint64(now - 7200 + 120*59/2)
	require.NoError(t, CheckTimestamp(median, now, recent))
	require.ErrorIs(t, CheckTimestamp(median-1, now, recent), ErrTimestamp)
	require.NoError(t, CheckTimestamp(0, now, recent[1:]))
	require.NoError(t, CheckTimestamp(now+7200, now, recent))
	require.ErrorIs(t, CheckTimestamp(now+7201, now, recent), ErrTimestamp)
	require.ErrorIs(t, CheckTimestamp(now+7201, now, nil), ErrTimestamp)

	require.EqualValues(t, now, AdjustedTime(now, recent[1:]))
	require.Equal(t, recent[59]+120, AdjustedTime(now, recent))
	late := slices.Clone(recent)
	late[59] += 100_000
	require.Equal(t, median+61*60, AdjustedTime(now, late))
	early := slices.Clone(recent)
	early[59] = recent[0]
	require.Equal(t, recent[58]+120, AdjustedTime(now, early)) // the value of monerod

	require.True(t, Unlocked(100, 100, 0))
	require.False(t, Unlocked(101, 100, math.MaxUint64))
	require.True(t, Unlocked(xmr.MaxHeightUnlock-1, xmr.MaxHeightUnlock-1, 0))
	require.True(t, Unlocked(now+120, 1, now))
	require.False(t, Unlocked(now+121, 1, now))
}

// TestFee checks the minimum fee for relay: at the start of a chain 20,000 atomic units per byte, times the ratio of
// rewards.
func TestFee(t *testing.T) {
	limits := today.Limits(0, 0)
	const weight = 2000
	perByte := uint64(tailReward) * 3000 / 300_000 / 300_000
	perByte -= perByte / 20
	needed := uint64(weight) * perByte
	needed = (needed + 9999) / 10000 * 10000
	require.NoError(t, today.CheckFee(weight, needed-needed/50, tailReward, limits))
	require.ErrorIs(t, today.CheckFee(weight, needed-needed/50-1, tailReward, limits), ErrFeeTooLow)
	require.ErrorIs(t, today.CheckFee(math.MaxUint64, math.MaxUint64, math.MaxUint64, limits), ErrFeeTooLow)
	require.NoError(t, today.CheckFee(0, 0, tailReward, limits))
	require.NoError(t, CheckRelay(xmr.MaxExtra, 0))
	require.ErrorIs(t, CheckRelay(xmr.MaxExtra+1, 0), ErrExtraTooBig)
	require.ErrorIs(t, CheckRelay(0, 1), ErrUnlockTime)
}

func coinbase(height uint64, amounts ...uint64) *tx.Transaction {
	t := &tx.Transaction{Version: 2, UnlockTime: height + 60, Inputs: []tx.Input{{Coinbase: true, Height: height}}}
	for _, a := range amounts {
		t.Outputs = append(t.Outputs, tx.Output{Amount: a, Tagged: true})
	}
	return t
}

// TestCoinbase violates each rule separately.
func TestCoinbase(t *testing.T) {
	require.NoError(t, today.CheckCoinbase(coinbase(7, 1, 2), 7))
	for name, breakIt := range map[string]func(*tx.Transaction){
		"version":  func(c *tx.Transaction) { c.Version = 1 },
		"proofs":   func(c *tx.Transaction) { c.RingCT.Type = tx.RingCTBulletproofPlus },
		"height":   func(c *tx.Transaction) { c.Inputs[0].Height = 8 },
		"unlock":   func(c *tx.Transaction) { c.UnlockTime-- },
		"inputs":   func(c *tx.Transaction) { c.Inputs = append(c.Inputs, c.Inputs[0]) },
		"spend":    func(c *tx.Transaction) { c.Inputs[0].Coinbase = false },
		"overflow": func(c *tx.Transaction) { c.Outputs[0].Amount = math.MaxUint64 },
		"untagged": func(c *tx.Transaction) { c.Outputs[1].Tagged = false },
	} {
		c := coinbase(7, 1, 2)
		breakIt(c)
		require.ErrorIs(t, today.CheckCoinbase(c, 7), ErrCoinbase, name)
	}

	limits := today.Limits(0, 0)
	base := BaseReward(0)
	got, err := CheckReward(coinbase(1, base, 5), 300_000, 5, 0, limits)
	require.NoError(t, err)
	require.Equal(t, base, got)
	for _, amount := range []uint64{base - 1, base + 1, base + 6} {
		_, err := CheckReward(coinbase(1, amount), 300_000, 0, 0, limits)
		require.ErrorIs(t, err, ErrReward)
	}
	_, err = CheckReward(coinbase(1, base), 300_001, 0, 0, limits)
	require.ErrorIs(t, err, ErrReward)
	_, err = CheckReward(coinbase(1, base), 600_001, 0, 0, limits)
	require.ErrorIs(t, err, ErrWeight)
	_, err = CheckReward(coinbase(1, 4), 1, math.MaxUint64, 0, limits)
	require.ErrorIs(t, err, ErrReward)
	_, err = CheckReward(coinbase(1, math.MaxUint64, 1), 1, 0, 0, limits)
	require.ErrorIs(t, err, ErrCoinbase)
}

// FuzzCheckWork compares with big integers for arbitrary numbers.
func FuzzCheckWork(f *testing.F) {
	f.Add(make([]byte, 48))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 48 {
			return
		}
		d := Difficulty{binary.LittleEndian.Uint64(b[32:]), binary.LittleEndian.Uint64(b[40:])}
		n := slices.Clone(b[:32])
		slices.Reverse(n)
		product := new(big.Int).Mul(new(big.Int).SetBytes(n), wide(d))
		if CheckWork(xmr.Hash(b[:32]), d) != (product.BitLen() <= 256) {
			t.Fatal("wrong")
		}
	})
}
