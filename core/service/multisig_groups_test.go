package service

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/fee"
	"glim/core/multisig"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestMultisigGroups spends from groups of several sizes. Different signers propose, sign and submit in each turn.
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
					key := do(t, g.s[(turn+(size.m-1)*(size.n-1))%size.n], walletrpc.GetTxKey,
						walletrpc.GetTxKeyRequest{TxID: last.TxHashList[0]}).TxKey
					require.NotEmpty(t, strings.Trim(key, "0"))
				}
				g.finish((turn+1)%size.n, last.TxDataHex)
				for _, s := range g.s {
					balance := do(t, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
					require.True(t, balance.MultisigImportNeeded, "no signer has infos about the change output")
				}
			}
		})
	}
}

// TestManySpendsFromOneExport checks that one exchange of infos suffices to spend every output once. After another
// exchange, a sweep spends the rest.
func TestManySpendsFromOneExport(t *testing.T) {
	g := newCosigners(t, 2, 3, 4)
	g.share()
	for turn := range 2 {
		signed, err := g.sign(1+turn, g.propose(0, xmr.Coin))
		require.NoError(t, err)
		g.finish(0, signed.TxDataHex)
	}
	image := do(t, g.s[2], walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "available"})
	at := slices.IndexFunc(image.Transfers,
		func(x walletrpc.IncomingTransfer) bool { return strings.Trim(x.KeyImage, "0") != "" })
	one := do(t, g.s[2], walletrpc.SweepSingle, walletrpc.SweepSingleRequest{Address: node.UnspendableAddress(),
		KeyImage: image.Transfers[at].KeyImage, Outputs: 1})
	signed, err := g.sign(1, one.MultisigTxSet)
	require.NoError(t, err)
	g.finish(2, signed.TxDataHex)

	g.share() // the change is known now
	sweep := do(t, g.s[1], walletrpc.SweepAll,
		walletrpc.SweepAllRequest{Address: node.UnspendableAddress(), Outputs: 1})
	require.Len(t, sweep.FeeList, 1)
	require.Empty(t, sweep.TxHashList)
	desc := do(t, g.s[0], walletrpc.DescribeTransfer,
		walletrpc.DescribeTransferRequest{MultisigTxSet: sweep.MultisigTxSet})
	require.Equal(t, sweep.AmountList[0], desc.Desc[0].Recipients[0].Amount)
	require.Equal(t, sweep.FeeList[0], desc.Summary.Fee)
	require.Equal(t, sweep.WeightList[0], desc.Desc[0].Weight)
	require.Len(t, desc.Desc[0].Sources, 3, "the two changes and the unspent output")
	signed, err = g.sign(2, sweep.MultisigTxSet)
	require.NoError(t, err)
	g.finish(1, signed.TxDataHex)
	require.Zero(t, do(t, g.s[0], walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).Balance)
	e := refused(
		t, g.s[0], walletrpc.Transfer,
		walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Amount: 1,
			Address: node.UnspendableAddress()}}},
	)
	require.Contains(t, []int{walletrpc.CodeNotEnoughMoney, walletrpc.CodeNotEnoughUnlockedMoney}, e.Code)
}

// TestMultisigReorganisation reorganises away the block of an output after its infos were exchanged and a transaction
// was made that spends it.
func TestMultisigReorganisation(t *testing.T) {
	g := newCosigners(t, 2, 2, 1)
	g.share()
	signed, err := g.sign(1, g.propose(0, xmr.Coin))
	require.NoError(t, err)
	g.finish(0, signed.TxDataHex) // ten blocks ago
	g.share()
	set := g.propose(0, xmr.Coin) // of the change
	ids, err := g.chain.Reorganise(t.Context(), 10, node.UnspendableAddress())
	require.NoError(t, err)
	require.NotEmpty(t, ids)
	g.refresh()
	_, err = g.sign(1, set)
	require.Equal(t, walletrpc.CodeMultisigSignature, failure(t, err).Code)
	require.Contains(t, failure(t, err).Message, "not seen on the chain")

	g.mine(12) // the first transaction is mined again at another index
	_, err = g.sign(1, set)
	require.Equal(t, walletrpc.CodeMultisigSignature, failure(t, err).Code)
	require.Contains(t, failure(t, err).Message, "reorganisation")
	// The infos refer to outputs by key, so they remain valid.
	require.False(t, do(t, g.s[0], walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).MultisigImportNeeded)
	// The ring members of the output were already requested for its old index: only the owner may allow another ring.
	e := refused(
		t, g.s[0], walletrpc.Transfer,
		walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Amount: xmr.Coin,
			Address: node.UnspendableAddress()}}},
	)
	require.Contains(t, e.Message, "rescan_blockchain allows another ring")
	do(t, g.s[0], walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
	signed, err = g.sign(1, g.propose(0, xmr.Coin))
	require.NoError(t, err)
	g.finish(1, signed.TxDataHex)
}

