package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReceipts makes a link for two recipients, pays it, and checks the receipt without a wallet.
func TestReceipts(t *testing.T) {
	s := newStage(t)
	alice, bob, carol := s.create(t, "alice"), s.create(t, "bob"), s.create(t, "carol")
	s.fund(t, alice)
	link := strings.TrimSpace(s.must(t, "", "link", bob, "2", carol, "0.5", "--message", "order 1"))
	require.Equal(t, "monero:"+bob+"?version=2.0&amount=2XMR&address="+carol+"&amount=0.5XMR&tx_description=order%201",
		link)
	require.Equal(t, "monero:"+bob, s.object(t, "", "link", bob, "0")["uri"])
	id := s.object(t, "secret\n", "transfer", "alice", link, "--yes")["txids"].([]any)[0].(string)
	s.fails(t, exitUsage, "Usage", "secret\n", "transfer", "alice", "monero:"+bob+"?version=2.0&address="+carol+
		"&amount=1XMR", "--yes")

	file := filepath.Join(t.TempDir(), "receipt")
	receipt := s.must(t, "secret\n", "receipt", "alice", id, link)
	require.NoError(t, os.WriteFile(file, []byte(receipt), 0o600))
	text := s.must(t, "", "check-receipt", file, link)
	require.Contains(t, text, bob+" received 2.00 XMR.\n"+carol+" received 0.50 XMR.\n")
	require.Contains(t, text, "not in a block yet")
	s.mine(t, 3)
	got := s.object(t, "", "check-receipt", file, link)
	require.Equal(t, true, got["paid"])
	require.EqualValues(t, 3, got["confirmations"])
	s.fails(t, exitNotValid, "NotValid", "", "check-receipt", file, "monero:"+bob+"?tx_amount=2")

	more := strings.TrimSpace(s.must(t, "", "link", bob, "3"))
	require.NoError(t, os.WriteFile(file, []byte(s.must(t, "secret\n", "receipt", "alice", id, more)), 0o600))
	s.fails(t, exitNotValid, "NotValid", "", "check-receipt", file, more)

	s.fails(t, exitUsage, "Usage", "", "link", bob)
	s.fails(t, exitUsage, "Usage", "", "link", bob, "one")
	s.fails(t, exitUsage, "Usage", "", "check-receipt", file+" of nobody", link)
}
