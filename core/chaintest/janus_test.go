package chaintest_test

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/internal/proof"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/xmr"
)

// TestJanus: a wallet finds an output for one subaddress with keys made for another, because a·R does not reveal what
// R is a multiple of. But the sender cannot prove such a payment, and the transaction's secret key shows that nothing
// was received. The receiver's proof shows that the payment was received, and so reveals the answer to the sender.
func TestJanus(t *testing.T) {
	owner, err := keys.FromSeed([32]byte{6, 2})
	require.NoError(t, err)
	known, asked := keys.Index{Minor: 1}, keys.Index{Minor: 2}
	at := func(i keys.Index) address.Address {
		a := address.Address{Network: xmr.Regtest, Kind: address.Subaddress}
		a.Spend, a.View = owner.Address(i)
		return a
	}
	for _, additional := range []bool{false, true} {
		for _, janus := range []bool{false, true} {
			pay := chaintest.Payment{To: owner, At: asked, Amount: 7 * xmr.Coin}
			if janus {
				pay.Janus = &known
			}
			secret := chaintest.NewRandom("janus").Scalar()
			spec := chaintest.Spec{Pay: []chaintest.Payment{pay, {Amount: 1}}, Secret: secret, Additional: additional}
			key := proof.TxKey{Main: edwards.EncodeScalar(secret)}
			if additional {
				one := []*edwards.Scalar{chaintest.NewRandom("one").Scalar(), chaintest.NewRandom("two").Scalar()}
				spec.AdditionalSecrets = one
				key.Additional = []keys.Secret{edwards.EncodeScalar(one[0]), edwards.EncodeScalar(one[1])}
			}
			made, _ := chaintest.New("janus", xmr.Regtest).Tx(spec, nil)

			found, err := scan.Run(scan.Job{View: owner.ViewSecret(), Txs: []scan.Tx{{ID: made.ID, Tx: made.Tx}}})
			require.NoError(t, err)
			require.Equal(t, at(asked).Spend, found.Found[0].Candidates[0].SpendKey, "the output is found")

			want := uint64(7 * xmr.Coin)
			if janus {
				want = 0
			}
			for _, a := range []address.Address{at(asked), at(known)} {
				if a != at(asked) {
					want = 0
				}
				got, err := proof.ReceivedByKey(made.Tx, key, a)
				require.NoError(t, err)
				require.Equal(t, want, got)
				_, err = proof.ProveSent(rand.Reader, made.ID, made.Tx, key, a, "")
				if want == 0 {
					require.ErrorIs(t, err, proof.ErrNothing)
				} else {
					require.NoError(t, err)
				}
			}
			receipt, err := proof.ProveReceived(rand.Reader, made.ID, made.Tx, owner, asked, "")
			require.NoError(t, err)
			got, err := proof.CheckPayment(made.ID, made.Tx, at(asked), "", receipt)
			require.NoError(t, err)
			require.Equal(t, uint64(7*xmr.Coin), got.Amount, "the proof reveals the payment")
		}
	}
}
