package wallet

import (
	"context"
	"errors"
	"slices"

	"glim/bindings/native"
	"glim/core/build"
	"glim/core/daemon"
	"glim/core/decoy"
	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/session"
	"glim/core/syncer"
	state "glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/walletrpc"
)

// Kinds of failure, to be tested with errors.Is. When a context ends an operation, errors.Is finds the context's error.
var (
	ErrWrongPassword = errors.New("wrong password")
	// ErrNotFound: a wallet, a transaction, an account or an address.
	ErrNotFound = errors.New("not found")
	// ErrExists: nothing is ever overwritten.
	ErrExists = errors.New("a wallet of that name exists")
	// ErrName: empty, with a slash, or one that has a meaning among files.
	ErrName = errors.New("not a name for a wallet")
	// ErrInUse: in this process or another.
	ErrInUse = errors.New("the wallet is open already")
	// ErrDamaged: or of a later version. The file is left as it is.
	ErrDamaged = errors.New("the wallet's file is damaged")
	// ErrCache: a wallet of monero-wallet-rpc, which Config.WithoutCache opens without what its cache knows.
	ErrCache = errors.New("monero-wallet-rpc's cache cannot be read")
	// ErrNetwork: than Config.Network.
	ErrNetwork = errors.New("the wallet is for another network")
	// ErrBackup: a mistyped word, or keys that do not fit the address.
	ErrBackup  = errors.New("the seed or the keys do not make a wallet")
	ErrAddress = errors.New("not an address of this network")
	// ErrNotEnoughMoney: for the amount and the fee.
	ErrNotEnoughMoney = errors.New("not enough money")
	// ErrMoneyLocked: there will be enough some blocks later.
	ErrMoneyLocked = errors.New("not enough unlocked money")
	// ErrPayment: no destination, an amount of zero, too many destinations.
	ErrPayment = errors.New("not a payment that can be made")
	// ErrKeyUsed: see Payment.Key.
	ErrKeyUsed = errors.New("the key names another payment")
	// ErrNotFinal: nothing can replace it yet, see Payment.Key; try again some blocks later.
	ErrNotFinal = errors.New("an earlier attempt at the payment may still be mined")
	// ErrSpent: Send anew.
	ErrSpent     = errors.New("what the preview spends was spent meanwhile")
	ErrDiscarded = errors.New("the preview is discarded")
	ErrConfirmed = errors.New("the preview is confirmed")
	ErrViewOnly  = errors.New("the wallet is view-only")
	// ErrUnsigned: see Preview.Unsigned.
	ErrUnsigned = errors.New("others have to sign")
	ErrRejected = errors.New("the daemon refused to take the transaction")
	// ErrDaemon: it is not reached, is busy, or its answers are not true.
	ErrDaemon = errors.New("the daemon cannot be used")
	ErrClosed = errors.New("the wallet is closed")
)

// Error is a failed operation.
type Error struct {
	Op   string // what failed: open, sync, send and so on
	Kind error  // one of the kinds above, the error of a context, or nil for what has no kind
	Text string // what the engine says, for people; without secrets
	Code int    // of the wallet RPC contract (package walletrpc), 0 for none

	reason error // found by errors.Is and errors.As, not shown
}

// Error returns the operation, its kind and what the engine says.
func (e *Error) Error() string {
	text := "wallet: " + e.Op
	if e.Kind != nil {
		text += ": " + e.Kind.Error()
	}
	if e.Text != "" && (e.Kind == nil || e.Text != e.Kind.Error()) {
		text += ": " + e.Text
	}
	return text
}

