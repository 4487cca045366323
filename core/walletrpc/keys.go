package walletrpc

import "glim/core/rpc"

// QueryKeyRequest selects a secret.
type QueryKeyRequest struct {
	// mnemonic, view_key or spend_key; as an extension of glim, seed_language returns the language of the words, and
	// master_secret, view_balance_secret, partial_spend_key and generate_address_secret those of a wallet with the keys
	// of the next hard fork
	KeyType    string `json:"key_type"`
	SeedOffset string `json:"seed_offset"` // an extension of glim: passphrase to encrypt the words with
}

// QueryKeyResponse is the requested secret.
type QueryKeyResponse struct {
	Key string `json:"key"` // hex, or words
}

// QueryKey returns a secret of the wallet.
// Errors: CodeUnknown for an unknown key type, CodeWatchOnly, CodeNonDeterministic.
var QueryKey = rpc.Method[QueryKeyRequest, QueryKeyResponse]{Name: "query_key", Restricted: true}

// MakeIntegratedAddressRequest is an address and a payment ID.
type MakeIntegratedAddressRequest struct {
	StandardAddress string `json:"standard_address"` // empty for the wallet's primary address
	PaymentID       string `json:"payment_id"`       // 16 hex digits; empty for a random one
}

// MakeIntegratedAddressResponse is the integrated address.
type MakeIntegratedAddressResponse struct {
	IntegratedAddress string `json:"integrated_address"`
	PaymentID         string `json:"payment_id"`
}

// MakeIntegratedAddress combines an address and a payment ID. Errors: CodeWrongPaymentID, CodeWrongAddress.
var MakeIntegratedAddress = rpc.Method[MakeIntegratedAddressRequest, MakeIntegratedAddressResponse]{
	Name: "make_integrated_address",
}

// SplitIntegratedAddressRequest is an integrated address.
type SplitIntegratedAddressRequest struct {
	IntegratedAddress string `json:"integrated_address"`
}

// SplitIntegratedAddressResponse is the parts of an integrated address.
type SplitIntegratedAddressResponse struct {
	StandardAddress string `json:"standard_address"`
	PaymentID       string `json:"payment_id"`
	IsSubaddress    bool   `json:"is_subaddress"`
}

// SplitIntegratedAddress splits an integrated address into address and payment ID. Errors: CodeWrongAddress.
var SplitIntegratedAddress = rpc.Method[SplitIntegratedAddressRequest, SplitIntegratedAddressResponse]{
	Name: "split_integrated_address",
}

// SignRequest is a message to sign.
type SignRequest struct {
	Data          string `json:"data"`
	AccountIndex  uint32 `json:"account_index"`
	AddressIndex  uint32 `json:"address_index"`
	SignatureType string `json:"signature_type"` // spend or view; empty for spend
}

// SignResponse is the signature.
type SignResponse struct {
	Signature string `json:"signature"`
}

// Sign signs a message with the key of one of the wallet's addresses.
// Errors: CodeInvalidSignatureType, CodeWatchOnly.
var Sign = rpc.Method[SignRequest, SignResponse]{Name: "sign", Restricted: true}

// VerifyRequest is a message with its signature.
type VerifyRequest struct {
	Data      string `json:"data"`
	Address   string `json:"address"`
	Signature string `json:"signature"`
}

// VerifyResponse tells whether the signature is valid.
type VerifyResponse struct {
	Good          bool   `json:"good"`
	Version       uint32 `json:"version"`        // 1 or 2
	Old           bool   `json:"old"`            // version 1, which is weaker
	SignatureType string `json:"signature_type"` // spend or view
}

// Verify checks a signature of a message. An invalid signature is reported as good false, not as an error. Errors:
// CodeWrongAddress.
var Verify = rpc.Method[VerifyRequest, VerifyResponse]{Name: "verify", Restricted: true}

// URISpec is a payment request.
type URISpec struct {
	Address       string `json:"address"`
	PaymentID     string `json:"payment_id"` // must be empty in make_uri
	Amount        uint64 `json:"amount"`     // atomic units; 0 if not specified
	TxDescription string `json:"tx_description"`
	RecipientName string `json:"recipient_name"`
}

// MakeURIResponse is a payment request as a URI.
type MakeURIResponse struct {
	URI string `json:"uri"`
}

// MakeURI encodes a payment request as a URI. Errors: CodeWrongURI.
var MakeURI = rpc.Method[URISpec, MakeURIResponse]{Name: "make_uri"}

// ParseURIRequest is a payment request as a URI.
type ParseURIRequest struct {
	URI string `json:"uri"`
}

// ParseURIResponse is the decoded payment request.
type ParseURIResponse struct {
	URI               URISpec  `json:"uri"`
	UnknownParameters []string `json:"unknown_parameters"` // name=value, unchanged
}

// ParseURI decodes a payment request. Errors: CodeWrongURI.
var ParseURI = rpc.Method[ParseURIRequest, ParseURIResponse]{Name: "parse_uri"}
