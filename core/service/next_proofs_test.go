package service

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
	"glim/core/walletrpc"
)

// requireProofs requires that a and b prove a payment to an address of b, with keys, proofs and a receipt, and that c,
// who has no part in it, accepts what they prove.
func requireProofs(t *testing.T, a, b, c *Service, id, to string, amount uint64) {
	t.Helper()
	key := do(t, a, walletrpc.GetTxKey, walletrpc.GetTxKeyRequest{TxID: id}).TxKey
	check := walletrpc.CheckTxKeyRequest{TxID: id, TxKey: key, Address: to}
	require.Equal(t, walletrpc.CheckTxKeyResponse{Received: amount, Confirmations: 1},
		do(t, c, walletrpc.CheckTxKey, check))
	stranger := do(t, c, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	check.Address = stranger
	require.Zero(t, do(t, c, walletrpc.CheckTxKey, check).Received)
	check.TxKey = key + strings.Repeat("1", 64)
	refused(t, c, walletrpc.CheckTxKey, check)

	for _, prover := range []*Service{a, b} {
		request := walletrpc.GetTxProofRequest{TxID: id, Address: to, Message: "m"}
		made := do(t, prover, walletrpc.GetTxProof, request)
		name := "InProofV2"
		if prover == a {
			name = "OutProofV2"
		}
		require.True(t, strings.HasPrefix(made.Signature, name))
		check := walletrpc.CheckTxProofRequest{TxID: id, Address: to, Message: "m", Signature: made.Signature}
		require.Equal(t, walletrpc.CheckTxProofResponse{Good: true, Received: amount, Confirmations: 1},
			do(t, c, walletrpc.CheckTxProof, check))
		wrong := check
		wrong.Message = ""
		require.False(t, do(t, c, walletrpc.CheckTxProof, wrong).Good)
		wrong = check
		wrong.Address = stranger
		require.False(t, do(t, c, walletrpc.CheckTxProof, wrong).Good)
		wrong = check
		wrong.Signature = made.Signature[:len(made.Signature)-1]
		require.Equal(t, walletrpc.CodeUnknown, refused(t, c, walletrpc.CheckTxProof, wrong).Code)
		request.Address = stranger
		require.Equal(t, walletrpc.CodeUnknown, refused(t, prover, walletrpc.GetTxProof, request).Code)
	}
	require.Equal(t, walletrpc.CodeNoTxKey, refused(t, c, walletrpc.GetTxKey, walletrpc.GetTxKeyRequest{TxID: id}).Code)

	link := do(t, b, walletrpc.MakeURI, walletrpc.URISpec{Address: to, Amount: amount}).URI
	receipt := do(t, a, walletrpc.MakeReceipt, walletrpc.MakeReceiptRequest{TxID: id, URI: link}).Receipt
	checked := do(t, c, walletrpc.CheckReceipt, walletrpc.CheckReceiptRequest{Receipt: receipt, URI: link})
	require.True(t, checked.Good && checked.Paid)
	require.Equal(t, amount, checked.Recipients[0].Received)
	altered := strings.Replace(receipt, link, link+"&tx_description=x", 1)
	require.False(t, do(t, c, walletrpc.CheckReceipt,
		walletrpc.CheckReceiptRequest{Receipt: altered, URI: link + "&tx_description=x"}).Good)
}

// TestProofsAfterTheFork: payments of wallets with today's keys and Carrot's, to main addresses and subaddresses of
// both, in transactions with two and more outputs, are proven by payer and payee.
func TestProofsAfterTheFork(t *testing.T) {
	p := newCrossing(t)
	b, c := p.party("b"), p.party("c")
	a := p.serve(newFolder(), nil)
	newCarrotWallet(p, a)
	p.mine(60, a)
	sub := do(t, b.Service, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 1}).Address
	single := do(t, a, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Address: sub, Amount: 4e12}}})
	several := do(t, a, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: []walletrpc.Destination{
		{Address: b.at, Amount: 3e12}, {Address: sub, Amount: 2e12}}})
	p.mine(1, a, b.Service)
	requireProofs(t, a, b.Service, c.Service, single.TxHash, sub, 4e12)
	requireProofs(t, a, b.Service, c.Service, several.TxHash, b.at, 3e12)
	requireProofs(t, a, b.Service, c.Service, several.TxHash, sub, 2e12)

	p.mine(10, a, b.Service)
	to := do(t, a, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 1}).Address
	back := do(t, b.Service, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Address: to, Amount: 1e12}}})
	p.mine(1, a, b.Service)
	requireProofs(t, b.Service, a, c.Service, back.TxHash, to, 1e12)

	// Who made the transaction is not proven, and what it paid is no reserve yet.
	spent := refused(t, b.Service, walletrpc.GetSpendProof, walletrpc.GetSpendProofRequest{TxID: back.TxHash})
	require.Equal(t, *errCarrotSpend.(*rpc.Error), spent)
	spent = refused(t, c.Service, walletrpc.CheckSpendProof,
		walletrpc.CheckSpendProofRequest{TxID: back.TxHash, Signature: "SpendProofV1"})
	require.Equal(t, *errCarrotSpend.(*rpc.Error), spent)
	held := refused(t, b.Service, walletrpc.GetReserveProof, walletrpc.GetReserveProofRequest{All: true})
	require.Equal(t, *errCarrotReserve.(*rpc.Error), held)

	// Change is not proven: only the wallet itself can check it.
	require.Equal(t, "No funds received in this tx.", refused(t, b.Service, walletrpc.GetTxProof,
		walletrpc.GetTxProofRequest{TxID: back.TxHash, Address: b.at}).Message)
}
