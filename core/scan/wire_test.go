package scan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/scan"
	"glim/core/xmr"
)

// life is a job of many transactions, some of which pay the owner of its view key.
func life(t testing.TB) scan.Job {
	k := owner(t, "wire")
	c := chaintest.New("wire", xmr.Regtest)
	c.GrowWith(&chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 4}, 60)
	job := scan.Job{View: k.ViewSecret()}
	for _, b := range c.Blocks {
		for i := range b.Txs {
			job.Txs = append(job.Txs, scan.Tx{ID: b.Txs[i].ID, Tx: b.Txs[i].Tx})
		}
	}
	return job
}

// TestJobsAsBytes: a job has the same result after it is serialised and decoded.
func TestJobsAsBytes(t *testing.T) {
	job := life(t)
	want, err := scan.Run(job)
	require.NoError(t, err)
	require.NotEmpty(t, want.Found)

	there, err := scan.DecodeJob(job.Encode())
	require.NoError(t, err)
	found, err := scan.Run(there)
	require.NoError(t, err)
	got, err := scan.DecodeResult(found.Encode(), job.Txs)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// TestManyCandidates: a wallet can scan a block with thousands of keys for thousands of outputs, which costs a miner
// only its reward.
func TestManyCandidates(t *testing.T) {
	txs := life(t).Txs[:1]
	want := scan.Result{Found: []scan.Found{{Candidates: make([]scan.Candidate, 300_000)}}}
	got, err := scan.DecodeResult(want.Encode(), txs)
	require.NoError(t, err)
	require.Equal(t, len(want.Found[0].Candidates), len(got.Found[0].Candidates))
}

func TestTruncatedWire(t *testing.T) {
	job := life(t)
	job.Txs = job.Txs[:20]
	b := job.Encode()
	for n := range b {
		_, err := scan.DecodeJob(b[:n])
		require.ErrorIs(t, err, scan.ErrWire)
	}
	found, err := scan.Run(job)
	require.NoError(t, err)
	require.NotEmpty(t, found.Found)
	r := found.Encode()
	for n := range r {
		_, err := scan.DecodeResult(r[:n], job.Txs)
		require.ErrorIs(t, err, scan.ErrWire)
	}
	_, err = scan.DecodeResult(r, job.Txs[:1])
	require.ErrorIs(t, err, scan.ErrWire, "of another job")
}

// FuzzWire: decoded jobs can be scanned and are encoded to the same bytes.
func FuzzWire(f *testing.F) {
	job := life(f)
	job.Txs = job.Txs[:6]
	f.Add(job.Encode())
	job, _ = forkedLife(f, owner(f, "wire"))
	job.Txs = job.Txs[len(job.Txs)-4:]
	f.Add(job.Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		j, err := scan.DecodeJob(b)
		if err != nil {
			return
		}
		again, err := scan.DecodeJob(j.Encode())
		require.NoError(t, err)
		require.Equal(t, j, again)
		if r, err := scan.DecodeResult(b, j.Txs); err == nil {
			same, err := scan.DecodeResult(r.Encode(), j.Txs)
			require.NoError(t, err)
			require.Equal(t, r, same)
		}
		if len(j.Txs) < 100 {
			_, _ = scan.Run(j)
		}
	})
}
