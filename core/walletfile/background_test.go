package walletfile

import (
	"crypto/rand"
	"errors"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/xmr"
)

// TestBackground sets up background sync in a keys file, with a key of any bytes, and removes it.
func TestBackground(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	w := &Wallet{Keys: k, Network: xmr.Stagenet, RestoreHeight: 77}
	file, err := Seal(w, []byte("p"), 1, rand.Reader)
	require.NoError(t, err)
	got, err := NewPassword([]byte("p"), 1).BackgroundOf(file)
	require.NoError(t, err)
	require.Zero(t, got)
	own := Background{Type: 2}
	for i := range own.Key {
		own.Key[i] = byte(8 * i) // with quotes, controls and bytes beyond ASCII
	}
	for _, b := range []Background{{Type: 2, Key: BackgroundKey([]byte("b"), 1)}, own, {Type: 1}, {}} {
		next, err := NewPassword([]byte("p"), 1).SetBackground(file, b, rand.Reader)
		require.NoError(t, err)
		require.NotEqual(t, file, next)
		file = next
		got, err := NewPassword([]byte("p"), 1).BackgroundOf(file)
		require.NoError(t, err)
		require.Equal(t, b, got)
		opened, err := Open(file, []byte("p"), 1)
		require.NoError(t, err)
		require.True(t, opened.Keys.CanSpend())
		require.EqualValues(t, 77, opened.RestoreHeight)
		resealed, err := Reseal(file, []byte("p"), []byte("new"), 1, rand.Reader)
		require.NoError(t, err)
		got, err = NewPassword([]byte("new"), 1).BackgroundOf(resealed)
		require.NoError(t, err)
		require.Equal(t, b, got)
	}
	_, err = NewPassword([]byte("x"), 1).SetBackground(file, own, rand.Reader)
	require.ErrorIs(t, err, ErrPassword)
	_, err = NewPassword([]byte("x"), 1).BackgroundOf(file)
	require.ErrorIs(t, err, ErrPassword)
	_, err = NewPassword([]byte("p"), 1).BackgroundOf(file[:7])
	require.ErrorIs(t, err, ErrFormat)
}

// TestSealBackground writes the keys for background sync, without the spend key.
func TestSealBackground(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	w := &Wallet{Keys: k, Network: xmr.Stagenet, RestoreHeight: 77}
	key := BackgroundKey([]byte("b"), 1)
	file, err := SealBackground(w, key, rand.Reader)
	require.NoError(t, err)
	_, err = Open(file, []byte("b"), 1)
	require.ErrorIs(t, err, ErrBackground)
	require.True(t, OpensBackground(file, key))
	require.False(t, OpensBackground(file, [32]byte{1}))
	o, err := (&Password{key: key}).openObject(file)
	require.NoError(t, err)
	require.Equal(t, "2", string(o[backgroundType]))
	require.Equal(t, "0", string(o["watch_only"]))
	require.NotContains(t, o, backgroundKeyMember)
	data, err := o.bytes("key_data")
	require.NoError(t, err)
	a, err := parseAccount(data)
	require.NoError(t, err)
	a.crypt(&Password{key: key})
	require.Zero(t, a.Keys.Spend)
	require.EqualValues(t, k.ViewSecret(), a.Keys.View)
	require.True(t, k.CanSpend())

	failure := errors.New("no randomness")
	_, err = SealBackground(w, key, iotest.ErrReader(failure))
	require.ErrorIs(t, err, failure)
	_, err = SealBackground(&Wallet{}, key, rand.Reader)
	require.ErrorIs(t, err, ErrNoKeys)
}
