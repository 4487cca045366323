package scenario

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/walletrpc"
)

// TestReceipts: a shop makes a link for three recipients, a customer pays it and makes a receipt, and the shop checks
// that without its spend key. The reference accepts each proof, and refuses the link as glim's parse_uri does.
func TestReceipts(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	customer, shop := newGlim(t, d.URL, options{}), newGlim(t, d.URL, options{})
	reference := newReference(t, d)
	restore(t, customer, "alice", alice)
	restore(t, shop, "bob", bob)
	restore(t, reference, "bob", bob)
	refresh(t, customer)

	socks, shoes, courier := at(t, bob, 0, 1), at(t, bob, 1, 1), at(t, carol, 0, 2)
	request := object{"recipients": []object{
		{"address": socks, "amount": 2 * coin, "label": "socks"}, {"address": shoes, "amount": 3 * coin},
		{"address": courier, "label": "tip"}}, "tx_description": "order 7"}
	link := call[walletrpc.MakeURIResponse](t, shop, "make_payment_link", request).URI
	require.Equal(t, "monero:"+socks+"?version=2.0&amount=2XMR&label=socks&address="+shoes+"&amount=3XMR&address="+
		courier+"&label=tip&tx_description=order%207", link)
	compare(t, reference, shop, "parse_uri", object{"uri": link})
	got := call[walletrpc.ParsePaymentLinkResponse](t, customer, "parse_payment_link", object{"uri": link})
	require.Equal(t, walletrpc.ParsePaymentLinkResponse{TxDescription: "order 7",
		Recipients: []walletrpc.LinkRecipient{{Address: socks, Amount: 2 * coin, Label: "socks"},
			{Address: shoes, Amount: 3 * coin}, {Address: courier, Label: "tip"}}}, got)

	paid := pay(t, customer, []destination{{socks, 2 * coin}, {shoes, 3 * coin}, {courier, 1}}, nil).TxHash
	receiptFor := func(link string) string {
		t.Helper()
		made := call[walletrpc.MakeReceiptResponse](t, customer, "make_receipt", object{"txid": paid, "uri": link})
		return made.Receipt
	}
	receipt := receiptFor(link)
	want := walletrpc.CheckReceiptResponse{Good: true, Paid: true, TxID: paid, InPool: true,
		Recipients: []walletrpc.ReceiptRecipient{{Address: socks, Amount: 2 * coin, Received: 2 * coin},
			{Address: shoes, Amount: 3 * coin, Received: 3 * coin}, {Address: courier, Received: 1}}}
	check := func(receipt, link string) walletrpc.CheckReceiptResponse {
		t.Helper()
		return call[walletrpc.CheckReceiptResponse](t, shop, "check_receipt", object{"receipt": receipt, "uri": link})
	}
	require.Equal(t, want, check(receipt, link))
	lines := strings.Split(strings.TrimSpace(receipt), "\n")
	require.Len(t, lines, 6)
	for _, line := range lines[3:] {
		p := strings.Fields(line)
		require.True(t, judge(t, reference, shop, "check_tx_proof", object{"txid": paid, "address": p[1],
			"message": link, "signature": p[2]}).Good)
	}
	mine(t, d, 2, at(t, nobody, 0, 0))
	want.InPool, want.Confirmations = false, 2
	require.Equal(t, want, check(receipt, link))
	checkOtherReceipts(t, receiptFor, check, receipt, link)

	wrong := func(method string, params object, code int) {
		t.Helper()
		require.Equal(t, code, refusal(t, customer, method, params).Code)
	}
	wrong("make_payment_link", object{"recipients": []object{}}, walletrpc.CodeWrongURI)
	wrong("parse_payment_link", object{"uri": link + "&tx_amount=1"}, walletrpc.CodeWrongURI)
	wrong("make_receipt", object{"txid": paid, "uri": "monero:"}, walletrpc.CodeWrongURI)
	wrong("make_receipt", object{"txid": paid, "uri": link + "&x=\n"}, walletrpc.CodeWrongURI)
	wrong("make_receipt", object{"txid": "x", "uri": link}, walletrpc.CodeWrongTxID)
	wrong("make_receipt", object{"txid": paid, "uri": "monero:" + at(t, carol, 0, 3)}, walletrpc.CodeUnknown)
	wrong("make_receipt", object{"txid": strings.Repeat("ab", 32), "uri": link}, walletrpc.CodeUnknown)
	wrong("check_receipt", object{"receipt": receipt, "uri": "x"}, walletrpc.CodeWrongURI)
	wrong("check_receipt", object{"receipt": "x", "uri": link}, walletrpc.CodeUnknown)
	wrong("check_receipt", object{"receipt": strings.ReplaceAll(receipt, "OutProofV2", "OutProofV2x"), "uri": link},
		walletrpc.CodeUnknown)
	do(t, customer, "close_wallet", nil)
	for _, op := range []string{"make_payment_link", "parse_payment_link", "make_receipt", "check_receipt"} {
		wrong(op, object{}, walletrpc.CodeNotOpen)
	}
}

// checkOtherReceipts checks receipts that are altered, for another link, or of too little money.
func checkOtherReceipts(
	t *testing.T, receiptFor func(link string) string,
	check func(receipt, link string) walletrpc.CheckReceiptResponse, receipt, link string,
) {
	t.Helper()
	lines := strings.SplitAfter(receipt, "\n")
	other := strings.Replace(link, "amount=2XMR", "amount=1XMR", 1)
	fewer := strings.Join(lines[:5], "")
	swapped := lines[0] + lines[1] + lines[2] + lines[4] + lines[3] + lines[5]
	proofs := [3]string{}
	for i := range proofs {
		proofs[i] = strings.Fields(lines[3+i])[2]
	}
	exchanged := strings.NewReplacer(proofs[0], proofs[1], proofs[1], proofs[0]).Replace(receipt)
	for name, r := range map[string]string{
		"another link":        strings.ReplaceAll(receipt, link, other),
		"a proof is missing":  fewer,
		"in another order":    swapped,
		"proofs of others":    exchanged,
		"a proof of old form": strings.ReplaceAll(receipt, "OutProofV2", "OutProofV1"),
	} {
		require.Zero(t, check(r, link), name)
	}
	require.Zero(t, check(receipt, other), "the shop asked for something else")

	// The address is paid 2 XMR, so that a link for more is not paid, also if it names the address twice.
	socks := strings.Fields(lines[3])[1]
	for _, asked := range []string{
		"monero:" + socks + "?tx_amount=2.000000000001",
		"monero:" + socks + "?version=2.0&amount=2XMR&address=" + socks + "&amount=1XMR",
	} {
		got := check(receiptFor(asked), asked)
		require.True(t, got.Good)
		require.False(t, got.Paid)
		require.Len(t, got.Recipients, 1)
		require.EqualValues(t, 2*coin, got.Recipients[0].Received)
	}
	old := "monero:" + socks + "?tx_amount=2"
	require.True(t, check(receiptFor(old), old).Paid, "a link of the old form")
}
