package walletrpc

import "glim/core/rpc"

// SetTxNotesRequest is transactions with their notes.
type SetTxNotesRequest struct {
	TxIDs []string `json:"txids"`
	Notes []string `json:"notes"` // one for each transaction
}

// SetTxNotes sets the notes of transactions. Errors: CodeUnknown for lists of different lengths, CodeWrongTxID.
var SetTxNotes = rpc.Method[SetTxNotesRequest, Empty]{Name: "set_tx_notes", Restricted: true}

// GetTxNotesRequest is a list of transactions.
type GetTxNotesRequest struct {
	TxIDs []string `json:"txids"`
}

// GetTxNotesResponse has one note for each transaction, empty for a transaction without a note.
type GetTxNotesResponse struct {
	Notes []string `json:"notes"`
}

// GetTxNotes returns the notes of transactions. Errors: CodeWrongTxID.
var GetTxNotes = rpc.Method[GetTxNotesRequest, GetTxNotesResponse]{Name: "get_tx_notes"}

// SetAttributeRequest is a key with its value.
type SetAttributeRequest struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// SetAttribute stores a value under a key in the wallet.
var SetAttribute = rpc.Method[SetAttributeRequest, Empty]{Name: "set_attribute", Restricted: true}

// GetAttributeRequest is the key of an attribute.
type GetAttributeRequest struct {
	Key string `json:"key"`
}

// GetAttributeResponse is the value of an attribute.
type GetAttributeResponse struct {
	Value string `json:"value"`
}

// GetAttribute returns the value of an attribute. Errors: CodeAttributeNotFound.
var GetAttribute = rpc.Method[GetAttributeRequest, GetAttributeResponse]{Name: "get_attribute", Restricted: true}

// GetAddressBookRequest selects entries by index.
type GetAddressBookRequest struct {
	Entries []uint64 `json:"entries"` // empty for all
}

// AddressBookEntry is an entry of the address book.
type AddressBookEntry struct {
	Index       uint64 `json:"index"` // decreases when an entry before it is deleted
	Address     string `json:"address"`
	Description string `json:"description"`
	PaymentID   string `json:"payment_id,omitempty"` // absent: an integrated address contains its payment ID
}

// GetAddressBookResponse lists entries, in the order of the request.
type GetAddressBookResponse struct {
	Entries []AddressBookEntry `json:"entries"`
}

// GetAddressBook returns entries of the address book. Errors: CodeWrongIndex.
var GetAddressBook = rpc.Method[GetAddressBookRequest, GetAddressBookResponse]{Name: "get_address_book"}

// AddAddressBookRequest is a new entry.
type AddAddressBookRequest struct {
	Address     string `json:"address"`
	Description string `json:"description"`
	PaymentID   string `json:"payment_id"` // ignored
}

// AddAddressBookResponse is the index of the new entry.
type AddAddressBookResponse struct {
	Index uint64 `json:"index"`
}

// AddAddressBook appends an entry to the address book. Errors: CodeWrongAddress.
var AddAddressBook = rpc.Method[AddAddressBookRequest, AddAddressBookResponse]{
	Name: "add_address_book", Restricted: true,
}

// EditAddressBookRequest changes the fields whose set_ flag is true.
type EditAddressBookRequest struct {
	Index          uint64 `json:"index"`
	SetAddress     bool   `json:"set_address"`
	Address        string `json:"address"`
	SetDescription bool   `json:"set_description"`
	Description    string `json:"description"`
	SetPaymentID   bool   `json:"set_payment_id"` // ignored
	PaymentID      string `json:"payment_id"`     // ignored
}

// EditAddressBook changes an entry of the address book. Errors: CodeWrongIndex, CodeWrongAddress.
var EditAddressBook = rpc.Method[EditAddressBookRequest, Empty]{Name: "edit_address_book", Restricted: true}

// DeleteAddressBookRequest is the index of an entry.
type DeleteAddressBookRequest struct {
	Index uint64 `json:"index"`
}

// DeleteAddressBook deletes an entry of the address book. Errors: CodeWrongIndex.
var DeleteAddressBook = rpc.Method[DeleteAddressBookRequest, Empty]{Name: "delete_address_book", Restricted: true}
