package terminal

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"glim/bindings/wallet"
	"glim/core/address"
	"glim/core/keys"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// creatingCommands are the commands that make wallets.
func creatingCommands() []command {
	return []command{
		{name: "create", args: "NAME", min: 1, max: 1, outside: true, about: "create a wallet with a new seed",
			options: []option{
				{"polyseed", "", "with a Polyseed of 16 words, which includes the date, instead of 25 words", "",
					boolean(func(c *config) *bool { return &c.polyseed })},
			}, run: createWallet},
		{name: "restore", args: "NAME", min: 1, max: 1, outside: true,
			about: "restore a wallet from seed words, a Polyseed or keys",
			more: "Each secret is a line of standard input, which a terminal does not show: the seed words, with " +
				"--seed-passphrase their passphrase, then the new password. With --keys they are the secret spend " +
				"key, and the view key, which is empty if it is derived from the spend key. With --view-only it is " +
				"the secret view key.",
			options: []option{
				{"height", "N", "first block to read (default: that of the Polyseed's date, or 0)", "",
					(*config).setHeight},
				{"date", "YYYY-MM-DD", "read blocks from this date on", "", (*config).setDate},
				passphraseOption,
				{"seed-type", "TYPE",
					"what made the seed: monero, polyseed, mymonero, trezor, or ledger, which is also that of a " +
						"Keystone; the last three need it", "", (*config).setSeedType},
				{"seed-account", "N", "account of a trezor or ledger (default 0)", "",
					number(func(c *config) *uint32 { return &c.seedAccount })},
				{"keys", "", "restore from the secret keys", "", boolean(func(c *config) *bool { return &c.keys })},
				{"view-only", "", "restore from the view key: the wallet sees incoming money and cannot spend", "",
					boolean(func(c *config) *bool { return &c.viewOnly })},
				{"address", "ADDRESS", "primary address of the wallet, required with --view-only", "",
					text(func(c *config) *string { return &c.address })},
			}, run: restoreWallet},
	}
}

// made is the result of create and restore.
type made struct {
	Name    string `json:"name"`
	Address string `json:"address"`
	// Height is the number of blocks that are older than a new wallet; 0 if the daemon did not answer.
	Height uint64 `json:"height,omitempty"`
}

// newWallet calls f to make the wallet that the first argument names, and prints it and then the text next.
func (c *call) newWallet(
	ctx context.Context, next string, f func(*wallet.Manager, string) (*wallet.Wallet, error),
) error {
	folder, name, err := c.place(c.args[0])
	if err != nil {
		return err
	}
	if isWallet(folder, name) { // before anything is typed
		return &wallet.Error{Op: c.command.name, Kind: wallet.ErrExists}
	}
	return c.managing(folder, func(m *wallet.Manager) error {
		w, err := f(m, name)
		if err != nil {
			return err
		}
		a, err := w.Address(ctx)
		if err != nil {
			return err
		}
		r := made{Name: name, Address: a}
		if c.command.name == "create" && !c.offline {
			if err := c.refresh(ctx, w); err == nil {
				r.Height = w.Progress().Height
			} else {
				c.note("The first refresh will read the whole chain, because the date of the wallet is unknown: %s",
					printable(messageOf(err)))
			}
		}
		return c.print(r, func(out io.Writer) {
			fmt.Fprintf(out, "Created wallet %s.\nAddress: %s\n%s\n", printable(name), a, next)
		})
	})
}

func createWallet(ctx context.Context, c *call) error {
	next := "Write down the seed words, which are the wallet: glim wallet seed " + printable(c.args[0])
	return c.newWallet(ctx, next, func(m *wallet.Manager, name string) (*wallet.Wallet, error) {
		password, err := c.newPassword(ctx, c.passwordFile)
		if err != nil {
			return nil, err
		}
		if c.polyseed {
			return m.CreatePolyseed(ctx, name, string(password))
		}
		return m.Create(ctx, name, string(password))
	})
}

func restoreWallet(ctx context.Context, c *call) error {
	switch {
	case !c.date.IsZero() && c.offline:
		return misuse("--date needs a daemon, to find the block; use --height")
	case c.viewOnly && c.address == "":
		return misuse("--view-only needs --address")
	case c.address != "" && !c.viewOnly:
		return misuse("--address belongs to --view-only")
	case c.passphrase && (c.keys || c.viewOnly):
		return misuse("only seed words have a passphrase")
	case c.seedType != "" && (c.keys || c.viewOnly):
		return misuse("only seed words have a type")
	case c.seedAccount != 0 && c.seedType != walletrpc.SeedTrezor && c.seedType != walletrpc.SeedLedger:
		return misuse("--seed-account belongs to --seed-type trezor or ledger")
	}
	if c.viewOnly {
		if err := c.checkAddress(c.address); err != nil {
			return err
		}
	}
	next := "Read the chain: glim wallet refresh " + printable(c.args[0])
	return c.newWallet(ctx, next, func(m *wallet.Manager, name string) (*wallet.Wallet, error) {
		backup, err := c.backup(ctx)
		if err != nil {
			return nil, err
		}
		password, err := c.newPassword(ctx, c.passwordFile)
		if err != nil {
			return nil, err
		}
		return m.Restore(ctx, name, string(password), backup)
	})
}

