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

// follower collects what a daemon publishes.
type follower struct {
	mu  sync.Mutex
	all []string
}

// follow subscribes to all that a daemon publishes at a path.
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

// has reports whether a message about a block came.
func (f *follower) has(id string) bool {
	return slices.ContainsFunc(f.of("json-minimal-chain_main"), func(m string) bool { return strings.Contains(m, `"ids":["`+id+`"]`) })
}

// newOperationsOverZMQ starts the real daemon, which publishes at a path, and returns where it serves operations over ZeroMQ. Somebody may
// come before it at a port that was free.
func newOperationsOverZMQ(t *testing.T, dir, at string) (d *peers.Daemon, operations string) {
	t.Helper()
	for attempt := 1; ; attempt++ {
		port, err := peers.FreePort()
		require.NoError(t, err)
		d, err = peers.StartDaemon(context.Background(), peers.Options{Dir: dir, Args: []string{"--zmq-pub", "ipc://" + at, "--zmq-rpc-bind-port", port}})
		if err == nil {
			t.Cleanup(func() { _ = d.Kill() })
			return d, net.JoinHostPort("127.0.0.1", port)
		}
		require.Less(t, attempt, 3, err)
	}
}

// TestPublished: over ZeroMQ both daemons tell the same of the same blocks, of a reorganisation and of a payment.
func TestPublished(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	path, err := build()
	require.NoError(t, err)
	dir := t.TempDir()
	theirsAt, oursAt := filepath.Join(dir, "theirs"), filepath.Join(dir, "ours")
	ours := peers.NewDaemon(t, peers.Options{Command: []string{path, "daemon"}, Args: []string{"--zmq-pub", "ipc://" + oursAt}})
	theirs, operations := newOperationsOverZMQ(t, filepath.Join(dir, "chain"), theirsAt)
	// take gives ours a block of theirs.
	take := func(block object) {
		t.Helper()
		var b struct{ Blob string }
		require.NoError(t, theirs.JSON(deadline(t), "get_block", block, &b))
		require.NoError(t, ours.JSON(deadline(t), "submit_block", []string{b.Blob}, nil))
	}
	generate := func(n int, prev string) []string {
		t.Helper()
		var mined struct{ Blocks []string }
		require.NoError(t, theirs.JSON(deadline(t), "generateblocks",
			object{"amount_of_blocks": n, "wallet_address": at(t, alice, 0, 0), "prev_block": prev, "starting_nonce": n}, &mined))
		for _, id := range mined.Blocks {
			take(object{"hash": id})
		}
		return mined.Blocks
	}
	const before = 78
	require.NoError(t, theirs.Mine(deadline(t), before, at(t, alice, 0, 0)))
	for height := 1; height <= before; height++ {
		take(object{"height": height})
	}
	f := [2]*follower{follow(t, theirsAt), follow(t, oursAt)}
	both := func(id string) bool { return f[0].has(id) && f[1].has(id) }
	// Nobody is told when a subscription holds. It does for both when both have told of the same block.
	var made []string
	until(t, func() bool {
		made = append(made, generate(1, "")...)
		return slices.ContainsFunc(made, both)
	})
	until(t, func() bool { return both(made[len(made)-1]) })
	for _, f := range f {
		f.mu.Lock()
		f.all = nil
		f.mu.Unlock()
	}
	told := func(id string) {
		t.Helper()
		until(t, func() bool { return both(id) })
		for _, topic := range []string{"json-full-chain_main", "json-minimal-chain_main"} {
			require.Equal(t, f[0].of(topic), f[1].of(topic))
		}
		// While a reorganisation is under way the reference tells of each step; the last one counts.
		miners := [2][]string{f[0].of("json-full-miner_data"), f[1].of("json-full-miner_data")}
		require.Equal(t, miners[0][len(miners[0])-1], miners[1][len(miners[1])-1])
		require.Subset(t, miners[0], miners[1])
	}
	told(generate(1, "")[0])
	old := generate(4, "")
	told(old[3])
	branch := generate(4, old[1])
	told(branch[3])
	require.Len(t, f[1].of("json-minimal-chain_main"), 1+4+4)

	// A payment, which the reference describes in another of its answers the same way.
	w := newGlim(t, ours.URL, options{})
	restore(t, w, "alice", alice)
	refresh(t, w)
	paid := call[struct {
		TxHash string `json:"tx_hash"`
		Blob   string `json:"tx_blob"`
	}](t, w, "transfer", object{"destinations": []destination{{at(t, bob, 0, 0), coin}}, "get_tx_hex": true})
	until(t, func() bool {
		return len(f[1].of("json-minimal-txpool_add")) == 1 && len(f[1].of("json-full-txpool_add")) == 1
	})
	require.Equal(t, "OK", handOver(t, theirs, unhex(t, paid.Blob)).Status)
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
	// It holds the payment back for a moment.
	until(t, func() bool {
		answer, err := rpc.Ask([]byte(`{"jsonrpc":"2.0","id":"0","method":"get_transaction_pool","params":{}}`))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(answer, &pool), string(answer))
		return len(pool.Result.Transactions) > 0
	})
	require.Len(t, pool.Result.Transactions, 1)
	p := pool.Result.Transactions[0]
	require.Equal(t, paid.TxHash, p.TxHash)
	require.JSONEq(t, string(text(t, []object{{"id": p.TxHash, "blob_size": p.BlobSize, "weight": p.Weight, "fee": p.Fee}})),
		f[1].of("json-minimal-txpool_add")[0])
	var got []struct {
		RingCT struct{ Prunable map[string]json.RawMessage }
	}
	full := f[1].of("json-full-txpool_add")[0]
	require.NoError(t, json.Unmarshal([]byte(full), &got))
	require.Len(t, got, 1)
	// Releases after 0.18.0.0 show the signatures, too.
	signatures := got[0].RingCT.Prunable["clsags"]
	require.NotEmpty(t, signatures)
	require.JSONEq(t, "["+string(p.Tx)+"]", strings.Replace(full, `"clsags":`+string(signatures)+`,`, "", 1))

	// What is not to be passed on is not told, though it waits in the pool.
	hidden := call[struct {
		Blob string `json:"tx_blob"`
	}](t, w, "transfer", object{"destinations": []destination{{at(t, bob, 0, 0), coin}}, "get_tx_hex": true, "do_not_relay": true})
	require.NoError(t, ours.Path(deadline(t), "/send_raw_transaction", object{"tx_as_hex": hidden.Blob, "do_not_relay": true}, nil))
	require.NoError(t, theirs.Mine(deadline(t), 1, at(t, nobody, 0, 0)))
	var top struct{ Blob string }
	var header struct {
		Header struct{ Hash string } `json:"block_header"`
	}
	require.NoError(t, theirs.JSON(deadline(t), "get_last_block_header", nil, &header))
	require.NoError(t, theirs.JSON(deadline(t), "get_block", object{"hash": header.Header.Hash}, &top))
	require.NoError(t, ours.JSON(deadline(t), "submit_block", []string{top.Blob}, nil))
	told(header.Header.Hash)
	require.Contains(t, f[1].of("json-full-chain_main")[9], paid.TxHash)
	require.Len(t, f[1].of("json-minimal-txpool_add"), 1)
}
