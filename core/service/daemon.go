package service

import (
	"context"
	"errors"
	"strings"

	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// daemons chooses the daemon of the open wallet and controls its miner.
type daemons struct {
	active  *active
	workers int
}

func (s *daemons) setDaemon(_ context.Context, req walletrpc.SetDaemonRequest) (empty, error) {
	o, err := s.active.current()
	if err != nil {
		return empty{}, err
	}
	fail := func(text string) (empty, error) {
		return empty{}, walletrpc.Fail(walletrpc.CodeNoDaemonConnection, "%s", text)
	}
	proxy := s.active.connection().config.Proxy
	if proxy != "" && req.Proxy != "" {
		return empty{}, walletrpc.Fail(walletrpc.CodeProxyAlreadyDefined, "")
	}
	if req.Proxy != "" {
		proxy = req.Proxy
	}
	switch req.SSLSupport {
	case "disabled", "enabled", "autodetect":
	default:
		return fail("Invalid ssl support mode")
	}
	switch {
	case identifies(&req):
	case req.Proxy != "":
		return fail("SSL or proxy is enabled but no strong verification was configured; set ssl_allow_any_cert, " +
			"ssl_ca_file, or ssl_allowed_fingerprints, or use a .onion or .i2p address")
	case req.SSLSupport == "enabled":
		return fail("SSL is enabled but no user certificate or fingerprints were provided")
	}
	err = s.active.useDaemon(o, DaemonConfig{
		Address: req.Address, Username: req.Username, Password: req.Password, Trusted: req.Trusted, Proxy: proxy,
		SSL: SSL{
			Support: req.SSLSupport, PrivateKeyPath: req.SSLPrivateKeyPath, CertificatePath: req.SSLCertificatePath,
			CAFile: req.SSLCAFile, AllowedFingerprints: req.SSLAllowedFingerprints, AllowAnyCert: req.SSLAllowAnyCert,
		},
	})
	var refused *rpc.Error
	if errors.As(err, &refused) {
		return empty{}, err
	}
	if err != nil {
		return fail("Unable to set daemon: " + err.Error())
	}
	return empty{}, nil
}

// identifies reports whether req says how to recognise the daemon, or accepts any. A proxy's operator could otherwise
// answer in the daemon's place.
// Source: src/wallet/wallet_rpc_server.cpp, on_set_daemon, and contrib/epee/src/net_ssl.cpp, has_strong_verification;
// for proxies and hidden services, master of August 2026.
func identifies(req *walletrpc.SetDaemonRequest) bool {
	host := req.Address
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	return req.SSLAllowAnyCert || len(req.SSLAllowedFingerprints) > 0 || req.SSLCAFile != "" ||
		strings.HasSuffix(host, ".onion") || strings.HasSuffix(host, ".i2p")
}

func (s *daemons) getDaemon(context.Context, empty) (walletrpc.GetDaemonResponse, error) {
	s.active.mu.Lock()
	d, chosen := s.active.conn.config, s.active.chosen
	s.active.mu.Unlock()
	support := d.SSL.Support
	if support == "" {
		support = "autodetect"
	}
	return walletrpc.GetDaemonResponse{
		Address: d.Address, Trusted: d.Trusted, SSLSupport: support, SetDaemon: chosen,
	}, nil
}

func (s *daemons) startMining(ctx context.Context, req walletrpc.StartMiningRequest) (empty, error) {
	o, err := s.active.current()
	if err != nil {
		return empty{}, err
	}
	if err := s.active.trusted(); err != nil {
		return empty{}, err
	}
	if req.ThreadsCount < 1 || req.ThreadsCount > uint64(max(s.workers, 2)) {
		return empty{}, refuse("The specified number of threads is inappropriate.")
	}
	q := daemonrpc.StartMiningRequest{ThreadsCount: req.ThreadsCount, DoBackgroundMining: req.DoBackgroundMining,
		IgnoreBattery: req.IgnoreBattery}
	o.View(func(w *wallet.Wallet) { q.MinerAddress = primary(w.Identity()) })
	r, err := rpc.Call(ctx, s.active.connection().transport, daemonrpc.StartMining, q)
	if err != nil || r.Status != daemonrpc.StatusOK {
		return empty{}, walletrpc.Fail(walletrpc.CodeUnknown, "Couldn't start mining due to unknown error.")
	}
	return empty{}, nil
}

func (s *daemons) stopMining(ctx context.Context, _ empty) (empty, error) {
	if _, err := s.active.current(); err != nil {
		return empty{}, err
	}
	r, err := rpc.Call(ctx, s.active.connection().transport, daemonrpc.StopMining, daemonrpc.None{})
	if err != nil || r.Status != daemonrpc.StatusOK {
		return empty{}, walletrpc.Fail(walletrpc.CodeUnknown, "Couldn't stop mining due to unknown error.")
	}
	return empty{}, nil
}
