package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"glim/bindings/native"
	"glim/core/lws"
	"glim/core/rpc/digest"
	"glim/core/xmr"
)

// LWSConfig is the configuration of `glim lws`.
type LWSConfig struct {
	Network     xmr.Network
	Daemon      string // host:port
	DaemonLogin digest.Login
	Proxy       string // SOCKS host:port
	Untrusted   bool   // compare whole transactions with their IDs

	Folder       string // of the database, or of the key files
	Database     string // URL of a PostgreSQL database; empty for one in Folder
	KeyFile      string // empty for one in Folder
	AdminKeyFile string // empty for one in Folder
	NoAdminAuth  bool

	Servers, AdminServers []restAddress
	SSL                   native.SSL // the certificate of addresses with https
	Origins               []string
	ConfirmExternalBind   bool
	MaxConnections        int
	MaxPublic             int // connections from one public address

	MaxSubaddresses uint32
	MaxRequests     int
	MaxAccounts     int
	AcceptCreation  bool
	AcceptImport    bool
	Workers         int
	RateMinutes     uint16 // between requests for exchange rates; 0 for none
	AnyReceiver     bool   // of webhooks, with any certificate

	Logging
	Warnings []string // about flags that were accepted without effect

	networkName         string
	regtest             bool
	servers, admin      []string
	help, printsVersion bool
	configFile          string
}

// restAddress is an address that serves REST.
type restAddress struct {
	host   string // IP address
	port   uint16
	secure bool
	prefix string // empty, or the beginning of paths, such as /basic
}

const groupAccounts = "Accounts"

type lflag = flag[LWSConfig]