// TestSignersKeepRings checks that a signer that has signed a ring for an output refuses another ring for it, whichever
// signer proposes it. A ring that was only proposed may be replaced.
func TestSignersKeepRings(t *testing.T) {
	g := newCosigners(t, 2, 3, 1)
	g.mine(80) // more outputs than requested
	g.share()
	never := g.propose(1, xmr.Coin)
	require.NotEmpty(t, never)
	signed, err := g.sign(1, g.propose(0, xmr.Coin))
	require.NoError(t, err)
	g.share()
	_, err = g.sign(1, g.propose(2, xmr.Coin))
	require.Equal(t, walletrpc.CodeMultisigSignature, failure(t, err).Code)
	require.Contains(t, failure(t, err).Message, "a different ring than an earlier one did")
	g.finish(1, signed.TxDataHex)
}

// TestMultisigRefusals sends invalid requests to each operation. Afterwards the group can still sign.
func TestMultisigRefusals(t *testing.T) {
	g := newCosigners(t, 2, 3, 2)
	infos := g.share()
	set := g.propose(0, xmr.Coin)
	s := g.s[1]
	corrupt := func(text string) string {
		b, err := hex.DecodeString(text)
		require.NoError(t, err)
		b[len(b)/2] ^= 1
		return hex.EncodeToString(b)
	}
	for _, text := range []string{"", "00", infos[0], corrupt(set), set[:len(set)-2], set + "00"} {
		require.Equal(t, walletrpc.CodeBadMultisigTxData,
			refused(t, s, walletrpc.SignMultisig, walletrpc.SignMultisigRequest{TxDataHex: text}).Code)
		require.Equal(t, walletrpc.CodeBadMultisigTxData,
			refused(t, s, walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: text}).Code)
	}
	require.Equal(t, walletrpc.CodeBadHex,
		refused(t, s, walletrpc.SignMultisig, walletrpc.SignMultisigRequest{TxDataHex: "x"}).Code)
	require.Equal(t, walletrpc.CodeBadHex,
		refused(t, s, walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: "x"}).Code)
	require.Equal(t, walletrpc.CodeBadHex,
		refused(t, s, walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{MultisigTxSet: "x"}).Code)
	require.Equal(t, walletrpc.CodeBadMultisigTxData,
		refused(t, s, walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{MultisigTxSet: corrupt(set)}).Code)
	require.Equal(t, walletrpc.CodeThresholdNotReached,
		refused(t, s, walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: set}).Code)
	require.Equal(t, walletrpc.CodeMultisigSignature,
		refused(t, g.s[0], walletrpc.SignMultisig, walletrpc.SignMultisigRequest{TxDataHex: set}).Code)

	load := func(info ...string) rpc.Error {
		return refused(t, s, walletrpc.ImportMultisigInfo,
			walletrpc.ImportMultisigInfoRequest{Info: info, RefreshAfterImport: true})
	}
	require.Equal(t, walletrpc.CodeThresholdNotReached, load().Code)
	require.Equal(t, walletrpc.CodeBadHex, load("x").Code)
	for _, text := range []string{"", "00", set, corrupt(infos[0]), infos[0][2:], infos[1]} {
		e := load(text)
		require.Equal(t, walletrpc.CodeUnknown, e.Code, text)
		require.Contains(t, e.Message, "Error calling import_multisig: ")
	}
	requireSpendableChecks(t, s)

	// It does not sign for frozen outputs.
	images := do(t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"}).Transfers
	for _, x := range images {
		do(t, s, walletrpc.Freeze, walletrpc.KeyImageRequest{KeyImage: x.KeyImage})
	}
	_, err := g.sign(1, set)
	require.Contains(t, failure(t, err).Message, "Will not sign multisig tx containing frozen outputs")
	for _, x := range images {
		do(t, s, walletrpc.Thaw, walletrpc.KeyImageRequest{KeyImage: x.KeyImage})
	}
	// After these refusals it still signs, and the network accepts the transaction once.
	signed, err := g.sign(1, set)
	require.NoError(t, err)
	_, err = g.sign(2, signed.TxDataHex)
	require.Equal(t, walletrpc.CodeMultisigSignature, failure(t, err).Code)
	g.finish(2, signed.TxDataHex)
	require.Equal(t, walletrpc.CodeMultisigSubmission,
		refused(t, s, walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: signed.TxDataHex}).Code)
	require.Equal(t, walletrpc.CodeUnknown,
		refused(t, s, walletrpc.Transfer, walletrpc.TransferRequest{IdempotencyKey: "a",
			Destinations: []walletrpc.Destination{{Amount: 1, Address: node.UnspendableAddress()}}}).Code)

	// The refusals of a wallet that is not multisig.
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "alone", Language: "English"})
	require.Equal(t, walletrpc.CodeNotMultisig, refused(t, s, walletrpc.ExportMultisigInfo, walletrpc.Empty{}).Code)
	require.Equal(t, walletrpc.CodeNotMultisig, load(infos[0]).Code)
	require.Equal(t, walletrpc.CodeNotMultisig,
		refused(t, s, walletrpc.SignMultisig, walletrpc.SignMultisigRequest{TxDataHex: set}).Code)
	require.Equal(t, walletrpc.CodeNotMultisig,
		refused(t, s, walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: set}).Code)
	require.Equal(t, walletrpc.CodeBadMultisigTxData,
		refused(t, s, walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{MultisigTxSet: set}).Code)
}

