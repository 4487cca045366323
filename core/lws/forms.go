package lws

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Amount is a number that JSON has as a decimal string, because it may exceed what JavaScript represents.
type Amount uint64

// MarshalJSON returns a decimal string.
func (a Amount) MarshalJSON() ([]byte, error) {
	return append(strconv.AppendUint([]byte{'"'}, uint64(a), 10), '"'), nil
}

// UnmarshalJSON accepts a decimal string or a number without fraction.
func (a *Amount) UnmarshalJSON(b []byte) error {
	if len(b) > 1 && b[0] == '"' && b[len(b)-1] == '"' {
		b = b[1 : len(b)-1]
	}
	n, err := strconv.ParseUint(string(b), 10, 64)
	if err != nil {
		return invalid("an amount is not a decimal number below 2^64")
	}
	*a = Amount(n)
	return nil
}

// key is a secret key in hexadecimal.
type key struct{ keys.Secret }

// UnmarshalJSON accepts 64 hexadecimal digits. Its error does not contain them.
func (k *key) UnmarshalJSON(b []byte) error {
	if len(b) != 66 || b[0] != '"' || b[65] != '"' {
		return invalid("view_key must have 64 hexadecimal digits")
	}
	if _, err := hex.Decode(k.Secret[:], b[1:65]); err != nil {
		return invalid("view_key must have 64 hexadecimal digits")
	}
	return nil
}

// hexBytes are bytes in hexadecimal.
type hexBytes []byte

// MarshalText returns hexadecimal digits.
func (h hexBytes) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h), nil }

// UnmarshalText accepts hexadecimal digits.
func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	if *h, err = hex.AppendDecode(nil, text); err != nil {
		return invalid("bytes must be an even number of hexadecimal digits")
	}
	return nil
}

// moment is a time in POSIX seconds, which JSON has as a date.
type moment uint64

// maxMoment is the last second of the year 9999, the last that has four digits.
const maxMoment = 253402300799

// MarshalText returns the time as in 2026-11-27T14:30:00Z.
func (m moment) MarshalText() ([]byte, error) {
	return time.Unix(int64(min(m, maxMoment)), 0).UTC().AppendFormat(nil, "2006-01-02T15:04:05Z"), nil
}

// index is the index of an address, in the names of the interface.
type index struct {
	Major uint32 `json:"maj_i"`
	Minor uint32 `json:"min_i"`
}

// Credentials identify an account and prove that the client may read it.
type Credentials struct {
	Address string `json:"address"`
	ViewKey *key   `json:"view_key"`
}

// addressOf returns the account that a primary address stands for.
func addressOf(n xmr.Network, s string) (Address, error) {
	a, err := address.ParseFor(n, s)
	switch {
	case err != nil:
		return Address{}, invalid("%v", err)
	case a.Kind != address.Standard:
		return Address{}, invalid("the address must be a primary one, without a payment ID")
	}
	return Address{a.Spend, a.View}, nil
}

// text returns the address as text.
func (a Address) text(n xmr.Network) string {
	return address.Address{Network: n, Kind: address.Standard, Spend: a.Spend, View: a.View}.String()
}

func (c *Credentials) read(n xmr.Network) (Address, keys.Secret, error) {
	if c.ViewKey == nil {
		return Address{}, keys.Secret{}, invalid("view_key is missing")
	}
	a, err := addressOf(n, c.Address)
	return a, c.ViewKey.Secret, err
}

// decode reads a request. Its errors do not quote the body, which has a view key.
func decode[Req any](body []byte) (req Req, err error) {
	if err := json.Unmarshal(body, &req); err != nil {
		if e, ok := err.(*Error); ok {
			return req, e
		}
		return req, invalid("the body is not a JSON object of the expected form")
	}
	return req, nil
}

// required returns an error if a field of a request is missing.
func required(name string, present bool) error {
	if present {
		return nil
	}
	return invalid("%s is missing", name)
}