// secret reads a secret, which the prompt names, from the input.
func (c *call) secret(ctx context.Context, name string) (wallet.Secret, error) {
	line, err := c.console.ask(ctx, name+": ", true)
	if errors.Is(err, errEnded) {
		return "", misuse("%s: it is a line of standard input, which has ended", name)
	}
	return wallet.Secret(strings.TrimSpace(line)), err
}

// backup reads what a wallet is restored from, each secret from a line of the input.
func (c *call) backup(ctx context.Context) (wallet.Backup, error) {
	if c.keys || c.viewOnly {
		return c.keysBackup(ctx)
	}
	words, err := c.secret(ctx, "Seed words")
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(string(words))
	s := wallet.Seed{
		Words: wallet.Secret(strings.Join(fields, " ")), Kind: c.seedType, Account: c.seedAccount,
	}
	if c.passphrase {
		passphrase, err := c.console.ask(ctx, "Passphrase of the seed: ", true)
		if err != nil {
			return nil, err
		}
		s.Passphrase = wallet.Secret(passphrase)
	}
	s.Since, err = c.since(ctx, len(fields) == polyseedWords)
	return s, err
}

// polyseedWords is the number of words of a Polyseed.
const polyseedWords = 16

func (c *call) keysBackup(ctx context.Context) (wallet.Backup, error) {
	k := wallet.Keys{Address: c.address}
	var err error
	if c.keys {
		if k.SpendKey, err = c.secret(ctx, "Secret spend key"); err != nil {
			return nil, err
		}
	}
	prompt := "Secret view key"
	if c.keys {
		prompt = "Secret view key (empty if it is derived from the spend key)"
	}
	if k.ViewKey, err = c.secret(ctx, prompt); err != nil {
		return nil, err
	}
	if c.keys {
		if err := derive(&k, c.network); err != nil {
			return nil, &wallet.Error{Op: "restore", Kind: wallet.ErrBackup, Text: err.Error()}
		}
	}
	k.Since, err = c.since(ctx, false)
	return k, err
}

// derive sets the address, and the view key if it is missing, from the spend key. Its errors contain no secrets.
func derive(k *wallet.Keys, network xmr.Network) error {
	spend, err := secretKey(k.SpendKey)
	if err != nil {
		return fmt.Errorf("the spend key: %w", err)
	}
	account, err := keys.FromSeed(spend)
	if err == nil && k.ViewKey != "" {
		view, wrong := secretKey(k.ViewKey)
		if wrong != nil {
			return fmt.Errorf("the view key: %w", wrong)
		}
		account, err = keys.FromSecrets(spend, view)
	}
	if err != nil {
		return errors.New("the spend key or the view key is not a valid key")
	}
	view := account.ViewSecret()
	k.ViewKey = wallet.Secret(hex.EncodeToString(view[:]))
	k.Address = address.Address{
		Network: network.AddressNetwork(), Spend: account.SpendPublic, View: account.ViewPublic,
	}.String()
	return nil
}

func secretKey(s wallet.Secret) (key [32]byte, err error) {
	b, err := hex.DecodeString(string(s))
	if err != nil || len(b) != len(key) {
		return key, errors.New("not 64 hexadecimal digits")
	}
	return [32]byte(b), nil
}

// since returns from which block on a restored wallet reads the chain. A terminal is asked unless flags say it, or the
// seed contains its date.
func (c *call) since(ctx context.Context, dated bool) (s wallet.Since, err error) {
	if c.height == nil && c.date.IsZero() && !dated && c.console.file != nil {
		answer, err := c.console.ask(ctx, "First block or date (YYYY-MM-DD) of the wallet, or empty to read all: ",
			false)
		if err != nil {
			return s, err
		}
		switch answer = strings.TrimSpace(answer); {
		case strings.Contains(answer, "-"):
			err = c.setDate(answer)
		case answer != "":
			err = c.setHeight(answer)
		}
		if err != nil {
			return s, &usageError{err}
		}
	}
	if c.height != nil {
		s.Height = *c.height
	}
	if s.Date = c.date; !s.Date.IsZero() && s.Date.Before(firstDate) {
		s.Date = firstDate
	}
	return s, nil
}

// firstDate is when Monero started; see wallet.Since.
var firstDate = time.Date(2014, 4, 18, 0, 0, 0, 0, time.UTC)
