package keys_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

func fromHex(t *testing.T, s string) [32]byte {
	t.Helper()
	b, err := xmr.ParseKey(s)
	require.NoError(t, err)
	return b
}

// TestSubaddressVectors compares with monero-wallet-rpc; see testdata/README.md.
func TestSubaddressVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/subaddresses.json")
	require.NoError(t, err)
	var v struct {
		SpendKey  string `json:"spend_key"`
		ViewKey   string `json:"view_key"`
		Addresses []struct {
			Major   uint32 `json:"major"`
			Minor   uint32 `json:"minor"`
			Address string `json:"address"`
		} `json:"addresses"`
	}
	require.NoError(t, json.Unmarshal(raw, &v))
	require.Len(t, v.Addresses, 38)
	k, err := keys.FromSecrets(fromHex(t, v.SpendKey), fromHex(t, v.ViewKey))
	require.NoError(t, err)
	require.True(t, k.Deterministic())
	watch, err := keys.ViewOnly(fromHex(t, v.ViewKey), k.SpendPublic)
	require.NoError(t, err)
	for _, want := range v.Addresses {
		i := keys.Index{Major: want.Major, Minor: want.Minor}
		for _, k := range []*keys.Keys{k, watch} {
			a := address.Address{Network: xmr.Mainnet, Kind: address.Subaddress}
			if i == (keys.Index{}) {
				a.Kind = address.Standard
			}
			a.Spend, a.View = k.Address(i)
			require.Equal(t, want.Address, a.String(), "%v", i)
		}
	}
}

// TestAddressesEqualAddress compares the batch with single addresses.
func TestAddressesEqualAddress(t *testing.T) {
	whole, err := keys.FromSeed([32]byte{7})
	require.NoError(t, err)
	view, err := keys.ViewOnly(whole.ViewSecret(), whole.SpendPublic)
	require.NoError(t, err)
	list := []keys.Index{
		{},
		{Minor: 1},
		{Major: 1},
		{Major: 1, Minor: 1},
		{Major: math.MaxUint32, Minor: math.MaxUint32},
		{},
		{Minor: 1},
	}
	for i := range uint32(130) {
		list = append(list, keys.Index{Major: i % 3, Minor: i})
	}
	for _, k := range []*keys.Keys{whole, view} {
		spend, view := k.Addresses(list)
		require.Len(t, spend, len(list))
		require.Len(t, view, len(list))
		for n, i := range list {
			s, v := k.Address(i)
			require.Equal(t, s, spend[n], i)
			require.Equal(t, v, view[n], i)
		}
	}
	spend, _ := whole.Addresses(nil)
	require.Empty(t, spend)
}

// TestSpendKeysEqualAddress compares the batch with the single key.
func TestSpendKeysEqualAddress(t *testing.T) {
	k, err := keys.FromSeed(chaintest.NewRandom("batch").Bytes32())
	require.NoError(t, err)
	for _, r := range [][3]uint32{{0, 0, 5}, {0, 1, 40}, {7, 0, 3}, {^uint32(0), ^uint32(0) - 2, ^uint32(0)}} {
		got := k.SpendKeys(r[0], r[1], r[2])
		require.Len(t, got, int(r[2]-r[1]))
		for i, key := range got {
			spend, view := k.Address(keys.Index{Major: r[0], Minor: r[1] + uint32(i)})
			require.Equal(t, spend, key)
			require.NotEqual(t, spend, view)
		}
	}
	require.Empty(t, k.SpendKeys(0, 5, 5))
	require.Empty(t, k.SpendKeys(0, 6, 5))
}

