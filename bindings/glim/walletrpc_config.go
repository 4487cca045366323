package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"glim/bindings/native"
	"glim/bindings/native/webhook"
	"glim/core/rpc/digest"
	"glim/core/service"
	"glim/core/xmr"
)

// secret is a text that prints as "[hidden]"; string(s) is the text itself.
type secret string

func (secret) String() string       { return "[hidden]" }
func (secret) GoString() string     { return "[hidden]" }
func (secret) LogValue() slog.Value { return slog.StringValue("[hidden]") }

// DaemonTLS configures TLS for connections to the daemon.
type DaemonTLS struct {
	Mode                string // enabled, disabled, autodetect
	PrivateKey          string // file
	Certificate         string // file
	CACertificates      string // file
	AllowedFingerprints []string
	AllowAnyCert        bool
	AllowChained        bool
}

// WalletRPCConfig is the configuration of `glim wallet-rpc`. parseWalletRPC sets the defaults that are not zero.
type WalletRPCConfig struct {
	Network xmr.Network

	WalletDir         string
	WalletFile        string
	GenerateFrom      string // recipe of a wallet to create and open
	Password          secret
	PasswordFile      string
	PromptForPassword bool // read the password from standard input

	Serving      // without a login, one is generated unless DisableLogin is set
	DisableLogin bool

	DaemonAddress  string // host:port or URL
	DaemonLogin    digest.Login
	TrustedDaemon  bool
	DaemonTLS      DaemonTLS
	Proxy          string // SOCKS host:port
	Witness        string // host:port or URL of a second daemon to compare with
	TxDaemon       string // host:port or URL of the daemon to send transactions to
	TxProxy        string // SOCKS host:port for sending transactions
	CompareBlocks  uint16 // one block in this many is verified although nothing was found; 0 disables compact blocks
	Offline        bool
	NoDNS          bool
	LookaheadMajor uint32   // accounts; 0 uses the value of each wallet
	LookaheadMinor uint32   // addresses of each account; likewise
	WithoutCache   bool     // ignore caches of monero-wallet-rpc
	NoKeysFile     bool     // keep no files for monero-wallet-rpc next to wallets
	MaxReorgDepth  *uint64  // nil uses the value of each wallet
	TxNotify       string   // command; %s is the transaction ID
	Webhooks       []secret // URLs, which may contain a token
	WebhookSecret  secret
	MaxConcurrency int // 0 uses all cores
	KDFRounds      uint64

	Logging
	Metrics
	PIDFile        string
	Detach         bool // continue as a background process
	NonInteractive bool

	Warnings []string // about flags that were accepted without effect

	daemonHost, daemonPort, lookahead string
	daemonUser                        string // of a login whose password is still to be entered
	trusted, untrusted                bool
	keysFile                          bool // states the default
	help, version                     bool
	configFile                        string
	webhookSecretFile                 string
}

const (
	groupGeneral = "General"
	groupWallet  = "Wallet"
	groupServer  = "Server"
	groupDaemon  = "Daemon"
	groupLog     = "Log"
)

type wflag = flag[WalletRPCConfig]

// ignored accepts a flag of the reference for a feature that glim lacks, and adds a warning.
func ignored(name, arg string) wflag {
	return without(name, arg, "not supported", func(c *WalletRPCConfig) *[]string { return &c.Warnings })
}

// already accepts a flag of the reference that requests the default behaviour.
func already(name, why string) wflag {
	return taken[WalletRPCConfig](name, "", why)
}

// walletRPCFlags are the flags of monero-wallet-rpc, and those of glim, which are marked in their help.
// Source: src/wallet/{wallet_args,wallet2,wallet_rpc_server}.cpp, src/rpc/rpc_args.cpp.
var walletRPCFlags = slices.Concat(
	walletRPCGeneralFlags, walletFlags,
	servingFlags(func(c *WalletRPCConfig) *Serving { return &c.Serving }, "required"), walletRPCAccessFlags,
	walletDaemonFlags, daemonTLSFlags,
	loggingFlags(func(c *WalletRPCConfig) *Logging { return &c.Logging }),
	metricsFlags(func(c *WalletRPCConfig) *Metrics { return &c.Metrics }),
	walletRPCOtherFlags,
)

