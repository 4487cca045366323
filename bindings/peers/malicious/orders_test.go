package malicious_test

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

	"glim/bindings/peers/malicious"
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

var orders = flag.Int("orders", 1, "number of random orders of all forged responses, in addition to the fixed one")
var order = flag.Uint64("orders.seed", 1, "seed of the fixed order")

// TestForgedAnswersInOneProcess sends every forged response to one long-running process, in some order, with an honest
// daemon in between. After each honest phase the wallet must show the same as a wallet that never received a forged
// response.
func TestForgedAnswersInOneProcess(t *testing.T) {
	t.Parallel()
	seeds := []uint64{*order}
	for range *orders {
		seeds = append(seeds, rand.Uint64())
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			(&scenario{world: newWorld(t), dice: rand.New(rand.NewPCG(seed, 0))}).run(t)
		})
	}
}

// scenario is one order of all forged responses, and two wallets, one of which receives them.
type scenario struct {
	*world
	dice      *rand.Rand
	s         *service.Service // receives the forged responses
	reference *service.Service // receives only honest ones
	rescans   int
	paid      int
}

func (p *scenario) run(t *testing.T) {
	honest := httptest.NewServer(malicious.New(p.truth))
	t.Cleanup(honest.Close)
	p.s, _ = p.victim(t, nil)
	p.reference, _ = p.victim(t, nil)
	setDaemon(t, p.reference, honest.URL)

	branches := [2]string{"a branch that pays far addresses", "a branch that pays them again"}
	cases := append(p.forgeries(t), p.lastingPoolForgeries(t)...)
	for _, name := range branches {
		cases = append(cases, forgedCase{fault: malicious.Fault{Name: name}})
	}
	p.dice.Shuffle(len(cases), func(i, k int) { cases[i], cases[k] = cases[k], cases[i] })
	for _, c := range cases {
		p.mine(2, p.address)
		if slices.Contains(branches[:], c.fault.Name) {
			c = p.branch(t, c.fault.Name)
		}
		p.proxy.Inject(c.fault)
		p.receive(t, c)
		p.proxy.Inject(malicious.Fault{})
		p.recover(t, c)
		p.compare(t, c.fault.Name)
	}
	require.Positive(t, p.paid)
	t.Logf("%d forged responses, %d payments, %d rescans", len(cases), p.paid, p.rescans)
}

// lastingPoolForgeries returns forged pools that the responses of an honest daemon do not replace.
func (p *scenario) lastingPoolForgeries(t *testing.T) []forgedCase {
	images := func() (all []xmr.KeyImage) {
		for _, out := range do(
			t, p.reference, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"},
		).Transfers {
			image, err := xmr.ParseHash(out.KeyImage)
			require.NoError(t, err)
			all = append(all, xmr.KeyImage(image))
		}
		return all
	}()
	spend, _ := chaintest.New("false spend", xmr.Regtest).Tx(
		chaintest.Spec{Fee: 1, Spend: images, Pay: []chaintest.Payment{{Amount: 1}}}, nil,
	)
	paid, pruned := p.forgedTx(777 * xmr.Coin)
	entry := func(name string, since uint64, info daemonrpc.PoolTxInfo) forgedCase {
		return forgedCase{shown: true, fault: bendPool(name, func(r *blocks) {
			r.PoolInfoExtent, r.DaemonTime, r.AddedPoolTxs = daemonrpc.PoolInfoFull, since, []daemonrpc.PoolTxInfo{info}
			r.RemainingAddedPoolTxIDs, r.RemovedPoolTxIDs = nil, nil
		})}
	}
	return []forgedCase{
		entry("a payment in a pool of the future", 1<<40, daemonrpc.PoolTxInfo{TxHash: paid, TxBlob: pruned}),
		entry(
			"a spend of all outputs in a pool of the future", 1<<40,
			daemonrpc.PoolTxInfo{TxHash: spend.ID, TxBlob: spend.Tx.AppendPruned(nil)},
		),
	}
}

