package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// forkedWallet is a wallet whose daemon has 26 blocks that pay it, from height 20 on those of the next hard fork, and
// which has read two more blocks: one with Carrot payments of 11 to its first subaddress and of 12 with a payment ID,
// then one that spends a Carrot reward, pays 5 to others, and has a fee of 1.
type forkedWallet struct {
	*Service
	chain testChain
	at    string // its main address
	spent wallet.OwnedOutput
}

// newForkedWallet makes such a wallet with keys of Carrot or today's.
func newForkedWallet(t *testing.T, seed string) *forkedWallet {
	t.Helper()
	p := newForkChain(t)
	s := p.serve(newFolder(), nil)
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{
		Filename: "w", Language: "English", SeedType: seed,
	})
	at := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	_, err := p.chain.Mine(t.Context(), 26, at)
	require.NoError(t, err)
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	f := &forkedWallet{Service: s, chain: p, at: at}
	o, err := s.current()
	require.NoError(t, err)
	var height uint64
	o.View(func(w *wallet.Wallet) { height, f.spent = w.Height(), w.Outputs()[24] })
	require.True(t, f.spent.Carrot)
	c := chaintest.New("operations", xmr.Regtest)
	c.Grow(int(height) - 1)
	c.CarrotFrom = height
	id := [8]byte{1, 2, 3}
	c.Add(
		chaintest.Spec{Pay: []chaintest.Payment{{To: o.Keys(), At: keys.Index{Minor: 1}, Amount: 11}, {Amount: 1}}},
		chaintest.Spec{PaymentID: &id, Pay: []chaintest.Payment{{To: o.Keys(), Amount: 12}, {Amount: 1}}},
	)
	c.Add(chaintest.Spec{Fee: 1, Spend: []xmr.KeyImage{f.spent.Image}, Pay: []chaintest.Payment{
		{Amount: 5}, {To: o.Keys(), Amount: f.spent.Amount - 6, Change: true},
	}})
	scanned, err := syncer.Scan(t.Context(), o.Keys().ViewSecret(), c.Blocks[height:], syncer.Workers{})
	require.NoError(t, err)
	require.NoError(t, o.ChangeRetrying(t.Context(),
		func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return w.DecideBlocks(scanned, c.Height()-1)
		}))
	return f
}

// byKind makes the wallet with today's keys and with those of Carrot, and tests each.
func byKind(t *testing.T, test func(t *testing.T, f *forkedWallet)) {
	for name, seed := range map[string]string{"today": "", "carrot": "carrot"} {
		t.Run(name, func(t *testing.T) { test(t, newForkedWallet(t, seed)) })
	}
}

// TestEventsOfCarrot: get_events reports rewards, payments and spends of the next hard fork like others.
func TestEventsOfCarrot(t *testing.T) {
	byKind(t, func(t *testing.T, f *forkedWallet) {
		list := do(t, f.Service, walletrpc.GetEvents, walletrpc.GetEventsRequest{Limit: 1000}).Events
		rewards := map[uint64]walletrpc.Event{}
		var in, out []walletrpc.Event
		for i, e := range list {
			require.Equal(t, uint64(i)+1, e.Cursor)
			switch {
			case e.Type != walletrpc.EventConfirmed:
			case e.Coinbase:
				rewards[e.Height] = e
			case e.Direction == "out":
				out = append(out, e)
			default:
				in = append(in, e)
			}
		}
		for height := uint64(1); height <= 26; height++ {
			require.Equal(t, f.at, rewards[height].Address, height)
			require.NotZero(t, rewards[height].Amount)
			require.Equal(t, height+60, rewards[height].UnlockTime)
		}
		require.Len(t, in, 2, "change is no payment")
		byAmount := map[uint64]walletrpc.Event{in[0].Amount: in[0], in[1].Amount: in[1]}
		require.Equal(t, uint32(1), byAmount[11].SubaddrIndex.Minor)
		sub := do(t, f.Service, walletrpc.GetAddress, walletrpc.GetAddressRequest{AddressIndex: []uint32{1}})
		require.Equal(t, sub.Addresses[0].Address, byAmount[11].Address)
		require.Equal(t, "0000000000000000", byAmount[11].PaymentID)
		require.Equal(t, "0102030000000000", byAmount[12].PaymentID)
		require.Equal(t, f.at, byAmount[12].Address)
		require.Len(t, out, 1)
		require.Equal(t, []uint64{5, 1, 28}, []uint64{out[0].Amount, out[0].Fee, out[0].Height})
		next := do(t, f.Service, walletrpc.GetEvents, walletrpc.GetEventsRequest{Cursor: out[0].Cursor - 1, Limit: 1})
		require.Equal(t, out, next.Events)
	})
}