// requireSpendableChecks checks that a signer refuses fees above the network's ceiling, outputs that it has not found
// on the chain, and outputs at another index.
func requireSpendableChecks(t *testing.T, s *Service) {
	t.Helper()
	o, err := s.current()
	require.NoError(t, err)
	var in txbuild.Input
	o.View(func(w *wallet.Wallet) { in = w.Outputs()[0].Input() })
	check := func(change func(*txbuild.MultisigTx)) error {
		one := &txbuild.MultisigTx{Fee: 3e7, Weight: 2000, Inputs: []txbuild.Input{in}}
		change(one)
		return s.operations.signing.checkSpendable(o, []multisig.Reviewed{{MultisigTx: one}})
	}
	require.NoError(t, check(func(*txbuild.MultisigTx) {}))
	var high *fee.TooHighError
	require.ErrorAs(t, check(func(one *txbuild.MultisigTx) { one.Fee = 10 * xmr.Coin }), &high)
	require.ErrorIs(t, check(func(one *txbuild.MultisigTx) { one.Inputs[0].Key[0] ^= 1 }), errUnseen)
	require.ErrorIs(t, check(func(one *txbuild.MultisigTx) { one.Inputs[0].GlobalIndex++ }), errOutputMoved)
}

// TestOnlyTheProposerNeedsInfos checks that a signer must have imported infos to propose a transaction; the others can
// sign and submit it without.
func TestOnlyTheProposerNeedsInfos(t *testing.T) {
	g := newCosigners(t, 2, 3, 2)
	infos := []string{g.export(0), g.export(1), g.export(2)}
	e := refused(
		t, g.s[0], walletrpc.Transfer,
		walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Amount: 1,
			Address: node.UnspendableAddress()}}},
	)
	require.Equal(t, walletrpc.CodeTxNotPossible, e.Code, "no output is spendable yet")
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

	// A signer that imports later finds the spends since, at once or at the next refresh, even if the service was
	// killed in between.
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

// TestMultisigSetOfSeveralTransactions checks that a payment in several transactions is one set, and that a signer
// restored from its seed can sign it.
func TestMultisigSetOfSeveralTransactions(t *testing.T) {
	g := newCosigners(t, 2, 2, 4)
	seed := do(t, g.s[1], walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Key
	do(t, g.s[1], walletrpc.RestoreDeterministicWallet, walletrpc.RestoreDeterministicWalletRequest{
		Filename: "again", Seed: seed, EnableMultisigExperimental: true})
	g.refresh()
	g.share()
	to := make([]walletrpc.Destination, 20)
	for i := range to {
		to[i] = walletrpc.Destination{Amount: xmr.Coin + uint64(i), Address: node.UnspendableAddress()}
	}
	made := do(t, g.s[0], walletrpc.TransferSplit, walletrpc.TransferSplitRequest{Destinations: to, GetTxKeys: true})
	require.Len(t, made.FeeList, 2)
	require.Len(t, made.TxKeyList, 2)
	require.Empty(t, made.TxHashList)
	require.Len(t, do(t, g.s[1], walletrpc.DescribeTransfer,
		walletrpc.DescribeTransferRequest{MultisigTxSet: made.MultisigTxSet}).Desc, 2)
	signed, err := g.sign(1, made.MultisigTxSet)
	require.NoError(t, err)
	require.Len(t, signed.TxHashList, 2)
	ids := do(t, g.s[1], walletrpc.SubmitMultisig,
		walletrpc.SubmitMultisigRequest{TxDataHex: signed.TxDataHex}).TxHashList
	require.Equal(t, signed.TxHashList, ids)
	g.mine(10)
	for i, id := range ids {
		for _, s := range g.s {
			require.Equal(t, "out",
				do(t, s, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: id}).Transfer.Type)
		}
		require.Equal(t, made.TxKeyList[i],
			do(t, g.s[1], walletrpc.GetTxKey, walletrpc.GetTxKeyRequest{TxID: id}).TxKey)
	}
}
