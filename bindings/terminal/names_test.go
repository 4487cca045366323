package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/openalias"
)

// TestNames pays to OpenAlias names.
func TestNames(t *testing.T) {
	s := newStage(t)
	alice, bob := s.create(t, "alice"), s.create(t, "bob")
	s.fund(t, alice)
	record := func(to string) string { return "oa1:xmr recipient_address=" + to + "; recipient_name=Bob the cook;" }
	asked := ""
	lookUp := func(_ context.Context, name, proxy string) ([]string, error) {
		asked = name + proxy
		switch name {
		case "bob.example.org":
			return []string{"v=spf1 -all", record(bob)}, nil
		case "several.example.org":
			return []string{record(bob), record(alice)}, nil
		case "forged.example.org":
			return []string{record(bob)}, fmt.Errorf("%w: a reason", openalias.ErrUntrusted)
		}
		return nil, nil
	}
	run := func(args ...string) (code int, out, messages string) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		var stdout, stderr bytes.Buffer
		c := &call{console: newConsole(strings.NewReader("secret\n"), &stderr), out: &stdout, lookUp: lookUp}
		code = c.execute(ctx, s.line(args...))
		return code, stdout.String(), stderr.String()
	}

	code, out, messages := run("transfer", "alice", "bob@example.org", "1.5", "--do-not-relay")
	require.Zero(t, code, messages)
	require.Equal(t, "bob.example.org", asked)
	require.Contains(t, out, "Recipient: "+bob+"\n  name:    bob.example.org (Bob the cook)\n")

	code, out, messages = run("sweep", "alice", "bob.example.org", "--yes", "--json")
	require.Zero(t, code, messages)
	var sent payment
	require.NoError(t, json.Unmarshal([]byte(out), &sent))
	require.True(t, sent.Sent)
	require.Equal(t, bob, sent.To[0].Address)
	require.Equal(t, "bob.example.org (Bob the cook)", sent.To[0].Name)

	for name, why := range map[string]string{
		"missing.example.org": "no Monero address found", "several.example.org": "more than one Monero address found",
		"forged.example.org": "invalid DNSSEC: a reason",
	} {
		code, out, messages = run("transfer", "alice", name, "1", "--yes")
		require.Equal(t, exitNetwork, code)
		require.Empty(t, out)
		require.Contains(t, messages, name+" gives no address: "+why)
		require.Contains(t, messages, "DNS_PUBLIC")
	}
	asked = ""
	code, _, messages = run("transfer", "alice", bob[1:], "1", "--yes")
	require.Equal(t, exitNetwork, code, messages)
	require.Empty(t, asked, "an address with an error is not looked up")
}
