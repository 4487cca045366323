package service

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/keys"
	"glim/core/nextfork"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletpaths"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// pathStores has the stores of wallets' paths, by name.
type pathStores struct {
	mu     sync.Mutex
	stores map[string]*pathStore
}

type pathStore struct {
	mu      sync.Mutex
	content []byte
}

func (s *pathStore) Load() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.content == nil {
		return nil, errors.New("nothing is stored")
	}
	return slices.Clone(s.content), nil
}

func (s *pathStore) Save(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.content = slices.Clone(b)
	return nil
}

func (s *pathStores) paths(name string, k *keys.Keys) session.Paths {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stores[name] == nil {
		s.stores[name] = new(pathStore)
	}
	return walletpaths.New(carrot.Default, k, s.stores[name], rand.Reader)
}

// newCrossing returns a chain that passes the next hard fork at block 20, for wallets that can pay after it.
func newCrossing(t *testing.T) testChain {
	t.Helper()
	return newCrossingAt(t, 20, nil)
}

// newCrossingAt is newCrossing for another block, with the blocks of a store, which may be nil.
func newCrossingAt(t *testing.T, height uint64, store chain.Store) testChain {
	t.Helper()
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: func() uint64 { return uint64(time.Now().Unix()) },
		Random: rand.Reader, Forks: consensus.RegtestForks(height, height+2), Next: nextfork.Fork{}, Store: store,
	}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = n.Close() })
	stores := &pathStores{stores: map[string]*pathStore{}}
	return testChain{t: t, chain: &node.Regtest{Node: n}, transport: n.Registry(), paths: stores.paths}
}

// party is a service with an open wallet.
type party struct {
	*Service
	t  *testing.T
	at string
}

func (p testChain) party(name string) party {
	p.t.Helper()
	s := p.serve(newFolder(), nil)
	do(p.t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: name, Language: "English"})
	return party{s, p.t, do(p.t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address}
}

