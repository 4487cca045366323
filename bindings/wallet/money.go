package wallet

import (
	"context"

	"glim/core/walletrpc"
)

// Balance is money of a wallet or an account.
type Balance struct {
	Total    Amount // locked or not, with change that is on its way back
	Unlocked Amount // can be spent now
	Blocks   uint64 // until all of it can be spent
}

// Balance returns the money of all accounts as last read from the chain; see Sync.
func (w *Wallet) Balance(ctx context.Context) (Balance, error) {
	b, err := ask(ctx, w, "balance", walletrpc.GetBalance, walletrpc.GetBalanceRequest{AllAccounts: true})
	return Balance{Amount(b.Balance), Amount(b.UnlockedBalance), b.BlocksToUnlock}, err
}

// Account is a part of a wallet with addresses and money of its own. Every wallet has account 0.
type Account struct {
	Index   uint32
	Label   string
	Address string // its first
	Balance Balance
}

// Accounts returns the accounts, by index. Balance.Blocks is 0 in them.
func (w *Wallet) Accounts(ctx context.Context) ([]Account, error) {
	got, err := ask(ctx, w, "accounts", walletrpc.GetAccounts, walletrpc.GetAccountsRequest{})
	all := make([]Account, len(got.SubaddressAccounts))
	for i, a := range got.SubaddressAccounts {
		all[i] = Account{Index: a.AccountIndex, Label: a.Label, Address: a.BaseAddress,
			Balance: Balance{Total: Amount(a.Balance), Unlocked: Amount(a.UnlockedBalance)}}
	}
	return all, err
}

// NewAccount makes an account after the last.
func (w *Wallet) NewAccount(ctx context.Context, label string) (Account, error) {
	a, err := ask(ctx, w, "new account", walletrpc.CreateAccount, walletrpc.CreateAccountRequest{Label: label})
	return Account{Index: a.AccountIndex, Label: label, Address: a.Address}, err
}

// Address is an address of a wallet. Two of them cannot be told to be one wallet's by anyone who does not have its view
// key.
type Address struct {
	Account uint32
	Index   uint32
	Text    string // what to give to anyone who pays
	Label   string
	Used    bool // has received money
}

// String returns the text of the address.
func (a Address) String() string { return a.Text }

// Address returns the wallet's first address.
func (w *Wallet) Address(ctx context.Context) (string, error) { return w.address(ctx, "address") }

func (w *Wallet) address(ctx context.Context, op string) (string, error) {
	got, err := ask(ctx, w, op, walletrpc.GetAddress, walletrpc.GetAddressRequest{AddressIndex: []uint32{0}})
	return got.Address, err
}

// Addresses returns the addresses of an account, by index. ErrNotFound when there is no such account.
func (w *Wallet) Addresses(ctx context.Context, account uint32) ([]Address, error) {
	got, err := ask(ctx, w, "addresses", walletrpc.GetAddress, walletrpc.GetAddressRequest{AccountIndex: account})
	all := make([]Address, len(got.Addresses))
	for i, a := range got.Addresses {
		all[i] = Address{Account: account, Index: a.AddressIndex, Text: a.Address, Label: a.Label, Used: a.Used}
	}
	return all, err
}

// NewAddress makes an address at the end of an account, such as one for each order. ErrNotFound when there is no such
// account.
func (w *Wallet) NewAddress(ctx context.Context, account uint32, label string) (Address, error) {
	a, err := ask(ctx, w, "new address", walletrpc.CreateAddress,
		walletrpc.CreateAddressRequest{AccountIndex: account, Count: 1, Label: label})
	return Address{Account: account, Index: a.AddressIndex, Text: a.Address, Label: label}, err
}
