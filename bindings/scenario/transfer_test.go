package scenario

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// shape is one transfer of the scenario.
type shape struct {
	name string
	to   []destination
	more object
}

// TestTransfers: the daemon accepts transfers of every shape, they cost what the reference would pay, and copies of the
// sender and of the recipients in the reference show the same. Outputs received in every form can be spent.
func TestTransfers(t *testing.T) {
	t.Parallel()
	d := newMinedMonerod(t)
	mirror, other := newReference(t, d), newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	restore(t, other, "bob", bob)
	restore(t, mirror, "alice", alice)
	restore(t, ours, "alice", alice)
	refresh(t, other, mirror, ours)

	// Payments from the reference in every form, one of them with additional keys.
	a := func(major, minor uint32, amount uint64) destination {
		return destination{at(t, alice, major, minor), amount}
	}
	pay(t, other, []destination{{integratedAddress(t, mirror, "00000000000000aa"), 10 * coin}}, nil)
	pay(t, other, []destination{a(1, 0, 10*coin), a(1, 1, 10*coin), a(1, 2, 10*coin), {at(t, bob, 0, 2), coin}}, nil)
	pay(t, other, []destination{a(4, 1, 10*coin)}, nil)
	mine(t, d, 10, at(t, nobody, 0, 0))

	for _, round := range transferRounds(t, integratedAddress(t, other, "0123456789abcdef")) {
		refresh(t, other, mirror, ours)
		for _, s := range round {
			comparePrice(t, mirror, ours, s)
		}
		for _, s := range round {
			checkKey(t, other, pay(t, ours, s.to, s.more), s)
		}
		mine(t, d, 1, at(t, nobody, 0, 0))
		refresh(t, other, mirror, ours)
		// Only the sender and the recipient can read the payment ID of an integrated address.
		compareAll(t, mirror, ours, 5, "payment_id")
		checkDestinations(t, ours, round)
		mine(t, d, 9, at(t, nobody, 0, 0))
	}

	// The recipients, seen by both programs.
	refresh(t, other, mirror, ours)
	for _, who := range []byte{bob, carol} {
		for _, c := range []caller{mirror, ours} {
			restore(t, c, fmt.Sprint("copy", who), who)
			refresh(t, c)
		}
		compareAll(t, mirror, ours, 3)
		require.NotZero(t, ledger(t, ours).Balance)
	}
	compareViewOnly(t, mirror, ours)
}

func integratedAddress(t *testing.T, c caller, id string) string {
	t.Helper()
	return call[struct {
		Address string `json:"integrated_address"`
	}](t, c, "make_integrated_address", object{"payment_id": id}).Address
}

// transferRounds returns the rounds of transfers. integrated is an integrated address of bob.
func transferRounds(t *testing.T, integrated string) [][]shape {
	t.Helper()
	b := func(major, minor uint32, amount uint64) destination {
		return destination{at(t, bob, major, minor), amount}
	}
	a := func(major, minor uint32, amount uint64) destination {
		return destination{at(t, alice, major, minor), amount}
	}
	many := []destination{
		b(0, 0, coin), b(0, 1, coin), b(0, 1, coin+1), b(3, 1, coin), a(2, 1, coin), a(2, 2, 5*coin),
		{at(t, carol, 0, 0), coin},
	}
	for len(many) < 15 {
		many = append(many, destination{at(t, carol, 0, uint32(len(many))), coin / 10})
	}
	return [][]shape{{
		{"one standard", []destination{b(0, 0, coin)}, object{"priority": 1}},
		{"one subaddress", []destination{b(0, 1, coin)}, object{"priority": 2}},
		{"integrated alone", []destination{{integrated, coin}}, object{"priority": 3}},
		{"two", []destination{b(0, 0, coin), b(2, 5, coin)}, object{"priority": 4}},
		{"fifteen", many, nil},
		{
			"one of ours, from additional keys", []destination{b(0, 0, coin)},
			object{"account_index": 1, "subaddr_indices": []int{1}},
		},
		{
			"to ourselves, from additional keys", []destination{a(1, 2, coin)},
			object{"account_index": 1, "subaddr_indices": []int{2, 2}},
		},
		{"from a subaddress", []destination{b(0, 3, 2*coin)}, object{"account_index": 4, "priority": 1}},
	}, {
		{"from change", []destination{b(0, 0, 3*coin)}, object{"account_index": 4}},
		{"from what we sent ourselves", []destination{b(1, 1, coin)}, object{"account_index": 2}},
		{"from several inputs", []destination{b(1, 1, 150*coin)}, nil},
		{"an account's both addresses", []destination{b(0, 0, 12*coin)}, object{"account_index": 1}},
	}}
}