var walletRPCGeneralFlags = []wflag{
	{"help", "", "show this help", groupGeneral, boolean(func(c *WalletRPCConfig) *bool { return &c.help })},
	{"version", "", "show the version", groupGeneral, boolean(func(c *WalletRPCConfig) *bool { return &c.version })},
	{configFlag, "FILE",
		"read flags from FILE, one name=value a line, where # begins a comment; the command line takes precedence",
		groupGeneral, text(func(c *WalletRPCConfig) *string { return &c.configFile })},
	{"pidfile", "FILE", "write the process ID to FILE", groupGeneral,
		text(func(c *WalletRPCConfig) *string { return &c.PIDFile })},
	{"detach", "", "run in the background once started; logs to monero-wallet-rpc.log unless --log-file is given",
		groupGeneral, boolean(func(c *WalletRPCConfig) *bool { return &c.Detach })},
	{"non-interactive", "", "never prompt", groupGeneral,
		boolean(func(c *WalletRPCConfig) *bool { return &c.NonInteractive })},
	{"max-concurrency", "N", "use at most N cores (default 0: all)", groupGeneral,
		number(func(c *WalletRPCConfig) *int { return &c.MaxConcurrency }, 16)},
}

var walletFlags = []wflag{
	{"wallet-dir", "DIR", "folder of the wallets that clients open and create", groupWallet,
		text(func(c *WalletRPCConfig) *string { return &c.WalletDir })},
	{"wallet-file", "FILE", "open only this wallet", groupWallet,
		text(func(c *WalletRPCConfig) *string { return &c.WalletFile })},
	{"generate-from-json", "FILE", "create the wallet that FILE describes, and open only it", groupWallet,
		text(func(c *WalletRPCConfig) *string { return &c.GenerateFrom })},
	{"password", "TEXT", "password of --wallet-file; visible to other users of the machine", groupWallet,
		func(c *WalletRPCConfig, v string) error { c.Password = secret(v); return nil }},
	{"password-file", "FILE", "read the password from FILE", groupWallet,
		text(func(c *WalletRPCConfig) *string { return &c.PasswordFile })},
	{"prompt-for-password", "", "read the password from standard input, without echo on a terminal", groupWallet,
		boolean(func(c *WalletRPCConfig) *bool { return &c.PromptForPassword })},
	{"testnet", "", "use testnet", groupWallet,
		func(c *WalletRPCConfig, v string) error { return c.network(xmr.Testnet, v) }},
	{"stagenet", "", "use stagenet", groupWallet,
		func(c *WalletRPCConfig, v string) error { return c.network(xmr.Stagenet, v) }},
	{"regtest", "", "use a private chain with mainnet addresses (glim only)", groupWallet,
		func(c *WalletRPCConfig, v string) error { return c.network(xmr.Regtest, v) }},
	{"subaddress-lookahead", "A:N",
		"look ahead A accounts, and N subaddresses in each (glim only; default 50:200, or the wallet's setting)",
		groupWallet,
		text(func(c *WalletRPCConfig) *string { return &c.lookahead })},
	{"max-reorg-depth", "N",
		"refuse reorganisations of more than N blocks (glim only; default 100, or the wallet's setting)", groupWallet,
		(*WalletRPCConfig).reorgDepth},
	{"without-cache", "", "open wallets of monero-wallet-rpc without reading their caches (glim only)", groupWallet,
		boolean(func(c *WalletRPCConfig) *bool { return &c.WithoutCache })},
	{"no-keys-file", "",
		"keep no NAME.keys and NAME, with which monero-wallet-rpc opens the wallet (glim only)", groupWallet,
		boolean(func(c *WalletRPCConfig) *bool { return &c.NoKeysFile })},
	{"keys-file", "", "keep NAME.keys and NAME for monero-wallet-rpc (glim only; the default)", groupWallet,
		boolean(func(c *WalletRPCConfig) *bool { return &c.keysFile })},
	{"tx-notify", "COMMAND", "run COMMAND for each incoming transaction; %s is its ID", groupWallet,
		text(func(c *WalletRPCConfig) *string { return &c.TxNotify })},
	{"webhook-url", "URL",
		"POST signed wallet notices to URL, or GET a URL with {txid} for each incoming transaction; " +
			"comma-separated or repeated (glim only)",
		groupWallet, (*WalletRPCConfig).webhooks},
	{"webhook-secret-file", "FILE", "sign webhooks with the secret in FILE, at least 16 bytes (glim only)", groupWallet,
		text(func(c *WalletRPCConfig) *string { return &c.webhookSecretFile })},
	{"kdf-rounds", "N", "rounds of the password's key derivation (default 1)", groupWallet,
		number(func(c *WalletRPCConfig) *uint64 { return &c.KDFRounds }, 32)},
}

