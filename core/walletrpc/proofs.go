package walletrpc

import "glim/core/rpc"

// GetTxKeyRequest is a transaction ID.
type GetTxKeyRequest struct {
	TxID string `json:"txid"`
}

// GetTxKeyResponse is the secret key of a transaction.
type GetTxKeyResponse struct {
	TxKey string `json:"tx_key"` // 64 hex digits, followed by those of the additional keys
}

// GetTxKey returns the secret key of a transaction that this wallet created. Errors: CodeWrongTxID, CodeNoTxKey.
var GetTxKey = rpc.Method[GetTxKeyRequest, GetTxKeyResponse]{Name: "get_tx_key"}

// CheckTxKeyRequest is a transaction with its secret key and an address.
type CheckTxKeyRequest struct {
	TxID    string `json:"txid"`
	TxKey   string `json:"tx_key"` // followed by the additional keys
	Address string `json:"address"`
}

// CheckTxKeyResponse is the amount that the address received.
type CheckTxKeyResponse struct {
	Received      uint64 `json:"received"` // atomic units
	InPool        bool   `json:"in_pool"`
	Confirmations uint64 `json:"confirmations"`
}

// CheckTxKey returns the amount that a transaction paid to an address. Errors: CodeWrongTxID, CodeWrongKey,
// CodeWrongAddress.
var CheckTxKey = rpc.Method[CheckTxKeyRequest, CheckTxKeyResponse]{Name: "check_tx_key"}

// GetTxProofRequest selects the payment to prove.
type GetTxProofRequest struct {
	TxID    string `json:"txid"`
	Address string `json:"address"`
	Message string `json:"message"` // covered by the proof
}

// ProofResponse is a proof.
type ProofResponse struct {
	Signature string `json:"signature"`
}

// GetTxProof proves that a transaction paid an address: as the sender, or for an address of this wallet as the
// receiver. Errors: CodeWrongTxID, CodeWrongAddress, CodeUnknown.
var GetTxProof = rpc.Method[GetTxProofRequest, ProofResponse]{Name: "get_tx_proof"}

// CheckTxProofRequest is a proof of payment with the payment it proves.
type CheckTxProofRequest struct {
	TxID      string `json:"txid"`
	Address   string `json:"address"`
	Message   string `json:"message"`
	Signature string `json:"signature"`
}

// CheckTxProofResponse tells whether the proof is valid.
type CheckTxProofResponse struct {
	Good          bool   `json:"good"`
	Received      uint64 `json:"received"` // atomic units
	InPool        bool   `json:"in_pool"`
	Confirmations uint64 `json:"confirmations"`
}

// CheckTxProof checks a proof of payment. An invalid proof is reported as good false. Errors: CodeWrongTxID,
// CodeWrongAddress, CodeUnknown for a malformed proof.
var CheckTxProof = rpc.Method[CheckTxProofRequest, CheckTxProofResponse]{Name: "check_tx_proof"}

// GetSpendProofRequest selects the transaction to prove.
type GetSpendProofRequest struct {
	TxID    string `json:"txid"`
	Message string `json:"message"` // covered by the proof
}

// GetSpendProof proves that this wallet created a transaction. Errors: CodeWrongTxID, CodeUnknown.
var GetSpendProof = rpc.Method[GetSpendProofRequest, ProofResponse]{Name: "get_spend_proof"}

// CheckSpendProofRequest is a proof of spending with its transaction.
type CheckSpendProofRequest struct {
	TxID      string `json:"txid"`
	Message   string `json:"message"`
	Signature string `json:"signature"`
}

// CheckSpendProofResponse tells whether the proof is valid.
type CheckSpendProofResponse struct {
	Good bool `json:"good"`
}

// CheckSpendProof checks a proof that its author created a transaction. Errors: CodeWrongTxID, CodeUnknown.
var CheckSpendProof = rpc.Method[CheckSpendProofRequest, CheckSpendProofResponse]{Name: "check_spend_proof"}

// GetReserveProofRequest selects the funds to prove.
type GetReserveProofRequest struct {
	All          bool   `json:"all"` // prove the whole wallet and ignore the two fields below
	AccountIndex uint32 `json:"account_index"`
	Amount       uint64 `json:"amount"`  // atomic units to prove at least
	Message      string `json:"message"` // covered by the proof
}

// GetReserveProof proves that the wallet holds unspent outputs. Errors: CodeUnknown.
var GetReserveProof = rpc.Method[GetReserveProofRequest, ProofResponse]{Name: "get_reserve_proof"}

// CheckReserveProofRequest is a reserve proof.
type CheckReserveProofRequest struct {
	Address   string `json:"address"` // primary address of the wallet
	Message   string `json:"message"`
	Signature string `json:"signature"`
}

// CheckReserveProofResponse tells whether the proof is valid, and for which amount.
type CheckReserveProofResponse struct {
	Good  bool   `json:"good"`
	Total uint64 `json:"total"` // atomic units covered by the proof
	Spent uint64 `json:"spent"` // atomic units of total that have been spent since
}

// CheckReserveProof checks a reserve proof. Errors: CodeWrongAddress, CodeUnknown.
var CheckReserveProof = rpc.Method[CheckReserveProofRequest, CheckReserveProofResponse]{Name: "check_reserve_proof"}
