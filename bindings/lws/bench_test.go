//go:build unix

package lws

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/core/address"
	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/syncer"
	"glim/core/xmr"
)

// benched is a service on a chain of chaintest.
type benched struct {
	*Service
	from    *chaintest.Source
	clients []string // bodies of requests about accounts
}

// newBenched returns a service with n accounts that are at the top of a chain.
func newBenched(b *testing.B, c *chaintest.Chain, n int) *benched {
	b.Helper()
	o := lws.Options{
		Network: xmr.Regtest, Store: &lws.Memory{}, Now: func() uint64 { return uint64(time.Now().Unix()) },
		MaxAccounts: 1 << 20, AcceptCreation: true, AcceptImport: true,
	}
	memory, err := lws.Open(o) // the accounts are stored together, because a disk takes long for each
	require.NoError(b, err)
	out := &benched{from: chaintest.NewSource(c)}
	_, err = memory.Step(b.Context(), out.from)
	require.NoError(b, err)
	r := chaintest.NewRandom("benched")
	for range n {
		k, err := keys.FromSeed(r.Bytes32())
		require.NoError(b, err)
		require.NoError(b, memory.Add(lws.Address{Spend: k.SpendPublic, View: k.ViewPublic}, k.ViewSecret()))
		view := k.ViewSecret()
		out.clients = append(out.clients, fmt.Sprintf(`{"address":%q,"view_key":"%x"}`,
			address.At(xmr.Regtest, keys.Index{}, k.SpendPublic, k.ViewPublic), view[:]))
	}
	store, err := OpenStore(b.TempDir(), Key{1}, rand.Reader)
	require.NoError(b, err)
	var records []lws.Record
	require.NoError(b, o.Store.Load(func(key, value []byte) error {
		records = append(records, lws.Record{Key: slices.Clone(key), Value: slices.Clone(value)})
		return nil
	}))
	require.NoError(b, store.Commit(records, nil))
	o.Store = store
	cores := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(cores + 2) // as in the command
	b.Cleanup(func() { runtime.GOMAXPROCS(cores) })
	o.Scanner = lws.NewTogether(syncer.Workers{Count: cores, LowPriority: native.LowPriority})
	book, err := lws.Open(o)
	require.NoError(b, err)
	out.Service = &Service{Book: book, store: store, cfg: Config{Random: rand.Reader}}
	out.api = &lws.API{Book: book, Random: rand.Reader, Now: o.Now}
	b.Cleanup(func() { require.NoError(b, out.Close()) })
	out.scan(b)
	return out
}

// scan reads what the source has.
func (s *benched) scan(b *testing.B) {
	b.Helper()
	for {
		done, err := s.Book.Step(context.Background(), s.from)
		require.NoError(b, err)
		if done {
			return
		}
	}
}

// blocks adds blocks of transactions with two outputs that pay no account.
func blocks(c *chaintest.Chain, n, txs int) {
	specs := make([]chaintest.Spec, txs)
	for i := range specs {
		specs[i] = chaintest.Spec{Pay: []chaintest.Payment{{Amount: 1}, {Amount: 2}}}
	}
	for range n {
		c.Add(specs...)
	}
}

// BenchmarkAddressInfo reports how long /get_address_info takes over HTTP, in milliseconds, while blocks are scanned
// for 10,000 accounts: the median and the 99th percentile; and, to compare, the latter before the scan, which shows
// what other processes of the machine contribute.
func BenchmarkAddressInfo(b *testing.B) {
	c := chaintest.New("address info", xmr.Regtest)
	c.Grow(5)
	s := newBenched(b, c, 10_000)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	server, ended := s.Server(""), make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	defer func() {
		require.NoError(b, server.Shutdown(context.Background()))
		require.NoError(b, <-ended)
	}()
	var idle, busy []time.Duration
	ask := func(i int) (took time.Duration) {
		began := time.Now()
		resp, err := http.Post("http://"+l.Addr().String()+"/get_address_info", "application/json",
			strings.NewReader(s.clients[i%len(s.clients)]))
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			err = errorsOf(err, resp.Body.Close(), resp.StatusCode)
		}
		if err != nil {
			b.Error(err)
		}
		return time.Since(began)
	}
	const pause = 3 * time.Millisecond
	for b.Loop() {
		for i := range 2000 {
			idle = append(idle, ask(i))
			time.Sleep(pause)
		}
		blocks(c, 3, 10)
		scanning, stop := context.WithCancel(b.Context())
		var asking sync.WaitGroup
		asking.Go(func() {
			for i := 0; scanning.Err() == nil; i++ {
				busy = append(busy, ask(i))
				time.Sleep(pause)
			}
		})
		s.scan(b)
		stop()
		asking.Wait()
	}
	at := func(took []time.Duration, share float64) float64 {
		slices.Sort(took)
		return took[int(share*float64(len(took)-1))].Seconds() * 1000
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(at(busy, 0.5), "ms-median")
	b.ReportMetric(at(busy, 0.99), "ms-p99")
	b.ReportMetric(at(idle, 0.99), "ms-p99-idle")
	b.ReportMetric(float64(len(busy)), "requests")
}

func errorsOf(read, closed error, status int) error {
	if status != http.StatusOK {
		return fmt.Errorf("status %d", status)
	}
	if read != nil {
		return read
	}
	return closed
}

// BenchmarkImport reports how long a new account takes to scan a year: 2.6 million transactions of two outputs, of
// which it scans a two hundredth. s/year is the time on the processors of this machine, if they have nothing else to
// do; it is computed from the CPU time, because other processes use the processors, too. The blocks are in memory:
// reading them from a daemon is not included.
func BenchmarkImport(b *testing.B) {
	const year, part = 2_600_000, 200
	c := chaintest.New("import", xmr.Regtest)
	blocks(c, year/part/100, 100)
	cores := float64(runtime.GOMAXPROCS(0))
	s := newBenched(b, c, 1)
	best := math.Inf(1)
	for b.Loop() {
		began := cpuSeconds(b)
		for _, a := range s.Book.Accounts() {
			_, err := s.Book.Rescan(0, []lws.Address{a.Address})
			require.NoError(b, err)
		}
		s.scan(b)
		best = min(best, cpuSeconds(b)-began)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(best*part/cores, "s/year")
	b.ReportMetric(cores, "processors")
}

// cpuSeconds returns the CPU time of this process.
func cpuSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
