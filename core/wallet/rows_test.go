package wallet_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// found returns a change with every field of scan results, once set and once zero.
func found() wallet.ChangeSet {
	f := func(b byte) [32]byte { return [32]byte(bytes.Repeat([]byte{b}, 32)) }
	return wallet.ChangeSet{Chain: wallet.ChainChange{
		Outputs: []wallet.OwnedOutput{
			{
				TxID: f(1), Index: 2, GlobalIndex: 3, Amount: 4, Mask: f(5), Key: f(6), Image: f(7),
				ImageKnown: true, Address: keys.Index{Major: 8, Minor: 9}, Derivation: f(10), Height: 11,
				Timestamp: 12, UnlockTime: 13, Coinbase: true, RingCT: true, Spent: true, ImageRequested: true,
			},
			{TxID: f(14), Amount: 15, Key: f(16), Height: 17},
		},
		Payments: []wallet.Payment{
			{
				TxID: f(18), PaymentID: f(19), Amount: 20, Amounts: []uint64{21, 22}, Fee: 23, Height: 24,
				Timestamp: 25, UnlockTime: 26, Coinbase: true, Address: keys.Index{Major: 27, Minor: 28},
			},
			{TxID: f(29), Amount: 30},
		},
		Spends: []wallet.Spend{
			{
				TxID: f(31), PaymentID: f(32), AmountIn: 33, Fee: 34, Change: 35, Height: 36, Timestamp: 37,
				UnlockTime: 38, Account: 39, Indices: []uint32{40, 41}, Images: []xmr.KeyImage{f(42), f(43)},
			},
			{TxID: f(44), AmountIn: 45},
		},
		Blocks: []wallet.BlockID{{Height: 46, Hash: f(47)}}, Reward: 48, Time: 49,
	}}
}

// TestOldRecordsAreRead decodes a record of a version whose logs stored outputs with field names, and stored zero
// fields.
func TestOldRecordsAreRead(t *testing.T) {
	text, err := os.ReadFile("testdata/named-fields.hex")
	require.NoError(t, err)
	former, err := hex.DecodeString(string(bytes.TrimSpace(text)))
	require.NoError(t, err)
	c, err := wallet.DecodeChange(former)
	require.NoError(t, err)
	require.Equal(t, found(), c)

	want := found()
	now, err := want.Encode()
	require.NoError(t, err)
	require.Less(t, len(now), len(former)*3/4)
	c, err = wallet.DecodeChange(now)
	require.NoError(t, err)
	require.Equal(t, found(), c)

	for cut := range now {
		_, err := wallet.DecodeChange(now[:cut])
		require.ErrorIs(t, err, wallet.ErrRecord)
	}
}
