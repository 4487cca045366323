package scenario

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAmountPaidToOneself: a payment that also pays the wallet's own addresses shows all that it paid, before and after
// it is mined. One that returns wholly to the spending account shows 0 once it is mined. What it pays to addresses of
// the spending account is not listed as income, before and after.
func TestAmountPaidToOneself(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	reference, ours := newReference(t, d), newGlim(t, d.URL, options{})
	restore(t, reference, "alice", alice)
	restore(t, ours, "alice", alice)
	refresh(t, reference, ours)
	own := []destination{{at(t, alice, 0, 0), coin / 10}, {at(t, alice, 0, 1), coin / 5}}
	for name, to := range map[string][]destination{
		"also to oneself":        append([]destination{{at(t, bob, 0, 0), coin}}, own...),
		"also to other accounts": {{at(t, bob, 0, 0), coin}, {at(t, alice, 1, 0), coin / 4}, own[0]},
		"to other accounts only": {{at(t, alice, 1, 0), coin / 4}},
		"to three accounts":      {own[0], {at(t, alice, 1, 0), coin / 10}, {at(t, alice, 2, 0), coin / 10}},
		"to oneself only":        own,
	} {
		var shown [][2]any
		var listed [][2][]string
		for _, c := range []caller{reference, ours} {
			id := pay(t, c, to, nil).TxHash
			before, first := transferEntry(t, c, id), entriesOf(t, c, id)
			mine(t, d, 10, at(t, nobody, 0, 0))
			refresh(t, reference, ours)
			after := transferEntry(t, c, id)
			require.Equal(t, "pending", before["type"], name)
			require.Equal(t, "out", after["type"], name)
			shown = append(shown, [2]any{before["amount"], after["amount"]})
			listed = append(listed, [2][]string{first, entriesOf(t, c, id)})
		}
		require.Equal(t, shown[0], shown[1], name)
		require.Equal(t, listed[0], listed[1], name)
	}
}

// entriesOf returns how get_transfers lists a transaction after a refresh: the kind, amount and address of each entry.
func entriesOf(t *testing.T, c caller, id string) (list []string) {
	t.Helper()
	refresh(t, c)
	for kind, entries := range call[map[string][]map[string]any](t, c, "get_transfers", object{
		"in": true, "out": true, "pending": true, "pool": true, "all_accounts": true,
	}) {
		for _, e := range entries {
			if e["txid"] == id {
				list = append(list, fmt.Sprint(kind, " ", e["amount"], " ", e["subaddr_index"]))
			}
		}
	}
	slices.Sort(list)
	return list
}

// transferEntry returns the entry of an outgoing transaction.
func transferEntry(t *testing.T, c caller, id string) map[string]any {
	t.Helper()
	for _, e := range call[struct {
		Transfers []map[string]any `json:"transfers"`
	}](t, c, "get_transfer_by_txid", object{"txid": id}).Transfers {
		if kind := e["type"]; kind == "pending" || kind == "out" {
			return e
		}
	}
	require.Fail(t, "no outgoing entry", id)
	return nil
}
