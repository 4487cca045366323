package service

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/build"
	"glim/core/fee"
	"glim/core/multisig"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestMultisigGroups has groups of several sizes spend, in turns: who makes, who signs and who submits is another each time.
func TestMultisigGroups(t *testing.T) {
	for _, size := range []struct{ m, n int }{{1, 2}, {2, 2}, {2, 3}, {3, 3}, {3, 4}, {3, 5}} {
		t.Run(fmt.Sprintf("%d of %d", size.m, size.n), func(t *testing.T) {
			g := newCosigners(t, size.m, size.n, 2)
			for turn := range 2 {
				g.share()
				set := g.propose(turn, xmr.Coin)
				last := walletrpc.SignMultisigResponse{TxDataHex: set}
				for k := 1; k < size.m; k++ {
					var err error
					require.Empty(t, last.TxHashList)
					last, err = g.sign((turn+k*(size.n-1))%size.n, last.TxDataHex)
					require.NoError(t, err)
				}
				if size.m > 1 {
					require.Len(t, last.TxHashList, 1)
					key := do(t, g.s[(turn+(size.m-1)*(size.n-1))%size.n], walletrpc.GetTxKey, walletrpc.GetTxKeyRequest{TxID: last.TxHashList[0]}).TxKey
					require.NotEmpty(t, strings.Trim(key, "0"))
				}
				g.finish((turn+1)%size.n, last.TxDataHex)
				for _, s := range g.s {
					balance := do(t, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
					require.True(t, balance.MultisigImportNeeded, "change is new to all")
				}
			}
		})
	}
}

// From one round of infos every output can be spent once; a sweep takes what is left.
func TestManyFromOneExport(t *testing.T) {
	g := newCosigners(t, 2, 3, 4)
	g.share()
	for turn := range 2 {
		signed, err := g.sign(1+turn, g.propose(0, xmr.Coin))
		require.NoError(t, err)
		g.finish(0, signed.TxDataHex)
	}
	image := do(t, g.s[2], walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "available"})
	at := slices.IndexFunc(image.Transfers, func(x walletrpc.IncomingTransfer) bool { return strings.Trim(x.KeyImage, "0") != "" })
	one := do(t, g.s[2], walletrpc.SweepSingle, walletrpc.SweepSingleRequest{Address: node.Nobody(), KeyImage: image.Transfers[at].KeyImage, Outputs: 1})
	signed, err := g.sign(1, one.MultisigTxSet)
	require.NoError(t, err)
	g.finish(2, signed.TxDataHex)

	g.share() // change is known now
	sweep := do(t, g.s[1], walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: node.Nobody(), Outputs: 1})
	require.Len(t, sweep.FeeList, 1)
	require.Empty(t, sweep.TxHashList)
	desc := do(t, g.s[0], walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{MultisigTxSet: sweep.MultisigTxSet})
	require.Equal(t, sweep.AmountList[0], desc.Desc[0].Recipients[0].Amount)
	require.Equal(t, sweep.FeeList[0], desc.Summary.Fee)
	require.Len(t, desc.Desc[0].Sources, 3, "the two changes and the output not spent yet")
	signed, err = g.sign(2, sweep.MultisigTxSet)
	require.NoError(t, err)
	g.finish(1, signed.TxDataHex)
	require.Zero(t, do(t, g.s[0], walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).Balance)
	e := refused(t, g.s[0], walletrpc.Transfer, walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Amount: 1, Address: node.Nobody()}}})
	require.Contains(t, []int{walletrpc.CodeNotEnoughMoney, walletrpc.CodeNotEnoughUnlockedMoney}, e.Code)
}

// TestMultisigReorganisation takes away the blocks with an output after infos of it were told, and a transaction was made of it.
func TestMultisigReorganisation(t *testing.T) {
	g := newCosigners(t, 2, 2, 1)
	g.share()
	signed, err := g.sign(1, g.propose(0, xmr.Coin))
	require.NoError(t, err)
	g.finish(0, signed.TxDataHex) // ten blocks ago
	g.share()
	set := g.propose(0, xmr.Coin) // of the change
	ids, err := g.chain.Reorganise(t.Context(), 10, node.Nobody())
	require.NoError(t, err)
	require.NotEmpty(t, ids)
	g.refresh()
	_, err = g.sign(1, set)
	require.Equal(t, walletrpc.CodeMultisigSignature, failure(t, err).Code)
	require.Contains(t, failure(t, err).Message, "not seen on the chain")

	g.mine(12) // the first transaction is mined again, elsewhere
	_, err = g.sign(1, set)
	require.Equal(t, walletrpc.CodeMultisigSignature, failure(t, err).Code)
	require.Contains(t, failure(t, err).Message, "another way")
	// The infos are of outputs, wherever they are: they still hold.
	require.False(t, do(t, g.s[0], walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).MultisigImportNeeded)
	// Its ring does not fit its new place, and the daemon was asked about it already: another one is chosen when the owner says so.
	e := refused(t, g.s[0], walletrpc.Transfer, walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Amount: xmr.Coin, Address: node.Nobody()}}})
	require.Contains(t, e.Message, "rescan_blockchain allows another ring")
	do(t, g.s[0], walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
	signed, err = g.sign(1, g.propose(0, xmr.Coin))
	require.NoError(t, err)
	g.finish(1, signed.TxDataHex)
}

