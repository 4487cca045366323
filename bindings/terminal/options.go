package terminal

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"glim/bindings/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// config is what the flags of a command line set.
type config struct {
	network            xmr.Network
	walletDir          string
	passwordFile       string
	json, help         bool
	withoutCache       bool
	daemon             wallet.Daemon
	daemonLoginFile    string
	trusted, untrusted bool
	offline, noRefresh bool

	polyseed             bool
	keys, viewOnly       bool
	passphrase           bool
	seedType             string
	seedAccount          uint32
	address              string
	height               *uint64
	date                 time.Time
	account              uint32
	index                *uint32
	fresh, qr            bool
	label                *string
	amount               wallet.Amount
	limit                uint32
	priority             wallet.Priority
	feeFromAmounts       bool
	doNotRelay, yes      bool
	allowLinks           bool
	key                  string
	message, messageFile string
	newPasswordFile      string
	spendKey             bool
}

// option is a flag of a command.
type option struct {
	name  string
	arg   string // name of the value in help texts; empty for a flag without a value
	help  string
	group string // its heading in help texts; empty for the command's own, or with no help for a hidden flag
	apply func(c *config, value string) error
}

// text stores the value of a flag where p points.
func text(p func(*config) *string) func(*config, string) error {
	return func(c *config, v string) error { *p(c) = v; return nil }
}

// boolean sets where p points for a flag without a value.
func boolean(p func(*config) *bool) func(*config, string) error {
	return func(c *config, _ string) error { *p(c) = true; return nil }
}

// number stores the value of a flag, an unsigned number of 32 bits, where p points.
func number(p func(*config) *uint32) func(*config, string) error {
	return func(c *config, v string) error {
		n, err := strconv.ParseUint(v, 10, 32)
		if err != nil {
			return fmt.Errorf("%q is not a number below 2^32", printable(v))
		}
		*p(c) = uint32(n)
		return nil
	}
}

const (
	groupWallet = "Wallet"
	groupDaemon = "Daemon"
	groupOutput = "Output"
)

// walletOptions select a wallet, its network and its daemon. Every command has them, except in an interactive shell.
var walletOptions = []option{
	{"wallet-dir", "DIR", "folder of the wallets (default: the folder of NAME, or the current one)", groupWallet,
		text(func(c *config) *string { return &c.walletDir })},
	{"password-file", "FILE",
		"read the password from FILE; without it, or with -, it is the next line of standard input, which a terminal " +
			"does not show", groupWallet, text(func(c *config) *string { return &c.passwordFile })},
	{"password", "TEXT", "", "", func(*config, string) error {
		return errors.New("other users of the machine could read it; use --password-file, or enter it when asked")
	}},
	{"testnet", "", "use testnet", groupWallet, network(xmr.Testnet)},
	{"stagenet", "", "use stagenet", groupWallet, network(xmr.Stagenet)},
	{"regtest", "", "use a private chain with mainnet addresses", groupWallet, network(xmr.Regtest)},
	{"without-cache", "", "open a wallet of monero-wallet-rpc without reading its cache", groupWallet,
		boolean(func(c *config) *bool { return &c.withoutCache })},

	{"daemon-address", "HOST:PORT",
		"daemon to use; https:// requires a certificate that the system trusts (default localhost, and the network's " +
			"port)", groupDaemon, text(func(c *config) *string { return &c.daemon.Address })},
	{"daemon-login-file", "FILE", "read the login for the daemon, USER:PASSWORD, from FILE", groupDaemon,
		text(func(c *config) *string { return &c.daemonLoginFile })},
	{"proxy", "IP:PORT", "connect to the daemon through this SOCKS proxy, such as Tor's", groupDaemon,
		text(func(c *config) *string { return &c.daemon.Proxy })},
	{"daemon-ssl-ca-certificates", "FILE",
		"trust these certificate authorities instead of the system's, PEM", groupDaemon,
		text(func(c *config) *string { return &c.daemon.TLS.CAFile })},
	{"daemon-ssl-allow-any-cert", "", "with https://, trust every certificate", groupDaemon,
		boolean(func(c *config) *bool { return &c.daemon.TLS.AnyCertificate })},
	{"trusted-daemon", "", "enable operations that rely on a trusted daemon (default for one on this machine)",
		groupDaemon, boolean(func(c *config) *bool { return &c.trusted })},
	{"untrusted-daemon", "", "disable operations that rely on a trusted daemon", groupDaemon,
		boolean(func(c *config) *bool { return &c.untrusted })},
	{"offline", "", "use no daemon", groupDaemon, boolean(func(c *config) *bool { return &c.offline })},
}

