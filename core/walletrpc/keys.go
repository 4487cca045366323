package walletrpc

import "glim/core/rpc"

// QueryKeyRequest chooses a secret.
type QueryKeyRequest struct {
	KeyType    string `json:"key_type"`    // mnemonic, view_key, spend_key; beyond the reference seed_language, the name of the words' language
	SeedOffset string `json:"seed_offset"` // beyond the reference: the passphrase that the words are to be shown under
}

// QueryKeyResponse is the secret.
type QueryKeyResponse struct {
	Key string `json:"key"` // hex, or words
}

// QueryKey returns a secret of the wallet.
// Errors: CodeUnknown for another key type, CodeWatchOnly, CodeNonDeterministic.
var QueryKey = rpc.Method[QueryKeyRequest, QueryKeyResponse]{Name: "query_key", Restricted: true}

// MakeIntegratedAddressRequest joins an address with a payment ID.
type MakeIntegratedAddressRequest struct {
	StandardAddress string `json:"standard_address"` // empty for the wallet's primary
	PaymentID       string `json:"payment_id"`       // 16 hex digits; empty for a random one
}

// MakeIntegratedAddressResponse is the address made.
type MakeIntegratedAddressResponse struct {
	IntegratedAddress string `json:"integrated_address"`
	PaymentID         string `json:"payment_id"`
}

// MakeIntegratedAddress puts a payment ID into an address. Errors: CodeWrongPaymentID, CodeWrongAddress.
var MakeIntegratedAddress = rpc.Method[MakeIntegratedAddressRequest, MakeIntegratedAddressResponse]{Name: "make_integrated_address"}

// SplitIntegratedAddressRequest is an integrated address.
type SplitIntegratedAddressRequest struct {
	IntegratedAddress string `json:"integrated_address"`
}

// SplitIntegratedAddressResponse is its parts.
type SplitIntegratedAddressResponse struct {
	StandardAddress string `json:"standard_address"`
	PaymentID       string `json:"payment_id"`
	IsSubaddress    bool   `json:"is_subaddress"`
}

// SplitIntegratedAddress takes the payment ID out of an address. Errors: CodeWrongAddress.
var SplitIntegratedAddress = rpc.Method[SplitIntegratedAddressRequest, SplitIntegratedAddressResponse]{Name: "split_integrated_address"}

// SignRequest is a text to sign.
type SignRequest struct {
	Data          string `json:"data"`
	AccountIndex  uint32 `json:"account_index"`
	AddressIndex  uint32 `json:"address_index"`
	SignatureType string `json:"signature_type"` // spend, view; empty for spend
}

// SignResponse is the signature.
type SignResponse struct {
	Signature string `json:"signature"`
}

// Sign signs a text with the key of one of the wallet's addresses.
// Errors: CodeInvalidSignatureType, CodeWatchOnly.
var Sign = rpc.Method[SignRequest, SignResponse]{Name: "sign", Restricted: true}

// VerifyRequest is a text with its signature.
type VerifyRequest struct {
	Data      string `json:"data"`
	Address   string `json:"address"`
	Signature string `json:"signature"`
}

// VerifyResponse judges the signature.
type VerifyResponse struct {
	Good          bool   `json:"good"`
	Version       uint32 `json:"version"`        // 1 or 2
	Old           bool   `json:"old"`            // made by a release whose signatures were weaker
	SignatureType string `json:"signature_type"` // spend, view
}

// Verify checks who signed a text. A wrong signature is an answer, not a failure. Errors: CodeWrongAddress.
var Verify = rpc.Method[VerifyRequest, VerifyResponse]{Name: "verify", Restricted: true}

// URISpec is a payment request.
type URISpec struct {
	Address       string `json:"address"`
	PaymentID     string `json:"payment_id"` // must be empty in new ones
	Amount        uint64 `json:"amount"`     // atomic units; 0 for none named
	TxDescription string `json:"tx_description"`
	RecipientName string `json:"recipient_name"`
}

// MakeURIResponse is the payment request as one text.
type MakeURIResponse struct {
	URI string `json:"uri"`
}

// MakeURI writes a payment request. Errors: CodeWrongURI.
var MakeURI = rpc.Method[URISpec, MakeURIResponse]{Name: "make_uri"}

// ParseURIRequest is a payment request as one text.
type ParseURIRequest struct {
	URI string `json:"uri"`
}

// ParseURIResponse is what it says.
type ParseURIResponse struct {
	URI               URISpec  `json:"uri"`
	UnknownParameters []string `json:"unknown_parameters"` // name=value, as they came
}

// ParseURI reads a payment request. Errors: CodeWrongURI.
var ParseURI = rpc.Method[ParseURIRequest, ParseURIResponse]{Name: "parse_uri"}
