// Package wallet gives Go programs Monero wallets: it creates, opens and restores them, follows the chain, and receives
// and sends money. It runs inside the program and needs a Monero daemon, but no wallet service.
//
// # Managers and wallets
//
// A [Manager] keeps the wallets of one folder and the connection to one daemon:
//
//	m, err := wallet.NewManager(wallet.Config{
//		Network: wallet.Mainnet,
//		Folder:  "wallets",
//		Daemon:  wallet.Daemon{Address: "127.0.0.1:18081", Trusted: true},
//	})
//
// [Manager.Open], [Manager.Create] and [Manager.Restore] return a [Wallet]. Any number of wallets may be open at the
// same time; the manager fetches each block once for all of them. Open wallets refresh by themselves, see
// [Config.Refresh], and [Wallet.Sync] refreshes at once.
//
// # Receiving
//
// Give each payer an address of its own with [Wallet.NewAddress], and read [Wallet.Events]. Every event of a transfer
// has a number, the cursor. A program that stores the cursor together with its own records gets each event exactly
// once, even if it is killed in between.
//
// # Sending
//
// [Wallet.Send] makes the transactions of a [Payment] and returns a [Preview] with the fee. Nothing is sent before
// [Preview.Confirm]. A payment with a [Payment.Key] is made only once, however often the program repeats it.
//
// # Failures
//
// Test for a kind of failure with errors.Is and the Err… values of this package. An [*Error] has the details, and a
// [*ConfigError] names the field of a [Config] that is wrong. Errors and log lines never contain passwords, seeds or
// keys.
//
// # Concurrency and durability
//
// All methods may be called from several goroutines. Methods with a context return soon after it ends. Whatever a
// method has reported is already on disk: the program may be killed at any moment and continues from there when it
// opens the wallet again.
//
// # Tests
//
// Package regtest provides a private chain inside the process, so that tests need no daemon either.
package wallet
