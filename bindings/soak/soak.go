package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"glim/bindings/internal/metrics"
	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
)

// soak is one run.
type soak struct {
	clients, wallets             int
	lasting, pause, block, every time.Duration
	glim, dir                    string
	out                          io.Writer

	daemon  *peers.Daemon
	service *peers.WalletRPC
	page    string // URL of the service's metrics
	folder  string // of its wallets
	*state
}

// account is one wallet that the clients share.
type account struct {
	peers.Client // of the wallet's own path
	name         string
	address      string
	seed         string
}

// run starts everything, runs the clients, and checks the result.
func (s *soak) run(ctx context.Context) (err error) {
	if s.daemon, err = inprocess.Start(ctx); err != nil {
		return err
	}
	defer func() { _ = s.daemon.Kill() }() // it is in this process
	if s.service, err = s.start(ctx, "service"); err != nil {
		return err
	}
	defer func() { _ = s.service.Kill() }() // after an error; otherwise it has ended
	accounts, err := s.prepare(ctx)
	if err != nil {
		return err
	}
	if err := s.live(ctx, accounts); err != nil {
		return err
	}
	if err := s.audit(ctx, accounts); err != nil {
		return err
	}
	return judge(s.samples, s.lasting, s.out)
}

// start starts a service with its own wallets in a folder of that name.
func (s *soak) start(ctx context.Context, name string) (*peers.WalletRPC, error) {
	n := strconv.Itoa(2*s.clients + 100)
	port, err := peers.FreePort()
	if err != nil {
		return nil, err
	}
	s.page, s.folder = "http://127.0.0.1:"+port+metrics.Path, filepath.Join(s.dir, name)
	return peers.StartWalletRPC(ctx, s.daemon, peers.Options{
		Dir: s.folder, Command: []string{s.glim, "wallet-rpc", "--regtest"},
		Args: []string{
			"--rpc-max-connections", n, "--rpc-max-connections-per-private-ip", n, "--metrics-bind-address",
			"127.0.0.1:" + port,
		},
	})
}

// at returns a client for the path of a wallet.
func at(w *peers.WalletRPC, name string) peers.Client {
	return peers.Client{URL: w.URL + "/wallets/" + name}
}

// prepare makes the wallets and gives each some spendable outputs.
func (s *soak) prepare(ctx context.Context) ([]*account, error) {
	var accounts []*account
	for i := range s.wallets {
		a := &account{name: "wallet-" + strconv.Itoa(i)}
		a.Client = at(s.service, a.name)
		var seed struct{ Key string }
		var address struct{ Address string }
		if err := errors.Join(
			a.JSON(ctx, "create_wallet", map[string]any{"password": "soak", "language": "English"}, nil),
			a.JSON(ctx, "query_key", map[string]any{"key_type": "mnemonic"}, &seed),
			a.JSON(ctx, "get_address", map[string]any{"account_index": 0}, &address)); err != nil {
			return nil, err
		}
		a.seed, a.address = seed.Key, address.Address
		accounts = append(accounts, a)
	}
	for range 8 { // so that the outputs of a wallet are not adjacent
		for _, a := range accounts {
			if err := s.daemon.Mine(ctx, 1, a.address); err != nil {
				return nil, err
			}
		}
	}
	if err := s.daemon.Mine(ctx, 70, accounts[0].address); err != nil { // rewards are locked for 60 blocks
		return nil, err
	}
	return accounts, s.refreshAll(ctx, accounts)
}

// refreshAll refreshes every wallet.
func (s *soak) refreshAll(ctx context.Context, accounts []*account) error {
	return together(accounts, func(a *account) error { return a.JSON(ctx, "refresh", map[string]any{}, nil) })
}

// together calls f for all accounts concurrently.
func together(accounts []*account, f func(a *account) error) error {
	var group sync.WaitGroup
	errs := make([]error, len(accounts))
	for i, a := range accounts {
		group.Go(func() { errs[i] = f(a) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// live runs clients, miner and reports until the time is up or one of them fails.
func (s *soak) live(ctx context.Context, accounts []*account) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	end := time.AfterFunc(s.lasting, func() { cancel(errOver) })
	defer end.Stop()
	var group sync.WaitGroup
	begin := func(f func(context.Context) error) {
		group.Go(func() {
			if err := f(ctx); err != nil {
				cancel(err)
			}
		})
	}
	for n := range s.clients {
		c := newClient(s, n, accounts)
		begin(c.live)
	}
	begin(func(ctx context.Context) error { return s.grow(ctx, accounts) })
	begin(s.report)
	group.Wait()
	if cause := context.Cause(ctx); !errors.Is(cause, errOver) {
		return cause
	}
	return nil
}

var errOver = errors.New("the time is up")

// rest waits. It returns false if the run is over.
func rest(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// end terminates the service as a service manager does.
func (s *soak) end() error {
	p, err := os.FindProcess(s.service.PID())
	if err == nil {
		err = p.Signal(syscall.SIGTERM)
	}
	if err != nil {
		return fmt.Errorf("the service has already ended: %w", err)
	}
	return s.service.Stop()
}
