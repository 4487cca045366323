package service

import (
	"context"
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/signer"
	"glim/core/walletrpc"
)

// TestVaultPaysAfterTheFork: a wallet whose spend key is in a vault spends outputs from both sides of the next hard
// fork, knows its spends, and finds them again when it is restored. The vault asks for consent.
func TestVaultPaysAfterTheFork(t *testing.T) {
	p := newCrossing(t)
	b := p.party("b")
	var asked []signer.ConsentRequest
	vault := signer.New(signer.Host{
		Random: rand.Reader,
		Consent: func(_ context.Context, r signer.ConsentRequest) error {
			asked = append(asked, r)
			return nil
		},
	})
	s := p.serve(newFolder(), vault.Transport())
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "a", Language: "English"})
	a := party{s, t, do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address}
	_, err := p.chain.Mine(t.Context(), 23, a.at)
	require.NoError(t, err)
	p.mine(60, s)
	all, unlocked := a.balance()
	require.Equal(t, all, unlocked)
	var request walletrpc.TransferRequest
	for _, o := range do(t, s, walletrpc.IncomingTransfers,
		walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers {
		require.NotEmpty(t, o.KeyImage)
		if o.BlockHeight == 19 || o.BlockHeight == 20 {
			request.KeyImages = append(request.KeyImages, o.KeyImage)
			request.Destinations = []walletrpc.Destination{{Address: b.at, Amount: o.Amount + 1e12}}
		}
	}
	require.Len(t, request.KeyImages, 2)
	request.ChangeOutputs = 4
	paid := do(t, s, walletrpc.Transfer, request)
	p.mine(1, s, b.Service)
	require.Len(t, changeOf(t, s, paid.TxHash), 4)
	total, _ := a.balance()
	require.Equal(t, all-paid.Amount-paid.Fee, total)
	got, _ := b.balance()
	require.Equal(t, paid.Amount, got)
	require.Len(t, asked, 1)
	require.Equal(t, signer.KindPayment, asked[0].Kind)
	require.Equal(t, paid.Fee, asked[0].Fee)
	require.Equal(t, paid.Amount, asked[0].Destinations[0].Amount)
	require.Equal(t, b.at, asked[0].Destinations[0].Text)
	require.Equal(t, asked[0].In, asked[0].Change+asked[0].Fee+paid.Amount)

	// It proves the key images of outputs from both sides of the fork, and asks for each kind.
	view := p.serve(newFolder(), nil)
	do(t, view, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Filename: "view", Address: a.at, ViewKey: key(t, s, "view_key")})
	do(t, view, walletrpc.Refresh, walletrpc.RefreshRequest{})
	images := do(t, s, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true}).SignedKeyImages
	require.Len(t, asked, 3)
	require.Equal(t, signer.KindKeyImages, asked[1].Kind)
	require.Equal(t, signer.KindKeyImages, asked[2].Kind)
	do(t, view, walletrpc.ImportKeyImages, walletrpc.ImportKeyImagesRequest{SignedKeyImages: images})
	seen, _ := party{view, t, a.at}.balance()
	require.Equal(t, total, seen)

	words := key(t, s, "mnemonic")
	again := p.serve(newFolder(), vault.Transport())
	do(t, again, walletrpc.RestoreDeterministicWallet,
		walletrpc.RestoreDeterministicWalletRequest{Filename: "again", Seed: words})
	do(t, again, walletrpc.Refresh, walletrpc.RefreshRequest{})
	restored, _ := party{again, t, a.at}.balance()
	require.Equal(t, total, restored, "spends are found by the key images of the vault")
}
