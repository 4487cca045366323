package liar_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/liar"
	"glim/core/address"
	"glim/core/chaintest"
	"glim/core/daemonrpc"
	"glim/core/keys"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

var orders = flag.Int("orders", 1, "in how many random orders one process is told all lies, beside the fixed one")
var order = flag.Uint64("orders.seed", 1, "the fixed one")

// TestLiesToOneProcess tells one process every lie, one after the other in some order, with an honest daemon in between, as one that runs for
// months would hear them. Whenever the daemon is honest again all that the wallet shows is what a wallet shows that never heard a lie.
func TestLiesToOneProcess(t *testing.T) {
	t.Parallel()
	seeds := []uint64{*order}
	for range *orders {
		seeds = append(seeds, rand.Uint64())
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			(&onePlay{world: newWorld(t), dice: rand.New(rand.NewPCG(seed, 0))}).run(t)
		})
	}
}

// onePlay is one order of all lies, and the two wallets of which one hears them.
type onePlay struct {
	*world
	dice    *rand.Rand
	s       *service.Service // hears the lies
	never   *service.Service // does not
	rescans int
	paid    int
}

func (p *onePlay) run(t *testing.T) {
	honest := httptest.NewServer(liar.New(p.truth))
	t.Cleanup(honest.Close)
	p.s, _ = p.victim(t, nil)
	p.never, _ = p.victim(t, nil)
	setDaemon(t, p.never, honest.URL)

	branches := [2]string{"a branch that pays far addresses", "a branch that pays them again"}
	lies := append(p.lies(t), p.poolLies(t)...)
	for _, name := range branches {
		lies = append(lies, told{lie: liar.Lie{Name: name}})
	}
	p.dice.Shuffle(len(lies), func(i, k int) { lies[i], lies[k] = lies[k], lies[i] })
	for _, c := range lies {
		p.mine(2, p.address)
		if slices.Contains(branches[:], c.lie.Name) {
			c = p.branch(t, c.lie.Name)
		}
		p.liar.Tell(c.lie)
		p.hear(t, c)
		p.liar.Tell(liar.Lie{})
		p.recover(t, c)
		p.compare(t, c.lie.Name)
	}
	require.Positive(t, p.paid)
	t.Logf("%d lies, %d payments, %d rescans", len(lies), p.paid, p.rescans)
}

// poolLies are lies about the pool that an honest daemon does not take back.
func (p *onePlay) poolLies(t *testing.T) []told {
	images := func() (all []xmr.KeyImage) {
		for _, out := range do(t, p.never, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"}).Transfers {
			image, err := xmr.ParseHash(out.KeyImage)
			require.NoError(t, err)
			all = append(all, xmr.KeyImage(image))
		}
		return all
	}()
	spend, _ := chaintest.New("false spend", xmr.Regtest).Tx(chaintest.Spec{Fee: 1, Spend: images, Pay: []chaintest.Payment{{Amount: 1}}}, nil)
	paid, pruned := p.fake(777 * xmr.Coin)
	entry := func(name string, since uint64, info daemonrpc.PoolTxInfo) told {
		return told{believed: true, lie: bendPool(name, func(r *blocks) {
			r.PoolInfoExtent, r.DaemonTime, r.AddedPoolTxs = daemonrpc.PoolInfoFull, since, []daemonrpc.PoolTxInfo{info}
			r.RemainingAddedPoolTxIDs, r.RemovedPoolTxIDs = nil, nil
		})}
	}
	return []told{
		entry("a payment in a pool of the future", 1<<40, daemonrpc.PoolTxInfo{TxHash: paid, TxBlob: pruned}),
		entry("a spend of all outputs in a pool of the future", 1<<40, daemonrpc.PoolTxInfo{TxHash: spend.ID, TxBlob: spend.Tx.AppendPruned(nil)}),
	}
}

// branch is a chain that leaves the true one a few blocks below its top, and pays addresses of the wallet that nobody was given.
func (p *onePlay) branch(t *testing.T, name string) told {
	chain := newChain(t)
	top, err := rpc.Call(t.Context(), p.truth, daemonrpc.GetHeight, daemonrpc.None{})
	require.NoError(t, err)
	for height := uint64(1); height+1+p.dice.Uint64N(6) < top.Height; height++ {
		block, err := rpc.Call(t.Context(), p.truth, daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Height: height})
		require.NoError(t, err)
		for _, id := range block.TxHashes {
			got, err := rpc.Call(t.Context(), p.truth, daemonrpc.GetTransactions, daemonrpc.GetTransactionsRequest{TxsHashes: []string{id.String()}})
			require.NoError(t, err)
			_, err = rpc.Call(t.Context(), chain.Registry(), daemonrpc.SendRawTransaction, daemonrpc.SendRawTransactionRequest{TxAsHex: got.TxsAsHex[0]})
			require.NoError(t, err)
		}
		_, err = rpc.Call(t.Context(), chain.Registry(), daemonrpc.SubmitBlock, []string{block.Blob})
		require.NoError(t, err)
	}
	payer, _ := p.victim(t, nil) // of the same seed
	server := httptest.NewServer(liar.New(chain.Registry()))
	t.Cleanup(server.Close)
	setDaemon(t, payer, server.URL)
	for _, at := range []keys.Index{{Major: 1, Minor: 1}, {Major: 2, Minor: 1}, {Major: 3}} {
		require.NoError(t, refresh(payer))
		spend, view := p.keys.Address(at)
		_, err := pay(payer, address.Address{Network: xmr.Regtest, Kind: address.Subaddress, Spend: spend, View: view}.String())
		require.NoError(t, err)
		mine(t, chain, 1+p.dice.IntN(2), p.address)
	}
	mine(t, chain, 4, p.address)
	require.NoError(t, payer.Close())
	return told{believed: true, lie: liar.Elsewhere(name, chain.Registry()), also: func(t *testing.T, s *service.Service) {
		require.Len(t, do(t, s, walletrpc.GetAccounts, walletrpc.GetAccountsRequest{}).SubaddressAccounts, 4)
	}}
}