// TestSignersKeepRings: a signer who signed a transaction does not sign another one that hides the same output in another ring, whoever proposes it.
// A ring that was only proposed gives way.
func TestSignersKeepRings(t *testing.T) {
	g := newCosigners(t, 2, 3, 1)
	g.mine(80) // more outputs than are asked for
	g.share()
	never := g.propose(1, xmr.Coin)
	require.NotEmpty(t, never)
	signed, err := g.sign(1, g.propose(0, xmr.Coin))
	require.NoError(t, err)
	g.share()
	_, err = g.sign(1, g.propose(2, xmr.Coin))
	require.Equal(t, walletrpc.CodeMultisigSignature, failure(t, err).Code)
	require.Contains(t, failure(t, err).Message, "in another ring than an earlier one did")
	g.finish(1, signed.TxDataHex)
}

// TestMultisigRefusals brings each operation what it must not take.
func TestMultisigRefusals(t *testing.T) {
	g := newCosigners(t, 2, 3, 2)
	infos := g.share()
	set := g.propose(0, xmr.Coin)
	s := g.s[1]
	spoil := func(text string) string {
		b, err := hex.DecodeString(text)
		require.NoError(t, err)
		b[len(b)/2] ^= 1
		return hex.EncodeToString(b)
	}
	for _, text := range []string{"", "00", infos[0], spoil(set), set[:len(set)-2], set + "00"} {
		require.Equal(t, walletrpc.CodeBadMultisigTxData, refused(t, s, walletrpc.SignMultisig, walletrpc.SignMultisigRequest{TxDataHex: text}).Code)
		require.Equal(t, walletrpc.CodeBadMultisigTxData, refused(t, s, walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: text}).Code)
	}
	require.Equal(t, walletrpc.CodeBadHex, refused(t, s, walletrpc.SignMultisig, walletrpc.SignMultisigRequest{TxDataHex: "x"}).Code)
	require.Equal(t, walletrpc.CodeBadHex, refused(t, s, walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: "x"}).Code)
	require.Equal(t, walletrpc.CodeBadHex, refused(t, s, walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{MultisigTxSet: "x"}).Code)
	require.Equal(t, walletrpc.CodeBadMultisigTxData, refused(t, s, walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{MultisigTxSet: spoil(set)}).Code)
	require.Equal(t, walletrpc.CodeThresholdNotReached, refused(t, s, walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: set}).Code)
	require.Equal(t, walletrpc.CodeMultisigSignature, refused(t, g.s[0], walletrpc.SignMultisig, walletrpc.SignMultisigRequest{TxDataHex: set}).Code)

	load := func(info ...string) rpc.Error {
		return refused(t, s, walletrpc.ImportMultisigInfo, walletrpc.ImportMultisigInfoRequest{Info: info, RefreshAfterImport: true})
	}
	require.Equal(t, walletrpc.CodeThresholdNotReached, load().Code)
	require.Equal(t, walletrpc.CodeBadHex, load("x").Code)
	for _, text := range []string{"", "00", set, spoil(infos[0]), infos[0][2:], infos[1]} {
		e := load(text)
		require.Equal(t, walletrpc.CodeUnknown, e.Code, text)
		require.Contains(t, e.Message, "Error calling import_multisig: ")
	}
	// What is signed has the network's fee at most, and spends what this signer sees, where it sees it.
	o, err := s.current()
	require.NoError(t, err)
	var in build.Input
	o.View(func(w *wallet.Wallet) { in = w.Outputs()[0].Input() })
	bent := func(change func(*build.Shared)) error {
		one := &build.Shared{Fee: 3e7, Weight: 2000, Inputs: []build.Input{in}}
		change(one)
		return s.mayBeSpent(o, []multisig.Reviewed{{Shared: one}})
	}
	require.NoError(t, bent(func(*build.Shared) {}))
	var high *fee.TooHighError
	require.ErrorAs(t, bent(func(one *build.Shared) { one.Fee = 10 * xmr.Coin }), &high)
	require.ErrorIs(t, bent(func(one *build.Shared) { one.Inputs[0].Key[0] ^= 1 }), errUnseen)
	require.ErrorIs(t, bent(func(one *build.Shared) { one.Inputs[0].Global++ }), errElsewhere)

	// Frozen outputs are not signed for.
	images := do(t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"}).Transfers
	for _, x := range images {
		do(t, s, walletrpc.Freeze, walletrpc.KeyImageRequest{KeyImage: x.KeyImage})
	}
	_, err = g.sign(1, set)
	require.Contains(t, failure(t, err).Message, "Will not sign multisig tx containing frozen outputs")
	for _, x := range images {
		do(t, s, walletrpc.Thaw, walletrpc.KeyImageRequest{KeyImage: x.KeyImage})
	}
	// After all that it signs, and the network takes it; twice it does not.
	signed, err := g.sign(1, set)
	require.NoError(t, err)
	_, err = g.sign(2, signed.TxDataHex)
	require.Equal(t, walletrpc.CodeMultisigSignature, failure(t, err).Code)
	g.finish(2, signed.TxDataHex)
	require.Equal(t, walletrpc.CodeMultisigSubmission, refused(t, s, walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: signed.TxDataHex}).Code)
	require.Equal(t, walletrpc.CodeUnknown, refused(t, s, walletrpc.Transfer, walletrpc.TransferRequest{IdempotencyKey: "a",
		Destinations: []walletrpc.Destination{{Amount: 1, Address: node.Nobody()}}}).Code)

	// Of a wallet of one person's.
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "alone", Language: "English"})
	require.Equal(t, walletrpc.CodeNotMultisig, refused(t, s, walletrpc.ExportMultisigInfo, walletrpc.Empty{}).Code)
	require.Equal(t, walletrpc.CodeNotMultisig, load(infos[0]).Code)
	require.Equal(t, walletrpc.CodeNotMultisig, refused(t, s, walletrpc.SignMultisig, walletrpc.SignMultisigRequest{TxDataHex: set}).Code)
	require.Equal(t, walletrpc.CodeNotMultisig, refused(t, s, walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: set}).Code)
	require.Equal(t, walletrpc.CodeBadMultisigTxData, refused(t, s, walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{MultisigTxSet: set}).Code)
}

