//go:build !js && !wasip1

package walletcache_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/walletcache"
	"glim/core/walletfile"
	"glim/core/xmr"
)

const coin = 1_000_000_000_000

type destination struct {
	Address string `json:"address"`
	Amount  uint64 `json:"amount"`
}

type numbered struct {
	Major uint32 `json:"major"`
	Minor uint32 `json:"minor"`
}

// entry is one of get_transfers.
type entry struct {
	TxID         string        `json:"txid"`
	PaymentID    string        `json:"payment_id"`
	Height       uint64        `json:"height"`
	Timestamp    uint64        `json:"timestamp"`
	Amount       uint64        `json:"amount"`
	Amounts      []uint64      `json:"amounts"`
	Fee          uint64        `json:"fee"`
	Note         string        `json:"note"`
	UnlockTime   uint64        `json:"unlock_time"`
	Index        numbered      `json:"subaddr_index"`
	Indices      []numbered    `json:"subaddr_indices"`
	Type         string        `json:"type"`
	DoubleSpend  bool          `json:"double_spend_seen"`
	Destinations []destination `json:"destinations"`
}

type history struct{ In, Out, Pending, Failed, Pool []entry }

type transferred struct {
	TxHash    string `json:"tx_hash"`
	TxKey     string `json:"tx_key"`
	Multisig  string `json:"multisig_txset"`
	Unsigned  string `json:"unsigned_txset"`
	TxData    string `json:"tx_data_hex"`
	SignedSet string `json:"signed_txset"`
}

// mine adds blocks, once the daemon has passed on what its pool holds.
func mine(t *testing.T, d *peers.Daemon, n int, to string) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(5 * time.Minute); ; <-tick.C {
		require.True(t, time.Now().Before(end), "waited in vain")
		var pool struct{ Transactions []struct{ Relayed bool } }
		require.NoError(t, d.Path(t.Context(), "/get_transaction_pool", nil, &pool))
		if !slices.ContainsFunc(pool.Transactions, func(tx struct{ Relayed bool }) bool { return !tx.Relayed }) {
			break
		}
	}
	require.NoError(t, d.Mine(t.Context(), n, to))
}

func at(k *keys.Keys, account, minor uint32) string {
	spend, view := k.Address(keys.Index{Major: account, Minor: minor})
	a := address.Address{Kind: address.Subaddress, Spend: spend, View: view}
	if account == 0 && minor == 0 {
		a.Kind = address.Standard
	}
	return a.String()
}

func integrated(k *keys.Keys, id byte) string {
	a := address.Address{Kind: address.Integrated, Spend: k.SpendPublic, View: k.ViewPublic, PaymentID: [8]byte{id}}
	return a.String()
}

func open(t *testing.T, w *peers.WalletRPC, name string) {
	t.Helper()
	call[any](t, w, "open_wallet", object{"filename": name, "password": password})
	call[any](t, w, "auto_refresh", object{"enable": false})
	call[any](t, w, "refresh", nil)
}

func pay(t *testing.T, w *peers.WalletRPC, account uint32, to ...destination) transferred {
	t.Helper()
	return call[transferred](t, w, "transfer", object{"destinations": to, "account_index": account, "get_tx_key": true})
}

// shown writes a payment ID as get_transfers does.
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

// compare says that a cache holds what the service says of the wallet that is open, and the daemon of its transactions.
func compare(t *testing.T, w *peers.WalletRPC, d *peers.Daemon, c *walletcache.Cache) {
	t.Helper()
	compareWallet(t, w, c)
	compareChain(t, d, c)
}

// compareWallet says that a cache holds what the service says of the wallet.
func compareWallet(t *testing.T, w service, c *walletcache.Cache) {
	t.Helper()
	compareTexts(t, w, c)
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

	// Outputs.
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

	// Keys of transactions.
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

	require.Equal(t, call[struct{ Height uint64 }](t, w, "get_height", nil).Height, c.Chain.Height())
	require.Equal(t, c.Chain.Height(), c.Scanned())
}

