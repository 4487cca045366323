package multisig

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/keys"
	"glim/core/xmr"
)

// TestReferenceMessagesAreRead parses an info and a set of the reference, serialises them to the same bytes, and
// reconstructs the set's transaction.
func TestReferenceMessagesAreRead(t *testing.T) {
	b, err := os.ReadFile("testdata/reference.json")
	require.NoError(t, err)
	var recorded struct {
		Address string
		Info    string
		Set     string
		ViewKey string `json:"view_key"`
	}
	require.NoError(t, json.Unmarshal(b, &recorded))
	unhex := func(text string) []byte {
		b, err := hex.DecodeString(text)
		require.NoError(t, err)
		return b
	}
	a, err := address.ParseFor(xmr.Mainnet, recorded.Address)
	require.NoError(t, err)
	k, err := keys.ViewOnly([32]byte(unhex(recorded.ViewKey)), a.Spend)
	require.NoError(t, err)
	box := coldset.NewCipher(k, 1)
	same := func(text string, magic int, head int, again []byte) {
		t.Helper()
		plain, err := box.Decrypt(unhex(text)[magic:])
		require.NoError(t, err)
		require.Equal(t, plain[head:], again)
	}

	info, err := DecodeInfo(box, unhex(recorded.Info))
	require.NoError(t, err)
	require.Len(t, info.Outputs, 2)
	for _, o := range info.Outputs {
		require.Len(t, o.Nonces, 2)
		require.Len(t, o.Images, 1)
		require.NoError(t, checkOutputInfo(&o, map[[32]byte]bool{}))
	}
	same(recorded.Info, len("Monero multisig export\x01"), 64, info.Append(nil))

	set, err := DecodeTxSet(box, unhex(recorded.Set))
	require.NoError(t, err)
	require.Equal(t, []xmr.PublicKey{info.Signer}, set.Signers)
	require.Len(t, set.Transactions, 1)
	require.Len(t, set.Transactions[0].MultisigSigs, 1)
	same(recorded.Set, len("Monero multisig unsigned tx set\x01"), 0, set.Append(nil))

	reviewed, err := Review(
		source(1), k,
		ReviewContext{
			Network: xmr.Mainnet,
			Image:   func(xmr.PublicKey) (xmr.KeyImage, bool) { return xmr.KeyImage{}, false },
		},
		set,
	)
	require.NoError(t, err)
	require.Len(t, reviewed[0].Inputs, 2)
	var amounts []uint64
	for _, d := range reviewed[0].Destinations {
		amounts = append(amounts, d.Amount)
	}
	require.ElementsMatch(t, []uint64{xmr.Coin, 40 * xmr.Coin}, amounts)
	require.Len(t, reviewed[0].AdditionalKeys, 3, "one recipient is a subaddress")
	require.Error(t, reviewed[0].Verify(), "one of two has signed")
}
