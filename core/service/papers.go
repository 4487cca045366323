package service

import (
	"context"
	"encoding/hex"
	"errors"

	"glim/core/address"
	"glim/core/rpc"
	"glim/core/say"
	"glim/core/signer"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

func (s *Service) getAccountTags(context.Context, empty) (resp walletrpc.GetAccountTagsResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		for _, t := range w.Tags() {
			resp.AccountTags = append(resp.AccountTags, walletrpc.AccountTag{Tag: t.Tag, Label: t.Description, Accounts: t.Accounts})
		}
		return nil
	})
	return resp, err
}

func (s *Service) tagAccounts(_ context.Context, req walletrpc.TagAccountsRequest) (empty, error) {
	return empty{}, s.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideTags(req.Accounts, req.Tag) })
}

func (s *Service) untagAccounts(_ context.Context, req walletrpc.UntagAccountsRequest) (empty, error) {
	return empty{}, s.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideTags(req.Accounts, "") })
}

func (s *Service) setAccountTagDescription(_ context.Context, req walletrpc.SetAccountTagDescriptionRequest) (empty, error) {
	return empty{}, s.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		return w.DecideTagDescription(req.Tag, req.Description)
	})
}

// parseTxID reads a transaction's ID, or CodeWrongTxID.
func parseTxID(text string) (xmr.Hash, error) {
	id, err := xmr.ParseHash(text)
	if err != nil {
		return id, walletrpc.Fail(walletrpc.CodeWrongTxID, "TX ID has invalid format")
	}
	return id, nil
}

// txIDs reads transaction IDs, or CodeWrongTxID.
func txIDs(texts []string) ([]xmr.Hash, error) {
	ids := make([]xmr.Hash, len(texts))
	for i, text := range texts {
		id, err := parseTxID(text)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return ids, nil
}

func (s *Service) setTxNotes(_ context.Context, req walletrpc.SetTxNotesRequest) (empty, error) {
	return empty{}, s.change(func(*wallet.Wallet) (c wallet.ChangeSet, err error) {
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

func (s *Service) getTxNotes(_ context.Context, req walletrpc.GetTxNotesRequest) (resp walletrpc.GetTxNotesResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		ids, err := txIDs(req.TxIDs)
		for _, id := range ids {
			resp.Notes = append(resp.Notes, w.Note(id))
		}
		return err
	})
	return resp, err
}

func (s *Service) setAttribute(_ context.Context, req walletrpc.SetAttributeRequest) (empty, error) {
	return empty{}, s.change(func(*wallet.Wallet) (wallet.ChangeSet, error) {
		return wallet.ChangeSet{User: wallet.UserChange{Attrs: []wallet.Attribute{{Key: req.Key, Value: req.Value}}}}, nil
	})
}

func (s *Service) getAttribute(_ context.Context, req walletrpc.GetAttributeRequest) (resp walletrpc.GetAttributeResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		value, ok := w.Attribute(req.Key)
		if !ok {
			return walletrpc.Fail(walletrpc.CodeAttributeNotFound, "")
		}
		resp.Value = value
		return nil
	})
	return resp, err
}

func bookIndex(err error, i uint64) error {
	if errors.Is(err, wallet.ErrBookIndex) {
		return walletrpc.Fail(walletrpc.CodeWrongIndex, "Index out of range: %d", i)
	}
	return err
}

// checkAddress returns CodeWrongAddress unless text is an address of the wallet's network.
func (s *Service) checkAddress(text string) error {
	if _, err := address.ParseFor(s.config.Network, text); err != nil {
		return walletrpc.Fail(walletrpc.CodeWrongAddress, "WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: %s", text)
	}
	return nil
}

func (s *Service) getAddressBook(_ context.Context, req walletrpc.GetAddressBookRequest) (resp walletrpc.GetAddressBookResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
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

func (s *Service) addAddressBook(_ context.Context, req walletrpc.AddAddressBookRequest) (resp walletrpc.AddAddressBookResponse, err error) {
	err = s.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		if err := s.checkAddress(req.Address); err != nil {
			return wallet.ChangeSet{}, err
		}
		resp.Index = uint64(len(w.Book()))
		return w.DecideBook(wallet.BookChange{Entry: wallet.BookEntry{Address: req.Address, Description: req.Description}})
	})
	return resp, err
}

func (s *Service) editAddressBook(_ context.Context, req walletrpc.EditAddressBookRequest) (empty, error) {
	return empty{}, s.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		if req.Index >= uint64(len(w.Book())) {
			return wallet.ChangeSet{}, bookIndex(wallet.ErrBookIndex, req.Index)
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

func (s *Service) deleteAddressBook(_ context.Context, req walletrpc.DeleteAddressBookRequest) (empty, error) {
	return empty{}, s.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		c, err := w.DecideBook(wallet.BookChange{Kind: wallet.BookDelete, Index: req.Index})
		return c, bookIndex(err, req.Index)
	})
}

