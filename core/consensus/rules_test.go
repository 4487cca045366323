package consensus

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/tx"
	"glim/core/xmr"
)

// TestSchedules: a private chain has the versions of its schedule; the networks of today do not reach the next fork.
func TestSchedules(t *testing.T) {
	require.Equal(t, Schedule{{1, 0, 0}, {18, 1, 1}}, RegtestForks(1, 1), "the beta's private chain")
	require.Equal(t, Schedule{{1, 0, 0}, {17, 1, 1}, {18, 3, 1}}, RegtestForks(1, 3))
	require.Equal(t, Schedule{{1, 0, 0}, {16, 1, 1}, {18, 9, 1}}, RegtestForks(9, 9))
	s := RegtestForks(5, 8)
	require.True(t, s.HasTree())
	for height, want := range []uint8{1, 16, 16, 16, 16, 17, 17, 17, 18, 18} {
		require.Equal(t, want, s.VersionAt(uint64(height)), height)
		for major := uint8(15); major < 20; major++ {
			err := s.CheckVersion(uint64(height), major, 18)
			require.Equal(t, height > 0 && major == want, err == nil, "%d %d", height, major)
		}
		require.ErrorIs(t, s.CheckVersion(uint64(height), want, want-1), ErrVersion)
	}
	require.ErrorIs(t, append(s, Fork{19, 20, 1}).CheckVersion(20, 19, 19), ErrVersion, "unknown rules")
	require.Panics(t, func() { RegtestForks(0, 1) })
	require.Panics(t, func() { RegtestForks(2, 1) })
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet, xmr.Regtest} {
		require.False(t, Forks(n).HasTree())
		require.EqualValues(t, Version, Forks(n).Last())
	}
	require.EqualValues(t, 1, Schedule{}.Last())
}

// TestNextRules: weights and fees of the next hard fork, computed by hand from the formulas of the beta.
func TestNextRules(t *testing.T) {
	require.Same(t, today, RulesOf(1))
	require.Same(t, today, RulesOf(Version))
	require.EqualValues(t, 17, RulesOf(17).Version)
	r := RulesOf(18)
	require.EqualValues(t, 18, r.Version)
	require.Equal(t, Limits{625_000, 625_000, 1_250_000}, r.Limits(0, 0))
	require.Equal(t, Limits{625_000, 900_000, 1_800_000}, r.Limits(300_000, 900_000))
	require.Equal(t, Limits{1_000_000, 8_000_000, 16_000_000}, r.Limits(1_000_000, 9_000_000))
	l := r.Limits(0, 0)
	require.EqualValues(t, 520_833, r.LongTermWeight(l, 85))
	require.EqualValues(t, 600_000, r.LongTermWeight(l, 600_000))
	require.EqualValues(t, 750_000, r.LongTermWeight(l, 750_001))

	// 0.6 XMR · 12,500 / 625,000² = 19,200 a byte; the last level is 2 · 0.6 XMR / 625,000.
	require.Equal(t, []uint64{20_000, 77_000, 310_000, 1_300_000, 2_000_000}, NextFees(tailReward, 0))
	require.Equal(t, []uint64{4800, 20_000, 77_000, 310_000, 960_000}, NextFees(tailReward, 1_250_000))
	require.NoError(t, r.CheckFee(1000, 19_200_000-19_200_000/50, tailReward, l))
	require.ErrorIs(t, r.CheckFee(1000, 19_200_000-19_200_000/50-1, tailReward, l), ErrFeeTooLow)
	require.Equal(t, uint64(1<<64-1), share(1<<63, 4, 1, 1))

	x := &tx.Transaction{Version: 2, UnlockTime: 1, Inputs: []tx.Input{{}}}
	require.ErrorIs(t, RulesOf(17).CheckTransaction(x, 1, 178_064), ErrUnlockTime)
	x.UnlockTime = 0
	require.ErrorIs(t, RulesOf(17).CheckTransaction(x, 1, 178_064), ErrTooBig)
	require.NotErrorIs(t, RulesOf(17).CheckTransaction(x, 1, 178_063), ErrTooBig)
	x.UnlockTime, x.Extra = 0, make([]byte, xmr.MaxExtra+1)
	require.ErrorIs(t, RulesOf(17).CheckTransaction(x, 1, 1), ErrExtraTooBig)
	x.Extra = nil
	require.ErrorContains(t, RulesOf(18).CheckTransaction(x, 1, 1), "membership proofs")
}
