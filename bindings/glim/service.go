package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"glim/bindings/dnssec"
	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/bindings/native/webhook"
	"glim/core/daemon"
	"glim/core/journal"
	"glim/core/mnemonic/languages"
	polyseeds "glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/wallet"
)

// serviceEnv is what the command provides to the service that it runs.
type serviceEnv struct {
	log     *slog.Logger
	setLog  func(level string) error // implements set_log_level
	meters  *meters                  // nil without metrics
	metrics net.Listener             // of the metrics page; nil without metrics
	names   service.TXTLookup        // replaces the lookup of OpenAlias names in tests; usually nil
	stop    func()                   // ends the process after running calls; implements stop_wallet
}

// openLog opens the log of a command, see Logging.open, and lets the service change its level.
func (e *serviceEnv) openLog(l Logging, out io.Writer) (closeLog func() error, err error) {
	var levels *logSwitch
	if e.log, levels, closeLog, err = l.open(out); err != nil {
		return nil, err
	}
	e.setLog = levels.setValid
	return closeLog, nil
}

// startService starts a wallet service. closeService stores and closes what is open; it is called once, after the last
// call.
type startService func(
	ctx context.Context, cfg WalletRPCConfig, env serviceEnv,
) (s native.Service, closeService func(context.Context) error, err error)

func openService(
	ctx context.Context, cfg WalletRPCConfig, env serviceEnv,
) (native.Service, func(context.Context) error, error) {
	c := serviceConfig(cfg, env)
	if env.names != nil {
		c.TXT = env.names
	}
	closeHooks, err := startWebhooks(cfg, env, &c)
	if err != nil {
		return nil, nil, err
	}
	if cfg.WalletDir != "" {
		if err := makeWalletDir(cfg.WalletDir); err != nil {
			return nil, nil, err
		}
		c.Files = walletFiles{walletDir(cfg, cfg.WalletDir), c.Log}
	}
	first, err := initialWallet(ctx, cfg, c)
	if err != nil {
		return nil, nil, err
	}
	folder := cfg.WalletDir
	if first != nil {
		folder = first.folder
	}
	c.Paths = native.WalletDir(folder).Paths
	e, err := engine.New(c, daemonOf(cfg))
	if err != nil {
		return nil, nil, daemonFlag(err)
	}
	if first != nil {
		if err := e.Service().Open(first.files, first.name, string(first.password)); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", first.flag, err)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	if !cfg.Offline {
		running.Go(func() { e.Run(ctx) })
		running.Go(func() { reportCertificate(ctx, c, daemonOf(cfg)) })
	}
	return e, func(context.Context) error {
		cancel()
		closeHooks() // before the wallets close, so that they store which notices were delivered
		err := e.Close()
		running.Wait()
		return err
	}, nil
}

func serviceConfig(cfg WalletRPCConfig, env serviceEnv) service.Config {
	received := newNotification(env.log, "tx-notify", cfg.TxNotify)
	return service.Config{
		Network:      cfg.Network,
		Lookahead:    wallet.Lookahead{Major: cfg.LookaheadMajor, Minor: cfg.LookaheadMinor},
		WithoutCache: cfg.WithoutCache,
		KDF:          kdf(cfg.KDFRounds),
		KeyRounds:    int(cfg.KDFRounds),
		Random:       rand.Reader,
		Now:          func() uint64 { return uint64(time.Now().Unix()) },
		Workers:      workers(cfg.MaxConcurrency),
		LowPriority:  native.LowPriority,
		Languages:    languages.All(),
		Polyseeds:    polyseeds.All(),
		Wait:         native.Wait,
		Match:        native.Match,
		Connect: func(d service.DaemonConfig) (rpc.Transport, error) {
			t, err := native.DaemonTransport(d, cfg.Network.DaemonPort(), cfg.DaemonTLS.AllowChained)
			if err != nil {
				return nil, err
			}
			name := "daemon"
			switch sending := sendingOf(cfg); {
			case d.Address == cfg.Witness:
				name = "witness"
			case d.Address == sending.Address, sending.Proxy != "" && d.Proxy == sending.Proxy:
				name = "sending"
			}
			return env.meters.countDaemon(name, t), nil
		},
		TXT:           nameLookups(cfg).TXT,
		MaxReorgDepth: cfg.MaxReorgDepth,
		Compact: service.CompactBlocks{
			Off: cfg.CompareBlocks == 0, ProveEvery: cfg.CompareBlocks,
		},
		Witness: service.DaemonConfig{
			Address: cfg.Witness, Proxy: cfg.Proxy, SSL: service.SSL{Support: cfg.DaemonTLS.Mode},
		},
		Sending: sendingOf(cfg),
		Log:     env.log.With(category, "wallet"),
		SetLog:  env.setLog,
		Event: func(name string, e wallet.HostEvent) {
			logEvent(env.log.With(category, "wallet", "wallet", name), e)
			if e.Kind == wallet.MoneyReceived || e.Kind == wallet.MoneyInPool {
				received.run("%s", e.TxID.String())
			}
		},
		Stop:          env.stop,
		ReleaseMemory: debug.FreeOSMemory,
	}
}

