package wallet

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"runtime"
	"time"

	"glim/bindings/native"
	"glim/core/journal"
	"glim/core/mnemonic/languages"
	polyseeds "glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/service"
	state "glim/core/wallet"
	"glim/core/xmr"
)

// Network is one of Monero's chains.
type Network = xmr.Network

// The networks. Regtest is a private chain with the address format of mainnet, as `monerod --regtest` and package
// regtest make it.
const (
	Mainnet  = xmr.Mainnet
	Testnet  = xmr.Testnet
	Stagenet = xmr.Stagenet
	Regtest  = xmr.Regtest
)

// Config configures a Manager. It needs Folder and exactly one of Daemon.Address, Transport and Offline.
type Config struct {
	Network Network
	// Folder holds the wallets. If it does not exist, it is created with access for its owner only. The wallet NAME is
	// the file NAME.glim. Next to it there are NAME.keys and NAME, with which monero-wallet-rpc opens the wallet at any
	// time, and whose changes Open imports; see NoKeysFile. The folder may also contain wallets of monero-wallet-rpc.
	Folder string
	// NoKeysFile keeps no NAME.keys and NAME: new wallets are the file NAME alone, and files of monero-wallet-rpc are
	// only read. NAME.keys contains the same keys as the wallet, but its password is hashed with a single round of
	// CryptoNight (about 20 milliseconds) instead of Argon2id, so anyone with the file can guess passwords faster.
	// Without NoKeysFile use long passwords, or protect the folder.
	NoKeysFile bool
	// Daemon provides the chain and relays transactions.
	Daemon Daemon
	// Sending, if it has an Address or a Proxy, receives the transactions in place of Daemon, so that whoever sees what
	// is read does not see what is sent. It is asked for nothing else, and nothing is sent to Daemon if it fails.
	// Without an Address it is Daemon itself, reached through Sending.Proxy; without a Proxy it is reached through that
	// of Daemon. Daemon still serves the fee and the ring members of each payment.
	Sending Daemon
	// Names says how OpenAlias names in Payment.To and LookUp are looked up.
	Names Names
	// Transport replaces Daemon: for example a chain in the same process (package regtest) or your own HTTP client.
	Transport rpc.Transport
	// Offline means that there is no daemon. Wallets can be created and opened, but they neither refresh nor send.
	Offline bool
	// Refresh is how often open wallets look for new blocks and pending payments by themselves, rounded up to seconds;
	// 0 means DefaultRefresh. With a negative value only Sync refreshes.
	Refresh time.Duration
	// Accounts and Addresses are the lookahead of wallets that are created or restored: how many accounts, and how many
	// addresses in each, are searched for payments beyond those in use. 0 means 50 and 200, as in monero-wallet-rpc.
	// Restore does not find payments to addresses beyond the lookahead.
	Accounts, Addresses int
	// WithoutCache opens wallets of monero-wallet-rpc from their keys and the chain only. What their cache files hold
	// is then missing: the list of addresses, labels, notes, transaction keys and the destinations of sent
	// transactions. Without this option Open fails with ErrCache if a cache file cannot be read.
	WithoutCache bool
	// Workers is how many goroutines scan blocks; 0 means one for each processor.
	Workers int
	// Logger, if not nil, receives problems that no method reports, such as a background refresh that fails and is
	// repeated. Secrets are never logged.
	Logger *slog.Logger
}

// DefaultRefresh is how often open wallets refresh by themselves when Config.Refresh is 0.
const DefaultRefresh = 20 * time.Second

// Daemon describes how to connect to monerod or `glim daemon`. Package fmt prints only its address.
type Daemon struct {
	// Address is host:port. The prefix http:// turns encryption off, https:// requires it. Without a port it is the
	// default RPC port of the network.
	Address  string
	Username string // for digest authentication
	Password Secret
	Proxy    string // SOCKS5 proxy, host:port; all connections and name lookups use it
	// Trusted allows requests that reveal which outputs are yours, such as rescan_spent. Set it for your own daemon.
	Trusted bool
	TLS     TLS
}

// TLS configures how the daemon's certificate is verified. The zero value encrypts if the daemon supports it and
// accepts any certificate; with an https:// address it requires a certificate that the operating system trusts.
type TLS struct {
	CAFile         string   // PEM file: accept only these certificates, and certificates that they have signed
	Fingerprints   []string // accept only certificates with these SHA-256 fingerprints, in hexadecimal
	AnyCertificate bool     // with an https:// address, accept any certificate
	ClientCert     string   // PEM file of the certificate for daemons that require client certificates
	ClientKey      string   // PEM file of its private key
}

// Format prints the address only, because the other fields may be secret.
func (d Daemon) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "daemon "+d.Address) }

// MarshalText returns what Format prints.
func (d Daemon) MarshalText() ([]byte, error) { return []byte("daemon " + d.Address), nil }

// ConfigError reports a Config that cannot be used.
type ConfigError struct {
	Field string // the wrong field, as written in Go: "Daemon.Address"
	Err   error  // what is wrong with it
}

// Error returns the field and what is wrong with it.
func (e *ConfigError) Error() string { return "wallet: Config." + e.Field + ": " + e.Err.Error() }

// Unwrap returns e.Err.
func (e *ConfigError) Unwrap() error { return e.Err }

var (
	errMissing  = errors.New("is required")
	errConflict = errors.New("set only one of Daemon.Address, Transport and Offline")
)

// kdf returns the parameters that derive keys of wallet files from passwords. Tests replace it.
var kdf = journal.DefaultKDF

