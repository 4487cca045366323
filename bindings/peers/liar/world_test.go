package liar_test

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
	"glim/bindings/peers/liar"
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

// largest is what a daemon may answer here, in bytes.
const largest = 2 << 20

// world is a chain with a daemon that lies about it, and the file of a wallet that has read all but its last blocks.
type world struct {
	truth    rpc.Transport // the daemon as it is
	mine     func(n int, address string)
	liar     *liar.Liar
	later    atomic.Uint64 // seconds that the wallets' clock is ahead
	url      string
	file     []byte
	own      map[xmr.PublicKey]bool // keys of the wallet's outputs
	address  string
	keys     *keys.Keys
	balance  uint64 // when all is read
	unlocked uint64 // of it
	before   uint64 // with what the file has read
	read     uint64 // blocks that the file has read
	fee      uint64 // of a payment
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

// newWorld makes a wallet with some money, which it has read, and blocks beyond, which it has not: one with a payment of its own.
func newWorld(t *testing.T) *world {
	t.Helper()
	chain := newChain(t)
	return newWorldOf(t, chain.Registry(), func(n int, to string) { mine(t, chain, n, to) })
}

// newWorldOf is newWorld on any chain that holds nothing yet.
func newWorldOf(t *testing.T, truth rpc.Transport, mine func(n int, address string)) *world {
	t.Helper()
	w := &world{truth: truth, mine: mine, own: map[xmr.PublicKey]bool{}}
	w.liar = liar.New(w.truth)
	server := httptest.NewServer(w.liar)
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
	mine(62, node.Nobody())
	view := w.keys.ViewSecret()
	spend, ok := w.keys.SpendSecret()
	require.True(t, ok)
	do(t, s, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{Filename: "w", Address: w.address,
		SpendKey: hex.EncodeToString(spend[:]), ViewKey: hex.EncodeToString(view[:])})
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	do(t, payer, walletrpc.Refresh, walletrpc.RefreshRequest{})
	w.before, w.read = balance(t, s), do(t, s, walletrpc.GetHeight, walletrpc.Empty{}).Height
	do(t, s, walletrpc.Store, walletrpc.Empty{}) // a file without its mark is told of at every opening
	w.file, err = os.ReadFile(filepath.Join(dir, "w"))
	require.NoError(t, err)

	sent, err := pay(payer, w.address)
	require.NoError(t, err)
	w.fee = sent.Fee
	mine(2, node.Nobody())
	mine(3, w.address)
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	w.balance = balance(t, s)
	w.unlocked = do(t, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).UnlockedBalance
	for _, out := range do(t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"}).Transfers {
		key, err := xmr.ParseHash(out.PubKey)
		require.NoError(t, err)
		w.own[xmr.PublicKey(key)] = true
	}
	require.Len(t, w.own, 12)
	return w
}

// setup is how a service is made.
type setup struct {
	service.Config
	hurried string // an operation whose answer is waited for no longer than a moment
}

// hurry is a transport that waits a moment alone for the answers of one operation.
type hurry struct {
	rpc.Transport
	operation string
}

func (h hurry) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if h.operation != "" && liar.Operation(path, body) == h.operation {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
	}
	return h.Transport.Post(ctx, path, body)
}

// serve starts a service on a folder; set changes its configuration.
func (w *world) serve(t *testing.T, dir string, set func(*setup)) *service.Service {
	t.Helper()
	c := setup{Config: service.Config{
		Network: xmr.Regtest, Files: native.WalletDir(dir), Random: rand.Reader, Now: func() uint64 { return uint64(time.Now().Unix()) + w.later.Load() },
		Workers: 1, KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 2, Minor: 2}, Wait: native.Wait,
		Compact: service.Compact{Off: true},
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

// pay sends some money.
func pay(s *service.Service, to string) (walletrpc.TransferResponse, error) {
	return rpc.Call(context.Background(), s.Registry(), walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: to}}, GetTxHex: true})
}

// refresh reads the chain.
func refresh(s *service.Service) error {
	_, err := rpc.Call(context.Background(), s.Registry(), walletrpc.Refresh, walletrpc.RefreshRequest{})
	return err
}

// emptyPool returns what the true daemon's pool holds, and empties it.
func (w *world) emptyPool(t *testing.T) (all []daemonrpc.PoolTransaction) {
	t.Helper()
	got, err := rpc.Call(t.Context(), w.truth, daemonrpc.GetTransactionPool, daemonrpc.PayerOnly{})
	require.NoError(t, err)
	_, err = rpc.Call(t.Context(), w.truth, daemonrpc.FlushTxPool, daemonrpc.FlushTxPoolRequest{})
	require.NoError(t, err)
	return got.Transactions
}

// rings returns the members of a transaction's rings, by key image.
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
