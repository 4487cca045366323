package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"glim/bindings/wallet"
)

// withWallet calls f with the wallet that the first argument names, which it opens before and closes afterwards; in an
// interactive shell with the open wallet.
func (c *call) withWallet(ctx context.Context, f func(context.Context, *wallet.Wallet) error) error {
	if c.opened != nil {
		return f(ctx, c.opened.wallet)
	}
	return c.opening(ctx, func(w *wallet.Wallet, _ wallet.Secret) error { return f(ctx, w) })
}

// opening reads the password of the wallet that the first argument names, opens it, calls f with both, and closes it.
func (c *call) opening(ctx context.Context, f func(*wallet.Wallet, wallet.Secret) error) error {
	folder, name, err := c.place(c.args[0])
	if err != nil {
		return err
	}
	if !isWallet(folder, name) { // before the password is typed
		text := fmt.Sprintf("no wallet %s in %s", name, folder)
		return &wallet.Error{Op: "open", Kind: wallet.ErrNotFound, Text: text}
	}
	return c.managing(folder, func(m *wallet.Manager) error {
		password, err := c.password(ctx)
		if err != nil {
			return err
		}
		w, err := m.Open(ctx, name, string(password))
		if err != nil {
			return err
		}
		if warning := w.Warning(); warning != "" {
			fmt.Fprintln(c.console.out, "Warning:", printable(warning))
		}
		return f(w, password)
	})
}

// managing calls f with a manager of the wallets in a folder, and closes it, also after a failure.
func (c *call) managing(folder string, f func(*wallet.Manager) error) error {
	m, err := wallet.NewManager(c.wallets(folder))
	var wrong *wallet.ConfigError
	if errors.As(err, &wrong) {
		flag := map[string]string{
			"Daemon.Address": "--daemon-address", "Daemon.Proxy": "--proxy",
			"Daemon.TLS": "--daemon-ssl-ca-certificates", "Folder": "--wallet-dir",
		}[wrong.Field]
		return misuse("%s: %w", flag, wrong.Err)
	}
	if err != nil {
		return err
	}
	err = f(m)
	if closed := m.Close(); err == nil {
		err = closed
	}
	return err
}

// isWallet reports whether a folder has files of a wallet, of glim or of the reference.
func isWallet(folder, name string) bool {
	for _, suffix := range []string{".glim", ".keys", ""} {
		if info, err := os.Stat(filepath.Join(folder, name+suffix)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// walletsIn returns the names of the wallets in a folder, sorted. A folder that cannot be read has none.
func walletsIn(folder string) []string {
	entries, _ := os.ReadDir(folder)
	names := []string{}
	for _, e := range entries {
		for _, suffix := range []string{".glim", ".keys"} {
			name, found := strings.CutSuffix(e.Name(), suffix)
			if found && name != "" && e.Type().IsRegular() && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// refresh reads new blocks and shows its progress on a terminal, unless flags say otherwise.
func (c *call) refresh(ctx context.Context, w *wallet.Wallet) error {
	if c.offline || c.noRefresh {
		return nil
	}
	bar := newProgress(c.console)
	defer bar.clear()
	return w.Sync(ctx, func(p wallet.Progress) { bar.show(p.Height, p.Target) })
}

// needDaemon returns an error for commands that cannot work without a daemon.
func (c *call) needDaemon() error {
	if c.offline {
		return misuse("%s needs a daemon; leave out --offline", c.command.name)
	}
	return nil
}
