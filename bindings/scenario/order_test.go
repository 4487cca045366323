package scenario

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ordered is what tells one entry of a list of transfers from another.
type ordered struct {
	TxID         string `json:"txid"`
	TxHash       string `json:"tx_hash"` // of get_payments and get_bulk_payments
	Type         string `json:"type"`
	Height       uint64 `json:"height"`
	SubaddrIndex struct {
		Major, Minor uint32
	} `json:"subaddr_index"`
}

// TestTransfersInOrder: payments without a payment ID, block rewards among them, come in the order in which the
// reference lists what it found since its wallet was opened, the latest first, and so does the pool; the latest first
// is also the order of what was sent.
func TestTransfersInOrder(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	reference := newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	payer := newGlim(t, d.URL, options{})
	both := []caller{reference, ours}
	for _, c := range both {
		restore(t, c, "bob", bob)
	}
	restoreFar(t, payer, "alice", alice)
	refresh(t, payer)
	send := func(addresses ...string) string {
		var to []destination
		for i, a := range addresses {
			to = append(to, destination{a, uint64(i+1) * 20_000_000_000})
		}
		return pay(t, payer, to, nil).TxHash
	}
	main, shop := at(t, bob, 0, 0), at(t, bob, 0, 1)
	lists := func(c caller) map[string][]ordered {
		all := call[map[string][]ordered](t, c, "get_transfers",
			object{"in": true, "out": true, "pending": true, "pool": true, "all_accounts": true})
		for method, params := range map[string]object{
			"get_payments": {"payment_id": "0000000000000000"}, "get_bulk_payments": {"payment_ids": []string{}},
		} {
			all[method] = call[map[string][]ordered](t, c, method, params)["payments"]
		}
		return all
	}
	same := func(when string, names ...string) {
		t.Helper()
		want, got := lists(reference), lists(ours)
		for _, name := range names {
			require.NotEmpty(t, got[name], "%s: %s", when, name)
			require.Equal(t, want[name], got[name], "%s: %s", when, name)
		}
	}
	received := []string{"in", "get_payments", "get_bulk_payments"}

	mine(t, d, 2, main)
	for _, to := range [][]string{{main}, {shop, main}, {shop}} {
		send(to...)
	}
	mine(t, d, 1, main)
	send(main)
	mine(t, d, 1, at(t, alice, 0, 0))
	mine(t, d, 2, main)
	refresh(t, both...)
	same("read at once", received...)

	// Each is asked after each payment, so that both know which is the later one; what is seen in the same second has
	// no order with us.
	for seen := range 2 {
		send(shop)
		for _, c := range both {
			until(t, func() bool { return len(lists(c)["pool"]) == seen+1 })
		}
		last := time.Now().Unix()
		until(t, func() bool { return time.Now().Unix() > last })
	}
	same("in the pool", append(received, "pool")...)
	mine(t, d, 1, main)
	refresh(t, both...)
	same("read on", received...)

	for _, c := range both {
		do(t, c, "rescan_blockchain", nil)
	}
	same("rescanned", received...)

	// What was there before comes in any order after opening; what is found then comes before it.
	for _, c := range both {
		do(t, c, "close_wallet", nil)
		do(t, c, "open_wallet", object{"filename": "bob", "password": ""})
	}
	mine(t, d, 2, main)
	send(shop)
	mine(t, d, 1, main)
	refresh(t, both...)
	want, got := lists(reference), lists(ours)
	for _, name := range received {
		require.Equal(t, want[name][:4], got[name][:4], name)
		require.ElementsMatch(t, want[name], got[name], name)
	}

	refresh(t, payer)
	out := lists(payer)["out"]
	require.Len(t, out, 7)
	latest := slices.IsSortedFunc(out, func(a, b ordered) int { return cmp.Compare(b.Height, a.Height) })
	require.True(t, latest, "%v", out)
	require.Greater(t, out[0].Height, out[6].Height)
}
