package service

import (
	"context"
	"io"
	"time"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/polyseed"
	"glim/core/rpc"
	"glim/core/scan"
	"glim/core/session"
	"glim/core/signer"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Config is the configuration of a service, and its access to the host.
type Config struct {
	Network xmr.Network
	Files   Files // nil if no wallet folder is configured
	// Lookahead is the lookahead of new wallets, and the least lookahead of opened ones. If it is zero, new wallets get
	// wallet.DefaultLookahead and others keep theirs.
	Lookahead wallet.Lookahead
	// WithoutCache opens wallets of the reference without importing their caches.
	WithoutCache bool
	// MaxReorgDepth limits how many blocks a reorganisation may remove. It becomes a setting of each wallet that is
	// opened or made. If it is nil, wallets keep their setting; new ones have wallet.DefaultMaxReorgDepth.
	MaxReorgDepth *uint64
	KDF           journal.KDF
	KeyRounds     int                // how often the reference's keys files hash their passwords; 0 means once
	Random        io.Reader          // a cryptographic source; required
	Now           func() uint64      // POSIX seconds; required
	Workers       int                // goroutines for scanning
	Languages     mnemonic.Languages // of seed words; only English if nil
	Polyseeds     polyseed.Languages // of Polyseeds; only English if nil
	// Vault is the transport to a signer.Server in another worker or process, which keeps the spend keys of new wallets
	// and of opened wallets that are sealed. If it is nil, the keys of new wallets are stored in their files, and this
	// process keeps those of sealed wallets.
	Vault signer.Transport
	// LowPriority, Scan and Yield are passed to syncer.Workers; each may be nil.
	LowPriority func(work func())
	Scan        func(ctx context.Context, job scan.Job) (scan.Result, error)
	Yield       func()
	// Wait returns after d, or with the context's error. If it is nil, wallets are not refreshed automatically.
	Wait func(ctx context.Context, d time.Duration) error
	// Connect makes a transport to a daemon, which need not be reachable yet. If it is nil, choosing a daemon fails
	// with a *ConfigError.
	Connect func(DaemonConfig) (rpc.Transport, error)
	Compact CompactBlocks
	// TXT looks up the records of OpenAlias names. If it is nil, names are refused.
	TXT TXTLookup
	// Witness is a second daemon; an empty address disables it. The service compares its chain and fees with the
	// daemon's, and returns a *DisagreementError if they differ. If it does not respond, the comparison is skipped and
	// logged.
	Witness DaemonConfig
	// Sending is the daemon that transactions are handed over to, apart from the one that is read. It is asked for
	// nothing else, and no transaction goes to the other one. Without an address it is the daemon that is read, reached
	// through Sending.Proxy; without a proxy it is reached through the other's. Without both, transactions go to the
	// daemon that is read.
	Sending DaemonConfig
	Log     Log // may be nil
	// SetLog sets what is logged: a level, 0 to 4, or categories such as *:WARNING. Nil means that it cannot be
	// changed.
	SetLog func(level string) error
	// Match compiles a regular expression to a function that reports whether a complete text matches it. Nil disables
	// regular expressions.
	Match func(expression string) (fits func(text string) bool, err error)
	// Paths returns what keeps the paths of the outputs of the wallet called name, with keys k, in the tree of all
	// outputs, for payments after the next hard fork: see package walletpaths. The name is empty for a wallet in
	// memory. If Paths is nil, wallets do not follow the tree.
	Paths func(name string, k *keys.Keys) session.Paths
	// Event, if not nil, is called for the events of the wallet called name, which is empty for a wallet in memory.
	Event func(name string, e wallet.HostEvent)
	// Opened, if not nil, is called whenever a wallet opens, before any other event of that wallet. It must not block.
	Opened func(OpenedWallet)
	// Stop, if not nil, is called once when a client asks the service to stop.
	Stop func()
	// ReleaseMemory, if not nil, is called when much memory is no longer needed: after the key of a file was derived,
	// or a long run of blocks was read. A host that shares its machine can return it to the system.
	ReleaseMemory func()

	ahead wallet.Lookahead // Lookahead as configured; may be zero
}

// check returns a *ConfigError if a required member is missing.
func (c *Config) check() error {
	switch {
	case c.Random == nil:
		return &ConfigError{"Random"}
	case c.Now == nil:
		return &ConfigError{"Now"}
	}
	return nil
}

func (c *Config) setDefaults() {
	if c.ahead = c.Lookahead; c.Lookahead == (wallet.Lookahead{}) {
		c.Lookahead = wallet.DefaultLookahead
	}
	if c.KDF == (journal.KDF{}) {
		c.KDF = journal.DefaultKDF()
	}
	if c.Languages == nil {
		c.Languages = mnemonic.Languages{mnemonic.English()}
	}
	if c.Polyseeds == nil {
		c.Polyseeds = polyseed.Languages{polyseed.English()}
	}
	if c.Log == nil {
		c.Log = DiscardLog{}
	}
	if c.ReleaseMemory == nil {
		c.ReleaseMemory = func() {}
	}
}

func (c Config) workers() syncer.Workers {
	return syncer.Workers{Count: c.Workers, LowPriority: c.LowPriority, Scan: c.Scan, Yield: c.Yield}
}

// host returns the environment of a session.
func (c *Config) host(name string) session.Host {
	h := session.Host{Random: c.Random, Now: c.Now, Workers: c.Workers, LowPriority: c.LowPriority,
		Scan: c.Scan, Yield: c.Yield}
	if keys.HasHierarchies && c.Paths != nil {
		h.Paths = func(k *keys.Keys) session.Paths { return c.Paths(name, k) }
	}
	if c.Event != nil {
		h.Event = func(e wallet.HostEvent) { c.Event(name, e) }
	}
	return h
}

// seeds returns the Seeds of this configuration.
func (c *Config) seeds() Seeds {
	return Seeds{Network: c.Network, Languages: c.Languages, Polyseeds: c.Polyseeds, Random: c.Random, Now: c.Now}
}

// dialer returns the dialer of this configuration.
func (c *Config) dialer() *dialer {
	return &dialer{
		connect: c.Connect, network: c.Network, workers: c.workers(), compact: c.Compact, witness: c.Witness,
		sending: c.Sending, now: c.Now, log: c.Log,
	}
}
