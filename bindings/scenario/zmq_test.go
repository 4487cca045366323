package scenario

import (
	"context"
	"encoding/json"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// follower collects the messages that a daemon publishes.
type follower struct {
	mu  sync.Mutex
	all []string
}

// follow subscribes to everything that a daemon publishes at a path.
func follow(t *testing.T, path string) *follower {
	t.Helper()
	s, err := peers.DialZMQ(deadline(t), "unix", path, "SUB")
	require.NoError(t, err)
	f := new(follower)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			message, err := s.Next()
			if err != nil {
				return
			}
			f.mu.Lock()
			f.all = append(f.all, string(message))
			f.mu.Unlock()
		}
	}()
	t.Cleanup(func() { _ = s.Close(); <-done })
	require.NoError(t, s.Subscribe("json-"))
	return f
}

// of returns the messages of a topic, each once, in order.
func (f *follower) of(topic string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []string
	for _, m := range f.all {
		if text, ok := strings.CutPrefix(m, topic+":"); ok && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// has reports whether a message about a block arrived.
func (f *follower) has(id string) bool {
	return slices.ContainsFunc(f.of("json-minimal-chain_main"), func(m string) bool {
		return strings.Contains(m, `"ids":["`+id+`"]`)
	})
}

// newOperationsOverZMQ starts the real daemon, which publishes at a path, and returns where it serves operations over
// ZeroMQ. It tries again if another process takes the free port first.
func newOperationsOverZMQ(t *testing.T, dir, at string) (d *peers.Daemon, operations string) {
	t.Helper()
	for attempt := 1; ; attempt++ {
		port, err := peers.FreePort()
		require.NoError(t, err)
		d, err = peers.StartDaemon(context.Background(), peers.Options{
			Dir: dir, Args: []string{"--zmq-pub", "ipc://" + at, "--zmq-rpc-bind-port", port},
		})
		if err == nil {
			t.Cleanup(func() { _ = d.Kill() })
			return d, net.JoinHostPort("127.0.0.1", port)
		}
		require.Less(t, attempt, 3, err)
	}
}

// publishers are both daemons with the same blocks, and the messages that they publish.
type publishers struct {
	*testing.T
	theirs, ours *peers.Daemon
	f            [2]*follower // theirs and ours
}

// hand submits a block of theirs to ours.
func (p *publishers) hand(block object) {
	p.Helper()
	var b struct{ Blob string }
	require.NoError(p, p.theirs.JSON(deadline(p.T), "get_block", block, &b))
	require.NoError(p, p.ours.JSON(deadline(p.T), "submit_block", []string{b.Blob}, nil))
}

// generate mines n blocks after prev, or after the last one if it is empty, and returns their IDs.
func (p *publishers) generate(n int, prev string) []string {
	p.Helper()
	var mined struct{ Blocks []string }
	require.NoError(p, p.theirs.JSON(deadline(p.T), "generateblocks", object{
		"amount_of_blocks": n, "wallet_address": at(p.T, alice, 0, 0), "prev_block": prev, "starting_nonce": n,
	}, &mined))
	for _, id := range mined.Blocks {
		p.hand(object{"hash": id})
	}
	return mined.Blocks
}

// both reports whether both daemons have published a block.
func (p *publishers) both(id string) bool { return p.f[0].has(id) && p.f[1].has(id) }

// subscribed waits until both subscriptions work, which shows when both daemons have published the same block.
func (p *publishers) subscribed() {
	p.Helper()
	var made []string
	until(p.T, func() bool {
		made = append(made, p.generate(1, "")...)
		return slices.ContainsFunc(made, p.both)
	})
	until(p.T, func() bool { return p.both(made[len(made)-1]) })
	for _, f := range p.f {
		f.mu.Lock()
		f.all = nil
		f.mu.Unlock()
	}
}

// same waits for the messages about a block and compares all messages so far.
func (p *publishers) same(id string) {
	p.Helper()
	until(p.T, func() bool { return p.both(id) })
	for _, topic := range []string{"json-full-chain_main", "json-minimal-chain_main"} {
		require.Equal(p, p.f[0].of(topic), p.f[1].of(topic))
	}
	// During a reorganisation the reference publishes every step; the last one counts.
	miners := [2][]string{p.f[0].of("json-full-miner_data"), p.f[1].of("json-full-miner_data")}
	require.Equal(p, miners[0][len(miners[0])-1], miners[1][len(miners[1])-1])
	require.Subset(p, miners[0], miners[1])
}

// TestPublishedByZMQ: over ZeroMQ both daemons publish the same about the same blocks, about a reorganisation and a
// payment.
func TestPublishedByZMQ(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	path, err := build()
	require.NoError(t, err)
	dir := t.TempDir()
	theirsAt, oursAt := filepath.Join(dir, "theirs"), filepath.Join(dir, "ours")
	p := &publishers{T: t}
	p.ours = peers.NewDaemon(t, peers.Options{
		Command: []string{path, "daemon"},
		Args:    []string{"--zmq-pub", "ipc://" + oursAt},
	})
	var operations string
	p.theirs, operations = newOperationsOverZMQ(t, filepath.Join(dir, "chain"), theirsAt)
	const before = 78
	require.NoError(t, p.theirs.Mine(deadline(t), before, at(t, alice, 0, 0)))
	for height := 1; height <= before; height++ {
		p.hand(object{"height": height})
	}
	p.f = [2]*follower{follow(t, theirsAt), follow(t, oursAt)}
	p.subscribed()
	p.same(p.generate(1, "")[0])
	old := p.generate(4, "")
	p.same(old[3])
	branch := p.generate(4, old[1])
	p.same(branch[3])
	require.Len(t, p.f[1].of("json-minimal-chain_main"), 1+4+4)

	w := newGlim(t, p.ours.URL, options{})
	restore(t, w, "alice", alice)
	refresh(t, w)
	paid := p.payment(w, operations)
	p.hidden(w, paid)
}

// payment compares what ours publishes about a payment with what the reference returns about it in another operation.
// It returns the payment's ID.
func (p *publishers) payment(w caller, operations string) string {
	t, f := p.T, p.f
	t.Helper()
	paid := call[struct {
		TxHash string `json:"tx_hash"`
		Blob   string `json:"tx_blob"`
	}](t, w, "transfer", object{"destinations": []destination{{at(t, bob, 0, 0), coin}}, "get_tx_hex": true})
	until(t, func() bool {
		return len(f[1].of("json-minimal-txpool_add")) == 1 && len(f[1].of("json-full-txpool_add")) == 1
	})
	require.Equal(t, "OK", handOver(t, p.theirs, unhex(t, paid.Blob)).Status)
	rpc, err := peers.DialZMQ(deadline(t), "tcp", operations, "REQ")
	require.NoError(t, err)
	defer rpc.Close()
	var pool struct {
		Result struct {
			Transactions []struct {
				Tx       json.RawMessage
				TxHash   string `json:"tx_hash"`
				BlobSize uint64 `json:"blob_size"`
				Weight   uint64
				Fee      uint64
			}
		}
	}
	// The reference delays the payment for a moment.
	until(t, func() bool {
		answer, err := rpc.Ask([]byte(`{"jsonrpc":"2.0","id":"0","method":"get_transaction_pool","params":{}}`))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(answer, &pool), string(answer))
		return len(pool.Result.Transactions) > 0
	})
	require.Len(t, pool.Result.Transactions, 1)
	tx := pool.Result.Transactions[0]
	require.Equal(t, paid.TxHash, tx.TxHash)
	require.JSONEq(t,
		string(text(t, []object{{"id": tx.TxHash, "blob_size": tx.BlobSize, "weight": tx.Weight, "fee": tx.Fee}})),
		f[1].of("json-minimal-txpool_add")[0])
	var got []struct {
		RingCT struct{ Prunable map[string]json.RawMessage }
	}
	full := f[1].of("json-full-txpool_add")[0]
	require.NoError(t, json.Unmarshal([]byte(full), &got))
	require.Len(t, got, 1)
	if !referenceAtLeast(t, 0, 18, 5) { // it leaves out the signatures
		signatures := got[0].RingCT.Prunable["clsags"]
		require.NotEmpty(t, signatures)
		full = strings.Replace(full, `"clsags":`+string(signatures)+`,`, "", 1)
	}
	require.JSONEq(t, "["+string(tx.Tx)+"]", full)
	return paid.TxHash
}

// hidden sends a payment that must not be relayed: it waits in the pool but is not published.
func (p *publishers) hidden(w caller, paid string) {
	t, f, theirs, ours := p.T, p.f, p.theirs, p.ours
	t.Helper()
	hidden := call[struct {
		Blob string `json:"tx_blob"`
	}](t, w, "transfer", object{
		"destinations": []destination{{at(t, bob, 0, 0), coin}}, "get_tx_hex": true, "do_not_relay": true,
	})
	require.NoError(t,
		ours.Path(deadline(t), "/send_raw_transaction", object{"tx_as_hex": hidden.Blob, "do_not_relay": true}, nil))
	require.NoError(t, theirs.Mine(deadline(t), 1, at(t, nobody, 0, 0)))
	var top struct{ Blob string }
	var header struct {
		Header struct{ Hash string } `json:"block_header"`
	}
	require.NoError(t, theirs.JSON(deadline(t), "get_last_block_header", nil, &header))
	require.NoError(t, theirs.JSON(deadline(t), "get_block", object{"hash": header.Header.Hash}, &top))
	require.NoError(t, ours.JSON(deadline(t), "submit_block", []string{top.Blob}, nil))
	p.same(header.Header.Hash)
	require.Contains(t, f[1].of("json-full-chain_main")[9], paid)
	require.Len(t, f[1].of("json-minimal-txpool_add"), 1)
}