func (a party) balance() (total, unlocked uint64) {
	a.t.Helper()
	b := do(a.t, a.Service, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	return b.Balance, b.UnlockedBalance
}

func (a party) transfers() walletrpc.GetTransfersResponse {
	a.t.Helper()
	return do(a.t, a.Service, walletrpc.GetTransfers,
		walletrpc.GetTransfersRequest{In: true, Out: true, Pending: true, Failed: true, Pool: true})
}

// requireFee requires the fee that the levels of the daemon ask for the weight of a transaction.
func (p testChain) requireFee(weight, fee uint64) {
	p.t.Helper()
	got, err := rpc.Call(p.t.Context(), p.transport, daemonrpc.GetFeeEstimate,
		daemonrpc.GetFeeEstimateRequest{GraceBlocks: 10})
	require.NoError(p.t, err)
	require.Len(p.t, got.Fees, 5)
	require.Equal(p.t, (got.Fees[0]*weight+9999)/10000*10000, fee)
}

// TestPayAfterTheFork: a wallet with rewards from before and after the next hard fork pays and sweeps, another one
// receives, reads, reorganises and pays on.
func TestPayAfterTheFork(t *testing.T) {
	p := newCrossing(t)
	a, b := p.party("a"), p.party("b")
	_, err := p.chain.Mine(t.Context(), 24, a.at)
	require.NoError(t, err)
	p.mine(4, a.Service)
	pay := func(amount uint64) walletrpc.TransferRequest {
		return walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Address: b.at, Amount: amount}}}
	}
	locked := refused(t, a.Service, walletrpc.Transfer, pay(1e12))
	require.Equal(t, walletrpc.CodeNotEnoughUnlockedMoney, locked.Code)
	p.mine(60, a.Service, b.Service)
	all, unlocked := a.balance()
	require.Equal(t, all, unlocked)

	poor := refused(t, a.Service, walletrpc.Transfer, pay(all))
	require.Equal(t, walletrpc.CodeNotEnoughMoney, poor.Code)

	// A payment with an output from before the fork and one from after it.
	var request walletrpc.TransferRequest
	for _, o := range do(t, a.Service, walletrpc.IncomingTransfers,
		walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers {
		if o.BlockHeight == 19 || o.BlockHeight == 20 {
			request.KeyImages = append(request.KeyImages, o.KeyImage)
			request.Destinations = pay(o.Amount + 1e12).Destinations
		}
	}
	request.GetTxKey, request.GetTxHex = true, true
	paid := do(t, a.Service, walletrpc.Transfer, request)
	p.requireFee(paid.Weight, paid.Fee)
	require.Len(t, paid.TxKey, 64)
	require.NotEmpty(t, paid.TxBlob)
	require.ElementsMatch(t, request.KeyImages, paid.SpentKeyImages.KeyImages)
	require.Equal(t, paid.TxKey,
		do(t, a.Service, walletrpc.GetTxKey, walletrpc.GetTxKeyRequest{TxID: paid.TxHash}).TxKey)
	list := a.transfers()
	require.Len(t, list.Pending, 1)
	require.Equal(t, paid.TxHash, list.Pending[0].TxID)
	require.Equal(t, paid.Fee, list.Pending[0].Fee)
	require.Equal(t, paid.Amount, list.Pending[0].Amount)
	do(t, b.Service, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.Equal(t, paid.TxHash, b.transfers().Pool[0].TxID)
	p.mine(1, a.Service, b.Service)
	total, unlocked := a.balance()
	require.Equal(t, all-paid.Amount-paid.Fee, total)
	require.Less(t, unlocked, total, "change is locked")
	list = a.transfers()
	require.Empty(t, list.Pending)
	require.Len(t, list.Out, 1)
	require.Equal(t, paid.Amount, list.Out[0].Amount)
	require.Equal(t, paid.Fee, list.Out[0].Fee)
	require.Equal(t, []walletrpc.Destination{{Address: b.at, Amount: paid.Amount}}, list.Out[0].Destinations)
	require.Equal(t, paid.Amount, b.transfers().In[0].Amount)
	require.Equal(t, paid.TxHash, b.transfers().In[0].TxID)

	// The block is replaced. The transaction returns to the pool and is mined again: its reference block stays.
	_, err = p.chain.Reorganise(t.Context(), 1, node.UnspendableAddress())
	require.NoError(t, err)
	p.mine(1, a.Service, b.Service)
	total, _ = b.balance()
	require.Equal(t, paid.Amount, total)
	p.mine(10, a.Service, b.Service)
	total, unlocked = a.balance()
	require.Equal(t, total, unlocked, "change is unlocked")

	// Reopened, the wallet pays its change; the transaction is relayed later.
	do(t, a.Service, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	do(t, a.Service, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "a"})
	do(t, a.Service, walletrpc.Refresh, walletrpc.RefreshRequest{})
	later := pay(1e12)
	later.Destinations = append(later.Destinations, walletrpc.Destination{Address: a.at, Amount: 2e12})
	later.DoNotRelay, later.GetTxMetadata, later.GetTxKey = true, true, true
	kept := do(t, a.Service, walletrpc.Transfer, later)
	require.Len(t, kept.TxKey, 4*64, "zeros, and a key for each output")
	require.Empty(t, a.transfers().Pending)
	require.Equal(t, kept.TxHash,
		do(t, a.Service, walletrpc.RelayTx, walletrpc.RelayTxRequest{Hex: kept.TxMetadata}).TxHash)
	require.Equal(t, kept.Fee, a.transfers().Pending[0].Fee)
	damaged := refused(t, a.Service, walletrpc.RelayTx,
		walletrpc.RelayTxRequest{Hex: hex.EncodeToString([]byte(nextMark + "damaged"))})
	require.Equal(t, walletrpc.CodeBadTxMetadata, damaged.Code)
	p.mine(1, a.Service, b.Service)
	rest, _ := a.balance()
	require.Equal(t, total-1e12-kept.Fee, rest)

	// What was received is swept, to two outputs, and the rest of it key image by key image.
	p.mine(10, a.Service, b.Service)
	total, _ = b.balance()
	swept := do(t, b.Service, walletrpc.SweepAll,
		walletrpc.SweepAllRequest{Address: a.at, Outputs: 2, BelowAmount: 2e12})
	require.Len(t, swept.TxHashList, 1)
	p.requireFee(swept.WeightList[0], swept.FeeList[0])
	require.Equal(t, uint64(1e12)-swept.FeeList[0], swept.AmountList[0])
	p.mine(1, a.Service, b.Service)
	left, _ := b.balance()
	require.Equal(t, total-1e12, left)
	image := do(t, b.Service, walletrpc.IncomingTransfers,
		walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers[0].KeyImage
	single := do(t, b.Service, walletrpc.SweepSingle,
		walletrpc.SweepSingleRequest{Address: a.at, Outputs: 1, KeyImage: image})
	p.mine(1, a.Service, b.Service)
	left, _ = b.balance()
	require.Zero(t, left)
	total, _ = a.balance()
	require.Equal(t, rest+swept.AmountList[0]+single.Amount, total)
	many := refused(t, b.Service, walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: a.at, Outputs: 16})
	require.Equal(t, walletrpc.CodeGenericTransfer, many.Code)
}

// TestPayAgainAfterTheFork: with an idempotency key a payment is made once, and another attempt spends the same
// outputs.
func TestPayAgainAfterTheFork(t *testing.T) {
	p := newCrossing(t)
	a, b := p.party("a"), p.party("b")
	_, err := p.chain.Mine(t.Context(), 23, a.at)
	require.NoError(t, err)
	p.mine(60, a.Service)
	request := walletrpc.TransferSplitRequest{
		Destinations: []walletrpc.Destination{{Address: b.at, Amount: 5e12}}, IdempotencyKey: "once",
	}
	first := do(t, a.Service, walletrpc.TransferSplit, request)
	require.Len(t, first.TxHashList, 1)
	require.Equal(t, first.TxHashList, do(t, a.Service, walletrpc.TransferSplit, request).TxHashList)
	o, err := a.current()
	require.NoError(t, err)
	id, err := parseTxID(first.TxHashList[0])
	require.NoError(t, err)
	require.NoError(t, o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return w.DecideRefused(id, "a test"), nil, nil
	}))
	require.Equal(t, first.TxHashList, do(t, a.Service, walletrpc.TransferSplit, request).TxHashList,
		"the same bytes are sent again")
	p.mine(1, a.Service, b.Service)
	total, _ := b.balance()
	require.Equal(t, uint64(5e12), total)

	// A transaction that was kept is replaced by another one, which spends one of its outputs.
	request.IdempotencyKey, request.DoNotRelay = "kept", true
	kept := do(t, a.Service, walletrpc.TransferSplit, request)
	request.DoNotRelay = false
	second := do(t, a.Service, walletrpc.TransferSplit, request)
	require.NotEqual(t, kept.TxHashList, second.TxHashList)
	require.True(t, slices.ContainsFunc(second.SpentKeyImagesList[0].KeyImages, func(image string) bool {
		return slices.Contains(kept.SpentKeyImagesList[0].KeyImages, image)
	}))
	p.mine(1, a.Service, b.Service)
	total, _ = b.balance()
	require.Equal(t, uint64(10e12), total)

	// Until the tree has the wallet's blocks, nothing is paid.
	require.NoError(t, o.Paths().Forget())
	behind := refused(t, a.Service, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Address: b.at, Amount: 1e12}}})
	require.Equal(t, walletrpc.CodeGenericTransfer, behind.Code)
	require.Contains(t, behind.Message, "refresh the wallet first")
	do(t, a.Service, walletrpc.Refresh, walletrpc.RefreshRequest{})
	do(t, a.Service, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Address: b.at, Amount: 1e12}}})
	p.mine(1, a.Service, b.Service)
	total, _ = b.balance()
	require.Equal(t, uint64(11e12), total)
}

