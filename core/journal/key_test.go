package journal_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
)

func source() *rand.ChaCha8 { return rand.NewChaCha8([32]byte{7}) }

// TestKey checks that a key can replace its password, and that printing it shows no secret.
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

	other, err := journal.NewKey([]byte("password"), journal.WeakestKDF(), rand.NewChaCha8([32]byte{8}))
	require.NoError(t, err)
	_, _, err = journal.OpenKey(st, other, source())
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

// TestKeyPurposes checks that a key can be derived again from its head and the password, and that the keys for
// different purposes differ.
func TestKeyPurposes(t *testing.T) {
	k, err := journal.NewKey([]byte("password"), journal.WeakestKDF(), source())
	require.NoError(t, err)
	again, err := journal.KeyOf([]byte("password"), k.Head())
	require.NoError(t, err)
	require.Equal(t, k, again)
	require.Equal(t, journal.WeakestKDF(), again.KDF())
	other, err := journal.KeyOf([]byte("another"), k.Head())
	require.NoError(t, err)
	require.NotEqual(t, k, other)
	_, err = journal.KeyOf(nil, k.Head()[1:])
	require.ErrorIs(t, err, journal.ErrFormat)
	_, err = journal.KeyOf(nil, make([]byte, len(k.Head())))
	require.ErrorIs(t, err, journal.ErrLimit)

	one, two := k.For("one"), k.For("two")
	require.Equal(t, one, again.For("one"))
	require.NotEqual(t, one, two)
	require.NotEqual(t, one, k)
	sealed, err := one.Seal(source(), []byte("plain"), []byte("head"))
	require.NoError(t, err)
	plain, err := one.Open(sealed, []byte("head"))
	require.NoError(t, err)
	require.Equal(t, "plain", string(plain))
	for _, try := range []journal.Key{two, k, other.For("one")} {
		_, err = try.Open(sealed, []byte("head"))
		require.ErrorIs(t, err, journal.ErrPassword)
	}
	_, err = one.Open(sealed, []byte("heat"))
	require.ErrorIs(t, err, journal.ErrPassword)
	for n := range len(sealed) {
		_, err = one.Open(sealed[:n], []byte("head"))
		require.ErrorIs(t, err, journal.ErrPassword)
	}
}

// TestChangeKey changes the key, the public bytes and the records, and makes that fail before and after it takes
// effect: the storage holds the complete old or new content.
func TestChangeKey(t *testing.T) {
	k, err := journal.NewKey([]byte("password"), journal.WeakestKDF(), source())
	require.NoError(t, err)
	next := k.For("next")
	full := errors.New("full")
	for name, c := range map[string]struct {
		change func(*journal.Journal) error
		key    journal.Key
		public string
		want   [][]byte
	}{
		"key": {
			func(j *journal.Journal) error { return j.ChangeKey(next, []byte("new")) },
			next, "new", [][]byte{[]byte("one"), []byte("two")},
		},
		"all": {
			func(j *journal.Journal) error { return j.Rewrite(next, []byte("new"), []byte("other")) },
			next, "new", [][]byte{[]byte("other")},
		},
		"records": {
			func(j *journal.Journal) error { return j.Renew([]byte("new"), []byte("other")) },
			k, "new", [][]byte{[]byte("other")},
		},
	} {
		for _, took := range []int{-1, 0, 1} {
			st := journal.NewMemory()
			j, err := journal.Replace(st, k, source(), []byte("old"), []byte("one"))
			require.NoError(t, err)
			require.NoError(t, j.Append([]byte("two")))
			if took >= 0 {
				st.Fault = func(journal.Op, []byte) (int, error) { return took, full }
			}
			err = c.change(j)
			st.Fault = nil
			key, public, want := c.key, c.public, c.want
			switch took {
			case -1:
				require.NoError(t, err)
				require.True(t, j.Has(key), name)
			case 0:
				require.ErrorIs(t, err, full)
				require.True(t, j.Has(k), name)
				key, public, want = k, "old", [][]byte{[]byte("one"), []byte("two")}
			case 1:
				require.ErrorIs(t, err, full)
				require.ErrorIs(t, j.Append(nil), journal.ErrBroken)
				require.ErrorIs(t, c.change(j), journal.ErrBroken)
			}
			if took < 1 {
				require.Equal(t, public, string(j.Public()))
				require.NoError(t, j.Append([]byte("more")), name)
				want = append(slices.Clone(want), []byte("more"))
			}
			opened, records, err := journal.OpenKey(st, key, source())
			require.NoError(t, err, name)
			require.Equal(t, want, records)
			require.Equal(t, public, string(opened.Public()))
			wantErr := journal.ErrLimit
			if took == 1 {
				wantErr = journal.ErrBroken
			}
			require.ErrorIs(t, j.Rewrite(k, make([]byte, journal.MaxPublic+1)), wantErr)
			require.ErrorIs(t, j.ChangeKey(k, make([]byte, journal.MaxPublic+1)), journal.ErrLimit)
		}
	}
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
