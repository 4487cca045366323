package wallet_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestNoncesInTheLog makes, uses and receives nonces; after every change the log and its snapshot replay to the same
// state.
func TestNoncesInTheLog(t *testing.T) {
	a := signers(t, 2, 3, 3)[0]
	origin, err := wallet.GroupIdentity(a)
	require.NoError(t, err)
	first, err := wallet.EncodeIdentity(origin, near)
	require.NoError(t, err)
	w, records := wallet.New(origin, near), [][]byte{first}
	change := func(c wallet.ChangeSet, err error) {
		t.Helper()
		require.NoError(t, err)
		record, err := c.Encode()
		require.NoError(t, err)
		records = append(records, record)
		w.Commit(c)
		fromLog, err := wallet.Replay(append([][]byte(nil), records...))
		require.NoError(t, err)
		same(t, w, fromLog, "log of ", len(records))
		short, err := w.Snapshot()
		require.NoError(t, err)
		again, err := wallet.Replay(short)
		require.NoError(t, err)
		same(t, w, again, "snapshot of ", len(records))
	}
	key := func(n int) xmr.PublicKey { return xmr.PublicKey{byte(n), 1} }
	nonces := func(n, salt int) wallet.OutputNonces {
		return wallet.OutputNonces{
			Key: key(n), Secrets: []keys.Secret{{byte(n), byte(salt), 1}, {byte(n), byte(salt), 2}},
		}
	}
	change(w.DecideNewNonces([]wallet.OutputNonces{nonces(1, 1), nonces(2, 1), nonces(3, 1)}), nil)
	require.Equal(t, nonces(2, 1).Secrets, w.Nonces(key(2)))
	copied := w.Nonces(key(2))
	copied[0] = keys.Secret{}
	require.Equal(t, nonces(2, 1).Secrets, w.Nonces(key(2)), "the result is a copy")

	_, err = w.DecideUseNonces([]wallet.OutputNonces{nonces(1, 1), nonces(2, 2)})
	require.ErrorIs(t, err, wallet.ErrNonces, "nonces that differ from the current ones")
	change(w.DecideUseNonces([]wallet.OutputNonces{nonces(1, 1), nonces(2, 1)}))
	require.Empty(t, w.Nonces(key(1)))
	require.Empty(t, w.Nonces(key(2)))
	require.NotEmpty(t, w.Nonces(key(3)))
	_, err = w.DecideUseNonces([]wallet.OutputNonces{nonces(1, 1)})
	require.ErrorIs(t, err, wallet.ErrNonces, "its key was used before")

	change(w.DecideNewNonces([]wallet.OutputNonces{nonces(1, 2), nonces(4, 2)}), nil)
	require.Empty(t, w.Nonces(key(3)), "the nonces of the previous export were removed")
	require.Equal(t, nonces(1, 2).Secrets, w.Nonces(key(1)))

	by := func(salt byte) []wallet.SignerNonces {
		return []wallet.SignerNonces{
			{Signer: xmr.PublicKey{7}, L: [][32]byte{{salt}}, R: [][32]byte{{salt, 1}}}, {Signer: xmr.PublicKey{8}},
		}
	}
	change(w.DecideCosignerNonces([]wallet.CosignerNonces{{Key: key(1), By: by(1)}, {Key: key(2), By: by(2)}}), nil)
	change(w.DecideCosignerNonces([]wallet.CosignerNonces{{Key: key(1), By: by(3)}, {Key: key(2)}}), nil)
	require.Len(t, w.CosignerNonces(key(1)), 2)
	require.Equal(t, [32]byte{3}, w.CosignerNonces(key(1))[0].Nonces[0].L)
	require.Empty(t, w.CosignerNonces(key(2)))
	_, _, err = w.DecideMultisigImages([]wallet.KnownImage{{Key: key(2), Image: xmr.KeyImage{5}}}, 0)
	require.ErrorIs(t, err, wallet.ErrOtherOutputs)
	require.NotContains(t, fmt.Sprintf("%v %+v %#v", nonces(1, 2), nonces(1, 2), nonces(1, 2)), "2, 1}")
}
