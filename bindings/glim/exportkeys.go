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
	sixteen "glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// exportConfig is everything `glim export-keys` can be told.
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
	{"wallet-file", "FILE", "the wallet (required)", "Flags", func(c *exportConfig, v string) error { c.walletFile = v; return nil }},
	{"as", "NAME", "write NAME.keys beside it; no wallet may have that name (required)", "Flags", func(c *exportConfig, v string) error { c.as = v; return nil }},
	{"password-file", "FILE", "read the wallet's password, which is the new file's too, from FILE and not from standard input", "Flags",
		func(c *exportConfig, v string) error { c.passwordFile = v; return nil }},
	{"kdf-rounds", "N", "how often monero-wallet-rpc hashes passwords, if it was told (1)", "Flags",
		func(c *exportConfig, v string) (err error) {
			if c.kdfRounds, err = strconv.Atoi(v); err != nil || c.kdfRounds < 1 {
				return fmt.Errorf("not a number from 1 on: %w", errUsage)
			}
			return nil
		}},
	{"without-cache", "", "take over a wallet of monero-wallet-rpc without what its cache knows", "Flags",
		func(c *exportConfig, v string) error { c.withoutCache = v == "true"; return nil }},
	{"testnet", "", "the wallet is for the test network", "Flags", func(c *exportConfig, v string) error { return c.on(xmr.Testnet, v) }},
	{"stagenet", "", "the wallet is for the staging network", "Flags", func(c *exportConfig, v string) error { return c.on(xmr.Stagenet, v) }},
	{"help", "", "", "", func(c *exportConfig, v string) error { c.help = v == "true"; return nil }},
}

func (c *exportConfig) on(n xmr.Network, v string) error {
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
		return c, fmt.Errorf("--wallet-file and --as are needed: %w", errUsage)
	}
	return c, nil
}

// exportKeys takes a wallet to the reference: it writes its file of keys.
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
	fmt.Fprintf(stdout, "%s has the wallet's keys, its language and its restore height. monero-wallet-rpc opens it as %s,\n"+
		"with the same password, and reads the history from the chain.\n", made, c.as)
	return 0
}

func exportFile(ctx context.Context, c exportConfig, stdin io.Reader, say io.Writer) (made string, err error) {
	if err := walletExists(c.walletFile); err != nil {
		return "", err // before anyone types a password
	}
	password, err := exportPassword(ctx, c, stdin, say)
	if err != nil {
		return "", err
	}
	dir, name := filepath.Split(c.walletFile)
	files := native.WalletDir(filepath.Clean(dir))
	s, err := service.New(service.Config{
		Network: c.network, Files: files, KeyRounds: c.kdfRounds, Random: rand.Reader, Workers: 1,
		Now:       func() uint64 { return uint64(time.Now().Unix()) },
		Languages: languages.All(), Polyseeds: sixteen.All(), WithoutCache: c.withoutCache,
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

// walletExists returns an error unless file is there, or the reference's file of keys beside that name.
func walletExists(file string) error {
	_, err := os.Stat(file)
	if errors.Is(err, os.ErrNotExist) {
		if _, keysErr := os.Stat(file + ".keys"); keysErr == nil {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("--wallet-file: %w", err)
	}
	return nil
}

func exportPassword(ctx context.Context, c exportConfig, stdin io.Reader, say io.Writer) (secret, error) {
	if c.passwordFile == "" {
		return readPassword(ctx, stdin, say, "Wallet password: ")
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