// lwsFlags are the flags of glim lws. They are those of monero-lws-daemon.
// Source: github.com/vtnerd/monero-lws, src/server_main.cpp.
var lwsFlags = func() []lflag {
	warnings := func(c *LWSConfig) *[]string { return &c.Warnings }
	own := []lflag{
		{"help", "", "show this help", groupGeneral, boolean(func(c *LWSConfig) *bool { return &c.help })},
		{"version", "", "show the version", groupGeneral,
			boolean(func(c *LWSConfig) *bool { return &c.printsVersion })},
		{configFlag, "FILE", "read flags from FILE, one name=value a line; the command line takes precedence",
			groupGeneral, text(func(c *LWSConfig) *string { return &c.configFile })},
		{"db-path", "DIR", "folder of the database (default one in your folder for programs' data)", groupGeneral,
			text(func(c *LWSConfig) *string { return &c.Folder })},
		{"database", "URL", "share the accounts with other processes in this PostgreSQL database, such as " +
			"postgres://USER@HOST/DATABASE?sslmode=verify-full; the password is in ~/.pgpass or the file that " +
			"PGPASSFILE names (glim only; default one in the folder)", groupGeneral,
			text(func(c *LWSConfig) *string { return &c.Database })},
		{"key-file", "FILE", "key that seals the database; created with a new one (glim only; default lws.key in the " +
			"folder of the database)", groupGeneral, text(func(c *LWSConfig) *string { return &c.KeyFile })},
		{"scan-threads", "N", "goroutines that scan (default: one for each processor)", groupGeneral,
			number(func(c *LWSConfig) *int { return &c.Workers }, 16)},

		{"network", "NAME", "main, test or stage (default main)", groupDaemon,
			text(func(c *LWSConfig) *string { return &c.networkName })},
		{"regtest", "", "use a private chain", groupDaemon, boolean(func(c *LWSConfig) *bool { return &c.regtest })},
		{"daemon", "HOST:PORT", "RPC of the daemon (default 127.0.0.1 and the network's port)", groupDaemon,
			text(func(c *LWSConfig) *string { return &c.Daemon })},
		{"daemon-login", "USER:PASSWORD", "login for the daemon (glim only)", groupDaemon,
			func(c *LWSConfig, v string) (err error) { c.DaemonLogin, err = fullLogin(v); return err }},
		{"proxy", "HOST:PORT", "connect to the daemon through this SOCKS proxy (glim only)", groupDaemon,
			text(func(c *LWSConfig) *string { return &c.Proxy })},
		{"untrusted-daemon", "", "read whole transactions and compare them with their IDs; proofs of work are not " +
			"checked", groupDaemon, boolean(func(c *LWSConfig) *bool { return &c.Untrusted })},

		{"rest-server", "URL", "serve wallets at [http://|https://][IP:]PORT[/PREFIX]; may be repeated " +
			"(default http://127.0.0.1:8443)", groupServer,
			func(c *LWSConfig, v string) error { c.servers = append(c.servers, list(v)...); return nil }},
		{"admin-rest-server", "URL", "serve administrators at such an address; may be repeated (default none)",
			groupServer, func(c *LWSConfig, v string) error { c.admin = append(c.admin, list(v)...); return nil }},
		{"admin-key-file", "FILE", "secret of administrators' requests; created if missing (glim only; default " +
			"lws-admin.key in the folder of the database)", groupServer,
			text(func(c *LWSConfig) *string { return &c.AdminKeyFile })},
		{"disable-admin-auth", "", "accept administrators' requests without their secret", groupServer,
			boolean(func(c *LWSConfig) *bool { return &c.NoAdminAuth })},
		{"rest-ssl-certificate", "FILE", "TLS certificate of https addresses, PEM; by default one is generated at " +
			"each start", groupServer, text(func(c *LWSConfig) *string { return &c.SSL.CertificateFile })},
		{"rest-ssl-key", "FILE", "private key of the TLS certificate, PEM", groupServer,
			text(func(c *LWSConfig) *string { return &c.SSL.PrivateKeyFile })},
		{"access-control-origin", "ORIGIN", "web origin that may use the service (CORS); may be repeated", groupServer,
			func(c *LWSConfig, v string) error { c.Origins = append(c.Origins, list(v)...); return nil }},
		{"confirm-external-bind", "", "allow listening on a non-loopback address", groupServer,
			boolean(func(c *LWSConfig) *bool { return &c.ConfirmExternalBind })},
		{"max-connections", "N", "maximum number of connections (glim only; default 1000)", groupServer,
			number(func(c *LWSConfig) *int { return &c.MaxConnections }, 16)},
		{"max-connections-per-public-ip", "N", "maximum number of connections from one public address (glim only; " +
			"default 16)", groupServer, number(func(c *LWSConfig) *int { return &c.MaxPublic }, 16)},

		{"max-subaddresses", "N", "most watched subaddresses of an account (default 0: subaddresses are not watched)",
			groupAccounts, number(func(c *LWSConfig) *uint32 { return &c.MaxSubaddresses }, 32)},
		{"auto-accept-creation", "", "create accounts without an administrator", groupAccounts,
			boolean(func(c *LWSConfig) *bool { return &c.AcceptCreation })},
		{"auto-accept-import", "", "scan from earlier blocks without an administrator", groupAccounts,
			boolean(func(c *LWSConfig) *bool { return &c.AcceptImport })},
		{"create-queue-max", "N", "most requests that wait for an administrator (default 10000)", groupAccounts,
			number(func(c *LWSConfig) *int { return &c.MaxRequests }, 31)},
		{"max-accounts", "N", "above this number, new accounts need an administrator in any case (glim only; default " +
			"10000)", groupAccounts, number(func(c *LWSConfig) *int { return &c.MaxAccounts }, 31)},
	}
	own = append(own, lflag{"webhook-ssl-verification", "MODE", "check certificates of webhooks' receivers: " +
		"system_ca (default) with the system's CAs, or none", groupServer, (*LWSConfig).verifyWebhooks})
	own = append(own, lflag{"exchange-rate-interval", "MINUTES", "ask min-api.cryptocompare.com for exchange rates " +
		"so often, without amounts and through --proxy, and answer /get_address_info with them (default 0: never)",
		groupServer, number(func(c *LWSConfig) *uint16 { return &c.RateMinutes }, 16)})
	own = append(own, loggingFlags(func(c *LWSConfig) *Logging { return &c.Logging })...)
	for _, f := range [][3]string{
		{"sub", "ADDRESS", "blocks are requested every two seconds"},
		{"zmq-pub", "ADDRESS", "events are not published"},
		{"rmq-address", "ADDRESS", "events are not published"},
		{"rmq-credentials", "USER:PASSWORD", "events are not published"},
		{"rmq-exchange", "NAME", "events are not published"},
		{"rmq-routing", "NAME", "events are not published"},
		{"lws-server-addr", "ADDRESS", "processes that scan share a --database"},
		{"lws-server-pass", "PASSWORD", "processes that scan share a --database"},
		{"lws-server-external", "", "processes that scan share a --database"},
		{"rest-threads", "N", "each connection has a goroutine"},
		{"block-depth-threading", "", "one stream of blocks serves all accounts"},
		{"min-block-depth", "N", "one stream of blocks serves all accounts"},
		{"split-sync-threads", "N", "one stream of blocks serves all accounts"},
		{"split-sync-depth", "N", "one stream of blocks serves all accounts"},
		{"balance-new-addresses", "", "one stream of blocks serves all accounts"},
		{"feed-timeout", "SECONDS", "there is no /feed"},
	} {
		own = append(own, without(f[0], f[1], f[2], warnings))
	}
	return own
}()

