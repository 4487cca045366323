package coldset_test

import (
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/crypto/keccak"
	"glim/core/internal/crypto/ringsig"
	"glim/core/keys"
	"glim/core/xmr"
)

// fixtures were written by the reference's programs. See testdata/README.md.
type fixtures struct {
	Outputs   string      `json:"outputs"`    // by the view-only wallet
	Images    []imageText `json:"key_images"` // by the cold wallet
	Unsigned  string      `json:"unsigned_txset"`
	Described description `json:"described"` // by the cold wallet
	Signed    string      `json:"signed_txset"`
	Metadata  string      `json:"tx_metadata"` // by a wallet that has all keys and a daemon
}

type imageText struct {
	KeyImage  string `json:"key_image"`
	Signature string `json:"signature"`
}

type description struct {
	Desc []struct {
		AmountIn      uint64 `json:"amount_in"`
		AmountOut     uint64 `json:"amount_out"`
		RingSize      uint32 `json:"ring_size"`
		UnlockTime    uint64 `json:"unlock_time"`
		Recipients    []recipient
		PaymentID     string `json:"payment_id"`
		ChangeAmount  uint64 `json:"change_amount"`
		ChangeAddress string `json:"change_address"`
		Fee           uint64 `json:"fee"`
		DummyOutputs  uint32 `json:"dummy_outputs"`
		Extra         string `json:"extra"`
	} `json:"desc"`
}

type recipient struct {
	Address string `json:"address"`
	Amount  uint64 `json:"amount"`
}

// testKeys returns the fixtures' wallet, whose seed is the hash of a name.
func testKeys(t testing.TB, name string) *keys.Keys {
	t.Helper()
	k, err := keys.FromSeed(keccak.Sum256([]byte(name)))
	require.NoError(t, err)
	return k
}

func addressOf(k *keys.Keys, i keys.Index) address.Address {
	spend, view := k.Address(i)
	a := address.Address{Network: xmr.Regtest, Spend: spend, View: view}
	if i != (keys.Index{}) {
		a.Kind = address.Subaddress
	}
	return a
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return b
}

// checkFixtures parses the fixtures, serialises them and compares.
func checkFixtures(t *testing.T, f *fixtures, k *keys.Keys) {
	t.Helper()
	box := coldset.NewCipher(k, 1)
	plain := func(message, magic string) []byte {
		b, err := box.Decrypt(unhex(t, message)[len(magic):])
		require.NoError(t, err)
		return b
	}
	outputs, err := box.DecodeOutputs(unhex(t, f.Outputs))
	require.NoError(t, err)
	require.Equal(t, plain(f.Outputs, "Monero output export\x04")[64:], outputs.Append(nil))
	require.NotEmpty(t, outputs.Outputs)

	images, err := (&coldset.ColdSigner{Network: xmr.Regtest, Keys: k}).Import(outputs)
	require.NoError(t, err)
	require.Len(t, images, len(f.Images))
	for i, text := range f.Images {
		s := unhex(t, text.Signature)
		theirs := coldset.SignedImage{
			Image:     images[i],
			Signature: ringsig.Signature{C: [32]byte(s), R: [32]byte(s[32:])},
		}
		require.Equal(t, text.KeyImage, images[i].String())
		require.NoError(t, theirs.Verify(outputs.Outputs[i].Key))
	}

	u, err := box.DecodeUnsigned(unhex(t, f.Unsigned))
	require.NoError(t, err)
	require.Equal(t, plain(f.Unsigned, "Monero unsigned tx set\x05"), u.Append(nil))
	checkDescription(t, u, f.Described)

	s, err := box.DecodeSigned(unhex(t, f.Signed))
	require.NoError(t, err)
	require.Equal(t, plain(f.Signed, "Monero signed tx set\x05"), s.Append(nil))
	for i := range s.Transactions {
		require.NoError(t, coldset.CheckSigned(k, &u.Transactions[i], &s.Transactions[i]))
	}
	if f.Metadata != "" {
		p, err := coldset.ParsePendingTx(unhex(t, f.Metadata))
		require.NoError(t, err)
		require.Equal(t, f.Metadata, hex.EncodeToString(p.Append(nil)))
	}
}

func checkDescription(t *testing.T, u *coldset.UnsignedSet, theirs description) {
	t.Helper()
	ours, all, err := u.Describe(xmr.Regtest)
	require.NoError(t, err)
	require.Len(t, ours, len(theirs.Desc))
	sum := uint64(0)
	for i, want := range theirs.Desc {
		got := ours[i]
		require.Equal(t, want.AmountIn, got.AmountIn)
		require.Equal(t, want.AmountOut, got.AmountOut)
		require.Equal(t, want.RingSize, got.RingSize)
		require.Equal(t, want.UnlockTime, got.UnlockTime)
		require.Equal(t, want.PaymentID, got.PaymentID)
		require.Equal(t, want.ChangeAmount, got.ChangeAmount)
		require.Equal(t, want.ChangeAddress, got.ChangeAddress.String())
		require.Equal(t, want.Fee, got.Fee)
		require.Equal(t, want.DummyOutputs, got.DummyOutputs)
		require.Equal(t, want.Extra, hex.EncodeToString(got.Extra))
		var recipients []recipient
		for _, r := range got.Recipients {
			recipients = append(recipients, recipient{r.Address.String(), r.Amount})
		}
		require.ElementsMatch(t, want.Recipients, recipients)
		sum += want.Fee
	}
	require.Equal(t, sum, all.Fee)
}

//go:embed testdata/reference.json
var reference []byte

// TestFixtures compares parsing and serialising with the reference's messages.
func TestFixtures(t *testing.T) {
	var f fixtures
	require.NoError(t, json.Unmarshal(reference, &f))
	require.NotEmpty(t, f.Metadata)
	checkFixtures(t, &f, testKeys(t, "glim cold set"))
}
