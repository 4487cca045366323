package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"glim/core/address"
	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/keys"
	"glim/core/xmr"
)

func addressOf(k *keys.Keys) string {
	a := address.Address{Network: xmr.Mainnet, Kind: address.Standard, Spend: k.SpendPublic, View: k.ViewPublic}
	return a.String()
}

// post sends a request as a client with an address, and returns the response and the time it took.
func (s *story) post(path string, body []byte, client string) ([]byte, time.Duration, error) {
	begun := time.Now()
	r, err := http.NewRequestWithContext(s.ctx, http.MethodPost, s.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	r.Header.Set("CF-Connecting-IP", client)
	resp, err := web.Do(r)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("HTTP %d", resp.StatusCode)
	}
	return b, time.Since(begun), err
}

var web = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}

// remembered lists requests that are answered from memory.
func remembered() (list []struct {
	name, path string
	body       []byte
}, err error) {
	q, err := epee.Marshal(&daemonrpc.GetCompactBlocksRequest{Version: 1, StartHeight: 1, MaxBlockCount: 99})
	return append(list, []struct {
		name, path string
		body       []byte
	}{{"get_info", "/get_info", nil}, {"99 compact blocks", "/get_compact_blocks.bin", q}}...), err
}

// The time of answers from memory is the median of a round, in the best of several rounds, because the machine may be
// busy at times.
const (
	perRound = 50
	rounds   = 5
)

// budget prints how long answers from memory take.
func (s *story) budget() error {
	list, err := remembered()
	if err != nil {
		return err
	}
	for _, c := range list {
		best := time.Hour
		for range rounds {
			p50, _, err := s.rounds(c.path, c.body, perRound)
			if err != nil {
				return err
			}
			best = min(best, p50)
		}
		fmt.Printf("worker: %s, from memory: p50 %v\n", c.name, best.Round(10*time.Microsecond))
	}
	return nil
}

func (s *story) rounds(path string, body []byte, n int) (p50, p95 time.Duration, err error) {
	took := make([]time.Duration, n)
	for i := range took {
		if _, took[i], err = s.post(path, body, "192.0.2.9"); err != nil {
			return 0, 0, err
		}
	}
	slices.Sort(took)
	return took[n/2], took[n*95/100], nil
}

// measure prints the time of answers from memory, and the number of requests to daemons that 200 wallets cause when
// they scan the same blocks.
func (s *story) measure() error {
	list, err := remembered()
	if err != nil {
		return err
	}
	for _, c := range list {
		p50, p95, err := s.rounds(c.path, c.body, 300)
		if err != nil {
			return err
		}
		p50, p95 = p50.Round(10*time.Microsecond), p95.Round(10*time.Microsecond)
		fmt.Printf("worker: %s, from memory: p50 %v, p95 %v\n", c.name, p50, p95)
	}
	if err := s.crowd("read the chain", func(n int) uint64 { return uint64(1 + n%40) }); err != nil {
		return err
	}
	if err := s.daemon.Mine(s.ctx, 1, otherAddress); err != nil {
		return err
	}
	var info struct{ Height uint64 }
	if err := s.daemon.JSON(s.ctx, "get_info", nil, &info); err != nil {
		return err
	}
	// The worker's view of the chain's top is a few seconds old.
	for {
		b, _, err := s.post("/get_height", nil, "192.0.2.9")
		if err != nil {
			return err
		}
		if bytes.Contains(b, []byte(fmt.Sprintf(`"height": %d`, info.Height))) {
			break
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-s.ctx.Done():
			return s.ctx.Err()
		}
	}
	return s.crowd("read a new block", func(int) uint64 { return info.Height - 1 })
}

// crowd makes 200 wallets, eight at a time, scan the chain from the height that at returns, and prints the cost for the
// daemons.
func (s *story) crowd(what string, at func(int) uint64) error {
	const wallets, readers = 200, 8
	s.questions("/get_blocks.bin")
	s.total()
	work := make(chan int, wallets)
	for n := range wallets {
		work <- n
	}
	close(work)
	var mu sync.Mutex
	var group sync.WaitGroup
	var failed error
	requests, received := 0, 0
	begun := time.Now()
	for range readers {
		group.Go(func() {
			for n := range work {
				asked, got, err := s.read(at(n), fmt.Sprintf("198.51.100.%d", n))
				mu.Lock()
				requests, received, failed = requests+asked, received+got, errors.Join(failed, err)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if failed != nil {
		return failed
	}
	blocks, size := s.questions("/get_blocks.bin")
	asked := s.total()
	took := time.Since(begun)
	fmt.Printf("worker: %d wallets %s: %d requests, %.0f per second, %d kB\n",
		wallets, what, requests, float64(requests)/took.Seconds(), received/1000)
	fmt.Printf("worker: %d requests to daemons, %d of them for blocks, %d kB; %.2f %% answered without them\n",
		asked, blocks, size/1000, 100*(1-float64(asked)/float64(requests)))
	return nil
}

// read sends the requests of a wallet's refresh, for a wallet that knows the blocks before height at.
func (s *story) read(at uint64, from string) (requests, size int, err error) {
	ask := func(path string, body []byte) ([]byte, error) {
		b, _, err := s.post(path, body, from)
		requests, size = requests+1, size+len(b)
		return b, err
	}
	if _, err := ask("/get_info", nil); err != nil {
		return requests, size, err
	}
	for {
		q, err := epee.Marshal(&daemonrpc.GetCompactBlocksRequest{Version: 1, StartHeight: at})
		if err != nil {
			return requests, size, err
		}
		b, err := ask("/get_compact_blocks.bin", q)
		if err != nil {
			return requests, size, err
		}
		var r daemonrpc.GetCompactBlocksResponse
		if err := epee.Unmarshal(b, &r); err != nil {
			return requests, size, err
		}
		if r.Status != daemonrpc.StatusOK || len(r.Blocks) == 0 {
			return requests, size, fmt.Errorf("%q, %d blocks from %d", r.Status, len(r.Blocks), at)
		}
		if at += uint64(len(r.Blocks)); at >= r.CurrentHeight {
			break
		}
	}
	_, err = ask("/get_transaction_pool_hashes", nil)
	return requests, size, err
}

// total returns the number of requests to the daemons since the last call.
func (s *story) total() (n int) {
	for _, p := range s.proxies {
		n += p.total()
	}
	return n
}
