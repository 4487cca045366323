package service

import (
	"errors"

	"glim/core/bip39"
	"glim/core/daemon"
	"glim/core/journal"
	"glim/core/polyseed"
	"glim/core/session"
	"glim/core/wallet"
)

// Causes of failures that clients receive with CodeUnknown.
var (
	errSeed = errors.New("not the seed of a wallet")
	errKeys = errors.New("not the keys of a wallet")
)

// reasons are the names of failures that share their error code with others; the first match counts. Names are part of
// the contract with programs: they are never changed.
var reasons = []struct {
	err  *error
	name string
}{
	{&session.ErrPassword, "WrongPassword"},
	{&ErrNoWallet, "WalletNotFound"},
	{&ErrExists, "WalletAlreadyExists"},
	{&ErrInUse, "WalletInUse"},
	{&ErrName, "InvalidName"},
	{&ErrNetwork, "WrongNetwork"},
	{&errInFile, "PasswordInFile"},
	{&journal.ErrCorrupt, "DamagedFile"},
	{&journal.ErrFormat, "DamagedFile"},
	{&journal.ErrEmpty, "DamagedFile"},
	{&wallet.ErrRecord, "DamagedFile"},
	{&wallet.ErrHierarchy, "UnknownKeys"},
	{&polyseed.ErrPassphrase, "InvalidPassphrase"},
	{&bip39.ErrPassphrase, "InvalidPassphrase"},
	{&polyseed.ErrEncrypted, "PassphraseNeeded"},
	{&errSeed, "InvalidSeed"},
	{&errKeys, "InvalidKeys"},
	{&wallet.ErrScanned, "NotViewOnly"},
	{&ErrChosenOutput, "InvalidOutputs"},
	{&errUntrusted, "NodeUntrusted"},
	{&errWouldTell, "NodeUntrusted"},
	{&daemon.ErrInvalidResponse, "NodeInvalid"},
	{&daemon.ErrUnreachable, "NodeUnreachable"},
}

// Reason returns the stable name of a failure, for programs, or "" if its error code says everything.
func Reason(err error) string {
	var disagreement *DisagreementError
	var network *NetworkError
	switch {
	case errors.As(err, &disagreement):
		return "NodesDisagree"
	case errors.As(err, &network):
		return "NodeWrongNetwork"
	}
	for _, r := range reasons {
		if errors.Is(err, *r.err) {
			return r.name
		}
	}
	return ""
}
