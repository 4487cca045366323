package malicious_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/peers/malicious"
	"glim/core/address"
	"glim/core/daemonrpc"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// largest is the limit of a daemon's response, in bytes.
const largest = 2 << 20

// world is a chain, a malicious daemon of it, and the file of a wallet that has scanned all but the last blocks.
type world struct {
	truth    rpc.Transport // the honest daemon
	mine     func(n int, address string)
	proxy    *malicious.Daemon
	later    atomic.Uint64 // seconds by which the wallets' clock is ahead
	url      string
	file     []byte
	own      map[xmr.PublicKey]bool // keys of the wallet's outputs
	address  string
	keys     *keys.Keys
	balance  uint64 // after scanning the complete chain
	unlocked uint64 // the unlocked part of balance
	before   uint64 // balance of the file
	read     uint64 // height of the file
	fee      uint64 // fee of one payment
}

func newChain(t *testing.T) *node.Regtest {
	t.Helper()
	chain, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	require.NoError(t, err)
	t.Cleanup(func() { _ = chain.Close() })
	return chain
}

func mine(t *testing.T, chain *node.Regtest, n int, address string) {
	t.Helper()
	_, err := chain.Mine(t.Context(), n, address)
	require.NoError(t, err)
}

// newWorld creates a wallet that has scanned some payments, and blocks that it has not scanned yet, one with another
// payment to it. The daemon sends no prunable hashes.
func newWorld(t *testing.T) *world {
	t.Helper()
	chain := newChain(t)
	return newWorldOf(t, withoutHashes(chain.Registry()), func(n int, to string) { mine(t, chain, n, to) })
}

// withoutHashes returns a daemon that, like releases 0.18 of the reference, sends no prunable hashes with pruned
// blocks.
func withoutHashes(truth rpc.Transport) rpc.Transport {
	d := malicious.New(truth)
	d.Inject(bendBlocks("no prunable hashes", dropHashes))
	return d
}

func dropHashes(r *blocks) {
	for i := range r.Blocks {
		for k := range r.Blocks[i].Txs {
			r.Blocks[i].Txs[k].PrunableHash = xmr.Hash{}
		}
	}
}

// newWorldOf is newWorld on any empty chain.
func newWorldOf(t *testing.T, truth rpc.Transport, mine func(n int, address string)) *world {
	t.Helper()
	w := &world{truth: truth, mine: mine, own: map[xmr.PublicKey]bool{}}
	w.proxy = malicious.New(w.truth)
	server := httptest.NewServer(w.proxy)
	t.Cleanup(server.Close)
	w.url = server.URL

	dir := t.TempDir()
	s := w.serve(t, dir, nil)
	var err error
	seed := [32]byte{1, 2, 3}
	w.keys, err = keys.FromSeed(seed)
	require.NoError(t, err)
	spendPublic, viewPublic := w.keys.Address(keys.Index{})
	w.address = address.Address{Network: xmr.Regtest, Spend: spendPublic, View: viewPublic}.String()
	payer := w.serve(t, t.TempDir(), nil)
	do(t, payer, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "payer", Language: "English"})
	mine(14, do(t, payer, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address)
	mine(8, w.address)
	mine(62, node.UnspendableAddress())
	view := w.keys.ViewSecret()
	spend, ok := w.keys.SpendSecret()
	require.True(t, ok)
	do(t, s, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{Filename: "w", Address: w.address,
		SpendKey: hex.EncodeToString(spend[:]), ViewKey: hex.EncodeToString(view[:])})
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	do(t, payer, walletrpc.Refresh, walletrpc.RefreshRequest{})
	w.before, w.read = balance(t, s), do(t, s, walletrpc.GetHeight, walletrpc.Empty{}).Height
	do(t, s, walletrpc.Store, walletrpc.Empty{}) // a file without a mark causes a warning whenever it is opened
	w.file, err = os.ReadFile(filepath.Join(dir, "w"))
	require.NoError(t, err)

	sent, err := pay(payer, w.address)
	require.NoError(t, err)
	w.fee = sent.Fee
	mine(2, node.UnspendableAddress())
	mine(3, w.address)
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	w.balance = balance(t, s)
	w.unlocked = do(t, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).UnlockedBalance
	for _, out := range do(
		t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"},
	).Transfers {
		key, err := xmr.ParseHash(out.PubKey)
		require.NoError(t, err)
		w.own[xmr.PublicKey(key)] = true
	}
	require.Len(t, w.own, 12)
	return w
}

