package wallet

import (
	"glim/core/keys"
	"glim/core/xmr"
)

// Lookahead is how far beyond the last used address a wallet looks for payments.
type Lookahead struct {
	Major uint32 `json:"major"` // accounts
	Minor uint32 `json:"minor"` // addresses in each
}

// DefaultLookahead is the reference's. Source: src/wallet/wallet2.cpp, SUBADDRESS_LOOKAHEAD_MAJOR and _MINOR.
var DefaultLookahead = Lookahead{Major: 50, Minor: 200}

// possible reports whether a wallet can hold that many addresses.
func (l Lookahead) possible() bool { return uint64(max(l.Major, 1))*uint64(max(l.Minor, 1)) <= 1e6 }

// table maps public spend keys to the addresses they belong to.
type table struct {
	index map[xmr.PublicKey]keys.Index
	sizes []uint32 // addresses in the table, by account
}

func newTable() table { return table{index: map[xmr.PublicKey]keys.Index{}} }

// addressCount says how many addresses of account major the table should hold when the wallet has accounts with so
// many addresses each.
// Source: src/wallet/wallet2.cpp, expand_subaddresses.
func (l Lookahead) addressCount(accounts []uint32, major uint32) uint32 {
	used := uint32(0)
	if int(major) < len(accounts) && accounts[major] > 0 {
		used = accounts[major] - 1
	}
	return clampedSum(used, max(l.Minor, 1))
}

func (l Lookahead) accountCount(accounts []uint32) uint32 {
	return clampedSum(uint32(max(len(accounts), 1)-1), max(l.Major, 1))
}

func clampedSum(a, b uint32) uint32 {
	if s := a + b; s >= a {
		return s
	}
	return ^uint32(0)
}

// grow adds what is missing for accounts and returns the number of keys added.
func (t *table) grow(k *keys.Keys, l Lookahead, accounts []uint32) int {
	added := 0
	for major := range l.accountCount(accounts) {
		if int(major) == len(t.sizes) {
			t.sizes = append(t.sizes, 0)
		}
		want := l.addressCount(accounts, major)
		for i, key := range k.SpendKeys(major, t.sizes[major], want) {
			t.index[key] = keys.Index{Major: major, Minor: t.sizes[major] + uint32(i)}
			added++
		}
		t.sizes[major] = max(t.sizes[major], want)
	}
	return added
}
