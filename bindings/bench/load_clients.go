package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// samples are the times of single answers.
type samples []time.Duration

// at returns the quantile q.
func (s samples) at(q float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// question is one call of an operation.
type question struct {
	method string
	params map[string]any
}

// busy has all clients send requests while the service reads the chain again and again.
func (l *load) busy(ctx context.Context, s *service) error {
	transport := &http.Transport{MaxIdleConnsPerHost: l.clients, MaxConnsPerHost: l.clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	var ended atomic.Bool
	var reading error
	var group sync.WaitGroup
	began := time.Now()
	group.Go(func() {
		defer ended.Store(true)
		for more := true; more && reading == nil; more = time.Since(began) < l.lasting {
			start := time.Now()
			reading = s.JSON(ctx, "rescan_blockchain", map[string]any{}, nil)
			s.reads = append(s.reads, time.Since(start))
		}
	})
	// The delay of a timer shows how busy this machine is, independent of the service.
	group.Go(func() {
		for !ended.Load() {
			start := time.Now()
			time.Sleep(time.Millisecond)
			s.late = append(s.late, time.Since(start)-time.Millisecond)
		}
	})
	busy, mix := make([]samples, l.clients), make([]samples, l.clients)
	errs := make([]error, l.clients)
	for n := range l.clients {
		group.Go(func() {
			// They start one after another, so that they do not send requests at the same time.
			wait := l.pause * time.Duration(n) / time.Duration(l.clients)
			for i := n; errs[n] == nil; i++ {
				select {
				case <-time.After(wait):
				case <-ctx.Done():
					errs[n] = ctx.Err()
					return
				}
				if ended.Load() {
					return
				}
				wait = l.pause
				q := l.question(i)
				start := time.Now()
				errs[n] = l.ask(ctx, client, s.URL, q)
				took := time.Since(start)
				if mix[n] = append(mix[n], took); q.method == "get_balance" {
					busy[n] = append(busy[n], took)
				}
			}
		})
	}
	group.Wait()
	s.busy, s.mix = append(s.busy, slices.Concat(busy...)...), append(s.mix, slices.Concat(mix...)...)
	return errors.Join(append(errs, reading)...)
}

// question returns request number i: three of four are for a balance, the others for other frequent requests.
func (l *load) question(i int) question {
	at := loadIndex(i, l.addresses).Minor
	switch i % 8 {
	case 3:
		h := 1 + i*37%l.chain.Blocks
		return question{
			"get_transfers",
			map[string]any{
				"in": true, "out": true, "account_index": 0, "filter_by_height": true, "min_height": h,
				"max_height": h + 10,
			},
		}
	case 7:
		return question{"get_address", map[string]any{"account_index": 0, "address_index": []uint32{at}}}
	}
	return question{"get_balance", map[string]any{"account_index": 0, "address_indices": []uint32{at}}}
}

// ask sends a request over a persistent connection. It returns an error if the request is refused.
func (l *load) ask(ctx context.Context, client *http.Client, url string, q question) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "0", "method": q.method, "params": q.params})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/json_rpc", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("%s: %w", q.method, err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return fmt.Errorf("%s: %w", q.method, err)
	}
	if res.StatusCode != http.StatusOK || !bytes.Contains(answer, []byte(`"result"`)) {
		return fmt.Errorf("%s: HTTP %d: %.200s", q.method, res.StatusCode, answer)
	}
	return nil
}
