//go:build !js

package service

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/node"
	"glim/core/signer"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// linksOf returns what describe_links finds, by kind.
func linksOf(
	t *testing.T, s *Service, req walletrpc.DescribeLinksRequest,
) (walletrpc.DescribeLinksResponse, map[string]walletrpc.Linkage) {
	t.Helper()
	got := do(t, s, walletrpc.DescribeLinks, req)
	kinds := map[string]walletrpc.Linkage{}
	for _, l := range got.Links {
		require.NotEmpty(t, l.Text)
		require.NotContains(t, kinds, l.Kind)
		kinds[l.Kind] = l
	}
	return got, kinds
}

func kindsOf(links map[string]walletrpc.Linkage) (kinds []string) {
	for kind := range links {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

func minors(account uint32, list ...uint32) []walletrpc.SubaddressIndex {
	return indices(account, list)
}

// TestDescribeLinks compares the report with what payments of known outputs link.
func TestDescribeLinks(t *testing.T) {
	t.Parallel()
	p := newTestChain(t)
	s, at := p.funded()
	sub := do(t, s, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 2, Label: "shop"})
	account := do(t, s, walletrpc.CreateAccount, walletrpc.CreateAccountRequest{}).Address
	pay := func(to ...string) string {
		var list []walletrpc.Destination
		for _, a := range to {
			list = append(list, walletrpc.Destination{Address: a, Amount: xmr.Coin / 4})
		}
		return do(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: list}).TxHash
	}
	twice := pay(sub.Addresses[0], sub.Addresses[0], sub.Addresses[1])
	once := pay(sub.Addresses[0])
	p.mine(20, s)
	image := func(txid string, minor uint32) (images []string) {
		for _, o := range outputsOf(t, s, 0) {
			if o.TxHash == txid && o.SubaddrIndex.Minor == minor {
				images = append(images, o.KeyImage)
			}
		}
		require.NotEmpty(t, images)
		return images
	}
	describe := func(req walletrpc.TransferRequest) (
		walletrpc.DescribeLinksResponse, map[string]walletrpc.Linkage,
	) {
		t.Helper()
		req.DoNotRelay, req.GetTxMetadata = true, true
		made := do(t, s, walletrpc.Transfer, req)
		return linksOf(t, s, walletrpc.DescribeLinksRequest{TxMetadataList: []string{made.TxMetadata}})
	}
	elsewhere := node.UnspendableAddress()

	// One output of an address, the change of which goes to another.
	req := split1(elsewhere, xmr.Coin/100)
	req.KeyImages = image(once, 1)
	got, links := describe(req)
	require.Equal(t, []string{"change"}, kindsOf(links))
	require.Equal(t, minors(0, 0, 1), links["change"].SubaddrIndices)
	require.Len(t, got.Transactions, 1)
	one := got.Transactions[0]
	require.Equal(t, []walletrpc.LinkedOutput{{TxID: once, Amount: xmr.Coin / 4, Height: one.Spent[0].Height,
		SubaddrIndex: walletrpc.SubaddressIndex{Minor: 1}, Address: sub.Addresses[0], Label: "shop",
		Change: true}}, one.Spent)
	require.Equal(t, []walletrpc.Recipient{{Address: elsewhere, Amount: xmr.Coin / 100}}, one.Recipients)
	require.EqualValues(t, 2, one.Outputs)
	require.Equal(t, at, one.ChangeAddress)
	require.NotZero(t, one.ChangeAmount)

	// Outputs of one address, from two transactions and twice from the same one.
	req.KeyImages = append(image(once, 1), image(twice, 1)...)
	req.Destinations[0].Amount = xmr.Coin * 74 / 100
	_, links = describe(req)
	require.Equal(t, []string{"change", "receipts", "same_transaction"}, kindsOf(links))
	require.ElementsMatch(t, []string{once, twice}, links["receipts"].TxIDs)
	require.Equal(t, []string{twice}, links["same_transaction"].TxIDs)

	// Outputs of two addresses, to another account of the wallet.
	req = split1(account, xmr.Coin*49/100)
	req.KeyImages = append(image(once, 1), image(twice, 2)...)
	_, links = describe(req)
	require.Equal(t, []string{"addresses", "change", "own_address"}, kindsOf(links))
	require.Equal(t, minors(0, 1, 2), links["addresses"].SubaddrIndices)
	require.Contains(t, links["addresses"].Text, "0/1 (shop)")
	require.Equal(t, minors(0, 0, 1, 2), links["change"].SubaddrIndices)
	require.Equal(t, minors(1, 0), links["own_address"].SubaddrIndices)
	require.Equal(t, account, links["own_address"].Recipient)

	// Change in several outputs, to a recipient whom another account has paid.
	do(t, s, walletrpc.Transfer, split1(account, xmr.Coin))
	p.mine(30, s)
	separate(t, s, []uint32{1})
	first := split1(elsewhere, xmr.Coin/100)
	first.AccountIndex = 1
	before := do(t, s, walletrpc.Transfer, first).TxHash
	req = dividing(elsewhere, xmr.Coin/100, 3)
	req.AllowLinks = true
	for _, o := range outputsOf(t, s, 0) {
		if o.BlockHeight <= 20 {
			req.KeyImages = []string{o.KeyImage} // a mining reward
		}
	}
	got, links = describe(req)
	require.Equal(t, []string{"outputs", "paid_before", "separate_accounts", "time"}, kindsOf(links))
	require.EqualValues(t, 4, got.Transactions[0].Outputs)
	for _, kind := range []string{"paid_before", "separate_accounts", "time"} {
		require.Equal(t, []string{before}, links[kind].TxIDs, kind)
	}
	require.Equal(t, elsewhere, links["separate_accounts"].Recipient)

	// A sweep of everything takes several transactions if there are enough outputs, and has no change.
	swept := do(t, s, walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: account, Outputs: 1, DoNotRelay: true,
		SubaddrIndicesAll: true, GetTxMetadata: true, AllowLinks: true})
	got, links = linksOf(t, s, walletrpc.DescribeLinksRequest{TxMetadataList: swept.TxMetadataList})
	require.Len(t, got.Transactions, len(swept.TxHashList))
	require.Empty(t, got.Transactions[0].ChangeAddress)
	require.Contains(t, kindsOf(links), "addresses")
	require.Contains(t, kindsOf(links), "separate_accounts")

	for text, bad := range map[string]walletrpc.DescribeLinksRequest{
		"give tx_metadata_list, unsigned_txset or multisig_txset": {},
		walletrpc.Fail(walletrpc.CodeBadHex, "").Message:          {TxMetadataList: []string{"x"}},
		walletrpc.Fail(walletrpc.CodeBadTxMetadata, "").Message:   {TxMetadataList: []string{"00"}},
		"cannot load unsigned_txset":                              {UnsignedTxSet: "00"},
		"cannot load multisig_txset":                              {MultisigTxSet: "00"},
	} {
		require.Equal(t, text, refused(t, s, walletrpc.DescribeLinks, bad).Message)
	}
	stranger := p.serve(newFolder(), nil)
	do(t, stranger, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "x", Language: "English"})
	require.Contains(t, refused(t, stranger, walletrpc.DescribeLinks,
		walletrpc.DescribeLinksRequest{TxMetadataList: swept.TxMetadataList}).Message, "does not know")
}

