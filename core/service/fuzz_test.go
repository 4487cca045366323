package service

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// excluded are operations that would disturb the fuzzer's only wallet: they close, replace or convert it, or make any
// number of addresses.
var excluded = []string{
	"stop_wallet", "close_wallet", "open_wallet", "create_wallet", "generate_from_keys",
	"restore_deterministic_wallet", "restore_polyseed", "restore_multisig_wallet",
	"change_wallet_password", "set_subaddress_lookahead", "export_keys_file",
	"setup_background_sync", "start_background_sync", "stop_background_sync",
	"make_multisig", "exchange_multisig_keys", "finalize_multisig",
}

// returnSecrets are operations whose responses contain secrets.
var returnSecrets = []string{"query_key"}

// FuzzOperations sends arbitrary requests to a wallet that holds outputs, without a daemon. Every response must be a
// result or an error. Only query_key may return the spend key. The wallet's outputs must stay the same, and reads and
// refused requests must not change its state at all.
func FuzzOperations(f *testing.F) {
	s, o, secret := fuzzed(f)
	var ops []walletrpc.Info
	for _, op := range walletrpc.Methods() {
		if !slices.Contains(excluded, op.Name) && !strings.HasPrefix(op.Name, "webhook") {
			ops = append(ops, op)
		}
	}
	var address string
	o.View(func(w *wallet.Wallet) { address = w.Address(keys.Index{Minor: 1}).String() })
	id := strings.Repeat("0a", 32)
	for i := range ops {
		f.Add(uint8(i), `{}`)
		f.Add(uint8(i), `{"account_index":0,"index":{"major":0,"minor":1},"address_indices":[0,1],"txid":"`+id+
			`","key_image":"`+id+`","address":"`+address+
			`","destinations":[{"amount":5,"address":"`+address+`"}],"txids":["`+id+
			`"],"in":true,"out":true,"transfer_type":"all","data":"ab","signature":"SigV2x"}`)
	}
	f.Add(
		uint8(0),
		`{"account_index":4294967295,"address_indices":[4294967295],"all_accounts":true,"strict":true,`+
			`"count":3,"tag":"\u0000"}`,
	)
	done := 0
	f.Fuzz(func(t *testing.T, which uint8, params string) {
		op := ops[int(which)%len(ops)]
		if !json.Valid([]byte(params)) || strings.Contains(params, "count") && op.Name == "create_address" {
			return
		}
		if done++; done%500 == 0 { // labels and notes accumulate
			_ = s.Close()
			s, o, secret = fuzzed(t)
		}
		money, state := stateOf(t, o)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		answer, err := s.Serve(ctx, "/json_rpc",
			[]byte(`{"jsonrpc":"2.0","id":0,"method":"`+op.Name+`","params":`+params+`}`), rpc.Options{})
		require.NoError(t, err)
		var a struct{ Result, Error json.RawMessage }
		require.NoError(t, json.Unmarshal(answer, &a), "%s: %s", op.Name, answer)
		require.True(t, (a.Result == nil) != (a.Error == nil), "%s: %s", op.Name, answer)
		require.True(t, slices.Contains(returnSecrets, op.Name) || !bytes.Contains(answer, []byte(secret)), op.Name)
		moneyNow, stateNow := stateOf(t, o)
		require.Equal(t, money, moneyNow, op.Name)
		if strings.HasPrefix(op.Name, "get_") || a.Error != nil {
			require.Equal(t, state, stateNow, op.Name)
		}
	})
}

// fuzzed returns a service, its wallet, which has received and sent payments, and the wallet's spend key in
// hexadecimal.
func fuzzed(t testing.TB) (*Service, *openWallet, string) {
	t.Helper()
	s, err := New(Config{
		Network: xmr.Regtest, Files: newFolder(), Random: rand.Reader,
		Now:     func() uint64 { return chaintest.StartTime },
		Workers: 1, KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 2, Minor: 4},
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(DaemonConfig) (rpc.Transport, error) { return noDaemon{}, nil },
	}, DaemonConfig{Trusted: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	ask(t, s, "create_wallet", `{"filename":"fuzzed","password":"","language":"English"}`, nil)
	ask(t, s, "create_account", `{}`, nil)
	o, err := s.current()
	require.NoError(t, err)
	chain, _ := evenChain(o.Keys(), 8)
	_, err = o.Refresh(context.Background(), chaintest.NewSource(chain), 0)
	require.NoError(t, err)
	secret, ok := o.Keys().SpendSecret()
	require.True(t, ok)
	return s, o, hex.EncodeToString(secret[:])
}

// stateOf returns the outputs of a wallet, and its complete snapshot.
func stateOf(t *testing.T, o *openWallet) (money []string, state [][]byte) {
	t.Helper()
	o.View(func(w *wallet.Wallet) {
		outputs := w.Outputs()
		for i := range outputs {
			money = append(money, fmt.Sprint(outputs[i].Key, outputs[i].Amount, w.IsSpent(&outputs[i], false)))
		}
		var err error
		state, err = w.Snapshot()
		require.NoError(t, err)
	})
	return money, state
}
