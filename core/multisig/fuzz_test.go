package multisig

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzMessage(f *testing.F) {
	first, err := Prepare(source(1), wallets(f, 1)[0])
	require.NoError(f, err)
	_, texts := begin(f, 2, 3)
	f.Add(first)
	f.Add(texts[0])
	f.Add(magicLater)
	f.Add("MultisigV1")
	group, _ := begin(f, 2, 3)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseKexMessage(text)
		if err != nil {
			require.Nil(t, m)
			return
		}
		require.Equal(t, text[:len(magicFirst)], m.magic())
		_, _, err = group[0].Exchange(source(1), []string{text}, false)
		require.Error(t, err)
		_, _, _ = Make(source(1), wallets(t, 1)[0], 2, []string{text})
	})
}

func FuzzAccount(f *testing.F) {
	group, _ := begin(f, 2, 4)
	f.Add(group[0].Encode())
	for _, a := range setUp(f, 2, 3) {
		f.Add(a.Encode())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := Decode(b)
		if err != nil {
			return
		}
		// A decoded account is serialised to the same contents, apart from the order of lists, and makes messages.
		require.Len(t, a.Encode(), len(b))
		again, err := Decode(a.Encode())
		require.NoError(t, err)
		require.True(t, bytes.Equal(a.Encode(), again.Encode()))
		_, err = a.Message(source(1))
		require.NoError(t, err)
	})
}

func FuzzSeed(f *testing.F) {
	for _, a := range setUp(f, 2, 3) {
		seed, err := a.Seed()
		require.NoError(f, err)
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := FromSeed(text)
		if err != nil {
			return
		}
		again, err := a.Seed()
		require.NoError(t, err)
		require.Equal(t, strings.ToLower(text), again)
	})
}
