package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSignatures signs messages, and verifies signatures without a wallet.
func TestSignatures(t *testing.T) {
	s := newStage(t)
	a := s.create(t, "alice")
	file := filepath.Join(t.TempDir(), "message")
	require.NoError(t, os.WriteFile(file, []byte("of\nlines"), 0o600))
	of := s.objects(t, "alice", "sign 'I am Alice'", "sign --message-file "+file)
	signature := of[0]["signature"].(string)
	require.Equal(t, map[string]any{"good": true, "key": "spend", "version": 2.0},
		s.object(t, "", "verify", a, signature, "I am Alice"))
	s.fails(t, exitNotValid, "NotValid", "", "verify", a, signature, "I am Bob")
	s.fails(t, exitUsage, "Usage", "", "verify", a, signature)

	signature = of[1]["signature"].(string)
	require.Contains(t, s.must(t, "", "verify", a, signature, "of\nlines"), "The signature is valid")
	require.Contains(t, s.must(t, "", "verify", a, signature, "--message-file", file), "The signature is valid")
	s.fails(t, exitUsage, "Usage", "", "verify", a, signature, "text", "--message-file", file)
}

// TestProofs proves a payment, its sender and a reserve, and checks the proofs without a wallet.
func TestProofs(t *testing.T) {
	s := newStage(t)
	alice, bob := s.create(t, "alice"), s.create(t, "bob")
	s.fund(t, alice)
	id := s.object(t, "secret\n", "transfer", "alice", bob, "2", "--yes")["txids"].([]any)[0].(string)

	of := s.objects(t, "alice", "prove payment "+id+" "+bob+" --message 'order 1'", "prove spend "+id)
	payment, spend := of[0]["signature"].(string), of[1]["signature"].(string)
	text := s.must(t, "", "check", "payment", id, bob, payment, "--message", "order 1")
	require.Contains(t, text, "not in a block yet")
	s.mine(t, 3)
	of = s.objects(t, "alice", "prove reserve 3", "prove reserve")
	reserve, all := of[0]["signature"].(string), of[1]["signature"].(string)
	require.Equal(t, map[string]any{"good": true, "received": "2.000000000000", "in_pool": false, "confirmations": 3.0},
		s.object(t, "", "check", "payment", id, bob, payment, "--message", "order 1"))
	s.fails(t, exitNotValid, "NotValid", "", "check", "payment", id, bob, payment, "--message", "order 2")
	s.fails(t, exitNotValid, "NotValid", "", "check", "payment", id, alice, payment, "--message", "order 1")

	require.Equal(t, map[string]any{"good": true}, s.object(t, "", "check", "spend", id, spend))
	s.fails(t, exitNotValid, "NotValid", "", "check", "spend", id, spend, "--message", "text")

	require.Equal(t, "0.000000000000", s.object(t, "", "check", "reserve", alice, reserve)["spent"])
	require.Contains(t, s.must(t, "", "check", "reserve", alice, all), "The proof is valid")
	s.fails(t, exitNotValid, "NotValid", "", "check", "reserve", alice, reserve, "--message", "text")
	s.fails(t, exitOther, "Failed", "secret\n", "prove", "alice", "reserve", "1000000")

	for _, line := range []string{"prove alice", "prove alice gift", "prove alice payment " + id, "check spend " + id,
		"check gift " + id + " " + spend} {
		s.fails(t, exitUsage, "Usage", "secret\n", strings.Fields(line)...)
	}
	s.fails(t, exitUsage, "Usage", "", "check", "spend", id, spend, "--offline")
}