// comparePrice makes a transfer with both wallets, which know the same, and compares amount, fee and weight.
func comparePrice(t *testing.T, mirror, ours caller, s shape) {
	t.Helper()
	params := object{"destinations": s.to, "do_not_relay": true, "get_tx_key": true}
	for k, v := range s.more {
		params[k] = v
	}
	want, got := call[transferred](t, mirror, "transfer", params),
		call[transferred](t, ours, "transfer", params)
	require.Len(t, got.TxKey, len(want.TxKey), s.name)
	require.Equal(t, want.Amount, got.Amount, s.name)
	require.InEpsilon(t, float64(want.Fee)/float64(want.Weight),
		float64(got.Fee)/float64(got.Weight), 0.02, s.name)
	inputs := len(got.Images.KeyImages)
	if inputs > 2 && len(want.Images.KeyImages) > 2 {
		return // further inputs are random, and so is their number
	}
	require.Len(t, want.Images.KeyImages, inputs, s.name)
	require.InEpsilon(t, want.Fee, got.Fee, 0.02, s.name)
	require.InEpsilon(t, want.Weight, got.Weight, 0.02, s.name)
}

// checkKey has the reference confirm, from our transaction keys, what each destination received.
func checkKey(t *testing.T, reference caller, sent transferred, s shape) {
	t.Helper()
	paid := map[string]uint64{}
	for _, to := range s.to {
		paid[to.Address] += to.Amount
	}
	for address, amount := range paid {
		if len(address) > 95 {
			continue // an integrated address is checked by the standard one inside it
		}
		got := call[struct {
			Received uint64 `json:"received"`
			InPool   bool   `json:"in_pool"`
		}](t, reference, "check_tx_key", object{"txid": sent.TxHash, "tx_key": sent.TxKey, "address": address})
		require.True(t, got.InPool)
		if address != at(t, alice, 0, 0) { // which also receives change
			require.Equal(t, amount, got.Received, "%s: %s", s.name, address)
		}
	}
}

// checkDestinations requires our list of transfers to have all destinations.
func checkDestinations(t *testing.T, ours caller, round []shape) {
	t.Helper()
	type entry struct {
		Destinations []destination `json:"destinations"`
		PaymentID    string        `json:"payment_id"`
	}
	var all [][]destination
	for _, e := range call[map[string][]entry](t, ours, "get_transfers",
		object{"out": true, "all_accounts": true})["out"] {
		all = append(all, e.Destinations)
		if len(e.Destinations) == 1 && len(e.Destinations[0].Address) > 95 {
			require.Equal(t, "0123456789abcdef", e.PaymentID)
		}
	}
	for _, s := range round {
		require.Contains(t, all, s.to, s.name)
	}
}

// compareViewOnly makes view-only copies of alice, which show the same incoming transfers.
func compareViewOnly(t *testing.T, mirror, ours caller) {
	t.Helper()
	do(t, ours, "open_wallet", object{"filename": "alice", "password": ""})
	view := call[struct{ Key string }](t, ours, "query_key", object{"key_type": "view_key"}).Key
	for _, c := range []caller{mirror, ours} {
		do(t, c, "generate_from_keys", object{
			"filename": "watch", "password": "", "address": at(t, alice, 0, 0), "viewkey": view, "restore_height": 0,
		})
		refresh(t, c)
	}
	compareAll(t, mirror, ours, 3)
	require.Equal(t, -29, refusal(t, ours, "query_key", object{"key_type": "spend_key"}).Code)
	received := call[struct {
		Transfers []json.RawMessage
	}](t, ours, "incoming_transfers", object{"transfer_type": "all"})
	require.NotEmpty(t, received.Transfers)
}
