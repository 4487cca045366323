package terminal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSeparate keeps two accounts apart, and reads in previews what payments reveal.
func TestSeparate(t *testing.T) {
	s := newStage(t)
	s.fund(t, s.create(t, "alice"))
	of := s.objects(t, "alice", "separate", "accounts --new", "separate 1", "separate")
	rent := of[1]["address"].(string)
	require.Equal(t, []any{}, of[0]["groups"])
	require.Equal(t, []any{[]any{1.0}}, of[2]["groups"])
	require.Equal(t, of[2], of[3])

	pay := []string{"transfer", "alice", rent, "1"}
	message := s.fails(t, exitOther, "Failed", "secret\n", append(pay, "--yes")...)
	require.Contains(t, message, "account 0 would pay the address 1/0 of this wallet")
	pay = append(pay, "--allow-links", "--do-not-relay")
	shown := strings.Join(strings.Fields(s.must(t, "secret\n", pay...)), " ")
	require.Contains(t, shown, "Reveals: account 0 would pay the address 1/0 of this wallet")
	require.Contains(t, shown, "Nothing was sent.")
	reveals := s.object(t, "secret\n", pay...)["reveals"].([]any)
	require.Equal(t, "separate_accounts", reveals[0].(map[string]any)["kind"])

	shown = s.session(t, "alice", "separate 0 1", "separate", "separate none")
	require.Contains(t, shown, "Kept apart: 0\nKept apart: 1\nAll other accounts are one more group.\n")
	require.Contains(t, shown, "No accounts are kept apart.")
	s.fails(t, exitUsage, "Usage", "secret\n", "separate", "alice", "rent")
}
