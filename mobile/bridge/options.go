package bridge

import (
	"fmt"
	"strings"

	"glim/core/service"
	"glim/core/xmr"
)

// Options say where wallets are and how to reach a daemon. Open reads them once.
type Options struct {
	Network string // mainnet, stagenet, testnet or regtest; empty for mainnet

	// Folder is where wallets are files, made when missing: the app's own, private one. Storage stands for it where an app keeps
	// them elsewhere. With neither, wallets without a name live in memory.
	Folder  string
	Storage Storage

	Daemon       string // host:port or URL; empty for none
	Username     string // of a login at the daemon
	Password     string
	Trusted      bool   // use operations that take the daemon's word
	Proxy        string // SOCKS host:port, as Tor's; not with HTTP
	TLS          string // enabled, disabled, or empty for whatever the daemon speaks
	Fingerprints string // SHA-256 of the daemon's certificates to trust, hexadecimal, with commas between; not with HTTP

	// HTTP carries requests in the place of the engine's own sockets; nil for those.
	HTTP HTTP
	// KeyStore is asked for a wallet's password when its spend key is away; nil is nobody.
	KeyStore KeyStore
	// Logger is told what happens; nil is nobody. Nothing secret is logged.
	Logger Logger

	Memory    int64 // bytes to try to stay within, see engine.LimitMemory; 0 for no ceiling
	Workers   int32 // cores to scan with; 0 for all
	Accounts  int32 // to look ahead for money in; 0 for 50
	Addresses int32 // of each of those accounts; 0 for 200
}

// NewOptions returns the options of a mainnet engine without daemon and folder.
func NewOptions() *Options { return &Options{} }

var networks = map[string]xmr.Network{
	"": xmr.Mainnet, "mainnet": xmr.Mainnet, "stagenet": xmr.Stagenet, "testnet": xmr.Testnet, "regtest": xmr.Regtest,
}

func (o *Options) network() (xmr.Network, error) {
	if o.Accounts < 0 || o.Addresses < 0 || (o.Accounts == 0) != (o.Addresses == 0) {
		return 0, fmt.Errorf("accounts and addresses to look ahead: both, each 1 or more")
	}
	if n, known := networks[o.Network]; known {
		return n, nil
	}
	return 0, fmt.Errorf("network: mainnet, stagenet, testnet or regtest")
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