var walletRPCAccessFlags = []wflag{
	{"disable-rpc-login", "",
		"require no login; without this flag and --rpc-login, one is generated and written to " +
			"monero-wallet-rpc.PORT.login",
		groupServer, boolean(func(c *WalletRPCConfig) *bool { return &c.DisableLogin })},
	{"restricted-rpc", "", "serve only operations that cannot spend or change anything", groupServer,
		boolean(func(c *WalletRPCConfig) *bool { return &c.Restricted })},
}

var walletDaemonFlags = []wflag{
	{"daemon-address", "HOST:PORT", "daemon to use", groupDaemon,
		text(func(c *WalletRPCConfig) *string { return &c.DaemonAddress })},
	{"daemon-host", "HOST", "host of the daemon, or HOST:PORT (default localhost)", groupDaemon,
		text(func(c *WalletRPCConfig) *string { return &c.daemonHost })},
	{"daemon-port", "PORT", "port of the daemon (default 18081; testnet 28081, stagenet 38081)", groupDaemon,
		text(func(c *WalletRPCConfig) *string { return &c.daemonPort })},
	{"daemon-login", "USER[:PASSWORD]", "login for the daemon; prompts for a missing password", groupDaemon,
		func(c *WalletRPCConfig, v string) (err error) {
			c.DaemonLogin, c.daemonUser, err = parseLogin(v)
			return err
		}},
	{"trusted-daemon", "", "enable operations that rely on a trusted daemon (default for a daemon on this machine)",
		groupDaemon, boolean(func(c *WalletRPCConfig) *bool { return &c.trusted })},
	{"untrusted-daemon", "", "disable operations that rely on a trusted daemon", groupDaemon,
		boolean(func(c *WalletRPCConfig) *bool { return &c.untrusted })},
	{"proxy", "[IP:]PORT", "connect to the daemon through this SOCKS proxy", groupDaemon,
		func(c *WalletRPCConfig, v string) (err error) { c.Proxy, err = proxyAddress(v); return err }},
	{"tx-daemon-address", "HOST:PORT",
		"send transactions to this daemon only, and read from the other one only (glim only; default the same)",
		groupDaemon, text(func(c *WalletRPCConfig) *string { return &c.TxDaemon })},
	{"tx-proxy", "[IP:]PORT",
		"send transactions through this SOCKS proxy only, whatever --proxy is (glim only; default that of --proxy)",
		groupDaemon,
		func(c *WalletRPCConfig, v string) (err error) { c.TxProxy, err = proxyAddress(v); return err }},
	{"witness-daemon-address", "HOST:PORT",
		"second daemon: pay only if it confirms the chain and the fee, and compare some blocks in full " +
			"(glim only; default none)",
		groupDaemon, text(func(c *WalletRPCConfig) *string { return &c.Witness })},
	{"compare-blocks", "N",
		"verify compact blocks: every block with outputs of the wallet, and one in N of the others; " +
			"0 disables compact blocks (glim only; default 128)",
		groupDaemon, number(func(c *WalletRPCConfig) *uint16 { return &c.CompareBlocks }, 16)},
	{"no-dns", "", "look up no OpenAlias names, such as donate.getmonero.org", groupDaemon,
		boolean(func(c *WalletRPCConfig) *bool { return &c.NoDNS })},
	{"offline", "", "use neither daemon nor DNS", groupDaemon,
		boolean(func(c *WalletRPCConfig) *bool { return &c.Offline })},
}