// keyImage reads a key image; verb completes the sentence that refuses an empty one.
func keyImage(text, verb string) (xmr.KeyImage, error) {
	if text == "" {
		return xmr.KeyImage{}, walletrpc.Fail(walletrpc.CodeUnknown, "Must specify key image to %s", verb)
	}
	k, err := xmr.ParseKey(text)
	if err != nil {
		return xmr.KeyImage{}, walletrpc.Fail(walletrpc.CodeWrongKeyImage, "")
	}
	return k, nil
}

func (s *Service) freeze(_ context.Context, req walletrpc.KeyImageRequest) (empty, error) {
	return empty{}, s.setFrozen(req.KeyImage, "freeze", false)
}

func (s *Service) thaw(_ context.Context, req walletrpc.KeyImageRequest) (empty, error) {
	return empty{}, s.setFrozen(req.KeyImage, "thaw", true)
}

func (s *Service) setFrozen(text, verb string, thaw bool) error {
	return s.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		image, err := keyImage(text, verb)
		if err != nil {
			return wallet.ChangeSet{}, err
		}
		return w.DecideFreeze(image, thaw)
	})
}

func (s *Service) frozen(_ context.Context, req walletrpc.KeyImageRequest) (resp walletrpc.FrozenResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		image, err := keyImage(req.KeyImage, "check if frozen")
		if err != nil {
			return err
		}
		o, ok := w.OutputByImage(image)
		if !ok {
			return wallet.ErrNoSuchOutput
		}
		resp.Frozen = w.IsFrozen(o)
		return nil
	})
	return resp, err
}

func (s *Service) makeIntegratedAddress(_ context.Context, req walletrpc.MakeIntegratedAddressRequest) (resp walletrpc.MakeIntegratedAddressResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		var id [8]byte
		if req.PaymentID == "" {
			if _, err := s.config.Random.Read(id[:]); err != nil {
				return err
			}
		} else if say.UnhexTo(id[:], req.PaymentID) != nil {
			return walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Invalid payment ID")
		}
		text := req.StandardAddress
		if text == "" {
			text = primary(w.Origin())
		}
		a, err := address.ParseFor(s.config.Network, text)
		switch {
		case err != nil:
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Invalid address")
		case a.Kind == address.Subaddress:
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Subaddress shouldn't be used")
		case a.Kind == address.Integrated:
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Already integrated address")
		}
		if a, err = a.WithPaymentID(id); err != nil {
			return err
		}
		resp.IntegratedAddress, resp.PaymentID = a.String(), hex.EncodeToString(id[:])
		return nil
	})
	return resp, err
}

func (s *Service) splitIntegratedAddress(_ context.Context, req walletrpc.SplitIntegratedAddressRequest) (resp walletrpc.SplitIntegratedAddressResponse, err error) {
	err = s.view(func(*wallet.Wallet) error {
		a, err := address.ParseFor(s.config.Network, req.IntegratedAddress)
		if err != nil {
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Invalid address")
		}
		if a.Kind != address.Integrated {
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Address is not an integrated address")
		}
		resp.StandardAddress, resp.PaymentID = a.Standard().String(), hex.EncodeToString(a.PaymentID[:])
		return nil
	})
	return resp, err
}

func (s *Service) getTxKey(_ context.Context, req walletrpc.GetTxKeyRequest) (resp walletrpc.GetTxKeyResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		id, err := parseTxID(req.TxID)
		if err != nil {
			return err
		}
		k, ok := w.TxSecret(id)
		if !ok {
			return walletrpc.Fail(walletrpc.CodeNoTxKey, "")
		}
		resp.TxKey = txKeyText(k.Key, k.Additional)
		return nil
	})
	return resp, err
}

// changeWalletPassword also moves a spend key that is in the wallet's file to the vault, where there is one.
func (s *Service) changeWalletPassword(ctx context.Context, req walletrpc.ChangeWalletPasswordRequest) (empty, error) {
	o, err := s.current()
	if err != nil {
		return empty{}, err
	}
	if err := o.CheckPassword(ctx, []byte(req.OldPassword)); errors.Is(err, signer.ErrUnreachable) {
		return empty{}, err
	} else if err != nil {
		return empty{}, &rpc.Error{Code: walletrpc.CodeInvalidPassword, Message: "Invalid original password."}
	}
	if s.config.Vault != nil && o.Keys().CanSpend() && !o.Sealed() {
		return empty{}, o.Seal(ctx, s.config.Vault, []byte(req.NewPassword), s.config.KDF)
	}
	if s.isTicket(req.NewPassword) && !o.Sealed() {
		return empty{}, refuse(errInFile.Error())
	}
	return empty{}, o.ChangePassword(ctx, []byte(req.OldPassword), []byte(req.NewPassword))
}
