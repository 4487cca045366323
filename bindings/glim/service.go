package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
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

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/bindings/native/webhook"
	"glim/core/daemon"
	"glim/core/journal"
	"glim/core/mnemonic/languages"
	sixteen "glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/wallet"
)

// host is what the command offers the service it runs.
type host struct {
	log    *slog.Logger
	setLog func(level string) error // what set_log_level does
	meters *meters                  // nil when nothing is counted
	// metered is where the page of what is counted is asked for; nil for nowhere.
	metered net.Listener
	stop    func() // ends the process once the running calls are answered; stop_wallet calls it
}

// opener starts a wallet service. close stores what is open; it is called once, after the last call.
type opener func(ctx context.Context, cfg WalletRPCConfig, h host) (s native.Service, close func(context.Context) error, err error)

func openService(ctx context.Context, cfg WalletRPCConfig, h host) (native.Service, func(context.Context) error, error) {
	received := newNotification(h.log, "tx-notify", cfg.TxNotify)
	c := service.Config{
		Network:      cfg.Network,
		Lookahead:    wallet.Lookahead{Major: cfg.LookaheadMajor, Minor: cfg.LookaheadMinor},
		WithoutCache: cfg.WithoutCache,
		KDF:          kdf(cfg.KDFRounds),
		KeyRounds:    int(cfg.KDFRounds),
		Random:       rand.Reader,
		Now:          func() uint64 { return uint64(time.Now().Unix()) },
		Workers:      workers(cfg.MaxConcurrency),
		Behind:       native.Behind,
		Languages:    languages.All(),
		Polyseeds:    sixteen.All(),
		Wait:         native.Wait,
		Match:        native.Match,
		Connect: func(d service.DaemonConfig) (rpc.Transport, error) {
			t, err := native.DaemonTransport(d, cfg.Network.DaemonPort(), cfg.DaemonTLS.AllowChained)
			if err != nil {
				return nil, err
			}
			name := "daemon"
			if d.Address == cfg.Witness {
				name = "witness"
			}
			return h.meters.way(name, t), nil
		},
		MaxReorgDepth: cfg.MaxReorgDepth,
		Compact: service.Compact{
			Off: cfg.CompareBlocks == 0, Every: cfg.CompareBlocks,
		},
		Witness: service.DaemonConfig{Address: cfg.Witness, Proxy: cfg.Proxy, SSL: service.SSL{Support: cfg.DaemonTLS.Mode}},
		Log:     h.log.With(category, "wallet"),
		SetLog:  h.setLog,
		Event: func(name string, e wallet.Event) {
			logEvent(h.log.With(category, "wallet", "wallet", name), e)
			if e.Kind == wallet.MoneyReceived || e.Kind == wallet.MoneyInPool {
				received.run("%s", e.TxID.String())
			}
		},
		Stop:  h.stop,
		Spare: debug.FreeOSMemory,
	}
	hooks := func() {}
	if len(cfg.Webhooks) > 0 {
		o := webhook.Options{Secret: []byte(cfg.WebhookSecret), Proxy: cfg.Proxy, Log: h.log.With(category, "hook")}
		for _, url := range cfg.Webhooks {
			o.URLs = append(o.URLs, string(url))
		}
		sender, err := webhook.New(o)
		if err != nil {
			return nil, nil, fmt.Errorf("--webhook-url: %w", err)
		}
		c.Opened, hooks = sender.Opened, sender.Close
	}
	if cfg.WalletDir != "" {
		if err := os.Mkdir(cfg.WalletDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, nil, fmt.Errorf("--wallet-dir: %w", err)
		}
		if info, err := os.Stat(cfg.WalletDir); err != nil { // such as a symbolic link that leads nowhere
			return nil, nil, fmt.Errorf("--wallet-dir: %w", err)
		} else if !info.IsDir() {
			return nil, nil, fmt.Errorf("--wallet-dir: %s is no folder", cfg.WalletDir)
		}
		c.Files = walletFiles{native.WalletDir(cfg.WalletDir), c.Log}
	}
	first, err := theWallet(ctx, cfg, c)
	if err != nil {
		return nil, nil, err
	}
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
		hooks() // before their wallets close, so that what was delivered is remembered
		err := e.Close()
		running.Wait()
		return err
	}, nil
}

