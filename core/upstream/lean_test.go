package upstream_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/engine"
	"glim/core/chaintest"
	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/internal/compact"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// meter counts what goes over a way to a daemon, and bends its compact blocks.
type meter struct {
	rpc.Transport
	mu        sync.Mutex
	questions map[string]int
	bytes     map[string]int
	bend      func(*daemonrpc.GetCompactBlocksResponse)
	absent    bool // the daemon has no compact blocks
}

func newMeter(r rpc.Transport) *meter {
	return &meter{Transport: r, questions: map[string]int{}, bytes: map[string]int{}}
}

func (m *meter) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	m.mu.Lock()
	bend, absent := m.bend, m.absent
	m.mu.Unlock()
	name := path[1:]
	if name == daemonrpc.GetCompactBlocks.Name && absent {
		return nil, rpc.ErrNoPath
	}
	answer, err := m.Transport.Post(ctx, path, body)
	if err != nil {
		return nil, err
	}
	var q daemonrpc.GetBlocksRequest
	if name == daemonrpc.GetBlocks.Name && epee.Unmarshal(body, &q) == nil && q.RequestedInfo == daemonrpc.PoolOnly {
		name = "pool"
	}
	if name == daemonrpc.GetCompactBlocks.Name && bend != nil {
		var r daemonrpc.GetCompactBlocksResponse
		if err := epee.Unmarshal(answer, &r); err != nil {
			return nil, err
		}
		bend(&r)
		if answer, err = epee.Marshal(&r); err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.questions[name]++
	m.bytes[name] += len(answer)
	return answer, nil
}

func (m *meter) asked(name string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.questions[name]
}

// everything is what a wallet tells of itself. What only its own sending knows is left out.
func everything(t testing.TB, w engine.Wallet) (all []string) {
	t.Helper()
	add := func(v any) {
		b, err := json.MarshalIndent(v, "", " ")
		require.NoError(t, err)
		all = append(all, string(b))
	}
	add(ask(t, w, walletrpc.GetHeight, walletrpc.Empty{}))
	add(ask(t, w, walletrpc.GetBalance, walletrpc.GetBalanceRequest{AllAccounts: true}))
	add(ask(t, w, walletrpc.GetAccounts, walletrpc.GetAccountsRequest{}))
	transfers := ask(t, w, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{In: true, Out: true, Pool: true, Pending: true, AllAccounts: true, MaxHeight: 1 << 28})
	for _, list := range [][]walletrpc.TransferEntry{transfers.In, transfers.Out, transfers.Pool, transfers.Pending} {
		slices.SortFunc(list, func(a, b walletrpc.TransferEntry) int {
			if a.TxID != b.TxID {
				return slices.Compare([]byte(a.TxID), []byte(b.TxID))
			}
			return int(a.SubaddrIndex.Minor) - int(b.SubaddrIndex.Minor)
		})
		add(list)
	}
	add(ask(t, w, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"}))
	return all
}

// story lets wallets live on the first daemon's chain: payments to subaddresses and with payment IDs, rewards, spends, a reorganisation.
// After each chapter it calls look. It returns a payer's wallet.
func (w *world) story(t testing.TB, wallets *engine.Engine, look func()) engine.Wallet {
	t.Helper()
	payer, to := newWallet(t, wallets, "payer")
	require.NoError(t, w.first.Fund(context.Background(), 20, to))
	ask(t, payer, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 3})
	sub := ask(t, payer, walletrpc.GetAddress, walletrpc.GetAddressRequest{AddressIndex: []uint32{2}}).Addresses[0].Address
	integrated := ask(t, payer, walletrpc.MakeIntegratedAddress, walletrpc.MakeIntegratedAddressRequest{}).IntegratedAddress
	look()
	for n, list := range [][]walletrpc.Destination{
		{{Amount: xmr.Coin, Address: to}, {Amount: 2 * xmr.Coin, Address: stranger(t)}},
		{{Amount: xmr.Coin, Address: sub}},
		{{Amount: xmr.Coin, Address: sub}, {Amount: 3 * xmr.Coin, Address: stranger(t)}, {Amount: xmr.Coin / 3, Address: to}},
		{{Amount: xmr.Coin / 7, Address: integrated}},
	} {
		ask(t, payer, walletrpc.Refresh, walletrpc.RefreshRequest{})
		ask(t, payer, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: list})
		look()
		w.first.mine(t, 2+n)
		look()
	}
	_, err := w.first.Reorganise(context.Background(), 3, to)
	require.NoError(t, err)
	look()
	w.first.mine(t, 12)
	look()
	return payer
}

