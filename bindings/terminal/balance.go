package terminal

import (
	"context"
	"fmt"
	"io"

	"glim/bindings/wallet"
)

// moneyCommands are the commands that show money and addresses.
func moneyCommands() []command {
	fresh := option{"new", "", "make a new one", "", boolean(func(c *config) *bool { return &c.fresh })}
	return []command{
		{name: "balance", args: "NAME", min: 1, max: 1, wallet: true, about: "show the balance", run: showBalance},
		{name: "address", args: "NAME", min: 1, max: 1, wallet: true,
			about: "show the addresses of an account, or one with a QR code", options: []option{
				accountOption,
				{"index", "N", "show only address N", "", func(c *config, v string) error {
					c.index = new(uint32)
					return number(func(c *config) *uint32 { return c.index })(c, v)
				}},
				fresh, labelOption,
				{"qr", "", "also draw the payment link as a QR code", "",
					boolean(func(c *config) *bool { return &c.qr })},
				{"amount", "XMR", "show a payment link for this amount", "", (*config).setAmount},
			}, run: showAddress},
		{name: "accounts", args: "NAME", min: 1, max: 1, wallet: true, about: "show the accounts, or make one",
			options: []option{fresh, labelOption}, run: showAccounts},
		{name: "history", args: "NAME", min: 1, max: 1, wallet: true, about: "show the transfers, the newest last",
			options: []option{{"limit", "N", "show only the newest N (default 0: all)", "",
				number(func(c *config) *uint32 { return &c.limit })}}, run: showHistory},
	}
}

// short returns an amount without the zeros at its end, but with at least two decimals.
func short(a wallet.Amount) string {
	s := a.String()
	for len(s) > 3 && s[len(s)-1] == '0' && s[len(s)-3] != '.' {
		s = s[:len(s)-1]
	}
	return s
}

// money is the balance of a wallet or an account. Amounts are in XMR.
type money struct {
	Total    string `json:"total"`
	Unlocked string `json:"unlocked"`
}

func moneyOf(b wallet.Balance) money { return money{b.Total.String(), b.Unlocked.String()} }

type accountJSON struct {
	Index   uint32 `json:"index"`
	Label   string `json:"label"`
	Address string `json:"address"`
	money
}

func showBalance(ctx context.Context, c *call) error {
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) error {
		if err := c.refresh(ctx, w); err != nil {
			return err
		}
		all, err := w.Balance(ctx)
		if err != nil {
			return err
		}
		accounts, err := w.Accounts(ctx)
		if err != nil {
			return err
		}
		r := struct {
			money
			BlocksToUnlock uint64        `json:"blocks_to_unlock"`
			Height         uint64        `json:"height"`
			Accounts       []accountJSON `json:"accounts"`
		}{money: moneyOf(all), BlocksToUnlock: all.Blocks, Height: w.Progress().Height}
		for _, a := range accounts {
			r.Accounts = append(r.Accounts, accountJSON{a.Index, a.Label, a.Address, moneyOf(a.Balance)})
		}
		return c.print(r, func(out io.Writer) {
			fmt.Fprintf(out, "Balance: %s XMR\n", short(all.Total))
			if all.Unlocked != all.Total {
				fmt.Fprintf(out, "Unlocked: %s XMR (the rest unlocks within %d blocks)\n", short(all.Unlocked),
					all.Blocks)
			}
			if len(accounts) > 1 {
				fmt.Fprintln(out)
				printAccounts(out, accounts)
			}
		})
	})
}

func printAccounts(out io.Writer, accounts []wallet.Account) {
	table(out, func(row func(...any)) {
		row("account", "balance", "unlocked", "address", "label")
		for _, a := range accounts {
			row(a.Index, short(a.Balance.Total), short(a.Balance.Unlocked), a.Address, a.Label)
		}
	})
}

func showAccounts(ctx context.Context, c *call) error {
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) error {
		if c.fresh {
			label := ""
			if c.label != nil {
				label = *c.label
			}
			a, err := w.NewAccount(ctx, label)
			if err != nil {
				return err
			}
			return c.print(accountJSON{a.Index, a.Label, a.Address, moneyOf(a.Balance)}, func(out io.Writer) {
				fmt.Fprintf(out, "Account %d: %s\n", a.Index, a.Address)
			})
		}
		accounts, err := w.Accounts(ctx)
		if err != nil {
			return err
		}
		r := struct {
			Accounts []accountJSON `json:"accounts"`
		}{}
		for _, a := range accounts {
			r.Accounts = append(r.Accounts, accountJSON{a.Index, a.Label, a.Address, moneyOf(a.Balance)})
		}
		return c.print(r, func(out io.Writer) { printAccounts(out, accounts) })
	})
}
