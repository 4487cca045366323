package walletrpc

import "glim/core/rpc"

// GetTxKeyRequest names a transaction.
type GetTxKeyRequest struct {
	TxID string `json:"txid"`
}

// GetTxKeyResponse is its secret key.
type GetTxKeyResponse struct {
	TxKey string `json:"tx_key"` // then the additional keys, 64 digits each
}

// GetTxKey returns the secret key of a transaction this wallet made. Errors: CodeWrongTxID, CodeNoTxKey.
var GetTxKey = rpc.Method[GetTxKeyRequest, GetTxKeyResponse]{Name: "get_tx_key"}

// CheckTxKeyRequest claims that a transaction paid an address.
type CheckTxKeyRequest struct {
	TxID    string `json:"txid"`
	TxKey   string `json:"tx_key"` // with the additional keys
	Address string `json:"address"`
}

// CheckTxKeyResponse is what the address received.
type CheckTxKeyResponse struct {
	Received      uint64 `json:"received"` // atomic units
	InPool        bool   `json:"in_pool"`
	Confirmations uint64 `json:"confirmations"`
}

// CheckTxKey tells what a transaction paid to an address. Errors: CodeWrongTxID, CodeWrongKey, CodeWrongAddress.
var CheckTxKey = rpc.Method[CheckTxKeyRequest, CheckTxKeyResponse]{Name: "check_tx_key"}

// GetTxProofRequest asks for a proof of payment.
type GetTxProofRequest struct {
	TxID    string `json:"txid"`
	Address string `json:"address"`
	Message string `json:"message"` // bound into the proof
}

// ProofResponse is a proof.
type ProofResponse struct {
	Signature string `json:"signature"`
}

// GetTxProof proves that a transaction paid an address: the sender for another's, the receiver for its own.
// Errors: CodeWrongTxID, CodeWrongAddress, CodeUnknown.
var GetTxProof = rpc.Method[GetTxProofRequest, ProofResponse]{Name: "get_tx_proof"}

// CheckTxProofRequest is a proof of payment with what it claims.
type CheckTxProofRequest struct {
	TxID      string `json:"txid"`
	Address   string `json:"address"`
	Message   string `json:"message"`
	Signature string `json:"signature"`
}

// CheckTxProofResponse judges the proof.
type CheckTxProofResponse struct {
	Good          bool   `json:"good"`
	Received      uint64 `json:"received"` // atomic units
	InPool        bool   `json:"in_pool"`
	Confirmations uint64 `json:"confirmations"`
}

// CheckTxProof checks a proof of payment. A wrong one is good false. Errors: CodeWrongTxID, CodeWrongAddress,
// CodeUnknown for what does not parse.
var CheckTxProof = rpc.Method[CheckTxProofRequest, CheckTxProofResponse]{Name: "check_tx_proof"}

// GetSpendProofRequest asks for a proof of having spent.
type GetSpendProofRequest struct {
	TxID    string `json:"txid"`
	Message string `json:"message"` // bound into the proof
}

// GetSpendProof proves that this wallet made a transaction. Errors: CodeWrongTxID, CodeUnknown.
var GetSpendProof = rpc.Method[GetSpendProofRequest, ProofResponse]{Name: "get_spend_proof"}

// CheckSpendProofRequest is a proof of having spent.
type CheckSpendProofRequest struct {
	TxID      string `json:"txid"`
	Message   string `json:"message"`
	Signature string `json:"signature"`
}

// CheckSpendProofResponse judges the proof.
type CheckSpendProofResponse struct {
	Good bool `json:"good"`
}

// CheckSpendProof checks who made a transaction. Errors: CodeWrongTxID, CodeUnknown.
var CheckSpendProof = rpc.Method[CheckSpendProofRequest, CheckSpendProofResponse]{Name: "check_spend_proof"}

// GetReserveProofRequest asks for a proof of money held.
type GetReserveProofRequest struct {
	All          bool   `json:"all"` // prove the whole wallet; the two below are ignored
	AccountIndex uint32 `json:"account_index"`
	Amount       uint64 `json:"amount"`  // at least this much, atomic units
	Message      string `json:"message"` // bound into the proof
}

// GetReserveProof proves that the wallet holds money. Errors: CodeUnknown.
var GetReserveProof = rpc.Method[GetReserveProofRequest, ProofResponse]{Name: "get_reserve_proof"}

// CheckReserveProofRequest is a proof of money held.
type CheckReserveProofRequest struct {
	Address   string `json:"address"` // the wallet's primary
	Message   string `json:"message"`
	Signature string `json:"signature"`
}

// CheckReserveProofResponse judges the proof.
type CheckReserveProofResponse struct {
	Good  bool   `json:"good"`
	Total uint64 `json:"total"` // atomic units the proof covers
	Spent uint64 `json:"spent"` // atomic units of them spent since
}

// CheckReserveProof checks a proof of money held. Errors: CodeWrongAddress, CodeUnknown.
var CheckReserveProof = rpc.Method[CheckReserveProofRequest, CheckReserveProofResponse]{Name: "check_reserve_proof"}
