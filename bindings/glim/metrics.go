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

// Metrics is what the flags say about what is counted.
type Metrics struct {
	MetricsAddress string // IP:PORT of the page; empty for none, and nothing is counted
	WalletNames    bool
}

const groupMetrics = "Metrics"

// metricsFlags are flags of ours; of a configuration's Metrics.
func metricsFlags[C any](of func(*C) *Metrics) []flag[C] {
	return []flag[C]{
		{"metrics-bind-address", "IP:PORT", "count what happens and show it to Prometheus at http://IP:PORT/metrics (ours; off)", groupMetrics, text(func(c *C) *string { return &of(c).MetricsAddress })},
	}
}

func (m *Metrics) finish(external bool) error {
	if m.MetricsAddress == "" {
		if m.WalletNames {
			return fmt.Errorf("--metrics-wallet-names is of --metrics-bind-address")
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

// listen returns where the page is asked for; nil for nowhere.
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

// meters are what is counted. Of nil, nothing is.
type meters struct {
	calls metrics.Calls
	ways  metrics.Ways
	page  metrics.Page

	mu       sync.Mutex
	statuses map[int]uint64
}

func newMeters(m Metrics) *meters {
	if m.MetricsAddress == "" {
		return nil
	}
	c := &meters{statuses: map[int]uint64{}}
	c.page = metrics.Page{func(w *metrics.Writer) {
		w.Family("glim_build_info", metrics.Gauge, "The version that runs.")
		w.Sample(1, "version", version(), "go", runtime.Version())
	}, metrics.Process, c.calls.Write, c.ways.Write}
	return c
}

// count returns s with its requests counted.
func (c *meters) count(s native.Service) native.Service {
	if c == nil {
		return s
	}
	return c.calls.Count(s)
}

// way returns t with what is asked of it counted.
func (c *meters) way(name string, t rpc.Transport) rpc.Transport {
	if c == nil {
		return t
	}
	return c.ways.Count(name, t)
}

// answered returns what counts the answers of HTTP.
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

// door returns the page's server, which tells of the connections of the others. Whom it is to serve the listener's address says: on one
// that only this machine reaches, a name that leads here is refused, for that is a web page's way in; on others scrapers use names.
func (c *meters) door(l net.Listener, log *slog.Logger, others ...*native.Server) listening {
	c.page = append(c.page, func(w *metrics.Writer) { c.http(w, others) })
	config := native.ServerConfig{
		Service: c.page, Kind: metrics.Kind, Log: log,
		Limits: native.ServerLimits{Body: 1 << 10, Header: 16 << 10, Connections: 32, ConnectionsPublic: 4, ConnectionsLocal: 16},
	}
	if a, err := netip.ParseAddrPort(l.Addr().String()); err != nil || !a.Addr().IsLoopback() {
		config.Hosts = []string{"*"}
	}
	return listening{l, native.NewServer(config), "metrics"}
}

func (c *meters) http(w *metrics.Writer, servers []*native.Server) {
	open, refused := 0, uint64(0)
	for _, s := range servers {
		o, r := s.Connections()
		open, refused = open+o, refused+r
	}
	w.Value("glim_http_connections", metrics.Gauge, "Connections of clients.", float64(open))
	w.Value("glim_http_connections_refused_total", metrics.Counter, "Connections over the limits: refused, or cut while nothing was done for them.", float64(refused))
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Family("glim_http_responses_total", metrics.Counter, "Answers, by status of HTTP; 401 counts logins asked for, too.")
	for _, status := range slices.Sorted(maps.Keys(c.statuses)) {
		w.Sample(float64(c.statuses[status]), "status", strconv.Itoa(status))
	}
}

// wallets tells of the wallets of a service.
func (c *meters) wallets(s native.Service, names bool) {
	source, ok := s.(interface{ Standing() []service.Standing })
	if !ok {
		return
	}
	c.page = append(c.page, func(w *metrics.Writer) {
		list := source.Standing()
		writeWallets(w, list)
		if names {
			writeNames(w, list)
		}
	})
}

func lag(s service.Standing) float64 { return float64(max(s.Target, s.Height) - s.Height) }

func writeWallets(w *metrics.Writer, list []service.Standing) {
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
	w.Value("glim_wallets_open", metrics.Gauge, "Wallets that are open.", float64(len(list)))
	w.Value("glim_wallets_refreshing", metrics.Gauge, "Of them, those that read the chain now.", refreshing)
	w.Value("glim_wallets_without_spend_key", metrics.Gauge, "Of them, those whose spend key is away, as in the background.", background)
	w.Value("glim_wallets_height_min", metrics.Gauge, "Blocks that the wallet has seen which is behind most.", float64(lowest))
	w.Value("glim_wallets_target_height", metrics.Gauge, "Blocks of the daemon's chain, as the wallets heard last.", float64(target))
	w.Value("glim_wallets_lag_blocks_max", metrics.Gauge, "Blocks by which that wallet is behind.", most)
	w.Value("glim_wallets_notices", metrics.Gauge, "Events that the open wallets have numbered.", notices)
}

func writeNames(w *metrics.Writer, list []service.Standing) {
	for _, f := range []struct {
		name, help string
		value      func(service.Standing) float64
	}{
		{"glim_wallet_height", "Blocks the wallet has seen.", func(s service.Standing) float64 { return float64(s.Height) }},
		{"glim_wallet_lag_blocks", "Blocks by which it is behind the daemon, as it heard last.", lag},
		{"glim_wallet_refreshing", "Whether it reads the chain now.", func(s service.Standing) float64 { return metrics.Bool(s.Refreshing) }},
		{"glim_wallet_notices", "Events it has numbered.", func(s service.Standing) float64 { return float64(s.Notices) }},
	} {
		w.Family(f.name, metrics.Gauge, f.help)
		for _, s := range list {
			w.Sample(f.value(s), "wallet", s.Name)
		}
	}
}

// chainPatience bounds how long the page waits for what the daemon says, of others perhaps.
const chainPatience = 5 * time.Second

// chain tells of the chain that a daemon serves.
func (c *meters) chain(t rpc.Transport) {
	c.page = append(c.page, func(w *metrics.Writer) {
		ctx, cancel := context.WithTimeout(context.Background(), chainPatience)
		defer cancel()
		info, err := rpc.Call(ctx, t, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
		up := err == nil && info.Status == daemonrpc.StatusOK
		w.Value("glim_chain_up", metrics.Gauge, "Whether the chain's state is known; what follows is there only then.", metrics.Bool(up))
		if !up {
			return
		}
		w.Value("glim_chain_height", metrics.Gauge, "Blocks of the chain.", float64(info.Height))
		w.Value("glim_chain_target_height", metrics.Gauge, "Blocks that others say there are; 0 when nobody has more.", float64(info.TargetHeight))
		w.Value("glim_chain_difficulty", metrics.Gauge, "Hashes that the next block takes.", float64(info.Difficulty))
		w.Value("glim_chain_transactions", metrics.Gauge, "Transactions of the chain, but for rewards.", float64(info.TxCount))
		w.Value("glim_chain_alternative_blocks", metrics.Gauge, "Blocks that are known and off the main chain.", float64(info.AltBlocksCount))
		w.Value("glim_pool_transactions", metrics.Gauge, "Transactions of the pool.", float64(info.TxPoolSize))
		w.Family("glim_peers", metrics.Gauge, "Connections to other daemons, by who began them.")
		w.Sample(float64(info.IncomingConnectionsCount), "direction", "in")
		w.Sample(float64(info.OutgoingConnectionsCount), "direction", "out")
	})
}