// TestDescribeLinksViewOnly: a view-only wallet describes the set that it made, and so does the wallet that signs it.
// Separate accounts hold in both.
func TestDescribeLinksViewOnly(t *testing.T) {
	t.Parallel()
	p := newTestChain(t)
	s, at := p.funded()
	view := p.serve(newFolder(), newTestVault(signer.Host{}).post)
	do(t, view, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{Filename: "v", Address: at,
		ViewKey: key(t, s, "view_key")})
	do(t, view, walletrpc.Refresh, walletrpc.RefreshRequest{})
	account := do(t, view, walletrpc.CreateAccount, walletrpc.CreateAccountRequest{}).Address
	separate(t, view, []uint32{1})
	require.Contains(t, refused(t, view, walletrpc.Transfer, split1(account, xmr.Coin)).Message, "separate accounts")
	req := split1(account, xmr.Coin)
	req.AllowLinks = true
	set := do(t, view, walletrpc.Transfer, req).UnsignedTxSet
	require.NotEmpty(t, set)
	for _, w := range []*Service{view, s} {
		got, links := linksOf(t, w, walletrpc.DescribeLinksRequest{UnsignedTxSet: set})
		require.Contains(t, kindsOf(links), "own_address")
		require.Equal(t, w == view, slices.Contains(kindsOf(links), "separate_accounts"))
		require.Equal(t, []walletrpc.Recipient{{Address: account, Amount: xmr.Coin}}, got.Transactions[0].Recipients)
		require.NotEmpty(t, got.Transactions[0].Spent)
	}
}

// TestDescribeLinksMultisig: every signer of a group describes the set of another one.
func TestDescribeLinksMultisig(t *testing.T) {
	t.Parallel()
	g := newCosigners(t, 2, 2, 3)
	g.share()
	images, sum := imagesOf(unlockedOf(t, g.s[0])[:2])
	pay := split1(node.UnspendableAddress(), sum-xmr.Coin)
	pay.KeyImages = images
	set := do(t, g.s[0], walletrpc.Transfer, pay).MultisigTxSet
	var reports []walletrpc.DescribeLinksResponse
	for _, s := range g.s {
		report, links := linksOf(t, s, walletrpc.DescribeLinksRequest{MultisigTxSet: set})
		require.Contains(t, kindsOf(links), "receipts")
		reports = append(reports, report)
	}
	require.Equal(t, reports[0], reports[1])
	require.Len(t, reports[0].Transactions[0].Spent, 2)
}
