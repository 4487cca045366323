package manykeys

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/crypto/edwards"
)

// TestRemoveWipes: the view key of a removed account is overwritten, at once or when the last scan that uses it ends.
func TestRemoveWipes(t *testing.T) {
	r := chaintest.NewRandom("wipe")
	add := func(s *Set, id ID) *account {
		t.Helper()
		require.NoError(t, s.Add(id, edwards.EncodeScalar(r.Scalar()), r.Point()))
		return s.accounts[id]
	}
	zero := edwards.EncodeScalar(edwards.NewScalar())
	wiped := func(s *edwards.Scalar) bool { return edwards.EncodeScalar(s) == zero }

	s := new(Set)
	a, b := add(s, 1), add(s, 2)
	first, second := s.acquire(), s.acquire()
	require.Same(t, first, second)
	require.NoError(t, s.Remove(1))
	require.True(t, wiped(&a.view))
	require.False(t, wiped(&b.view))
	require.False(t, wiped(&first.scalars[0]))
	s.release(first)
	require.False(t, wiped(&first.scalars[0]), "a scan uses it")
	s.release(second)
	require.True(t, wiped(&first.scalars[0]))
	require.True(t, wiped(&first.scalars[1]))

	// A snapshot that no scan uses is overwritten at once.
	current := s.acquire()
	s.release(current)
	require.False(t, wiped(&current.scalars[0]), "the next scan uses it")
	require.NoError(t, s.Remove(2))
	require.True(t, wiped(&current.scalars[0]))

	// What a scan keeps for the next one contains nothing of its accounts.
	p := new(piece)
	p.derivations[3] = edwards.Derivation{1}
	p.payments = append(p.payments, edwards.Payment{Derivation: edwards.Derivation{1}})
	p.matches = append(p.matches, Match{Amount: 1})
	payments, matches := p.payments, p.matches
	p.put()
	require.Equal(t, edwards.Derivation{}, p.derivations[3])
	require.Equal(t, edwards.Payment{}, payments[0])
	require.Equal(t, Match{}, matches[0])
}
