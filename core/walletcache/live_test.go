//go:build !js && !wasip1

package walletcache_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/keys"
	"glim/core/walletcache"
	"glim/core/walletfile"
	"glim/core/xmr"
)

type object = map[string]any

// service executes wallet RPC operations.
type service interface {
	JSON(ctx context.Context, method string, params, out any) error
}

// call returns the result of a method that must succeed.
func call[R any](t *testing.T, c service, method string, params any) (r R) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	require.NoError(t, c.JSON(ctx, method, params, &r), method)
	return r
}

// newReference starts the service.
func newReference(t *testing.T, d *peers.Daemon) *peers.WalletRPC {
	t.Helper()
	return peers.NewWalletRPC(t, d, peers.Options{})
}

// restore restores a wallet with a small lookahead and leaves it open.
func restore(t *testing.T, w *peers.WalletRPC, name string, seed byte) *keys.Keys {
	t.Helper()
	k, err := keys.FromSeed([32]byte{seed, 7})
	require.NoError(t, err)
	seal(t, w, name, &walletfile.Wallet{Keys: k, Language: "English", LookaheadMajor: 3, LookaheadMinor: 5})
	return k
}

func seal(t *testing.T, w *peers.WalletRPC, name string, wallet *walletfile.Wallet) {
	t.Helper()
	file, err := walletfile.Seal(wallet, []byte(password), walletfile.Rounds, rand.Reader)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(w.Wallets, name+".keys"), file, 0o600))
	call[any](t, w, "open_wallet", object{"filename": name, "password": password})
}

const password = "p ä"

// stored stores the open wallet and reads its cache.
func stored(t *testing.T, w *peers.WalletRPC, name string) *walletcache.Cache {
	t.Helper()
	call[any](t, w, "store", nil)
	file, err := os.ReadFile(filepath.Join(w.Wallets, name))
	require.NoError(t, err)
	sealed, err := os.ReadFile(filepath.Join(w.Wallets, name+".keys"))
	require.NoError(t, err)
	owner, err := walletfile.Open(sealed, []byte(password), walletfile.Rounds)
	require.NoError(t, err)
	c, err := walletcache.Open(file, []byte(password), walletfile.Rounds, owner)
	require.NoError(t, err)
	_, err = walletcache.Open(file, []byte("another"), walletfile.Rounds, owner)
	require.ErrorIs(t, err, walletcache.ErrPassword)
	foreign, err := keys.FromSeed([32]byte{99})
	require.NoError(t, err)
	_, err = walletcache.Open(file, []byte(password), walletfile.Rounds, &walletfile.Wallet{Keys: foreign})
	require.ErrorIs(t, err, walletcache.ErrOwner)
	return c
}

type (
	tagged struct {
		List []struct{ Tag, Label string } `json:"account_tags"`
	}
	contacts struct {
		Entries []struct{ Address, Description string }
	}
	accounts struct {
		List []struct {
			Index uint32 `json:"account_index"`
			Label string
			Tag   string
		} `json:"subaddress_accounts"`
	}
	addresses struct {
		Addresses []struct {
			Address string
			Label   string
			Index   uint32 `json:"address_index"`
		}
	}
)

// compareTexts compares a cache's accounts, addresses, labels, notes, attributes and address book with the service.
func compareTexts(t *testing.T, w service, c *walletcache.Cache) {
	t.Helper()
	list := call[accounts](t, w, "get_accounts", nil).List
	require.Len(t, c.Labels, len(list))
	for _, a := range list {
		list := call[addresses](t, w, "get_address", object{"account_index": a.Index}).Addresses
		require.Len(t, c.Labels[a.Index], len(list))
		for _, l := range list {
			require.Equal(t, l.Label, c.Labels[a.Index][l.Index])
		}
		require.Equal(t, a.Label, c.Labels[a.Index][0])
		tag := ""
		if int(a.Index) < len(c.AccountTags) {
			tag = c.AccountTags[a.Index]
		}
		require.Equal(t, a.Tag, tag)
	}
	var tags []walletcache.Tag
	for _, tag := range call[tagged](t, w, "get_account_tags", nil).List {
		tags = append(tags, walletcache.Tag{Name: tag.Tag, Description: tag.Label})
	}
	require.ElementsMatch(t, tags, c.Tags)
	for _, n := range c.Notes {
		r := call[struct{ Notes []string }](t, w, "get_tx_notes", object{"txids": []string{n.TxID.String()}})
		require.Equal(t, []string{n.Text}, r.Notes)
	}
	for _, a := range c.Attributes {
		if !strings.HasPrefix(a.Key, "wallet2.") {
			require.Equal(t, a.Value, call[struct{ Value string }](t, w, "get_attribute", object{"key": a.Key}).Value)
		}
	}
	contacts := call[contacts](t, w, "get_address_book", nil).Entries
	require.Len(t, c.AddressBook, len(contacts))
	for i, r := range contacts {
		row := c.AddressBook[i]
		a := address.Address{Kind: address.Standard, Spend: row.Spend, View: row.View}
		switch {
		case row.IsSubaddress:
			a.Kind = address.Subaddress
		case row.HasPaymentID:
			a.Kind, a.PaymentID = address.Integrated, row.PaymentID
		}
		require.Equal(t, r.Address, a.String())
		require.Equal(t, r.Description, row.Description)
	}
}