// outputOptions are the options of every command.
var outputOptions = []option{
	{"no-refresh", "", "do not look for new blocks first", groupDaemon,
		boolean(func(c *config) *bool { return &c.noRefresh })},
	{"json", "", "print the result as one JSON object, and errors likewise to standard error", groupOutput,
		boolean(func(c *config) *bool { return &c.json })},
	{"help", "", "show this help", groupOutput, boolean(func(c *config) *bool { return &c.help })},
}

func network(n xmr.Network) func(*config, string) error {
	return func(c *config, _ string) error {
		if c.network != xmr.Mainnet && c.network != n {
			return errors.New("--testnet, --stagenet and --regtest are mutually exclusive")
		}
		c.network = n
		return nil
	}
}

// Options of several commands.
var (
	accountOption = option{"account", "N", "account to use (default 0)", "",
		number(func(c *config) *uint32 { return &c.account })}
	labelOption = option{"label", "TEXT", "label of what is made or selected", "",
		func(c *config, v string) error { c.label = &v; return nil }}
	messageFileOption = option{"message-file", "FILE", "read the message from FILE", "",
		text(func(c *config) *string { return &c.messageFile })}
	messageOptions = []option{
		{"message", "TEXT", "message that the proof covers", "", text(func(c *config) *string { return &c.message })},
		messageFileOption,
	}
	passphraseOption = option{"seed-passphrase", "",
		"ask for the passphrase of the seed, also called seed offset", "",
		boolean(func(c *config) *bool { return &c.passphrase })}
	paymentOptions = []option{
		accountOption,
		{"priority", "LEVEL", "fee: default, unimportant, normal, elevated or urgent; or 0 to 4", "",
			(*config).setPriority},
		{"do-not-relay", "", "show the preview and send nothing", "",
			boolean(func(c *config) *bool { return &c.doNotRelay })},
		{"allow-links", "", "pay even if that links accounts that the command separate keeps apart", "",
			boolean(func(c *config) *bool { return &c.allowLinks })},
		{"yes", "", "send without a confirmation; required if no terminal can ask for it", "",
			boolean(func(c *config) *bool { return &c.yes })},
		{"idempotency-key", "KEY",
			"your name for the payment: however often the command is repeated with it, the payment is made once", "",
			text(func(c *config) *string { return &c.key })},
	}
)

// priorities are the names of wallet.Priority.
var priorities = []string{"default", "unimportant", "normal", "elevated", "urgent"}