// nameLookups returns how the service looks up OpenAlias names.
func nameLookups(cfg WalletRPCConfig) dnssec.Host {
	h := dnssec.Host{Public: os.Getenv(dnssec.Variable), File: dnssec.File}
	switch {
	case cfg.NoDNS:
		h.Disabled = "because of --no-dns"
	case cfg.Offline:
		h.Disabled = "because of --offline"
	}
	return h
}

// startWebhooks configures c to send webhooks, if there are any. closeHooks stops sending.
func startWebhooks(cfg WalletRPCConfig, env serviceEnv, c *service.Config) (closeHooks func(), err error) {
	if len(cfg.Webhooks) == 0 {
		return func() {}, nil
	}
	o := webhook.Options{
		Secret: []byte(cfg.WebhookSecret),
		Proxy:  cfg.Proxy,
		Log:    env.log.With(category, "hook"),
	}
	for _, url := range cfg.Webhooks {
		o.URLs = append(o.URLs, string(url))
	}
	sender, err := webhook.New(o)
	if err != nil {
		return nil, fmt.Errorf("--webhook-url: %w", err)
	}
	c.Opened = sender.Opened
	return sender.Close, nil
}

// makeWalletDir creates the wallet folder if it does not exist.
func makeWalletDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--wallet-dir: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil { // such as a dangling symbolic link
		return fmt.Errorf("--wallet-dir: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("--wallet-dir: %s is not a folder", dir)
	}
	return nil
}

// walletDir returns the wallets of a folder, which monero-wallet-rpc can open too, unless --no-keys-file is set.
func walletDir(cfg WalletRPCConfig, dir string) service.Files {
	if cfg.NoKeysFile {
		return native.WalletDir(dir)
	}
	return native.SharedDir{WalletDir: native.WalletDir(dir)}
}

// openedWallet is a wallet that is opened at the start.
type openedWallet struct {
	flag     string // that names the wallet
	folder   string
	files    service.Files
	name     string
	password secret
}

// initialWallet returns the wallet that a flag names, after creating it for --generate-from-json; nil without such a
// flag.
func initialWallet(ctx context.Context, cfg WalletRPCConfig, c service.Config) (*openedWallet, error) {
	if cfg.WalletFile != "" {
		dir, name := filepath.Split(cfg.WalletFile)
		dir = filepath.Clean(dir)
		files := walletFiles{walletDir(cfg, dir), c.Log}
		return &openedWallet{"--wallet-file", dir, files, name, cfg.Password}, nil
	}
	if cfg.GenerateFrom == "" {
		return nil, nil
	}
	const flag = "--generate-from-json"
	text, err := os.ReadFile(cfg.GenerateFrom)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	r, err := parseRecipe(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", flag, cfg.GenerateFrom, err)
	}
	dir, name := filepath.Split(r.Filename)
	dir = filepath.Clean(dir)
	files := walletFiles{walletDir(cfg, dir), c.Log}
	if err := r.generate(ctx, c, files, name); err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return &openedWallet{flag, dir, files, name, secret(r.Password)}, nil
}

// kdf returns the key derivation parameters for rounds times the default cost.
func kdf(rounds uint64) journal.KDF {
	k := journal.DefaultKDF()
	if rounds > 1 {
		k.Time = uint32(min(uint64(k.Time)*rounds, 16))
	}
	return k
}

func workers(limit int) int {
	if limit == 0 || limit > processors {
		return processors
	}
	return limit
}

