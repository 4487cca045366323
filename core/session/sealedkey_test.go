package session_test

import (
	"context"
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestSealedKey opens a wallet with its secret keys and gives it another password. A sealed key of an earlier password,
// other keys and a view key open nothing.
func TestSealedKey(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	other, err := keys.FromSeed([32]byte{2})
	require.NoError(t, err)
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	st, host, ahead := journal.NewMemory(), session.Host{Random: rand.Reader}, wallet.Lookahead{Major: 1, Minor: 1}
	o := wallet.Identity{Network: xmr.Regtest, Keys: k}
	s, err := session.Create(st, []byte("first"), journal.WeakestKDF(), o, ahead, host)
	require.NoError(t, err)
	old, err := s.SealKey()
	require.NoError(t, err)
	require.NoError(t, s.ChangePassword(context.Background(), []byte("first"), []byte("second")))
	sealed, err := s.SealKey()
	require.NoError(t, err)
	require.NoError(t, s.Close())
	_, err = s.SealKey()
	require.ErrorIs(t, err, session.ErrClosed)

	k, err = keys.FromSeed([32]byte{1}) // the session has wiped its own
	require.NoError(t, err)
	before := append([]byte(nil), st.Content...)
	for _, wrong := range []struct {
		sealed []byte
		keys   *keys.Keys
	}{{old, k}, {sealed, other}, {sealed, view}, {nil, k}, {sealed[:len(sealed)-1], k}} {
		_, err = session.OpenSealed(st, wrong.sealed, wrong.keys, nil, []byte("third"), host)
		require.ErrorIs(t, err, session.ErrPassword)
	}
	require.Equal(t, before, st.Content)
	s, err = session.OpenSealed(st, sealed, k, nil, []byte("third"), host)
	require.NoError(t, err)
	require.NoError(t, s.CheckPassword(context.Background(), []byte("third")))
	require.NoError(t, s.Close())
	_, err = session.Open(st, []byte("second"), host)
	require.ErrorIs(t, err, session.ErrPassword)

	s, err = session.Create(journal.NewMemory(), nil, journal.WeakestKDF(),
		wallet.Identity{Network: xmr.Regtest, Keys: view}, ahead, host)
	require.NoError(t, err)
	none, err := s.SealKey()
	require.NoError(t, err)
	require.Nil(t, none, "others may know the view key")
	require.NoError(t, s.Close())
}