func TestInvalidKeys(t *testing.T) {
	one := [32]byte{1}
	var zero [32]byte
	order := fromHex(t, "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
	_, err := keys.FromSeed(zero)
	require.ErrorIs(t, err, keys.ErrKey)
	_, err = keys.FromSeed(order)
	require.ErrorIs(t, err, keys.ErrKey, "a multiple of the order is zero")
	for _, bad := range [][32]byte{zero, order, {31: 0xff}} {
		_, err = keys.FromSecrets(bad, one)
		require.ErrorIs(t, err, keys.ErrKey)
		_, err = keys.FromSecrets(one, bad)
		require.ErrorIs(t, err, keys.ErrKey)
		_, err = keys.ViewOnly(bad, edwards.Base().Encode())
		require.ErrorIs(t, err, keys.ErrKey)
	}
	_, err = keys.ViewOnly(one, chaintest.InvalidPoint)
	require.ErrorIs(t, err, edwards.ErrPoint)
	k, err := keys.FromSecrets(one, [32]byte{2})
	require.NoError(t, err)
	require.False(t, k.Deterministic())
	require.Equal(t, xmr.PublicKey(edwards.Base().Encode()), k.SpendPublic)
}

// TestSecretsDoNotPrint formats everything in every way.
func TestSecretsDoNotPrint(t *testing.T) {
	k, err := keys.FromSeed(chaintest.NewRandom("print").Bytes32())
	require.NoError(t, err)
	spend, ok := k.SpendSecret()
	require.True(t, ok)
	view := k.ViewSecret()
	for _, format := range []string{"%v", "%+v", "%s", "%#v"} {
		for _, v := range []any{k, spend, view, struct{ S keys.Secret }{spend}} {
			text := fmt.Sprintf(format, v)
			for _, secret := range []keys.Secret{spend, view} {
				require.NotContains(t, strings.ToLower(text), hex.EncodeToString(secret[:]))
				require.NotContains(t, text, fmt.Sprint([32]byte(secret)))
			}
		}
	}
}

// TestOutputKeys pays an address and derives the secret key and key image: x·G is the output's key, x·Hp(P) its image.
func TestOutputKeys(t *testing.T) {
	r := chaintest.NewRandom("outputs")
	k, err := keys.FromSeed(r.Bytes32())
	require.NoError(t, err)
	watch, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	require.False(t, watch.CanSpend())
	require.False(t, watch.Deterministic())
	_, ok := watch.SpendSecret()
	require.False(t, ok)
	for n, i := range []keys.Index{{}, {Minor: 1}, {Major: 3}, {Major: 1, Minor: 500}} {
		spend, view := k.Address(i)
		secret := r.Scalar()
		d, err := edwards.Derive(secret, view)
		require.NoError(t, err)
		public, err := d.PublicKey(uint64(n), spend)
		require.NoError(t, err)
		x, ok := k.OutputSecret(d, uint64(n), i)
		require.True(t, ok)
		require.Equal(t, public, new(edwards.Point).ScalarBaseMult(x).Encode())
		image, known, err := k.KeyImage(d, uint64(n), i, public)
		require.NoError(t, err)
		require.True(t, known)
		require.Equal(t, xmr.KeyImage(edwards.GenerateKeyImage(public, x)), image)
		back, err := d.SpendKey(uint64(n), public)
		require.NoError(t, err)
		require.Equal(t, spend, xmr.PublicKey(back))

		_, _, err = k.KeyImage(d, uint64(n)+1, i, public)
		require.ErrorIs(t, err, keys.ErrMismatch)
		_, _, err = k.KeyImage(d, uint64(n), keys.Index{Major: 9}, public)
		require.ErrorIs(t, err, keys.ErrMismatch)
		_, known, err = watch.KeyImage(d, uint64(n), i, public)
		require.NoError(t, err)
		require.False(t, known)
	}
}

// TestAmountEncryption decrypts encrypted amounts and payment IDs.
func TestAmountEncryption(t *testing.T) {
	r := chaintest.NewRandom("seals")
	for range 20 {
		shared, d := r.Scalar(), edwards.Derivation(r.Point())
		var plain [8]byte
		_, _ = r.Read(plain[:])
		sealed := keys.EncryptAmount(shared, plain)
		require.NotEqual(t, plain, sealed)
		require.Equal(t, plain, keys.DecryptAmount(shared, sealed))
		id := keys.EncryptPaymentID(d, plain)
		require.NotEqual(t, plain, id)
		require.NotEqual(t, sealed, id)
		require.Equal(t, plain, keys.DecryptPaymentID(d, id))

		// Long amounts: mask and amount plus a hash each, one the hash of the other.
		mask, amount := r.Scalar(), r.Uint64()
		first := edwards.HashToScalar(shared.Bytes())
		second := edwards.HashToScalar(first.Bytes())
		got, opened := keys.DecryptLongAmount(shared,
			edwards.EncodeScalar(edwards.NewScalar().Add(mask, first)),
			edwards.EncodeScalar(edwards.NewScalar().Add(edwards.ScalarFromUint64(amount), second)))
		require.Equal(t, amount, got)
		require.Equal(t, 1, opened.Equal(mask))
	}
	keys.DecryptLongAmount(r.Scalar(), [32]byte{31: 0xff}, [32]byte{31: 0xff}) // not reduced: no panic
}

// TestViewScalarIsACopy: callers cannot change the key.
func TestViewScalarIsACopy(t *testing.T) {
	k, err := keys.FromSeed([32]byte{5})
	require.NoError(t, err)
	before := k.ViewSecret()
	k.ViewScalar().Add(k.ViewScalar(), k.ViewScalar())
	v := k.ViewScalar()
	v.Add(v, v)
	require.Equal(t, before, k.ViewSecret())
}

// TestLastAddress: the highest index is a valid address.
func TestLastAddress(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	last := keys.Index{Major: 1, Minor: ^uint32(0)}
	spend, view := k.Address(last)
	require.Equal(t, k.SpendKey(last), spend)
	require.NotEqual(t, spend, view)
	before, _ := k.Address(keys.Index{Major: 1, Minor: last.Minor - 1})
	require.Equal(t, k.SpendKeys(1, last.Minor-1, last.Minor), []xmr.PublicKey{before})
}
