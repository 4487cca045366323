//go:build unix

package lws

import (
	"context"
	"crypto/rand"
	"errors"
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

// BenchmarkAddressInfo reports how long /get_address_info takes over HTTP, in milliseconds, while blocks of 100
// transactions are scanned for 10,000 accounts: the median and the 99th percentile. In turns it asks a handler that
// does nothing, which shows how much of that is the machine's scheduling, and asks both before the scan:
//
//	go test ./bindings/lws -run '^$' -bench AddressInfo -benchtime 1x
func BenchmarkAddressInfo(b *testing.B) {
	c := chaintest.New("address info", xmr.Regtest)
	c.Grow(5)
	s := newBenched(b, c, 10_000)
	listen := func(serve func(net.Listener) error, stop func(context.Context) error) (at string) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(b, err)
		ended := make(chan error, 1)
		go func() { ended <- serve(l) }()
		b.Cleanup(func() {
			require.NoError(b, stop(context.Background()))
			if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
				require.NoError(b, err)
			}
		})
		return "http://" + l.Addr().String() + "/get_address_info"
	}
	server := s.Server("")
	idle := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	})}
	info, nothing := listen(server.Serve, server.Shutdown), listen(idle.Serve, idle.Shutdown)
	ask := func(url string, i int) (took time.Duration) {
		began := time.Now()
		resp, err := http.Post(url, "application/json", strings.NewReader(s.clients[i%len(s.clients)]))
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			err = errorsOf(err, resp.Body.Close(), resp.StatusCode)
		}
		if err != nil {
			b.Error(err)
		}
		return time.Since(began)
	}
	const pause = 2 * time.Millisecond
	var took [2][2][]time.Duration // before and during the scan; info and nothing
	both := func(i, during int) {
		for n, url := range []string{info, nothing} {
			took[during][n] = append(took[during][n], ask(url, i))
			time.Sleep(pause)
		}
	}
	for b.Loop() {
		for i := range 1000 {
			both(i, 0)
		}
		blocks(c, 3, 100)
		scanning, stop := context.WithCancel(b.Context())
		var asking sync.WaitGroup
		asking.Go(func() {
			for i := 0; scanning.Err() == nil; i++ {
				both(i, 1)
			}
		})
		s.scan(b)
		stop()
		asking.Wait()
	}
	b.ReportMetric(0, "ns/op")
	for during, when := range []string{"-before", ""} {
		for n, what := range []string{"info", "nothing"} {
			list := took[during][n]
			slices.Sort(list)
			for share, name := range map[float64]string{0.5: "p50", 0.99: "p99"} {
				at := list[int(share*float64(len(list)-1))]
				b.ReportMetric(at.Seconds()*1000, fmt.Sprintf("ms-%s-%s%s", what, name, when))
			}
		}
	}
	b.ReportMetric(float64(len(took[1][0])), "requests")
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
