package service

import (
	"slices"
)

// DaemonConfig describes how to connect to a daemon.
type DaemonConfig struct {
	Address  string // host:port or URL; empty for no daemon
	Username string
	Password string
	Trusted  bool
	Proxy    string // SOCKS host:port
	SSL      SSL
}

// String returns the daemon's address. It omits the login and the proxy, which may contain passwords.
func (d DaemonConfig) String() string { return "daemon " + d.Address }

// GoString returns String.
func (d DaemonConfig) GoString() string { return d.String() }

// same reports whether both configurations name the same daemon and reach it in the same way.
func (d *DaemonConfig) same(e *DaemonConfig) bool {
	s, t := &d.SSL, &e.SSL
	return d.Address == e.Address && d.Username == e.Username && d.Password == e.Password &&
		d.Trusted == e.Trusted && d.Proxy == e.Proxy &&
		s.Support == t.Support && s.PrivateKeyPath == t.PrivateKeyPath && s.CertificatePath == t.CertificatePath &&
		s.CAFile == t.CAFile && s.AllowAnyCert == t.AllowAnyCert &&
		slices.Equal(s.AllowedFingerprints, t.AllowedFingerprints)
}

// SSL describes how to verify a daemon's identity. The host resolves the paths.
type SSL struct {
	Support             string // disabled, enabled, autodetect
	PrivateKeyPath      string
	CertificatePath     string
	CAFile              string
	AllowedFingerprints []string
	AllowAnyCert        bool
}

// CompactBlocks configures the use of compact blocks, which are less than half the size of others, if a daemon serves
// them.
type CompactBlocks struct {
	Off bool // request only full blocks
	// ProveEvery is the average number of blocks without own outputs of which one is verified against the full block:
	// 1 verifies all, and 0 means DefaultProveEvery.
	ProveEvery uint16
}

// DefaultProveEvery makes proofs cost a twentieth of the compact blocks' traffic.
const DefaultProveEvery = 128

// ConfigError reports a required member of Config that is not set.
type ConfigError struct{ Field string }

// Error names the member.
func (e *ConfigError) Error() string { return "service: Config." + e.Field + " is not set" }
