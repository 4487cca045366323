package daemonrpc

import "glim/core/rpc"

// RPCAccessInfoResponse contains the block that a client mines to earn credits.
type RPCAccessInfoResponse struct {
	Metered
	HashingBlob         string `json:"hashing_blob"` // hexadecimal
	SeedHeight          uint64 `json:"seed_height"`
	SeedHash            string `json:"seed_hash"`
	NextSeedHash        string `json:"next_seed_hash"`
	Cookie              uint32 `json:"cookie"`
	Diff                uint64 `json:"diff"`
	CreditsPerHashFound uint64 `json:"credits_per_hash_found"`
	Height              uint64 `json:"height"`
}

// RPCAccessInfo returns the data to mine for credits.
var RPCAccessInfo = rpc.Method[PayerOnly, RPCAccessInfoResponse]{Name: "rpc_access_info"}

// RPCAccessSubmitNonceRequest is a nonce that was found by mining.
type RPCAccessSubmitNonceRequest struct {
	Payer
	Nonce  uint32 `json:"nonce"`
	Cookie uint32 `json:"cookie"`
}

// RPCAccessSubmitNonce submits a nonce in exchange for credits.
var RPCAccessSubmitNonce = rpc.Method[RPCAccessSubmitNonceRequest, PlainMetered]{Name: "rpc_access_submit_nonce"}

// RPCAccessPayRequest is a payment and its purpose.
type RPCAccessPayRequest struct {
	Payer
	PayingFor string `json:"paying_for"`
	Payment   uint64 `json:"payment"` // credits
}

// RPCAccessPay spends credits.
var RPCAccessPay = rpc.Method[RPCAccessPayRequest, PlainMetered]{Name: "rpc_access_pay"}

// RPCAccessTrackingRequest selects whether to reset the counters.
type RPCAccessTrackingRequest struct {
	Clear bool `json:"clear"`
}

// RPCUse counts the calls of one operation.
type RPCUse struct {
	RPC     string `json:"rpc"`
	Count   uint64 `json:"count"`
	Time    uint64 `json:"time"` // microseconds
	Credits uint64 `json:"credits"`
}

// RPCAccessTrackingResponse is the response of rpc_access_tracking.
type RPCAccessTrackingResponse struct {
	Common
	Data []RPCUse `json:"data" max:"131072"`
}

// RPCAccessTracking counts calls by operation. Restricted.
var RPCAccessTracking = rpc.Method[RPCAccessTrackingRequest, RPCAccessTrackingResponse]{
	Name: "rpc_access_tracking", Restricted: true,
}

// RPCAccount is the balance of one client.
type RPCAccount struct {
	Client         string `json:"client"`
	Balance        uint64 `json:"balance"`
	LastUpdateTime uint64 `json:"last_update_time"` // seconds since 1970
	CreditsTotal   uint64 `json:"credits_total"`
	CreditsUsed    uint64 `json:"credits_used"`
	NoncesGood     uint64 `json:"nonces_good"`
	NoncesStale    uint64 `json:"nonces_stale"`
	NoncesBad      uint64 `json:"nonces_bad"`
	NoncesDupe     uint64 `json:"nonces_dupe"`
}

// RPCAccessDataResponse is the response of rpc_access_data.
type RPCAccessDataResponse struct {
	Common
	Entries  []RPCAccount `json:"entries" max:"131072"`
	Hashrate uint32       `json:"hashrate"` // hashes per second of all clients
}

// RPCAccessData returns the balances of all clients. Restricted.
var RPCAccessData = rpc.Method[None, RPCAccessDataResponse]{Name: "rpc_access_data", Restricted: true}

// RPCAccessAccountRequest changes the balance of a client.
type RPCAccessAccountRequest struct {
	Client       string `json:"client"`
	DeltaBalance int64  `json:"delta_balance"`
}

// RPCAccessAccountResponse is the response of rpc_access_account.
type RPCAccessAccountResponse struct {
	Common
	Credits uint64 `json:"credits"`
}

// RPCAccessAccount returns and changes the balance of a client. Restricted.
var RPCAccessAccount = rpc.Method[RPCAccessAccountRequest, RPCAccessAccountResponse]{
	Name: "rpc_access_account", Restricted: true,
}
