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

// dividing returns a payment whose change may be divided into n outputs.
func dividing(to string, amount, n uint64) walletrpc.TransferRequest {
	req := split1(to, amount)
	req.ChangeOutputs = n
	return req
}

// changeOf returns the amounts of the outputs that a wallet's transaction paid to its primary address, in ascending
// order.
func changeOf(t *testing.T, s *Service, id string) (amounts []uint64) {
	t.Helper()
	for _, o := range outputsOf(t, s, 0) {
		if o.TxHash == id {
			require.Zero(t, o.SubaddrIndex.Minor)
			amounts = append(amounts, o.Amount)
		}
	}
	slices.Sort(amounts)
	return amounts
}

// TestChangeOutputs divides change, with the spend key in the wallet's file and in a vault: the parts differ, none is
// small, they are change for the history and for proofs, and can be spent at once. A wallet restored from the seed has
// the same outputs.
func TestChangeOutputs(t *testing.T) {
	p := newTestChain(t)
	own, at := p.funded()
	words := key(t, own, "mnemonic")
	sealed := p.serve(newFolder(), newTestVault(signer.Host{}).post)
	do(t, sealed, walletrpc.RestoreDeterministicWallet,
		walletrpc.RestoreDeterministicWalletRequest{Filename: "w", Password: "a", Seed: words})
	p.mine(1, own, sealed)
	other := p.serve(newFolder(), nil)
	do(t, other, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "o", Language: "English"})
	theirs := do(t, other, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	sub := do(t, other, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 1}).Address
	for i, s := range []*Service{own, sealed, own} {
		before := balances(t, s).Balance
		req := dividing([]string{theirs, theirs, sub}[i], 2*xmr.Coin, 4)
		req.GetTxKey, req.GetTxMetadata = true, true
		paid := do(t, s, walletrpc.Transfer, req)
		require.Equal(t, before-req.Destinations[0].Amount-paid.Fee, balances(t, s).Balance, "change in the pool")
		if i == 2 { // the metadata describes the same transaction
			require.Equal(t, paid.TxHash,
				do(t, s, walletrpc.RelayTx, walletrpc.RelayTxRequest{Hex: paid.TxMetadata}).TxHash)
		}
		p.mine(11, own, sealed, other)
		require.Equal(t, before-req.Destinations[0].Amount-paid.Fee, balances(t, s).UnlockedBalance)

		parts := changeOf(t, s, paid.TxHash)
		require.Len(t, parts, 4)
		change, err := xmr.Sum(parts...)
		require.NoError(t, err)
		require.Len(t, slices.Compact(slices.Clone(parts)), 4, "the parts differ")
		require.Greater(t, parts[0], change/16)
		entry := do(t, s, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: paid.TxHash}).Transfer
		require.Equal(t, []walletrpc.Destination{{Address: req.Destinations[0].Address, Amount: 2 * xmr.Coin}},
			entry.Destinations)
		require.EqualValues(t, 2*xmr.Coin, entry.Amount)

		received := do(t, other, walletrpc.CheckTxKey, walletrpc.CheckTxKeyRequest{
			TxID: paid.TxHash, TxKey: paid.TxKey, Address: req.Destinations[0].Address})
		require.EqualValues(t, 2*xmr.Coin, received.Received)
		for _, from := range []*Service{own, sealed} { // an in-proof of the change
			proof := do(t, from, walletrpc.GetTxProof, walletrpc.GetTxProofRequest{TxID: paid.TxHash, Address: at})
			got := do(t, other, walletrpc.CheckTxProof, walletrpc.CheckTxProofRequest{
				TxID: paid.TxHash, Address: at, Signature: proof.Signature})
			require.True(t, got.Good)
			require.Equal(t, change, got.Received)
		}
		proveAndCheck(t, s, own, paid.TxHash, at, theirs)
	}
	again := p.serve(newFolder(), nil)
	do(t, again, walletrpc.RestoreDeterministicWallet,
		walletrpc.RestoreDeterministicWalletRequest{Filename: "w", Seed: words})
	p.mine(1, own, sealed, again)
	requireSameWallet(t, sealed, own)
	requireSameWallet(t, again, own)
}

// TestChangeOutputsFees: the fee is that of the weight, whoever pays it.
func TestChangeOutputsFees(t *testing.T) {
	p := newTestChain(t)
	s, _ := p.funded()
	perByte := func(r walletrpc.TransferResponse) float64 { return float64(r.Fee) / float64(r.Weight) }
	for _, subtract := range [][]uint32{nil, {0}} {
		var plain, divided walletrpc.TransferResponse
		for n, got := range map[uint64]*walletrpc.TransferResponse{0: &plain, 6: &divided} {
			req := dividing(node.UnspendableAddress(), xmr.Coin, n)
			req.SubtractFeeFromOutputs, req.DoNotRelay = subtract, true
			*got = do(t, s, walletrpc.Transfer, req)
		}
		require.Greater(t, divided.Weight, plain.Weight)
		require.InEpsilon(t, perByte(plain), perByte(divided), 0.01)
		if subtract != nil {
			require.EqualValues(t, xmr.Coin-divided.Fee, divided.Amount)
		}
	}
}

