package service

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/walletrpc"
)

// coldPair is a view-only wallet on a chain that has passed the fork, and its signer, which has read no block.
type coldPair struct {
	testChain
	view, cold party
}

// newColdPair makes the two with keys of Carrot or today's, with rewards from both sides of the fork. The view-only
// wallet is of a tier: view-all unless it is view-received.
func newColdPair(t *testing.T, seed, tier string) *coldPair {
	t.Helper()
	p := newCrossing(t)
	cold, view := p.serve(newFolder(), nil), p.serve(newFolder(), nil)
	do(t, cold, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{
		Filename: "cold", Language: "English", SeedType: seed})
	at := do(t, cold, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	req := walletrpc.GenerateFromKeysRequest{Filename: "view"}
	if tier == "view-received" {
		req.GenerateAddressSecret = key(t, cold, "generate_address_secret")
		req.Address, req.ViewKey = at, key(t, cold, "view_key")
	} else if seed == "carrot" {
		req.ViewBalanceSecret = key(t, cold, "view_balance_secret")
		req.PartialSpendKey = key(t, cold, "partial_spend_key")
	} else {
		req.Address, req.ViewKey = at, key(t, cold, "view_key")
	}
	do(t, view, walletrpc.GenerateFromKeys, req)
	p.mine(17)
	_, err := p.chain.Mine(t.Context(), 5, at) // two outputs from before the fork, three from after it
	require.NoError(t, err)
	p.mine(60, view)
	return &coldPair{p, party{view, t, at}, party{cold, t, at}}
}

// TestColdAfterTheFork: a view-only wallet prepares transactions, its signer, without chain and tree, describes and
// signs them, and the view-only wallet finishes and sends them.
func TestColdAfterTheFork(t *testing.T) {
	for name, seed := range map[string]string{"today": "", "carrot": "carrot"} {
		t.Run(name, func(t *testing.T) {
			p := newColdPair(t, seed, "")
			b := p.party("b")
			sub := do(t, b.Service, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 1}).Address
			all, unlocked := p.view.balance()
			require.Equal(t, all, unlocked)
			made := do(t, p.view.Service, walletrpc.Transfer, walletrpc.TransferRequest{
				GetTxKey: true, ChangeOutputs: 3,
				Destinations: []walletrpc.Destination{{Address: b.at, Amount: 3e12}, {Address: sub, Amount: 60e12}}})
			p.requireFee(made.Weight, made.Fee)
			require.Empty(t, made.TxHash+made.TxKey+made.TxBlob)
			require.Empty(t, p.view.transfers().Pending)
			again, _ := p.view.balance()
			require.Equal(t, all, again)

			told := do(t, p.cold.Service, walletrpc.DescribeTransfer,
				walletrpc.DescribeTransferRequest{UnsignedTxSet: made.UnsignedTxSet})
			require.Len(t, told.Desc, 1)
			d := told.Desc[0]
			require.Equal(t, []walletrpc.Recipient{{Address: b.at, Amount: 3e12}, {Address: sub, Amount: 60e12}},
				d.Recipients)
			require.Equal(t, made.Fee, d.Fee)
			require.Equal(t, d.AmountIn-made.Fee-63e12, d.ChangeAmount)
			require.Equal(t, p.cold.at, d.ChangeAddress)
			require.GreaterOrEqual(t, len(d.Sources), 2)
			require.Equal(t, d.Recipients, told.Summary.Recipients)
			require.Equal(t, []uint64{d.AmountIn, d.AmountOut, d.Fee, d.ChangeAmount}, []uint64{told.Summary.AmountIn,
				told.Summary.AmountOut, told.Summary.Fee, told.Summary.ChangeAmount})

			signed := do(t, p.cold.Service, walletrpc.SignTransfer,
				walletrpc.SignTransferRequest{UnsignedTxSet: made.UnsignedTxSet, GetTxKeys: true})
			require.Empty(t, signed.TxHashList)
			sent := do(t, p.view.Service, walletrpc.SubmitTransfer,
				walletrpc.SubmitTransferRequest{TxDataHex: signed.SignedTxSet})
			require.Len(t, sent.TxHashList, 1)
			require.Equal(t, signed.TxKeyList[0],
				do(t, p.view.Service, walletrpc.GetTxKey, walletrpc.GetTxKeyRequest{TxID: sent.TxHashList[0]}).TxKey)
			require.Equal(t, made.Fee, p.view.transfers().Pending[0].Fee)
			twice := refused(t, p.view.Service, walletrpc.SubmitTransfer,
				walletrpc.SubmitTransferRequest{TxDataHex: signed.SignedTxSet})
			require.Equal(t, walletrpc.CodeSignedSubmission, twice.Code)
			p.mine(10, p.view.Service, b.Service)
			require.Len(t, changeOf(t, p.view.Service, sent.TxHashList[0]), 3)
			received, _ := b.balance()
			require.Equal(t, uint64(63e12), received)
			left, unlocked := p.view.balance()
			require.Equal(t, all-63e12-made.Fee, left)
			require.Equal(t, left, unlocked)

			// The change is spent, with everything else, by the same way.
			swept := do(t, p.view.Service, walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: b.at, Outputs: 1})
			told = do(t, p.cold.Service, walletrpc.DescribeTransfer,
				walletrpc.DescribeTransferRequest{UnsignedTxSet: swept.UnsignedTxSet})
			require.Equal(t, left, told.Summary.AmountIn)
			require.Equal(t, uint32(1), told.Desc[0].DummyOutputs)
			require.Empty(t, told.Desc[0].ChangeAddress)
			signed = do(t, p.cold.Service, walletrpc.SignTransfer,
				walletrpc.SignTransferRequest{UnsignedTxSet: swept.UnsignedTxSet})
			do(t, p.view.Service, walletrpc.SubmitTransfer,
				walletrpc.SubmitTransferRequest{TxDataHex: signed.SignedTxSet})
			p.mine(1, p.view.Service, b.Service)
			left, _ = p.view.balance()
			require.Zero(t, left)
		})
	}
}

