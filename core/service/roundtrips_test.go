package service

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/node"
	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// counter is a transport that counts round trips. It holds the requests of an expected group until all of them have
// arrived, so a client that sends them one after another gets no response. A group counts as one round trip.
type counter struct {
	rpc.Transport

	mu       sync.Mutex
	asked    []string // request names; those of a group as one
	group    []string // names that are still expected
	complete chan struct{}
}

// errNotTogether reports requests that were not sent together.
var errNotTogether = errors.New("the requests were sent one after another")

const atOnce = "atOnce"

// expect requires requests with these names to arrive together.
func (c *counter) expect(names ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.group, c.complete = nil, names, make(chan struct{})
}

func (c *counter) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	name := path[1:]
	var call struct{ Method string }
	if json.Unmarshal(body, &call) == nil && call.Method != "" {
		name = call.Method
	}
	c.mu.Lock()
	complete := c.complete
	if i := slices.Index(c.group, name); i >= 0 {
		if c.group = slices.Delete(slices.Clone(c.group), i, i+1); len(c.group) == 0 {
			c.asked = append(c.asked, atOnce)
			close(complete)
		}
		c.mu.Unlock()
		select {
		case <-complete:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(2 * time.Minute):
			return nil, errNotTogether
		}
		return c.Transport.Post(ctx, path, body)
	}
	// On such a short chain, some rings look unusual and are drawn again.
	if n := len(c.asked); n == 0 || c.asked[n-1] != name || name != "get_outs.bin" {
		c.asked = append(c.asked, name)
	}
	c.mu.Unlock()
	return c.Transport.Post(ctx, path, body)
}

// TestRoundTripsOfATransfer counts the round trips of a payment: one for the fee, the output distribution and the
// daemon's load together, one for ring members, and one to relay. A later payment extends the distribution with the
// blocks read since. Nothing of this is requested before a payment.
func TestRoundTripsOfATransfer(t *testing.T) {
	p := newTestChain(t)
	c := &counter{Transport: p.transport}
	p.transport = c
	s, _ := p.funded()
	for _, name := range []string{"get_fee_estimate", "get_output_distribution.bin", "get_outs.bin"} {
		require.NotContains(t, c.asked, name)
	}
	pay := func(priority uint32, names ...string) {
		t.Helper()
		c.expect(names...)
		do(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Priority: priority,
			Destinations: []walletrpc.Destination{{Address: node.UnspendableAddress(), Amount: xmr.Coin}}})
		require.Equal(t, []string{atOnce, "get_outs.bin", "send_raw_transaction"}, c.asked)
	}
	demand := []string{"get_info", "get_txpool_backlog", "get_block_headers_range"}
	pay(0, append(demand, "get_fee_estimate", "get_output_distribution.bin")...)
	pay(1, "get_fee_estimate")
	for range 3 {
		p.mine(2, s)
		pay(0, append(demand, "get_fee_estimate")...)
	}

	// Blocks that the wallet has not read change nothing; after a reorganisation the distribution is requested again.
	_, err := p.chain.Mine(t.Context(), 1, node.UnspendableAddress())
	require.NoError(t, err)
	pay(1, "get_fee_estimate")
	_, err = p.chain.Reorganise(t.Context(), 3, node.UnspendableAddress())
	require.NoError(t, err)
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	pay(1, "get_fee_estimate", "get_output_distribution.bin")

	// A sweep of several transactions also requests the distribution once.
	p.mine(11, s)
	c.expect("get_fee_estimate")
	do(t, s, walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: node.UnspendableAddress(), Priority: 1, Outputs: 1})
	require.NotContains(t, c.asked, "get_output_distribution.bin")
}
