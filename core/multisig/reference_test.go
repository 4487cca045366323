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

// TestReferenceWrote reads an info and a set that the reference made, writes them again byte for byte, and makes the set's
// transaction again from its description.
func TestReferenceWrote(t *testing.T) {
	b, err := os.ReadFile("testdata/reference.json")
	require.NoError(t, err)
	var told struct {
		Address string
		Info    string
		Set     string
		ViewKey string `json:"view_key"`
	}
	require.NoError(t, json.Unmarshal(b, &told))
	unhex := func(text string) []byte {
		b, err := hex.DecodeString(text)
		require.NoError(t, err)
		return b
	}
	a, err := address.ParseFor(xmr.Mainnet, told.Address)
	require.NoError(t, err)
	k, err := keys.ViewOnly([32]byte(unhex(told.ViewKey)), a.Spend)
	require.NoError(t, err)
	box := coldset.NewBox(k, 1)
	same := func(text string, magic int, head int, again []byte) {
		t.Helper()
		plain, err := box.Open(unhex(text)[magic:])
		require.NoError(t, err)
		require.Equal(t, plain[head:], again)
	}

	info, err := box.DecodeSharedInfo(unhex(told.Info))
	require.NoError(t, err)
	require.Len(t, info.Outputs, 2)
	for _, o := range info.Outputs {
		require.Len(t, o.Nonces, 2)
		require.Len(t, o.Images, 1)
		require.NoError(t, checkTold(&o, map[[32]byte]bool{}))
	}
	same(told.Info, len("Monero multisig export\x01"), 64, info.Append(nil))

	set, err := box.DecodeSharedSet(unhex(told.Set))
	require.NoError(t, err)
	require.Equal(t, []xmr.PublicKey{info.Signer}, set.Signers)
	require.Len(t, set.Transactions, 1)
	require.Len(t, set.Transactions[0].Attempts, 1)
	same(told.Set, len("Monero multisig unsigned tx set\x01"), 0, set.Append(nil))

	reviewed, err := Review(source(1), k, Knowledge{Network: xmr.Mainnet, Image: func(xmr.PublicKey) (xmr.KeyImage, bool) { return xmr.KeyImage{}, false }}, set)
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
