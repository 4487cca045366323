package fcmptx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/tx"
	"glim/core/xmr"
)

// TestForWallet compares what wallets get with the transactions and blocks: the same bytes but for proofs, and the same
// IDs. Functions of packages tx and block refuse the bytes.
func TestForWallet(t *testing.T) {
	r := newRandom(60)
	for outputs := 2; outputs < 6; outputs++ {
		x := r.transaction(t, r.wallet(t), r.wallet(t), 2, outputs, 3)
		id, err := Beta.Hash(x)
		require.NoError(t, err)
		whole := Beta.Append(nil, x)
		got, gotID, err := Beta.ParseForWallet(whole)
		require.NoError(t, err)
		require.Equal(t, id, gotID)
		bare := *x
		bare.Proofs = nil
		pruned := Beta.Append(nil, &bare)
		require.Equal(t, pruned, got.AppendPruned(nil))
		require.Equal(t, id, got.PrunedHash(x.PrunableHash()))
		again, againID, err := Beta.ParsePrunedForWallet(pruned, x.PrunableHash())
		require.NoError(t, err)
		require.Equal(t, got, again)
		require.Equal(t, id, againID)
		either, err := Beta.ParsePrunedAny(pruned)
		require.NoError(t, err)
		require.Equal(t, got, either)
		_, err = tx.Parse(whole)
		require.ErrorIs(t, err, tx.ErrOutput)
		_, err = got.PrunedWeight()
		require.ErrorIs(t, err, tx.ErrNoWeight)
	}
	blk := r.block(t, r.wallet(t), 3)
	b := blk.Append(nil)
	got, id, coinbase, err := Beta.ParseBlockForWallet(b)
	require.NoError(t, err)
	want, err := blk.Hash()
	require.NoError(t, err)
	require.Equal(t, want, id)
	want, err = blk.MinerTx.Hash()
	require.NoError(t, err)
	require.Equal(t, want, coinbase)
	require.Equal(t, uint64(3_500_001), got.Height())
	require.Equal(t, blk, got)
	_, _, _, err = block.ParseWithIDs(new(tx.Arena), b)
	require.Error(t, err)
	for n := range b {
		_, _, _, err := Beta.ParseBlockForWallet(b[:n])
		require.Error(t, err)
	}
}

// TestAppendEphemeral finds one key for all outputs, or one for each, and otherwise none.
func TestAppendEphemeral(t *testing.T) {
	r := newRandom(61)
	x := r.transaction(t, r.wallet(t), r.wallet(t), 1, 3, 1).ForWallet()
	require.Len(t, AppendEphemeral(nil, x), 3)
	more := append([][32]byte{{9}}, AppendEphemeral(nil, x)...)
	require.Equal(t, more, AppendEphemeral([][32]byte{{9}}, x))
	key := r.bytes32()
	x.Extra = tx.AppendPublicKey(tx.AppendPublicKey(nil, key), r.bytes32())
	require.Equal(t, [][32]byte{key}, AppendEphemeral(nil, x), "the first key counts")
	x.Extra = tx.AppendAdditionalKeys(nil, []xmr.PublicKey{r.bytes32(), r.bytes32()})
	require.Empty(t, AppendEphemeral(nil, x))
	x.Extra = nil
	require.Empty(t, AppendEphemeral(nil, x))
	coinbase := &r.block(t, r.wallet(t), 0).MinerTx
	require.Len(t, AppendEphemeral(nil, coinbase), 1)
	coinbase.Outputs = append(coinbase.Outputs, coinbase.Outputs[0])
	require.Empty(t, AppendEphemeral(nil, coinbase), "outputs of a coinbase do not share a key")
}