// TestColdFilesAfterTheFork: sets that are altered, of other wallets or of another kind are refused, and each wallet
// refuses the other's part.
func TestColdFilesAfterTheFork(t *testing.T) {
	p := newColdPair(t, "carrot", "")
	other := p.party("other")
	unsigned := do(t, p.view.Service, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Address: other.at, Amount: 1e12}}}).UnsignedTxSet
	signed := do(t, p.cold.Service, walletrpc.SignTransfer,
		walletrpc.SignTransferRequest{UnsignedTxSet: unsigned}).SignedTxSet
	sign := func(s *Service, set string) int {
		t.Helper()
		told := refused(t, s, walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{UnsignedTxSet: set})
		code := refused(t, s, walletrpc.SignTransfer, walletrpc.SignTransferRequest{UnsignedTxSet: set}).Code
		require.Equal(t, told.Code, code)
		return code
	}
	submit := func(s *Service, set string) int {
		t.Helper()
		return refused(t, s, walletrpc.SubmitTransfer, walletrpc.SubmitTransferRequest{TxDataHex: set}).Code
	}
	require.Equal(t, walletrpc.CodeWatchOnly, sign(p.view.Service, unsigned))
	require.Equal(t, walletrpc.CodeBadUnsignedTxData, sign(other.Service, unsigned))
	require.Equal(t, walletrpc.CodeBadUnsignedTxData, sign(p.cold.Service, signed))
	require.Equal(t, walletrpc.CodeBadSignedTxData, submit(other.Service, signed))
	require.Equal(t, walletrpc.CodeBadSignedTxData, submit(p.view.Service, unsigned))
	require.Equal(t, walletrpc.CodeSignedSubmission, submit(p.cold.Service, signed), "it has no chain")
	raw := refused(t, p.cold.Service, walletrpc.SignTransfer,
		walletrpc.SignTransferRequest{UnsignedTxSet: unsigned, ExportRaw: true})
	require.Equal(t, walletrpc.CodeSignUnsigned, raw.Code)
	for i, set := range []string{unsigned, signed} {
		b, err := hex.DecodeString(set)
		require.NoError(t, err)
		for at := len(nextSet); at < len(b); at += 37 {
			b[at] ^= 1
			altered := hex.EncodeToString(b)
			b[at] ^= 1
			if i == 0 {
				require.Equal(t, walletrpc.CodeBadUnsignedTxData, sign(p.cold.Service, altered), at)
			} else {
				require.Equal(t, walletrpc.CodeBadSignedTxData, submit(p.view.Service, altered), at)
			}
		}
		if i == 0 {
			require.Equal(t, walletrpc.CodeBadUnsignedTxData, sign(p.cold.Service, set[:len(set)-2]))
		} else {
			require.Equal(t, walletrpc.CodeBadSignedTxData, submit(p.view.Service, set[:len(set)-2]))
		}
	}
	require.Equal(t, walletrpc.CodeBadHex, sign(p.cold.Service, hex.EncodeToString([]byte(nextSet))+"x"))
	require.True(t, strings.HasPrefix(unsigned, hex.EncodeToString([]byte(nextUnsignedSet))))
}
