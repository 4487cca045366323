package tx

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return b
}

// publishedKey is a transaction key field of the reference's published tests.
// Source: tests/unit_tests/test_tx_utils.cpp of the reference.
const publishedKey = "011ed062a285405553705bbc59d31883279a16e4503fc68dad6ff4b70495ba8ce6"

// TestExtraPublished runs the published cases of the reference and its fuzzing seed.
// Source: tests/unit_tests/test_tx_utils.cpp; /usr/share/monero/testdata/fuzz/tx-extra/TXEXTRA1 of Debian's
// monero-tests 0.18.0.0.
func TestExtraPublished(t *testing.T) {
	key := xmr.PublicKey(unhex(t, publishedKey)[1:])
	for name, c := range map[string]struct {
		in   []byte
		want Extra
		ok   bool
	}{
		"empty":                 {nil, Extra{}, true},
		"one zero":              {make([]byte, 1), Extra{}, true},
		"most zeros":            {make([]byte, 255), Extra{}, true},
		"too many zeros":        {make([]byte, 256), Extra{}, false},
		"padding with a number": {[]byte{0, 42}, Extra{}, false},
		"key":                   {unhex(t, publishedKey), Extra{PublicKeys: []xmr.PublicKey{key}}, true},
		"nonce":                 {[]byte{2, 1, 42}, Extra{Nonce: []byte{42}}, true},
		"key and padding": {
			append(unhex(t, publishedKey), make([]byte, 103)...),
			Extra{PublicKeys: []xmr.PublicKey{key}},
			true,
		},
		"short nonce":          {append([]byte{2, 255}, make([]byte, 18)...), Extra{}, false},
		"half a key":           {[]byte{1}, Extra{}, false},
		"key, then half a key": {append(unhex(t, publishedKey), 1), Extra{PublicKeys: []xmr.PublicKey{key}}, false},
		"TXEXTRA1": {
			unhex(t, "014ba5f9b4f79d176849e7a3e5f64e3fd00466e60073784d9c6708ac737521bc7402090152a352129ef7615b"),
			Extra{
				PublicKeys: []xmr.PublicKey{
					xmr.PublicKey(unhex(t, "4ba5f9b4f79d176849e7a3e5f64e3fd00466e60073784d9c6708ac737521bc74")),
				},
				Nonce:              unhex(t, "0152a352129ef7615b"),
				EncryptedPaymentID: (*[8]byte)(unhex(t, "52a352129ef7615b")),
			},
			true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := ParseExtra(c.in)
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.want, got)
		})
	}
}

// TestExtraOfFixtures reads the extra of real transactions: five outputs to subaddresses have five additional keys.
func TestExtraOfFixtures(t *testing.T) {
	for id, additional := range map[string]int{
		"58c319ea84e52ee895d7aebd344e13e0bd69a904e59c3a2dffaa0d4bbbd14d2f": 5,
		"4e29563827c996f2a759fb71078697fc40c7a22728d214c2d4fead5cb80a2667": 3,
		"26fcdad755f4959a2e7dcd74a5fcc177112f8c4fe3ae86143868ab84a5a9687d": 0,
	} {
		x, err := Parse(fixture(t, id))
		require.NoError(t, err)
		e, ok := ParseExtra(x.Extra)
		require.True(t, ok)
		require.Len(t, e.PublicKeys, 1)
		require.Len(t, e.AdditionalKeys, additional)
		require.Equal(t, additional == 0, e.EncryptedPaymentID != nil, "two outputs carry a payment ID, real or not")
	}
}

// TestExtraBuilders writes every kind of field and reads it back; the first of repeated fields counts.
func TestExtraBuilders(t *testing.T) {
	k := func(n byte) (key xmr.PublicKey) { key[0] = n; return key }
	id := xmr.Hash{9, 9}
	mm := MergeMining{Depth: 300, MerkleRoot: xmr.Hash{7}}
	b := AppendPublicKey(nil, k(1))
	b = AppendPaymentID(b, id)
	b = AppendEncryptedPaymentID(b, [8]byte{1})
	b = AppendMergeMining(b, mm)
	b = AppendMergeMining(b, MergeMining{})
	b = AppendAdditionalKeys(b, []xmr.PublicKey{k(3), k(4)})
	b = AppendAdditionalKeys(b, []xmr.PublicKey{k(5)})
	b = append(b, 0xde, 3, 1, 2, 3)
	b = AppendPublicKey(b, k(2))
	want := Extra{
		PublicKeys:     []xmr.PublicKey{k(1), k(2)},
		AdditionalKeys: []xmr.PublicKey{k(3), k(4)},
		Nonce:          append([]byte{0}, id[:]...),
		PaymentID:      &id,
		MergeMining:    &mm,
	}
	got, ok := ParseExtra(b)
	require.True(t, ok)
	require.Equal(t, want, got)

	longest, err := AppendNonce(nil, make([]byte, 255))
	require.NoError(t, err)
	got, ok = ParseExtra(longest)
	require.True(t, ok)
	require.Len(t, got.Nonce, 255)
	require.Nil(t, got.PaymentID)
	_, err = AppendNonce(nil, make([]byte, 256))
	require.ErrorIs(t, err, wire.ErrLimit)
}

// TestExtraMalformed: the fields before the first malformed one are returned.
func TestExtraMalformed(t *testing.T) {
	key := unhex(t, publishedKey)
	for name, tail := range map[string][]byte{
		"unknown tag":                  {5},
		"nonce of 256 bytes":           append([]byte{2, 0x80, 2}, make([]byte, 256)...),
		"length not in shortest form":  {2, 0x81, 0, 42},
		"merge mining with more":       append([]byte{3, 34, 0}, make([]byte, 33)...),
		"merge mining with less":       append([]byte{3, 32, 0}, make([]byte, 31)...),
		"merge mining without a depth": {3, 0},
		"keys that are not there":      {4, 2},
		"billions of keys":             {4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"minergate cut short":          {0xde, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			in := append(append([]byte(nil), key...), tail...)
			e, ok := ParseExtra(in)
			require.False(t, ok)
			require.Len(t, e.PublicKeys, 1)
			require.Nil(t, e.Nonce)
			require.Nil(t, e.MergeMining)
			require.Nil(t, e.AdditionalKeys)
		})
	}
}
