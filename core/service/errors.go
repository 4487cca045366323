package service

import (
	"errors"

	"glim/core/address"
	"glim/core/daemon"
	"glim/core/decoy"
	"glim/core/rpc"
	"glim/core/session"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// refuse returns CodeUnknown with the given text, for failures without a code in the contract.
func refuse(text string) error { return walletrpc.Fail(walletrpc.CodeUnknown, "%s", text) }

// refuseFor is refuse with a cause that callers in the same process can test for.
func refuseFor(text string, reason error) error {
	return &codedError{walletrpc.Fail(walletrpc.CodeUnknown, "%s", text), reason}
}

// withCode gives code to errors that have no code yet.
func withCode(code int, err error) error {
	var e *rpc.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	if m := mapError(err); m.Code != walletrpc.CodeUnknown {
		return &codedError{m, err}
	}
	return &codedError{&rpc.Error{Code: code, Message: err.Error()}, err}
}

// codedError is an error as clients receive it, together with its cause, which callers in the same process can test
// for.
type codedError struct {
	answer *rpc.Error
	reason error
}

// Error returns the text that clients receive.
func (b *codedError) Error() string { return b.answer.Error() }

// Unwrap returns the error that clients receive, and its cause.
func (b *codedError) Unwrap() []error { return []error{b.answer, b.reason} }

const tooFewOutputs = "not enough outputs to use Please use sweep_dust."

// codes maps errors of lower layers to the contract's codes; the first match counts.
var codes = []struct {
	err  error
	code int
	text string // replaces the error's own text
}{
	{wallet.ErrAccount, walletrpc.CodeAccountIndexOutOfBounds, "account index is out of bound"},
	{wallet.ErrAddress, walletrpc.CodeAddressIndexOutOfBounds, "address index is out of bound"},
	{wallet.ErrTagAccount, walletrpc.CodeUnknown, "Account index out of bound"},
	{wallet.ErrTagEmpty, walletrpc.CodeUnknown, "Tag must not be empty"},
	{wallet.ErrTagUnknown, walletrpc.CodeUnknown, "Tag is unregistered"},
	{wallet.ErrNoSuchOutput, walletrpc.CodeUnknown, "Key image not found"},
	{session.ErrClosed, walletrpc.CodeNotOpen, "No wallet file"},
	{txbuild.ErrNoDestination, walletrpc.CodeZeroDestination, "Transaction has no destination"},
	{txbuild.ErrZeroAmount, walletrpc.CodeZeroAmount, "destination amount is zero"},
	{txbuild.ErrNotEnough, walletrpc.CodeNotEnoughMoney, "not enough money"},
	{txbuild.ErrNotUnlocked, walletrpc.CodeNotEnoughUnlockedMoney, "not enough unlocked money"},
	{txbuild.ErrNotPossible, walletrpc.CodeTxNotPossible, ""},
	{txbuild.ErrTooHeavy, walletrpc.CodeTxTooLarge, "Transaction would be too large.  try /transfer_split."},
	{txbuild.ErrTooManyOutputs, walletrpc.CodeTxTooLarge, "Transaction would be too large.  try /transfer_split."},
	{txbuild.ErrPaymentIDs, walletrpc.CodeWrongPaymentID, "A single payment id is allowed per transaction"},
	{txbuild.ErrViewOnly, walletrpc.CodeWatchOnly, ""},
	{decoy.ErrTooFew, walletrpc.CodeNotEnoughOutsToMix, tooFewOutputs},
	{decoy.ErrShort, walletrpc.CodeNotEnoughOutsToMix, tooFewOutputs},
	{decoy.ErrNoOutputs, walletrpc.CodeNotEnoughOutsToMix, tooFewOutputs},
	{daemon.ErrUnreachable, walletrpc.CodeNoDaemonConnection, "no connection to daemon"},
	{daemon.ErrBusy, walletrpc.CodeDaemonBusy, "daemon is busy. Please try again later."},
	{ErrExists, walletrpc.CodeWalletAlreadyExists, "Cannot create wallet. Already exists."},
	{address.ErrMalformed, walletrpc.CodeWrongAddress, ""},
}

// mapError converts any error to the one that the client receives.
func mapError(err error) *rpc.Error {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			text := c.text
			if text == "" {
				text = err.Error()
			}
			return &rpc.Error{Code: c.code, Message: text}
		}
	}
	return &rpc.Error{Code: walletrpc.CodeUnknown, Message: err.Error()}
}

// refusalFor returns refuse with the text for err, or err itself if texts has none.
func refusalFor(err error, texts map[error]string) error {
	for is, text := range texts {
		if errors.Is(err, is) {
			return refuse(text)
		}
	}
	return err
}

func fileError(err error) error {
	if errors.Is(err, ErrName) {
		return refuseFor("Invalid filename", err)
	}
	return err
}

// notOpenedFor returns the error of a wallet that cannot be opened, with a cause that callers in the same process can
// test for. Source: src/wallet/wallet_rpc_server.cpp, on_open_wallet.
func notOpenedFor(why string, reason error) error {
	return &codedError{walletrpc.Fail(walletrpc.CodeUnknown, "Failed to open wallet : %s", why), reason}
}

// passwordRefusal converts the error of a password check on a wallet that is already open.
func passwordRefusal(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, session.ErrPassword):
		return notOpenedFor("Invalid password.", session.ErrPassword)
	}
	return notOpenedFor(err.Error(), err)
}

// alreadyExists gives the error for an existing name the code that the restoring operations use.
func alreadyExists(err error) error {
	if errors.Is(err, ErrExists) {
		return &codedError{&rpc.Error{Code: walletrpc.CodeUnknown, Message: "Wallet already exists."}, err}
	}
	return err
}

// errInFile reports a ticket that was given as the password of a wallet whose keys are in its file.
var errInFile = errors.New("the keys are in the wallet's file, under the password itself")

var errWatchOnly = walletrpc.Fail(walletrpc.CodeWatchOnly, "command not supported by watch-only wallet")

const (
	notFetched  = "Failed to get transaction from daemon"
	notTheRight = "Failed to get the right transaction from daemon"
	noHeader    = "Signature header check error"
	noDecoding  = "Signature decoding error"
)
