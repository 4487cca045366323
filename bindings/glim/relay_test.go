package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
	"glim/core/daemonrpc"
	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// intercepted is a daemon that passes relayed transactions to a function instead.
type intercepted struct {
	rpc.Transport
	relay func() error
}

func (i intercepted) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if path == "/"+daemonrpc.SendRawTransaction.Name {
		return nil, i.relay()
	}
	return i.Transport.Post(ctx, path, body)
}

// walletEngine is an engine without HTTP. relay, if not nil, is called for each relayed transaction.
func walletEngine(t *testing.T, dir string, d *peers.Daemon, relay func() error) *engine.Engine {
	t.Helper()
	e, err := engine.New(service.Config{
		Network: xmr.Regtest, Files: native.WalletDir(dir), KDF: journal.WeakestKDF(), Random: rand.Reader, Workers: 2,
		Wait: native.Wait,
		Now:  func() uint64 { return uint64(time.Now().Unix()) },
		Connect: func(c service.DaemonConfig) (rpc.Transport, error) {
			transport, err := native.NewTransport(native.TransportOptions{Address: c.Address})
			if relay == nil || err != nil {
				return transport, err
			}
			return intercepted{transport, relay}, nil
		},
		Log: slog.New(slog.DiscardHandler),
	}, service.DaemonConfig{Address: d.URL})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// ask calls an operation that must succeed.
func ask[Req, Resp any](t *testing.T, e *engine.Engine, m rpc.Method[Req, Resp], req Req) Resp {
	t.Helper()
	resp, err := rpc.Call(t.Context(), e, m, req)
	require.NoError(t, err, m.Name)
	return resp
}

// TestRecordedBeforeRelayed checks that the wallet file contains a transaction and its key when the transaction is
// passed to the daemon, so that a process killed at that moment has lost nothing.
func TestRecordedBeforeRelayed(t *testing.T) {
	t.Parallel()
	d, err := inprocess.Start(t.Context())
	require.NoError(t, err)
	dir, after := t.TempDir(), t.TempDir()
	relays := 0
	e := walletEngine(t, dir, d, func() error {
		relays++
		content, err := os.ReadFile(filepath.Join(dir, "w"))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(after, "w"), content, 0o600); err != nil {
			return err
		}
		return errors.New("the cable is cut")
	})
	ask(t, e, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
	address := ask(t, e, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	require.NoError(t, d.Mine(t.Context(), 80, address))
	ask(t, e, walletrpc.Refresh, walletrpc.RefreshRequest{})
	before := ask(t, e, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	pay := walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: xmr.Coin, Address: address}},
		GetTxKey:     true,
	}
	_, err = rpc.Call(t.Context(), e, walletrpc.Transfer, pay)
	var refusal *rpc.Error
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, walletrpc.CodeNoDaemonConnection, refusal.Code)
	require.Equal(t, 1, relays)

	// Whether it arrived is not known: it counts as failed, and its inputs are free again.
	failed := ask(t, e, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Failed: true}).Failed
	require.Len(t, failed, 1)
	require.Equal(t, before.UnlockedBalance,
		ask(t, e, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).UnlockedBalance)

	// The copy represents the process that was killed.
	copied := walletEngine(t, after, d, nil)
	ask(t, copied, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	pending := ask(t, copied, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pending: true}).Pending
	require.Len(t, pending, 1)
	require.Equal(t, failed[0].TxID, pending[0].TxID)
	key := ask(t, copied, walletrpc.GetTxKey, walletrpc.GetTxKeyRequest{TxID: pending[0].TxID})
	require.Len(t, key.TxKey, 64)
	require.Less(t, ask(t, copied, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).UnlockedBalance,
		before.UnlockedBalance, "its inputs are held until the transaction's fate is known")
	content, err := os.ReadFile(filepath.Join(after, "w"))
	require.NoError(t, err)
	require.False(t, bytes.Contains(content, []byte(key.TxKey)), "the key is not readable in the file")
}
