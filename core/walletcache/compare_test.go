//go:build !js && !wasip1

package walletcache_test

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/tx"
	"glim/core/walletcache"
	"glim/core/xmr"
)

// shown formats a payment ID as get_transfers does.
func shown(id xmr.Hash) string {
	if [24]byte(id[8:]) == [24]byte{} {
		return hex.EncodeToString(id[:8])
	}
	return id.String()
}

func incoming(p walletcache.Payment, kind string) entry {
	if p.Coinbase {
		kind = "block"
	}
	i := numbered{p.Index.Account, p.Index.Address}
	return entry{TxID: p.TxID.String(), PaymentID: shown(p.PaymentID), Height: p.Height, Timestamp: p.Timestamp,
		Amount: p.Amount, Amounts: p.Amounts, Fee: p.Fee, UnlockTime: p.UnlockTime,
		Index: i, Indices: []numbered{i}, Type: kind}
}

func outgoing(s walletcache.Sent, kind string) entry {
	e := entry{TxID: s.TxID.String(), PaymentID: shown(s.PaymentID), Height: s.Height, Timestamp: s.Timestamp,
		Fee: s.AmountIn - s.AmountOut, UnlockTime: s.UnlockTime, Index: numbered{s.Account, 0}, Type: kind}
	change := s.Change
	if change == 1<<64-1 {
		change = 0
	}
	e.Amount = s.AmountIn - change - e.Fee
	for _, i := range s.Addresses {
		e.Indices = append(e.Indices, numbered{s.Account, i})
	}
	for _, d := range s.Destinations {
		a := address.Address{Kind: address.Standard, Spend: d.Spend, View: d.View}
		switch {
		case d.IsSubaddress:
			a.Kind = address.Subaddress
		case d.IsIntegrated:
			a.Kind, a.PaymentID = address.Integrated, [8]byte(s.PaymentID[:8])
		}
		if d.Original != "" {
			want, _ := address.Parse(d.Original)
			if want != a {
				e.Type = "destination " + d.Original
			}
		}
		e.Destinations = append(e.Destinations, destination{a.String(), d.Amount})
	}
	return e
}

// compare compares a cache with the answers of the wallet RPC about the open wallet, and of the daemon about its
// transactions.
func compare(t *testing.T, w *peers.WalletRPC, d *peers.Daemon, c *walletcache.Cache) {
	t.Helper()
	compareWallet(t, w, c)
	compareChain(t, d, c)
}

// compareWallet compares a cache with the wallet RPC's answers about the wallet.
func compareWallet(t *testing.T, w service, c *walletcache.Cache) {
	t.Helper()
	compareTexts(t, w, c)
	compareTransfers(t, w, c)
	compareOutputs(t, w, c)
	compareTxKeys(t, w, c)
	require.Equal(t, call[struct{ Height uint64 }](t, w, "get_height", nil).Height, c.Chain.Height())
	require.Equal(t, c.Chain.Height(), c.Scanned())
}

func compareTransfers(t *testing.T, w service, c *walletcache.Cache) {
	t.Helper()
	h := call[history](t, w, "get_transfers", object{
		"in": true, "out": true, "pending": true, "failed": true, "pool": true, "all_accounts": true})
	var said, known []entry
	said = slices.Concat(h.In, h.Out, h.Pending, h.Failed, h.Pool)
	for _, p := range c.Payments {
		known = append(known, incoming(p, "in"))
	}
	for _, p := range c.Pool {
		e := incoming(p.Payment, "pool")
		e.Height, e.DoubleSpend = 0, p.DoubleSpendSeen
		known = append(known, e)
	}
	for _, s := range c.Confirmed {
		known = append(known, outgoing(s, "out"))
	}
	for _, s := range c.Pending {
		kind := "pending"
		if s.State == walletcache.StateFailed {
			kind = "failed"
		}
		known = append(known, outgoing(s, kind))
	}
	notes := map[string]string{}
	for _, n := range c.Notes {
		notes[n.TxID.String()] = n.Text
	}
	for i := range known {
		known[i].Note = notes[known[i].TxID]
	}
	for _, list := range [][]entry{said, known} {
		for i := range list {
			if len(list[i].Amounts) == 0 {
				list[i].Amounts = nil
			}
			slices.SortFunc(list[i].Destinations, func(a, b destination) int {
				return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
			})
		}
	}
	require.ElementsMatch(t, said, known)
}