// branch returns a fault with a chain that forks from the true one a few blocks below its top and pays addresses of the
// wallet that were never given out.
func (p *scenario) branch(t *testing.T, name string) forgedCase {
	chain := newChain(t)
	top, err := rpc.Call(t.Context(), p.truth, daemonrpc.GetHeight, daemonrpc.None{})
	require.NoError(t, err)
	for height := uint64(1); height+1+p.dice.Uint64N(6) < top.Height; height++ {
		block, err := rpc.Call(t.Context(), p.truth, daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Height: height})
		require.NoError(t, err)
		for _, id := range block.TxHashes {
			got, err := rpc.Call(
				t.Context(), p.truth, daemonrpc.GetTransactions,
				daemonrpc.GetTransactionsRequest{TxsHashes: []string{id.String()}},
			)
			require.NoError(t, err)
			_, err = rpc.Call(
				t.Context(), chain.Registry(), daemonrpc.SendRawTransaction,
				daemonrpc.SendRawTransactionRequest{TxAsHex: got.TxsAsHex[0]},
			)
			require.NoError(t, err)
		}
		_, err = rpc.Call(t.Context(), chain.Registry(), daemonrpc.SubmitBlock, []string{block.Blob})
		require.NoError(t, err)
	}
	payer, _ := p.victim(t, nil) // has the same seed
	server := httptest.NewServer(malicious.New(chain.Registry()))
	t.Cleanup(server.Close)
	setDaemon(t, payer, server.URL)
	for _, at := range []keys.Index{{Major: 1, Minor: 1}, {Major: 2, Minor: 1}, {Major: 3}} {
		require.NoError(t, refresh(payer))
		spend, view := p.keys.Address(at)
		_, err := pay(
			payer, address.Address{Network: xmr.Regtest, Kind: address.Subaddress, Spend: spend, View: view}.String(),
		)
		require.NoError(t, err)
		mine(t, chain, 1+p.dice.IntN(2), p.address)
	}
	mine(t, chain, 4, p.address)
	require.NoError(t, payer.Close())
	return forgedCase{
		shown: true, fault: malicious.Fork(name, chain.Registry()),
		also: func(t *testing.T, s *service.Service) {
			require.Len(t, do(t, s, walletrpc.GetAccounts, walletrpc.GetAccountsRequest{}).SubaddressAccounts, 4)
		},
	}
}

// receive makes the wallet refresh, and sometimes pay, while responses are forged.
func (p *scenario) receive(t *testing.T, c forgedCase) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	if c.set != nil { // the daemon does not respond
		ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	}
	defer cancel()
	notInternal := func(err error) {
		t.Helper()
		var e *rpc.Error
		if errors.As(err, &e) {
			require.False(
				t, strings.Contains(e.Message, "panic") || e.Code == rpc.CodeInternal, "%s: %v", c.fault.Name, err,
			)
		}
	}
	_, err := rpc.Call(ctx, p.s.Registry(), walletrpc.Refresh, walletrpc.RefreshRequest{})
	notInternal(err)
	if strings.HasPrefix(c.fault.Name, "a branch") {
		c.also(t, p.s)
	}
	if !c.shown {
		top, err := rpc.Call(ctx, p.truth, daemonrpc.GetHeight, daemonrpc.None{})
		if err == nil {
			require.LessOrEqual(t, do(t, p.s, walletrpc.GetHeight, walletrpc.Empty{}).Height, top.Height, c.fault.Name)
		}
	}
	if c.transfer == "" && p.dice.IntN(6) > 0 {
		return
	}
	_, err = rpc.Call(ctx, p.s.Registry(), walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: node.UnspendableAddress()}}})
	notInternal(err)
}

// recover runs the wallet with the honest daemon for a while. Payments are then confirmed or have failed.
func (p *scenario) recover(t *testing.T, c forgedCase) {
	p.mine(2, node.UnspendableAddress())
	p.later.Add(600)
	if err := refresh(p.s); err != nil {
		require.ErrorContains(t, err, "rescan_blockchain", c.fault.Name)
		p.rescan(t)
	}
	if c.rescan {
		p.rescan(t)
	}
	if p.dice.IntN(8) == 0 {
		require.NoError(t, refresh(p.s))
		_, err := pay(p.s, node.UnspendableAddress())
		// after forged outputs the wallet refuses to pay until the user rescans with a trusted daemon
		if err != nil {
			require.ErrorContains(t, err, "call rescan_blockchain", c.fault.Name)
			p.rescan(t)
			_, err = pay(p.s, node.UnspendableAddress())
		}
		require.NoError(t, err, c.fault.Name)
		p.paid++
		p.mine(11, node.UnspendableAddress())
	}
	p.later.Add(600)
	for _, s := range []*service.Service{p.s, p.reference} {
		require.NoError(t, refresh(s), c.fault.Name)
	}
}

func (p *scenario) rescan(t *testing.T) {
	p.rescans++
	do(t, p.s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
}

// compare requires that both wallets show the same, except for data that only the paying wallet has.
func (p *scenario) compare(t *testing.T, after string) {
	t.Helper()
	for _, request := range []string{
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
		for i, s := range []*service.Service{p.reference, p.s} {
			b, err := s.Registry().Post(
				t.Context(), "/json_rpc", []byte(`{"jsonrpc":"2.0","id":0,"method":`+request+`}`),
			)
			require.NoError(t, err)
			d := json.NewDecoder(bytes.NewReader(b))
			d.UseNumber()
			require.NoError(t, d.Decode(&shown[i]))
			drop(shown[i], "destinations", "signature")
		}
		require.Equal(t, shown[0], shown[1], "%s after %q", request, after)
	}
}

// drop removes members of these names from a response.
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