// TestOperationsOnCarrot: what looks up transfers and outputs, and what stores something about them, treats those of
// the next hard fork like others, also after the wallet was closed and opened.
func TestOperationsOnCarrot(t *testing.T) {
	byKind(t, func(t *testing.T, f *forkedWallet) {
		s := f.Service
		paid := do(t, s, walletrpc.GetPayments, walletrpc.GetPaymentsRequest{PaymentID: "0102030000000000"}).Payments
		require.Len(t, paid, 1)
		require.Equal(t, []uint64{12, 27}, []uint64{paid[0].Amount, paid[0].BlockHeight})
		bulk := do(t, s, walletrpc.GetBulkPayments, walletrpc.GetBulkPaymentsRequest{MinBlockHeight: 26}).Payments
		require.Len(t, bulk, 2)
		id := paid[0].TxHash
		shown := do(t, s, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: id})
		require.Len(t, shown.Transfers, 1)
		require.Equal(t, uint64(12), shown.Transfer.Amount)
		require.Equal(t, "in", shown.Transfer.Type)

		image := byImage(t, s, 12)
		require.Len(t, image, 64)
		do(t, s, walletrpc.Freeze, walletrpc.KeyImageRequest{KeyImage: image})
		do(t, s, walletrpc.SetTxNotes, walletrpc.SetTxNotesRequest{TxIDs: []string{id}, Notes: []string{"note"}})
		before := outputsOf(t, s, 0)
		money := balances(t, s)
		do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
		do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
		require.Equal(t, before, outputsOf(t, s, 0))
		require.Equal(t, money.Balance, balances(t, s).Balance)
		require.True(t, do(t, s, walletrpc.Frozen, walletrpc.KeyImageRequest{KeyImage: image}).Frozen)
		do(t, s, walletrpc.Thaw, walletrpc.KeyImageRequest{KeyImage: image})
		require.False(t, do(t, s, walletrpc.Frozen, walletrpc.KeyImageRequest{KeyImage: image}).Frozen)
		require.Equal(t, []string{"note"},
			do(t, s, walletrpc.GetTxNotes, walletrpc.GetTxNotesRequest{TxIDs: []string{id}}).Notes)
		do(t, s, walletrpc.RescanSpent, walletrpc.Empty{})
	})
}

// TestScanCarrotReward: scan_tx finds the rewards of single blocks on both sides of the next hard fork.
func TestScanCarrotReward(t *testing.T) {
	byKind(t, func(t *testing.T, f *forkedWallet) {
		rewards := map[uint64]walletrpc.TransferEntry{}
		for _, x := range do(t, f.Service, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{In: true}).In {
			rewards[x.Height] = x
		}
		req := walletrpc.GenerateFromKeysRequest{
			Filename: "late", Address: f.at, ViewKey: key(t, f.Service, "view_key"), RestoreHeight: 25,
		}
		if o, err := f.current(); err == nil && o.Keys().Hierarchy() != nil {
			req.MasterSecret = key(t, f.Service, "master_secret")
		}
		late := testChain{t: t, chain: f.chain.chain, transport: f.chain.transport}.serve(newFolder(), nil)
		do(t, late, walletrpc.GenerateFromKeys, req)
		do(t, late, walletrpc.Refresh, walletrpc.RefreshRequest{})
		sum := rewards[25].Amount + rewards[26].Amount
		require.Equal(t, sum, balances(t, late).Balance)
		for _, height := range []uint64{24, 20, 19} {
			do(t, late, walletrpc.ScanTx, walletrpc.ScanTxRequest{TxIDs: []string{rewards[height].TxID}})
			sum += rewards[height].Amount
			require.Equal(t, sum, balances(t, late).Balance)
		}
	})
}