// verifyWebhooks reads the value of --webhook-ssl-verification.
func (c *LWSConfig) verifyWebhooks(v string) error {
	c.AnyReceiver = v == "none"
	if v != "none" && v != "system_ca" {
		return fmt.Errorf("must be none or system_ca")
	}
	return nil
}

// parseLWS parses the arguments after the command's name.
func parseLWS(args []string, getenv func(string) string, readFile func(string) ([]byte, error)) (LWSConfig, error) {
	c := LWSConfig{
		Logging: defaultLogging(), Workers: processors, MaxConnections: 1000, MaxPublic: 16,
		networkName: "main",
	}
	if err := readFlags(&c, args, lwsFlags, readFile); err != nil || c.help || c.printsVersion {
		return c, err
	}
	return c, errors.Join(c.finish(getenv), c.Logging.finish())
}

// finish checks flags that depend on each other, and completes defaults.
func (c *LWSConfig) finish(getenv func(string) string) (err error) {
	names := map[string]xmr.Network{"main": xmr.Mainnet, "test": xmr.Testnet, "stage": xmr.Stagenet}
	known := false
	switch c.Network, known = names[c.networkName]; {
	case !known:
		return fmt.Errorf("--network must be main, test or stage")
	case c.regtest && c.Network != xmr.Mainnet:
		return fmt.Errorf("--regtest and --network are mutually exclusive")
	case c.regtest:
		c.Network = xmr.Regtest
	}
	if c.MaxSubaddresses > lws.MaxSubaddresses {
		return fmt.Errorf("--max-subaddresses must not exceed %d", lws.MaxSubaddresses)
	}
	if min(c.MaxPublic, c.MaxConnections, c.Workers) < 1 {
		return fmt.Errorf("--max-connections, --max-connections-per-public-ip and --scan-threads must be at least 1")
	}
	if (c.SSL.CertificateFile == "") != (c.SSL.PrivateKeyFile == "") {
		return fmt.Errorf("--rest-ssl-certificate and --rest-ssl-key must be given together")
	}
	if c.Daemon == "" {
		c.Daemon = net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Network.DaemonPort()))
	}
	if strings.HasPrefix(c.Daemon, "tcp://") || strings.HasPrefix(c.Daemon, "ipc://") {
		return fmt.Errorf("--daemon must be the address of the daemon's RPC, HOST:PORT; ZeroMQ is not used")
	}
	if c.Folder == "" {
		folder, err := dataFolder(getenv)
		if err != nil {
			return fmt.Errorf("--db-path: %w", err)
		}
		c.Folder = filepath.Join(folder, ofNetwork("lws", c.Network))
	}
	if len(c.servers) == 0 {
		c.servers = []string{"http://127.0.0.1:8443"}
	}
	for _, s := range c.servers {
		a, err := parseRESTAddress(s)
		if err != nil {
			return fmt.Errorf("--rest-server: %w", err)
		}
		c.Servers = append(c.Servers, a)
	}
	for _, s := range c.admin {
		a, err := parseRESTAddress(s)
		if err != nil {
			return fmt.Errorf("--admin-rest-server: %w", err)
		}
		c.AdminServers = append(c.AdminServers, a)
	}
	var hosts []string
	for _, a := range append(c.Servers, c.AdminServers...) {
		hosts = append(hosts, a.host)
	}
	return loopback(c.ConfirmExternalBind, hosts...)
}

// parseRESTAddress parses [http://|https://][IP:]PORT[/PREFIX]. Without a scheme it is https, as in monero-lws.
func parseRESTAddress(s string) (a restAddress, err error) {
	a.secure = true
	rest := s
	if scheme, after, found := strings.Cut(s, "://"); found {
		if scheme != "http" && scheme != "https" {
			return a, fmt.Errorf("%q must begin with http:// or https://", s)
		}
		a.secure, rest = scheme == "https", after
	}
	if at := strings.IndexByte(rest, '/'); at >= 0 {
		a.prefix, rest = strings.TrimRight(rest[at:], "/"), rest[:at]
		if a.prefix != "" && (path.Clean(a.prefix) != a.prefix || strings.ContainsAny(a.prefix, "?#% ")) {
			return a, fmt.Errorf("%q has a prefix that is not a plain path such as /basic", s)
		}
	}
	host, port := "127.0.0.1", rest
	if strings.Contains(rest, ":") {
		if host, port, err = net.SplitHostPort(rest); err != nil {
			return a, fmt.Errorf("%q must be [http://|https://][IP:]PORT[/PREFIX]", s)
		}
	}
	if _, err := netip.ParseAddr(host); err != nil {
		return a, fmt.Errorf("%q is not an IP address", host)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return a, fmt.Errorf("%q is not a port", port)
	}
	a.host, a.port = host, uint16(n)
	return a, nil
}
