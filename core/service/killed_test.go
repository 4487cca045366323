package service

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// beforeSend is a transport that calls about before each transaction is relayed; an error prevents relaying.
type beforeSend struct {
	rpc.Transport
	about func() error
}

func (b *beforeSend) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if strings.Contains(path, "send") && b.about != nil {
		if err := b.about(); err != nil {
			return nil, err
		}
	}
	return b.Transport.Post(ctx, path, body)
}

// image returns a copy of the folder as a kill would leave it.
func (f *folder) image() *folder {
	f.mu.Lock()
	defer f.mu.Unlock()
	other := newFolder()
	for name, s := range f.files {
		other.files[name] = &memoryFile{Memory: &journal.Memory{Content: slices.Clone(s.Content)}, in: other}
	}
	return other
}

// TestKilledBeforeRelay kills the service between recording a payment and relaying it. If the client repeats the
// request with its idempotency key, the response must not report success unless a daemon has the transaction.
func TestKilledBeforeRelay(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	now := uint64(time.Now().Unix())
	chain, err := node.NewRegtest(func() uint64 { return now }, rand.Reader)
	require.NoError(t, err)
	defer chain.Close()
	transport := &beforeSend{Transport: chain.Registry()}
	start := func(dir *folder) *Service {
		s, err := New(Config{
			Network: xmr.Regtest, Files: dir, Random: rand.Reader, Now: func() uint64 { return now },
			KDF:       journal.WeakestKDF(),
			Lookahead: wallet.Lookahead{Major: 1, Minor: 1}, Workers: 2,
			Connect: func(DaemonConfig) (rpc.Transport, error) { return transport, nil },
		}, DaemonConfig{Address: "here", Trusted: true})
		require.NoError(t, err)
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	dir := newFolder()
	s := start(dir)
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "one", Language: "English"})
	home := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	require.NoError(t, chain.Fund(ctx, 20, home))
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})

	var left *folder
	transport.about = func() error {
		left = dir.image()
		return errors.New("killed")
	}
	order := walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Amount: 1, Address: home}},
		IdempotencyKey: "order 1"}
	_, err = rpc.Call(ctx, s.Registry(), walletrpc.Transfer, order)
	require.Error(t, err)

	waiting := func() int {
		in := do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pending: true})
		return len(in.Pending)
	}
	s = start(left)
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "one"})
	require.Equal(t, 1, waiting(), "it was recorded")
	transport.about = func() error { return errors.New("still unreachable") }
	_, err = rpc.Call(ctx, s.Registry(), walletrpc.Transfer, order)
	require.Error(t, err, "it may not be sent, so it is not reported as sent")
	tried := 0
	transport.about = func() error { tried++; return nil }
	sent, err := rpc.Call(ctx, s.Registry(), walletrpc.Transfer, order)
	require.NoError(t, err)
	require.Equal(t, 1, tried)
	again, err := rpc.Call(ctx, s.Registry(), walletrpc.Transfer, order)
	require.NoError(t, err)
	require.Equal(t, sent.TxHash, again.TxHash)
	require.Equal(t, 1, tried, "a daemon has it")
	s = start(left.image())
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "one"})
	again, err = rpc.Call(ctx, s.Registry(), walletrpc.Transfer, order)
	require.NoError(t, err, "a daemon that already has it accepts it")
	require.Equal(t, sent.TxHash, again.TxHash)
	require.Equal(t, 1, tried, "it is in the pool")
	s = start(left.image())
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "one"})
	_, err = chain.Mine(ctx, 1, node.UnspendableAddress())
	require.NoError(t, err)
	again, err = rpc.Call(ctx, s.Registry(), walletrpc.Transfer, order)
	require.NoError(t, err, "and a daemon that has it in its chain")
	require.Equal(t, sent.TxHash, again.TxHash)
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.Zero(t, waiting())
	got := do(t, s, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: sent.TxHash})
	require.Equal(t, "out", got.Transfer.Type)
	tried = 0
	_, err = rpc.Call(ctx, s.Registry(), walletrpc.Transfer, order)
	require.NoError(t, err)
	require.Zero(t, tried, "a mined transaction is not relayed again")
}
