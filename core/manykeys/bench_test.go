package manykeys_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/manykeys"
	"glim/core/scan"
	"glim/core/tx"
)

// foreign returns n transactions of two outputs with view tags that pay no account.
func foreign(n int) []*tx.Transaction {
	r := chaintest.NewRandom("foreign")
	txs := make([]*tx.Transaction, n)
	for i := range txs {
		txs[i] = &tx.Transaction{Version: 2, Extra: tx.AppendPublicKey(nil, r.Point())}
		for range 2 {
			txs[i].Outputs = append(txs[i].Outputs, tx.Output{Key: r.Point(), Tagged: true, ViewTag: byte(r.IntN(256))})
		}
	}
	return txs
}

// someAccounts returns a set of n accounts on one goroutine, and their view keys.
func someAccounts(b *testing.B, n int) (*manykeys.Set, []keys.Secret) {
	b.Helper()
	r := chaintest.NewRandom("accounts")
	s := &manykeys.Set{Workers: 1}
	views := make([]keys.Secret, n)
	for i := range views {
		views[i] = edwards.EncodeScalar(r.Scalar())
		if err := s.Add(manykeys.ID(i), views[i], r.Point()); err != nil {
			b.Fatal(err)
		}
	}
	return s, views
}

// BenchmarkScan reports the time of one transaction of two outputs for one account, on one processor: with a set of so
// many accounts, and with a scan.Scanner that is prepared for one account and scans 100 transactions at once. times is
// the ratio. Each is the best of many short runs that take turns, because other processes use the processor too.
func BenchmarkScan(b *testing.B) {
	txs := foreign(100)
	block := make([]scan.Tx, len(txs))
	for i := range txs {
		block[i].Tx = txs[i]
	}
	for _, n := range []int{10, 30, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, views := someAccounts(b, n)
			scanner, err := scan.NewScanner(views[0])
			if err != nil {
				b.Fatal(err)
			}
			many, single := math.Inf(1), math.Inf(1)
			each := max(1, min(len(txs), 200/n)) // transactions in a run
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if _, err := s.Scan(b.Context(), txs[i%(len(txs)/each)*each:][:each]); err != nil {
					b.Fatal(err)
				}
				many = min(many, float64(time.Since(start).Nanoseconds())/float64(n*each))
				start = time.Now()
				scanner.Run(block)
				single = min(single, float64(time.Since(start).Nanoseconds())/float64(len(block)))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(many, "ns/pair")
			b.ReportMetric(single, "ns/pair-by-scan")
			b.ReportMetric(single/many, "times")
		})
	}
}

// BenchmarkBlock scans a block of 100 transactions for 10,000 accounts on all processors.
func BenchmarkBlock(b *testing.B) {
	txs := foreign(100)
	s, _ := someAccounts(b, 10_000)
	s.Workers = 0
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Scan(b.Context(), txs); err != nil {
			b.Fatal(err)
		}
	}
}
