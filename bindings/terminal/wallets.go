package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"

	"glim/bindings/wallet"
)

// walletCommands are the commands about wallets that exist.
func walletCommands() []command {
	return []command{
		{name: "open", args: "NAME", min: 1, max: 1, wallet: true, outside: true,
			about: "open a wallet, and read commands for it until exit", more: "The commands are those of " +
				"glim wallet, without NAME; help lists them. If they do not come from a terminal, the first one that " +
				"fails is the last.", run: openShell},
		{name: "list", max: 0, outside: true, about: "list the wallets of the folder", run: listWallets},
		{name: "status", args: "NAME", min: 1, max: 1, wallet: true,
			about: "show how far a wallet has read the chain, without reading new blocks", run: showStatus},
		{name: "refresh", args: "NAME", min: 1, max: 1, wallet: true, about: "read new blocks", run: refreshWallet},
		{name: "seed", args: "NAME", min: 1, max: 1, wallet: true,
			about:   "show the seed words, after the password was entered",
			options: []option{passphraseOption}, run: showSeed},
		{name: "keys", args: "NAME", min: 1, max: 1, wallet: true,
			about: "show the primary address and the secret view key, after the password was entered",
			options: []option{
				{"spend-key", "", "also show the secret spend key", "",
					boolean(func(c *config) *bool { return &c.spendKey })},
			}, run: showKeys},
		{name: "password", args: "NAME", min: 1, max: 1, wallet: true, outside: true, about: "change the password",
			options: []option{
				{"new-password-file", "FILE", "read the new password from FILE instead of standard input", "",
					text(func(c *config) *string { return &c.newPasswordFile })},
			}, run: changePassword},
	}
}

func listWallets(_ context.Context, c *call) error {
	folder := c.walletDir
	if folder == "" {
		folder = "."
	}
	names := walletsIn(folder)
	return c.print(map[string][]string{"wallets": names}, func(out io.Writer) {
		for _, name := range names {
			fmt.Fprintln(out, printable(name))
		}
	})
}

// standing is how far a wallet has read the chain.
type standing struct {
	Name     string `json:"name"`
	Network  string `json:"network"`
	Height   uint64 `json:"height"` // number of blocks that the wallet has read
	ViewOnly bool   `json:"view_only"`
}

func showStatus(ctx context.Context, c *call) error { return c.withWallet(ctx, c.printStanding) }

func refreshWallet(ctx context.Context, c *call) error {
	if err := c.needDaemon(); err != nil {
		return err
	}
	if c.noRefresh {
		return misuse("refresh contradicts --no-refresh")
	}
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) error {
		if err := c.refresh(ctx, w); err != nil {
			return err
		}
		return c.printStanding(ctx, w)
	})
}

func (c *call) printStanding(ctx context.Context, w *wallet.Wallet) error {
	k, err := w.Keys(ctx)
	if err != nil {
		return err
	}
	s := standing{w.Name(), networkName(c.network), w.Progress().Height, k.SpendKey == ""}
	return c.print(s, func(out io.Writer) {
		kind := "wallet"
		if s.ViewOnly {
			kind = "view-only wallet"
		}
		fmt.Fprintf(out, "%s is a %s on %s and has read %d blocks.\n", printable(s.Name), kind, s.Network, s.Height)
	})
}

// passwordAgain asks for the password before secrets are shown. A command that has just opened the wallet has it; an
// interactive shell asks again.
func (c *call) passwordAgain(ctx context.Context) error {
	if c.opened == nil {
		return nil
	}
	line, err := c.console.ask(ctx, "Wallet password: ", true)
	switch {
	case errors.Is(err, errEnded):
		return errNoPassword
	case err == nil && !c.opened.check.is(wallet.Secret(line)):
		return &wallet.Error{Op: c.command.name, Kind: wallet.ErrWrongPassword}
	}
	return err
}

func showSeed(ctx context.Context, c *call) error {
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) error {
		if err := c.passwordAgain(ctx); err != nil {
			return err
		}
		passphrase := ""
		if c.passphrase {
			var err error
			if passphrase, err = c.console.ask(ctx, "Passphrase of the seed: ", true); err != nil {
				return err
			}
		}
		words, err := w.Seed(ctx, passphrase)
		if err != nil {
			return err
		}
		c.note("Anyone who has these words can spend the money of the wallet.")
		return c.print(map[string]string{"seed": string(words)}, func(out io.Writer) {
			fmt.Fprintln(out, string(words))
		})
	})
}

func showKeys(ctx context.Context, c *call) error {
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) error {
		if err := c.passwordAgain(ctx); err != nil {
			return err
		}
		k, err := w.Keys(ctx)
		if err != nil {
			return err
		}
		r := struct {
			Address  string `json:"address"`
			ViewKey  string `json:"view_key"`
			SpendKey string `json:"spend_key,omitempty"`
		}{Address: k.Address, ViewKey: string(k.ViewKey)}
		if c.spendKey {
			if k.SpendKey == "" {
				return &wallet.Error{Op: "keys", Kind: wallet.ErrViewOnly}
			}
			r.SpendKey = string(k.SpendKey)
			c.note("Anyone who has the spend key can spend the money of the wallet.")
		}
		return c.print(r, func(out io.Writer) {
			fmt.Fprintf(out, "Address: %s\nSecret view key: %s\n", r.Address, r.ViewKey)
			if r.SpendKey != "" {
				fmt.Fprintf(out, "Secret spend key: %s\n", r.SpendKey)
			}
		})
	})
}

func changePassword(ctx context.Context, c *call) error {
	return c.opening(ctx, func(w *wallet.Wallet, old wallet.Secret) error {
		password, err := c.newPassword(ctx, c.newPasswordFile)
		if err != nil {
			return err
		}
		if err := w.ChangePassword(ctx, string(old), string(password)); err != nil {
			return err
		}
		return c.print(map[string]string{"name": w.Name()}, func(out io.Writer) {
			fmt.Fprintf(out, "Changed the password of %s.\n", printable(w.Name()))
		})
	})
}
