package terminal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"glim/bindings/wallet"
	"glim/core/address"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// The exit codes of `glim wallet`.
const (
	exitDone         = 0
	exitOther        = 1
	exitUsage        = 2
	exitNotConfirmed = 3
	exitPassword     = 4
	exitWallet       = 5
	exitDaemon       = 6
	exitMoney        = 7
	exitNetwork      = 8
	exitNotValid     = 9
	exitInterrupted  = 130 // that of shells for a process ended by Ctrl-C
)

// exitCodes describes the exit codes for the help.
var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitDone, "success"},
	{exitOther, "a failure without a code of its own"},
	{exitUsage, "the command line is wrong"},
	{exitNotConfirmed, "the payment was not confirmed; nothing was sent"},
	{exitPassword, "wrong password, or none was given"},
	{exitWallet, "there is no such wallet, or one exists already, is open elsewhere or damaged; or the seed is wrong"},
	{exitDaemon, "the daemon cannot be reached or used, or has rejected the transaction"},
	{exitMoney, "not enough money, or it is locked"},
	{exitNetwork, "an invalid address; or address, wallet and daemon are on different networks"},
	{exitNotValid, "the checked signature or proof is not valid"},
	{exitInterrupted, "interrupted by Ctrl-C or a signal"},
}

// usageError is an error in the command line that is found while the command runs.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func misuse(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// addressError reports a text that is not an address of the network.
type addressError struct {
	text string
	err  error
}

func (e *addressError) Error() string {
	return "not a valid address: " + e.text
}

func (e *addressError) Unwrap() error { return e.err }

// moneyError reports that an account has too little money, and how much it has.
type moneyError struct {
	err  error
	have wallet.Balance
	need wallet.Amount // without the fee; 0 for everything
}

func (e *moneyError) Error() string {
	what := "not enough money"
	if errors.Is(e.err, wallet.ErrMoneyLocked) {
		what = "not enough unlocked money"
	}
	text := fmt.Sprintf("%s: the account has %s XMR, of which %s can be spent now", what, short(e.have.Total),
		short(e.have.Unlocked))
	if e.need > 0 {
		text += fmt.Sprintf("; the payment needs %s and its fee", short(e.need))
	}
	return text
}

func (e *moneyError) Unwrap() error { return e.err }

// errNotValid is the error of a signature or proof that is not valid.
var errNotValid = errors.New("not valid")

// explanation is an error for people and scripts.
type explanation struct {
	code    int
	name    string // does not change between versions
	message string
	hint    string // what to do; may be empty
}

// explained maps errors to exit codes, names and hints. The first match counts.
var explained = []struct {
	kind error
	code int
	name string
	hint string
}{
	{errNotConfirmed, exitNotConfirmed, "NotConfirmed", ""},
	{errNotValid, exitNotValid, "NotValid", ""},
	{errNoPassword, exitPassword, "NoPassword",
		"Enter the password at the prompt, put it in a file for --password-file, or write it as the first line to " +
			"standard input."},
	{errDifferent, exitPassword, "PasswordsDiffer", ""},
	{errEnded, exitUsage, "Usage", "Each answer is a line of standard input."},
	{context.Canceled, exitInterrupted, "Interrupted", "Everything that was read or recorded so far is kept."},
	{wallet.ErrWrongPassword, exitPassword, "WrongPassword",
		"Passwords are case-sensitive; check the keyboard layout. A lost password can be replaced only by restoring " +
			"the wallet from its seed."},
	{wallet.ErrNotFound, exitWallet, "NotFound",
		"glim wallet list shows the wallets of the folder; --wallet-dir selects it."},
	{wallet.ErrExists, exitWallet, "Exists", "Choose another name, or open it: a wallet is never overwritten."},
	{wallet.ErrName, exitWallet, "InvalidName", "A name has no slash and does not end in .keys or .glim."},
	{wallet.ErrInUse, exitWallet, "InUse", "Close the wallet in the other program first."},
	{wallet.ErrCache, exitWallet, "Cache", "With --without-cache it opens without labels, notes and transaction keys."},
	{wallet.ErrDamaged, exitWallet, "Damaged",
		"Restore the file from a backup, or restore the wallet from its seed under another name."},
	{wallet.ErrBackup, exitWallet, "InvalidSeed",
		"Check the words or keys, their order, and the passphrase of the seed."},
	{wallet.ErrMoneyLocked, exitMoney, "MoneyLocked",
		"Received money and change unlock after 10 blocks (about 20 minutes), mining rewards after 60."},
	{wallet.ErrNotEnoughMoney, exitMoney, "NotEnoughMoney",
		"Pay less, or everything that is left with glim wallet sweep."},
	{wallet.ErrSpent, exitMoney, "Spent", "Run the command again: another payment has used the money meanwhile."},
	{wallet.ErrKeyUsed, exitOther, "KeyUsed", "Use a new --idempotency-key for a new payment."},
	{wallet.ErrNotFinal, exitOther, "NotFinal", "Repeat the command some blocks later."},
	{wallet.ErrViewOnly, exitOther, "ViewOnly", "Only the wallet with the spend key can do this."},
	{wallet.ErrUnsigned, exitOther, "ViewOnly", "Only the wallet with the spend key can pay."},
	{wallet.ErrRejected, exitDaemon, "Rejected", "Refresh the wallet and try again. Nothing was spent."},
}

