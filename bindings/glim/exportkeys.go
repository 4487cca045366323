package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"glim/bindings/native"
	"glim/core/mnemonic/languages"
	polyseeds "glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// exportConfig is the configuration of `glim export-keys`.
type exportConfig struct {
	network      xmr.Network
	walletFile   string
	as           string // name of the new file, without .keys
	passwordFile string
	kdfRounds    int
	withoutCache bool
	help         bool
}

var exportFlags = []flag[exportConfig]{
	{"wallet-file", "FILE", "the wallet (required)", "Flags",
		func(c *exportConfig, v string) error { c.walletFile = v; return nil }},
	{"as", "NAME", "write NAME.keys next to the wallet; no wallet of that name may exist (required)", "Flags",
		func(c *exportConfig, v string) error { c.as = v; return nil }},
	{"password-file", "FILE",
		"read the wallet's password, also used for the new file, from FILE instead of standard input", "Flags",
		func(c *exportConfig, v string) error { c.passwordFile = v; return nil }},
	{"kdf-rounds", "N", "the --kdf-rounds of monero-wallet-rpc for the new file (default 1)", "Flags",
		func(c *exportConfig, v string) (err error) {
			if c.kdfRounds, err = strconv.Atoi(v); err != nil || c.kdfRounds < 1 {
				return fmt.Errorf("must be a number of at least 1: %w", errUsage)
			}
			return nil
		}},
	{"without-cache", "", "open a wallet of monero-wallet-rpc without reading its cache", "Flags",
		func(c *exportConfig, v string) error { c.withoutCache = v == "true"; return nil }},
	{"testnet", "", "the wallet is for testnet", "Flags",
		func(c *exportConfig, v string) error { return c.setNetwork(xmr.Testnet, v) }},
	{"stagenet", "", "the wallet is for stagenet", "Flags",
		func(c *exportConfig, v string) error { return c.setNetwork(xmr.Stagenet, v) }},
	{"help", "", "", "", func(c *exportConfig, v string) error { c.help = v == "true"; return nil }},
}

func (c *exportConfig) setNetwork(n xmr.Network, v string) error {
	if v == "true" {
		c.network = n
	}
	return nil
}

func parseExport(args []string) (c exportConfig, err error) {
	values, err := splitFlags(args, exportFlags)
	if err != nil {
		return c, err
	}
	for _, v := range values {
		if err := findFlag(exportFlags, v.name).apply(&c, v.text); err != nil {
			return c, fmt.Errorf("--%s: %w", v.name, err)
		}
	}
	if !c.help && (c.walletFile == "" || c.as == "") {
		return c, fmt.Errorf("--wallet-file and --as are required: %w", errUsage)
	}
	return c, nil
}

// exportKeys writes the wallet's keys to a file of the reference's format.
func exportKeys(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c, err := parseExport(args)
	switch {
	case err != nil:
		return misused(stderr, "export-keys", exportUsage, err)
	case c.help:
		exportHelp(stdout)
		return 0
	}
	made, err := exportFile(ctx, c, stdin, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "glim export-keys: %v\n", err)
		return 1
	}
	fmt.Fprintf(stdout, "%s contains the wallet's keys, seed language and restore height. monero-wallet-rpc opens it\n"+
		"as %s with the same password, and reads the history from the chain.\n", made, c.as)
	return 0
}

func exportFile(ctx context.Context, c exportConfig, stdin io.Reader, out io.Writer) (made string, err error) {
	if err := walletExists(c.walletFile); err != nil {
		return "", err // before the password is typed
	}
	password, err := exportPassword(ctx, c, stdin, out)
	if err != nil {
		return "", err
	}
	dir, name := filepath.Split(c.walletFile)
	files := native.WalletDir(filepath.Clean(dir))
	s, err := service.New(service.Config{
		Network: c.network, Files: files, KeyRounds: c.kdfRounds, Random: rand.Reader, Workers: 1,
		Now:       func() uint64 { return uint64(time.Now().Unix()) },
		Languages: languages.All(), Polyseeds: polyseeds.All(), WithoutCache: c.withoutCache,
	}, service.DaemonConfig{})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Open(files, name, string(password)); err != nil {
		return "", err
	}
	resp, err := rpc.Call(ctx, s.Registry(), walletrpc.ExportKeysFile,
		walletrpc.ExportKeysFileRequest{Filename: c.as, Password: string(password)})
	return filepath.Join(dir, resp.Filename), err
}

// walletExists returns an error unless there is a file of the wallet at file, of glim or of the reference.
func walletExists(file string) error {
	_, err := os.Stat(file)
	if errors.Is(err, os.ErrNotExist) {
		for _, suffix := range []string{".glim", ".keys"} {
			if _, other := os.Stat(file + suffix); other == nil {
				return nil
			}
		}
	}
	if err != nil {
		return fmt.Errorf("--wallet-file: %w", err)
	}
	return nil
}

func exportPassword(ctx context.Context, c exportConfig, stdin io.Reader, out io.Writer) (secret, error) {
	if c.passwordFile == "" {
		return readPassword(ctx, stdin, out, "Wallet password: ")
	}
	text, err := os.ReadFile(c.passwordFile)
	if err != nil {
		return "", fmt.Errorf("--password-file: %w", err)
	}
	return secret(strings.TrimRight(string(text), "\r\n")), nil
}

const exportUsage = `
Usage: glim export-keys --wallet-file FILE --as NAME [flags]
`

func exportHelp(w io.Writer) {
	fmt.Fprint(w, exportUsage, `
Writes the wallet's keys to a file that monero-wallet-rpc opens.
`)
	printFlags(w, exportFlags)
}
