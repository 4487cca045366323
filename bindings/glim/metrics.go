package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"glim/bindings/internal/metrics"
	"glim/bindings/native"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/service"
)

// Metrics configures metrics.
type Metrics struct {
	MetricsAddress string // IP:PORT of the page; empty disables metrics
	WalletNames    bool
}

const groupMetrics = "Metrics"

// metricsFlags returns the flags about metrics, for the Metrics in a configuration.
func metricsFlags[C any](of func(*C) *Metrics) []flag[C] {
	return []flag[C]{
		{"metrics-bind-address", "IP:PORT",
			"serve metrics for Prometheus at http://IP:PORT/metrics (glim only; default off)",
			groupMetrics, text(func(c *C) *string { return &of(c).MetricsAddress })},
	}
}

func (m *Metrics) finish(external bool) error {
	if m.MetricsAddress == "" {
		if m.WalletNames {
			return fmt.Errorf("--metrics-wallet-names requires --metrics-bind-address")
		}
		return nil
	}
	host, _, err := net.SplitHostPort(m.MetricsAddress)
	if err != nil {
		return fmt.Errorf("--metrics-bind-address: %q is not IP:PORT", m.MetricsAddress)
	}
	if err := loopback(external, host); err != nil {
		return fmt.Errorf("--metrics-bind-address: %w", err)
	}
	return nil
}

// listenMetrics opens the listener of the metrics page. It returns nil if metrics are disabled.
func (m Metrics) listenMetrics() (net.Listener, error) {
	if m.MetricsAddress == "" {
		return nil, nil
	}
	host, _, err := net.SplitHostPort(m.MetricsAddress)
	if err != nil {
		return nil, fmt.Errorf("--metrics-bind-address: %w", err)
	}
	l, err := net.Listen(family(host), m.MetricsAddress)
	if err != nil {
		return nil, fmt.Errorf("--metrics-bind-address: %w", err)
	}
	return l, nil
}

// meters collects the metrics of a process. A nil *meters collects nothing.
type meters struct {
	calls   metrics.Calls
	daemons metrics.DaemonCalls
	page    metrics.Page

	mu       sync.Mutex
	statuses map[int]uint64
}

func newMeters(m Metrics) *meters {
	if m.MetricsAddress == "" {
		return nil
	}
	c := &meters{statuses: map[int]uint64{}}
	c.page = metrics.Page{func(w *metrics.Writer) {
		w.Family("glim_build_info", metrics.Gauge, "The running version.")
		w.Sample(1, "version", version(), "go", runtime.Version())
	}, metrics.Process, c.calls.Write, c.daemons.Write}
	return c
}

// count returns s with its requests counted.
func (c *meters) count(s native.Service) native.Service {
	if c == nil {
		return s
	}
	return c.calls.Count(s)
}

// countDaemon returns t with its requests counted under a name.
func (c *meters) countDaemon(name string, t rpc.Transport) rpc.Transport {
	if c == nil {
		return t
	}
	return c.daemons.Count(name, t)
}

// answered returns a function that counts HTTP responses.
func (c *meters) answered() func(status int) {
	if c == nil {
		return nil
	}
	return func(status int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.statuses[status]++
	}
}

// endpoint returns the server of the metrics page, which reports the connections of the other servers. On a loopback
// address it rejects requests with a host name, which a web page may send by DNS rebinding. On other addresses it
// accepts any name, because scrapers use them.
func (c *meters) endpoint(l net.Listener, log *slog.Logger, others ...*native.Server) endpoint {
	c.page = append(c.page, func(w *metrics.Writer) { c.http(w, others) })
	config := native.ServerConfig{
		Service: c.page, Kind: metrics.Kind, Log: log,
		Limits: native.ServerLimits{
			Body: 1 << 10, Header: 16 << 10, Connections: 32, ConnectionsPublic: 4, ConnectionsLocal: 16,
		},
	}
	if a, err := netip.ParseAddrPort(l.Addr().String()); err != nil || !a.Addr().IsLoopback() {
		config.Hosts = []string{"*"}
	}
	return endpoint{l, native.NewServer(config), "metrics"}
}

func (c *meters) http(w *metrics.Writer, servers []*native.Server) {
	open, refused := 0, uint64(0)
	for _, s := range servers {
		o, r := s.Connections()
		open, refused = open+o, refused+r
	}
	w.Value("glim_http_connections", metrics.Gauge, "Open client connections.", float64(open))
	w.Value("glim_http_connections_refused_total", metrics.Counter,
		"Connections over the limits that were refused, or closed while idle.", float64(refused))
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Family("glim_http_responses_total", metrics.Counter,
		"HTTP responses by status; 401 includes the challenges of digest authentication.")
	for _, status := range slices.Sorted(maps.Keys(c.statuses)) {
		w.Sample(float64(c.statuses[status]), "status", strconv.Itoa(status))
	}
}

