package gateway

import (
	"context"
	"errors"
	"fmt"

	"glim/core/codec/epee"
	"glim/core/daemonrpc"
)

// connection is an upstream and its state. Gateway.mu guards all fields except Upstream.
type connection struct {
	Upstream
	rest     uint64 // end of the pause after a failure, in POSIX seconds
	outvoted bool   // the majority contradicts it: it receives no requests
	failing  bool   // its failure was reported
}

// restAfterFailure is the pause after a failure, in seconds. A daemon receives no requests during its pause while
// another one works.
const restAfterFailure = 30

// ErrAway reports that no upstream returned a valid response.
var ErrAway = errors.New("gateway: no upstream daemon answers")

// candidates returns the daemons in the order in which to try them: working ones, then those in their pause. Outvoted
// daemons are left out.
func (g *Gateway) candidates() []*connection {
	now := g.c.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	var list, resting []*connection
	for _, w := range g.connections {
		switch {
		case w.outvoted:
		case now < w.rest:
			resting = append(resting, w)
		default:
			list = append(list, w)
		}
	}
	return append(list, resting...)
}

// rests reports whether a daemon is in its pause after a failure.
func (g *Gateway) rests(w *connection) bool {
	now := g.c.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	return now < w.rest
}

// ask sends a request to the daemons in turn until one returns a response that check accepts. check may be nil. It
// returns ErrAway or the error of the context.
func (g *Gateway) ask(ctx context.Context, path string, body []byte, check func([]byte) error) ([]byte, error) {
	for _, w := range g.candidates() {
		answer, err := w.Transport.Post(ctx, path, body)
		if err == nil && check != nil {
			err = check(answer)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			g.worked(w)
			return answer, nil
		}
		g.failed(w, err)
	}
	return nil, ErrAway
}

func (g *Gateway) worked(w *connection) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.rest, w.failing = 0, false
}

func (g *Gateway) failed(w *connection, err error) {
	g.mu.Lock()
	w.rest = g.c.Now() + restAfterFailure
	news := !w.failing
	w.failing = true
	g.mu.Unlock()
	if news {
		g.report(w, err.Error())
	}
}

func (g *Gateway) report(w *connection, reason string) {
	if g.c.Report != nil {
		g.c.Report(w.Name, reason)
	}
}

// rpcCall returns a JSON-RPC request.
func rpcCall(method, params string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":"0","method":"` + method + `","params":` + params + `}`)
}

// wrong returns an error about an invalid response.
func wrong(format string, args ...any) error {
	return fmt.Errorf("gateway: %w", fmt.Errorf(format, args...))
}

// pass returns the response to a permitted request, from a cache or a daemon.
func (g *Gateway) pass(ctx context.Context, name, path string, body []byte) ([]byte, error) {
	if err := g.agree(ctx); err != nil {
		return nil, err
	}
	if path == "/json_rpc" {
		body = plainCall(name, body)
	}
	var own func(context.Context, []byte) ([]byte, bool, error)
	switch name {
	case "get_outs.bin":
		own = g.outputs
	case "get_output_distribution.bin":
		own = g.distribution
	case "get_transactions":
		own = g.transactions
	case "get_blocks.bin":
		own = g.pool
	}
	if own != nil {
		if answer, ok, err := own(ctx, body); ok || err != nil {
			return answer, err
		}
	}
	return g.lasting(ctx, name, path, body)
}

// lasting returns the response to a request, which identical requests share for some seconds.
func (g *Gateway) lasting(ctx context.Context, name, path string, body []byte) ([]byte, error) {
	seconds := lasting[name]
	if seconds == 0 || len(body) > maxMemoKey {
		return g.ask(ctx, path, body, nil)
	}
	key := "answer-" + g.c.Network + "-" + digest(path, string(body))
	if answer, ok := g.recall(ctx, key); ok {
		return answer, nil
	}
	done, err := g.turns.take(ctx, key)
	if err != nil {
		return nil, err
	}
	defer done()
	if answer, ok := g.memory.get(key, g.c.Now()); ok {
		return answer, nil
	}
	answer, err := g.ask(ctx, path, body, nil)
	if err == nil {
		g.keep(ctx, key, answer, seconds)
	}
	return answer, err
}

// pool handles a get_blocks.bin that requests only the pool. It rounds the requested time down to a multiple of
// poolSeconds, so that many wallets share one response. ok is false for any other request.
func (g *Gateway) pool(ctx context.Context, body []byte) (answer []byte, ok bool, err error) {
	var q daemonrpc.GetBlocksRequest
	if epee.Unmarshal(body, &q) != nil || q.RequestedInfo != daemonrpc.PoolOnly {
		return nil, false, nil
	}
	ask, err := epee.Marshal(&daemonrpc.GetBlocksRequest{
		RequestedInfo: daemonrpc.PoolOnly, Prune: q.Prune, PoolInfoSince: q.PoolInfoSince / poolSeconds * poolSeconds})
	if err != nil {
		return nil, false, err
	}
	answer, err = g.lasting(ctx, "pool", "/get_blocks.bin", ask)
	return answer, true, err
}

// poolSeconds is the granularity of the times since which changes of the pool are requested.
const poolSeconds = 16

// lasting holds the seconds for which identical requests share a response; no such response depends on the client. A
// response that contains the height of the chain is kept for 3 seconds only; get_version is one of them, because
// wallets read the height from it too.
var lasting = map[string]uint64{
	"get_height": 3, "get_info": 3, "get_block_count": 3, "get_last_block_header": 3, "get_version": 3,
	"hard_fork_info": 3, "get_fee_estimate": 20, "get_transaction_pool_hashes": 3,
	"get_transaction_pool_hashes.bin": 3, "get_txpool_backlog": 10,
	"get_output_distribution.bin": 20, "get_output_distribution": 20, "pool": 3,
}
