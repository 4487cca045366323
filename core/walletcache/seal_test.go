package walletcache

import (
	"bytes"
	"crypto/rand"
	"errors"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/keccak"
	"glim/core/internal/crypto/chacha"
	"glim/core/keys"
	"glim/core/walletfile"
)

// TestEmpty compares the empty cache with an encoding of the format, opens it, and recognises it.
func TestEmpty(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	c := &Cache{Spend: k.SpendPublic, View: k.ViewPublic}
	require.Equal(t, encode(c, 0), emptyData(k.SpendPublic, k.ViewPublic))

	file, err := Empty(k.SpendPublic, k.ViewPublic, []byte("p"), 2, rand.Reader)
	require.NoError(t, err)
	require.Len(t, file, EmptySize)
	require.True(t, IsEmpty(file))
	require.False(t, IsEmpty(nil))
	require.False(t, IsEmpty(append([]byte("x"), file[1:]...)))
	require.False(t, IsEmpty(append(file[:len(file):len(file)], 0)))
	got, err := Open(file, []byte("p"), 2, &walletfile.Wallet{Keys: k})
	require.NoError(t, err)
	require.Empty(t, got.Labels)
	require.NoError(t, Opens(file, []byte("p"), 2))
	require.ErrorIs(t, Opens(file, []byte("p"), 1), ErrPassword)

	key := walletfile.BackgroundKey([]byte("b"), 1)
	background, err := EmptyBackground(k.SpendPublic, k.ViewPublic, key, rand.Reader)
	require.NoError(t, err)
	require.False(t, IsEmpty(background))
	iv, sealed, err := split(background)
	require.NoError(t, err)
	own := keccak.Sum256(key[:], []byte{0x8e})
	chacha.XOR(sealed, sealed, &own, iv)
	c.Version, c.BackgroundSynced = 2, &Background{}
	require.Equal(t, encode(c, 0), sealed)

	failure := errors.New("no randomness")
	_, err = Empty(k.SpendPublic, k.ViewPublic, []byte("p"), 2, iotest.ErrReader(failure))
	require.ErrorIs(t, err, failure)
}

// TestReseal changes the password of caches. Their contents stay the same.
func TestReseal(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	data := encode(&Cache{Spend: k.SpendPublic, View: k.ViewPublic, Labels: [][]string{{"till"}}}, 0)
	file := seal(data, [8]byte{1}, []byte("old"), 1)
	empty, err := Empty(k.SpendPublic, k.ViewPublic, []byte("old"), 1, rand.Reader)
	require.NoError(t, err)
	for _, file := range [][]byte{file, empty} {
		_, err := Reseal(file, []byte("new"), []byte("old"), 1, rand.Reader)
		require.ErrorIs(t, err, ErrPassword)
		before, err := Open(file, []byte("old"), 1, &walletfile.Wallet{Keys: k})
		require.NoError(t, err)
		next, err := Reseal(bytes.Clone(file), []byte("old"), []byte("new"), 1, rand.Reader)
		require.NoError(t, err)
		require.ErrorIs(t, Opens(next, []byte("old"), 1), ErrPassword)
		after, err := Open(next, []byte("new"), 1, &walletfile.Wallet{Keys: k})
		require.NoError(t, err)
		require.Equal(t, before.Labels, after.Labels)
		require.Equal(t, IsEmpty(file), IsEmpty(next))
	}
	_, err = Reseal(file[:len(file)-1], []byte("old"), []byte("new"), 1, rand.Reader)
	require.ErrorIs(t, err, ErrFormat)
	require.ErrorIs(t, Opens(file[:5], []byte("old"), 1), ErrFormat)
}