// opened is a wallet that is opened at the start.
type opened struct {
	flag     string // that named it
	files    service.Files
	name     string
	password secret
}

// theWallet returns the wallet that a flag names, which it makes first if so asked; nil when none does.
func theWallet(ctx context.Context, cfg WalletRPCConfig, c service.Config) (*opened, error) {
	if cfg.WalletFile != "" {
		dir, name := filepath.Split(cfg.WalletFile)
		return &opened{"--wallet-file", walletFiles{native.WalletDir(filepath.Clean(dir)), c.Log}, name, cfg.Password}, nil
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
	files, name, err := r.generate(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return &opened{flag, walletFiles{files, c.Log}, name, secret(r.Password)}, nil
}

// kdf makes guessing a password rounds times as slow as usual.
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

// processors is how many the process may use. The runtime is given more than scanning takes: it looks for what came from the network
// when one of its own has nothing to do, and otherwise every ten milliseconds, which requests would wait during a scan. So one is always
// idle, and the system shares the real ones between all.
var processors = func() int {
	n := runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(n + 2)
	}
	return n
}()

// daemonOf is the daemon the command line names, or none with --offline.
func daemonOf(cfg WalletRPCConfig) service.DaemonConfig {
	if cfg.Offline {
		return service.DaemonConfig{}
	}
	return service.DaemonConfig{
		Address: cfg.DaemonAddress, Username: cfg.DaemonLogin.Username, Password: cfg.DaemonLogin.Password(),
		Trusted: cfg.TrustedDaemon, Proxy: cfg.Proxy,
		SSL: service.SSL{
			Support: cfg.DaemonTLS.Mode, PrivateKeyPath: cfg.DaemonTLS.PrivateKey, CertificatePath: cfg.DaemonTLS.Certificate,
			CAFile: cfg.DaemonTLS.CACertificates, AllowedFingerprints: cfg.DaemonTLS.AllowedFingerprints,
			AllowAnyCert: cfg.DaemonTLS.AllowAnyCert,
		},
	}
}

// reportCertificate connects to the daemon once at the start when only TLS will do, and logs why its certificate is refused: the first
// refresh, which would tell, may be days away.
func reportCertificate(ctx context.Context, c service.Config, d service.DaemonConfig) {
	if !strings.HasPrefix(strings.ToLower(d.Address), "https://") && d.SSL.Support != "enabled" {
		return
	}
	t, err := c.Connect(d)
	if err != nil {
		return // reported where the service is made
	}
	if closer, ok := t.(interface{ Close() }); ok {
		defer closer.Close()
	}
	_, err = daemon.New(t).Info(ctx)
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		c.Log.Warn("the daemon's certificate is not trusted, so nothing is asked of it; --daemon-ssl-allowed-fingerprints or --daemon-ssl-ca-certificates trust one, "+
			"--daemon-ssl-allow-any-cert every one", "daemon", d.Address, "error", certificate.Err)
	}
}

// daemonFlag names the flags of which err says that they are of no use.
func daemonFlag(err error) error {
	switch {
	case errors.Is(err, native.ErrSSL):
		return fmt.Errorf("--daemon-ssl: %w", err)
	case errors.Is(err, native.ErrAddress):
		return fmt.Errorf("--daemon-address: %w", err)
	}
	return err
}

func logEvent(log *slog.Logger, e wallet.Event) {
	switch e.Kind {
	case wallet.MoneyReceived:
		log.Info("received money", "tx", e.TxID, "height", e.Height, "account", e.Address.Major, "address", e.Address.Minor)
	case wallet.MoneySpent:
		log.Info("spent money", "tx", e.TxID, "height", e.Height)
	case wallet.MoneyInPool:
		log.Info("money is on its way", "tx", e.TxID)
	case wallet.BurntOutput:
		log.Warn("an output repeats the key of another; only one of them can ever be spent and only one is counted", "tx", e.TxID)
	case wallet.Reorganised:
		log.Warn("the chain was reorganised", "from", e.Height)
	case wallet.ReorganisationRefused:
		log.Error("a deep reorganisation was refused, and the wallet is as it was; choose another daemon, or accept the chain with rescan_blockchain",
			"from", e.Height)
	}
}
