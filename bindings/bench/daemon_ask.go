package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// head has the members of get_info that are equal for daemons with the same chain.
type head struct {
	Result struct {
		Height       uint64 `json:"height"`
		TopBlockHash string `json:"top_block_hash"`
		TxCount      uint64 `json:"tx_count"`
	} `json:"result"`
}

const distributionBin = "get_output_distribution.bin"

// daemonQuestion is a request whose answers are measured.
type daemonQuestion struct {
	name, path string
	body       []byte
	clients    int
	size       int // bytes of an answer
}

// questions returns the requests. Both sides must give equal answers.
func (d *daemonRun) questions(ctx context.Context, sides []*side) (all []daemonQuestion, err error) {
	blocks := daemonrpc.GetBlocksRequest{StartHeight: 1, BlockIDs: []xmr.Hash{xmr.Regtest.GenesisHash()}}
	pruned := blocks
	pruned.Prune = true
	hashes := daemonrpc.GetHashesRequest{BlockIDs: blocks.BlockIDs}
	// As many as a wallet requests for a transaction with two inputs.
	outs := daemonrpc.GetOutsBinRequest{}
	last := &d.fixture.chain[len(d.fixture.chain)-1]
	for i := range uint64(70) {
		outs.Outputs = append(outs.Outputs, daemonrpc.OutputRef{Index: i * uint64(len(d.fixture.chain)) / 70})
	}
	id, err := idOfTx(last.narrow[0])
	if err != nil {
		return nil, err
	}
	indices := daemonrpc.GetOutputIndicesRequest{TxID: id}
	distribution := daemonrpc.GetOutputDistributionRequest{Amounts: []uint64{0}, Cumulative: true, Binary: true}
	compressed := distribution
	compressed.Compress = true
	one, both := []int{1}, []int{1, d.crowd}
	for _, q := range []struct {
		name, path      string
		request, answer any
		clients         []int
	}{
		{"get_blocks.bin", "/get_blocks.bin", &blocks, daemonrpc.GetBlocksResponse{}, both},
		{"get_blocks.bin, pruned", "/get_blocks.bin", &pruned, daemonrpc.GetBlocksResponse{}, both},
		{"get_hashes.bin", "/get_hashes.bin", &hashes, daemonrpc.GetHashesResponse{}, both},
		{"get_o_indexes.bin", "/get_o_indexes.bin", &indices, daemonrpc.GetOutputIndicesResponse{}, both},
		{"get_outs.bin", "/get_outs.bin", &outs, daemonrpc.GetOutsBinResponse{}, both},
		{distributionBin, "/" + distributionBin, &distribution, daemonrpc.GetOutputDistributionBinResponse{}, both},
		{"the same, compressed", "/" + distributionBin, &compressed, daemonrpc.GetOutputDistributionBinResponse{}, one},
		{
			"get_info, JSON", "/json_rpc", map[string]any{"jsonrpc": "2.0", "id": "0", "method": "get_info"}, head{},
			both,
		},
	} {
		if d.only != nil && !d.only.MatchString(q.name) {
			continue
		}
		marshal, unmarshal := epee.Marshal, epee.Unmarshal
		if q.path == "/json_rpc" {
			marshal, unmarshal = json.Marshal, json.Unmarshal
		}
		body, err := marshal(q.request)
		if err != nil {
			return nil, err
		}
		var answers []any
		size := 0
		for _, s := range sides {
			raw, err := s.Binary(ctx, q.path, body)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", s.name, q.name, err)
			}
			answer := reflect.New(reflect.TypeOf(q.answer)).Interface()
			if err := unmarshal(raw, answer); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", s.name, q.name, err)
			}
			if b, ok := answer.(*daemonrpc.GetBlocksResponse); ok {
				b.DaemonTime, b.TopBlockHash = 0, xmr.Hash{} // which older versions do not return
				for i := range b.Blocks {
					for k := range b.Blocks[i].Txs {
						b.Blocks[i].Txs[k].PrunableHash = xmr.Hash{} // nor this
					}
				}
				if len(b.Blocks) < len(d.fixture.chain) {
					return nil, fmt.Errorf("%s: %d blocks of %d", s.name, len(b.Blocks), len(d.fixture.chain))
				}
			}
			answers, size = append(answers, answer), len(raw)
		}
		if !reflect.DeepEqual(answers[0], answers[1]) {
			return nil, fmt.Errorf("%s: the answers differ", q.name)
		}
		for _, n := range q.clients {
			name := q.name
			if n > 1 {
				name = fmt.Sprintf("%s, %d clients", q.name, n)
			}
			all = append(all, daemonQuestion{name, q.path, body, n, size})
		}
	}
	return all, nil
}

// ask repeats a request for some time, at least once, from concurrent clients with persistent connections.
func (d *daemonRun) ask(ctx context.Context, s *side, q *daemonQuestion) error {
	transport := &http.Transport{MaxIdleConnsPerHost: q.clients, MaxConnsPerHost: q.clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	if err := post(ctx, client, s.URL+q.path, q.body, new(bytes.Buffer)); err != nil {
		return err
	}
	var count atomic.Int64
	err := s.timed(q.name, 0, func() error {
		var group sync.WaitGroup
		errs := make([]error, q.clients)
		began := time.Now()
		for c := range q.clients {
			group.Go(func() {
				var answer bytes.Buffer
				for more := true; more && errs[c] == nil; more = time.Since(began) < d.lasting {
					errs[c] = post(ctx, client, s.URL+q.path, q.body, &answer)
					count.Add(1)
				}
			})
		}
		group.Wait()
		return errors.Join(errs...)
	})
	if err != nil {
		return err
	}
	list := s.results[q.name]
	list[len(list)-1].done = float64(count.Load())
	return nil
}

// post sends one request and reads the answer.
func post(ctx context.Context, client *http.Client, url string, body []byte, answer *bytes.Buffer) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/octet-stream")
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer.Reset()
	if _, err := io.Copy(answer, res.Body); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP %s", res.Status)
	}
	return nil
}