// TestLabelsAndNotes reads labels, notes and address book, without a daemon.
func TestLabelsAndNotes(t *testing.T) {
	w := newReference(t, nil)
	k := restore(t, w, "texts", 1)
	c := stored(t, w, "texts")
	require.Equal(t, [][]string{{"Primary account"}}, c.Labels)
	require.Equal(t, []walletcache.Watched{{0, 5}, {1, 5}, {2, 5}}, c.Table)

	call[any](t, w, "create_account", object{"label": "second"})
	call[any](t, w, "create_account", object{"label": ""})
	call[any](t, w, "create_account", object{"label": "счёт"})
	call[any](t, w, "create_address", object{"account_index": 1, "label": "shop", "count": 4})
	call[any](t, w, "create_address", object{"account_index": 0})
	call[any](t, w, "label_address", object{"index": object{"major": 0, "minor": 1}, "label": "later"})
	call[any](t, w, "tag_accounts", object{"tag": "one", "accounts": []int{1, 2}})
	call[any](t, w, "tag_accounts", object{"tag": "two", "accounts": []int{0}})
	call[any](t, w, "set_account_tag_description", object{"tag": "one", "description": "of one"})
	ids := []string{strings.Repeat("00", 32), strings.Repeat("01", 32)}
	call[any](t, w, "set_tx_notes", object{"txids": ids, "notes": []string{"none", "a note\nof lines"}})
	call[any](t, w, "set_attribute", object{"key": "k", "value": "v"})
	call[any](t, w, "set_attribute", object{"key": "", "value": "\t\""})
	spend, view := k.Address(keys.Index{Major: 2, Minor: 9})
	sub := address.Address{Kind: address.Subaddress, Spend: spend, View: view}
	standard := address.Address{Kind: address.Standard, Spend: k.SpendPublic, View: k.ViewPublic}
	integrated := standard
	integrated.Kind, integrated.PaymentID = address.Integrated, [8]byte{1, 2, 3}
	for _, a := range []address.Address{sub, standard, integrated} {
		call[any](t, w, "add_address_book", object{"address": a.String(), "description": "to " + a.String()[:1]})
	}

	c = stored(t, w, "texts")
	require.False(t, c.Boost)
	require.Equal(t, k.SpendPublic, c.Spend)
	require.Equal(t, k.ViewPublic, c.View)
	compareTexts(t, w, c)
	shop := []string{"second", "shop", "shop", "shop", "shop"}
	require.Equal(t, [][]string{{"Primary account", "later"}, shop, {""}, {"счёт"}}, c.Labels)
	require.Equal(t, []walletcache.Watched{{0, 6}, {1, 9}, {2, 5}, {3, 5}, {4, 5}, {5, 5}}, c.Table)
	require.ElementsMatch(t, []walletcache.Tag{{Name: "one", Description: "of one"}, {Name: "two"}}, c.Tags)
	id, err := xmr.ParseHash(ids[1])
	require.NoError(t, err)
	require.ElementsMatch(t, []walletcache.Note{{Text: "none"}, {TxID: id, Text: "a note\nof lines"}}, c.Notes)
	require.Subset(t, c.Attributes, []walletcache.Attribute{{Key: "k", Value: "v"}, {Key: "", Value: "\t\""}})
	require.Equal(t, []walletcache.Contact{
		{Spend: sub.Spend, View: sub.View, IsSubaddress: true, Description: "to 8"},
		{Spend: k.SpendPublic, View: k.ViewPublic, Description: "to 4"},
		{Spend: k.SpendPublic, View: k.ViewPublic, HasPaymentID: true, PaymentID: integrated.PaymentID,
			Description: "to 4"},
	}, c.AddressBook)
	require.Equal(t, uint64(1), c.Chain.Height())
	require.Equal(t, xmr.Mainnet.GenesisHash(), c.Chain.Genesis)
	require.Equal(t, []xmr.Hash{c.Chain.Genesis}, c.Chain.Hashes)
}
