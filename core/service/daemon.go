package service

import (
	"context"
	"errors"
	"strconv"
	"time"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

func (s *Service) refreshNow(ctx context.Context, req walletrpc.RefreshRequest) (resp walletrpc.RefreshResponse, err error) {
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	if s.source().config.Address == "" {
		return resp, nil // offline. Source: src/wallet/wallet2.cpp, refresh (0.18.5.1), which reads nothing then and is no failure.
	}
	r, err := s.refresh(ctx, o, req.StartHeight)
	return walletrpc.RefreshResponse{BlocksFetched: r.Blocks, ReceivedMoney: r.Received}, err
}

// refresh brings o to the daemon's tip; it ends when o closes.
func (s *Service) refresh(ctx context.Context, o *open, start uint64) (session.Refreshed, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(o.ctx, cancel)()
	from := s.source()
	r, err := o.Refresh(ctx, from, start)
	if errors.Is(err, errCompact) {
		read := r
		r, err = o.Refresh(ctx, from, start)
		r.Blocks, r.Received = r.Blocks+read.Blocks, r.Received || read.Received
	}
	if r.Blocks >= longRun {
		s.spare()
	}
	if err != nil && ctx.Err() == nil {
		from.pool.restart()
	}
	if err == nil && (r.Blocks > 0 || !o.witnessed.Load()) {
		err = s.sameChain(ctx, o, false)
		o.witnessed.Store(err == nil)
	}
	return r, err
}

// longRun is how many blocks read at once are worth a word about memory: following the tip takes far fewer.
const longRun = 500

// refreshPool looks at the daemon's pool alone.
func (s *Service) refreshPool(ctx context.Context) error {
	o, err := s.current()
	if err != nil {
		return err
	}
	return o.RefreshPool(ctx, s.source())
}

func (s *Service) setAutoRefresh(_ context.Context, req walletrpc.AutoRefreshRequest) (empty, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !req.Enable:
		s.autoRefresh = 0
	case req.Period == 0:
		s.autoRefresh = DefaultAutoRefresh
	default:
		s.autoRefresh = time.Duration(req.Period) * time.Second
	}
	s.wake()
	return empty{}, nil
}

func (s *Service) setDaemon(_ context.Context, req walletrpc.SetDaemonRequest) (empty, error) {
	o, err := s.current()
	if err != nil {
		return empty{}, err
	}
	fail := func(text string) (empty, error) {
		return empty{}, walletrpc.Fail(walletrpc.CodeNoDaemonConnection, "%s", text)
	}
	proxy := s.source().config.Proxy
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
	if req.SSLSupport == "enabled" && !req.SSLAllowAnyCert && len(req.SSLAllowedFingerprints) == 0 && req.SSLCAFile == "" {
		return fail("SSL is enabled but no user certificate or fingerprints were provided")
	}
	err = s.useDaemon(o, DaemonConfig{
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

func (s *Service) getDaemon(context.Context, empty) (walletrpc.GetDaemonResponse, error) {
	s.mu.Lock()
	d, chosen := s.way.config, s.chosen
	s.mu.Unlock()
	support := d.SSL.Support
	if support == "" {
		support = "autodetect"
	}
	return walletrpc.GetDaemonResponse{Address: d.Address, Trusted: d.Trusted, SSLSupport: support, SetDaemon: chosen}, nil
}

// rescanBlockchain scans again from the start. What only the user has is kept, even when asked to be hard: nothing of
// it can be in the way.
func (s *Service) rescanBlockchain(ctx context.Context, _ walletrpc.RescanBlockchainRequest) (empty, error) {
	o, err := s.current()
	if err != nil {
		return empty{}, err
	}
	// Without a daemon to ask, what is known is better than nothing.
	if _, err := s.source().Height(ctx); err != nil {
		return empty{}, err
	}
	s.source().pool.restart()
	if err := reread(o); err != nil {
		return empty{}, err
	}
	_, err = s.refresh(ctx, o, 0)
	return empty{}, err
}

// reread forgets what was scanned, and lets daemons be asked anew about outputs that they gave false answers about.
func reread(o *open) error {
	o.sending.Lock()
	defer o.sending.Unlock()
	return o.ForgetWith(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) { return w.DecideReread(), nil, nil })
}

// errUntrusted refuses what only a daemon of one's own should be asked.
var errUntrusted = walletrpc.Fail(walletrpc.CodeUnknown, "This command requires a trusted daemon.")

func (s *Service) trusted() error {
	if !s.source().config.Trusted {
		return errUntrusted
	}
	return nil
}

// rescanSpent asks the daemon, which the owner trusts, which outputs are spent and, where the wallet knows otherwise, scans again. Members of
// rings are asked for anew.
func (s *Service) rescanSpent(ctx context.Context, _ empty) (empty, error) {
	o, err := s.current()
	if err != nil {
		return empty{}, err
	}
	if err := s.trusted(); err != nil {
		return empty{}, err
	}
	s.source().pool.restart()
	var images []xmr.KeyImage
	var known []bool
	o.View(func(w *wallet.Wallet) {
		outputs := w.Outputs()
		for i := range outputs {
			if out := &outputs[i]; out.ImageKnown {
				_, spent := w.SpentBy(out)
				images, known = append(images, out.Image), append(known, spent)
			}
		}
	})
	status, err := s.daemon().KeyImagesSpent(ctx, images)
	if err != nil {
		return empty{}, err
	}
	// The owner trusts this daemon, whatever others said of outputs and rings.
	if err := s.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideReask(), nil }); err != nil {
		return empty{}, err
	}
	for i := range status {
		if (status[i] == daemon.SpentInChain) != known[i] {
			return s.rescanBlockchain(ctx, walletrpc.RescanBlockchainRequest{})
		}
	}
	return empty{}, nil
}