// compareChain says that a cache's transactions and blocks are those of the daemon.
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
		if s.Prefix == nil { // of what the chain alone told
			require.Empty(t, s.Destinations)
			continue
		}
		txs = append(txs, held{s.TxID, s.Prefix, s.Rings})
	}
	for _, h := range txs {
		var r struct {
			Txs []struct {
				AsHex  string `json:"as_hex"`
				Pruned string `json:"pruned_as_hex"` // of what has nothing to prune
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

// What the chain and the pool brought, what was sent, and what of it was noted.
func TestHistory(t *testing.T) {
	d := peers.NewDaemon(t, peers.Options{})
	w := newReference(t, d)
	nobody, err := keys.FromSeed([32]byte{200})
	require.NoError(t, err)
	shop, friend := restore(t, w, "shop", 1), restore(t, w, "friend", 2)
	mine(t, d, 3, at(shop, 0, 0))
	mine(t, d, 2, at(friend, 0, 0))
	mine(t, d, 90, at(nobody, 0, 0))

	open(t, w, "shop")
	call[any](t, w, "create_account", object{"label": "till"})
	call[any](t, w, "create_address", object{"account_index": 0, "count": 3})
	call[any](t, w, "create_address", object{"account_index": 1, "count": 2})
	many := pay(t, w, 0, destination{at(friend, 0, 0), coin}, destination{at(friend, 0, 1), 2 * coin},
		destination{at(shop, 1, 1), 3 * coin})
	named := pay(t, w, 0, destination{integrated(friend, 7), coin})
	mine(t, d, 1, at(nobody, 0, 0))
	call[any](t, w, "refresh", nil)
	call[any](t, w, "tag_accounts", object{"tag": "shops", "accounts": []int{1}})
	call[any](t, w, "set_account_tag_description", object{"tag": "shops", "description": "where"})
	call[any](t, w, "set_attribute", object{"key": "k", "value": "v"})
	call[any](t, w, "add_address_book", object{"address": integrated(friend, 7), "description": "a friend"})
	noted := []string{many.TxHash, named.TxHash}
	call[any](t, w, "set_tx_notes", object{"txids": noted, "notes": []string{"many", "named"}})

	open(t, w, "friend")
	pay(t, w, 0, destination{integrated(shop, 9), coin / 2})
	mine(t, d, 1, at(nobody, 0, 0))
	call[any](t, w, "refresh", nil)
	pay(t, w, 0, destination{at(shop, 0, 2), coin / 4})
	friends := stored(t, w, "friend")
	compare(t, w, d, friends)
	require.Len(t, friends.Pending, 1)
	require.NotZero(t, friends.Pending[0].SentTime)

	open(t, w, "shop")
	mine(t, d, 10, at(nobody, 0, 0)) // the payment to 0/2 is in a block that is not read, seen in the pool before
	open(t, w, "friend")
	pay(t, w, 0, destination{at(shop, 1, 2), coin / 8})
	open(t, w, "shop")
	pay(t, w, 1, destination{at(nobody, 0, 0), coin})
	images := call[struct {
		Transfers []struct {
			KeyImage string `json:"key_image"`
			Spent    bool   `json:"spent"`
		}
	}](t, w, "incoming_transfers", object{"transfer_type": "available"}).Transfers
	call[any](t, w, "freeze", object{"key_image": images[0].KeyImage})
	call[history](t, w, "get_transfers", object{"pool": true}) // looks at the pool
	c := stored(t, w, "shop")
	compare(t, w, d, c)
	record(t, w, "shop", c)
	require.Len(t, c.Confirmed, 2)
	require.Len(t, c.Pending, 1)
	require.Len(t, c.Pool, 1)
	require.True(t, slices.ContainsFunc(c.TxKeys, func(k walletcache.TxKey) bool { return len(k.Additional) == 4 }))
	require.True(t, slices.ContainsFunc(c.Transfers, func(o walletcache.Transfer) bool { return o.Frozen }))
	for _, p := range []string{"0900000000000000", "0000000000000000"} {
		require.True(t, slices.ContainsFunc(c.Payments, func(q walletcache.Payment) bool {
			return shown(q.PaymentID) == p
		}), p)
	}
	spent := 0
	for _, o := range c.Transfers {
		if o.Spent && o.SpentHeight > 0 {
			spent++
			require.True(t, slices.ContainsFunc(c.Confirmed, func(s walletcache.Sent) bool {
				return s.Height == o.SpentHeight
			}))
		}
	}
	require.NotZero(t, spent)
	signed := call[struct {
		Images []struct {
			KeyImage  string `json:"key_image"`
			Signature string `json:"signature"`
		} `json:"signed_key_images"`
	}](t, w, "export_key_images", object{"all": true})
	mine(t, d, 1, at(nobody, 0, 0))

	// The same, seen by what cannot spend: no key images, then those that the owner tells.
	watching, err := keys.ViewOnly(shop.ViewSecret(), shop.SpendPublic)
	require.NoError(t, err)
	seal(t, w, "watch", &walletfile.Wallet{Keys: watching, LookaheadMajor: 3, LookaheadMinor: 5})
	open(t, w, "watch")
	blind := stored(t, w, "watch")
	compare(t, w, d, blind)
	require.NotEmpty(t, blind.Transfers)
	for _, o := range blind.Transfers {
		require.False(t, o.KeyImageKnown)
	}
	call[any](t, w, "import_key_images", object{"signed_key_images": signed.Images})
	seeing := stored(t, w, "watch")
	compare(t, w, d, seeing)
	known := 0
	for _, o := range seeing.Transfers {
		if o.KeyImageKnown {
			known++
		}
	}
	require.Equal(t, len(signed.Images), known)

	// What it sends is signed where no daemon is, by a wallet to which it tells its outputs.
	to := []destination{{at(friend, 0, 0), coin}}
	unsigned := call[transferred](t, w, "transfer", object{"destinations": to}).Unsigned
	require.NotEmpty(t, unsigned)
	offline := newReference(t, nil)
	restore(t, offline, "cold", 1)
	told := call[struct {
		Hex string `json:"outputs_data_hex"`
	}](t, w, "export_outputs", object{"all": true}).Hex
	call[any](t, offline, "import_outputs", object{"outputs_data_hex": told})
	set := call[transferred](t, offline, "sign_transfer", object{"unsigned_txset": unsigned})
	cold := stored(t, offline, "cold")
	require.Len(t, cold.Transfers, len(seeing.Transfers))
	last := 0
	for i, o := range seeing.Transfers {
		got := cold.Transfers[i]
		require.Equal(t, []any{o.Key, o.Amount, o.GlobalIndex, o.OutputIndex},
			[]any{got.Key, got.Amount, got.GlobalIndex, got.OutputIndex})
		require.Contains(t, []walletcache.Index{o.Index, {}}, got.Index, "0.18.0.0 does not tell it")
		require.True(t, got.KeyImageKnown)
		if o.KeyImageKnown {
			require.Equal(t, o.KeyImage, got.KeyImage)
		}
		require.Zero(t, got.TxID)
		want, _ := tx.ParseExtra(o.Extra)
		said, ok := tx.ParseExtra(got.Extra)
		require.True(t, ok)
		require.Equal(t, want.PublicKeys[:1], said.PublicKeys)
		last = max(last, int(got.OutputIndex))
	}
	require.NotZero(t, last, "an output that is not the first of its transaction")

	// The key images of the change come with the signatures.
	call[any](t, w, "submit_transfer", object{"tx_data_hex": set.SignedSet})
	submitted := stored(t, w, "watch")
	compare(t, w, d, submitted)
	record(t, w, "watch", submitted)
	require.NotEmpty(t, submitted.ColdKeyImages)
	open(t, w, "shop")
	mine(t, d, 1, at(nobody, 0, 0))
	call[any](t, w, "refresh", nil)
	whole := stored(t, w, "shop")
	compare(t, w, d, whole)
	for _, i := range submitted.ColdKeyImages {
		require.True(t, slices.ContainsFunc(whole.Transfers, func(o walletcache.Transfer) bool {
			return o.Key == i.Key && o.KeyImage == i.Image
		}))
	}
}

// What signers told each other of a group's outputs.
func TestGroup(t *testing.T) {
	d := peers.NewDaemon(t, peers.Options{})
	nobody, err := keys.FromSeed([32]byte{200})
	require.NoError(t, err)
	type answer struct {
		Info    string `json:"multisig_info"`
		Address string `json:"address"`
	}
	var signers [2]*peers.WalletRPC
	for i := range signers {
		signers[i] = newReference(t, d)
		restore(t, signers[i], "group", byte(10+i))
		call[any](t, signers[i], "auto_refresh", object{"enable": false})
	}
	round := func(method string, said []answer, params object) (now []answer) {
		for i, w := range signers {
			if said != nil {
				params["multisig_info"] = []string{said[1-i].Info}
			}
			now = append(now, call[answer](t, w, method, params))
		}
		return now
	}
	said := round("prepare_multisig", nil, object{"enable_multisig_experimental": true})
	said = round("make_multisig", said, object{"threshold": 2, "password": password})
	said = round("exchange_multisig_keys", said, object{"password": password})
	mine(t, d, 2, said[0].Address)
	mine(t, d, 60, at(nobody, 0, 0))
	var infos []string
	for _, w := range signers {
		call[any](t, w, "refresh", nil)
		require.Empty(t, stored(t, w, "group").Transfers[0].MultisigNonces)
		infos = append(infos, call[struct{ Info string }](t, w, "export_multisig_info", nil).Info)
		require.True(t, stored(t, w, "group").Transfers[0].KeyImagePartial)
	}
	var caches []*walletcache.Cache
	for i, w := range signers {
		call[any](t, w, "import_multisig_info", object{"info": infos[1-i : 2-i]})
		c := stored(t, w, "group")
		compare(t, w, d, c)
		caches = append(caches, c)
	}
	record(t, signers[0], "group", caches[0])
	require.Len(t, caches[0].Transfers, 2)
	for i, c := range caches {
		for n, o := range c.Transfers {
			require.False(t, o.KeyImagePartial)
			require.Len(t, o.MultisigInfo, 1)
			require.NotEmpty(t, o.MultisigInfo[0].PartialKeyImages)
			require.Equal(t, o.KeyImage, caches[1-i].Transfers[n].KeyImage)
			told, made := o.MultisigInfo[0].Nonces, caches[1-i].Transfers[n].MultisigNonces
			require.NotEmpty(t, told)
			require.Len(t, made, len(told))
			for j, nonce := range made {
				k, err := edwards.DecodeScalar(nonce)
				require.NoError(t, err)
				points := edwards.VarTimeBaseMults([]*edwards.Scalar{k})
				require.Equal(t, [][32]byte{told[j][0]}, edwards.EncodePoints(points...))
			}
		}
	}
}

// Blocks that were read without the spend key are not taken for read. Releases before 0.18.4.0 have no such thing.
func TestBackground(t *testing.T) {
	d := peers.NewDaemon(t, peers.Options{})
	w := newReference(t, d)
	shop := restore(t, w, "shop", 1)
	mine(t, d, 3, at(shop, 0, 0))
	call[any](t, w, "auto_refresh", object{"enable": false})
	call[any](t, w, "refresh", nil)
	before := stored(t, w, "shop")
	compare(t, w, d, before)
	params := object{"background_sync_type": "reuse-wallet-password", "wallet_password": password}
	var refused *peers.Error
	if err := w.JSON(t.Context(), "setup_background_sync", params, nil); errors.As(err, &refused) {
		t.Log("the reference at hand has none")
		require.Equal(t, -32601, refused.Code, refused)
		require.Nil(t, before.BackgroundSynced)
		return
	}
	call[any](t, w, "start_background_sync", nil)
	mine(t, d, 2, at(shop, 0, 0))
	call[any](t, w, "refresh", nil)
	c := stored(t, w, "shop")
	require.Equal(t, before.Chain.Height()+2, c.Chain.Height())
	require.Equal(t, before.Chain.Height(), c.Scanned())
	require.Len(t, c.BackgroundSynced.Transactions, 2)
	for _, b := range c.BackgroundSynced.Transactions {
		var whole tx.Transaction
		r := wire.NewReader(b.Base)
		whole.DecodePrefix(r)
		require.Zero(t, r.Byte(), "no signatures and no fee")
		require.NoError(t, r.Close())
		require.True(t, whole.IsCoinbase())
		require.Equal(t, whole.Inputs[0].Height, b.Height)
		require.Len(t, b.OutputIndices, len(whole.Outputs))
		header := call[struct {
			Header struct {
				Timestamp uint64 `json:"timestamp"`
				Miner     string `json:"miner_tx_hash"`
			} `json:"block_header"`
		}](t, d, "get_block_header_by_height", object{"height": b.Height}).Header
		require.Equal(t, header.Timestamp, b.Timestamp)
		require.Equal(t, header.Miner, b.TxID.String())
	}
}