// TestCarrotKeysPay: a wallet with the keys of the next hard fork spends rewards from both sides of the fork, and its
// change.
func TestCarrotKeysPay(t *testing.T) {
	p := newCrossing(t)
	b := p.party("b")
	s := p.serve(newFolder(), nil)
	at := newCarrotWallet(p, s)
	p.mine(60, s)
	a := party{s, t, at}
	var images []string
	for _, o := range do(t, s, walletrpc.IncomingTransfers,
		walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers {
		if o.BlockHeight == 19 || o.BlockHeight == 20 {
			images = append(images, o.KeyImage)
		}
	}
	all, _ := a.balance()
	to := []walletrpc.Destination{{Address: b.at, Amount: 1e12}}
	first := do(t, s, walletrpc.Transfer,
		walletrpc.TransferRequest{Destinations: to, KeyImages: images[:1], IdempotencyKey: "one"})
	second := do(t, s, walletrpc.SweepSingle,
		walletrpc.SweepSingleRequest{Address: b.at, Outputs: 1, KeyImage: images[1]})
	p.mine(10, s, b.Service)
	left, unlocked := a.balance()
	require.Equal(t, all-first.Amount-first.Fee-second.Amount-second.Fee, left)
	require.Equal(t, left, unlocked, "change, too")
	received, _ := b.balance()
	require.Equal(t, first.Amount+second.Amount, received)
}
