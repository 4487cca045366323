package wallet

import (
	"context"
	"errors"
	"slices"

	"glim/bindings/native"
	"glim/core/daemon"
	"glim/core/decoy"
	"glim/core/journal"
	"glim/core/openalias"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/session"
	"glim/core/syncer"
	"glim/core/txbuild"
	state "glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/walletrpc"
)

// Kinds of failure, for errors.Is. If a context has ended an operation, errors.Is also matches the context's error.
var (
	// ErrWrongPassword: the password does not open the wallet's file.
	ErrWrongPassword = errors.New("wrong password")
	// ErrNotFound: there is no such wallet, transaction, account or address.
	ErrNotFound = errors.New("not found")
	// ErrExists: a wallet of that name exists. Create and Restore never overwrite a file.
	ErrExists = errors.New("a wallet of that name exists")
	// ErrName: the name is empty, contains a slash, or has a special meaning as a file name.
	ErrName = errors.New("invalid wallet name")
	// ErrInUse: the wallet is open, in this process or in another.
	ErrInUse = errors.New("the wallet is already open")
	// ErrDamaged: the wallet's file is damaged, or a later version has written it. The file is not changed.
	ErrDamaged = errors.New("the wallet's file is damaged")
	// ErrCache: the wallet is one of monero-wallet-rpc, and its cache file cannot be read. Config.WithoutCache opens it
	// without the cache.
	ErrCache = errors.New("the cache file of monero-wallet-rpc cannot be read")
	// ErrNetwork: the wallet belongs to another network than Config.Network.
	ErrNetwork = errors.New("the wallet is for another network")
	// ErrBackup: a seed word is wrong, or the keys do not match the address.
	ErrBackup = errors.New("no wallet can be restored from this seed or these keys")
	// ErrAddress: the text is not an address of Config.Network.
	ErrAddress = errors.New("not an address of this network")
	// ErrAlias: the text is not a domain name, or the name does not have exactly one address of Config.Network, or it
	// cannot be looked up.
	ErrAlias = errors.New("the name gives no address")
	// ErrAliasUntrusted: no valid DNSSEC signatures protect the name, so anybody may have forged its address.
	ErrAliasUntrusted = errors.New("the name has no valid DNSSEC signatures")
	// ErrNotEnoughMoney: the account has less than the amount and the fee.
	ErrNotEnoughMoney = errors.New("not enough money")
	// ErrMoneyLocked: the account has enough money, but some of it unlocks only in later blocks.
	ErrMoneyLocked = errors.New("not enough unlocked money")
	// ErrPayment: the payment has no destination, too many destinations, an amount of zero, or names an output that it
	// cannot spend.
	ErrPayment = errors.New("invalid payment")
	// ErrKeyUsed: a different payment has the same Payment.Key.
	ErrKeyUsed = errors.New("another payment has this key")
	// ErrNotFinal: an earlier attempt at the payment with this Payment.Key may still be mined, so that it cannot be
	// replaced yet. Try again some blocks later.
	ErrNotFinal = errors.New("an earlier attempt at the payment may still be mined")
	// ErrSpent: another payment has spent the money of the preview. Call Send again.
	ErrSpent = errors.New("the money of the preview has been spent")
	// ErrDiscarded: Preview.Discard was called.
	ErrDiscarded = errors.New("the preview has been discarded")
	// ErrConfirmed: Preview.Confirm has started to send.
	ErrConfirmed = errors.New("the preview has been confirmed")
	// ErrViewOnly: the wallet has no spend key.
	ErrViewOnly = errors.New("the wallet is view-only")
	// ErrUnsigned: other parties must sign first, see Preview.Unsigned.
	ErrUnsigned = errors.New("the payment needs signatures of other parties")
	// ErrRejected: the daemon has rejected the transaction.
	ErrRejected = errors.New("the daemon has rejected the transaction")
	// ErrDaemon: the daemon is unreachable or busy, or its responses are invalid.
	ErrDaemon = errors.New("the daemon cannot be used")
	// ErrClosed: Close of the wallet or the manager was called.
	ErrClosed = errors.New("the wallet is closed")
)

// Error describes a failed operation.
type Error struct {
	Op   string // the operation that has failed: open, sync, send and so on
	Kind error  // one of the kinds above, or the context's error; nil if the failure has no kind
	Text string // details for people; contains no secrets
	Code int    // error code of the wallet RPC contract (package walletrpc), or 0

	reason error // for errors.Is and errors.As; not part of the text
}

// Error returns the operation, the kind of failure and the details.
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

// Unwrap returns the kind and the underlying error, if there are any.
func (e *Error) Unwrap() (all []error) {
	for _, err := range []error{e.Kind, e.reason} {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}

// kinds maps errors of the engine to kinds. The first match counts.
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
	{ErrDamaged, []error{
		journal.ErrCorrupt, journal.ErrFormat, journal.ErrEmpty, state.ErrRecord, walletfile.ErrFormat,
		session.ErrBroken,
	}},
	{ErrClosed, []error{session.ErrClosed}},
	{ErrNotEnoughMoney, []error{txbuild.ErrNotEnough, txbuild.ErrNotPossible}},
	{ErrMoneyLocked, []error{txbuild.ErrNotUnlocked}},
	{ErrPayment, []error{
		txbuild.ErrNoDestination, txbuild.ErrZeroAmount, txbuild.ErrTooManyOutputs, txbuild.ErrTooHeavy,
		txbuild.ErrPaymentIDs, txbuild.ErrSubtract, service.ErrChosenOutput,
		service.ErrSeparateAccounts,
	}},
	{ErrAliasUntrusted, []error{openalias.ErrUntrusted}},
	{ErrViewOnly, []error{txbuild.ErrViewOnly}},
	{ErrKeyUsed, []error{service.ErrIdempotencyKeyReused}},
	{ErrNotFinal, []error{state.ErrNotAgain}},
	{ErrSpent, []error{state.ErrInputs}},
	{ErrRejected, []error{daemon.ErrRejected}},
	{ErrDaemon, []error{
		daemon.ErrUnreachable, daemon.ErrBusy, daemon.ErrInvalidResponse, daemon.ErrRefused, daemon.ErrHistory,
		syncer.ErrChain, decoy.ErrTooFew, decoy.ErrShort, decoy.ErrNoOutputs, decoy.ErrAnswers,
		decoy.ErrRealMissing, decoy.ErrDoubtful, decoy.ErrRing, decoy.ErrDistribution, native.ErrAddress,
		native.ErrSSL,
	}},
}

// codes maps error codes of the contract to kinds, for failures whose Go error is unknown.
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

// failed returns an *Error for err, the engine's response. reason, if not nil, is the Go error that caused it.
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
		e.Text = unanswered.Error() // names the daemon and the cause
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

// refused returns an *Error for a failure that this package has found itself.
func refused(op string, kind error, text string) error { return &Error{Op: op, Kind: kind, Text: text} }
