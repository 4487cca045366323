package scan_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// forkedLife is life on a chain that crosses the next hard fork.
func forkedLife(t testing.TB, k *keys.Keys) (scan.Job, *chaintest.Chain) {
	c := chaintest.New("forked", xmr.Regtest)
	c.CarrotFrom = 15
	c.GrowWith(&chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 4}, 40)
	job := scan.Job{View: k.ViewSecret()}
	for _, b := range c.Blocks {
		for i := range b.Txs {
			job.Txs = append(job.Txs, scan.Tx{ID: b.Txs[i].ID, Tx: b.Txs[i].Tx})
		}
	}
	return job, c
}

// TestMixedChain scans transactions from before and after the fork together: what it finds of each is what package
// carrot finds in the output alone, and what a scan of the older transactions alone finds. The job as bytes has the
// same result.
func TestMixedChain(t *testing.T) {
	k := owner(t, "mixed")
	job, _ := forkedLife(t, k)
	found, err := scan.Run(job)
	require.NoError(t, err)
	v, err := carrot.NewIncoming(carrot.Default, k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)

	old := job
	old.Txs = nil
	at := map[xmr.Hash]scan.Found{}
	for _, f := range found.Found {
		at[job.Txs[f.Tx].ID] = f
	}
	candidates, opened := 0, 0
	for _, x := range job.Txs {
		if x.Tx.Carrot == nil {
			old.Txs = append(old.Txs, x)
			continue
		}
		outputs := fcmptx.AppendEphemeral(nil, x.Tx)
		extra, _ := tx.ParseExtra(x.Tx.Extra)
		var want, got []carrot.Received
		for o := range x.Tx.Outputs {
			var e carrot.Received
			var ok bool
			if x.Tx.IsCoinbase() {
				enote := fcmptx.CoinbaseEnoteAt(x.Tx, outputs, o)
				e, ok = v.ScanCoinbase(&enote)
			} else {
				enote := fcmptx.EnoteAt(x.Tx, outputs, o)
				e, ok = v.Scan(&enote, extra.EncryptedPaymentID)
			}
			if ok {
				want = append(want, e)
			}
		}
		list := at[x.ID].Candidates
		candidates += len(list)
		for i := range list {
			if e, ok := scan.Open(v, x.Tx, &list[i]); ok {
				got = append(got, e)
			}
			_, _, ok := scan.Amount(x.Tx, list[i].Output, list[i].Derivation)
			require.False(t, ok)
		}
		opened += len(got)
		require.Equal(t, len(want), len(got))
		for i := range want {
			require.Equal(t, want[i].Key, got[i].Key)
			require.Equal(t, want[i].Secret, got[i].Secret)
			require.Equal(t, want[i].Amount, got[i].Amount)
		}
	}
	require.Greater(t, opened, 10)
	require.Less(t, candidates, opened+10, "view tags reject the others")
	alone, err := scan.Run(old)
	require.NoError(t, err)
	require.NotEmpty(t, alone.Found)
	for _, f := range alone.Found {
		same := at[old.Txs[f.Tx].ID]
		f.Tx = same.Tx
		require.Equal(t, same, f)
	}
	for i := 1; i < len(found.Found); i++ {
		require.Less(t, found.Found[i-1].Tx, found.Found[i].Tx)
	}

	there, err := scan.DecodeJob(job.Encode())
	require.NoError(t, err)
	again, err := scan.Run(there)
	require.NoError(t, err)
	decoded, err := scan.DecodeResult(again.Encode(), job.Txs)
	require.NoError(t, err)
	require.Equal(t, found, decoded)
	b := (&scan.Job{View: job.View, Txs: job.Txs[len(job.Txs)-6:]}).Encode()
	for n := range b {
		_, err := scan.DecodeJob(b[:n])
		require.ErrorIs(t, err, scan.ErrWire)
	}
}

// TestLargestCoinbase scans a coinbase of as many outputs as the fork allows, as a job for another worker.
func TestLargestCoinbase(t *testing.T) {
	k := owner(t, "largest")
	c := chaintest.New("largest", xmr.Regtest)
	c.CarrotFrom = 1
	c.Mine(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 7}}})
	one := c.Blocks[1].Txs[0].Tx
	t1 := *one
	var ephemeral []xmr.PublicKey
	for n := range 10_000 {
		ephemeral = append(ephemeral, xmr.PublicKey{byte(n), byte(n >> 8), 1})
		t1.Outputs = append(t1.Outputs[:n:n], one.Outputs[0])
		t1.Carrot = append(t1.Carrot[:n:n], one.Carrot[0])
	}
	ephemeral[9_999] = fcmptx.AppendEphemeral(nil, one)[0]
	t1.Extra = tx.AppendAdditionalKeys(nil, ephemeral)
	require.False(t, scan.Wide(&t1))
	job := scan.Job{View: k.ViewSecret(), Txs: []scan.Tx{{Tx: &t1}}}
	there, err := scan.DecodeJob(job.Encode())
	require.NoError(t, err)
	found, err := scan.Run(there)
	require.NoError(t, err)
	require.Len(t, found.Found, 1)
	require.Equal(t, 9_999, found.Found[0].Candidates[0].Output)
}

// foreignCarrot is foreignTxs on a chain after the fork, where both outputs of a transaction share an ephemeral key.
func foreignCarrot(n int) scan.Job {
	r := chaintest.NewRandom("foreign")
	job := scan.Job{View: edwards.EncodeScalar(r.Scalar()), Txs: make([]scan.Tx, n)}
	for i := range job.Txs {
		p, err := edwards.DecodePoint(r.Point())
		if err != nil {
			panic(fmt.Sprint("unreachable: ", err))
		}
		t := &tx.Transaction{
			Version: 2, Inputs: []tx.Input{{KeyImage: xmr.KeyImage(r.Bytes32())}}, Carrot: make([]tx.Carrot, 2),
			Extra: tx.AppendEncryptedPaymentID(tx.AppendPublicKey(nil, p.Montgomery()), [8]byte{byte(i)}),
		}
		for range 2 {
			t.Outputs = append(t.Outputs, tx.Output{Key: r.Bytes32()})
		}
		job.Txs[i].Tx = t
	}
	return job
}