// Unwrap returns the kind and the reason.
func (e *Error) Unwrap() (all []error) {
	for _, err := range []error{e.Kind, e.reason} {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}

// kinds says of which kind the engine's errors are, the first that matches.
var kinds = []struct {
	kind    error
	reasons []error
}{
	{context.Canceled, []error{context.Canceled}},
	{context.DeadlineExceeded, []error{context.DeadlineExceeded}},
	{ErrCache, []error{service.ErrCache}},
	{ErrWrongPassword, []error{session.ErrPassword, walletfile.ErrPassword, journal.ErrPassword}},
	{ErrExists, []error{service.ErrExists}},
	{ErrNotFound, []error{service.ErrNoWallet, state.ErrAccount, state.ErrAddress}},
	{ErrInUse, []error{service.ErrInUse}},
	{ErrName, []error{service.ErrName}},
	{ErrNetwork, []error{service.ErrNetwork}},
	{ErrDamaged, []error{journal.ErrCorrupt, journal.ErrFormat, journal.ErrEmpty, state.ErrRecord, walletfile.ErrFormat,
		session.ErrBroken}},
	{ErrClosed, []error{session.ErrClosed}},
	{ErrNotEnoughMoney, []error{build.ErrNotEnough, build.ErrNotPossible}},
	{ErrMoneyLocked, []error{build.ErrNotUnlocked}},
	{ErrPayment, []error{build.ErrNoDestination, build.ErrZeroAmount, build.ErrTooManyOutputs, build.ErrTooHeavy,
		build.ErrPaymentIDs, build.ErrSubtract}},
	{ErrViewOnly, []error{build.ErrViewOnly}},
	{ErrKeyUsed, []error{service.ErrOtherPurpose}},
	{ErrNotFinal, []error{state.ErrNotAgain}},
	{ErrSpent, []error{state.ErrInputs}},
	{ErrRejected, []error{daemon.ErrRejected}},
	{ErrDaemon, []error{daemon.ErrUnreachable, daemon.ErrBusy, daemon.ErrDaemonLied, daemon.ErrRefused, daemon.ErrHistory,
		syncer.ErrChain, decoy.ErrTooFew, decoy.ErrShort, decoy.ErrNoOutputs, decoy.ErrAnswers, decoy.ErrRealMissing,
		decoy.ErrDoubtful, decoy.ErrRing, decoy.ErrDistribution, native.ErrAddress, native.ErrSSL}},
}

// codes says the same of what the contract alone has a word for.
var codes = map[int]error{
	walletrpc.CodeNotOpen:                 ErrClosed,
	walletrpc.CodeWrongAddress:            ErrAddress,
	walletrpc.CodeWrongPaymentID:          ErrPayment,
	walletrpc.CodeInvalidPassword:         ErrWrongPassword,
	walletrpc.CodeWatchOnly:               ErrViewOnly,
	walletrpc.CodeWrongTxID:               ErrNotFound,
	walletrpc.CodeNotEnoughMoney:          ErrNotEnoughMoney,
	walletrpc.CodeTxNotPossible:           ErrNotEnoughMoney,
	walletrpc.CodeNotEnoughUnlockedMoney:  ErrMoneyLocked,
	walletrpc.CodeWalletAlreadyExists:     ErrExists,
	walletrpc.CodeNoDaemonConnection:      ErrDaemon,
	walletrpc.CodeDaemonBusy:              ErrDaemon,
	walletrpc.CodeAccountIndexOutOfBounds: ErrNotFound,
	walletrpc.CodeAddressIndexOutOfBounds: ErrNotFound,
}

// failed makes an *Error of what the engine answered; reason is the error behind the answer, when it is known.
func failed(op string, err, reason error) error {
	if err == nil {
		return nil
	}
	e := &Error{Op: op, Text: err.Error(), reason: errors.Join(err, reason)}
	var stated *rpc.Error
	if errors.As(err, &stated) {
		e.Text, e.Code = stated.Message, stated.Code
	}
	var unanswered *native.Failure
	if errors.As(reason, &unanswered) {
		e.Text = unanswered.Error() // which daemon, and why
	}
	for _, k := range kinds {
		if slices.ContainsFunc(k.reasons, func(r error) bool { return errors.Is(e.reason, r) }) {
			e.Kind = k.kind
			return e
		}
	}
	var depth *session.ReorgDepthError
	var disagreement *service.DisagreementError
	switch {
	case errors.As(reason, &depth), errors.As(reason, &disagreement):
		e.Kind = ErrDaemon
	default:
		e.Kind = codes[e.Code]
	}
	return e
}

// refused is an *Error of this package's own.
func refused(op string, kind error, text string) error { return &Error{Op: op, Kind: kind, Text: text} }
