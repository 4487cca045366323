package walletrpc

import "glim/core/rpc"

// LinkRecipient is one recipient of a payment link.
type LinkRecipient struct {
	Address string `json:"address"`
	Amount  uint64 `json:"amount"` // atomic units; 0 if not specified
	Label   string `json:"label"`  // text for people
}

// PaymentLink is a request for one payment to one or several recipients.
type PaymentLink struct {
	Recipients    []LinkRecipient `json:"recipients"`     // 1 to 15
	TxDescription string          `json:"tx_description"` // of the payment, text for people
}

// MakePaymentLink encodes a payment request as a URI: for one recipient as MakeURI, and for several in the form of
// version 2.0, which releases of the reference up to 0.18.5.1 do not read. An extension of glim. Errors: CodeWrongURI.
// Source: monero-project/monero, issue 7731 and pull requests 9830 and 11353.
var MakePaymentLink = rpc.Method[PaymentLink, MakeURIResponse]{Name: "make_payment_link"}

// ParsePaymentLinkResponse is the decoded payment request.
type ParsePaymentLinkResponse struct {
	Recipients        []LinkRecipient `json:"recipients"`
	TxDescription     string          `json:"tx_description"`
	UnknownParameters []string        `json:"unknown_parameters"` // name=value, unchanged
}

// ParsePaymentLink decodes a payment request of either form. An extension of glim. Errors: CodeWrongURI.
var ParsePaymentLink = rpc.Method[ParseURIRequest, ParsePaymentLinkResponse]{Name: "parse_payment_link"}

// MakeReceiptRequest is a payment and the link that asked for it.
type MakeReceiptRequest struct {
	TxID string `json:"txid"`
	URI  string `json:"uri"`
}

// MakeReceiptResponse is a receipt.
type MakeReceiptResponse struct {
	Receipt string `json:"receipt"` // lines of text, for CheckReceipt
}

// MakeReceipt returns a receipt for a payment, made by its sender: the link, the transaction ID, and a proof of payment
// as of GetTxProof for each address of the link, whose message is the link. An extension of glim.
// Errors: CodeWrongURI, CodeWrongTxID, CodeUnknown, also if the transaction does not pay an address of the link.
var MakeReceipt = rpc.Method[MakeReceiptRequest, MakeReceiptResponse]{Name: "make_receipt"}

// CheckReceiptRequest is a receipt and the link that the seller had made.
type CheckReceiptRequest struct {
	Receipt string `json:"receipt"`
	URI     string `json:"uri"` // a receipt for another link is not good
}

// ReceiptRecipient is an address of the link with what the transaction paid to it.
type ReceiptRecipient struct {
	Address  string `json:"address"`
	Amount   uint64 `json:"amount"`   // requested, atomic units; 0 if not specified
	Received uint64 `json:"received"` // atomic units
}

// CheckReceiptResponse tells whether the receipt is valid, and what was paid.
type CheckReceiptResponse struct {
	Good bool `json:"good"` // it is a receipt for the link, and every proof in it is valid
	// Paid means that every address received its amount, and any amount if none is specified. It is false if the
	// payment is locked by an unlock time.
	Paid bool   `json:"paid"`
	TxID string `json:"txid"`
	// The recipients of the link. Those that belong to the same wallet address are one, with the sum of their amounts.
	Recipients    []ReceiptRecipient `json:"recipients"`
	InPool        bool               `json:"in_pool"`
	Confirmations uint64             `json:"confirmations"`
}

// CheckReceipt verifies a receipt. An invalid one is reported as good false, with no other member set. It asks the
// daemon for the transaction. An extension of glim.
// Errors: CodeWrongURI, CodeUnknown for a malformed receipt or an unknown transaction.
var CheckReceipt = rpc.Method[CheckReceiptRequest, CheckReceiptResponse]{Name: "check_receipt"}
