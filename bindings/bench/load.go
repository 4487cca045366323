package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"glim/bindings/peers"
	"glim/core/keys"
)

// load measures services with many concurrent clients, and large wallets.
type load struct {
	daemon    *peers.Daemon
	dir, glim string
	chain     loadChain
	rounds    int
	clients   int
	pause     time.Duration // of each client between two requests
	lasting   time.Duration // of each measurement under load
	addresses int           // of the wallet that both services hold

	aloneAddresses, transfers int // of the wallet that only glim holds
	out                       io.Writer
}

func (l *load) entrants() (reference, ours *entrant) {
	// Each client has its own connection, and the measurement needs some more.
	n := strconv.Itoa(l.clients + 36)
	args := []string{"--rpc-max-connections-per-private-ip", n, "--rpc-max-connections", n}
	of := func(name string, command ...string) *entrant {
		return &entrant{
			name: name, options: peers.Options{Dir: filepath.Join(l.dir, name), Command: command, Args: args},
		}
	}
	return of("reference"), of("glim", l.glim, "wallet-rpc", "--regtest")
}

func (l *load) run(ctx context.Context) error {
	if err := os.RemoveAll(l.dir); err != nil {
		return err
	}
	reference, ours := l.entrants()
	var services []*service
	for _, e := range []*entrant{reference, ours} {
		s, err := l.start(ctx, e)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		defer func() { _ = s.Kill() }() // after an error; otherwise it has stopped
		services = append(services, s)
	}
	if services[0].held != services[1].held {
		return fmt.Errorf("the balances of the services differ: %+v, %+v", services[0].held, services[1].held)
	}
	for round := range l.rounds {
		fmt.Fprintf(l.out, "round %d of %d\n", round+1, l.rounds)
		for i := range services {
			s := services[(i+round)%len(services)]
			if err := l.large(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if err := l.busy(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	l.report(services[0], services[1])
	var errs []error
	for _, s := range services {
		errs = append(errs, s.Stop())
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return l.full(ctx)
}

// service is a running entrant with its results.
type service struct {
	*peers.WalletRPC
	name  string
	held  balance
	busy  samples // get_balance while the chain is read
	mix   samples // all requests meanwhile
	late  samples // delays of a timer meanwhile
	large map[string][]time.Duration
	reads []time.Duration // times to read the chain meanwhile
}

// mostAddresses is the number of addresses that one call makes, the limit of older versions of the reference.
const mostAddresses = 64

// start starts a service with the measured wallet, makes its addresses and then reads the chain.
func (l *load) start(ctx context.Context, e *entrant) (_ *service, err error) {
	w, err := peers.StartWalletRPC(ctx, l.daemon, e.options)
	if err != nil {
		return nil, err
	}
	s := &service{WalletRPC: w, name: e.name, large: map[string][]time.Duration{}}
	defer func() {
		if err != nil {
			_ = w.Kill()
		}
	}()
	seed, err := words(ourKeys("measured"))
	if err != nil {
		return nil, err
	}
	if err := w.JSON(ctx, "auto_refresh", map[string]any{"enable": false}, nil); err != nil {
		return nil, err
	}
	if err := w.JSON(ctx, "restore_deterministic_wallet", map[string]any{
		"filename": "load", "password": "", "seed": seed, "restore_height": 0, "language": "English"},
		nil); err != nil {
		return nil, err
	}
	began := time.Now()
	for made := 1; made < l.addresses; {
		n := min(l.addresses-made, mostAddresses)
		if err := w.JSON(ctx, "create_address", map[string]any{"account_index": 0, "count": n}, nil); err != nil {
			return nil, err
		}
		made += n
	}
	s.large[makeAll] = append(s.large[makeAll], time.Since(began))
	if err := w.JSON(ctx, "refresh", map[string]any{"start_height": 0}, nil); err != nil {
		return nil, err
	}
	if s.held, err = balanceOf(ctx, w); err != nil {
		return nil, err
	}
	if s.held.payments < l.chain.Payments {
		return nil, fmt.Errorf("the wallet found %d of %d payments", s.held.payments, l.chain.Payments)
	}
	return s, nil
}

// loadIndex returns the address of payment n.
func loadIndex(n, addresses int) keys.Index { return keys.Index{Minor: uint32(n * 7919 % addresses)} }
