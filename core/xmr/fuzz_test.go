package xmr_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/xmr"
)

func FuzzParse(f *testing.F) {
	f.Add(strings.Repeat("0a", 32))
	f.Add(strings.Repeat("F", 64))
	f.Add("0x" + strings.Repeat("0", 62))
	f.Fuzz(func(t *testing.T, s string) {
		h, err := xmr.ParseHash(s)
		key, again := xmr.ParseKey(s)
		require.Equal(t, err, again)
		var hash xmr.Hash
		var public xmr.PublicKey
		var image xmr.KeyImage
		for _, v := range []interface{ UnmarshalText([]byte) error }{&hash, &public, &image} {
			require.Equal(t, err, v.UnmarshalText([]byte(s)))
		}
		if err != nil {
			require.ErrorIs(t, err, xmr.ErrHex)
			return
		}
		require.Equal(t, strings.ToLower(s), h.String())
		require.Equal(t, [32]byte(h), key)
		require.Equal(t, h, hash)
		require.Equal(t, key, [32]byte(public))
		require.Equal(t, key, [32]byte(image))
	})
}

func FuzzParseAmount(f *testing.F) {
	f.Add("1.5")
	f.Add(" 18446744.073709551615\t")
	f.Add(".0000000000010")
	f.Fuzz(func(t *testing.T, s string) {
		atomic, err := xmr.ParseAmount(s)
		if err != nil {
			require.ErrorIs(t, err, xmr.ErrAmount)
			return
		}
		again, err := xmr.ParseAmount(xmr.FormatAmount(atomic))
		require.NoError(t, err)
		require.Equal(t, atomic, again)
	})
}
