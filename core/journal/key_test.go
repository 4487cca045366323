package journal_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
)

func source() *rand.ChaCha8 { return rand.NewChaCha8([32]byte{7}) }

// A key opens what its password opens and makes what its password opens, and never prints.
func TestKey(t *testing.T) {
	k, err := journal.NewKey([]byte("password"), journal.WeakestKDF(), source())
	require.NoError(t, err)
	st := &journal.Memory{Content: []byte("whatever there was")}
	j, err := journal.Replace(st, k, source(), []byte("public"), []byte("one"))
	require.NoError(t, err)
	require.NoError(t, j.Append([]byte("two")))
	want := [][]byte{[]byte("one"), []byte("two")}

	_, records, err := journal.Open(st, []byte("password"), source())
	require.NoError(t, err)
	require.Equal(t, want, records)
	again, err := journal.ParseKey(k.Bytes())
	require.NoError(t, err)
	require.Equal(t, k, again)
	opened, records, err := journal.OpenKey(st, again, source())
	require.NoError(t, err)
	require.Equal(t, want, records)
	require.NoError(t, opened.CheckPassword([]byte("password")))
	require.NoError(t, journal.CheckPassword(st, []byte("password")))
	require.ErrorIs(t, journal.CheckPassword(st, []byte("another")), journal.ErrPassword)
	require.ErrorIs(t, journal.CheckPassword(journal.NewMemory(), []byte("another")), journal.ErrEmpty)

	stranger, err := journal.NewKey([]byte("password"), journal.WeakestKDF(), rand.NewChaCha8([32]byte{8}))
	require.NoError(t, err)
	_, _, err = journal.OpenKey(st, stranger, source())
	require.ErrorIs(t, err, journal.ErrPassword, "another salt")
	require.NotContains(t, fmt.Sprintf("%v %+v %#v %s", k, k, k, []journal.Key{k}), "kek")

	opened.Forget()
	require.ErrorIs(t, opened.Append([]byte("three")), journal.ErrBroken)
	require.ErrorIs(t, opened.Compact(), journal.ErrBroken)
	require.ErrorIs(t, opened.CheckPassword([]byte("password")), journal.ErrPassword)

	_, err = journal.Replace(st, k, source(), make([]byte, journal.MaxPublic+1))
	require.ErrorIs(t, err, journal.ErrLimit)
	_, err = journal.NewKey(nil, journal.KDF{}, source())
	require.ErrorIs(t, err, journal.ErrLimit)
}

func FuzzParseKey(f *testing.F) {
	k, err := journal.NewKey(nil, journal.WeakestKDF(), source())
	require.NoError(f, err)
	f.Add(k.Bytes())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		if k, err := journal.ParseKey(b); err == nil {
			require.Equal(t, b, k.Bytes())
		}
	})
}
