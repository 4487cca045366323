package scenario

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/codec/epee"
	"glim/core/daemonrpc"
)

// counter is a proxy of a daemon that counts requests for blocks.
type counter struct {
	*httptest.Server
	mu    sync.Mutex
	asked int
}

func newCounter(t *testing.T, d *peers.Daemon) *counter {
	t.Helper()
	to, err := url.Parse(d.URL)
	require.NoError(t, err)
	c := &counter{}
	proxy := httputil.NewSingleHostReverseProxy(to)
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		var asked daemonrpc.GetBlocksRequest
		if err == nil && strings.HasSuffix(r.URL.Path, "blocks.bin") && epee.Unmarshal(body, &asked) == nil &&
			asked.RequestedInfo != daemonrpc.PoolOnly {
			c.mu.Lock()
			c.asked++
			c.mu.Unlock()
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(c.Close)
	return c
}

// blocks returns the number of requests for blocks since the last call.
func (c *counter) blocks() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() { c.asked = 0 }()
	return c.asked
}

// openWallet is a wallet of a service with several open wallets.
type openWallet struct {
	*glim
	name string
}

func (o openWallet) JSON(ctx context.Context, method string, params, out any) error {
	return inProcess(o.Wallet(o.name).Call).JSON(ctx, method, params, out)
}

// together calls f for all wallets concurrently.
func together(all []openWallet, f func(o openWallet) error) error {
	var group sync.WaitGroup
	errs := make([]error, len(all))
	for i, o := range all {
		group.Go(func() { errs[i] = f(o) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// TestManyWallets opens five wallets in one service. They read the chain together and pay each other concurrently, and
// each equals a wallet of the reference with the same seed.
func TestManyWallets(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	before := newCounter(t, d)
	update := func(o openWallet) error { return o.JSON(deadline(t), "refresh", nil, nil) }

	alone := newGlim(t, before.URL, options{})
	lonely := openWallet{alone, "alice"}
	restore(t, lonely, "", alice)
	require.NoError(t, update(lonely))
	cost := before.blocks()
	require.Positive(t, cost)
	do(t, lonely, "close_wallet", nil)

	service := newGlim(t, before.URL, options{})
	all := []openWallet{
		{service, "alice"},
		{service, "bob"},
		{service, "carol"},
		{service, "dave"},
		{service, "nobody"},
	}
	require.NoError(t, together(all, func(o openWallet) error {
		n := byte(1)
		for all[n-1].name != o.name {
			n++
		}
		return o.JSON(deadline(t), "restore_deterministic_wallet",
			object{"password": "", "seed": seed(t, n), "restore_height": 0}, nil)
	}))
	require.NoError(t, together(all, update))
	require.Equal(t, cost, before.blocks(), "five wallets make the same requests as one")

	// All funded wallets pay all others at once.
	require.NoError(t, together(all[:3], func(o openWallet) error {
		var to []destination
		for n, other := range all {
			if other.name != o.name {
				to = append(to, destination{at(t, byte(n+1), 0, 0), 1e9 * uint64(n+1)})
			}
		}
		return o.JSON(deadline(t), "transfer", object{"destinations": to}, nil)
	}))
	require.NoError(t, together(all, update))
	mine(t, d, 1, at(t, nobody, 0, 0))
	before.blocks()
	require.NoError(t, together(all, update))
	require.Equal(t, 1, before.blocks(), "a new block is fetched once")

	reference := newReference(t, d)
	// One that paid and was paid, and one that was only paid; the reference takes seconds to open each.
	for _, n := range []int{0, 3} {
		o := all[n]
		restore(t, reference, o.name, byte(n+1))
		refresh(t, reference)
		compareAll(t, reference, o, 1)
		require.NotZero(t, ledger(t, o).Balance, o.name)
	}
}
