package service

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"strings"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/signer"
	"glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/walletrpc"
)

// walletKeys returns and exports the keys of the open wallet, and changes its password.
type walletKeys struct {
	active    *active
	files     Files // nil if no wallet folder is configured
	vault     *vault
	seeds     Seeds
	keyRounds int
	kdf       journal.KDF
	random    io.Reader
}

func (s *walletKeys) queryKey(
	ctx context.Context, req walletrpc.QueryKeyRequest,
) (resp walletrpc.QueryKeyResponse, err error) {
	if req.KeyType == "mnemonic" || req.KeyType == "spend_key" {
		if err := s.active.checkSpendKey(); err != nil {
			return resp, err
		}
	}
	var o wallet.Identity
	fromAccount := false // whether the key was returned by the multisig account
	err = s.active.view(func(w *wallet.Wallet) error {
		o = w.Identity()
		if o.Multisig != nil && req.SeedOffset != "" {
			return refuse("a multisig seed cannot have a seed_offset")
		}
		if o.Multisig != nil {
			resp.Key, err, fromAccount = signerKey(o.Multisig, req.KeyType)
		}
		return err
	})
	if err != nil || fromAccount {
		return resp, err
	}
	switch req.KeyType {
	case "mnemonic", "spend_key":
		if req.KeyType == "mnemonic" && o.Keys.CanSpend() && !o.Keys.Deterministic() {
			return resp, walletrpc.Fail(walletrpc.CodeNonDeterministic, "")
		}
		here, words, err := o.Keys.WithContext(ctx).WithRevealedSecret()
		if err != nil {
			return resp, err
		}
		if here != o.Keys {
			defer here.Forget()
			o.Keys, o.Words = here, words
		}
		resp.Key, err = s.seeds.Secret(o, req.KeyType, req.SeedOffset)
		return resp, err
	case "view_key":
		view := o.Keys.ViewSecret()
		resp.Key = hex.EncodeToString(view[:])
		return resp, nil
	case "seed_language":
		resp.Key = o.Language
		return resp, nil
	}
	if keys.HasHierarchies {
		if text, known, err := carrotSecret(o.Keys, req.KeyType); known {
			resp.Key = text
			return resp, err
		}
	}
	// The reference leaves the code at zero here, and its clients expect that.
	return resp, &rpc.Error{Message: "key_type " + req.KeyType + " not found"}
}

// exportKeysFile makes a keys file for the reference. It refuses the wallet's own name: next to a keys file, the
// wallet's own file would be expected under another name.
func (s *walletKeys) exportKeysFile(
	ctx context.Context, req walletrpc.ExportKeysFileRequest,
) (resp walletrpc.ExportKeysFileResponse, err error) {
	s.active.shared.files.Lock()
	defer s.active.shared.files.Unlock()
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	switch {
	case s.files == nil:
		return resp, walletrpc.Fail(walletrpc.CodeNoWalletDir, "")
	case req.Filename == "" || strings.ContainsAny(req.Filename, "/\\"):
		return resp, refuse("Invalid filename")
	}
	var origin wallet.Identity
	var ahead wallet.Lookahead
	enabled, depth := false, uint64(0)
	o.View(func(w *wallet.Wallet) {
		origin, ahead, enabled, depth = w.Identity(), w.Lookahead(), w.MultisigEnabled(), w.MaxReorgDepth()
	})
	if err := exportable(origin.Keys); err != nil {
		return resp, err
	}
	here, _, err := origin.Keys.WithContext(ctx).WithRevealedSecret()
	if err != nil {
		return resp, err
	}
	if here != origin.Keys {
		defer here.Forget()
	}
	file, err := walletfile.Seal(&walletfile.Wallet{
		Keys: here, Network: origin.Network, Language: localName(s.seeds.Languages, origin.Language),
		RestoreHeight:  origin.RestoreHeight,
		LookaheadMajor: ahead.Major, LookaheadMinor: ahead.Minor, Multisig: origin.Multisig, EnableMultisig: enabled,
		MaxReorgDepth: &depth,
	}, []byte(req.Password), max(s.keyRounds, walletfile.Rounds), s.random)
	if err != nil {
		return resp, err
	}
	if err := s.files.Export(req.Filename, file); err != nil {
		return resp, fileError(err)
	}
	resp.Filename = req.Filename + ".keys"
	return resp, nil
}

// changeWalletPassword also moves a spend key from the wallet's file to the vault, if there is one.
func (s *walletKeys) changeWalletPassword(
	ctx context.Context, req walletrpc.ChangeWalletPasswordRequest,
) (empty, error) {
	o, err := s.active.current()
	if err != nil {
		return empty{}, err
	}
	if err := o.CheckPassword(ctx, []byte(req.OldPassword)); errors.Is(err, signer.ErrUnreachable) {
		return empty{}, err
	} else if err != nil {
		return empty{}, &rpc.Error{Code: walletrpc.CodeInvalidPassword, Message: "Invalid original password."}
	}
	if s.vault.host != nil && o.Keys().CanSpend() && !o.UsesSigner() {
		return empty{}, o.MoveToSigner(ctx, s.vault.host, []byte(req.NewPassword), s.kdf)
	}
	if s.vault.isTicket(req.NewPassword) && !o.UsesSigner() {
		return empty{}, refuseFor(errInFile.Error(), errInFile)
	}
	return empty{}, o.reference.changePassword(ctx, o.Session, req.OldPassword, req.NewPassword)
}
