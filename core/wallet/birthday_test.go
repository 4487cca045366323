package wallet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/wallet"
	"glim/core/xmr"
)

func TestHeightAt(t *testing.T) {
	day := func(text string) uint64 {
		d, err := time.Parse(time.DateOnly, text)
		require.NoError(t, err)
		return uint64(d.Unix())
	}
	// At the dates of upgrades the estimate is about a month early. Source: README.md of monero-project/monero.
	for text, height := range map[string]uint64{
		"2016-03-22": 1009827, "2017-04-15": 1288616, "2018-10-18": 1685555,
		"2019-11-30": 1978433, "2020-10-17": 2210000, "2022-08-13": 2688888,
	} {
		got := wallet.HeightAt(xmr.Mainnet, day(text))
		require.Less(t, got, height-10_000, text)
		require.Greater(t, got, height-60_000, text)
	}
	before := uint64(0)
	for at := day("2013-01-01"); at < day("2050-01-01"); at += 86400 {
		h := wallet.HeightAt(xmr.Mainnet, at)
		require.GreaterOrEqual(t, h, before)
		require.Less(t, h-before, uint64(2000), "no day has more blocks")
		before = h
	}
	require.Zero(t, wallet.HeightAt(xmr.Mainnet, 0))
	require.Zero(t, wallet.HeightAt(xmr.Mainnet, day("2014-05-01")))
	require.NotZero(t, wallet.HeightAt(xmr.Mainnet, 1<<64-1))
	for _, n := range []xmr.Network{xmr.Testnet, xmr.Stagenet, xmr.Regtest} {
		require.Zero(t, wallet.HeightAt(n, day("2024-01-01")))
	}
}
