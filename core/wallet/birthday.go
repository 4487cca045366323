package wallet

import (
	"time"

	"glim/core/xmr"
)

// upgrades are blocks with known dates. Source: README.md of monero-project/monero, scheduled software upgrades; the
// first is the launch of the network.
var upgrades = []struct {
	height     uint64
	year       int
	month, day int
}{
	{1, 2014, 4, 18},
	{1009827, 2016, 3, 22},
	{1141317, 2016, 9, 21},
	{1220516, 2017, 1, 5},
	{1288616, 2017, 4, 15},
	{1400000, 2017, 9, 16},
	{1546000, 2018, 4, 6},
	{1685555, 2018, 10, 18},
	{1788000, 2019, 3, 9},
	{1978433, 2019, 11, 30},
	{2210000, 2020, 10, 17},
	{2688888, 2022, 8, 13},
}

// month is the safety margin of HeightAt for imprecise dates and fast blocks, in seconds.
// Source: src/wallet/wallet2.cpp, estimate_blockchain_height.
const month = 30 * 24 * 60 * 60

// HeightAt estimates the index of the last mainnet block at t, in POSIX seconds. The result is about a month early
// and never late. It interpolates between the dates of upgrades; after the last it assumes 120.2 seconds a block,
// slightly more than the average so far. For other networks it returns 0, because their chains were reset or are
// private.
// Source: src/wallet/wallet2.cpp, get_approximate_blockchain_height, which uses only the last upgrade.
func HeightAt(n xmr.Network, t uint64) uint64 {
	if n != xmr.Mainnet {
		return 0
	}
	at := int64(min(t, 1<<40)) - month
	of := func(i int) int64 {
		u := &upgrades[i]
		return time.Date(u.year, time.Month(u.month), u.day, 0, 0, 0, 0, time.UTC).Unix()
	}
	last := len(upgrades) - 1
	if at >= of(last) {
		return upgrades[last].height + uint64(at-of(last))*10/1202
	}
	for i := last - 1; i >= 0; i-- {
		if from, to := of(i), of(i+1); at >= from {
			return upgrades[i].height + (upgrades[i+1].height-upgrades[i].height)*uint64(at-from)/uint64(to-from)
		}
	}
	return 0
}
