package proof

import (
	"crypto/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/keys"
)

func TestReferenceMessages(t *testing.T) {
	w := load(t)
	seen := map[string]bool{}
	for _, m := range w.Messages {
		a := parse(t, m.Address)
		got, err := VerifyMessage(m.Data, a, m.Signature)
		require.NoError(t, err)
		require.Equal(t, m.Kind, got.Key.String())
		require.Equal(t, Signed{2, false, got.Key}, got)
		seen[a.Kind.String()+" "+m.Kind] = true

		_, err = VerifyMessage(m.Data+"\x00", a, m.Signature)
		require.ErrorIs(t, err, ErrInvalid)
		_, err = VerifyMessage(m.Data, addressOf(person(t, 3), keys.Index{}), m.Signature)
		require.ErrorIs(t, err, ErrInvalid)
		for _, wrong := range []address.Address{
			{Spend: a.View, View: a.Spend},
			{Spend: a.Spend, View: a.Spend},
			{Spend: a.View, View: a.View},
		} {
			_, err = VerifyMessage(m.Data, wrong, m.Signature)
			require.ErrorIs(t, err, ErrInvalid, "the message binds both keys")
		}
		_, err = VerifyMessage(m.Data, a, strings.Replace(m.Signature, messageV2, messageV1, 1))
		require.ErrorIs(t, err, ErrInvalid)
		for i := len(messageV2); i < len(m.Signature); i++ {
			_, err = VerifyMessage(m.Data, a, letter(m.Signature, i))
			require.Error(t, err, i)
		}
		for _, text := range []string{
			"", "SigV2", "SigV3" + m.Signature[5:], m.Signature + "1", m.Signature[:92], "sigV2" + m.Signature[5:],
			m.Signature[:5] + "0" + m.Signature[6:],
		} {
			_, err = VerifyMessage(m.Data, a, text)
			require.ErrorIs(t, err, ErrMalformed, text)
		}
	}
	require.Len(t, seen, 4)
}

func TestSignMessage(t *testing.T) {
	k := person(t, 5)
	only, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	for _, data := range []string{"", "data", strings.Repeat("long ", 1000)} {
		for _, i := range []keys.Index{{}, {Major: 0, Minor: 1}, {Major: 2, Minor: 0}} {
			for _, kind := range []KeyKind{SpendKey, ViewKey} {
				text, err := SignMessage(rand.Reader, k, i, kind, data)
				require.NoError(t, err)
				got, err := VerifyMessage(data, addressOf(k, i), text)
				require.NoError(t, err)
				require.Equal(t, Signed{2, false, kind}, got)

				text, err = SignMessage(rand.Reader, only, i, kind, data)
				if kind == SpendKey || i != (keys.Index{}) {
					require.ErrorIs(t, err, ErrViewOnly)
					continue
				}
				require.NoError(t, err)
				_, err = VerifyMessage(data, addressOf(k, i), text)
				require.NoError(t, err)
			}
		}
	}
	_, err = SignMessage(strings.NewReader("short"), k, keys.Index{}, SpendKey, "")
	require.Error(t, err)
}

func FuzzVerifyMessage(f *testing.F) {
	w := load(f)
	m := w.Messages[0]
	good := map[string]bool{}
	for _, n := range w.Messages {
		f.Add(n.Signature)
		good[n.Signature] = true
	}
	a := parse(f, m.Address)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := VerifyMessage(m.Data, a, text); err == nil {
			require.True(t, good[text], "forged")
		}
	})
}