// explain returns an error for people. network is that of the command line.
func explain(err error, network xmr.Network) explanation {
	message := messageOf(err)
	var usage *usageError
	var invalid *addressError
	var name *nameError
	var daemonNetwork *service.NetworkError
	switch {
	case errors.As(err, &usage):
		return explanation{exitUsage, "Usage", message, ""}
	case errors.As(err, &daemonNetwork):
		return explanation{exitNetwork, "WrongNetwork", message, otherNetwork(daemonNetwork.Daemon)}
	case errors.Is(err, wallet.ErrNetwork):
		return explanation{exitNetwork, "WrongNetwork", message, "The flags say " + networkName(network) +
			". Networks are selected by --testnet, --stagenet and --regtest; without them it is mainnet."}
	case errors.As(err, &invalid):
		return explainAddress(invalid, network)
	case errors.As(err, &name):
		return explanation{exitNetwork, "InvalidAddress", message, nameHint}
	}
	for _, e := range explained {
		if errors.Is(err, e.kind) {
			return explanation{e.code, e.name, message, e.hint}
		}
	}
	if errors.Is(err, wallet.ErrDaemon) {
		return explanation{exitDaemon, "Daemon", message,
			"Check that the daemon runs, and its address: --daemon-address HOST:PORT. With --offline, commands that " +
				"only read show what the wallet knew last."}
	}
	return explanation{exitOther, "Failed", message, ""}
}

// networkName returns the name of a network as the flags have it.
func networkName(n xmr.Network) string {
	if n == xmr.Regtest {
		return "regtest"
	}
	return n.String()
}

func otherNetwork(n xmr.Network) string {
	return "Choose a daemon of the wallet's network by --daemon-address, or select " + networkName(n) +
		" if that is meant."
}

func explainAddress(e *addressError, network xmr.Network) explanation {
	if a, err := address.Parse(e.text); err == nil && a.Network != network.AddressNetwork() {
		return explanation{exitNetwork, "WrongNetwork",
			"the address is one of " + networkName(a.Network) + ", the wallet is on " + networkName(network),
			"Ask the recipient for an address of " + networkName(network) + "."}
	}
	return explanation{exitNetwork, "InvalidAddress", e.Error(),
		"Copy the whole address again: a mistyped character is noticed."}
}

// messageOf returns the text of an error for people, without the names of packages and operations.
func messageOf(err error) string {
	var e *wallet.Error
	var usage *usageError
	var money *moneyError
	var stated *rpc.Error
	switch {
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.As(err, &usage):
		return usage.Error()
	case errors.As(err, &money):
		return money.Error()
	case errors.As(err, &e) && e.Kind == nil:
		return e.Text
	case errors.As(err, &e) && (e.Text == "" || e.Text == e.Kind.Error() || plain[e.Kind]):
		return e.Kind.Error()
	case errors.As(err, &e):
		return e.Kind.Error() + ": " + e.Text
	case errors.As(err, &stated):
		return stated.Message
	}
	return err.Error()
}

// plain are the kinds whose text says everything; the details repeat it in the words of the RPC contract.
var plain = map[error]bool{
	wallet.ErrWrongPassword: true, wallet.ErrExists: true, wallet.ErrViewOnly: true,
}

// refusal gives an error of an operation of package walletrpc a kind, for explain.
func refusal(op string, err error) error {
	var stated *rpc.Error
	if !errors.As(err, &stated) {
		return err
	}
	kind := map[int]error{
		walletrpc.CodeNoDaemonConnection: wallet.ErrDaemon, walletrpc.CodeDaemonBusy: wallet.ErrDaemon,
		walletrpc.CodeWatchOnly: wallet.ErrViewOnly, walletrpc.CodeNotEnoughMoney: wallet.ErrNotEnoughMoney,
	}[stated.Code]
	return &wallet.Error{Op: op, Kind: kind, Text: stated.Message, Code: stated.Code}
}

// printable replaces characters that control a terminal, which texts of daemons, labels and notes may contain.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != ' ' && !unicode.IsGraphic(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
