package gateway

import (
	"context"
	"errors"
	"fmt"

	"glim/core/codec/epee"
	"glim/core/daemonrpc"
)

// way is a daemon with what is known of it. All but the first is guarded by Gateway.mu.
type way struct {
	Upstream
	rest     uint64 // it is left in peace until then, in POSIX seconds
	outvoted bool   // most others contradict it: it is not asked at all
	failing  bool   // it was reported
}

// How long a daemon that failed is not asked while another is well, in seconds.
const restAfterFailure = 30

// ErrAway: no upstream answers.
var ErrAway = errors.New("gateway: no upstream gives an answer")

// order returns the daemons in the order they are to be asked: those that rest come last, those that are outvoted never.
func (g *Gateway) order() []*way {
	now := g.c.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	var list, resting []*way
	for _, w := range g.ways {
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

// rests reports whether a daemon failed lately.
func (g *Gateway) rests(w *way) bool {
	now := g.c.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	return now < w.rest
}

// ask asks the daemons in turn until one gives an answer that check finds nothing wrong with. Errors: ErrAway, the context's.
func (g *Gateway) ask(ctx context.Context, path string, body []byte, check func([]byte) error) ([]byte, error) {
	for _, w := range g.order() {
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

func (g *Gateway) worked(w *way) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.rest, w.failing = 0, false
}

func (g *Gateway) failed(w *way, err error) {
	g.mu.Lock()
	w.rest = g.c.Now() + restAfterFailure
	news := !w.failing
	w.failing = true
	g.mu.Unlock()
	if news {
		g.report(w, err.Error())
	}
}

func (g *Gateway) report(w *way, reason string) {
	if g.c.Report != nil {
		g.c.Report(w.Name, reason)
	}
}

// rpcCall asks for an operation of JSON-RPC and returns its result.
func rpcCall(method, params string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":"0","method":"` + method + `","params":` + params + `}`)
}

// wrong returns an error that says what is wrong with an answer.
func wrong(format string, args ...any) error {
	return fmt.Errorf("gateway: %w", fmt.Errorf(format, args...))
}

// pass hands a request on. What everybody asks for in the same words, and what is the same for some seconds, is asked for once.
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

// lasting asks what somebody else may have asked some seconds ago.
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

// pool answers a get_blocks.bin that asks for the pool alone: what came since a time that many have in common, which may be some seconds
// before the one that was said. ok is false for any other.
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

// poolSeconds divides the times since when wallets ask what came into the pool.
const poolSeconds = 16

// lasting gives the seconds for which one answer serves every client that asks the same question; none of these answers depends on the client.
// An answer that names the chain's height is kept for 3 seconds only: wallets take their height from get_version as well as from get_height.
var lasting = map[string]uint64{
	"get_height": 3, "get_info": 3, "get_block_count": 3, "get_last_block_header": 3, "get_version": 3, "hard_fork_info": 3,
	"get_fee_estimate": 20, "get_transaction_pool_hashes": 3, "get_transaction_pool_hashes.bin": 3, "get_txpool_backlog": 10,
	"get_output_distribution.bin": 20, "get_output_distribution": 20, "pool": 3,
}
