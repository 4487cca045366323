package scan_test

import (
	"encoding/binary"
	"testing"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/scan"
	"glim/core/tx"
)

// foreignTxs returns n foreign transactions of two outputs each.
func foreignTxs(n int, tagged bool) scan.Job {
	seed := uint64(0)
	random := func() [32]byte {
		seed++
		return keccak.Sum256(binary.LittleEndian.AppendUint64(nil, seed))
	}
	job := scan.Job{View: edwards.EncodeScalar(edwards.ReduceScalar(random())), Txs: make([]scan.Tx, n)}
	for i := range job.Txs {
		t := &tx.Transaction{Version: 2, Outputs: make([]tx.Output, 2)}
		for o := range t.Outputs {
			tag := random()
			t.Outputs[o] = tx.Output{Key: edwards.HashToPoint(random()).Encode(), Tagged: tagged, ViewTag: tag[0]}
		}
		t.Extra = tx.AppendPublicKey(nil, edwards.HashToPoint(random()).Encode())
		t.Extra = tx.AppendEncryptedPaymentID(t.Extra, [8]byte{byte(i)})
		job.Txs[i].Tx = t
	}
	return job
}

// BenchmarkScan reports the time of one transaction of two outputs.
func BenchmarkScan(b *testing.B) {
	for _, c := range []struct {
		name string
		make func() scan.Job
	}{
		{"tagged", func() scan.Job { return foreignTxs(5000, true) }},
		{"untagged", func() scan.Job { return foreignTxs(5000, false) }},
		{"next hard fork", func() scan.Job { return foreignCarrot(5000) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			job := c.make()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := scan.Run(job); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(job.Txs)), "ns/tx")
		})
	}
}