// Who makes a transaction must have imported infos; who signs and who submits need not have.
func TestOnlyTheMakerImports(t *testing.T) {
	g := newCosigners(t, 2, 3, 2)
	infos := []string{g.export(0), g.export(1), g.export(2)}
	e := refused(t, g.s[0], walletrpc.Transfer, walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Amount: 1, Address: node.Nobody()}}})
	require.Equal(t, walletrpc.CodeTxNotPossible, e.Code, "nothing can be spent before")
	take := func(i int, refresh bool) {
		t.Helper()
		n := do(t, g.s[i], walletrpc.ImportMultisigInfo, walletrpc.ImportMultisigInfoRequest{
			Info: slices.Delete(slices.Clone(infos), i, i+1), RefreshAfterImport: refresh}).NOutputs
		require.EqualValues(t, 2, n)
	}
	take(0, true)
	signed, err := g.sign(1, g.propose(0, xmr.Coin))
	require.NoError(t, err)
	g.finish(2, signed.TxDataHex)
	before := do(t, g.s[0], walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).Balance

	// One who imports afterwards finds what was spent meanwhile, at once or at the next refresh, even of a service
	// that was killed in between.
	require.NotEqual(t, before, do(t, g.s[1], walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).Balance)
	take(1, false)
	g.restart(1, g.disk(1).Content)
	take(2, true)
	for _, s := range g.s {
		require.Equal(t, before, do(t, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).Balance)
		list := do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Out: true})
		require.Len(t, list.Out, 1)
	}
}

// A payment in several transactions is one set; and who is restored by a signer's seed goes on signing.
func TestSetOfSeveral(t *testing.T) {
	g := newCosigners(t, 2, 2, 4)
	seed := do(t, g.s[1], walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Key
	do(t, g.s[1], walletrpc.RestoreDeterministicWallet, walletrpc.RestoreDeterministicWalletRequest{
		Filename: "again", Seed: seed, EnableMultisigExperimental: true})
	g.refresh()
	g.share()
	to := make([]walletrpc.Destination, 20)
	for i := range to {
		to[i] = walletrpc.Destination{Amount: xmr.Coin + uint64(i), Address: node.Nobody()}
	}
	made := do(t, g.s[0], walletrpc.TransferSplit, walletrpc.TransferSplitRequest{Destinations: to, GetTxKeys: true})
	require.Len(t, made.FeeList, 2)
	require.Len(t, made.TxKeyList, 2)
	require.Empty(t, made.TxHashList)
	require.Len(t, do(t, g.s[1], walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{MultisigTxSet: made.MultisigTxSet}).Desc, 2)
	signed, err := g.sign(1, made.MultisigTxSet)
	require.NoError(t, err)
	require.Len(t, signed.TxHashList, 2)
	ids := do(t, g.s[1], walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: signed.TxDataHex}).TxHashList
	require.Equal(t, signed.TxHashList, ids)
	g.mine(10)
	for i, id := range ids {
		for _, s := range g.s {
			require.Equal(t, "out", do(t, s, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: id}).Transfer.Type)
		}
		require.Equal(t, made.TxKeyList[i], do(t, g.s[1], walletrpc.GetTxKey, walletrpc.GetTxKeyRequest{TxID: id}).TxKey)
	}
}
