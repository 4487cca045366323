package scenario

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAmountPaidToOneself: a payment that also pays the wallet's own addresses shows all that it paid, before and after
// it is mined. One that returns wholly to the spending account shows 0 once it is mined.
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
		"to oneself only":        own,
	} {
		var shown [][2]any
		for _, c := range []caller{reference, ours} {
			id := pay(t, c, to, nil).TxHash
			before := transferEntry(t, c, id)
			mine(t, d, 10, at(t, nobody, 0, 0))
			refresh(t, reference, ours)
			after := transferEntry(t, c, id)
			require.Equal(t, "pending", before["type"], name)
			require.Equal(t, "out", after["type"], name)
			shown = append(shown, [2]any{before["amount"], after["amount"]})
		}
		require.Equal(t, shown[0], shown[1], name)
	}
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