// TestWalletsReadCompactBlocks: a wallet that reads compact blocks, through the front, is at every moment what its twin is that reads blocks in
// full: in the pool, in blocks, after a reorganisation, without its spend key, in the background and when that ends. It asks for no block in
// full but those it compares, and for no transaction.
func TestWalletsReadCompactBlocks(t *testing.T) {
	w := newWorld(t)
	payers := newWallets(t, w.clock, w.first.Registry())
	way := newMeter(w.Front.Registry())
	lean := newWallets(t, w.clock, way)
	full := newWallets(t, w.clock, w.first.Registry(), func(c *service.Config) { c.Compact.Off = true })
	var twins [][2]engine.Wallet
	begin := func() {
		payer := payers.Wallet("payer")
		key := func(kind string) string {
			return ask(t, payer, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: kind}).Key
		}
		at := ask(t, payer, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
		for name, spend := range map[string]string{"whole": key("spend_key"), "view": "", "behind": key("spend_key")} {
			pair := [2]engine.Wallet{lean.Wallet(name), full.Wallet(name)}
			for _, v := range pair {
				ask(t, v, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
					Filename: name, Address: at, SpendKey: spend, ViewKey: key("view_key"), Password: "p"})
				if name == "behind" {
					ask(t, v, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{
						BackgroundSyncType: "reuse-wallet-password", WalletPassword: "p"})
					ask(t, v, walletrpc.StartBackgroundSync, walletrpc.Empty{})
				}
			}
			twins = append(twins, pair)
		}
	}
	look := func() {
		if twins == nil {
			begin()
		}
		w.clock.add(20)
		for _, pair := range twins {
			for _, v := range pair {
				ask(t, v, walletrpc.Refresh, walletrpc.RefreshRequest{})
			}
			require.Equal(t, everything(t, pair[1]), everything(t, pair[0]))
		}
	}
	w.story(t, payers, look)
	require.Positive(t, way.asked(daemonrpc.GetCompactBlocks.Name))
	background := way.asked(daemonrpc.GetBlocks.Name)
	require.Positive(t, background, "rings are needed in the background")
	for _, v := range twins {
		for _, one := range v {
			if ask(t, one, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).Balance == 0 {
				t.Fatal("a wallet without money shows nothing")
			}
		}
	}
	for _, pair := range twins {
		var stopped [2]bool
		for i, v := range pair {
			_, err := rpc.Call(t.Context(), v, walletrpc.StopBackgroundSync, walletrpc.StopBackgroundSyncRequest{WalletPassword: "p"})
			stopped[i] = err == nil
		}
		require.Equal(t, stopped[0], stopped[1])
	}
	w.first.mine(t, 1)
	look()
	w.first.mine(t, 1)
	before := way.asked(daemonrpc.GetBlocks.Name)
	look()
	require.Equal(t, before, way.asked(daemonrpc.GetBlocks.Name), "nobody is in the background any more")
	require.Positive(t, way.asked(daemonrpc.GetTransactions.Name), "what is ours is proven")
}