// hear has the wallet refresh, and now and then pay, while it is lied to.
func (p *onePlay) hear(t *testing.T, c told) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	if c.set != nil { // no answer comes
		ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	}
	defer cancel()
	sane := func(err error) {
		t.Helper()
		var e *rpc.Error
		if errors.As(err, &e) {
			require.False(t, strings.Contains(e.Message, "panic") || e.Code == rpc.CodeInternal, "%s: %v", c.lie.Name, err)
		}
	}
	_, err := rpc.Call(ctx, p.s.Registry(), walletrpc.Refresh, walletrpc.RefreshRequest{})
	sane(err)
	if strings.HasPrefix(c.lie.Name, "a branch") {
		c.also(t, p.s)
	}
	if !c.believed {
		top, err := rpc.Call(ctx, p.truth, daemonrpc.GetHeight, daemonrpc.None{})
		if err == nil {
			require.LessOrEqual(t, do(t, p.s, walletrpc.GetHeight, walletrpc.Empty{}).Height, top.Height, c.lie.Name)
		}
	}
	if c.transfer == "" && p.dice.IntN(6) > 0 {
		return
	}
	_, err = rpc.Call(ctx, p.s.Registry(), walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: node.Nobody()}}})
	sane(err)
}

// recover lets the wallet hear the truth for a while. What it had sent is in blocks then, or has failed.
func (p *onePlay) recover(t *testing.T, c told) {
	p.mine(2, node.Nobody())
	p.later.Add(600)
	if err := refresh(p.s); err != nil {
		require.ErrorContains(t, err, "rescan_blockchain", c.lie.Name)
		p.rescan(t)
	}
	if c.rescan {
		p.rescan(t)
	}
	if p.dice.IntN(8) == 0 {
		require.NoError(t, refresh(p.s))
		_, err := pay(p.s, node.Nobody())
		if err != nil { // false answers about outputs to spend make a wallet careful, until its owner says that he trusts this daemon
			require.ErrorContains(t, err, "call rescan_blockchain", c.lie.Name)
			p.rescan(t)
			_, err = pay(p.s, node.Nobody())
		}
		require.NoError(t, err, c.lie.Name)
		p.paid++
		p.mine(11, node.Nobody())
	}
	p.later.Add(600)
	for _, s := range []*service.Service{p.s, p.never} {
		require.NoError(t, refresh(s), c.lie.Name)
	}
}

func (p *onePlay) rescan(t *testing.T) {
	p.rescans++
	do(t, p.s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
}

// compare wants that both wallets show the same, but for what only who pays knows.
func (p *onePlay) compare(t *testing.T, after string) {
	t.Helper()
	for _, question := range []string{
		`"get_height"`,
		`"get_balance","params":{"all_accounts":true}`,
		`"get_balance","params":{"all_accounts":true,"strict":true}`,
		`"get_accounts"`,
		`"get_address","params":{"account_index":0}`,
		`"incoming_transfers","params":{"transfer_type":"all"}`,
		`"incoming_transfers","params":{"transfer_type":"available"}`,
		`"get_transfers","params":{"in":true,"out":true,"pool":true,"pending":true,"all_accounts":true}`,
		`"export_key_images","params":{"all":true}`,
	} {
		var shown [2]any
		for i, s := range []*service.Service{p.never, p.s} {
			b, err := s.Registry().Post(t.Context(), "/json_rpc", []byte(`{"jsonrpc":"2.0","id":0,"method":`+question+`}`))
			require.NoError(t, err)
			d := json.NewDecoder(bytes.NewReader(b))
			d.UseNumber()
			require.NoError(t, d.Decode(&shown[i]))
			drop(shown[i], "destinations", "signature")
		}
		require.Equal(t, shown[0], shown[1], "%s after %q", question, after)
	}
}

// drop takes members of that name out of an answer.
func drop(v any, names ...string) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range names {
			delete(v, name)
		}
		for _, inner := range v {
			drop(inner, names...)
		}
	case []any:
		for _, inner := range v {
			drop(inner, names...)
		}
	}
}
