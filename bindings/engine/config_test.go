package engine_test

import (
	"context"
	"crypto/rand"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/journal"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestConfigIsChecked removes each field of a configuration in turn. New must return an error that names the field, or
// the engine must carry out all common operations without it.
func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	now := func() uint64 { return uint64(time.Now().Unix()) }
	chain, err := node.NewRegtest(now, rand.Reader)
	require.NoError(t, err)
	defer chain.Close()
	whole := func(dir string) service.Config {
		return service.Config{
			Network: xmr.Regtest, Files: native.WalletDir(dir), KDF: journal.WeakestKDF(),
			Lookahead: wallet.Lookahead{Major: 2, Minor: 2},
			Random:    rand.Reader, Now: now, Workers: 2,
			LowPriority: native.LowPriority, Wait: native.Wait, Match: native.Match,
			Connect: func(service.DaemonConfig) (rpc.Transport, error) { return chain.Registry(), nil },
			Yield:   func() {}, SetLog: func(string) error { return nil }, Event: func(string, wallet.HostEvent) {},
			Opened: func(service.OpenedWallet) {}, Stop: func() {}, ReleaseMemory: func() {}, Log: service.DiscardLog{},
		}
	}
	required := []string{"Random", "Now", "Wait", "Connect"}
	daemons := []service.DaemonConfig{{}, {Address: "in.process:1"}}
	kinds := reflect.TypeFor[service.Config]()
	for i := range kinds.NumField() {
		name := kinds.Field(i).Name
		if !kinds.Field(i).IsExported() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, d := range daemons {
				c := whole(t.TempDir())
				reflect.ValueOf(&c).Elem().Field(i).SetZero()
				e, err := engine.New(c, d)
				var missing *service.ConfigError
				if errors.As(err, &missing) {
					require.Equal(t, name, missing.Field)
					require.Contains(t, err.Error(), name)
					require.Contains(t, required, name, "New requires a field that is optional")
					continue
				}
				require.NoError(t, err)
				require.NotContains(t, required, name)
				live(t, e)
			}
		})
	}
}

// live calls the operations that hosts commonly use.
func live(t *testing.T, e *engine.Engine) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { e.Run(ctx) })
	defer cancel()
	defer func() { require.NoError(t, e.Close()) }()
	for _, w := range []rpc.Transport{e, e.Wallet("named")} {
		create := walletrpc.CreateWalletRequest{Filename: "", Language: "English"}
		_, err := rpc.Call(ctx, w, walletrpc.CreateWallet, create)
		var stated *rpc.Error
		require.True(t, err == nil || errors.As(err, &stated) && stated.Code == walletrpc.CodeNoWalletDir, "%v", err)
		for _, err := range []error{
			call(ctx, w, walletrpc.AutoRefresh, walletrpc.AutoRefreshRequest{Enable: true, Period: 1}),
			call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{}),
			call(ctx, w, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}),
			call(ctx, w, walletrpc.GetAccounts, walletrpc.GetAccountsRequest{Tag: "a.*", Regexp: true}),
			call(ctx, w, walletrpc.SetLogLevel, walletrpc.SetLogLevelRequest{Level: 1}),
			call(ctx, w, walletrpc.SetDaemon, walletrpc.SetDaemonRequest{
				Address: "in.process:2", SSLSupport: "disabled",
			}),
			call(ctx, w, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{}),
			call(ctx, w, walletrpc.Store, walletrpc.Empty{}),
			call(ctx, w, walletrpc.StopWallet, walletrpc.Empty{}),
		} {
			if errors.As(err, &stated) {
				require.NotEqual(t, rpc.CodeInternal, stated.Code, "an operation panicked")
			}
		}
	}
}

func call[Req, Resp any](ctx context.Context, w rpc.Transport, m rpc.Method[Req, Resp], req Req) error {
	_, err := rpc.Call(ctx, w, m, req)
	return err
}
