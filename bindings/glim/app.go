package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"glim/bindings/app"
	"glim/core/service"
	"glim/core/xmr"
)

// AppConfig is the configuration of `glim app`.
type AppConfig struct {
	WalletRPCConfig
	NoBrowser bool   // print the address in place of opening a browser
	Pages     string // folder of the built web wallet; empty for the embedded one

	chosenNode bool // whether a flag chooses the daemon
}

// appWalletFlags are the flags of glim wallet-rpc that glim app has too.
var appWalletFlags = []string{
	"help", configFlag, "max-concurrency",
	"wallet-dir", "testnet", "stagenet", "regtest", "max-reorg-depth", "no-keys-file", "kdf-rounds",
	"daemon-address", "daemon-login", "trusted-daemon", "untrusted-daemon", "proxy", "tx-daemon-address", "tx-proxy",
	"witness-daemon-address", "no-dns", "offline",
	"daemon-ssl", "daemon-ssl-ca-certificates", "daemon-ssl-allowed-fingerprints", "daemon-ssl-allow-any-cert",
	"log-level", "log-format", "log-file", "max-log-file-size", "max-log-files",
}

// appFlags are the flags of glim app.
var appFlags = func() []flag[AppConfig] {
	all := []flag[AppConfig]{
		{"no-browser", "", "print the address of the page, which works once, in place of opening a browser",
			groupGeneral, boolean(func(c *AppConfig) *bool { return &c.NoBrowser })},
		{"pages", "FOLDER", "serve the built web wallet in FOLDER in place of the one in this program", groupGeneral,
			text(func(c *AppConfig) *string { return &c.Pages })},
	}
	for _, f := range walletRPCFlags {
		if !slices.Contains(appWalletFlags, f.name) {
			continue
		}
		ours := flag[AppConfig]{f.name, f.arg, f.help, f.group, func(c *AppConfig, v string) error {
			if f.name == "daemon-address" || f.name == "offline" {
				c.chosenNode = true
			}
			return f.apply(&c.WalletRPCConfig, v)
		}}
		if f.name == "wallet-dir" {
			ours.help += " (default one in your folder for programs' data)"
		}
		all = append(all, ours)
	}
	slices.SortStableFunc(all, func(a, b flag[AppConfig]) int {
		order := []string{groupGeneral, groupWallet, groupDaemon, groupLog}
		return slices.Index(order, a.group) - slices.Index(order, b.group)
	})
	return all
}()

const appUsage = `
Usage: glim app [flags]
`

func appHelp(w io.Writer) {
	fmt.Fprint(w, appUsage, `
Opens the web wallet in your browser. The engine runs in this process: wallets are files of a folder, and scanning goes
on while the page is closed. If it is already running, it is opened again. "Quit glim" in the page, or Ctrl-C, ends it.
`)
	printFlags(w, appFlags)
}

// parseApp parses the arguments after the command's name.
func parseApp(args []string, readFile func(string) ([]byte, error)) (AppConfig, error) {
	c := AppConfig{WalletRPCConfig: WalletRPCConfig{
		Network: xmr.Mainnet, Serving: defaultServing(0), Logging: defaultLogging(), KDFRounds: 1,
		DaemonTLS: DaemonTLS{Mode: "autodetect"}, CompareBlocks: service.DefaultProveEvery, DisableLogin: true,
	}}
	if err := readFlags(&c, args, appFlags, readFile); err != nil || c.help {
		return c, err
	}
	switch {
	case c.trusted && c.untrusted:
		return c, errors.New("--trusted-daemon and --untrusted-daemon are mutually exclusive")
	case c.daemonUser != "":
		return c, errors.New("--daemon-login must be USER:PASSWORD; a password can also be entered in the page")
	case !slices.Contains([]string{"enabled", "disabled", "autodetect"}, c.DaemonTLS.Mode):
		return c, errors.New("--daemon-ssl must be enabled, disabled or autodetect")
	}
	return c, errors.Join(c.Logging.finish(), c.daemon())
}

// appCommand runs `glim app` and returns the exit code.
func appCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cfg, err := parseApp(args, os.ReadFile)
	switch {
	case err != nil:
		return misused(stderr, "app", appUsage, err)
	case cfg.help:
		appHelp(stdout)
		return 0
	}
	if err := runApp(ctx, cfg, stdout, stderr); err != nil {
		cfg.failed(stderr, "glim app", err)
		return 1
	}
	return 0
}

// errNoPages says how to get a program with the web wallet.
var errNoPages = errors.New("this glim is built without the web wallet: build it with \"make app\", which needs " +
	"node, or name the folder of a built web wallet with --pages")

// dataFolder returns the user's folder for glim's data.
// Source: XDG Base Directory Specification, $XDG_DATA_HOME.
func dataFolder(getenv func(string) string) (string, error) {
	parent := getenv("XDG_DATA_HOME")
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		parent = ""
	}
	var err error
	switch {
	case parent != "":
	case runtime.GOOS == "darwin":
		parent, err = os.UserConfigDir() // Library/Application Support
	case runtime.GOOS == "windows":
		parent, err = os.UserCacheDir() // %LocalAppData%
	default:
		parent, err = os.UserHomeDir()
		parent = filepath.Join(parent, ".local", "share")
	}
	if err != nil {
		return "", err
	}
	folder := filepath.Join(parent, "glim")
	return folder, os.MkdirAll(folder, 0o700)
}

// ofNetwork returns a name for mainnet, and name-NETWORK for another network.
func ofNetwork(name string, n xmr.Network) string {
	if n == xmr.Mainnet {
		return name
	}
	return name + "-" + flagOf(n)
}

// flagOf returns the name of a network as in its flag.
func flagOf(n xmr.Network) string {
	if n == xmr.Regtest {
		return "regtest"
	}
	return n.String()
}

// place completes the folder of the wallets, and returns the settings of the page.
func (c *AppConfig) place() (*app.SettingsFile, error) {
	data, err := dataFolder(os.Getenv)
	if err != nil {
		return nil, err
	}
	if c.WalletDir == "" {
		c.WalletDir = filepath.Join(data, ofNetwork("wallets", c.Network))
	}
	if c.WalletDir, err = filepath.Abs(c.WalletDir); err != nil {
		return nil, err
	}
	return app.NewSettingsFile(filepath.Join(data, ofNetwork("app", c.Network)+".json")), nil
}
