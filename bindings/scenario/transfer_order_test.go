package scenario

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// ordered identifies an entry of a list of transfers.
type ordered struct {
	TxID         string `json:"txid"`
	TxHash       string `json:"tx_hash"` // of get_payments and get_bulk_payments
	Type         string `json:"type"`
	Height       uint64 `json:"height"`
	SubaddrIndex struct {
		Major, Minor uint32
	} `json:"subaddr_index"`
}

// orderTest has bob's wallet in the reference and in ours, and a payer.
type orderTest struct {
	*testing.T
	d               *peers.Daemon
	reference, ours caller
	payer           caller
}

// receivedLists are the lists of incoming payments.
var receivedLists = []string{"in", "get_payments", "get_bulk_payments"}

func (o *orderTest) both() []caller { return []caller{o.reference, o.ours} }

// send pays growing amounts to addresses.
func (o *orderTest) send(addresses ...string) {
	o.Helper()
	var to []destination
	for i, a := range addresses {
		to = append(to, destination{a, uint64(i+1) * 20_000_000_000})
	}
	pay(o.T, o.payer, to, nil)
}

// lists returns the lists of transfers and payments of a wallet, by name.
func (o *orderTest) lists(c caller) map[string][]ordered {
	o.Helper()
	all := call[map[string][]ordered](o.T, c, "get_transfers",
		object{"in": true, "out": true, "pending": true, "pool": true, "all_accounts": true})
	for method, params := range map[string]object{
		"get_payments": {"payment_id": "0000000000000000"}, "get_bulk_payments": {"payment_ids": []string{}},
	} {
		all[method] = call[map[string][]ordered](o.T, c, method, params)["payments"]
	}
	return all
}

func (o *orderTest) same(when string, names ...string) {
	o.Helper()
	want, got := o.lists(o.reference), o.lists(o.ours)
	for _, name := range names {
		require.NotEmpty(o, got[name], "%s: %s", when, name)
		require.Equal(o, want[name], got[name], "%s: %s", when, name)
	}
}

// TestTransfersInOrder: payments without a payment ID, block rewards among them, are listed in the reference's order,
// which is that of discovery since the wallet was opened, latest first. So is the pool. Outgoing payments are listed
// latest first, too.
func TestTransfersInOrder(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	o := &orderTest{T: t, d: d, reference: newReference(t, d), ours: newGlim(t, d.URL, options{})}
	o.payer = newGlim(t, d.URL, options{})
	for _, c := range o.both() {
		restore(t, c, "bob", bob)
	}
	restoreFar(t, o.payer, "alice", alice)
	refresh(t, o.payer)
	main, shop := at(t, bob, 0, 0), at(t, bob, 0, 1)

	mine(t, d, 2, main)
	for _, to := range [][]string{{main}, {shop, main}, {shop}} {
		o.send(to...)
	}
	mine(t, d, 1, main)
	o.send(main)
	mine(t, d, 1, at(t, alice, 0, 0))
	mine(t, d, 2, main)
	refresh(t, o.both()...)
	o.same("after one refresh", receivedLists...)

	// Both read the pool after each payment, so that both see which one is later. We do not order payments seen in the
	// same second.
	for seen := range 2 {
		o.send(shop)
		for _, c := range o.both() {
			until(t, func() bool { return len(o.lists(c)["pool"]) == seen+1 })
		}
		last := time.Now().Unix()
		until(t, func() bool { return time.Now().Unix() > last })
	}
	o.same("in the pool", append(slices.Clone(receivedLists), "pool")...)
	mine(t, d, 1, main)
	refresh(t, o.both()...)
	o.same("after another refresh", receivedLists...)

	for _, c := range o.both() {
		do(t, c, "rescan_blockchain", nil)
	}
	o.same("after a rescan", receivedLists...)

	// After opening, earlier payments have any order, and new ones precede them.
	for _, c := range o.both() {
		do(t, c, "close_wallet", nil)
		do(t, c, "open_wallet", object{"filename": "bob", "password": ""})
	}
	mine(t, d, 2, main)
	o.send(shop)
	mine(t, d, 1, main)
	refresh(t, o.both()...)
	want, got := o.lists(o.reference), o.lists(o.ours)
	for _, name := range receivedLists {
		require.Equal(t, want[name][:4], got[name][:4], name)
		require.ElementsMatch(t, want[name], got[name], name)
	}

	refresh(t, o.payer)
	out := o.lists(o.payer)["out"]
	require.Len(t, out, 7)
	latest := slices.IsSortedFunc(out, func(a, b ordered) int { return cmp.Compare(b.Height, a.Height) })
	require.True(t, latest, "%v", out)
	require.Greater(t, out[0].Height, out[6].Height)
}
