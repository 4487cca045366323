package service

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/multisig"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// These tests check what the reference adds after 0.18.5.1.

func TestPriorityIsBounded(t *testing.T) {
	s := newWalletService(t, newFolder(), "")
	to := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	pay := []walletrpc.Destination{{Amount: 1, Address: to}}
	for _, priority := range []uint32{4, 5, 1 << 31} {
		for _, e := range []rpc.Error{
			refused(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: pay, Priority: priority}),
			refused(t, s, walletrpc.TransferSplit,
				walletrpc.TransferSplitRequest{Destinations: pay, Priority: priority}),
			refused(t, s, walletrpc.SweepAll,
				walletrpc.SweepAllRequest{Address: to, Outputs: 1, Priority: priority}),
			refused(t, s, walletrpc.SweepSingle,
				walletrpc.SweepSingleRequest{Address: to, Outputs: 1, Priority: priority}),
		} {
			require.Equal(t, priority > 4, e.Code == walletrpc.CodeInvalidFeePriority, "%d: %v", priority, e)
		}
	}
}

// TestProxyNeedsAnIdentity: a proxy could answer in the place of a daemon that nothing identifies.
func TestProxyNeedsAnIdentity(t *testing.T) {
	host := "node.example:18081"
	for _, c := range []struct {
		req walletrpc.SetDaemonRequest
		ok  bool
	}{
		{walletrpc.SetDaemonRequest{Address: host, SSLSupport: "autodetect"}, true},
		{walletrpc.SetDaemonRequest{Address: host, SSLSupport: "disabled", Proxy: "127.0.0.1:9050"}, false},
		{walletrpc.SetDaemonRequest{Address: host, SSLSupport: "autodetect", Proxy: "127.0.0.1:9050"}, false},
		{walletrpc.SetDaemonRequest{Address: host, SSLSupport: "enabled", Proxy: "127.0.0.1:9050"}, false},
		{walletrpc.SetDaemonRequest{Address: host, SSLSupport: "enabled"}, false},
		{walletrpc.SetDaemonRequest{Address: host, SSLSupport: "enabled", SSLCAFile: "ca.pem",
			Proxy: "127.0.0.1:9050"}, true},
		{walletrpc.SetDaemonRequest{Address: host, SSLSupport: "disabled", SSLAllowAnyCert: true,
			Proxy: "127.0.0.1:9050"}, true},
		{walletrpc.SetDaemonRequest{Address: "abcdef.onion:18081", SSLSupport: "disabled",
			Proxy: "127.0.0.1:9050"}, true},
		{walletrpc.SetDaemonRequest{Address: "abcdef.b32.i2p", SSLSupport: "autodetect",
			Proxy: "127.0.0.1:9050"}, true},
		{walletrpc.SetDaemonRequest{Address: "onion.example:18081", SSLSupport: "autodetect",
			Proxy: "127.0.0.1:9050"}, false},
	} {
		require.Equal(t, c.ok, identifies(&c.req) || c.req.Proxy == "" && c.req.SSLSupport != "enabled", "%+v", c.req)
		if !c.ok {
			s := newWalletService(t, newFolder(), "")
			require.Equal(t, walletrpc.CodeNoDaemonConnection, refused(t, s, walletrpc.SetDaemon, c.req).Code)
		}
	}
}

