package walletrpc

import (
	"glim/core/rpc"
	"glim/core/smallfmt"
)

// Error codes of the wallet service. Source: src/wallet/wallet_rpc_server_error_codes.h.
const (
	CodeUnknown                 = -1
	CodeWrongAddress            = -2
	CodeDaemonBusy              = -3
	CodeGenericTransfer         = -4
	CodeWrongPaymentID          = -5
	CodeTransferType            = -6
	CodeDenied                  = -7
	CodeWrongTxID               = -8
	CodeWrongSignature          = -9
	CodeWrongKeyImage           = -10
	CodeWrongURI                = -11
	CodeWrongIndex              = -12
	CodeNotOpen                 = -13
	CodeAccountIndexOutOfBounds = -14
	CodeAddressIndexOutOfBounds = -15
	CodeTxNotPossible           = -16
	CodeNotEnoughMoney          = -17
	CodeTxTooLarge              = -18
	CodeNotEnoughOutsToMix      = -19
	CodeZeroDestination         = -20
	CodeWalletAlreadyExists     = -21
	CodeInvalidPassword         = -22
	CodeNoWalletDir             = -23
	CodeNoTxKey                 = -24
	CodeWrongKey                = -25
	CodeBadHex                  = -26
	CodeBadTxMetadata           = -27
	CodeAlreadyMultisig         = -28
	CodeWatchOnly               = -29
	CodeBadMultisigInfo         = -30
	CodeNotMultisig             = -31
	CodeWrongLR                 = -32
	CodeThresholdNotReached     = -33
	CodeBadMultisigTxData       = -34
	CodeMultisigSignature       = -35
	CodeMultisigSubmission      = -36
	CodeNotEnoughUnlockedMoney  = -37
	CodeNoDaemonConnection      = -38
	CodeBadUnsignedTxData       = -39
	CodeBadSignedTxData         = -40
	CodeSignedSubmission        = -41
	CodeSignUnsigned            = -42
	CodeNonDeterministic        = -43
	CodeInvalidLogLevel         = -44
	CodeAttributeNotFound       = -45
	CodeZeroAmount              = -46
	CodeInvalidSignatureType    = -47
	CodeDisabled                = -48
	CodeProxyAlreadyDefined     = -49
	CodeNonzeroUnlockTime       = -50
	CodeIsBackgroundWallet      = -51
	CodeIsBackgroundSyncing     = -52
	CodeInvalidFeePriority      = -53 // from 0.19 on
)

// Text returns the message that the reference always sends with code, or "" if its messages vary.
// Source: src/wallet/wallet_rpc_server.cpp, where each code is set.
func Text(code int) string {
	switch code {
	case CodeDenied:
		return "Command unavailable in restricted mode."
	case CodeNotOpen:
		return "No wallet file"
	case CodeTransferType:
		return "Transfer type must be one of: all, available, or unavailable"
	case CodeTxTooLarge:
		return "Transaction would be too large.  try /transfer_split."
	case CodeWalletAlreadyExists:
		return "Cannot create wallet. Already exists."
	case CodeInvalidPassword:
		return "Invalid password."
	case CodeNoWalletDir:
		return "No wallet dir configured"
	case CodeNoTxKey:
		return "No tx secret key is stored for this tx"
	case CodeWrongKey:
		return "Tx key has invalid format"
	case CodeWrongKeyImage:
		return "failed to parse key image"
	case CodeBadHex:
		return "Failed to parse hex."
	case CodeBadTxMetadata:
		return "Failed to parse tx metadata."
	case CodeAlreadyMultisig:
		return "This wallet is already multisig"
	case CodeNonDeterministic:
		return "The wallet is non-deterministic. Cannot display seed."
	case CodeInvalidLogLevel:
		return "Error: log level not valid"
	case CodeAttributeNotFound:
		return "Attribute not found."
	case CodeInvalidSignatureType:
		return "Invalid signature type requested"
	case CodeDisabled:
		return "This wallet is multisig, and multisig is disabled. Multisig is an experimental feature and may have " +
			"bugs. Things that could go wrong include: funds sent to a multisig wallet can't be spent at all, can " +
			"only be spent with the participation of a malicious group member, or can be stolen by a malicious group " +
			"member. You can enable it by running this once in monero-wallet-cli: set enable-multisig-experimental 1"
	case CodeProxyAlreadyDefined:
		return "It is not possible to set daemon specific proxy when --proxy is defined."
	case CodeNonzeroUnlockTime:
		return "Transaction cannot have non-zero unlock time"
	case CodeInvalidFeePriority:
		return "Invalid priority value. Must be between 0 and 4."
	case CodeIsBackgroundWallet:
		return "This command is disabled for background wallets."
	case CodeIsBackgroundSyncing:
		return "This command is disabled while background syncing. Stop background syncing to use this command."
	}
	return ""
}

// Fail returns the error response of a handler: code with the formatted message, or with Text(code) if format is
// empty.
func Fail(code int, format string, args ...any) *rpc.Error {
	if format == "" {
		return &rpc.Error{Code: code, Message: Text(code)}
	}
	return &rpc.Error{Code: code, Message: smallfmt.Sprintf(format, args...)}
}
