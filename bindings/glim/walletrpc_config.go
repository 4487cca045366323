package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"glim/bindings/native/digest"
	"glim/bindings/native/webhook"
	"glim/core/service"
	"glim/core/xmr"
)

// secret is a text that prints as a placeholder; string(s) is the text.
type secret string

func (secret) String() string       { return "[hidden]" }
func (secret) GoString() string     { return "[hidden]" }
func (secret) LogValue() slog.Value { return slog.StringValue("[hidden]") }

// DaemonTLS says how to speak TLS with the daemon.
type DaemonTLS struct {
	Mode                string // enabled, disabled, autodetect
	PrivateKey          string // file
	Certificate         string // file
	CACertificates      string // file
	AllowedFingerprints []string
	AllowAnyCert        bool
	AllowChained        bool
}

// WalletRPCConfig is everything `glim wallet-rpc` can be told. Zero values are the defaults but where parse sets others.
type WalletRPCConfig struct {
	Network xmr.Network

	WalletDir         string
	WalletFile        string
	GenerateFrom      string // file that says which wallet to make and to open
	Password          secret
	PasswordFile      string
	PromptForPassword bool // read the password from standard input

	Serving      // without a login one is generated unless DisableLogin
	DisableLogin bool

	DaemonAddress  string // host:port or URL
	DaemonLogin    digest.Login
	TrustedDaemon  bool
	DaemonTLS      DaemonTLS
	Proxy          string // SOCKS host:port
	Witness        string // host:port or URL of a second daemon, to compare with
	CompareBlocks  uint16 // one in so many is proven for nothing; 0 for no compact blocks
	Offline        bool
	LookaheadMajor uint32   // accounts; 0 for what each wallet says, and new ones get
	LookaheadMinor uint32   // addresses in each; likewise
	WithoutCache   bool     // leaves out what caches of monero-wallet-rpc know
	MaxReorgDepth  *uint64  // nil leaves each wallet its own
	TxNotify       string   // command, %s is the transaction
	Webhooks       []secret // URLs, which may hold a token
	WebhookSecret  secret
	MaxConcurrency int // 0 for every core
	KDFRounds      uint64

	Logging
	Metrics
	PIDFile        string
	Detach         bool // go on in a process of its own
	NonInteractive bool

	Warnings []string // about flags that were accepted and have no effect

	daemonHost, daemonPort, lookahead string
	daemonUser                        string // of a login whose password is still to be asked for
	trusted, untrusted                bool
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

// ignored accepts a flag of the reference that has nothing to do here.
func ignored(name, arg string) wflag {
	return without(name, arg, "has nothing to do here", func(c *WalletRPCConfig) *[]string { return &c.Warnings })
}

// already accepts a flag of the reference that asks for what is so anyway.
func already(name, why string) wflag {
	return taken[WalletRPCConfig](name, "", why)
}

// walletRPCFlags are the flags of monero-wallet-rpc, and those of ours marked so in their help.
// Source: src/wallet/{wallet_args,wallet2,wallet_rpc_server}.cpp, src/rpc/rpc_args.cpp.
var walletRPCFlags = slices.Concat([]wflag{
	{"help", "", "show this", groupGeneral, boolean(func(c *WalletRPCConfig) *bool { return &c.help })},
	{"version", "", "show the version", groupGeneral, boolean(func(c *WalletRPCConfig) *bool { return &c.version })},
	{"config-file", "FILE", "read flags from FILE, a line name=value each, # begins a comment; the command line wins", groupGeneral, text(func(c *WalletRPCConfig) *string { return &c.configFile })},
	{"pidfile", "FILE", "write the process's number to FILE", groupGeneral, text(func(c *WalletRPCConfig) *string { return &c.PIDFile })},
	{"detach", "", "go on in the background once it serves, and log to monero-wallet-rpc.log unless --log-file says otherwise", groupGeneral, boolean(func(c *WalletRPCConfig) *bool { return &c.Detach })},
	{"non-interactive", "", "ask nothing", groupGeneral, boolean(func(c *WalletRPCConfig) *bool { return &c.NonInteractive })},
	{"max-concurrency", "N", "use N cores at most (0: all)", groupGeneral, number(func(c *WalletRPCConfig) *int { return &c.MaxConcurrency }, 16)},

	{"wallet-dir", "DIR", "folder of the wallets clients open and make", groupWallet, text(func(c *WalletRPCConfig) *string { return &c.WalletDir })},
	{"wallet-file", "FILE", "open this wallet, and only it", groupWallet, text(func(c *WalletRPCConfig) *string { return &c.WalletFile })},
	{"generate-from-json", "FILE", "make the wallet that FILE says, and open only it", groupWallet, text(func(c *WalletRPCConfig) *string { return &c.GenerateFrom })},
	{"password", "TEXT", "password of --wallet-file; other users of the machine can see it here", groupWallet, func(c *WalletRPCConfig, v string) error { c.Password = secret(v); return nil }},
	{"password-file", "FILE", "read the password from FILE", groupWallet, text(func(c *WalletRPCConfig) *string { return &c.PasswordFile })},
	{"prompt-for-password", "", "read the password from standard input; a terminal does not show it", groupWallet, boolean(func(c *WalletRPCConfig) *bool { return &c.PromptForPassword })},
	{"testnet", "", "use the test network", groupWallet, func(c *WalletRPCConfig, v string) error { return c.network(xmr.Testnet, v) }},
	{"stagenet", "", "use the staging network", groupWallet, func(c *WalletRPCConfig, v string) error { return c.network(xmr.Stagenet, v) }},
	{"regtest", "", "use a private chain with mainnet's addresses (ours)", groupWallet, func(c *WalletRPCConfig, v string) error { return c.network(xmr.Regtest, v) }},
	{"subaddress-lookahead", "A:N", "look for money N addresses ahead in A accounts ahead (ours; 50:200, or what the wallet says)", groupWallet,
		text(func(c *WalletRPCConfig) *string { return &c.lookahead })},
	{"max-reorg-depth", "N", "refuse reorganisations that drop more than N blocks, in the wallets opened (ours; 100, or what the wallet says)", groupWallet, (*WalletRPCConfig).reorgDepth},
	{"without-cache", "", "open wallets of monero-wallet-rpc without what their caches know (ours)", groupWallet,
		boolean(func(c *WalletRPCConfig) *bool { return &c.WithoutCache })},
	{"tx-notify", "COMMAND", "run COMMAND for each transaction received, %s is its ID", groupWallet, text(func(c *WalletRPCConfig) *string { return &c.TxNotify })},
	{"webhook-url", "URL", "post what happens to wallets to URL, signed, or get a URL with {txid} for each transaction received; several: comma separated or given several times (ours)", groupWallet, (*WalletRPCConfig).webhooks},
	{"webhook-secret-file", "FILE", "sign with the secret in FILE, 16 bytes or more (ours)", groupWallet, text(func(c *WalletRPCConfig) *string { return &c.webhookSecretFile })},
	{"kdf-rounds", "N", "rounds of the password's key derivation (1)", groupWallet, number(func(c *WalletRPCConfig) *uint64 { return &c.KDFRounds }, 32)},
}, servingFlags(func(c *WalletRPCConfig) *Serving { return &c.Serving }, "required"), []wflag{
	{"disable-rpc-login", "", "ask for no login; without this and --rpc-login one is made and written to monero-wallet-rpc.PORT.login", groupServer, boolean(func(c *WalletRPCConfig) *bool { return &c.DisableLogin })},
	{"restricted-rpc", "", "serve only what cannot spend or change anything", groupServer, boolean(func(c *WalletRPCConfig) *bool { return &c.Restricted })},

	{"daemon-address", "HOST:PORT", "daemon to use", groupDaemon, text(func(c *WalletRPCConfig) *string { return &c.DaemonAddress })},
	{"daemon-host", "HOST", "daemon's host (localhost), or HOST:PORT", groupDaemon, text(func(c *WalletRPCConfig) *string { return &c.daemonHost })},
	{"daemon-port", "PORT", "daemon's port (18081; testnet 28081, stagenet 38081)", groupDaemon, text(func(c *WalletRPCConfig) *string { return &c.daemonPort })},
	{"daemon-login", "USER[:PASSWORD]", "daemon's login; without a password it is asked for", groupDaemon, func(c *WalletRPCConfig, v string) (err error) {
		c.DaemonLogin, c.daemonUser, err = parseLogin(v)
		return err
	}},
	{"trusted-daemon", "", "use operations that take the daemon's word (default for one on this machine)", groupDaemon, boolean(func(c *WalletRPCConfig) *bool { return &c.trusted })},
	{"untrusted-daemon", "", "use none of them", groupDaemon, boolean(func(c *WalletRPCConfig) *bool { return &c.untrusted })},
	{"proxy", "[IP:]PORT", "SOCKS proxy to the daemon", groupDaemon, (*WalletRPCConfig).proxy},
	{"witness-daemon-address", "HOST:PORT", "a second daemon: pay only when the chain and the fee are what it says, and compare some blocks with its own in full (ours; none)", groupDaemon, text(func(c *WalletRPCConfig) *string { return &c.Witness })},
	{"compare-blocks", "N", "prove one block in N in which nothing of the wallet was found, besides those in which something was; 0 reads no compact blocks (ours; 128)", groupDaemon, number(func(c *WalletRPCConfig) *uint16 { return &c.CompareBlocks }, 16)},
	{"daemon-ssl", "MODE", "enabled, disabled, autodetect: encrypted when the daemon is, whosever certificate it has (autodetect)", groupDaemon, text(func(c *WalletRPCConfig) *string { return &c.DaemonTLS.Mode })},
	{"daemon-ssl-private-key", "FILE", "our private key, PEM", groupDaemon, text(func(c *WalletRPCConfig) *string { return &c.DaemonTLS.PrivateKey })},
	{"daemon-ssl-certificate", "FILE", "our certificate, PEM", groupDaemon, text(func(c *WalletRPCConfig) *string { return &c.DaemonTLS.Certificate })},
	{"daemon-ssl-ca-certificates", "FILE", "authorities to trust in the place of the system's, PEM", groupDaemon, text(func(c *WalletRPCConfig) *string { return &c.DaemonTLS.CACertificates })},
	{"daemon-ssl-allowed-fingerprints", "LIST", "SHA-256 of certificates to trust, hex, comma separated or given several times", groupDaemon, func(c *WalletRPCConfig, v string) error {
		c.DaemonTLS.AllowedFingerprints = append(c.DaemonTLS.AllowedFingerprints, list(v)...)
		return nil
	}},
	{"daemon-ssl-allow-any-cert", "", "trust every certificate", groupDaemon, boolean(func(c *WalletRPCConfig) *bool { return &c.DaemonTLS.AllowAnyCert })},
	{"daemon-ssl-allow-chained", "", "trust what the given authorities signed in turn", groupDaemon, boolean(func(c *WalletRPCConfig) *bool { return &c.DaemonTLS.AllowChained })},
	{"offline", "", "use neither daemon nor DNS", groupDaemon, boolean(func(c *WalletRPCConfig) *bool { return &c.Offline })},
}, loggingFlags(func(c *WalletRPCConfig) *Logging { return &c.Logging }), metricsFlags(func(c *WalletRPCConfig) *Metrics { return &c.Metrics }), []wflag{
	{"metrics-wallet-names", "", "show each wallet with its name (ours; without it only how many there are and how far behind)", groupMetrics, boolean(func(c *WalletRPCConfig) *bool { return &c.WalletNames })},
	already("no-initial-sync", "it listens before it reads the chain, always"),
	already("allow-mismatched-daemon-version", "what a daemon answers is judged, not its version"),
	already("no-dns", "DNS is asked for the addresses of services named by flags, and for nothing else"),
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
})

// parseWalletRPC reads the arguments after the command's name. getenv and readFile are the system's.
func parseWalletRPC(args []string, getenv func(string) string, readFile func(string) ([]byte, error)) (WalletRPCConfig, error) {
	c := WalletRPCConfig{
		Network: xmr.Mainnet, Serving: defaultServing(0), Logging: defaultLogging(), KDFRounds: 1,
		DaemonTLS: DaemonTLS{Mode: "autodetect"}, CompareBlocks: service.DefaultEvery,
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

// finish checks what flags say together and fills in what follows from them.
func (c *WalletRPCConfig) finish(readFile func(string) ([]byte, error)) error {
	switch {
	case c.BindPort == 0:
		return fmt.Errorf("--rpc-bind-port is required: %w", errUsage)
	case c.WalletDir != "" && c.WalletFile != "":
		return fmt.Errorf("--wallet-dir and --wallet-file exclude each other")
	case c.GenerateFrom != "" && (c.WalletDir != "" || c.WalletFile != ""):
		return fmt.Errorf("--generate-from-json excludes --wallet-dir and --wallet-file")
	case c.WalletDir == "" && c.WalletFile == "" && c.GenerateFrom == "":
		return fmt.Errorf("one of --wallet-dir, --wallet-file and --generate-from-json is needed: %w", errUsage)
	case c.DisableLogin && c.seenLogin:
		return fmt.Errorf("--disable-rpc-login and --rpc-login exclude each other")
	case c.DaemonAddress != "" && (c.daemonHost != "" || c.daemonPort != ""):
		return fmt.Errorf("--daemon-address excludes --daemon-host and --daemon-port")
	case c.trusted && c.untrusted:
		return fmt.Errorf("--trusted-daemon and --untrusted-daemon exclude each other")
	case c.Password != "" && c.PasswordFile != "" || c.PromptForPassword && (c.Password != "" || c.PasswordFile != ""):
		return fmt.Errorf("--password, --password-file and --prompt-for-password exclude each other")
	case c.PromptForPassword && c.NonInteractive:
		return fmt.Errorf("--prompt-for-password and --non-interactive exclude each other")
	case (c.loginUser != "" || c.daemonUser != "") && (c.NonInteractive || c.Detach):
		return fmt.Errorf("--rpc-login and --daemon-login must be USER:PASSWORD with --non-interactive or --detach: nobody can be asked for a password")
	case c.DisableLogin && slices.Contains(c.Origins, "null"): // that of every page in a sandbox, and any page can make one
		return fmt.Errorf("--rpc-access-control-origins=null with --disable-rpc-login would let every web page spend")
	case c.PromptForPassword && c.Detach:
		return fmt.Errorf("--prompt-for-password and --detach exclude each other")
	case c.DisableLogin && slices.Contains(c.Origins, "*"):
		return fmt.Errorf("--rpc-access-control-origins=* with --disable-rpc-login would let every web page spend")
	case !slices.Contains([]string{"enabled", "disabled", "autodetect"}, c.DaemonTLS.Mode):
		return fmt.Errorf("--daemon-ssl: enabled, disabled or autodetect")
	case len(c.Webhooks) == 0 && c.webhookSecretFile != "", c.signs() && c.webhookSecretFile == "":
		return fmt.Errorf("--webhook-url and --webhook-secret-file need each other, unless each URL has {txid}")
	case len(c.Webhooks) > 0 && c.Offline:
		return fmt.Errorf("--webhook-url and --offline exclude each other")
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
	if c.lookahead != "" {
		major, minor, _ := strings.Cut(c.lookahead, ":")
		accounts, err1 := strconv.ParseUint(major, 10, 32)
		addresses, err2 := strconv.ParseUint(minor, 10, 32)
		if err1 != nil || err2 != nil || accounts == 0 || addresses == 0 {
			return fmt.Errorf("--subaddress-lookahead: accounts:addresses, each 1 or more")
		}
		c.LookaheadMajor, c.LookaheadMinor = uint32(accounts), uint32(addresses)
	}
	if err := c.daemon(); err != nil {
		return err
	}
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

// daemon fills in the daemon's address and whether it is trusted: one on this machine is unless told otherwise.
func (c *WalletRPCConfig) daemon() error {
	if c.DaemonAddress == "" {
		if host, port, err := net.SplitHostPort(c.daemonHost); err == nil && c.daemonPort == "" {
			c.daemonHost, c.daemonPort = host, port // --daemon-host HOST:PORT is common, though the reference reaches nothing with it
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
	return nil
}

func (c *WalletRPCConfig) network(n xmr.Network, v string) error {
	if v != "true" {
		return nil
	}
	if c.Network != xmr.Mainnet && c.Network != n {
		return fmt.Errorf("--testnet, --stagenet and --regtest exclude each other")
	}
	c.Network = n
	return nil
}

// reorgDepth takes --max-reorg-depth.
func (c *WalletRPCConfig) reorgDepth(v string) error {
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil {
		return fmt.Errorf("a number of blocks, not %q", v)
	}
	c.MaxReorgDepth = &n
	return nil
}

// signs reports whether a webhook is posted to, which needs a secret.
func (c *WalletRPCConfig) signs() bool {
	return slices.ContainsFunc(c.Webhooks, func(url secret) bool { return !strings.Contains(string(url), webhook.TxIDTag) })
}

func (c *WalletRPCConfig) webhooks(v string) error {
	for _, url := range list(v) {
		c.Webhooks = append(c.Webhooks, secret(url))
	}
	return nil
}

func (c *WalletRPCConfig) proxy(v string) error {
	if !strings.Contains(v, ":") {
		v = "127.0.0.1:" + v
	}
	if _, err := netip.ParseAddrPort(v); err != nil {
		return fmt.Errorf("%q is not [IP:]PORT", v)
	}
	c.Proxy = v
	return nil
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
