package main

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/multisig"
)

// TestKeyExchangeWithSimulatedSigners: key exchange with a crowd completes like one with real signers.
func TestKeyExchangeWithSimulatedSigners(t *testing.T) {
	for _, s := range []struct{ threshold, total int }{{2, 2}, {2, 3}, {3, 5}, {3, 7}} {
		c, err := newCrowd(s.threshold, s.total)
		require.NoError(t, err)
		k, err := keys.FromSeed([32]byte{1})
		require.NoError(t, err)
		var a *multisig.Account
		require.NoError(t, c.setUp(func(texts []string, first bool) (text string, err error) {
			if first {
				a, text, err = multisig.Make(rand.Reader, k, uint32(s.threshold), texts)
			} else {
				a, text, err = a.Exchange(rand.Reader, texts, false)
			}
			return text, err
		}))
		require.True(t, a.Ready())
	}
}
