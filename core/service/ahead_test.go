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

// counter is a way to a daemon that counts how often one has to wait for it: questions of a group that is expected are held until all of them
// are there, so that who asks one after the other never gets an answer, and counts as one.
type counter struct {
	rpc.Transport

	mu       sync.Mutex
	asked    []string // names; those of a group as one
	group    []string // still expected together
	complete chan struct{}
}

// errApart says that questions were not asked together.
var errApart = errors.New("asked one after the other")

const atOnce = "atOnce"

// expect makes all of names come at once.
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
			return nil, errApart
		}
		return c.Transport.Post(ctx, path, body)
	}
	// On so young a chain rings look unusual now and then, and others are drawn.
	if n := len(c.asked); n == 0 || c.asked[n-1] != name || name != "get_outs.bin" {
		c.asked = append(c.asked, name)
	}
	c.mu.Unlock()
	return c.Transport.Post(ctx, path, body)
}

// TestRoundTripsOfATransfer counts how often one waits for the daemon until a payment is on its way: for the fee, the distribution and how busy it is,
// all at once; for ring members; for its word about the transaction. Who paid before knows the distribution from the blocks he
// read since. Who does not pay asks for none of it.
func TestRoundTripsOfATransfer(t *testing.T) {
	p := newStreet(t)
	c := &counter{Transport: p.way}
	p.way = c
	s := p.serve(newFolder(), nil)
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
	at := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	_, err := p.chain.Mine(t.Context(), 20, at)
	require.NoError(t, err)
	require.NoError(t, p.chain.Fund(t.Context(), 100, node.Nobody()))
	p.mine(1, s)
	for _, name := range []string{"get_fee_estimate", "get_output_distribution.bin", "get_outs.bin"} {
		require.NotContains(t, c.asked, name)
	}
	pay := func(priority uint32, names ...string) {
		t.Helper()
		c.expect(names...)
		do(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Priority: priority,
			Destinations: []walletrpc.Destination{{Address: node.Nobody(), Amount: xmr.Coin}}})
		require.Equal(t, []string{atOnce, "get_outs.bin", "send_raw_transaction"}, c.asked)
	}
	demand := []string{"get_info", "get_txpool_backlog", "get_block_headers_range"}
	pay(0, append(demand, "get_fee_estimate", "get_output_distribution.bin")...)
	pay(1, "get_fee_estimate")
	for range 3 {
		p.mine(2, s)
		pay(0, append(demand, "get_fee_estimate")...)
	}

	// Blocks that the wallet has not read change nothing, for it pays on what it knows; a chain that went another way is asked about.
	_, err = p.chain.Mine(t.Context(), 1, node.Nobody())
	require.NoError(t, err)
	pay(1, "get_fee_estimate")
	_, err = p.chain.Reorganise(t.Context(), 3, node.Nobody())
	require.NoError(t, err)
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	pay(1, "get_fee_estimate", "get_output_distribution.bin")

	// A sweep of several transactions asks for the distribution once, too.
	p.mine(11, s)
	c.expect("get_fee_estimate")
	do(t, s, walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: node.Nobody(), Priority: 1, Outputs: 1})
	require.NotContains(t, c.asked, "get_output_distribution.bin")
}