var daemonTLSFlags = []wflag{
	{"daemon-ssl", "MODE",
		"TLS to the daemon: enabled, disabled, or autodetect, which accepts any certificate (default autodetect)",
		groupDaemon,
		text(func(c *WalletRPCConfig) *string { return &c.DaemonTLS.Mode })},
	{"daemon-ssl-private-key", "FILE", "private key of the client certificate, PEM", groupDaemon,
		text(func(c *WalletRPCConfig) *string { return &c.DaemonTLS.PrivateKey })},
	{"daemon-ssl-certificate", "FILE", "client certificate, PEM", groupDaemon,
		text(func(c *WalletRPCConfig) *string { return &c.DaemonTLS.Certificate })},
	{"daemon-ssl-ca-certificates", "FILE",
		"trust these certificate authorities instead of the system's, PEM", groupDaemon,
		text(func(c *WalletRPCConfig) *string { return &c.DaemonTLS.CACertificates })},
	{"daemon-ssl-allowed-fingerprints", "LIST",
		"trust certificates with these SHA-256 fingerprints, hex; comma-separated or repeated", groupDaemon,
		func(c *WalletRPCConfig, v string) error {
			c.DaemonTLS.AllowedFingerprints = append(c.DaemonTLS.AllowedFingerprints, list(v)...)
			return nil
		}},
	{"daemon-ssl-allow-any-cert", "", "trust every certificate", groupDaemon,
		boolean(func(c *WalletRPCConfig) *bool { return &c.DaemonTLS.AllowAnyCert })},
	{"daemon-ssl-allow-chained", "", "trust certificates issued through an intermediate certificate", groupDaemon,
		boolean(func(c *WalletRPCConfig) *bool { return &c.DaemonTLS.AllowChained })},
}

var walletRPCOtherFlags = []wflag{
	{"metrics-wallet-names", "", "report each wallet by name (glim only; default: only their number and largest lag)",
		groupMetrics, boolean(func(c *WalletRPCConfig) *bool { return &c.WalletNames })},
	already("no-initial-sync", "the server always starts before the first refresh"),
	already("allow-mismatched-daemon-version", "answers of the daemon are checked, whatever its version"),
	ignored("rpc-response-soft-limit", "BYTES"),
	ignored("rpc-restricted-bind-ip", "IP"),
	ignored("rpc-restricted-bind-ipv6-address", "IP"),
	ignored("disable-rpc-ban", ""),
	ignored("rpc-client-secret-key", "KEY"),
	ignored("shared-ringdb-dir", "DIR"),
	ignored("hw-device", "NAME"),
	ignored("hw-device-deriv-path", "PATH"),
	ignored("extra-entropy", "FILE"),
	ignored("bitmessage-address", "URL"),
	ignored("bitmessage-login", "LOGIN"),
	ignored("install-service", ""),
	ignored("uninstall-service", ""),
	ignored("start-service", ""),
	ignored("stop-service", ""),
	ignored("run-as-service", ""),
}

// parseWalletRPC parses the arguments after the command's name. getenv and readFile are those of the operating system.
func parseWalletRPC(
	args []string, getenv func(string) string, readFile func(string) ([]byte, error),
) (WalletRPCConfig, error) {
	c := WalletRPCConfig{
		Network: xmr.Mainnet, Serving: defaultServing(0), Logging: defaultLogging(), KDFRounds: 1,
		DaemonTLS: DaemonTLS{Mode: "autodetect"}, CompareBlocks: service.DefaultProveEvery,
	}
	if err := readFlags(&c, args, walletRPCFlags, readFile); err != nil {
		return c, err
	}
	if c.help || c.version {
		return c, nil
	}
	if err := c.environment(getenv); err != nil {
		return c, err
	}
	return c, c.finish(readFile)
}

// finish checks flags that depend on each other and fills in what follows from them.
func (c *WalletRPCConfig) finish(readFile func(string) ([]byte, error)) error {
	if err := c.checkConflicts(); err != nil {
		return err
	}
	if c.Detach && c.LogFile == "" {
		c.LogFile = "monero-wallet-rpc.log"
	}
	if err := c.Serving.finish(); err != nil {
		return err
	}
	if err := c.Logging.finish(); err != nil {
		return err
	}
	if err := c.Metrics.finish(c.ConfirmExternalBind); err != nil {
		return err
	}
	if err := c.parseLookahead(); err != nil {
		return err
	}
	if err := c.daemon(); err != nil {
		return err
	}
	return c.readSecrets(readFile)
}

