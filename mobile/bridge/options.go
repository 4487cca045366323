package bridge

import (
	"fmt"
	"strings"

	"glim/core/service"
	"glim/core/xmr"
)

// Options define where wallets are stored and how to connect to a daemon. Open reads them once.
type Options struct {
	Network string // mainnet, stagenet, testnet or regtest; empty for mainnet

	// Folder is the folder of the wallet files, private to the app; it is created if it is missing. Storage replaces it
	// for an app that stores wallets in another way. Without both, only wallets without a name are possible, which are
	// kept in memory.
	Folder  string
	Storage Storage

	Daemon   string // host:port or URL; empty for none
	Username string // login of the daemon, if it requires one
	Password string
	Trusted  bool   // use operations that trust the daemon's answers
	Proxy    string // SOCKS proxy as host:port, for example Tor; not with HTTP
	TLS      string // enabled, disabled, or empty to detect it
	// SHA-256 fingerprints of accepted certificates, in hexadecimal, separated by commas; not with HTTP
	Fingerprints string

	// Names is the DNS server that looks up OpenAlias names, such as donate.getmonero.org: tcp://ADDRESS or
	// tcp://ADDRESS:PORT with an IP address, or tcp for public servers; empty to look up no names. Queries go through
	// Proxy. The engine validates DNSSEC itself and pays no name without it. Not with HTTP.
	Names string

	// HTTP sends requests instead of the engine's own sockets; may be nil.
	HTTP HTTP
	// KeyStore provides a wallet's password when its spend key is not in memory; may be nil.
	KeyStore KeyStore
	// Logger receives the log, which contains no secrets; may be nil.
	Logger Logger

	Memory    int64 // limit that the engine tries to keep, in bytes, see engine.LimitMemory; 0 for none
	Workers   int32 // cores to scan with; 0 for all
	Accounts  int32 // lookahead of accounts; 0 for 50
	Addresses int32 // lookahead of addresses in each account; 0 for 200
}

// NewOptions returns options for a mainnet engine without a daemon and a folder.
func NewOptions() *Options { return &Options{} }

var networks = map[string]xmr.Network{
	"": xmr.Mainnet, "mainnet": xmr.Mainnet, "stagenet": xmr.Stagenet, "testnet": xmr.Testnet, "regtest": xmr.Regtest,
}

func (o *Options) network() (xmr.Network, error) {
	if o.Accounts < 0 || o.Addresses < 0 || (o.Accounts == 0) != (o.Addresses == 0) {
		return 0, fmt.Errorf("lookahead: set both accounts and addresses, to 1 or more")
	}
	if n, known := networks[o.Network]; known {
		return n, nil
	}
	return 0, fmt.Errorf("the network must be mainnet, stagenet, testnet or regtest")
}

func (o *Options) daemon() service.DaemonConfig {
	d := service.DaemonConfig{
		Address: o.Daemon, Username: o.Username, Password: o.Password, Trusted: o.Trusted, Proxy: o.Proxy,
		SSL: service.SSL{Support: o.TLS},
	}
	for f := range strings.SplitSeq(o.Fingerprints, ",") {
		if f = strings.TrimSpace(f); f != "" {
			d.SSL.AllowedFingerprints = append(d.SSL.AllowedFingerprints, f)
		}
	}
	return d
}