// Requests and responses of wallets. Fields with the same names are described at monero-lws's wallet API.
type (
	loginRequest struct {
		Credentials
		CreateAccount    *bool     `json:"create_account"`
		GeneratedLocally *bool     `json:"generated_locally"`
		Lookahead        Lookahead `json:"lookahead"`
	}
	loginResponse struct {
		NewAddress       bool      `json:"new_address"`
		GeneratedLocally bool      `json:"generated_locally"`
		StartHeight      uint64    `json:"start_height,omitempty"`
		Lookahead        Lookahead `json:"lookahead"`
	}

	progress struct {
		ScannedHeight      uint64     `json:"scanned_height"`
		ScannedBlockHeight uint64     `json:"scanned_block_height"`
		StartHeight        uint64     `json:"start_height"`
		TransactionHeight  uint64     `json:"transaction_height"`
		BlockchainHeight   uint64     `json:"blockchain_height"`
		LookaheadFail      uint64     `json:"lookahead_fail,omitempty"`
		Lookahead          *Lookahead `json:"lookahead,omitempty"`
	}
	spendForm struct {
		Amount   Amount        `json:"amount"`
		KeyImage xmr.KeyImage  `json:"key_image"`
		TxPubKey xmr.PublicKey `json:"tx_pub_key"`
		OutIndex int           `json:"out_index"`
		Mixin    uint32        `json:"mixin"`
		Sender   index         `json:"sender"`
	}
	infoResponse struct {
		LockedFunds   Amount `json:"locked_funds"`
		TotalReceived Amount `json:"total_received"`
		TotalSent     Amount `json:"total_sent"`
		progress
		SpentOutputs []spendForm            `json:"spent_outputs,omitempty"`
		Rates        map[string]json.Number `json:"rates,omitempty"`
	}
	txForm struct {
		ID            int         `json:"id"`
		Hash          xmr.Hash    `json:"hash"`
		Timestamp     *moment     `json:"timestamp,omitempty"` // nil in the pool
		TotalReceived Amount      `json:"total_received"`
		TotalSent     Amount      `json:"total_sent"`
		Fee           Amount      `json:"fee"`
		UnlockTime    uint64      `json:"unlock_time"`
		Height        *uint64     `json:"height,omitempty"` // nil in the pool
		PaymentID     hexBytes    `json:"payment_id,omitempty"`
		Coinbase      bool        `json:"coinbase"`
		Mempool       bool        `json:"mempool"`
		Mixin         uint32      `json:"mixin"`
		Recipient     index       `json:"recipient"`
		SpentOutputs  []spendForm `json:"spent_outputs,omitempty"`
	}
	txsResponse struct {
		TotalReceived Amount `json:"total_received"`
		progress
		Transactions []txForm `json:"transactions,omitempty"`
	}

	unspentRequest struct {
		Credentials
		Amount        *Amount `json:"amount"`
		Mixin         uint32  `json:"mixin"`
		UseDust       bool    `json:"use_dust"`
		DustThreshold Amount  `json:"dust_threshold"`
	}
	outputForm struct {
		Amount         Amount         `json:"amount"`
		PublicKey      xmr.PublicKey  `json:"public_key"`
		Index          int            `json:"index"`
		GlobalIndex    uint64         `json:"global_index"`
		TxID           uint64         `json:"tx_id"`
		TxHash         xmr.Hash       `json:"tx_hash"`
		TxPrefixHash   xmr.Hash       `json:"tx_prefix_hash"`
		TxPubKey       xmr.PublicKey  `json:"tx_pub_key"`
		Timestamp      moment         `json:"timestamp"`
		Height         uint64         `json:"height"`
		SpendKeyImages []xmr.KeyImage `json:"spend_key_images,omitempty"`
		Rct            hexBytes       `json:"rct,omitempty"`
		Recipient      index          `json:"recipient"`
	}
	unspentResponse struct {
		PerByteFee    uint64       `json:"per_byte_fee"`
		FeeMask       uint64       `json:"fee_mask"`
		Amount        Amount       `json:"amount"`
		LookaheadFail uint64       `json:"lookahead_fail,omitempty"`
		Outputs       []outputForm `json:"outputs,omitempty"`
		Fees          []uint64     `json:"fees"`
	}

	randomRequest struct {
		Count   *uint32  `json:"count"`
		Amounts []Amount `json:"amounts"`
	}
	randomForm struct {
		GlobalIndex Amount        `json:"global_index"`
		PublicKey   xmr.PublicKey `json:"public_key"`
		Rct         hexBytes      `json:"rct"`
	}
	ringForm struct {
		Amount  Amount       `json:"amount"`
		Outputs []randomForm `json:"outputs,omitempty"`
	}
	randomResponse struct {
		AmountOuts []ringForm `json:"amount_outs"`
	}

	importRequest struct {
		Credentials
		FromHeight uint64    `json:"from_height"`
		Lookahead  Lookahead `json:"lookahead"`
	}
	importResponse struct {
		ImportFee        Amount    `json:"import_fee"`
		Status           string    `json:"status"`
		NewRequest       bool      `json:"new_request"`
		RequestFulfilled bool      `json:"request_fulfilled"`
		Lookahead        Lookahead `json:"lookahead"`
	}

	submitRequest struct {
		Tx *string `json:"tx"`
	}
	submitResponse struct {
		Status string `json:"status"`
	}

	provisionRequest struct {
		Credentials
		Major  *uint32 `json:"maj_i"`
		Minor  *uint32 `json:"min_i"`
		Majors *uint32 `json:"n_maj"`
		Minors *uint32 `json:"n_min"`
		GetAll *bool   `json:"get_all"`
	}
	upsertRequest struct {
		Credentials
		Subaddresses []Subaddresses `json:"subaddrs"`
		GetAll       *bool          `json:"get_all"`
	}
	upsertResponse struct {
		New []Subaddresses `json:"new_subaddrs,omitempty"`
		All []Subaddresses `json:"all_subaddrs,omitempty"`
	}
	subaddressesResponse struct {
		All []Subaddresses `json:"all_subaddrs,omitempty"`
	}

	versionResponse struct {
		ServerType       string `json:"server_type"`
		ServerVersion    string `json:"server_version"`
		CommitHash       string `json:"last_git_commit_hash"`
		CommitDate       string `json:"last_git_commit_date"`
		Branch           string `json:"git_branch_name"`
		MoneroVersion    string `json:"monero_version_full"`
		BlockchainHeight uint64 `json:"blockchain_height"`
		API              uint32 `json:"api"`
		MaxSubaddresses  uint32 `json:"max_subaddresses"`
		NetworkType      string `json:"network_type"`
		Testnet          bool   `json:"testnet"`
	}
	statusResponse struct {
		Outgoing     uint64 `json:"outgoing_connections_count"`
		Incoming     uint64 `json:"incoming_connections_count"`
		Height       uint64 `json:"height"`
		TargetHeight uint64 `json:"target_height"`
		Network      string `json:"network"`
		State        string `json:"state"`
	}
)

// networkNames are the names of networks in the interface.
var networkNames = map[xmr.Network]string{
	xmr.Mainnet: "main", xmr.Testnet: "test", xmr.Stagenet: "stage", xmr.Regtest: "fake",
}

// encodeResponse encodes a response. Responses have nothing that fails.
func encodeResponse(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, smallfmt.Errorf("lws: a response cannot be encoded: %w", err)
	}
	return b, nil
}