// checkConflicts checks for missing flags, and for flags that exclude each other.
func (c *WalletRPCConfig) checkConflicts() error {
	const allPages = "would let every web page spend"
	passwordGiven := c.Password != "" || c.PasswordFile != ""
	bothPasswords := c.Password != "" && c.PasswordFile != ""
	mustPrompt := c.loginUser != "" || c.daemonUser != ""
	noWallet := c.WalletDir == "" && c.WalletFile == "" && c.GenerateFrom == ""
	switch {
	case c.BindPort == 0:
		return fmt.Errorf("--rpc-bind-port is required: %w", errUsage)
	case c.WalletDir != "" && c.WalletFile != "":
		return fmt.Errorf("--wallet-dir and --wallet-file are mutually exclusive")
	case c.GenerateFrom != "" && (c.WalletDir != "" || c.WalletFile != ""):
		return fmt.Errorf("--generate-from-json cannot be combined with --wallet-dir or --wallet-file")
	case noWallet:
		return fmt.Errorf("--wallet-dir, --wallet-file or --generate-from-json is required: %w", errUsage)
	case c.DisableLogin && c.seenLogin:
		return fmt.Errorf("--disable-rpc-login and --rpc-login are mutually exclusive")
	case c.DaemonAddress != "" && (c.daemonHost != "" || c.daemonPort != ""):
		return fmt.Errorf("--daemon-address cannot be combined with --daemon-host or --daemon-port")
	case c.keysFile && c.NoKeysFile:
		return fmt.Errorf("--keys-file and --no-keys-file are mutually exclusive")
	case c.trusted && c.untrusted:
		return fmt.Errorf("--trusted-daemon and --untrusted-daemon are mutually exclusive")
	case bothPasswords || c.PromptForPassword && passwordGiven:
		return fmt.Errorf("--password, --password-file and --prompt-for-password are mutually exclusive")
	case c.PromptForPassword && c.NonInteractive:
		return fmt.Errorf("--prompt-for-password and --non-interactive are mutually exclusive")
	case mustPrompt && (c.NonInteractive || c.Detach):
		return fmt.Errorf("--rpc-login and --daemon-login must be USER:PASSWORD with --non-interactive or --detach, " +
			"which disable prompting")
	case c.DisableLogin && slices.Contains(c.Origins, "null"): // the origin of every sandboxed page
		return fmt.Errorf("--rpc-access-control-origins=null with --disable-rpc-login " + allPages)
	case c.PromptForPassword && c.Detach:
		return fmt.Errorf("--prompt-for-password and --detach are mutually exclusive")
	case c.DisableLogin && slices.Contains(c.Origins, "*"):
		return fmt.Errorf("--rpc-access-control-origins=* with --disable-rpc-login " + allPages)
	case !slices.Contains([]string{"enabled", "disabled", "autodetect"}, c.DaemonTLS.Mode):
		return fmt.Errorf("--daemon-ssl must be enabled, disabled or autodetect")
	case len(c.Webhooks) == 0 && c.webhookSecretFile != "", c.signs() && c.webhookSecretFile == "":
		return fmt.Errorf("--webhook-url and --webhook-secret-file must be given together, unless each URL has {txid}")
	case len(c.Webhooks) > 0 && c.Offline:
		return fmt.Errorf("--webhook-url and --offline are mutually exclusive")
	}
	return nil
}

func (c *WalletRPCConfig) parseLookahead() error {
	if c.lookahead == "" {
		return nil
	}
	major, minor, _ := strings.Cut(c.lookahead, ":")
	accounts, err1 := strconv.ParseUint(major, 10, 32)
	addresses, err2 := strconv.ParseUint(minor, 10, 32)
	if err1 != nil || err2 != nil || accounts == 0 || addresses == 0 {
		return fmt.Errorf("--subaddress-lookahead must be ACCOUNTS:ADDRESSES, each at least 1")
	}
	c.LookaheadMajor, c.LookaheadMinor = uint32(accounts), uint32(addresses)
	return nil
}