// TestRestrictedHistory: clients of a restricted service see transfers, and do not make the wallet ask its daemon.
func TestRestrictedHistory(t *testing.T) {
	p := newTestChain(t)
	c := &counter{Transport: p.transport}
	p.transport = c
	s, at := p.funded()
	paid := do(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: []walletrpc.Destination{
		{Address: node.UnspendableAddress(), Amount: xmr.Coin}, {Address: at, Amount: 2 * xmr.Coin},
	}})
	mined := false
	check := func() {
		t.Helper()
		all := do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Out: true, Pending: true})
		list := append(all.Out, all.Pending...)
		require.Len(t, list, 1)
		require.Equal(t, []any{paid.TxHash, mined}, []any{list[0].TxID, list[0].Type == "out"})
		require.EqualValues(t, 3*xmr.Coin, list[0].Amount)
		spent := uint64(0)
		available := do(t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"})
		for _, x := range available.Transfers {
			for _, image := range paid.SpentKeyImages.KeyImages {
				if x.KeyImage == image {
					spent += x.Amount
				}
			}
		}
		require.Equal(t, spent-list[0].Fee-3*xmr.Coin, list[0].ChangeAmount)
	}
	check()
	mined = true
	p.mine(1, s)
	check()

	c.expect()
	ask := func(name, params string) string {
		t.Helper()
		answer, err := s.Serve(t.Context(), "/json_rpc",
			[]byte(`{"jsonrpc":"2.0","id":"0","method":"`+name+`","params":`+params+`}`), rpc.Options{Restricted: true})
		require.NoError(t, err)
		return string(answer)
	}
	require.Contains(t, ask("get_transfers", `{"out":true,"pool":true}`), paid.TxHash)
	require.Contains(t, ask("get_transfer_by_txid", `{"txid":"`+paid.TxHash+`"}`), paid.TxHash)
	require.Contains(t, ask("get_transfer_by_txid", `{"txid":"`+(xmr.Hash{1}).String()+`"}`), "not found")
	require.Contains(t, ask("refresh", `{}`), `"code":-7`)
	require.Empty(t, c.asked)
}

// TestRescanKeepsKeyImages: a view-only wallet knows what was spent after every rescan, because it keeps the key images
// it has imported.
func TestRescanKeepsKeyImages(t *testing.T) {
	p := newTestChain(t)
	s, at := p.funded()
	watcher := p.serve(newFolder(), nil)
	view := do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"}).Key
	do(t, watcher, walletrpc.GenerateFromKeys,
		walletrpc.GenerateFromKeysRequest{Filename: "v", Address: at, ViewKey: view})
	do(t, watcher, walletrpc.Refresh, walletrpc.RefreshRequest{})
	do(t, s, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Address: node.UnspendableAddress(), Amount: xmr.Coin}}})
	p.mine(1, s)
	do(t, watcher, walletrpc.Refresh, walletrpc.RefreshRequest{})
	balance := func(s *Service) uint64 { return do(t, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).Balance }
	require.Greater(t, balance(watcher), balance(s), "it does not see that outputs are spent")
	images := do(t, s, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true}).SignedKeyImages
	do(t, watcher, walletrpc.ImportKeyImages, walletrpc.ImportKeyImagesRequest{SignedKeyImages: images})
	require.Equal(t, balance(s), balance(watcher))

	for _, req := range []walletrpc.RescanBlockchainRequest{{KeepKeyImages: true}, {}, {Hard: true}} {
		do(t, watcher, walletrpc.RescanBlockchain, req)
		require.Equal(t, balance(s), balance(watcher), "%+v", req)
	}
	e := refused(t, watcher, walletrpc.RescanBlockchain,
		walletrpc.RescanBlockchainRequest{Hard: true, KeepKeyImages: true})
	require.Equal(t, walletrpc.CodeUnknown, e.Code)
	require.Equal(t, "Cannot preserve key images on hard rescan", e.Message)
	require.Equal(t, balance(s), balance(watcher))
}

