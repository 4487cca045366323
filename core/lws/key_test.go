package lws_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/xmr"
)

// requireSpendable checks what an owner needs to spend an output: the key and the amount follow from the public key of
// the transaction, the output's index and the bytes of rct.
func requireSpendable(t *testing.T, u user, o lws.Output) {
	t.Helper()
	view, err := edwards.DecodeScalar(u.view)
	require.NoError(t, err)
	d, err := edwards.Derive(view, o.TxKey)
	require.NoError(t, err)
	spend, _ := u.Keys.Address(o.At)
	key, err := d.PublicKey(uint64(o.Index), spend)
	require.NoError(t, err)
	require.Equal(t, o.Key, xmr.PublicKey(key))
	require.Len(t, o.Rct, 96)
	if o.Coinbase {
		return
	}
	amount, mask := keys.DecryptLongAmount(d.Scalar(uint64(o.Index)), [32]byte(o.Rct[32:]), [32]byte(o.Rct[64:]))
	require.Equal(t, o.Amount, amount)
	require.Equal(t, o.Rct[:32], bytesOf(edwards.Commit(mask, amount).Encode()))
}

func bytesOf(b [32]byte) []byte { return b[:] }
