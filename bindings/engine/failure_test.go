package engine_test

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestFailureHasCause requires that an error of Call wraps the error of the contract, and the cause, from which
// service.Reason makes the name of the failure.
func TestFailureHasCause(t *testing.T) {
	t.Parallel()
	nowhere := func(service.DaemonConfig) (rpc.Transport, error) { return nil, errors.New("there is no daemon") }
	e, err := engine.New(service.Config{
		Network: xmr.Regtest, Files: native.WalletDir(t.TempDir()), KDF: journal.WeakestKDF(),
		Random: rand.Reader, Now: func() uint64 { return uint64(time.Now().Unix()) }, Wait: native.Wait,
		Connect: nowhere, Log: service.DiscardLog{},
	}, service.DaemonConfig{})
	require.NoError(t, err)
	defer e.Close()
	_, err = e.Wallet("absent").Call(t.Context(), "open_wallet", []byte(`{"password":""}`), false)
	require.ErrorIs(t, err, service.ErrNoWallet)
	require.Equal(t, "WalletNotFound", service.Reason(err))
	var stated *rpc.Error
	require.ErrorAs(t, err, &stated)
	require.Equal(t, walletrpc.CodeUnknown, stated.Code)
	require.Equal(t, stated.Error(), err.Error())

	_, err = e.Call(t.Context(), "no_such_operation", nil, false)
	require.ErrorAs(t, err, &stated)
	require.Equal(t, rpc.CodeMethodNotFound, stated.Code)
	require.Empty(t, service.Reason(err))
}
