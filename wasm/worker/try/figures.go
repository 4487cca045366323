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
	return address.Address{Network: xmr.Mainnet, Kind: address.Standard, Spend: k.SpendPublic, View: k.ViewPublic}.String()
}

// post asks and returns the answer with how long it took.
func (s *story) post(path string, body []byte) ([]byte, time.Duration, error) {
	begun := time.Now()
	r, err := http.NewRequestWithContext(s.ctx, http.MethodPost, s.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	resp, err := client.Do(r)
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

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}

// measure prints what answers from memory take, and what 200 wallets that read the same blocks ask of the daemons.
func (s *story) measure() error {
	q, err := epee.Marshal(&daemonrpc.GetCompactBlocksRequest{Version: 1, StartHeight: 1, MaxBlockCount: 50})
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name, path string
		body       []byte
	}{{"get_height", "/get_height", nil}, {"50 compact blocks", "/get_compact_blocks.bin", q}} {
		var took []time.Duration
		for range 200 {
			_, d, err := s.post(c.path, c.body)
			if err != nil {
				return err
			}
			took = append(took, d)
		}
		slices.Sort(took)
		fmt.Printf("worker: %s, remembered: p50 %v, p95 %v\n", c.name, took[100].Round(10*time.Microsecond), took[190].Round(10*time.Microsecond))
	}
	for _, p := range s.proxies {
		p.questions("/get_blocks.bin")
	}
	const wallets, readers = 200, 8
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
				asked, got, err := s.read(uint64(1 + n%40))
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
	asked, size := 0, 0
	for _, p := range s.proxies {
		n, b := p.questions("/get_blocks.bin")
		asked, size = asked+n, size+b
	}
	took := time.Since(begun)
	fmt.Printf("worker: %d wallets read the chain in %d requests, %.0f a second, %d kB; the daemons were asked for blocks %d times, %d kB in all: %.1f %% came from memory\n",
		wallets, requests, float64(requests)/took.Seconds(), received/1000, asked, size/1000, 100*(1-float64(asked)/float64(requests)))
	return nil
}

// read reads the chain as a wallet does that begins at a block.
func (s *story) read(at uint64) (requests, size int, err error) {
	for {
		q, err := epee.Marshal(&daemonrpc.GetCompactBlocksRequest{Version: 1, StartHeight: at})
		if err != nil {
			return requests, size, err
		}
		b, _, err := s.post("/get_compact_blocks.bin", q)
		if err != nil {
			return requests, size, err
		}
		requests, size = requests+1, size+len(b)
		var r daemonrpc.GetCompactBlocksResponse
		if err := epee.Unmarshal(b, &r); err != nil {
			return requests, size, err
		}
		if r.Status != daemonrpc.StatusOK || len(r.Blocks) == 0 {
			return requests, size, fmt.Errorf("%q, %d blocks from %d", r.Status, len(r.Blocks), at)
		}
		if at += uint64(len(r.Blocks)); at >= r.CurrentHeight {
			return requests, size, nil
		}
	}
}