// TestCompactLiesAreFound: a daemon that hides what a wallet was paid is found out when it has to prove a block, and the wallet then sees it;
// so is one that shows what nobody paid. One that has no compact blocks is asked for blocks in full.
func TestCompactLiesAreFound(t *testing.T) {
	w := newWorld(t)
	payers := newWallets(t, w.clock, w.first.Registry())
	payer := w.story(t, payers, func() {})
	w.first.mine(t, 12) // newer blocks are proven more often
	key := func(kind string) string {
		return ask(t, payer, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: kind}).Key
	}
	request := walletrpc.GenerateFromKeysRequest{
		Address:  ask(t, payer, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address,
		SpendKey: key("spend_key"), ViewKey: key("view_key"),
	}
	ours := secrets(t, request.SpendKey)
	// again makes each block anew of what change makes of one of its transactions.
	again := func(change func(*compact.Block, int)) func(*daemonrpc.GetCompactBlocksResponse) {
		return func(r *daemonrpc.GetCompactBlocksResponse) {
			prev := r.Prev
			for i := range r.Blocks {
				b, err := compact.Parse(nil, r.Blocks[i])
				require.NoError(t, err)
				id, err := b.Seal(prev)
				require.NoError(t, err)
				for k := range b.Txs {
					change(b, k)
				}
				r.Blocks[i], err = compact.Append(nil, b.Block, id, b.Txs, b.Indices)
				require.NoError(t, err)
				prev = id
			}
		}
	}
	hide := again(func(b *compact.Block, k int) {
		for i := range b.Txs[k].Inputs {
			b.Txs[k].Inputs[i].KeyImage[0] ^= 1 // a spend that is ours would have it proven
		}
		for o := range b.Txs[k].Outputs {
			b.Txs[k].Outputs[o].ViewTag ^= 1
		}
	})
	invent := again(func(b *compact.Block, k int) {
		made, _ := chaintest.New("invented", xmr.Regtest).Tx(chaintest.Spec{Fee: 1_000_000_000, Pay: []chaintest.Payment{
			{To: ours, Amount: 1000 * xmr.Coin}, {Amount: 1}}}, nil)
		b.Txs[k], b.Indices[1+k] = made.Tx, b.Indices[1+k][:2]
	})
	// money returns how many outputs a wallet that is restored finds.
	money := func(way *meter, c service.Compact) int {
		wallets := newWallets(t, w.clock, nil, func(all *service.Config) {
			all.Compact = c
			all.Connect = func(service.DaemonConfig) (rpc.Transport, error) { return way, nil }
		})
		v := wallets.Wallet("restored")
		request := request
		request.Filename = "restored"
		ask(t, v, walletrpc.GenerateFromKeys, request)
		ask(t, v, walletrpc.Refresh, walletrpc.RefreshRequest{})
		return len(ask(t, v, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"}).Transfers)
	}
	liar := func() *meter {
		m := newMeter(w.first.Registry())
		m.bend = hide
		return m
	}
	honest := newMeter(w.first.Registry())
	all := money(honest, service.Compact{})
	require.Positive(t, honest.asked(daemonrpc.GetCompactBlocks.Name))
	require.Zero(t, honest.asked(daemonrpc.GetBlocks.Name))

	require.Less(t, money(liar(), service.Compact{Every: 65521}), all, "nobody compares, and the lie works")

	alone := liar()
	require.Equal(t, all, money(alone, service.Compact{Every: 1}))
	require.Positive(t, alone.asked(daemonrpc.GetTransactions.Name))
	require.Positive(t, alone.asked(daemonrpc.GetBlocks.Name))

	inventor := newMeter(w.first.Registry())
	inventor.bend = invent
	require.Equal(t, all, money(inventor, service.Compact{Every: 65521}), "what is said to be ours is proven, whatever else is")
	require.Positive(t, inventor.asked(daemonrpc.GetBlocks.Name))

	none := newMeter(w.first.Registry())
	none.absent = true
	require.Equal(t, all, money(none, service.Compact{}))
	require.Positive(t, none.asked(daemonrpc.GetBlocks.Name))
}

// secrets are the keys of a wallet with a seed.
func secrets(t *testing.T, spend string) *keys.Keys {
	seed, err := xmr.ParseHash(spend)
	require.NoError(t, err)
	k, err := keys.FromSeed([32]byte(seed))
	require.NoError(t, err)
	return k
}
