package service

import (
	"context"
	"errors"

	"glim/core/address"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// records implements the operations on transaction notes, attributes and the address book.
type records struct {
	active  *active
	aliases *aliases
	network xmr.Network
}

func bookIndex(err error, i uint64) error {
	if errors.Is(err, wallet.ErrBookIndex) {
		return walletrpc.Fail(walletrpc.CodeWrongIndex, "Index out of range: %d", i)
	}
	return err
}

func (s *records) setTxNotes(_ context.Context, req walletrpc.SetTxNotesRequest) (empty, error) {
	return empty{}, s.active.change(func(*wallet.Wallet) (c wallet.ChangeSet, err error) {
		if len(req.TxIDs) != len(req.Notes) {
			return c, walletrpc.Fail(walletrpc.CodeUnknown, "Different amount of txids and notes")
		}
		ids, err := txIDs(req.TxIDs)
		for i := range ids {
			c.User.Notes = append(c.User.Notes, wallet.Note{TxID: ids[i], Text: req.Notes[i]})
		}
		return c, err
	})
}

func (s *records) getTxNotes(
	_ context.Context, req walletrpc.GetTxNotesRequest,
) (resp walletrpc.GetTxNotesResponse, err error) {
	err = s.active.view(func(w *wallet.Wallet) error {
		ids, err := txIDs(req.TxIDs)
		for _, id := range ids {
			resp.Notes = append(resp.Notes, w.Note(id))
		}
		return err
	})
	return resp, err
}

func (s *records) setAttribute(_ context.Context, req walletrpc.SetAttributeRequest) (empty, error) {
	return empty{}, s.active.change(func(*wallet.Wallet) (wallet.ChangeSet, error) {
		return wallet.ChangeSet{
			User: wallet.UserChange{Attrs: []wallet.Attribute{{Key: req.Key, Value: req.Value}}},
		}, nil
	})
}

func (s *records) getAttribute(
	_ context.Context, req walletrpc.GetAttributeRequest,
) (resp walletrpc.GetAttributeResponse, err error) {
	err = s.active.view(func(w *wallet.Wallet) error {
		value, ok := w.Attribute(req.Key)
		if !ok {
			return walletrpc.Fail(walletrpc.CodeAttributeNotFound, "")
		}
		resp.Value = value
		return nil
	})
	return resp, err
}

// checkAddress returns CodeWrongAddress unless text is an address of the wallet's network.
func (s *records) checkAddress(text string) error {
	if _, err := address.ParseFor(s.network, text); err != nil {
		return walletrpc.Fail(walletrpc.CodeWrongAddress, "WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: %s", text)
	}
	return nil
}

func (s *records) getAddressBook(
	_ context.Context, req walletrpc.GetAddressBookRequest,
) (resp walletrpc.GetAddressBookResponse, err error) {
	err = s.active.view(func(w *wallet.Wallet) error {
		book, indices := w.Book(), req.Entries
		if len(indices) == 0 {
			for i := range book {
				indices = append(indices, uint64(i))
			}
		}
		for _, i := range indices {
			if i >= uint64(len(book)) {
				resp.Entries = nil
				return bookIndex(wallet.ErrBookIndex, i)
			}
			resp.Entries = append(resp.Entries, walletrpc.AddressBookEntry{
				Index: i, Address: book[i].Address, Description: book[i].Description})
		}
		return nil
	})
	return resp, err
}

func (s *records) addAddressBook(
	ctx context.Context, req walletrpc.AddAddressBookRequest,
) (resp walletrpc.AddAddressBookResponse, err error) {
	if req.Address, err = s.aliases.address(ctx, req.Address); err != nil {
		return resp, err
	}
	err = s.active.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		if err := s.checkAddress(req.Address); err != nil {
			return wallet.ChangeSet{}, err
		}
		resp.Index = uint64(len(w.Book()))
		return w.DecideBook(wallet.BookChange{Entry: wallet.BookEntry{Address: req.Address,
			Description: req.Description}})
	})
	return resp, err
}

func (s *records) editAddressBook(
	ctx context.Context, req walletrpc.EditAddressBookRequest,
) (resp empty, err error) {
	checkIndex := func(w *wallet.Wallet) error {
		if req.Index >= uint64(len(w.Book())) {
			return bookIndex(wallet.ErrBookIndex, req.Index)
		}
		return nil
	}
	if req.SetAddress {
		// Before a name is looked up, which takes long and which others can see.
		if err := s.active.view(checkIndex); err != nil {
			return resp, err
		}
		if req.Address, err = s.aliases.address(ctx, req.Address); err != nil {
			return resp, err
		}
	}
	return resp, s.active.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		if err := checkIndex(w); err != nil {
			return wallet.ChangeSet{}, err
		}
		entry := w.Book()[req.Index]
		if req.SetAddress {
			if err := s.checkAddress(req.Address); err != nil {
				return wallet.ChangeSet{}, err
			}
			entry.Address = req.Address
		}
		if req.SetDescription {
			entry.Description = req.Description
		}
		return w.DecideBook(wallet.BookChange{Kind: wallet.BookSet, Index: req.Index, Entry: entry})
	})
}

func (s *records) deleteAddressBook(_ context.Context, req walletrpc.DeleteAddressBookRequest) (empty, error) {
	return empty{}, s.active.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		c, err := w.DecideBook(wallet.BookChange{Kind: wallet.BookDelete, Index: req.Index})
		return c, bookIndex(err, req.Index)
	})
}