// readSecrets reads the files of the password and of the webhook secret.
func (c *WalletRPCConfig) readSecrets(readFile func(string) ([]byte, error)) error {
	if c.PasswordFile != "" {
		b, err := readFile(c.PasswordFile)
		if err != nil {
			return fmt.Errorf("--password-file: %w", err)
		}
		c.Password = secret(strings.TrimRight(string(b), "\r\n"))
	}
	if c.webhookSecretFile != "" {
		b, err := readFile(c.webhookSecretFile)
		if err != nil {
			return fmt.Errorf("--webhook-secret-file: %w", err)
		}
		c.WebhookSecret = secret(strings.TrimRight(string(b), "\r\n"))
		if len(c.WebhookSecret) < webhook.MinSecret {
			return fmt.Errorf("--webhook-secret-file: %w", webhook.ErrSecret)
		}
	}
	return nil
}

// daemon sets the daemon's address and whether it is trusted. By default, only a daemon on this machine is trusted.
func (c *WalletRPCConfig) daemon() error {
	if c.DaemonAddress == "" {
		if host, port, err := net.SplitHostPort(c.daemonHost); err == nil && c.daemonPort == "" {
			c.daemonHost, c.daemonPort = host, port // a common use, although the reference does not support it
		}
		port := strconv.Itoa(c.Network.DaemonPort())
		if c.daemonPort != "" && c.daemonPort != "0" {
			if _, err := strconv.ParseUint(c.daemonPort, 10, 16); err != nil {
				return fmt.Errorf("--daemon-port: %q is not a port", c.daemonPort)
			}
			port = c.daemonPort
		}
		host := c.daemonHost
		if host == "" {
			host = "localhost"
		}
		c.DaemonAddress = net.JoinHostPort(strings.Trim(host, "[]"), port)
	}
	_, host, found := strings.Cut(c.DaemonAddress, "://")
	if !found {
		host = c.DaemonAddress
	}
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	local := host == "localhost" || err == nil && a.IsLoopback()
	c.TrustedDaemon = c.trusted || local && !c.untrusted
	return c.txDaemon()
}

// txDaemon checks --tx-daemon-address.
func (c *WalletRPCConfig) txDaemon() error {
	if c.TxDaemon == "" {
		return nil
	}
	_, to, err := native.ParseAddress(c.TxDaemon, c.Network.DaemonPort())
	if err != nil {
		return fmt.Errorf("--tx-daemon-address: %w", err)
	}
	if _, from, err := native.ParseAddress(c.DaemonAddress, c.Network.DaemonPort()); err == nil && to == from &&
		c.TxProxy == "" {
		return fmt.Errorf("--tx-daemon-address is the daemon that is read: name another one, or a --tx-proxy")
	}
	return nil
}

func (c *WalletRPCConfig) network(n xmr.Network, v string) error {
	if v != "true" {
		return nil
	}
	if c.Network != xmr.Mainnet && c.Network != n {
		return fmt.Errorf("--testnet, --stagenet and --regtest are mutually exclusive")
	}
	c.Network = n
	return nil
}

// reorgDepth parses --max-reorg-depth.
func (c *WalletRPCConfig) reorgDepth(v string) error {
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a number of blocks", v)
	}
	c.MaxReorgDepth = &n
	return nil
}

// signs reports whether a webhook uses POST, which needs a secret.
func (c *WalletRPCConfig) signs() bool {
	return slices.ContainsFunc(c.Webhooks, func(url secret) bool {
		return !strings.Contains(string(url), webhook.TxIDTag)
	})
}

func (c *WalletRPCConfig) webhooks(v string) error {
	for _, url := range list(v) {
		c.Webhooks = append(c.Webhooks, secret(url))
	}
	return nil
}

// proxyAddress completes [IP:]PORT.
func proxyAddress(v string) (string, error) {
	if !strings.Contains(v, ":") {
		v = "127.0.0.1:" + v
	}
	if _, err := netip.ParseAddrPort(v); err != nil {
		return "", fmt.Errorf("%q is not [IP:]PORT", v)
	}
	return v, nil
}

func list(v string) []string {
	var out []string
	for s := range strings.SplitSeq(v, ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