// TestChangeOutputsBounded: there are fewer parts if they would be small or the transaction is full, and no more than
// requested.
func TestChangeOutputsBounded(t *testing.T) {
	p := newTestChain(t)
	s, _ := p.funded()
	to := node.UnspendableAddress()
	got := refused(t, s, walletrpc.Transfer, dividing(to, xmr.Coin, 16))
	require.Equal(t, walletrpc.CodeGenericTransfer, got.Code)
	require.Contains(t, got.Message, "change_outputs: at most 15")
	many := split(to, xmr.Coin)
	many.ChangeOutputs = 1 << 63
	require.Equal(t, got, refused(t, s, walletrpc.TransferSplit, many))

	parts := func(req walletrpc.TransferRequest) int {
		t.Helper()
		id := do(t, s, walletrpc.Transfer, req).TxHash
		p.mine(10, s)
		return len(changeOf(t, s, id))
	}
	full := dividing(to, xmr.Coin/10, 15)
	for range 12 {
		full.Destinations = append(full.Destinations, full.Destinations[0])
	}
	require.Equal(t, 3, parts(full), "13 destinations leave room for 3")
	require.Equal(t, 1, parts(dividing(to, xmr.Coin, 1)))

	one := unlockedOf(t, s)[0]
	smallest := dividing(to, xmr.Coin/100, 0)
	smallest.KeyImages, smallest.DoNotRelay = []string{one.KeyImage}, true
	fee := do(t, s, walletrpc.Transfer, smallest).Fee
	for left, most := range map[uint64]int{8: 1, 25: 2, 60: 5} {
		one := unlockedOf(t, s)[0]
		req := dividing(to, one.Amount-left*fee, 15)
		req.KeyImages = []string{one.KeyImage}
		n := parts(req)
		require.LessOrEqual(t, n, most, "%d fees are left", left)
		if left > 50 {
			require.Greater(t, n, 1)
		}
	}
}

// TestChangeOutputsOfSets: sets of view-only and multisig wallets describe the parts as change, and signers keep them.
func TestChangeOutputsOfSets(t *testing.T) {
	requireChange := func(set walletrpc.DescribeTransferResponse, change string) {
		t.Helper()
		require.Len(t, set.Desc, 1)
		one := set.Desc[0]
		require.Equal(t, []walletrpc.Recipient{{Address: node.UnspendableAddress(), Amount: xmr.Coin}}, one.Recipients)
		require.Equal(t, change, one.ChangeAddress)
		require.Equal(t, one.AmountIn-xmr.Coin-one.Fee, one.ChangeAmount)
		require.Equal(t, set.Summary.ChangeAmount, one.ChangeAmount)
	}
	pay := dividing(node.UnspendableAddress(), xmr.Coin, 5)

	p := newTestChain(t)
	hot, at := p.funded()
	s := p.serve(newFolder(), nil)
	do(t, s, walletrpc.GenerateFromKeys,
		walletrpc.GenerateFromKeysRequest{Filename: "v", Address: at, ViewKey: key(t, hot, "view_key")})
	p.mine(1, s, hot)
	list := do(t, hot, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true})
	do(t, s, walletrpc.ImportKeyImages, walletrpc.ImportKeyImagesRequest{SignedKeyImages: list.SignedKeyImages})
	set := do(t, s, walletrpc.Transfer, pay).UnsignedTxSet
	requireChange(do(t, hot, walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{UnsignedTxSet: set}), at)
	signed := do(t, hot, walletrpc.SignTransfer, walletrpc.SignTransferRequest{UnsignedTxSet: set}).SignedTxSet
	sent := do(t, s, walletrpc.SubmitTransfer, walletrpc.SubmitTransferRequest{TxDataHex: signed})
	p.mine(1, s, hot)
	require.Len(t, changeOf(t, hot, sent.TxHashList[0]), 5)
	require.Equal(t, balances(t, hot).Balance, balances(t, s).Balance)

	g := newCosigners(t, 2, 2, 3)
	g.share()
	shared := do(t, g.s[0], walletrpc.Transfer, pay).MultisigTxSet
	requireChange(do(t, g.s[1], walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{MultisigTxSet: shared}),
		do(t, g.s[0], walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address)
	done, err := g.sign(1, shared)
	require.NoError(t, err)
	g.finish(1, done.TxDataHex)
	g.mine(1)
	require.Len(t, changeOf(t, g.s[0], done.TxHashList[0]), 5)
}
