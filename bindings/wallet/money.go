package wallet

import (
	"context"

	"glim/core/walletrpc"
)

// Balance is the money of a wallet or an account.
type Balance struct {
	Total    Amount // including locked money and the change of pending payments
	Unlocked Amount // can be spent now
	Blocks   uint64 // number of blocks until all of it is unlocked
}

// Balance returns the money of all accounts together, as of the last refresh; see Sync.
func (w *Wallet) Balance(ctx context.Context) (Balance, error) {
	b, err := callOpen(ctx, w, "balance", walletrpc.GetBalance, walletrpc.GetBalanceRequest{AllAccounts: true})
	return Balance{Amount(b.Balance), Amount(b.UnlockedBalance), b.BlocksToUnlock}, err
}

// Account is a part of a wallet with its own addresses and its own balance. Every wallet has account 0.
type Account struct {
	Index   uint32
	Label   string
	Address string // the account's first address
	Balance Balance
}

// Accounts returns all accounts, sorted by index. It does not set Balance.Blocks.
func (w *Wallet) Accounts(ctx context.Context) ([]Account, error) {
	got, err := callOpen(ctx, w, "accounts", walletrpc.GetAccounts, walletrpc.GetAccountsRequest{})
	all := make([]Account, len(got.SubaddressAccounts))
	for i, a := range got.SubaddressAccounts {
		all[i] = Account{Index: a.AccountIndex, Label: a.Label, Address: a.BaseAddress,
			Balance: Balance{Total: Amount(a.Balance), Unlocked: Amount(a.UnlockedBalance)}}
	}
	return all, err
}

// NewAccount adds an account after the last one.
func (w *Wallet) NewAccount(ctx context.Context, label string) (Account, error) {
	a, err := callOpen(ctx, w, "new account", walletrpc.CreateAccount, walletrpc.CreateAccountRequest{Label: label})
	return Account{Index: a.AccountIndex, Label: label, Address: a.Address}, err
}

// Address is an address of a wallet. Without the wallet's view key nobody can tell that two of its addresses belong to
// the same wallet.
type Address struct {
	Account uint32
	Index   uint32
	Text    string // the address itself, to give to a payer
	Label   string
	Used    bool // whether it has received money
}

// String returns the text of the address.
func (a Address) String() string { return a.Text }

// Address returns the wallet's primary address: address 0 of account 0.
func (w *Wallet) Address(ctx context.Context) (string, error) { return w.address(ctx, "address") }

func (w *Wallet) address(ctx context.Context, op string) (string, error) {
	got, err := callOpen(ctx, w, op, walletrpc.GetAddress, walletrpc.GetAddressRequest{AddressIndex: []uint32{0}})
	return got.Address, err
}

// Addresses returns the addresses of an account, sorted by index. It fails with ErrNotFound if the account does not
// exist.
func (w *Wallet) Addresses(ctx context.Context, account uint32) ([]Address, error) {
	got, err := callOpen(ctx, w, "addresses", walletrpc.GetAddress, walletrpc.GetAddressRequest{AccountIndex: account})
	all := make([]Address, len(got.Addresses))
	for i, a := range got.Addresses {
		all[i] = Address{Account: account, Index: a.AddressIndex, Text: a.Address, Label: a.Label, Used: a.Used}
	}
	return all, err
}

// NewAddress adds an address to an account, for example one for each order. It fails with ErrNotFound if the account
// does not exist.
func (w *Wallet) NewAddress(ctx context.Context, account uint32, label string) (Address, error) {
	a, err := callOpen(ctx, w, "new address", walletrpc.CreateAddress,
		walletrpc.CreateAddressRequest{AccountIndex: account, Count: 1, Label: label})
	return Address{Account: account, Index: a.AddressIndex, Text: a.Address, Label: label}, err
}
