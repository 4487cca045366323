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
	sixteen "glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/service"
	state "glim/core/wallet"
	"glim/core/xmr"
)

// Network is one of Monero's chains.
type Network = xmr.Network

// The networks. Regtest is a private chain with mainnet's addresses, such as those of `monerod --regtest` and of
// package regtest.
const (
	Mainnet  = xmr.Mainnet
	Testnet  = xmr.Testnet
	Stagenet = xmr.Stagenet
	Regtest  = xmr.Regtest
)

// Config says what a Manager works with. Folder is required, and one of Daemon.Address, Transport and Offline.
type Config struct {
	Network Network
	// Folder keeps a file for each wallet. It is made when it is missing, for its owner alone. Wallets of
	// monero-wallet-rpc in it open, too, and their files are only read.
	Folder string
	// Daemon is asked for the chain and given transactions.
	Daemon Daemon
	// Transport asks a daemon in the place of Daemon: a chain in the same process (package regtest), or an HTTP client
	// of your own.
	Transport rpc.Transport
	// Offline says that there is no daemon: wallets are made and opened, and nothing is read or sent.
	Offline bool
	// Refresh is how often wallets that are open look for blocks and pending payments by themselves, in whole seconds;
	// DefaultRefresh when 0. Never when negative: then Sync alone does.
	Refresh time.Duration
	// Accounts and Addresses say how many of both, beyond those in use, are searched for payments in wallets that are
	// made or restored; 50 and 200 when 0, as in the reference. A Restore finds no payment to an address further ahead.
	Accounts, Addresses int
	// WithoutCache opens wallets of monero-wallet-rpc from their keys and the chain alone, without what their caches
	// know: addresses that exist, labels, notes, keys of transactions and whom they paid. Otherwise a cache that cannot
	// be read is ErrCache.
	WithoutCache bool
	// Workers is how many goroutines scan blocks; one a processor when 0.
	Workers int
	// Logger is told what goes wrong on the side, such as refreshes that fail and are tried again. Secrets are never
	// logged. Nil for nobody.
	Logger *slog.Logger
}

// DefaultRefresh is how often open wallets refresh by themselves when Config.Refresh is 0.
const DefaultRefresh = 20 * time.Second

// Daemon says how to reach monerod or `glim daemon`. Package fmt writes its address alone.
type Daemon struct {
	// Address is host:port, with http:// or https:// in front to settle encryption. Without a port it is the network's
	// default one.
	Address  string
	Username string // of RPC login
	Password Secret
	Proxy    string // SOCKS5 host:port; nothing goes around it, names included
	Trusted  bool   // your own: it may be asked what shows which outputs are yours, as rescan_spent does
	TLS      TLS
}

// TLS says how the daemon's certificate is judged. With the zero value any certificate is accepted, and none is
// demanded, unless the address begins with https://.
type TLS struct {
	CAFile         string   // PEM file: the daemon must show one of these certificates, or one they signed
	Fingerprints   []string // SHA-256, hexadecimal: the daemon must show one of these certificates
	AnyCertificate bool     // with https://, accept any
	ClientCert     string   // PEM files shown to a daemon that asks for a certificate
	ClientKey      string
}

// Format writes the address: what else there is may be secret.
func (d Daemon) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "daemon "+d.Address) }

// MarshalText returns the address, too.
func (d Daemon) MarshalText() ([]byte, error) { return []byte("daemon " + d.Address), nil }

// ConfigError reports what is wrong with a Config.
type ConfigError struct {
	Field string // as written in Go: "Daemon.Address"
	Err   error
}

// Error names the field and what is wrong.
func (e *ConfigError) Error() string { return "wallet: Config." + e.Field + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *ConfigError) Unwrap() error { return e.Err }

var (
	errMissing = errors.New("is required")
	errBeside  = errors.New("excludes the other ways to a daemon: set one of Daemon.Address, Transport and Offline")
)

// kdf makes keys of the passwords of wallets' files.
var kdf = journal.DefaultKDF

// engine returns the configuration of the engine. Errors: *ConfigError.
func (c *Config) engine() (s service.Config, d service.DaemonConfig, err error) {
	fail := func(field string, err error) (service.Config, service.DaemonConfig, error) {
		return s, d, &ConfigError{field, err}
	}
	if c.Network > Regtest {
		return fail("Network", fmt.Errorf("there is no network %d", c.Network))
	}
	if c.Folder == "" {
		return fail("Folder", errMissing)
	}
	ways := 0
	for _, way := range []bool{c.Daemon.Address != "", c.Transport != nil, c.Offline} {
		if way {
			ways++
		}
	}
	switch {
	case ways == 0:
		return fail("Daemon.Address", errors.New("is required, unless Transport or Offline is set"))
	case ways > 1 && c.Offline:
		return fail("Offline", errBeside)
	case ways > 1:
		return fail("Transport", errBeside)
	case c.Refresh > 0 && c.Refresh < time.Second, c.Refresh > math.MaxInt32*time.Second:
		return fail("Refresh", errors.New("must be a second at least, and at most 2147483647 of them"))
	case c.Workers < 0:
		return fail("Workers", errors.New("must not be negative"))
	case c.Accounts < 0 || c.Accounts > math.MaxInt32:
		return fail("Accounts", state.ErrLookahead)
	case c.Addresses < 0 || c.Addresses > math.MaxInt32:
		return fail("Addresses", state.ErrLookahead)
	}
	look := state.DefaultLookahead
	if c.Accounts > 0 {
		look.Major = uint32(c.Accounts)
	}
	if c.Addresses > 0 {
		look.Minor = uint32(c.Addresses)
	}
	if look.Possible() != look {
		return fail("Addresses", state.ErrLookahead)
	}
	t := c.Daemon.TLS
	d = service.DaemonConfig{
		Address: c.Daemon.Address, Username: c.Daemon.Username, Password: string(c.Daemon.Password),
		Proxy: c.Daemon.Proxy, Trusted: c.Daemon.Trusted,
		SSL: service.SSL{
			CAFile: t.CAFile, AllowedFingerprints: t.Fingerprints, AllowAnyCert: t.AnyCertificate,
			CertificatePath: t.ClientCert, PrivateKeyPath: t.ClientKey,
		},
	}
	connect := func(d service.DaemonConfig) (rpc.Transport, error) {
		return native.DaemonTransport(d, c.Network.DaemonPort(), false)
	}
	switch {
	case c.Daemon.Address != "":
		if _, _, err := native.ParseAddress(c.Daemon.Address, c.Network.DaemonPort()); err != nil {
			return fail("Daemon.Address", err)
		}
		if _, err := connect(service.DaemonConfig{Address: "localhost", Proxy: d.Proxy}); err != nil {
			return fail("Daemon.Proxy", err)
		}
		if _, err := connect(d); err != nil {
			return fail("Daemon.TLS", err)
		}
	case c.Transport != nil:
		d.Address = "Config.Transport"
		connect = func(service.DaemonConfig) (rpc.Transport, error) { return c.Transport, nil }
	}
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return fail("Folder", err)
	}
	s = service.Config{
		Network: c.Network, Files: native.WalletDir(c.Folder), Lookahead: look, KDF: kdf(), Random: rand.Reader,
		Now: func() uint64 { return uint64(time.Now().Unix()) }, Workers: c.Workers,
		Languages: languages.All(), Polyseeds: sixteen.All(), Behind: native.Behind, Wait: native.Wait, Connect: connect,
		Match: native.Match, WithoutCache: c.WithoutCache,
	}
	if s.Workers == 0 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Logger != nil {
		s.Log = c.Logger
	}
	return s, d, nil
}