// processors is the number of processors for scanning. The runtime gets two more: it polls the network when one of its
// processors is idle, and otherwise every ten milliseconds, which would delay requests during a scan. The operating
// system distributes the real processors.
var processors = func() int {
	n := runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(n + 2)
	}
	return n
}()

// daemonOf returns the daemon of the command line, or none with --offline.
func daemonOf(cfg WalletRPCConfig) service.DaemonConfig {
	if cfg.Offline {
		return service.DaemonConfig{}
	}
	return service.DaemonConfig{
		Address: cfg.DaemonAddress, Username: cfg.DaemonLogin.Username, Password: cfg.DaemonLogin.Password(),
		Trusted: cfg.TrustedDaemon, Proxy: cfg.Proxy,
		SSL: service.SSL{
			Support: cfg.DaemonTLS.Mode, PrivateKeyPath: cfg.DaemonTLS.PrivateKey,
			CertificatePath: cfg.DaemonTLS.Certificate,
			CAFile:          cfg.DaemonTLS.CACertificates, AllowedFingerprints: cfg.DaemonTLS.AllowedFingerprints,
			AllowAnyCert: cfg.DaemonTLS.AllowAnyCert,
		},
	}
}

// sendingOf returns the daemon of the command line that transactions are sent to; the zero value if it is the one that
// is read.
func sendingOf(cfg WalletRPCConfig) service.DaemonConfig {
	if cfg.TxDaemon == "" && cfg.TxProxy == "" {
		return service.DaemonConfig{}
	}
	d := service.DaemonConfig{Address: cfg.TxDaemon, Proxy: cfg.TxProxy}
	if d.Address != "" {
		d.SSL.Support = cfg.DaemonTLS.Mode
	}
	if d.Proxy == "" {
		d.Proxy = cfg.Proxy
	}
	if d.Proxy != "" && d.Proxy == cfg.Proxy {
		// Tor uses other circuits for another SOCKS login (IsolateSOCKSAuth).
		d.Proxy = "socks5://transactions:transactions@" + d.Proxy
	}
	return d
}

// reportCertificate connects to the daemon once at the start if TLS is required, and logs why its certificate is
// rejected: the first refresh, which would fail with that reason, may be days away.
func reportCertificate(ctx context.Context, c service.Config, d service.DaemonConfig) {
	if !strings.HasPrefix(strings.ToLower(d.Address), "https://") && d.SSL.Support != "enabled" {
		return
	}
	t, err := c.Connect(d)
	if err != nil {
		return // reported when the service starts
	}
	if closer, ok := t.(interface{ Close() }); ok {
		defer closer.Close()
	}
	_, err = daemon.New(t).Info(ctx)
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		c.Log.Warn("the daemon's certificate is not trusted, so no requests are sent; trust it with "+
			"--daemon-ssl-allowed-fingerprints or --daemon-ssl-ca-certificates, or any certificate with "+
			"--daemon-ssl-allow-any-cert", "daemon", d.Address, "error", certificate.Err)
	}
}

// daemonFlag adds the name of the invalid flag to err.
func daemonFlag(err error) error {
	switch {
	case errors.Is(err, native.ErrSSL):
		return fmt.Errorf("--daemon-ssl: %w", err)
	case errors.Is(err, native.ErrAddress):
		return fmt.Errorf("--daemon-address: %w", err)
	}
	return err
}

func logEvent(log *slog.Logger, e wallet.HostEvent) {
	switch e.Kind {
	case wallet.MoneyReceived:
		log.Info(
			"received money",
			"tx",
			e.TxID,
			"height",
			e.Height,
			"account",
			e.Address.Major,
			"address",
			e.Address.Minor,
		)
	case wallet.MoneySpent:
		log.Info("spent money", "tx", e.TxID, "height", e.Height)
	case wallet.MoneyInPool:
		log.Info("incoming money in the pool", "tx", e.TxID)
	case wallet.BurntOutput:
		log.Warn(
			"burnt output: its key repeats that of another output, so only one of them can be spent and is counted",
			"tx",
			e.TxID,
		)
	case wallet.Reorganised:
		log.Warn("the chain was reorganised", "from", e.Height)
	case wallet.ReorganisationRefused:
		log.Error("a deep reorganisation was refused and the wallet is unchanged; use another daemon, "+
			"or accept the chain with rescan_blockchain", "from", e.Height)
	}
}
