package walletrpc

import "glim/core/rpc"

// SetTxNotesRequest pairs transactions with notes.
type SetTxNotesRequest struct {
	TxIDs []string `json:"txids"`
	Notes []string `json:"notes"` // as many
}

// SetTxNotes writes notes on transactions. Errors: CodeUnknown for lists of different lengths, CodeWrongTxID.
var SetTxNotes = rpc.Method[SetTxNotesRequest, Empty]{Name: "set_tx_notes", Restricted: true}

// GetTxNotesRequest names transactions.
type GetTxNotesRequest struct {
	TxIDs []string `json:"txids"`
}

// GetTxNotesResponse holds a note for each, empty where there is none.
type GetTxNotesResponse struct {
	Notes []string `json:"notes"`
}

// GetTxNotes returns the notes on transactions. Errors: CodeWrongTxID.
var GetTxNotes = rpc.Method[GetTxNotesRequest, GetTxNotesResponse]{Name: "get_tx_notes"}

// SetAttributeRequest is a free pair.
type SetAttributeRequest struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// SetAttribute keeps a pair in the wallet.
var SetAttribute = rpc.Method[SetAttributeRequest, Empty]{Name: "set_attribute", Restricted: true}

// GetAttributeRequest names an attribute.
type GetAttributeRequest struct {
	Key string `json:"key"`
}

// GetAttributeResponse is its value.
type GetAttributeResponse struct {
	Value string `json:"value"`
}

// GetAttribute returns what SetAttribute kept. Errors: CodeAttributeNotFound.
var GetAttribute = rpc.Method[GetAttributeRequest, GetAttributeResponse]{Name: "get_attribute", Restricted: true}

// GetAddressBookRequest names entries.
type GetAddressBookRequest struct {
	Entries []uint64 `json:"entries"` // none for all
}

// AddressBookEntry is an address worth remembering.
type AddressBookEntry struct {
	Index       uint64 `json:"index"` // moves up when an entry before it goes
	Address     string `json:"address"`
	Description string `json:"description"`
	PaymentID   string `json:"payment_id"` // always empty: integrated addresses carry theirs
}

// GetAddressBookResponse lists entries, in the order asked.
type GetAddressBookResponse struct {
	Entries []AddressBookEntry `json:"entries"`
}

// GetAddressBook returns address book entries. Errors: CodeWrongIndex.
var GetAddressBook = rpc.Method[GetAddressBookRequest, GetAddressBookResponse]{Name: "get_address_book"}

// AddAddressBookRequest is a new entry.
type AddAddressBookRequest struct {
	Address     string `json:"address"`
	Description string `json:"description"`
	PaymentID   string `json:"payment_id"` // read and ignored
}

// AddAddressBookResponse is where it went.
type AddAddressBookResponse struct {
	Index uint64 `json:"index"`
}

// AddAddressBook adds an entry at the end. Errors: CodeWrongAddress.
var AddAddressBook = rpc.Method[AddAddressBookRequest, AddAddressBookResponse]{Name: "add_address_book", Restricted: true}

// EditAddressBookRequest changes what its set_ members name.
type EditAddressBookRequest struct {
	Index          uint64 `json:"index"`
	SetAddress     bool   `json:"set_address"`
	Address        string `json:"address"`
	SetDescription bool   `json:"set_description"`
	Description    string `json:"description"`
	SetPaymentID   bool   `json:"set_payment_id"` // read and ignored
	PaymentID      string `json:"payment_id"`     // read and ignored
}

// EditAddressBook changes an entry. Errors: CodeWrongIndex, CodeWrongAddress.
var EditAddressBook = rpc.Method[EditAddressBookRequest, Empty]{Name: "edit_address_book", Restricted: true}

// DeleteAddressBookRequest names an entry.
type DeleteAddressBookRequest struct {
	Index uint64 `json:"index"`
}

// DeleteAddressBook removes an entry. Errors: CodeWrongIndex.
var DeleteAddressBook = rpc.Method[DeleteAddressBookRequest, Empty]{Name: "delete_address_book", Restricted: true}