// TestUnsignedSetHasDraftKeys: a view-only wallet's set has the public keys of its draft and the payment ID, which the
// signer encrypts.
func TestUnsignedSetHasDraftKeys(t *testing.T) {
	p := newTestChain(t)
	s, at := p.funded()
	view := do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"}).Key
	watcher := p.serve(newFolder(), nil)
	do(t, watcher, walletrpc.GenerateFromKeys,
		walletrpc.GenerateFromKeysRequest{Filename: "v", Address: at, ViewKey: view})
	do(t, watcher, walletrpc.Refresh, walletrpc.RefreshRequest{})
	images := do(t, s, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true}).SignedKeyImages
	do(t, watcher, walletrpc.ImportKeyImages, walletrpc.ImportKeyImagesRequest{SignedKeyImages: images})

	integrated := do(t, s, walletrpc.MakeIntegratedAddress,
		walletrpc.MakeIntegratedAddressRequest{PaymentID: "0123456789abcdef"}).IntegratedAddress
	for to, id := range map[string]string{
		node.UnspendableAddress(): "0000000000000000", integrated: "0123456789abcdef",
	} {
		made := do(t, watcher, walletrpc.Transfer, walletrpc.TransferRequest{
			Destinations: []walletrpc.Destination{{Address: to, Amount: xmr.Coin}}})
		set := walletrpc.DescribeTransferRequest{UnsignedTxSet: made.UnsignedTxSet}
		about := do(t, s, walletrpc.DescribeTransfer, set)
		require.Zero(t, about.Desc[0].Weight)
		raw, err := hex.DecodeString(about.Desc[0].Extra)
		require.NoError(t, err)
		extra, ok := tx.ParseExtra(raw)
		require.True(t, ok)
		require.Len(t, extra.PublicKeys, 1)
		require.NotNil(t, extra.EncryptedPaymentID)
		require.Equal(t, id, hex.EncodeToString(extra.EncryptedPaymentID[:]))
		require.Equal(t, to == integrated, about.Desc[0].PaymentID == id)
		signed := do(t, s, walletrpc.SignTransfer,
			walletrpc.SignTransferRequest{UnsignedTxSet: made.UnsignedTxSet, ExportRaw: true})
		raw, err = hex.DecodeString(signed.TxRawList[0])
		require.NoError(t, err)
		x, err := tx.Parse(raw)
		require.NoError(t, err)
		final, ok := tx.ParseExtra(x.Extra)
		require.True(t, ok)
		require.Len(t, final.PublicKeys, 1)
		require.NotEqual(t, extra.PublicKeys, final.PublicKeys)
		require.NotEqual(t, extra.EncryptedPaymentID, final.EncryptedPaymentID)
	}
}

// TestKeyExchangeBooster: a message made of a part of the others' messages completes another signer's round.
func TestKeyExchangeBooster(t *testing.T) {
	group := make([]*Service, 4)
	for i := range group {
		group[i] = newWalletService(t, newFolder(), "")
	}
	first := infos(t, group)
	boost := func(s *Service, threshold, total uint32, texts ...string) walletrpc.GetMultisigKeyExchangeBoosterRequest {
		return walletrpc.GetMultisigKeyExchangeBoosterRequest{
			MultisigInfo: texts, Threshold: threshold, NumSigners: total}
	}
	booster := walletrpc.GetMultisigKeyExchangeBooster
	require.Equal(t, *errTooFewInfos, refused(t, group[0], booster, boost(group[0], 2, 4)))
	require.Contains(t, refused(t, group[0], booster, boost(group[0], 2, 4, first[1:]...)).Message,
		multisig.ErrRevealing.Error())
	early, err := multisig.ParseKexMessage(do(t, group[0], booster, boost(group[0], 3, 4, first[1])).MultisigInfo)
	require.NoError(t, err)
	require.Len(t, early.Keys, 1)

	sent := make([]string, 4)
	for i, s := range group {
		sent[i] = do(t, s, walletrpc.MakeMultisig,
			walletrpc.MakeMultisigRequest{MultisigInfo: except(first, i), Threshold: 2}).MultisigInfo
	}
	require.Equal(t, -1, refused(t, group[0], booster, boost(group[0], 3, 4, sent[1:]...)).Code)
	require.Equal(t, -1, refused(t, group[0], booster, boost(group[0], 2, 3, sent[1:]...)).Code)
	whole := do(t, group[0], booster, boost(group[0], 2, 4, sent[1:]...)).MultisigInfo
	next := make([]string, 4)
	for i, s := range group[1:] {
		next[i+1] = do(t, s, walletrpc.ExchangeMultisigKeys,
			walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: except(sent, i+1)}).MultisigInfo
	}
	do(t, group[1], walletrpc.ExchangeMultisigKeys,
		walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: []string{whole, next[2], next[3]}})
	require.True(t, status(t, group[1]).KexIsDone)
	require.False(t, status(t, group[0]).KexIsDone)
}