// setup configures a service.
type setup struct {
	service.Config
	hurried string // an operation with a very short timeout
}

// hurry is a transport with a very short timeout for one operation.
type hurry struct {
	rpc.Transport
	operation string
}

func (h hurry) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if h.operation != "" && malicious.Operation(path, body) == h.operation {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
	}
	return h.Transport.Post(ctx, path, body)
}

// serve starts a service on a folder. set, if not nil, changes its configuration.
func (w *world) serve(t *testing.T, dir string, set func(*setup)) *service.Service {
	t.Helper()
	c := setup{Config: service.Config{
		Network: xmr.Regtest, Files: native.WalletDir(dir), Random: rand.Reader,
		Now:     func() uint64 { return uint64(time.Now().Unix()) + w.later.Load() },
		Workers: 1, KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 2, Minor: 2}, Wait: native.Wait,
		Compact: service.CompactBlocks{Off: true},
	}}
	if set != nil {
		set(&c)
	}
	c.Connect = func(d service.DaemonConfig) (rpc.Transport, error) {
		to, err := native.NewTransport(native.TransportOptions{Address: d.Address, MaxAnswer: largest})
		return hurry{to, c.hurried}, err
	}
	s, err := service.New(c.Config, service.DaemonConfig{Address: w.url, Trusted: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// victim opens a copy of the wallet's file.
func (w *world) victim(t *testing.T, set func(*setup)) (s *service.Service, dir string) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "w"), w.file, 0o600))
	s = w.serve(t, dir, set)
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	return s, dir
}

func do[Req, Resp any](t *testing.T, s *service.Service, m rpc.Method[Req, Resp], req Req) Resp {
	t.Helper()
	resp, err := rpc.Call(t.Context(), s.Registry(), m, req)
	require.NoError(t, err, m.Name)
	return resp
}

func balance(t *testing.T, s *service.Service) uint64 {
	t.Helper()
	return do(t, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).Balance
}

const amount = xmr.Coin

// pay sends amount to an address.
func pay(s *service.Service, to string) (walletrpc.TransferResponse, error) {
	return rpc.Call(context.Background(), s.Registry(), walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: to}}, GetTxHex: true})
}

// refresh scans the chain.
func refresh(s *service.Service) error {
	_, err := rpc.Call(context.Background(), s.Registry(), walletrpc.Refresh, walletrpc.RefreshRequest{})
	return err
}

// emptyPool returns the honest daemon's pool and empties it.
func (w *world) emptyPool(t *testing.T) (all []daemonrpc.PoolTransaction) {
	t.Helper()
	got, err := rpc.Call(t.Context(), w.truth, daemonrpc.GetTransactionPool, daemonrpc.PayerOnly{})
	require.NoError(t, err)
	_, err = rpc.Call(t.Context(), w.truth, daemonrpc.FlushTxPool, daemonrpc.FlushTxPoolRequest{})
	require.NoError(t, err)
	return got.Transactions
}

// rings returns the global indices of a transaction's ring members by key image.
func rings(t *testing.T, blob []byte) map[xmr.KeyImage][]uint64 {
	t.Helper()
	parsed, err := tx.Parse(blob)
	require.NoError(t, err)
	out := map[xmr.KeyImage][]uint64{}
	for _, in := range parsed.Inputs {
		at, members := uint64(0), []uint64(nil)
		for _, offset := range in.KeyOffsets {
			at += offset
			members = append(members, at)
		}
		out[in.KeyImage] = members
	}
	return out
}
