package scenario

import (
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/daemonrpc"
)

// exchangeWithWallet has the beta's wallet and ours pay each other.
func (b *betaPair) exchangeWithWallet(ours caller) {
	t := b.T
	t.Helper()
	dir := t.TempDir()
	theirs, err := peers.StartWalletRPC(t.Context(), b.reference, peers.Options{Dir: dir, Programs: b.programs})
	require.NoError(t, err)
	t.Cleanup(func() { _ = theirs.Kill() })
	do(t, theirs, "auto_refresh", object{"enable": false})
	restoreFar(t, theirs, "carol", carol)
	require.Equal(t, filepath.Join(dir, "wallets"), theirs.Wallets)
	integrated := call[struct {
		Address string `json:"integrated_address"`
	}](t, theirs, "make_integrated_address", object{"payment_id": "1112131415161718"}).Address
	balance := func(c caller) uint64 {
		refresh(t, c)
		params := object{"account_index": 0, "all_accounts": true}
		return call[struct{ Balance uint64 }](t, c, "get_balance", params).Balance
	}
	require.Zero(t, balance(theirs))

	// We pay it, at all kinds of addresses.
	refresh(t, ours)
	paid := pay(t, ours, []destination{
		{at(t, carol, 0, 1), 4 * coin}, {integrated, 5 * coin}, {at(t, carol, 1, 2), 6 * coin},
	}, object{"get_tx_hex": true})
	require.Equal(t, daemonrpc.StatusOK, b.send("to the beta's wallet", unhex(t, paid.Blob)))
	b.grow(1, at(t, carol, 0, 0))
	b.grow(60, at(t, nobody, 0, 0))
	reward := call[struct {
		Header struct{ Reward uint64 } `json:"block_header"`
	}](t, b.reference, "get_block_header_by_height", object{"height": b.node.Height() - 61}).Header.Reward
	require.Equal(t, 15*coin+reward, balance(theirs))
	b.received(theirs, paid.TxHash, 4*coin, 5*coin, 6*coin)
	b.Logf("check_tx_key of the beta: %v", theirs.JSON(deadline(t), "check_tx_key",
		object{"txid": paid.TxHash, "tx_key": paid.TxKey, "address": at(t, carol, 0, 1)}, nil))

	// It pays us.
	ourIntegrated := call[struct {
		Address string `json:"integrated_address"`
	}](t, ours, "make_integrated_address", object{"payment_id": "2122232425262728"}).Address
	for name, to := range map[string]string{
		"main address": at(t, alice, 0, 0), "subaddress": at(t, alice, 1, 2), "integrated address": ourIntegrated,
		"its own subaddress": at(t, carol, 0, 3),
	} {
		made := pay(t, theirs, []destination{{to, coin}}, object{"get_tx_hex": true})
		require.Equal(t, daemonrpc.StatusOK, b.send("of the beta's wallet to "+name, unhex(t, made.Blob)))
		b.grow(10, at(t, nobody, 0, 0))
		if !strings.Contains(name, "own") {
			b.received(ours, made.TxHash, coin)
		}
		balance(theirs)
	}
	swept := call[struct {
		Blobs  []string `json:"tx_blob_list"`
		Hashes []string `json:"tx_hash_list"`
	}](t, theirs, "sweep_all", object{"address": at(t, alice, 0, 1), "get_tx_hex": true,
		"subaddr_indices_all": true})
	for _, blob := range swept.Blobs {
		require.Equal(t, daemonrpc.StatusOK, b.send("sweep of the beta's wallet", unhex(t, blob)))
	}
	b.grow(10, at(t, nobody, 0, 0))
	balance(ours)

	// Its payments are spent.
	refresh(t, ours)
	list := b.available(ours, func(o betaOutput) bool { return o.Amount == coin })
	require.GreaterOrEqual(t, len(list), 2)
	b.spend("payments of the beta's wallet", ours, list, []destination{{at(t, bob, 0, 0), 0}})
	b.grow(1, at(t, nobody, 0, 0))
}