// engine returns the configuration of the engine, and creates the folder. It returns a *ConfigError if c cannot be
// used.
func (c *Config) engine() (s service.Config, d service.DaemonConfig, err error) {
	if err := c.check(); err != nil {
		return s, d, err
	}
	lookahead, err := c.lookahead()
	if err != nil {
		return s, d, err
	}
	d, connect, err := c.daemon()
	if err != nil {
		return s, d, err
	}
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return s, d, &ConfigError{"Folder", err}
	}
	s = service.Config{
		Network: c.Network, Files: c.files(), Lookahead: lookahead, KDF: kdf(), Random: rand.Reader,
		Now: func() uint64 { return uint64(time.Now().Unix()) }, Workers: c.Workers,
		Languages: languages.All(), Polyseeds: polyseeds.All(), LowPriority: native.LowPriority, Wait: native.Wait,
		Paths: native.WalletDir(c.Folder).Paths, Connect: connect, Match: native.Match, WithoutCache: c.WithoutCache,
		Sending: c.Sending.config(), TXT: c.names().TXT,
	}
	if s.Workers == 0 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Logger != nil {
		s.Log = c.Logger
	}
	return s, d, nil
}

// files returns the wallets of the folder.
func (c *Config) files() service.Files {
	if c.NoKeysFile {
		return native.WalletDir(c.Folder)
	}
	return native.SharedDir{WalletDir: native.WalletDir(c.Folder)}
}

// check returns a *ConfigError if a field is missing, out of range or in conflict with another.
func (c *Config) check() error {
	connections := 0
	for _, set := range []bool{c.Daemon.Address != "", c.Transport != nil, c.Offline} {
		if set {
			connections++
		}
	}
	switch {
	case c.Network > Regtest:
		return &ConfigError{"Network", fmt.Errorf("there is no network %d", c.Network)}
	case c.Folder == "":
		return &ConfigError{"Folder", errMissing}
	case connections == 0:
		return &ConfigError{"Daemon.Address", errors.New("is required, unless Transport or Offline is set")}
	case connections > 1 && c.Offline:
		return &ConfigError{"Offline", errConflict}
	case connections > 1:
		return &ConfigError{"Transport", errConflict}
	case c.Refresh > 0 && c.Refresh < time.Second, c.Refresh > math.MaxInt32*time.Second:
		return &ConfigError{"Refresh", errors.New("must be from 1 to 2147483647 seconds, 0 or negative")}
	case c.Workers < 0:
		return &ConfigError{"Workers", errors.New("must not be negative")}
	}
	return nil
}

// lookahead returns the lookahead of new wallets, or a *ConfigError.
func (c *Config) lookahead() (l state.Lookahead, err error) {
	switch {
	case c.Accounts < 0 || c.Accounts > math.MaxInt32:
		return l, &ConfigError{"Accounts", state.ErrLookahead}
	case c.Addresses < 0 || c.Addresses > math.MaxInt32:
		return l, &ConfigError{"Addresses", state.ErrLookahead}
	}
	l = state.DefaultLookahead
	if c.Accounts > 0 {
		l.Major = uint32(c.Accounts)
	}
	if c.Addresses > 0 {
		l.Minor = uint32(c.Addresses)
	}
	if l.Possible() != l {
		return l, &ConfigError{"Addresses", state.ErrLookahead}
	}
	return l, nil
}

// connect opens the connection to a daemon.
type connect = func(service.DaemonConfig) (rpc.Transport, error)

// config returns the engine's description of the daemon.
func (d *Daemon) config() service.DaemonConfig {
	return service.DaemonConfig{
		Address: d.Address, Username: d.Username, Password: string(d.Password), Proxy: d.Proxy, Trusted: d.Trusted,
		SSL: service.SSL{
			CAFile: d.TLS.CAFile, AllowedFingerprints: d.TLS.Fingerprints, AllowAnyCert: d.TLS.AnyCertificate,
			CertificatePath: d.TLS.ClientCert, PrivateKeyPath: d.TLS.ClientKey,
		},
	}
}

// check returns a *ConfigError, whose field begins with name, if the daemon cannot be connected to.
func (d *Daemon) check(name string, n Network, open connect) error {
	if _, _, err := native.ParseAddress(d.Address, n.DaemonPort()); err != nil {
		return &ConfigError{name + ".Address", err}
	}
	if _, err := open(service.DaemonConfig{Address: "localhost", Proxy: d.Proxy}); err != nil {
		return &ConfigError{name + ".Proxy", err}
	}
	if _, err := open(d.config()); err != nil {
		return &ConfigError{name + ".TLS", err}
	}
	return nil
}

// daemon returns the engine's description of the daemon and how to connect to it, or a *ConfigError. It opens no
// connection.
func (c *Config) daemon() (d service.DaemonConfig, open connect, err error) {
	d = c.Daemon.config()
	open = func(d service.DaemonConfig) (rpc.Transport, error) {
		return native.DaemonTransport(d, c.Network.DaemonPort(), false)
	}
	switch {
	case c.Daemon.Address != "":
		if err = c.Daemon.check("Daemon", c.Network, open); err == nil {
			err = c.checkSending(open)
		}
	case c.Sending.Address != "" || c.Sending.Proxy != "":
		err = &ConfigError{"Sending", errors.New("needs Daemon")}
	case c.Transport != nil:
		d.Address = "Config.Transport"
		open = func(service.DaemonConfig) (rpc.Transport, error) { return c.Transport, nil }
	}
	return d, open, err
}

// checkSending returns a *ConfigError if Sending cannot be used.
func (c *Config) checkSending(open connect) error {
	to := c.Sending
	switch {
	case to.Address == c.Daemon.Address && to.Proxy == "":
		return &ConfigError{"Sending.Address", errors.New("is that of Daemon")}
	case to.Address == "":
		to.Address = "localhost"
	}
	return to.check("Sending", c.Network, open)
}