func (s *Service) startMining(ctx context.Context, req walletrpc.StartMiningRequest) (empty, error) {
	o, err := s.current()
	if err != nil {
		return empty{}, err
	}
	if err := s.trusted(); err != nil {
		return empty{}, err
	}
	if req.ThreadsCount < 1 || req.ThreadsCount > uint64(max(s.config.Workers, 2)) {
		return empty{}, refuse("The specified number of threads is inappropriate.")
	}
	q := daemonrpc.StartMiningRequest{ThreadsCount: req.ThreadsCount, DoBackgroundMining: req.DoBackgroundMining, IgnoreBattery: req.IgnoreBattery}
	o.View(func(w *wallet.Wallet) { q.MinerAddress = primary(w.Origin()) })
	r, err := rpc.Call(ctx, s.source().transport, daemonrpc.StartMining, q)
	if err != nil || r.Status != daemonrpc.StatusOK {
		return empty{}, walletrpc.Fail(walletrpc.CodeUnknown, "Couldn't start mining due to unknown error.")
	}
	return empty{}, nil
}

func (s *Service) stopMining(ctx context.Context, _ empty) (empty, error) {
	if _, err := s.current(); err != nil {
		return empty{}, err
	}
	r, err := rpc.Call(ctx, s.source().transport, daemonrpc.StopMining, daemonrpc.None{})
	if err != nil || r.Status != daemonrpc.StatusOK {
		return empty{}, walletrpc.Fail(walletrpc.CodeUnknown, "Couldn't stop mining due to unknown error.")
	}
	return empty{}, nil
}

func (s *Service) setLogLevel(_ context.Context, req walletrpc.SetLogLevelRequest) (empty, error) {
	if req.Level < 0 || req.Level > 4 {
		return empty{}, walletrpc.Fail(walletrpc.CodeInvalidLogLevel, "")
	}
	if s.config.SetLog == nil {
		return empty{}, nil
	}
	return empty{}, s.config.SetLog(strconv.Itoa(int(req.Level)))
}

func (s *Service) setLogCategories(_ context.Context, req walletrpc.SetLogCategoriesRequest) (walletrpc.SetLogCategoriesResponse, error) {
	resp := walletrpc.SetLogCategoriesResponse(req)
	if s.config.SetLog == nil || req.Categories == "" {
		return resp, nil
	}
	return resp, s.config.SetLog(req.Categories)
}

// setSubaddressLookahead looks further ahead, or less far, and scans again, for what came to the addresses that are new in
// view may lie behind.
func (s *Service) setSubaddressLookahead(ctx context.Context, req walletrpc.SetSubaddressLookaheadRequest) (empty, error) {
	o, err := s.current()
	if err != nil {
		return empty{}, err
	}
	if o.name != "" && o.CheckPassword(ctx, []byte(req.Password)) != nil {
		return empty{}, walletrpc.Fail(walletrpc.CodeInvalidPassword, "")
	}
	wider := false
	err = s.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		c, err := w.DecideLookahead(wallet.Lookahead{Major: req.MajorIdx, Minor: req.MinorIdx})
		wider = req.MajorIdx > w.Lookahead().Major || req.MinorIdx > w.Lookahead().Minor
		return c, err
	})
	if err != nil || !wider {
		return empty{}, err
	}
	if err := o.Forget(); err != nil {
		return empty{}, err
	}
	// The daemon may be away; the next refresh scans then.
	if _, err := s.refresh(ctx, o, 0); err != nil {
		s.config.Log.Warn("looking for payments to the new addresses will go on with the next refresh", "error", err)
	}
	return empty{}, nil
}
