package address

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/internal/codec/base58"
	"glim/core/xmr"
)

type vector struct {
	Network      string   `json:"network"`
	SpendKey     string   `json:"spend_key"`
	ViewKey      string   `json:"view_key"`
	Standard     string   `json:"standard"`
	Integrated   string   `json:"integrated"`
	PaymentID    string   `json:"payment_id"`
	Subaddresses []string `json:"subaddresses"`
}

func vectors(t testing.TB) []vector {
	text, err := os.ReadFile("testdata/addresses.json")
	require.NoError(t, err)
	var file struct {
		Vectors []vector `json:"vectors"`
	}
	require.NoError(t, json.Unmarshal(text, &file))
	require.Len(t, file.Vectors, 9)
	return file.Vectors
}

func network(t testing.TB, name string) xmr.Network {
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet} {
		if n.String() == name {
			return n
		}
	}
	require.Fail(t, "unknown network", name)
	return 0
}

// public returns s·G of a secret key in hexadecimal.
func public(t testing.TB, secret string) xmr.PublicKey {
	raw, err := xmr.ParseKey(secret)
	require.NoError(t, err)
	s, err := edwards.DecodeScalar(raw)
	require.NoError(t, err)
	return new(edwards.Point).ScalarBaseMult(s).Encode()
}

func TestRealAddresses(t *testing.T) {
	for _, v := range vectors(t) {
		want := Address{
			Network: network(t, v.Network), Kind: Standard,
			Spend: public(t, v.SpendKey), View: public(t, v.ViewKey),
		}
		got, err := Parse(v.Standard)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, v.Standard, want.String())
		require.Equal(t, want, want.Standard())

		var id [8]byte
		_, err = hex.Decode(id[:], []byte(v.PaymentID))
		require.NoError(t, err)
		integrated, err := want.WithPaymentID(id)
		require.NoError(t, err)
		require.Equal(t, v.Integrated, integrated.String())
		got, err = Parse(v.Integrated)
		require.NoError(t, err)
		require.Equal(t, integrated, got)
		require.Equal(t, want, got.Standard())
		_, err = got.WithPaymentID(id)
		require.ErrorIs(t, err, ErrKind)

		for _, text := range v.Subaddresses {
			sub, err := Parse(text)
			require.NoError(t, err)
			require.Equal(t, Subaddress, sub.Kind)
			require.Equal(t, want.Network, sub.Network)
			require.NotEqual(t, want.Spend, sub.Spend)
			require.Equal(t, text, sub.String())
			require.Equal(t, sub, sub.Standard())
			_, err = sub.WithPaymentID(id)
			require.ErrorIs(t, err, ErrKind)
		}
	}
}

func TestParseFor(t *testing.T) {
	for _, v := range vectors(t) {
		own := network(t, v.Network)
		for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet, xmr.Regtest} {
			for _, text := range []string{v.Standard, v.Integrated, v.Subaddresses[0]} {
				a, err := ParseFor(n, text)
				if n == own || n == xmr.Regtest && own == xmr.Mainnet {
					require.NoError(t, err)
					require.Equal(t, n, a.Network)
					require.Equal(t, text, a.String())
				} else {
					require.ErrorIs(t, err, ErrNetwork)
					require.Zero(t, a)
				}
			}
		}
	}
	_, err := ParseFor(xmr.Mainnet, "x")
	require.ErrorIs(t, err, ErrMalformed)
}

func TestRefusals(t *testing.T) {
	good, err := Parse(vectors(t)[0].Standard)
	require.NoError(t, err)
	spend, view := good.Spend[:], good.View[:]
	join := func(parts ...[]byte) (out []byte) {
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	key := func(first, last byte, middle byte) []byte {
		k := make([]byte, 32)
		for i := range k {
			k[i] = middle
		}
		k[0], k[31] = first, last
		return k
	}
	id := make([]byte, 8)
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"empty":                        {"", ErrMalformed},
		"empty, beneath":               {"", base58.ErrLength},
		"a letter changed":             {"5" + good.String()[1:], ErrMalformed},
		"a letter changed, beneath":    {"5" + good.String()[1:], base58.ErrChecksum},
		"surrounded by space":          {" " + good.String(), ErrMalformed},
		"unknown prefix":               {base58.EncodeAddr(17, join(spend, view)), ErrPrefix},
		"standard, short":              {base58.EncodeAddr(18, join(spend, view[:31])), ErrMalformed},
		"standard, long":               {base58.EncodeAddr(18, join(spend, view, id)), ErrMalformed},
		"integrated without ID":        {base58.EncodeAddr(19, join(spend, view)), ErrMalformed},
		"integrated, long":             {base58.EncodeAddr(19, join(spend, view, id, id[:1])), ErrMalformed},
		"subaddress with ID":           {base58.EncodeAddr(42, join(spend, view, id)), ErrMalformed},
		"spend key off the curve":      {base58.EncodeAddr(18, join(key(2, 0, 0), view)), ErrKey},
		"view key off the curve":       {base58.EncodeAddr(18, join(spend, key(2, 0, 0))), ErrKey},
		"view key p+1 for 1":           {base58.EncodeAddr(18, join(spend, key(0xee, 0x7f, 0xff))), ErrKey},
		"spend key 1 with a sign":      {base58.EncodeAddr(42, join(key(1, 0x80, 0), view)), ErrKey},
		"integrated, key not on curve": {base58.EncodeAddr(19, join(spend, key(2, 0, 0), id)), ErrKey},
	} {
		a, err := Parse(c.text)
		require.ErrorIs(t, err, c.want, name)
		require.Zero(t, a, name)
	}
}

func FuzzParse(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.Standard)
		f.Add(v.Integrated)
		f.Add(v.Subaddresses[0])
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := Parse(s)
		if err == nil {
			require.Equal(t, s, a.String())
		}
		if of, failed := ParseFor(xmr.Stagenet, s); failed == nil {
			require.NoError(t, err)
			require.Equal(t, a, of)
			require.Equal(t, xmr.Stagenet, of.Network)
		}
	})
}

// FuzzParsePayload gets past the checksum.
func FuzzParsePayload(f *testing.F) {
	for _, v := range vectors(f) {
		for _, text := range []string{v.Standard, v.Integrated, v.Subaddresses[0]} {
			tag, data, err := base58.DecodeAddr(text)
			require.NoError(f, err)
			f.Add(tag, data)
		}
	}
	f.Fuzz(func(t *testing.T, tag uint64, data []byte) {
		s := base58.EncodeAddr(tag, data)
		if a, err := Parse(s); err == nil {
			require.Equal(t, s, a.String())
		}
	})
}