func compareOutputs(t *testing.T, w service, c *walletcache.Cache) {
	t.Helper()
	type output struct {
		Amount      uint64   `json:"amount"`
		Spent       bool     `json:"spent"`
		GlobalIndex uint64   `json:"global_index"`
		TxHash      string   `json:"tx_hash"`
		Index       numbered `json:"subaddr_index"`
		KeyImage    string   `json:"key_image"`
		PublicKey   string   `json:"pubkey"`
		Height      uint64   `json:"block_height"`
		Frozen      bool     `json:"frozen"`
	}
	var all, ours []output
	for _, a := range call[accounts](t, w, "get_accounts", nil).List {
		params := object{"transfer_type": "all", "account_index": a.Index}
		r := call[struct{ Transfers []output }](t, w, "incoming_transfers", params)
		all = append(all, r.Transfers...)
	}
	for i, o := range c.Transfers {
		image := ""
		if o.KeyImageKnown {
			image = o.KeyImage.String()
		}
		index := numbered{o.Index.Account, o.Index.Address}
		ours = append(ours, output{o.Amount, o.Spent, o.GlobalIndex, o.TxID.String(), index, image,
			o.Key.String(), o.Height, o.Frozen})
		require.True(t, o.RingCT)
		require.Contains(t, c.OutputKeys, walletcache.KeyOf{Key: o.Key, Transfer: uint64(i)})
		if o.KeyImageKnown {
			require.Contains(t, c.KeyImages, walletcache.ImageOf{Image: o.KeyImage, Transfer: uint64(i)})
		}
	}
	require.ElementsMatch(t, all, ours)
}

func compareTxKeys(t *testing.T, w service, c *walletcache.Cache) {
	t.Helper()
	for _, s := range slices.Concat(c.Confirmed, c.Pending) {
		text := ""
		for _, k := range c.TxKeys {
			if k.TxID == s.TxID {
				text = hex.EncodeToString(k.Key[:])
				for _, more := range k.Additional {
					text += hex.EncodeToString(more[:])
				}
			}
		}
		if text == "" {
			require.Error(t, w.JSON(t.Context(), "get_tx_key", object{"txid": s.TxID.String()}, nil))
			continue
		}
		r := call[struct {
			Key string `json:"tx_key"`
		}](t, w, "get_tx_key", object{"txid": s.TxID.String()})
		require.Equal(t, r.Key, text)
	}
}

// compareChain compares a cache's transactions and blocks with the daemon's.
func compareChain(t *testing.T, d *peers.Daemon, c *walletcache.Cache) {
	t.Helper()
	type held struct {
		id     xmr.Hash
		prefix []byte
		rings  []walletcache.Ring
	}
	var txs []held
	for _, o := range c.Transfers {
		txs = append(txs, held{o.TxID, o.Prefix, nil})
	}
	for _, s := range slices.Concat(c.Confirmed, c.Pending) {
		if s.Prefix == nil { // the wallet knows this transaction only from the chain
			require.Empty(t, s.Destinations)
			continue
		}
		txs = append(txs, held{s.TxID, s.Prefix, s.Rings})
	}
	for _, h := range txs {
		var r struct {
			Txs []struct {
				AsHex  string `json:"as_hex"`
				Pruned string `json:"pruned_as_hex"` // set if the transaction has no prunable part
			}
		}
		require.NoError(t, d.Path(t.Context(), "/get_transactions", object{"txs_hashes": []string{h.id.String()}}, &r))
		require.Len(t, r.Txs, 1)
		blob, err := hex.DecodeString(r.Txs[0].AsHex + r.Txs[0].Pruned)
		require.NoError(t, err)
		whole, err := tx.Parse(blob)
		if r.Txs[0].Pruned != "" {
			whole, err = tx.ParsePruned(blob)
		}
		require.NoError(t, err)
		require.Equal(t, hex.EncodeToString(whole.AppendPrefix(nil)), hex.EncodeToString(h.prefix))
		for _, ring := range h.rings {
			require.True(t, slices.ContainsFunc(whole.Inputs, func(in tx.Input) bool {
				return in.KeyImage == ring.KeyImage && slices.Equal(in.KeyOffsets, ring.Offsets)
			}))
		}
	}

	last := call[string](t, d, "on_get_block_hash", []uint64{c.Chain.Height() - 1})
	require.Equal(t, last, c.Chain.Hashes[len(c.Chain.Hashes)-1].String())
	require.Equal(t, call[string](t, d, "on_get_block_hash", []uint64{0}), c.Chain.Genesis.String())
}
