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

// meter counts the requests and bytes of a connection to a daemon, and can modify its compact blocks.
type meter struct {
	rpc.Transport
	mu        sync.Mutex
	questions map[string]int
	bytes     map[string]int
	modify    func(*daemonrpc.GetCompactBlocksResponse)
	absent    bool // the daemon has no compact blocks
}

func newMeter(r rpc.Transport) *meter {
	return &meter{Transport: r, questions: map[string]int{}, bytes: map[string]int{}}
}

func (m *meter) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	m.mu.Lock()
	modify, absent := m.modify, m.absent
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
	if name == daemonrpc.GetCompactBlocks.Name && modify != nil {
		var r daemonrpc.GetCompactBlocksResponse
		if err := epee.Unmarshal(answer, &r); err != nil {
			return nil, err
		}
		modify(&r)
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

// everything returns what a wallet reports, except data that only the sending wallet has.
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
	transfers := ask(
		t, w, walletrpc.GetTransfers,
		walletrpc.GetTransfersRequest{
			In: true, Out: true, Pool: true, Pending: true, AllAccounts: true, MaxHeight: 1 << 28,
		},
	)
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

// scenario extends the first daemon's chain with payments to subaddresses and with payment IDs, rewards, spends and a
// reorganisation. It calls look after each step, and returns the wallet of the payer.
func (w *world) scenario(t testing.TB, wallets *engine.Engine, look func()) engine.Wallet {
	t.Helper()
	payer, to := newWallet(t, wallets, "payer")
	require.NoError(t, w.first.Fund(context.Background(), 20, to))
	ask(t, payer, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 3})
	sub := ask(
		t, payer, walletrpc.GetAddress, walletrpc.GetAddressRequest{AddressIndex: []uint32{2}},
	).Addresses[0].Address
	integrated := ask(
		t, payer, walletrpc.MakeIntegratedAddress, walletrpc.MakeIntegratedAddressRequest{},
	).IntegratedAddress
	look()
	for n, list := range [][]walletrpc.Destination{
		{{Amount: xmr.Coin, Address: to}, {Amount: 2 * xmr.Coin, Address: stranger(t)}},
		{{Amount: xmr.Coin, Address: sub}},
		{
			{Amount: xmr.Coin, Address: sub},
			{Amount: 3 * xmr.Coin, Address: stranger(t)},
			{Amount: xmr.Coin / 3, Address: to},
		},
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

// TestWalletsReadCompactBlocks: a wallet that reads compact blocks through the front always has the same state as one
// that reads full blocks: with payments in the pool and in blocks, after a reorganisation, without a spend key, during
// background sync and after it. Outside background sync it requests no full blocks, except those that it verifies.
func TestWalletsReadCompactBlocks(t *testing.T) {
	w := newWorld(t)
	payers := newWallets(t, w.clock, w.first.Registry())
	connection := newMeter(w.Front.Registry())
	compactWallets := newWallets(t, w.clock, connection)
	fullWallets := newWallets(t, w.clock, w.first.Registry(), func(c *service.Config) { c.Compact.Off = true })
	var pairs [][2]engine.Wallet
	begin := func() {
		payer := payers.Wallet("payer")
		key := func(kind string) string {
			return ask(t, payer, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: kind}).Key
		}
		at := ask(t, payer, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
		for name, spend := range map[string]string{"whole": key("spend_key"), "view": "", "behind": key("spend_key")} {
			pair := [2]engine.Wallet{compactWallets.Wallet(name), fullWallets.Wallet(name)}
			for _, v := range pair {
				ask(t, v, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
					Filename: name, Address: at, SpendKey: spend, ViewKey: key("view_key"), Password: "p"})
				if name == "behind" {
					ask(t, v, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{
						BackgroundSyncType: "reuse-wallet-password", WalletPassword: "p"})
					ask(t, v, walletrpc.StartBackgroundSync, walletrpc.Empty{})
				}
			}
			pairs = append(pairs, pair)
		}
	}
	look := func() {
		if pairs == nil {
			begin()
		}
		w.clock.add(20)
		for _, pair := range pairs {
			for _, v := range pair {
				ask(t, v, walletrpc.Refresh, walletrpc.RefreshRequest{})
			}
			require.Equal(t, everything(t, pair[1]), everything(t, pair[0]))
		}
	}
	w.scenario(t, payers, look)
	require.Positive(t, connection.asked(daemonrpc.GetCompactBlocks.Name))
	background := connection.asked(daemonrpc.GetBlocks.Name)
	require.Positive(t, background, "background sync needs the rings")
	for _, v := range pairs {
		for _, one := range v {
			if ask(t, one, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).Balance == 0 {
				t.Fatal("a wallet without money tests nothing")
			}
		}
	}
	for _, pair := range pairs {
		var stopped [2]bool
		for i, v := range pair {
			_, err := rpc.Call(
				t.Context(), v, walletrpc.StopBackgroundSync, walletrpc.StopBackgroundSyncRequest{WalletPassword: "p"},
			)
			stopped[i] = err == nil
		}
		require.Equal(t, stopped[0], stopped[1])
	}
	w.first.mine(t, 1)
	look()
	w.first.mine(t, 1)
	before := connection.asked(daemonrpc.GetBlocks.Name)
	look()
	require.Equal(t, before, connection.asked(daemonrpc.GetBlocks.Name), "background sync has ended")
	require.Positive(t, connection.asked(daemonrpc.GetTransactions.Name), "own transactions are proven")
}

// changeTxs returns a function that changes each transaction of compact blocks and links the changed blocks.
func changeTxs(
	t *testing.T, change func(*compact.Block, int),
) func(*daemonrpc.GetCompactBlocksResponse) {
	return func(r *daemonrpc.GetCompactBlocksResponse) {
		prev := r.Prev
		for i := range r.Blocks {
			b, err := compact.Parse(nil, r.Blocks[i])
			require.NoError(t, err)
			id, err := b.SetPrev(prev)
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

// hidePayments changes all view tags and key images, so that wallets do not recognise their outputs.
func hidePayments(t *testing.T) func(*daemonrpc.GetCompactBlocksResponse) {
	return changeTxs(t, func(b *compact.Block, k int) {
		for i := range b.Txs[k].Inputs {
			b.Txs[k].Inputs[i].KeyImage[0] ^= 1 // an own key image would cause a proof
		}
		for o := range b.Txs[k].Outputs {
			b.Txs[k].Outputs[o].ViewTag ^= 1
		}
	})
}

// inventPayments replaces every transaction by one that pays to a wallet.
func inventPayments(t *testing.T, to *keys.Keys) func(*daemonrpc.GetCompactBlocksResponse) {
	return changeTxs(t, func(b *compact.Block, k int) {
		made, _ := chaintest.New("invented", xmr.Regtest).Tx(chaintest.Spec{
			Fee: 1_000_000_000,
			Pay: []chaintest.Payment{
				{To: to, Amount: 1000 * xmr.Coin}, {Amount: 1}},
		}, nil)
		b.Txs[k], b.Indices[1+k] = made.Tx, b.Indices[1+k][:2]
	})
}

// TestForgedCompactBlocksAreFound: a daemon that hides payments to a wallet is detected when it has to prove a block,
// and the wallet then finds them. A daemon that invents payments is detected as well. From a daemon without compact
// blocks the wallet requests full blocks.
func TestForgedCompactBlocksAreFound(t *testing.T) {
	w := newWorld(t)
	payers := newWallets(t, w.clock, w.first.Registry())
	payer := w.scenario(t, payers, func() {})
	w.first.mine(t, 12) // newer blocks are verified more often
	key := func(kind string) string {
		return ask(t, payer, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: kind}).Key
	}
	request := walletrpc.GenerateFromKeysRequest{
		Address:  ask(t, payer, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address,
		SpendKey: key("spend_key"), ViewKey: key("view_key"),
	}
	ours := secrets(t, request.SpendKey)
	// money returns the number of outputs that a restored wallet finds.
	money := func(connection *meter, c service.CompactBlocks) int {
		wallets := newWallets(t, w.clock, nil, func(all *service.Config) {
			all.Compact = c
			all.Connect = func(service.DaemonConfig) (rpc.Transport, error) { return connection, nil }
		})
		v := wallets.Wallet("restored")
		request := request
		request.Filename = "restored"
		ask(t, v, walletrpc.GenerateFromKeys, request)
		ask(t, v, walletrpc.Refresh, walletrpc.RefreshRequest{})
		return len(
			ask(t, v, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"}).Transfers,
		)
	}
	hiding := func() *meter {
		m := newMeter(w.first.Registry())
		m.modify = hidePayments(t)
		return m
	}
	honest := newMeter(w.first.Registry())
	all := money(honest, service.CompactBlocks{})
	require.Positive(t, honest.asked(daemonrpc.GetCompactBlocks.Name))
	require.Zero(t, honest.asked(daemonrpc.GetBlocks.Name))

	require.Less(
		t, money(hiding(), service.CompactBlocks{ProveEvery: 65521}), all,
		"no block is verified, so the forgery is not detected",
	)

	alone := hiding()
	require.Equal(t, all, money(alone, service.CompactBlocks{ProveEvery: 1}))
	require.Positive(t, alone.asked(daemonrpc.GetTransactions.Name))
	require.Positive(t, alone.asked(daemonrpc.GetBlocks.Name))

	inventor := newMeter(w.first.Registry())
	inventor.modify = inventPayments(t, ours)
	require.Equal(
		t, all, money(inventor, service.CompactBlocks{ProveEvery: 65521}),
		"payments to this wallet are always proven",
	)
	require.Positive(t, inventor.asked(daemonrpc.GetBlocks.Name))

	none := newMeter(w.first.Registry())
	none.absent = true
	require.Equal(t, all, money(none, service.CompactBlocks{}))
	require.Positive(t, none.asked(daemonrpc.GetBlocks.Name))
}

// secrets returns the keys of the wallet with a spend key.
func secrets(t *testing.T, spend string) *keys.Keys {
	seed, err := xmr.ParseHash(spend)
	require.NoError(t, err)
	k, err := keys.FromSeed([32]byte(seed))
	require.NoError(t, err)
	return k
}