// TestPaymentProofsAcrossTheFork: payments from before and after the fork are proven. Keys of Carrot
// make no reserve proofs, no spend proofs, and only signatures with the view key of the main address.
func TestPaymentProofsAcrossTheFork(t *testing.T) {
	byKind(t, func(t *testing.T, f *forkedWallet) {
		s := f.Service
		proven := 0
		for _, x := range do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{In: true}).In {
			if x.Height > 26 {
				continue // the daemon does not know it
			}
			req := walletrpc.GetTxProofRequest{TxID: x.TxID, Address: f.at, Message: "m"}
			check := walletrpc.CheckTxProofRequest{TxID: x.TxID, Address: f.at, Message: "m"}
			check.Signature = do(t, s, walletrpc.GetTxProof, req).Signature
			got := do(t, s, walletrpc.CheckTxProof, check)
			require.True(t, got.Good)
			require.Equal(t, x.Amount, got.Received)
			proven++
		}
		require.Equal(t, 26, proven)
		if ownKeys(t, s).Hierarchy() == nil {
			return
		}
		refused(t, s, walletrpc.GetReserveProof, walletrpc.GetReserveProofRequest{Amount: 1})
		refused(t, s, walletrpc.GetSpendProof, walletrpc.GetSpendProofRequest{TxID: f.spent.TxID.String()})
		for _, req := range []walletrpc.SignRequest{
			{Data: "x"}, {Data: "x", AddressIndex: 1}, {Data: "x", SignatureType: "view", AddressIndex: 1},
		} {
			require.Equal(t, walletrpc.CodeWatchOnly, refused(t, s, walletrpc.Sign, req).Code)
		}
		signed := do(t, s, walletrpc.Sign, walletrpc.SignRequest{Data: "x", SignatureType: "view"}).Signature
		require.True(t, do(t, s, walletrpc.Verify,
			walletrpc.VerifyRequest{Data: "x", Address: f.at, Signature: signed}).Good)
	})
}

// TestReserveProofsAcrossTheFork: reserves are proven as long as the outputs from before the fork suffice; otherwise
// the refusal says why.
func TestReserveProofsAcrossTheFork(t *testing.T) {
	f := newForkedWallet(t, "")
	s := f.Service
	var old, next uint64
	for _, x := range do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{In: true}).In {
		if x.Height >= 20 {
			next += x.Amount
		} else {
			old += x.Amount
		}
	}
	for _, amount := range []uint64{1, old} {
		got := do(t, s, walletrpc.GetReserveProof, walletrpc.GetReserveProofRequest{Amount: amount})
		checked := do(t, s, walletrpc.CheckReserveProof,
			walletrpc.CheckReserveProofRequest{Address: f.at, Signature: got.Signature})
		require.True(t, checked.Good)
		require.GreaterOrEqual(t, checked.Total, amount)
		require.LessOrEqual(t, checked.Total, old)
	}
	for _, req := range []walletrpc.GetReserveProofRequest{{Amount: old + 1}, {All: true}} {
		fault := refused(t, s, walletrpc.GetReserveProof, req)
		require.Equal(t, errCarrotReserve.(*rpc.Error).Message, fault.Message)
		require.Equal(t, walletrpc.CodeUnknown, fault.Code)
	}
	require.Contains(t, refused(t, s, walletrpc.GetReserveProof,
		walletrpc.GetReserveProofRequest{Amount: old + next + 1}).Message, "Not enough balance")
}
