//go:build !js && !wasip1

package walletcache_test

import (
	"errors"
	"slices"
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

// entry is an entry of get_transfers.
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

// mine mines blocks after the daemon has relayed its pool.
func mine(t *testing.T, d *peers.Daemon, n int, to string) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(5 * time.Minute); ; <-tick.C {
		require.True(t, time.Now().Before(end), "the daemon does not relay its pool")
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

// TestHistory reads caches with received, pooled, sent and annotated transactions.
func TestHistory(t *testing.T) {
	d := peers.NewDaemon(t, peers.Options{})
	w := newReference(t, d)
	unknown, err := keys.FromSeed([32]byte{200})
	require.NoError(t, err)
	shop, friend := restore(t, w, "shop", 1), restore(t, w, "friend", 2)
	mine(t, d, 3, at(shop, 0, 0))
	mine(t, d, 2, at(friend, 0, 0))
	mine(t, d, 90, at(unknown, 0, 0))

	shopPays(t, w, d, shop, friend, unknown)
	open(t, w, "friend")
	pay(t, w, 0, destination{integrated(shop, 9), coin / 2})
	mine(t, d, 1, at(unknown, 0, 0))
	call[any](t, w, "refresh", nil)
	pay(t, w, 0, destination{at(shop, 0, 2), coin / 4})
	friends := stored(t, w, "friend")
	compare(t, w, d, friends)
	require.Len(t, friends.Pending, 1)
	require.NotZero(t, friends.Pending[0].SentTime)

	open(t, w, "shop")
	mine(t, d, 10, at(unknown, 0, 0)) // the wallet saw the payment to 0/2 in the pool, but does not read its block
	open(t, w, "friend")
	pay(t, w, 0, destination{at(shop, 1, 2), coin / 8})
	open(t, w, "shop")
	pay(t, w, 1, destination{at(unknown, 0, 0), coin})
	images := call[struct {
		Transfers []struct {
			KeyImage string `json:"key_image"`
			Spent    bool   `json:"spent"`
		}
	}](t, w, "incoming_transfers", object{"transfer_type": "available"}).Transfers
	call[any](t, w, "freeze", object{"key_image": images[0].KeyImage})
	call[history](t, w, "get_transfers", object{"pool": true}) // refreshes the pool
	c := stored(t, w, "shop")
	compare(t, w, d, c)
	record(t, w, "shop", c)
	checkShop(t, c)
	signed := call[struct {
		Images []signedImage `json:"signed_key_images"`
	}](t, w, "export_key_images", object{"all": true})
	mine(t, d, 1, at(unknown, 0, 0))

	seeing := watchHistory(t, w, d, shop, signed.Images)
	set := signOffline(t, w, seeing, at(friend, 0, 0))

	// The signed set contains the key images of the change.
	call[any](t, w, "submit_transfer", object{"tx_data_hex": set.SignedSet})
	submitted := stored(t, w, "watch")
	compare(t, w, d, submitted)
	record(t, w, "watch", submitted)
	require.NotEmpty(t, submitted.ColdKeyImages)
	open(t, w, "shop")
	mine(t, d, 1, at(unknown, 0, 0))
	call[any](t, w, "refresh", nil)
	whole := stored(t, w, "shop")
	compare(t, w, d, whole)
	for _, i := range submitted.ColdKeyImages {
		require.True(t, slices.ContainsFunc(whole.Transfers, func(o walletcache.Transfer) bool {
			return o.Key == i.Key && o.KeyImage == i.Image
		}))
	}
}

// signedImage is an entry of export_key_images.
type signedImage struct {
	KeyImage  string `json:"key_image"`
	Signature string `json:"signature"`
}

// shopPays makes accounts, addresses, payments and notes in the shop's wallet.
func shopPays(t *testing.T, w *peers.WalletRPC, d *peers.Daemon, shop, friend, unknown *keys.Keys) {
	t.Helper()
	open(t, w, "shop")
	call[any](t, w, "create_account", object{"label": "till"})
	call[any](t, w, "create_address", object{"account_index": 0, "count": 3})
	call[any](t, w, "create_address", object{"account_index": 1, "count": 2})
	many := pay(t, w, 0, destination{at(friend, 0, 0), coin}, destination{at(friend, 0, 1), 2 * coin},
		destination{at(shop, 1, 1), 3 * coin})
	named := pay(t, w, 0, destination{integrated(friend, 7), coin})
	mine(t, d, 1, at(unknown, 0, 0))
	call[any](t, w, "refresh", nil)
	call[any](t, w, "tag_accounts", object{"tag": "shops", "accounts": []int{1}})
	call[any](t, w, "set_account_tag_description", object{"tag": "shops", "description": "where"})
	call[any](t, w, "set_attribute", object{"key": "k", "value": "v"})
	call[any](t, w, "add_address_book", object{"address": integrated(friend, 7), "description": "a friend"})
	noted := []string{many.TxHash, named.TxHash}
	call[any](t, w, "set_tx_notes", object{"txids": noted, "notes": []string{"many", "named"}})
}

// checkShop checks that the shop's cache has something of every kind.
func checkShop(t *testing.T, c *walletcache.Cache) {
	t.Helper()
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
}

// watchHistory compares the cache of a view-only wallet without key images and after importing them, and returns it.
func watchHistory(
	t *testing.T, w *peers.WalletRPC, d *peers.Daemon, shop *keys.Keys, images []signedImage,
) *walletcache.Cache {
	t.Helper()
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
	call[any](t, w, "import_key_images", object{"signed_key_images": images})
	seeing := stored(t, w, "watch")
	compare(t, w, d, seeing)
	known := 0
	for _, o := range seeing.Transfers {
		if o.KeyImageKnown {
			known++
		}
	}
	require.Equal(t, len(images), known)
	return seeing
}

// signOffline pays address from the view-only wallet, signs with an offline wallet, and compares the caches of both.
func signOffline(t *testing.T, w *peers.WalletRPC, seeing *walletcache.Cache, address string) transferred {
	t.Helper()
	to := []destination{{address, coin}}
	unsigned := call[transferred](t, w, "transfer", object{"destinations": to}).Unsigned
	require.NotEmpty(t, unsigned)
	offline := newReference(t, nil)
	restore(t, offline, "cold", 1)
	exported := call[struct {
		Hex string `json:"outputs_data_hex"`
	}](t, w, "export_outputs", object{"all": true}).Hex
	call[any](t, offline, "import_outputs", object{"outputs_data_hex": exported})
	set := call[transferred](t, offline, "sign_transfer", object{"unsigned_txset": unsigned})
	cold := stored(t, offline, "cold")
	require.Len(t, cold.Transfers, len(seeing.Transfers))
	last := 0
	for i, o := range seeing.Transfers {
		got := cold.Transfers[i]
		require.Equal(t, []any{o.Key, o.Amount, o.GlobalIndex, o.OutputIndex},
			[]any{got.Key, got.Amount, got.GlobalIndex, got.OutputIndex})
		require.Contains(t, []walletcache.Index{o.Index, {}}, got.Index, "0.18.0.0 does not export it")
		require.True(t, got.KeyImageKnown)
		if o.KeyImageKnown {
			require.Equal(t, o.KeyImage, got.KeyImage)
		}
		require.Zero(t, got.TxID)
		want, _ := tx.ParseExtra(o.Extra)
		parsed, ok := tx.ParseExtra(got.Extra)
		require.True(t, ok)
		require.Equal(t, want.PublicKeys[:1], parsed.PublicKeys)
		last = max(last, int(got.OutputIndex))
	}
	require.NotZero(t, last, "no output is beyond the first of its transaction")
	return set
}

// TestGroup reads the multisig info of a group's outputs.
func TestGroup(t *testing.T) {
	d := peers.NewDaemon(t, peers.Options{})
	unknown, err := keys.FromSeed([32]byte{200})
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
	round := func(method string, parsed []answer, params object) (now []answer) {
		for i, w := range signers {
			if parsed != nil {
				params["multisig_info"] = []string{parsed[1-i].Info}
			}
			now = append(now, call[answer](t, w, method, params))
		}
		return now
	}
	parsed := round("prepare_multisig", nil, object{"enable_multisig_experimental": true})
	parsed = round("make_multisig", parsed, object{"threshold": 2, "password": password})
	parsed = round("exchange_multisig_keys", parsed, object{"password": password})
	mine(t, d, 2, parsed[0].Address)
	mine(t, d, 60, at(unknown, 0, 0))
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
			public, made := o.MultisigInfo[0].Nonces, caches[1-i].Transfers[n].MultisigNonces
			require.NotEmpty(t, public)
			require.Len(t, made, len(public))
			for j, nonce := range made {
				k, err := edwards.DecodeScalar(nonce)
				require.NoError(t, err)
				points := edwards.VarTimeBaseMults([]*edwards.Scalar{k})
				require.Equal(t, [][32]byte{public[j][0]}, edwards.EncodePoints(points...))
			}
		}
	}
}

// TestBackground: blocks scanned without the spend key do not count as scanned. Releases before 0.18.4.0 lack
// background sync.
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