// wallets adds the wallets of a service to the page.
func (c *meters) wallets(s native.Service, names bool) {
	source, ok := s.(interface{ Statuses() []service.WalletStatus })
	if !ok {
		return
	}
	c.page = append(c.page, func(w *metrics.Writer) {
		list := source.Statuses()
		writeWallets(w, list)
		if names {
			writeNames(w, list)
		}
	})
}

func lag(s service.WalletStatus) float64 { return float64(max(s.Target, s.Height) - s.Height) }

func writeWallets(w *metrics.Writer, list []service.WalletStatus) {
	var refreshing, background, most, notices float64
	var lowest, target uint64
	for i, s := range list {
		refreshing += metrics.Bool(s.Refreshing)
		background += metrics.Bool(s.Background)
		most = max(most, lag(s))
		notices += float64(s.Notices)
		if target = max(target, s.Target); i == 0 || s.Height < lowest {
			lowest = s.Height
		}
	}
	w.Value("glim_wallets_open", metrics.Gauge, "Open wallets.", float64(len(list)))
	w.Value("glim_wallets_refreshing", metrics.Gauge, "Open wallets that are refreshing.", refreshing)
	w.Value("glim_wallets_without_spend_key", metrics.Gauge,
		"Open wallets without their spend key, as in background sync.", background)
	w.Value("glim_wallets_height_min", metrics.Gauge, "Lowest height of an open wallet, in blocks.", float64(lowest))
	w.Value("glim_wallets_target_height", metrics.Gauge,
		"Height of the daemon's chain as last reported to the wallets, in blocks.", float64(target))
	w.Value("glim_wallets_lag_blocks_max", metrics.Gauge, "Largest number of blocks by which a wallet is behind.", most)
	w.Value("glim_wallets_notices", metrics.Gauge, "Notices of the open wallets.", notices)
}

func writeNames(w *metrics.Writer, list []service.WalletStatus) {
	for _, f := range []struct {
		name, help string
		value      func(service.WalletStatus) float64
	}{
		{"glim_wallet_height", "Height of the wallet, in blocks.",
			func(s service.WalletStatus) float64 { return float64(s.Height) }},
		{"glim_wallet_lag_blocks", "Blocks by which the wallet is behind the daemon's chain.", lag},
		{"glim_wallet_refreshing", "Whether the wallet is refreshing.",
			func(s service.WalletStatus) float64 { return metrics.Bool(s.Refreshing) }},
		{"glim_wallet_notices", "Notices of the wallet.",
			func(s service.WalletStatus) float64 { return float64(s.Notices) }},
	} {
		w.Family(f.name, metrics.Gauge, f.help)
		for _, s := range list {
			w.Sample(f.value(s), "wallet", s.Name)
		}
	}
}

// chainTimeout limits the time to wait for the state of the chain, which may come from another daemon.
const chainTimeout = 5 * time.Second

// chain adds the chain that a daemon serves to the page.
func (c *meters) chain(t rpc.Transport) {
	c.page = append(c.page, func(w *metrics.Writer) {
		ctx, cancel := context.WithTimeout(context.Background(), chainTimeout)
		defer cancel()
		info, err := rpc.Call(ctx, t, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
		up := err == nil && info.Status == daemonrpc.StatusOK
		w.Value("glim_chain_up", metrics.Gauge,
			"Whether the state of the chain is known; without it the other metrics of the chain are absent.",
			metrics.Bool(up))
		if !up {
			return
		}
		gauge := func(name, help string, value uint64) { w.Value(name, metrics.Gauge, help, float64(value)) }
		gauge("glim_chain_height", "Height of the chain, in blocks.", info.Height)
		gauge("glim_chain_target_height", "Height of the chain as reported by peers; 0 if none has more blocks.",
			info.TargetHeight)
		gauge("glim_chain_difficulty", "Difficulty of the next block.", info.Difficulty)
		gauge("glim_chain_transactions", "Transactions of the chain, without coinbase transactions.", info.TxCount)
		gauge("glim_chain_alternative_blocks", "Known blocks that are not on the main chain.", info.AltBlocksCount)
		gauge("glim_pool_transactions", "Transactions of the pool.", info.TxPoolSize)
		w.Family("glim_peers", metrics.Gauge, "Connections to peers, by direction.")
		w.Sample(float64(info.IncomingConnectionsCount), "direction", "in")
		w.Sample(float64(info.OutgoingConnectionsCount), "direction", "out")
	})
}