func (c *config) setPriority(v string) error {
	for i, name := range priorities {
		if v == name || v == strconv.Itoa(i) {
			c.priority = wallet.Priority(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not default, unimportant, normal, elevated, urgent or 0 to 4", printable(v))
}

func (c *config) setSeedType(v string) error {
	if !slices.Contains(walletrpc.SeedKinds, v) {
		return fmt.Errorf("%q is not one of %s", printable(v), strings.Join(walletrpc.SeedKinds, ", "))
	}
	c.seedType = v
	return nil
}

func (c *config) setAmount(v string) (err error) {
	c.amount, err = wallet.ParseAmount(v)
	return err
}

func (c *config) setHeight(v string) error {
	n, err := strconv.ParseUint(v, 10, 32)
	if err != nil {
		return fmt.Errorf("%q is not a height", printable(v))
	}
	c.height = &n
	return nil
}

func (c *config) setDate(v string) (err error) {
	if c.date, err = time.Parse(time.DateOnly, v); err != nil {
		return fmt.Errorf("%q is not a date like 2026-01-31", printable(v))
	}
	return nil
}

// options returns the options of the command: its own and the common ones.
func (c *call) options() []option {
	var all []option
	for _, o := range c.command.options {
		o.group = "Flags of " + c.command.name
		all = append(all, o)
	}
	if c.opened == nil {
		all = append(all, walletOptions...)
	}
	return append(all, outputOptions...)
}

// parse reads the arguments and flags after the name of the command. After -- all are arguments. The error names no
// value, which may be part of an unquoted secret.
func (c *call) parse(line []string, readFile func(string) ([]byte, error)) error {
	for i := 0; i < len(line); i++ {
		given := line[i]
		switch {
		case given == "--":
			c.args = append(c.args, line[i+1:]...)
			return c.complete(readFile)
		case given == "-h":
			given = "--help"
		case given == "-" || !strings.HasPrefix(given, "-"):
			c.args = append(c.args, given)
			continue
		}
		name, value, joined := strings.Cut(strings.TrimPrefix(given, "--"), "=")
		o := find(c.options(), name)
		switch {
		case o == nil || !strings.HasPrefix(given, "--"):
			return fmt.Errorf("unknown flag %s", printable(strings.SplitN(given, "=", 2)[0]))
		case o.arg == "" && joined:
			return fmt.Errorf("--%s takes no value", name)
		case o.arg != "" && !joined:
			if i++; i == len(line) {
				return fmt.Errorf("--%s requires a value", name)
			}
			value = line[i]
		}
		if err := o.apply(&c.config, value); err != nil {
			return fmt.Errorf("--%s: %w", name, err)
		}
	}
	return c.complete(readFile)
}

func find(all []option, name string) *option {
	for i := range all {
		if all[i].name == name {
			return &all[i]
		}
	}
	return nil
}

// complete checks flags that depend on each other, and sets what follows from them.
func (c *config) complete(readFile func(string) ([]byte, error)) error {
	switch {
	case c.trusted && c.untrusted:
		return errors.New("--trusted-daemon and --untrusted-daemon are mutually exclusive")
	case c.keys && c.viewOnly:
		return errors.New("--keys and --view-only are mutually exclusive")
	case c.message != "" && c.messageFile != "":
		return errors.New("--message and --message-file are mutually exclusive")
	}
	if c.messageFile != "" {
		b, err := readFile(c.messageFile)
		if err != nil {
			return fmt.Errorf("--message-file: %w", err)
		}
		c.message = string(b)
	}
	if c.daemonLoginFile != "" {
		b, err := readFile(c.daemonLoginFile)
		if err != nil {
			return fmt.Errorf("--daemon-login-file: %w", err)
		}
		user, password, found := strings.Cut(strings.TrimRight(string(b), "\r\n"), ":")
		if !found || user == "" || password == "" {
			return errors.New("--daemon-login-file: the content must be USER:PASSWORD")
		}
		c.daemon.Username, c.daemon.Password = user, wallet.Secret(password)
	}
	if c.daemon.Address == "" {
		c.daemon.Address = net.JoinHostPort("localhost", strconv.Itoa(c.network.DaemonPort()))
	}
	c.daemon.Trusted = c.trusted || !c.untrusted && onThisMachine(c.daemon.Address)
	return nil
}

// onThisMachine reports whether an address of a daemon is localhost or a loopback address.
func onThisMachine(address string) bool {
	if _, host, found := strings.Cut(address, "://"); found {
		address = host
	}
	if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	a, err := netip.ParseAddr(strings.Trim(address, "[]"))
	return address == "localhost" || err == nil && a.IsLoopback()
}

// place returns the folder and the name of a wallet that is given as NAME or as a path.
func (c *config) place(given string) (folder, name string, err error) {
	folder, name = filepath.Split(given)
	for _, suffix := range []string{".glim", ".keys"} {
		name = strings.TrimSuffix(name, suffix)
	}
	switch {
	case name == "":
		return "", "", misuse("the name of the wallet is missing")
	case folder != "" && c.walletDir != "":
		return "", "", misuse("give either --wallet-dir or a path to the wallet, not both")
	case folder == "" && c.walletDir != "":
		folder = c.walletDir
	case folder == "":
		folder = "."
	}
	return filepath.Clean(folder), name, nil
}

// wallets returns the configuration of the wallets in a folder.
func (c *config) wallets(folder string) wallet.Config {
	w := wallet.Config{Network: c.network, Folder: folder, Refresh: -1, WithoutCache: c.withoutCache}
	if w.Offline = c.offline; !c.offline {
		w.Daemon = c.daemon
	}
	return w
}
